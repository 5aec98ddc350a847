"""The score of a hand of French Tarot."""

from collections.abc import Iterator

from scorekeeper.authoring import (
    ContractResult,
    Result,
    ScoreLine,
    Text,
    contract_events,
    evaluate_contract,
    share_out,
)
from scorekeeper_tarot import rules
from scorekeeper_tarot.events import PETIT_LAST
from scorekeeper_tarot.state import TAKER, TarotDeal


def score(deal: TarotDeal) -> Result:
    """Return the score of a hand: what each defender pays to the taker's side, by its parts."""
    contract = evaluate_contract(deal)
    if contract is None or contract.points is None:
        return Result()
    shares = share_out(deal, contract, rules.SHARES[len(deal.table.players)])
    units = {player: share for player, _, share in shares}
    counted = [event.seq for event in deal.bouts_counted[-1:]]
    proof = (*contract_events(deal, contract), *counted)
    lines = tuple(
        ScoreLine(player, units[player] * points, clause, text, proof)
        for points, clause, text in _parts(deal, contract)
        for player in deal.table.players
    )
    return Result(complete=True, basis=contract.basis, lines=lines, taken=contract.points)


def _parts(deal: TarotDeal, contract: ContractResult) -> Iterator[tuple[int, str, Text]]:
    """Yield what each defender pays, by its clause; below 0 if they get it."""
    bid, sign = contract.bid.event.contract, 1 if contract.made else -1
    halves = (contract.points or {})[TAKER] - contract.need
    times, points = rules.CONTRACTS[bid], rules.BASE + (abs(halves) + 1) // 2
    template = "{what}: {points} × {times}"
    text = Text(template, what=bid, points=points, times=times)
    yield sign * points * times, "F5", text
    petit = deal.bouts[1] if deal.bouts else ""
    if petit in ("taker", "defence"):
        text = Text(template, what=Text(PETIT_LAST), points=rules.PETIT_LAST, times=times)
        yield rules.PETIT_LAST * times * (1 if petit == "taker" else -1), "F6", text
    for handful in deal.handfuls:
        needed = rules.TRUMPS_SHOWN[len(deal.table.players)]
        size = max(sum(handful.event.trumps >= n for n in needed), 1) - 1
        text = Text("{player} shows {trumps} trumps",
                    player=deal.name(handful.player), trumps=handful.event.trumps)  # fmt: skip
        yield sign * rules.HANDFULS[size], "F7", text
    if deal.slam == TAKER:
        yield rules.SLAM * (2 if deal.slams else 1), "F8", Text("Slam")
    elif deal.slam or deal.slams:
        yield -rules.SLAM, "F8", Text("Slam")

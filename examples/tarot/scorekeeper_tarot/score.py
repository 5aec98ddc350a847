"""The score of a hand of French Tarot."""

from collections.abc import Iterator

from scorekeeper.authoring import Result, ScoreLine, Text
from scorekeeper_tarot import rules
from scorekeeper_tarot.events import PETIT_LAST
from scorekeeper_tarot.state import TAKER, TarotDeal


def score(deal: TarotDeal) -> Result:
    """Return the score of a hand: what each defender pays to the taker's side, by its parts."""
    taken, contract = deal.taken(), deal.contract
    if taken is None or contract is None or deal.partner is None or deal.bouts is None:
        return Result()
    shares = {player: 1 if deal.counted_side(player) == TAKER else -1
              for player in deal.table.players}  # fmt: skip
    shares[contract.player] -= sum(shares.values())
    named = (*deal.contracts[-1:], *deal.partners[-1:], *deal.bouts_counted[-1:])
    proof = (*(event.seq for event in named), *taken.proof)
    parts = _parts(deal, str(contract.figure), over(deal, taken.points[TAKER]))
    lines = tuple(
        ScoreLine(player, share * points, clause, text, proof)
        for points, clause, text in parts
        for player, share in shares.items()
    )
    return Result(complete=True, basis=taken.basis, lines=lines, taken=taken.points)


def over(deal: TarotDeal, halves: int) -> int:
    """Return how many half points the taker has above what is needed; below 0 if fewer (F2)."""
    return halves - rules.NEEDED[deal.bouts[0] if deal.bouts else 0]


def _parts(deal: TarotDeal, contract: str, halves: int) -> Iterator[tuple[int, str, Text]]:
    """Yield what each defender pays, by clause, for so many half points above what is needed."""
    times, sign = rules.CONTRACTS[contract], 1 if halves >= 0 else -1
    points = rules.BASE + (abs(halves) + 1) // 2
    template = "{what}: {points} × {times}"
    text = Text(template, what=contract, points=points, times=times)
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

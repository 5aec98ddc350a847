"""What a hand of Riparto scores."""

from collections.abc import Iterator

from scorekeeper.games.riparto.state import RipartoDeal
from scorekeeper.hands import Noted, events_of
from scorekeeper.scoring import Basis, Line, Result, Text


def score(deal: RipartoDeal) -> Result:
    """The lines of a hand: R12 or R13 for the ripartitore, R14 for who adds his points."""
    bid = deal.bid
    if bid is None:
        return Result()
    contract = deal.raised or bid
    points, basis, proof = _points(deal)
    if points is not None:
        lines = tuple(_lines(deal, bid, contract, points, basis, proof))
        return Result(complete=True, basis=basis, lines=lines, taken=points)
    if deal.outcomes and deal.outcomes[-1].event.made:
        outcome = deal.outcomes[-1]
        return Result(complete=True, basis=Basis.OUTCOME, lines=(_made(bid, contract, outcome),))
    return Result()


def _points(deal: RipartoDeal) -> tuple[dict[str, int] | None, Basis | None, tuple[int, ...]]:
    """The points of the deal by player, by the finest record that has them, and its proof."""
    made = deal.points_made()
    if made is not None:
        return made, Basis.CARDS if deal.all_cards else Basis.TRICKS, events_of(deal.won)
    count = deal.count()
    if count is not None:
        return dict(count.points), Basis.COUNT, (count.seq,)
    return None, None, ()


def _lines(
    deal: RipartoDeal,
    bid: Noted,
    contract: Noted,
    points: dict[str, int],
    basis: Basis | None,
    proof: tuple[int, ...],
) -> Iterator[Line]:
    player, declared = bid.event.player, contract.event.points
    events = _cited(bid, contract, proof)
    facts = {"declared": declared, "took": points[player]}
    if points[player] == declared:
        yield Line(player, declared, "R12", Text("Declared {declared} and took {took}", **facts),
                   events)  # fmt: skip
        return
    yield Line(player, -declared, "R13", Text("Declared {declared} and took {took}", **facts),
               events)  # fmt: skip
    for other in _awarded(deal, player, points, basis):
        text = Text("Most points of the others: {took}", took=points[other])
        yield Line(other, points[other], "R14", text, proof)


def _awarded(
    deal: RipartoDeal, ripartitore: str, points: dict[str, int], basis: Basis | None
) -> list[str]:
    """The other player with the most points, or those of them whom award_tie names (R14)."""
    others = {player: n for player, n in points.items() if player != ripartitore}
    most = max(others.values())
    tied = [player for player, n in others.items() if n == most]
    if most == 0:
        return []
    if len(tied) == 1 or deal.table.options["award_tie"] == "all":
        return tied
    if deal.table.options["award_tie"] == "none":
        return []
    if basis is Basis.COUNT:
        return tied
    return [next(won.player for won in reversed(deal.won) if won.player in tied)]


def _made(bid: Noted, contract: Noted, outcome: Noted) -> Line:
    text = Text("Declared {declared} and made it", declared=contract.event.points)
    events = _cited(bid, contract, (outcome.seq,))
    return Line(bid.event.player, contract.event.points, "R12", text, events)


def _cited(bid: Noted, contract: Noted, proof: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(dict.fromkeys((bid.seq, contract.seq, *proof)))

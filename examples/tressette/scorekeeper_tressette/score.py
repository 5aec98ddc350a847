"""The score of a hand of Tressette."""

from collections.abc import Iterator

from scorekeeper.authoring import PointsTaken, Result, ScoreLine, Text, Word
from scorekeeper_tressette.events import NapoletanaDeclared
from scorekeeper_tressette.rules import KIND_POINTS, NAPOLETANA_POINTS, napoletana
from scorekeeper_tressette.state import TressetteDeal


def score(deal: TressetteDeal) -> Result:
    """Return the score of a hand: the points in the tricks (T6), and the declarations (T7)."""
    taken = deal.taken()
    if taken is None:
        return Result()
    lines = (*_points(deal, taken), *_declared(deal))
    return Result(complete=True, basis=taken.basis, lines=lines, taken=taken.points)


def _points(deal: TressetteDeal, taken: PointsTaken) -> Iterator[ScoreLine]:
    """Yield the points of each side: as counted, or with their thirds."""
    thirds = deal.thirds()
    for side, points in taken.points.items():
        text = Text("Points counted: {points}", points=points)
        if thirds is not None:
            text = Text(
                "{points} points, of {thirds} thirds in cards and last trick",
                points=points, thirds=thirds[side],
            )  # fmt: skip
        yield ScoreLine(side, points, "T6", text, deal.proof_of(side, taken))


def _declared(deal: TressetteDeal) -> Iterator[ScoreLine]:
    """Yield the points of declarations in time (T7)."""
    for declared in deal.scored:
        event = declared.event
        name, side = deal.table.name(event.player), deal.table.side_of[event.player]
        if isinstance(event, NapoletanaDeclared):
            cards = napoletana(event.suit)
            text = Text("{player} declares a napoletana: {cards}", player=name, cards=cards)
            yield ScoreLine(side, NAPOLETANA_POINTS, "T7", text, (declared.seq,))
        else:
            rank = Word("ranks", event.rank)
            text = Text(
                "{player} declares {count} {rank}s", player=name, count=event.count, rank=rank
            )
            yield ScoreLine(side, KIND_POINTS[event.count], "T7", text, (declared.seq,))

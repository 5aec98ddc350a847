"""What a hand of Tressette scores."""

from collections.abc import Iterator, Mapping

from scorekeeper.play.deal import events_of
from scorekeeper.play.scoring import Basis, Result, ScoreLine, Text
from scorekeeper_tressette.events import NapoletanaDeclared
from scorekeeper_tressette.rules import KIND_POINTS, NAPOLETANA_POINTS, napoletana
from scorekeeper_tressette.state import TressetteDeal


def score(deal: TressetteDeal) -> Result:
    """The lines of a hand: the points in the tricks (T6), and what was declared (T7)."""
    points, count = deal.points_made(), deal.count()
    if points is not None:
        basis = Basis.CARDS if deal.all_cards else Basis.TRICKS
        cards = list(_taken(deal, points))
    elif count is not None:
        points, basis = dict(count.points), Basis.COUNT
        cards = [_counted(side, n, (count.seq,)) for side, n in points.items()]
    else:
        return Result()
    return Result(complete=True, basis=basis, lines=(*cards, *_declared(deal)), taken=points)


def _taken(deal: TressetteDeal, points: Mapping[str, int]) -> Iterator[ScoreLine]:
    """A side's points with its thirds, proved by its tricks; that it took none, by all."""
    thirds = deal.thirds() or {}
    for side, members in deal.table.sides.items():
        own = [won for won in deal.won if won.player in members]
        text = Text(
            "{points} points, of {thirds} thirds in cards and last trick",
            points=points[side], thirds=thirds[side],
        )  # fmt: skip
        yield ScoreLine(side, points[side], "T6", text, events_of(own or deal.won))


def _counted(side: str, points: int, events: tuple[int, ...]) -> ScoreLine:
    return ScoreLine(side, points, "T6", Text("Points counted: {points}", points=points), events)


def _declared(deal: TressetteDeal) -> Iterator[ScoreLine]:
    """What was declared in time (T7)."""
    for one in deal.scored:
        said = one.event
        name, side = deal.table.name(said.player), deal.table.side_of[said.player]
        if isinstance(said, NapoletanaDeclared):
            cards = napoletana(said.suit)
            text = Text("{player} declares a napoletana: {cards}", player=name, cards=cards)
            yield ScoreLine(side, NAPOLETANA_POINTS, "T7", text, (one.seq,))
        else:
            text = Text(
                "{player} declares {count} {rank}s", player=name, count=said.count, rank=said.rank
            )
            yield ScoreLine(side, KIND_POINTS[said.count], "T7", text, (one.seq,))

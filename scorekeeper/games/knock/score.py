"""The score of a hand of Knock!."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.games.knock.rules import PAR
from scorekeeper.games.knock.state import FoolDebt, KnockDeal, TrickReckoning
from scorekeeper.play.counts import Count
from scorekeeper.play.deal import PointsTaken, RecordedEvent, events_of
from scorekeeper.play.scoring import Result, ScoreLine, Text

# The texts of a side's line, by the payment for the Fool (K7, K8).
PLAIN: Final = "Cards {cards} + tricks {tricks} = {points}, less {par}"
PAID: Final = "Cards {cards} (the Fool kept for {paid}) + tricks {tricks} = {points}, less {par}"
RECEIVED: Final = "Cards {cards} ({paid} got for the Fool) + tricks {tricks} = {points}, less {par}"
GIVEN_UP: Final = "Cards {cards} (the Fool given up) + tricks {tricks} = {points}, less {par}"
COUNTED: Final = "Counted {points}, less {par}"


def score(deal: KnockDeal) -> Result:
    """Return a line for each side: its points less 50 (K9), by the finest record of them."""
    taken, reckoning = deal.taken(), deal.reckoning
    if taken is None:
        return Result()
    lines = _reckoned_lines(deal, reckoning) if reckoning else _counted_lines(taken)
    return Result(complete=True, basis=taken.basis, lines=tuple(lines), taken=taken.points)


def _counted_lines(taken: PointsTaken) -> Iterator[ScoreLine]:
    """Yield the lines of a hand whose points were only counted."""
    for side, points in taken.points.items():
        yield _line(side, COUNTED, points, taken.proof)


def _reckoned_lines(deal: KnockDeal, reckoning: TrickReckoning) -> Iterator[ScoreLine]:
    """Yield the lines of a hand whose card points are on record."""
    settling: tuple[RecordedEvent | Count | None, ...] = (deal.lay_away, deal.payment)
    if reckoning.payer and not deal.payment:
        settling = (deal.lay_away, reckoning.agreed)
    events = (*events_of(deal.won), *(recorded.seq for recorded in settling if recorded))
    for side, points in reckoning.points.items():
        yield _line(
            side, _line_template(deal, reckoning, side), points, events,
            cards=reckoning.cards[side], tricks=reckoning.tricks[side], paid=reckoning.paid,
        )  # fmt: skip


def _line_template(deal: KnockDeal, reckoning: TrickReckoning, side: str) -> str:
    """Return the text template of a side's line, by what the side did about the Fool."""
    if reckoning.payer:
        return PAID if reckoning.payer == side else RECEIVED
    if deal.fool_side == side and deal.owes(side) is FoolDebt.FOOL:
        return GIVEN_UP
    return PLAIN


def _line(
    side: str, template: str, points: int, events: tuple[int, ...], **facts: int
) -> ScoreLine:
    """Return the line of a side: its points less 50 (K9); ``facts`` fill the template."""
    text = Text(template, points=points, par=PAR, **facts)
    return ScoreLine(side, points - PAR, "K9", text, events)

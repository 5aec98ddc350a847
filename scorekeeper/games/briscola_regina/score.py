"""What a hand of Briscola Regina scores, and who wins it."""

from collections.abc import Iterator, Mapping
from typing import Final

from scorekeeper.games.briscola_regina.rules import BRIS_POINTS
from scorekeeper.games.briscola_regina.state import ReginaDeal
from scorekeeper.play.deal import events_of
from scorekeeper.play.scoring import Basis, Result, ScoreLine, Text, add_up


def score(deal: ReginaDeal) -> Result:
    """The lines of a hand, the card points (B9) and each Bris (B7), and its winner."""
    points = deal.points_made()
    count = deal.count()
    if points is not None:
        basis = Basis.CARDS if deal.all_cards else Basis.TRICKS
        cards = list(_taken(deal, points))
    elif count is not None:
        points, basis = {side: count.points[side] for side in deal.table.sides}, Basis.COUNT
        cards = [_card_line(side, n, (count.seq,)) for side, n in points.items()]
    else:
        return Result()
    lines = (*cards, *_bris(deal))
    winner = _winner(deal, add_up(lines, deal.table.sides))
    return Result(complete=True, basis=basis, lines=lines, taken=points, winner=winner)


def _taken(deal: ReginaDeal, points: Mapping[str, int]) -> Iterator[ScoreLine]:
    """A side's card points, proved by its tricks; that it took none, by all of them."""
    for side, members in deal.table.sides.items():
        own = [won for won in deal.won if won.player in members]
        yield _card_line(side, points[side], events_of(own or deal.won))


def _card_line(side: str, points: int, events: tuple[int, ...]) -> ScoreLine:
    return ScoreLine(side, points, "B9", Text("Card points: {points}", points=points), events)


# What is said of a Bris, by ``bris_count``; the first of the hand is the first by either.
FIRST_BRIS: Final = "{player} calls the first Bris of the hand, which makes trump: {cards}"
FURTHER_BRIS: Final = {
    "deal": "{player} calls Bris number {number} of the hand: {cards}",
    "side": "{player} calls Bris number {number} of the side: {cards}",
}


def _bris(deal: ReginaDeal) -> Iterator[ScoreLine]:
    """Each Bris, by its number over the hand or for its side (B7)."""
    counted = deal.table.options["bris_count"]
    called: list[str] = []
    for call in deal.first_calls():
        side = deal.table.side_of[call.player]
        before = called.count(side) if counted == "side" else len(called)
        text = Text(
            FURTHER_BRIS[counted] if called else FIRST_BRIS,
            player=deal.table.name(call.player), number=before + 1, cards=call.cards,
        )  # fmt: skip
        yield ScoreLine(side, BRIS_POINTS[before], "B7", text, (call.seq,))
        called.append(side)


def _winner(deal: ReginaDeal, scores: Mapping[str, int]) -> str | None:
    """The side with most points; of several, the one that ``tie`` names (B9, B10)."""
    most = max(scores.values())
    tied = [side for side, points in scores.items() if points == most]
    if len(tied) == 1:
        return tied[0]
    if deal.table.options["tie"] == "draw" or not deal.all_tricks:
        return None
    sides = (deal.table.side_of[won.player] for won in reversed(deal.won))
    return next((side for side in sides if side in tied), None)

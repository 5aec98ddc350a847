"""The score of a hand of Briscola Regina, and its winner."""

from collections.abc import Iterator, Mapping
from typing import Final

from scorekeeper.base.parts import ExactPoints
from scorekeeper.games.briscola_regina.rules import KINGS, KNIGHTS, figures_of
from scorekeeper.games.briscola_regina.state import ReginaDeal
from scorekeeper.play.deal import PointsTaken
from scorekeeper.play.match import leaders
from scorekeeper.play.scoring import Basis, Result, ScoreLine, Text, add_up


def score(deal: ReginaDeal) -> Result:
    """Return the result of a hand: lines for card points (B9) and Bris (B7), and the winner.

    Four kings end it where they are worth more: then it has a score without the card points.
    """
    taken = deal.taken()
    over = KINGS if KINGS in deal.first_figures else None
    if taken is None and over is None:
        return Result()
    points = () if taken is None else _card_point_lines(deal, taken)
    lines = (*points, *_bris_lines(deal), *_figure_lines(deal))
    winner = _winner(deal, add_up(lines, deal.table.sides))
    basis = Basis.OUTCOME if taken is None else taken.basis
    return Result(complete=True, basis=basis, lines=lines, taken=taken and taken.points,
                  winner=winner, marks=over)  # fmt: skip


def _card_point_lines(deal: ReginaDeal, taken: PointsTaken) -> Iterator[ScoreLine]:
    """Yield a line with the card points of each side (B9)."""
    for side, points in taken.points.items():
        text = Text("Card points: {points}", points=points)
        yield ScoreLine(side, points, "B9", text, deal.proof_of(side, taken))


# The texts of a Bris, by ``bris_count`` and whether trump changes.
FIRST_BRIS: Final = "{player} calls the first Bris of the hand, which makes trump: {cards}"
FURTHER_BRIS: Final = {
    ("deal", False): "{player} calls Bris number {number} of the hand: {cards}",
    ("side", False): "{player} calls Bris number {number} of the side: {cards}",
    ("deal", True): "{player} calls Bris number {number} of the hand, which makes trump: {cards}",
    ("side", True): "{player} calls Bris number {number} of the side, which makes trump: {cards}",
}


def _bris_lines(deal: ReginaDeal) -> Iterator[ScoreLine]:
    """Yield a line for each Bris, by its number in the hand or for its side (B7)."""
    counted, worth = deal.table.options["bris_count"], deal.table.options["bris_points"]
    changes = deal.table.options["trump_changes"]
    called: list[str] = []
    for call in deal.first_calls():
        side = deal.table.side_of[call.player]
        before = called.count(side) if counted == "side" else len(called)
        text = Text(
            FURTHER_BRIS[counted, changes] if called else FIRST_BRIS,
            player=deal.name(call.player), number=before + 1, cards=call.cards,
        )  # fmt: skip
        yield ScoreLine(side, worth[before], "B7", text, (call.seq,))
        called.append(side)


FIGURES_SHOWN: Final = {
    KNIGHTS: "{player} shows four knights (queens) and a king: {cards}",
    KINGS: "{player} shows four kings and a knight (queen), which end the match: {cards}",
}


def _figure_lines(deal: ReginaDeal) -> Iterator[ScoreLine]:
    """Yield lines for four knights and four kings, if the options give them points (B7)."""
    worth = figures_of(deal.table.options)
    for kind, held in deal.first_figures.items():
        text = Text(FIGURES_SHOWN[kind], player=deal.name(held.player), cards=held.cards)
        side = deal.table.side_of[held.player]
        yield ScoreLine(side, worth[kind], "B7", text, (held.seq,))


def _winner(deal: ReginaDeal, scores: Mapping[str, ExactPoints]) -> str | None:
    """Return the side with most points; the option ``tie`` decides among several (B9, B10).

    None if the hand is drawn.
    """
    tied = leaders(scores)
    if len(tied) == 1:
        return tied[0]
    if deal.table.options["tie"] == "draw" or not deal.all_tricks:
        return None
    sides = (deal.table.side_of[won.player] for won in reversed(deal.won))
    return next((side for side in sides if side in tied), None)

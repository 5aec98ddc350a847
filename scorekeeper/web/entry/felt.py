"""The table from above: the seats round the felt, and the question that a tap on a seat answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from scorekeeper.base.parts import ExactPoints
from scorekeeper.cards.packs import Card
from scorekeeper.events.common import HandStarted
from scorekeeper.events.playing import CardPlayed, TrickTaken
from scorekeeper.web.entry.board_parts import Board
from scorekeeper.web.entry.steps import Step
from scorekeeper.web.frame.ring import place_in_ring

FIXED_SEATS: Final = 2
ANSWERED_BY_SEAT: Final = (TrickTaken.TYPE, HandStarted.TYPE)
WITHOUT_FELT: Final = ("none", "over", "closed")  # states of a table at which nobody plays
LIVE: Final = ("open", "wrong", "awaiting")  # states in which the strip is that of the open hand


class FeltSeat(NamedTuple):
    """A seat at the felt: its place in the ring, counted from the viewer, and where it faces.

    ``fragment`` is the JSON that a tap on it adds to the event, empty if it cannot be tapped.
    ``total`` is the score of its side. A player who is ``out`` deals this hand and does not play.
    """

    player: str
    name: str
    at: int
    facing: str
    fragment: str
    total: ExactPoints | None
    took: int | None
    card: Card | None
    won: bool
    leads: bool
    deals: bool
    acts: bool
    out: bool


@dataclass(frozen=True, slots=True)
class Felt:
    """The seats in order of play, from the viewer's, and the step that a tap on one answers."""

    seats: Sequence[FeltSeat]
    step: Step | None


def felt_of(board: Board, view: str) -> Felt | None:
    """Return the felt of a table page in this view; None where it has no room or nobody plays.

    A phone that records the totals of a hand, or its cards, needs the room for that.
    """
    if board.state in WITHOUT_FELT or (view == "watch" and board.outcome):
        return None
    step = _step_of_seats(board, view)
    entered_elsewhere = board.level == "totals" or board.asks(CardPlayed.TYPE) or not board.writes
    if view == "entry" and step is None and entered_elsewhere:
        return None
    return Felt(tuple(_seat(board, step, player) for player in board.seats), step)


def _step_of_seats(board: Board, view: str) -> Step | None:
    """Return the step shown at once that is answered by one seat, if the viewer may record it.

    Seats can be tapped once that is what is asked first, so that they keep their places from then
    on; two seats always keep theirs.
    """
    if not board.plays or view == "watch":
        return None
    asked = board.steps.open if len(board.seats) == FIXED_SEATS else board.steps.open[:1]
    return next(
        (
            step
            for step in asked
            if step.type in ANSWERED_BY_SEAT and step.row and step.row.shape == "seats"
        ),
        None,
    )


def _seat(board: Board, step: Step | None, player: str) -> FeltSeat:
    """Return the seat of a player."""
    row = step.row if step else None
    fragments = {chip.player: chip.fragment for chip in row.values} if row else {}
    hand = board.strip if board.state in LIVE else None
    play = hand.tricks[-1].of(player) if hand and hand.tricks else None
    place = place_in_ring(board.seats.index(player), len(board.seats), _direction(board))
    return FeltSeat(
        player=player,
        name=board.names[player],
        at=place.number,
        facing=place.facing,
        fragment=fragments.get(player, ""),
        total=_total(board, player),
        took=hand.taken.get(player) if hand and hand.tricks and not board.parties else None,
        card=play.card if play else None,
        won=bool(play and play.won),
        leads=bool(hand and hand.leader == player),
        deals=player == board.dealer,
        acts=player == board.next_up,
        out=player == board.dealer and board.dealer_sits_out,
    )


def _direction(board: Board) -> str:
    """Return the direction of play of the game."""
    return board.game.direction if board.game else "clockwise"


def _total(board: Board, player: str) -> ExactPoints | None:
    """Return the score of a player's side."""
    key = board.parties.get(player, player)
    return next(
        (side.total for place, side in enumerate(board.sides) if key in (side.id, place)), None
    )

"""The content of a table page as values for its template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from markupsafe import Markup

from scorekeeper.base.parts import ExactPoints
from scorekeeper.cards.packs import Pack
from scorekeeper.events.common import HandStarted
from scorekeeper.games.game import Game
from scorekeeper.play.match import Goal
from scorekeeper.play.prompts import Level
from scorekeeper.store import Role
from scorekeeper.web.entry.appending import hand_key
from scorekeeper.web.entry.handover import EndToAccept, HandOver
from scorekeeper.web.entry.hands_so_far import HandsSoFar
from scorekeeper.web.entry.history import Strip, Undoable
from scorekeeper.web.entry.moment import USUAL
from scorekeeper.web.entry.steps import Question, Step, Steps
from scorekeeper.web.entry.to_do import ToDo
from scorekeeper.web.forms.outcomes import MatchOutcome
from scorekeeper.web.forms.stopping import OpenMatch
from scorekeeper.web.wording.naming import fit_name

LATER: Final = "later-"  # prefix of a form's place; the hand to accept follows
IDLE: Final = timedelta(hours=12)  # after which a page offers to close the table
NO_UNDO: Final = Undoable()


class Side(NamedTuple):
    """A side of the match: its total, its points in the last hand, and the games that it won.

    ``fitted`` is the HTML of its name, which fits in any space; ``players`` the number of its
    players.
    """

    id: str
    name: str
    fitted: Markup
    total: ExactPoints
    delta: ExactPoints | None
    won: bool
    games: int | None = None
    players: int = 1


class Top(NamedTuple):
    """The header of a table page, from :class:`Board`, with the sides that deal and act.

    A side is identified by its id, or by its place if several players belong to it.
    """

    title: str
    state: str
    game: str
    game_now: str
    goal: Goal | None
    hand: int
    dealer: Markup
    sits_out: bool
    deals: str | int
    acts: str | int
    sides: tuple[Side, ...]
    target: int | None
    counts: str


class TrickWinner(NamedTuple):
    """The winner of a trick: mark and name; ``ours`` if the side that comes first took it."""

    mark: str
    name: str
    ours: bool


@dataclass(frozen=True, slots=True)
class Board:
    """The content of a table page.

    ``recorded_at`` is the time of the last entry, empty in a log without times. ``state`` is none,
    first, open, next, again, wrong, awaiting, over or closed. ``last`` is the number of the
    last complete hand, 0 before there is one; between two hands its ``outcome`` is shown.
    ``to_accept`` is the end of a hand that only one seat recorded. ``dealer`` deals the current
    or next hand, which ``begins`` with the next event; with one player too many they sit out.
    If a match ``counts`` games, the totals are the points of the current game, ``game_now``, up
    to its ``target``.

    ``late`` are the steps that can still be recorded for the last hand; the first is shown open if
    it is ``late_due``. ``rest`` are other rare steps between two hands. ``parties`` has the side of
    each player in games with partners. ``stake`` is the money that a match is played for, shown
    before its first hand and after its last. ``stop`` is the match that a host can end. After the
    close ``outcomes`` are the results of all matches, and the totals are those of the last of them.
    """

    title: str
    version: int
    head: str
    recorded_at: str
    role: Role
    me: str | None
    names: Mapping[str, str]
    state: str
    only_signs: bool = False
    match: int = 0
    game: Game | None = None
    pack: Pack | None = None
    level: Level = USUAL
    sides: tuple[Side, ...] = ()
    counts: str = "points"
    target: int | None = None
    game_now: str = ""
    goal: Goal | None = None
    hand: int = 0
    dealer: str = ""
    dealer_sits_out: bool = False
    begins: str = ""
    seats: Sequence[str] = ()
    next_up: str = ""
    strip: Strip | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    parties: Mapping[str, int] = field(default_factory=dict)
    last: int = 0
    outcome: HandOver | None = None
    to_accept: EndToAccept | None = None
    hands_so_far: HandsSoFar | None = None
    to_do: ToDo = field(default_factory=ToDo)
    steps: Steps = field(default_factory=Steps)
    late: Sequence[Step] = ()
    late_due: bool = False
    rest: Sequence[Step] = ()
    totals: Sequence[Question] = ()
    again: Step | None = None
    stake: str = ""
    undo: Undoable = NO_UNDO
    stop: OpenMatch | None = None
    outcomes: Sequence[MatchOutcome] = ()
    key: str = ""

    def hand_of(self, kind: str, place: str) -> str:
        """Return the hand that a form is for, by its event type and its place on the page.

        An acceptance or a late event is for the last complete hand, or for the one that it names.
        The start of a hand is for the hand after one that contradicts itself.
        """
        if kind == HandStarted.TYPE and self.state == "wrong":
            return hand_key(self.match, self.hand + 1)
        if place.startswith(LATER):
            return place.removeprefix(LATER)
        late = place.startswith(("accept", "l", "t")) and kind != HandStarted.TYPE
        last = self.to_accept.number if self.to_accept else self.last
        return hand_key(self.match, last if late else self.hand) if self.match else ""

    @property
    def writes(self) -> bool:
        """Whether the viewer may record."""
        return self.role != "view"

    @property
    def plays(self) -> bool:
        """Whether the viewer may record what is played, and not only accept and sign."""
        return self.writes and not self.only_signs

    def asks(self, *types: str) -> bool:
        """Return whether one of these event types is among the steps shown at once."""
        return any(step.type in types for step in self.steps.open)

    @property
    def top(self) -> Top:
        """The header of the page."""
        return Top(
            self.title,
            self.state,
            self.game.local_name if self.game else "",
            self.game_now,
            self.goal,
            self.hand,
            fit_name(self.names[self.dealer], self.names.values()) if self.dealer else Markup(),
            self.dealer_sits_out,
            self.parties.get(self.dealer, self.dealer),
            self.parties.get(self.next_up, self.next_up),
            self.sides,
            self.target,
            self.counts,
        )

    @property
    def tricks(self) -> tuple[TrickWinner | None, ...]:
        """The winner of each trick of the hand; None while it is not won."""
        return tuple(
            TrickWinner(self.marks[player], self.names[player], self.parties.get(player) == 0)
            if player
            else None
            for player in (self.strip.won if self.strip else ())
        )

    @property
    def marks_are_long(self) -> bool:
        """Whether any player's mark has several letters."""
        return any(len(mark) > 1 for mark in self.marks.values())

    @property
    def winners(self) -> list[Side]:
        """The sides that won the match."""
        return [side for side in self.sides if side.won]


def is_idle(board: Board, now: str) -> bool:
    """Return whether a host sees a table that is open, and at which nothing was recorded for long.

    The times are as in the log.
    """
    if board.role != "host" or board.state == "closed" or not board.recorded_at:
        return False
    age = datetime.fromisoformat(now) - datetime.fromisoformat(board.recorded_at)
    return age >= IDLE

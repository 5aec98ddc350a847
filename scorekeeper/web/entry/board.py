"""The content of a table page: the scores, the current hand, and the next steps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from scorekeeper.cards.packs import Pack
from scorekeeper.events.common import HandStarted, MatchStarted
from scorekeeper.events.corrections import CORRECTIONS
from scorekeeper.events.playing import CardPlayed
from scorekeeper.games.game import Game
from scorekeeper.play.match import Goal, leaders
from scorekeeper.play.prompts import Level
from scorekeeper.play.scoring import add_up
from scorekeeper.report.next_events import AWAITING, NextEvents
from scorekeeper.report.report import is_confirmed_by_all
from scorekeeper.report.sheet import find_counted_unit
from scorekeeper.service import Holder
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.store import Role
from scorekeeper.web.entry.appending import hand_key
from scorekeeper.web.entry.handover import EndToAccept, HandOver, build_outcome, end_to_accept
from scorekeeper.web.entry.hands_so_far import HandsSoFar, hands_so_far
from scorekeeper.web.entry.history import Strip, Undoable, describe_undo
from scorekeeper.web.entry.labels import marks_of, names_at, short_labels, side_label, voice_at
from scorekeeper.web.entry.late_entries import late_steps
from scorekeeper.web.entry.moment import USUAL, Moment, build_moment, scene_of
from scorekeeper.web.entry.steps import (
    Question,
    Step,
    Steps,
    build_step,
    build_steps,
    turned_steps,
)
from scorekeeper.web.entry.to_do import ToDo, list_tasks
from scorekeeper.web.frame.form_keys import new_key
from scorekeeper.web.frame.ring import sides_starting_with, starting_with
from scorekeeper.web.review.paid import stake_of
from scorekeeper.web.wording.naming import ROOM, short_names

ON_TOP: Final = 8.5  # em, for the dealer's name
BETWEEN: Final = ("next", "over", "closed")  # states in which the last hand is shown
LATER: Final = "later-"  # prefix of a form's place; the hand to accept follows
NO_UNDO: Final = Undoable()
CORRECT: Final = {declared.TYPE for declared in CORRECTIONS}


class Side(NamedTuple):
    """A side of the match: its total, its points in the last hand, and the games that it won.

    ``short`` is its name as it fits beside those of the others; ``players`` the number of its
    players.
    """

    id: str
    name: str
    short: str
    total: int
    delta: int | None
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
    dealer: str
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

    ``state`` is none, first, open, next, again, wrong, awaiting, over or closed. ``last`` is the
    number of the last complete hand, 0 before there is one; between two hands its ``outcome`` is
    shown. ``to_accept`` is the end of a hand that only one seat recorded. ``dealer`` deals the
    current or next hand, which ``begins`` with the next event. If a match ``counts`` games, the
    totals are the points of the current game, ``game_now``, up to its ``target``.

    ``late`` are the steps that can still be recorded for the last hand; the first is shown open if
    it is ``late_due``. ``rest`` are other rare steps between two hands. ``parties`` has the side of
    each player in games with partners. ``stake`` is the money that a match is played for, shown
    before its first hand and after its last.
    """

    title: str
    version: int
    head: str
    role: Role
    me: str | None
    names: Mapping[str, str]
    state: str
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
    key: str = ""

    def hand_of(self, kind: str, place: str) -> str:
        """Return the hand that a form is for, by its event type and its place on the page.

        An acceptance or a late event is for the last complete hand, or for the one that it names.
        """
        if place.startswith(LATER):
            return place.removeprefix(LATER)
        late = place.startswith(("accept", "l", "t")) and kind != HandStarted.TYPE
        last = self.to_accept.number if self.to_accept else self.last
        return hand_key(self.match, last if late else self.hand) if self.match else ""

    @property
    def writes(self) -> bool:
        """Whether the viewer may record."""
        return self.role != "view"

    def asks(self, *types: str) -> bool:
        """Return whether one of these event types is among the steps shown at once."""
        return any(step.type in types for step in self.steps.open)

    @property
    def top(self) -> Top:
        """The header of the page."""
        return Top(
            self.title,
            self.state,
            self.game.name if self.game else "",
            self.game_now,
            self.goal,
            self.hand,
            short_names(self.names, ON_TOP)[self.dealer] if self.dealer else "",
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


def build_board(
    session: Session,
    holder: Holder,
    moment: Moment | None = None,
    *,
    watching: bool = False,
    key: str = "",
) -> Board:
    """Return the content of a table page for a viewer.

    `moment` is what all viewers share, by default computed here. `watching` adds the hands so far.
    `key` is the form key, by default a new one.
    """
    record, coming = session.structure, NextEvents(session)
    match = coming.match
    known: dict[str, Any] = {
        "title": record.opened.title if record.opened else "",
        "version": session.events,
        "head": session.head,
        "role": holder.role,
        "me": holder.player,
        "names": names_at(session),
        "key": key or new_key(),
    }
    if match is None:
        again = _rematch_step(coming) if coming.state == "none" else None
        return Board(**known, state=coming.state, again=again)
    moment = moment or build_moment(session, None)
    return Board(
        **known,
        state=coming.state,
        **_match_fields(match, known["names"], holder.player),
        **_hand_fields(coming, match, holder),
        **_viewer_fields(coming, match, moment, holder),
        strip=moment.strip,
        level=moment.level,
        again=_rematch_step(coming) if coming.state == "over" else None,
        stake=stake_of(match) if coming.state in ("first", "over") else "",
        undo=describe_undo(session, match, holder),
        hands_so_far=hands_so_far(session, match, holder.player)
        if watching or coming.state in ("over", "closed")
        else None,
    )


# ---------------------------------------------------------------------------------- the match


def _match_fields(match: MatchRecord, names: Mapping[str, str], me: str | None) -> dict[str, Any]:
    """Return the fields of `Board` about the match: sides, totals, goal, seats and marks."""
    games = _games(match)
    return {
        "match": match.number,
        "game": match.game,
        "pack": match.pack,
        "seats": starting_with(match.seats, me),
        "sides": tuple(_sides(match, games, names, me)),
        "counts": find_counted_unit(match),
        "target": games[-1]["target"] if games else None,
        "game_now": match.game.called.get(games[-1]["name"], "") if len(games) > 1 else "",
        "goal": match.game.goal(match.options),
        "marks": marks_of({player: names[player] for player in match.seats}),
        "parties": _place_of_side_by_player(match, me),
    }


def _place_of_side_by_player(match: MatchRecord, me: str | None) -> dict[str, int]:
    """Return the place of each player's side, the side of `me` first; empty without partners."""
    if len(match.sides) == len(match.seats):
        return {}
    order = enumerate(sides_starting_with(match.sides, me))
    return {player: place for place, side in order for player in match.sides[side]}


def _sides(
    match: MatchRecord, games: Sequence[Any], names: Mapping[str, str], me: str | None
) -> Iterator[Side]:
    """Yield the sides with their scores; with several games, those of the current game."""
    standing = match.standing()
    last = match.last_complete()
    points = add_up(last.deal.result.lines, match.sides) if last else {}
    winners = leaders(standing.totals) if match.over and last else []
    now = games[-1]["scores"] if games else standing.totals
    labels = short_labels(
        sides_starting_with(match.sides, me), names, match, ROOM.get(len(match.sides), ROOM[7])
    )
    for side, label in labels.items():
        yield Side(
            side,
            side_label(side, names, match),
            label,
            now[side],
            points.get(side) if last else None,
            side in winners,
            standing.totals[side] if games else None,
            len(match.sides[side]),
        )


def _games(match: MatchRecord) -> Sequence[Any]:
    """Return the games of a match so far, if a match consists of several."""
    games: Sequence[Any] = match.game.describe_match(match.standing()).get("games", ())
    return games


# ----------------------------------------------------------------------------------- the hand


def _hand_fields(coming: NextEvents, match: MatchRecord, holder: Holder) -> dict[str, Any]:
    """Return the fields of `Board` about the current or next hand, and the result of the last."""
    session, state, hand = coming.session, coming.state, coming.hand
    begins = coming.dealer_due or "" if state == "next" else ""
    number = len(match.hands) + (state in ("first", "next", "again"))
    open_hand = hand is not None and state in ("open", "wrong", AWAITING)
    last = match.last_complete()
    shown = last if state in BETWEEN else None
    return {
        "hand": number,
        "begins": begins,
        "dealer": begins or (hand.dealer if hand and open_hand else ""),
        "last": last.number if last else 0,
        "outcome": build_outcome(session, shown, holder) if shown else None,
        "to_accept": end_to_accept(session, hand, holder),
        "to_do": list_tasks(session, holder.player, shown),
    }


# --------------------------------------------------------------------------- what can be done


def _viewer_fields(
    coming: NextEvents, match: MatchRecord, moment: Moment, holder: Holder
) -> dict[str, Any]:
    """Return the fields of `Board` with the steps of a viewer.

    Their own seat and card come first.
    """
    me = holder.player
    late = {} if coming.state == "closed" else _late_fields(coming, match, holder)
    own_steps = _own_card_first(moment.steps.turned(me), me)
    if moment.totals:
        own_steps = Steps((), (*own_steps.open, *own_steps.also))
    dealing = turned_steps(moment.dealing, me)
    return {
        **late,
        "steps": own_steps,
        "totals": tuple(question.turned(me) for question in moment.totals),
        "next_up": _next_player(own_steps),
        "rest": (*late.get("rest", ()), *dealing),
    }


def _own_card_first(board_steps: Steps, me: str | None) -> Steps:
    """Return the steps with the viewer's own card first, when it is their turn."""
    if me is None:
        return board_steps
    mine = [
        step
        for step in board_steps.open
        if step.type == CardPlayed.TYPE and _preselected_player(step) == me
    ]
    return Steps(
        (*mine, *(step for step in board_steps.open if step not in mine)), board_steps.also
    )


def _preselected_player(step: Step) -> str:
    """Return the player whose turn it is in a step; empty if the step is not for one player."""
    return next((value.player for slot in step.slots for value in slot.values if value.chosen), "")


def _next_player(next_steps: Steps) -> str:
    """Return the player whose turn it is in the first step; empty if there is none."""
    return _preselected_player(next_steps.open[0]) if next_steps.open else ""


def _late_fields(coming: NextEvents, match: MatchRecord, holder: Holder) -> dict[str, Any]:
    """Return the fields of `Board` with the steps for a complete hand.

    These are hidden facts, its claim, and the end of the match. Once every side has confirmed the
    hand, hidden facts need a correction. If a hand was recorded card by card, the events that its
    game asks for at the end are still missing.
    """
    hand = coming.hand
    if hand is None or coming.hand_state != "complete":
        return {}
    scene, voice = scene_of(coming.session, match, hand.deal), voice_at(coming.session, match)
    settled = is_confirmed_by_all(coming.session, hand)
    late_forms = late_steps(hand, scene, corrects=holder.role == "host")
    hidden = [form for form in late_forms if not settled or form.type in CORRECT]
    asked = _all_steps(build_steps(coming.prompt_late(), scene, voice))
    end = coming.prompt_end() if holder.role == "host" else ()
    return {
        "late": turned_steps((*asked, *hidden), holder.player),
        "late_due": bool(asked) and hand.deal.all_cards,
        "rest": turned_steps(
            _all_steps(build_steps((*coming.prompt_claim(), *end), scene, voice)), holder.player
        ),
    }


def _all_steps(both: Steps) -> tuple[Step, ...]:
    """Return all steps, those shown at once first."""
    return (*both.open, *both.also)


def _rematch_step(coming: NextEvents) -> Step | None:
    """Return the step that starts another match; None if no match can start."""
    starts, session = list(coming.prompt_matches()), coming.session
    if not starts:
        return None
    scene = scene_of(session, None, None)
    return build_step(MatchStarted, starts, scene, voice_at(session, None))

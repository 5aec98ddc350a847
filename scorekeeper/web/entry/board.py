"""What the page of a table shows: the scores, the hand at hand, and what can be recorded next."""

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
from scorekeeper.report.report import confirmed_by_all
from scorekeeper.report.sheet import counts
from scorekeeper.service import Holder
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.store import Role
from scorekeeper.web.entry.appending import hand_key
from scorekeeper.web.entry.handover import EndToAccept, HandOver, end_to_accept, outcome
from scorekeeper.web.entry.hands_so_far import HandsSoFar, hands_so_far
from scorekeeper.web.entry.history import Strip, Undoable, undo
from scorekeeper.web.entry.labels import marks_of, names_at, short_labels, side_label, voice_at
from scorekeeper.web.entry.late_entries import late_steps
from scorekeeper.web.entry.moment import USUAL, Moment, moment_of, scene_of
from scorekeeper.web.entry.steps import (
    Question,
    Step,
    Steps,
    step_of,
    steps,
    turned_steps,
)
from scorekeeper.web.entry.to_do import ToDo, to_do
from scorekeeper.web.frame.form_keys import new_key
from scorekeeper.web.frame.ring import turned, turned_sides
from scorekeeper.web.review.paid import stake_of
from scorekeeper.web.wording.naming import ROOM, short

ON_TOP: Final = 8.5  # em, for the name of who deals
BETWEEN: Final = ("next", "over", "closed")  # the states in which the last hand is shown
LATER: Final = "later-"  # before the hand, in the place of a form that accepts one by its name
NO_UNDO: Final = Undoable()
CORRECT: Final = {one.TYPE for one in CORRECTIONS}


class Side(NamedTuple):
    """A side of the match: its total, what it made in the last hand, the games that it won.

    ``short`` is its name as it fits beside those of the others; ``players`` are how many it has.
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
    """What stands above all, as :class:`Board` has it: also which side deals, and which acts.

    A side is told by its id, or where several play for it by its place.
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
    """Who won a trick: his mark and his name, and whether the side that comes first took it."""

    mark: str
    name: str
    ours: bool


@dataclass(frozen=True, slots=True)
class Board:
    """All that the page of a table shows.

    ``state`` is none, first, open, next, again, wrong, awaiting, over or closed. ``last`` is the
    number of the last complete hand, 0 before there is one; between two hands its ``outcome`` is
    shown. ``to_accept`` is the end of a hand that one seat recorded. ``dealer`` deals the hand at
    hand, or the next one, which ``begins`` with what is recorded. Where a match ``counts`` games,
    the totals are the points of the one that is played, ``game_now``, up to its ``target``.
    ``late`` is what can still be said of the last hand, of which the first is asked for where it is
    ``late_due``; ``rest`` is what else is seldom said between two hands. ``parties`` says which
    side each player is of, where that is not himself alone. ``stake`` is what a match is played
    for, in money, told before its first hand and after its last.
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
        """The hand that a form is for, by the type of its event and its place on the page.

        What is accepted or said late is of the last complete one, or of the one that it names.
        """
        if place.startswith(LATER):
            return place.removeprefix(LATER)
        late = place.startswith(("accept", "l", "t")) and kind != HandStarted.TYPE
        last = self.to_accept.number if self.to_accept else self.last
        return hand_key(self.match, last if late else self.hand) if self.match else ""

    @property
    def writes(self) -> bool:
        """Whether who looks may record."""
        return self.role != "view"

    def asks(self, *types: str) -> bool:
        """Whether one of these types of event is asked for at once."""
        return any(step.type in types for step in self.steps.open)

    @property
    def top(self) -> Top:
        """What stands above all."""
        return Top(
            self.title,
            self.state,
            self.game.name if self.game else "",
            self.game_now,
            self.goal,
            self.hand,
            short(self.names, ON_TOP)[self.dealer] if self.dealer else "",
            self.parties.get(self.dealer, self.dealer),
            self.parties.get(self.next_up, self.next_up),
            self.sides,
            self.target,
            self.counts,
        )

    @property
    def tricks(self) -> tuple[TrickWinner | None, ...]:
        """Who won each of the tricks that there are in the hand."""
        return tuple(
            TrickWinner(self.marks[one], self.names[one], self.parties.get(one) == 0)
            if one
            else None
            for one in (self.strip.won if self.strip else ())
        )

    @property
    def marks_are_long(self) -> bool:
        """Whether some mark has several letters."""
        return any(len(one) > 1 for one in self.marks.values())

    @property
    def winners(self) -> list[Side]:
        """Who won the match."""
        return [side for side in self.sides if side.won]


def board(
    session: Session,
    holder: Holder,
    moment: Moment | None = None,
    *,
    watching: bool = False,
    key: str = "",
) -> Board:
    """Return the page of a table for a viewer, with a new ``key`` unless one is given."""
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
        again = _again(coming) if coming.state == "none" else None
        return Board(**known, state=coming.state, again=again)
    moment = moment or moment_of(session, None)
    return Board(
        **known,
        state=coming.state,
        **_of_match(match, known["names"], holder.player),
        **_of_hand(coming, match, holder),
        **_for_me(coming, match, moment, holder),
        strip=moment.strip,
        level=moment.level,
        again=_again(coming) if coming.state == "over" else None,
        stake=stake_of(match) if coming.state in ("first", "over") else "",
        undo=undo(session, match, holder),
        hands_so_far=hands_so_far(session, match, holder.player)
        if watching or coming.state in ("over", "closed")
        else None,
    )


# ---------------------------------------------------------------------------------- the match


def _of_match(match: MatchRecord, names: Mapping[str, str], me: str | None) -> dict[str, Any]:
    games = _games(match)
    return {
        "match": match.number,
        "game": match.game,
        "pack": match.pack,
        "seats": turned(match.seats, me),
        "sides": tuple(_sides(match, games, names, me)),
        "counts": counts(match),
        "target": games[-1]["target"] if games else None,
        "game_now": match.game.called.get(games[-1]["name"], "") if len(games) > 1 else "",
        "goal": match.game.goal(match.options),
        "marks": marks_of({one: names[one] for one in match.seats}),
        "parties": _parties(match, me),
    }


def _parties(match: MatchRecord, me: str | None) -> dict[str, int]:
    if len(match.sides) == len(match.seats):
        return {}
    order = enumerate(turned_sides(match.sides, me))
    return {one: at for at, side in order for one in match.sides[side]}


def _sides(
    match: MatchRecord, games: Sequence[Any], names: Mapping[str, str], me: str | None
) -> Iterator[Side]:
    """The sides with their scores; where games are won, those of the game that is being played."""
    standing = match.standing()
    last = match.last_complete()
    made = add_up(last.deal.result.lines, match.sides) if last else {}
    winners = leaders(standing.totals) if match.over and last else []
    now = games[-1]["scores"] if games else standing.totals
    called = short_labels(
        turned_sides(match.sides, me), names, match, ROOM.get(len(match.sides), ROOM[7])
    )
    for side, label in called.items():
        yield Side(
            side,
            side_label(side, names, match),
            label,
            now[side],
            made.get(side) if last else None,
            side in winners,
            standing.totals[side] if games else None,
            len(match.sides[side]),
        )


def _games(match: MatchRecord) -> Sequence[Any]:
    """The games of a match up to now, where a match is of several."""
    games: Sequence[Any] = match.game.tell_match(match.standing()).get("games", ())
    return games


# ----------------------------------------------------------------------------------- the hand


def _of_hand(coming: NextEvents, match: MatchRecord, holder: Holder) -> dict[str, Any]:
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
        "outcome": outcome(session, shown, holder) if shown else None,
        "to_accept": end_to_accept(session, hand, holder),
        "to_do": to_do(session, holder.player, shown),
    }


# --------------------------------------------------------------------------- what can be done


def _for_me(
    coming: NextEvents, match: MatchRecord, moment: Moment, holder: Holder
) -> dict[str, Any]:
    """What can be recorded, for whoever looks: he comes first, and his card before the others."""
    me = holder.player
    late = {} if coming.state == "closed" else _late(coming, match, holder)
    found = _own_card_first(moment.steps.turned(me), me)
    if moment.totals:
        found = Steps((), (*found.open, *found.also))
    dealing = turned_steps(moment.dealing, me)
    return {
        **late,
        "steps": found,
        "totals": tuple(one.turned(me) for one in moment.totals),
        "next_up": _next_up(found),
        "rest": (*late.get("rest", ()), *dealing),
    }


def _own_card_first(found: Steps, me: str | None) -> Steps:
    """The steps with the card of whose phone this is before the others, when it is his turn."""
    if me is None:
        return found
    mine = [one for one in found.open if one.type == CardPlayed.TYPE and _due_of(one) == me]
    return Steps((*mine, *(one for one in found.open if one not in mine)), found.also)


def _due_of(one: Step) -> str:
    """Whose turn it is, where a step is for one player."""
    return next((value.player for slot in one.slots for value in slot.values if value.chosen), "")


def _next_up(found: Steps) -> str:
    """Whose turn it is, where the first step is for one player."""
    return _due_of(found.open[0]) if found.open else ""


def _late(coming: NextEvents, match: MatchRecord, holder: Holder) -> dict[str, Any]:
    """What can still be said of a complete hand, its claim, and the end of the match.

    Of one that every side has confirmed, only corrections tell what was not to be seen. Where a
    hand was told card by card, what the game asks for is what is missing of it.
    """
    hand = coming.hand
    if hand is None or coming.stands != "complete":
        return {}
    scene, voice = scene_of(coming.session, match, hand.deal), voice_at(coming.session, match)
    settled = confirmed_by_all(coming.session, hand)
    told = late_steps(hand, scene, corrects=holder.role == "host")
    hidden = [one for one in told if not settled or one.type in CORRECT]
    asked = _all(steps(coming.late(), scene, voice))
    end = coming.end() if holder.role == "host" else ()
    return {
        "late": turned_steps((*asked, *hidden), holder.player),
        "late_due": bool(asked) and hand.deal.all_cards,
        "rest": turned_steps(_all(steps((*coming.claim(), *end), scene, voice)), holder.player),
    }


def _all(found: Steps) -> tuple[Step, ...]:
    return (*found.open, *found.also)


def _again(coming: NextEvents) -> Step | None:
    """The matches that can be started."""
    starts, session = list(coming.matches()), coming.session
    if not starts:
        return None
    scene = scene_of(session, None, None)
    return step_of(MatchStarted, starts, scene, voice_at(session, None))

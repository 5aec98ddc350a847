"""Corrections of whole things: a hand, a player of a match, its rules, stake, seats or dealer.

Each kind is a question, declared as the fields of its answer, and a function that makes corrections
of an answer. The corrections take effect together, as a set or a proposal.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import (
    HandStarted,
    MatchStarted,
    PenaltyGiven,
    PlayerJoined,
    Stake,
)
from scorekeeper.events.disputes import Correction, HandConfirmed, HandDisputed
from scorekeeper.events.event import IN_A_HAND, Entry, Event
from scorekeeper.events.fields import (
    ANYBODY,
    SEATED,
    Anything,
    Declared,
    Many,
    Nested,
    Words,
    part,
)
from scorekeeper.log import codec
from scorekeeper.repair.renaming import NewIds
from scorekeeper.repair.rewriting import (
    NewReading,
    Readings,
    insert,
    make_face_down_error,
    refuse_too_many,
    rewrite,
)
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.session.structure import Segment, decode_entry

OPENING_SEQ: Final = 1  # of session_opened


# ------------------------------------------------------------------------------ the questions


@dataclass(frozen=True, slots=True)
class RemovedHand(Declared):
    """A hand that was not played, or was entered twice."""


@dataclass(frozen=True, slots=True)
class EventOfHand(Declared):
    """An event of a hand that is put in."""

    type: str = part(Words(64, name=True), "its type")
    data: JsonObject = part(Anything(), "its data")


@dataclass(frozen=True, slots=True)
class AddedHand(Declared):
    """A hand that was played and not entered."""

    dealer: str = part(SEATED, "who dealt it", label="Who dealt")
    events: tuple[EventOfHand, ...] = part(
        Many(Nested(EventOfHand), unique=False), "what happened in it, in order"
    )


@dataclass(frozen=True, slots=True)
class ExchangedPlayer(Declared):
    """A player in whose place another played throughout a match.

    If both are seated in the match, they exchange seats.
    """

    player: str = part(SEATED, "who was written down", label="Who was written down")
    played: str = part(ANYBODY, "who really played", label="Who really played")


@dataclass(frozen=True, slots=True)
class AgreedRules(Declared):
    """Other options of a match; options left out have their defaults."""

    options: JsonObject = part(Anything(), "the options")


@dataclass(frozen=True, slots=True)
class AgreedStake(Declared):
    """Another stake of a match."""

    stake: Stake | None = part(
        Nested(Stake), "the stake; left out, the match was played for nothing", optional=True
    )


@dataclass(frozen=True, slots=True)
class AgreedSeats(Declared):
    """Another order of the seats of a match."""

    seats: tuple[str, ...] = part(
        Many(SEATED), "the players in order of play", label="The players in order of play"
    )


@dataclass(frozen=True, slots=True)
class ActualDealer(Declared):
    """Another dealer of a hand."""

    dealer: str = part(SEATED, "who dealt", label="Who dealt")


# ---------------------------------------------------------------------------- corrected entries


class StandingEntry(NamedTuple):
    """An entry as it reads now, with its key, and whether it lies face down for this reader."""

    key: int
    entry: Entry
    hidden: bool

    @property
    def event(self) -> Event:
        """The event of the entry."""
        return self.entry.event


def list_entries(session: Session, belongs: Callable[[Segment], bool]) -> Iterator[StandingEntry]:
    """Yield the standing entries of the segments that belong, decoded."""
    for segment in session.structure.segments:
        for key in segment.keys if belongs(segment) else ():
            reading = session.corrections.reading(key)
            if reading is None:
                continue
            source = getattr(reading.event, "source", key)
            seqs = {reading.seq, session.corrections.recorded[source].seq}
            game = segment.match.game if segment.match else None
            yield StandingEntry(
                key, decode_entry(reading, game), not session.hidden.isdisjoint(seqs)
            )


def _list_entries_of_hand(session: Session, hand: HandRecord) -> list[StandingEntry]:
    """Return the entries that make a hand: its deal, its play and its penalties."""
    entries = list_entries(session, lambda segment: segment.hand is hand)
    return [entry for entry in entries if _makes_hand(entry.event)]


def _makes_hand(event: Event) -> bool:
    """Return whether an event makes a hand: its deal, its play, and its penalties do."""
    return event.PLACE is IN_A_HAND or isinstance(event, HandStarted | PenaltyGiven)


def _find_start(session: Session, match: MatchRecord) -> StandingEntry:
    """Return the entry that starts a match."""
    entries = list_entries(session, lambda segment: segment.match is match)
    return next(entry for entry in entries if isinstance(entry.event, MatchStarted))


# --------------------------------------------------------------------------------- corrections


def _remove_hand(session: Session, hand: HandRecord, answer: RemovedHand) -> list[Correction]:
    """Return the strikes of all that makes a hand."""
    return rewrite(
        session, dict.fromkeys(entry.key for entry in _list_entries_of_hand(session, hand))
    )


def _add_hand_after(session: Session, hand: HandRecord, answer: AddedHand) -> list[Correction]:
    """Return the insertions of a hand right after another one."""
    return _insert_hand(_list_entries_of_hand(session, hand)[-1].key, answer)


def _add_hand_before(session: Session, hand: HandRecord, answer: AddedHand) -> list[Correction]:
    """Return the insertions of a hand before the first one of a match."""
    entries = list_entries(
        session, lambda segment: segment.match is hand.match and segment.hand is None
    )
    starts = [entry for entry in entries if isinstance(entry.event, MatchStarted | PenaltyGiven)]
    return _insert_hand(starts[-1].key, answer)


def _insert_hand(after: int, answer: AddedHand) -> list[Correction]:
    """Return the insertions of a hand after an entry."""
    readings = [
        NewReading(HandStarted.TYPE, {"dealer": answer.dealer}),
        *(NewReading(event.type, event.data) for event in answer.events),
    ]
    corrections = [insert(after, reading) for reading in readings]
    refuse_too_many(corrections)
    return corrections


def _exchange_player(
    session: Session, hand: HandRecord, answer: ExchangedPlayer
) -> list[Correction]:
    """Return the corrections by which one player stands for another throughout a match."""
    match = hand.match
    players = {answer.player: answer.played}
    if answer.played in match.seats:
        players[answer.played] = answer.player
    seats = tuple(players.get(seat, seat) for seat in match.seats)
    readings = dict(_rename_match(session, match, seats, players))
    joined, moved = _find_late_arrival(session, match, answer.played)
    corrections = rewrite(session, {**joined, **readings})
    if moved is not None:
        corrections.insert(0, insert(OPENING_SEQ, moved))
        refuse_too_many(corrections)
    return corrections


def _reorder_seats(session: Session, hand: HandRecord, answer: AgreedSeats) -> list[Correction]:
    """Return the corrections for another order of the seats."""
    if sorted(answer.seats) != sorted(hand.match.seats):
        cause = Cause("expected the players of the match, each one time", "not_these_players")
        raise UnusableError(cause, field="seats")
    return rewrite(session, dict(_rename_match(session, hand.match, answer.seats, {})))


def _rename_match(
    session: Session, match: MatchRecord, seats: Sequence[str], players: Mapping[str, str]
) -> Iterator[tuple[int, NewReading | None]]:
    """Yield the new readings of a match in which these seats are taken, by key.

    ``players`` has the new players by the old ones. Sides are followed by their members. What a
    player who loses their seat said of a hand is struck.
    """
    new_ids = NewIds(players, _follow_sides(match, tuple(seats), players))
    for entry in list_entries(session, lambda segment: segment.match is match):
        event = entry.event
        if isinstance(event, HandConfirmed | HandDisputed):
            if event.player not in seats:
                yield entry.key, None
            continue
        if isinstance(event, MatchStarted):
            yield entry.key, _make_start(event, seats=list(seats))
        elif _makes_hand(event):
            data = new_ids.rename_event(event)
            if data == codec.encode(event):
                continue
            if entry.hidden:
                raise make_face_down_error()
            yield entry.key, NewReading(event.TYPE, data)


def _follow_sides(
    match: MatchRecord, seats: tuple[str, ...], players: Mapping[str, str]
) -> dict[str, str]:
    """Return the new id of each side of which all members are still together."""
    by_members = {frozenset(members): side for side, members in match.game.sides(seats).items()}
    new_sides = {
        side: by_members.get(frozenset(players.get(member, member) for member in members))
        for side, members in match.sides.items()
    }
    return {side: new for side, new in new_sides.items() if new is not None}


def _find_late_arrival(
    session: Session, match: MatchRecord, player: str
) -> tuple[Readings, NewReading | None]:
    """Return the arrival of a player who joined after a match began, to be struck and made again.

    Both are empty if the player was there before.
    """
    began = False
    for entry in list_entries(session, lambda segment: True):
        event = entry.event
        began = began or entry.entry.seq == match.started.seq
        if began and isinstance(event, PlayerJoined) and event.id == player:
            return {entry.key: None}, NewReading(PlayerJoined.TYPE, codec.encode(event))
    return {}, None


def _change_rules(session: Session, hand: HandRecord, answer: AgreedRules) -> list[Correction]:
    """Return the correction for other options of a match.

    Raises `UnusableError` if one of them can have no effect beside another.
    """
    match = hand.match
    match.game.new_options(answer.options, len(match.seats), match.options)
    return _restart(session, match, options=answer.options or None)


def _change_stake(session: Session, hand: HandRecord, answer: AgreedStake) -> list[Correction]:
    """Return the correction for another stake of a match."""
    stake = None if answer.stake is None else codec.encode(answer.stake)
    return _restart(session, hand.match, stake=stake)


def _restart(session: Session, match: MatchRecord, **changed: object) -> list[Correction]:
    """Return the correction for a match that begins otherwise."""
    start = _find_start(session, match)
    event: Any = start.event
    return rewrite(session, {start.key: _make_start(event, **changed)})


def _make_start(event: MatchStarted, **changed: object) -> NewReading:
    """Return the start of a match with some of its fields changed; None leaves a field out."""
    data = {**codec.encode(event), **changed}
    present = {name: value for name, value in data.items() if value is not None}
    return NewReading(MatchStarted.TYPE, present)


def _change_dealer(session: Session, hand: HandRecord, answer: ActualDealer) -> list[Correction]:
    """Return the correction for another dealer of a hand."""
    start = _list_entries_of_hand(session, hand)[0]
    return rewrite(session, {start.key: NewReading(HandStarted.TYPE, {"dealer": answer.dealer})})


# --------------------------------------------------------------------------------- the kinds


class WholeKind(NamedTuple):
    """A kind of whole correction.

    ``asks`` declares the answer, of which ``build`` makes corrections. It is for ``first_hand``
    only, if that is set.
    """

    id: str
    asks: type[Declared]
    build: Callable[[Session, HandRecord, Any], list[Correction]]
    first_hand: bool = False


WHOLE_KINDS: Final[Mapping[str, WholeKind]] = {
    kind.id: kind
    for kind in (
        WholeKind("remove_hand", RemovedHand, _remove_hand),
        WholeKind("add_hand_after", AddedHand, _add_hand_after),
        WholeKind("add_hand_before", AddedHand, _add_hand_before, first_hand=True),
        WholeKind("exchange_player", ExchangedPlayer, _exchange_player),
        WholeKind("change_dealer", ActualDealer, _change_dealer),
        WholeKind("reorder_seats", AgreedSeats, _reorder_seats),
        WholeKind("change_rules", AgreedRules, _change_rules),
        WholeKind("change_stake", AgreedStake, _change_stake),
    )
}


def list_kinds(hand: HandRecord) -> list[WholeKind]:
    """Return the kinds of whole corrections that a hand can have."""
    return [kind for kind in WHOLE_KINDS.values() if hand.number == 1 or not kind.first_hand]


def build_whole(
    session: Session, hand: HandRecord, kind: WholeKind, answer: JsonObject, reason: str
) -> list[Correction]:
    """Return the corrections for an answer in JSON; a correction alone has the reason.

    Raises `UnusableError` if the answer is not valid, nothing would change, or the corrections
    cannot be recorded.
    """
    corrections = kind.build(session, hand, codec.build_declared(kind.asks, answer))
    if len(corrections) == 1:
        (only,) = corrections
        corrections = [Correction(only.type, {**only.data, "reason": reason})]
    before = [match.list_recorded() for match in session.structure.matches]
    after = session.try_corrections(
        corrections, lambda: [match.list_recorded() for match in session.structure.matches]
    )
    if before == after:
        raise UnusableError(Cause("this changes nothing", "changes_nothing"))
    return corrections

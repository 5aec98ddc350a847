"""Rules for recording: a host records all events, a seat those of the play and its player."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from scorekeeper.base.errors import Cause, ForbiddenError
from scorekeeper.events.common import HandAbandoned, HandStarted, NoteAdded, PlayerRenamed
from scorekeeper.events.corrections import CorrectionBegun, EventInserted, EventStruck
from scorekeeper.events.disputes import (
    CorrectionProposed,
    DisputeSettled,
    HandConfirmed,
    HandDisputed,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.events.event import A_CORRECTION, IN_A_HAND, Entry, Event, Place
from scorekeeper.log.face_down import KEEPER
from scorekeeper.report.masking import (
    awaited_hands,
    face_down_seqs,
    is_secret,
    turning_seq_by_author,
    would_lie_face_down,
    would_turn_up,
)
from scorekeeper.report.report import list_confirmed
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.store import Role, StoredLine
from scorekeeper.streams.holder import Holder

# Events that a seat may record beside those of a hand.
SEAT_EVENTS: Final = (HandStarted, NoteAdded, CorrectionProposed)
# Events that a seat may record only for its own player.
OWN_PLAYER_EVENTS: Final = (
    HandConfirmed, HandDisputed, ProposalSigned, ProposalDeclined, PlayerRenamed,
)  # fmt: skip
# Events of players who sat at the table in an earlier round of a tournament.
SIGNING_EVENTS: Final = (
    HandConfirmed, HandDisputed, ProposalSigned, ProposalDeclined, EventInserted,
)  # fmt: skip
SIGNS_ONLY: Final = Cause(
    "the round of this table is over: here you can accept a hand, dispute it and sign", "round_over"
)
SITS_ELSEWHERE: Final = Cause("you sit at another table now", "sits_elsewhere")
TURNED_UP: Final = Cause(
    "this turned cards up for everybody: only the host's key corrects it now", "turned_up"
)


def refuse_role(holder: Holder, *roles: Role) -> None:
    """Raise `ForbiddenError` if the holder has none of these roles."""
    if holder.role not in roles:
        raise ForbiddenError(
            f"this needs a key for {' or '.join(roles)}, and yours is for {holder.role}"
        )


def determine_author(
    holder: Holder, session: Session, event: Event, corrections: Sequence[Event] = ()
) -> str:
    """Return the author under which an event of the holder is recorded.

    For a host with a seat it is their player, if a seat may record the event. It is ``keeper`` if a
    player's name would reveal hidden data, and if a host turns cards up. ``corrections`` are those
    of the set that the event begins; a set has one author.
    """
    if any(_hides_author(session, each, holder.by) for each in (event, *corrections)):
        return KEEPER
    if holder.role != "host" or holder.player is None or would_turn_up(session, event):
        return holder.by
    seat = replace(holder, role="seat")
    try:
        if isinstance(event, CorrectionBegun):
            refuse_set(seat, session, event, corrections)
        else:
            refuse_event(seat, session, event)
    except ForbiddenError:
        return holder.by
    return holder.player


def _hides_author(session: Session, event: Event, by: str) -> bool:
    """Return whether the author of an event would reveal data that lies face down."""
    if isinstance(event, EventStruck):
        if event.seq not in session.corrections.recorded:
            return False
        lies = session.corrections.recorded[event.seq].event.AUTHOR_HIDDEN and (
            event.seq in face_down_seqs(session)
        )
        return lies or is_secret(session, event.seq)
    return event.AUTHOR_HIDDEN and would_lie_face_down(session, event.TYPE, by)


def refuse_event(holder: Holder, session: Session, event: Event) -> None:
    """Raise `ForbiddenError` if the holder may not record an event in the present session."""
    refuse_role(holder, "host", "seat")
    if holder.only_signs and not isinstance(event, SIGNING_EVENTS):
        raise ForbiddenError(SIGNS_ONLY)
    if holder.role == "seat" and isinstance(event, HandStarted):
        _refuse_next_hand(session)
    if holder.role == "seat" and isinstance(event, HandAbandoned):
        _refuse_abandoning(session)
    if holder.role == "seat" and event.AUTHOR_HIDDEN:
        _refuse_hidden_duplicate(holder, session, event)
    if holder.role == "host" or event.PLACE is IN_A_HAND or isinstance(event, SEAT_EVENTS):
        return
    if isinstance(event, OWN_PLAYER_EVENTS):
        if event.player != holder.player:
            raise ForbiddenError(
                f"{event.TYPE} is for {event.player} to say, not for {holder.player}"
            )
    elif isinstance(event, EventInserted):
        _refuse_insertion(holder, session, event)
    elif isinstance(event, EventStruck):
        refuse_strikes(holder, session, (event.seq,))
    else:
        raise ForbiddenError(f"{event.TYPE} needs the host's key")


def refuse_set(
    holder: Holder, session: Session, begun: CorrectionBegun, corrections: Sequence[Event]
) -> None:
    """Raise `ForbiddenError` if the holder may not record a set of these corrections.

    A seat may strike several of its own events together, if it may strike each.
    """
    refuse_role(holder, "host", "seat")
    if holder.role == "host":
        return
    if holder.only_signs:
        raise ForbiddenError(SIGNS_ONLY)
    if len(corrections) < begun.count:
        raise ForbiddenError(f"{begun.TYPE} needs the host's key, unless its corrections follow")
    strikes = [correction.seq for correction in corrections if isinstance(correction, EventStruck)]
    for correction in corrections:
        if not isinstance(correction, EventStruck):
            refuse_event(holder, session, correction)
    refuse_strikes(holder, session, strikes)


def _refuse_insertion(holder: Holder, session: Session, event: EventInserted) -> None:
    """Raise `ForbiddenError` unless a seat inserts its own confirmation of an earlier hand.

    The session must be open, unless it is that of an earlier round of a tournament: the director
    closes it with the round, and players accept its last hand after that.
    """
    own = event.type == HandConfirmed.TYPE and event.data == {"player": holder.player}
    if not own or (session.structure.closed is not None and not holder.only_signs):
        raise ForbiddenError(f"{event.TYPE} needs the host's key")


def refuse_strikes(holder: Holder, session: Session, seqs: Collection[int]) -> None:
    """Raise `ForbiddenError` if a seat may not strike these events.

    It may strike the last of its own events, until their hand is confirmed or cards were turned up;
    a new name is not in the way of an event before it.
    Its own events are also those that its key recorded without being named in the log.
    """
    struck = set(seqs)
    secrets = len(struck & session.recorders.keys())
    lately = (
        entry
        for entry in list_own_lately(session, holder.by)
        if entry.event.PLACE is not Place.ABOUT or entry.seq in struck
    )
    named = islice(lately, len(struck) - secrets)
    last = [*named, *islice(list_own_secrets(session, holder), secrets)]
    if {entry.seq for entry in last} != struck:
        raise ForbiddenError("a seat's key strikes the last event that it recorded, and no other")
    segments = session.structure.segment_of
    hands = {id(hand): hand for entry in last if (hand := segments[entry.seq].hand) is not None}
    # A confirmation may stand in the hand after the one that it signs.
    if any(isinstance(entry.event, HandConfirmed) for entry in last) or any(
        list_confirmed(session, hand) for hand in hands.values()
    ):
        raise ForbiddenError("the hand has been accepted: only the host's key corrects it now")
    if any(isinstance(entry.event, DisputeSettled) for entry in last):
        raise ForbiddenError("only the host's key can strike a ruling that players agreed on")
    reopened = [hand for entry in last for hand in _may_reopen(session, entry)]
    if any(holder.player in turning_seq_by_author(session, hand) for hand in reopened):
        raise ForbiddenError(TURNED_UP)


def _may_reopen(session: Session, entry: Entry) -> list[HandRecord]:
    """Return the hands that a strike of an entry may reopen: its own, and the one before it."""
    hand = session.structure.segment_of[entry.seq].hand
    if hand is None:
        return []
    before = hand.match.hands[hand.number - 2 : hand.number - 1] if hand.number > 1 else []
    return [*before, hand] if isinstance(entry.event, HandStarted) else [hand]


def _refuse_next_hand(session: Session) -> None:
    """Raise `ForbiddenError` while a hand that ended face down awaits acceptance.

    What lies face down may decide whether that hand is complete and whether the match goes on.
    """
    hand = session.structure.current_hand
    if hand is None or not hand.ended_face_down:
        return
    if hand.started.seq in awaited_hands(session, face_down_seqs(session)):
        words = "accept this hand before the next one begins"
        raise ForbiddenError(Cause(words, "waits_for_acceptance"))


def _refuse_hidden_duplicate(holder: Holder, session: Session, event: Event) -> None:
    """Raise `ForbiddenError` if an event would replace one of another key that lies face down.

    The log does not name the recorder, so the players could not see which of the two events counts.
    """
    hand = session.structure.current_hand
    if hand is None:
        return
    lies, will_lie = face_down_seqs(session), would_lie_face_down(session, event.TYPE, holder.by)
    for entry in hand.entries:
        hides = entry.event.TYPE == event.TYPE and (will_lie or entry.seq in lies)
        if hides and not recorded_by(session, entry.seq, holder):
            words = "another key recorded this, and it lies face down: the host corrects it"
            raise ForbiddenError(Cause(words, "named_by_another"))


def _refuse_abandoning(session: Session) -> None:
    """Raise `ForbiddenError` if the hand has confirmations, whose score would be lost."""
    hand = session.structure.current_hand
    if hand is not None and list_confirmed(session, hand):
        raise ForbiddenError("the hand has been accepted: only the host's key abandons it now")


def list_own_lately(session: Session, by: str) -> Iterator[Entry]:
    """Yield the standing entries with the author ``by``, except corrections, latest first."""
    for entry in reversed(session.corrections.recorded.values()):
        own = entry.by == by and entry.event.PLACE is not A_CORRECTION
        if own and session.corrections.reading(entry.seq) is not None:
            yield entry


def find_own_last(session: Session, by: str) -> Entry | None:
    """Return the latest standing entry with the author ``by``, except corrections, or None."""
    return next(list_own_lately(session, by), None)


def recorders(session: Session, lines: Iterable[StoredLine], holder: Holder) -> dict[int, str]:
    """Return the id of the holder's key for each of these events whose author is hidden, by seq."""
    if holder.key is None:
        return {}
    return {line.seq: holder.key.id for line in lines if is_secret(session, line.seq)}


def recorded_by(session: Session, seq: int, holder: Holder) -> bool:
    """Return whether a holder recorded the event with this seq."""
    if seq in session.recorders:
        return holder.key is not None and holder.key.id == session.recorders[seq]
    return session.corrections.recorded[seq].by in (holder.by, holder.player)


def list_own_secrets(session: Session, holder: Holder) -> Iterator[Entry]:
    """Yield the standing entries of the holder's key that do not name it, latest first."""
    corrections = session.corrections
    mine = holder.key.id if holder.key is not None else None
    own = (seq for seq, key in session.recorders.items() if key == mine)
    for seq in sorted(own, reverse=True):
        entry = corrections.recorded.get(seq)
        secret = entry is not None and entry.event.AUTHOR_HIDDEN
        if entry is not None and secret and corrections.reading(seq) is not None:
            yield entry

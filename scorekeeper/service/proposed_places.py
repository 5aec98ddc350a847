"""The places that a proposal may correct: its hand, its match, and what depends on the match.

They are checked for new proposals only; a log is replayed without them.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import (
    MatchStarted,
    PlayerJoined,
    PlayerRenamed,
    SessionClosed,
    SessionDescribed,
    SessionOpened,
)
from scorekeeper.events.corrections import EventInserted, EventReplaced, EventStruck
from scorekeeper.events.disputes import Correction, HandConfirmed, HandDisputed
from scorekeeper.events.event import Event
from scorekeeper.log import codec
from scorekeeper.repair.rewriting import make_face_down_error
from scorekeeper.session.disputes import HAND_AGREEMENT_EVENTS
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.session.structure import Segment, decode_entry

# A proposal must not correct agreements about hands, or events of the whole evening.
OF_THE_EVENING: Final[frozenset[type[Event]]] = frozenset(
    {SessionOpened, SessionDescribed, PlayerJoined, PlayerRenamed, SessionClosed}
)
NOT_CORRECTABLE: Final = {event.TYPE for event in HAND_AGREEMENT_EVENTS | OF_THE_EVENING}
SAID_OF_A_HAND: Final = (HandConfirmed, HandDisputed)  # by a player who has a seat in its match


class WholeMatch(NamedTuple):
    """What a proposal may correct beside its hand if it corrects the start of its match.

    ``seats`` are those of the match after it; None if it does not correct the start. ``moved`` are
    the data of the arrivals that it strikes and inserts again earlier.
    """

    seats: Collection[str] | None = None
    moved: Sequence[JsonObject] = ()


def refuse_outside_hand(
    session: Session, hand: HandRecord, corrections: Sequence[Correction]
) -> None:
    """Raise `UnusableError` if a proposal corrects events outside of its hand and match.

    The events before the first hand belong to the match itself: its start, and penalties. With the
    start of the match a proposal may correct what depends on it: all hands of the match, what
    players said of them who lose their seats, and the arrival of a player who takes a seat. The
    seats do not change while something lies face down in the match: it may name a player.
    """
    whole = _find_whole_match(session, hand, corrections)
    changes_seats = whole.seats is not None and list(whole.seats) != list(hand.match.seats)
    if changes_seats and _has_face_down(session, hand.match):
        raise make_face_down_error()
    for place, correction in enumerate(corrections):
        why = _explain_outside_hand(session, hand, correction, whole)
        if why is not None:
            raise UnusableError(why, field=f"data.corrections.{place}")


def _has_face_down(session: Session, match: MatchRecord) -> bool:
    """Return whether something lies face down in a match, for the reader of the session."""
    segments = session.structure.segment_of
    return any(segments[key].match is match for key in session.hidden if key in segments)


def _find_whole_match(
    session: Session, hand: HandRecord, corrections: Sequence[Correction]
) -> WholeMatch:
    """Return what corrections may correct beside a hand, by the start of the match among them."""
    put_in = [(item.data.get("type"), item.data.get("data")) for item in corrections]
    seats = next(
        (
            data.get("seats")
            for item, (kind, data) in zip(corrections, put_in, strict=True)
            if kind == MatchStarted.TYPE
            and isinstance(data, dict)
            and _is_start_of(session, hand, item)
        ),
        None,
    )
    if not isinstance(seats, list | tuple):
        return WholeMatch()
    struck = [
        _encode_standing(session, item.data.get("seq"))
        for item in corrections
        if item.type == EventStruck.TYPE
    ]
    moved = [
        data
        for kind, data in put_in
        if kind == PlayerJoined.TYPE and data is not None and data in struck
    ]
    return WholeMatch(seats, moved)


def _is_start_of(session: Session, hand: HandRecord, correction: Correction) -> bool:
    """Return whether a correction replaces the start of the match of a hand.

    The insertion of a start that was inserted before counts, too: it is struck and made again.
    """
    started = hand.match.started.seq
    if correction.type == EventReplaced.TYPE:
        return correction.data.get("seq") == started
    recorded = session.corrections.recorded[started].event
    return isinstance(recorded, EventInserted) and correction.data.get("after") == recorded.after


def _encode_standing(session: Session, seq: Any) -> JsonObject | None:
    """Return the data of the event that stands at a seq; None if there is none."""
    event = _find_standing(session, seq)
    return None if event is None else codec.encode(event)


def _find_standing(session: Session, seq: Any) -> Event | None:
    """Return the event that stands at a seq; None if there is none."""
    segment = session.structure.segment_of.get(seq) if type(seq) is int else None
    reading = session.corrections.reading(seq) if segment is not None else None
    if segment is None or reading is None:
        return None
    return decode_entry(reading, segment.match.game if segment.match else None).event


def _explain_outside_hand(
    session: Session, hand: HandRecord, correction: Correction, whole: WholeMatch
) -> Cause | None:
    """Return why a correction is outside of a hand, and what to do instead; None if it is not."""
    if whole.seats is not None and _depends_on_seats(session, hand, correction, whole):
        return None
    try:
        touched = list(_list_touched_places(session, correction))
    except (UnusableError, KeyError):
        return None  # there is no such correction or event, as the replay says
    segments = session.structure.segment_of
    known = ((segments[key], types) for key, types in touched if key in segments)
    reasons = (_explain_place(hand, *touched_segment, whole) for touched_segment in known)
    return next(filter(None, reasons), None)


def _depends_on_seats(
    session: Session, hand: HandRecord, correction: Correction, whole: WholeMatch
) -> bool:
    """Return whether a correction follows from the new seats of the match.

    It moves an arrival, or strikes what a player said of a hand who has no seat any more.
    """
    data = correction.data
    if correction.type == EventInserted.TYPE:
        return data.get("type") == PlayerJoined.TYPE and data.get("data") in whole.moved
    if correction.type != EventStruck.TYPE:
        return False
    event = _find_standing(session, data.get("seq"))
    if event is None:
        return False
    if isinstance(event, PlayerJoined):
        return codec.encode(event) in whole.moved
    segment = session.structure.segment_of[data["seq"]]
    gone = isinstance(event, SAID_OF_A_HAND) and event.player not in (whole.seats or ())
    return gone and segment.match is hand.match


def _explain_place(
    hand: HandRecord, where: Segment, types: set[str], whole: WholeMatch
) -> Cause | None:
    """Return why a segment does not belong to a hand; None if it does.

    ``types`` are those of the events that stood, or will stand, at the place.
    """
    if where.match is None or types & NOT_CORRECTABLE:
        words = "a proposal corrects a hand or its match, and not what was said of hands"
        return Cause(f"{words}: that is for the host's key", "beyond_the_hand")
    in_match = where.match is hand.match
    if where.hand is hand or (in_match and (where.hand is None or whole.seats is not None)):
        return None
    match = where.match.number
    if where.hand is None:
        words = f"this corrects match {match} itself: dispute a hand of that match"
        return Cause(words, "another_match", match=match)
    number = where.hand.number
    words = f"this corrects hand {number} of match {match}: dispute that hand"
    return Cause(words, "another_hand", match=match, hand=number)


def _list_touched_places(
    session: Session, correction: Correction
) -> Iterator[tuple[int, set[str]]]:
    """Yield the keys of places that a correction changes, with the types of their events.

    Raises `UnusableError` if it is invalid, and `KeyError` if it names no event.
    """
    event = codec.decode(correction.type, correction.data)
    if isinstance(event, EventInserted):
        yield event.after, {event.type}
        return
    named = cast("EventStruck | EventReplaced", event)
    comes = {named.type} if isinstance(named, EventReplaced) else set()
    for place in session.corrections.places_of(named.seq):
        yield place, comes | session.corrections.types_at(place)

"""What lies face down in a session, and the session as the table may know it.

A reader either sees all, or he sees what the table knows. For the table the log is folded with
the entries that lie face down as far as they are public, and whatever is told to it is made of
that: where nothing lies face down, it is the session itself.

Only the hand that is being played has cards face down. When it is played out is asked of what
everybody sees; so nothing changes for the table with what lies there.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from scorekeeper.events.common import HandStarted
from scorekeeper.events.corrections import EventInserted
from scorekeeper.log.corrected import target
from scorekeeper.log.face_down import Covered, covered, hidden, turned_down
from scorekeeper.log.sets import Corrects
from scorekeeper.report.findings import is_left
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session, type_of

NOTHING: Final[frozenset[int]] = frozenset()


def face_down(session: Session) -> frozenset[int]:
    """The seqs of what lies face down now."""
    if not session.covered:
        return NOTHING
    recorded, set_of = session.corrections.recorded, session.corrections.set_of
    lying = [
        key
        for key in _lately(session)
        if any(_lies(session, key, one) for one in covered(recorded[key].event))
    ]
    # The reason of a set may tell of the cards that one of its corrections puts in.
    begun = {set_of[key] for key in lying if key in set_of}
    return frozenset(recorded[key].seq for key in (*lying, *begun))


def as_the_table_knows(session: Session, hidden: frozenset[int]) -> Session:
    """The session without what lies face down: the same, where that is nothing."""
    if not hidden:
        return session
    known = Session.of(
        replace(entry, event=turned_down(entry.event)) if entry.seq in hidden else entry
        for entry in session.corrections.recorded.values()
    )
    known.hidden = hidden
    return known


# ------------------------------------------------------------------------------ what lies down


def _lately(session: Session) -> Iterator[int]:
    """The keys of what can lie face down, back to the last hand of which all is turned up."""
    for segment in reversed(session.structure.segments):
        yield from (key for key in segment.keys if key in session.covered)
        if segment.hand is not None and is_over(segment.hand):
            return


def is_over(hand: HandRecord) -> bool:
    """Whether all cards of a hand are turned up: it is played out, given up, or left."""
    hand.match.complete(hand)  # evaluates it
    played = hand.deal.played_out or hand.deal.result.complete or hand.deal.result.abandoned
    return played or is_left(hand.match, hand)


def _lies(session: Session, key: int, one: Covered) -> bool:
    """Whether something that an entry covers lies face down.

    What was taken back stays so while the hand goes on in which it was recorded; and where the
    beginning of that hand was taken back, all that was recorded in it, until a later one is over.
    """
    corrections, record = session.corrections, session.structure
    named = key if one.names is None else one.names
    if named not in corrections.recorded:
        return False
    root = _root(session, named)
    inserted = isinstance(corrections.recorded[key].event, EventInserted)
    dealt = _dealt(session, root)
    if dealt not in record.hand_at and not _is_over_since(session, dealt):
        return True
    segment = record.segment_of.get(key if inserted else root)
    hands = [segment.hand if segment else None]
    if not (corrections.stands[key] if inserted else _stands(session, root)):
        hands.append(record.hand_at.get(dealt))
    return any(hand and not is_over(hand) and hand.deal.face_down(one.type) for hand in hands)


def _root(session: Session, key: int) -> int:
    """The key of what a correction is about in the end, and no correction itself."""
    event = session.corrections.recorded[key].event
    while isinstance(event, Corrects):
        key = target(event)
        event = session.corrections.recorded[key].event
    return key


def _stands(session: Session, root: int) -> bool:
    """Whether something like what was recorded stands in its place."""
    reading = session.corrections.reading(root)
    was = session.corrections.recorded[root].event.TYPE in hidden()
    return reading is not None and (not was or type_of(reading) in hidden())


def _dealt(session: Session, root: int) -> int:
    """The seq of the hand_started before which nothing later began; 0 where there is none."""
    recorded = session.corrections.recorded
    seqs = (seq for seq in range(root, 0, -1) if isinstance(recorded[seq].event, HandStarted))
    return next(seqs, 0)


def _is_over_since(session: Session, seq: int) -> bool:
    """Whether a hand that began later is over, or the match."""
    match = session.structure.matches[-1] if session.structure.matches else None
    if match is None or match.ended is not None or match.started.seq > seq:
        return True
    return any(hand.started.seq > seq and is_over(hand) for hand in match.hands[-2:])

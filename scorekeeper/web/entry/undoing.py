"""The effect of a tap on Undo: strike the viewer's last form, if only acceptances followed it.

The form may also have ended or begun a match, or closed the session.

The permission to strike is wider and checked elsewhere. Undo is narrower: a tap must take back what
the viewer recorded last, and nothing beneath the later entries of others.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Final

from scorekeeper.base.errors import Cause, ForbiddenError, UnusableError
from scorekeeper.events.common import (
    MatchEnded,
    MatchStarted,
    NoteAdded,
    SessionClosed,
    SessionOpened,
)
from scorekeeper.events.corrections import CorrectionBegun, EventInserted, EventStruck
from scorekeeper.events.disputes import (
    CorrectionProposed,
    DisputeSettled,
    HandConfirmed,
    HandDisputed,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.events.event import A_CORRECTION, Entry, Place
from scorekeeper.report.next_events import NextEvents
from scorekeeper.service import AppendRequest, Holder, NewEvent
from scorekeeper.service.permissions import recorded_by, refuse_strikes
from scorekeeper.session.session import Session
from scorekeeper.web.forms.sent import SentForm

TOO_LATE: Final = ("undone_already", "undo_too_late")  # causes
TAKEN_BACK: Final = "taken back at the table"
AT_THE_DESK: Final = (
    HandDisputed, CorrectionProposed, ProposalSigned, ProposalDeclined, DisputeSettled,
)  # fmt: skip
OUTSIDE_A_HAND: Final = (*AT_THE_DESK, MatchStarted, MatchEnded, SessionClosed)
MOST_STRUCK: Final = 100  # events that one tap takes back; a form records fewer

Bound = Callable[[Entry], bool]


def undo_request(sent: SentForm, holder: Holder) -> AppendRequest:
    """Return the request that strikes the entries of the last form.

    Others may have recorded since, so the entries that the page named are compared with the last
    ones.
    """
    return AppendRequest(
        sent.version,
        as_played=True,
        key=sent.key,
        digest=sent.digest,
        build_events=lambda session: strikes_of_undo(session, holder, sent),
        follows=lambda session: True,
    )


def entries_to_undo(session: Session, holder: Holder) -> list[Entry]:
    """Return the entries that a tap on Undo takes back, last one first: none or those of a form.

    In a closed session that is only the form that closed it.
    """
    if holder.role not in ("seat", "host"):
        return []
    bound = _bound_by_signature(session)
    last = _last_own_entry(session, holder, bound)
    closed = session.structure.closed
    if last is None or bound(last) or (closed is not None and last.seq != closed.seq):
        return []
    if not _begins_or_ends(session, last) and not _is_in_the_hand(session, last):
        return []
    entries = [last, *_entries_of_same_form(session, last, holder)]
    return entries if _may_strike(session, entries, holder) else []


def strikes_of_undo(session: Session, holder: Holder, sent: SentForm) -> tuple[NewEvent, ...]:
    """Return the corrections that take back the viewer's last form.

    Raises `UnusableError` if there is nothing to take back, or if it is not what the page named. A
    page that did not know the entries must have shown the latest version.
    """
    seqs = [entry.seq for entry in entries_to_undo(session, holder)]
    if set(sent.named) != set(seqs) if sent.named else session.events > sent.version:
        raise UnusableError(_too_late(session, sent.named))
    if not seqs:
        cause = Cause("there is nothing of yours to take back in this hand", "nothing_to_take_back")
        raise UnusableError(cause)
    if len(seqs) == 1:
        return (NewEvent(EventStruck.TYPE, {"seq": seqs[0], "reason": TAKEN_BACK}),)
    begun = NewEvent(CorrectionBegun.TYPE, {"count": len(seqs), "reason": TAKEN_BACK})
    return (begun, *(NewEvent(EventStruck.TYPE, {"seq": seq}) for seq in seqs))


def _too_late(session: Session, named: Collection[int]) -> Cause:
    """Return why the named entries cannot be taken back: already struck, or no longer the last."""
    if named and all(_is_struck(session, seq) for seq in named):
        return Cause("it has been taken back already", "undone_already")
    return Cause("another entry is the last one now", "undo_too_late")


def _is_struck(session: Session, seq: int) -> bool:
    """Return whether an entry is recorded and does not count any more."""
    corrections = session.corrections
    return seq in corrections.recorded and corrections.reading(seq) is None


def _may_strike(session: Session, entries: Collection[Entry], holder: Holder) -> bool:
    """Return whether the holder may strike all of these entries.

    A host may strike any; a seat is limited by its rights.
    """
    if holder.role == "seat":
        try:
            refuse_strikes(holder, session, [entry.seq for entry in entries])
        except ForbiddenError:
            return False
    return True


# ------------------------------------------------------------------------------ the last entry


def _last_own_entry(session: Session, holder: Holder, bound: Bound) -> Entry | None:
    """Return the last entry that counts, if the viewer recorded it."""
    for entry in _standing_entries(session, bound):
        mine = recorded_by(session, entry.seq, holder)
        is_acceptance = isinstance(entry.event, HandConfirmed) and (
            not mine or holder.role == "seat"
        )
        if not is_acceptance and (mine or not isinstance(entry.event, NoteAdded)):
            return entry if mine else None
    return None


def _standing_entries(session: Session, bound: Bound) -> Iterator[Entry]:
    """Yield the entries that stand, from the last one back; of a set, its first entry.

    A correction that stands is such an entry. Leaves out struck entries, the strikes that took back
    what was recorded last, insertions of acceptances, names and descriptions of the session, and
    the entries of the dispute desk for which ``bound`` is true.
    """
    corrections, seen = session.corrections, set[int]()
    for key in reversed(corrections.recorded):
        begun = corrections.set_of.get(key, corrections.ruled_by.get(key, key))
        entry = corrections.recorded[begun]
        at_the_desk = isinstance(entry.event, AT_THE_DESK) and bound(entry)
        if begun in seen or at_the_desk or entry.event.PLACE is Place.ABOUT:
            continue
        if entry.event.PLACE is A_CORRECTION:
            seen.add(begun)
            if not _changes_nothing(session, key) and not _took_back(session, key):
                yield entry
        elif begun == key and corrections.reading(key) is not None:
            yield entry


def _changes_nothing(session: Session, key: int) -> bool:
    """Return whether a correction is not in effect, or only inserts an acceptance of a hand."""
    event = session.corrections.recorded[key].event
    accepts = isinstance(event, EventInserted) and event.type == HandConfirmed.TYPE
    return accepts or not session.corrections.stands.get(key)


def _took_back(session: Session, key: int) -> bool:
    """Return whether a correction took back what was recorded last before it."""
    corrections = session.corrections
    if not isinstance(corrections.recorded[key].event, EventStruck):
        return False
    return corrections.reason_of(key) == TAKEN_BACK or key in corrections.find_taken_back()


def _bound_by_signature(session: Session) -> Bound:
    """Return a predicate: whether an entry led to a signed correction, which no tap takes back.

    That covers all entries of a hand that was corrected so, and all entries up to then that are of
    the dispute desk, or begin or end a match.
    """
    ends = {
        hand: dispute.settled.seq
        for hand, disputes in session.structure.disputes.disputes_by_hand.items()
        for dispute in disputes
        if dispute.settled and getattr(dispute.settled.event, "ruling", "") == "corrected"
    }
    hand = NextEvents(session).hand
    bound_in_hand = ends.get(hand.started.seq, 0) if hand else 0
    latest = max(ends.values(), default=0)
    return lambda entry: (
        entry.seq <= (latest if isinstance(entry.event, OUTSIDE_A_HAND) else bound_in_hand)
    )


def _begins_or_ends(session: Session, entry: Entry) -> bool:
    """Return whether an entry ends a match or the session, or begins a match after another one."""
    if isinstance(entry.event, MatchStarted):
        return len(session.structure.matches) > 1
    return isinstance(entry.event, MatchEnded | SessionClosed)


# ------------------------------------------------------------------------------------ its form


def _entries_of_same_form(session: Session, last: Entry, holder: Holder) -> Iterator[Entry]:
    """Yield the entries of the same append before an entry, from there back.

    All events of an append have the same time to the millisecond; two taps of one phone never do.
    """
    corrections = session.corrections
    if last.event.PLACE is A_CORRECTION or not last.at:
        return
    belongs = _begins_or_ends if _begins_or_ends(session, last) else _is_in_the_hand
    for seq in range(last.seq - 1, max(last.seq - MOST_STRUCK, 0), -1):
        entry = corrections.recorded.get(seq)
        if entry is None or entry.at != last.at or not recorded_by(session, seq, holder):
            return
        plain = entry.event.PLACE is not A_CORRECTION and corrections.reading(seq) is not None
        if not plain or not belongs(session, entry):
            return
        yield entry


def _is_in_the_hand(session: Session, entry: Entry) -> bool:
    """Return whether an entry belongs to the last hand, and begins no match and no session."""
    if isinstance(entry.event, MatchStarted | SessionOpened):
        return False
    segments, last = session.structure.segment_of, NextEvents(session).hand
    places = session.corrections.places_of(entry.seq)
    found_segments = [segments.get(place) for place in places]
    return last is not None and all(
        segment is not None and segment.hand is last for segment in found_segments
    )

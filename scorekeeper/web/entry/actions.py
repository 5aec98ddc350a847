"""What a tap asks for: to record what a form says, or to take back what was last said."""

from collections.abc import Callable
from typing import Final

from scorekeeper.base.errors import Cause, Forbidden, Unusable
from scorekeeper.events.common import MatchStarted, SessionOpened
from scorekeeper.events.corrections import EventStruck
from scorekeeper.events.disputes import (
    CorrectionProposed,
    DisputeSettled,
    HandDisputed,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.events.event import A_CORRECTION, Entry
from scorekeeper.report.next_events import NextEvents
from scorekeeper.service import AppendRequest, Holder, NewEvent
from scorekeeper.service.permissions import own_last, refuse_strike
from scorekeeper.service.requests import Meant
from scorekeeper.session.session import Session
from scorekeeper.web.entry.forms import Sent
from scorekeeper.web.entry.late_entries import TOLD_AFTER

TAKEN_BACK: Final = "taken back at the table"
AT_THE_DESK: Final = (
    HandDisputed, CorrectionProposed, ProposalSigned, ProposalDeclined, DisputeSettled,
)  # fmt: skip


def asked(sent: Sent, meant: Meant, *, as_played: bool) -> AppendRequest:
    """An append, asked for by a form, of what it is meant to be in the session as it stands."""
    return AppendRequest(
        sent.version, as_played=as_played, key=sent.key, digest=sent.digest, meant=meant
    )


# ---------------------------------------------------------------------------------- undoing


def to_undo(session: Session, holder: Holder) -> Entry | None:
    """What a tap on Undo takes back: of a seat its own last event, of the host the hand's last."""
    if session.structure.closed is not None or holder.role not in ("seat", "host"):
        return None
    bound = _signed(session)
    found = _own(session, holder) if holder.role == "seat" else _last(session, bound)
    return None if found is None or bound(found) else _in_the_hand(session, found)


def _own(session: Session, holder: Holder) -> Entry | None:
    """A seat's own last event, if its key may strike that."""
    found = own_last(session, holder.by)
    if found is not None:
        try:
            refuse_strike(holder, session, found.seq)
        except Forbidden:
            return None
    return found


def _last(session: Session, bound: Callable[[Entry], bool]) -> Entry | None:
    corrections = session.corrections
    for key in reversed(corrections.recorded):
        entry = corrections.recorded[key]
        if bound(entry):
            continue
        if entry.event.PLACE is A_CORRECTION:
            if corrections.stands[key] and getattr(entry.event, "reason", "") == TOLD_AFTER:
                return entry
        elif corrections.reading(key) is not None:
            return entry
    return None


def _signed(session: Session) -> Callable[[Entry], bool]:
    """Of an entry, whether it led to a correction that was signed: no tap takes that back.

    That is all of a hand that was corrected so, and what was said at the desk up to then.
    """
    ends = {
        hand: dispute.settled.seq
        for hand, disputes in session.structure.said.courses.items()
        for dispute in disputes
        if dispute.settled and getattr(dispute.settled.event, "ruling", "") == "corrected"
    }
    hand = NextEvents(session).hand
    of_the_hand = ends.get(hand.started.seq, 0) if hand else 0
    latest = max(ends.values(), default=0)
    return lambda entry: (
        entry.seq <= (latest if isinstance(entry.event, AT_THE_DESK) else of_the_hand)
    )


def _in_the_hand(session: Session, entry: Entry) -> Entry | None:
    """The entry, if it belongs to the last hand, and does not begin a match or the evening."""
    if isinstance(entry.event, MatchStarted | SessionOpened):
        return None
    segment = session.structure.segment_of.get(session.corrections.place_of(entry.seq))
    last = NextEvents(session).hand
    return entry if segment is not None and last is not None and segment.hand is last else None


def undo(sent: Sent, holder: Holder) -> AppendRequest:
    """To strike what was last recorded."""
    return asked(sent, lambda session: struck(session, holder), as_played=True)


def struck(session: Session, holder: Holder) -> tuple[NewEvent, ...]:
    """The correction that takes back what was last recorded; Unusable where that is nothing."""
    entry = to_undo(session, holder)
    if entry is None:
        said = Cause("there is nothing of yours to take back in this hand", "nothing_to_take_back")
        raise Unusable(said)
    return (NewEvent(EventStruck.TYPE, {"seq": entry.seq, "reason": TAKEN_BACK}),)

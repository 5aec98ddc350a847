"""What a tap asks for: to record what a form says, or to take back what was last said."""

from collections.abc import Callable, Mapping
from typing import Final

from flask_babel import gettext as _

from scorekeeper.base.errors import Cause, Unusable
from scorekeeper.events.common import (
    A_CORRECTION,
    IN_A_HAND,
    CorrectionProposed,
    DisputeSettled,
    Entry,
    EventStruck,
    HandDisputed,
    HandStarted,
    MatchStarted,
    ProposalDeclined,
    ProposalSigned,
    SessionOpened,
)
from scorekeeper.log import codec
from scorekeeper.report.report import status
from scorekeeper.service import AppendRequest, Holder, NewEvent
from scorekeeper.service.permissions import own_last
from scorekeeper.service.requests import Meant
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.forms import Sent, completed
from scorekeeper.web.entry.late_entries import TOLD_AFTER

TAKEN_BACK: Final = "taken back at the table"
AT_THE_DESK: Final = (
    HandDisputed, CorrectionProposed, ProposalSigned, ProposalDeclined, DisputeSettled,
)  # fmt: skip
DUE: Final = "*"  # for who deals: whose turn it is, once the hand before is complete


def record(sent: Sent, holder: Holder) -> AppendRequest:
    """To put on record what a form says; Unusable where something has to be chosen first."""
    if sent.bare:
        raise Unusable(str(_("Choose the cards first")))
    return asked(sent, lambda session: whole(session, sent), as_played=sent.as_played)


def asked(sent: Sent, meant: Meant, *, as_played: bool) -> AppendRequest:
    """An append, asked for by a form, of what it is meant to be in the session as it stands."""
    return AppendRequest(
        sent.version, as_played=as_played, key=sent.key, digest=sent.digest, meant=meant
    )


def whole(session: Session, sent: Sent) -> tuple[NewEvent, ...]:
    """The events that were sent, with the beginning of their hand where it has not begun."""
    types = session.game.by_type if session.game else codec.COMMON_TYPES
    events = tuple(completed(one, types) for one in sent.events)
    dealer = None if sent.dealer == DUE or _goes_on(session) else sent.dealer
    if dealer is None and _begins(session, events, after_one=sent.dealer == DUE):
        dealer = _due(session)
    if dealer is None:
        return events
    return (NewEvent(HandStarted.TYPE, {"dealer": dealer}), *events)


def _goes_on(session: Session) -> bool:
    """Whether a hand is open: whoever was slower to begin it goes on with it."""
    hand = last_hand(session)
    return hand is not None and status(hand.match, hand) == "open"


def _begins(session: Session, events: tuple[NewEvent, ...], *, after_one: bool) -> bool:
    """Whether the events belong in a hand, and none is there to take them.

    What comes ``after_one`` that is complete belongs in the next.
    """
    match = session.structure.matches[-1] if session.structure.matches else None
    if match is None or match.over or not events:
        return False
    declared = match.game.by_type.get(events[0].type)
    several = declared.values() if isinstance(declared, Mapping) else (declared,)
    in_a_hand = any(one is not None and one.PLACE is IN_A_HAND for one in several)
    hand = match.hands[-1] if match.hands else None
    full = ("abandoned", "complete") if after_one else ("abandoned",)
    return in_a_hand and (hand is None or status(match, hand) in full)


def _due(session: Session) -> str:
    dealer = dealer_due(session.structure.matches[-1])
    if dealer is None:
        raise Unusable(Cause("say first who deals", "no_hand"))
    return dealer


def dealer_due(match: MatchRecord) -> str | None:
    """Who deals the next hand (G3); None where anybody may."""
    if not match.hands:
        return None
    return match.seats[(match.seats.index(match.hands[-1].dealer) + 1) % len(match.seats)]


# ---------------------------------------------------------------------------------- undoing


def to_undo(session: Session, holder: Holder) -> Entry | None:
    """What a tap on Undo takes back: of a seat its own last event, of the host the hand's last."""
    if session.structure.closed is not None or holder.role not in ("seat", "host"):
        return None
    bound = _signed(session)
    found = own_last(session, holder.by) if holder.role == "seat" else _last(session, bound)
    return None if found is None or bound(found) else _in_the_hand(session, found)


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
    hand = last_hand(session)
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
    last = last_hand(session)
    return entry if segment is not None and last is not None and segment.hand is last else None


def last_hand(session: Session) -> HandRecord | None:
    """The last hand of the match at hand."""
    match = session.structure.matches[-1] if session.structure.matches else None
    return match.hands[-1] if match and match.hands else None


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

"""Who may record what: a host anything, a seat what belongs to the play and to its player."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from scorekeeper.base.errors import Forbidden
from scorekeeper.events.common import HandAbandoned, HandStarted, NoteAdded
from scorekeeper.events.corrections import CorrectionBegun, EventInserted, EventStruck
from scorekeeper.events.disputes import (
    CorrectionProposed,
    DisputeSettled,
    HandConfirmed,
    HandDisputed,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.events.event import A_CORRECTION, IN_A_HAND, Entry, Event
from scorekeeper.report.report import confirmed
from scorekeeper.session.session import Session
from scorekeeper.store import Key, Role

KEEPER: Final = "keeper"

# What a seat may record beside the events of a hand.
OF_A_SEAT: Final = (HandStarted, NoteAdded, CorrectionProposed)
# What a seat says as its own player only.
OF_ONESELF: Final = (HandConfirmed, HandDisputed, ProposalSigned, ProposalDeclined)


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a key: what it is for, and whose it is if it is a seat's.

    A host may have a seat, too: its ``player`` is who says what a seat may say for itself.

    What is recorded by a ``key`` is written only if that still opens something then. Who looks
    ``at_table``, at a page, sees what the table knows, whatever his key is for: others look, too.
    """

    role: Role
    player: str | None = None
    key: Key | None = field(default=None, compare=False)
    at_table: bool = False

    @property
    def by(self) -> str:
        """The author of what this holder sends; for a host with a seat, where only hosts may."""
        return KEEPER if self.player is None or self.role == "host" else self.player

    @property
    def sees_all(self) -> bool:
        """Whether he sees what lies face down."""
        return self.role == "host" and not self.at_table


THE_TABLE: Final = Holder("view", at_table=True)


def refuse_role(holder: Holder, *roles: Role) -> None:
    """Forbidden where the holder has none of these roles."""
    if holder.role not in roles:
        raise Forbidden(
            f"this needs a key for {' or '.join(roles)}, and yours is for {holder.role}"
        )


def author(
    holder: Holder, session: Session, event: Event, corrections: Sequence[Event] = ()
) -> str:
    """The author of an event: of a host with a seat its player, where a seat may.

    ``corrections`` are those of the set that it begins; all of a set have one author.
    """
    if holder.role != "host" or holder.player is None:
        return holder.by
    seat = replace(holder, role="seat")
    try:
        if isinstance(event, CorrectionBegun):
            refuse_set(seat, session, event, corrections)
        else:
            refuse_event(seat, session, event)
    except Forbidden:
        return holder.by
    return holder.player


def refuse_event(holder: Holder, session: Session, event: Event) -> None:
    """Forbidden where this holder may not record this event in the session as it stands."""
    refuse_role(holder, "host", "seat")
    if holder.role == "seat" and isinstance(event, HandAbandoned):
        _refuse_abandoning(session)
    if holder.role == "host" or event.PLACE is IN_A_HAND or isinstance(event, OF_A_SEAT):
        return
    if isinstance(event, OF_ONESELF):
        if event.player != holder.player:
            raise Forbidden(f"{event.TYPE} is for {event.player} to say, not for {holder.player}")
    elif isinstance(event, EventInserted):
        _refuse_insertion(holder, session, event)
    elif isinstance(event, EventStruck):
        refuse_strikes(holder, session, (event.seq,))
    else:
        raise Forbidden(f"{event.TYPE} needs the host's key")


def refuse_set(
    holder: Holder, session: Session, begun: CorrectionBegun, corrections: Sequence[Event]
) -> None:
    """Forbidden where this holder may not record the set of these corrections.

    A seat may strike several of its own events together, where it may strike each.
    """
    refuse_role(holder, "host", "seat")
    if holder.role == "host":
        return
    if len(corrections) < begun.count:
        raise Forbidden(f"{begun.TYPE} needs the host's key, unless its corrections follow")
    strikes = [one.seq for one in corrections if isinstance(one, EventStruck)]
    for one in corrections:
        if not isinstance(one, EventStruck):
            refuse_event(holder, session, one)
    refuse_strikes(holder, session, strikes)


def _refuse_insertion(holder: Holder, session: Session, event: EventInserted) -> None:
    """A seat inserts its own word under an earlier hand while the session is open, and no more."""
    own = event.type == HandConfirmed.TYPE and event.data == {"player": holder.player}
    if not own or session.structure.closed is not None:
        raise Forbidden(f"{event.TYPE} needs the host's key")


def refuse_strikes(holder: Holder, session: Session, seqs: Collection[int]) -> None:
    """A seat strikes the last of its own events, until their hand is confirmed."""
    struck = set(seqs)
    last = list(islice(own_lately(session, holder.by), len(struck)))
    if {entry.seq for entry in last} != struck:
        raise Forbidden("a seat's key strikes the last event that it recorded, and no other")
    segments = session.structure.segment_of
    hands = {id(hand): hand for entry in last if (hand := segments[entry.seq].hand) is not None}
    # A confirmation may stand in the hand after the one that it signs.
    if any(isinstance(entry.event, HandConfirmed) for entry in last) or any(
        confirmed(session, hand) for hand in hands.values()
    ):
        raise Forbidden("the hand has been confirmed: only the host's key corrects it now")
    if any(isinstance(entry.event, DisputeSettled) for entry in last):
        raise Forbidden("a ruling that players agreed on needs the host's key to be struck")


def _refuse_abandoning(session: Session) -> None:
    """A seat abandons no hand that has been confirmed: it would take its score away."""
    hand = session.structure.hand_at_hand
    if hand is not None and confirmed(session, hand):
        raise Forbidden("the hand has been confirmed: only the host's key abandons it now")


def own_lately(session: Session, by: str) -> Iterator[Entry]:
    """Yield the events by somebody that still stand, corrections apart, from the last one back."""
    for entry in reversed(session.corrections.recorded.values()):
        own = entry.by == by and entry.event.PLACE is not A_CORRECTION
        if own and session.corrections.reading(entry.seq) is not None:
            yield entry


def own_last(session: Session, by: str) -> Entry | None:
    """The last event by somebody that still stands, corrections apart."""
    return next(own_lately(session, by), None)

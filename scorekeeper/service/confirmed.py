"""What every side has confirmed: no event changes it, whoever sends it, but a correction."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorekeeper.base.errors import ConfirmedHandError
from scorekeeper.events.corrections import EventStruck
from scorekeeper.events.event import A_CORRECTION, Event
from scorekeeper.play.scoring import ScoreLine
from scorekeeper.report.report import get_hand_status, is_confirmed_by_all
from scorekeeper.service.permissions import Holder
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session


class HandScore(NamedTuple):
    """What a hand comes to; what a side scores is the sum of its lines."""

    status: str
    lines: tuple[ScoreLine, ...]


class ConfirmedHand(NamedTuple):
    """A hand that every side has confirmed, and what it comes to."""

    hand: HandRecord
    outcome: HandScore


def bound_by(
    session: Session, event: Event, holder: Holder, corrections: Sequence[Event] = ()
) -> list[ConfirmedHand]:
    """The hands that every side has confirmed, as far as an event might change them.

    ``corrections`` are those of the set that it begins.
    The host's corrections may change any. What a seat takes back can be in any hand; whatever
    else is recorded belongs to the hand at hand.
    """
    if event.PLACE is A_CORRECTION and holder.role == "host":
        return []
    struck = [one.seq for one in (event, *corrections) if isinstance(one, EventStruck)]
    hands = _from(session, struck) if struck else _at_hand(session)
    bound = [
        ConfirmedHand(hand, outcome(hand)) for hand in hands if is_confirmed_by_all(session, hand)
    ]
    # Players may have accepted the end of a hand that turned out not to be complete: it goes on.
    return [one for one in bound if one.outcome.status != "open"]


def _from(session: Session, seqs: Iterable[int]) -> list[HandRecord]:
    """The hands from that before some events on: those before are not touched by a strike."""
    hands = [hand for match in session.structure.matches for hand in match.hands]
    where = {id(session.structure.segment_of[seq].hand) for seq in seqs}
    first = next((place for place, hand in enumerate(hands) if id(hand) in where), len(hands))
    return hands[max(first - 1, 0) :] if id(None) not in where else hands


def _at_hand(session: Session) -> list[HandRecord]:
    hand = session.structure.current_hand
    return [] if hand is None else [hand]


def outcome(hand: HandRecord) -> HandScore:
    """What a hand comes to as it stands."""
    complete = hand.match.is_complete(hand)
    return HandScore(get_hand_status(hand.match, hand), hand.deal.result.lines if complete else ())


def refuse_changed(session: Session, bound: Iterable[ConfirmedHand]) -> None:
    """Confirmed where one of these hands is gone, or comes to something else."""
    for hand, before in bound:
        now = session.structure.hand_by_seq.get(hand.started.seq)
        if now is None or outcome(now) != before:
            raise ConfirmedHandError(hand.match.number, hand.number)

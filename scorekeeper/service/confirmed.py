"""Hands that every side has confirmed: only corrections may change them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorekeeper.base.errors import ConfirmedHandError
from scorekeeper.events.corrections import EventStruck
from scorekeeper.events.event import A_CORRECTION, Event, Place
from scorekeeper.play.scoring import ScoreLine
from scorekeeper.report.report import get_hand_status, is_confirmed_by_all
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.streams.holder import Holder


class HandScore(NamedTuple):
    """The status and the lines of a hand; the score of a side is the sum of its lines."""

    status: str
    lines: tuple[ScoreLine, ...]


class ConfirmedHand(NamedTuple):
    """A hand that every side has confirmed: its match, number, first event, and score."""

    match: int
    number: int
    started: int
    score: HandScore

    @classmethod
    def of(cls, hand: HandRecord) -> "ConfirmedHand":
        """Return the hand with its present score."""
        return cls(hand.match.number, hand.number, hand.started.seq, score_of(hand))


def confirmed_hands_at_risk(
    session: Session, event: Event, holder: Holder, corrections: Sequence[Event] = ()
) -> list[ConfirmedHand]:
    """Return the confirmed hands that an event might change.

    ``corrections`` are those of the set that the event begins. A name, title, place or day of play
    changes none, though lines show the name. The host's corrections may change
    any hand, so none is returned for them. A strike of a seat may be in any hand; every other
    event belongs to the current hand.
    """
    if event.PLACE is A_CORRECTION and holder.role == "host":
        return []
    struck = [new.seq for new in (event, *corrections) if isinstance(new, EventStruck)]
    if event.PLACE is Place.ABOUT or (struck and not _bears_on_hands(session, struck)):
        return []
    hands = _hands_from(session, struck) if struck else _current_hand(session)
    confirmed = [ConfirmedHand.of(hand) for hand in hands if is_confirmed_by_all(session, hand)]
    # A hand that players accepted may turn out to be incomplete: then its play goes on.
    return [confirmed_hand for confirmed_hand in confirmed if confirmed_hand.score.status != "open"]


def _bears_on_hands(session: Session, seqs: Iterable[int]) -> bool:
    """Return whether one of these events does more than name the session or its players."""
    recorded = session.corrections.recorded
    return any(seq in recorded and recorded[seq].event.PLACE is not Place.ABOUT for seq in seqs)


def _hands_from(session: Session, seqs: Iterable[int]) -> list[HandRecord]:
    """Return the hands that strikes of these seqs may change.

    These are the hands from the one before the first strike on; all, if an event is in no hand.
    """
    hands = [hand for match in session.structure.matches for hand in match.hands]
    struck_in = {id(session.structure.segment_of[seq].hand) for seq in seqs}
    first = next((place for place, hand in enumerate(hands) if id(hand) in struck_in), len(hands))
    return hands[max(first - 1, 0) :] if id(None) not in struck_in else hands


def _current_hand(session: Session) -> list[HandRecord]:
    """Return the hand in which the next events stand, as a list of one or none."""
    hand = session.structure.current_hand
    return [] if hand is None else [hand]


def score_of(hand: HandRecord) -> HandScore:
    """Return the present status and lines of a hand."""
    complete = hand.match.is_complete(hand)
    return HandScore(get_hand_status(hand.match, hand), hand.deal.result.lines if complete else ())


def refuse_changed(session: Session, confirmed: Iterable[ConfirmedHand]) -> None:
    """Raise `ConfirmedHandError` if one of the hands is gone, or its score has changed."""
    for before in confirmed:
        now = session.structure.hand_by_seq.get(before.started)
        if now is None or score_of(now) != before.score:
            raise ConfirmedHandError(before.match, before.number)

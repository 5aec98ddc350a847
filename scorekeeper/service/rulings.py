"""Checks of proposals, signatures and rulings in a dispute.

They hold for new events only; a log is replayed without them.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, Final, cast

from scorekeeper.base.errors import Cause, NoQuorumError, UnusableError
from scorekeeper.events.common import NoteAdded, PlayerJoined, SessionClosed, SessionOpened
from scorekeeper.events.corrections import EventInserted, EventReplaced, EventStruck
from scorekeeper.events.disputes import (
    Correction,
    CorrectionProposed,
    DisputeSettled,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.events.event import Event
from scorekeeper.log import canonical, codec
from scorekeeper.log.face_down import remove_salt
from scorekeeper.service.quorum import Quorum, SignersNeeded, changed_matches
from scorekeeper.session.disputes import HAND_AGREEMENT_EVENTS, Proposal
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.session.structure import Segment
from scorekeeper.streams.requests import NewEvent

# A proposal must not correct agreements about hands, or events of the whole evening.
OF_THE_EVENING: Final[frozenset[type[Event]]] = frozenset(
    {SessionOpened, PlayerJoined, SessionClosed}
)
WORDS: Final = HAND_AGREEMENT_EVENTS | {NoteAdded}
NOT_CORRECTABLE: Final = {event.TYPE for event in HAND_AGREEMENT_EVENTS | OF_THE_EVENING}


def refuse_outside_hand(
    session: Session, hand: HandRecord, corrections: Sequence[Correction]
) -> None:
    """Raise `UnusableError` if a proposal corrects events outside of its hand and match.

    The events before the first hand belong to the match itself: its start, and penalties.
    """
    for place, correction in enumerate(corrections):
        why = _explain_outside_hand(session, hand, correction)
        if why is not None:
            raise UnusableError(why, field=f"data.corrections.{place}")


def _explain_outside_hand(
    session: Session, hand: HandRecord, correction: Correction
) -> Cause | None:
    """Return why a correction is outside of a hand, and what to do instead; None if it is not."""
    try:
        touched = list(_list_touched_places(session, correction))
    except (UnusableError, KeyError):
        return None  # there is no such correction or event, as the replay says
    segments = session.structure.segment_of
    known = ((segments[key], types) for key, types in touched if key in segments)
    return next(
        filter(
            None, (_explain_place_outside_hand(hand, *touched_segment) for touched_segment in known)
        ),
        None,
    )


def _explain_place_outside_hand(hand: HandRecord, where: Segment, types: set[str]) -> Cause | None:
    """Return why a segment does not belong to a hand; None if it does.

    ``types`` are those of the events that stood, or will stand, at the place.
    """
    if where.match is None or types & NOT_CORRECTABLE:
        words = "a proposal corrects a hand or its match, and not what was said of hands"
        return Cause(f"{words}: that is for the host's key", "beyond_the_hand")
    if where.hand is hand or (where.hand is None and where.match is hand.match):
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


def why_closed(session: Session, proposal: Proposal) -> str:
    """Return why a proposal can no longer be signed; empty if it can."""
    if proposal.settled:
        return "its dispute has been settled"
    if proposal.declined:
        return "it was declined"
    return "the hand was changed after it" if session.structure.disputes.is_void(proposal) else ""


def refuse_closed_proposal(session: Session, proposal: Proposal | None) -> None:
    """Raise `UnusableError` if there is a proposal and it can no longer be signed."""
    why = "" if proposal is None else why_closed(session, proposal)
    if proposal is not None and why:
        words = f"proposal {proposal.entry.seq} is closed: {why}"
        raise UnusableError(Cause(words, "proposal_closed"), field="data.proposal")


def refuse_proposal(session: Session, event: CorrectionProposed) -> None:
    """Raise `UnusableError` for a proposal without corrections, or beside another open one.

    Also if it corrects events outside of its hand.
    """
    if not event.corrections:
        words = "expected a correction at least"
        raise UnusableError(Cause(words, "nothing_proposed"), field="data.corrections")
    disputes = session.structure.disputes
    hand = disputes.find_named_hand(event)
    refuse_outside_hand(session, hand, event.corrections)
    before = disputes.find_open_proposal(hand)
    if before is not None:
        words = (
            f"proposal {before.entry.seq} about this hand is open: it has to be declined or "
            "settled first"
        )
        raise UnusableError(Cause(words, "proposed_already"), field="type")


def refuse_reply(session: Session, event: ProposalSigned | ProposalDeclined) -> None:
    """Raise `UnusableError` if a player may not sign or decline a proposal.

    It is closed, the player has signed it, or they sit in no match that it changes.
    """
    disputes = session.structure.disputes
    proposal = disputes.proposals.get(event.proposal)
    refuse_closed_proposal(session, proposal)
    if proposal is None:
        return  # the replay says what is wrong
    if isinstance(event, ProposalSigned) and event.player in disputes.find_signers(proposal):
        words = f"{event.player} has signed proposal {event.proposal} already"
        raise UnusableError(Cause(words, "signed_already"), field="data.player")
    if event.player not in session.structure.hand_by_seq[proposal.hand].match.seats:
        _refuse_uninvolved(session, proposal, event.player)


def _refuse_uninvolved(session: Session, proposal: Proposal, player: str) -> None:
    """Raise `UnusableError` if a player sits in no match that a proposal changes."""
    changed = changed_matches(session, proposal.event.corrections)
    if not any(player in seats for seats in changed.values()):
        words = f"{player} sits in no match that proposal {proposal.entry.seq} changes"
        raise UnusableError(Cause(words, "no_matter_of_theirs"), field="data.player")


def refuse_ruling(
    session: Session,
    event: DisputeSettled,
    following: Sequence[NewEvent],
    quorum: Quorum,
    at: str,
) -> int:
    """Return how many of the following events are the corrections of the ruling's proposal.

    Raises `UnusableError` if the proposal is closed, and `NoQuorumError` if too few have signed it,
    or its corrections do not follow exactly.
    """
    proposal = session.structure.disputes.proposals.get(cast("int", event.proposal))
    if proposal is None:
        return 0  # the replay says what is wrong
    refuse_closed_proposal(session, proposal)
    _refuse_too_few(session, proposal, quorum, at)
    agreed = [(correction.type, correction.data) for correction in proposal.event.corrections]
    if [_encode_unsalted(*new_event) for new_event in following[: len(agreed)]] != [
        _encode_unsalted(*agreed_event) for agreed_event in agreed
    ]:
        raise NoQuorumError(
            f"after the ruling the corrections of proposal {event.proposal} have to come in the "
            "same append, as they were signed"
        )
    return len(agreed)


def _encode_unsalted(kind: str, data: Any) -> bytes:
    """Return the canonical bytes of an event without its salts, for a comparison."""
    return canonical.encode([kind, remove_salt(kind, data)])


def _refuse_too_few(session: Session, proposal: Proposal, quorum: Quorum, at: str) -> None:
    """Raise `NoQuorumError` if signatures, or the reason of a late proposal, are missing."""
    hand, seq = session.structure.hand_by_seq[proposal.hand], proposal.entry.seq
    needs = needed_signers(session, proposal, quorum, at)
    missing = needs.missing(signed_by(session, proposal))
    if missing:
        each = "one signature of each side", "a signature of every seat"
        whose = each[needs.needed == "seats"]
        others = [f", and of every seat of match {number}" for number in needs.others(hand)]
        words = f"proposal {seq} needs {whose}{''.join(others)}; missing: {', '.join(missing)}"
        names = ", ".join(names_of(session, hand)[signer] for signer in missing)
        raise NoQuorumError(Cause(words, "too_few_signed", names=names))
    if not quorum.is_in_time(session, hand, at) and not proposal.event.reason.strip():
        words = f"so late, proposal {seq} needs a reason: propose it again"
        raise NoQuorumError(Cause(words, "late_without_reason"))


def needed_signers(session: Session, proposal: Proposal, quorum: Quorum, at: str) -> SignersNeeded:
    """Return the signatures that a proposal needs at a time.

    Raises `UnusableError` if it cannot be carried out now. A proposal that changes other matches
    must be carried out before anything else is played or corrected: the signers would not have seen
    all that it changes.
    """
    hand, corrections = session.structure.hand_by_seq[proposal.hand], proposal.event.corrections
    refuse_outside_hand(session, hand, corrections)
    needs = quorum.needs(session, hand, corrections, at)
    if needs.others(hand) and _went_on(session, proposal.entry.seq):
        words = (
            f"proposal {proposal.entry.seq} changes other matches, and the record went on after it"
        )
        raise UnusableError(Cause(f"{words}: propose it again", "went_on"), field="data.proposal")
    return needs


def _went_on(session: Session, seq: int) -> bool:
    """Return whether events other than words about hands were recorded after an event."""
    recorded = session.corrections.recorded
    later = takewhile(lambda key: key > seq, reversed(recorded))
    return any(type(recorded[key].event) not in WORDS for key in later)


def signed_by(session: Session, proposal: Proposal) -> set[str]:
    """Return the players whose signatures under a proposal are valid."""
    counting = session.structure.disputes.list_valid_signatures(proposal)
    return {cast("ProposalSigned", entry.event).player for entry in counting}


def names_of(session: Session, hand: HandRecord) -> dict[str, str]:
    """Return the display names of the session's players and of the sides of a hand, by id."""
    names = session.structure.players
    sides = {
        side: " & ".join(names[player] for player in members)
        for side, members in hand.match.sides.items()
    }
    return {**sides, **names}

"""Checks of proposals, signatures and rulings in a dispute.

They hold for new events only; a log is replayed without them.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Final, cast

from scorekeeper.base.errors import Cause, NoQuorumError, UnusableError
from scorekeeper.events.common import NoteAdded
from scorekeeper.events.disputes import (
    CorrectionProposed,
    DisputeSettled,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.log import canonical
from scorekeeper.log.face_down import remove_salt
from scorekeeper.service.proposed_places import refuse_outside_hand
from scorekeeper.service.quorum import Quorum, SignersNeeded, changed_matches
from scorekeeper.session.disputes import HAND_AGREEMENT_EVENTS, Proposal
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.streams.requests import NewEvent

WORDS: Final = HAND_AGREEMENT_EVENTS | {NoteAdded}


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

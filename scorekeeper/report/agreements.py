"""What was said of hands, as the report has it: each signature, and each dispute to its end."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from scorekeeper.events.disputes import (
    DisputeSettled,
    HandDisputed,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.events.event import Entry
from scorekeeper.session.disputes import Dispute, Disputes, Proposal
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session


def report_agreements(session: Session) -> dict[str, Any]:
    """Who signed which hands, and the disputes about them, in the order of the hands."""
    said = session.structure.disputes
    hands = [
        ({"match": match.number, "hand": hand.number}, hand)
        for match in session.structure.matches
        for hand in match.hands
    ]
    return {
        "signatures": [
            {**place, **one} for place, hand in hands for one in _signatures(session, hand)
        ],
        "disputes": [
            {**place, **_dispute(session, course)}
            for place, hand in hands
            for course in said.disputes_by_hand.get(hand.started.seq, ())
        ],
    }


# --------------------------------------------------------------------------------- signatures


def _signatures(session: Session, hand: HandRecord) -> Iterator[dict[str, Any]]:
    """Each signature, bound to the head that the log had with it."""
    said = session.structure.disputes
    signatures = said.signatures.get(hand.started.seq, ())
    inserted = session.corrections.inserted if signatures else set()
    bearing: list[int] | None = None
    for one in signatures:
        stands = said.signature_holds(one, hand, inserted)
        if not stands and bearing is None:
            bearing = list_relevant_corrections(session, hand)
        recorded = session.corrections.recorded[one.wording[1]]
        later = [] if stands else (bearing or [])[bisect_right(bearing or [], recorded.seq) :]
        yield {
            "player": one.player,
            "seq": recorded.seq,
            "head": recorded.hash or None,
            "holds": stands,
            "voided_by": next(iter(later), None),
        }


def list_relevant_corrections(session: Session, hand: HandRecord) -> list[int]:
    """The seqs of the standing corrections that bear on a hand, in the order of recording.

    Of those of a set it is the seq of the event that begins it, whichever of them bears on it.
    """
    corrections, segments = session.corrections, session.structure.segment_of
    terms = {hand.started.seq, hand.match.started.seq}
    found: dict[int, None] = {}
    for key, places in corrections.places():
        bears = any(
            place in terms or (place in segments and segments[place].hand is hand)
            for place in places
        )
        if bears and corrections.stands[key]:
            begun = corrections.begun_set_of(key)
            found[begun.seq if begun else corrections.recorded[key].seq] = None
    return sorted(found)


# ----------------------------------------------------------------------------------- disputes


def _dispute(session: Session, dispute: Dispute) -> dict[str, Any]:
    said = session.structure.disputes
    ruling = dispute.settled
    return {
        "state": get_dispute_state(said, dispute),
        "opened": [_opened(entry) for entry in dispute.opened],
        "proposals": [_proposal(session, proposal) for proposal in dispute.proposals],
        "settled": None if ruling is None else _settled(ruling),
    }


def get_dispute_state(said: Disputes, dispute: Dispute) -> str:
    """How a dispute stands: ``open``, ``proposed``, ``signed``, or as it was settled."""
    if dispute.settled is not None and isinstance(dispute.settled.event, DisputeSettled):
        return dispute.settled.event.ruling
    last = dispute.proposals[-1] if dispute.proposals else None
    if last is None or last.closed or said.is_void(last):
        return "open"
    return "signed" if said.list_valid_signatures(last) else "proposed"


def _opened(entry: Entry) -> dict[str, Any]:
    event = entry.event
    assert isinstance(event, HandDisputed)  # noqa: S101  # for the types
    return {"seq": entry.seq, "player": event.player, "reason": event.reason}


def _proposal(session: Session, proposal: Proposal) -> dict[str, Any]:
    said = session.structure.disputes
    event = proposal.event
    return {
        "seq": proposal.entry.seq,
        "hash": session.corrections.recorded[proposal.wording[1]].hash or None,
        "reason": event.reason,
        "corrections": [{"type": one.type, "data": one.data} for one in event.corrections],
        "signed": [_by_whom(entry) for entry in said.list_valid_signatures(proposal)],
        "declined": [_by_whom(entry) for entry in proposal.declined],
        "void": said.is_void(proposal),
    }


def _by_whom(entry: Entry) -> dict[str, Any]:
    event = entry.event
    assert isinstance(event, ProposalSigned | ProposalDeclined)  # noqa: S101  # for the types
    return {"player": event.player, "seq": entry.seq, "by": entry.by or None}


def _settled(entry: Entry) -> dict[str, Any]:
    event = entry.event
    assert isinstance(event, DisputeSettled)  # noqa: S101  # for the types
    return {
        "seq": entry.seq,
        "text": event.text,
        "proposal": event.proposal,
        "by": entry.by or None,
    }

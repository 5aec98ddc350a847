"""Signatures and disputes of hands, as the report has them."""

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
    """Return the signatures and disputes of all hands, in the order of the hands."""
    disputes = session.structure.disputes
    hands = [
        ({"match": match.number, "hand": hand.number}, hand)
        for match in session.structure.matches
        for hand in match.hands
    ]
    return {
        "signatures": [
            {**place, **signature}
            for place, hand in hands
            for signature in _list_signatures(session, hand)
        ],
        "disputes": [
            {**place, **_dispute_values(session, dispute)}
            for place, hand in hands
            for dispute in disputes.disputes_by_hand.get(hand.started.seq, ())
        ],
    }


# --------------------------------------------------------------------------------- signatures


def _list_signatures(session: Session, hand: HandRecord) -> Iterator[dict[str, Any]]:
    """Yield each signature of a hand for the report.

    `head` is the head that the log had after it, `voided_by` the correction since which it does not
    hold.
    """
    disputes = session.structure.disputes
    signatures = disputes.signatures.get(hand.started.seq, ())
    inserted = session.corrections.inserted if signatures else set()
    relevant: list[int] | None = None
    for signature in signatures:
        stands = disputes.signature_holds(signature, hand, inserted)
        if not stands and relevant is None:
            relevant = list_relevant_corrections(session, hand)
        recorded = session.corrections.recorded[signature.wording[1]]
        later = [] if stands else (relevant or [])[bisect_right(relevant or [], recorded.seq) :]
        yield {
            "player": signature.player,
            "seq": recorded.seq,
            "head": recorded.hash or None,
            "holds": stands,
            "voided_by": next(iter(later), None),
        }


def list_relevant_corrections(session: Session, hand: HandRecord) -> list[int]:
    """Return the seqs of the standing corrections of a hand or its terms, in recorded order.

    A correction in a set has the seq of the event that begins the set.
    """
    corrections, segments = session.corrections, session.structure.segment_of
    terms = {hand.started.seq, hand.match.started.seq}
    seqs: dict[int, None] = {}
    for key, places in corrections.places():
        bears = any(
            place in terms or (place in segments and segments[place].hand is hand)
            for place in places
        )
        if bears and corrections.stands[key]:
            begun = corrections.begun_set_of(key)
            seqs[begun.seq if begun else corrections.recorded[key].seq] = None
    return sorted(seqs)


# ----------------------------------------------------------------------------------- disputes


def _dispute_values(session: Session, dispute: Dispute) -> dict[str, Any]:
    """Return a dispute for the report: its state, opening, proposals and ruling."""
    disputes = session.structure.disputes
    ruling = dispute.settled
    return {
        "state": get_dispute_state(disputes, dispute),
        "opened": [_opening_values(entry) for entry in dispute.opened],
        "proposals": [_proposal_values(session, proposal) for proposal in dispute.proposals],
        "settled": None if ruling is None else _ruling_values(ruling),
    }


def get_dispute_state(disputes: Disputes, dispute: Dispute) -> str:
    """Return ``open``, ``proposed`` or ``signed``, or the ruling of a settled dispute."""
    if dispute.settled is not None and isinstance(dispute.settled.event, DisputeSettled):
        return dispute.settled.event.ruling
    last = dispute.proposals[-1] if dispute.proposals else None
    if last is None or last.closed or disputes.is_void(last):
        return "open"
    return "signed" if disputes.list_valid_signatures(last) else "proposed"


def _opening_values(entry: Entry) -> dict[str, Any]:
    """Return the seq, player and reason of the event that opens a dispute."""
    event = entry.event
    assert isinstance(event, HandDisputed)  # noqa: S101  # for the types
    return {"seq": entry.seq, "player": event.player, "reason": event.reason}


def _proposal_values(session: Session, proposal: Proposal) -> dict[str, Any]:
    """Return a proposal for the report, with its corrections and signers."""
    disputes = session.structure.disputes
    event = proposal.event
    return {
        "seq": proposal.entry.seq,
        "hash": session.corrections.recorded[proposal.wording[1]].hash or None,
        "reason": event.reason,
        "corrections": [
            {"type": correction.type, "data": correction.data} for correction in event.corrections
        ],
        "signed": [_signer_values(entry) for entry in disputes.list_valid_signatures(proposal)],
        "declined": [_signer_values(entry) for entry in proposal.declined],
        "void": disputes.is_void(proposal),
    }


def _signer_values(entry: Entry) -> dict[str, Any]:
    """Return the player who signed or declined a proposal, the seq, and the recorder."""
    event = entry.event
    assert isinstance(event, ProposalSigned | ProposalDeclined)  # noqa: S101  # for the types
    return {"player": event.player, "seq": entry.seq, "by": entry.by or None}


def _ruling_values(entry: Entry) -> dict[str, Any]:
    """Return the ruling that ended a dispute, for the report."""
    event = entry.event
    assert isinstance(event, DisputeSettled)  # noqa: S101  # for the types
    return {
        "seq": entry.seq,
        "text": event.text,
        "proposal": event.proposal,
        "by": entry.by or None,
    }

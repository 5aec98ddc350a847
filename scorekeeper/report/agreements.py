"""Signatures and disputes of hands, as the report has them."""

from bisect import bisect_right
from collections.abc import Iterator

from scorekeeper.events.disputes import (
    DisputeSettled,
    HandDisputed,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.events.event import Entry
from scorekeeper.report import views
from scorekeeper.session.disputes import Dispute, Disputes, Proposal
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session


def view_signatures(session: Session) -> Iterator[views.SignatureView]:
    """Yield the signatures of all hands, in the order of the hands."""
    for match in session.structure.matches:
        for hand in match.hands:
            yield from _list_signatures(session, hand)


def view_disputes(session: Session) -> Iterator[views.DisputeView]:
    """Yield the disputes of all hands, in the order of the hands."""
    by_hand = session.structure.disputes.disputes_by_hand
    for match in session.structure.matches:
        for hand in match.hands:
            for dispute in by_hand.get(hand.started.seq, ()):
                yield _view_dispute(session, hand, dispute)


# --------------------------------------------------------------------------------- signatures


def _list_signatures(session: Session, hand: HandRecord) -> Iterator[views.SignatureView]:
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
        yield views.SignatureView(
            match=hand.match.number,
            hand=hand.number,
            player=signature.player,
            seq=recorded.seq,
            head=recorded.hash or None,
            holds=stands,
            voided_by=next(iter(later), None),
        )


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


def _view_dispute(session: Session, hand: HandRecord, dispute: Dispute) -> views.DisputeView:
    """Return a dispute for the report: its state, opening, proposals and ruling."""
    ruling = dispute.settled
    return views.DisputeView(
        match=hand.match.number,
        hand=hand.number,
        state=get_dispute_state(session.structure.disputes, dispute),
        opened=[_view_opening(entry) for entry in dispute.opened],
        proposals=[_view_proposal(session, proposal) for proposal in dispute.proposals],
        settled=None if ruling is None else _view_ruling(ruling),
    )


def get_dispute_state(disputes: Disputes, dispute: Dispute) -> str:
    """Return ``open``, ``proposed`` or ``signed``, or the ruling of a settled dispute."""
    if dispute.settled is not None and isinstance(dispute.settled.event, DisputeSettled):
        return dispute.settled.event.ruling
    last = dispute.proposals[-1] if dispute.proposals else None
    if last is None or last.closed or disputes.is_void(last):
        return "open"
    return "signed" if disputes.list_valid_signatures(last) else "proposed"


def _view_opening(entry: Entry) -> views.OpenedDisputeView:
    """Return the opening of a dispute for the report."""
    event = entry.event
    assert isinstance(event, HandDisputed)  # noqa: S101  # for the types
    return views.OpenedDisputeView(entry.seq, event.player, event.reason)


def _view_proposal(session: Session, proposal: Proposal) -> views.ProposalView:
    """Return a proposal for the report, with its corrections and signers."""
    disputes = session.structure.disputes
    event = proposal.event
    return views.ProposalView(
        seq=proposal.entry.seq,
        hash=session.corrections.recorded[proposal.wording[1]].hash or None,
        reason=event.reason,
        corrections=[
            views.EventView(correction.type, correction.data) for correction in event.corrections
        ],
        signed=[_view_agreement(entry) for entry in disputes.list_valid_signatures(proposal)],
        declined=[_view_agreement(entry) for entry in proposal.declined],
        void=disputes.is_void(proposal),
    )


def _view_agreement(entry: Entry) -> views.AgreementView:
    """Return a signature under a proposal, or a refusal, for the report."""
    event = entry.event
    assert isinstance(event, ProposalSigned | ProposalDeclined)  # noqa: S101  # for the types
    return views.AgreementView(event.player, entry.seq, entry.by or None)


def _view_ruling(entry: Entry) -> views.SettledView:
    """Return the ruling that ended a dispute, for the report."""
    event = entry.event
    assert isinstance(event, DisputeSettled)  # noqa: S101  # for the types
    return views.SettledView(entry.seq, event.text, event.proposal, entry.by or None)

"""``/t/<session_id>/audit``: the checks of a session, and a comparison with this phone's memory."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from flask import Blueprint, render_template, request

from scorekeeper.answers import jobs
from scorekeeper.base.views import from_json_values
from scorekeeper.http.answering import compute_from_session
from scorekeeper.log.reading import Verdict
from scorekeeper.report.marks import FindingPlace, HandNumber
from scorekeeper.report.report import view_report
from scorekeeper.report.views import (
    DisputeView,
    FindingView,
    HandView,
    ReportView,
    SessionView,
    SignatureView,
)
from scorekeeper.service import Holder
from scorekeeper.session.session import Session
from scorekeeper.web.phone.links import draw_qr_code
from scorekeeper.web.phone.viewer import reader_of
from scorekeeper.web.phone.witness import check_testimony, own_testimony, remember_head, witness_url
from scorekeeper.web.review.log_parts import Remark
from scorekeeper.web.review.review import group_fingerprint, see_as_viewer
from scorekeeper.web.review.scored_log import list_corrections, make_remarks

blueprint = Blueprint("auditing", __name__, url_prefix="/t/<session_id>")
blueprint.after_request(remember_head)

SUMS: Final = frozenset({"total_mismatch", "count_mismatch", "claim_mismatch"})


@dataclass(frozen=True, slots=True)
class CheckedHand:
    """The checks of a hand.

    `sums`, `errors` and `doubts` count its findings, `signed` and `void` its signatures.
    `unchecked` is whether something was not recorded; `first` and `last` are the seqs of its first
    and last event.
    """

    match: int
    hand: int
    status: str
    level: str
    sums: int
    errors: int
    doubts: int
    unchecked: bool
    signed: int
    void: int
    disputed: bool
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class CheckedMatch:
    """The hands of a match, and the version of its rules."""

    number: int
    game: str
    rules: int
    hands: Sequence[CheckedHand]


@dataclass(frozen=True, slots=True)
class Audit:
    """The content of the audit page."""

    session: SessionView
    matches: Sequence[CheckedMatch]
    grave: Sequence[Remark]
    unchecked: Sequence[Remark]
    disputes: Sequence[DisputeView]
    corrections: int


@blueprint.get("/audit")
def page(session_id: str) -> str:
    """Show the result of the checks, and compare the log with a remembered head."""
    shown = see_as_viewer(session_id, build_audit)
    intact, end = compute_from_session(session_id, reader_of(session_id), jobs.verify_session)
    verdict = from_json_values(Verdict, json.loads(intact))
    testimony = check_testimony(
        session_id, request.args.get("version", ""), request.args.get("head", "")
    )
    return render_template(
        "audit/page.html",
        id=session_id,
        seen=shown,
        verdict=verdict,
        mine=own_testimony(session_id),
        told=testimony,
        asked=bool(request.args.get("head")),
        groups=group_fingerprint(verdict.head),
        qr=draw_qr_code(witness_url(session_id, end)),
    )


# ------------------------------------------------------------------------------------- checks


def build_audit(session: Session, _holder: Holder) -> Audit:
    """Return the content of the audit page: the checks of each match and hand."""
    report = view_report(session)
    observations = make_remarks(session, report.findings)
    return Audit(
        session=report.session,
        matches=list(_checked_matches(session, report)),
        grave=[remark for remark in observations if remark.severity != "info"],
        unchecked=[remark for remark in observations if remark.severity == "info"],
        disputes=[dispute for dispute in report.disputes if dispute.settled is None],
        corrections=len(list_corrections(session, report)),
    )


def _checked_matches(session: Session, report: ReportView) -> Iterator[CheckedMatch]:
    """Yield each match with the checks of each of its hands."""
    findings, signatures = _group_by_hand(report.findings), _group_by_hand(report.signatures)
    recorded = _seqs_by_hand(session)
    for match, record in zip(report.matches, session.structure.matches, strict=True):
        hands = []
        for hand in match.hands:
            place = record.number, hand.hand
            reports = findings.get(place, ()), signatures.get(place, ()), recorded[place]
            hands.append(_checked_hand(hand, place, *reports))
        yield CheckedMatch(record.number, record.game.local_name, match.rules, hands)


Item = TypeVar("Item", FindingView, SignatureView)


def _group_by_hand(items: Sequence[Item]) -> dict[FindingPlace, list[Item]]:
    """Return items of the report by match and hand number."""
    by_hand: dict[FindingPlace, list[Item]] = {}
    for item in items:
        by_hand.setdefault((item.match, item.hand), []).append(item)
    return by_hand


def _seqs_by_hand(session: Session) -> dict[HandNumber, list[int]]:
    """Return the seqs of all events of each hand, by match and hand number."""
    by_hand: dict[HandNumber, list[int]] = {}
    for segment in session.structure.segments:
        if segment.match and segment.hand:
            seqs = [session.corrections.recorded[key].seq for key in segment.keys]
            by_hand.setdefault((segment.match.number, segment.hand.number), []).extend(seqs)
    return by_hand


def _checked_hand(
    hand: HandView, place: HandNumber, findings: Sequence[FindingView],
    signatures: Sequence[SignatureView], recorded: Sequence[int],
) -> CheckedHand:  # fmt: skip
    """Return the checks of a hand: its findings counted by kind, and its signatures.

    `found` are its findings, `recorded` the seqs of its events.
    """
    grave = [
        finding for finding in findings if finding.severity == "error" and finding.code not in SUMS
    ]
    signed = [signature.holds for signature in signatures]
    return CheckedHand(
        *place,
        status=hand.status,
        level=hand.level,
        sums=sum(finding.code in SUMS for finding in findings),
        errors=len(grave),
        doubts=sum(finding.severity == "warning" for finding in findings),
        unchecked=any(finding.code == "not_recorded" for finding in findings),
        signed=sum(signed),
        void=len(signed) - sum(signed),
        disputed=hand.disputed,
        first=min(recorded),
        last=max(recorded),
    )

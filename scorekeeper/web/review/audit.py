"""``/t/<session_id>/audit``: what was checked, what could not be, and what this phone remembers."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, render_template, request

from scorekeeper.answers import jobs
from scorekeeper.base.json_object import JsonObject
from scorekeeper.http.answering import made_of
from scorekeeper.log.reading import Verdict
from scorekeeper.report.marks import HandNumber
from scorekeeper.report.report import report as report_of
from scorekeeper.service import Holder
from scorekeeper.session.session import Session
from scorekeeper.web.phone.links import drawn
from scorekeeper.web.phone.viewer import reader_of
from scorekeeper.web.phone.witness import own_testimony, remember, testimony, witness_url
from scorekeeper.web.review.review import groups_of, look
from scorekeeper.web.review.scored_log import Remark, corrections, remarks

blueprint = Blueprint("auditing", __name__, url_prefix="/t/<session_id>")
blueprint.after_request(remember)

SUMS: Final = frozenset({"total_mismatch", "count_mismatch", "claim_mismatch"})


@dataclass(frozen=True, slots=True)
class CheckedHand:
    """What the checks say of one hand: its sums, its play, its signatures.

    ``first`` and ``last`` are the events that it was recorded in.
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
    """The hands of a match, and the version of the rules that they are judged by."""

    number: int
    game: str
    rules: int
    hands: Sequence[CheckedHand]


@dataclass(frozen=True, slots=True)
class Audit:
    """All that the page shows of the record."""

    session: JsonObject
    matches: Sequence[CheckedMatch]
    grave: Sequence[Remark]
    unchecked: Sequence[Remark]
    disputes: Sequence[JsonObject]
    corrections: int


@blueprint.get("/audit")
def page(session_id: str) -> str:
    """Show what the record proves, and compare what was seen of it before."""
    shown = look(session_id, audited)
    intact, end = made_of(session_id, reader_of(session_id), jobs.verify_session)
    verdict = Verdict(**json.loads(intact))
    told = testimony(session_id, request.args.get("version", ""), request.args.get("head", ""))
    return render_template(
        "audit/page.html",
        id=session_id,
        seen=shown,
        verdict=verdict,
        mine=own_testimony(session_id),
        told=told,
        asked=bool(request.args.get("head")),
        groups=groups_of(verdict.head),
        qr=drawn(witness_url(session_id, end)),
    )


# ------------------------------------------------------------------------------------- checks


def audited(session: Session, _holder: Holder) -> Audit:
    """What the checks say, hand by hand."""
    report = report_of(session)
    found = remarks(session, report["findings"])
    return Audit(
        session=report["session"],
        matches=list(_matches(session, report)),
        grave=[one for one in found if one.severity != "info"],
        unchecked=[one for one in found if one.severity == "info"],
        disputes=[one for one in report["disputes"] if one["settled"] is None],
        corrections=len(corrections(session, report)),
    )


def _matches(session: Session, report: JsonObject) -> Iterator[CheckedMatch]:
    found, signatures = _by_hand(report["findings"]), _by_hand(report["signatures"])
    recorded = _seqs_by_hand(session)
    for told, record in zip(report["matches"], session.structure.matches, strict=True):
        hands = []
        for hand in told["hands"]:
            place = record.number, hand["hand"]
            said = found.get(place, ()), signatures.get(place, ()), recorded[place]
            hands.append(_checked(hand, place, *said))
        yield CheckedMatch(record.number, record.game.name, told["rules"], hands)


def _by_hand(told: Sequence[JsonObject]) -> dict[HandNumber, list[JsonObject]]:
    by_hand: dict[HandNumber, list[JsonObject]] = {}
    for one in told:
        by_hand.setdefault((one["match"], one["hand"]), []).append(one)
    return by_hand


def _seqs_by_hand(session: Session) -> dict[HandNumber, list[int]]:
    by_hand: dict[HandNumber, list[int]] = {}
    for segment in session.structure.segments:
        if segment.match and segment.hand:
            seqs = [session.corrections.recorded[key].seq for key in segment.keys]
            by_hand.setdefault((segment.match.number, segment.hand.number), []).extend(seqs)
    return by_hand


def _checked(
    hand: JsonObject, place: HandNumber, found: Sequence[JsonObject],
    signatures: Sequence[JsonObject], recorded: Sequence[int],
) -> CheckedHand:  # fmt: skip
    grave = [one for one in found if one["severity"] == "error" and one["code"] not in SUMS]
    signed = [one["holds"] for one in signatures]
    return CheckedHand(
        *place,
        status=hand["status"],
        level=hand["level"],
        sums=sum(one["code"] in SUMS for one in found),
        errors=len(grave),
        doubts=sum(one["severity"] == "warning" for one in found),
        unchecked=any(one["code"] == "not_recorded" for one in found),
        signed=sum(signed),
        void=len(signed) - sum(signed),
        disputed=hand["disputed"],
        first=min(recorded),
        last=max(recorded),
    )

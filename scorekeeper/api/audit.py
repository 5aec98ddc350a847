"""Views of the audit, its suggestions, what-if questions, and explanations of scores."""

from hashlib import sha256

from flask import Response, g

from scorekeeper.answers import jobs
from scorekeeper.api.decorators import SESSION, conditional, opened, takes, takes_long
from scorekeeper.api.document import VERSION, Blueprint, refuses
from scorekeeper.api.event_schemas import (
    AuditSchema,
    SupposedLogSchema,
    SupposedSchema,
    WhichHandSchema,
)
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.json_object import JsonObject
from scorekeeper.http.access import ANY
from scorekeeper.http.answering import (
    computed_log_answer,
    computed_session_answer,
    json_answer,
    search_seconds,
)
from scorekeeper.http.bodies import MAX_LOG_BYTES
from scorekeeper.http.extensions import service
from scorekeeper.log.codec import encode
from scorekeeper.repair.suggestion_views import AuditedView
from scorekeeper.report.explain_views import ExplanationView
from scorekeeper.report.what_if_views import WhatIfView

blueprint = Blueprint(
    "audit", __name__, description="Findings, explanations, and what-if questions."
)


@blueprint.route("/sessions/<session:session>/audit", parameters=[SESSION])
@blueprint.response(
    200,
    schema_of(AuditedView),
    description="The report, and suggestions if asked for.",
    headers=VERSION,
)
@refuses("malformed", "unusable")
@takes_long
@opened(*ANY)
@blueprint.query(AuditSchema)
@conditional
def get_audit(asked: JsonObject, session_id: str) -> Response:
    """Report the findings of a session, and corrections that would resolve them.

    With `suggest=1` the answer suggests corrections for each hand that has an open dispute or a
    finding of severity error, `incomplete`, `wrong_dealer` or `out_of_time`: those with which its
    record agrees with itself and with the rules. Several corrections are recorded as a set, in the
    order in which they are listed. The search takes up to two seconds for a hand: ask for one hand
    by `match` and `hand`. `searched` reports how many corrections were tried, and for which hands
    the time did not suffice.
    """
    if asked.get("suggest") != "1":
        report = service().report(session_id, g.holder)
        return json_answer(report.json, report.position)
    which = asked.get("match"), asked.get("hand")
    return computed_session_answer(session_id, jobs.audit_session, *which, search_seconds())


@blueprint.route("/sessions/<session:session>/explain", parameters=[SESSION])
@blueprint.response(200, schema_of(ExplanationView), description="The tree.", headers=VERSION)
@refuses("malformed", "unusable")
@takes_long
@opened(*ANY)
@blueprint.query(WhichHandSchema)
@conditional
def get_explanation(asked: JsonObject, session_id: str) -> Response:
    """Explain the totals: down to hands, lines, tricks, events and clauses.

    The value of a node is the sum of the values below it.
    """
    return computed_session_answer(
        session_id, jobs.explain_totals, asked.get("match"), asked.get("hand")
    )


@blueprint.route("/sessions/<session:session>/what-if", methods=["POST"], parameters=[SESSION])
@blueprint.response(200, schema_of(WhatIfView), description="What would be.", headers=VERSION)
@takes_long
@opened(*ANY)
@takes(SupposedSchema())
def suppose(body: JsonObject, session_id: str) -> Response:
    """Report the session as it would be under other options or with corrections.

    Or with a proposal, and which players have to sign it: applied to the present session while it
    can be signed, to the session before the ruling once its dispute is settled, and else to the
    session as it was when the proposal was made. Or with the correction of a whole thing; then
    `corrections` are those that it takes, to be recorded as a set or proposed. Nothing is recorded.
    An impossible supposition is refused with the reason.
    """
    at, quorum = service().now(), service().quorum
    key = sha256(g.body).digest(), at[:19]  # to the second, as the time for corrections
    return computed_session_answer(
        session_id, jobs.evaluate_what_if, plain_supposition(body), quorum, at, key=key
    )


@blueprint.route("/what-if", methods=["POST"])
@blueprint.response(200, schema_of(WhatIfView), description="What would be.")
@refuses("too_often")
@takes_long
@takes(SupposedLogSchema(), MAX_LOG_BYTES)
def suppose_log(body: JsonObject) -> Response:
    """Report a log as it would be under other options or with corrections.

    The log is sent as a text, and is not stored. An impossible supposition is refused with the
    reason.
    """
    key = sha256(g.body).digest()
    return computed_log_answer(
        jobs.evaluate_what_if_of_log,
        body["log"].encode(),
        MAX_LOG_BYTES,
        plain_supposition(body),
        key=key,
    )


def plain_supposition(body: JsonObject) -> JsonObject:
    """Return the supposition in a body as plain values, without the log."""
    supposed = {name: value for name, value in body.items() if name != "log"}
    if "corrections" in supposed:
        supposed["corrections"] = [
            {"type": event.type, "data": event.data} for event in body["corrections"]
        ]
    if "whole" in supposed:
        supposed["whole"] = encode(body["whole"])
    return supposed

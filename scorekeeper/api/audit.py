"""What is wrong with a session and would set it right, what might have been, and why."""

from hashlib import sha256
from typing import Any

from flask import Response, g

from scorekeeper.answers import jobs
from scorekeeper.api.audit_schemas import AuditedSchema, ExplanationSchema, WhatIfSchema
from scorekeeper.api.decorators import SESSION, conditional, opened, takes, takes_long
from scorekeeper.api.document import VERSION, Blueprint, refuses
from scorekeeper.api.event_schemas import (
    AuditSchema,
    SupposedLogSchema,
    SupposedSchema,
    WhichHandSchema,
)
from scorekeeper.base.json_object import JsonObject
from scorekeeper.http.access import ANY
from scorekeeper.http.answering import answered, of_log, of_session, search_seconds
from scorekeeper.http.bodies import LARGEST
from scorekeeper.http.extensions import service

blueprint = Blueprint(
    "audit", __name__, description="What is wrong, why, and what might have been."
)


@blueprint.route("/sessions/<session:session>/audit", parameters=[SESSION])
@blueprint.response(
    200, AuditedSchema, description="The report, and suggestions if asked for.", headers=VERSION
)
@refuses("malformed", "unusable")
@takes_long
@opened(*ANY)
@blueprint.query(AuditSchema)
@conditional
def get_audit(asked: JsonObject, session_id: str) -> Response:
    """Report what is wrong with a session, and what would set it right.

    With `suggest=1` for each hand with a finding of severity error, or `incomplete`,
    `wrong_dealer` or `out_of_time`, or with an open dispute: the corrections that would make its
    record agree with itself and with the rules. Several corrections are recorded as a set. The
    search takes up to two seconds for a hand: ask for one by `match` and `hand`. `searched` says
    how many corrections were tried, and where there was no time for all.
    """
    if asked.get("suggest") != "1":
        report = service().report(session_id, g.holder)
        return answered(report.json, report.position)
    which = asked.get("match"), asked.get("hand")
    return of_session(session_id, jobs.audit_session, *which, search_seconds())


@blueprint.route("/sessions/<session:session>/explain", parameters=[SESSION])
@blueprint.response(200, ExplanationSchema, description="The tree.", headers=VERSION)
@refuses("malformed", "unusable")
@takes_long
@opened(*ANY)
@blueprint.query(WhichHandSchema)
@conditional
def get_explanation(asked: JsonObject, session_id: str) -> Response:
    """Explain the totals: down to hands, lines, tricks, events and clauses.

    What stands at a node is the sum of what is below it.
    """
    return of_session(session_id, jobs.explain_totals, asked.get("match"), asked.get("hand"))


@blueprint.route("/sessions/<session:session>/what-if", methods=["POST"], parameters=[SESSION])
@blueprint.response(200, WhatIfSchema, description="What would be.", headers=VERSION)
@takes_long
@opened(*ANY)
@takes(SupposedSchema())
def suppose(body: JsonObject, session_id: str) -> Response:
    """Ask what a session would come to under other options or with corrections.

    Or what a proposal changes: in the session as it is while it can be signed, as it was before
    the ruling once its dispute is settled, else as it was when it was proposed; and who has to sign
    it. Nothing is recorded. What could not be so is refused with the reason.
    """
    at, quorum = service().now(), service().quorum
    key = sha256(g.body).digest(), at[:19]  # to the second: a hand may be corrected for so long
    return of_session(session_id, jobs.evaluate_what_if, plain(body), quorum, at, key=key)


@blueprint.route("/what-if", methods=["POST"])
@blueprint.response(200, WhatIfSchema, description="What would be.")
@refuses("too_often")
@takes_long
@takes(SupposedLogSchema(), LARGEST)
def suppose_log(body: JsonObject) -> Response:
    """Ask what a log would come to under other options or with corrections.

    The log comes as a text, and is not kept. What could not be so is refused with the reason.
    """
    key = sha256(g.body).digest()
    return of_log(jobs.evaluate_what_if_of_log, body["log"].encode(), LARGEST, plain(body), key=key)


def plain(body: JsonObject) -> dict[str, Any]:
    """What is to be supposed, as plain values."""
    asked = {name: value for name, value in body.items() if name != "log"}
    if "corrections" in asked:
        asked["corrections"] = [{"type": one.type, "data": one.data} for one in body["corrections"]]
    return asked

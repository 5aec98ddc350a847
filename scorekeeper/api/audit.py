"""What is wrong with a session and would set it right, what might have been, and why."""

from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

from flask import Response
from marshmallow import RAISE

from scorekeeper.api.access import ANY, SESSION, opened, service
from scorekeeper.api.audit_schemas import AuditedSchema, ExplanationSchema, WhatIfSchema
from scorekeeper.api.bodies import LARGEST, takes
from scorekeeper.api.document import VERSION, Blueprint, refuses
from scorekeeper.api.given import AuditSchema, SupposedLogSchema, SupposedSchema, WhichHandSchema
from scorekeeper.api.reading import answered, conditional
from scorekeeper.errors import Unusable
from scorekeeper.repair import suggestions
from scorekeeper.replay import Session
from scorekeeper.replay import report as report_of
from scorekeeper.replay.explain import explain
from scorekeeper.replay.whatif import what_if, what_if_agreed
from scorekeeper.service.telling import as_json
from scorekeeper.store import Position

blueprint = Blueprint(
    "audit", __name__, description="What is wrong, why, and what might have been."
)

Given = Mapping[str, Any]


@blueprint.route("/sessions/<session:session>/audit", parameters=[SESSION])
@blueprint.response(
    200, AuditedSchema, description="The report, and suggestions if asked for.", headers=VERSION
)
@refuses("malformed", "unusable")
@opened(*ANY)
@blueprint.arguments(AuditSchema, location="query", error_status_code=400, unknown=RAISE)
@conditional
def get_audit(asked: Given, session: str) -> Response:
    """Report what is wrong with a session, and what would set it right.

    With `suggest=1` for each hand with a finding of severity error, one that is incomplete or
    disputed: the corrections that would make its record agree with itself and with the rules.
    To find them takes up to a second for a hand: ask for one by `match` and `hand`.
    """

    def audited(found: Session) -> dict[str, Any]:
        report = report_of(found)
        if asked.get("suggest") == "1":
            explain(found, asked.get("match"), asked.get("hand"))  # refuses what is not there
            match = asked.get("match", len(found.record.matches) if "hand" in asked else None)
            report["suggestions"] = suggestions(found, match, asked.get("hand"))
        return report

    return seen(session, audited)


@blueprint.route("/sessions/<session:session>/explain", parameters=[SESSION])
@blueprint.response(200, ExplanationSchema, description="The tree.", headers=VERSION)
@refuses("malformed", "unusable")
@opened(*ANY)
@blueprint.arguments(WhichHandSchema, location="query", error_status_code=400, unknown=RAISE)
@conditional
def get_explanation(asked: Given, session: str) -> Response:
    """Explain the totals: down to hands, lines, tricks, events and clauses.

    What stands at a node is the sum of what is below it.
    """
    return seen(session, lambda found: explain(found, asked.get("match"), asked.get("hand")))


@blueprint.route("/sessions/<session:session>/what-if", methods=["POST"], parameters=[SESSION])
@blueprint.response(200, WhatIfSchema, description="What would be.", headers=VERSION)
@opened(*ANY)
@takes(SupposedSchema())
def suppose(body: Given, session: str) -> Response:
    """Ask what a session would come to under other options or with corrections.

    Or what a proposal changes: in the session as it is while it can be signed, as it was before
    the ruling once its dispute is settled, else as it was when it was proposed. Nothing is
    recorded. What could not be so is refused with the reason.
    """
    return seen(session, lambda found: supposed(found, body))


@blueprint.route("/what-if", methods=["POST"])
@blueprint.response(200, WhatIfSchema, description="What would be.")
@takes(SupposedLogSchema(), LARGEST)
def suppose_log(body: Given) -> dict[str, Any]:
    """Ask what a log would come to under other options or with corrections.

    The log comes as a text, and is not kept. What could not be so is refused with the reason.
    """
    return supposed(Session.read(BytesIO(body["log"].encode()), LARGEST), body)


def supposed(session: Session, body: Given) -> dict[str, Any]:
    """What a session would come to; Unusable."""
    options, corrections = body.get("options"), body.get("corrections", ())
    if "proposal" in body:
        if options or corrections or "match" in body:
            raise Unusable("expected nothing beside a proposal", field="proposal")
        return what_if_agreed(session, body["proposal"])
    if not options and not corrections:
        raise Unusable("expected options, corrections or a proposal", field="options")
    proposed = [{"type": one.type, "data": one.data} for one in corrections]
    return what_if(session, options, proposed, body.get("match"))


def seen(session: str, make: Callable[[Session], Any]) -> Response:
    """What is made of a session, with the version that it is true of.

    It is made of a copy: those who record need not wait for it.
    """
    entries = service().see(session, lambda found: list(found.corrections.recorded.values()))
    copy = Session.of(entries)
    return answered(as_json(make(copy)), Position(copy.events, copy.head))

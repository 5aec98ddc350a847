"""``POST /api/score`` and ``POST /api/verify``: check a log without storing it."""

from flask import Response

from scorekeeper.answers import jobs
from scorekeeper.api.decorators import takes_log, takes_long
from scorekeeper.api.document import Blueprint, refuses
from scorekeeper.api.event_schemas import RememberedSchema
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.json_object import JsonObject
from scorekeeper.http.answering import computed_log_answer
from scorekeeper.http.bodies import MAX_LOG_BYTES, log_body
from scorekeeper.log.reading import Verdict
from scorekeeper.report.views import ReportView

blueprint = Blueprint("logs", __name__, description="A log, scored or verified, and not stored.")


@blueprint.route("/score", methods=["POST"])
@blueprint.response(200, schema_of(ReportView), description="The report.")
@refuses("too_often")
@takes_long
@takes_log
def score() -> Response:
    """Score a log.

    The log is sealed or written by hand. Each point comes with its clause and the events that
    prove it; irregular or doubtful entries are findings. A log that contains something
    impossible is refused as a whole, with the line and the field at fault.
    """
    return computed_log_answer(jobs.score_log, log_body(), MAX_LOG_BYTES)


@blueprint.route("/verify", methods=["POST"])
@blueprint.query(RememberedSchema)
@blueprint.response(200, schema_of(Verdict), description="The verdict, good or bad.")
@refuses("malformed", "not_a_sealed_log", "too_often")
@takes_long
@takes_log
def verify(remembered: JsonObject) -> Response:
    """Return whether a sealed log is intact.

    A single changed, added or lost byte is found, and the first bad line is named. A log whose end
    was cut off is found only with a remembered `head` or `count`. A log that was written by hand
    has no seal to verify, and is refused as `not_a_sealed_log`.
    """
    return computed_log_answer(
        jobs.verify_log, log_body(), remembered.get("head"), remembered.get("count")
    )

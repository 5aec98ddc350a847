"""``GET /api/sessions/{id}/witness``: compare a remembered head with the log."""

from typing import Final

from flask import Response

from scorekeeper.api.decorators import SESSION, opened
from scorekeeper.api.document import VERSION, Blueprint, refuses
from scorekeeper.api.event_schemas import WitnessSchema
from scorekeeper.api.session_views import TestimonyView
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import to_json_values
from scorekeeper.http.access import ANY
from scorekeeper.http.answering import json_answer
from scorekeeper.http.extensions import service
from scorekeeper.log.writing import as_json

blueprint = Blueprint("witness", __name__, description="A remembered head, compared with the log.")

WITNESSED: Final = "Whether the log still has it, and where it ends now."


@blueprint.route("/sessions/<session:session>/witness", parameters=[SESSION])
@blueprint.response(200, schema_of(TestimonyView), description=WITNESSED, headers=VERSION)
@refuses("malformed")
@opened(*ANY)
@blueprint.query(WitnessSchema)
def witness(asked: JsonObject, session_id: str) -> Response:
    """Return whether the log still has the given head at the given version.

    Every answer about a session contains its version and head. Each head depends on all events
    before it, so a remembered one shows whether the log was cut or rewritten since.
    """
    holds = service().has_head(session_id, asked["version"], asked["head"])
    end = service().end(session_id)
    return json_answer(as_json(to_json_values(TestimonyView(*end, holds=holds))), end)

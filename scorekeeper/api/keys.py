"""``/api/sessions/{id}/keys``: list keys, make a new key, and revoke one."""

from typing import Final

from flask import Response, g

from scorekeeper.api.decorators import SESSION, opened, takes
from scorekeeper.api.document import Blueprint, asks, leads_to, refuses
from scorekeeper.api.event_schemas import KeyBodySchema
from scorekeeper.api.schemas import ID
from scorekeeper.api.session_views import KeysView, KeyView, NewKeyView
from scorekeeper.api.sessions import SECRET_KEY, attempt_of
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, to_json_values
from scorekeeper.http import headers
from scorekeeper.http.answering import bodiless_answer
from scorekeeper.http.bodies import JSON
from scorekeeper.http.extensions import service
from scorekeeper.log.writing import as_json
from scorekeeper.store import KeyRequest

blueprint = Blueprint("keys", __name__, description="Capability keys; the host's open this.")

KEY: Final = {
    "name": "key", "in": "path", "schema": {"type": "string", "pattern": ID},
    "description": "the id of the key",
}  # fmt: skip
THIS_KEY: Final = {"session": "$request.path.session", "key": "$response.body#/id"}


@blueprint.route("/sessions/<session:session>/keys", parameters=[SESSION])
@blueprint.response(200, schema_of(KeysView), description="The keys, without their secrets.")
@opened("host")
def list_keys(session_id: str) -> Response:
    """List the keys of a session, with their holders."""
    return private_json(KeysView([KeyView.of(key) for key in service().access.keys(session_id)]))


@blueprint.route("/sessions/<session:session>/keys", methods=["POST"], parameters=[SESSION])
@blueprint.response(201, schema_of(NewKeyView), description="The key, shown only once.")
@leads_to(201, revoke_key=THIS_KEY)
@refuses("unknown_key", "last_key", "idempotency_key_reused")
@opened("host")
@asks(SECRET_KEY)
@takes(KeyBodySchema())
def add_key(body: JsonObject, session_id: str) -> Response:
    """Make a key for host, seat or view; with `replaces` another key is revoked."""
    request = KeyRequest(body["role"], body.get("player"), body.get("expires"))
    new = service().add_key(session_id, request, body.get("replaces"), attempt_of(g.body))
    return private_json(NewKeyView.of(new.key, key=new.secret), 201)


@blueprint.route(
    "/sessions/<session:session>/keys/<key>", methods=["DELETE"], parameters=[SESSION, KEY]
)
@blueprint.response(204, description="It opens nothing any more.")
@refuses("unknown_key", "last_key", "cross_site")
@opened("host")
def revoke_key(session_id: str, key: str) -> Response:
    """Revoke a key. The host's last one stays: otherwise no key could manage the session again.

    The code to join ends, too: the phone that had the key may know it.
    """
    service().revoke_key(session_id, key, ends_code=True)
    return bodiless_answer(204)


def private_json(view: DeclaredView, status: int = 200) -> Response:
    """Return an answer with a view as JSON, which no browser or proxy may store."""
    body = as_json(to_json_values(view))
    return headers.no_store(Response(body, status, content_type=JSON))

"""Decorators of the API's views: they check keys, read bodies, and document both."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, Final

from flask import Response, g, request
from marshmallow import Schema
from werkzeug.routing import BaseConverter

from scorekeeper.api.document import (
    SECURITY,
    VERSION,
    Blueprint,
    Decorator,
    Endpoint,
    asks,
    refuses,
)
from scorekeeper.api.schemas import CLUB_ID, ID, TOURNAMENT_ID
from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.http.access import (
    holder_in_club,
    holder_in_tournament,
    holder_of,
    report_holder,
)
from scorekeeper.http.answering import bodiless_answer, tag, with_version
from scorekeeper.http.bodies import (
    JSON,
    LOG_TYPES,
    MAX_JSON_BYTES,
    MAX_LOG_BYTES,
    json_body,
    load_body,
)
from scorekeeper.http.extensions import service
from scorekeeper.log import canonical
from scorekeeper.log.reading import MAX_LINE_BYTES
from scorekeeper.service import club_rights, tournament_rights
from scorekeeper.service.permissions import refuse_role
from scorekeeper.store import Role

ACCESS_CODES: Final = ("no_key", "forbidden", "unknown_session", "deleted", "too_often",
                       "storage_unavailable", "busy")  # fmt: skip
BODY_CODES: Final = ("too_large", "unsupported_media_type", "unusable", "cross_site")
CLUB_CODES: Final = ("no_key", "forbidden", "unknown_club", "deleted", "too_often",
                     "storage_unavailable", "busy")  # fmt: skip
TOURNAMENT_CODES: Final = tuple(
    "unknown_tournament" if code == "unknown_club" else code for code in CLUB_CODES
)
CLUB: Final = {
    "name": "club", "in": "path", "schema": {"type": "string", "pattern": CLUB_ID},
    "description": "the id of the club",
}  # fmt: skip
SESSION: Final = {
    "name": "session", "in": "path", "schema": {"type": "string", "pattern": ID},
    "description": "the id of the session",
}  # fmt: skip
TOURNAMENT: Final = {
    "name": "tournament", "in": "path", "schema": {"type": "string", "pattern": TOURNAMENT_ID},
    "description": "the id of the tournament",
}  # fmt: skip
IF_NONE_MATCH: Final = {
    "name": "If-None-Match", "in": "header", "schema": {"type": "string"},
    "description": "the version that is known, in quotes: if it is the present one, 304",
}  # fmt: skip
UNCHANGED: Final = {
    "description": "The version that is known is the present one.", "headers": VERSION,
}  # fmt: skip

EXAMPLE: Final = (
    '{"type":"session_opened","data":{"title":"Friday",'
    '"players":[{"id":"mara","name":"Mara"},{"id":"leo","name":"Leo"}]}}\n'
)

# The body as the OpenAPI document describes it.
LOG_BODY: Final[dict[str, Any]] = {
    "required": True,
    "description": f"A log file, UTF-8, one event a line; at most {MAX_LOG_BYTES >> 20} MiB, a "
    f"line {MAX_LINE_BYTES >> 20} MiB and {canonical.MAX_DEPTH} lists and objects in one another.",
    "content": {name: {"schema": {"type": "string"}, "example": EXAMPLE} for name in LOG_TYPES},
}


class SessionId(BaseConverter):
    """The id of a session in a path: any text but ``import``, which is a call."""

    regex = r"(?!import$)[^/]+"


def opened(*roles: Role, seen: bool = False, by_club: bool = False) -> Decorator:
    """Return a decorator that requires a key of one of these roles to the session in the path.

    With ``seen`` a key that was checked lately is not read again before the view is called. That
    is for a view that only records: the store checks the key when it writes, and this decorator
    before it lets an error through. A key to the tournament that opened the session is accepted,
    with the rights of its holder at that table. With ``by_club`` a key to a club that counts the
    session is accepted, too; ``seen`` then has no effect before the view. The view gets the id as
    ``session_id``, and finds the holder in ``g.holder`` and whether to mask in ``g.masked``.
    """

    def decorate(view: Endpoint) -> Endpoint:
        @wraps(view)
        def wrapped(*args: object, session: str, **more: object) -> object:
            find_holder = report_holder if by_club else partial(holder_of, seen=seen)
            g.holder = find_holder(session)
            g.masked = not g.holder.sees_all
            try:
                refuse_role(g.holder, *roles)
                return view(*args, session_id=session, **more)
            except StorageUnavailableError:  # reveals nothing about the session
                raise
            except Exception:
                if seen:
                    holder_of(session)
                raise

        return refuses(*ACCESS_CODES)(Blueprint.doc(security=SECURITY)(wrapped))

    return decorate


def opened_in_club(*roles: Role, link: bool = False) -> Decorator:
    """Return a decorator that requires a key of one of these roles to the club in the path.

    With ``link`` the address may contain a key to view, as ``key``. The view gets the id as
    ``club_id``.
    """

    def decorate(view: Endpoint) -> Endpoint:
        @wraps(view)
        def wrapped(*args: object, club: str, **more: object) -> object:
            g.holder = holder_in_club(club, request.args.get("key") if link else None)
            club_rights.refuse_role(g.holder, *roles)
            return view(*args, club_id=club, **more)

        return refuses(*CLUB_CODES)(Blueprint.doc(security=SECURITY)(wrapped))

    return decorate


def opened_in_tournament(*roles: str) -> Decorator:
    """Return a decorator that requires a key of one of these roles to the tournament in the path.

    The view gets the id as ``tournament_id``, and finds the holder in ``g.holder``.
    """

    def decorate(view: Endpoint) -> Endpoint:
        @wraps(view)
        def wrapped(*args: object, tournament: str, **more: object) -> object:
            g.holder = holder_in_tournament(tournament)
            g.masked = not tournament_rights.sees_draws(g.holder)
            tournament_rights.refuse_tournament_role(g.holder, *roles)
            return view(*args, tournament_id=tournament, **more)

        return refuses(*TOURNAMENT_CODES)(Blueprint.doc(security=SECURITY)(wrapped))

    return decorate


def conditional(view: Callable[..., Response]) -> Endpoint:
    """Wrap a view: answer 304 if the client knows the present version of the session."""

    @wraps(view)
    def wrapped(*args: object, session_id: str, **more: object) -> Response:
        if "If-None-Match" in request.headers:
            position = service().position(session_id, g.holder)
            if request.if_none_match.contains_weak(tag(position.version)):
                return with_version(bodiless_answer(304), position)
        return view(*args, session_id=session_id, **more)

    return asks(IF_NONE_MATCH)(Blueprint.doc(responses={304: UNCHANGED})(wrapped))


def takes(schema: Schema, largest: int = MAX_JSON_BYTES) -> Decorator:
    """Return a decorator that passes the JSON body, loaded by the schema, as the first argument.

    ``largest`` is the most bytes of a body. It is documented, too.
    """

    def decorate(view: Endpoint) -> Endpoint:
        @wraps(view)
        def wrapped(*args: object, **more: object) -> object:
            return view(load_body(schema, json_body(largest)), *args, **more)

        return takes_json(schema, largest)(wrapped)

    return decorate


def takes_json(schema: object, largest: int = MAX_JSON_BYTES) -> Decorator:
    """Return a decorator that documents a JSON body of this schema; it does not read it."""
    body = {
        "required": True,
        "description": f"At most {largest >> 20} MiB.",
        "content": {JSON: {"schema": schema}},
    }

    def decorate(view: Endpoint) -> Endpoint:
        return refuses("malformed", *BODY_CODES)(Blueprint.doc(requestBody=body)(view))

    return decorate


def takes_log(view: Endpoint) -> Endpoint:
    """Document that a view takes a log as its body."""
    return refuses(*BODY_CODES)(Blueprint.doc(requestBody=LOG_BODY)(view))


def takes_long(view: Endpoint) -> Endpoint:
    """Document that a view may answer with the problems ``busy`` and ``over_budget``."""
    return refuses("busy", "over_budget")(view)

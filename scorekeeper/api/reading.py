"""What is read of a session: true of one version, which the client may know already."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from flask import Response, request

from scorekeeper.api.access import service
from scorekeeper.api.bodies import JSON
from scorekeeper.api.document import VERSION, Blueprint, asks
from scorekeeper.store import Position

IF_NONE_MATCH: Final = {
    "name": "If-None-Match", "in": "header", "schema": {"type": "string"},
    "description": "the version that is known, in quotes: if it is the present one, 304",
}  # fmt: skip
UNCHANGED: Final = {
    "description": "The version that is known is the present one.", "headers": VERSION,
}  # fmt: skip


def conditional(view: Callable[..., Response]) -> Any:
    """Call a view of a session only where the client does not know its version already."""

    @wraps(view)
    def wrapped(*args: Any, session: str, **more: Any) -> Response:
        if "If-None-Match" in request.headers:
            position = service().store.position(session)
            if request.if_none_match.contains_weak(str(position.version)):
                return marked(bare(304), position)
        return view(*args, session=session, **more)

    return asks(IF_NONE_MATCH)(Blueprint.doc(responses={304: UNCHANGED})(wrapped))


def answered(body: bytes, position: Position, status: int = 200) -> Response:
    """JSON that is true of a version of a session."""
    return marked(Response(body, status, content_type=JSON), position)


def marked(answer: Response, position: Position) -> Response:
    """An answer, with the version that it is true of."""
    answer.headers["ETag"] = f'"{position.version}"'
    return answer


def bare(status: int) -> Response:
    """An answer that has no body, and so no type of one."""
    answer = Response(status=status)
    del answer.headers["Content-Type"]
    return answer

"""Reading a request: its body, whole and within a time limit, and its WSGI environment."""

import asyncio
import io
import sys
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes
from wsgiref.util import FileWrapper

from scorekeeper.server.capacity import Reservation

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from wsgiref.types import WSGIEnvironment

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]

PIECE_BYTES: Final = 1 << 16  # the largest piece of an answer that is sent at a time
MAX_DISCARDED_BYTES: Final = (
    64 << 20
)  # of a body that is too large: after them the server stops reading
BASE_BODY_SECONDS: Final = 20.0  # that a body may take, whatever its size
BYTES_PER_EXTRA_SECOND: Final = (
    8 << 10
)  # for so many bytes received, a body may take a second longer
MAX_BODY_SECONDS: Final = 60.0  # that any body may take


class ClientGoneError(Exception):
    """The client has left, so no answer is needed."""


class RefusedRequestError(Exception):
    """A request that is refused before the application gets it: status and message."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


class Body(NamedTuple):
    """A request body: the bytes that are kept, and its ``length`` in bytes.

    If the body is too large, ``held`` is empty.
    """

    held: bytes
    length: int


async def read_body(
    scope: "Message", receive: "Receive", reservation: Reservation, largest: int
) -> Body:
    """Read the body of a request to its end.

    A body of more than ``largest`` bytes is read and dropped, so that the client reads the answer
    afterwards; at most ``MAX_DISCARDED_BYTES`` are. A client that awaits ``100 Continue`` does not
    get it for such a body. The kept bytes are counted in ``reservation``. Raises `ClientGoneError`
    if the client left, and `RefusedRequestError` if the body is too slow or there is no memory for
    it.
    """
    if declared_length(scope) > largest and awaits_continue(scope):
        return Body(b"", declared_length(scope))  # refused before it was sent
    held, length, more = bytearray(), 0, True
    reservation.expected = min(declared_length(scope), largest)
    loop = asyncio.get_running_loop()
    began = loop.time()
    try:
        async with asyncio.timeout_at(began + BASE_BODY_SECONDS) as limit:
            reservation.revoke = lambda: expire_now(limit)
            while more and length < MAX_DISCARDED_BYTES and not limit.expired():
                message = await receive()
                if message["type"] != "http.request":
                    raise ClientGoneError
                more, piece = message.get("more_body", False), message.get("body", b"")
                length += len(piece)
                if length > largest:
                    held = bytearray()
                else:
                    held += piece
                if not reservation.resize(len(held)):
                    raise no_capacity()
                if not limit.expired():  # which may be while something comes
                    limit.reschedule(
                        began
                        + min(BASE_BODY_SECONDS + length / BYTES_PER_EXTRA_SECOND, MAX_BODY_SECONDS)
                    )
    except TimeoutError:
        more = True
    finally:
        reservation.revoke = None
    if reservation.is_revoked:
        raise no_capacity()
    if more and length < MAX_DISCARDED_BYTES:
        raise RefusedRequestError(HTTPStatus.REQUEST_TIMEOUT, "the body came too slowly")
    return Body(bytes(held), max(length, declared_length(scope)))


def expire_now(limit: asyncio.Timeout) -> None:
    """Let a timeout expire at once; do nothing if it has expired."""
    if not limit.expired():
        limit.reschedule(0)


def no_capacity() -> RefusedRequestError:
    """Return the refusal of a request for which there is no memory."""
    return RefusedRequestError(
        HTTPStatus.SERVICE_UNAVAILABLE, "too much is on its way at this moment"
    )


def declared_length(scope: "Message") -> int:
    """Return the length of the body in bytes by its header Content-Length, or 0 without one."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)


def awaits_continue(scope: "Message") -> bool:
    """Return whether the client sends the body only after ``100 Continue``."""
    return (b"expect", b"100-continue") in [(n, v.lower()) for n, v in scope["headers"]]


def wsgi_environ(scope: "Message", body: Body) -> "WSGIEnvironment":
    """Return the WSGI environment of a request with this ASGI scope and body."""
    address, port = scope["server"] or ("localhost", 80)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(request_path(scope["raw_path"])).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": address,
        "SERVER_PORT": str(port),
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body.held),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": file_in_pieces,
        "gunicorn.socket": scope.get("gunicorn.socket"),
    }
    for raw, value in scope["headers"]:
        name = f"HTTP_{raw.decode('latin-1').upper().replace('-', '_')}"
        text = value.decode("latin-1")
        environ[name] = f"{environ[name]},{text}" if name in environ else text
    environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE", "")
    sized = {environ.pop(name, None) for name in ("HTTP_CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING")}
    if sized != {None}:
        environ["CONTENT_LENGTH"] = str(body.length)
    return environ


def request_path(target: bytes) -> bytes:
    """Return the path and query of a request target, also if it is a whole URL.

    Proxies send whole URLs.
    """
    if target.startswith(b"/") or b"://" not in target:
        return target
    return b"/" + target.partition(b"://")[2].partition(b"/")[2]


def file_in_pieces(file: Any, _: int = 0) -> FileWrapper:
    """Return an iterator over a file in pieces of ``PIECE_BYTES``, as WSGI's file wrapper."""
    return FileWrapper(file, PIECE_BYTES)

"""A request as it comes: its body, read whole and in time, and what the application is told."""

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

PIECE: Final = 1 << 16  # bytes that are handed over at a time
MOST_PASSED_OVER: Final = 64 << 20  # bytes of a body that is too large, until nobody reads on
PATIENCE: Final = 20.0  # seconds that a body may take
PACE: Final = 8 << 10  # bytes, for each of which a second more
LONGEST: Final = 60.0  # seconds that any body may take


class ClientGoneError(Exception):
    """Nobody waits for the answer any more."""


class RefusedRequestError(Exception):
    """A request that the application does not see: the status of its answer, and why."""

    def __init__(self, status: HTTPStatus, said: str) -> None:
        super().__init__(said)
        self.status, self.said = status, said


class Body(NamedTuple):
    """What came, and of how many bytes it was: more than are here where it is too large."""

    held: bytes
    length: int


async def body_of(
    scope: "Message", receive: "Receive", reservation: Reservation, largest: int
) -> Body:
    """Read the body of a request to its end.

    A body that is larger than ``largest`` is read and dropped, so that the client reads the answer
    afterwards. Raises `ClientGoneError` if the client left, and `RefusedRequestError` if the body
    is too slow or there is no memory for it.
    """
    if announced(scope) > largest and expects(scope):
        return Body(b"", announced(scope))  # refused before it was sent
    held, length, more = bytearray(), 0, True
    reservation.expected = min(announced(scope), largest)
    loop = asyncio.get_running_loop()
    began = loop.time()
    try:
        async with asyncio.timeout_at(began + PATIENCE) as limit:
            reservation.revoke = lambda: end_now(limit)
            while more and length < MOST_PASSED_OVER and not limit.expired():
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
                    limit.reschedule(began + min(PATIENCE + length / PACE, LONGEST))
    except TimeoutError:
        more = True
    finally:
        reservation.revoke = None
    if reservation.is_revoked:
        raise no_capacity()
    if more and length < MOST_PASSED_OVER:
        raise RefusedRequestError(HTTPStatus.REQUEST_TIMEOUT, "the body came too slowly")
    return Body(bytes(held), max(length, announced(scope)))


def end_now(limit: asyncio.Timeout) -> None:
    """Let a wait end as if its time were over."""
    if not limit.expired():
        limit.reschedule(0)


def no_capacity() -> RefusedRequestError:
    """Return the refusal of a request for which there is no memory."""
    return RefusedRequestError(
        HTTPStatus.SERVICE_UNAVAILABLE, "too much is on its way at this moment"
    )


def announced(scope: "Message") -> int:
    """The length of the body in bytes as it is announced, 0 where it is not."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)


def expects(scope: "Message") -> bool:
    """Whether the client sends a body only when it is told to."""
    return (b"expect", b"100-continue") in [(n, v.lower()) for n, v in scope["headers"]]


def environ_of(scope: "Message", body: Body) -> "WSGIEnvironment":
    """What WSGI tells an application of a request."""
    address, port = scope["server"] or ("localhost", 80)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path_of(scope["raw_path"])).decode("latin-1"),
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
        "wsgi.file_wrapper": in_pieces,
        "gunicorn.socket": scope.get("gunicorn.socket"),
    }
    for raw, value in scope["headers"]:
        name = f"HTTP_{raw.decode('latin-1').upper().replace('-', '_')}"
        said = value.decode("latin-1")
        environ[name] = f"{environ[name]},{said}" if name in environ else said
    environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE", "")
    sized = {environ.pop(name, None) for name in ("HTTP_CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING")}
    if sized != {None}:
        environ["CONTENT_LENGTH"] = str(body.length)
    return environ


def path_of(target: bytes) -> bytes:
    """The path that is asked for, also where a whole address is, as of a proxy."""
    if target.startswith(b"/") or b"://" not in target:
        return target
    return b"/" + target.partition(b"://")[2].partition(b"/")[2]


def in_pieces(file: Any, _: int = 0) -> FileWrapper:
    """A file, read in as large pieces as are handed over."""
    return FileWrapper(file, PIECE)

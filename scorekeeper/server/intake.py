"""A request as it comes: its body, read whole and in time, and what the application is told."""

import asyncio
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes
from wsgiref.util import FileWrapper

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from wsgiref.types import WSGIEnvironment

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]

PIECE: Final = 1 << 16  # bytes that are handed over at a time
MOST_PASSED_OVER: Final = 64 << 20  # bytes of a body that is too large, until nobody reads on
PATIENCE: Final = 20.0  # seconds that a body may take
PACE: Final = 8 << 10  # bytes, for each of which a second more


class Gone(Exception):
    """Nobody waits for the answer any more."""


class RefusedRequest(Exception):
    """A request that the application does not see: the status of its answer, and why."""

    def __init__(self, status: HTTPStatus, said: str) -> None:
        super().__init__(said)
        self.status, self.said = status, said


class Body(NamedTuple):
    """What came, and of how many bytes it was: more than are here where it is too large."""

    held: bytes
    length: int


class ByteRoom:
    """Room for a given number of bytes, which all who are being served share."""

    def __init__(self, most: int) -> None:
        self._left = most

    @contextmanager
    def share(self) -> Iterator["Share"]:
        """A part of the room, as much as is taken, until the end."""
        share = Share(self)
        try:
            yield share
        finally:
            self._left += share.taken

    def take(self, bytes_: int) -> None:
        """Take so much; RefusedRequest where there is no room for it."""
        if bytes_ > self._left:
            raise RefusedRequest(
                HTTPStatus.SERVICE_UNAVAILABLE, "too much is on its way at this moment"
            )
        self._left -= bytes_


class Share:
    """What one request has taken of the room."""

    def __init__(self, room: ByteRoom) -> None:
        self._room = room
        self.taken = 0

    def take(self, bytes_: int) -> None:
        """Take so much more; RefusedRequest."""
        self._room.take(bytes_)
        self.taken += bytes_


async def body_of(scope: "Message", receive: "Receive", share: Share, largest: int) -> Body:
    """The body of a request, when all of it is there; Gone, RefusedRequest.

    Of one that is larger than ``largest`` nothing is kept: it is passed over, so that who sends
    it hears the answer.
    """
    if announced(scope) > largest and expects(scope):
        return Body(b"", announced(scope))  # refused before it was sent
    came, length = [], 0
    loop = asyncio.get_running_loop()
    began = loop.time()
    try:
        async with asyncio.timeout_at(began + PATIENCE) as limit:
            more = True
            while more and length < MOST_PASSED_OVER and not limit.expired():
                message = await receive()
                if message["type"] != "http.request":
                    raise Gone
                more, chunk = message.get("more_body", False), message.get("body", b"")
                length += len(chunk)
                if length <= largest:
                    share.take(len(chunk))
                    came.append(chunk)
                else:
                    came.clear()
                if not limit.expired():  # which may be while something comes
                    limit.reschedule(began + PATIENCE + length / PACE)
    except TimeoutError:
        more = True
    if more and length < MOST_PASSED_OVER:
        raise RefusedRequest(HTTPStatus.REQUEST_TIMEOUT, "the body came too slowly")
    return Body(b"".join(came), max(length, announced(scope)))


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

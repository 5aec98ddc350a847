"""The application, whose threads wait for nobody: neither for a request nor for an answer's reader.

A request is read whole before a thread works on it, and an answer is handed over piece by piece as
its reader takes it: the thread has other work meanwhile. The memory for bodies and for answers that
wait is shared by the addresses of clients (``capacity``). An answer that goes on for as long as
somebody listens needs a thread only to begin and to end.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import aclosing, contextmanager, suppress
from contextvars import copy_context
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Protocol

from scorekeeper.http.client import address_of, forwarded_address
from scorekeeper.http.headers import common_headers
from scorekeeper.http.streaming import PIECES_KEY
from scorekeeper.server.capacity import Reservation, SharedCapacity
from scorekeeper.server.intake import (
    PIECE,
    ClientGoneError,
    RefusedRequestError,
    body_of,
    environ_of,
    no_capacity,
)
from scorekeeper.server.threads import SharedThreads

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, MutableMapping
    from wsgiref.types import WSGIApplication, WSGIEnvironment

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

# Bytes of bodies and answers at one time. Requests that wait for the helper process hold up to
# 64 MiB, and cannot be interrupted.
MOST_HELD: Final = 96 << 20
READS: Final = ("GET", "HEAD")
RETRY_AFTER_SECONDS: Final = 5  # sent when there is no memory for a request
HALF_CLOSED_AT_ONCE: Final = 2  # requests of clients that send nothing more: most are gone
MOST_HALF_CLOSED: Final = 64  # such requests that wait
LINGER_SECONDS: Final = 1.0  # for which a refused body is still read


class ClientLink(Protocol):
    """The connection to the client that waits for an answer."""

    is_streaming: bool  # whether it gets an answer that has no end of its own
    left: asyncio.Future[None]  # done once the client sends nothing more

    @property
    def is_closed(self) -> bool:
        """Return whether the connection has ended."""

    def abort(self) -> None:
        """End the connection at once, and drop what is still to be sent."""


class Bridge:
    """A WSGI application for a server that speaks ASGI.

    ``threads`` work for readers, and as many for writers. ``largest`` is of a
    body, in bytes: more than that is not kept, and left to the application to refuse.
    """

    def __init__(
        self, app: "WSGIApplication", threads: int, largest: int, proxies: int = 0
    ) -> None:
        self._app = app
        self._largest = largest
        self._proxies = proxies
        # Writers do not queue behind many readers.
        self._readers = SharedThreads(threads, "reader")
        self._writers = SharedThreads(threads, "writer")
        self._capacity = SharedCapacity(MOST_HELD)
        self._half_closed = HalfClosedQueue()

    async def __call__(self, scope: "Message", receive: "Receive", send: "Send") -> None:
        try:
            with self._capacity.reserve(client_of(scope, self._proxies)) as reservation:
                await self._answer(scope, receive, send, reservation)
                return
        except ClientGoneError:
            # By a cancelled request gunicorn knows a client that left, which is no error.
            raise asyncio.CancelledError from None
        except RefusedRequestError as error:
            refused = error.with_traceback(None)  # whose frames hold the body
        await refuse(refused, send, secure=scope["scheme"] == "https")
        await pass_over(receive)

    async def _answer(
        self, scope: "Message", receive: "Receive", send: "Send", reservation: Reservation
    ) -> None:
        body = await body_of(scope, receive, reservation, self._largest)
        answer = BridgedAnswer(self._app, environ_of(scope, body))
        threads = self._readers if scope["method"] in READS else self._writers
        link = scope["scorekeeper.link"]
        await give(answer, threads, reservation, send, link, self._half_closed)


class BridgedAnswer:
    """What the application answers: made by threads, one piece after the other."""

    def __init__(self, app: "WSGIApplication", environ: "WSGIEnvironment") -> None:
        self._app, self._environ = app, environ
        self._parts: Iterable[bytes] = ()
        self._rest: Iterator[bytes] = iter(())
        self._left: int | None = None  # bytes still to come, where that is known
        self.head: Message = {"type": "http.response.start"}
        self.going_on: AsyncGenerator[bytes, None] | None = None  # its pieces, which come in time
        self.ended = False

    def begin(self) -> bytes:
        """The first piece; from then on the ``head`` is known."""
        try:
            self._parts = self._app(self._environ, self._start)
            self._rest = iter(self._parts)
        except BaseException:
            self.ended = True
            raise
        self.going_on = self._environ.get(PIECES_KEY)
        return self.next() if self.going_on is None else b""

    def next(self) -> bytes:
        """The next piece; the last one where the answer has ``ended`` then."""
        piece = next((part for part in self._rest if part), b"")
        if self._left is not None:
            self._left -= len(piece)
        if not piece or self._left == 0:
            self.end()
        return piece

    def end(self) -> None:
        """Let the application know that no more is asked of it."""
        self.ended = True
        close = getattr(self._parts, "close", None)
        if close is not None:
            close()

    def _start(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        self.head["status"] = int(status[:3])
        self.head["headers"] = [
            (name.encode("latin-1"), value.encode("latin-1")) for name, value in headers
        ]
        lengths = [int(value) for name, value in headers if name.lower() == "content-length"]
        self._left = lengths[0] if lengths else None


class HalfClosedQueue:
    """Where requests wait whose clients send nothing more; most of these clients are gone.

    If many wait, the connection that waited longest ends.
    """

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(HALF_CLOSED_AT_ONCE)
        self._waiting: dict[ClientLink, None] = {}  # the oldest first

    async def call(self, submit: "Callable[[], Future[bytes]]", link: ClientLink) -> bytes:
        """Let a thread work when it is the turn of the request, and return the result.

        Raises `ClientGoneError` if the connection ended meanwhile.
        """
        self._waiting[link] = None
        if len(self._waiting) > MOST_HALF_CLOSED:
            oldest = next(iter(self._waiting))
            del self._waiting[oldest]
            oldest.abort()
        try:
            async with self._turns:
                self._waiting.pop(link, None)
                if link.is_closed:
                    raise ClientGoneError
                return await asyncio.wrap_future(submit())
        finally:
            self._waiting.pop(link, None)


async def begin(
    answer: BridgedAnswer,
    run: "Callable[..., Future[Any]]",
    link: ClientLink,
    half_closed: HalfClosedQueue,
) -> bytes:
    """Return the first piece of an answer; no thread begins it for a client that is gone.

    Raises `ClientGoneError` if the client left.
    """
    works: list[Future[bytes]] = []

    def submit() -> "Future[bytes]":
        works.append(run(answer.begin))
        return works[-1]

    def cancel(_: object) -> None:
        works[0].cancel()  # unless a thread works on it

    try:
        if not link.left.done():
            first = submit()
            link.left.add_done_callback(cancel)
            await asyncio.wait({asyncio.wrap_future(first)})
            if not first.cancelled():
                return first.result()
        if link.is_closed:
            raise ClientGoneError
        return await half_closed.call(submit, link)
    finally:
        link.left.remove_done_callback(cancel)
        if not works or works[-1].cancel():
            answer.ended = True  # no thread has begun it
        elif not works[-1].done():
            works[-1].add_done_callback(lambda _: end(answer, run))


async def give(
    answer: BridgedAnswer,
    threads: SharedThreads,
    reservation: Reservation,
    send: "Send",
    link: ClientLink,
    half_closed: HalfClosedQueue,
) -> None:
    """Let threads work out an answer, and send it; no thread is kept while its reader takes it.

    Raises `RefusedRequestError` if there is no memory for the answer, and `ClientGoneError` if the
    client left.
    """
    run = partial(threads.submit, reservation.address, copy_context().run)
    left, body = link.left, reservation.size
    piece = await begin(answer, run, link, half_closed)
    work: Future[Any] | None = None
    try:
        if not reservation.resize(body + len(piece)):
            raise no_capacity()
        await send(answer.head)
        if answer.going_on is not None:
            link.is_streaming = True
            await hand_on(answer.going_on, send, link, left)
            await asyncio.wrap_future(run(answer.end))
        while not answer.ended:
            with revocable(reservation, link):
                await hand_over(piece, send, link)
            work = run(answer.next)
            piece = await asyncio.wrap_future(work)
            if not reservation.resize(body + len(piece)):
                link.abort()
                raise ClientGoneError
        with revocable(reservation, link):
            await hand_over(piece, send, link, is_last=True)
    finally:
        link.is_streaming = False
        if not answer.ended:  # who asked is gone; a thread may be at it still
            if work is None:
                end(answer, run)
            else:
                work.add_done_callback(lambda _: end(answer, run))


@contextmanager
def revocable(reservation: Reservation, link: ClientLink) -> Iterator[None]:
    """Let the connection end while it waits for its client, if another needs the memory."""
    reservation.revoke = link.abort
    try:
        yield
    finally:
        reservation.revoke = None


async def hand_on(
    pieces: "AsyncGenerator[bytes, None]",
    send: "Send",
    link: ClientLink,
    left: asyncio.Future[None],
) -> None:
    """Send pieces as they come, until the last of them.

    Raises `ClientGoneError` when the client leaves.
    """

    async def sending() -> None:
        async with aclosing(pieces):
            async for piece in pieces:
                await hand_over(piece, send, link)

    work = asyncio.ensure_future(sending())
    left.add_done_callback(lambda _: work.cancel())
    try:
        await asyncio.wait({work})
    finally:
        work.cancel()
    if left.done():
        raise ClientGoneError
    await work


def end(answer: BridgedAnswer, run: Callable[..., Any]) -> None:
    """Let a thread end an answer that nobody waits for."""
    with suppress(RuntimeError):  # the process ends, and nobody works any more
        run(answer.end)


async def hand_over(piece: bytes, send: "Send", link: ClientLink, *, is_last: bool = False) -> None:
    """Send a piece as its reader takes it; of a large one never more than a part is copied.

    Raises `ClientGoneError` if the client left.
    """
    for start in range(0, max(len(piece), 1), PIECE):
        part = piece[start : start + PIECE] if len(piece) > PIECE else piece
        more = not is_last or start + PIECE < len(piece)
        if link.is_closed:  # asyncio warns of writes to a connection that is lost
            raise ClientGoneError
        await send({"type": "http.response.body", "body": part, "more_body": more})


async def refuse(refused: RefusedRequestError, send: "Send", *, secure: bool) -> None:
    """Answer in place of the application, and let the connection end."""
    body = refused.said.encode()
    headers = {
        "Content-Type": "text/plain",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **common_headers(secure=secure),
    }
    if refused.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    said = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refused.status, "headers": said})
    await send({"type": "http.response.body", "body": body})


async def pass_over(receive: "Receive") -> None:
    """Drop what is still sent of a refused body for a moment.

    The system resets a connection that is closed with unread input, and the client would then
    never see the answer.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while (await receive()).get("more_body"):
                pass


def client_of(scope: "Message", proxies: int) -> str:
    """Return the address that a request comes from, as the application sees it."""
    address = str(scope["client"][0]) if scope["client"] else ""
    if proxies:
        named = [v.decode("latin-1") for n, v in scope["headers"] if n == b"x-forwarded-for"]
        address = forwarded_address(",".join(named), proxies) or address
    return address_of(address)

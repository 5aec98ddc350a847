"""The WSGI application behind an ASGI interface, so that its threads never wait for a client.

A request is read whole, and gets its turn (``http.turns``), before a thread works on it. An answer
is sent piece by piece as fast as the client reads it; the thread does other work between two
pieces. The memory for bodies and unsent answers is shared by the addresses of clients
(``capacity``). A stream of live updates needs a thread only to begin and to end.
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
from scorekeeper.http.turns import RequestTurns, Turn
from scorekeeper.server.capacity import Reservation, SharedCapacity
from scorekeeper.server.intake import (
    PIECE_BYTES,
    ClientGoneError,
    RefusedRequestError,
    no_capacity,
    read_body,
    wsgi_environ,
)
from scorekeeper.server.threads import SharedThreads

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, MutableMapping
    from wsgiref.types import WSGIApplication, WSGIEnvironment

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

# Bodies and answers of all requests together. Requests that wait for the helper process hold up
# to 64 MiB of it, and cannot be interrupted.
MAX_BUFFERED_BYTES: Final = 96 << 20
READ_METHODS: Final = ("GET", "HEAD")
RETRY_AFTER_SECONDS: Final = 5  # sent when there is no memory for a request
# Requests of half-closed clients in threads at a time: most such clients are gone.
MAX_HALF_CLOSED_RUNNING: Final = 2
# Requests of half-closed clients that wait for a thread.
MAX_HALF_CLOSED_AWAITING_THREAD: Final = 64
DRAIN_SECONDS: Final = 1.0  # for which the rest of a refused body is read and dropped


class ClientLink(Protocol):
    """The connection of the client that waits for an answer, as the bridge uses it."""

    is_streaming: bool  # whether it receives live updates, which end only with the connection
    end_of_input: asyncio.Future[None]  # done once the client sends nothing more

    @property
    def is_closed(self) -> bool:
        """Return whether the connection has ended."""

    def abort(self) -> None:
        """Close the connection at once, and drop the bytes that are still to be sent."""


class Bridge:
    """A WSGI application for a server that speaks ASGI.

    ``threads`` is the number of threads for GET and HEAD requests; all others have as many again.
    A thread works on a request once it has its turn of ``turns``.
    ``largest`` is the largest body in bytes that is kept; a larger one is dropped, and the
    application refuses it by its length. ``proxies`` is the number of trusted proxies before the
    server.
    """

    def __init__(
        self,
        app: "WSGIApplication",
        threads: int,
        largest: int,
        turns: RequestTurns,
        proxies: int = 0,
    ) -> None:
        self._app = app
        self._turns = turns
        self._largest = largest
        self._proxies = proxies
        # Writers do not queue behind many readers.
        self._readers = SharedThreads(threads, "reader")
        self._writers = SharedThreads(threads, "writer")
        self._capacity = SharedCapacity(MAX_BUFFERED_BYTES)
        self._half_closed = HalfClosedQueue()

    async def __call__(self, scope: "Message", receive: "Receive", send: "Send") -> None:
        """Answer one HTTP request of the ASGI interface.

        Raises `asyncio.CancelledError` if the client left, which gunicorn does not report as an
        error.
        """
        try:
            with self._capacity.reserve(client_of(scope, self._proxies)) as reservation:
                await self._answer(scope, receive, send, reservation)
                return
        except ClientGoneError:
            # By a cancelled request gunicorn knows a client that left, which is no error.
            raise asyncio.CancelledError from None
        except RefusedRequestError as error:
            refused = error.with_traceback(None)  # whose frames hold the body
        await send_refusal(refused, send, secure=scope["scheme"] == "https")
        await drain_body(receive)

    async def _answer(
        self, scope: "Message", receive: "Receive", send: "Send", reservation: Reservation
    ) -> None:
        """Read the body, let the application answer, and send its answer.

        Raises `RefusedRequestError` and `ClientGoneError`, as `read_body` and `send_answer` do.
        """
        body = await read_body(scope, receive, reservation, self._largest)
        environ = wsgi_environ(scope, body)
        turn = self._turns.turn_of(environ, reservation.address)
        answer = BridgedAnswer(self._app, environ, turn)
        threads = self._readers if scope["method"] in READ_METHODS else self._writers
        link = scope["scorekeeper.link"]
        await send_answer(answer, threads, reservation, send, link, self._half_closed)


class BridgedAnswer:
    """The application's answer to one request. Threads make it, one piece at a time.

    ``head`` is the ASGI message with status and headers, complete after `begin`. ``stream_pieces``
    are live updates, which need no thread.
    """

    def __init__(self, app: "WSGIApplication", environ: "WSGIEnvironment", turn: Turn) -> None:
        self._app, self._environ, self.turn = app, environ, turn
        self._parts: Iterable[bytes] = ()
        self._rest: Iterator[bytes] = iter(())
        self._bytes_left: int | None = None  # of the body, if the application declared its length
        self.head: Message = {"type": "http.response.start"}
        # Pieces of live updates, if it has any.
        self.stream_pieces: AsyncGenerator[bytes, None] | None = None
        self.ended = False  # whether no more pieces come

    def begin(self) -> bytes:
        """Call the application, and return the first piece of its answer.

        The piece is empty if the answer is a stream of live updates, or the request is postponed
        and has to begin again.
        """
        environ = dict(self._environ)  # as it came, for a request that is postponed
        environ["wsgi.input"].seek(0)
        try:
            self._parts = self._app(environ, self._start)
            self._rest = iter(self._parts)
        except BaseException:
            self.ended = True
            raise
        if self.turn.is_postponed:
            self._close()
            return b""
        self.stream_pieces = environ.get(PIECES_KEY)
        return self.next() if self.stream_pieces is None else b""

    def next(self) -> bytes:
        """Return the next piece of the answer that is not empty.

        If it is the last one, or none is left, the answer is ended, and ``ended`` is true.
        """
        piece = next((part for part in self._rest if part), b"")
        if self._bytes_left is not None:
            self._bytes_left -= len(piece)
        if not piece or self._bytes_left == 0:
            self.end()
        return piece

    def end(self) -> None:
        """Mark the answer as ended, and close it."""
        self.ended = True
        self._close()

    def _close(self) -> None:
        """Call ``close`` of the application's answer if WSGI gave it one."""
        close = getattr(self._parts, "close", None)
        if close is not None:
            close()

    def _start(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        """Store status and headers; the application calls it as WSGI's ``start_response``."""
        self.head["status"] = int(status[:3])
        self.head["headers"] = [
            (name.encode("latin-1"), value.encode("latin-1")) for name, value in headers
        ]
        lengths = [int(value) for name, value in headers if name.lower() == "content-length"]
        self._bytes_left = lengths[0] if lengths else None


class HalfClosedQueue:
    """A queue for the requests of half-closed clients, most of which are gone.

    Of these requests ``MAX_HALF_CLOSED_RUNNING`` run at a time. If more than
    ``MAX_HALF_CLOSED_AWAITING_THREAD`` wait, the connection that waited longest is aborted.
    """

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(MAX_HALF_CLOSED_RUNNING)
        self._waiting: dict[ClientLink, None] = {}  # the oldest first

    async def call(self, begin: "Callable[[], Awaitable[bytes]]", link: ClientLink) -> bytes:
        """Wait for a turn, let the request ``begin``, and return its first piece.

        Raises `ClientGoneError` if the connection ended meanwhile.
        """
        self._waiting[link] = None
        if len(self._waiting) > MAX_HALF_CLOSED_AWAITING_THREAD:
            oldest = next(iter(self._waiting))
            del self._waiting[oldest]
            oldest.abort()
        try:
            async with self._turns:
                self._waiting.pop(link, None)
                if link.is_closed:
                    raise ClientGoneError
                return await begin()
        finally:
            self._waiting.pop(link, None)


async def first_piece(
    answer: BridgedAnswer,
    run: "Callable[..., Future[Any]]",
    link: ClientLink,
    half_closed: HalfClosedQueue,
) -> bytes:
    """Let a thread begin the answer, and return its first piece; ``run`` submits calls to threads.

    A postponed request begins again in its next turn. A client that closes its side before a thread
    begins waits in ``half_closed``. Raises `ClientGoneError` if the client left. If this coroutine
    is cancelled or fails, the answer is ended.
    """
    works: list[Future[bytes]] = []

    def submit() -> "Future[bytes]":
        works.append(run(answer.begin))
        return works[-1]

    try:
        while await take_turn(answer.turn, link):
            work = submit()
            if not await is_run(work, link):
                answer.turn.give_up()
                break
            if not answer.turn.is_postponed:
                return work.result()
        if link.is_closed:
            raise ClientGoneError
        return await half_closed.call(partial(begin_in_turn, answer, submit), link)
    finally:
        if not works or works[-1].cancel():
            answer.ended = True  # no thread has begun it
            answer.turn.give_up()
        elif not works[-1].done():
            works[-1].add_done_callback(lambda _: close_in_thread(answer, run))


async def begin_in_turn(answer: BridgedAnswer, submit: "Callable[[], Future[bytes]]") -> bytes:
    """Wait for the turn of an answer, and return its first piece; again if it was postponed."""
    while True:
        await answer.turn.take()
        piece = await asyncio.wrap_future(submit())
        if not answer.turn.is_postponed:
            return piece


async def is_run(work: "Future[bytes]", link: ClientLink) -> bool:
    """Wait for the call of a thread; return false if its client closes before a thread begins."""

    def cancel(_: object) -> None:
        work.cancel()  # unless a thread works on it

    link.end_of_input.add_done_callback(cancel)
    try:
        await asyncio.wait({asyncio.wrap_future(work)})
    finally:
        link.end_of_input.remove_done_callback(cancel)
    return not work.cancelled()


async def take_turn(turn: Turn, link: ClientLink) -> bool:
    """Wait until a request has its turn or is refused; return false if its client closes first."""
    if link.end_of_input.done():
        return False
    if turn.take_free():
        return True
    taking = asyncio.ensure_future(turn.take())
    try:
        await asyncio.wait({taking, link.end_of_input}, return_when=asyncio.FIRST_COMPLETED)
        return taking.done()
    finally:
        taking.cancel()


async def send_answer(
    answer: BridgedAnswer,
    threads: SharedThreads,
    reservation: Reservation,
    send: "Send",
    link: ClientLink,
    half_closed: HalfClosedQueue,
) -> None:
    """Let threads make an answer piece by piece, and send it; no thread waits for the client.

    Raises `RefusedRequestError` if there is no memory for the first piece, and `ClientGoneError` if
    the client left or there is no memory for a later one.
    """
    run = partial(threads.submit, reservation.address, copy_context().run)
    end_of_input, body_bytes = link.end_of_input, reservation.size
    piece = await first_piece(answer, run, link, half_closed)
    work: Future[Any] | None = None
    try:
        if not reservation.resize(body_bytes + len(piece)):
            raise no_capacity()
        await send(answer.head)
        if answer.stream_pieces is not None:
            link.is_streaming = True
            await send_stream(answer.stream_pieces, send, link, end_of_input)
            await asyncio.wrap_future(run(answer.end))
        while not answer.ended:
            with revocable(reservation, link):
                await send_piece(piece, send, link)
            work = run(answer.next)
            piece = await asyncio.wrap_future(work)
            if not reservation.resize(body_bytes + len(piece)):
                link.abort()
                raise ClientGoneError
        with revocable(reservation, link):
            await send_piece(piece, send, link, is_last=True)
    finally:
        link.is_streaming = False
        if not answer.ended:  # the client is gone; a thread may still work on the answer
            if work is None:
                close_in_thread(answer, run)
            else:
                work.add_done_callback(lambda _: close_in_thread(answer, run))


@contextmanager
def revocable(reservation: Reservation, link: ClientLink) -> Iterator[None]:
    """Within the block, let the connection be aborted if another request needs its memory."""
    reservation.revoke = link.abort
    try:
        yield
    finally:
        reservation.revoke = None


async def send_stream(
    pieces: "AsyncGenerator[bytes, None]",
    send: "Send",
    link: ClientLink,
    end_of_input: asyncio.Future[None],
) -> None:
    """Send pieces of live updates as they come, until the last one.

    Raises `ClientGoneError` when the client sends nothing more, by ``end_of_input``.
    """

    async def sending() -> None:
        async with aclosing(pieces):
            async for piece in pieces:
                await send_piece(piece, send, link)

    work = asyncio.ensure_future(sending())
    end_of_input.add_done_callback(lambda _: work.cancel())
    try:
        await asyncio.wait({work})
    finally:
        work.cancel()
    if end_of_input.done():
        raise ClientGoneError
    await work


def close_in_thread(answer: BridgedAnswer, run: Callable[..., Any]) -> None:
    """End an answer in a thread, without waiting for it; do nothing while the process ends."""
    with suppress(RuntimeError):  # the process ends, and its threads with it
        run(answer.end)


async def send_piece(
    piece: bytes, send: "Send", link: ClientLink, *, is_last: bool = False
) -> None:
    """Send a piece in parts of at most ``PIECE_BYTES``, as fast as the client reads them.

    ``is_last`` is whether the answer ends with it. Raises `ClientGoneError` if the client left.
    """
    for start in range(0, max(len(piece), 1), PIECE_BYTES):
        part = piece[start : start + PIECE_BYTES] if len(piece) > PIECE_BYTES else piece
        more = not is_last or start + PIECE_BYTES < len(piece)
        if link.is_closed:  # asyncio warns of writes to a connection that is lost
            raise ClientGoneError
        await send({"type": "http.response.body", "body": part, "more_body": more})


async def send_refusal(refused: RefusedRequestError, send: "Send", *, secure: bool) -> None:
    """Send the status and message of a refused request as plain text, and close the connection."""
    body = refused.message.encode()
    headers = {
        "Content-Type": "text/plain",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **common_headers(secure=secure),
    }
    if refused.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refused.status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


async def drain_body(receive: "Receive") -> None:
    """Read and drop what still arrives of a refused body, for at most ``DRAIN_SECONDS``.

    The system resets a connection that is closed with unread input, and the client would then never
    see the answer.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while (await receive()).get("more_body"):
                pass


def client_of(scope: "Message", proxies: int) -> str:
    """Return the address that a request comes from, as the application determines it.

    With ``proxies`` trusted proxies it is taken from the header X-Forwarded-For.
    """
    address = str(scope["client"][0]) if scope["client"] else ""
    if proxies:
        named = [v.decode("latin-1") for n, v in scope["headers"] if n == b"x-forwarded-for"]
        address = forwarded_address(",".join(named), proxies) or address
    return address_of(address)

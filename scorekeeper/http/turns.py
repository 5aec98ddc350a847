"""Turns: few requests run at the same time, and addresses get turns one after the other.

The threads of a process run one at a time. A writer yields often, at each statement and at each
write to the disk, and then waits behind all running requests. So only a few reads run at once, and
none begins for a moment while an event is being recorded. The others wait in the event loop of the
server, before a thread works on them. If reads take long, only few requests wait for long, and the
others are refused with Retry-After. Large bodies are read one at a time. No address has all turns
or all places to wait while another one needs them. Another server than ours takes no turns.

A request that turns out to take long, since it replays many events or waits for another one at the
same table, exchanges its turn for a long one. If none is free, it is *postponed*: it ends without
an effect, as if it were refused, and begins again in a thread once it has its long turn.
"""

import asyncio
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from flask import Flask, has_request_context, request
from werkzeug.wsgi import get_content_length

from scorekeeper.base.errors import BusyError
from scorekeeper.base.pacing import Admission
from scorekeeper.base.round_robin import RoundRobin
from scorekeeper.http.active_writers import ActiveWriters
from scorekeeper.http.public_pages import is_public

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

READ_METHODS: Final = frozenset({"GET", "HEAD"})
# Requests to these paths record nothing: they send a log to be scored or verified.
COMPUTING_PATHS: Final = frozenset({"/score", "/verify"})
FREE_PREFIXES: Final = ("/healthz", "/static/", "/pictures/")  # need no database and no turn
# Pages without a database have their own turns, so that a database that hangs does not delay them.
STATIC_PREFIXES: Final = ("/rules", "/prefs", "/verify", "/score", "/guide", "/api/docs",
                          "/api/games", "/api/openapi.json", "/favicon.ico", "/apple-touch-icon",
                          "/robots.txt", "/.well-known/")  # fmt: skip
# Requests for streams have their own turns and wait longer: a page that is refused polls instead.
# They take little time, so that one at a time suffices.
STREAM_SUFFIX: Final = "/stream"
STREAM_WAIT_SECONDS: Final = 2.0  # for every request
# The readers of public pages are strangers, and may be many: they do not wait with the tables, and
# one at a time works out what all of them get.
MAX_CONCURRENT_PUBLIC_READS: Final = 1
MAX_CONCURRENT_READS: Final = 2
# Requests that record have turns by the size of their body: a large one takes long to read.
MIN_LARGE_BODY_BYTES: Final = 1 << 14
MAX_CONCURRENT_SMALL_WRITES: Final = 3
MAX_CONCURRENT_LONG: Final = 4  # of requests that replay many events, one at a time computes
WAIT_SECONDS: Final = 0.5  # for a turn; longer while turns are given
LONG_WAIT_SECONDS: Final = 5.0  # added to it for few requests
MOVING_SECONDS: Final = 30.0  # at most for a turn, while turns are given
READER_BACKOFF_SECONDS: Final = 0.03  # at most, that reads wait after a write has begun
TURN_KEY: Final = "scorekeeper.turn"


def init_app(app: Flask, request_turns: "RequestTurns") -> None:
    """Limit concurrent requests of the application."""
    app.before_request(refuse_without_turn)
    app.extensions["turns"] = request_turns
    app.wsgi_app = TurnMiddleware(app.wsgi_app)  # type: ignore[method-assign]


class Waiter:
    """A request that waits for a turn, in the event loop of the server."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.has_turn = False
        self.is_decided = False  # whether it has a turn or is refused
        self._loop = asyncio.get_running_loop()
        self._decided = self._loop.create_future()

    def decide(self) -> None:
        """End its wait; any thread may call this."""
        self.is_decided = True
        with suppress(RuntimeError):  # the process ends
            self._loop.call_soon_threadsafe(self._wake)

    async def wait(self, seconds: float) -> bool:
        """Wait for the decision; return whether it came within ``seconds``."""
        await asyncio.wait({self._decided}, timeout=seconds)
        return self.is_decided

    def _wake(self) -> None:
        """Complete the future, unless it is complete."""
        if not self._decided.done():
            self._decided.set_result(None)


class Turns:
    """The turns of a process, given to the waiting addresses in rotation.

    ``capacity`` requests have a turn at the same time, and ``reserved`` more whose address has no
    other. The rest wait for ``wait_seconds``, and for ``moving_seconds`` in all as long as turns
    are given. Once none was given for ``wait_seconds``, only ``max_long_waits`` of them wait on,
    until ``long_wait_seconds`` more have passed. An address with many of these places loses one to
    an address with fewer.
    """

    def __init__(
        self,
        capacity: int,
        max_long_waits: int,
        wait_seconds: float,
        long_wait_seconds: float,
        moving_seconds: float = 0.0,
        reserved: int = 0,
    ) -> None:
        self._lock = threading.Lock()
        self._capacity, self._reserved = capacity, reserved
        self._running: Counter[str] = Counter()  # requests that have a turn, by address
        self._waiting: RoundRobin[Waiter] = RoundRobin()
        self._max_long_waits = max_long_waits
        self._long_waiting: dict[str, list[Waiter]] = {}  # by address
        self._wait_seconds = wait_seconds
        self._long_wait_seconds = long_wait_seconds
        self._moving_seconds = max(moving_seconds, wait_seconds + long_wait_seconds)
        self._last_given = 0.0  # when a waiting request last got a turn, by the monotonic clock

    def take_free(self, address: str) -> bool:
        """Take a turn if one is free for an address, and return whether that is so."""
        with self._lock:
            if not self._is_free(address):
                return False
            self._running[address] += 1
            return True

    async def take(self, address: str) -> bool:
        """Wait for a turn, and return whether the request got one."""
        if self.take_free(address):
            return True
        waiter = Waiter(address)
        with self._lock:
            self._waiting.put(address, waiter)
            self._serve()  # a turn may have become free
        try:
            await self._wait(waiter)
        except asyncio.CancelledError:
            if self._end_wait(waiter):
                self.give_back(address)
            raise
        return self._end_wait(waiter)

    def give_back(self, address: str) -> None:
        """Give back a turn of an address: to the next waiting request, or as a free one."""
        with self._lock:
            self._running[address] -= 1
            if not self._running[address]:
                del self._running[address]
            self._serve()

    def _is_free(self, address: str) -> bool:
        """Return whether a turn is free for an address. The caller holds the lock."""
        reserved = 0 if self._running[address] else self._reserved
        return self._running.total() < self._capacity + reserved

    def _serve(self) -> None:
        """Give the free turns to waiting requests. The caller holds the lock."""
        most = self._capacity + self._reserved
        while self._running.total() < most and (waiter := self._waiting.take(self._is_free)):
            self._running[waiter.address] += 1
            self._last_given = time.monotonic()
            waiter.has_turn = True
            self._decide(waiter)

    def _end_wait(self, waiter: Waiter) -> bool:
        """End the wait of a request, and return whether it has a turn."""
        with self._lock:
            self._decide(waiter)
        return waiter.has_turn

    async def _wait(self, waiter: Waiter) -> None:
        """Wait until a request has a turn or may wait no longer."""
        began = time.monotonic()
        waits_long = False
        while not await waiter.wait(self._wait_seconds):
            now = time.monotonic()
            idle = now - max(began, self._last_given)  # seconds since a turn was given
            if now - began >= self._moving_seconds:
                return
            if idle >= self._wait_seconds + self._long_wait_seconds:
                return
            if idle >= self._wait_seconds and not waits_long:
                waits_long = self._may_wait_for_long(waiter)
                if not waits_long:
                    return

    def _may_wait_for_long(self, waiter: Waiter) -> bool:
        """Take a place to wait for long, and return whether this request is still waiting.

        If there are too many places, one request of the address with most of them stops waiting.
        """
        with self._lock:
            of_address = self._long_waiting.setdefault(waiter.address, [])
            if not waiter.is_decided:
                of_address.append(waiter)
            if sum(map(len, self._long_waiting.values())) > self._max_long_waits:
                # The last one of the address with most places, which may be this one.
                places = self._long_waiting.values()
                self._decide(
                    max(places, key=lambda waiters: (len(waiters), waiters is of_address))[-1]
                )
            return not waiter.is_decided

    def _decide(self, waiter: Waiter) -> None:
        """End the wait of a request, with its turn or without. The caller holds the lock."""
        if not waiter.is_decided:
            if not waiter.has_turn:
                self._waiting.remove(waiter.address, waiter)
            waiter.decide()
        of_address = self._long_waiting.get(waiter.address, [])
        if waiter in of_address:
            of_address.remove(waiter)
        if not of_address:
            self._long_waiting.pop(waiter.address, None)


class Turn:
    """The turn of one request, of ``turns`` or of a kind that is not limited.

    ``missed`` is whether the request is refused, as it got no turn in time. ``is_postponed`` is
    whether it ended without an effect, and has to begin again with its next turn.
    """

    def __init__(self, turns: Turns | None, address: str) -> None:
        self._turns, self._address = turns, address
        self._is_held = False
        self._may_begin_again = True
        self.missed = self.is_postponed = False

    def take_free(self) -> bool:
        """Take a turn if one is free, and return whether that is so."""
        self.is_postponed = False
        if self._turns is not None:
            self._is_held = self._turns.take_free(self._address)
        return self._is_held or self._turns is None

    async def take(self) -> None:
        """Wait for a turn. A request that gets none is missed."""
        self.is_postponed = False
        if self._turns is not None:
            self._is_held = await self._turns.take(self._address)
            self.missed = not self._is_held

    def give_up(self) -> None:
        """Give the turn back, if it is still held."""
        if self._turns is not None and self._is_held:
            self._is_held = False
            self._turns.give_back(self._address)

    def exchange(self, turns: Turns) -> None:
        """Give the turn up for one of ``turns``.

        Raises `BusyError` if the request has to wait for it, and is postponed.
        """
        if self.is_of(turns):
            return
        self.give_up()
        self._turns = turns
        if not self.take_free() and self._may_begin_again:
            self.is_postponed = True
            raise BusyError("it begins again in its turn")

    def is_of(self, turns: Turns) -> bool:
        """Return whether it is one of ``turns``, and held."""
        return self._is_held and self._turns is turns

    def commit(self) -> None:
        """Give the turn up before events are stored: the request does not begin again."""
        self._may_begin_again = False
        self.give_up()


class RequestTurns(Admission):
    """The turns for all kinds of requests.

    While a database is slow, reads and small requests of all phones wait, and few are refused. Of
    each other kind at most ``max_long_waits`` wait for long, and as many requests for another one.
    """

    def __init__(
        self,
        capacity: int = MAX_CONCURRENT_READS,
        max_long_waits: int = 1,
        wait_seconds: float = WAIT_SECONDS,
        long_wait_seconds: float = LONG_WAIT_SECONDS,
        moving_seconds: float = MOVING_SECONDS,
    ) -> None:
        waits = (max_long_waits, wait_seconds, long_wait_seconds, moving_seconds)
        all_wait = (sys.maxsize, *waits[1:])
        self._reads = Turns(capacity, *all_wait, reserved=1)
        self._static = Turns(capacity, *waits)
        self._streams = Turns(1, max_long_waits, STREAM_WAIT_SECONDS, *waits[2:])
        self._public = Turns(MAX_CONCURRENT_PUBLIC_READS, *waits)
        self._large_writes = Turns(1, *waits)
        small, most = MAX_CONCURRENT_SMALL_WRITES, max(1, max_long_waits)
        self._small_writes = Turns(small, *all_wait, reserved=small)
        self._waits = Turns(most, *all_wait, reserved=most)
        long = min(most, MAX_CONCURRENT_LONG)
        self._long = Turns(long, *all_wait, reserved=long)

    def turn_of(self, environ: "WSGIEnvironment", address: str) -> Turn:
        """Return the turn that a request of an address needs; it is in ``environ`` from now on.

        The server takes it before a thread works on the request; `TurnMiddleware` gives it back.
        """
        path, turns = environ["PATH_INFO"], None
        if not only_reads(environ):
            is_large = (get_content_length(environ) or 0) > MIN_LARGE_BODY_BYTES
            turns = self._large_writes if is_large else self._small_writes
        elif path.endswith(STREAM_SUFFIX):
            turns = self._streams
        elif is_public(path):
            turns = self._public
        elif not path.startswith(FREE_PREFIXES):
            turns = self._static if path.startswith(STATIC_PREFIXES) else self._reads
        turn = Turn(turns, address)
        environ[TURN_KEY] = turn
        return turn

    def before_wait(self) -> None:
        """Let this thread's request have a turn to wait for another one; see `Turn.exchange`."""
        turn = own_turn()
        if turn is not None and not turn.is_of(self._long):
            turn.exchange(self._waits)

    def before_long_work(self) -> None:
        """Let this thread's request have a turn to compute for long; see `Turn.exchange`."""
        turn = own_turn()
        if turn is not None:
            turn.exchange(self._long)

    def before_commit(self) -> None:
        """Let this thread's request give up its turn before the thread waits for the disk."""
        turn = own_turn()
        if turn is not None:
            turn.commit()


def only_reads(environ: "WSGIEnvironment") -> bool:
    """Return whether a request records nothing."""
    return environ["REQUEST_METHOD"] in READ_METHODS or environ["PATH_INFO"] in COMPUTING_PATHS


class TurnMiddleware:
    """WSGI middleware that lets reads wait for writers, and gives the turn of a request back."""

    def __init__(
        self, app: "WSGIApplication", backoff_seconds: float = READER_BACKOFF_SECONDS
    ) -> None:
        self._app = app
        self._writers = ActiveWriters(backoff_seconds)

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer the request, and give its turn back."""
        if only_reads(environ) and environ["PATH_INFO"].startswith(FREE_PREFIXES):
            return self._app(environ, start_response)
        try:
            if only_reads(environ):
                self._writers.wait()
                return self._app(environ, start_response)
            with self._writers:
                return self._app(environ, start_response)
        finally:
            give_up_turn(environ)


def refuse_without_turn() -> None:
    """Raise `BusyError` if the request did not get a turn in time."""
    turn = request.environ.get(TURN_KEY)
    if turn is not None and turn.missed:
        raise BusyError("too many long computations are waiting: try again")


def is_postponed() -> bool:
    """Return whether this thread's request begins again, so that nobody gets its answer."""
    turn = own_turn()
    return turn is not None and turn.is_postponed


def own_turn() -> Turn | None:
    """Return the turn of this thread's request; None without a request or in another server."""
    turn: Turn | None = request.environ.get(TURN_KEY) if has_request_context() else None
    return turn


def give_up_turn(environ: "WSGIEnvironment") -> None:
    """Give up the turn of the request with this environment, if it still has one."""
    turn = environ.get(TURN_KEY)
    if turn is not None:
        turn.give_up()

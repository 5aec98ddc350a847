"""Turns: few requests run at the same time, and addresses get turns one after the other.

The threads of a process run one at a time. A writer yields often, at each statement and at each
write to the disk, and then waits behind all running requests. So only a few reads run at once, and
none begins for a moment while an event is being recorded. The others wait before they begin; each
keeps a thread of the server meanwhile. If reads take long, only few requests wait for long, and the
others are refused with Retry-After. Large bodies are read one at a time. No address has all turns
or all places to wait while another one needs them.
"""

import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from flask import Flask, has_request_context, request
from werkzeug.wsgi import get_content_length

from scorekeeper.base.errors import BusyError
from scorekeeper.base.round_robin import RoundRobin
from scorekeeper.http.client import address_of

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

READ_METHODS: Final = frozenset({"GET", "HEAD"})
# Requests to these paths record nothing: they send a log to be scored or verified.
COMPUTING_PATHS: Final = frozenset({"/score", "/verify"})
FREE_PREFIXES: Final = ("/healthz", "/static/", "/pictures/")  # need no database and no turn
# Pages without a database have their own turns, so that a database that hangs does not delay them.
STATIC_PREFIXES: Final = ("/rules", "/prefs", "/verify", "/score", "/guide", "/api/docs",
                          "/api/games", "/api/openapi.json")  # fmt: skip
# Requests for streams have their own turns and wait longer: a page that is refused polls instead.
# They take little time, so that one at a time suffices.
STREAM_SUFFIX: Final = "/stream"
STREAM_WAIT_SECONDS: Final = 2.0  # for every request
MAX_CONCURRENT_READS: Final = 2
# Requests that record have turns by the size of their body: a large one takes long to read.
MIN_LARGE_BODY_BYTES: Final = 1 << 14
MAX_CONCURRENT_SMALL_WRITES: Final = 4
SMALL_WAIT_SECONDS: Final = 0.25  # then a small write runs without a turn
WAIT_SECONDS: Final = 0.5  # for a turn; longer while turns are given
LONG_WAIT_SECONDS: Final = 5.0  # added to it for few requests
READER_BACKOFF_SECONDS: Final = 0.03  # at most, that reads wait after a write has begun
TURN_KEY: Final = "scorekeeper.turn"


def init_app(app: Flask, max_long_waits: int) -> None:
    """Limit concurrent requests of the application.

    At most ``max_long_waits`` requests of each kind wait for long.
    """
    app.before_request(refuse_without_turn)
    turns = TurnMiddleware(app.wsgi_app, max_long_waits=max_long_waits)
    app.wsgi_app = turns  # type: ignore[method-assign]


class Waiter:
    """A request that waits for a turn."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.has_turn = False
        self.decided = threading.Event()  # set when it gets a turn or is refused


class Turns:
    """The turns of a process, given to the waiting addresses in rotation.

    ``capacity`` requests have a turn at the same time. Others wait for ``wait_seconds``, and for
    ``long_wait_seconds`` more as long as turns are given. Once none was given for ``wait_seconds``,
    only ``max_long_waits`` of them wait on. An address with many of these places loses one to an
    address with fewer.
    """

    def __init__(
        self, capacity: int, max_long_waits: int, wait_seconds: float, long_wait_seconds: float
    ) -> None:
        self._lock = threading.Lock()
        self._free = capacity
        self._waiting: RoundRobin[Waiter] = RoundRobin()
        self._max_long_waits = max_long_waits
        self._long_waiting: dict[str, list[Waiter]] = {}  # by address
        self._wait_seconds = wait_seconds
        self._long_wait_seconds = long_wait_seconds
        self._last_given = 0.0  # when a waiting request last got a turn, by the monotonic clock

    def take(self, address: str) -> bool:
        """Wait for a turn, and return whether the request got one in time.

        If it did, the caller must call `give_back`.
        """
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            waiter = Waiter(address)
            self._waiting.put(address, waiter)
        end = time.monotonic() + self._wait_seconds + self._long_wait_seconds
        while not waiter.decided.wait(self._wait_seconds) and self._is_moving(end):
            pass
        if time.monotonic() < end and self._may_wait_for_long(waiter):
            waiter.decided.wait(end - time.monotonic())
        with self._lock:
            self._decide(waiter)
        return waiter.has_turn

    def give_back(self) -> None:
        """Give a turn back: to the next waiting request, or as a free one."""
        with self._lock:
            waiter = self._waiting.take()
            if waiter is None:
                self._free += 1
            else:
                waiter.has_turn = True
                self._last_given = time.monotonic()
                self._decide(waiter)

    def _is_moving(self, end: float) -> bool:
        """Return whether the wait goes on: another request got a turn lately, before ``end``.

        ``end`` is a time of the monotonic clock.
        """
        now = time.monotonic()
        return now < end and now - self._last_given < self._wait_seconds

    def _may_wait_for_long(self, waiter: Waiter) -> bool:
        """Take a place to wait for long, and return whether this request is still waiting.

        If there are too many places, one request of the address with most of them stops waiting.
        """
        with self._lock:
            of_address = self._long_waiting.setdefault(waiter.address, [])
            if not waiter.decided.is_set():
                of_address.append(waiter)
            if sum(map(len, self._long_waiting.values())) > self._max_long_waits:
                # The last one of the address with most places, which may be this one.
                places = self._long_waiting.values()
                self._decide(
                    max(places, key=lambda waiters: (len(waiters), waiters is of_address))[-1]
                )
            return not waiter.decided.is_set()

    def _decide(self, waiter: Waiter) -> None:
        """End the wait of a request, with its turn or without. The caller holds the lock."""
        if not waiter.has_turn and not waiter.decided.is_set():
            self._waiting.remove(waiter.address, waiter)
        waiter.decided.set()
        of_address = self._long_waiting.get(waiter.address, [])
        if waiter in of_address:
            of_address.remove(waiter)
        if not of_address:
            self._long_waiting.pop(waiter.address, None)


class Turn:
    """The turn of one request, which is taken when the object is made.

    ``missed`` is whether the request got no turn in time.
    """

    def __init__(self, turns: Turns, address: str) -> None:
        self._turns = turns
        self.missed = not turns.take(address)
        self._held = not self.missed

    def give_up(self) -> None:
        """Give the turn back, if it is still held."""
        if self._held:
            self._held = False
            self._turns.give_back()


class ActiveWriters:
    """The requests that are recording now; each uses this object as a context.

    Reads wait for them at most ``backoff_seconds`` after the last one began, since a writer may
    import a whole log, and at busy tables some writer is always active.
    """

    def __init__(self, backoff_seconds: float) -> None:
        self._backoff_seconds = backoff_seconds
        self._active = 0
        self._until = 0.0  # when reads stop waiting, by the monotonic clock
        self._changed = threading.Condition()

    def __enter__(self) -> None:
        """Count a writer, and let reads wait from now on."""
        with self._changed:
            self._active += 1
            self._until = time.monotonic() + self._backoff_seconds

    def __exit__(self, *raised: object) -> None:
        """Count the writer no longer, and wake the waiting reads."""
        with self._changed:
            self._active -= 1
            self._changed.notify_all()

    def wait(self) -> None:
        """Wait until no writer is active, or the backoff of the last one has ended."""
        with self._changed:
            self._changed.wait_for(lambda: not self._active, self._until - time.monotonic())


class TurnMiddleware:
    """WSGI middleware that limits concurrent requests, above all those that only read.

    A small request that records waits for a short time at most, and is never refused for lack of a
    turn.
    """

    def __init__(
        self,
        app: "WSGIApplication",
        capacity: int = MAX_CONCURRENT_READS,
        max_long_waits: int = 1,
        wait_seconds: float = WAIT_SECONDS,
        long_wait_seconds: float = LONG_WAIT_SECONDS,
        backoff_seconds: float = READER_BACKOFF_SECONDS,
    ) -> None:
        self._app = app
        self._writers = ActiveWriters(backoff_seconds)
        self._reads = Turns(capacity, max_long_waits, wait_seconds, long_wait_seconds)
        self._static = Turns(capacity, max_long_waits, wait_seconds, long_wait_seconds)
        self._streams = Turns(1, max_long_waits, STREAM_WAIT_SECONDS, long_wait_seconds)
        self._small_writes = Turns(MAX_CONCURRENT_SMALL_WRITES, 0, SMALL_WAIT_SECONDS, 0.0)
        self._large_writes = Turns(1, max_long_waits, wait_seconds, long_wait_seconds)

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Take a turn, answer the request, and give the turn back.

        A request that got no turn is marked, and `refuse_without_turn` refuses it.
        """
        path = environ["PATH_INFO"]
        only_reads = environ["REQUEST_METHOD"] in READ_METHODS or path in COMPUTING_PATHS
        if only_reads and path.startswith(FREE_PREFIXES):
            return self._app(environ, start_response)
        turns = self._turns_to_read(path) if only_reads else self._turns_to_record(environ)
        turn = environ[TURN_KEY] = Turn(turns, address_of(environ.get("REMOTE_ADDR", "")))
        turn.missed &= turns is not self._small_writes
        try:
            if only_reads:
                self._writers.wait()
                return self._app(environ, start_response)
            with self._writers:
                return self._app(environ, start_response)
        finally:
            turn.give_up()

    def _turns_to_read(self, path: str) -> Turns:
        """Return the turns for a request that only reads: of streams, static pages or others."""
        if path.endswith(STREAM_SUFFIX):
            return self._streams
        return self._static if path.startswith(STATIC_PREFIXES) else self._reads

    def _turns_to_record(self, environ: "WSGIEnvironment") -> Turns:
        """Return the turns for a request that records, by the size of its body."""
        is_large = (get_content_length(environ) or 0) > MIN_LARGE_BODY_BYTES
        return self._large_writes if is_large else self._small_writes


def refuse_without_turn() -> None:
    """Raise `BusyError` if the request did not get a turn in time."""
    turn = request.environ.get(TURN_KEY)
    if turn is not None and turn.missed:
        raise BusyError("too many long computations are waiting: try again")


def give_up_own_turn() -> None:
    """Give up the turn of this thread's request, if any, before the thread waits."""
    if has_request_context():
        give_up_turn(request.environ)


def give_up_turn(environ: "WSGIEnvironment") -> None:
    """Give up the turn of the request with this environment, if it still has one."""
    turn = environ.get(TURN_KEY)
    if turn is not None:
        turn.give_up()

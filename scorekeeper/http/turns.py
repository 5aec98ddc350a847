"""Turns: few requests are worked on at once, and the addresses that ask get them one by one.

The threads of a process run one at a time. A writer gives way often, at each statement and at
each turn of the disk, and would then wait behind all requests that are worked on at that moment. So
only a few reads are worked on at once, none of them begins for a moment while an event is being
recorded, and the others wait before they begin. Each keeps a thread of the server meanwhile: where
what is read takes long, few wait for long, and the others are told to come again. Large bodies are
read one at a time. No address has all turns or all places to wait while others need one.
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

READS: Final = frozenset({"GET", "HEAD"})
# What is posted there is not recorded: a log to look at.
ONLY_READ: Final = frozenset({"/score", "/verify"})
FREE: Final = ("/healthz", "/static/", "/pictures/")  # nothing is looked up for it
# What needs no database has turns of its own, and does not wait for whoever waits for a silent one.
APART: Final = ("/rules", "/prefs", "/verify", "/score", "/guide", "/api/docs", "/api/games",
                "/api/openapi.json")  # fmt: skip
# Who begins to follow has turns of its own, too, and more patience: a page that is told to come
# again looks from time to time instead. As it takes little, one at a time is enough.
FOLLOWS: Final = "/stream"
FOLLOWED: Final = 2.0  # seconds that all may wait who begin to
AT_ONCE: Final = 2
# What is sent to be recorded has turns by its size: to read much of it takes long.
LARGE: Final = 1 << 14  # bytes of a body
SMALL_AT_ONCE: Final = 4
SMALL_SECONDS: Final = 0.25  # for which a small one waits; then it is worked on beside the others
SOON: Final = 0.5  # seconds that all may wait, and longer while others get turns
LATE: Final = 5.0  # seconds more that few may wait
WAY: Final = 0.03  # seconds for which those who look give way to those who record
TURN: Final = "scorekeeper.turn"


def init_app(app: Flask, late: int) -> None:
    """Let few read at once; a given number of may wait for long."""
    app.before_request(refuse_without_turn)
    app.wsgi_app = InTurn(app.wsgi_app, late=late)  # type: ignore[method-assign]


class Waiter:
    """A request that waits for a turn."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.has_turn = False
        self.decided = threading.Event()  # that it has a turn, or will not get one


class Turns:
    """The turns of a process, which the addresses that wait for them get one after the other.

    ``at_once`` requests have a turn at the same time. All others wait for ``soon`` seconds, and
    for ``patience`` seconds more as long as turns are given. Once none was given for ``soon``
    seconds, only ``late`` of them wait on. An address that asks without end keeps none of these
    places while another one with fewer of them needs it.
    """

    def __init__(self, at_once: int, late: int, soon: float, patience: float) -> None:
        self._lock = threading.Lock()
        self._free = at_once
        self._waiting: RoundRobin[Waiter] = RoundRobin()
        self._late = late
        self._waiting_late: dict[str, list[Waiter]] = {}  # by address
        self._soon = soon
        self._patience = patience
        self._given = 0.0  # when a request got a turn that had waited for it

    def take(self, address: str) -> bool:
        """Wait for a turn. Return whether there was one in time; it is to be given back."""
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            waiter = Waiter(address)
            self._waiting.put(address, waiter)
        end = time.monotonic() + self._soon + self._patience
        while not waiter.decided.wait(self._soon) and self._is_moving(end):
            pass
        if time.monotonic() < end and self._may_wait_for_long(waiter):
            waiter.decided.wait(end - time.monotonic())
        with self._lock:
            self._decide(waiter)
        return waiter.has_turn

    def give_back(self) -> None:
        """Let another request have it."""
        with self._lock:
            waiter = self._waiting.take()
            if waiter is None:
                self._free += 1
            else:
                waiter.has_turn = True
                self._given = time.monotonic()
                self._decide(waiter)

    def _is_moving(self, end: float) -> bool:
        """Return whether another request got a turn lately, and the end has not come."""
        now = time.monotonic()
        return now < end and now - self._given < self._soon

    def _may_wait_for_long(self, waiter: Waiter) -> bool:
        with self._lock:
            of_address = self._waiting_late.setdefault(waiter.address, [])
            if not waiter.decided.is_set():
                of_address.append(waiter)
            if sum(map(len, self._waiting_late.values())) > self._late:
                # The last one of the address with most places, which may be this one.
                places = self._waiting_late.values()
                self._decide(max(places, key=lambda one: (len(one), one is of_address))[-1])
            return not waiter.decided.is_set()

    def _decide(self, waiter: Waiter) -> None:
        """Let a request wait no longer."""
        if not waiter.has_turn and not waiter.decided.is_set():
            self._waiting.remove(waiter.address, waiter)
        waiter.decided.set()
        of_address = self._waiting_late.get(waiter.address, [])
        if waiter in of_address:
            of_address.remove(waiter)
        if not of_address:
            self._waiting_late.pop(waiter.address, None)


class Turn:
    """The turn of one request, if it got one in time."""

    def __init__(self, turns: Turns, address: str) -> None:
        self._turns = turns
        self.missed = not turns.take(address)
        self._held = not self.missed

    def give_up(self) -> None:
        """Let another have it, unless that is done."""
        if self._held:
            self._held = False
            self._turns.give_back()


class Recording:
    """Those who record at this moment: each uses it as a context.

    They are given way for ``way`` seconds after one has begun, and no longer: he may record a whole
    log, and where many record somebody always does.
    """

    def __init__(self, way: float) -> None:
        self._way = way
        self._many = 0
        self._until = 0.0
        self._changed = threading.Condition()

    def __enter__(self) -> None:
        with self._changed:
            self._many += 1
            self._until = time.monotonic() + self._way

    def __exit__(self, *raised: object) -> None:
        with self._changed:
            self._many -= 1
            self._changed.notify_all()

    def give_way(self) -> None:
        """Wait until nobody records, or for as long as way is given."""
        with self._changed:
            self._changed.wait_for(lambda: not self._many, self._until - time.monotonic())


class InTurn:
    """Lets few requests be worked on at the same time, above all those that only read.

    A small request that records waits for a moment at most, and is never refused for want of a
    turn.
    """

    def __init__(
        self,
        app: "WSGIApplication",
        at_once: int = AT_ONCE,
        late: int = 1,
        soon: float = SOON,
        patience: float = LATE,
        way: float = WAY,
    ) -> None:
        self._app = app
        self._recording = Recording(way)
        self._turns = Turns(at_once, late, soon, patience)
        self._apart = Turns(at_once, late, soon, patience)
        self._following = Turns(1, late, FOLLOWED, patience)
        self._small = Turns(SMALL_AT_ONCE, 0, SMALL_SECONDS, 0.0)
        self._large = Turns(1, late, soon, patience)

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        only_reads = environ["REQUEST_METHOD"] in READS or path in ONLY_READ
        if only_reads and path.startswith(FREE):
            return self._app(environ, start_response)
        turns = self._turns_to_read(path) if only_reads else self._turns_to_record(environ)
        turn = environ[TURN] = Turn(turns, address_of(environ.get("REMOTE_ADDR", "")))
        turn.missed &= turns is not self._small
        try:
            if only_reads:
                self._recording.give_way()
                return self._app(environ, start_response)
            with self._recording:
                return self._app(environ, start_response)
        finally:
            turn.give_up()

    def _turns_to_read(self, path: str) -> Turns:
        if path.endswith(FOLLOWS):
            return self._following
        return self._apart if path.startswith(APART) else self._turns

    def _turns_to_record(self, environ: "WSGIEnvironment") -> Turns:
        is_large = (get_content_length(environ) or 0) > LARGE
        return self._large if is_large else self._small


def refuse_without_turn() -> None:
    """Refuse who did not get a turn in time.

    Raises `BusyError`.
    """
    turn = request.environ.get(TURN)
    if turn is not None and turn.missed:
        raise BusyError("too many ask for what takes long, and there is no room for more just now")


def give_up_own_turn() -> None:
    """Let another read while this thread waits, if it works on a request."""
    if has_request_context():
        give_up_turn(request.environ)


def give_up_turn(environ: "WSGIEnvironment") -> None:
    """Let another read: this request waits now for what is done elsewhere."""
    turn = environ.get(TURN)
    if turn is not None:
        turn.give_up()

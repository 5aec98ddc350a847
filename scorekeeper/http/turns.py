"""Reading in turn: those who look, however many, do not keep those who record waiting.

The threads of a process run one at a time. A writer gives way often, at each statement and at
each turn of the disk, and would then wait behind all who look at that moment. So only a few look
at once, none of them begins for a moment while somebody records, and the others wait before they
begin. Each keeps a thread of the server while he waits: where what is read takes long, few wait for
long, and the others are told to come again.
"""

import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from flask import Flask, has_request_context, request

from scorekeeper.base.errors import Busy

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
SOON: Final = 0.5  # seconds that all may wait
LATE: Final = 5.0  # seconds more that few may wait
WAY: Final = 0.03  # seconds for which those who look give way to those who record
TURN: Final = "scorekeeper.turn"


def init_app(app: Flask, late: int) -> None:
    """Let few read at once; a given number of may wait for long."""
    app.before_request(refuse_without_turn)
    app.wsgi_app = InTurn(app.wsgi_app, late=late)  # type: ignore[method-assign]


class Turns:
    """The turns of a process: how many read at once, and how many wait for long."""

    def __init__(self, at_once: int, late: int, soon: float, patience: float) -> None:
        self._free = threading.Semaphore(at_once)
        self._late = threading.Semaphore(late)
        self._soon = soon
        self._patience = patience

    def take(self) -> bool:
        """Wait for a turn; whether there was one in time. Whoever got one gives it back."""
        if self._free.acquire(timeout=self._soon):
            return True
        if not self._late.acquire(blocking=False):
            return False
        try:
            return self._free.acquire(timeout=self._patience)
        finally:
            self._late.release()

    def give_back(self) -> None:
        """Let another have it."""
        self._free.release()


class Turn:
    """The turn of one request, if it got one in time."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self.missed = not turns.take()
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
    """Lets few requests that only read be worked on at the same time."""

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

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if environ["REQUEST_METHOD"] not in READS and path not in ONLY_READ:
            with self._recording:
                return self._app(environ, start_response)
        if path.startswith(FREE):
            return self._app(environ, start_response)
        turn = environ[TURN] = Turn(self._turns_for(path))
        try:
            self._recording.give_way()
            return self._app(environ, start_response)
        finally:
            turn.give_up()

    def _turns_for(self, path: str) -> Turns:
        if path.endswith(FOLLOWS):
            return self._following
        return self._apart if path.startswith(APART) else self._turns


def refuse_without_turn() -> None:
    """Refuse who did not get a turn in time; Busy."""
    turn = request.environ.get(TURN)
    if turn is not None and turn.missed:
        raise Busy("too many ask for what takes long, and there is no room for more just now")


def give_up_own_turn() -> None:
    """Let another read while this thread waits, if it works on a request."""
    if has_request_context():
        give_up_turn(request.environ)


def give_up_turn(environ: "WSGIEnvironment") -> None:
    """Let another read: this request waits now for what is done elsewhere."""
    turn = environ.get(TURN)
    if turn is not None:
        turn.give_up()

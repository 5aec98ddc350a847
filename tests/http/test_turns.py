"""Readers wait for their turn, writers do not."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from functools import cache, partial
from typing import Any, TypeVar

import pytest
from flask import Flask

from scorekeeper.base.errors import BusyError
from scorekeeper.http.turns import (
    MAX_CONCURRENT_LONG,
    MAX_CONCURRENT_SMALL_WRITES,
    MIN_LARGE_BODY_BYTES,
    READER_BACKOFF_SECONDS,
    TURN_KEY,
    WAIT_SECONDS,
    RequestTurns,
    Turn,
    TurnMiddleware,
    Turns,
    give_up_turn,
    is_postponed,
)

T = TypeVar("T")

THREAD_SECONDS = 5.0  # until a thread ends


class Slow:
    """An application whose requests wait until they are released."""

    def __init__(self) -> None:
        self.inside = threading.Semaphore(0)
        self.go = threading.Event()

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        self.inside.release()
        assert self.go.wait(THREAD_SECONDS)
        if environ["PATH_INFO"] == "/fails":
            raise ZeroDivisionError
        return [environ["REQUEST_METHOD"].encode()]

    def release(self, threads: Iterable[threading.Thread]) -> None:
        """Release all requests, and check that their threads end."""
        self.go.set()
        for thread in threads:
            thread.join(THREAD_SECONDS)
            assert not thread.is_alive()


@cache
def event_loop() -> asyncio.AbstractEventLoop:
    """Return a loop that runs in a thread of its own, as that of the server."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop


def awaited(waiting: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine of the loop returns."""
    return asyncio.run_coroutine_threadsafe(waiting, event_loop()).result(2 * THREAD_SECONDS)


class Served:
    """An application whose requests take their turns in the loop, and are answered in threads."""

    def __init__(
        self, app: Any, backoff_seconds: float = READER_BACKOFF_SECONDS, **limits: Any
    ) -> None:
        self._turns = RequestTurns(**limits)
        self.middleware = TurnMiddleware(app, backoff_seconds)

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        turn = self._turns.turn_of(environ, environ.get("REMOTE_ADDR", ""))
        if not turn.take_free():
            awaited(turn.take())
        if turn.missed:
            return [b"refused"]
        return self.middleware(environ, start_response)


def ask(
    app: Any, method: str, path: str = "/", address: str = "", size: int = 0
) -> threading.Thread:
    environ = {
        "REQUEST_METHOD": method, "PATH_INFO": path, "REMOTE_ADDR": address,
        "CONTENT_LENGTH": str(size),
    }  # fmt: skip
    thread = threading.Thread(target=app, args=(environ, None), daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize(("method", "comes_in"), [("GET", False), ("HEAD", False), ("POST", True)])
def test_only_writers_enter_while_reads_are_running(method: str, comes_in: bool) -> None:
    slow = Slow()
    app = Served(slow, capacity=2, wait_seconds=THREAD_SECONDS)
    threads = [ask(app, "GET"), ask(app, "HEAD")]
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    threads.append(ask(app, method))
    assert slow.inside.acquire(timeout=THREAD_SECONDS if comes_in else 0.1) is comes_in
    slow.release(threads)


def test_reader_begins_after_the_writers() -> None:
    slow = Slow()
    app = Served(slow, backoff_seconds=THREAD_SECONDS)
    threads = [ask(app, "POST"), ask(app, "POST")]
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    threads.append(ask(app, "GET"))
    assert not slow.inside.acquire(timeout=0.1)
    slow.go.set()
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    for thread in threads:
        thread.join(THREAD_SECONDS)
        assert not thread.is_alive()


def test_reader_waits_for_writers_up_to_a_limit() -> None:
    slow = Slow()
    app = Served(slow, backoff_seconds=0.02)
    threads = [ask(app, "POST"), ask(app, "GET")]
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    slow.release(threads)


def test_slow_writer_does_not_delay_readers() -> None:
    slow = Slow()
    app = Served(slow, backoff_seconds=0.5)
    threads = [ask(app, "POST")]
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    time.sleep(0.5)
    began = time.monotonic()
    threads.append(ask(app, "GET"))
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    assert time.monotonic() < began + 0.5
    slow.release(threads)


@pytest.mark.parametrize(("method", "path"), [("GET", "/static/style.css"), ("POST", "/verify")])
def test_readers_do_not_wait_for_requests_that_record_nothing(method: str, path: str) -> None:
    slow = Slow()
    app = Served(slow, backoff_seconds=2 * THREAD_SECONDS)
    threads = [ask(app, method, path)]
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    threads.append(ask(app, "GET"))
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    slow.release(threads)


def missed(app: Any, path: str = "/") -> bool:
    """Return whether a reader got no turn."""
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path}
    app(environ, None)
    return TURN_KEY in environ and environ[TURN_KEY].missed  # type: ignore[attr-defined]


def test_stream_does_not_wait_for_readers() -> None:
    slow = Slow()
    app = Served(slow, capacity=1, wait_seconds=THREAD_SECONDS)
    follows = "/api/sessions/23456789abcd/stream"
    threads = [ask(app, "GET"), ask(app, "GET", follows)]
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    threads.append(ask(app, "GET", follows))
    assert not slow.inside.acquire(timeout=0.7)
    slow.release(threads)


PUBLIC = "/published/z"


def test_few_readers_of_public_pages_wait_long_for_slow_reads() -> None:
    slow = Slow()
    app = Served(slow, max_long_waits=1, wait_seconds=0.1, long_wait_seconds=THREAD_SECONDS)
    first = ask(app, "GET", PUBLIC)
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    waits = ask(app, "GET", PUBLIC)
    time.sleep(0.15)  # by now the wait counts as long
    slow.go.set()
    began = time.monotonic()
    assert app({"REQUEST_METHOD": "GET", "PATH_INFO": PUBLIC}, None) == [b"GET"]
    for thread in (first, waits):
        thread.join(THREAD_SECONDS)
        assert not thread.is_alive()
    slow.go.clear()
    first = ask(app, "GET", PUBLIC)
    waits = ask(app, "GET", PUBLIC)
    time.sleep(0.15)
    timer = threading.Timer(0.3, slow.go.set)
    timer.start()
    assert missed(app, PUBLIC)
    assert time.monotonic() - began < THREAD_SECONDS
    for thread in (timer, first, waits):
        thread.join(THREAD_SECONDS)


def test_wait_for_a_turn_is_limited() -> None:
    slow = Slow()
    app = Served(slow, capacity=1, wait_seconds=0.02, long_wait_seconds=0.05)
    thread = ask(app, "GET")
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    threading.Timer(0.2, slow.go.set).start()
    assert missed(app)
    assert not missed(app, "/static/style.css")  # needs no turn
    thread.join(THREAD_SECONDS)
    assert not missed(app)


def test_request_that_gave_up_its_turn_returns_none() -> None:
    turns: list[Any] = []

    def app(environ: Any, start_response: Any) -> list[bytes]:
        turns.append(environ[TURN_KEY])
        give_up_turn(environ)
        give_up_turn(environ)
        return [b""]

    in_turn = Served(app, capacity=1, wait_seconds=0.02, long_wait_seconds=0.02)
    slow = Slow()
    assert not missed(in_turn)
    in_turn.middleware._app = slow
    thread = ask(in_turn, "GET")
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    threading.Timer(0.2, slow.go.set).start()
    assert missed(in_turn)  # otherwise two requests would have entered
    thread.join(THREAD_SECONDS)


def test_turn_is_returned_after_a_failure() -> None:
    slow = Slow()
    slow.go.set()
    app = Served(slow, capacity=1, wait_seconds=THREAD_SECONDS)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            app({"REQUEST_METHOD": "GET", "PATH_INFO": "/fails"}, None)


def test_requests_without_the_database_need_no_turn() -> None:
    slow = Slow()
    app = Served(slow, capacity=1, wait_seconds=THREAD_SECONDS)
    threads = [ask(app, "GET", "/t/x")]
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    threads.append(ask(app, "GET", "/rules/picchetto"))
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    slow.release(threads)


# ------------------------------------------------------------------------------ addresses


class TurnRequests:
    """Threads that request turns and keep them, and whether each got one."""

    def __init__(self, turns: Turns, *holders: str) -> None:
        """Take a free turn for each of the ``holders``."""
        self._turns = turns
        self.answers: list[tuple[str, bool]] = []  # in the order of the answers
        self._holding = [*holders]
        assert all(map(turns.take_free, holders))

    def by(self, address: str, many: int = 1) -> None:
        """Request turns in this many threads, one after the other."""
        for _ in range(many):
            more = self._known() + 1
            threading.Thread(target=self._ask, args=(address,), daemon=True).start()
            until(partial(self._knows, more))

    def _knows(self, many: int) -> bool:
        return self._known() >= many

    def _known(self) -> int:
        return len(self.answers) + len(self._turns._waiting)

    def _ask(self, address: str) -> None:
        has_turn = awaited(self._turns.take(address))
        self._holding += [address] * has_turn
        self.answers.append((address, has_turn))

    def give_back(self) -> None:
        """Give back the turn that is held for the longest time."""
        self._turns.give_back(self._holding.pop(0))

    def answered(self, many: int) -> list[tuple[str, bool]]:
        """Return the first answers."""
        until(lambda: len(self.answers) >= many)
        return self.answers[:many]


def until(happened: Callable[[], bool]) -> None:
    """Wait for a condition that another thread fulfils."""
    end = time.monotonic() + THREAD_SECONDS
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_waiting_addresses_take_turns() -> None:
    turns = Turns(capacity=1, max_long_waits=0, wait_seconds=THREAD_SECONDS, long_wait_seconds=0)
    asked = TurnRequests(turns, "first")
    asked.by("attacker", 5)
    asked.by("table")
    for many in range(1, 7):
        asked.give_back()
        asked.answered(many)
    assert [address for address, _ in asked.answers].index("table") == 1
    assert all(has_turn for _, has_turn in asked.answers)


def test_address_cannot_keep_all_waiting_places() -> None:
    """Another address takes a place from it; the last waiting request loses its place."""
    turns = Turns(capacity=1, max_long_waits=3, wait_seconds=0.01, long_wait_seconds=THREAD_SECONDS)
    asked = TurnRequests(turns, "first")
    asked.by("attacker", 3)
    until(lambda: len(turns._long_waiting.get("attacker", ())) == 3)
    asked.by("table")
    assert asked.answered(1) == [("attacker", False)]
    asked.by("attacker")
    assert asked.answered(2)[1] == ("attacker", False)
    for many in (3, 4, 5):
        asked.give_back()
        asked.answered(many)
    assert sorted(asked.answers[2:]) == [("attacker", True), ("attacker", True), ("table", True)]


def test_single_address_gets_all_turns() -> None:
    turns = Turns(capacity=2, max_long_waits=0, wait_seconds=THREAD_SECONDS, long_wait_seconds=0)
    asked = TurnRequests(turns)
    asked.by("hall", 30)
    for many in range(2, 30):
        asked.answered(many)
        asked.give_back()
    assert asked.answered(30) == [("hall", True)] * 30


def test_requests_wait_while_turns_are_given() -> None:
    turns = Turns(1, max_long_waits=0, wait_seconds=0.4, long_wait_seconds=0.0, moving_seconds=30.0)
    asked = TurnRequests(turns, "first")
    asked.by("hall", 10)
    for many in range(1, 11):
        time.sleep(0.15)  # the last one waits nearly four times longer than without that
        asked.give_back()
        asked.answered(many)
    assert asked.answers == [("hall", True)] * 10


def test_request_that_waits_no_longer_keeps_no_turn() -> None:
    async def leave(*, with_turn: bool) -> None:
        waiting = asyncio.ensure_future(turns.take("table"))
        await asyncio.sleep(0)
        if with_turn:
            turns.give_back("first")
        waiting.cancel()
        with suppress(asyncio.CancelledError):
            await waiting

    turns = Turns(1, max_long_waits=0, wait_seconds=THREAD_SECONDS, long_wait_seconds=0.0)
    assert turns.take_free("first")
    awaited(leave(with_turn=False))
    assert not turns._waiting
    assert not turns.take_free("first")
    awaited(leave(with_turn=True))
    assert turns.take_free("first")


def test_large_bodies_are_read_one_at_a_time_without_delaying_small_ones() -> None:
    slow = Slow()
    app = Served(slow, wait_seconds=THREAD_SECONDS)
    threads = [ask(app, "POST", size=MIN_LARGE_BODY_BYTES + 1) for _ in range(2)]
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    assert not slow.inside.acquire(timeout=0.1)
    threads.append(ask(app, "POST", size=MIN_LARGE_BODY_BYTES))
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    slow.release(threads)


def test_address_that_records_slowly_does_not_take_all_threads() -> None:
    slow = Slow()
    app = Served(slow, wait_seconds=THREAD_SECONDS)
    threads = [ask(app, "POST", address="attacker") for _ in range(10)]
    for _ in range(MAX_CONCURRENT_SMALL_WRITES):
        assert slow.inside.acquire(timeout=THREAD_SECONDS)
    assert not slow.inside.acquire(timeout=0.1)
    threads.append(ask(app, "POST", address="table"))
    assert slow.inside.acquire(timeout=THREAD_SECONDS)
    slow.release(threads)


def test_few_small_requests_run_from_however_many_addresses() -> None:
    slow = Slow()
    app = Served(slow, wait_seconds=THREAD_SECONDS)
    threads = [ask(app, "POST", address=f"attacker {n}") for n in range(20)]
    for _ in range(2 * MAX_CONCURRENT_SMALL_WRITES):
        assert slow.inside.acquire(timeout=THREAD_SECONDS)
    assert not slow.inside.acquire(timeout=0.1)
    slow.release(threads)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_small_requests_are_not_refused_while_the_database_is_slow(method: str) -> None:
    slow = Slow()
    app = Served(slow)
    threads = [ask(app, method, address="hall") for _ in range(50)]
    time.sleep(2 * WAIT_SECONDS)
    slow.release(threads)
    for _ in threads:
        assert slow.inside.acquire(timeout=0)


def test_reserved_turn_is_for_an_address_without_another() -> None:
    turns = Turns(2, 0, wait_seconds=THREAD_SECONDS, long_wait_seconds=0.0, reserved=1)
    assert [turns.take_free("crowd") for _ in range(3)] == [True, True, False]
    assert turns.take_free("table")
    assert not turns.take_free("another")
    assert set(turns._running) == {"crowd", "table"}
    turns.give_back("crowd")
    assert not turns.take_free("crowd")  # two turns are in use beside the reserved one
    assert turns.take_free("another")


def test_public_pages_wait_for_one_another_and_not_with_the_tables() -> None:
    turns = RequestTurns()

    def turn_of(path: str, address: str = "10.0.0.1") -> bool:
        environ: Any = {"REQUEST_METHOD": "GET", "PATH_INFO": path}
        return turns.turn_of(environ, address).take_free()

    assert [turn_of("/published/z"), turn_of("/api/published/z")] == [True, False]
    reads = [turn_of("/t/z"), turn_of("/club/z"), turn_of("/t/z"), turn_of("/t/z", "10.0.0.2")]
    assert reads == [True, True, False, True]  # one is reserved


def test_waiting_request_gets_the_first_turn_that_its_address_may_have() -> None:
    turns = Turns(1, 0, wait_seconds=THREAD_SECONDS, long_wait_seconds=0.0, reserved=1)
    asked = TurnRequests(turns, "crowd", "table")
    asked.by("crowd")
    asked.by("another")
    asked.give_back()
    assert asked.answered(1) == [("crowd", True)]
    asked.give_back()
    assert asked.answered(2)[1] == ("another", True)


# ------------------------------------------------------------------------ long requests


class LongRequests:
    """Requests of addresses in a request context, which exchange their turns."""

    def __init__(self, **limits: Any) -> None:
        self.turns = RequestTurns(**limits)
        self._app = Flask(__name__)

    def turn(self, address: str, method: str = "GET") -> Turn:
        """Return the turn of a new request, which has begun."""
        turn = self.turns.turn_of({"REQUEST_METHOD": method, "PATH_INFO": "/"}, address)
        assert turn.take_free()
        return turn

    def is_admitted(self, turn: Turn, admit: Callable[[], None]) -> bool:
        """Return whether a request may go on; it is postponed otherwise."""
        with self._app.test_request_context(environ_overrides={TURN_KEY: turn}):
            assert not is_postponed()
            try:
                admit()
            except BusyError:
                assert is_postponed()
                return False
            return True


def test_long_request_needs_a_turn_of_few_and_leaves_its_own_to_short_ones() -> None:
    requests = LongRequests(capacity=1, max_long_waits=8)
    running = []
    for _ in range(MAX_CONCURRENT_LONG):
        running.append(requests.turn("crowd"))
        assert requests.is_admitted(running[-1], requests.turns.before_long_work)
    postponed = requests.turn("crowd")
    assert not requests.is_admitted(postponed, requests.turns.before_long_work)
    other = requests.turn("table")
    assert requests.is_admitted(other, requests.turns.before_long_work)
    assert requests.is_admitted(other, requests.turns.before_long_work)  # it has its turn
    for turn in running[:2]:  # of five, one of which was reserved
        turn.give_up()
    assert postponed.take_free()
    assert requests.is_admitted(postponed, requests.turns.before_long_work)


def test_request_that_waits_for_another_one_takes_no_turn_to_compute() -> None:
    requests = LongRequests(max_long_waits=1)
    assert requests.is_admitted(requests.turn("crowd"), requests.turns.before_wait)
    assert not requests.is_admitted(requests.turn("crowd"), requests.turns.before_wait)
    computes = requests.turn("crowd")
    assert requests.is_admitted(computes, requests.turns.before_long_work)
    assert requests.is_admitted(computes, requests.turns.before_wait)  # with the turn that it has


def test_request_that_stores_events_does_not_begin_again() -> None:
    requests = LongRequests(max_long_waits=1)
    assert requests.is_admitted(requests.turn("crowd"), requests.turns.before_long_work)
    storing = requests.turn("crowd", "POST")
    assert requests.is_admitted(storing, requests.turns.before_commit)
    assert requests.is_admitted(storing, requests.turns.before_long_work)


def test_thread_without_a_request_is_admitted() -> None:
    turns = RequestTurns()
    for admit in (turns.before_wait, turns.before_long_work, turns.before_commit):
        admit()
    assert not is_postponed()

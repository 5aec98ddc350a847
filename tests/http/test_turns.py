"""Those who look wait for their turn, those who record do not."""

import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pytest

from scorekeeper.http.turns import LARGE, TURN, InTurn, Turns, give_up_turn

SOON = 5.0  # seconds


class Slow:
    """An application whose requests wait until they are let go."""

    def __init__(self) -> None:
        self.inside = threading.Semaphore(0)
        self.go = threading.Event()

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        self.inside.release()
        assert self.go.wait(SOON)
        if environ["PATH_INFO"] == "/fails":
            raise ZeroDivisionError
        return [environ["REQUEST_METHOD"].encode()]

    def let_go(self, threads: Iterable[threading.Thread]) -> None:
        """Let all go on, and see that they end."""
        self.go.set()
        for thread in threads:
            thread.join(SOON)
            assert not thread.is_alive()


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
def test_while_others_look_only_who_records_comes_in(method: str, comes_in: bool) -> None:
    slow = Slow()
    app = InTurn(slow, at_once=2, soon=SOON)
    threads = [ask(app, "GET"), ask(app, "HEAD")]
    assert slow.inside.acquire(timeout=SOON)
    assert slow.inside.acquire(timeout=SOON)
    threads.append(ask(app, method))
    assert slow.inside.acquire(timeout=SOON if comes_in else 0.1) is comes_in
    slow.let_go(threads)


def test_who_looks_begins_when_those_who_record_are_done() -> None:
    slow = Slow()
    app = InTurn(slow, way=SOON)
    threads = [ask(app, "POST"), ask(app, "POST")]
    assert slow.inside.acquire(timeout=SOON)
    assert slow.inside.acquire(timeout=SOON)
    threads.append(ask(app, "GET"))
    assert not slow.inside.acquire(timeout=0.1)
    slow.go.set()
    assert slow.inside.acquire(timeout=SOON)
    for thread in threads:
        thread.join(SOON)
        assert not thread.is_alive()


def test_who_looks_does_not_wait_for_long_while_somebody_records() -> None:
    slow = Slow()
    app = InTurn(slow, way=0.02)
    threads = [ask(app, "POST"), ask(app, "GET")]
    assert slow.inside.acquire(timeout=SOON)
    assert slow.inside.acquire(timeout=SOON)
    slow.let_go(threads)


def test_who_records_for_long_keeps_nobody_who_looks() -> None:
    slow = Slow()
    app = InTurn(slow, way=0.5)
    threads = [ask(app, "POST")]
    assert slow.inside.acquire(timeout=SOON)
    time.sleep(0.5)
    began = time.monotonic()
    threads.append(ask(app, "GET"))
    assert slow.inside.acquire(timeout=SOON)
    assert time.monotonic() < began + 0.5
    slow.let_go(threads)


@pytest.mark.parametrize(("method", "path"), [("GET", "/static/style.css"), ("POST", "/verify")])
def test_nobody_gives_way_to_who_records_nothing(method: str, path: str) -> None:
    slow = Slow()
    app = InTurn(slow, way=2 * SOON)
    threads = [ask(app, method, path)]
    assert slow.inside.acquire(timeout=SOON)
    threads.append(ask(app, "GET"))
    assert slow.inside.acquire(timeout=SOON)
    slow.let_go(threads)


def missed(app: Any, path: str = "/") -> bool:
    """Whether somebody who reads is told that there was no turn for him."""
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path}
    app(environ, None)
    return TURN in environ and environ[TURN].missed  # type: ignore[attr-defined]


def test_who_begins_to_follow_does_not_wait_for_who_looks() -> None:
    slow = Slow()
    app = InTurn(slow, at_once=1, soon=SOON)
    follows = "/api/sessions/23456789abcd/stream"
    threads = [ask(app, "GET"), ask(app, "GET", follows)]
    assert slow.inside.acquire(timeout=SOON)
    assert slow.inside.acquire(timeout=SOON)
    threads.append(ask(app, "GET", follows))
    assert not slow.inside.acquire(timeout=0.7)
    slow.let_go(threads)


def test_where_reading_takes_long_few_wait_for_long() -> None:
    slow = Slow()
    app = InTurn(slow, at_once=1, late=1, soon=0.1, patience=SOON)
    first = ask(app, "GET")
    assert slow.inside.acquire(timeout=SOON)
    waits = ask(app, "GET")
    time.sleep(0.15)  # by now it waits for long
    slow.go.set()
    began = time.monotonic()
    assert app({"REQUEST_METHOD": "GET", "PATH_INFO": "/"}, None) == [b"GET"]  # type: ignore[arg-type]
    for thread in (first, waits):
        thread.join(SOON)
        assert not thread.is_alive()
    slow.go.clear()
    first = ask(app, "GET")
    waits = ask(app, "GET")
    time.sleep(0.15)
    timer = threading.Timer(0.3, slow.go.set)
    timer.start()
    assert missed(app)
    assert time.monotonic() - began < SOON
    for thread in (timer, first, waits):
        thread.join(SOON)


def test_nobody_waits_longer_than_has_patience() -> None:
    slow = Slow()
    app = InTurn(slow, at_once=1, soon=0.02, patience=0.05)
    thread = ask(app, "GET")
    assert slow.inside.acquire(timeout=SOON)
    threading.Timer(0.2, slow.go.set).start()
    assert missed(app)
    assert not missed(app, "/static/style.css")  # which needs no turn
    thread.join(SOON)
    assert not missed(app)


def test_who_gave_his_turn_up_gives_none_back() -> None:
    turns: list[Any] = []

    def app(environ: Any, start_response: Any) -> list[bytes]:
        turns.append(environ[TURN])
        give_up_turn(environ)
        give_up_turn(environ)
        return [b""]

    in_turn = InTurn(app, at_once=1, soon=0.02, patience=0.02)
    slow = Slow()
    assert not missed(in_turn)
    in_turn._app = slow
    thread = ask(in_turn, "GET")
    assert slow.inside.acquire(timeout=SOON)
    threading.Timer(0.2, slow.go.set).start()
    assert missed(in_turn)  # else two would have been let in
    thread.join(SOON)


def test_a_turn_is_given_back_where_the_answer_fails() -> None:
    slow = Slow()
    slow.go.set()
    app = InTurn(slow, at_once=1, soon=SOON)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            app({"REQUEST_METHOD": "GET", "PATH_INFO": "/fails"}, None)  # type: ignore[arg-type]


def test_what_needs_no_database_does_not_wait_for_those_who_do() -> None:
    slow = Slow()
    app = InTurn(slow, at_once=1, soon=SOON)
    threads = [ask(app, "GET", "/t/x")]
    assert slow.inside.acquire(timeout=SOON)
    threads.append(ask(app, "GET", "/rules/picchetto"))
    assert slow.inside.acquire(timeout=SOON)
    slow.let_go(threads)


# ------------------------------------------------------------------------------ addresses


class Asked:
    """Threads that ask for turns, and whether each got one; none is given back by itself."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self.answers: list[tuple[str, bool]] = []  # in the order in which they came

    def by(self, address: str, many: int = 1) -> None:
        """Ask in as many threads, one after the other."""
        for _ in range(many):
            more = self._known() + 1
            threading.Thread(target=self._ask, args=(address,), daemon=True).start()
            until(partial(self._knows, more))

    def _knows(self, many: int) -> bool:
        return self._known() >= many

    def _known(self) -> int:
        return len(self.answers) + len(self._turns._waiting)

    def _ask(self, address: str) -> None:
        self.answers.append((address, self._turns.take(address)))

    def answered(self, many: int) -> list[tuple[str, bool]]:
        """The first so many answers."""
        until(lambda: len(self.answers) >= many)
        return self.answers[:many]


def until(happened: Callable[[], bool]) -> None:
    """Wait until something happened in another thread."""
    end = time.monotonic() + SOON
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_addresses_that_wait_take_turns() -> None:
    turns = Turns(at_once=1, late=0, soon=SOON, patience=0)
    assert turns.take("attacker")
    asked = Asked(turns)
    asked.by("attacker", 5)
    asked.by("table")
    for many in range(1, 7):
        turns.give_back()
        asked.answered(many)
    assert [address for address, _ in asked.answers].index("table") == 1
    assert all(has_turn for _, has_turn in asked.answers)


def test_an_address_does_not_keep_all_places_to_wait() -> None:
    """Another one takes a place from it; of several, the last that came loses it."""
    turns = Turns(at_once=1, late=3, soon=0.01, patience=SOON)
    assert turns.take("attacker")
    asked = Asked(turns)
    asked.by("attacker", 3)
    until(lambda: len(turns._waiting_late.get("attacker", ())) == 3)
    asked.by("table")
    assert asked.answered(1) == [("attacker", False)]
    asked.by("attacker")
    assert asked.answered(2)[1] == ("attacker", False)
    for many in (3, 4, 5):
        turns.give_back()
        asked.answered(many)
    assert sorted(asked.answers[2:]) == [("attacker", True), ("attacker", True), ("table", True)]


def test_many_requests_of_an_address_get_their_turns_while_no_other_asks() -> None:
    turns = Turns(at_once=2, late=0, soon=SOON, patience=0)
    asked = Asked(turns)
    asked.by("hall", 30)
    for many in range(2, 30):
        asked.answered(many)
        turns.give_back()
    assert asked.answered(30) == [("hall", True)] * 30


def test_large_bodies_are_read_one_at_a_time_and_keep_no_small_one() -> None:
    slow = Slow()
    app = InTurn(slow, soon=SOON)
    threads = [ask(app, "POST", size=LARGE + 1) for _ in range(2)]
    assert slow.inside.acquire(timeout=SOON)
    assert not slow.inside.acquire(timeout=0.1)
    threads.append(ask(app, "POST", size=LARGE))
    assert slow.inside.acquire(timeout=SOON)
    slow.let_go(threads)


def test_a_small_body_does_not_wait_for_long_and_is_not_refused() -> None:
    slow = Slow()
    app = InTurn(slow)
    threads = [ask(app, "POST", address="attacker") for _ in range(10)]
    threads.append(ask(app, "POST", address="table"))
    for _ in threads:
        assert slow.inside.acquire(timeout=SOON)
    slow.let_go(threads)

"""Those who look wait for their turn, those who record do not."""

import threading
import time
from collections.abc import Iterable
from typing import Any

import pytest

from scorekeeper.http.turns import TURN, InTurn, give_up_turn

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


def ask(app: Any, method: str, path: str = "/") -> threading.Thread:
    thread = threading.Thread(
        target=app, args=({"REQUEST_METHOD": method, "PATH_INFO": path}, None), daemon=True
    )
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

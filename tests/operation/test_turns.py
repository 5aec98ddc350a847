"""Those who look wait for their turn, those who record do not."""

import threading
from collections.abc import Iterable
from typing import Any

import pytest

from scorekeeper.operation.turns import InTurn

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


def ask(app: Any, method: str, path: str = "/") -> threading.Thread:
    thread = threading.Thread(
        target=app, args=({"REQUEST_METHOD": method, "PATH_INFO": path}, None), daemon=True
    )
    thread.start()
    return thread


@pytest.mark.parametrize(("method", "comes_in"), [("GET", False), ("HEAD", False), ("POST", True)])
def test_while_others_look_only_who_records_comes_in(method: str, comes_in: bool) -> None:
    slow = Slow()
    app = InTurn(slow, at_once=2, patience=SOON)
    threads = [ask(app, "GET"), ask(app, "HEAD")]
    assert slow.inside.acquire(timeout=SOON)
    assert slow.inside.acquire(timeout=SOON)
    threads.append(ask(app, method))
    assert slow.inside.acquire(timeout=SOON if comes_in else 0.1) is comes_in
    slow.go.set()
    for thread in threads:
        thread.join(SOON)
        assert not thread.is_alive()


def test_nobody_waits_longer_than_has_patience() -> None:
    slow = Slow()
    app = InTurn(slow, at_once=1, patience=0.05)
    threads = [ask(app, "GET"), ask(app, "GET")]
    assert slow.inside.acquire(timeout=SOON)
    assert slow.inside.acquire(timeout=SOON)
    slow.go.set()
    for thread in threads:
        thread.join(SOON)
    assert app({"REQUEST_METHOD": "GET", "PATH_INFO": "/"}, None) == [b"GET"]  # type: ignore[arg-type]


def test_a_turn_is_given_back_where_the_answer_fails() -> None:
    slow = Slow()
    slow.go.set()
    app = InTurn(slow, at_once=1, patience=SOON)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            app({"REQUEST_METHOD": "GET", "PATH_INFO": "/fails"}, None)  # type: ignore[arg-type]


def test_who_did_not_wait_for_a_turn_gives_none_back() -> None:
    slow = Slow()
    app = InTurn(slow, at_once=1, patience=0.01)
    impatient = [ask(app, "GET") for _ in range(4)]
    for _ in impatient:
        assert slow.inside.acquire(timeout=SOON)
    slow.go.set()
    for thread in impatient:
        thread.join(SOON)
    slow.go.clear()
    app.patience = SOON
    first, second = ask(app, "GET"), ask(app, "GET")
    assert slow.inside.acquire(timeout=SOON)
    assert not slow.inside.acquire(timeout=0.1)
    slow.go.set()
    for thread in (first, second):
        thread.join(SOON)

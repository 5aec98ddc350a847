"""Phones that take the same seat concurrently, over HTTP and two processes: one gets it."""

import random
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from typing import Any, Final
from urllib.parse import urlencode

import pytest

from scorekeeper.store import Store, open_store
from tests.conftest import SOAK
from tests.faults.running import RestartableServer, ServerPair
from tests.operation.serving import Answer

PHONES: Final = 6
FEW: Final = 2  # phones, as many as the altered service has connections
ROUNDS: Final = 1_000 if SOAK else 20
LOCALHOST: Final = "127.0.0.1"
OURS: Final = {
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/x-www-form-urlencoded",
}
TAKEN: Final = "This seat was taken just now, on another phone"


@contextmanager
def phones(port: int, count: int) -> Iterator[list[HTTPConnection]]:
    """Connect phones from an unused address."""
    address = f"127.{random.randint(1, 254)}.{random.randint(1, 254)}.2"  # noqa: S311
    with ExitStack() as stack:
        seated = [
            HTTPConnection(LOCALHOST, port, timeout=30, source_address=(address, 0))
            for _ in range(count)
        ]
        for phone in seated:
            stack.enter_context(closing(phone)).connect()
        yield seated


def post_concurrently(port: int, count: int, path: str, **form: str) -> list[Answer]:
    """Send the same form from many phones at the same time, and return the answers."""
    together = threading.Barrier(count)

    def send(phone: HTTPConnection) -> Answer:
        together.wait()
        phone.request("POST", path, urlencode(form), OURS)
        answer = phone.getresponse()
        return Answer(answer.status, dict(answer.headers), answer.read())

    with phones(port, count) as all_of_them, ThreadPoolExecutor(count) as pool:
        return list(pool.map(send, all_of_them))


def in_use(store: Store, session: Any) -> int:
    """Return the number of valid seat keys that have been used."""
    keys = [key for key in store.keys(session["id"]) if key.player and not key.revoked]
    return sum(key.last_used is not None for key in keys)


def wins(answers: list[Answer]) -> int:
    """Return how many took the seat; check that the others get the reason."""
    assert {answer.status for answer in answers} <= {303, 409}
    assert all(TAKEN in answer.body.decode() for answer in answers if answer.status == 409)
    return sum(answer.status == 303 for answer in answers)


def by_code(running: RestartableServer, url: str, rounds: int, count: int = PHONES) -> None:
    """Let phones race for a seat with the code of a table; check that one takes it with one key."""
    outcomes = Counter[tuple[int, int]]()
    with open_store(url) as store:
        for _ in range(rounds):
            session = running.server.open_session()
            code = store.new_code(session["id"], 900)
            won = wins(post_concurrently(running.port, count, "/code", code=code, seat="mara"))
            outcomes[won, in_use(store, session)] += 1
    assert outcomes == {(1, 1): rounds}


def by_link(running: RestartableServer, rounds: int, count: int = PHONES) -> None:
    """Let phones race for a seat with its link; check that one takes it."""
    outcomes = Counter[int]()
    for _ in range(rounds):
        link = running.server.open_session()["keys"]["seats"]["mara"]
        outcomes[wins(post_concurrently(running.port, count, "/join", key=link))] += 1
    assert outcomes == {1: rounds}


def test_seat_is_taken_by_one_phone(processes: ServerPair) -> None:
    by_code(processes.sound, processes.url, ROUNDS)


def test_link_to_a_seat_is_taken_by_one_phone(processes: ServerPair) -> None:
    by_link(processes.sound, ROUNDS // 5)


@pytest.mark.soak
def test_service_that_takes_seats_without_a_lock_is_detected(processes: ServerPair) -> None:
    with processes.altered.with_fault("looks and then writes"):
        with pytest.raises(AssertionError, match=r"Counter\(\{\(2, 2\): 1"):
            by_code(processes.altered, processes.url, 1, FEW)
        with pytest.raises(AssertionError, match=r"Counter\(\{2: 1\}\)"):
            by_link(processes.altered, 1, FEW)

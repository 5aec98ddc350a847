"""Phones that want the same seat at once, over HTTP and two processes: one gets it."""

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
from tests.faults.running import Again, Two
from tests.operation.serving import Answer

pytestmark = [pytest.mark.soak] if SOAK else []  # where it tries many more

PHONES: Final = 6
FEW: Final = 2  # as many as the altered service has connections for
ROUNDS: Final = 1_000 if SOAK else 20
HERE: Final = "127.0.0.1"
OURS: Final = {
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/x-www-form-urlencoded",
}
TAKEN: Final = "This seat was taken just now, on another phone"


@contextmanager
def phones(port: int, count: int) -> Iterator[list[HTTPConnection]]:
    """Phones behind an address of their own, each connected."""
    address = f"127.{random.randint(1, 254)}.{random.randint(1, 254)}.2"  # noqa: S311
    with ExitStack() as stack:
        found = [
            HTTPConnection(HERE, port, timeout=30, source_address=(address, 0))
            for _ in range(count)
        ]
        for phone in found:
            stack.enter_context(closing(phone)).connect()
        yield found


def at_once(port: int, count: int, path: str, **form: str) -> list[Answer]:
    """The answers to so many phones that send the same form at the same time."""
    together = threading.Barrier(count)

    def send(phone: HTTPConnection) -> Answer:
        together.wait()
        phone.request("POST", path, urlencode(form), OURS)
        answer = phone.getresponse()
        return Answer(answer.status, dict(answer.headers), answer.read())

    with phones(port, count) as all_of_them, ThreadPoolExecutor(count) as pool:
        return list(pool.map(send, all_of_them))


def in_use(store: Store, session: Any) -> int:
    """How many keys that open it have been used to speak for its player."""
    keys = [key for key in store.keys(session["id"]) if key.player and not key.revoked]
    return sum(key.last_used is not None for key in keys)


def wins(told: list[Answer]) -> int:
    """How many sat down; the others are told what happened."""
    assert {one.status for one in told} <= {303, 409}
    assert all(TAKEN in one.body.decode() for one in told if one.status == 409)
    return sum(one.status == 303 for one in told)


def by_code(running: Again, url: str, rounds: int, count: int = PHONES) -> None:
    """Let phones race for a seat by the code of a table; one sits down, by one key."""
    told = Counter[tuple[int, int]]()
    with open_store(url) as store:
        for _ in range(rounds):
            session = running.server.open_session()
            code = store.new_code(session["id"], 900)
            won = wins(at_once(running.port, count, "/code", code=code, seat="mara"))
            told[won, in_use(store, session)] += 1
    assert told == {(1, 1): rounds}


def by_link(running: Again, rounds: int, count: int = PHONES) -> None:
    """Let phones race for a seat by its link; one sits down."""
    told = Counter[int]()
    for _ in range(rounds):
        link = running.server.open_session()["keys"]["seats"]["mara"]
        told[wins(at_once(running.port, count, "/join", key=link))] += 1
    assert told == {1: rounds}


def test_a_seat_is_taken_by_one_phone(processes: Two) -> None:
    by_code(processes.sound, processes.url, ROUNDS)


def test_the_link_to_a_seat_is_taken_by_one_phone(processes: Two) -> None:
    by_link(processes.sound, ROUNDS // 5)


@pytest.mark.soak
def test_a_service_that_looks_and_then_writes_is_found_out(processes: Two) -> None:
    with processes.altered.broken("looks and then writes"):
        with pytest.raises(AssertionError, match=r"Counter\(\{\(2, 2\): 1"):
            by_code(processes.altered, processes.url, 1, FEW)
        with pytest.raises(AssertionError, match=r"Counter\(\{2: 1\}\)"):
            by_link(processes.altered, 1, FEW)

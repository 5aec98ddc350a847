"""Writers who race for one version, and requests that come more than once."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

import pytest

from scorekeeper.errors import StaleVersion
from scorekeeper.log.writing import now
from scorekeeper.store import MemoryStore, Store, open_store, streams
from scorekeeper.store.contract import Answer, Appended, New, Repeated, Request
from tests.conftest import SOAK
from tests.store.asking import answer, note, opened, request, whole
from tests.store.homes import Home
from tests.store.processes import FORKS

# Many processes for many seconds: they run with the other long tests.
pytestmark = pytest.mark.soak

# Writers, rounds, and the least share of the wins that each must have.
RACES = [(2, 2000, 0.2), (8, 2000, 0.05)] if SOAK else [(2, 100, 0.2), (8, 100, 0.03)]
REQUESTS = 10_000 if SOAK else 150


@pytest.fixture(params=["sqlite", "postgresql"])
def fast(request: pytest.FixtureRequest) -> Home:
    """Each of the two databases; that in PostgreSQL may hold what other tests left."""
    name = "sqlite" if request.param == "sqlite" else "shared_postgres"
    found: Home = request.getfixturevalue(name)
    return found


# -------------------------------------------------------------------------------------- races


def race(store: Store, session: str, writer: int, rounds: int, start: Any) -> int:
    """How often this writer was the one who got a version."""
    won = 0
    for version in range(1, rounds + 1):
        start.wait(30)
        time.sleep(random.random() / 300)  # noqa: S311  # or who is woken first, wins
        try:
            store.append(session, version, [note(writer)], "keeper")
            won += 1
        except StaleVersion as stale:
            if stale.version != version + 1:
                raise
    return won


def race_in_a_process(url: str, session: str, writer: int, rounds: int, start: Any) -> None:
    with open_store(url) as store:
        race(store, session, writer, rounds, start)


def judge(store: Store, session: str, writers: int, rounds: int, share: float) -> None:
    """Each version has one winner, and every writer wins its share."""
    events = [json.loads(line) for line in store.read(session, 1).lines]
    assert len(events) == rounds
    wins = Counter(event["data"]["text"] for event in events)
    assert set(wins) == {str(writer) for writer in range(writers)}
    assert min(wins.values()) >= share * rounds, wins


@pytest.mark.parametrize(("writers", "rounds", "share"), RACES)
def test_threads_race_for_one_version(fast: Home, writers: int, rounds: int, share: float) -> None:
    store = fast.open()
    session = opened(store).id
    start = threading.Barrier(writers)
    with ThreadPoolExecutor(writers) as pool:
        races = [
            pool.submit(race, store, session, writer, rounds, start) for writer in range(writers)
        ]
    assert sum(future.result() for future in races) == rounds
    judge(store, session, writers, rounds, share)


@pytest.mark.parametrize(("writers", "rounds", "share"), RACES)
def test_processes_race_for_one_version(
    fast: Home, writers: int, rounds: int, share: float
) -> None:
    store = fast.open()
    session = opened(store).id
    start = FORKS.Barrier(writers)
    processes = [
        FORKS.Process(target=race_in_a_process, args=(fast.url, session, writer, rounds, start))
        for writer in range(writers)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0] * writers
    judge(store, session, writers, rounds, share)


class Careless(MemoryStore):
    """A control: it looks at the version, and writes without holding it."""

    def append(
        self,
        session: str,
        expected: int,
        events: Iterable[New],
        by: str,
        request: Request | None = None,
    ) -> Appended:
        table = self._table(session)
        if table.position.version != expected:
            raise StaleVersion(expected, *table.position)
        lines = streams.sealed(table.position, events, now(), by)
        time.sleep(0.001)
        table.lines += lines
        return streams.appended(lines, request)


def test_a_store_without_a_lock_is_found_out() -> None:
    store = Careless()
    session = opened(store).id
    start = threading.Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        races = [pool.submit(race, store, session, writer, 20, start) for writer in range(2)]
    assert sum(future.result() for future in races) > 20
    with pytest.raises(AssertionError):
        judge(store, session, 2, 20, 0)


# ------------------------------------------------------------------------------- repetitions


def insist(store: Store, session: str, key: str) -> bytes:
    """Send a request until it is answered, as one does who does not know the version."""
    while True:
        version = store.position(session).version
        try:
            told = store.append(session, version, [note(key)], "keeper", request(key, key.encode()))
        except StaleVersion:
            continue
        assert told.answer is not None
        return told.answer.body


def send_all(stores: list[Store], session: str) -> dict[str, set[bytes]]:
    """The answers to requests that are each sent up to five times, at the same time."""
    chance = random.Random(7)  # noqa: S311
    keys = [f"request {n}" for n in range(REQUESTS) for _ in range(chance.randint(1, 5))]
    chance.shuffle(keys)
    with ThreadPoolExecutor(8) as pool:
        sent = [
            (key, pool.submit(insist, stores[n % len(stores)], session, key))
            for n, key in enumerate(keys)
        ]
    answers: dict[str, set[bytes]] = {}
    for key, future in sent:
        answers.setdefault(key, set()).add(future.result())
    return answers


def recorded(store: Store, session: str) -> list[str]:
    return [json.loads(line)["data"]["text"] for line in store.read(session, 1).lines]


def test_a_request_is_done_once_however_often_it_comes(fast: Home) -> None:
    stores = [fast.open(), fast.open()]
    session = opened(stores[0]).id
    answers = send_all(stores, session)
    assert sorted(recorded(stores[0], session)) == sorted(answers)
    assert all(len(bodies) == 1 for bodies in answers.values())
    for store in stores:
        store.close()
    again = fast.open()  # as after a restart
    for key, (body,) in list(answers.items())[:20]:
        told = again.append(session, 1, [note(key)], "keeper", request(key, key.encode()))
        assert isinstance(told, Repeated)
        assert told.answer.body == body
    assert list(whole(again)) == []


class Forgetful(MemoryStore):
    """A control: it does not look whether a request came before."""

    def append(
        self,
        session: str,
        expected: int,
        events: Iterable[New],
        by: str,
        request: Request | None = None,
    ) -> Appended | Repeated:
        told = super().append(session, expected, events, by)
        assert isinstance(told, Appended)
        return Appended(told.version, told.head, told.lines, answer(told))


def test_a_store_that_forgets_requests_is_found_out() -> None:
    store = Forgetful()
    session = opened(store).id
    answers = send_all([store], session)
    assert sorted(recorded(store, session)) != sorted(answers)
    assert any(len(bodies) > 1 for bodies in answers.values())


def test_one_key_at_the_same_time_with_two_bodies(fast: Home) -> None:
    store = fast.open()
    session = opened(store).id
    start = threading.Barrier(2)

    def send(body: bytes) -> str:
        start.wait(10)
        asked = Request("key", sha256(body).digest(), lambda _: Answer(201, body))
        try:
            told = store.append(session, 1, [note(body)], "keeper", asked)
        except Exception as error:  # noqa: BLE001
            return type(error).__name__
        return type(told).__name__

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(send, [b"one", b"two"]))
    assert sorted(outcomes) == ["Appended", "KeyReused"]
    assert store.position(session).version == 2

"""Writers that race for one version, and repeated requests."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest

from scorekeeper.base.errors import StaleVersionError
from scorekeeper.log.writing import now
from scorekeeper.store import MemoryStore, Store
from scorekeeper.store.contract import Position, Repeated, StoredLine
from tests.conftest import SOAK, Figure
from tests.store.asking import append, note, opened, request, whole
from tests.store.children import Raced, race, race_alone
from tests.store.homes import Home
from tests.store.model import Model
from tests.store.processes import FORKS, in_processes

# Writers, rounds, and the least share of the wins that each must have.
TWO, EIGHT = ((2, 2000, 0.2), (8, 2000, 0.05)) if SOAK else ((2, 300, 0.2), (8, 150, 0.05))
REQUESTS = 10_000 if SOAK else 250


def races(two: str, eight: str) -> pytest.MarkDecorator:
    """Parametrize races; the suite races two writers on one database and eight on the other."""
    cases = [
        pytest.param(
            name, *race, id=f"{name}-{race[0]}", marks=[] if name == here else [pytest.mark.soak]
        )
        for race, here in ((TWO, two), (EIGHT, eight))
        for name in ("sqlite", "postgresql")
    ]
    return pytest.mark.parametrize(("fast", "writers", "rounds", "share"), cases, indirect=["fast"])


@pytest.fixture(params=["sqlite", "postgresql"])
def fast(request: pytest.FixtureRequest) -> Home:
    """Return each of the two databases; PostgreSQL may contain sessions of other tests."""
    name = "sqlite" if request.param == "sqlite" else "shared_postgres"
    home: Home = request.getfixturevalue(name)
    return home


# -------------------------------------------------------------------------------------- races


def race_in_threads(store: Store, session_id: str, writers: int, rounds: int) -> list[Raced]:
    start = threading.Barrier(writers)
    with ThreadPoolExecutor(writers) as pool:
        races = [
            pool.submit(race, store, session_id, writer, writers, rounds, start)
            for writer in range(writers)
        ]
    return [future.result() for future in races]


def judge(store: Store, session_id: str, races: list[Raced], rounds: int, share: float) -> None:
    """Check that each version has one winner and every writer wins its share."""
    events = [json.loads(line) for line in store.read(session_id, 1).lines]
    assert len(events) == rounds
    wins = Counter(int(event["data"]["text"]) for event in events)
    assert [wins[writer] for writer in range(len(races))] == [raced.won for raced in races]
    assert all(raced.behind == {1} for raced in races)
    assert min(raced.won for raced in races) >= share * rounds, wins
    assert list(whole(store)) == []


@races(two="postgresql", eight="sqlite")
def test_threads_race_for_one_version(
    fast: Home, writers: int, rounds: int, share: float, figure: Figure
) -> None:
    store = fast.open()
    session_id = opened(store).id
    races = race_in_threads(store, session_id, writers, rounds)
    judge(store, session_id, races, rounds, share)
    figure(f"{rounds} versions, won by {[raced.won for raced in races]}")


@races(two="sqlite", eight="postgresql")
def test_processes_race_for_one_version(
    fast: Home, writers: int, rounds: int, share: float, figure: Figure
) -> None:
    store = fast.open()
    session_id = opened(store).id
    start = FORKS.Barrier(writers)
    calls = [(fast.url, session_id, writer, writers, rounds, start) for writer in range(writers)]
    races = in_processes(race_alone, calls)
    judge(store, session_id, races, rounds, share)
    figure(f"{rounds} versions, won by {[raced.won for raced in races]}")


class UnlockedModel(Model):
    """A control: a store that reads the end of the session and writes without a lock."""

    def append(
        self, session_id: str, after: Position, lines: Sequence[StoredLine], *_: Any, **__: Any
    ) -> Repeated | None:
        evening = self._evening(session_id)
        if evening.position.version != after.version:
            raise StaleVersionError(after.version, *evening.position)
        time.sleep(0.001)
        evening.lines += lines
        return None


def test_store_without_a_lock_is_detected() -> None:
    store = cast("Store", UnlockedModel(now))
    session_id = opened(store).id
    races = race_in_threads(store, session_id, 2, 20)
    assert sum(raced.won for raced in races) > 20
    with pytest.raises(AssertionError):
        judge(store, session_id, races, 20, 0)


# ------------------------------------------------------------------------------- repetitions


def insist(store: Store, session_id: str, key: str) -> bytes:
    """Send a request until it is answered, like a client that does not know the version."""
    asked = request(key, key.encode())
    while True:
        version = store.position(session_id).version
        try:
            result = append(store, session_id, version, [note(key)], "keeper", asked)
        except StaleVersionError:
            continue
        return result.answer.body if isinstance(result, Repeated) else asked.answer.body


def send_all(stores: list[Store], session_id: str) -> dict[str, set[bytes]]:
    """Return the answers to requests that are each sent up to five times, concurrently."""
    chance = random.Random(7)  # noqa: S311
    keys = [f"request {n}" for n in range(REQUESTS) for _ in range(chance.randint(1, 5))]
    chance.shuffle(keys)
    with ThreadPoolExecutor(8) as pool:
        sent = [
            (key, pool.submit(insist, stores[n % len(stores)], session_id, key))
            for n, key in enumerate(keys)
        ]
    answers: dict[str, set[bytes]] = {}
    for key, future in sent:
        answers.setdefault(key, set()).add(future.result())
    return answers


def recorded(store: Store, session_id: str) -> list[str]:
    return [json.loads(line)["data"]["text"] for line in store.read(session_id, 1).lines]


def test_repeated_request_is_recorded_one_time(fast: Home, figure: Figure) -> None:
    stores = [fast.open(), fast.open()]
    session_id = opened(stores[0]).id
    answers = send_all(stores, session_id)
    assert sorted(recorded(stores[0], session_id)) == sorted(answers)
    assert all(len(bodies) == 1 for bodies in answers.values())
    figure(f"{len(answers)} requests, each up to five times, each recorded once")
    for store in stores:
        store.close()
    again = fast.open()  # like a restarted server
    for key, (body,) in list(answers.items())[:20]:
        result = append(again, session_id, 1, [note(key)], "keeper", request(key, key.encode()))
        assert isinstance(result, Repeated)
        assert result.answer.body == body
    assert list(whole(again)) == []


class ForgetfulStore(MemoryStore):
    """A control: a store that does not look for an earlier answer."""

    def append(
        self, stream_id: str, after: Position, lines: Sequence[StoredLine], *_: Any, **__: Any
    ) -> Repeated | None:
        return super().append(stream_id, after, lines)


def test_store_that_forgets_requests_is_detected() -> None:
    store = ForgetfulStore()
    session_id = opened(store).id
    answers = send_all([store], session_id)
    assert sorted(recorded(store, session_id)) != sorted(answers)
    assert any(len(bodies) > 1 for bodies in answers.values())


def test_concurrent_requests_with_one_key_and_two_bodies_record_one(fast: Home) -> None:
    store = fast.open()
    session_id = opened(store).id
    start = threading.Barrier(2)

    def send(body: bytes) -> str:
        start.wait(10)
        try:
            result = append(store, session_id, 1, [note(body)], "keeper", request("key", body))
        except Exception as error:  # noqa: BLE001
            return type(error).__name__
        return type(result).__name__

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(send, [b"one", b"two"]))
    assert sorted(outcomes) == ["KeyReusedError", "Position"]
    assert store.position(session_id).version == 2

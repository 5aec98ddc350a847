"""Processes killed with SIGKILL while they append: what they were told is there, once.

The journal of what was sent and what was answered is kept outside of the process that dies.
"""

import json
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from scorekeeper.store import Store, open_store
from scorekeeper.store.contract import Appended
from tests.conftest import SOAK
from tests.store.asking import note, opened, request, whole
from tests.store.homes import Home
from tests.store.processes import FORKS

# Many processes for many seconds: they run with the other long tests.
pytestmark = pytest.mark.soak

KILLS = {"sqlite": 1000, "postgresql": 300} if SOAK else {"sqlite": 12, "postgresql": 6}
SESSIONS = 2  # each with a client of its own, in one process
SHORTEST, LONGEST = 0.01, 0.15  # seconds until the kill


@dataclass
class Client:
    """What one client knows: the last number it sent, and what it was told of each."""

    session: str
    sent: int = 0
    told: dict[int, tuple[int, str]] = field(default_factory=dict)

    @property
    def next(self) -> int:
        """The number to send: again the last one, if nobody answered."""
        return self.sent + (self.sent in self.told or not self.sent)


# ---------------------------------------------------------------------- in the process that dies


@dataclass(frozen=True)
class Manners:
    """How a process appends; the last two are controls."""

    before_telling: float = 0.0  # seconds
    keyed: bool = True
    tells_early: bool = False


def record(url: str, clients: list[tuple[str, int]], manners: Manners, pipe: Connection) -> None:
    """Append for each client, and tell before and after, until killed."""
    one_at_a_time = threading.Lock()

    def tell(*what: object) -> None:
        with one_at_a_time:
            pipe.send(what)

    def run(session: str, number: int) -> None:
        version = store.position(session).version
        while True:
            tell(session, number)
            if manners.tells_early:
                tell(session, number, version + 1, "")
            asked = request(f"number {number}", b"") if manners.keyed else None
            told = store.append(session, version, [note(number)], "keeper", asked)
            time.sleep(manners.before_telling)
            version = max(version, told.version)
            if not manners.tells_early:
                head = told.head if isinstance(told, Appended) else ""
                tell(session, number, told.version, head)
            number += 1

    with open_store(url) as store:
        threads = [threading.Thread(target=run, args=client) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


# ------------------------------------------------------------------------------ outside of it


def killed(url: str, clients: list[Client], manners: Manners, patience: float) -> None:
    """Let a process append for a while, and kill it; the clients know what they were told."""
    mine, its = FORKS.Pipe(duplex=False)
    beginnings = [(client.session, client.next) for client in clients]
    process = FORKS.Process(target=record, args=(url, beginnings, manners, its))
    process.start()
    its.close()
    known = {client.session: client for client in clients}
    end = None
    try:
        while True:
            if end is not None and time.monotonic() >= end:
                process.kill()
            if not mine.poll(0.005):
                continue
            session, number, *answer = mine.recv()
            end = end or time.monotonic() + patience
            known[session].sent = max(known[session].sent, number)
            if answer:
                known[session].told[number] = (answer[0], answer[1])
    except (EOFError, OSError):
        process.join(10)
    mine.close()


def complaints(store: Store, client: Client) -> Iterator[str]:
    """What is wrong with a client's session."""
    events = [json.loads(line) for line in store.read(client.session, 1).lines]
    numbers = [int(event["data"]["text"]) for event in events]
    for number, (version, head) in client.told.items():
        if version - 2 >= len(numbers) or numbers[version - 2] != number:
            yield f"number {number} was acknowledged, and is lost"
        elif head and store.hash_at(client.session, version) != head:
            yield f"number {number} was acknowledged with another hash"
    if len(set(numbers)) != len(numbers):
        yield "something was recorded twice"
    if len(set(numbers) - set(client.told)) > 1:
        yield "more than one was recorded and not acknowledged"
    if not set(numbers) <= set(range(1, client.sent + 1)):
        yield "something was recorded that nobody sent"


def kill_again_and_again(home: Home, manners: Manners, kills: int) -> list[str]:
    """Kill so often, or until something is found; what was found."""
    chance = random.Random(kills)  # noqa: S311
    store = home.open()
    clients = [Client(opened(store).id) for _ in range(SESSIONS)]
    for _ in range(kills):
        killed(home.url, clients, manners, chance.uniform(SHORTEST, LONGEST))
        found = [one for client in clients for one in complaints(store, client)]
        if found or (found := list(whole(store))):
            return found
    assert sum(len(client.told) for client in clients) > kills
    return []


def test_nothing_acknowledged_is_lost_or_doubled(database: Home) -> None:
    assert kill_again_and_again(database, Manners(), KILLS[database.kind]) == []


def test_a_store_that_acknowledges_before_the_commit_is_found_out(sqlite: Home) -> None:
    found = kill_again_and_again(sqlite, Manners(tells_early=True), 12)
    assert "was acknowledged, and is lost" in found[0]


def test_a_store_without_idempotency_keys_is_found_out(sqlite: Home) -> None:
    """The answer is held back for a while, so that the kill comes before it as a rule."""
    found = kill_again_and_again(sqlite, Manners(before_telling=0.003, keyed=False), 12)
    assert found == ["something was recorded twice"] * len(found) != []


def test_the_same_with_keys_is_in_order(sqlite: Home, tmp_path: Path) -> None:
    assert kill_again_and_again(sqlite, Manners(before_telling=0.003), 4) == []


@pytest.mark.parametrize("told", [{1: (2, "0" * 64)}, {1: (3, "")}, {9: (2, "")}])
def test_the_complaints_are_found(sqlite: Home, told: dict[int, tuple[int, str]]) -> None:
    store = sqlite.open()
    session = opened(store).id
    store.append(session, 1, [note(1)], "keeper")
    assert list(complaints(store, Client(session, 1, {1: (2, "")}))) == []
    assert list(complaints(store, Client(session, 1, told))) != []

"""Processes killed with SIGKILL while they append: what they were told is there, once.

The journal of what was sent and what was answered is kept outside of the process that dies.
"""

import json
import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scorekeeper.store import Store
from tests.conftest import SOAK, Figure
from tests.store.asking import append, note, opened, whole
from tests.store.children import Manners, record
from tests.store.homes import Home
from tests.store.processes import FORKS, in_a_process

pytestmark = [pytest.mark.soak] if SOAK else []  # where it tries many more

KILLS = {"sqlite": 1000, "postgresql": 300} if SOAK else {"sqlite": 20, "postgresql": 8}
SESSIONS = 2  # each with a client of its own, in one process
SHORTEST, LONGEST = 0.005, 0.06  # seconds until the kill
SOON = 3.0  # seconds until who was killed serves again
FEW = 4  # kills after which all is looked at, if there are not many more


@dataclass
class Client:
    """What one client knows: the last number it sent, and what it was told of each."""

    session_id: str
    sent: int = 0
    told: dict[int, tuple[int, str]] = field(default_factory=dict)

    @property
    def next(self) -> int:
        """The number to send: again the last one, if nobody answered."""
        return self.sent + (self.sent in self.told or not self.sent)


def killed(url: str, clients: list[Client], manners: Manners, patience: float) -> float:
    """Let a process append for a while, and kill it; the seconds until it gave an answer.

    The clients know what they were told.
    """
    mine, its = FORKS.Pipe(duplex=False)
    beginnings = [(client.session_id, client.next) for client in clients]
    process = FORKS.Process(target=record, args=(url, beginnings, manners, its))
    begun, first = time.monotonic(), None
    process.start()
    its.close()
    known = {client.session_id: client for client in clients}
    with mine, suppress(EOFError, OSError):
        while True:
            if first is not None and time.monotonic() >= first + patience:
                process.kill()
            if mine.poll(0.005):
                session, number, *answer = mine.recv()
                known[session].sent = max(known[session].sent, number)
                if answer:
                    known[session].told[number] = (answer[0], answer[1])
                    first = first or time.monotonic()
    process.join(10)
    assert process.exitcode == -signal.SIGKILL
    assert first is not None
    return first - begun


def complaints(store: Store, client: Client) -> Iterator[str]:
    """What is wrong with a client's session."""
    events = [json.loads(line) for line in store.read(client.session_id, 1).lines]
    numbers = [int(event["data"]["text"]) for event in events]
    for number, (version, head) in client.told.items():
        if version - 2 >= len(numbers) or numbers[version - 2] != number:
            yield f"number {number} was acknowledged, and is lost"
        elif head and store.hash_at(client.session_id, version) != head:
            yield f"number {number} was acknowledged with another hash"
    if len(set(numbers)) != len(numbers):
        yield "something was recorded twice"
    if len(set(numbers) - set(client.told)) > 1:
        yield "more than one was recorded and not acknowledged"
    if not set(numbers) <= set(range(1, client.sent + 1)):
        yield "something was recorded that nobody sent"


def kill_again_and_again(
    home: Home, manners: Manners, kills: int, figure: Figure = lambda _: None
) -> list[str]:
    """Kill so often, or until something is found; what was found."""
    chance = random.Random(kills)  # noqa: S311
    store = home.open()
    clients = [Client(opened(store).id) for _ in range(SESSIONS)]
    in_a_process(os.getpid)  # what processes are forked from takes a while to begin
    for number in range(1, kills + 1):
        waited = killed(home.url, clients, manners, chance.uniform(SHORTEST, LONGEST))
        if waited > SOON:
            return [f"{waited:.1f} seconds passed until somebody was served again"]
        if number % max(FEW, kills // 20) == 0 or number == kills:
            found = [one for client in clients for one in complaints(store, client)]
            if found or (found := list(whole(store))):
                return found
    told = sum(len(client.told) for client in clients)
    assert told > kills
    figure(f"{kills} kills, {told} acknowledged, none lost")
    return []


def test_nothing_acknowledged_is_lost_or_doubled(database: Home, figure: Figure) -> None:
    assert kill_again_and_again(database, Manners(), KILLS[database.kind], figure) == []


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
    session_id = opened(store).id
    append(store, session_id, 1, [note(1)], "keeper")
    assert list(complaints(store, Client(session_id, 1, {1: (2, "")}))) == []
    assert list(complaints(store, Client(session_id, 1, told))) != []

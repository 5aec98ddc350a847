"""Processes killed with SIGKILL while they append: acknowledged events are recorded, once.

The journal of requests and answers is kept outside of the killed process.
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
from tests.store.children import AppendBehavior, record
from tests.store.homes import Home
from tests.store.processes import FORKS, in_a_process

KILLS = {"sqlite": 1000, "postgresql": 300} if SOAK else {"sqlite": 20, "postgresql": 8}
SESSIONS = 2  # each with a client of its own, in one process
SHORTEST, LONGEST = 0.005, 0.06  # seconds until the kill
RECOVERY_SECONDS = 3.0  # until a new process serves after the kill
CHECK_INTERVAL = 4  # kills between two checks of all sessions in a short run


@dataclass
class Client:
    """The journal of one client: the last number that it sent, and the answer to each."""

    session_id: str
    sent: int = 0
    acknowledged: dict[int, tuple[int, str]] = field(default_factory=dict)

    @property
    def next(self) -> int:
        """Return the next number; the last one again if it was not answered."""
        return self.sent + (self.sent in self.acknowledged or not self.sent)


def killed(url: str, clients: list[Client], behavior: AppendBehavior, patience: float) -> float:
    """Let a process append for a while, and kill it; return the seconds until its first answer.

    The clients record the answers.
    """
    mine, its = FORKS.Pipe(duplex=False)
    beginnings = [(client.session_id, client.next) for client in clients]
    process = FORKS.Process(target=record, args=(url, beginnings, behavior, its))
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
                    known[session].acknowledged[number] = (answer[0], answer[1])
                    first = first or time.monotonic()
    process.join(10)
    assert process.exitcode == -signal.SIGKILL
    assert first is not None
    return first - begun


def complaints(store: Store, client: Client) -> Iterator[str]:
    """Yield the differences between a client's journal and its session."""
    events = [json.loads(line) for line in store.read(client.session_id, 1).lines]
    numbers = [int(event["data"]["text"]) for event in events]
    for number, (version, head) in client.acknowledged.items():
        if version - 2 >= len(numbers) or numbers[version - 2] != number:
            yield f"number {number} was acknowledged, and is lost"
        elif head and store.hash_at(client.session_id, version) != head:
            yield f"number {number} was acknowledged with another hash"
    if len(set(numbers)) != len(numbers):
        yield "something was recorded twice"
    if len(set(numbers) - set(client.acknowledged)) > 1:
        yield "more than one was recorded and not acknowledged"
    if not set(numbers) <= set(range(1, client.sent + 1)):
        yield "something was recorded that nobody sent"


def kill_again_and_again(
    home: Home, behavior: AppendBehavior, kills: int, figure: Figure = lambda _: None
) -> list[str]:
    """Kill this many processes, or until a session has complaints; return the complaints."""
    chance = random.Random(kills)  # noqa: S311
    store = home.open()
    clients = [Client(opened(store).id) for _ in range(SESSIONS)]
    in_a_process(os.getpid)  # the process that is forked takes a while to start
    for number in range(1, kills + 1):
        waited = killed(home.url, clients, behavior, chance.uniform(SHORTEST, LONGEST))
        if waited > RECOVERY_SECONDS:
            return [f"{waited:.1f} seconds passed until somebody was served again"]
        if number % max(CHECK_INTERVAL, kills // 20) == 0 or number == kills:
            problems = [complaint for client in clients for complaint in complaints(store, client)]
            if problems or (problems := list(whole(store))):
                return problems
    acknowledged = sum(len(client.acknowledged) for client in clients)
    assert acknowledged > kills
    figure(f"{kills} kills, {acknowledged} acknowledged, none lost")
    return []


def test_acknowledged_events_are_not_lost_or_doubled(database: Home, figure: Figure) -> None:
    assert kill_again_and_again(database, AppendBehavior(), KILLS[database.kind], figure) == []


def test_acknowledgement_before_the_commit_is_detected(sqlite: Home) -> None:
    problems = kill_again_and_again(sqlite, AppendBehavior(acknowledges_early=True), 12)
    assert "was acknowledged, and is lost" in problems[0]


def test_missing_idempotency_keys_are_detected(sqlite: Home) -> None:
    """The answer is delayed, so that the kill mostly precedes it."""
    problems = kill_again_and_again(
        sqlite, AppendBehavior(acknowledgement_delay=0.003, keyed=False), 12
    )
    assert problems == ["something was recorded twice"] * len(problems) != []


def test_delayed_answers_with_idempotency_keys_double_nothing(sqlite: Home, tmp_path: Path) -> None:
    assert kill_again_and_again(sqlite, AppendBehavior(acknowledgement_delay=0.003), 4) == []


@pytest.mark.parametrize("acknowledged", [{1: (2, "0" * 64)}, {1: (3, "")}, {9: (2, "")}])
def test_lost_and_altered_events_are_detected(
    sqlite: Home, acknowledged: dict[int, tuple[int, str]]
) -> None:
    store = sqlite.open()
    session_id = opened(store).id
    append(store, session_id, 1, [note(1)], "keeper")
    assert list(complaints(store, Client(session_id, 1, {1: (2, "")}))) == []
    assert list(complaints(store, Client(session_id, 1, acknowledged))) != []

"""Processes killed with SIGKILL while they record in a club and keep what its evenings come to.

What was acknowledged is there, once; and the figures are what comes of nothing. Tests of
``service.clubs`` and ``service.club_cache``.
"""

import json
import random
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import pytest

from scorekeeper.service import Clubs, Service
from scorekeeper.store import Store
from tests.conftest import SOAK, Figure
from tests.service.circolo import Circolo
from tests.service.clerks import told_of, work
from tests.store.asking import whole
from tests.store.conftest import database, postgres, quick_folder, sqlite, template
from tests.store.homes import Home
from tests.store.processes import FORKS

__all__ = ["database", "postgres", "quick_folder", "sqlite", "template"]

pytestmark = [pytest.mark.soak] if SOAK else []  # where it tries many more

KILLS: Final = {"sqlite": 60, "postgresql": 20} if SOAK else {"sqlite": 5, "postgresql": 3}


def killed(url: str, circolo: Circolo, told: dict[int, tuple[int, str]], patience: float) -> int:
    """Let a process record for a while, and kill it; the last number that it sent.

    A number that it sent and was not told of is sent again by the next one.
    """
    mine, its = FORKS.Pipe(duplex=False)
    begin = max(told, default=0) + 1
    process = FORKS.Process(target=work, args=(url, circolo.id, circolo.evenings[0], begin, its))
    process.start()
    its.close()
    sent, first = begin, None
    with mine, suppress(EOFError, OSError):
        while True:
            if first is not None and time.monotonic() >= first + patience:
                process.kill()
            if mine.poll(0.005):
                sent, answer = mine.recv()
                if answer:
                    told[sent] = answer
                    first = first or time.monotonic()
    process.join(10)
    assert process.exitcode == -signal.SIGKILL
    return int(sent)


def complaints(store: Store, circolo: Circolo, told: dict[int, tuple[int, str]]) -> Iterator[str]:
    """What is wrong with the club."""
    events = [json.loads(line) for line in store.read(circolo.id).lines]
    notes = {one["seq"]: int(one["data"]["text"]) for one in events if one["type"] == "note_added"}
    for number, (version, head) in told.items():
        if notes.get(version) != number or store.hash_at(circolo.id, version) != head:
            yield f"number {number} was acknowledged, and is lost"
    if len(set(notes.values())) != len(notes):
        yield "something was recorded twice"
    if len(set(notes.values()) - set(told)) > 1:
        yield "more than one was recorded and not acknowledged"
    kept = Clubs(Service(store)).see(circolo.id, told_of)
    if kept != told_of(circolo.from_nothing()):
        yield "what was kept of an evening is not what it comes to"


def test_a_club_survives_kills(database: Home, figure: Figure) -> None:
    store = database.open()
    circolo, told = Circolo(store), dict[int, tuple[int, str]]()
    chance = random.Random(1)  # noqa: S311
    for _ in range(KILLS[database.kind]):
        killed(database.url, circolo, told, chance.uniform(0.005, 0.1))
        assert list(complaints(store, circolo, told)) == []
    assert list(whole(store)) == []
    assert len(told) >= KILLS[database.kind]
    figure(f"{KILLS[database.kind]} kills, {len(told)} acknowledged, none lost")


def test_the_complaints_are_found(sqlite: Home) -> None:
    store = sqlite.open()
    circolo = Circolo(store)
    assert list(complaints(store, circolo, {})) == []
    assert list(complaints(store, circolo, {1: (2, "0" * 64)})) != []
    evening = circolo.evenings[0]
    head = store.position(evening).head
    kept = json.loads(store.kept_evenings([evening])[evening, head])
    kept["matches"][0]["totals"]["leo"] += 1
    store.keep_evening(evening, head, json.dumps(kept).encode())
    assert list(complaints(store, circolo, {})) != []

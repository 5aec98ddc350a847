"""Processes killed with SIGKILL while they record in a club and store results of its evenings.

Each acknowledged event is in the log exactly once, and the stored figures equal those computed
from the logs alone. Tests of ``service.clubs`` and ``service.folded_club``.
"""

import json
import random
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from scorekeeper.service import Clubs, Service
from scorekeeper.store import Store
from tests.conftest import SOAK, Figure
from tests.service.circolo import Circolo
from tests.service.clerks import describe_all_time_season, work
from tests.store.asking import whole
from tests.store.conftest import database, postgres, quick_folder, sqlite, template
from tests.store.homes import Home
from tests.store.processes import FORKS

__all__ = ["database", "postgres", "quick_folder", "sqlite", "template"]

KILLS: Final = {"sqlite": 60, "postgresql": 20} if SOAK else {"sqlite": 5, "postgresql": 3}


def record_until_killed(
    url: str, circolo: Circolo, acknowledged: dict[int, tuple[int, str]], seconds: float
) -> int:
    """Let a process record until it is killed; return the last number that it sent.

    It is killed these seconds after its first answer. The next process sends a number again if no
    answer to it arrived.
    """
    mine, theirs = FORKS.Pipe(duplex=False)
    begin = max(acknowledged, default=0) + 1
    process = FORKS.Process(target=work, args=(url, circolo.id, circolo.evenings[0], begin, theirs))
    process.start()
    theirs.close()
    sent, first = begin, None
    with mine, suppress(EOFError, OSError):
        while True:
            if first is not None and time.monotonic() >= first + seconds:
                process.kill()
            if mine.poll(0.005):
                sent, answer = mine.recv()
                if answer:
                    acknowledged[sent] = answer
                    first = first or time.monotonic()
    process.join(10)
    assert process.exitcode == -signal.SIGKILL
    return int(sent)


def complaints(
    store: Store, circolo: Circolo, acknowledged: dict[int, tuple[int, str]]
) -> Iterator[str]:
    """Yield what is wrong with the club."""
    events = [json.loads(line) for line in store.read(circolo.id).lines]
    notes = {raw["seq"]: int(raw["data"]["text"]) for raw in events if raw["type"] == "note_added"}
    for number, (version, head) in acknowledged.items():
        if notes.get(version) != number or store.hash_at(circolo.id, version) != head:
            yield f"number {number} was acknowledged, and is lost"
    if len(set(notes.values())) != len(notes):
        yield "something was recorded twice"
    if len(set(notes.values()) - set(acknowledged)) > 1:
        yield "more than one was recorded and not acknowledged"
    season = Clubs(Service(store)).see(circolo.id, describe_all_time_season)
    if season != describe_all_time_season(circolo.from_nothing()):
        yield "what was kept of an evening is not what it comes to"


def test_a_club_survives_kills(database: Home, figure: Figure) -> None:
    store = database.open()
    circolo, acknowledged = Circolo(store), dict[int, tuple[int, str]]()
    chance = random.Random(1)  # noqa: S311
    for _ in range(KILLS[database.kind]):
        record_until_killed(database.url, circolo, acknowledged, chance.uniform(0.005, 0.1))
        assert list(complaints(store, circolo, acknowledged)) == []
    assert list(whole(store)) == []
    assert len(acknowledged) >= KILLS[database.kind]
    figure(f"{KILLS[database.kind]} kills, {len(acknowledged)} acknowledged, none lost")


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

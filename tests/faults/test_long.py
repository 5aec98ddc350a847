"""Long sessions open fast, and memory does not grow with many sessions."""

import json
import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks.material import log_of, session
from scorekeeper.games import GAMES
from tests.conftest import Figure
from tests.faults.phones import Phone
from tests.faults.running import RestartableServer, ServerPair, report_of
from tests.operation.serving import Server

SECONDS: Final = float(os.environ.get("SOAK_SECONDS", "60"))
CONTROL: Final = 30.0  # seconds until growth by 5 KB with each event is detected
TABLES: Final = 20
EVENING: Final = 150  # events until a table begins another session
PACE: Final = 0.05  # seconds between two events of one table, at most
GROWTH: Final = 1.05
COLD, WARM = 1.0, 0.3  # seconds
TRIES: Final = 5
LONG: Final = 10_000  # events


# ---------------------------------------------------------------------------------- a long session


def import_session(server: Server, events: list[Any]) -> Any:
    """Import a session with these events."""
    answer = server.get("/api/sessions/import", "POST", log_of(events),
                        Content_Type="application/x-ndjson")  # fmt: skip
    assert answer.status == 201, answer
    return answer.json


def opened_in(running: RestartableServer, imported: Any) -> tuple[float, bytes]:
    """Return the seconds that it takes to open a session, and its report."""
    began = time.perf_counter()
    answer = report_of(running.server, imported)
    took = time.perf_counter() - began
    assert answer.status == 200
    return took, answer.body


@pytest.mark.soak
@pytest.mark.parametrize("game", ["riparto", "picchetto"])
def test_session_of_10_000_events_opens_within_a_second(
    on_sqlite: ServerPair, game: str, figure: Figure
) -> None:
    """In the best of a few tries, as other processes may use the machine."""
    running = on_sqlite.sound
    imported = import_session(running.server, session(game, LONG))
    cold, warm, reports = [], [], set[bytes]()
    for number in range(TRIES):
        with closing(Phone(running.port, imported)) as phone:
            assert phone.insist("a note", f"{number}").status == 201
        took, as_kept = opened_in(
            running, imported
        )  # all events except the last are folded already
        warm.append(took)
        running.kill_worker()
        assert running.server.get("/healthz").status == 200  # another process without folded events
        took, anew = opened_in(running, imported)
        cold.append(took)
        assert anew == as_kept
        reports.add(anew)
    assert len(reports) == TRIES  # each has one event more
    figure(f"cold {min(cold):.2f} s, warm {min(warm):.2f} s")
    assert min(cold) < COLD, cold
    assert min(warm) < WARM, warm


# ------------------------------------------------------------------------------------- many tables


def resident(pid: int) -> int:
    """Return the resident memory of a process in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def evenings(running: RestartableServer, game: str, seed: int, end: float) -> None:
    """Record session after session at one table, and read the report at each hand."""
    chance = random.Random(seed)  # noqa: S311
    for number in count(seed):
        events = session(game, EVENING, seed=number)[:EVENING]
        imported = running.server.get("/api/sessions", "POST", json.dumps(events[0]["data"]),
                                  Content_Type="application/json").json  # fmt: skip
        with closing(Phone(running.port, imported)) as phone:
            for version, event in enumerate(events[1:], 1):
                if time.monotonic() > end:
                    return
                answer = phone.ask("POST", "/events", json.dumps({"events": [event]}),
                                   **phone.headers(f"{version}", version))  # fmt: skip
                assert answer.status == 201, answer
                if version % 10 == 0:
                    assert phone.ask("GET").status == 200
                time.sleep(chance.uniform(0, PACE))


def measured(running: RestartableServer, seconds: float) -> Iterator[int]:
    """Yield the memory of the server repeatedly while many tables record."""
    games = islice(cycle(GAMES), TABLES)
    end = time.monotonic() + seconds
    (worker,) = running.server.workers()
    with ThreadPoolExecutor(TABLES) as pool:
        tables = [pool.submit(evenings, running, game, 1_000 * n, end)
                  for n, game in enumerate(games)]  # fmt: skip
        while time.monotonic() < end:
            yield resident(worker)
            time.sleep(seconds / 100)
    for table in tables:
        table.result()
    assert running.server.workers() == [worker]


def check_memory(running: RestartableServer, seconds: float, figure: Figure) -> None:
    """Check that the memory does not grow in the second half of that time."""
    figures = list(measured(running, seconds))
    first, last = figures[len(figures) // 3 : len(figures) // 2], figures[-len(figures) // 6 :]
    figure(f"{max(first) / 1e6:.1f} MB, then {max(last) / 1e6:.1f} MB")
    assert max(last) < GROWTH * max(first), "memory grows"


@pytest.mark.soak
def test_memory_does_not_grow_while_twenty_tables_record(
    on_sqlite: ServerPair, figure: Figure
) -> None:
    """With a small cache, which is soon full."""
    check_memory(on_sqlite.altered, SECONDS, figure)


@pytest.mark.soak
def test_service_that_keeps_everything_is_detected(on_sqlite: ServerPair, figure: Figure) -> None:
    running = on_sqlite.altered
    with (
        running.with_fault("keeps everything"),
        pytest.raises(AssertionError, match="memory grows"),
    ):
        check_memory(running, CONTROL, figure)
    running.kill_worker()

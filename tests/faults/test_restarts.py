"""A PostgreSQL killed while phones record: acknowledged events are recorded, once."""

import random
import time
from collections.abc import Callable
from typing import Any, Final

import psycopg
import pytest

from scorekeeper.base.errors import StaleVersionError
from scorekeeper.service import AppendRequest, Holder, NewEvent, Service
from scorekeeper.store import MemoryStore
from tests.conftest import SOAK, Figure
from tests.faults.phones import Writer, writing
from tests.faults.running import RestartableServer, ServerPair, events_of
from tests.faults.test_kills import wait_for_more
from tests.store.asking import append, note, opened
from tests.store.clusters import Cluster

RESTARTS: Final = 100 if SOAK else 2
TERMINATIONS: Final = 1_000 if SOAK else 8
SHORTEST, LONGEST = 0.010, 0.150  # seconds until the fault
RECOVERY_SECONDS: Final = 10.0  # until a restarted server serves again


def opened_by(servers: ServerPair) -> list[Any]:
    """Open two sessions."""
    return [servers.sound.server.open_session() for _ in range(2)]


def repeat_fault(
    running: RestartableServer,
    sessions: list[Any],
    what: Callable[[], object],
    times: int,
    figure: Figure = lambda _: None,
) -> list[str]:
    """Repeat a fault while phones record in two sessions; return the complaints."""
    chance = random.Random(1)  # noqa: S311
    writers = [Writer(running.port, sessions[n // 2], f"phone {n}") for n in range(3)]

    def complaints() -> list[str]:
        events = [events_of(running.server, session) for session in sessions]
        return [complaint for n, writer in enumerate(writers)
                for complaint in writer.complaints(events[n // 2])]  # fmt: skip

    with writing(writers):
        for _ in range(times):
            time.sleep(chance.uniform(SHORTEST, LONGEST))
            what()
            began = time.monotonic()
            wait_for_more(writers)
            assert time.monotonic() - began < RECOVERY_SECONDS
    for writer in writers:
        assert all(answer.json["code"] == "storage_unavailable" for answer in writer.refused)
        assert all(int(answer.headers["Retry-After"]) >= 1 for answer in writer.refused)
    acknowledged = sum(len(writer.journal) for writer in writers)
    figure(f"{times} times, {acknowledged} acknowledged")
    return complaints()


def test_database_restarts_during_appends_lose_nothing(
    on_postgres: ServerPair, cluster: Cluster, figure: Figure
) -> None:
    sessions = opened_by(on_postgres)
    running = on_postgres.sound
    problems = repeat_fault(running, sessions, cluster.restart, RESTARTS, figure)
    assert problems == []


def test_connections_ended_during_appends_lose_and_double_nothing(
    on_postgres: ServerPair, figure: Figure
) -> None:
    running, sessions = on_postgres.sound, opened_by(on_postgres)
    with psycopg.connect(on_postgres.url, autocommit=True) as owner:

        def terminate() -> None:
            owner.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'scorekeeper'"
            )

        problems = repeat_fault(running, sessions, terminate, TERMINATIONS, figure)
    assert problems == []


@pytest.mark.soak
def test_service_that_does_not_wait_for_the_disk_is_detected(
    on_postgres: ServerPair, cluster: Cluster
) -> None:
    sessions = opened_by(on_postgres)
    with on_postgres.altered.with_fault("does not wait for the log"):
        cluster.restart()  # new connections
        problems = repeat_fault(on_postgres.altered, sessions, cluster.restart, 4)
    assert any("is lost" in complaint for complaint in problems)


def test_append_after_lost_events_is_refused_one_time() -> None:
    """As after the restoration of a backup and other appends since."""
    store = MemoryStore()
    service, session_id = Service(store), opened(store).id

    def record(version: int, text: str) -> int:
        events = (NewEvent("note_added", {"text": text}),)
        return service.record(session_id, AppendRequest(version, events), Holder("host")).version

    assert record(1, "lost") == 2
    store._work.connection.execute("DELETE FROM events WHERE seq = 2")
    append(store, session_id, 1, [note("another")], "keeper")
    with pytest.raises(StaleVersionError):
        record(2, "a note")
    assert record(2, "a note") == 3

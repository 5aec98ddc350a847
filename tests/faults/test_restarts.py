"""A PostgreSQL whose processes die while phones record: what they were told is there, once."""

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
from tests.faults.running import Again, Two, events_of
from tests.faults.test_kills import wait_for_more
from tests.store.asking import append, note, opened
from tests.store.clusters import Cluster

pytestmark = [pytest.mark.soak] if SOAK else []  # where it tries many more

RESTARTS: Final = 100 if SOAK else 2
TERMINATIONS: Final = 1_000 if SOAK else 8
SHORTEST, LONGEST = 0.010, 0.150  # seconds until it happens
SOON: Final = 10.0  # seconds until who was restarted serves again


def opened_by(servers: Two) -> list[Any]:
    """Two sessions, of which nothing is lost."""
    return [servers.sound.server.open_session() for _ in range(2)]


def happens_again_and_again(
    running: Again,
    sessions: list[Any],
    what: Callable[[], object],
    times: int,
    figure: Figure = lambda _: None,
) -> list[str]:
    """Let something happen so often, while phones record in two sessions; what is wrong then."""
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
            assert time.monotonic() - began < SOON
    for writer in writers:
        assert all(one.json["code"] == "storage_unavailable" for one in writer.refused)
        assert all(int(one.headers["Retry-After"]) >= 1 for one in writer.refused)
    told = sum(len(writer.told) for writer in writers)
    figure(f"{times} times, {told} acknowledged")
    return complaints()


def test_a_database_that_is_restarted_in_the_midst_loses_nothing(
    on_postgres: Two, cluster: Cluster, figure: Figure
) -> None:
    sessions = opened_by(on_postgres)
    running = on_postgres.sound
    found = happens_again_and_again(running, sessions, cluster.restart, RESTARTS, figure)
    assert found == []


def test_connections_that_are_ended_in_the_midst_lose_and_double_nothing(
    on_postgres: Two, figure: Figure
) -> None:
    running, sessions = on_postgres.sound, opened_by(on_postgres)
    with psycopg.connect(on_postgres.url, autocommit=True) as owner:

        def terminate() -> None:
            owner.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'scorekeeper'"
            )

        found = happens_again_and_again(running, sessions, terminate, TERMINATIONS, figure)
    assert found == []


@pytest.mark.soak
def test_a_service_that_does_not_wait_for_the_log_is_found_out(
    on_postgres: Two, cluster: Cluster
) -> None:
    sessions = opened_by(on_postgres)
    with on_postgres.altered.broken("does not wait for the log"):
        cluster.restart()  # new connections
        found = happens_again_and_again(on_postgres.altered, sessions, cluster.restart, 4)
    assert any("is lost" in one for one in found)


def test_who_comes_after_events_that_were_lost_is_told_once() -> None:
    """As when a backup was put back, and somebody else has recorded since."""
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

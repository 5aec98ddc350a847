"""A hall on several machines and one PostgreSQL: watchers receive every recorded change.

If a process dies, the database restarts, or all watchers reconnect together, no acknowledged
event is lost, each watcher receives the last version of its table, and service resumes soon.
"""

import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Any, Final

import pytest

from scorekeeper.service.folded_session import MAX_EVENTS
from tests.conftest import SOAK, SOAK_MINUTES, Figure
from tests.faults.crowd import Crowd, ReceivedChange, Stream, crowd
from tests.faults.phones import Phone, Writer, body_of
from tests.faults.running import RestartableServer, events_of, report_of
from tests.operation.processes import megabytes
from tests.operation.serving import until
from tests.store import homes
from tests.store.clusters import Cluster

WATCHERS: Final = 1_000 if SOAK else 60
MACHINES: Final = 3 if SOAK else 2
TABLES: Final = 20 if SOAK else 4
PACE: Final = 0.5  # seconds between two events of a table
QUIET: Final = 10.0 if SOAK else 0.6  # seconds before the fault
AFTER: Final = 8.0 if SOAK else 1.0  # seconds after it, and more until each table has recorded
SETTLED: Final = 2.0 if SOAK else 1.0  # seconds until watchers have received the last change
RECOVERY: Final = 5.0  # seconds until all watchers receive a change recorded after it
APPENDED: Final = 1.0 if SOAK else 3.0  # seconds of 99 of 100 appends; more beside other tests
PAUSE: Final = 0.05  # seconds until a refused client tries again
FLAT: Final = 1.05  # at most, the ratio of the memory at the end to that after warming up
WARM: Final = 60.0  # seconds until the caches of a service are filled
LONG: Final = 10_000  # notes of an earlier session: more in total than a process keeps folded
BEFORE: Final = 2 * MAX_EVENTS // LONG  # earlier sessions of each machine

Machines = list[RestartableServer]


@pytest.fixture(scope="module")
def machines(cluster: Cluster) -> Iterator[Machines]:
    """Run services on one database, each on its own port; the first has two worker processes."""
    settings: dict[str, Any] = {"database_url": cluster.url, "sessions_an_hour": 10**6}
    with homes.folder_in_memory() as folder, ExitStack() as stack:
        started = [RestartableServer(folder / f"{n}", workers=2 if n == 0 else 1, **settings)
                 for n in range(MACHINES)]  # fmt: skip
        for machine in started:  # sequentially: the first creates the database tables
            stack.callback(machine.stop)
            machine.start()
        yield started


class Table(Writer):
    """A table that records at its pace, and collects the seconds of each try."""

    def __init__(self, port: int, session: Any, name: str) -> None:
        super().__init__(port, session, name)
        self.session = session
        self.tries: list[float] = []
        self.acknowledged: list[tuple[float, int]] = []  # time, version

    def record(self, stop: threading.Event) -> None:
        """Record until ``stop`` is set and the last request is answered."""
        due = time.monotonic()
        while not stop.is_set() or self.waits:
            began = time.monotonic()
            known = self.write()
            self.tries.append(time.monotonic() - began)
            if known:
                self.acknowledged.append((time.monotonic(), self.version))
                due = max(due + PACE, began)
                stop.wait(max(0.0, due - time.monotonic()))
            else:
                time.sleep(PAUSE)
        self.close()


@contextmanager
def recording(tables: Sequence[Table]) -> Iterator[None]:
    """Let all tables record."""
    stop = threading.Event()
    threads = [threading.Thread(target=table.record, args=(stop,)) for table in tables]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def opened(machines: Machines) -> list[Table]:
    """Open the tables of a hall, spread over the machines."""
    sessions = [machines[0].server.open_session() for _ in range(TABLES)]
    return [
        Table(machines[n % len(machines)].port, session, f"table {n}")
        for n, session in enumerate(sessions)
    ]


def streams_of(machines: Machines, tables: Sequence[Table]) -> list[Stream]:
    """Return the stream of each watcher; those of one table are spread over all machines."""
    ports = tuple(machine.port for machine in machines)
    watched = [(tables[n % TABLES], ports[n // TABLES % len(ports)]) for n in range(WATCHERS)]
    return [
        Stream((port,), hall_table.path, hall_table.session["keys"]["view"])
        for hall_table, port in watched
    ]


def complaints(
    machines: Machines, tables: Sequence[Table], received: Sequence[Sequence[ReceivedChange]]
) -> Iterator[str]:
    """Yield the acknowledged events that are lost, and the changes that a watcher missed."""
    for n, table in enumerate(tables):
        events = events_of(machines[-1].server, table.session)
        yield from table.complaints(events)
        heads = {event["seq"]: event["hash"] for event in events}
        for place, updates in enumerate(received[n::TABLES]):
            seen = [(each.version, each.head) for each in updates]
            if seen[-1] != (len(events), heads[len(events)]):
                yield f"{table.name}, watcher {place} missed where it ends"
            if any(heads.get(version) != head for version, head in seen):
                yield f"{table.name}, watcher {place} heard what is not on record"


def assert_complaints_detect_losses(
    machines: Machines, tables: Sequence[Table], received: Sequence[Sequence[ReceivedChange]]
) -> None:
    """Check that a missing or altered change of one watcher is reported."""
    *before, last = received[0]
    for updates, complaint_part in (
        (before, "missed"),
        ([last._replace(head="x")], "not on record"),
    ):
        assert any(
            complaint_part in complaint
            for complaint in complaints(machines, tables, [updates, *received[1:]])
        )
    tables[0].journal[1] = 2, "x"
    assert any("is lost" in complaint for complaint in complaints(machines, tables, received))


def has_recorded(table: Table, since: float) -> bool:
    """Return whether an append was acknowledged since a time."""
    return any(at > since for at, _ in table.acknowledged)


def settled(tables: Sequence[Table], watching: Crowd) -> list[list[ReceivedChange]]:
    """Return the received changes once they are complete, or when the time is over."""
    end = time.monotonic() + SETTLED
    while True:
        received = watching.received()
        known = all(
            updates[-1].version == table.version
            for n, table in enumerate(tables)
            for updates in received[n::TABLES]
        )
        if known or time.monotonic() > end:
            return received
        time.sleep(PAUSE)


def recovered(
    tables: Sequence[Table], received: Sequence[Sequence[ReceivedChange]], since: float
) -> float:
    """Return the seconds until all watchers received a change recorded since a time."""
    latest = 0.0
    for n, table in enumerate(tables):
        first = next(version for at, version in table.acknowledged if at > since)
        for updates in received[n::TABLES]:
            latest = max(latest, next(each.at for each in updates if each.version >= first) - since)
    return latest


def kill_worker(machines: Machines, cluster: Cluster, watching: Crowd) -> None:
    machines[0].kill_worker()


def restart_database(machines: Machines, cluster: Cluster, watching: Crowd) -> None:
    cluster.restart()


def reconnect_all(machines: Machines, cluster: Cluster, watching: Crowd) -> None:
    watching.reconnect_all()


@pytest.mark.parametrize("what", [kill_worker, restart_database, reconnect_all])
def test_fault_in_a_hall_loses_nothing_and_service_resumes(
    machines: Machines,
    cluster: Cluster,
    what: Callable[[Machines, Cluster, Crowd], None],
    figure: Figure,
) -> None:
    tables = opened(machines)
    with crowd(streams_of(machines, tables)) as watching:
        with recording(tables):
            time.sleep(QUIET)
            what(machines, cluster, watching)
            since = time.monotonic()
            time.sleep(AFTER)
            until(lambda: all(has_recorded(table, since) for table in tables), RECOVERY)
        received = settled(tables, watching)
    assert list(complaints(machines, tables, received)) == []
    assert_complaints_detect_losses(machines, tables, received)
    tries = sorted(took for table in tables for took in table.tries)
    p99, late = tries[int(len(tries) * 0.99)], recovered(tables, received, since)
    figure(f"{len(tries)} appends, p99 {p99 * 1000:.0f} ms; all goes on after {late:.2f} s")
    assert late < RECOVERY
    assert p99 < APPENDED


def test_correction_on_one_machine_is_shown_by_all(machines: Machines) -> None:
    session = machines[0].server.open_session()
    ids = [report_of(machines[0].server, session).json["session"]["events"]]
    with ExitStack() as stack:
        phones = [
            stack.enter_context(closing(Phone(machine.port, session))) for machine in machines
        ]
        for n, kind in enumerate(("note_added", "event_struck", "note_added", "event_struck")):
            data = {"text": "x"} if kind == "note_added" else {"seq": ids[-1], "reason": "slip"}
            phone = phones[n % len(phones)]
            phone.version = ids[-1]
            ids.append(recorded(phone, kind, data, f"{n}"))
            shown = [report_of(machine.server, session) for machine in machines]
            assert {report.headers["ETag"] for report in shown} == {f'"{ids[-1]}-masked"'}
            assert len({report.body for report in shown}) == 1


def recorded(phone: Phone, kind: str, data: Any, key: str) -> int:
    """Record an event, and return its version."""
    body = json.dumps({"events": [{"type": kind, "data": data}]})
    answer = phone.ask("POST", "/events", body, **phone.headers(key))
    assert answer.status == 201, answer
    return int(answer.json["version"])


def record_earlier_sessions(machines: Machines) -> None:
    """Let each process read as many events as it may keep folded."""
    sessions = [machines[0].server.open_session() for _ in range(BEFORE)]
    for session in sessions:
        with closing(Phone(machines[0].port, session)) as phone:
            body = body_of(*[f"table {session['id']} {n}" for n in range(LONG)])
            answer = phone.ask("POST", "/events", body, **phone.headers("before"))
            assert answer.status == 201, answer
    machines[0].stop()
    machines[0].start()
    for machine, session in itertools.product(machines, 2 * sessions):
        assert machine.serves(session)


@pytest.mark.soak
def test_memory_of_a_hall_does_not_grow(machines: Machines, figure: Figure) -> None:
    record_earlier_sessions(machines)
    tables = opened(machines)
    with crowd(streams_of(machines, tables)), recording(tables):
        time.sleep(WARM)
        before = sum(megabytes(machine.server.process.pid) for machine in machines)
        time.sleep(60 * SOAK_MINUTES)
        after = sum(megabytes(machine.server.process.pid) for machine in machines)
    figure(f"{before:.0f} MB, after {SOAK_MINUTES:g} minutes {after:.0f} MB")
    assert after < FLAT * before

"""A hall on several machines and one PostgreSQL: who watches hears of all that any of them records.

Also while a process dies, the database begins anew, or all who watch come back at once: nothing
that was acknowledged is lost, nobody misses where his table ends, and soon all goes on.
"""

import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Any, Final

import pytest

from scorekeeper.service.cache import MOST_EVENTS
from tests.conftest import SOAK, SOAK_MINUTES, Figure
from tests.faults.crowd import Crowd, Heard, Stream, crowd
from tests.faults.phones import Phone, Writer, body_of
from tests.faults.running import Again, events_of, report_of
from tests.operation.processes import megabytes
from tests.operation.serving import until
from tests.store import homes
from tests.store.clusters import Cluster

pytestmark = [pytest.mark.soak] if SOAK else []  # where many more watch, and for longer

WATCHERS: Final = 1_000 if SOAK else 60
MACHINES: Final = 3 if SOAK else 2
TABLES: Final = 20 if SOAK else 4
PACE: Final = 0.5  # seconds between two events of a table
QUIET: Final = 10.0 if SOAK else 0.6  # seconds before something happens
AFTER: Final = 8.0 if SOAK else 1.0  # seconds after it, and more until each table has recorded
SETTLED: Final = 2.0 if SOAK else 1.0  # seconds until what was recorded last has been heard of
RECOVERY: Final = 5.0  # seconds until all who watch hear what was recorded after it
APPENDED: Final = 1.0 if SOAK else 3.0  # seconds of 99 of 100 appends; more beside other tests
PAUSE: Final = 0.05  # seconds until who was refused tries again
FLAT: Final = 1.05  # times the memory of before, at most, after all that time
WARM: Final = 60.0  # seconds until a service has all that it keeps of a hall
LONG: Final = 10_000  # notes of an evening of before: more in all than a process keeps folded
BEFORE: Final = 2 * MOST_EVENTS // LONG  # such evenings of each machine

Machines = list[Again]


@pytest.fixture(scope="module")
def machines(cluster: Cluster) -> Iterator[Machines]:
    """Services on one database, each on a port of its own; the first has two processes."""
    given: dict[str, Any] = {"database_url": cluster.url, "sessions_an_hour": 10**6}
    with homes.folder_in_memory() as folder, ExitStack() as stack:
        found = [Again(folder / f"{n}", workers=2 if n == 0 else 1, **given)
                 for n in range(MACHINES)]  # fmt: skip
        for one in found:  # one after the other: the first makes the tables
            stack.callback(one.stop)
            one.start()
        yield found


class Table(Writer):
    """A table that records at its pace, whatever happens, and notes how long each try took."""

    def __init__(self, port: int, session: Any, name: str) -> None:
        super().__init__(port, session, name)
        self.session = session
        self.tries: list[float] = []
        self.acknowledged: list[tuple[float, int]] = []  # when, and which version

    def record(self, stop: threading.Event) -> None:
        """Record until it is over, and what was begun is known."""
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
    """Let them all record."""
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
    """The tables of a hall, spread over the machines."""
    sessions = [machines[0].server.open_session() for _ in range(TABLES)]
    return [
        Table(machines[n % len(machines)].port, session, f"table {n}")
        for n, session in enumerate(sessions)
    ]


def streams_of(machines: Machines, tables: Sequence[Table]) -> list[Stream]:
    """What each who watches watches; those of one table come to all machines."""
    ports = tuple(machine.port for machine in machines)
    watched = [(tables[n % TABLES], ports[n // TABLES % len(ports)]) for n in range(WATCHERS)]
    return [Stream((port,), one.path, one.session["keys"]["view"]) for one, port in watched]


def complaints(
    machines: Machines, tables: Sequence[Table], heard: Sequence[Sequence[Heard]]
) -> Iterator[str]:
    """What was lost, of what was acknowledged or of what was to be heard."""
    for n, table in enumerate(tables):
        events = events_of(machines[-1].server, table.session)
        yield from table.complaints(events)
        heads = {event["seq"]: event["hash"] for event in events}
        for place, one in enumerate(heard[n::TABLES]):
            told = [(each.version, each.head) for each in one]
            if told[-1] != (len(events), heads[len(events)]):
                yield f"{table.name}, watcher {place} missed where it ends"
            if any(heads.get(version) != head for version, head in told):
                yield f"{table.name}, watcher {place} heard what is not on record"


def assert_found_out(
    machines: Machines, tables: Sequence[Table], heard: Sequence[Sequence[Heard]]
) -> None:
    """Were one of them told less, or something else, it would be seen."""
    *before, last = heard[0]
    for told, said in ((before, "missed"), ([last._replace(head="x")], "not on record")):
        assert any(
            said in complaint for complaint in complaints(machines, tables, [told, *heard[1:]])
        )
    tables[0].told[1] = 2, "x"
    assert any("is lost" in complaint for complaint in complaints(machines, tables, heard))


def has_recorded(table: Table, since: float) -> bool:
    """Whether something was acknowledged since then."""
    return any(at > since for at, _ in table.acknowledged)


def settled(tables: Sequence[Table], watching: Crowd) -> list[list[Heard]]:
    """What all who watch have heard: of all that was recorded, or so far when the time is over."""
    end = time.monotonic() + SETTLED
    while True:
        heard = watching.heard()
        known = all(
            one[-1].version == table.version
            for n, table in enumerate(tables)
            for one in heard[n::TABLES]
        )
        if known or time.monotonic() > end:
            return heard
        time.sleep(PAUSE)


def recovered(tables: Sequence[Table], heard: Sequence[Sequence[Heard]], since: float) -> float:
    """The seconds until all who watch heard of something that was recorded since."""
    latest = 0.0
    for n, table in enumerate(tables):
        first = next(version for at, version in table.acknowledged if at > since)
        for one in heard[n::TABLES]:
            latest = max(latest, next(each.at for each in one if each.version >= first) - since)
    return latest


def kill_worker(machines: Machines, cluster: Cluster, watching: Crowd) -> None:
    machines[0].kill_worker()


def restart_database(machines: Machines, cluster: Cluster, watching: Crowd) -> None:
    cluster.restart()


def come_back(machines: Machines, cluster: Cluster, watching: Crowd) -> None:
    watching.come_back()


@pytest.mark.parametrize("what", [kill_worker, restart_database, come_back])
def test_nothing_is_lost_in_a_hall_and_soon_all_goes_on(
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
            until(lambda: all(has_recorded(one, since) for one in tables), RECOVERY)
        heard = settled(tables, watching)
    assert list(complaints(machines, tables, heard)) == []
    assert_found_out(machines, tables, heard)
    tries = sorted(took for table in tables for took in table.tries)
    p99, late = tries[int(len(tries) * 0.99)], recovered(tables, heard, since)
    figure(f"{len(tries)} appends, p99 {p99 * 1000:.0f} ms; all goes on after {late:.2f} s")
    assert late < RECOVERY
    assert p99 < APPENDED


def test_no_machine_shows_what_was_corrected_on_another(machines: Machines) -> None:
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
            assert {one.headers["ETag"] for one in shown} == {f'"{ids[-1]}-masked"'}
            assert len({one.body for one in shown}) == 1


def recorded(phone: Phone, kind: str, data: Any, key: str) -> int:
    """Record an event; the version that it makes."""
    body = json.dumps({"events": [{"type": kind, "data": data}]})
    answer = phone.ask("POST", "/events", body, **phone.headers(key))
    assert answer.status == 201, answer
    return int(answer.json["version"])


def record_evenings_of_before(machines: Machines) -> None:
    """Let each process read as many folded events as it may keep."""
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
def test_the_memory_of_a_hall_stays_flat(machines: Machines, figure: Figure) -> None:
    record_evenings_of_before(machines)
    tables = opened(machines)
    with crowd(streams_of(machines, tables)), recording(tables):
        time.sleep(WARM)
        before = sum(megabytes(machine.server.process.pid) for machine in machines)
        time.sleep(60 * SOAK_MINUTES)
        after = sum(megabytes(machine.server.process.pid) for machine in machines)
    figure(f"{before:.0f} MB, after {SOAK_MINUTES:g} minutes {after:.0f} MB")
    assert after < FLAT * before

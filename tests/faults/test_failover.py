"""A primary is killed, or frozen, while phones record, and its standby is promoted."""

import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from math import inf
from threading import Event
from typing import Any, Final, NamedTuple

import pytest

from tests.conftest import SOAK, Figure
from tests.faults.phones import Phone, Writer, writing
from tests.faults.running import THREADS, RestartableServer, ServerPair, events_of, run_pair
from tests.faults.test_kills import wait_for_more
from tests.operation.serving import Answer, Server
from tests.store import homes
from tests.store.clusters import Pair

ROUNDS: Final = 20 if SOAK else 1
RESUMED: Final = 5.0  # seconds from the promotion until all phones record again
SILENCE: Final = 4  # seconds that the database may be silent, by default
CONNECTING: Final = 2  # seconds that a silent host has to accept a connection
IN_TIME: Final = (
    SILENCE + CONNECTING + 1.5
)  # seconds until a waiting client is refused, on a busy machine
NO_DATABASE_SECONDS: Final = 1.5  # for pages that need no database, on a busy machine
UNNOTICED: Final = 1.2  # seconds until the standby is promoted
AWAY: Final = 0.3  # seconds without a standby before it is needed

# Writers get the reason that the database is unavailable; readers also that many readers wait.
REFUSALS: Final = {(503, "storage_unavailable"), (503, "busy")}

# Pages that need no database.
FREE: Final = ("/healthz", "/static/style.css", "/rules", "/rules/picchetto", "/prefs", "/verify",
               "/score", "/verify.py", "/api/docs", "/api/games")  # fmt: skip


@pytest.fixture(scope="module")
def on_pair(pair: Pair) -> Iterator[ServerPair]:
    """Run two servers on the pair."""
    with homes.folder_in_memory() as folder, run_pair(folder, pair.url) as servers:
        yield servers


def recording(running: RestartableServer) -> tuple[list[Any], list[Writer]]:
    """Open two sessions with two recording phones each."""
    sessions = [running.server.open_session() for _ in range(2)]
    return sessions, [Writer(running.port, sessions[n % 2], f"phone {n}") for n in range(4)]


def resumed(writers: list[Writer]) -> float:
    """Return the seconds until all have recorded again; more than ``RESUMED`` if they have not."""
    try:
        return wait_for_more(writers, RESUMED)
    except AssertionError:
        return inf


def complaints(server: Server, sessions: list[Any], writers: list[Writer]) -> list[str]:
    """Return the differences between the sessions and the journals."""
    events = [events_of(server, session) for session in sessions]
    return [
        complaint
        for n, writer in enumerate(writers)
        for complaint in writer.complaints(events[n % 2])
    ]


def check_refused(answers: Sequence[Answer]) -> None:
    """Check that refused clients may try again."""
    for answer in answers:
        assert (answer.status, answer.json["code"]) in REFUSALS, answer
        assert int(answer.headers["Retry-After"]) >= 1


# ------------------------------------------------------------------------------------- killed


def kill_alone(
    running: RestartableServer, pair: Pair, figure: Figure = lambda _: None
) -> list[str]:
    """Kill the primary while its standby is away, promote that, and return the complaints."""
    sessions, writers = recording(running)
    with writing(writers):
        wait_for_more(writers)
        time.sleep(AWAY)
        pair.standby.stop()
        time.sleep(AWAY)
        pair.primary.signal(signal.SIGKILL)
        pair.standby.start()
        pair.promote()
        took = resumed(writers)
    assert took < RESUMED
    for writer in writers:
        check_refused(writer.refused)
    acknowledged = sum(len(writer.journal) for writer in writers)
    figure(f"killed: {acknowledged} acknowledged, recorded again {took:.2f} s after the promotion")
    return complaints(running.server, sessions, writers)


def test_killed_primary_loses_no_acknowledged_event(
    on_pair: ServerPair, pair: Pair, figure: Figure
) -> None:
    for _ in range(ROUNDS):
        with pair.followed():
            assert kill_alone(on_pair.sound, pair, figure) == []


@pytest.mark.soak
def test_commit_without_waiting_for_the_standby_is_detected(
    on_pair: ServerPair, pair: Pair
) -> None:
    with pair.followed(synchronous=False):
        complaints_found = kill_alone(on_pair.sound, pair)
    assert any("is lost" in complaint for complaint in complaints_found)


# ------------------------------------------------------------------------------------- frozen


class Watcher(Phone):
    """A phone that polls a session, and records refusals and the slowest answer."""

    slowest = 0.0  # seconds

    def __init__(self, port: int, session: Any) -> None:
        super().__init__(port, session, "view")
        self.refused: list[Answer] = []

    def watch(self, stop: Event) -> None:
        """Poll until ``stop`` is set."""
        with closing(self):
            while not stop.wait(0.1):
                began = time.monotonic()
                answer = self.ask()
                self.slowest = max(self.slowest, time.monotonic() - began)
                if answer.status != 200:
                    self.refused.append(answer)


@contextmanager
def watched(running: RestartableServer, session: Any) -> Iterator[list[Watcher]]:
    """Let more phones poll a session than there are threads."""
    stop = Event()
    watchers = [Watcher(running.port, session) for _ in range(THREADS * 3 // 2)]
    with ThreadPoolExecutor(len(watchers)) as pool:
        looking = [pool.submit(watcher.watch, stop) for watcher in watchers]
        try:
            yield watchers
        finally:
            stop.set()
    for job in looking:
        job.result()


def time_pages_without_database(server: Server, seconds: float) -> float:
    """Request pages that need no database for some seconds; return the longest time."""
    end, slowest = time.monotonic() + seconds, 0.0
    while time.monotonic() < end:
        for path in FREE:
            began = time.monotonic()
            assert server.get(path).status == 200, path
            slowest = max(slowest, time.monotonic() - began)
    return slowest


class Frozen(NamedTuple):
    """The observations while a primary was frozen and its standby promoted."""

    resumed: float  # seconds from the promotion until all recorded again
    refused: list[Answer]
    latest: float  # seconds until the last reader was answered
    free: float  # at most, seconds for a page that needs no database
    complaints: list[str]


def freeze(running: RestartableServer, pair: Pair, *, answered: bool = True) -> Frozen:
    """Freeze the primary, and promote its standby."""
    sessions, writers = recording(running)
    with (
        writing(writers, answered=answered),
        watched(running, sessions[0]) as watchers,
        ThreadPoolExecutor(1) as pool,
    ):
        wait_for_more(writers)
        for path in FREE:
            running.server.get(path)  # compiles the template
        pair.primary.signal(signal.SIGSTOP)
        try:
            free = time_pages_without_database(running.server, UNNOTICED)
            pair.promote()
            again = pool.submit(resumed, writers)
            free = max(free, time_pages_without_database(running.server, UNNOTICED))
            took = again.result()
        finally:
            pair.discard()  # clients still wait for it
    refused = [answer for writer in writers for answer in writer.refused]
    refused += [answer for watcher in watchers for answer in watcher.refused]
    latest = max(watcher.slowest for watcher in watchers)
    return Frozen(took, refused, latest, free, complaints(running.server, sessions, writers))


def test_clients_are_refused_in_time_while_the_primary_is_frozen(
    on_pair: ServerPair, pair: Pair, figure: Figure
) -> None:
    for _ in range(ROUNDS):
        with pair.followed():
            frozen = freeze(on_pair.sound, pair)
        assert frozen.complaints == []
        assert frozen.resumed < RESUMED
        assert frozen.refused
        check_refused(frozen.refused)
        assert frozen.latest < IN_TIME
        assert frozen.free < NO_DATABASE_SECONDS
        figure(
            f"frozen: recorded again {frozen.resumed:.2f} s after the promotion; "
            f"{len(frozen.refused)} refused, the last look after {frozen.latest:.2f} s; "
            f"without the database at most {frozen.free:.2f} s"
        )


@pytest.mark.soak
def test_service_without_timeouts_is_detected(on_pair: ServerPair, pair: Pair) -> None:
    with on_pair.altered.with_fault("waits for ever"), pair.followed():
        assert freeze(on_pair.altered, pair, answered=False).resumed > RESUMED

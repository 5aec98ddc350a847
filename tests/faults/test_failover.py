"""A primary that dies, or is frozen, while phones record; then its standby takes its place."""

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
from tests.faults.running import THREADS, Again, Two, events_of, two
from tests.faults.test_kills import wait_for_more
from tests.operation.serving import Answer, Server
from tests.store import homes
from tests.store.clusters import Pair

pytestmark = [pytest.mark.soak] if SOAK else []  # where it tries many more

ROUNDS: Final = 20 if SOAK else 1
RESUMED: Final = 5.0  # seconds from the promotion until everybody records again
SILENCE: Final = 4  # seconds that the database may say nothing, as it is set by default
CONNECTING: Final = 2  # seconds that a silent host has to take a connection
IN_TIME: Final = SILENCE + CONNECTING + 1.5  # seconds until who waits is told so, on a busy machine
AT_ONCE: Final = 1.5  # seconds until what needs no database is there, on a busy machine
UNNOTICED: Final = 1.2  # seconds until somebody notices, and promotes the standby
AWAY: Final = 0.3  # seconds for which the standby is not there before it is needed

# Who records is told that the database is not there; who looks, also that many wait to look.
REFUSALS: Final = {(503, "storage_unavailable"), (503, "busy")}

# What needs no database.
FREE: Final = ("/healthz", "/static/style.css", "/rules", "/rules/picchetto", "/prefs", "/verify",
               "/score", "/verify.py", "/api/docs", "/api/games")  # fmt: skip


@pytest.fixture(scope="module")
def on_pair(pair: Pair) -> Iterator[Two]:
    """Two servers on the pair."""
    with homes.folder_in_memory() as folder, two(folder, pair.url) as servers:
        yield servers


def recording(running: Again) -> tuple[list[Any], list[Writer]]:
    """Two sessions, and two phones that record in each."""
    sessions = [running.server.open_session() for _ in range(2)]
    return sessions, [Writer(running.port, sessions[n % 2], f"phone {n}") for n in range(4)]


def resumed(writers: list[Writer]) -> float:
    """The seconds until all have recorded again, and more than there may be where they have not."""
    try:
        return wait_for_more(writers, RESUMED)
    except AssertionError:
        return inf


def complaints(server: Server, sessions: list[Any], writers: list[Writer]) -> list[str]:
    """What is wrong with the sessions."""
    events = [events_of(server, session) for session in sessions]
    return [
        complaint
        for n, writer in enumerate(writers)
        for complaint in writer.complaints(events[n % 2])
    ]


def check_refused(answers: Sequence[Answer]) -> None:
    """Who was refused may come again."""
    for answer in answers:
        assert (answer.status, answer.json["code"]) in REFUSALS, answer
        assert int(answer.headers["Retry-After"]) >= 1


# ------------------------------------------------------------------------------------- killed


def kill_alone(running: Again, pair: Pair, figure: Figure = lambda _: None) -> list[str]:
    """Kill the primary while its standby is away, which then takes its place; what is wrong."""
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
    told = sum(len(writer.told) for writer in writers)
    figure(f"killed: {told} acknowledged, recorded again {took:.2f} s after the promotion")
    return complaints(running.server, sessions, writers)


def test_a_primary_that_dies_takes_nothing_with_it(
    on_pair: Two, pair: Pair, figure: Figure
) -> None:
    for _ in range(ROUNDS):
        with pair.followed():
            assert kill_alone(on_pair.sound, pair, figure) == []


@pytest.mark.soak
def test_a_standby_that_is_not_waited_for_is_found_out(on_pair: Two, pair: Pair) -> None:
    with pair.followed(synchronous=False):
        found = kill_alone(on_pair.sound, pair)
    assert any("is lost" in one for one in found)


# ------------------------------------------------------------------------------------- frozen


class Watcher(Phone):
    """Asks for a session again and again, and remembers what was refused, and how late."""

    slowest = 0.0  # seconds

    def __init__(self, port: int, session: Any) -> None:
        super().__init__(port, session, "view")
        self.refused: list[Answer] = []

    def watch(self, stop: Event) -> None:
        """Ask until it is over."""
        with closing(self):
            while not stop.wait(0.1):
                began = time.monotonic()
                answer = self.ask()
                self.slowest = max(self.slowest, time.monotonic() - began)
                if answer.status != 200:
                    self.refused.append(answer)


@contextmanager
def watched(running: Again, session: Any) -> Iterator[list[Watcher]]:
    """More phones look at a session than there are threads."""
    stop = Event()
    watchers = [Watcher(running.port, session) for _ in range(THREADS * 3 // 2)]
    with ThreadPoolExecutor(len(watchers)) as pool:
        looking = [pool.submit(watcher.watch, stop) for watcher in watchers]
        try:
            yield watchers
        finally:
            stop.set()
    for one in looking:
        one.result()


def ask_free(server: Server, seconds: float) -> float:
    """Ask for so long for what needs no database; the longest that it took."""
    end, slowest = time.monotonic() + seconds, 0.0
    while time.monotonic() < end:
        for path in FREE:
            began = time.monotonic()
            assert server.get(path).status == 200, path
            slowest = max(slowest, time.monotonic() - began)
    return slowest


class Frozen(NamedTuple):
    """What was seen of a primary that was frozen, and of its standby that took its place."""

    resumed: float  # seconds from the promotion until all recorded again
    refused: list[Answer]
    latest: float  # seconds until the last look was answered
    free: float  # seconds that what needs no database took at most
    complaints: list[str]


def freeze(running: Again, pair: Pair, *, answered: bool = True) -> Frozen:
    """Freeze the primary, and let its standby take its place."""
    sessions, writers = recording(running)
    with (
        writing(writers, answered=answered),
        watched(running, sessions[0]) as watchers,
        ThreadPoolExecutor(1) as pool,
    ):
        wait_for_more(writers)
        for path in FREE:
            running.server.get(path)  # which compiles its page
        pair.primary.signal(signal.SIGSTOP)
        try:
            free = ask_free(running.server, UNNOTICED)
            pair.promote()
            again = pool.submit(resumed, writers)
            free = max(free, ask_free(running.server, UNNOTICED))
            took = again.result()
        finally:
            pair.discard()  # somebody still waits for it
    refused = [one for writer in writers for one in writer.refused]
    refused += [one for watcher in watchers for one in watcher.refused]
    latest = max(watcher.slowest for watcher in watchers)
    return Frozen(took, refused, latest, free, complaints(running.server, sessions, writers))


def test_a_primary_that_is_frozen_holds_nobody_up(on_pair: Two, pair: Pair, figure: Figure) -> None:
    for _ in range(ROUNDS):
        with pair.followed():
            seen = freeze(on_pair.sound, pair)
        assert seen.complaints == []
        assert seen.resumed < RESUMED
        assert seen.refused
        check_refused(seen.refused)
        assert seen.latest < IN_TIME
        assert seen.free < AT_ONCE
        figure(
            f"frozen: recorded again {seen.resumed:.2f} s after the promotion; "
            f"{len(seen.refused)} refused, the last look after {seen.latest:.2f} s; "
            f"without the database at most {seen.free:.2f} s"
        )


@pytest.mark.soak
def test_a_service_that_waits_for_ever_is_found_out(on_pair: Two, pair: Pair) -> None:
    with on_pair.altered.broken("waits for ever"), pair.followed():
        assert freeze(on_pair.altered, pair, answered=False).resumed > RESUMED

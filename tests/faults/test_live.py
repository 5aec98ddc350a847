"""Watchers receive each change of any process, without delays for other clients."""

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPResponse
from typing import Any, Final

import pytest

from scorekeeper.live.event_streams import MIN_GAP_SECONDS
from tests.conftest import SOAK, Figure
from tests.faults import altered
from tests.faults.phones import LOST, Phone
from tests.faults.running import MOST_STREAMS, RestartableServer, ServerPair, report_of
from tests.faults.test_repeats import phones_of_each_worker, worker_of
from tests.operation.serving import Server, until

CHANGES: Final = 1_000 if SOAK else 20
PACE: Final = 0.05  # seconds between two changes
RECEIVED: Final = 1.0 if SOAK else 3.0  # seconds until a change arrives; more beside other tests
ENDS: Final = 3.0  # seconds until a stream of a stopping server ends
ANSWERED: Final = 2.0  # seconds for clients without a stream
A_MINUTE: Final = 60.0


class StreamWatcher(Phone):
    """A client that watches a stream, and reconnects when it ends."""

    def __init__(self, port: int, session: Any) -> None:
        super().__init__(port, session, "view")
        self.connection.timeout = 30  # more than the seconds between two heartbeats
        self.known = 0
        self.received: list[tuple[float, int, str]] = []
        self.stream: HTTPResponse | None = None

    def begin(self) -> int:
        """Request the stream; return the status."""
        headers = {**self.bearer, "Last-Event-ID": str(self.known)}
        self.connection.request("GET", f"{self.path}/stream", headers=headers)
        self.stream = self.connection.getresponse()
        if self.stream.status != 200:
            self.refusal = json.loads(self.stream.read())
        return self.stream.status

    def listen(self) -> bool:
        """Receive a line; return whether there was one."""
        line = self.stream.readline() if self.stream else b""
        if line.startswith(b"data: "):
            change = json.loads(line.removeprefix(b"data: "))
            self.known = change["version"]
            self.received.append((time.monotonic(), change["version"], change["head"]))
        return bool(line)

    def follow(self, stop: threading.Event) -> None:
        """Receive one stream after the other until ``stop`` is set."""
        while not stop.is_set():
            try:
                if not self.listen() and not stop.is_set():
                    self.close()
                    assert self.begin() == 200
            except LOST:
                return

    def close(self) -> None:
        super().close()
        if self.stream is not None:
            self.stream.close()

    def hang_up(self) -> None:
        """Close the stream, so that a thread that waits for it continues."""
        if self.connection.sock is not None:
            self.connection.sock.shutdown(socket.SHUT_RDWR)

    def delay(self, version: int, since: float) -> float:
        """Return the seconds from a time until this version was received."""
        return min((at for at, known, _ in self.received if known >= version), default=9e9) - since


@contextmanager
def following(watchers: Sequence[StreamWatcher]) -> Iterator[None]:
    """Let all watchers receive."""
    stop = threading.Event()
    threads = [threading.Thread(target=watcher.follow, args=(stop,)) for watcher in watchers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for watcher in watchers:
            watcher.hang_up()
        for thread in threads:
            thread.join()
        for watcher in watchers:
            watcher.close()


def check_received(writer: Phone, watchers: Sequence[StreamWatcher], changes: int) -> float:
    """Change a session repeatedly; check that all watchers receive the changes in time.

    Return the seconds within which 95 of 100 changes were received by the slowest watcher.
    """
    versions = []
    with following(watchers):
        for n in range(changes):
            answer = writer.insist(f"{n}", f"{n}")
            versions.append((time.monotonic(), answer.json["version"], answer.json["head"]))
            time.sleep(PACE)
        end = time.monotonic() + RECEIVED
        while time.monotonic() < end and any(
            watcher.known < versions[-1][1] for watcher in watchers
        ):
            time.sleep(0.01)
    latest = 0.0
    for watcher in watchers:
        assert watcher.received[-1][1:] == versions[-1][1:]
        delay = sorted(watcher.delay(version, at) for at, version, _ in versions)
        latest = max(latest, delay[int(0.95 * len(delay)) - 1])
        assert latest < RECEIVED, delay
    return latest


def watchers_of_all_processes(server: Server, session: Any) -> list[StreamWatcher]:
    """Return a watcher through each worker process of a server."""
    by_process: dict[int, StreamWatcher] = {}

    def all_watched() -> bool:
        watcher = StreamWatcher(server.port, session)
        # A process with too many streams refuses more until it notices that clients disconnected.
        if (
            watcher.begin() != 200
            or by_process.setdefault(worker_of(server, watcher), watcher) is not watcher
        ):
            watcher.close()
        return len(by_process) == len(server.workers())

    until(all_watched)
    return list(by_process.values())


def test_change_is_received_through_every_process_of_every_server(
    servers: ServerPair, figure: Figure
) -> None:
    session = servers.sound.server.open_session()
    writer, other = phones_of_each_worker(servers.sound.server, session)
    other.close()
    with closing(writer):
        watchers = [watcher for each_server in (servers.sound, servers.altered)
                for watcher in watchers_of_all_processes(each_server.server, session)]  # fmt: skip
        latest = check_received(writer, watchers, CHANGES)
    figure(f"{CHANGES} changes, 95 of 100 heard within {latest:.2f} s")


@pytest.mark.soak
def test_service_without_notifications_is_detected(on_sqlite: ServerPair) -> None:
    session = on_sqlite.sound.server.open_session()
    with (
        on_sqlite.altered.with_fault("tells nobody"),
        closing(Phone(on_sqlite.sound.port, session)) as phone,
    ):
        watcher = StreamWatcher(on_sqlite.altered.port, session)
        assert watcher.begin() == 200
        watcher.listen()
        time.sleep(2 * MIN_GAP_SECONDS)  # by then the stream has polled by itself
        with pytest.raises(AssertionError):
            check_received(phone, [watcher], 3)


# -------------------------------------------------------------------------------------- room


def crowd(running: RestartableServer, many: int, room: int) -> None:
    """Open more streams than the limit: ``room`` are accepted, and all other requests served."""
    session = running.server.open_session()
    with ExitStack() as stack, closing(Phone(running.port, session)) as phone:
        phone.connection.timeout = ANSWERED
        watchers = [
            stack.enter_context(closing(StreamWatcher(running.port, session))) for _ in range(many)
        ]
        for watcher in watchers:
            watcher.connection.timeout = ANSWERED
        statuses = [watcher.begin() for watcher in watchers]
        for watcher, status in zip(watchers, statuses, strict=True):
            assert status == 200 or (status, watcher.refusal["code"]) == (503, "no_room")
        assert statuses.count(200) == room
        for _ in range(3):
            began = time.monotonic()
            assert phone.insist("a note", f"{began}").status == 201
            assert phone.ask().status == 200
            assert running.server.get("/readyz").status == 200
            assert time.monotonic() - began < ANSWERED
        watchers[0].close()

        def comes() -> bool:
            phone.insist(
                "a note", f"{time.monotonic()}"
            )  # makes the server notice disconnected clients
            return watchers[-1].begin() == 200

        until(comes, ANSWERED)


@pytest.fixture
def no_streams(on_sqlite: ServerPair) -> None:
    """Wait until no streams are open: a server notices disconnected clients after a while."""
    for running in (on_sqlite.sound, on_sqlite.altered):
        until(lambda watched=running.server: watched.figure("streams_open") == 0)  # type: ignore[misc]


@pytest.mark.usefixtures("no_streams")
def test_streams_over_the_limit_are_refused_and_other_requests_served(
    on_sqlite: ServerPair,
) -> None:
    crowd(on_sqlite.sound, MOST_STREAMS + 7, MOST_STREAMS)


@pytest.mark.soak
@pytest.mark.usefixtures("no_streams")
def test_service_without_a_limit_on_streams_is_detected(on_sqlite: ServerPair) -> None:
    with on_sqlite.altered.with_fault("lets everybody in"), pytest.raises(AssertionError):
        crowd(on_sqlite.altered, 12, 2)
    on_sqlite.altered.kill_worker()  # its streams would continue


def share(running: RestartableServer, most: int) -> None:
    """Let one address fill all slots for one session; another table still gets a stream."""
    greedy, table = running.server.open_session(), running.server.open_session()
    with ExitStack() as stack:
        for _ in range(most):
            watcher = stack.enter_context(closing(StreamWatcher(running.port, greedy)))
            assert watcher.begin() == 200
        mine = stack.enter_context(closing(StreamWatcher(running.port, table)))
        assert mine.begin() == 200
        mine.listen()


@pytest.mark.usefixtures("no_streams")
def test_one_session_cannot_keep_all_streams_from_another(on_sqlite: ServerPair) -> None:
    share(on_sqlite.sound, MOST_STREAMS)


@pytest.mark.soak
@pytest.mark.usefixtures("no_streams")
def test_service_that_lets_one_session_keep_all_streams_is_detected(on_sqlite: ServerPair) -> None:
    with on_sqlite.altered.with_fault("shares unfairly"), pytest.raises(AssertionError):
        share(on_sqlite.altered, 2)


# --------------------------------------------------------------------------------------- ends


def test_streams_end_when_their_process_stops(servers: ServerPair) -> None:
    running = servers.sound
    session = running.server.open_session()
    workers = running.server.workers()
    with ExitStack() as stack:
        watchers = [
            stack.enter_context(closing(processe))
            for processe in watchers_of_all_processes(running.server, session)
        ]
        assert all(watcher.listen() for watcher in watchers)
        began = time.monotonic()
        for worker in workers:
            os.kill(worker, signal.SIGTERM)
        for watcher in watchers:
            while watcher.listen():
                pass
        assert time.monotonic() - began < ENDS
        assert [update[1:] for watcher in watchers for update in watcher.received] == [
            (1, session["head"])
        ] * len(watchers)
    until(lambda: not set(workers) & set(running.server.workers()))
    running.wait_until_serving(session)


def revoke(running: RestartableServer, session: Any, life: float) -> None:
    """Revoke the key of a watcher: its stream ends within its time, and no other begins."""
    with (
        closing(Phone(running.port, session)) as host,
        closing(StreamWatcher(running.port, session)) as watcher,
    ):
        assert watcher.begin() == 200
        began = time.monotonic()
        keys = host.ask("GET", "/keys").json["keys"]
        (key,) = [key["id"] for key in keys if key["role"] == "view"]
        assert host.ask("DELETE", f"/keys/{key}").status == 204
        while watcher.listen():
            pass
        assert time.monotonic() - began < life + ENDS
        watcher.connection.close()
        assert watcher.begin() == 401
        assert report_of(running.server, session).status == 401


def test_revoked_key_opens_no_stream(on_sqlite: ServerPair) -> None:
    running = on_sqlite.altered
    revoke(running, running.server.open_session(), altered.STREAM_SECONDS)


@pytest.mark.soak
def test_stream_of_a_revoked_key_ends_within_a_minute(on_sqlite: ServerPair) -> None:
    running = on_sqlite.sound
    revoke(running, running.server.open_session(), A_MINUTE)

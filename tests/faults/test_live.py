"""Who watches hears of each change, wherever it was made, and nobody else has to wait for it."""

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
from tests.faults.running import MOST_STREAMS, Again, Two, report_of
from tests.faults.test_repeats import phones_of_each_worker, worker_of
from tests.operation.serving import Server, until

pytestmark = [pytest.mark.soak] if SOAK else []  # where it tries many more

CHANGES: Final = 1_000 if SOAK else 20
PACE: Final = 0.05  # seconds between two changes
SOON: Final = 1.0 if SOAK else 3.0  # seconds until a change is heard; more beside other tests
ENDS: Final = 3.0  # seconds until a stream ends whose server stops
ANSWERED: Final = 2.0  # seconds, for who does not watch
A_MINUTE: Final = 60.0


class Ear(Phone):
    """Somebody who watches, and comes back when the stream ends."""

    def __init__(self, port: int, session: Any) -> None:
        super().__init__(port, session, "view")
        self.connection.timeout = 30  # more than the seconds until a sign of life
        self.known = 0
        self.heard: list[tuple[float, int, str]] = []
        self.stream: HTTPResponse | None = None

    def begin(self) -> int:
        """Ask for the stream; the status."""
        headers = {**self.bearer, "Last-Event-ID": str(self.known)}
        self.connection.request("GET", f"{self.path}/stream", headers=headers)
        self.stream = self.connection.getresponse()
        if self.stream.status != 200:
            self.refusal = json.loads(self.stream.read())
        return self.stream.status

    def listen(self) -> bool:
        """Note one more line; whether there was one."""
        line = self.stream.readline() if self.stream else b""
        if line.startswith(b"data: "):
            told = json.loads(line.removeprefix(b"data: "))
            self.known = told["version"]
            self.heard.append((time.monotonic(), told["version"], told["head"]))
        return bool(line)

    def follow(self, stop: threading.Event) -> None:
        """Listen to one stream after the other."""
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
        """Let who listens go on."""
        if self.connection.sock is not None:
            self.connection.sock.shutdown(socket.SHUT_RDWR)

    def late(self, version: int, since: float) -> float:
        """The seconds from a moment until it was known that the session is so far."""
        return min((at for at, known, _ in self.heard if known >= version), default=9e9) - since


@contextmanager
def following(ears: Sequence[Ear]) -> Iterator[None]:
    """Let them all listen."""
    stop = threading.Event()
    threads = [threading.Thread(target=ear.follow, args=(stop,)) for ear in ears]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for ear in ears:
            ear.hang_up()
        for thread in threads:
            thread.join()
        for ear in ears:
            ear.close()


def listen_to(writer: Phone, ears: Sequence[Ear], changes: int) -> float:
    """Change a session again and again; all hear of each change soon, and of the last one.

    The seconds within which 95 of 100 changes were heard, by who heard them latest.
    """
    made = []
    with following(ears):
        for n in range(changes):
            answer = writer.insist(f"{n}", f"{n}")
            made.append((time.monotonic(), answer.json["version"], answer.json["head"]))
            time.sleep(PACE)
        end = time.monotonic() + SOON
        while time.monotonic() < end and any(ear.known < made[-1][1] for ear in ears):
            time.sleep(0.01)
    latest = 0.0
    for ear in ears:
        assert ear.heard[-1][1:] == made[-1][1:]
        late = sorted(ear.late(version, at) for at, version, _ in made)
        latest = max(latest, late[int(0.95 * len(late)) - 1])
        assert latest < SOON, late
    return latest


def ears_of_all(server: Server, session: Any) -> list[Ear]:
    """Somebody who watches through each process of a server."""
    found: dict[int, Ear] = {}

    def all_watched() -> bool:
        ear = Ear(server.port, session)
        # There is no room, where too many came to one process: it hears in time who has gone.
        if ear.begin() != 200 or found.setdefault(worker_of(server, ear), ear) is not ear:
            ear.close()
        return len(found) == len(server.workers())

    until(all_watched)
    return list(found.values())


def test_a_change_is_heard_through_every_process_of_every_server(
    servers: Two, figure: Figure
) -> None:
    session = servers.sound.server.open_session()
    writer, other = phones_of_each_worker(servers.sound.server, session)
    other.close()
    with closing(writer):
        ears = [ear for one in (servers.sound, servers.altered)
                for ear in ears_of_all(one.server, session)]  # fmt: skip
        latest = listen_to(writer, ears, CHANGES)
    figure(f"{CHANGES} changes, 95 of 100 heard within {latest:.2f} s")


@pytest.mark.soak
def test_a_service_that_tells_nobody_is_found_out(on_sqlite: Two) -> None:
    session = on_sqlite.sound.server.open_session()
    with (
        on_sqlite.altered.broken("tells nobody"),
        closing(Phone(on_sqlite.sound.port, session)) as phone,
    ):
        ear = Ear(on_sqlite.altered.port, session)
        assert ear.begin() == 200
        ear.listen()
        time.sleep(2 * MIN_GAP_SECONDS)  # by then the stream has looked once more by itself
        with pytest.raises(AssertionError):
            listen_to(phone, [ear], 3)


# -------------------------------------------------------------------------------------- room


def crowd(running: Again, many: int, room: int) -> None:
    """Let more watch than there is room for: so many are let in, and all others are served."""
    session = running.server.open_session()
    with ExitStack() as stack, closing(Phone(running.port, session)) as phone:
        phone.connection.timeout = ANSWERED
        ears = [stack.enter_context(closing(Ear(running.port, session))) for _ in range(many)]
        for ear in ears:
            ear.connection.timeout = ANSWERED
        said = [ear.begin() for ear in ears]
        for ear, status in zip(ears, said, strict=True):
            assert status == 200 or (status, ear.refusal["code"]) == (503, "no_room")
        assert said.count(200) == room
        for _ in range(3):
            began = time.monotonic()
            assert phone.insist("a note", f"{began}").status == 201
            assert phone.ask().status == 200
            assert running.server.get("/readyz").status == 200
            assert time.monotonic() - began < ANSWERED
        ears[0].close()

        def comes() -> bool:
            phone.insist("a note", f"{time.monotonic()}")  # by which the server sees who has gone
            return ears[-1].begin() == 200

        until(comes, ANSWERED)


@pytest.fixture
def nobody_watches(on_sqlite: Two) -> None:
    """No streams before a test: of who hung up, a server hears only in time."""
    for running in (on_sqlite.sound, on_sqlite.altered):
        until(lambda one=running.server: one.figure("streams_open") == 0)  # type: ignore[misc]


@pytest.mark.usefixtures("nobody_watches")
def test_who_finds_no_room_is_told_and_all_others_are_served(on_sqlite: Two) -> None:
    crowd(on_sqlite.sound, MOST_STREAMS + 7, MOST_STREAMS)


@pytest.mark.soak
@pytest.mark.usefixtures("nobody_watches")
def test_a_service_that_lets_everybody_in_is_found_out(on_sqlite: Two) -> None:
    with on_sqlite.altered.broken("lets everybody in"), pytest.raises(AssertionError):
        crowd(on_sqlite.altered, 12, 2)
    on_sqlite.altered.kill_worker()  # which would go on to


def share(running: Again, most: int) -> None:
    """Let one session hold all places, from one address; another table still gets one."""
    greedy, table = running.server.open_session(), running.server.open_session()
    with ExitStack() as stack:
        for _ in range(most):
            ear = stack.enter_context(closing(Ear(running.port, greedy)))
            assert ear.begin() == 200
        mine = stack.enter_context(closing(Ear(running.port, table)))
        assert mine.begin() == 200
        mine.listen()


@pytest.mark.usefixtures("nobody_watches")
def test_one_session_does_not_hold_all_streams_while_another_asks(on_sqlite: Two) -> None:
    share(on_sqlite.sound, MOST_STREAMS)


@pytest.mark.soak
@pytest.mark.usefixtures("nobody_watches")
def test_a_service_that_lets_one_session_hold_them_is_found_out(on_sqlite: Two) -> None:
    with on_sqlite.altered.broken("shares unfairly"), pytest.raises(AssertionError):
        share(on_sqlite.altered, 2)


# --------------------------------------------------------------------------------------- ends


def test_streams_end_when_their_process_is_to_stop(servers: Two) -> None:
    running = servers.sound
    session = running.server.open_session()
    workers = running.server.workers()
    with ExitStack() as stack:
        ears = [stack.enter_context(closing(one)) for one in ears_of_all(running.server, session)]
        assert all(ear.listen() for ear in ears)
        began = time.monotonic()
        for worker in workers:
            os.kill(worker, signal.SIGTERM)
        for ear in ears:
            while ear.listen():
                pass
        assert time.monotonic() - began < ENDS
        assert [one[1:] for ear in ears for one in ear.heard] == [(1, session["head"])] * len(ears)
    until(lambda: not set(workers) & set(running.server.workers()))
    running.back(session)


def revoke(running: Again, session: Any, life: float) -> None:
    """Revoke the key of somebody who watches: the stream ends in its time, and none begins."""
    with closing(Phone(running.port, session)) as host, closing(Ear(running.port, session)) as ear:
        assert ear.begin() == 200
        began = time.monotonic()
        keys = host.ask("GET", "/keys").json["keys"]
        (key,) = [one["id"] for one in keys if one["role"] == "view"]
        assert host.ask("DELETE", f"/keys/{key}").status == 204
        while ear.listen():
            pass
        assert time.monotonic() - began < life + ENDS
        ear.connection.close()
        assert ear.begin() == 401
        assert report_of(running.server, session).status == 401


def test_a_key_that_is_revoked_opens_no_stream_again(on_sqlite: Two) -> None:
    running = on_sqlite.altered
    revoke(running, running.server.open_session(), altered.LIFE)


@pytest.mark.soak
def test_the_stream_of_a_key_that_is_revoked_ends_in_a_minute(on_sqlite: Two) -> None:
    running = on_sqlite.sound
    revoke(running, running.server.open_session(), A_MINUTE)

"""``serve`` of a service that is short of everything, or broken in one way: for controls.

What is wrong with it is the name of a fault in the file ``fault`` in its folder. Where there is
none it works, with few connections, short patience and short streams. One fault is found out in
the suite, all in the soak.
"""

import logging
import time
from collections.abc import Callable, Collection, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from scorekeeper import app, store
from scorekeeper.answers.answers import Answers, AnswerWork, ArgumentsFactory, assume_connected
from scorekeeper.base.errors import StaleVersionError, StorageUnavailableError
from scorekeeper.cli import main
from scorekeeper.http import access
from scorekeeper.live import event_streams
from scorekeeper.live.notifier import Notifier
from scorekeeper.live.slots import StreamSlot, StreamSlots
from scorekeeper.service import AppendRequest, Holder, Recorded, Service
from scorekeeper.service.cache import Cache
from scorekeeper.store import (
    Clock,
    Key,
    KeyRequest,
    Position,
    PostgresStore,
    Repeated,
    Request,
    SqliteStore,
    StoredLine,
    connecting,
    keyring,
    pool,
    sqlite_file,
)
from scorekeeper.store.addresses import PostgresServer
from scorekeeper.store.connecting import Connection, Hosts, limit_silence
from scorekeeper.store.contract import NO_RECORDERS, Recorders
from scorekeeper.store.store import Store
from tests.operation.unready import skip_preparation

FAULT: Final = Path("fault")
LATE: Final = 0.2  # seconds
FEW: Final = 2  # connections
IMPATIENCE: Final = 0.2  # seconds
A_WHILE: Final = 5.0  # seconds
BUSY: Final = 300  # milliseconds
LIFE: Final = 2.0  # seconds of a stream
MOST_EVENTS: Final = 2_000  # kept folded

background = ThreadPoolExecutor(1)
connect = Hosts.connect
bearer = access.bearer
A_MINUTE: Final = event_streams.STREAM_LIFE_SECONDS
logger = logging.getLogger("scorekeeper.altered")


def fault() -> str:
    """What is wrong now."""
    return FAULT.read_text() if FAULT.exists() else ""


class Careless(Store):
    def take_seat(self, phone: str, session_id: str, player: str, before: str | None = None) -> Key:
        if fault() != "looks and then writes":
            return super().take_seat(phone, session_id, player, before)
        keyring.refuse_seated(player, self.keys(session_id), self.clock())
        time.sleep(LATE)
        key = self.add_key(session_id, KeyRequest("seat", player)).key
        self.hold(phone, [key])
        self.touch_key(key)
        return key

    def take_key(self, phone: str, key: Key, before: str | None = None) -> None:
        if fault() != "looks and then writes":
            return super().take_key(phone, key, before)
        return self.hold(phone, [key])


class BrokenFile(Careless, SqliteStore):
    def append(
        self,
        session_id: str,
        after: Position,
        lines: Sequence[StoredLine],
        request: Request | None = None,
        key: Key | None = None,
        recorders: Recorders = NO_RECORDERS,
        unfollowed: Collection[str] = (),
    ) -> Repeated | None:
        if fault() == "acknowledges early":
            background.submit(self._append_late, session_id, after, lines, request, key)
            return None
        try:
            kept = None if fault() == "forgets requests" else request
            return super().append(session_id, after, lines, kept, key, recorders, unfollowed)
        except StorageUnavailableError:
            if fault() == "hides failures":
                return None
            raise

    def _append_late(self, *values: Any) -> None:
        time.sleep(LATE)
        super().append(*values)

    def answered(self, session_id: str, key: str, digest: bytes) -> Repeated | None:
        return None if fault() == "forgets requests" else super().answered(session_id, key, digest)


class FewConnections(Careless, PostgresStore):
    def hit(self, kind: str, subject: str, most: int, window: int) -> int:
        return 0 if fault() == "counts nothing" else super().hit(kind, subject, most, window)

    def __init__(self, server: PostgresServer, clock: Clock, seconds: float, _: int) -> None:
        super().__init__(server, clock, seconds, FEW)

    def _reading(self) -> Any:
        self._be_patient()
        return super()._reading()

    def _lent_to_write(self) -> Any:
        self._be_patient()
        return super()._lent_to_write()

    def _be_patient(self) -> None:
        patience = A_WHILE if fault() == "waits for long" else IMPATIENCE
        put(pool, OVERFLOW_TIMEOUT_SECONDS=patience)
        for admission in (self._pool.admission, self._writers):
            admission.timeout = patience


class BrokenService(Service):
    def __init__(self, *values: Any, **more: Any) -> None:
        super().__init__(*values, **more)
        self._cache = Cache(self.store, MOST_EVENTS)
        self._kept: list[Any] = []

    def record(self, session_id: str, asked: AppendRequest, holder: Holder) -> Recorded:
        if fault() == "keeps everything":
            self._kept.append((asked, bytearray(5000)))
        try:
            return super().record(session_id, asked, holder)
        except StaleVersionError as stale:
            if fault() == "ignores the version":
                return self.record(session_id, replace(asked, expected=stale.version), holder)
            raise


class BrokenNotifier(Notifier):
    def notify(self, session_id: str, position: Position) -> None:
        if fault() != "tells nobody":
            super().notify(session_id, position)


class BrokenSlots(StreamSlots):
    def acquire(self, session_id: str, address: str) -> StreamSlot | None:
        put(event_streams, STREAM_LIFE_SECONDS=A_MINUTE if fault() else LIFE)
        if fault() == "shares unfairly" and len(self._slots) >= self.max_streams:
            return None
        if fault() == "lets everybody in":
            self.max_streams = len(self._slots) + 1
        return super().acquire(session_id, address)


class BrokenAnswers(Answers):
    """Works everything out in the thread that asks, however many ask."""

    def compute(
        self,
        requester: str,
        key: Hashable,
        work: AnswerWork,
        make_arguments: ArgumentsFactory,
        is_gone: Callable[[], bool] = assume_connected,
    ) -> bytes:
        if fault() == "works it out itself":
            return work(*make_arguments())
        return super().compute(requester, key, work, make_arguments, is_gone)


def told_bearer() -> str | None:
    """The key that came, which is also logged."""
    secret = bearer()
    if fault() == "logs keys":
        logger.error("asked with %s", secret)
    return secret


def connect_carelessly(hosts: Hosts, **more: bool) -> Connection:
    """A connection whose commits may not wait for the log, or that waits for ever."""
    connection = connect(hosts, **more)
    if fault() == "does not wait for the log":
        connection.execute("SET synchronous_commit = off")
    return connection


def wait_for_ever(gen: Any, seconds: float) -> Any:
    """The same waiting, without an end where that is wrong now."""
    return limit_silence(gen, inf if fault() == "waits for ever" else seconds)


def put(module: ModuleType | type, **names: Any) -> None:
    """Let these stand in a module in place of what is there."""
    for name, value in names.items():
        setattr(module, name, value)


if __name__ == "__main__":
    skip_preparation()
    put(sqlite_file, OF_WRITERS=(*sqlite_file.OF_WRITERS, f"busy_timeout = {BUSY}"))
    put(store, SqliteStore=BrokenFile, PostgresStore=FewConnections)
    put(Hosts, connect=connect_carelessly)
    put(connecting, limit_silence=wait_for_ever)
    put(app, Service=BrokenService, Answers=BrokenAnswers)
    put(app, Notifier=BrokenNotifier)
    put(event_streams, StreamSlots=BrokenSlots)
    put(access, bearer=told_bearer)
    main(["serve"])

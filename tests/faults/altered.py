"""``serve`` for a service with small limits, or with one fault: for the controls of tests.

The file ``fault`` in its folder contains the name of the fault. Without that file the service
works, with few connections, short timeouts and short streams. The suite checks that one fault is
detected, the soak checks all.
"""

import logging
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from scorekeeper import app, store
from scorekeeper.answers.answer_queue import Requester
from scorekeeper.answers.answers import Answers, AnswerWork, ArgumentsFactory, assume_connected
from scorekeeper.base.errors import StaleVersionError, StorageUnavailableError
from scorekeeper.cli import main
from scorekeeper.http import access
from scorekeeper.live import event_streams
from scorekeeper.live.notifier import Notifier
from scorekeeper.live.slots import StreamSlot, StreamSlots
from scorekeeper.service import AppendRequest, Holder, Recorded, Service
from scorekeeper.service.folded_session import FoldedSession
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
    transactions,
)
from scorekeeper.store.addresses import PostgresServer
from scorekeeper.store.connecting import Connection, Hosts, limit_silence
from scorekeeper.store.contract import NO_EFFECTS, AppendEffects
from scorekeeper.store.store import Store
from scorekeeper.streams.stream_cache import StreamCache
from tests.operation.unready import skip_preparation

FAULT: Final = Path("fault")
DELAY_SECONDS: Final = 0.2
MOST_CONNECTIONS: Final = 2
SHORT_SECONDS: Final = 0.2  # that a thread waits for a connection
LONG_SECONDS: Final = 5.0  # that it waits with the fault "waits for long"
BUSY_MILLISECONDS: Final = 300
STREAM_SECONDS: Final = 2.0
MOST_EVENTS: Final = 2_000  # kept folded

background = ThreadPoolExecutor(1)
connect = Hosts.connect
bearer = access.bearer
DEFAULT_STREAM_SECONDS: Final = event_streams.STREAM_LIFE_SECONDS
logger = logging.getLogger("scorekeeper.altered")


def fault() -> str:
    """Return the name of the present fault, or an empty string."""
    return FAULT.read_text() if FAULT.exists() else ""


class UnlockedSeats(Store):
    def take_seat(
        self, phone: str, session_id: str, player: str, before: str | None = None, *,
        hosting: bool = False,
    ) -> Key:  # fmt: skip
        if fault() != "looks and then writes":
            return super().take_seat(phone, session_id, player, before, hosting=hosting)
        keyring.refuse_seated_player(player, self.keys(session_id), self.clock())
        time.sleep(DELAY_SECONDS)
        key = self.add_key(session_id, KeyRequest("seat", player)).key
        self._hold(phone, key)
        self.touch_key(key)
        return key

    def take_key(
        self, phone: str, key: Key, before: str | None = None, *, hosting: bool = False
    ) -> None:
        if fault() != "looks and then writes":
            return super().take_key(phone, key, before, hosting=hosting)
        return self._hold(phone, key)

    def _hold(self, phone: str, key: Key) -> None:
        digest, now = keyring.digest_of(phone), self.clock()
        self._writing(
            key.stream_id, lambda work: transactions.store_held_key(work, digest, key, now)
        )


class BrokenFile(UnlockedSeats, SqliteStore):
    def append(
        self,
        session_id: str,
        after: Position,
        lines: Sequence[StoredLine],
        request: Request | None = None,
        key: Key | None = None,
        effects: AppendEffects = NO_EFFECTS,
    ) -> Repeated | None:
        if fault() == "acknowledges early":
            background.submit(self._append_late, session_id, after, lines, request, key)
            return None
        try:
            kept = None if fault() == "forgets requests" else request
            return super().append(session_id, after, lines, kept, key, effects)
        except StorageUnavailableError:
            if fault() == "hides failures":
                return None
            raise

    def _append_late(self, *values: Any) -> None:
        time.sleep(DELAY_SECONDS)
        super().append(*values)

    def answered(self, session_id: str, key: str, digest: bytes) -> Repeated | None:
        return None if fault() == "forgets requests" else super().answered(session_id, key, digest)


class FewConnections(UnlockedSeats, PostgresStore):
    def hit(self, kind: str, subject: str, most: int, window: int) -> int:
        return 0 if fault() == "counts nothing" else super().hit(kind, subject, most, window)

    def __init__(self, server: PostgresServer, clock: Clock, seconds: float, _: int) -> None:
        super().__init__(server, clock, seconds, MOST_CONNECTIONS)

    def _reading(self) -> Any:
        self._set_timeouts()
        return super()._reading()

    def _lend_to_write(self) -> Any:
        self._set_timeouts()
        return super()._lend_to_write()

    def _set_timeouts(self) -> None:
        patience = LONG_SECONDS if fault() == "waits for long" else SHORT_SECONDS
        replace_in(pool, FULL_QUEUE_TIMEOUT_SECONDS=patience)
        for admission in (self._pool.admission, self._writers):
            admission.timeout = patience


class BrokenService(Service):
    def __init__(self, *values: Any, **more: Any) -> None:
        super().__init__(*values, **more)
        self._cache = StreamCache(
            lambda id_: FoldedSession(id_, self.store, self.limits), MOST_EVENTS
        )
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
        replace_in(
            event_streams, STREAM_LIFE_SECONDS=DEFAULT_STREAM_SECONDS if fault() else STREAM_SECONDS
        )
        if fault() == "shares unfairly" and len(self._slots) >= self.max_streams:
            return None
        if fault() == "lets everybody in":
            self.max_streams = len(self._slots) + 1
        return super().acquire(session_id, address)


class BrokenAnswers(Answers):
    """Computes every answer in the thread of its request, without a limit."""

    def compute(
        self,
        requester: Requester,
        key: Hashable,
        work: AnswerWork,
        make_arguments: ArgumentsFactory,
        is_gone: Callable[[], bool] = assume_connected,
        *,
        kept: bool = True,
    ) -> bytes:
        if fault() == "works it out itself":
            return work(*make_arguments())
        return super().compute(requester, key, work, make_arguments, is_gone, kept=kept)


def logged_bearer() -> str | None:
    """Return the key in the request; with the fault "logs keys", log it."""
    secret = bearer()
    if fault() == "logs keys":
        logger.error("asked with %s", secret)
    return secret


def connect_with_fault(hosts: Hosts, **more: bool) -> Connection:
    """Return a connection whose commits do not wait for the disk, or without a timeout."""
    connection = connect(hosts, **more)
    if fault() == "does not wait for the log":
        connection.execute("SET synchronous_commit = off")
    return connection


def wait_for_ever(gen: Any, seconds: float) -> Any:
    """Wait up to ``seconds``; with the fault "waits for ever", without a limit."""
    return limit_silence(gen, inf if fault() == "waits for ever" else seconds)


def replace_in(module: ModuleType | type, **names: Any) -> None:
    """Replace these names in a module."""
    for name, value in names.items():
        setattr(module, name, value)


if __name__ == "__main__":
    skip_preparation()
    replace_in(
        sqlite_file,
        WRITER_PRAGMAS=(*sqlite_file.WRITER_PRAGMAS, f"busy_timeout = {BUSY_MILLISECONDS}"),
    )
    replace_in(store, SqliteStore=BrokenFile, PostgresStore=FewConnections)
    replace_in(Hosts, connect=connect_with_fault)
    replace_in(connecting, limit_silence=wait_for_ever)
    replace_in(app, Service=BrokenService, Answers=BrokenAnswers)
    replace_in(app, Notifier=BrokenNotifier)
    replace_in(event_streams, StreamSlots=BrokenSlots)
    replace_in(access, bearer=logged_bearer)
    main(["serve"])

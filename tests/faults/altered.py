"""``serve`` of a service that is short of everything, or broken in one way: for controls.

What is wrong with it is the name of a fault in the file ``fault`` in its folder. Where there is
none it works, with few connections, short patience and short streams.
"""

import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from scorekeeper import app, store
from scorekeeper.api import access
from scorekeeper.cli import main
from scorekeeper.errors import StaleVersion, StorageUnavailable
from scorekeeper.live import streams
from scorekeeper.live.notifier import Notifier
from scorekeeper.service import Asked, Holder, Recorded, Service
from scorekeeper.service.folded import Cache
from scorekeeper.store import (
    Clock,
    Key,
    Line,
    Position,
    PostgresStore,
    Repeated,
    Request,
    SqliteStore,
    postgres_server,
    sqlite_file,
)
from scorekeeper.store.addresses import PostgresServer
from scorekeeper.store.pool import PATIENCE

FAULT: Final = Path("fault")
LATE: Final = 0.2  # seconds
FEW: Final = 2  # connections
IMPATIENCE: Final = 0.2  # seconds
BUSY: Final = 300  # milliseconds
LIFE: Final = 2.0  # seconds of a stream
MOST_EVENTS: Final = 2_000  # kept folded

background = ThreadPoolExecutor(1)
connect = postgres_server.connect
bearer = access.bearer
A_MINUTE: Final = streams.LIFE
logger = logging.getLogger("scorekeeper.altered")


def fault() -> str:
    """What is wrong now."""
    return FAULT.read_text() if FAULT.exists() else ""


class BrokenFile(SqliteStore):
    def append(
        self,
        session: str,
        after: Position,
        lines: Sequence[Line],
        request: Request | None = None,
        key: Key | None = None,
    ) -> Repeated | None:
        if fault() == "acknowledges early":
            background.submit(self._append_late, session, after, lines, request, key)
            return None
        try:
            kept = None if fault() == "forgets requests" else request
            return super().append(session, after, lines, kept, key)
        except StorageUnavailable:
            if fault() == "hides failures":
                return None
            raise

    def _append_late(self, *values: Any) -> None:
        time.sleep(LATE)
        super().append(*values)

    def answered(self, session: str, key: str, digest: bytes) -> Repeated | None:
        return None if fault() == "forgets requests" else super().answered(session, key, digest)


class FewConnections(PostgresStore):
    def hit(self, kind: str, subject: str, most: int, window: int) -> int:
        return 0 if fault() == "counts nothing" else super().hit(kind, subject, most, window)

    def __init__(self, server: PostgresServer, clock: Clock) -> None:
        super().__init__(server, clock, FEW)

    def _lent(self, what: str = "read") -> Any:
        self._pool._patience = PATIENCE if fault() == "waits for long" else IMPATIENCE
        return super()._lent(what)


class BrokenService(Service):
    def __init__(self, *values: Any, **more: Any) -> None:
        super().__init__(*values, **more)
        self._cache = Cache(self.store, MOST_EVENTS)
        self._kept: list[Any] = []

    def record(self, session: str, asked: Asked, holder: Holder) -> Recorded:
        if fault() == "keeps everything":
            self._kept.append((asked, bytearray(5000)))
        try:
            return super().record(session, asked, holder)
        except StaleVersion as stale:
            if fault() == "ignores the version":
                return self.record(session, replace(asked, expected=stale.version), holder)
            raise


class BrokenNotifier(Notifier):
    def tell(self, session: str, position: Position) -> None:
        if fault() != "tells nobody":
            super().tell(session, position)


class BrokenStreams(streams.Streams):
    def enter(self) -> bool:
        put(streams, LIFE=A_MINUTE if fault() else LIFE)
        return super().enter() or fault() == "lets everybody in"

    def leave(self) -> None:
        try:
            super().leave()
        except ValueError:
            return  # more have left than there was room for


def told_bearer() -> str | None:
    """The key that came, which is also logged."""
    secret = bearer()
    if fault() == "logs keys":
        logger.error("asked with %s", secret)
    return secret


def connect_carelessly(arguments: Any) -> postgres_server.Connection:
    """A connection whose commits may not wait for the log."""
    connection = connect(arguments)
    if fault() == "does not wait for the log":
        connection.execute("SET synchronous_commit = off")
    return connection


def put(module: ModuleType, **names: Any) -> None:
    """Let these stand in a module in place of what is there."""
    for name, value in names.items():
        setattr(module, name, value)


if __name__ == "__main__":
    put(sqlite_file, OF_WRITERS=(*sqlite_file.OF_WRITERS, f"busy_timeout = {BUSY}"))
    put(store, SqliteStore=BrokenFile, PostgresStore=FewConnections)
    put(postgres_server, connect=connect_carelessly)
    put(app, Service=BrokenService, Notifier=BrokenNotifier, Streams=BrokenStreams)
    put(access, bearer=told_bearer)
    main(["serve"])

"""A connection to a PostgreSQL server, the translation of its errors, and change notifications."""

import logging
import select
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

import psycopg
from psycopg import errors

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.store import statements
from scorekeeper.store.connecting import ADVISORY_LOCK_KEY, Connection, Hosts
from scorekeeper.store.contract import Position
from scorekeeper.store.work import Work

CHANNEL: Final = "scorekeeper"
BATCH_SECONDS: Final = 0.01  # in which changes are collected for one statement
NOTIFY_RETRY_SECONDS: Final = 1.0  # after a failure to notify

# The second key of an advisory lock is the hash of its name.
LOCK_BY_NAME: Final = f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK_KEY}, hashtext(%s))"

PING: Final = "SELECT 1"
NOTIFY: Final = "SELECT pg_notify(%s::text, unnest(%s::text[]))"

# A notification need not be durable, and a durable commit would delay the writers.
ASYNCHRONOUS_COMMITS: Final = "SET synchronous_commit = off"

# Failures of the server or its configuration. Other errors of psycopg are faults of this program.
SERVER_FAILURES: Final = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.InternalError,
    errors.InsufficientPrivilege,
    errors.UndefinedTable,
    errors.UndefinedFunction,
)

logger = logging.getLogger(__name__)


@contextmanager
def translate_errors(what: str) -> Iterator[None]:
    """Turn failures of the server into `StorageUnavailableError`.

    ``what`` is "read", "written" or "changed". When writing, the error is ``unknown`` if the
    connection was lost, or ended by the server: that may have happened after the commit.
    """
    try:
        yield
    except SERVER_FAILURES as error:
        unknown = error.sqlstate is None or error.sqlstate.startswith("57P")
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise StorageUnavailableError(
            f"the database cannot be {what}: {reason}", unknown=unknown and what == "written"
        ) from error


class PostgresWork(Work):
    """A connection to PostgreSQL."""

    __slots__ = ()

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, statements.POSTGRESQL)

    def lock(self, name: str) -> None:
        """Acquire the advisory lock of this name until the end of the transaction."""
        self.connection.execute(LOCK_BY_NAME, (name,))

    def is_alive(self) -> bool:
        """Return whether an idle connection is usable.

        Unsolicited data means that the server closed it. A connection to a host that has been
        silent since is not used again.
        """
        if self.connection.closed or not self.connection.trusted:
            return False
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return not poll.poll(0)


class Listener:
    """A `Watch` for notifications of the server; it also detects a silent server."""

    def __init__(self, hosts: Hosts) -> None:
        self._connection = hosts.connect()
        self._connection.execute(f"LISTEN {CHANNEL}")

    def wait(self, timeout: float, watched: Callable[[], Iterable[str]]) -> Mapping[str, Position]:
        """Wait for notifications, and return the positions in them; ping the server without one."""
        positions = {}
        messages = list(self._connection.notifies(timeout=timeout, stop_after=1))
        messages += self._connection.notifies(timeout=0)
        for message in messages:
            with suppress(ValueError):  # a message of another program
                stream_id, version, head = message.payload.split(" ")
                positions[stream_id] = Position(int(version), head)
        if not messages:
            self._connection.execute(PING)
        return positions

    def close(self) -> None:
        self._connection.close()


class ChangeNotifier:
    """Notifies all listeners of committed changes, from its own thread.

    It does not notify within the transaction of the change: PostgreSQL commits transactions that
    notify one after another, and each waits for the disk alone. If a message is lost with the
    process, listeners see the change later, when they poll.
    """

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._changed = threading.Condition()
        self._pending: dict[str, Position] = {}
        self._thread: threading.Thread | None = None
        self._closed = False

    def notify(self, stream_id: str, position: Position) -> None:
        """Send the new position of a session to the listeners soon; do not wait for it."""
        with self._changed:
            self._pending[stream_id] = position
            if self._thread is None or not self._thread.is_alive():
                self._closed = False
                self._thread = threading.Thread(target=self._run, name="notifier", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _run(self) -> None:
        """Send the pending changes to all listeners until closed; runs in the thread."""
        connection: Connection | None = None
        while (changes := self._next_changes()) is not None:
            try:
                if connection is None:
                    connection = self._hosts.connect()
                    connection.execute(ASYNCHRONOUS_COMMITS)
                messages = [
                    f"{stream_id} {at.version} {at.head}" for stream_id, at in changes.items()
                ]
                connection.execute(NOTIFY, (CHANNEL, messages))
                time.sleep(BATCH_SECONDS)
            except psycopg.Error as error:
                logger.warning("cannot notify of changes: %s", error)
                if connection is not None:
                    connection.close()
                    connection = None
                self._retry_later(changes)
        if connection is not None:
            connection.close()

    def _next_changes(self) -> Mapping[str, Position] | None:
        """Wait for pending changes, and take them; return None once closed."""
        with self._changed:
            while not (self._pending or self._closed):
                self._changed.wait()
            changes, self._pending = self._pending, {}
            return changes or None

    def _retry_later(self, changes: Mapping[str, Position]) -> None:
        """Make changes pending again, unless closed, and wait before the next attempt."""
        with self._changed:
            self._pending = {**changes, **self._pending} if not self._closed else {}
            self._changed.wait_for(lambda: self._closed, NOTIFY_RETRY_SECONDS)

    def close(self) -> None:
        """Send the pending notifications, and end the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(timeout=5)

"""A PostgreSQL server: what it is asked, what its errors mean, who is told of changes."""

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
from scorekeeper.store.connecting import Connection, Hosts
from scorekeeper.store.contract import Position
from scorekeeper.store.work import Work

CHANNEL: Final = "scorekeeper"
TOGETHER: Final = 0.01  # seconds in which changes are gathered into one message
AGAIN: Final = 1.0  # seconds after which it is tried again to tell

# The first key of every advisory lock of this project; the second is the hash of its name.
LOCKS: Final = 1396918864
LOCK: Final = f"SELECT pg_advisory_xact_lock({LOCKS}, hashtext(%s))"

ARE_YOU_THERE: Final = "SELECT 1"
NOTIFY: Final = "SELECT pg_notify(%s::text, unnest(%s::text[]))"

# What is only told need not: it would make those wait who write.
DO_NOT_WAIT: Final = "SET synchronous_commit = off"

# The server's trouble, or its owner's; what else psycopg raises is a mistake of ours.
TROUBLE: Final = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.InternalError,
    errors.InsufficientPrivilege,
    errors.UndefinedTable,
    errors.UndefinedFunction,
)

logger = logging.getLogger(__name__)


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Turn the server's trouble into StorageUnavailableError.

    A connection that was lost, or ended by the server, may have been lost after the commit.
    """
    try:
        yield
    except TROUBLE as error:
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
        self.connection.execute(LOCK, (name,))

    def is_alive(self) -> bool:
        """Whether nothing came while nothing was asked: what comes then is a farewell.

        Nor has a host been silent since: this may lead to that one.
        """
        if self.connection.closed or not self.connection.trusted:
            return False
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return not poll.poll(0)


class Listener:
    """Hears of changes as the server passes them on, and finds out if it is silent."""

    def __init__(self, hosts: Hosts) -> None:
        self._connection = hosts.connect()
        self._connection.execute(f"LISTEN {CHANNEL}")

    def wait(self, timeout: float, watched: Callable[[], Iterable[str]]) -> Mapping[str, Position]:
        found = {}
        heard = list(self._connection.notifies(timeout=timeout, stop_after=1))
        heard += self._connection.notifies(timeout=0)
        for message in heard:
            with suppress(ValueError):  # somebody else's message
                session_id, version, head = message.payload.split(" ")
                found[session_id] = Position(int(version), head)
        if not heard:
            self._connection.execute(ARE_YOU_THERE)
        return found

    def close(self) -> None:
        self._connection.close()


class Teller:
    """Tells all listeners of changes, after their commit and in a thread of its own.

    Not in the transaction that makes the change: the server lets transactions that notify
    commit one after the other only, each waiting for the disk alone. A message that is lost
    with the process makes a listener late, until it looks by itself.
    """

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._changed = threading.Condition()
        self._news: dict[str, Position] = {}
        self._thread: threading.Thread | None = None
        self._closed = False

    def tell(self, session_id: str, position: Position) -> None:
        """Tell of a change, soon."""
        with self._changed:
            self._news[session_id] = position
            if self._thread is None or not self._thread.is_alive():
                self._closed = False
                self._thread = threading.Thread(target=self._run, name="teller", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _run(self) -> None:
        connection: Connection | None = None
        while (news := self._next()) is not None:
            try:
                if connection is None:
                    connection = self._hosts.connect()
                    connection.execute(DO_NOT_WAIT)
                messages = [
                    f"{session_id} {at.version} {at.head}" for session_id, at in news.items()
                ]
                connection.execute(NOTIFY, (CHANNEL, messages))
                time.sleep(TOGETHER)
            except psycopg.Error as error:
                logger.warning("changes could not be told: %s", error)
                if connection is not None:
                    connection.close()
                    connection = None
                self._again(news)
        if connection is not None:
            connection.close()

    def _next(self) -> Mapping[str, Position] | None:
        with self._changed:
            while not (self._news or self._closed):
                self._changed.wait()
            news, self._news = self._news, {}
            return news or None

    def _again(self, news: Mapping[str, Position]) -> None:
        with self._changed:
            self._news = {**news, **self._news} if not self._closed else {}
            self._changed.wait_for(lambda: self._closed, AGAIN)

    def close(self) -> None:
        """Tell what is left to tell, and end."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(timeout=5)

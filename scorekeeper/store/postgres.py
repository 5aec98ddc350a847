"""The store in PostgreSQL, for as many processes on as many machines as are needed."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Final, NamedTuple, TypeVar

import psycopg

from scorekeeper.errors import StaleVersion, StorageUnavailable
from scorekeeper.log.writing import now
from scorekeeper.store import database, migrating, postgres_server, streams
from scorekeeper.store.addresses import PostgresServer
from scorekeeper.store.contract import (
    Appended,
    Clock,
    Durability,
    New,
    Opened,
    Position,
    Repeated,
    Request,
    Watch,
    Wish,
)
from scorekeeper.store.database import DatabaseStore, Work
from scorekeeper.store.pool import Pool
from scorekeeper.store.postgres_server import Listener, PostgresWork, Teller, translated
from scorekeeper.store.streams import Line

T = TypeVar("T")

MOST_CONNECTIONS: Final = 10
MOST_ENDS: Final = 10_000
ATTEMPTS: Final = 5

# Scalars where there is one line, as there mostly is: lists take psycopg a while.
_APPEND: Final = "SELECT append_events(%s, %s, %s, {}, %s, %s, {}, {}, %s, %b, %s, %b)"
APPEND_ONE: Final = _APPEND.format("ARRAY[%s]", "ARRAY[%b]", "ARRAY[%s]")
APPEND_MANY: Final = _APPEND.format("%s", "%b", "%s")
SETTINGS: Final = (
    "SELECT name, setting FROM pg_settings "
    "WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name"
)
MAY_WRITE: Final = (
    "SELECT current_setting('transaction_read_only') = 'off' "
    "AND has_table_privilege('events', 'INSERT')"
)


class PostgresStore(DatabaseStore):
    """The store in a PostgreSQL database, whose tables ``migrate`` has made.

    Who appends to a session holds its advisory lock until the transaction ends.
    """

    def __init__(
        self, server: PostgresServer, clock: Clock = now, most: int = MOST_CONNECTIONS
    ) -> None:
        self.clock = clock
        self._arguments = server.hasty()
        self._pool = Pool(lambda: PostgresWork(postgres_server.connect(self._arguments)), most)
        self._teller = Teller(self._arguments)
        self._ends: dict[str, Position] = {}

    def close(self) -> None:
        self._teller.close()
        self._pool.close()

    # ------------------------------------------------------------------------------ transactions

    @contextmanager
    def _lent(self, what: str = "read") -> Iterator[PostgresWork]:
        with translated(what), self._pool.lend() as work:
            yield work

    def _reading(self) -> AbstractContextManager[Work]:
        return self._lent()

    @contextmanager
    def _snapshot(self) -> Iterator[Work]:
        with self._lent() as work, transaction(work, "ISOLATION LEVEL REPEATABLE READ READ ONLY"):
            yield work

    def _writing(self, lock: str, job: Callable[[Work], T]) -> T:
        with self._lent("written") as work, transaction(work):
            work.lock(lock)
            return job(work)

    # ------------------------------------------------------------------------------------ append

    def _open(self, first: Callable[[str], list[Line]], wishes: Iterable[Wish]) -> Opened:
        new = super()._open(first, wishes)
        self._remember(new.id, Position(new.version, new.head))
        return new

    def append(
        self,
        session: str,
        expected: int,
        events: Iterable[New],
        by: str,
        request: Request | None = None,
    ) -> Appended | Repeated:
        new = list(events)
        if request is not None:
            streams.refuse_key(request.key)
        for _ in range(ATTEMPTS):
            at = self._ends.get(session)
            if at is None or at.version != expected:
                found = self._look(session, expected, request)
                if isinstance(found, Repeated):
                    return found
                at = found
            lines = streams.sealed(at, new, self.clock(), by)
            told = streams.appended(lines, request)
            if self._append(session, at, lines, request, told):
                end = Position(told.version, told.head)
                self._remember(session, end)
                self._teller.tell(session, end)
                return told
            self._ends.pop(session, None)
        raise StorageUnavailable("the session changes too fast")

    def _look(self, session: str, expected: int, request: Request | None) -> Position | Repeated:
        """Where a session ends, if that is where it is expected to; or the answer given before."""
        with self._lent() as work:
            at = database.position(work, session)
            if request is not None:
                before = database.answered(work, session, request.key, request.digest)
                if before is not None:
                    return before
        if at.version != expected:
            raise StaleVersion(expected, *at)
        return at

    def _append(
        self,
        session: str,
        at: Position,
        lines: list[Line],
        request: Request | None,
        told: Appended,
    ) -> bool:
        """Write, if the session still ends at ``at`` and the request was not done before."""
        key, digest, status, body = None, None, None, None
        if request is not None and told.answer is not None:
            key, digest = request.key, request.digest
            status, body = told.answer.status, told.answer.body
        first = lines[0]
        text, several = (APPEND_ONE, first) if len(lines) == 1 else (APPEND_MANY, columns(lines))
        values = (
            session, *at, several.type, first.at, first.by, several.line, several.hash,
            key, digest, status, body,
        )  # fmt: skip
        with self._lent("written") as work:
            row = work.connection.execute(text, values).fetchone()
        return row == (True,)

    def _remember(self, session: str, end: Position) -> None:
        if len(self._ends) >= MOST_ENDS:
            self._ends.clear()
        self._ends[session] = end

    # ------------------------------------------------------------------------------------ upkeep

    def durability(self) -> Durability:
        with self._lent() as work:
            settings: dict[str, str] = dict(work.connection.execute(SETTINGS).fetchall())
            version = work.connection.info.server_version
        durable = "off" not in settings.values()
        return Durability(f"PostgreSQL {version // 10000}.{version % 10000}", durable, settings)

    def complaints(self) -> list[str]:
        try:
            with self._lent() as work:
                return self._complaints(work.connection)
        except StorageUnavailable as error:
            return [str(error)]

    def _complaints(self, connection: Any) -> list[str]:
        try:
            revision = connection.execute(migrating.REVISION).fetchone()
        except psycopg.errors.UndefinedTable:
            revision = None
        rows = connection.execute(migrating.TRIGGERS["postgresql"]).fetchall()
        found = migrating.complaints(
            "postgresql", revision and revision[0], [row[0] for row in rows]
        )
        if not found and connection.execute(MAY_WRITE).fetchone() != (True,):
            found.append("the database cannot be written: it is read-only for this role")
        return found

    def watch(self) -> Watch:
        with translated("read"):
            return Listener(self._arguments)


class Columns(NamedTuple):
    """Several lines, column by column."""

    type: list[str]
    line: list[bytes]
    hash: list[str]


def columns(lines: list[Line]) -> Columns:
    """What is not the same in all lines of one append."""
    return Columns(*([getattr(one, name) for one in lines] for name in Columns._fields))


@contextmanager
def transaction(work: PostgresWork, mode: str = "") -> Iterator[None]:
    """A transaction that is committed at the end, and rolled back where it was left earlier."""
    work.connection.execute(f"BEGIN {mode}")
    try:
        yield
        work.connection.execute("COMMIT")
    except BaseException:
        with suppress(psycopg.Error):
            work.connection.execute("ROLLBACK")
        raise

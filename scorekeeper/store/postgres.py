"""The store in PostgreSQL, shared by any number of processes and machines."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

import psycopg

from scorekeeper.base.errors import StaleVersionError, StorageUnavailableError
from scorekeeper.log.writing import now
from scorekeeper.store import deleting, migrating, streams, transactions
from scorekeeper.store.addresses import PostgresServer
from scorekeeper.store.connecting import Hosts
from scorekeeper.store.contract import (
    NO_EFFECTS,
    AppendEffects,
    Clock,
    Durability,
    Key,
    Position,
    Repeated,
    Request,
    StoredLine,
    Watch,
)
from scorekeeper.store.pool import IN_USE, AdmissionControl, Pool
from scorekeeper.store.postgres_server import (
    ChangeNotifier,
    Listener,
    PostgresWork,
    translate_errors,
)
from scorekeeper.store.store import LARGEST_SEQ, Store
from scorekeeper.store.work import Work

T = TypeVar("T")

MAX_CONNECTIONS: Final = 10
MAX_THREADS: Final = 2 * MAX_CONNECTIONS  # that use a connection or wait for one
SILENCE_SECONDS: Final = 40.0  # that a server may be silent
NO_ANSWER: Final = "the database does not answer"
ASYNCHRONOUS_COMMIT: Final = "SET LOCAL synchronous_commit = off"

# Scalars for a single line, the usual case: psycopg adapts lists slowly.
_APPEND: Final = "SELECT append_events(%s, %s, %s, {0}, {0}, {0}, {1}, {0}, %s, %b, %s, %b)"
APPEND_ONE: Final = _APPEND.format("ARRAY[%s]", "ARRAY[%b]")
APPEND_MANY: Final = _APPEND.format("%s", "%b")
# The condition that the key of a request is open, as in keyring.is_open.
IF_KEY_IS_OPEN: Final = (
    " WHERE EXISTS (SELECT FROM keys WHERE session = %s AND id = %s AND revoked IS NULL "
    "AND (expires IS NULL OR expires > %s))"
)
SETTINGS: Final = (
    "SELECT name, setting FROM pg_settings "
    "WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name"
)
MAY_WRITE: Final = (
    "SELECT current_setting('transaction_read_only') = 'off' "
    "AND has_table_privilege('events', 'INSERT')"
)


class PostgresStore(Store):
    """The store in a PostgreSQL database, whose database tables ``migrate`` has made.

    An append holds the advisory lock of its session until the transaction ends. At most
    ``threads`` threads wait for a database that does not answer. Writers cannot use all
    connections: a primary that waits for its standby can still be read. New connections are
    opened one at a time, because a host may be silent.
    """

    _refusals = (psycopg.IntegrityError, psycopg.DataError)

    def __init__(
        self,
        server: PostgresServer,
        clock: Clock = now,
        seconds: float = SILENCE_SECONDS,
        threads: int = MAX_THREADS,
    ) -> None:
        most = min(threads, MAX_CONNECTIONS)
        queue = threads - most
        self.clock = clock
        self._hosts = Hosts(server.with_timeouts(seconds), seconds)
        self._connecting = AdmissionControl(1, most, NO_ANSWER)
        self._pool = Pool(self._open_connection, most, queue - queue // 2)
        self._writers = AdmissionControl(most - most // 4, queue // 2, IN_USE)
        self._notifier = ChangeNotifier(self._hosts)

    def close(self) -> None:
        """Send the pending notifications, and close the idle connections."""
        self._notifier.close()
        self._pool.close()

    # ------------------------------------------------------------------------------ transactions

    def _open_connection(self) -> PostgresWork:
        """Open a connection; one thread at a time does, as a host may be silent."""
        with self._connecting:
            return PostgresWork(self._hosts.connect())

    @contextmanager
    def _reading(self) -> Iterator[Work]:
        """Yield a connection of the pool, in autocommit mode."""
        with translate_errors("read"), self._pool.lend() as work:
            yield work

    @contextmanager
    def _lend_to_write(self) -> Iterator[Work]:
        """Yield a connection of the pool to one of a limited number of writers."""
        with translate_errors("written"), self._writers, self._pool.lend() as work:
            yield work

    @contextmanager
    def _snapshot(self) -> Iterator[Work]:
        """Yield a connection in a read-only transaction of isolation level repeatable read."""
        with (
            self._reading() as work,
            transaction(work, "ISOLATION LEVEL REPEATABLE READ READ ONLY"),
        ):
            yield work

    def _writing(self, lock: str, job: Callable[[Work], T], rows: int = 0) -> T:
        """Run a job in a transaction under the advisory lock of this name."""
        with self._lend_to_write() as work, transaction(work):
            work.lock(lock)
            return job(work)

    def _writing_disposable(self, lock: str, job: Callable[[Work], object]) -> None:
        """Run a job like ``_writing``, with an asynchronous commit."""
        with self._lend_to_write() as work, transaction(work):
            work.connection.execute(ASYNCHRONOUS_COMMIT)  # the standby may be down
            work.lock(lock)
            job(work)

    def _deleting(self, lock: str, job: Callable[[Work], T]) -> T:
        """Run a job as the owner of the tables, with the triggers against DELETE off meanwhile.

        Raises `StorageUnavailableError` for another role.
        """
        with self._lend_to_write() as work, transaction(work):
            work.lock(lock)
            with deleting.guards_off_postgresql(work.connection):
                return job(work)

    # ------------------------------------------------------------------------------------ append

    def append(
        self,
        stream_id: str,
        after: Position,
        lines: Sequence[StoredLine],
        request: Request | None = None,
        key: Key | None = None,
        effects: AppendEffects = NO_EFFECTS,
    ) -> Repeated | None:
        """Append as `Store.append` does, by one call of a database function in the usual case."""
        if any(effects):  # rare, and not supported by append_events in the database
            before = super().append(stream_id, after, lines, request, key, effects)
            if before is None:
                for other_id, other_lines in [(stream_id, lines), *_list_others(effects)]:
                    self._notifier.notify(other_id, streams.find_end(other_lines))
            return before
        streams.refuse_unfit(after, lines, request)
        end = streams.find_end(lines)
        if end.version > LARGEST_SEQ or not self._append(stream_id, after, lines, request, key):
            if key is not None:
                self.refuse_closed(key)
            return self._answer_or_refuse(stream_id, after, request)
        self._notifier.notify(stream_id, end)
        return None

    def _append(
        self,
        stream_id: str,
        after: Position,
        lines: Sequence[StoredLine],
        request: Request | None,
        key: Key | None,
    ) -> bool:
        """Write the lines, and return whether they were written.

        They are not written if the session ends elsewhere, the key is closed, or the request was
        answered before.
        """
        values = [
            transactions.checked_id(stream_id), *after, *columns(lines), *request_columns(request),
        ]  # fmt: skip
        values += [key.stream_id, key.id, self.clock()] if key is not None else []
        with self._lend_to_write() as work:
            text = APPEND_ONE if len(lines) == 1 else APPEND_MANY
            text += IF_KEY_IS_OPEN if key is not None else ""
            row = work.connection.execute(text, values).fetchone()
        return bool(row == (True,))

    def _answer_or_refuse(
        self, stream_id: str, after: Position, request: Request | None
    ) -> Repeated | None:
        """Return the first answer to a repeated request, or raise why the append was not done.

        Raises `UnknownSessionError` or `StaleVersionError`.
        """
        with self._reading() as work:
            at = transactions.position(work, stream_id)
            if request is not None:
                before = transactions.answered(work, stream_id, request.key, request.digest)
                if before is not None:
                    return before
        if at == after:
            raise StorageUnavailableError("the session was being restored")
        raise StaleVersionError(after.version, *at)

    # ------------------------------------------------------------------------------------ upkeep

    def durability(self) -> Durability:
        """Return the server's settings that decide whether a commit survives a power cut."""
        with self._reading() as work:
            settings: dict[str, str] = dict(work.connection.execute(SETTINGS).fetchall())
            version = work.connection.info.server_version
        durable = "off" not in settings.values()
        return Durability(f"PostgreSQL {version // 10000}.{version % 10000}", durable, settings)

    def complaints(self) -> list[str]:
        """Return what keeps the store from serving: schema, triggers or rights, as texts."""
        try:
            with self._reading() as work:
                return self._complaints(work.connection)
        except StorageUnavailableError as error:
            return [str(error)]

    def _complaints(self, connection: Any) -> list[str]:
        """Return what keeps a database from being used, as texts."""
        try:
            revision = connection.execute(migrating.REVISION).fetchone()
        except psycopg.errors.UndefinedTable:
            revision = None
        rows = connection.execute(migrating.TRIGGERS["postgresql"]).fetchall()
        problems = migrating.complaints(
            "postgresql", revision and revision[0], [row[0] for row in rows]
        )
        if not problems and connection.execute(MAY_WRITE).fetchone() != (True,):
            problems.append("the database cannot be written: it is read-only for this role")
        return problems

    def watch(self) -> Watch:
        with translate_errors("read"):
            return Listener(self._hosts)


def _list_others(effects: AppendEffects) -> list[tuple[str, Sequence[StoredLine]]]:
    """Return the other streams of an append, with their new lines."""
    return [(other.stream_id, other.lines) for other in effects.others]


def columns(lines: Sequence[StoredLine]) -> Iterator[object]:
    """Yield the types, times, authors, lines and hashes of lines, for ``append_events``."""
    for name in ("type", "at", "by", "line", "hash"):
        values = [getattr(line, name) for line in lines]
        yield values[0] if len(lines) == 1 else values


def request_columns(request: Request | None) -> tuple[object, ...]:
    """Return the key, digest, status and body of a request; four times None for no request."""
    if request is None:
        return None, None, None, None
    return request.key, request.digest, request.answer.status, request.answer.body


@contextmanager
def transaction(work: Work, mode: str = "") -> Iterator[None]:
    """Run the block in a transaction: commit it after the block, roll it back after an error."""
    work.connection.execute(f"BEGIN {mode}")
    try:
        yield
        work.connection.execute("COMMIT")
    except BaseException:
        with suppress(psycopg.Error):
            work.connection.execute("ROLLBACK")
        raise

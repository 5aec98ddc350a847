"""The store in one SQLite file, for one server."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, TypeVar

from scorekeeper.base.errors import ScorekeeperError, StorageUnavailableError, UnusableBackupError
from scorekeeper.log.writing import now
from scorekeeper.store import (
    bundles,
    copies,
    deleting,
    disk,
    keyring,
    migrating,
    restoring,
    sqlite_file,
    statements,
    transactions,
)
from scorekeeper.store.contract import (
    BackupContents,
    Clock,
    Durability,
    Fits,
    LogCheck,
    Watch,
    any_answer,
    any_log,
)
from scorekeeper.store.kept import Kept, refuse_unfit, refuse_unusable
from scorekeeper.store.pool import Pool
from scorekeeper.store.sqlite_file import DataVersion
from scorekeeper.store.store import Store, refuse_damage
from scorekeeper.store.work import Work
from scorekeeper.store.writer import Gate, Writer, WriterTurn

T = TypeVar("T")

MAX_READERS: Final = 64


class SqliteStore(Store):
    """The store in one SQLite file, which ``migrate`` has made.

    The threads of a process share one writer. Several processes may use the file: they write one
    after another, and nobody can read while one of them commits.
    """

    _refusals = (sqlite3.IntegrityError,)

    def __init__(self, path: Path, clock: Clock = now) -> None:
        self.path = path
        self.clock = clock
        self._gate = Gate()
        self._readers = Pool(
            lambda: sqlite_file.wrap_connection(
                sqlite_file.connect(path, sqlite_file.READER_PRAGMAS)
            ),
            MAX_READERS,
            MAX_READERS,
        )
        turns = (WriterTurn(path.with_name(f"{path.name}-{end}")) for end in ("turn", "turn-large"))
        self._writer = Writer(self._connect, self._gate, *turns)

    def close(self) -> None:
        self._writer.close()
        self._readers.close()

    # ------------------------------------------------------------------------------ transactions

    def _connect(self) -> Work:
        """Open a connection for the writer, while no thread of this process reads."""
        with self._gate.alone():
            # If an administrator set the journal mode to WAL, SQLite can leave it only while
            # there is no other connection.
            self._readers.close()
            return sqlite_file.wrap_connection(sqlite_file.connect_to_write(self.path))

    @contextmanager
    def _reading(self) -> Iterator[Work]:
        """Yield a reading connection of the pool; no commit happens meanwhile."""
        try:
            with self._gate.reading(), self._readers.lend() as work:
                yield work
        except sqlite3.DatabaseError as error:
            raise StorageUnavailableError(f"the database cannot be read: {error}") from error

    @contextmanager
    def _reading_row(self) -> Iterator[Work]:
        """Lend the writer's connection: its page cache stays valid when it commits."""
        work = self._writer.borrow()
        if work is None:
            with self._reading() as work:
                yield work
            return
        sound = False
        try:
            yield work
            sound = True
        except sqlite3.DatabaseError as error:
            raise StorageUnavailableError(f"the database cannot be read: {error}") from error
        except ScorekeeperError:
            sound = True
            raise
        finally:
            self._writer.give_back(sound=sound)

    @contextmanager
    def _snapshot(self) -> Iterator[Work]:
        """Yield a connection in a reading transaction, which is rolled back afterwards."""
        with self._reading() as work:
            work.connection.execute("BEGIN")
            try:
                yield work
            finally:
                work.connection.execute("ROLLBACK")

    def _writing(self, lock: str, job: Callable[[Work], T], rows: int = 0) -> T:
        """Run a job in a transaction of the writer, which runs one transaction at a time."""
        return self._writer.run(job, rows)

    def _deleting(self, lock: str, job: Callable[[Work], T]) -> T:
        """Run a job with the triggers against DELETE off, while no thread reads or writes.

        The pages that it frees are overwritten, and so is the journal, which holds them as they
        were.
        """

        def delete() -> T:
            with closing(sqlite_file.connect(self.path, sqlite_file.DELETE_PRAGMAS)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                with deleting.guards_off_sqlite(connection):
                    result = job(sqlite_file.wrap_connection(connection))
                connection.execute("COMMIT")  # otherwise closing rolls back
            return result

        try:
            return self._writer.run_alone(delete)
        except sqlite3.Error as error:
            raise StorageUnavailableError(f"the database cannot be written: {error}") from error

    # ------------------------------------------------------------------------------------ upkeep

    def backup(self, path: Path) -> BackupContents:
        """Copy the database to a new file, verify the copy, and store its digest in it.

        Returns what the copy holds.
        """
        try:
            with disk.written_atomically(path) as part:
                with self._gate.reading():
                    sqlite_file.copy_database(self.path, part)
                contents = self._refuse_unfit(part)
                copies.store_digest(part)
                return contents
        except sqlite3.Error as error:
            raise StorageUnavailableError(f"the backup cannot be written: {error}") from error

    def restore(
        self,
        path: Path,
        *,
        overwrite: bool = False,
        fits: Fits = any_answer,
        usable: LogCheck = any_log,
    ) -> None:
        """Restore a bundle as `Store.restore` does; a copy replaces the database as a whole."""
        bundles.require_file(path)
        if bundles.is_bundle(path):
            super().restore(path, fits=fits, usable=usable)
            return
        with copies.private_copy(path, self.path) as copied:  # so that it cannot change meanwhile
            self._refuse_unfit(copied, fits, usable)
            copies.refuse_changed(copied)
            try:
                self._writer.run_alone(lambda: self._replace_by(copied, overwrite=overwrite))
            except sqlite3.Error as error:
                raise StorageUnavailableError(f"the backup cannot be restored: {error}") from error
        refuse_damage(self)

    def _replace_by(self, copied: Path, *, overwrite: bool) -> None:
        """Replace the database by a copy, in which the current revocations stay in effect.

        No other thread or process may write meanwhile: an event acknowledged after the check would
        be lost. Raises `UnusableBackupError` without ``overwrite`` if events would be lost.
        """
        if not overwrite:
            with SqliteStore(self.path, self.clock) as here:  # this store lets nobody read now
                here._refuse_to_lose(copied)
        try:
            with closing(sqlite_file.connect(self.path, sqlite_file.READER_PRAGMAS)) as connection:
                _carry_rights(sqlite_file.wrap_connection(connection), copied)
        except sqlite3.DatabaseError as error:
            # With overwrite the current database may be damaged.
            if not overwrite or isinstance(error, sqlite3.IntegrityError):
                raise
        sqlite_file.copy_database(copied, self.path)

    def _refuse_unfit(
        self, path: Path, fits: Fits = any_answer, usable: LogCheck = any_log
    ) -> BackupContents:
        """Return what a copy holds, which is only read.

        Raises `UnusableBackupError` if it is damaged or of another version.
        """
        with SqliteStore(path, self.clock) as copied:
            try:
                sqlite_file.refuse_damaged(path)
                for complaint in copied._schema():
                    raise UnusableBackupError(complaint)
                copies.refuse_other_schema(path)
                refuse_damage(copied)
                copies.refuse_wrong_values(path)
                return bundles.count_contents(copied._checked(fits, usable))
            except (StorageUnavailableError, sqlite3.Error, *bundles.READ_ERRORS) as error:
                raise UnusableBackupError(f"the backup is damaged: {error}") from error

    def _checked(self, fits: Fits, usable: LogCheck) -> Iterator[Kept]:
        """Yield all stored data, each session and club after its check.

        Raises `UnusableBackupError` if one of them is inconsistent.
        """
        for kept in self._kept():
            refuse_unfit(kept, fits)
            refuse_unusable(kept, usable)
            yield kept

    def _refuse_to_lose(self, path: Path) -> None:
        """Raise `UnusableBackupError` if a copy lacks events of this store, or is of another."""
        with SqliteStore(path, self.clock) as copied:
            for here in self._listed():
                if copied.hash_at(here.id, here.version) != here.head:
                    kind = keyring.kind_of(here.id)
                    raise UnusableBackupError(f"the backup lacks events of {kind} {here.id}")
                with copied._snapshot() as work:
                    back = transactions.read_kept(work, here.id, here.created)
                with self._snapshot() as work:
                    present = transactions.read_kept(work, here.id, here.created)
                bundles.refuse_foreign(back, present, self.clock())
                bundles.refuse_contradiction(back, present)

    def durability(self) -> Durability:
        """Return the journal mode and synchronous mode of a writing connection."""
        try:
            with closing(sqlite_file.connect_to_write(self.path)) as connection:
                settings = sqlite_file.modes(connection)
        except sqlite3.Error as error:
            raise StorageUnavailableError(f"the database cannot be read: {error}") from error
        durable = settings["synchronous"] in ("full", "extra")  # the journal mode is checked above
        return Durability(f"SQLite {sqlite3.sqlite_version}", durable, settings)

    def complaints(self) -> list[str]:
        """Return what keeps the store from serving: schema problems or write errors, as texts."""
        try:
            problems = self._schema()
            with closing(sqlite_file.connect_to_write(self.path)) as connection:
                sqlite_file.refuse_unwritable(connection)
        except (sqlite3.Error, StorageUnavailableError) as error:
            return [f"the database cannot be written: {error}"]
        if not problems and (error_text := self._writer.last_error):
            problems.append(f"lately {error_text}")
        return problems

    def _schema(self) -> list[str]:
        """Return the problems of the database's schema, as texts."""
        with self._reading() as work:
            migrated = work.connection.execute(migrating.MIGRATED).fetchone()
            revision = migrated and work.connection.execute(migrating.REVISION).fetchone()[0]
            triggers = [row[0] for row in work.connection.execute(migrating.TRIGGERS["sqlite"])]
        return migrating.complaints("sqlite", revision, triggers)

    def watch(self) -> Watch:
        try:
            return DataVersion(self.path, self._gate)
        except sqlite3.Error as error:
            raise StorageUnavailableError(f"the database cannot be read: {error}") from error


def _carry_rights(here: Work, copied: Path) -> None:
    """Transfer the current state of keys, phones, clubs and deletions to a copy, at once."""
    with closing(sqlite_file.connect(copied, sqlite_file.COPY_PRAGMAS)) as connection:
        work = sqlite_file.wrap_connection(connection)
        connection.execute("BEGIN")
        # They are valid briefly, except host_seats, of which the present ones count.
        for table in ("codes", "host_agreements", "host_requests", "host_seats"):
            connection.execute(f"DELETE FROM {table}")  # noqa: S608  # a name above
        for stream_id, created in here.rows(statements.SESSION_IDS):
            restoring.carry_rights(work, transactions.read_kept(here, stream_id, created))
            seats = {key for (key,) in here.rows(statements.HOST_SEATS_OF, session=stream_id)}
            for key in transactions.keys_of(work, stream_id):
                if key.id in seats:
                    work.change(statements.MARK_HOST_SEAT, session=stream_id, key=key.id)
        deleting.carry_deletions(work, dict(here.rows(statements.ALL_DELETED)))
        connection.execute("COMMIT")

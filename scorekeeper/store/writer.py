"""One writer at a time, and one transaction for all who wait: group commit for SQLite.

A commit takes as long as the disk takes, a few hundred microseconds or many milliseconds, and
SQLite has one writer at a time. So whoever comes while a commit is under way waits, and all who
wait are then written in one transaction: the first of them leads, and does the work of all in
its own thread. There is no thread to start, to watch or to stop. Processes take turns.
"""

import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.store.work import Work

T = TypeVar("T")

# The disk or the file, which is everybody's trouble and not that of one statement.
TROUBLE: Final = (sqlite3.OperationalError, sqlite3.DatabaseError, sqlite3.InternalError)

PATIENCE: Final = 10.0  # seconds that one waits for others to write, who take milliseconds
LATELY: Final = 60.0  # seconds for which a failure is told, if nothing was written since


class Gate:
    """Lets readers in together, or the writer alone while it commits.

    SQLite would keep them apart too, but who finds its lock taken sleeps for milliseconds and
    tries again, at times for long. Only other processes are kept apart in that way.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._readers = 0
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Be one of the readers."""
        with self._changed:
            while self._closed:
                self._changed.wait()
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                if self._closed and not self._readers:
                    self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Be there alone; nobody comes in before."""
        with self._changed:
            self._closed = True
            while self._readers:
                self._changed.wait()
        try:
            yield
        finally:
            with self._changed:
                self._closed = False
                self._changed.notify_all()


class WriterTurn:
    """Lets the processes that write to one file do so one after another.

    SQLite would have each sleep for milliseconds and try again, and some for seconds. It still
    keeps those apart that know nothing of this, and all where no turn can be taken. It ends with
    the process that has it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for the turn, and have it; for one thread at a time."""
        with suppress(OSError):  # such as in a folder where nothing can be written
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            if self._file is not None:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Let go of the file, until the next turn."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)


class Ticket:
    """One who waits for a job to be done, by another or, when its turn comes, by itself."""

    __slots__ = ("_turn", "apart", "done", "error", "job", "value")

    def __init__(self, job: Callable[..., Any], *, apart: bool = False) -> None:
        self.job = job
        self.apart = apart  # from the transaction of the others, after it
        self.value: Any = None
        self.error: BaseException | None = None
        self.done = False
        self._turn = threading.Lock()
        self._turn.acquire()

    def wait(self, seconds: float = -1) -> bool:
        """Wait until called, for ever or for some seconds; whether it was."""
        return self._turn.acquire(timeout=seconds)

    def call(self) -> None:
        """Let who waits go on."""
        self._turn.release()


class Writer:
    """Writes to one database for all threads of a process."""

    def __init__(self, connect: Callable[[], Work], gate: Gate, turn: WriterTurn) -> None:
        self._connect = connect
        self._gate = gate
        self._process = turn
        self._mutex = threading.Lock()
        self._waiting: list[Ticket] = []
        self._led = False
        self._work: Work | None = None
        self._failed: tuple[float, str] | None = None

    def run(self, job: Callable[[Work], T]) -> T:
        """The result of a job, once it is committed.

        StorageUnavailableError where it could not be; any other error of the job undoes that job
        alone, and is raised to whoever brought it.
        """
        result: T = self._done(Ticket(job))
        return result

    def borrow(self) -> Work | None:
        """The connection, to glance at something, where it is there and nobody writes.

        Nobody does until it is given back.
        """
        with self._mutex:
            if self._led or self._work is None:
                return None
            self._led = True
            return self._work

    def give_back(self, *, sound: bool) -> None:
        """Give the connection back, which is not used again where something went wrong with it."""
        if not sound:
            self._give_up()
        self._pass_on()

    @property
    def trouble(self) -> str | None:
        """What went wrong lately, if nothing was written since: a full disk shows only so."""
        failed = self._failed
        return failed[1] if failed and time.monotonic() - failed[0] < LATELY else None

    def apart(self, job: Callable[[], T]) -> T:
        """The result of a job that is done while nobody of this process writes or reads."""
        result: T = self._done(Ticket(job, apart=True))
        return result

    def _done(self, ticket: Ticket) -> Any:
        with self._mutex:
            self._waiting.append(ticket)
            leads = not self._led
            self._led = True
        if not leads:
            self._wait(ticket)
        if not ticket.done:
            self._lead(ticket)
        if ticket.error is not None:
            raise ticket.error
        return ticket.value

    def _wait(self, ticket: Ticket) -> None:
        """Wait until it is done, or is to lead.

        Raises `StorageUnavailableError` if nobody writes for long.

        As where another process that has the turn is stopped. Who leads waits for that one alone.
        """
        if ticket.wait(PATIENCE):
            return
        with self._mutex:
            if ticket.wait(0):
                return
            if ticket in self._waiting:
                self._waiting.remove(ticket)
                raise StorageUnavailableError(
                    "the database cannot be written: others do not finish"
                )
        ticket.wait()

    def _lead(self, leader: Ticket) -> None:
        group: list[Ticket] = []
        try:
            with nullcontext() if leader.apart else self._process.taken():
                group = self._all_waiting()  # and those who came while it waited for its turn
                self._commit([ticket for ticket in group if not ticket.apart])
                for ticket in group:
                    if ticket.apart:
                        self._do_apart(ticket)
        finally:
            group = group or self._all_waiting()
            self._pass_on()
            for ticket in group:
                if not ticket.done:  # the leader was interrupted
                    ticket.error, ticket.done = _lost(InterruptedError(), unknown=True), True
                if ticket is not leader:
                    ticket.call()

    def _all_waiting(self) -> list[Ticket]:
        with self._mutex:
            group, self._waiting = self._waiting, []
        return group

    def _pass_on(self) -> None:
        """Let the next one who waits lead, or whoever comes."""
        with self._mutex:
            following = self._waiting[0] if self._waiting else None
            self._led = following is not None
            if following is not None:
                following.call()

    def _commit(self, group: list[Ticket]) -> None:
        if not group:
            return
        committing = False
        try:
            if self._work is None:
                self._work = self._connect()
            connection = self._work.connection
            connection.execute("BEGIN IMMEDIATE")
            for ticket in group:
                self._do(self._work, ticket, alone=len(group) == 1)
            if all(ticket.error is not None for ticket in group):
                connection.execute("ROLLBACK")
            else:
                with self._gate.alone():
                    committing = True
                    connection.execute("COMMIT")
        except BaseException as error:
            self._give_up()
            self._failed = time.monotonic(), str(_lost(error, unknown=committing))
            for ticket in group:
                ticket.error = ticket.error or _lost(error, unknown=committing)
                ticket.done = True
            if not isinstance(error, sqlite3.Error | StorageUnavailableError):
                raise
        else:
            self._failed = None
        for ticket in group:
            ticket.done = True

    def _do(self, work: Work, ticket: Ticket, *, alone: bool) -> None:
        if not alone:
            work.connection.execute("SAVEPOINT job")
        try:
            ticket.value = ticket.job(work)
        except Exception as error:
            if type(error) in TROUBLE:
                raise
            ticket.error = error
            if not alone:
                work.connection.execute("ROLLBACK TO job")
        if not alone:
            work.connection.execute("RELEASE job")

    def _do_apart(self, ticket: Ticket) -> None:
        self._give_up()
        try:
            with self._gate.alone():
                ticket.value = ticket.job()
        except Exception as error:  # noqa: BLE001  # raised to whoever brought the job
            ticket.error = error
        ticket.done = True

    def _give_up(self) -> None:
        """Undo what was not committed, and begin with a new connection the next time."""
        work, self._work = self._work, None
        if work is not None:
            # SQLite may have rolled back by itself, as it does when the disk is full.
            with suppress(sqlite3.Error):
                work.connection.execute("ROLLBACK")
            with suppress(sqlite3.Error):
                work.connection.close()

    def close(self) -> None:
        """Close the connection, after whoever writes now."""
        self.apart(lambda: None)
        self._process.close()


def _lost(error: BaseException, *, unknown: bool) -> StorageUnavailableError:
    """What to tell who waited for a transaction that failed.

    A commit that fails at its last step may be found to have taken effect.
    """
    reason = str(error) or type(error).__name__
    if not isinstance(error, StorageUnavailableError):
        reason = f"the database cannot be written: {reason}"
    busy = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
    lost = StorageUnavailableError(reason, unknown=unknown and not busy)
    lost.__cause__ = error
    return lost

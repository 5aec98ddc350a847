"""Group commit for SQLite: one writer at a time, and one transaction for all waiting threads.

A commit waits for the disk, for a few hundred microseconds or many milliseconds, and SQLite has
one writer at a time. Threads that arrive during a commit wait. Then their jobs are committed in
one transaction: the first waiting thread becomes the leader and runs all jobs. So there is no
background thread to start or supervise. Processes write one after another.

A job that inserts many rows, such as an import, would keep the others waiting for long. It lets all
small jobs pass that wait, for a second at most, and has a transaction of its own. The processes run
large jobs one at a time, and let as much time pass after each one.
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

# Failures of the disk or the file: they fail the whole transaction and not just one job.
FILE_FAILURES: Final = (sqlite3.OperationalError, sqlite3.DatabaseError, sqlite3.InternalError)

WRITER_TIMEOUT_SECONDS: Final = 10.0  # to wait for other writers; each takes milliseconds
LARGE_ROWS: Final = 500  # a job that inserts more lets small jobs pass
LARGE_PATIENCE_SECONDS: Final = 1.0  # for which a large job lets them pass
MAX_PAUSE_SECONDS: Final = 1.0  # between two large jobs
ERROR_SHOWN_SECONDS: Final = 60.0  # for which a write error is reported without a later success


class Gate:
    """A lock for either several readers or one committing writer.

    SQLite has such a lock too, but a thread that finds it taken sleeps for milliseconds and tries
    again, sometimes for long. SQLite's lock is left to separate the processes.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._readers = 0
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Hold the lock as one of several readers within the block."""
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
        """Hold the lock alone within the block; readers that come later wait."""
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
    """A lock file by which processes write to one database one after another.

    With SQLite's own lock, a waiting process sleeps for milliseconds and tries again, sometimes for
    seconds. SQLite's lock still protects the database from other programs, and if the lock file
    cannot be created. The operating system releases the lock if the process dies.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold the lock within the block; only one thread may call it at a time."""
        with suppress(OSError):  # for example in a read-only folder
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            if self._file is not None:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the lock file; it is opened again when needed."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)


class WaitingJob:
    """A job whose thread waits until the leader has run it, or until it becomes the leader.

    ``done`` is set with ``value`` or ``error``.
    """

    __slots__ = (
        "_since",
        "_woken",
        "alone",
        "done",
        "error",
        "job",
        "large",
        "needs_turn",
        "value",
    )

    def __init__(
        self,
        job: Callable[..., Any],
        *,
        large: bool = False,
        alone: bool = False,
        needs_turn: bool = True,
    ) -> None:
        self.job = job
        self.large = large
        self._since = time.monotonic()
        self.alone = alone  # outside of the shared transaction, after it
        self.needs_turn = needs_turn  # False if other processes may write meanwhile
        self.value: Any = None
        self.error: BaseException | None = None
        self.done = False
        self._woken = threading.Lock()
        self._woken.acquire()

    @property
    def is_patient(self) -> bool:
        """Return whether the job still lets small ones pass."""
        return self.large and time.monotonic() - self._since < LARGE_PATIENCE_SECONDS

    def wait(self, seconds: float = -1) -> bool:
        """Wait until woken, at most ``seconds`` or without limit; return whether it was."""
        return self._woken.acquire(timeout=seconds)

    def wake(self) -> None:
        """Let the waiting thread continue."""
        self._woken.release()


class Writer:
    """Writes to one database for all threads of a process."""

    def __init__(
        self, connect: Callable[[], Work], gate: Gate, turn: WriterTurn, large_turn: WriterTurn
    ) -> None:
        self._connect = connect
        self._gate = gate
        self._turn = turn
        self._large_turn = large_turn
        self._large_mutex = threading.Lock()
        self._mutex = threading.Lock()
        self._waiting: list[WaitingJob] = []
        self._has_leader = False
        self._work: Work | None = None
        self._failed: tuple[float, str] | None = None

    def run(self, job: Callable[[Work], T], rows: int = 0) -> T:
        """Run a job in a transaction with others, and return its result after the commit.

        ``rows`` is about how many rows it inserts. Large jobs run one at a time, after small ones.
        Raises `StorageUnavailableError` if the commit fails. Any other error of the job rolls back
        this job alone, and is raised here.
        """
        large = rows > LARGE_ROWS
        with self._one_large_job() if large else nullcontext():
            result: T = self._run_waiting(WaitingJob(job, large=large))
        return result

    @contextmanager
    def _one_large_job(self) -> Iterator[None]:
        """Run no other large job within the block, in any process, and for as long after it.

        Raises `StorageUnavailableError` if other threads do not finish theirs.
        """
        if not self._large_mutex.acquire(timeout=WRITER_TIMEOUT_SECONDS):
            raise StorageUnavailableError(
                "the database cannot be written: other imports are waiting"
            )
        try:
            with self._large_turn.taken():
                began = time.monotonic()
                yield
                time.sleep(min(time.monotonic() - began, MAX_PAUSE_SECONDS))
        finally:
            self._large_mutex.release()

    def borrow(self) -> Work | None:
        """Return the writer's connection for reading; None if it is not open, or in use.

        No thread writes until `give_back`.
        """
        with self._mutex:
            if self._has_leader or self._work is None:
                return None
            self._has_leader = True
            return self._work

    def give_back(self, *, sound: bool) -> None:
        """Take a borrowed connection back, and close it if it is not ``sound``."""
        if not sound:
            self._discard_connection()
        self._pass_on()

    @property
    def last_error(self) -> str | None:
        """The last write error, until a write succeeds. A full disk shows up nowhere else."""
        failed = self._failed
        if failed and time.monotonic() - failed[0] < ERROR_SHOWN_SECONDS:
            return failed[1]
        return None

    def run_alone(self, job: Callable[[], T], *, needs_turn: bool = True) -> T:
        """Run a job while no thread of this process reads or writes, and return its result.

        No other process writes meanwhile either, if the job needs the turn.
        """
        result: T = self._run_waiting(WaitingJob(job, alone=True, needs_turn=needs_turn))
        return result

    def _run_waiting(self, waiting: WaitingJob) -> Any:
        """Run a job as the leader, or wait for the leader; return its value or raise its error."""
        with self._mutex:
            self._waiting.append(waiting)
            leads = not self._has_leader
            self._has_leader = True
        while not waiting.done:
            if not leads:
                self._wait_for_leader(waiting)
            if not waiting.done:
                self._run_group(waiting)
            leads = False  # a large job that let others pass waits until it leads again
        if waiting.error is not None:
            raise waiting.error
        return waiting.value

    def _wait_for_leader(self, waiting: WaitingJob) -> None:
        """Wait until the job is done, or its thread becomes the leader.

        Raises `StorageUnavailableError` after a timeout, as when another process was stopped while
        it holds the turn. The leader itself waits for the turn without limit.
        """
        if waiting.wait(WRITER_TIMEOUT_SECONDS):
            return
        with self._mutex:
            if waiting.wait(0):
                return
            if waiting in self._waiting:
                self._waiting.remove(waiting)
                raise StorageUnavailableError(
                    "the database cannot be written: other writers do not finish"
                )
        waiting.wait()

    def _run_group(self, leader: WaitingJob) -> None:
        """Run all waiting jobs as the leader: the shared transaction, then the jobs alone.

        Then wake their threads, and the next leader.
        """
        group: list[WaitingJob] = []
        try:
            with self._turn.taken() if leader.needs_turn else nullcontext():
                group = self._take_group(leader)
                self._commit_group([waiting for waiting in group if not waiting.alone])
                for waiting in group:
                    if waiting.alone:
                        self._run_alone_job(waiting)
                if leader not in group:  # a large job that let these pass
                    with self._mutex:
                        self._waiting.insert(0, leader)
        finally:
            group = group or self._take_group(leader)
            self._pass_on()
            for waiting in group:
                if not waiting.done:  # the leader was interrupted
                    waiting.error, waiting.done = (
                        _make_failure(InterruptedError(), unknown=True),
                        True,
                    )
                if waiting is not leader:
                    waiting.wake()

    def _take_group(self, leader: WaitingJob) -> list[WaitingJob]:
        """Take all small jobs that wait, with those that arrived during the wait for the turn.

        A leader with a large job takes that alone if no small one waits, or if it has waited for
        long. A leader that does not need the turn takes its own job only: the others may need it.
        """
        with self._mutex:
            group = [leader]
            if leader.needs_turn and (leader.is_patient or not leader.large):
                group = [waiting for waiting in self._waiting if not waiting.large] or group
            taken = {leader, *group}
            self._waiting = [waiting for waiting in self._waiting if waiting not in taken]
        return group

    def _pass_on(self) -> None:
        """Make the next waiting thread the leader, if there is one."""
        with self._mutex:
            following = self._waiting[0] if self._waiting else None
            self._has_leader = following is not None
            if following is not None:
                following.wake()

    def _commit_group(self, group: list[WaitingJob]) -> None:
        """Run jobs in one transaction and commit it; set the results of all of them.

        If the transaction fails, all jobs get the error, and the connection is closed.
        """
        if not group:
            return
        committing = False
        try:
            if self._work is None:
                self._work = self._connect()
            connection = self._work.connection
            connection.execute("BEGIN IMMEDIATE")
            for waiting in group:
                self._run_job(self._work, waiting, single=len(group) == 1)
            if all(waiting.error is not None for waiting in group):
                connection.execute("ROLLBACK")
            else:
                with self._gate.alone():
                    committing = True
                    connection.execute("COMMIT")
        except BaseException as error:
            self._discard_connection()
            self._failed = time.monotonic(), str(_make_failure(error, unknown=committing))
            for waiting in group:
                waiting.error = waiting.error or _make_failure(error, unknown=committing)
                waiting.done = True
            if not isinstance(error, sqlite3.Error | StorageUnavailableError):
                raise
        else:
            self._failed = None
        for waiting in group:
            waiting.done = True

    def _run_job(self, work: Work, waiting: WaitingJob, *, single: bool) -> None:
        """Run a job within the transaction, and set its value or error.

        Its error rolls back this job alone, but a failure of the file or disk is raised.
        """
        if not single:
            work.connection.execute("SAVEPOINT job")
        try:
            waiting.value = waiting.job(work)
        except Exception as error:
            if type(error) in FILE_FAILURES:
                raise
            waiting.error = error
            if not single:
                work.connection.execute("ROLLBACK TO job")
        if not single:
            work.connection.execute("RELEASE job")

    def _run_alone_job(self, waiting: WaitingJob) -> None:
        """Close the connection, run a job under the exclusive lock, and set its value or error."""
        self._discard_connection()
        try:
            with self._gate.alone():
                waiting.value = waiting.job()
        except Exception as error:  # noqa: BLE001  # raised in the thread of the job
            waiting.error = error
        waiting.done = True

    def _discard_connection(self) -> None:
        """Roll back and close the connection; the next job opens a new one."""
        work, self._work = self._work, None
        if work is not None:
            # SQLite may have rolled back already, as it does when the disk is full.
            with suppress(sqlite3.Error):
                work.connection.execute("ROLLBACK")
            with suppress(sqlite3.Error):
                work.connection.close()

    def close(self) -> None:
        """Close the connection after the current write."""
        self.run_alone(lambda: None, needs_turn=False)
        self._turn.close()
        self._large_turn.close()


def _make_failure(error: BaseException, *, unknown: bool) -> StorageUnavailableError:
    """Return the error for the jobs of a failed transaction.

    It is ``unknown`` if the commit failed, as that may have taken effect; but not if SQLite was
    busy, as it then wrote nothing.
    """
    reason = str(error) or type(error).__name__
    if not isinstance(error, StorageUnavailableError):
        reason = f"the database cannot be written: {reason}"
    busy = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
    lost = StorageUnavailableError(reason, unknown=unknown and not busy)
    lost.__cause__ = error
    return lost

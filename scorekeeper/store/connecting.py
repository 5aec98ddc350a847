"""Connections to PostgreSQL: the choice of a host, and the longest silence of a server.

A frozen server closes no connection, and its timeouts never fire. Its kernel still acknowledges
what is sent, so TCP timeouts do not fire either. So a client measures the silence by a clock here.
"""

from collections.abc import Generator, Iterator, Mapping
from time import monotonic
from typing import Any, Final, TypeVar

import psycopg

from scorekeeper.store.addresses import PostgresServer

# The first key of every advisory lock of this project: arbitrary, and the same in all versions.
ADVISORY_LOCK_KEY: Final = 1396918864

# The longest silence in seconds during a migration, which may wait for another migration.
MIGRATION_SILENCE_SECONDS: Final = 600.0

SILENCE_CHECK_SECONDS: Final = 0.1  # between two looks at the clock while no data arrives

# An acknowledged event has to survive a power cut, whatever the server's default is.
DURABLE_COMMITS: Final = (
    "SELECT set_config('synchronous_commit', 'on', false) "
    "WHERE current_setting('synchronous_commit') = 'off'"
)

# The server's C function that warns that a commit did not wait for the standby. Its name is the
# same in every language of the server's messages.
STANDBY_WAIT_FUNCTION: Final = "SyncRepWaitForLSN"

T = TypeVar("T")


class ServerSilentError(psycopg.OperationalError):
    """The server sent nothing for too long. It may or may not have executed the statement."""


class Host:
    """One of the hosts of a database: its connection parameters, and how often it was silent."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        self.arguments = arguments
        self.silences = 0


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that is closed as soon as the server has sent nothing for too long.

    The statement is not cancelled: a commit that waits for a standby would then succeed without
    it. A commit whose wait was cancelled by an administrator is reported as failed.
    """

    hosts: "Hosts"
    host: Host
    silences_before = 0  # of its host, when the connection was made
    _skipped_standby = False  # a commit did not wait for the standby

    def wait(
        self, gen: Any, interval: float = SILENCE_CHECK_SECONDS, timeout: float | None = None
    ) -> Any:
        """Run a wait of psycopg, and return its result.

        Raises `ServerSilentError`, and closes the connection, if the server is silent for too long.
        """
        try:
            if timeout is None:
                gen = limit_silence(gen, self.hosts.seconds)
            result = super().wait(gen, interval, timeout)
        except ServerSilentError:
            self.close()
            self.hosts.pass_over(self.host)
            raise
        if self._skipped_standby:
            self.close()
            raise psycopg.OperationalError("the commit did not wait for the standby")
        return result

    def notice(self, diagnostic: psycopg.errors.Diagnostic) -> None:
        """Note a server's warning that a commit did not wait for the standby."""
        self._skipped_standby |= diagnostic.source_function == STANDBY_WAIT_FUNCTION

    @property
    def trusted(self) -> bool:
        """Whether its host has not been silent since the connection was made."""
        return self.silences_before == self.host.silences


def limit_silence(gen: Generator[Any, Any, T], seconds: float) -> Generator[Any, Any, T]:
    """Wrap a wait generator of psycopg, which is resumed with true when data arrived.

    Raises `ServerSilentError` if no data arrives for ``seconds``.
    """
    try:
        wanted, end = next(gen), monotonic() + seconds
        while True:
            ready = yield wanted
            if ready:
                end = monotonic() + seconds
            elif monotonic() >= end:
                raise ServerSilentError(f"the server sent nothing for {seconds:g} seconds")
            wanted = gen.send(ready)
    except StopIteration as done:
        value: T = done.value
        return value


class Hosts:
    """The hosts of a database; the host that accepted the last connection is tried first."""

    def __init__(self, server: PostgresServer, seconds: float) -> None:
        self.seconds = seconds
        self._hosts = tuple(Host(arguments) for arguments in server.hosts())

    def connect(self, *, autocommit: bool = True) -> Connection:
        """Return a connection whose commits are durable, to the first host that accepts it.

        Raises `psycopg.OperationalError` with the message of each host if none does.
        """
        errors = []
        for host in self._hosts:
            try:
                connection = self._connect_to(host, autocommit=autocommit)
            except psycopg.OperationalError as error:
                errors.append(error)
                continue
            self._hosts = (host, *self._all_but(host))
            return connection
        if len(errors) == 1:
            raise errors[0]
        reasons = (str(error).partition("\n")[0] for error in errors)
        raise psycopg.OperationalError("; ".join(reasons))

    def pass_over(self, host: Host) -> None:
        """Try a silent host after all others, and stop trusting the connections to it."""
        host.silences += 1
        self._hosts = (*self._all_but(host), host)

    def _all_but(self, host: Host) -> Iterator[Host]:
        """Return the other hosts in their order."""
        return (other for other in self._hosts if other is not host)

    def _connect_to(self, host: Host, *, autocommit: bool) -> Connection:
        """Return a connection to a host. Raises `psycopg.OperationalError` if it fails."""
        silences = host.silences
        connection = Connection.connect(**host.arguments, autocommit=True)
        connection.hosts, connection.host, connection.silences_before = self, host, silences
        connection.add_notice_handler(connection.notice)
        try:
            connection.execute(DURABLE_COMMITS)
            connection.autocommit = autocommit
        except BaseException:
            connection.close()
            raise
        return connection

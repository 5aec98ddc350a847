"""Connections to PostgreSQL: to which of its hosts, and how long it may say nothing.

A server that is frozen closes nothing, and its timeouts never fire; what is sent to it is
acknowledged by its kernel, so none of TCP's does either. Who waits for it goes by a clock here.
"""

from collections.abc import Generator, Iterator, Mapping
from time import monotonic
from typing import Any, Final, TypeVar

import psycopg

from scorekeeper.store.addresses import PostgresServer

# Seconds: for whoever keeps its tables up to date, and waits for others that do.
FOR_THE_SCHEMA: Final = 600.0

LOOK: Final = 0.1  # seconds between two looks at the clock, while nothing comes

# An acknowledged event has to survive a power cut, whatever the server's default is.
WAIT_FOR_THE_DISK: Final = (
    "SELECT set_config('synchronous_commit', 'on', false) "
    "WHERE current_setting('synchronous_commit') = 'off'"
)

# Where the server says that a commit did not wait for the standby: in whatever language.
WAITS_FOR_THE_STANDBY: Final = "SyncRepWaitForLSN"

T = TypeVar("T")


class ServerSilentError(psycopg.OperationalError):
    """The server said nothing for too long. Whether it did what it was asked is not known."""


class Host:
    """One of the hosts of a database: what to connect with, and how often it was silent."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        self.arguments = arguments
        self.silences = 0


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that is closed as soon as the server has said nothing for too long.

    Nothing is cancelled then: a commit that waits for a standby would go through without it. One
    that somebody else cancelled is not taken for done.
    """

    hosts: "Hosts"
    host: Host
    made_after = 0  # silences of its host
    _alone = False  # a commit did not wait for the standby

    def wait(self, gen: Any, interval: float = LOOK, timeout: float | None = None) -> Any:
        """What comes of psycopg's own waiting.

        Raises `ServerSilentError`.
        """
        try:
            if timeout is None:
                gen = heard(gen, self.hosts.seconds)
            done = super().wait(gen, interval, timeout)
        except ServerSilentError:
            self.close()
            self.hosts.pass_over(self.host)
            raise
        if self._alone:
            self.close()
            raise psycopg.OperationalError("the commit did not wait for the standby")
        return done

    def notice(self, said: psycopg.errors.Diagnostic) -> None:
        """Heed what the server says beside its answer."""
        self._alone |= said.source_function == WAITS_FOR_THE_STANDBY

    @property
    def trusted(self) -> bool:
        """Whether its host has not been silent since it was made."""
        return self.made_after == self.host.silences


def heard(gen: Generator[Any, Any, T], seconds: float) -> Generator[Any, Any, T]:
    """The same waiting as another of psycopg's.

    Raises `ServerSilentError` if nothing comes for so long.
    """
    try:
        wanted, end = next(gen), monotonic() + seconds
        while True:
            ready = yield wanted
            if ready:
                end = monotonic() + seconds
            elif monotonic() >= end:
                raise ServerSilentError(f"the server said nothing for {seconds:g} seconds")
            wanted = gen.send(ready)
    except StopIteration as done:
        value: T = done.value
        return value


class Hosts:
    """The hosts of a database, of which the one that took a connection last is asked first."""

    def __init__(self, server: PostgresServer, seconds: float) -> None:
        self.seconds = seconds
        self._hosts = tuple(Host(arguments) for arguments in server.hosts())

    def connect(self, *, autocommit: bool = True) -> Connection:
        """A connection whose commits are durable, to the first host that takes it.

        psycopg.OperationalError, with what each of them said.
        """
        said = []
        for host in self._hosts:
            try:
                connection = self._connected(host, autocommit=autocommit)
            except psycopg.OperationalError as error:
                said.append(error)
                continue
            self._hosts = (host, *self._but(host))
            return connection
        if len(said) == 1:
            raise said[0]
        raise psycopg.OperationalError("; ".join(str(one).partition("\n")[0] for one in said))

    def pass_over(self, host: Host) -> None:
        """Ask a host that was silent after all others, and trust no connection to it."""
        host.silences += 1
        self._hosts = (*self._but(host), host)

    def _but(self, host: Host) -> Iterator[Host]:
        return (one for one in self._hosts if one is not host)

    def _connected(self, host: Host, *, autocommit: bool) -> Connection:
        silences = host.silences
        connection = Connection.connect(**host.arguments, autocommit=True)
        connection.hosts, connection.host, connection.made_after = self, host, silences
        connection.add_notice_handler(connection.notice)
        try:
            connection.execute(WAIT_FOR_THE_DISK)
            connection.autocommit = autocommit
        except BaseException:
            connection.close()
            raise
        return connection

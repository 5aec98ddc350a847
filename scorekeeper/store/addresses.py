"""The address of a database, parsed from ``SCOREKEEPER_DATABASE_URL``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

DEFAULTS: Final[Mapping[str, Any]] = {
    "application_name": "scorekeeper",
    "connect_timeout": 2,  # seconds for each host; libpq's minimum
    "keepalives_idle": 30,
    "tcp_user_timeout": 15_000,
}
IDLE_TRANSACTION_MILLISECONDS: Final = 30_000  # after which the server ends it

# The libpq parameters that locate a server; each may list one value for each host.
HOST_PARAMETERS: Final = ("host", "hostaddr", "port")

EXPECTED: Final = (
    "expected a database such as sqlite:///var/scorekeeper.db "
    "or postgresql://user:password@host/database"
)
_POSTGRESQL: Final = re.compile(r"postgres(ql(\+psycopg)?)?://")
_NUMBERS: Final = {"port": re.compile(r"[0-9]*(,[0-9]*)*"), "connect_timeout": re.compile("[0-9]+")}


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A database in a file."""

    path: Path

    def __str__(self) -> str:
        return str(self.path.absolute())


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A database on a server, or on the primary of several servers.

    ``arguments`` are the libpq connection parameters that psycopg connects with.
    """

    arguments: Mapping[str, Any]

    def with_timeouts(self, seconds: float) -> "PostgresServer":
        """Return the same server with timeouts, for a client that waits ``seconds`` for an answer.

        The server gives up first: after half of that time for a lock, and three quarters for a
        statement. A slow statement or an abandoned transaction must not block a session.
        """
        timeouts = {
            "lock_timeout": int(seconds * 500),
            "statement_timeout": int(seconds * 750),
            "idle_in_transaction_session_timeout": IDLE_TRANSACTION_MILLISECONDS,
        }
        options = " ".join(f"-c {name}={value}" for name, value in timeouts.items())
        own = self.arguments.get("options", "")
        return replace(self, arguments={**self.arguments, "options": f"{options} {own}".rstrip()})

    def __str__(self) -> str:
        """Return the database and its hosts, without a user or a password."""
        hosts = self.arguments.get("host") or self.arguments.get("hostaddr") or "this machine"
        return f"PostgreSQL database {self.arguments.get('dbname', '')} on {hosts}"

    def hosts(self) -> tuple[Mapping[str, Any], ...]:
        """Return the libpq parameters for each host, in the order of the URL."""
        lists = {name: self.arguments[name].split(",") for name in HOST_PARAMETERS
                 if name in self.arguments}  # fmt: skip
        count = max(map(len, lists.values()), default=1)
        return tuple(
            {**self.arguments, **{name: values[n % len(values)] for name, values in lists.items()}}
            for n in range(count)
        )


Address = SqliteFile | PostgresServer


def parse(url: str) -> Address:
    """Return the address that a URL names.

    A PostgreSQL URL has libpq's form and may name several hosts. Raises `ValueError` with the
    expected form if the URL names no database.

    >>> parse("sqlite:///var/scorekeeper.db")
    SqliteFile(path=PosixPath('var/scorekeeper.db'))
    """
    if scheme := _POSTGRESQL.match(url):
        return _parse_server(f"postgresql://{url[scheme.end() :]}")
    try:
        read = make_url(url)
    except (ArgumentError, ValueError):  # ValueError quotes the URL, and so the password
        raise ValueError(EXPECTED) from None
    if read.drivername == "sqlite" and read.database and read.database != ":memory:":
        return SqliteFile(Path(read.database))
    raise ValueError(EXPECTED)


def _parse_server(url: str) -> PostgresServer:
    """Return the server of a PostgreSQL URL, with our default parameters.

    Raises `ValueError` if the URL is malformed. Its message never quotes the URL.
    """
    try:
        arguments = {**DEFAULTS, **conninfo_to_dict(url)}
    except psycopg.Error:  # its message quotes the URL, and so the password
        raise ValueError(f"{EXPECTED}, with special characters escaped like %3D") from None
    for name, numbers in _NUMBERS.items():
        if not numbers.fullmatch(str(arguments.get(name, "1"))):
            raise ValueError(f"expected {name} to be a number")
    hosts, addresses, ports = (arguments.get(name, "").split(",") for name in HOST_PARAMETERS)
    if "host" in arguments and "hostaddr" in arguments and len(hosts) != len(addresses):
        raise ValueError("expected one hostaddr for each host")
    count = max(len(hosts), len(addresses))
    if len(ports) not in (1, count):
        raise ValueError("expected one port, or one for each host")
    if count > 1:  # a standby refuses writes
        arguments = {"target_session_attrs": "primary", **arguments}
    return PostgresServer(arguments)

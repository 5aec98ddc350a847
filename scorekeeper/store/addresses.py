"""Where a database is: what ``SCOREKEEPER_DATABASE_URL`` says."""

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
    "connect_timeout": 2,  # seconds, for each host; the least that there is
    "keepalives_idle": 30,
    "tcp_user_timeout": 15_000,
}
FORGOTTEN: Final = 30_000  # milliseconds after which a transaction ends with which nothing is done

# What says where a server is; of each there may be as many as there are hosts.
WHERE: Final = ("host", "hostaddr", "port")

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


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A database on a server, or on the one of several that is the primary.

    ``arguments`` are libpq's: what psycopg is to connect with.
    """

    arguments: Mapping[str, Any]

    def hasty(self, seconds: float) -> "PostgresServer":
        """The same for whoever had better fail than wait for long: the server is to give up first.

        It may be silent for that many seconds. What waits for longer, or forgets its transaction,
        must not hold up a table.
        """
        timeouts = {
            "lock_timeout": int(seconds * 500),
            "statement_timeout": int(seconds * 750),
            "idle_in_transaction_session_timeout": FORGOTTEN,
        }
        options = " ".join(f"-c {name}={value}" for name, value in timeouts.items())
        own = self.arguments.get("options", "")
        return replace(self, arguments={**self.arguments, "options": f"{options} {own}".rstrip()})

    def hosts(self) -> tuple[Mapping[str, Any], ...]:
        """What to connect with to each of its hosts, in their order."""
        several = {name: self.arguments[name].split(",") for name in WHERE
                   if name in self.arguments}  # fmt: skip
        many = max(map(len, several.values()), default=1)
        return tuple(
            {**self.arguments, **{name: some[n % len(some)] for name, some in several.items()}}
            for n in range(many)
        )


Address = SqliteFile | PostgresServer


def parse(url: str) -> Address:
    """The address that a URL gives.

    Raises `ValueError` with what is expected, where it gives none.

    One of PostgreSQL is libpq's, and may name several hosts.

    >>> parse("sqlite:///var/scorekeeper.db")
    SqliteFile(path=PosixPath('var/scorekeeper.db'))
    """
    if scheme := _POSTGRESQL.match(url):
        return _server(f"postgresql://{url[scheme.end() :]}")
    try:
        read = make_url(url)
    except (ArgumentError, ValueError):  # the latter tells what came
        raise ValueError(EXPECTED) from None
    if read.drivername == "sqlite" and read.database and read.database != ":memory:":
        return SqliteFile(Path(read.database))
    raise ValueError(EXPECTED)


def _server(url: str) -> PostgresServer:
    try:
        found = {**DEFAULTS, **conninfo_to_dict(url)}
    except psycopg.Error:  # which tells what came
        raise ValueError(f"{EXPECTED}, what is special in it written like %3D") from None
    for name, numbers in _NUMBERS.items():
        if not numbers.fullmatch(str(found.get(name, "1"))):
            raise ValueError(f"expected {name} to be a number")
    hosts, addresses, ports = (found.get(name, "").split(",") for name in WHERE)
    if "host" in found and "hostaddr" in found and len(hosts) != len(addresses):
        raise ValueError("expected one hostaddr for each host")
    many = max(len(hosts), len(addresses))
    if len(ports) not in (1, many):
        raise ValueError("expected one port, or one for each host")
    if many > 1:  # nobody can write where others only follow
        found = {"target_session_attrs": "primary", **found}
    return PostgresServer(found)

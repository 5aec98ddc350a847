"""Where a database is: what ``SCOREKEEPER_DATABASE_URL`` says."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import make_url
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.exc import ArgumentError

# What every connection to PostgreSQL asks for; milliseconds. One that waits for longer, or that
# forgets its transaction, must not hold up a table.
TIMEOUTS: Final = {
    "lock_timeout": 5_000,
    "statement_timeout": 30_000,
    "idle_in_transaction_session_timeout": 30_000,
}
DEFAULTS: Final[Mapping[str, Any]] = {
    "application_name": "scorekeeper",
    "connect_timeout": 5,  # seconds
    "keepalives_idle": 30,
    "tcp_user_timeout": 15_000,
}


EXPECTED: Final = (
    "expected a database such as sqlite:///var/scorekeeper.db "
    "or postgresql://user:password@host/database"
)


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A database in a file."""

    path: Path


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A database on a server: what psycopg is to connect with."""

    arguments: Mapping[str, Any]

    def hasty(self) -> Mapping[str, Any]:
        """What to connect with for a request, which had better fail than wait for long."""
        options = " ".join(f"-c {name}={value}" for name, value in TIMEOUTS.items())
        own = self.arguments.get("options", "")
        return {**self.arguments, "options": f"{options} {own}".rstrip()}


Address = SqliteFile | PostgresServer


def parse(url: str) -> Address:
    """The address that a URL gives; ValueError, with what is expected, where it gives none.

    >>> parse("sqlite:///var/scorekeeper.db")
    SqliteFile(path=PosixPath('var/scorekeeper.db'))
    """
    try:
        read = make_url(url)
    except ArgumentError:
        raise ValueError(EXPECTED) from None
    name = read.get_backend_name() if "+" not in read.drivername else read.drivername
    if name == "sqlite" and read.database and read.database != ":memory:":
        return SqliteFile(Path(read.database))
    if name in ("postgres", "postgresql", "postgresql+psycopg"):
        found = read.set(drivername="postgresql+psycopg")
        _, arguments = psycopg.dialect().create_connect_args(found)  # type: ignore[no-untyped-call]
        return PostgresServer({**DEFAULTS, **arguments})
    raise ValueError(EXPECTED)

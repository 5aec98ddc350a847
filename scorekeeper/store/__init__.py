"""The store: append and read, keys and limits; in SQLite, in PostgreSQL and in memory."""

from scorekeeper.log.writing import now
from scorekeeper.store import addresses, migrating
from scorekeeper.store.addresses import PostgresServer, SqliteFile
from scorekeeper.store.contract import (
    ROLES,
    Answer,
    Attempt,
    Clock,
    Followed,
    Key,
    Listed,
    New,
    NewKey,
    Opened,
    Position,
    Repeated,
    Request,
    Role,
    StoredLine,
    Stream,
    Wish,
)
from scorekeeper.store.memory import MemoryStore
from scorekeeper.store.postgres import PATIENCE, THREADS, PostgresStore
from scorekeeper.store.roles import grant_app_role
from scorekeeper.store.sqlite import SqliteStore
from scorekeeper.store.store import Store
from scorekeeper.store.streams import sealed

__all__ = [
    "ROLES",
    "Answer",
    "Attempt",
    "Clock",
    "Followed",
    "Key",
    "Listed",
    "MemoryStore",
    "New",
    "NewKey",
    "Opened",
    "Position",
    "PostgresStore",
    "Repeated",
    "Request",
    "Role",
    "SqliteStore",
    "Store",
    "StoredLine",
    "Stream",
    "Wish",
    "app_role",
    "migrate",
    "open_store",
    "sealed",
]


def open_store(
    url: str, clock: Clock = now, *, seconds: float = PATIENCE, threads: int = THREADS
) -> Store:
    """The store at a URL, such as ``sqlite:///var/scorekeeper.db``; ``memory:`` is one in memory.

    Connects to nothing until it is used. PostgreSQL may be silent for that many ``seconds``, and
    keep a given number of ``threads`` waiting.

    Raises `ValueError` if the URL is none of a database.
    """
    if url == "memory:":
        return MemoryStore(clock)
    match addresses.parse(url):
        case SqliteFile(path):
            return SqliteStore(path, clock)
        case server:
            return PostgresStore(server, clock, seconds, threads)


def migrate(url: str) -> None:
    """Bring the database at a URL up to date, and make it if it is a file that is not there."""
    if url != "memory:":
        migrating.migrate(addresses.parse(url))


def app_role(url: str, role: str, password: str | None = None) -> None:
    """Let a role of PostgreSQL do what the service needs, and nothing more.

    ValueError where the URL is none of PostgreSQL, or the role is one that may do more anyway.
    """
    match addresses.parse(url):
        case PostgresServer() as server:
            grant_app_role(server, role, password)
        case _:
            raise ValueError("a file has no roles: they are for PostgreSQL")

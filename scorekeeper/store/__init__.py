"""The store: append and read, keys and limits; in SQLite, in PostgreSQL and in memory."""

from scorekeeper.log.writing import now
from scorekeeper.store import addresses, migrating
from scorekeeper.store.addresses import PostgresServer, SqliteFile
from scorekeeper.store.contract import (
    ROLES,
    Answer,
    AppendEffects,
    Attempt,
    Clock,
    Followed,
    Key,
    KeyRequest,
    Listed,
    New,
    NewKey,
    Opened,
    Position,
    Publication,
    PublicNames,
    Repeated,
    Request,
    Role,
    StoredLine,
    Stream,
)
from scorekeeper.store.memory import MemoryStore
from scorekeeper.store.postgres import MAX_THREADS, SILENCE_SECONDS, PostgresStore
from scorekeeper.store.publication_store import PublicView
from scorekeeper.store.roles import grant_app_role
from scorekeeper.store.sqlite import SqliteStore
from scorekeeper.store.store import Store
from scorekeeper.store.streams import sealed

__all__ = [
    "ROLES",
    "Answer",
    "AppendEffects",
    "Attempt",
    "Clock",
    "Followed",
    "Key",
    "KeyRequest",
    "Listed",
    "MemoryStore",
    "New",
    "NewKey",
    "Opened",
    "Position",
    "PostgresStore",
    "PublicNames",
    "PublicView",
    "Publication",
    "Repeated",
    "Request",
    "Role",
    "SqliteStore",
    "Store",
    "StoredLine",
    "Stream",
    "app_role",
    "migrate",
    "open_store",
    "sealed",
]


def open_store(
    url: str, clock: Clock = now, *, seconds: float = SILENCE_SECONDS, threads: int = MAX_THREADS
) -> Store:
    """Return the store at a URL, such as ``sqlite:///var/scorekeeper.db`` or ``memory:``.

    The store connects at its first use. For PostgreSQL, ``seconds`` is how long the server may be
    silent, and ``threads`` how many threads may use a connection or wait for one. Raises
    `ValueError` if the URL does not name a database.
    """
    if url == "memory:":
        return MemoryStore(clock)
    match addresses.parse(url):
        case SqliteFile(path):
            return SqliteStore(path, clock)
        case server:
            return PostgresStore(server, clock, seconds, threads)


def migrate(url: str) -> None:
    """Migrate the database at a URL to the current schema; create a missing SQLite file."""
    if url != "memory:":
        migrating.migrate(addresses.parse(url))


def app_role(url: str, role: str, password: str | None = None) -> None:
    """Grant a PostgreSQL role the rights that the service needs, and revoke all others.

    Raises `ValueError` if the URL is not of PostgreSQL, or if the role is a superuser or owns the
    database tables.
    """
    match addresses.parse(url):
        case PostgresServer() as server:
            grant_app_role(server, role, password)
        case _:
            raise ValueError("a file has no roles: they are for PostgreSQL")

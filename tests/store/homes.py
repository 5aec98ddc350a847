"""Databases for tests: their addresses, and how they are created, opened and deleted."""

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, NoReturn

import psycopg
import pytest

from scorekeeper.log.writing import now
from scorekeeper.store import MemoryStore, Store, migrate, open_store
from scorekeeper.store.contract import Clock

TEST_PG: Final = os.environ.get("TEST_PG", "postgresql://postgres@127.0.0.1:5432/test")
REQUIRE_POSTGRES: Final = os.environ.get("REQUIRE_POSTGRES") == "1"


@dataclass
class Home:
    """A database that stores can be opened on repeatedly."""

    kind: str
    url: str
    stores: list[Store] = field(default_factory=list)

    def open(self, clock: Clock = now) -> Store:
        """Open another store on the same database; in memory always the same one."""
        if self.kind == "memory" and self.stores:
            return self.stores[0]
        store = open_store(self.url, clock)
        self.stores.append(store)
        return store

    def set_clock(self, clock: Clock) -> Store:
        """Open a store that uses this clock."""
        store = self.open(clock)
        if isinstance(store, MemoryStore):
            store.clock = clock
        return store

    def close(self) -> None:
        for store in self.stores:
            store.close()

    @property
    def path(self) -> Path:
        """Return the file of a SQLite database."""
        return Path(self.url.removeprefix("sqlite:///"))


# ------------------------------------------------------------------------------------- SQLite


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """Create a folder for files that need not survive a power cut, in memory if possible."""
    memory = Path("/dev/shm")  # noqa: S108
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@contextmanager
def sqlite_home(folder: Path, template: Path | None = None) -> Iterator[Home]:
    """Create a database in a file, by copying a migrated one if ``template`` is given."""
    path = folder / "scorekeeper.db"
    home = Home("sqlite", f"sqlite:///{path}")
    if template is None:
        migrate(home.url)
    else:
        shutil.copy(template, path)
    try:
        yield home
    finally:
        home.close()


# --------------------------------------------------------------------------------- PostgreSQL


def no_postgres(reason: str) -> NoReturn:
    """Skip the test, or fail it if a PostgreSQL is required (REQUIRE_POSTGRES=1)."""
    if REQUIRE_POSTGRES:
        pytest.fail(reason)
    pytest.skip(reason)


@cache
def why_no_postgres() -> str | None:
    """Return why there is no PostgreSQL to test with, or None."""
    try:
        psycopg.connect(TEST_PG, connect_timeout=3).close()
    except psycopg.Error as error:
        return f"no PostgreSQL at {TEST_PG}: {str(error).splitlines()[0]}"
    return None


@contextmanager
def postgres_home(*, migrated: bool = True) -> Iterator[Home]:
    """Create a new schema in the database for tests."""
    reason = why_no_postgres()
    if reason is not None:
        no_postgres(reason)
    schema = f"sk_{os.getpid()}_{uuid.uuid4().hex[:8]}"
    sign = "&" if "?" in TEST_PG else "?"
    home = Home("postgresql", f"{TEST_PG}{sign}options=-csearch_path%3D{schema}")
    with psycopg.connect(TEST_PG, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        try:
            if migrated:
                migrate(home.url)
            yield home
        finally:
            home.close()
            connection.execute(f"DROP SCHEMA {schema} CASCADE")


def memory_home() -> Home:
    """Return a store in memory."""
    return Home("memory", "memory:")


def sql(home: Home) -> "psycopg.Connection[tuple[object, ...]]":
    """Return a connection to a PostgreSQL database that does not pass through the store."""
    return psycopg.connect(home.url, autocommit=True)

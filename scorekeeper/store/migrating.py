"""Migrations of the database schema, and its check against the declared database tables."""

import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Final

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, NullPool, create_engine, text
from sqlalchemy.exc import DBAPIError

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.base.paths import resource
from scorekeeper.store import sqlite_file
from scorekeeper.store.addresses import Address, SqliteFile
from scorekeeper.store.connecting import ADVISORY_LOCK_KEY, MIGRATION_SILENCE_SECONDS, Hosts
from scorekeeper.store.tables import METADATA

MIGRATION_LOCK_KEY: Final = 0  # the second key of the lock for migrations

# The triggers by which the database itself keeps events append-only and without gaps.
GUARDS: Final[Mapping[str, frozenset[str]]] = {
    "sqlite": frozenset({
        "sessions_no_update", "sessions_no_delete", "sessions_no_replace",
        "events_no_update", "events_no_delete", "events_next_seq",
        "requests_no_update", "requests_no_delete", "requests_no_replace",
    }),
    "postgresql": frozenset({
        "sessions_no_change", "events_no_change", "requests_no_change", "events_next_seq",
    }),
}  # fmt: skip

# The queries for the triggers in effect; in PostgreSQL those that fire for every role.
TRIGGERS: Final[Mapping[str, str]] = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'A' "
    "AND tgrelid IN (to_regclass('sessions'), to_regclass('events'), to_regclass('requests'))",
}
MIGRATED: Final = "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
REVISION: Final = "SELECT version_num FROM alembic_version"


def migrate(address: Address) -> None:
    """Migrate a database to the current schema; create a missing SQLite file.

    Concurrent migrations of a database run one after another. Raises `StorageUnavailableError` if
    the migration fails, or if a version newer than this one or older than 1.0.0 made the database.
    """
    with _connect(address) as connection:
        if _get_revision(connection) == head_revision():
            return
        _exclude_other_migrations(connection)
        revision = _get_revision(connection)
        if revision is not None and revision not in _known_revisions():
            raise StorageUnavailableError(
                "a newer version of this program made the database, or one older than 1.0.0"
            )
        command.upgrade(_make_config(connection), "head")
        connection.commit()


def check(address: Address) -> list[str]:
    """Return the differences of a database from this version's schema, as texts."""
    with _connect(address) as connection:
        problems = complaints(
            connection.dialect.name, _get_revision(connection), _get_triggers(connection)
        )
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        problems += [f"not as declared: {difference}" for difference in
                     compare_metadata(context, METADATA)]  # fmt: skip
    return problems


def revise(address: Address, message: str) -> None:
    """Generate a migration from the database to the declared database tables, for developers."""
    with _connect(address) as connection:
        command.revision(_make_config(connection), message, autogenerate=True)


def complaints(dialect: str, revision: str | None, triggers: Iterable[str]) -> list[str]:
    """Return the problems of a database with this revision and these active triggers, as texts."""
    problems = []
    if revision is None:
        problems.append("the database is empty: run scorekeeper migrate")
    elif revision != head_revision():
        problems.append(f"the database is at revision {revision}, not {head_revision()}: "
                        "run scorekeeper migrate")  # fmt: skip
    else:
        missing = sorted(GUARDS[dialect] - set(triggers))
        problems += [f"the guard {name} is missing: events may be changed" for name in missing]
    return problems


@cache
def head_revision() -> str:
    """Return the id of the newest migration, which this version needs."""
    revision = ScriptDirectory.from_config(_make_config(None)).get_current_head()
    return str(revision)


@cache
def _known_revisions() -> frozenset[str]:
    """Return the ids of all migrations of this version."""
    scripts = ScriptDirectory.from_config(_make_config(None)).walk_revisions()
    return frozenset(script.revision for script in scripts)


def _make_config(connection: Connection | None) -> Config:
    """Return alembic's configuration for our migrations, on this connection."""
    config = Config(stdout=io.StringIO())
    config.set_main_option("script_location", str(resource("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


@contextmanager
def _connect(address: Address) -> Iterator[Connection]:
    """Yield a new SQLAlchemy connection to a database; close it after the block.

    Raises `StorageUnavailableError` for an error of the database.
    """
    engine = make_engine(address)
    try:
        with engine.connect() as connection:
            yield connection
    except DBAPIError as error:
        raise StorageUnavailableError(f"the database cannot be migrated: {error.orig}") from error
    finally:
        engine.dispose()


def make_engine(address: Address) -> Engine:
    """Return a SQLAlchemy engine for work on the schema; it opens a new connection each time."""
    if isinstance(address, SqliteFile):
        address.path.parent.mkdir(parents=True, exist_ok=True)
        sqlite_file.create(address.path)
        return create_engine(
            "sqlite://",
            creator=lambda: sqlite_file.connect_to_write(address.path),
            poolclass=NullPool,
        )
    return create_engine(
        "postgresql+psycopg://",
        creator=lambda: Hosts(address, MIGRATION_SILENCE_SECONDS).connect(autocommit=False),
        poolclass=NullPool,
    )


def _exclude_other_migrations(connection: Connection) -> None:
    """Begin a transaction, and wait until no other migration runs."""
    connection.rollback()
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql(
            f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK_KEY}, {MIGRATION_LOCK_KEY})"
        )


def _get_revision(connection: Connection) -> str | None:
    """Return the revision of a database; None if it has none."""
    return MigrationContext.configure(connection).get_current_revision()


def _get_triggers(connection: Connection) -> list[str]:
    """Return the names of the triggers in effect."""
    return list(connection.scalars(text(TRIGGERS[connection.dialect.name])))

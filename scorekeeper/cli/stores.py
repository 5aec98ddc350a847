"""Common parts of the commands that use the database. Slow to import."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from scorekeeper.base.errors import ScorekeeperError, StorageUnavailableError
from scorekeeper.cli.log_files import stop
from scorekeeper.config import Settings, SettingsError, make_data_dir, read_settings
from scorekeeper.store import Store, migrate, open_store

MIGRATE_HINT: Final = (
    "\nIt was looked for in {database}. If the service uses another one, name its settings: "
    "--settings FILE\nIf the database is new, or of an older version: scorekeeper migrate"
)


def settings_or_exit(**overrides: object) -> Settings:
    """Return the settings; exit with a line for each that is not valid."""
    try:
        return read_settings(**overrides)
    except SettingsError as error:
        stop(str(error))


def link_or_key(secret: str) -> str:
    """Return the link with a key if the service has a public address, else the key."""
    public_url: Any = settings_or_exit().public_url
    return f"{public_url}/join/{secret}" if public_url else secret


@contextmanager
def open_database(*, as_owner: bool = False) -> Iterator[Store]:
    """Open the database of the settings, or exit with a message if it cannot be used.

    With ``as_owner`` it is opened with the rights of the owner of its tables.
    """
    chosen = settings_or_exit()
    url = chosen.owner_url if as_owner else chosen.store_url
    with exit_on_error(), open_store(url) as store:
        try:
            yield store
        except StorageUnavailableError as error:
            hint = MIGRATE_HINT.format(database=chosen.database)
            stop(f"{error}{'' if is_readable(store) else hint}")


def is_readable(store: Store) -> bool:
    """Return whether the database tables of a store exist and can be read."""
    try:
        store.sessions()
    except StorageUnavailableError:
        return False
    return True


def migrate_database(chosen: Settings) -> None:
    """Create the database, or migrate it to the current version."""
    make_data_dir(chosen)
    migrate(chosen.owner_url)


@contextmanager
def exit_on_error() -> Iterator[None]:
    """Turn errors in the context into a message and exit code 2."""
    try:
        yield
    except (ScorekeeperError, SettingsError) as error:
        stop(str(error))
    except OSError as error:
        stop(f"{error.filename}: {error.strerror}" if error.filename else str(error))

"""What the commands share that work on the database; it takes a while to load."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from scorekeeper.base.errors import ScorekeeperError, StorageUnavailable
from scorekeeper.cli.log_files import stop
from scorekeeper.config import Misconfigured, Settings, make_data_dir, read_settings
from scorekeeper.store import Store, migrate, open_store

NOT_THERE: Final = "\nIf the database is new, or of an older version: scorekeeper migrate"


def settings(**given: Any) -> Settings:
    """The settings; ends the program with a line for each that is wrong."""
    try:
        return read_settings(**given)
    except Misconfigured as error:
        stop(str(error))


@contextmanager
def opened() -> Iterator[Store]:
    """The database that the settings name; ends the program where it cannot be used."""
    with saying(), open_store(settings().store_url) as store:
        try:
            yield store
        except StorageUnavailable as error:
            stop(f"{error}{'' if readable(store) else NOT_THERE}")


def readable(store: Store) -> bool:
    """Whether a store has its tables, and they can be read."""
    try:
        store.sessions()
    except StorageUnavailable:
        return False
    return True


def bring_up_to_date(chosen: Settings) -> None:
    """Make the database, or bring it up to date."""
    make_data_dir(chosen)
    migrate(chosen.owner_url)


@contextmanager
def saying() -> Iterator[None]:
    """Say what went wrong, and end the program with exit code 2."""
    try:
        yield
    except (ScorekeeperError, Misconfigured) as error:
        stop(str(error))
    except OSError as error:
        stop(f"{error.filename}: {error.strerror}" if error.filename else str(error))

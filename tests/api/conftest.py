"""The stores of the store tests, and a session on each."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.api.asking import Table, client_of
from tests.store import homes
from tests.store.conftest import (
    home,
    migrated_schema,
    quick_folder,
    shared_postgres,
    sqlite,
    template,
)
from tests.store.homes import Home

__all__ = ["home", "migrated_schema", "quick_folder", "shared_postgres", "sqlite", "template"]


@pytest.fixture(scope="session")
def on_memory() -> FlaskClient:
    """Return a client of an application on a store in memory, which keeps no cookies."""
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


@pytest.fixture
def table(on_memory: FlaskClient) -> Table:
    """Return a new session on a store in memory."""
    return Table.open(on_memory)


@pytest.fixture(scope="session")
def on_sqlite(template: Path) -> Iterator[FlaskClient]:
    """Return a client on a SQLite database."""
    with homes.folder_in_memory() as folder, homes.sqlite_home(folder, template) as home:
        yield client_of(home.open(), sessions_an_hour=10**6, failed_keys_an_hour=10**6)


@pytest.fixture(scope="session")
def on_postgresql(migrated_schema: Home) -> FlaskClient:
    """Return a client on a PostgreSQL database."""
    return client_of(migrated_schema.open(), sessions_an_hour=10**6, failed_keys_an_hour=10**6)


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def any_client(request: pytest.FixtureRequest) -> FlaskClient:
    """Return a client on each of the three stores, which may contain data of other tests."""
    client: FlaskClient = request.getfixturevalue(f"on_{request.param}")
    return client


@pytest.fixture
def any_table(any_client: FlaskClient) -> Table:
    """Return a new session on each of the three stores."""
    return Table.open(any_client)

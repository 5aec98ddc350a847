"""The stores of the tests of the store, and a table on each."""

import pytest
from flask.testing import FlaskClient

from tests.api.asking import Table, client_of
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
    """A client of an application on a store in memory, which keeps no cookies."""
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


@pytest.fixture
def table(on_memory: FlaskClient) -> Table:
    """A new session, on a store in memory."""
    return Table.open(on_memory)


@pytest.fixture
def any_client(home: Home) -> FlaskClient:
    """A client of an application on each of the three stores."""
    return client_of(home.open(), sessions_an_hour=10**6, failed_keys_an_hour=10**6)


@pytest.fixture
def any_table(any_client: FlaskClient) -> Table:
    """A new session on each of the three stores."""
    return Table.open(any_client)

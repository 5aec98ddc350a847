"""The stores that a test can ask for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store import homes
from tests.store.homes import Home


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite database, to be copied."""
    with homes.sqlite_home(tmp_path_factory.mktemp("template")) as home:
        return home.path


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """A folder for what need not survive a power cut."""
    with homes.folder_in_memory() as folder:
        yield folder


@pytest.fixture(scope="session")
def shared_postgres() -> Iterator[Home]:
    """A migrated schema that tests share; each uses sessions of its own."""
    with homes.postgres_home() as home:
        yield home


@pytest.fixture
def sqlite(quick_folder: Path, template: Path) -> Iterator[Home]:
    """A SQLite database for one test."""
    with homes.sqlite_home(quick_folder, template) as home:
        yield home


@pytest.fixture
def postgres() -> Iterator[Home]:
    """A PostgreSQL schema for one test."""
    with homes.postgres_home() as home:
        yield home


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def home(request: pytest.FixtureRequest) -> Iterator[Home]:
    """Each of the three stores; that in PostgreSQL may hold what other tests left."""
    if request.param == "memory":
        yield homes.memory_home()
    elif request.param == "sqlite":
        yield request.getfixturevalue("sqlite")
    else:
        shared: Home = request.getfixturevalue("shared_postgres")
        home = Home(shared.kind, shared.url)
        yield home
        home.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Home:
    """Each of the two databases, empty."""
    name = "sqlite" if request.param == "sqlite" else "postgres"
    empty: Home = request.getfixturevalue(name)
    return empty

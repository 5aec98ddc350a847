"""Fixtures of stores."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store import homes
from tests.store.clusters import Cluster, Pair, running_cluster, running_pair
from tests.store.homes import Home


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a migrated SQLite database that tests copy."""
    with homes.sqlite_home(tmp_path_factory.mktemp("template")) as home:
        return home.path


@pytest.fixture
def quick_folder() -> Iterator[Path]:
    """Return a folder for files that need not survive a power cut."""
    with homes.folder_in_memory() as folder:
        yield folder


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Run a PostgreSQL that the test may kill and freeze."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def pair() -> Iterator[Pair]:
    """Run a server for which a standby can be created."""
    with running_pair() as pair:
        yield pair


@pytest.fixture(scope="session")
def migrated_schema() -> Iterator[Home]:
    """Return a migrated schema of PostgreSQL."""
    with homes.postgres_home() as home:
        yield home


@pytest.fixture
def shared_postgres(migrated_schema: Home) -> Iterator[Home]:
    """Return a schema that tests share, each with its own sessions, which saves migrations."""
    home = Home(migrated_schema.kind, migrated_schema.url)
    yield home
    home.close()


@pytest.fixture
def sqlite(quick_folder: Path, template: Path) -> Iterator[Home]:
    """Return a SQLite database for one test."""
    with homes.sqlite_home(quick_folder, template) as home:
        yield home


@pytest.fixture
def postgres() -> Iterator[Home]:
    """Return a PostgreSQL schema for one test."""
    with homes.postgres_home() as home:
        yield home


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def home(request: pytest.FixtureRequest) -> Iterator[Home]:
    """Return each of the three stores; PostgreSQL may contain sessions of other tests."""
    if request.param == "memory":
        yield homes.memory_home()
    elif request.param == "sqlite":
        yield request.getfixturevalue("sqlite")
    else:
        yield request.getfixturevalue("shared_postgres")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Home:
    """Return each of the two databases, empty."""
    name = "sqlite" if request.param == "sqlite" else "postgres"
    empty: Home = request.getfixturevalue(name)
    return empty

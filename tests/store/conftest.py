"""The stores that a test can ask for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store import homes
from tests.store.clusters import Cluster, Pair, running_cluster, running_pair
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
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL that may be treated badly."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def pair() -> Iterator[Pair]:
    """A server, and room for its standby."""
    with running_pair() as pair:
        yield pair


@pytest.fixture(scope="session")
def migrated_schema() -> Iterator[Home]:
    """A migrated schema of PostgreSQL."""
    with homes.postgres_home() as home:
        yield home


@pytest.fixture
def shared_postgres(migrated_schema: Home) -> Iterator[Home]:
    """A schema that tests share, each with sessions of its own; fast, as nothing is made."""
    home = Home(migrated_schema.kind, migrated_schema.url)
    yield home
    home.close()


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
        yield request.getfixturevalue("shared_postgres")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Home:
    """Each of the two databases, empty."""
    name = "sqlite" if request.param == "sqlite" else "postgres"
    empty: Home = request.getfixturevalue(name)
    return empty

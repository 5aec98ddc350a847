"""Real servers, shared by the tests: on one SQLite file, and on a PostgreSQL of their own."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.running import Two, two
from tests.store import homes
from tests.store.clusters import Cluster
from tests.store.conftest import cluster, pair, template

__all__ = ["cluster", "pair", "template"]


@contextmanager
def on_a_file(template: Path, workers: int) -> Iterator[Two]:
    """Two servers on a SQLite file of their own, of which the first has so many processes.

    If it is one, they are not forked.
    """
    with homes.folder_in_memory() as folder:
        shutil.copy(template, folder / "scorekeeper.db")
        url = f"sqlite:///{folder}/scorekeeper.db"
        with two(folder, url, workers, forked=workers > 1) as servers:
            yield servers


@pytest.fixture(scope="session")
def on_sqlite(template: Path) -> Iterator[Two]:
    """Two servers on one file."""
    with on_a_file(template, workers=1) as servers:
        yield servers


@pytest.fixture(scope="session")
def on_sqlite_of_two(template: Path) -> Iterator[Two]:
    """Two servers on another file, of which the first has two processes."""
    with on_a_file(template, workers=2) as servers:
        yield servers


@pytest.fixture(scope="session")
def on_postgres(cluster: Cluster) -> Iterator[Two]:
    """Two servers on it, of which the first has two processes."""
    url = f"{cluster.url}?options=-clock_timeout%3D700"
    with (
        homes.folder_in_memory() as folder,
        two(folder, url, workers=2) as servers,
    ):
        yield servers


@pytest.fixture(params=["on_sqlite_of_two", "on_postgres"], ids=["sqlite", "postgresql"])
def processes(request: pytest.FixtureRequest) -> Two:
    """Servers of which the first has two processes, on each of the two databases."""
    found: Two = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["on_sqlite", "on_postgres"], ids=["sqlite", "postgresql"])
def servers(request: pytest.FixtureRequest) -> Two:
    """The servers on each of the two databases."""
    found: Two = request.getfixturevalue(request.param)
    return found

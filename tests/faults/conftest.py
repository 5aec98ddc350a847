"""Real servers that tests share: on one SQLite file, and on a private PostgreSQL."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.running import ServerPair, run_pair
from tests.operation.serving import Server, serving
from tests.store import homes
from tests.store.clusters import Cluster
from tests.store.conftest import cluster, pair, template

__all__ = ["cluster", "pair", "template"]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run the service with default settings."""
    with serving(tmp_path_factory.mktemp("bare")) as server:
        yield server


@pytest.fixture(scope="session")
def unlimited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run the service without limits on the events of a minute."""
    folder = tmp_path_factory.mktemp("unlimited")
    most = 10**6
    with serving(folder, key_events_a_minute=most, session_events_a_minute=most) as server:
        yield server


@contextmanager
def on_a_file(template: Path, workers: int) -> Iterator[ServerPair]:
    """Run two servers on a new SQLite file; the first has this many worker processes.

    A single worker is not forked.
    """
    with homes.folder_in_memory() as folder:
        shutil.copy(template, folder / "scorekeeper.db")
        url = f"sqlite:///{folder}/scorekeeper.db"
        with run_pair(folder, url, workers, forked=workers > 1) as servers:
            yield servers


@pytest.fixture(scope="session")
def on_sqlite(template: Path) -> Iterator[ServerPair]:
    """Run two servers on one file."""
    with on_a_file(template, workers=1) as servers:
        yield servers


@pytest.fixture(scope="session")
def on_sqlite_of_two(template: Path) -> Iterator[ServerPair]:
    """Run two servers on another file; the first has two worker processes."""
    with on_a_file(template, workers=2) as servers:
        yield servers


@pytest.fixture(scope="session")
def on_postgres(cluster: Cluster) -> Iterator[ServerPair]:
    """Run two servers on PostgreSQL; the first has two worker processes."""
    url = f"{cluster.url}?options=-clock_timeout%3D700"
    with (
        homes.folder_in_memory() as folder,
        run_pair(folder, url, workers=2) as servers,
    ):
        yield servers


@pytest.fixture(params=["on_sqlite_of_two", "on_postgres"], ids=["sqlite", "postgresql"])
def processes(request: pytest.FixtureRequest) -> ServerPair:
    """Return, for each database, two servers of which the first has two worker processes."""
    pair_: ServerPair = request.getfixturevalue(request.param)
    return pair_


@pytest.fixture(params=["on_sqlite", "on_postgres"], ids=["sqlite", "postgresql"])
def servers(request: pytest.FixtureRequest) -> ServerPair:
    """Return the servers on each of the two databases."""
    pair_: ServerPair = request.getfixturevalue(request.param)
    return pair_

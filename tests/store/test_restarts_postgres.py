"""A PostgreSQL of one's own, whose processes all die at once while somebody writes."""

import os
import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Final

import pytest

from scorekeeper.store import migrate, open_store, postgres_server
from tests.conftest import SOAK
from tests.store import homes
from tests.store.asking import insist, opened, whole

pytestmark = [pytest.mark.soak] if SOAK else []  # where it tries many more

RESTARTS: Final = 100 if SOAK else 5
SOON: Final = 10.0  # seconds until a server that was restarted serves again

# What was written survives the processes of the server also where no disk is waited for. What
# is not written at a commit is so after a while, which is long here.
OPTIONS: Final = (
    "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c wal_writer_delay=10s"
)


class Cluster:
    """A server with a folder of its own, run by who may: PostgreSQL refuses root."""

    def __init__(self, tools: Path) -> None:
        self._tools = tools
        self.folder = Path(tempfile.mkdtemp(prefix="scorekeeper"))
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    def run(self, tool: str, *more: str) -> None:
        user = "postgres" if os.getuid() == 0 else None
        command = (str(self._tools / tool), "-D", str(self.folder / "data"), *more)
        subprocess.run(command, check=True, capture_output=True, user=user, cwd="/", timeout=60)

    def begin(self) -> None:
        self.run("initdb", "-A", "trust", "-U", "owner", "-E", "UTF8", "--no-locale", "--no-sync")
        self.run("pg_ctl", "start", "-w", *self._options())
        migrate(self.url)

    def restart(self) -> None:
        """Let all processes of the server die at once, and begin anew."""
        self.run("pg_ctl", "restart", "-w", "-m", "immediate", *self._options())

    def end(self) -> None:
        self.run("pg_ctl", "stop", "-m", "immediate")
        shutil.rmtree(self.folder)

    def _options(self) -> tuple[str, ...]:
        return "-l", str(self.folder / "log"), "-o", f"-p {self.port} {OPTIONS}"

    @property
    def url(self) -> str:
        return f"postgresql://owner@127.0.0.1:{self.port}/postgres"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL that may be treated badly."""
    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    if not tools:
        homes.no_postgres("there is no /usr/lib/postgresql/*/bin/pg_ctl")
    cluster = Cluster(tools[-1].parent)
    cluster.begin()
    yield cluster
    cluster.end()


def restarted_in_the_midst(cluster: Cluster, restarts: int) -> None:
    """Write, while the server is restarted so often; nothing may be lost, or be there twice."""
    stop, tries, told = Event(), list[str](), [1]
    with open_store(cluster.url) as store, ThreadPoolExecutor(1) as pool:
        session = opened(store).id

        def run() -> None:
            while not stop.is_set():
                told.append(insist(store, session, len(told), tries).version)

        running = pool.submit(run)
        for _ in range(restarts):
            time.sleep(random.uniform(0.05, 0.3))  # noqa: S311
            cluster.restart()
            wait_for_more(told)
        stop.set()
        running.result()
    assert told == list(range(1, len(told) + 1)), "something was lost or doubled"
    assert tries  # some restarts were met
    with open_store(cluster.url) as store:
        assert store.position(session).version == len(told)
        assert list(whole(store)) == []


def wait_for_more(told: list[int]) -> None:
    """Wait until somebody is served again."""
    before, end = len(told), time.monotonic() + SOON
    while len(told) == before:
        assert time.monotonic() < end, f"nobody was served in {SOON} seconds"
        time.sleep(0.01)


def test_a_server_that_is_restarted_in_the_midst_loses_nothing(cluster: Cluster) -> None:
    restarted_in_the_midst(cluster, RESTARTS)


def test_a_store_that_does_not_wait_for_the_log_is_found_out(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    careless = "SELECT set_config('synchronous_commit', 'off', false)"
    monkeypatch.setattr(postgres_server, "WAIT_FOR_THE_DISK", careless)
    with pytest.raises(AssertionError, match="something was lost"):
        restarted_in_the_midst(cluster, 2)

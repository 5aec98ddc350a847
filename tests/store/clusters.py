"""A PostgreSQL of one's own, which may be treated badly."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from scorekeeper.store import migrate
from tests.store import homes

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


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A server that runs; where PostgreSQL is not installed, the test is skipped, or fails."""
    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    if not tools:
        homes.no_postgres("there is no /usr/lib/postgresql/*/bin/pg_ctl")
    cluster = Cluster(tools[-1].parent)
    cluster.begin()
    yield cluster
    cluster.end()

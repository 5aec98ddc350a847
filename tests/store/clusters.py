"""A private PostgreSQL cluster that tests may kill and freeze, and one with a standby."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import psycopg

from scorekeeper.store import migrate
from tests.store import homes

# Data that was written survives the server's processes even without waiting for the disk. Data
# that is not written at a commit is written after a delay, which is long here.
OPTIONS: Final = (
    "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c wal_writer_delay=10s"
)

STANDBY_SECONDS: Final = 20.0  # until a standby follows


class Cluster:
    """A server with a folder of its own, run by an unprivileged user: PostgreSQL refuses root."""

    def __init__(self, tools: Path) -> None:
        self._tools = tools
        self.folder = Path(tempfile.mkdtemp(prefix="scorekeeper"))
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, tool: str, *more: str) -> None:
        user = "postgres" if os.getuid() == 0 else None
        command = (str(self._tools / tool), "-D", str(self.data), *more)
        subprocess.run(command, check=True, capture_output=True, user=user, cwd="/", timeout=60)

    def begin(self) -> None:
        self.run("initdb", "-A", "trust", "-U", "owner", "-E", "UTF8", "--no-locale", "--no-sync")
        self.start()
        migrate(self.url)

    def start(self) -> None:
        self.run("pg_ctl", "start", "-w", *self._options())

    def stop(self) -> None:
        """Kill all processes of the server at the same moment."""
        self.run("pg_ctl", "stop", "-w", "-m", "immediate")

    def restart(self) -> None:
        """Kill all processes of the server at the same moment, and start it again."""
        self.run("pg_ctl", "restart", "-w", "-m", "immediate", *self._options())

    def end(self) -> None:
        self.run("pg_ctl", "stop", "-m", "immediate")
        shutil.rmtree(self.folder)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all processes of the server, like a machine that stops."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(
            first, signal.SIGSTOP
        )  # otherwise it could start others, or end and have no children
        for process in (*children(first), first):
            os.kill(process, number)

    def sql(self, text: str) -> list[tuple[Any, ...]]:
        """Return the rows that a query of the owner returns."""
        with psycopg.connect(self.url, autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(text.encode())
            return cursor.fetchall() if cursor.description else []

    def _options(self) -> tuple[str, ...]:
        return "-l", str(self.folder / "log"), "-o", f"-p {self.port} {OPTIONS}"

    @property
    def url(self) -> str:
        return f"postgresql://owner@127.0.0.1:{self.port}/postgres"


def children(process: int) -> list[int]:
    """Return the ids of the processes that a process has started."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(child) for child in listed.split()]


class Pair:
    """A primary, and the standby that replaces it."""

    def __init__(self, tools: Path) -> None:
        self.primary, self.standby = Cluster(tools), Cluster(tools)
        self.primary.begin()
        ports = self.primary.port, self.standby.port
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
        self.url = f"postgresql://owner@{hosts}/postgres?target_session_attrs=read-write"

    def follow(self, *, synchronous: bool = True) -> None:
        """Create the standby. With ``synchronous``, the primary waits for it at each commit."""
        address = ("-h", "127.0.0.1", "-p", str(self.primary.port), "-U", "owner")
        self.standby.run("pg_basebackup", *address, "-R", "-X", "stream", "-c", "fast", "--no-sync")
        self.standby.start()
        names = "*" if synchronous else ""
        self.primary.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        self.primary.sql("SELECT pg_reload_conf()")
        wanted = ("sync" if synchronous else "async",)
        end = time.monotonic() + STANDBY_SECONDS
        while self.primary.sql("SELECT sync_state FROM pg_stat_replication") != [wanted]:
            assert time.monotonic() < end, "the standby does not follow"
            time.sleep(0.02)

    @contextmanager
    def followed(self, *, synchronous: bool = True) -> Iterator[None]:
        """Start with a standby that follows; at the end discard the former primary."""
        self.follow(synchronous=synchronous)
        try:
            yield
        finally:
            self.discard()

    def promote(self) -> None:
        """Promote the standby, and kill the primary if it still runs."""
        self.standby.run("pg_ctl", "promote", "-w")
        self.primary, self.standby = self.standby, self.primary

    def discard(self) -> None:
        """Stop the former primary and delete its data."""
        with suppress(OSError):
            self.standby.signal(signal.SIGKILL)
        shutil.rmtree(self.standby.data, ignore_errors=True)

    def end(self) -> None:
        for server in (self.primary, self.standby):
            with suppress(OSError):
                server.signal(signal.SIGKILL)
            shutil.rmtree(server.folder, ignore_errors=True)


def tools() -> Path:
    """Return the folder of PostgreSQL's programs; skip or fail the test without them."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    if not programs:
        homes.no_postgres("there is no /usr/lib/postgresql/*/bin/pg_ctl")
    return programs[-1].parent


@contextmanager
def running_pair() -> Iterator[Pair]:
    """Run a server for which a standby can be created."""
    pair = Pair(tools())
    try:
        yield pair
    finally:
        pair.end()


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """Run a server."""
    cluster = Cluster(tools())
    cluster.begin()
    yield cluster
    cluster.end()

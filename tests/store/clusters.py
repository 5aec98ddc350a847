"""A PostgreSQL of one's own, which may be treated badly, and one with a standby."""

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

# What was written survives the processes of the server also where no disk is waited for. What
# is not written at a commit is so after a while, which is long here.
OPTIONS: Final = (
    "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c wal_writer_delay=10s"
)

SOON: Final = 20.0  # seconds until a standby follows


class Cluster:
    """A server with a folder of its own, run by who may: PostgreSQL refuses root."""

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
        """Let all processes of the server die at once."""
        self.run("pg_ctl", "stop", "-w", "-m", "immediate")

    def restart(self) -> None:
        """Let all processes of the server die at once, and begin anew."""
        self.run("pg_ctl", "restart", "-w", "-m", "immediate", *self._options())

    def end(self) -> None:
        self.run("pg_ctl", "stop", "-m", "immediate")
        shutil.rmtree(self.folder)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all processes of the server, as to a machine that stops at once."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(first, signal.SIGSTOP)  # else it would make others, or be gone and have none
        for process in (*children(first), first):
            os.kill(process, number)

    def sql(self, text: str) -> list[tuple[Any, ...]]:
        """What its owner is answered."""
        with psycopg.connect(self.url, autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(text.encode())
            return cursor.fetchall() if cursor.description else []

    def _options(self) -> tuple[str, ...]:
        return "-l", str(self.folder / "log"), "-o", f"-p {self.port} {OPTIONS}"

    @property
    def url(self) -> str:
        return f"postgresql://owner@127.0.0.1:{self.port}/postgres"


def children(process: int) -> list[int]:
    """The processes that a process has begun."""
    told = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(child) for child in told.split()]


class Pair:
    """A primary, and the standby that is to take its place."""

    def __init__(self, tools: Path) -> None:
        self.primary, self.standby = Cluster(tools), Cluster(tools)
        self.primary.begin()
        ports = self.primary.port, self.standby.port
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
        self.url = f"postgresql://owner@{hosts}/postgres?target_session_attrs=read-write"

    def follow(self, *, synchronous: bool = True) -> None:
        """Make the standby from the primary, which waits for it at each commit, or does not."""
        here = ("-h", "127.0.0.1", "-p", str(self.primary.port), "-U", "owner")
        self.standby.run("pg_basebackup", *here, "-R", "-X", "stream", "-c", "fast", "--no-sync")
        self.standby.start()
        names = "*" if synchronous else ""
        self.primary.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        self.primary.sql("SELECT pg_reload_conf()")
        wanted = ("sync" if synchronous else "async",)
        end = time.monotonic() + SOON
        while self.primary.sql("SELECT sync_state FROM pg_stat_replication") != [wanted]:
            assert time.monotonic() < end, "the standby does not follow"
            time.sleep(0.02)

    @contextmanager
    def followed(self, *, synchronous: bool = True) -> Iterator[None]:
        """A standby follows at first; at the end nothing is left of who was the primary."""
        self.follow(synchronous=synchronous)
        try:
            yield
        finally:
            self.discard()

    def promote(self) -> None:
        """Let the standby take the place of the primary, which is killed if it is left."""
        self.standby.run("pg_ctl", "promote", "-w")
        self.primary, self.standby = self.standby, self.primary

    def discard(self) -> None:
        """Let nothing be left of who was the primary before."""
        with suppress(OSError):
            self.standby.signal(signal.SIGKILL)
        shutil.rmtree(self.standby.data, ignore_errors=True)

    def end(self) -> None:
        for one in (self.primary, self.standby):
            with suppress(OSError):
                one.signal(signal.SIGKILL)
            shutil.rmtree(one.folder, ignore_errors=True)


def tools() -> Path:
    """Where the programs of PostgreSQL are; without them the test is skipped, or fails."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    if not found:
        homes.no_postgres("there is no /usr/lib/postgresql/*/bin/pg_ctl")
    return found[-1].parent


@contextmanager
def running_pair() -> Iterator[Pair]:
    """A server with a standby to be made."""
    pair = Pair(tools())
    try:
        yield pair
    finally:
        pair.end()


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A server that runs."""
    cluster = Cluster(tools())
    cluster.begin()
    yield cluster
    cluster.end()

"""``demo``: a service to try, on a database in memory, of which nothing stays."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import click

from scorekeeper.cli.log_files import report_refused_games
from scorekeeper.cli.serve import (
    OWNER_SETTINGS,
    choose_settings,
    listening_options,
    print_address,
    refuse_used_port,
    run_server,
)
from scorekeeper.config import PREFIX


@click.command()
@listening_options
def demo(host: str | None, port: int | None) -> None:
    """Start a service with a demo, on a database in memory, and serve until stopped.

    The first page opens a table in the middle of a hand, and a club with a season. Prints the
    address and a QR code of it. Nothing of it is kept, and your database is not used.
    """
    with throwaway_folder() as folder:
        use_memory(folder)
        chosen = choose_settings(host, port)
        refuse_used_port(chosen.host, chosen.port)
        report_refused_games()
        print_address(chosen)
        click.echo("Everything is in memory: when it stops, nothing of it is left.")
        sys.stdout.flush()
        run_server(chosen)


@contextmanager
def throwaway_folder() -> Iterator[Path]:
    """Yield a new folder, which is removed when this process ends, and not when a worker does."""
    process, folder = os.getpid(), Path(mkdtemp(prefix="scorekeeper-demo-"))
    try:
        yield folder
    finally:
        if os.getpid() == process:
            shutil.rmtree(folder, ignore_errors=True)


def use_memory(folder: Path) -> None:
    """Change the settings in the environment: a database in memory, and files in this folder."""
    chosen = {
        f"{PREFIX}DATABASE_URL": "memory:",
        f"{PREFIX}DATA_DIR": str(folder),
        f"{PREFIX}WORKERS": "1",
        f"{PREFIX}DEMO_TABLES": "",
    }
    for name in list(os.environ):
        if name.upper() in chosen.keys() | OWNER_SETTINGS:
            del os.environ[name]
    os.environ |= chosen

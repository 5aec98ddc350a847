"""Common parts of commands: reading a log, exit codes, and error messages."""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, NoReturn

import click

from scorekeeper.base.errors import ScorekeeperError
from scorekeeper.games import GAMES
from scorekeeper.session.session import Session

logs_type = click.Path(exists=True, path_type=Path, allow_dash=True)

EXIT_OK: Final = 0
EXIT_ERRORS: Final = 1  # findings of severity error, or damage
EXIT_UNUSABLE: Final = 2  # the log cannot be used

log_argument = click.argument("log", type=click.File("rb"), metavar="LOG")


def read_session(log: BinaryIO) -> Session:
    """Return the session of a log, or exit with a message if it cannot be used."""
    with exit_if_unusable(log):
        return Session.read(log)


@contextmanager
def exit_if_unusable(log: BinaryIO) -> Iterator[None]:
    """Exit with a message and code 2 if the log cannot be used."""
    try:
        with GAMES.failures_as_not_installed():
            yield
    except ScorekeeperError as error:
        stop(f"{input_name(log)}: {error}")
    except OSError as error:
        stop(f"{input_name(log)}: {error.strerror or error}")


def log_paths(logs: Sequence[Path]) -> Iterator[Path]:
    """Yield the given files, and the logs in the given folders; ``-`` is standard input."""
    for path in logs:
        if str(path) == "-":
            yield spool_input()
        elif path.is_dir():
            yield from sorted(path.glob("*.jsonl"))
        else:
            yield path


def spool_input() -> Path:
    """Return a file with all of standard input, which is deleted when the command ends."""
    spool = tempfile.TemporaryDirectory(prefix="scorekeeper-")
    click.get_current_context().call_on_close(spool.cleanup)
    path = Path(spool.name) / "standard input"
    path.write_bytes(sys.stdin.buffer.read())
    return path


def report_refused_games() -> None:
    """Print which installed games cannot be played, and why."""
    for name, reason in GAMES.refused.items():
        click.echo(f"The game {name} is left out: {reason}", err=True)


def stop(message: str) -> NoReturn:
    """Print a message to standard error, and exit with the code for unusable input."""
    click.echo(message, err=True)
    sys.exit(EXIT_UNUSABLE)


def input_name(log: BinaryIO) -> str:
    """Return the name of an input in messages: its file name, or “standard input”."""
    name = getattr(log, "name", "-")
    return "standard input" if name in ("-", "<stdin>") or isinstance(name, int) else str(name)

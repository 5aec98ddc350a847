"""What the commands share: reading a log, and saying what is wrong with it."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, NoReturn

import click

from scorekeeper.base.errors import ScorekeeperError
from scorekeeper.games import GAMES
from scorekeeper.session.session import Session

FINE: Final = 0
WRONG: Final = 1  # findings of severity error, or damage
UNUSABLE: Final = 2  # no log that can be used

log_argument = click.argument("log", type=click.File("rb"), metavar="LOG")


def read(log: BinaryIO) -> Session:
    """The session of a log; ends the program with a message where it cannot be used."""
    with exit_if_unusable(log):
        return Session.read(log)


@contextmanager
def exit_if_unusable(log: BinaryIO) -> Iterator[None]:
    """Tell what is wrong with a log, and end the program with exit code 2."""
    try:
        with GAMES.missing_where_they_fail():
            yield
    except ScorekeeperError as error:
        stop(f"{name_of(log)}: {error}")
    except OSError as error:
        stop(f"{name_of(log)}: {error.strerror or error}")


def paths(logs: Sequence[Path]) -> Iterator[Path]:
    """The files that are named, and the logs in the folders that are."""
    for one in logs:
        if one.is_dir():
            yield from sorted(one.glob("*.jsonl"))
        else:
            yield one


def tell_refused() -> None:
    """Say which games of installed packages cannot be played, and why."""
    for name, reason in GAMES.refused.items():
        click.echo(f"The game {name} is left out: {reason}", err=True)


def stop(message: str) -> NoReturn:
    """Say why, and end with the exit code for unusable input."""
    click.echo(message, err=True)
    sys.exit(UNUSABLE)


def name_of(log: BinaryIO) -> str:
    """What to call the input in a message."""
    name = getattr(log, "name", "-")
    return "standard input" if name in ("-", "<stdin>") or isinstance(name, int) else str(name)

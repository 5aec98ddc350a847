"""``--settings FILE``: the settings of the service, for commands that are run beside it."""

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

PREFIX: Final = "SCOREKEEPER_"  # as in config, which takes long to import
OPTION: Final = "--settings"


class SettingsFile(click.Path):
    """A file of settings as systemd reads it: a NAME=VALUE on each line."""

    name = "settings file"

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, readable=True, path_type=Path)


def apply_file(ctx: click.Context, param: click.Parameter, path: Path | None) -> None:
    """Set the environment variables of a settings file; they come before those that are set.

    Exits with a message if a line is malformed.
    """
    if path is None:
        return
    try:
        os.environ.update(read_variables(path.read_text("utf-8")))
    except ValueError as error:
        raise click.BadParameter(f"{path}, {error}", ctx, param) from None


def read_variables(text: str) -> Iterator[tuple[str, str]]:
    """Yield the settings in a text, with their values; other variables are left out.

    Blank lines, and lines that begin with ``#`` or ``;``, mean nothing. Raises `ValueError` with
    the number of a malformed line.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if not name or name[0] in "#;":
            continue
        try:
            parts = shlex.split(value)
        except ValueError:
            parts = []
        if not equals or not name.isidentifier() or (value.strip() and not parts):
            raise ValueError(f"line {number}: expected NAME=VALUE")
        if name.startswith(PREFIX):
            yield name, " ".join(parts)


def move_to_front(arguments: Sequence[str]) -> list[str]:
    """Return arguments with ``--settings FILE`` before the command, wherever it stands."""
    rest, front = list(arguments), list[str]()
    end = rest.index("--") if "--" in rest else len(rest)
    for place in reversed(range(end)):
        if rest[place] == OPTION:
            front = rest[place : place + 2] + front
            del rest[place : place + 2]
        elif rest[place].startswith(f"{OPTION}="):
            front = [rest.pop(place), *front]
    return front + rest

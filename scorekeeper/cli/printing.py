"""Printing of lines, coloured on a terminal, and of JSON."""

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Final

import click

# What is coloured at the beginning of a line; any other line stays as it is.
COLOURS: Final[Mapping[str, Mapping[str, Any]]] = {
    "ERROR": {"fg": "red", "bold": True},
    "WARNING": {"fg": "yellow", "bold": True},
    "INFO": {"fg": "cyan"},
    "damaged": {"fg": "red", "bold": True},
    "intact": {"fg": "green"},
}
COLOURED: Final = re.compile(rf"^({'|'.join(COLOURS)})\b")

format_option = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)


def encode_json(value: object) -> bytes:
    """Return a value as JSON for people, in UTF-8, with a line feed."""
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def print_json(value: object) -> None:
    """Print a value as JSON."""
    click.echo(encode_json(value), nl=False)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines of text; characters that the terminal cannot show are replaced."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    click.echo("\n".join(map(paint_line, lines) if has_colours() else lines))


def has_colours() -> bool:
    """Return whether lines are coloured: on a terminal that can, unless ``NO_COLOR`` is set."""
    is_able = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return is_able and not os.environ.get("NO_COLOR")


def paint_line(line: str) -> str:
    """Return a line with its first word coloured, if it is one of ``COLOURS``."""
    return COLOURED.sub(lambda found: click.style(found[0], **COLOURS[found[0]]), line)

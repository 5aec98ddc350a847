"""Output to a new file or to standard output; binary data is never written to a terminal."""

import sys
from pathlib import Path
from typing import Final

import click

from scorekeeper.cli.log_files import stop

DASH: Final = Path("-")  # standard output
output_option = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
    help="A new file to write to; - is standard output.",
)


def write_output(data: bytes, output: Path | None) -> None:
    """Write data to a new file, or to standard output without a file or with ``-``.

    Exits with a message if the data is binary and standard output is a terminal.
    """
    if output is None or output == DASH:
        refuse_terminal(data)
        click.echo(data, nl=False)
        return
    from scorekeeper.cli.stores import exit_on_error  # slow to import, as is the store
    from scorekeeper.store.disk import written_atomically

    with exit_on_error(), written_atomically(output) as part:
        part.write_bytes(data)


def refuse_terminal(data: bytes) -> None:
    """Exit with a message if data is binary and standard output is a terminal."""
    if sys.stdout.isatty() and not is_text(data):
        stop("This is no text for a terminal: name a file with -o FILE, or send it to a program.")


def is_text(data: bytes) -> bool:
    """Return whether data is UTF-8 without NUL, as the formats for people are."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in data

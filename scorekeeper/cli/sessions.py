"""``sessions``, ``export`` and ``import``."""

import io
import json
from pathlib import Path
from typing import BinaryIO, Final

import click

from scorekeeper.base.errors import ScorekeeperError, StorageUnavailable
from scorekeeper.cli.common import exit_if_unusable, log_argument, name_of, stop
from scorekeeper.cli.sheet_text import fit, plain
from scorekeeper.cli.stores import opened, saying, settings
from scorekeeper.log.reading import LARGEST_FILE
from scorekeeper.service import Service
from scorekeeper.store import Listed
from scorekeeper.store.disk import appearing

TITLE: Final = 24  # columns
LOG: Final = "log"
FORMATS: Final = (LOG, "results", "lines", "xlsx", "pdf", "zip", "ics")


@click.command()
def sessions() -> None:
    """List the sessions in the database, the oldest first; times are in UTC."""
    with opened() as store:
        listed = store.sessions()
    if not listed:
        click.echo("no sessions")
        return
    click.echo(f"{'id':<12}  {fit('title', TITLE)}  {'created':<16}  events  players")
    for one in listed:
        click.echo(_row(one))


def _row(one: Listed) -> str:
    told = json.loads(one.opening)["data"]
    players = ", ".join(player["name"] for player in told["players"])
    created = one.created[:16].replace("T", " ")
    title = fit(plain(told["title"]), TITLE)
    return f"{one.id}  {title}  {created}  {one.version:>6}  {plain(players)}"


@click.command()
@click.argument("session")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to make."
)
@click.option("--format", "form", type=click.Choice(FORMATS), default=LOG, help="What to write.")
def export(session: str, output: Path | None, form: str) -> None:
    """Write the sealed log of a session, or what is made of it.

    It goes to standard output, or to a file that is not there yet.
    """
    with opened() as store:
        log = store.export(session)
    made = log if form == LOG else _made(form, session, log)
    if output is None:
        click.echo(made, nl=False)
        return
    with saying(), appearing(output) as part:
        part.write_bytes(made)


def _made(form: str, session: str, log: bytes) -> bytes:
    """The log of a session in another form."""
    from scorekeeper.exports import formats
    from scorekeeper.exports.evening import Evening
    from scorekeeper.session.session import Session

    return formats.FORMATS[form](Evening.of(session, Session.read(io.BytesIO(log), None)), log)


@click.command("import")
@log_argument
def bring_in(log: BinaryIO) -> None:
    """Make a session of a log, and print its id and its keys, which are shown this once.

    LOG is a file, or - for standard input. A sealed log keeps its bytes, one written by hand is
    sealed. Nothing is recorded unless the whole log is usable.
    """
    with exit_if_unusable(log):
        whole = log.read(LARGEST_FILE + 1)
    with opened() as store:
        try:
            new = Service(store).bring_in(whole, LARGEST_FILE)
        except StorageUnavailable:
            raise
        except ScorekeeperError as error:
            stop(f"{name_of(log)}: {error}")
    named = {f"{one.key.role} {one.key.player or ''}".strip(): one.secret for one in new.keys}
    widest = max(map(len, ("session", *named)))
    public_url = settings().public_url
    click.echo(f"{'session':<{widest}}  {new.id}")
    for name, secret in named.items():
        click.echo(f"{name:<{widest}}  {public_url + '/join/' if public_url else ''}{secret}")

"""``sessions``, ``export`` and ``import``."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

import click

from scorekeeper.base.errors import ScorekeeperError, StorageUnavailableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.cli.log_files import EXIT_OK, exit_if_unusable, input_name, log_argument, stop
from scorekeeper.cli.output import output_option, write_output
from scorekeeper.cli.printing import format_option, print_json
from scorekeeper.cli.sheet_text import fit_columns, strip_controls
from scorekeeper.cli.stores import exit_on_error, link_or_key, open_database, settings_or_exit
from scorekeeper.languages.catalogues import DEFAULT, LANGUAGES
from scorekeeper.languages.reader import (
    COMMA,
    DECIMALS,
    POINT,
    SEPARATORS,
    UTC,
    Reader,
    time_zones,
)
from scorekeeper.log.reading import MAX_FILE_BYTES
from scorekeeper.service import Service
from scorekeeper.service.described import DescribedSession, describe_stored
from scorekeeper.store import Listed

TITLE_COLUMNS: Final = 24
LOG: Final = "log"
FORMATS: Final = (LOG, "results", "lines", "payments", "xlsx", "pdf", "zip", "ics", "text", "png")


@click.command()
@format_option
def sessions(form: str) -> None:
    """List the sessions in the database, the oldest first; times are in UTC."""
    with open_database() as store:
        listed = store.sessions()
        described = [describe_stored(store, session.id) for session in listed]
    if form == "json":
        print_json(list(map(_session_object, listed, described)))
        return
    if not listed:
        click.echo(f"no sessions in {settings_or_exit().database}")
        return
    click.echo(
        f"{'id':<12}  {fit_columns('title', TITLE_COLUMNS)}  {'created':<16}  events  players"
    )
    for session, about in zip(listed, described, strict=True):
        click.echo(_session_row(session, about))


def _session_object(session: Listed, about: DescribedSession) -> JsonObject:
    """Return a session of the list for programs."""
    return {
        "id": session.id, "title": about.title, "created": session.created,
        "events": session.version, "head": session.head, "players": list(about.players),
    }  # fmt: skip


def _session_row(session: Listed, about: DescribedSession) -> str:
    """Return a line of the list of sessions: id, title, time, events and players."""
    players, created = ", ".join(about.players), session.created[:16].replace("T", " ")
    title = fit_columns(strip_controls(about.title), TITLE_COLUMNS)
    return f"{session.id}  {title}  {created}  {session.version:>6}  {strip_controls(players)}"


class Zone(click.ParamType[str]):
    """The name of a time zone."""

    name = "zone"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in time_zones():
            self.fail(
                f"there is no time zone {strip_controls(value)}; an example is Europe/Rome",
                param,
                ctx,
            )
        return value


def reader_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for the reader to a command: language, time zone and number format."""
    for option in (
        click.option("--decimal", type=click.Choice(DECIMALS), default=POINT,
                     help="The decimal sign in CSV."),
        click.option("--separator", type=click.Choice(SEPARATORS), default=COMMA,
                     help="The cell separator of CSV."),
        click.option("--zone", type=Zone(), default=UTC, metavar="ZONE",
                     help="The time zone of its times, such as Europe/Rome."),
        click.option("--language", type=click.Choice(tuple(LANGUAGES)), default=DEFAULT,
                     help="The language of its words."),
    ):  # fmt: skip
        command = option(command)
    return command


@click.command()
@click.argument("sessions", nargs=-1, metavar="SESSION | --all [LOG | FOLDER]...")
@click.option("--all", "every", is_flag=True, help="One table of the hands of all sessions.")
@output_option
@click.option("--format", "form", type=click.Choice((*FORMATS, "csv")), help="What to write.")
@reader_options
def export(
    sessions: tuple[str, ...], output: Path | None, form: str | None, *, every: bool, **reader: str
) -> None:
    """Write the sealed log of a session, or what is made of it.

    With --all one table, as csv or xlsx, with a row for each hand of all sessions in the database,
    or of these logs and of all *.jsonl in these folders. A log that cannot be used is reported and
    left out: then the exit code is 1.

    It goes to standard output, or to a file that is not there yet.
    """
    exit_code = EXIT_OK
    with exit_on_error():
        if every:
            data, exit_code = _export_all(sessions, form, **reader)
        else:
            data = _export_one(sessions, form, **reader)
    write_output(data, output)
    sys.exit(exit_code)


def _export_all(logs: tuple[str, ...], form: str | None, **reader: str) -> tuple[bytes, int]:
    """Return the table of all hands, and the exit code."""
    from scorekeeper.cli.export_all import all_hands
    from scorekeeper.exports.hands import FORMATS as TABLE_FORMATS

    if form is None or form not in TABLE_FORMATS:
        raise click.UsageError("--all makes one table: --format csv or --format xlsx")
    return all_hands([Path(name) for name in logs], form, Reader(**reader))


def _is_file(name: str) -> bool:
    """Return whether a name is that of an existing file."""
    try:
        return Path(name).is_file()
    except OSError:  # a name that no file can have
        return False


def _export_one(sessions: tuple[str, ...], form: str | None, **reader: str) -> bytes:
    """Return the log of a session, or a file in another format for the reader."""
    if len(sessions) != 1 or form == "csv":
        raise click.UsageError("either one SESSION, or --all and --format csv or xlsx")
    (session_id,) = sessions
    if _is_file(session_id):
        raise click.UsageError(f"{session_id} is a file: name a session, or import the file first")
    with open_database() as store:
        log = store.export(session_id)
    if form in (None, LOG):
        return log
    from scorekeeper.cli.export_one import export_session

    return export_session(log, session_id, str(form), Reader(**reader))


@click.command("import")
@log_argument
def import_log(log: BinaryIO) -> None:
    """Make a session of a log, and print its id and its keys, which are shown only once.

    LOG is a file, or - for standard input. A sealed log keeps its bytes, one written by hand is
    sealed. Nothing is recorded unless the whole log is usable.
    """
    with exit_if_unusable(log):
        whole = log.read(MAX_FILE_BYTES + 1)
    with open_database() as store:
        try:
            new = Service(store).import_log(whole, MAX_FILE_BYTES)
        except StorageUnavailableError:
            raise
        except ScorekeeperError as error:
            stop(f"{input_name(log)}: {error}")
    secrets = {f"{key.key.role} {key.key.player or ''}".strip(): key.secret for key in new.keys}
    widest = max(map(len, ("session", *secrets)))
    click.echo(f"{'session':<{widest}}  {new.id}")
    for name, secret in secrets.items():
        click.echo(f"{name:<{widest}}  {link_or_key(secret)}")

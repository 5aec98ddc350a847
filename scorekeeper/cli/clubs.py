"""``club``: list the clubs, open one from logs, enter more logs, export, import."""

import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

import click

from scorekeeper.base.errors import (
    ScorekeeperError,
    StorageUnavailableError,
    UnknownClubError,
)
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import to_json_values
from scorekeeper.cli.log_files import (
    EXIT_ERRORS,
    EXIT_OK,
    exit_if_unusable,
    input_name,
    log_paths,
    logs_type,
    stop,
)
from scorekeeper.cli.output import output_option, write_output
from scorekeeper.cli.printing import format_option, print_json
from scorekeeper.cli.sessions import reader_options
from scorekeeper.cli.sheet_text import fit_columns, strip_controls
from scorekeeper.cli.stores import link_or_key, open_database, settings_or_exit
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.standings import view_season
from scorekeeper.clubs.tournament_tables import combine_tables
from scorekeeper.languages.reader import Reader
from scorekeeper.log.reading import MAX_FILE_BYTES
from scorekeeper.service import Clubs, Service
from scorekeeper.service.club_logs import ClubLogs, EnteredLog
from scorekeeper.store import Listed, Opened, Store, keyring
from scorekeeper.streams.requests import UnderLock

LOG: Final = "log"
JSON: Final = "json"
FORMATS: Final = (LOG, JSON, "text", "csv", "xlsx", "pdf", "ics")
PROGRESS_BAR_MIN_LOGS: Final = 20
NAME_COLUMNS: Final = 24


def check_club(ctx: click.Context, param: click.Parameter, club_id: str) -> str:
    """Return the id, or exit with a message if no club can have it."""
    if not keyring.is_club(club_id):
        stop(str(UnknownClubError(club_id)))
    return club_id


a_club = click.argument("club_id", metavar="CLUB", callback=check_club)
the_logs = click.argument("logs", nargs=-1, metavar="LOG...", type=logs_type)


@click.group()
def club() -> None:
    """Look after the clubs in the database: the seasons of people who play again and again."""


@club.command("list")
@format_option
def list_clubs(form: str) -> None:
    """List the clubs in the database, the oldest first; times are in UTC."""
    with open_database() as store:
        clubs = Clubs(Service(store))
        rows = [clubs.see(club.id, partial(_club_object, club)) for club in store.clubs()]
    if form == "json":
        print_json(rows)
        return
    if not rows:
        click.echo(f"no clubs in {settings_or_exit().database}")
        return
    click.echo(f"{'id':<12}  {fit_columns('name', NAME_COLUMNS)}  members  evenings  seasons")
    for row in rows:
        name = fit_columns(strip_controls(row["name"]), NAME_COLUMNS)
        counts = f"{row['members']:>7}  {row['evenings']:>8}  {row['seasons']:>7}"
        click.echo(f"{row['id']}  {name}  {counts}")


def _club_object(club: Listed, snapshot: ClubSnapshot) -> JsonObject:
    """Return a club of the list for programs, with the number of present members, not guests."""
    state = snapshot.state
    return {
        "id": club.id, "name": snapshot.name, "created": club.created, "events": club.version,
        "head": club.head,
        "members": sum(not (member.left or member.guest) for member in state.members.values()),
        "evenings": len(state.evenings) + len(state.tournaments), "seasons": len(state.seasons),
    }  # fmt: skip


# ------------------------------------------------------------------------------- from its logs


@club.command("open")
@click.argument("name")
@the_logs
@click.option("--place", help="The place where it meets.")
@click.option("--currency", metavar="CODE", help="The currency of its ledger, such as EUR.")
@click.option(
    "--zone", help="The time zone in which its days begin, such as Europe/Rome; by default UTC."
)
def open_club(name: str, logs: tuple[Path, ...], **more: str | None) -> None:
    """Make a club, and enter the evenings of logs, and of all *.jsonl in folders.

    All who played become members: the same name is the same person. It prints the id and the keys,
    which are shown only once. A log that is - is standard input.
    """
    with open_database() as store:
        clubs = Clubs(Service(store))
        given_options = {option: value for option, value in more.items() if value is not None}
        try:
            new = clubs.open({"name": name, **given_options})
        except StorageUnavailableError:
            raise
        except ScorekeeperError as error:
            stop(str(error))
        _print_keys(new)
        sys.exit(_enter_logs(store, clubs, new.id, list(log_paths(logs))))


@club.command("enter")
@a_club
@the_logs
def enter(club_id: str, logs: tuple[Path, ...]) -> None:
    """Enter the evenings of logs, and of all *.jsonl in folders, in a club.

    An evening that is in the database already is not imported again. Exit code 0: fine. 1: a log
    could not be entered; the message says which, and why.
    """
    with open_database() as store:
        store.position(club_id)  # raises UnknownClubError before a log is read
        clubs = Clubs(Service(store))
        sys.exit(_enter_logs(store, clubs, club_id, list(log_paths(logs))))


def _enter_logs(store: Store, clubs: Clubs, club_id: str, logs: Sequence[Path]) -> int:
    """Enter the evenings of log files in a club, and return the exit code.

    A line is printed for each; a file that cannot be used is reported and left out, and the exit
    code is then that for errors.
    """
    club_logs = ClubLogs(Service(store), clubs, club_id)
    exit_code, lines = EXIT_OK, list[str]()
    hidden = len(logs) < PROGRESS_BAR_MIN_LOGS or not sys.stderr.isatty()
    with click.progressbar(logs, label="Entering", file=sys.stderr, hidden=hidden) as paths:
        for path in paths:
            try:
                lines += _entered_lines(path, club_logs.enter(path.read_bytes(), MAX_FILE_BYTES))
            except StorageUnavailableError:
                raise
            except (ScorekeeperError, OSError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                click.echo(strip_controls(f"{path}: {reason}; left out"), err=True)
                exit_code = EXIT_ERRORS
    for line in (*lines, *clubs.see(club_id, _summary_lines)):
        click.echo(line)
    return exit_code


def _entered_lines(path: Path, entered: EnteredLog) -> Iterator[str]:
    """Yield the lines to print about an entered log: new members, and the session."""
    for name in entered.joined.values():
        yield strip_controls(f"new member: {name}")
    if entered.opened is None:
        yield strip_controls(f"{path}: entered as {entered.session_id}, which was in the database")
    else:
        host = next(key.secret for key in entered.opened.keys if key.key.role == "host")
        yield strip_controls(
            f"{path}: entered as {entered.session_id}, its host's key {link_or_key(host)}"
        )


def _summary_lines(snapshot: ClubSnapshot) -> Iterator[str]:
    """Yield lines with the numbers of evenings and members, and the days of the evenings."""
    evenings = combine_tables(snapshot.list_played())
    days = sorted(filter(None, (evening.day.in_zone(snapshot.zone) for evening in evenings)))
    between = f", from {days[0]} to {days[-1]}" if days else ""
    state = snapshot.state
    members, guests = len(state.members) - len(state.guests), len(state.guests)
    beside = f"; guests: {guests}" if guests else ""
    many = len(state.evenings) + len(state.tournaments)
    yield f"evenings: {many}{between}; members: {members}{beside}"
    undated = len(evenings) - len(days)
    if undated:
        yield f"without a date on record, so in no season but among all evenings: {undated}"


# ------------------------------------------------------------------------------ to and from files


@club.command("export")
@a_club
@click.option("--format", "form", type=click.Choice(FORMATS), default=LOG, show_default=True)
@click.option(
    "--season",
    metavar="ID",
    help="The season; by default the latest, or all evenings if there is none.",
)
@output_option
@reader_options
def export(club_id: str, form: str, season: str | None, output: Path | None, **reader: str) -> None:
    """Write the sealed log of a club, or the table of a season in another format.

    The log names the evenings, and does not hold them: export each of these, or make a backup.
    It goes to standard output, or to a file that is not there yet.
    """
    with open_database() as store:
        if form == LOG:
            data = b"".join(line + b"\n" for line in Clubs(Service(store)).events(club_id).lines)
        else:
            export_season = _season_exporter(form, season, Reader(**reader))
            data = Clubs(Service(store)).see(club_id, export_season)
    write_output(data, output)


def _season_exporter(
    form: str, season_id: str | None, reader: Reader
) -> UnderLock[ClubSnapshot, bytes]:
    """Return a function that exports a season of a club in the format `form`.

    It exits with a message if there is no such season.
    """
    from scorekeeper.exports.season import SeasonFile
    from scorekeeper.exports.season_formats import SEASON_FORMATS

    def export_season(snapshot: ClubSnapshot) -> bytes:
        season = snapshot.find_season(season_id)
        if season is None:
            known = ", ".join((*snapshot.state.seasons, snapshot.make_all_time_season().id))
            stop(strip_controls(f'there is no season "{season_id}"; there is {known}'))
        if form == JSON:
            table = to_json_values(view_season(snapshot, season))
            return json.dumps(table, ensure_ascii=False, indent=1).encode() + b"\n"
        return SEASON_FORMATS[form](SeasonFile.of(snapshot, season, reader))

    return export_season


@club.command("import")
@click.argument("log", type=click.File("rb"), metavar="LOG")
@click.option(
    "--read-evenings",
    is_flag=True,
    help="Let the club read the evenings in this database that the log names, now and later, "
    "without a key to them. Everybody with a key to the club reads them, too, so use it only for "
    "a log that you trust.",
)
def import_club(log: BinaryIO, read_evenings: bool) -> None:  # noqa: FBT001
    """Make a club of the log of a club, and print its id and its keys, which are shown only once.

    A sealed log keeps its bytes, one written by hand is sealed. Nothing is recorded unless the
    whole log is usable. Evenings that are in this database under the ids that it names are left
    unread: each counts once a member adds it to the club with a key that opens it.
    """
    with exit_if_unusable(log):
        whole = log.read(MAX_FILE_BYTES + 1)
    with open_database() as store:
        clubs = Clubs(Service(store))
        try:
            new = clubs.import_log(whole, MAX_FILE_BYTES, follows=read_evenings)
        except StorageUnavailableError:
            raise
        except ScorekeeperError as error:
            stop(f"{input_name(log)}: {error}")
        _print_keys(new)
        unread = len(store.stops(new.id))
        missing = clubs.see(new.id, _count_missing)
    if unread:
        click.echo(
            f"{unread} of its evenings are in this database, and are left unread: add each to the "
            "club with a key that opens it, or import the log with --read-evenings"
        )
    if missing:
        click.echo(f"{missing} of its evenings are not in this database, and count once they are")


def _count_missing(snapshot: ClubSnapshot) -> int:
    """Return the number of evenings of a club that cannot be read and were not left unread."""
    lost = (session for session, _ in snapshot.list_lost_evenings())
    return len({*snapshot.unread, *lost} - snapshot.stopped)


def _print_keys(new: Opened) -> None:
    """Print the id of a new club, and its keys or links."""
    click.echo(f"{'club':<4}  {new.id}")
    for key in new.keys:
        click.echo(f"{key.key.role:<4}  {link_or_key(key.secret)}")

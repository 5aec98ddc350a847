"""``migrate``, ``backup`` and ``restore``."""

import sys
import tempfile
from pathlib import Path

import click

from scorekeeper.cli.log_files import EXIT_ERRORS, spool_input, stop
from scorekeeper.cli.output import DASH, write_output
from scorekeeper.cli.stores import exit_on_error, migrate_database, open_database, settings_or_exit
from scorekeeper.store import app_role, keyring
from scorekeeper.store.contract import BackupContents

a_file = click.Path(dir_okay=False, path_type=Path, allow_dash=True)


@click.command()
@click.option("--app-role", "role", metavar="ROLE", help="Also prepare this role of PostgreSQL.")
def migrate(role: str | None) -> None:
    """Make the database that the settings name, or bring it up to date.

    With --app-role, as the owner of the tables: make that role, if there is none, and let it do
    what the service needs and no more. Its password comes from SCOREKEEPER_APP_ROLE_PASSWORD,
    or is asked for.
    """
    chosen = settings_or_exit()
    with exit_on_error():
        migrate_database(chosen)
    click.echo(f"The database {chosen.database} is up to date.")
    if role is None:
        return
    setting = chosen.app_role_password
    password = setting.get_secret_value() if setting else prompt_password()
    try:
        with exit_on_error():
            app_role(chosen.owner_url, role, password)
    except ValueError as error:
        stop(str(error))
    click.echo(f"The role {role} can add events, and can neither change nor remove any.")


def prompt_password() -> str | None:
    """Prompt for a password; return None if it is empty or there is no terminal."""
    if not sys.stdin.isatty():
        return None
    password: str = click.prompt(
        "Password of the role (none: as it is)", default="", hide_input=True, show_default=False
    )
    return password or None


@click.command()
@click.argument("file", type=a_file)
@click.option("--bundle", is_flag=True, help="Logs in a zip, for any database and for people.")
@click.option("--allow-empty", is_flag=True, help="Also if the database holds nothing.")
def backup(file: Path, *, bundle: bool, allow_empty: bool) -> None:
    """Write a backup of the database to FILE, while the service goes on, and read it back.

    FILE is a new file, or - for standard output.

    It is a copy of the database if that is a file, and a bundle otherwise. It prints what the
    backup holds. Of a database that holds no session, club or tournament nothing is written, and
    the exit code is 1: most likely the settings name another database than those of the service.
    """
    database = settings_or_exit().database
    with open_database() as store:
        if not (allow_empty or store.sessions() or store.clubs() or store.tournaments()):
            click.echo(
                f"Nothing was written: {database} holds no session, club or tournament. If the "
                "service uses another database, name its settings with --settings FILE; otherwise "
                "repeat with --allow-empty.",
                err=True,
            )
            sys.exit(EXIT_ERRORS)
        with tempfile.TemporaryDirectory(prefix="scorekeeper-") as folder:
            path = Path(folder) / "backup" if file == DASH else file
            contents = store.bundle(path) if bundle else store.backup(path)
            if file == DASH:
                write_output(path.read_bytes(), file)
    where = "on standard output" if file == DASH else f"in {file}"
    said = f"The backup of {database} is {where}, and is intact: {say_contents(contents)}."
    click.echo(said, err=file == DASH)


def say_contents(contents: BackupContents) -> str:
    """Return the numbers of what a backup holds, and the time of its newest event, as text."""
    kinds = [count_things(contents.streams.get(kind, 0), kind) for kind in keyring.StreamKind]
    counts = ", ".join((*kinds, count_things(contents.events, "event")))
    return f"{counts}, the newest of {contents.newest}" if contents.newest else counts


def count_things(number: int, thing: str) -> str:
    """Return a number with the noun that it counts, such as ``2 clubs``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


@click.command()
@click.argument("file", type=a_file)
@click.option("--overwrite", is_flag=True, help="Also if events are lost that are here now.")
def restore(file: Path, *, overwrite: bool) -> None:
    """Put back what the backup in FILE holds, while the service goes on, and verify it.

    A bundle adds what is missing. A copy of the database takes its place: only if it holds all
    events that are here, or with --overwrite. Makes the database if there is none.
    """
    from scorekeeper.service.responses import matches_log
    from scorekeeper.service.usable_logs import refuse_unusable

    file = spool_input() if file == DASH else file
    if not file.is_file():
        stop(f"{file}: there is no such file")
    with exit_on_error():
        migrate_database(settings_or_exit())
    with open_database() as store:
        store.restore(file, overwrite=overwrite, fits=matches_log, usable=refuse_unusable)
        kinds = keyring.StreamKind
        kept = {kinds.SESSION: store.sessions(), kinds.CLUB: store.clubs(),
                kinds.TOURNAMENT: store.tournaments()}  # fmt: skip
    counts = ", ".join(count_things(len(kept[kind]), kind) for kind in kinds)
    click.echo(f"{settings_or_exit().database} is restored, and intact: {counts}.")

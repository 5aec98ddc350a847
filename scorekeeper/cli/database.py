"""``migrate``, ``backup`` and ``restore``."""

import sys
from pathlib import Path

import click

from scorekeeper.cli.log_files import stop
from scorekeeper.cli.stores import exit_on_error, migrate_database, open_database, settings_or_exit
from scorekeeper.store import app_role

a_file = click.Path(dir_okay=False, path_type=Path)


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
    click.echo("The database is up to date.")
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
def backup(file: Path, *, bundle: bool) -> None:
    """Write a backup of the database to FILE, while the service goes on, and read it back.

    It is a copy of the database if that is a file, and a bundle otherwise.
    """
    with open_database() as store:
        if bundle:
            store.bundle(file)
        else:
            store.backup(file)
    click.echo(f"The backup is in {file}, and is intact.")


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

    if not file.is_file():
        stop(f"{file}: there is no such file")
    with exit_on_error():
        migrate_database(settings_or_exit())
    with open_database() as store:
        store.restore(file, overwrite=overwrite, fits=matches_log, usable=refuse_unusable)
        sessions, clubs = len(store.sessions()), len(store.clubs())
    counts = f"{sessions} sessions" + (
        f", {clubs} {'club' if clubs == 1 else 'clubs'}" if clubs else ""
    )
    click.echo(f"Restored, and intact: {counts}.")

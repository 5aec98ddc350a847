"""``tournament list``, ``export`` and ``import``: the tournaments in the database."""

from pathlib import Path
from typing import BinaryIO

import click

from scorekeeper.base.errors import (
    ScorekeeperError,
    StorageUnavailableError,
    UnknownTournamentError,
)
from scorekeeper.cli.log_files import exit_if_unusable, input_name, stop
from scorekeeper.cli.output import output_option, write_output
from scorekeeper.cli.sheet_text import fit_columns, strip_controls
from scorekeeper.log.reading import MAX_FILE_BYTES

NAME_COLUMNS = 24


def check_tournament(ctx: click.Context, param: click.Parameter, tournament_id: str) -> str:
    """Return the id, or exit with a message if no tournament can have it."""
    from scorekeeper.store import keyring  # slow to import, and not needed for files

    if not keyring.is_tournament(tournament_id):
        stop(str(UnknownTournamentError(tournament_id)))
    return tournament_id


@click.command("list")
def list_tournaments() -> None:
    """List the tournaments in the database, the oldest first."""
    from scorekeeper.cli.stores import open_database, settings_or_exit
    from scorekeeper.service import Service, Tournaments
    from scorekeeper.tournaments.state import TournamentState

    def row(state: TournamentState) -> str:
        name = fit_columns(strip_controls(state.opening.name), NAME_COLUMNS)
        published = sum(drawn.published for drawn in state.rounds.values())
        closed = "closed" if state.heads is not None else ""
        return f"{name}  {len(state.entrants):>8}  {published:>6}  {closed}".rstrip()

    with open_database() as store:
        kept = Tournaments(Service(store))
        rows = [f"{listed.id}  {kept.with_state(listed.id, row)}" for listed in store.tournaments()]
    if not rows:
        click.echo(f"no tournaments in {settings_or_exit().database}")
        return
    click.echo(f"{'id':<12}  {fit_columns('name', NAME_COLUMNS)}  entrants  rounds")
    for line in rows:
        click.echo(line)


@click.command("export")
@click.argument("tournament_id", metavar="TOURNAMENT", callback=check_tournament)
@output_option
def export_tournament(tournament_id: str, output: Path | None) -> None:
    """Write the sealed log of a tournament, with all its draws.

    The log names the sessions of its tables, and does not hold them: export each of these, or make
    a backup. It goes to standard output, or to a file that is not there yet.
    """
    from scorekeeper.cli.stores import open_database

    with open_database() as store:
        data = store.export(tournament_id)
    write_output(data, output)


@click.command("import")
@click.argument("log", type=click.File("rb"), metavar="LOG")
def import_tournament(log: BinaryIO) -> None:
    """Make a tournament of its log, and print its id and its keys, which are shown only once.

    A sealed log keeps its bytes, one written by hand is sealed. Nothing is recorded unless the
    whole log is usable. It reads nothing of sessions in this database that the log names: they may
    belong to other people.
    """
    from scorekeeper.cli.stores import open_database
    from scorekeeper.service import Service, Tournaments

    with exit_if_unusable(log):
        whole = log.read(MAX_FILE_BYTES + 1)
    with open_database() as store:
        try:
            new = Tournaments(Service(store)).import_log(whole, MAX_FILE_BYTES)
        except StorageUnavailableError:
            raise
        except ScorekeeperError as error:
            stop(f"{input_name(log)}: {error}")
    click.echo(f"tournament  {new.id}")
    for key in new.keys:
        role = "director" if key.key.role == "host" else key.key.role
        click.echo(f"{role:<10}  {key.secret}")

"""``games new`` and ``games check``: for authors of games in packages of their own."""

import sys
from pathlib import Path
from typing import Final

import click

from scorekeeper.cli.log_files import stop
from scorekeeper.cli.skeleton import skeleton_of
from scorekeeper.games import GAMES, IDS
from scorekeeper.games.checked import describe_error
from scorekeeper.games.complaints import is_game_id
from scorekeeper.games.installed import load_installed
from scorekeeper.promises.examination import (
    HANDS,
    SECONDS,
    examine_game,
    find_entry_points,
    read_entry_points,
)

EXAMPLE: Final = "tressette"


@click.command()
@click.argument("name")
@click.option("--title", help="The name of the game for players; by default the id, capitalised.")
@click.option(
    "--folder", type=click.Path(path_type=Path, file_okay=False),
    help="Where to write it; by default a new folder with the id.",
)  # fmt: skip
def new(name: str, title: str | None, folder: Path | None) -> None:
    """Write the skeleton of a game in a new folder: a small trick game that can be played.

    NAME is the id of the game, which never changes: small letters, digits and underscores.
    """
    if not is_game_id(name):
        stop(f"An id has small letters, digits and underscores, as in {EXAMPLE}: not {name}.")
    if name in IDS or name in GAMES:
        stop(f"There is a game {name} already: choose another id.")
    target = folder or Path(name)
    if target.exists() and any(target.iterdir()):
        stop(f"{target} is not empty: choose another folder with --folder.")
    files = skeleton_of(name, title or name.replace("_", " ").capitalize())
    for path, text in files.items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_text(text, "utf-8")
    click.echo(f"{len(files)} files are in {target}. Check the game, test it, and install it:")
    click.echo(f"  scorekeeper games check {target}")
    click.echo(f"  pytest {target}")
    click.echo(f"  pip install -e {target}")


@click.command()
@click.argument("package")
@click.option(
    "--hands", default=HANDS, show_default=True, type=click.IntRange(1, 1000),
    help="Random hands of each number of players, level and option.",
)  # fmt: skip
@click.option(
    "--seconds", default=SECONDS, show_default=True, type=click.FloatRange(1, 3600),
    help="Begin no hand of a game after so many seconds.",
)  # fmt: skip
def check(package: str, hands: int, seconds: float) -> None:
    """Check the games of a package, and print every error.

    PACKAGE is the name of an installed package, the id of its game, or the folder of a package. The
    service looks for errors in declarations when it starts, and plays no hand. This records hands
    and whole sessions at random, and reads the catalogues.
    """
    folder = Path(package).resolve()
    points = find_entry_points(package) or read_entry_points(folder)
    if not points:
        stop(f"No installed package declares a game {package}, and no folder is one of a package.")
    if not find_entry_points(package):
        sys.path.insert(0, str(folder))
    wrong = 0
    for point in points:
        try:
            versions = point.load()
        except Exception as error:  # noqa: BLE001  # code of a package can raise anything
            stop(f"{point.name}: it cannot be loaded ({describe_error(error)})")
        with GAMES.only(load_installed(IDS, GAMES.versions, points)):
            for message in examine_game(point.name, versions, hands, seconds):
                wrong += 1
                click.echo(f"{point.name}: {message}")
    if wrong:
        raise SystemExit(1)
    click.echo("No errors.")

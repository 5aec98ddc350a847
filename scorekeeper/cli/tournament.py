"""``tournament``: plan an evening, draw rounds, check a draw, print standings; all on files."""

import json
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, BinaryIO, Final

import click

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.views import to_json_values
from scorekeeper.cli.draw_progress import showing_search
from scorekeeper.cli.draw_text import check_lines, draw_lines, plan_lines, preset_lines
from scorekeeper.cli.log_files import EXIT_ERRORS, EXIT_OK, input_name, stop
from scorekeeper.cli.output import output_option, write_output
from scorekeeper.cli.printing import encode_json, format_option, print_json, print_lines
from scorekeeper.cli.stored_tournaments import (
    export_tournament,
    import_tournament,
    list_tournaments,
)
from scorekeeper.cli.tournament_files import next_round, print_pages, standings
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.languages.catalogues import DEFAULT, LANGUAGES
from scorekeeper.languages.reader import Reader
from scorekeeper.tournaments.draws.balanced import BALANCED, draw_balanced
from scorekeeper.tournaments.draws.berger import ALL_PLAY_ALL, draw_all_play_all
from scorekeeper.tournaments.draws.check import check_draw
from scorekeeper.tournaments.draws.draw import PARTNERS, Draw, read_draw
from scorekeeper.tournaments.draws.mitchell import MITCHELL, draw_mitchell
from scorekeeper.tournaments.draws.partners import draw_partners
from scorekeeper.tournaments.plan import plan_evening
from scorekeeper.tournaments.presets import list_presets, view_presets
from scorekeeper.tournaments.table_rules import list_sizes_of_draw

FORMATS: Final = ("text", "json", "csv", "pdf")
MAX_ENTRANTS: Final = 400
MAX_ROUNDS: Final = 60
MAX_MINUTES: Final = 24 * 60
MAX_DRAW_BYTES: Final = 8 * 2**20

# Draws of all rounds from the numbers of entrants and rounds, the sizes of tables, and the seed.
Generator = Callable[[int, int, Collection[int], int], Draw]
GENERATORS: Final[dict[str, Generator]] = {
    BALANCED: draw_balanced,
    ALL_PLAY_ALL: lambda entrants, rounds, sizes, seed: draw_all_play_all(entrants, rounds, seed),
    PARTNERS: lambda entrants, rounds, sizes, seed: draw_partners(entrants, rounds, seed),
    MITCHELL: lambda entrants, rounds, sizes, seed: draw_mitchell(entrants, rounds, seed),
}


class SizesType(click.ParamType[tuple[int, int]]):
    """The sizes that tables may have, such as 5-6, or 4."""

    name = "from-to"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, int]:
        """Return the smallest and the largest size, or fail with a message."""
        smallest, _, largest = str(value).partition("-")
        if not (smallest.isdecimal() and (largest or smallest).isdecimal()):
            self.fail(f"expected sizes such as 5-6, got {value!r}", param, ctx)
        first, last = int(smallest), int(largest or smallest)
        if not 2 <= first <= last:
            self.fail(f"expected the smaller size first, 2 or more, got {value!r}", param, ctx)
        return first, last


entrants_option = click.option("--entrants", "--players", type=click.IntRange(2, MAX_ENTRANTS),
                               required=True, metavar="N", help="How many there are.")  # fmt: skip
game_option = click.option("--game", "game_id", required=True, metavar="ID",
                           help="The game; see “scorekeeper games”.")  # fmt: skip
size_option = click.option("--size", type=SizesType(), metavar="FROM-TO",
                           help="The sizes of tables, such as 5-6.")  # fmt: skip


@click.group()
def tournament() -> None:
    """Plan a tournament, draw its rounds, print standings and pages, without a service.

    List, export and import are for the tournaments in the database.
    """


for command in (
    standings, print_pages, next_round, list_tournaments, export_tournament, import_tournament,
):  # fmt: skip
    tournament.add_command(command)


@tournament.command()
@entrants_option
@game_option
@click.option("--minutes", type=click.IntRange(1, MAX_MINUTES), required=True, metavar="N",
              help="How long the evening is.")  # fmt: skip
@click.option("--pause", type=click.IntRange(0, MAX_MINUTES), default=5, show_default=True,
              metavar="N", help="Minutes between two rounds.")  # fmt: skip
@click.option("--hand", type=click.IntRange(1, MAX_MINUTES), default=5, show_default=True,
              metavar="N", help="Minutes for one hand.")  # fmt: skip
@size_option
@format_option
def plan(
    entrants: int, game_id: str, minutes: int, pause: int, hand: int, size: tuple[int, int] | None,
    form: str,
) -> None:  # fmt: skip
    """Print which numbers of rounds fit into an evening, and with how many hands."""
    game = find_game(game_id)
    sizes = choose_sizes(game, BALANCED, size)
    try:
        planned = plan_evening(entrants, game, sizes, minutes, pause, hand)
    except UnusableError as error:
        stop(str(error))
    presets = list_presets(game, entrants, minutes)
    if form == "json":
        rows = [{**row._asdict(), "deals": {str(n): dealt for n, dealt in row.deals.items()}}
                for row in planned.rows]  # fmt: skip
        print_json({"entrants": entrants, "game": game.id, "tables": list(planned.tables.sizes),
                    "byes": planned.tables.byes, "plans": rows,
                    **to_json_values(view_presets(presets))})  # fmt: skip
    else:
        shown = preset_lines(presets if planned.rows else ())
        print_lines([*plan_lines(planned, minutes, pause, hand), *shown])


@tournament.command()
@entrants_option
@game_option
@click.option("--rounds", type=click.IntRange(1, MAX_ROUNDS), required=True, metavar="N",
              help="How many rounds.")  # fmt: skip
@size_option
@click.option("--draw", "kind", type=click.Choice(tuple(GENERATORS)), default=BALANCED,
              show_default=True, help="The kind of draw.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, metavar="N",
              help="The same seed gives the same draw.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--language", type=click.Choice(tuple(LANGUAGES)), default=DEFAULT,
              help="The language of the pages.")  # fmt: skip
@output_option
def draw(
    entrants: int, game_id: str, rounds: int, size: tuple[int, int] | None, kind: str, seed: int,
    form: str, language: str, output: Path | None,
) -> None:  # fmt: skip
    """Draw all rounds of a tournament. Entrants are numbers from 1 on, in seat order.

    The first of each table deals first. At tables of two sides seats 1 and 3 play together. Give
    the numbers out by lot.
    """
    game = find_game(game_id)
    sizes = choose_sizes(game, kind, size)
    try:
        with showing_search():
            drawn = GENERATORS[kind](entrants, rounds, sizes, seed)
    except UnusableError as error:
        stop(str(error))
    if form == "json":
        write_output(encode_json(drawn.to_json()), output)
    elif form == "text":
        write_output("".join(f"{line}\n" for line in draw_lines(drawn)).encode(), output)
    else:
        from scorekeeper.exports.draw_files import draw_csv, draw_paper

        write = {"csv": draw_csv, "pdf": draw_paper}[form]
        write_output(write(drawn, {}, Reader(language=language)), output)


@tournament.command()
@click.argument("draw_file", type=click.File("rb"), metavar="DRAW")
@click.option("--game", "game_id", metavar="ID", help="Check the sizes of tables for this game.")
@format_option
def check(draw_file: BinaryIO, game_id: str | None, form: str) -> None:
    """Check a draw in the JSON of “tournament draw”: repeats, byes, seats, sizes.

    Exit code 0: it can be played. 1: something is wrong. 2: the file is not a draw.
    """
    checked = read_draw_file(draw_file)
    sizes = () if game_id is None else _list_possible_sizes(find_game(game_id), checked)
    problems = check_draw(checked, sizes)
    if form == "json":
        figures = {key: value for key, value in checked.to_json().items() if key != "rounds"}
        print_json({**figures, "problems": [problem._asdict() for problem in problems]})
    else:
        print_lines(check_lines(checked, problems))
    sys.exit(EXIT_ERRORS if any(problem.wrong for problem in problems) else EXIT_OK)


def find_game(game_id: str) -> Game:
    """Return a game by its id, or exit with a message."""
    if game_id not in GAMES:
        stop(GAMES.why_missing(game_id))
    return GAMES[game_id]


def choose_sizes(game: Game, kind: str, size: tuple[int, int] | None) -> tuple[int, ...]:
    """Return the sizes that tables of a draw may have, or exit with a message."""
    try:
        possible = list_sizes_of_draw(game, kind)
    except UnusableError as error:
        stop(str(error))
    if size is None:
        return possible
    chosen = tuple(number for number in possible if size[0] <= number <= size[1])
    if not chosen:
        stop(f"{kind} of {game.name} has tables of {' or '.join(map(str, possible))}, "
             f"got {size[0]}-{size[1]}")  # fmt: skip
    return chosen


def _list_possible_sizes(game: Game, checked: Draw) -> tuple[int, ...]:
    """Return the sizes that the tables of a draw may have in a game, or exit with a message."""
    kind = checked.by.partition(" ")[0]
    try:
        return list_sizes_of_draw(game, kind)
    except UnusableError as error:
        stop(str(error))


def read_draw_file(draw_file: BinaryIO) -> Draw:
    """Return the draw of a file, or exit with a message if it is none."""
    name = input_name(draw_file)
    data = draw_file.read(MAX_DRAW_BYTES + 1)
    if len(data) > MAX_DRAW_BYTES:
        stop(f"{name}: larger than {MAX_DRAW_BYTES} bytes")
    try:
        return read_draw(json.loads(data))
    except (ValueError, RecursionError):
        stop(f"{name}: not JSON; expected the output of “tournament draw --format json”")
    except UnusableError as error:
        stop(f"{name}: {error}")

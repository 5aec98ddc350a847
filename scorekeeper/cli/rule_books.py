"""``games``, ``rules`` and ``schema``."""

import json
import textwrap

import click

from scorekeeper.cli.authors import check, new
from scorekeeper.cli.log_files import report_refused_games
from scorekeeper.cli.printing import format_option, print_json
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import COMMON, Clause, Option

LINE_COLUMNS = 88


@click.group(invoke_without_command=True)
@format_option
@click.pass_context
def games(context: click.Context, form: str) -> None:
    """List the games: id, name, players. Authors of games begin and check one."""
    if context.invoked_subcommand:
        return
    if form == "json":
        print_json([
            {"id": game.id, "name": game.name, "players": list(game.seats),
             "rules": game.version, "summary": game.summary}
            for game in GAMES.values()
        ])  # fmt: skip
        report_refused_games()
        return
    widest = max(map(len, GAMES))
    names = max(len(game.name) for game in GAMES.values())
    for game in GAMES.values():
        players = " or ".join(map(str, game.seats))
        click.echo(f"{game.id:<{widest}}  {game.name:<{names}}  {players} players")
    report_refused_games()


games.add_command(new)
games.add_command(check)


@click.command()
@click.argument("game", type=click.Choice(list(GAMES)))
def rules(game: str) -> None:
    """Print the rule book of a game: its clauses, its options, and what all games share."""
    for line in _rule_book_lines(GAMES[game]):
        click.echo(line)


def _rule_book_lines(game: Game) -> list[str]:
    """Return the rule book of a game as lines of text."""
    players = " or ".join(map(str, game.seats))
    lines = [game.name, "=" * len(game.name), *textwrap.wrap(game.summary, LINE_COLUMNS), ""]
    lines += [f"{players} players, {game.direction}. Rules version {game.version}.", ""]
    lines += ["Rules", "-----"]
    for clause in game.book.clauses:
        lines += _clause_lines(clause)
    settlement = f"Who pays whom: {game.settlement.text} [G9]"
    lines += ["", *textwrap.wrap(settlement, LINE_COLUMNS), "", "Options", "-------"]
    for option in game.book.options:
        lines += _option_lines(option)
    lines += ["", "Common to all games", "-------------------"]
    for clause in COMMON:
        lines += _clause_lines(clause)
    return lines


def _clause_lines(clause: Clause) -> list[str]:
    """Return a clause as lines of text, with its id and status."""
    text = f"{clause.text} [{clause.status}]"
    return textwrap.wrap(
        text, LINE_COLUMNS, initial_indent=f"{clause.id:<5}", subsequent_indent=" " * 5
    )


def _option_lines(option: Option) -> list[str]:
    """Return an option as lines of text, with its default and each choice."""
    default = json.dumps(option.default_for({"pack": "italian"}))
    head = f"{option.name} ({option.clause}): {option.text} Default: {default}."
    lines = textwrap.wrap(head, LINE_COLUMNS, subsequent_indent=" " * 5)
    for choice, meaning in option.choices.items():
        label = json.dumps(choice) if isinstance(choice, str | bool | int) else str(choice)
        lines += textwrap.wrap(
            f"{label}: {meaning}", LINE_COLUMNS, initial_indent=" " * 5, subsequent_indent=" " * 9
        )
    return lines


@click.command()
@click.argument("kind", type=click.Choice(["session", "club", "tournament"]), default="session")
def schema(kind: str) -> None:
    """Print the JSON Schema of one line of a log, of a session, a club or a tournament.

    It is made of the declarations of the events, of all games that are installed.
    """
    from scorekeeper.service.log_schemas import LOG_SCHEMAS  # only this command needs it

    click.echo(json.dumps(LOG_SCHEMAS[kind](), indent=2, ensure_ascii=False))

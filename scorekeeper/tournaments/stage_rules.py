"""The rules that a stage can have, by its game and its entrants."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from scorekeeper.base.errors import Cause, NotInstalledError, UnusableError, expected
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.tournaments.draws.berger import ALL_PLAY_ALL
from scorekeeper.tournaments.draws.draw import PARTNERS
from scorekeeper.tournaments.draws.mitchell import MITCHELL
from scorekeeper.tournaments.events import TournamentOpened
from scorekeeper.tournaments.stages import MATCH, PLACES, SCORE, Advance, PointRule, Stage
from scorekeeper.tournaments.table_rules import (
    PAIRS,
    can_end_after_hands,
    has_two_sides,
    list_deals,
    list_sizes,
)

KNOCKOUT = "knockout"
RANKED = "ranked"


def require_game(game_id: str) -> Game:
    """Return the game of a tournament. Raises `NotInstalledError` if it is not installed."""
    if game_id not in GAMES:
        cause = Cause(GAMES.why_missing(game_id), "unknown_game", game=game_id)
        raise NotInstalledError(cause, field="data.game")
    return GAMES[game_id]


def list_stage_sizes(game: Game, entrants: str, stage: Stage) -> tuple[int, ...]:
    """Return the sizes that tables of a stage may have, in entrants.

    Raises `UnusableError` if the game has none of them.
    """
    sizes = list_sizes(game, entrants)
    if stage.draw == PARTNERS:
        sizes = tuple(size for size in sizes if size == 4)
    elif stage.draw in (MITCHELL, ALL_PLAY_ALL, KNOCKOUT):
        sizes = tuple(size for size in sizes if size == 2)
    if stage.table is not None:
        sizes = tuple(size for size in sizes if stage.table.smallest <= size <= stage.table.to)
    if not sizes:
        words = f"{game.name} has no tables for the stage {stage.name}: {_describe_tables(stage)}"
        cause = Cause(words, "no_such_tables", game=game.id, stage=stage.name)
        raise UnusableError(cause, field="table")
    return sizes


def _describe_tables(stage: Stage) -> str:
    """Return the tables of a stage in words."""
    between = f" from {stage.table.smallest} to {stage.table.to}" if stage.table else ""
    return f"{stage.draw}{between}"


def refuse_bad_stage(opened: TournamentOpened, stage: Stage) -> None:
    """Raise `UnusableError`, with the field within the stage, for rules that are not possible."""
    game = require_game(opened.game)
    sizes = list_stage_sizes(game, opened.entrants, stage)
    if stage.draw == PARTNERS and (opened.entrants == PAIRS or not has_two_sides(game)):
        words = "in a draw of partners individuals enter a game of two sides"
        raise UnusableError(Cause(words, "no_partners", game=game.id), field="draw")
    if stage.hands is not None:
        _refuse_uneven_hands(game, sizes, stage.hands, opened.entrants)
    for name, of in (
        ("rematch", RANKED),
        ("lives", KNOCKOUT),
        ("third_place", KNOCKOUT),
        ("group", ALL_PLAY_ALL),
    ):
        if getattr(stage, name) is not None and stage.draw != of:
            words = f"{name} is for a stage whose draw is {of}"
            raise UnusableError(Cause(words, "not_for_this_draw", draw=of), field=name)
    if stage.advance == Advance():
        words = "advance has nothing: expected overall, each or places"
        raise UnusableError(Cause(words, "nobody_advances"), field="advance")
    _refuse_bad_points(stage.rule, sizes)


def _refuse_uneven_hands(game: Game, sizes: Sequence[int], hands: int, entrants: str) -> None:
    """Raise `UnusableError` if a table cannot deal so that each plays so many hands."""
    if not can_end_after_hands(game):
        words = f"a match of {game.name} is played to its own end, and not a number of hands"
        raise UnusableError(Cause(words, "no_number_of_hands", game=game.id), field="hands")
    players = tuple(size * 2 for size in sizes) if entrants == PAIRS else sizes
    if list_deals(game, players, hands) is None:
        words = (f"at tables of {' or '.join(map(str, sizes))} not all can play {hands} hands, "
                 "because players sit out in turn")  # fmt: skip
        raise UnusableError(Cause(words, "uneven_hands", hands=hands), field="hands")


def _refuse_bad_points(rule: PointRule, sizes: Sequence[int]) -> None:
    """Raise `UnusableError` for a rule of points that has parts of another, or lacks a table."""
    own = {
        SCORE: ("per_hand",), PLACES: ("tables",), MATCH: ("won", "drawn", "lost", "scale"),
    }  # fmt: skip
    for by, names in own.items():
        for name in names:
            if by != rule.by and getattr(rule, name) is not None:
                words = f"{name} is for points by {by}"
                raise UnusableError(Cause(words, "not_for_these_points", by=by), field="points")
    if rule.by == MATCH and set(sizes) != {2} and 4 not in sizes:
        words = "points of a match are for tables of two"
        raise UnusableError(Cause(words, "no_match_points"), field="points.by")
    _refuse_bad_places(rule.tables, sizes)
    steps = [step.difference for step in rule.scale or ()]
    if steps != sorted(set(steps)):
        words = "the differences of a scale rise from step to step"
        raise UnusableError(Cause(words, "scale_not_rising"), field="points.scale")


def _refuse_bad_places(
    tables: Mapping[str, tuple[Fraction, ...]] | None, sizes: Sequence[int]
) -> None:
    """Raise `UnusableError` for points by place that are of another number, or lack a table."""
    for players, figures in (tables or {}).items():
        if not players.isdecimal() or len(figures) != int(players):
            cause = expected(f"{players} figures", len(figures), "place_missing", places=players)
            raise UnusableError(cause, field=f"points.tables.{players}")
    for size in sizes if tables is not None else ():
        if str(size) not in (tables or {}):
            words = f"the points of a table of {size} are missing"
            raise UnusableError(
                Cause(words, "table_points_missing", size=size), field="points.tables"
            )

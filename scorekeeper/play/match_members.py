"""The members by which a game reports the games of a match, or its reckoning."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints
from scorekeeper.base.views import DeclaredView, declare, from_json_values

GAMES_OF_MATCH: Final = "games"
RECKONING: Final = "reckoning"


@dataclass(frozen=True, slots=True)
class GameOfMatchView(DeclaredView):
    """One of the games that a match of Picchetto is made of."""

    name: str = declare("the game of the match", values=("game", "return", "final"))
    target: int = declare("the score that wins it")
    scores: Mapping[str, ExactPoints] = declare("the score of each player, with penalties")
    winner: str | None = declare("the winner")
    counts: int | None = declare("2 if it counts for two games", optional=True)


@dataclass(frozen=True, slots=True)
class ReckoningView(DeclaredView):
    """The reckoning at the end of a match of a fixed number of hands."""

    points: Mapping[str, ExactPoints] = declare("the points that each player won or lost")
    rule: str = declare("the clause")
    text: str = declare("the calculation in words")


def read_games(members: JsonObject) -> tuple[GameOfMatchView, ...] | None:
    """Return the games of a match, among the members that its game adds; None without games."""
    games = members.get(GAMES_OF_MATCH)
    return (
        None if games is None else tuple(from_json_values(GameOfMatchView, game) for game in games)
    )


def read_reckoning(members: JsonObject) -> ReckoningView | None:
    """Return the reckoning of a match, among the members that its game adds; None without one."""
    reckoning = members.get(RECKONING)
    return None if reckoning is None else from_json_values(ReckoningView, reckoning)

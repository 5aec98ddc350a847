"""What Picchetto adds to the report: the games of a match, or its reckoning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.base.views import DeclaredView, declare


@dataclass(frozen=True, slots=True)
class GameOfMatchView(DeclaredView):
    """One of the games that a match of Picchetto is made of."""

    name: str = declare("the game of the match", values=("game", "return", "final"))
    target: int = declare("the score that wins it")
    scores: Mapping[str, int] = declare("the score of each player, with penalties")
    winner: str | None = declare("the winner")
    counts: int | None = declare("2 if it counts for two games", optional=True)


@dataclass(frozen=True, slots=True)
class ReckoningView(DeclaredView):
    """The reckoning at the end of a match of a fixed number of hands."""

    points: Mapping[str, int] = declare("the points that each player won or lost")
    rule: str = declare("the clause")
    text: str = declare("the calculation in words")


@dataclass(frozen=True, slots=True)
class PicchettoMatchView(DeclaredView):
    """What Picchetto adds to a match."""

    games: Sequence[GameOfMatchView] | None = declare(
        "the games of the match; in Picchetto only", optional=True
    )
    reckoning: ReckoningView | None = declare(
        "in Picchetto: the reckoning of a match over fixed hands", optional=True
    )


@dataclass(frozen=True, slots=True)
class PicchettoHandView(DeclaredView):
    """What Picchetto adds to a hand."""

    game: int | None = declare("in Picchetto: the number of its game", optional=True)

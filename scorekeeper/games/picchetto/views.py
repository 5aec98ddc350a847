"""What Picchetto adds to the report: the games of a match, or its reckoning."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.play.match_members import GameOfMatchView, ReckoningView


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

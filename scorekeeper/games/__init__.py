"""The registry of games: a literal, with every version of the rules that logs are played under."""

from typing import Final

from scorekeeper.games import (
    briscola_chiamata,
    briscola_col_monte,
    briscola_regina,
    knock,
    picchetto,
    riparto,
)
from scorekeeper.games.game import Game

# In the order in which they are shown. To add a game, or a version of one's rules, add it here.
ALL: Final[tuple[Game, ...]] = (
    riparto.GAME,
    briscola_regina.GAME,
    picchetto.GAME,
    knock.GAME,
    briscola_chiamata.GAME,
    briscola_col_monte.GAME,
)

VERSIONS: Final = {(game.id, game.version): game for game in ALL}
GAMES: Final = {game.id: game for game in sorted(ALL, key=lambda game: game.version)}

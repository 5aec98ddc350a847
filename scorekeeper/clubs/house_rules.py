"""The house rules that a club keeps, as they can be played with the installed games."""

from scorekeeper.base.errors import Cause, NotInstalledError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.games import GAMES


def complete_options(game_id: str, options: JsonObject) -> JsonObject:
    """Return all options of a match by these rules.

    Raises `UnusableError` or `NotInstalledError` if no match can have them.
    """
    game = GAMES.get(game_id)
    if game is None:
        cause = Cause(GAMES.why_missing(game_id), "not_installed", game=game_id)
        raise NotInstalledError(cause, field="data.game")
    with GAMES.failures_as_not_installed():
        return game.new_options(options, max(game.seats))

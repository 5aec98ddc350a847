"""``GET /api/games`` and ``GET /api/games/{game}``: the games, their rules and their events."""

from functools import cache

from werkzeug.exceptions import NotFound

from scorekeeper.api.document import Blueprint, leads_to, refuses
from scorekeeper.api.game_views import GamesView, GameView, summarize_game, view_game
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import to_json_values
from scorekeeper.games import GAMES

blueprint = Blueprint("games", __name__, description="The games, their rules and their events.")


@blueprint.route("/games")
@blueprint.response(200, schema_of(GamesView), description="The games.")
@leads_to(200, get_game={"game": "$response.body#/games/0/id"})
def list_games() -> JsonObject:
    """List the games."""
    return to_json_values(GamesView([summarize_game(game) for game in GAMES.values()]))


@blueprint.route("/games/<game>", parameters=[
    {"name": "game", "in": "path", "schema": {"enum": list(GAMES)}, "description": "its id"},
])  # fmt: skip
@blueprint.response(200, schema_of(GameView), description="The game.")
@refuses("not_found")
def get_game(game: str) -> JsonObject:
    """Return all facts about one game.

    Its numbers of players, packs, options with their values and defaults, the clauses of its
    rules, and the JSON Schema of each of its events.
    """
    if game not in GAMES:
        raise NotFound(f"expected a game ({', '.join(GAMES)}), got {game[:60]}")
    return details(game)


@cache
def details(game_id: str) -> JsonObject:
    """Return all facts about a game as plain values; cached."""
    return to_json_values(view_game(GAMES[game_id]))

"""``GET /api/games`` and ``GET /api/games/{game}``: the games, their rules and their events."""

from functools import cache
from typing import Any

from werkzeug.exceptions import NotFound

from scorekeeper.api.document import Blueprint, leads_to, refuses
from scorekeeper.api.game_schemas import GameSchema, GamesSchema
from scorekeeper.cards.packs import Pack
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.log.schema import choice_schema, game_schemas, list_packs
from scorekeeper.play.rulebook import COMMON, Clause, Option

blueprint = Blueprint("games", __name__, description="The games, their rules and their events.")


@blueprint.route("/games")
@blueprint.response(200, GamesSchema, description="The games.")
@leads_to(200, get_game={"game": "$response.body#/games/0/id"})
def list_games() -> dict[str, Any]:
    """List the games."""
    return {"games": [summary(game) for game in GAMES.values()]}


@blueprint.route("/games/<game>", parameters=[
    {"name": "game", "in": "path", "schema": {"enum": list(GAMES)}, "description": "its id"},
])  # fmt: skip
@blueprint.response(200, GameSchema, description="The game.")
@refuses("not_found")
def get_game(game: str) -> dict[str, Any]:
    """Return all facts about one game.

    Its numbers of players, packs, options with their values and defaults, the clauses of its
    rules, and the JSON Schema of each of its events.
    """
    if game not in GAMES:
        raise NotFound(f"expected a game ({', '.join(GAMES)}), got {game[:60]}")
    return details(game)


def summary(game: Game) -> dict[str, Any]:
    """Return the summary of a game as plain values."""
    return {
        "id": game.id,
        "name": game.name,
        "summary": game.summary,
        "players": list(game.seats),
        "direction": game.direction,
        "rules": game.version,
    }


@cache
def details(game_id: str) -> dict[str, Any]:
    """Return all facts about a game as plain values; cached."""
    game = GAMES[game_id]
    packs = list_packs(game)
    return {
        **summary(game),
        "pack": packs[0].name,
        "packs": {pack.name: _pack_as_json(pack) for pack in packs},
        "options": [_option_as_json(game, option) for option in game.book.options],
        "settlement": game.settlement.text,
        "clauses": [_clause_as_json(clause) for clause in (*game.book.clauses, *COMMON)],
        "events": game_schemas(game),
    }


def _pack_as_json(pack: Pack) -> dict[str, Any]:
    """Return the suits, ranks and cards of a pack as plain values."""
    return {
        "suits": {suit.value: pack.suit_name(suit) for suit in pack.suits},
        "ranks": list(pack.ranks),
        "cards": {card.code: pack.show(card) for card in pack.cards},
    }


def _option_as_json(game: Game, option: Option) -> dict[str, Any]:
    """Return an option of a game, with its default and values, as plain values."""
    return {
        "name": option.name,
        "clause": option.clause,
        "text": option.text,
        "note": option.note,
        "default": game.options(None, max(game.seats))[option.name],
        "values": [
            {"text": text, "schema": choice_schema(choice)}
            for choice, text in option.choices.items()
        ],
    }


def _clause_as_json(clause: Clause) -> dict[str, Any]:
    """Return a clause as plain values."""
    return {"id": clause.id, "text": clause.text, "status": clause.status}

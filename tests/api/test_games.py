"""``GET /api/games`` and ``GET /api/games/{game}``."""

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from scorekeeper.games import GAMES
from tests.api.answers import complaints
from tests.samples import SAMPLES

GOLDEN = Path(__file__).parents[1] / "golden"
EACH_GAME = pytest.mark.parametrize("game", GAMES)


def test_games_are_listed(client: FlaskClient) -> None:
    answer = client.get("/api/games")
    assert complaints(client, "/api/games", answer, "get") == []
    assert [game["id"] for game in answer.get_json()["games"]] == list(GAMES)


def test_unknown_game_is_refused(client: FlaskClient) -> None:
    answer = client.get("/api/games/bridge")
    assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")
    assert "riparto" in answer.get_json()["detail"]
    assert complaints(client, "/api/games/{game}", answer, "get") == []


def described(client: FlaskClient, game: str) -> dict[str, Any]:
    answer = client.get(f"/api/games/{game}")
    assert complaints(client, "/api/games/{game}", answer, "get") == []
    body: dict[str, Any] = answer.get_json()
    return body


@EACH_GAME
def test_game_is_described_like_its_declaration(client: FlaskClient, game: str) -> None:
    game_described, known = described(client, game), GAMES[game]
    assert game_described["players"] == list(known.seats)
    assert game_described["pack"] in game_described["packs"]
    assert {option["name"] for option in game_described["options"]} == {
        o.name for o in known.book.options
    }
    assert {c["id"] for c in game_described["clauses"]} >= {c.id for c in known.book.clauses} | {
        "G1",
        "L1",
    }
    assert {option["clause"] for option in game_described["options"]} <= {
        c["id"] for c in game_described["clauses"]
    }
    assert set(game_described["events"]) == set(known.by_type)


@EACH_GAME
def test_default_of_an_option_is_one_of_its_values(client: FlaskClient, game: str) -> None:
    for option in described(client, game)["options"]:
        schemas = {"anyOf": [value["schema"] for value in option["values"]]}
        assert Draft202012Validator(schemas).is_valid(option["default"]), option["name"]


@EACH_GAME
def test_schemas_accept_the_events_of_golden_logs(client: FlaskClient, game: str) -> None:
    schemas = described(client, game)["events"]
    for path in (GOLDEN / game).glob("*.jsonl"):
        for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
            event = json.loads(line)
            Draft202012Validator(schemas[event["type"]]).validate({"data": {}, **event})


@pytest.mark.parametrize(
    ("game", "cards"), [(game, sample.cards) for game, sample in SAMPLES.items()]
)
def test_pack_is_complete(client: FlaskClient, game: str, cards: int) -> None:
    game_described = described(client, game)
    assert len(game_described["packs"][game_described["pack"]]["cards"]) == cards

"""``GET /api/sessions/{id}/next``: the events that can be recorded next."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from tests.api.answers import complaints
from tests.api.asking import Table, hand, match, problem_of
from tests.evenings import event
from tests.players.common import new_match, seeded

PATH = "/api/sessions/{session}/next"
LEVELS = ("totals", "tricks", "cards")


def prompts(table: Table, level: str | None = None) -> list[dict[str, Any]]:
    answer = table.ask("GET", "/next", query_string={"level": level} if level else {})
    assert answer.status_code == 200
    assert complaints(table.client, PATH, answer, "get") == []
    body: list[dict[str, Any]] = answer.get_json()
    return body


def types(listed: list[dict[str, Any]]) -> list[str]:
    return [prompt["type"] for prompt in listed]


def test_prompts_lead_from_match_to_match(any_table: Table) -> None:
    assert types(prompts(any_table)) == ["match_started", "session_closed"]
    any_table.do(match())
    assert types(prompts(any_table)) == ["hand_started", "match_ended", "session_closed"]
    any_table.do(*hand())
    assert {"hand_started", "hand_confirmed", "score_claimed"} <= set(types(prompts(any_table)))
    any_table.do(event("session_closed"))
    assert prompts(any_table) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_each_game_prompts_at_each_level(on_memory: FlaskClient, game: str, level: str) -> None:
    """A prompted event can be recorded unchanged, and the prompt names its player."""
    opening, _ = new_match(seeded(7), game)
    body = opening[0]["data"]
    table = Table(on_memory, on_memory.post("/api/sessions", json=body).get_json())
    table.do(*opening[1:])
    table.do(event("hand_started", dealer=prompts(table)[0]["choices"][0]["dealer"]))
    listed = prompts(table, level)
    assert all(level in prompt["levels"] for prompt in listed)
    for prompt in listed:
        for choice in prompt["choices"][:1]:
            assert choice.get("player", prompt["player"]) == prompt["player"] or (
                prompt["player"] is None)  # fmt: skip
    first = listed[0]
    body = table.do(event(first["type"], **first["choices"][0]))
    assert [finding for finding in body["findings"] if finding["severity"] != "info"] == []


def test_prompts_without_a_level_are_all_prompts(table: Table) -> None:
    table.do(match(), event("hand_started", dealer="mara"))
    everything = {str(prompt) for prompt in prompts(table)}
    for level in LEVELS:
        assert {str(prompt) for prompt in prompts(table, level)} <= everything


def test_viewer_may_read_prompts(table: Table) -> None:
    assert table.get("/next", "view").get_json() == prompts(table)
    assert problem_of(table.get("/next", "")) == (401, "no_key")


@pytest.mark.parametrize(
    "query", [{"level": "tiles"}, {"level": ""}, {"level": "Cards"}, {"levels": "cards"}]
)
def test_unknown_level_is_refused(table: Table, query: dict[str, str]) -> None:
    answer = table.ask("GET", "/next", query_string=query)
    assert problem_of(answer) == (400, "malformed")
    assert answer.get_json()["field"] == next(iter(query))
    assert complaints(table.client, PATH, answer, "get") == []

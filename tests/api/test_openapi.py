"""The document at ``/api/openapi.json``.

Tests of ``api.document``, ``api.event_schemas``, ``api.schemas``, ``api.session_views``,
``api.view_schemas`` and ``api.game_views``.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from apispec import APISpec
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from scorekeeper.events.common import COMMON
from scorekeeper.games import GAMES
from scorekeeper.http.problems import PROBLEMS
from scorekeeper.play.prompts import LEVELS
from tests.api.answers import document
from tests.thinned import EACH_LOG


@pytest.fixture
def spec(client: FlaskClient) -> dict[str, Any]:
    return document(client)


def test_document_is_valid_openapi(spec: dict[str, Any]) -> None:
    validate(spec)
    assert spec["openapi"] == "3.1.0"


def test_document_is_generated_one_time_and_has_a_tag(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get("/api/openapi.json")
    monkeypatch.setattr(APISpec, "to_dict", None)
    assert client.get("/api/openapi.json").data == first.data
    known = client.get("/api/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    assert (known.status_code, known.data) == (304, b"")


def test_document_lists_exactly_the_existing_calls(
    client: FlaskClient, spec: dict[str, Any]
) -> None:
    rules = {
        (re.sub(r"<(?:[^:>]+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in client.application.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    pages = {("/api/docs", "get"), ("/api/openapi.json", "get")}
    documented = {
        (path, m) for path, calls in spec["paths"].items() for m in calls if m != "parameters"
    }
    assert documented == rules - pages


def calls(spec: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return every call by its name, with the parameters of its path."""
    return {
        call["operationId"]: {**call, "parameters": [
            *methods.get("parameters", []), *call.get("parameters", [])
        ], "method": method, "path": path}
        for path, methods in spec["paths"].items()
        for method, call in methods.items()
        if method != "parameters"
    }  # fmt: skip


def test_each_call_has_a_description_and_refusals(spec: dict[str, Any]) -> None:
    for name, call in calls(spec).items():
        assert call["summary"], name
        assert "default" in call["responses"], name
        for status, answer in call["responses"].items():
            assert status == "default" or answer["description"], name
            if status[0] in "45":
                assert set(answer["content"]) == {"application/problem+json"}, name
            if status in ("204", "304"):
                assert "content" not in answer, name


def test_each_problem_is_listed_under_its_status(spec: dict[str, Any]) -> None:
    for name, call in calls(spec).items():
        for code in call.get("x-problems", ()):
            answer = call["responses"][str(int(PROBLEMS[code].status))]
            assert f"(`{code}`)" in answer["description"], name
        refused = {status for status in call["responses"] if status[0] in "45"}
        assert refused == {str(int(PROBLEMS[c].status)) for c in call.get("x-problems", ())}


def test_every_parameter_has_a_description_and_one_name(spec: dict[str, Any]) -> None:
    for name, call in calls(spec).items():
        places = [(parameter["name"], parameter["in"]) for parameter in call["parameters"]]
        assert len(places) == len(set(places)), name
        assert all(
            parameter["description"] and parameter["schema"] for parameter in call["parameters"]
        ), name
        in_path = {
            parameter["name"] for parameter in call["parameters"] if parameter["in"] == "path"
        }
        assert in_path == set(re.findall(r"{(\w+)}", call["path"])), name


def test_calls_with_a_key_declare_it(spec: dict[str, Any]) -> None:
    for name, call in calls(spec).items():
        of_one = any(f"{{{kind}}}" in call["path"] for kind in ("session", "club", "tournament"))
        assert of_one == ("security" in call), name
        for scheme in call.get("security", ()):
            assert set(scheme) <= set(spec["components"]["securitySchemes"])
        assert ("security" in call) == ("401" in call["responses"]), name


def test_calls_that_change_state_declare_the_cross_site_refusal(spec: dict[str, Any]) -> None:
    for name, call in calls(spec).items():
        assert (call["method"] != "get") == ("cross_site" in call.get("x-problems", ())), name


def test_every_read_of_a_session_declares_its_version(spec: dict[str, Any]) -> None:
    reads = {"get_session", "get_events", "get_next", "get_log", "get_results", "get_lines",
             "get_payments", "get_workbook", "get_sheet", "get_bundle", "get_calendar", "get_text",
             "get_picture", "get_audit",
             "get_explanation", "get_club", "get_standings", "get_club_member", "get_club_records",
             "get_club_money", "get_season_table", "get_season_workbook", "get_season_paper",
             "get_season_text", "get_club_calendar", "get_published", "get_tournament",
             "get_tournament_standings", "get_tournament_tables",
             "get_tournament_standings_file", "get_tournament_seating_file",
             "get_tournament_pages"}  # fmt: skip
    for name, call in calls(spec).items():
        headers = {parameter["name"] for parameter in call["parameters"]}
        assert ("304" in call["responses"]) == ("If-None-Match" in headers) == (name in reads)
        if name in reads:
            assert all("ETag" in call["responses"][status]["headers"] for status in ("200", "304"))


def test_links_provide_the_parameters_of_their_calls(spec: dict[str, Any]) -> None:
    known = calls(spec)
    links = [
        (link, name)
        for name, call in known.items()
        for answer in call["responses"].values()
        for link in answer.get("links", {}).values()
    ]
    for link, name in links:
        wanted = known[link["operationId"]]["parameters"]
        assert set(link["parameters"]) <= {parameter["name"] for parameter in wanted}, name
        assert {parameter["name"] for parameter in wanted if parameter.get("required")} <= set(
            link["parameters"]
        )
    assert {link["operationId"] for link, name in links if name == "open_session"} >= {
        "get_session", "get_events", "get_next", "append", "list_keys", "add_key"}  # fmt: skip


def test_appendable_events_are_the_existing_types(spec: dict[str, Any]) -> None:
    variants = spec["components"]["schemas"]["Append"]["properties"]["events"]["items"]["anyOf"]
    types = {variant["$ref"].rpartition("/")[2] for variant in variants}
    assert types == {event_type.TYPE for event_type in COMMON} | {
        event.TYPE for game in GAMES.values() for event in game.events}  # fmt: skip
    for name in types:
        assert spec["components"]["schemas"][name]["properties"]["type"]["const"] == name


@EACH_LOG
def test_golden_logs_match_the_documented_append(spec: dict[str, Any], path: Path) -> None:
    schemas = spec["components"]["schemas"]
    for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
        event = json.loads(line)
        validator = Draft202012Validator(schemas[event["type"]])
        assert list(validator.iter_errors({"data": {}, **event})) == []


def test_every_reference_has_a_schema(spec: dict[str, Any]) -> None:
    schemas = spec["components"]["schemas"]
    for name in set(json.dumps(spec).split('"#/components/schemas/')[1:]):
        assert name.split('"')[0] in schemas


def test_schemas_follow_from_views(spec: dict[str, Any]) -> None:
    """A view may give its schema a name, and have its fields in another order than the JSON."""
    schemas = spec["components"]["schemas"]
    assert list(schemas["Where"]["properties"]) == ["session", "match", "hand", "event"]
    assert list(schemas["HandFigure"]["properties"])[-1] == "points"
    assert schemas["Form"]["properties"]["points_a_hand"]["type"] == "number"
    most = schemas["Fact"]["properties"]["most"]
    assert {"type": "null"} in most.get("anyOf", ()) or "null" in most.get("type", ())
    assert "most" not in schemas["Fact"]["required"]


def test_every_member_is_described(spec: dict[str, Any]) -> None:
    bare = [
        f"{name}.{member}"
        for name, schema in spec["components"]["schemas"].items()
        for member, described in schema["properties"].items()
        if not described.get("description")
    ]
    assert bare == []


def test_the_codes_of_problems_are_listed(spec: dict[str, Any]) -> None:
    description = spec["components"]["schemas"]["Problem"]["properties"]["code"]["description"]
    assert all(code in description for code in PROBLEMS)


def test_items_of_a_list_have_their_own_description_and_values(spec: dict[str, Any]) -> None:
    prompt = spec["components"]["schemas"]["Prompt"]["properties"]
    assert prompt["levels"]["items"]["enum"] == list(LEVELS)
    assert "enum" not in prompt["levels"]
    assert prompt["choices"]["description"] == "the likeliest first"
    assert prompt["choices"]["items"]["description"] == "the whole data of the event"

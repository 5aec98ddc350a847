"""The document at ``/api/openapi.json``."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from openapi_spec_validator import validate

from scorekeeper.api.problems import PROBLEMS
from tests.api.answers import document


@pytest.fixture
def spec(client: FlaskClient) -> dict[str, Any]:
    return document(client)


def test_it_is_valid_openapi(spec: dict[str, Any]) -> None:
    validate(spec)
    assert spec["openapi"] == "3.1.0"


def test_it_has_every_call_and_no_other(client: FlaskClient, spec: dict[str, Any]) -> None:
    rules = {
        (rule.rule.replace("<", "{").replace(">", "}"), method.lower())
        for rule in client.application.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    pages = {("/api/docs", "get"), ("/api/openapi.json", "get")}
    told = {(path, m) for path, calls in spec["paths"].items() for m in calls if m != "parameters"}
    assert told == rules - pages


def test_each_call_says_what_it_does_and_may_be_refused(spec: dict[str, Any]) -> None:
    for calls in spec["paths"].values():
        for method, call in calls.items():
            if method == "parameters":
                continue
            assert call["summary"]
            for status, answer in call["responses"].items():
                if status.isdigit():
                    types = set(answer["content"])
                    wanted = "application/json" if status == "200" else "application/problem+json"
                    assert types == {wanted}
            assert "default" in call["responses"]


def test_every_reference_leads_somewhere(spec: dict[str, Any]) -> None:
    schemas = spec["components"]["schemas"]
    for name in set(json.dumps(spec).split('"#/components/schemas/')[1:]):
        assert name.split('"')[0] in schemas


def test_every_member_is_described(spec: dict[str, Any]) -> None:
    bare = [
        f"{name}.{member}"
        for name, schema in spec["components"]["schemas"].items()
        for member, one in schema["properties"].items()
        if not one.get("description")
    ]
    assert bare == []


def test_the_codes_of_problems_are_listed(spec: dict[str, Any]) -> None:
    said = spec["components"]["schemas"]["Problem"]["properties"]["code"]["description"]
    assert all(code in said for code in PROBLEMS)

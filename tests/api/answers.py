"""Helpers of the API tests: the OpenAPI document, and checks of answers against it."""

from functools import cache
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

EVENING = b"""\
{"type":"session_opened","data":{"title":"Friday","players":[{"id":"mara","name":"Mara"},{"id":"leo","name":"Leo"},{"id":"nina","name":"Nina"}]}}
{"type":"match_started","data":{"game":"riparto","seats":["mara","leo","nina"]}}
{"type":"hand_started","data":{"dealer":"mara"}}
{"type":"bid_made","data":{"player":"leo","points":6}}
{"type":"points_counted","data":{"points":{"mara":4,"leo":6,"nina":5}}}
"""
NDJSON = "application/x-ndjson"


@cache
def _document(app: Flask) -> dict[str, Any]:
    body: dict[str, Any] = app.test_client().get("/api/openapi.json").get_json()
    return body


def document(client: FlaskClient) -> dict[str, Any]:
    """Return the OpenAPI document."""
    return _document(client.application)


@cache
def _strict(app: Flask) -> Any:
    """Return the shared schemas of the document, without additional members."""
    return closed(_document(app)["components"])


def closed(schema: Any) -> Any:
    """Return a schema whose objects allow only the members that it names."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(part) for name, part in schema.items()}
    named = isinstance(schema.get("properties"), dict) and schema.get("type") == "object"
    return {**inner, "additionalProperties": False} if named else inner


def complaints(client: FlaskClient, path: str, response: Any, method: str = "post") -> list[str]:
    """Return the differences of an answer from the document: status, type, members."""
    spec = document(client)
    documented = spec["paths"][path][method]["responses"]
    answer = documented.get(str(response.status_code))
    if answer is None:
        return [f"status {response.status_code} is not documented"]
    if response.status_code in (204, 304):
        return [] if "content" not in answer and not response.data else ["there is a body"]
    media = answer["content"].get(response.mimetype)
    if media is None:
        return [f"{response.mimetype} is not documented"]
    whole = {**media["schema"], "components": _strict(client.application)}
    return [error.message for error in Draft202012Validator(whole).iter_errors(response.get_json())]


def undocumented_problem(client: FlaskClient, path: str, response: Any, method: str = "get") -> str:
    """Return the code of a refusal that the document does not name for a call; else nothing."""
    if response.mimetype != "application/problem+json":
        return ""
    call, code = document(client)["paths"][path][method], str(response.get_json()["code"])
    listed = call["responses"].get(str(response.status_code), {}).get("description", "")
    return "" if code in call.get("x-problems", ()) and f"(`{code}`)" in listed else code

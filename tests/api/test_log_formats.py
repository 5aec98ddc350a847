"""``GET /api/schemas/{log_kind}`` and ``GET /api/samples``: schemas, and logs that fit them."""

import json
from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from scorekeeper.api.log_formats import read_samples
from scorekeeper.base.paths import resource
from scorekeeper.clubs.club import Club
from scorekeeper.events.corrections import CORRECTING
from scorekeeper.games import IDS
from scorekeeper.log.reading import LogFile
from scorekeeper.report.report import view_report
from scorekeeper.service.log_schemas import LOG_SCHEMAS
from scorekeeper.session.session import Session
from tests.api.answers import complaints

LEVELS = {"totals", "tricks", "cards"}
DISPUTES = {"hand_disputed", "correction_proposed", "dispute_settled"}
OWN = IDS  # and not the examples, which may be installed
EACH = pytest.mark.parametrize("name", read_samples())


def bytes_of(name: str) -> bytes:
    return (resource("samples") / f"{name}.jsonl").read_bytes()


@pytest.mark.parametrize("kind", LOG_SCHEMAS)
def test_schema_is_served_as_it_is_printed(client: FlaskClient, kind: str) -> None:
    answer = client.get(f"/api/schemas/{kind}")
    assert complaints(client, "/api/schemas/{log_kind}", answer, "get") == []
    assert json.loads(answer.data) == LOG_SCHEMAS[kind]()
    again = client.get(f"/api/schemas/{kind}", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "path", ["/api/schemas/evening", "/api/samples/nothing.jsonl", "/api/samples/..%2Fx.jsonl",
             "/api/samples/index.jsonl"],
)  # fmt: skip
def test_unknown_names_are_refused(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")


def test_samples_are_listed_with_what_is_in_them(client: FlaskClient) -> None:
    answer = client.get("/api/samples")
    assert complaints(client, "/api/samples", answer, "get") == []
    listed = answer.get_json()["samples"]
    assert len(listed) >= 30
    assert {sample["kind"] for sample in listed} == {"session", "club"}
    assert {sample["sealed"] for sample in listed} == {True, False}
    files = {path.stem for path in resource("samples").glob("*.jsonl")}
    assert {sample["name"] for sample in listed} == files


@EACH
def test_sample_is_served_and_fits_its_schema(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/api/samples/{name}.jsonl")
    assert answer.data == bytes_of(name)
    assert answer.content_type == "application/x-ndjson"
    schema = Draft202012Validator(LOG_SCHEMAS[read_samples()[name].kind]())
    lines = [json.loads(line) for line in answer.data.splitlines() if line.strip()]
    assert len(lines) == read_samples()[name].events
    by_shape = {(line["type"], *line.get("data", {})): line for line in lines}
    for line in by_shape.values():
        assert not list(schema.iter_errors(line)), line


@EACH
def test_sample_can_be_used(name: str) -> None:
    log = Club() if read_samples()[name].kind == "club" else Session()
    log.add_lines(LogFile(BytesIO(bytes_of(name))))


def test_samples_show_each_game_at_each_level_corrections_and_disputes() -> None:
    levels: dict[str, set[str]] = {}
    types = set()
    for name, sample in read_samples().items():
        if sample.kind != "session":
            continue
        session = Session.read(BytesIO(bytes_of(name)))
        for match in view_report(session).matches:
            levels.setdefault(match.game, set()).update(hand.level for hand in match.hands)
        types |= {raw.type for raw in LogFile(BytesIO(bytes_of(name)))}
    assert [game for game in OWN if LEVELS - levels.get(game, set())] == []
    wanted: set[Any] = {*DISPUTES, *(correction.TYPE for correction in CORRECTING)}
    assert wanted <= types

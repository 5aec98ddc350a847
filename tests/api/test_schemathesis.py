"""Generated requests that the document allows or forbids get documented answers."""

import time
from typing import Any

import pytest
import schemathesis
from hypothesis import settings
from schemathesis import Case, Response
from schemathesis.config import SchemathesisConfig

from scorekeeper.live import event_streams
from tests.api.asking import bearer, created
from tests.conftest import SOAK

ACCEPTED = ["2xx", "304", "401", "403", "404", "412", "422"]
REFUSED = ["400", "401", "403", "404", "405", "412", "413", "415", "422", "428"]
CONFIG: dict[str, Any] = {
    "generation": {"max-examples": 300 if SOAK else 1, "deterministic": not SOAK},
    "checks": {
        "positive_data_acceptance": {"expected-statuses": ACCEPTED},
        "negative_data_rejection": {"expected-statuses": REFUSED},
        "missing_required_header": {
            "expected-statuses": ["400", "401", "403", "415", "422", "428"]
        },
        "allow_header_conformance": {"enabled": False},  # "import" could be the id of a session
    },
}

if not SOAK:
    # Unsupported methods of an address: PUT has a body, and Flask answers OPTIONS itself.
    LACKED = ["options", "put", "trace"]
    CONFIG["phases"] = {"coverage": {"unexpected-methods": LACKED}}

PLAYERS = [{"id": player, "name": player} for player in ("mara", "leo", "nina")]
KEYS: dict[str, str] = {}  # the host's, by session
STREAMS = ("session", "club", "tournament")  # the ids of streams in paths
TRIED: set[str] = set()  # the calls that were put to the test

schemathesis.serializer.alias(["application/x-ndjson", "application/jsonl"], "text/plain")


def strict(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document without the default answer."""
    for calls in document["paths"].values():
        for method, call in calls.items():
            if method != "parameters":
                del call["responses"]["default"]
    return document


def some(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with a few of the event types; in the soak with all of them."""
    if SOAK:
        return document
    for name, every in (("Append", 9), ("ClubAppend", 4), ("TournamentAppend", 8)):
        sent = document["components"]["schemas"][name]["properties"]["events"]["items"]
        sent["anyOf"] = sent["anyOf"][::every]
    few_of_many(document)
    return document


def few_of_many(schema: Any) -> None:
    """Reduce long lists of values, such as currencies, each of which would be tried."""
    if isinstance(schema, dict):
        values = schema.get("enum")
        if isinstance(values, list) and len(values) > 100:
            schema["enum"] = values[::40]
    for part in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(part, dict | list):
            few_of_many(part)


def quick(schema: Any) -> Any:
    """Return a schema without the limits of the longest lists, whose generation takes minutes."""
    if isinstance(schema, list):
        return [quick(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {name: quick(part) for name, part in schema.items() if name != "maxItems" or part < 200}


def keep(session: Any) -> None:
    keys = session["keys"]
    KEYS[session["id"]] = keys.get("host") or keys["director"]


# Created by the tests and not at collection, which every process repeats, because it is slow.
@pytest.fixture(scope="module")
def schema() -> Any:
    """Return the document of an application with a session."""
    app = created(sessions_an_hour=10**9, failed_keys_an_hour=10**9)
    client = app.test_client(use_cookies=False)
    keep(client.post("/api/sessions", json={"title": "Friday", "players": PLAYERS}).get_json())
    schema = schemathesis.openapi.from_dict(
        quick(strict(some(client.get("/api/openapi.json").get_json()))),
        config=SchemathesisConfig.from_dict(CONFIG),
    )
    schema.app = app
    schema.auth()(Host)
    return schema


class Host:
    """Authentication as the host of each session that was opened here."""

    def get(self, case: Case[Any], context: Any) -> str:
        named = case.path_parameters or {}
        return KEYS.get(
            str(next(filter(None, map(named.get, STREAMS)), "")), next(iter(KEYS.values()))
        )

    def set(self, case: Case[Any], data: str, context: Any) -> None:
        case.headers.update(bearer(data))


@pytest.fixture(autouse=True)
def streams_end_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "STREAM_LIFE_SECONDS", 0)


@pytest.fixture(autouse=True)
def named(request: pytest.FixtureRequest) -> None:
    """Set the name of the test that Schemathesis reads and pytest no longer sets."""
    request.node._nodeid = request.node.nodeid


@schemathesis.pytest.from_fixture("schema").parametrize()
def test_every_call_answers_as_documented(case: Case[Any]) -> None:
    TRIED.add(case.operation.label)
    began = time.thread_time()
    response = case.call()
    assert time.thread_time() - began < 1  # seconds of processor time
    case.validate_response(response)


@pytest.mark.skipif(SOAK, reason="there the order of tests is one of chance")
def test_every_call_was_tried(schema: Any) -> None:
    assert {operation.ok().label for operation in schema.get_all_operations()} == TRIED


@schemathesis.hook
def before_call(context: Any, case: Case[Any], kwargs: dict[str, Any]) -> None:
    """Request uncompressed answers, because the checks do not unpack them."""
    case.headers.setdefault("Accept-Encoding", "identity")


@schemathesis.hook
def after_call(context: Any, case: Case[Any], response: Response) -> None:
    """Store the keys of opened sessions."""
    if response.status_code == 201 and case.path in (
        "/api/sessions", "/api/sessions/import", "/api/clubs", "/api/tournaments",
    ):  # fmt: skip
        keep(response.json())


def test_linked_calls_answer_as_documented(schema: Any) -> None:
    """Calls follow the links of the document."""
    schema.as_state_machine().run(
        settings=settings(max_examples=300 if SOAK else 3, stateful_step_count=20 if SOAK else 6)
    )

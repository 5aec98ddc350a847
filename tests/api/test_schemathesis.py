"""The document put to the test: whatever it allows or forbids is sent, and the answers fit it."""

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

pytestmark = [pytest.mark.soak] if SOAK else []  # where it tries many more

ACCEPTED = ["2xx", "304", "401", "403", "404", "412", "422"]
REFUSED = ["400", "401", "403", "404", "405", "412", "413", "415", "422", "428"]
CONFIG: dict[str, Any] = {
    "generation": {"max-examples": 300 if SOAK else 2, "deterministic": not SOAK},
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
    # Methods that an address lacks: PUT has a body, and Flask answers OPTIONS by itself.
    LACKED = ["options", "put", "trace"]
    CONFIG["phases"] = {"coverage": {"unexpected-methods": LACKED}}

PLAYERS = [{"id": one, "name": one} for one in ("mara", "leo", "nina")]
KEYS: dict[str, str] = {}  # the host's, by session
TRIED: set[str] = set()  # the calls that were put to the test

schemathesis.serializer.alias(["application/x-ndjson", "application/jsonl"], "text/plain")


def strict(document: dict[str, Any]) -> dict[str, Any]:
    """The document without the answer that stands for all others."""
    for calls in document["paths"].values():
        for method, call in calls.items():
            if method != "parameters":
                del call["responses"]["default"]
    return document


def some(document: dict[str, Any]) -> dict[str, Any]:
    """The document with a few of the events that can be sent; with all of them in the soak."""
    if SOAK:
        return document
    for name, every in (("Append", 9), ("ClubAppend", 4)):
        sent = document["components"]["schemas"][name]["properties"]["events"]["items"]
        sent["anyOf"] = sent["anyOf"][::every]
    few_of_many(document)
    return document


def few_of_many(schema: Any) -> None:
    """Let a few stand for very many values, such as currencies: each of them would be tried."""
    if isinstance(schema, dict):
        values = schema.get("enum")
        if isinstance(values, list) and len(values) > 100:
            schema["enum"] = values[::40]
    for one in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(one, dict | list):
            few_of_many(one)


def quick(schema: Any) -> Any:
    """A schema without the lengths of the longest lists: to make up such a list takes minutes."""
    if isinstance(schema, list):
        return [quick(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {name: quick(one) for name, one in schema.items() if (name, one) != ("maxItems", 1000)}


def keep(session: Any) -> None:
    KEYS[session["id"]] = session["keys"]["host"]


# Made when the tests are run, not when they are collected, which each process does: it takes long.
@pytest.fixture(scope="module")
def schema() -> Any:
    """The document of an application with a session."""
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
    """Whoever asks about a session that was opened here is its host."""

    def get(self, case: Case[Any], context: Any) -> str:
        named = case.path_parameters or {}
        return KEYS.get(str(named.get("session") or named.get("club")), next(iter(KEYS.values())))

    def set(self, case: Case[Any], data: str, context: Any) -> None:
        case.headers.update(bearer(data))


@pytest.fixture(autouse=True)
def streams_end_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "STREAM_LIFE_SECONDS", 0)


@pytest.fixture(autouse=True)
def named(request: pytest.FixtureRequest) -> None:
    """Let a test be named where Schemathesis looks for it, and pytest no longer has it."""
    request.node._nodeid = request.node.nodeid


@schemathesis.pytest.from_fixture("schema").parametrize()
def test_every_call_answers_as_documented(case: Case[Any]) -> None:
    TRIED.add(case.operation.label)
    began = time.thread_time()
    response = case.call()
    assert time.thread_time() - began < 1  # seconds, whatever else the machine does
    case.validate_response(response)


@pytest.mark.skipif(SOAK, reason="there the order of tests is one of chance")
def test_every_call_was_tried(schema: Any) -> None:
    assert {one.ok().label for one in schema.get_all_operations()} == TRIED


@schemathesis.hook
def before_call(context: Any, case: Case[Any], kwargs: dict[str, Any]) -> None:
    """Ask for answers as they are: nothing unpacks them on the way to the checks."""
    case.headers.setdefault("Accept-Encoding", "identity")


@schemathesis.hook
def after_call(context: Any, case: Case[Any], response: Response) -> None:
    """Remember the keys of what was opened."""
    if response.status_code == 201 and case.path in (
        "/api/sessions", "/api/sessions/import", "/api/clubs",
    ):  # fmt: skip
        keep(response.json())


def test_one_call_leads_to_another(schema: Any) -> None:
    """As the links of the document have it."""
    schema.as_state_machine().run(
        settings=settings(max_examples=300 if SOAK else 4, stateful_step_count=20 if SOAK else 6)
    )

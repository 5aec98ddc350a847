"""``GET /api/sessions/{id}/explain``: the tree from totals to events and clauses."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from scorekeeper.base.views import to_json_values
from scorekeeper.report.explain import explain
from scorekeeper.session.session import Session
from tests.api.answers import NDJSON, complaints
from tests.api.asking import Table, hand, match, problem_of
from tests.evenings import golden_evenings

PATH = "/api/sessions/{session}/explain"


@pytest.mark.parametrize("path", golden_evenings(), ids=lambda log: log.parent.name)
def test_tree_equals_that_of_the_log(on_memory: FlaskClient, path: Path) -> None:
    answer = on_memory.post("/api/sessions/import", data=path.read_bytes(), content_type=NDJSON)
    table = Table(on_memory, answer.get_json())
    answer = table.get("/explain", "view")
    assert complaints(on_memory, PATH, answer, "get") == []
    log = Session.read(BytesIO(table.get("/log.jsonl").data))
    assert answer.get_json() == json.loads(json.dumps(to_json_values(explain(log))))


def test_tree_can_be_limited_to_a_match_or_hand(table: Table) -> None:
    table.do(match(), *hand(bidder="leo", points=6), *hand(dealer="leo", bidder="nina"), match())
    for query, shown in (
        ("", [(1, 2), (2, 0)]), ("?match=1", [(1, 2)]), ("?match=1&hand=2", [(1, 1)]),
        ("?match=2", [(2, 0)]),
    ):  # fmt: skip
        answer = table.get(f"/explain{query}")
        assert complaints(table.client, PATH, answer, "get") == []
        matches = answer.get_json()["matches"]
        assert [(match_["match"], len(match_["hands"])) for match_ in matches] == shown
        assert answer.headers["ETag"] == f'"{table.version}"'


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("?match=3", (422, "unusable")),
        ("?match=0", (422, "unusable")),
        ("?match=1&hand=3", (422, "unusable")),
        ("?hand=1", (422, "unusable")),
        ("?hand=x", (400, "malformed")),
        ("?suggest=1", (400, "malformed")),
    ],
)
def test_unknown_match_or_hand_is_refused(
    table: Table, query: str, problem: tuple[int, str]
) -> None:
    table.do(match(), *hand(bidder="leo", points=6), match())
    answer = table.get(f"/explain{query}")
    assert complaints(table.client, PATH, answer, "get") == []
    assert problem_of(answer) == problem

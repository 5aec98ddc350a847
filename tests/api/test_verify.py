"""``POST /api/verify``."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.log.writing import sealed_lines
from tests.api.answers import EVENING, NDJSON, complaints

EVENTS = [json.loads(line) for line in EVENING.splitlines()]
LINES = [*sealed_lines([(e["type"], e["data"]) for e in EVENTS], "2026-01-02T20:15:00.000Z")]
SEALED = b"".join(LINES)
HEAD = json.loads(LINES[-1])["hash"]


def verify(client: FlaskClient, body: bytes, **remembered: Any) -> Any:
    return client.post("/api/verify", data=body, query_string=remembered, content_type=NDJSON)


def test_intact_log_is_whole(client: FlaskClient) -> None:
    answer = verify(client, SEALED)
    assert answer.get_json() == {
        "ok": True, "events": 5, "head": HEAD, "first_bad_line": None, "reason": "",
    }  # fmt: skip
    assert complaints(client, "/api/verify", answer) == []


def test_changed_byte_is_reported_with_its_line(client: FlaskClient) -> None:
    answer = verify(client, SEALED.replace(b'"points":6', b'"points":7'))
    verdict = answer.get_json()
    assert answer.status_code == 200
    assert (verdict["ok"], verdict["first_bad_line"], verdict["events"]) == (False, 4, 3)
    assert verdict["head"] == json.loads(LINES[2])["hash"]
    assert verdict["reason"]
    assert complaints(client, "/api/verify", answer) == []


def test_missing_tail_is_detected_by_a_remembered_head_or_count(client: FlaskClient) -> None:
    cut = b"".join(LINES[:-1])
    assert verify(client, cut).get_json()["ok"]
    for remembered in ({"head": HEAD}, {"count": 5}, {"head": HEAD, "count": 5}):
        assert verify(client, SEALED, **remembered).get_json()["ok"]
        verdict = verify(client, cut, **remembered).get_json()
        assert (verdict["ok"], verdict["first_bad_line"]) == (False, 5)


def test_handwritten_log_has_no_seal(client: FlaskClient) -> None:
    for body in (EVENING, b"", b"anything\n"):
        answer = verify(client, body)
        assert (answer.status_code, answer.get_json()["code"]) == (422, "not_a_sealed_log")
        assert complaints(client, "/api/verify", answer) == []


@pytest.mark.parametrize(
    "remembered",
    [{"count": "five"}, {"count": "-1"}, {"count": "1.5"}, {"count": ""}, {"count": str(2**53)},
     {"head": "abc"}, {"head": HEAD.upper()}, {"head": HEAD + "\n"}, {"head": ""},
     {"heads": HEAD}, {"cout": "5"}],
)  # fmt: skip
def test_malformed_head_or_count_is_refused(
    client: FlaskClient, remembered: dict[str, str]
) -> None:
    """A misspelt parameter would check nothing without notice."""
    answer = verify(client, SEALED, **remembered)
    assert (answer.status_code, answer.get_json()["code"]) == (400, "malformed")
    assert answer.get_json()["field"] == next(iter(remembered))
    assert complaints(client, "/api/verify", answer) == []


def test_content_type_and_size_are_those_of_a_log(client: FlaskClient) -> None:
    assert client.post("/api/verify", data=b"{}", content_type="text/html").status_code == 415
    assert verify(client, b"x" * ((8 << 20) + 1)).status_code == 413

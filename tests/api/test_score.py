"""``POST /api/score``."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.log.writing import sealed_lines
from scorekeeper.session.session import Session
from tests.api.answers import EVENING, NDJSON, complaints
from tests.evenings import build_report
from tests.thinned import EACH_LOG

GOLDEN = Path(__file__).parents[1] / "golden"


def score(client: FlaskClient, body: bytes, kind: str = NDJSON) -> Any:
    return client.post("/api/score", data=body, content_type=kind)


def test_log_is_scored(client: FlaskClient) -> None:
    answer = score(client, EVENING)
    assert answer.status_code == 200
    assert answer.mimetype == "application/json"
    hand = answer.get_json()["matches"][0]["hands"][0]
    assert hand["scores"] == {"mara": 0, "leo": 6, "nina": 0}
    assert hand["lines"][0]["rule"] == "R12"


@EACH_LOG
def test_answer_is_the_report_and_matches_the_document(client: FlaskClient, path: Path) -> None:
    answer = score(client, path.read_bytes())
    assert answer.status_code == 200
    assert complaints(client, "/api/score", answer) == []
    with path.open("rb") as stream:
        answered = json.loads(json.dumps(build_report(Session.read(stream))))
    assert answer.get_json() == answered


def test_sides_are_in_the_order_of_the_seats(client: FlaskClient) -> None:
    log = EVENING.replace(b'"seats":["mara","leo","nina"]', b'"seats":["nina","mara","leo"]')
    assert list(score(client, log).get_json()["matches"][0]["totals"]) == ["nina", "mara", "leo"]


def test_sealed_and_handwritten_log_have_the_same_score(client: FlaskClient) -> None:
    events = [json.loads(line) for line in EVENING.splitlines()]
    lines = [*sealed_lines([(e["type"], e["data"]) for e in events], "2026-01-02T20:15:00.000Z")]
    answered = score(client, b"".join(lines)).get_json()
    assert answered["matches"] == score(client, EVENING).get_json()["matches"]
    assert len(answered["session"]["head"]) == 64


@pytest.mark.parametrize(
    "kind",
    ["application/x-ndjson", "application/jsonl", "application/octet-stream", "text/plain",
     "text/plain; charset=utf-8", "Application/X-NDJSON"],
)  # fmt: skip
def test_content_type_of_a_log_is_accepted(client: FlaskClient, kind: str) -> None:
    assert score(client, EVENING, kind).status_code == 200


@pytest.mark.parametrize(
    "kind",
    ["application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/html",
     "", "nonsense", "text/plain2", "application/x-ndjson, text/plain"],
)  # fmt: skip
def test_another_content_type_is_refused(client: FlaskClient, kind: str) -> None:
    answer = client.post("/api/score", data=EVENING, headers={"Content-Type": kind})
    assert answer.status_code == 415
    assert answer.get_json()["code"] == "unsupported_media_type"
    assert "application/x-ndjson" in answer.get_json()["detail"]
    assert complaints(client, "/api/score", answer) == []


def test_compressed_log_is_refused(client: FlaskClient) -> None:
    answer = client.post(
        "/api/score", data=b"\x1f\x8b", content_type=NDJSON, headers={"Content-Encoding": "gzip"}
    )
    assert answer.status_code == 415


def test_an_unusable_log_is_refused_with_its_line_and_field(client: FlaskClient) -> None:
    answer = score(client, EVENING.replace(b'"points":6}', b'"points":"six"}'))
    assert answer.status_code == 422
    assert answer.mimetype == "application/problem+json"
    answered = answer.get_json()
    assert (answered["status"], answered["code"]) == (422, "unusable")
    assert (answered["line"], answered["field"]) == (4, "data.points")
    assert answered["detail"] == 'expected a whole number from 0 to 15, got "six"'
    assert complaints(client, "/api/score", answer) == []


def test_an_empty_body_is_unusable(client: FlaskClient) -> None:
    for body in (b"", b"\n\n  \n"):
        answer = score(client, body)
        assert (answer.status_code, answer.get_json()["code"]) == (422, "unusable")


def filled(size: int) -> bytes:
    """Return the session with blank lines up to this size."""
    blank = b" " * 1023 + b"\n"
    return (EVENING + blank * (size // 1024))[:size]


def test_log_may_have_at_most_eight_mebibytes(client: FlaskClient) -> None:
    assert score(client, filled(8 << 20)).status_code == 200
    answer = score(client, filled((8 << 20) + 1))
    assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")
    assert "8 MiB" in answer.get_json()["detail"]
    assert complaints(client, "/api/score", answer) == []


def test_chunked_body_is_not_scored_in_part(client: FlaskClient) -> None:
    """It has no length to check beforehand."""
    for more, status in ((0, 200), (1, 413), (1 << 20, 413)):
        body = filled((8 << 20) + more)
        answer = client.post(
            "/api/score",
            input_stream=BytesIO(body),
            content_type=NDJSON,
            environ_overrides={"wsgi.input_terminated": True},
        )
        assert answer.status_code == status


def test_long_line_is_refused(client: FlaskClient) -> None:
    answer = score(client, b'{"type":"' + b"x" * (1 << 20) + b'"}\n')
    assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")
    assert "line 1" in answer.get_json()["detail"]

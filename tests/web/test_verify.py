"""``/verify``: the verdict on a log as a sentence, and the comparison with a remembered head.

Tests of ``web.phone.witness``.
"""

import io
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.log.canonical import MAX_DEPTH
from tests.api.asking import Table, hand, match
from tests.log.test_verifier import nested
from tests.web.looking import everybodys
from tests.web.pages import page_of

WHOLE, CHANGED, NO_LOG = "The log is intact", "The log was changed", "This is not a sealed log"


@pytest.fixture(scope="module")
def table() -> Table:
    table = Table.open(everybodys())
    table.do(match(), *hand())
    return table


@pytest.fixture(scope="module")
def log(table: Table) -> str:
    return table.get("/log.jsonl").text


def verify(client: FlaskClient, log: str, **more: str) -> Any:
    return client.post("/verify", data={"text": log, **more})


def heading(answer: Any) -> str:
    """Return the heading of the page."""
    assert page_of(answer).wrong == []
    return str(answer.text.partition("<h1")[2].partition(">")[2].partition("<")[0])


def test_a_log_that_is_whole(client: FlaskClient, log: str) -> None:
    answer = verify(client, log)
    assert (answer.status_code, heading(answer)) == (200, WHOLE)
    assert f"{len(log.splitlines())} events" in page_of(answer).words


def test_a_file(client: FlaskClient, log: str) -> None:
    answer = client.post("/verify", data={"log": (io.BytesIO(log.encode()), "friday.jsonl")})
    assert heading(answer) == WHOLE
    assert "friday.jsonl" in answer.text


@pytest.mark.parametrize("number", [1, 3, 5])
def test_a_changed_line_is_named_and_shown(client: FlaskClient, log: str, number: int) -> None:
    lines = log.splitlines()
    lines[number - 1] = lines[number - 1].replace('"by":"keeper"', '"by":"reaper"')
    answer = verify(client, "\n".join(lines) + "\n")
    assert (answer.status_code, heading(answer)) == (200, CHANGED)
    assert f"Line {number} has changed since it was sealed" in page_of(answer).words
    assert "reaper" in page_of(answer).words
    assert ("before it are intact" in page_of(answer).words) == (number > 1)


def test_a_log_by_hand_has_no_seal(client: FlaskClient) -> None:
    answer = verify(client, '{"type":"session_opened","data":{"title":"x","players":[]}}')
    assert (answer.status_code, heading(answer)) == (422, NO_LOG)


def test_text_that_is_not_a_log(client: FlaskClient) -> None:
    for text in ("nonsense", "<script>alert(1)</script>", "\x00\ufffd", "[1,2"):
        answer = verify(client, text)
        assert (answer.status_code, heading(answer)) == (422, NO_LOG)


def test_nothing_came(client: FlaskClient) -> None:
    answer = verify(client, "  ")
    assert answer.status_code == 422
    assert "No file or text received" in page_of(answer).words


# ------------------------------------------------------------------------- what a phone remembers


def hash_at(log: str, version: int) -> str:
    return log.splitlines()[version - 1].partition('"hash":"')[2][:64]


@pytest.mark.parametrize("version", [1, 3, 5])
def test_log_contains_the_remembered_head(client: FlaskClient, log: str, version: int) -> None:
    words = page_of(verify(client, log, version=str(version), head=hash_at(log, version))).words
    assert "It still has what your phone saw" in words
    later = len(log.splitlines()) - version
    assert (f"{later} event" in words.partition("your phone saw")[2]) == (later > 0)


def test_a_head_may_be_written_in_groups(client: FlaskClient, log: str) -> None:
    head = hash_at(log, 2).upper()
    grouped = " ".join(head[n : n + 8] for n in range(0, 64, 8))
    assert "It still has" in page_of(verify(client, log, version="2", head=grouped)).words


def test_a_log_that_was_cut_or_is_another(client: FlaskClient, log: str) -> None:
    cut = "".join(log.splitlines(keepends=True)[:3])
    for version, head in (("5", hash_at(log, 5)), ("2", hash_at(log, 3)), ("2", "0" * 64)):
        words = page_of(verify(client, cut, version=version, head=head)).words
        assert "It does not have what your phone saw" in words


@pytest.mark.parametrize(
    ("version", "head"), [("", "0" * 64), ("2", ""), ("2", "x" * 64), ("two", "0" * 64), ("²", "0")]
)
def test_malformed_memory_is_refused(
    client: FlaskClient, log: str, version: str, head: str
) -> None:
    answer = verify(client, log, version=version, head=head)
    assert answer.status_code == 422
    assert "memory-wrong" in answer.text
    assert page_of(answer).wrong == []


def test_verdict_without_a_memory_names_its_limits(client: FlaskClient, log: str) -> None:
    assert "the end was not cut" in page_of(verify(client, log)).words


@pytest.mark.parametrize(("deep", "title"), [(MAX_DEPTH, WHOLE), (MAX_DEPTH + 1, CHANGED)])
def test_page_and_api_draw_the_line_where_the_verifiers_do(
    client: FlaskClient, deep: int, title: str
) -> None:
    log = nested(deep, "with a text")
    page = verify(client, log.decode())
    assert heading(page) == title
    api = client.post("/api/verify", data=log, content_type="application/x-ndjson").get_json()
    assert api["ok"] == (title == WHOLE)

"""``POST /api/sessions/import``: a session that begins with a log."""

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.answers import EVENING, NDJSON, complaints
from tests.api.asking import Table, client_of, problem_of
from tests.evenings import a_log, by_hand, event, golden_evenings, sealed
from tests.thinned import thinned

PATH = "/api/sessions/import"
LOGS = {"sealed": sealed(a_log()), "by hand": by_hand(a_log())}


def imported(client: FlaskClient, body: bytes, kind: str = NDJSON) -> Any:
    return client.post(PATH, data=body, content_type=kind)


def sessions(client: FlaskClient) -> int:
    return len(client.application.extensions["service"].store.sessions())


def test_sealed_log_is_stored_byte_for_byte(any_client: FlaskClient) -> None:
    answer = imported(any_client, LOGS["sealed"])
    assert answer.status_code == 201
    assert complaints(any_client, PATH, answer) == []
    table = Table(any_client, answer.get_json())
    assert answer.headers["ETag"] == f'"{table.version}"'
    assert answer.headers["Location"] == table.path
    assert table.get("/log.jsonl").data == LOGS["sealed"]
    assert table.head == json.loads(LOGS["sealed"].splitlines()[-1])["hash"]


def test_handwritten_log_is_sealed(any_client: FlaskClient) -> None:
    table = Table(any_client, imported(any_client, LOGS["by hand"]).get_json())
    log = table.get("/log.jsonl").data
    events = [json.loads(line) for line in log.splitlines()]
    assert [(raw["type"], raw["data"]) for raw in events] == [
        (expected["type"], expected["data"]) for expected in a_log()]  # fmt: skip
    assert {raw["by"] for raw in events} == {"import"}
    verdict = any_client.post("/api/verify", data=log, content_type=NDJSON).get_json()
    assert verdict["ok"]


def test_imported_session_can_be_continued(any_client: FlaskClient) -> None:
    table = Table(any_client, imported(any_client, EVENING).get_json())
    assert set(table.keys) == {"host", "view", "mara", "leo", "nina"}
    table.do(event("hand_started", dealer="leo"), who="leo")
    assert len(table.report()["matches"][0]["hands"]) == 2


@pytest.mark.parametrize("path", thinned(golden_evenings(), 2), ids=lambda log: log.parent.name)
def test_exported_and_imported_log_is_the_same(on_memory: FlaskClient, path: Path) -> None:
    first = Table(on_memory, imported(on_memory, path.read_bytes()).get_json())
    log = first.get("/log.jsonl").data
    second = Table(on_memory, imported(on_memory, log).get_json())
    assert second.get("/log.jsonl").data == log
    assert second.report() == first.report()
    for table in ("/results.csv", "/lines.csv"):
        named = first.get(table).data.replace(first.id.encode(), second.id.encode())
        assert second.get(table).data == named


def test_player_who_joined_later_gets_a_key(on_memory: FlaskClient) -> None:
    log = EVENING + by_hand([event("player_joined", id="ugo", name="Ugo")])
    assert "ugo" in Table(on_memory, imported(on_memory, log).get_json()).keys


# ------------------------------------------------------------------------------- refusals

SEALED = LOGS["sealed"].splitlines(keepends=True)
DAMAGED = {
    "a changed byte": (b"".join(SEALED).replace(b"Friday", b"Sunday", 1), 1),
    "a changed count": (b"".join(SEALED).replace(b'"nina":11', b'"nina":10', 1), 8),
    "a line lost": (b"".join(SEALED[:3] + SEALED[4:]), 4),
    "a line twice": (b"".join(SEALED[:3] + SEALED[2:]), 4),
    "two lines changed about": (b"".join([*SEALED[:2], SEALED[3], SEALED[2], *SEALED[4:]]), 3),
    "the first line lost": (b"".join(SEALED[1:]), 1),
    "half a line": (b"".join(SEALED)[:-20], len(SEALED)),
    "no line feed": (b"".join(SEALED)[:-1], len(SEALED)),
    "a blank line": (b"".join([*SEALED[:2], b"\n", *SEALED[2:]]), 3),
    "a space": (b"".join([*SEALED[:2], SEALED[2].replace(b":", b": ", 1), *SEALED[3:]]), 3),
    "a space, and later an event without its hand": (
        b"".join([SEALED[0], SEALED[1].replace(b":", b": ", 1), SEALED[2], *SEALED[4:]]),
        2,
    ),
    "a space, and later no JSON": (
        b"".join([SEALED[0], SEALED[1].replace(b":", b": ", 1), *SEALED[2:], b"and so on\n"]),
        2,
    ),
    "a byte order mark": (b"\xef\xbb\xbf" + b"".join(SEALED), 1),
    "by hand from there": (b"".join(SEALED[:2]) + by_hand(a_log()[2:]), 3),
}
UNUSABLE = {
    "nothing": (b"", 1, ""),
    "blanks": (b"\n \n", 1, ""),
    "no JSON": (EVENING + b"and so on\n", 6, ""),
    "an unknown type": (EVENING + b'{"type":"sung","data":{}}\n', 6, "type"),
    "a wrong bid": (EVENING.replace(b'"points":6', b'"points":60'), 4, "data.points"),
    "no beginning": (b"\n".join(EVENING.splitlines()[1:]), 1, "type"),
    "sealed from there": (EVENING + SEALED[5], 6, "hash"),
    "sealed, and can never have been": (
        sealed([*a_log()[:2], event("bid_made", player="leo", points=4)]), 3, "type"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_log_is_refused_with_the_line(on_memory: FlaskClient, name: str) -> None:
    before = sessions(on_memory)
    body, line = DAMAGED[name]
    answer = imported(on_memory, body)
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json()["line"] == line
    assert complaints(on_memory, PATH, answer) == []
    assert sessions(on_memory) == before


@pytest.mark.parametrize("name", UNUSABLE)
def test_an_unusable_log_is_refused_with_line_and_field(on_memory: FlaskClient, name: str) -> None:
    before = sessions(on_memory)
    body, line, field = UNUSABLE[name]
    answer = imported(on_memory, body)
    assert problem_of(answer) == (422, "unusable")
    assert (answer.get_json()["line"], answer.get_json().get("field", "")) == (line, field)
    assert complaints(on_memory, PATH, answer) == []
    assert sessions(on_memory) == before


def test_content_type_and_size_are_those_of_a_log(on_memory: FlaskClient) -> None:
    assert problem_of(imported(on_memory, EVENING, "application/json"))[0] == 415
    assert problem_of(imported(on_memory, EVENING, ""))[0] == 415
    blank = b" " * 1023 + b"\n"
    assert problem_of(imported(on_memory, EVENING + blank * (8 << 10))) == (413, "too_large")


def test_imports_count_as_sessions() -> None:
    client = client_of(sessions_an_hour=1)
    assert imported(client, EVENING).status_code == 201
    assert problem_of(imported(client, EVENING)) == (429, "too_often")

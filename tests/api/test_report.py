"""``GET /api/sessions/{id}``: the report, and conditional requests."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.session.session import Session
from tests.api.answers import NDJSON, complaints
from tests.api.asking import Table, hand, match, problem_of
from tests.evenings import build_report, event

PATH = "/api/sessions/{session}"
GOLDEN = Path(__file__).parents[1] / "golden"
EVENINGS = sorted(GOLDEN.glob("*/evening.jsonl"))
READS = ("", "/events", "/events?after=1", "/next", "/next?level=cards", "/log.jsonl",
         "/results.csv", "/lines.csv", "/evening.ics",
         "/audit", "/audit?suggest=1", "/explain")  # fmt: skip


def test_report_contains_recorded_events(any_table: Table) -> None:
    any_table.do(match(), *hand(bidder="leo", points=6))
    answer = any_table.get()
    assert complaints(any_table.client, PATH, answer, "get") == []
    (played,) = answer.get_json()["matches"][0]["hands"]
    assert played["scores"] == {"mara": 0, "leo": 6, "nina": 0}
    assert answer.headers["ETag"] == f'"{any_table.version}"'
    assert answer.get_json()["session"]["head"] == any_table.head


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_report_equals_that_of_the_exported_log(on_memory: FlaskClient, path: Path) -> None:
    """With the members of each game, and the head of the sealed log."""
    answer = on_memory.post("/api/sessions/import", data=path.read_bytes(), content_type=NDJSON)
    table = Table(on_memory, answer.get_json())
    answer = table.get()
    assert complaints(on_memory, PATH, answer, "get") == []
    log = table.get("/log.jsonl").data
    assert answer.get_json() == json.loads(json.dumps(build_report(Session.read(BytesIO(log)))))
    scored = on_memory.post("/api/score", data=log, content_type=NDJSON)
    assert scored.get_json() == answer.get_json()
    by_hand = on_memory.post("/api/score", data=path.read_bytes(), content_type=NDJSON).get_json()
    assert {**by_hand["session"], "head": table.head} == answer.get_json()["session"]
    for part in ("matches", "findings", "corrections"):
        assert by_hand[part] == answer.get_json()[part]


def test_sides_are_in_the_order_of_the_seats(table: Table) -> None:
    table.do(match("nina mara leo"))
    assert list(table.report()["matches"][0]["totals"]) == ["nina", "mara", "leo"]


# ------------------------------------------------------------------------------- versions known


@pytest.mark.parametrize("path", READS)
def test_every_read_has_a_version_tag(any_table: Table, path: str) -> None:
    for _ in range(2):
        answer = any_table.get(path)
        assert answer.headers["ETag"] == f'"{any_table.version}"'
        again = any_table.get(path, If_None_Match=answer.headers["ETag"])
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == answer.headers["ETag"]
        assert "Content-Type" not in again.headers
        any_table.do(event("note_added", text="more"))
        assert any_table.get(path, If_None_Match=answer.headers["ETag"]).status_code == 200


@pytest.mark.parametrize(
    ("known", "status"),
    [
        ('"1"', 304), ('W/"1"', 304), ("*", 304), ('"7", "1"', 304), ('"0"', 200), ('"2"', 200),
        ('"01"', 200), ('"1', 200), ("", 200), ('"one"', 200), ("é", 200), ('"1\'"', 200),
    ],
)  # fmt: skip
def test_conditional_request_with_known_tags(table: Table, known: str, status: int) -> None:
    for path in ("", "/next"):
        assert table.get(path, If_None_Match=known).status_code == status


def test_refused_reader_learns_no_version(table: Table) -> None:
    answer = table.get("", "", If_None_Match='"1"')
    assert answer.status_code == 401
    assert "ETag" not in answer.headers


# -------------------------------------------------------------------------------------- events


def events(table: Table, **query: Any) -> Any:
    return table.ask("GET", "/events", query_string=query)


@pytest.mark.parametrize(
    ("after", "seqs"),
    [(None, [1, 2, 3]), (0, [1, 2, 3]), (1, [2, 3]), (2, [3]), (3, []), (99, []), (2**31, []),
     (2**53 - 1, [])],
)  # fmt: skip
def test_events_after_a_seq(any_table: Table, after: Any, seqs: list[int]) -> None:
    any_table.do(match(), event("hand_started", dealer="leo"), who="host")
    answer = events(any_table) if after is None else events(any_table, after=after)
    assert complaints(any_table.client, PATH + "/events", answer, "get") == []
    stream = answer.get_json()
    assert (stream["version"], stream["head"]) == (3, any_table.head)
    assert [recorded["seq"] for recorded in stream["events"]] == seqs


def test_events_are_paged(any_table: Table) -> None:
    many = 1_004
    any_table.do(*(event("note_added", text=str(n)) for n in range(many)))
    seqs: list[int] = []
    pages = []
    while True:
        answer = events(any_table, after=len(seqs), limit=400)
        assert complaints(any_table.client, PATH + "/events", answer, "get") == []
        page = answer.get_json()
        assert (page["version"], page["head"]) == (many + 1, any_table.head)
        seqs += [recorded["seq"] for recorded in page["events"]]
        pages.append((len(page["events"]), page.get("more")))
        if "more" not in page:
            break
    assert seqs == list(range(1, many + 2))
    assert pages == [(400, True), (400, True), (205, None)]
    first = events(any_table).get_json()
    assert (len(first["events"]), first["more"]) == (1_000, True)
    assert "more" not in events(any_table, after=5).get_json()


def test_events_are_returned_byte_for_byte(any_table: Table) -> None:
    any_table.do(match(), event("note_added", text="È già “tardi”: \t🂡"))
    lines = any_table.get("/log.jsonl").data.splitlines()
    assert any_table.get("/events").data.endswith(b'"events":[' + b",".join(lines) + b"]}")


@pytest.mark.parametrize(
    ("name", "value"),
    [("after", "-1"), ("after", ""), ("after", "one"), ("after", "1.0"), ("after", "1e3"),
     ("after", "+1"), ("after", " 1"), ("after", "1_0"), ("after", "٣"), ("after", "0x1"),
     ("after", str(2**53)), ("after", "9" * 5000), ("before", "1"), ("After", "1"),
     ("limit", "0"), ("limit", "1001"), ("limit", "-1"), ("limit", "ten")],
)  # fmt: skip
def test_invalid_query_of_events_is_refused(table: Table, name: str, value: str) -> None:
    answer = events(table, **{name: value})
    assert problem_and_field(answer) == (400, "malformed", name)
    assert complaints(table.client, PATH + "/events", answer, "get") == []


def problem_and_field(answer: Any) -> tuple[int, str, str]:
    problem = answer.get_json()
    return answer.status_code, problem["code"], problem["field"]


@pytest.mark.parametrize(
    "path",
    ["/events?after=x", "/events?after=-1", "/events?before=1", "/next?level=x", "/audit?suggest=x",
     "/explain?hand=x"],
)  # fmt: skip
def test_malformed_query_is_refused_also_with_a_known_tag(any_table: Table, path: str) -> None:
    answer = any_table.get(path, If_None_Match=f'"{any_table.version}"')
    assert problem_of(answer) == (400, "malformed")


@pytest.mark.parametrize("path", ["", "/events", "/next", "/audit", "/log.jsonl", "/lines.csv"])
def test_host_and_masked_reader_have_different_tags(table: Table, path: str) -> None:
    """The host and a masked reader have different tags; a writer may send either."""
    table.do(match(), *hand(), as_played=True)
    host, view = table.get(path), table.get(path, "view")
    assert host.headers["ETag"] == table.tag("host")
    assert view.headers["ETag"] == table.tag("view") == f'"{table.version}-masked"'
    for who, mine, other in (("host", host, view), ("view", view, host)):
        assert table.get(path, who, If_None_Match=mine.headers["ETag"]).status_code == 304
        assert table.get(path, who, If_None_Match=other.headers["ETag"]).status_code == 200
        both = f"{other.headers['ETag']}, W/{mine.headers['ETag']}"
        assert table.get(path, who, If_None_Match=both).status_code == 304


def test_any_tag_of_a_version_is_accepted_for_an_append(table: Table) -> None:
    note = {"events": [event("note_added", text="x")]}
    for tail in ("", "-masked", "-it-Europe/Rome-;,", "-masked-en-UTC-,."):
        headers = {"If-Match": f'"{table.version}{tail}"'}
        answer = table.ask("POST", "/events", "leo", headers=headers, json=note)
        assert answer.status_code == 201, answer.text
        table.version = answer.get_json()["version"]
        assert answer.headers["ETag"] == table.tag("leo")
    stale = table.ask("POST", "/events", "leo", headers={"If-Match": '"1-masked"'}, json=note)
    assert (stale.status_code, stale.headers["ETag"]) == (412, table.tag("leo"))
    for wrong in ('"x-masked"', '"-masked"', f'"{table.version}masked"', f"{table.version}-masked"):
        answer = table.ask("POST", "/events", headers={"If-Match": wrong}, json=note)
        assert answer.status_code == 400, wrong

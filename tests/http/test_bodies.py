"""Costly bodies: every call and form that accepts a body answers in time."""

import time
from typing import Final
from weakref import ref

import pytest
from flask import request
from flask.testing import FlaskClient

from scorekeeper.api.event_schemas import AppendSchema
from scorekeeper.base.collector import gc_paused
from scorekeeper.base.errors import UnusableError
from scorekeeper.events.common import NewPlayer
from scorekeeper.events.fields import Many, Nested
from scorekeeper.http.bodies import MAX_FIELD_CHARACTERS, MAX_FORM_FIELDS, load_body
from tests.api.answers import NDJSON
from tests.api.asking import Table, client_of, cookie_of
from tests.api.routes import REQUESTS, Request
from tests.conftest import SOAK
from tests.patterns import ended_after

pytestmark = [pytest.mark.soak] if SOAK else []  # with larger bodies

MIB: Final = 1 << 20
MOST: Final = 2.0  # seconds for an answer; an honest log of that size takes as long
JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"
TAKES_MOST: Final = ("/api/score", "/api/verify", "/api/what-if")
LOGS: Final = ("/api/score", "/api/verify", "/api/sessions/import")

# Combining marks of two classes, which normalization has to reorder.
MARKS: Final = "\u0301\u0316".encode()
SEALED: Final = b'{"at":"2026-11-21T20:14:03.250Z","by":"keeper","data":{"text":"'


def filled(begin: bytes, repeated: bytes, size: int, end: bytes = b"") -> bytes:
    """Return a body of a size."""
    return begin + repeated * ((size - len(begin) - len(end)) // len(repeated)) + end


BODIES: Final = {
    "an open text": lambda size: filled(b'"', b"a", size),
    "an open text in an object": lambda size: filled(b'{"log":"', b"a", size),
    "an open text of quotes": lambda size: filled(b'{"log":"', b'\\"', size),
    "an open text of strokes": lambda size: filled(b'{"log":"', b"\\\\", size),
    "quotes": lambda size: filled(b'"', b'"', size),
    "texts one after the other": lambda size: filled(b"[", b'"a",', size, b'"a"]'),
    "marks": lambda size: filled(b'{"title":"e', MARKS, size, b'"}'),
    "a log with marks": lambda size: filled(b'{"log":"e', MARKS, size, b'","options":{}}'),
    "a line with marks": lambda size: filled(
        b'{"type":"session_opened","data":{"title":"e', MARKS, min(size, MIB - 9), b'"}}\n'),
    "a sealed line with marks": lambda size: filled(SEALED, MARKS, min(size, MIB - 9), b'"}}\n'),
    "a line of hashes": lambda size: filled(b"", b'"hash" ', min(size, MIB - 9), b"\n"),
    "lines of nothing": lambda size: filled(b"", b"\r", size),
}  # fmt: skip
TAKING: Final = [
    request for request in REQUESTS if request.method == "POST" and request.rule.startswith("/api/")
]
FORMS: Final = [
    request for request in REQUESTS if request.method == "POST" and request not in TAKING
]

# The fields of all forms, and the worst texts for any of them.
FIELDS: Final = (
    "log", "text", "head", "version", "name", "title", "place", "usual", "corrections", "reason",
    "with", "with:cards", "fixed", "n:points", "t:text", "code", "key", "dealer", "player",
    "ruling", "proposal", "level", "for", "game", "seat", "seq", "club-house",
)  # fmt: skip
WORST_TEXTS: Final = {
    "marks": filled(b"e", MARKS, 200_000),
    "marks in JSON": filled(b'["e', MARKS, 200_000, b'"]'),
    "an open text": filled(b'[{"a":"', b"a", 200_000),
    "blanks": filled(b"", b" ", 200_000),
    "ends of lines": filled(b"", b"%0D", 200_000),
    "digits": filled(b"", b"7", 200_000),
}
SUITE_TEXTS: Final = ("marks", "marks in JSON")  # each form gets one of them


@pytest.fixture(scope="module")
def table() -> Table:
    """Return a session for this file, which sends many requests."""
    return Table.open(client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6))


def answered(table: Table, request: Request, body: bytes, kind: str) -> int:
    """Send a body; return the status of an answer in time."""
    path, there = request.path(table), request.about(table)
    headers = {"If-Match": f'"{there.version}"', "Authorization": f"Bearer {there.keys['host']}"}
    if kind == FORM:
        cookie = cookie_of(there.client, there.keys["host"])
        headers = {**cookie, "Origin": "http://localhost"}
    began = time.thread_time()
    with ended_after(10 * MOST):
        answer = table.client.post(path, data=body, content_type=kind, headers=headers)
    assert time.thread_time() - began < MOST
    return answer.status_code


@pytest.mark.parametrize(
    ("request_", "body"),
    [
        pytest.param(
            request, body, id=f"{request.rule}-{body}",
            marks=[] if (number - place) % 4 == 0 else [pytest.mark.soak],
        )
        for place, request in enumerate(TAKING)
        for number, body in enumerate(BODIES)
    ],
)  # fmt: skip
def test_call_answers_in_time(table: Table, request_: Request, body: str) -> None:
    kind = NDJSON if request_.rule in LOGS else JSON
    size = (8 if request_.rule in TAKES_MOST else 2) * MIB - 1
    status = answered(table, request_, BODIES[body](size), kind)
    assert 400 <= status < 500 or request_.rule == "/api/verify"


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        pytest.param(
            request, text, id=f"{request.rule}-{text}",
            marks=[] if text == SUITE_TEXTS[place % 2] else [pytest.mark.soak],
        )
        for place, request in enumerate(FORMS)
        for text in WORST_TEXTS
    ],
)  # fmt: skip
def test_form_answers_in_time(table: Table, request_: Request, text: str) -> None:
    body = b"&".join(b"%b=%b" % (name.encode(), WORST_TEXTS[text]) for name in FIELDS)
    assert answered(table, request_, body, FORM) < 500


@pytest.mark.parametrize("text", WORST_TEXTS)
@pytest.mark.parametrize("path", ["/score", "/verify"])
def test_pasted_log_is_answered_in_time(table: Table, path: str, text: str) -> None:
    pasted = Request("POST", path, lambda _: path)
    body = b"text=" + WORST_TEXTS[text] * 4 + b"&head=" + WORST_TEXTS[text]
    assert answered(table, pasted, body, FORM) < 500


@pytest.mark.parametrize("kilobytes", [300, 1800])
def test_deeply_structured_body_is_refused_before_it_is_parsed(
    client: FlaskClient, kilobytes: int
) -> None:
    body = b'{"title":[' + b"[]," * (kilobytes * 341) + b"[]]}"
    answer = client.post("/api/sessions", data=body, content_type="application/json")
    assert answer.status_code == 413
    assert "beside texts" in answer.get_json()["detail"]


# ---------------------------------------------------------------------------- large numbers


@pytest.mark.parametrize(("fields", "status"), [(MAX_FORM_FIELDS, 422), (MAX_FORM_FIELDS + 1, 413)])
def test_number_of_form_fields_is_limited(fields: int, status: int) -> None:
    answer = client_of().post("/new", data="&".join(["a=b"] * fields), content_type=FORM)
    assert answer.status_code == status


def test_form_for_a_thousand_players_is_accepted() -> None:
    assert Many(Nested(NewPlayer)).most * 3 < MAX_FORM_FIELDS


@pytest.mark.parametrize("content_type", [FORM, "multipart/form-data"])
@pytest.mark.parametrize(
    ("field", "status"),
    [
        ("a" * MAX_FIELD_CHARACTERS, 422),
        ("a" * (MAX_FIELD_CHARACTERS + 1), 413),
        ("a" + "\u0301\u0323" * 8000, 400),
    ],
    ids=["longest", "too long", "marks"],
)
def test_costly_form_field_is_refused(field: str, status: int, content_type: str) -> None:
    """With combining marks, a form with the gestures of Knock! took two seconds."""
    form = {"game": "knock", "o-own_signals": "1", "o-own_signals-1": field}
    begun = time.process_time()
    answer = client_of().post("/new", data=form, content_type=content_type)
    assert answer.status_code == status
    assert time.process_time() - begun < MOST / 2


def test_of_many_unknown_members_the_first_is_reported() -> None:
    """Collecting all of them would take a second."""
    with pytest.raises(UnusableError) as raised:
        load_body(AppendSchema(), {f"x{n}": 1 for n in range(40_000)})
    assert raised.value.field == "x0"
    assert "events, as_played" in raised.value.reason


@pytest.mark.parametrize("path", ["/new", "/code", "/score", "/verify", "/prefs", "/club/new"])
@pytest.mark.parametrize(
    "disposition", ["form-data", "form-data; name=", 'form-data; filename="x"']
)
def test_form_field_without_a_name_is_refused(path: str, disposition: str) -> None:
    body = f"--b\r\nContent-Disposition: {disposition}\r\n\r\nx\r\n--b--\r\n"
    answer = client_of().post(path, data=body, content_type="multipart/form-data; boundary=b")
    assert answer.status_code < 500


def test_body_for_an_unknown_address_is_freed_with_its_answer() -> None:
    client, requests = client_of(), list[ref[object]]()
    client.application.before_request(
        lambda: requests.append(ref(request._get_current_object()))  # type: ignore[attr-defined]
    )
    with gc_paused():
        client.post("/none", data=b"x" * 1000).close()
        client.get("/healthz").close()  # the context of a test client lasts until the next request
        assert requests[0]() is None

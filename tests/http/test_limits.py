"""Limits refuse more requests than any table sends, and never affect a game."""

from http import HTTPStatus
from itertools import count, product
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.answers import complaints
from tests.api.asking import Table, client_of, hand, match, problem_of
from tests.conftest import SOAK
from tests.evenings import event
from tests.thinned import thinned_rows

EVENTS = "/api/sessions/{session}/events"
DEFAULTS = {"key_events_a_minute": 600, "session_events_a_minute": 1800}
WAITED = 50 if SOAK else 30  # events of each phone
NOTE = event("note_added", text="a note")


def playing(**settings: Any) -> Table:
    values: dict[str, Any] = {**DEFAULTS, **settings}
    return Table.open(client_of(**values))


def send(table: Table, *events: Any, who: str = "host", **headers: str) -> TestResponse:
    """Append without checking the answer."""
    named = {"If-Match": f'"{table.version}"', **headers}
    answer = table.ask("POST", "/events", who, json={"events": list(events)}, headers=named)
    if answer.status_code == HTTPStatus.CREATED:
        table.version = answer.get_json()["version"]
    return answer


def until_refused(table: Table, who: str) -> tuple[int, TestResponse]:
    """Record notes until one is refused; return their number and the refusal."""
    for sent in count():
        answer = send(table, NOTE, who=who)
        if answer.status_code != HTTPStatus.CREATED:
            return sent, answer
    raise AssertionError


# ------------------------------------------------------------------------------------- by minute


def test_flooding_seat_is_refused_and_others_are_not() -> None:
    table = playing(key_events_a_minute=50)
    sent, answer = until_refused(table, "leo")
    assert 50 <= sent < 60
    assert complaints(table.client, EVENTS, answer, "post") == []
    assert problem_of(answer) == (429, "too_often")
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    for who in ("mara", "nina", "host"):
        assert send(table, NOTE, who=who).status_code == 201
    assert table.get("", "leo").status_code == 200


def test_flooding_session_is_refused_and_others_are_not() -> None:
    client = client_of(key_events_a_minute=10**6, session_events_a_minute=50)
    table, other = Table.open(client), Table.open(client)
    sent = sum(send(table, NOTE, who=who).status_code == 201
               for _ in range(20) for who in ("mara", "leo", "nina"))  # fmt: skip
    assert 50 <= sent < 60
    assert send(other, NOTE).status_code == 201


def test_every_event_of_a_request_counts() -> None:
    table = playing(key_events_a_minute=50)
    assert send(table, *[NOTE] * 45).status_code == 201
    answer = send(table, *[NOTE] * 45)
    assert problem_of(answer) == (429, "too_often")
    assert 30 <= int(answer.headers["Retry-After"]) <= 60


def test_repeated_request_is_answered_over_the_limit() -> None:
    table = playing(key_events_a_minute=5)
    version = table.version
    first = send(table, NOTE, **{"Idempotency-Key": "once"})
    until_refused(table, "host")
    headers = {"If-Match": f'"{version}"', "Idempotency-Key": "once"}
    again = table.ask("POST", "/events", json={"events": [NOTE]}, headers=headers)
    assert (again.status_code, again.data) == (201, first.data)


def test_append_at_a_stale_version_does_not_count() -> None:
    table = playing(key_events_a_minute=5)
    for _ in range(50):
        stale = table.ask("POST", "/events", json={"events": [NOTE]}, headers={"If-Match": '"9"'})
        assert stale.status_code == HTTPStatus.PRECONDITION_FAILED
    assert send(table, NOTE).status_code == 201


def test_offline_phone_may_send_all_waiting_entries_together() -> None:
    table = playing()
    assert [send(table, NOTE, who="leo").status_code for _ in range(200)] == [201] * 200


# ------------------------------------------------------------------------------------- in all


def test_full_session_can_be_corrected_and_closed() -> None:
    table = playing(session_events=100)
    table.do(match(), *hand())
    while table.version < 100:
        assert send(table, NOTE).status_code == 201
    answer = send(table, NOTE)
    assert complaints(table.client, EVENTS, answer, "post") == []
    assert problem_of(answer) == (422, "session_full")
    struck = event("event_struck", seq=100, reason="one too many")
    disputed = event("hand_disputed", player="leo", reason="the count")
    assert send(table, disputed, struck).status_code == 201
    assert problem_of(send(table, struck, NOTE)) == (422, "session_full")
    assert send(table, event("session_closed")).status_code == 201
    assert table.get().status_code == 200


def test_reserve_for_corrections_is_limited() -> None:
    table = playing(session_events=100)
    assert send(table, *[NOTE] * 99).status_code == 201
    for seq in range(100, 96, -1):
        struck = event("event_struck", seq=seq, reason="too many")
        assert send(table, struck).status_code == 201
    assert send(table, event("session_closed")).status_code == 201
    assert problem_of(send(table, event("event_struck", seq=96, reason=""))) == (
        422,
        "session_full",
    )


def test_session_has_a_limit_in_bytes() -> None:
    table = playing(session_megabytes=1, key_events_a_minute=10**6)
    long = event("note_added", text="x" * 1000)
    sizes = [send(table, *[long] * 400).status_code for _ in range(3)]
    assert sizes == [201, 201, 422]
    assert send(table, event("session_closed")).status_code == 201


def test_refused_append_uses_no_capacity() -> None:
    table = playing(session_events=100)
    for _ in range(3):
        assert problem_of(send(table, *[NOTE] * 100)) == (422, "session_full")
    assert send(table, *[NOTE] * 99).status_code == 201


# ------------------------------------------------------------------------------------- by address


def log_of_notes(many: int, text: str = "a note") -> bytes:
    opened = b'{"type":"session_opened","data":{"title":"x","players":[{"id":"a","name":"A"}]}}\n'
    return opened + f'{{"type":"note_added","data":{{"text":"{text}"}}}}\n'.encode() * many


def post(client: FlaskClient, path: str, log: bytes) -> TestResponse:
    return client.post(path, data=log, content_type="application/x-ndjson")


def test_log_over_the_limit_of_a_session_is_not_imported() -> None:
    client = client_of(session_events=100)
    answer = post(client, "/api/sessions/import", log_of_notes(100))
    assert complaints(client, "/api/sessions/import", answer, "post") == []
    assert problem_of(answer) == (422, "session_full")
    assert post(client, "/api/sessions/import", log_of_notes(99)).status_code == 201


def test_imported_bytes_of_an_address_are_limited_by_the_hour() -> None:
    client = client_of(imported_megabytes_an_hour=1)
    log = log_of_notes(500, "x" * 1000)
    statuses = [post(client, "/api/sessions/import", log).status_code for _ in range(3)]
    assert statuses == [201, 201, 429]
    elsewhere = {"REMOTE_ADDR": "203.0.113.9"}
    answer = client.post("/api/sessions/import", data=log, environ_overrides=elsewhere,
                         content_type="application/x-ndjson")  # fmt: skip
    assert answer.status_code == 201


@pytest.mark.parametrize("path", ["/api/score", "/api/verify", "/api/what-if", "/verify", "/score"])
def test_computed_logs_of_an_address_are_limited_by_the_hour(path: str) -> None:
    client = client_of(computations_an_hour=2)
    log = log_of_notes(1)
    for _ in range(2):
        assert post(client, "/api/score", log).status_code == 200
    if path == "/api/what-if":
        body = {"log": log.decode(), "options": {"x": 1}}
        answer = client.post(path, json=body)
    elif path.startswith("/api"):
        answer = post(client, path, log)
    else:
        answer = client.post(path, data={"text": log.decode()})
    assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert int(answer.headers["Retry-After"]) > 60


def test_computations_with_a_valid_key_have_no_address_limit() -> None:
    table = Table.open(client_of(computations_an_hour=1))
    for _ in range(3):
        post(table.client, "/api/score", log_of_notes(1))
        assert table.get("/explain").status_code == 200


def test_table_never_reaches_a_limit() -> None:
    """Eight phones of each table behind one address, each with the entries of an evening."""
    client = playing().client
    tables = [Table.open(client) for _ in range(2)]
    for table in tables:
        for n in range(WAITED * 8):
            who = ("mara", "leo", "nina", "host")[n % 4]
            assert send(table, NOTE, who=who).status_code == 201


# ------------------------------------------------------------------------------------- by seat

MANY = {"key_events_a_minute": 10**6, "session_events_a_minute": 10**6}
LONG = "x" * 900


def notes(_: int) -> list[Any]:
    return [event("note_added", text=LONG)]


def strikes(version: int) -> list[Any]:
    """A note that is struck with a long reason."""
    return [event("note_added", text="x"),
            event("event_struck", seq=version + 1, reason=LONG)]  # fmt: skip


def hands(version: int) -> list[Any]:
    """A bid that is taken back with a long reason."""
    return [event("bid_made", player="leo", points=5),
            event("event_struck", seq=version + 1, reason=LONG)]  # fmt: skip


@pytest.mark.parametrize(
    ("limit", "fill"),
    thinned_rows(
        product([{"session_events": 400}, {"session_megabytes": 1}], [notes, strikes, hands]), 2
    ),
)
def test_no_seat_fills_a_session(fill: Any, limit: dict[str, int]) -> None:
    """The other seats and the host go on, and the host strikes whatever it was."""
    table = playing(**MANY, **limit)
    table.do(match(), *hand()[:1])
    answer = None
    while answer is None or answer.status_code == HTTPStatus.CREATED:
        events: list[Any] = []
        for _ in range(10):
            events += fill(table.version + len(events))
        answer = send(table, *events, who="leo")
    assert problem_of(answer) == (422, "session_full")
    assert complaints(table.client, EVENTS, answer, "post") == []
    first = table.version + 1
    assert send(table, NOTE, who="nina").status_code == 201
    for dealer in 7 * ("leo", "nina", "mara"):
        table.do(*hand()[1:], *hand(dealer)[:1])
    assert send(table, event("event_struck", seq=first, reason="no")).status_code == 201


def test_seats_together_leave_a_part_to_the_host() -> None:
    table = playing(session_events=400, **MANY)
    for who in ("mara", "leo", "nina", "mara", "leo", "nina"):
        until_refused(table, who)
    assert 340 <= table.version <= 355
    for _ in range(45):
        assert send(table, NOTE).status_code == 201

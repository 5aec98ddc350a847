"""``GET /api/sessions/{id}/stream``: who watches hears of each change.

Tests of ``api.live``.
"""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from scorekeeper.live import event_streams, notifier
from tests.api.answers import complaints
from tests.api.asking import Table, client_of, hand, match, problem_of
from tests.evenings import event
from tests.store.homes import Home

PATH = "/api/sessions/{session}/stream"
NOTE = event("note_added", text="a note")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "STREAM_LIFE_SECONDS", 5.0)
    monkeypatch.setattr(event_streams, "MIN_GAP_SECONDS", 0.02)
    monkeypatch.setattr(event_streams, "HEARTBEAT_SECONDS", 0.2)
    monkeypatch.setattr(notifier, "POLL_SECONDS", 0.05)


@pytest.fixture
def table(home: Home) -> Iterator[Table]:
    client = client_of(home.open(), sessions_an_hour=10**6)
    yield Table.open(client)
    client.application.extensions["notifier"].close()


class Ear:
    """Somebody who watches."""

    def __init__(self, table: Table, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answer: Any = table.ask("GET", "/stream", "view", headers=named, buffered=False)
        self.pieces: Any = iter(self.answer.response)

    def hear(self) -> dict[str, Any] | None:
        """The next event, or None for a sign of life."""
        piece = next(self.pieces)
        if piece == b":\n\n":
            return None
        first, data = piece.decode().removesuffix("\n\n").split("\n")
        said: dict[str, Any] = json.loads(data.removeprefix("data: "))
        assert first == f"id: {said['version']}"
        return said

    def hear_news(self) -> dict[str, Any]:
        while True:
            said = self.hear()
            if said is not None:
                return said


def test_it_begins_with_where_the_session_is(table: Table) -> None:
    ear = Ear(table)
    assert ear.answer.status_code == 200
    assert ear.answer.mimetype == "text/event-stream"
    assert ear.answer.headers["Cache-Control"] == "no-store"
    assert ear.answer.headers["X-Accel-Buffering"] == "no"
    assert next(ear.pieces) == b"retry: 1000\n\n"
    assert ear.hear() == {"version": 1, "head": table.head}
    ear.answer.close()


def test_who_watches_hears_no_more_once_the_key_is_revoked(table: Table) -> None:
    ear = Ear(table)
    next(ear.pieces)
    assert ear.hear_news()["version"] == 1
    (view,) = [key for key in table.get("/keys").get_json()["keys"] if key["role"] == "view"]
    assert table.ask("DELETE", f"/keys/{view['id']}", "host").status_code == 204
    table.do(NOTE)
    assert next(ear.pieces, "the end") == "the end"
    ear.answer.close()


def test_each_change_is_heard(table: Table) -> None:
    ear = Ear(table)
    next(ear.pieces)
    assert ear.hear_news()["version"] == 1
    for events in ([match()], hand(), [NOTE]):
        table.do(*events)
        assert ear.hear_news() == {"version": table.version, "head": table.head}
    assert ear.hear() is None  # a sign of life, as nothing changes
    ear.answer.close()


def test_what_another_process_records_is_heard(table: Table) -> None:
    ear = Ear(table)
    next(ear.pieces)
    assert ear.hear_news()["version"] == 1
    other = Table.open(client_of(table.client.application.extensions["service"].store))
    other.id, other.keys, other.version = table.id, table.keys, table.version
    writer = threading.Timer(0.1, other.do, [NOTE])
    writer.start()
    assert ear.hear_news() == {"version": 2, "head": table.get("/events").get_json()["head"]}
    writer.join()
    ear.answer.close()


@pytest.mark.parametrize(
    ("known", "heard"),
    [("2", None), ("1", 2), ("3", 2), ("", 2), ("two", 2), ("-1", 2), ("9" * 20, 2), ("٢", 2)],
)
def test_who_comes_back_hears_what_was_missed(table: Table, known: str, heard: int | None) -> None:
    table.do(NOTE)
    ear = Ear(table, Last_Event_ID=known)
    next(ear.pieces)
    said = ear.hear()
    assert (said and said["version"]) == heard
    ear.answer.close()


def test_it_ends_after_a_while(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "STREAM_LIFE_SECONDS", 0.3)
    pieces = list(Ear(table).pieces)
    assert pieces[0] == b"retry: 1000\n\n"
    assert 2 <= len(pieces) < 6


def test_it_ends_when_the_server_stops(table: Table) -> None:
    ear = Ear(table)
    next(ear.pieces)
    ear.hear()
    table.client.application.extensions["notifier"].stop()
    assert list(ear.pieces) in ([], [b":\n\n"])


@pytest.mark.parametrize("most", [0, 1, 2])
def test_there_is_room_for_so_many(most: int) -> None:
    table = Table.open(client_of(most_streams=most))
    ears = [Ear(table) for _ in range(most)]
    for _ in range(2):
        answer = table.get("/stream")
        assert problem_of(answer) == (503, "no_room")
        assert int(answer.headers["Retry-After"]) >= 1
        assert complaints(table.client, PATH, answer, "get") == []
    assert table.get().status_code == 200
    for ear in ears:
        ear.answer.close()
    for _ in range(3):  # who left made room
        for ear in [Ear(table) for _ in range(most)]:
            assert ear.answer.status_code == 200
            ear.answer.close()


def test_who_only_asks_for_the_headers_keeps_no_place() -> None:
    table = Table.open(client_of(most_streams=1))
    for _ in range(3):
        assert table.ask("HEAD", "/stream", buffered=True).status_code == 200
    assert table.get("/stream", "").status_code == 401
    ear = Ear(table)
    assert ear.answer.status_code == 200
    ear.answer.close()

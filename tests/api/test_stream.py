"""``GET /api/sessions/{id}/stream``: watchers receive each change.

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
    monkeypatch.setattr(notifier, "STOP_CHECK_SECONDS", 0.05)


@pytest.fixture
def table(home: Home) -> Iterator[Table]:
    client = client_of(home.open(), sessions_an_hour=10**6)
    yield Table.open(client)
    client.application.extensions["notifier"].close()


class StreamWatcher:
    """A client that watches a stream."""

    def __init__(self, table: Table, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answer: Any = table.ask("GET", "/stream", "view", headers=named, buffered=False)
        self.pieces: Any = iter(self.answer.response)

    def receive(self) -> dict[str, Any] | None:
        """Return the next event, or None for a heartbeat."""
        piece = next(self.pieces)
        if piece == b":\n\n":
            return None
        first, data = piece.decode().removesuffix("\n\n").split("\n")
        change: dict[str, Any] = json.loads(data.removeprefix("data: "))
        assert first == f"id: {change['version']}"
        return change

    def receive_change(self) -> dict[str, Any]:
        while True:
            change = self.receive()
            if change is not None:
                return change


def test_stream_begins_with_the_present_version(table: Table) -> None:
    watcher = StreamWatcher(table)
    assert watcher.answer.status_code == 200
    assert watcher.answer.mimetype == "text/event-stream"
    assert watcher.answer.headers["Cache-Control"] == "no-store"
    assert watcher.answer.headers["X-Accel-Buffering"] == "no"
    assert next(watcher.pieces) == b"retry: 1000\n\n"
    assert watcher.receive() == {"version": 1, "head": table.head}
    watcher.answer.close()


def test_stream_ends_after_a_revocation(table: Table) -> None:
    watcher = StreamWatcher(table)
    next(watcher.pieces)
    assert watcher.receive_change()["version"] == 1
    (view,) = [key for key in table.get("/keys").get_json()["keys"] if key["role"] == "view"]
    assert table.ask("DELETE", f"/keys/{view['id']}", "host").status_code == 204
    table.do(NOTE)
    assert next(watcher.pieces, "the end") == "the end"
    watcher.answer.close()


def test_each_change_is_received(table: Table) -> None:
    watcher = StreamWatcher(table)
    next(watcher.pieces)
    assert watcher.receive_change()["version"] == 1
    for events in ([match()], hand(), [NOTE]):
        table.do(*events)
        assert watcher.receive_change() == {"version": table.version, "head": table.head}
    assert watcher.receive() is None  # a heartbeat, as nothing changes
    watcher.answer.close()


def test_change_by_another_process_is_received(table: Table) -> None:
    watcher = StreamWatcher(table)
    next(watcher.pieces)
    assert watcher.receive_change()["version"] == 1
    other = Table.open(client_of(table.client.application.extensions["service"].store))
    other.id, other.keys, other.version = table.id, table.keys, table.version
    writer = threading.Timer(0.1, other.do, [NOTE])
    writer.start()
    assert watcher.receive_change() == {
        "version": 2,
        "head": table.get("/events").get_json()["head"],
    }
    writer.join()
    watcher.answer.close()


@pytest.mark.parametrize(
    ("known", "heard"),
    [("2", None), ("1", 2), ("3", 2), ("", 2), ("two", 2), ("-1", 2), ("9" * 20, 2), ("٢", 2)],
)
def test_reconnecting_watcher_receives_missed_changes(
    table: Table, known: str, heard: int | None
) -> None:
    table.do(NOTE)
    watcher = StreamWatcher(table, Last_Event_ID=known)
    next(watcher.pieces)
    change = watcher.receive()
    assert (change and change["version"]) == heard
    watcher.answer.close()


def test_stream_ends_after_its_life(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "STREAM_LIFE_SECONDS", 0.3)
    pieces = list(StreamWatcher(table).pieces)
    assert pieces[0] == b"retry: 1000\n\n"
    assert 2 <= len(pieces) < 6


def test_stream_ends_when_the_server_stops(table: Table) -> None:
    watcher = StreamWatcher(table)
    next(watcher.pieces)
    watcher.receive()
    table.client.application.extensions["notifier"].stop()
    assert list(watcher.pieces) in ([], [b":\n\n"])


@pytest.mark.parametrize("most", [0, 1, 2])
def test_streams_are_limited(most: int) -> None:
    table = Table.open(client_of(most_streams=most))
    watchers = [StreamWatcher(table) for _ in range(most)]
    for _ in range(2):
        answer = table.get("/stream")
        assert problem_of(answer) == (503, "no_room")
        assert int(answer.headers["Retry-After"]) >= 1
        assert complaints(table.client, PATH, answer, "get") == []
    assert table.get().status_code == 200
    for watcher in watchers:
        watcher.answer.close()
    for _ in range(3):  # closed streams free their slots
        for watcher in [StreamWatcher(table) for _ in range(most)]:
            assert watcher.answer.status_code == 200
            watcher.answer.close()


def test_head_request_takes_no_slot() -> None:
    table = Table.open(client_of(most_streams=1))
    for _ in range(3):
        assert table.ask("HEAD", "/stream", buffered=True).status_code == 200
    assert table.get("/stream", "").status_code == 401
    watcher = StreamWatcher(table)
    assert watcher.answer.status_code == 200
    watcher.answer.close()

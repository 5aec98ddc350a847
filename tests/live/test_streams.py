"""The places of streams: who leaves gives his back at once, whether or not anything happens."""

import socket
import time
from pathlib import Path

import pytest

from scorekeeper.live import notifier as notifying
from scorekeeper.live.notifier import Notifier
from scorekeeper.live.streams import GAP, HEARTBEAT, Streams, is_closed
from scorekeeper.store import MemoryStore, Position
from tests.operation.serving import serving
from tests.store.asking import append, note, opened

PLACES = 3


def test_a_connection_is_closed_once_the_other_end_is() -> None:
    here, there = socket.socketpair()
    with here:
        with there:
            assert not is_closed(here.fileno())
        assert is_closed(here.fileno())


def test_what_was_sent_on_a_connection_does_not_close_it() -> None:
    here, there = socket.socketpair()
    with here, there:
        there.sendall(b"something")
        assert not is_closed(here.fileno())


def test_a_stream_ends_soon_after_whoever_watched_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifying, "BREATH", 0.05)
    store = MemoryStore()
    notifier = Notifier(store)
    session = opened(store).id
    here, there = socket.socketpair()
    changes = Streams(notifier, 1).changes(session, None, lambda: is_closed(here.fileno()))
    assert next(changes) is not None
    there.close()
    began = time.monotonic()
    assert list(changes) == []
    assert time.monotonic() - began < HEARTBEAT / 2
    here.close()
    notifier.close()


def test_a_page_that_is_loaded_again_and_again_finds_room(tmp_path: Path) -> None:
    with serving(tmp_path, threads=8, most_streams=PLACES) as server:
        session = server.opened()
        path = f"/api/sessions/{session['id']}/stream"
        named = {"Authorization": f"Bearer {session['keys']['view']}"}
        pages = [server.watching(session) for _ in range(PLACES)]
        assert server.get(path, **named).status == 503
        for page in pages:
            page.close()
        time.sleep(2 * notifying.BREATH)
        for page in [server.watching(session) for _ in range(PLACES)]:
            page.close()


def test_changes_that_come_fast_are_told_together() -> None:
    store = MemoryStore()
    notifier = Notifier(store)
    session = opened(store)
    changes = Streams(notifier, 1).changes(session.id, None)
    assert next(changes) == Position(session.version, session.head)
    began = time.monotonic()
    ends = [append(store, session.id, version, [note()], "keeper") for version in (1, 2, 3)]
    for end in ends:
        assert isinstance(end, Position)
        notifier.tell(session.id, end)
    assert next(changes) == ends[-1]
    assert GAP / 2 < time.monotonic() - began < HEARTBEAT / 2
    notifier.close()

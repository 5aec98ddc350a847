"""The places of streams: who leaves gives his back at once, whether or not anything happens."""

import socket
import time
from pathlib import Path

import pytest

from scorekeeper.live import notifier as notifying
from scorekeeper.live.notifier import Notifier
from scorekeeper.live.streams import GAP, HEARTBEAT, OpenStream, Streams, is_closed
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


# ------------------------------------------------------------------------------------ fairness


def entered(streams: Streams, session: str, address: str) -> OpenStream:
    """A place that there is."""
    place = streams.enter(session, address)
    assert place is not None
    return place


def room(most: int) -> Streams:
    return Streams(Notifier(MemoryStore()), most)


def ended(streams: Streams, places: list[OpenStream]) -> list[OpenStream]:
    """The places that are left once whoever gave way has heard of it."""
    for one in places:
        if one.given_up:
            streams.leave(one)
    return [one for one in places if not one.given_up]


@pytest.mark.parametrize(
    ("addresses", "phones"), [(1, 5), (10, 3)], ids=["one address", "many addresses"]
)
def test_no_session_holds_all_places_while_others_ask(addresses: int, phones: int) -> None:
    streams = room(10)
    held = [entered(streams, "greedy", f"192.0.2.{n % addresses}") for n in range(10)]
    for came in range(1, phones + 1):
        phone = entered(streams, "table", "198.51.100.7")
        held = ended(streams, held)
        assert len(held) == 10 - came
        assert not phone.given_up
    assert streams.enter("table", "198.51.100.7") is None


def test_no_address_holds_all_places_while_others_ask() -> None:
    streams = room(10)
    held = [entered(streams, f"of its own {n}", "192.0.2.1") for n in range(10)]
    for left in (9, 8, 7):
        phone = entered(streams, "table", "198.51.100.7")
        held = ended(streams, held)
        assert len(held) == left
        assert not phone.given_up


def test_behind_one_address_one_table_does_not_starve_another() -> None:
    streams = room(6)
    held = [entered(streams, "greedy", "192.0.2.1") for _ in range(6)]
    mine = entered(streams, "table", "192.0.2.1")
    assert [one.given_up for one in held] == [True, False, False, False, False, False]
    assert not mine.given_up


def test_who_gave_way_is_not_let_in_for_who_came() -> None:
    """Else two would send one another away for ever."""
    streams = room(4)
    tables = [(f"table {n % 2}", f"192.0.2.{n % 2}") for n in range(4)]
    held = [entered(streams, *one) for one in tables]
    assert streams.enter(*tables[0]) is None
    assert streams.enter(*tables[1]) is None
    assert streams.enter("third", "192.0.2.9") is not None  # one of those that hold two
    gone = [one for one in held if one.given_up]
    assert gone == held[:1]
    streams.leave(held[0])
    assert streams.enter(held[0].session, held[0].address) is None


def test_those_who_are_still_leaving_keep_threads_so_few_may_at_once() -> None:
    streams = room(8)
    held = [entered(streams, "greedy", "192.0.2.1") for _ in range(8)]
    came = [streams.enter(f"table {n}", f"198.51.100.{n}") for n in range(6)]
    assert sum(one is not None for one in came) == 3
    for one in held:
        if one.given_up:
            streams.leave(one)
    assert streams.enter("table 9", "198.51.100.9") is not None


def test_a_stream_that_gave_way_ends_soon(tmp_path: Path) -> None:
    with serving(tmp_path, threads=8, most_streams=2) as server:
        greedy, table = server.opened(), server.opened()
        first, second = server.watching(greedy), server.watching(greedy)
        mine = server.watching(table)
        first.settimeout(3 * notifying.BREATH)
        came = b""
        while not came.endswith(b"0\r\n\r\n"):  # the last of its chunks
            came += first.recv(1000)
        path = f"/api/sessions/{greedy['id']}/stream"
        named = {"Authorization": f"Bearer {greedy['keys']['view']}"}
        assert server.get(path, **named).status == 503  # its phone looks now and then instead
        for one in (first, second, mine):
            one.close()

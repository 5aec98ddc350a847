"""Streams: what they tell, when, to whom, and that none of them keeps a thread."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from scorekeeper.base.errors import Busy, StorageUnavailable, UnknownSession
from scorekeeper.live import event_streams
from scorekeeper.live import notifier as notifying
from scorekeeper.live.event_streams import GAP, HEARTBEAT, Streams, StreamState, WatchedStream
from scorekeeper.live.notifier import Notifier
from scorekeeper.live.places import StreamPlace
from scorekeeper.store import MemoryStore, Position
from tests.operation.serving import serving
from tests.store.asking import append, note, opened

PLACES = 3
MANY = 500
KEY = "a key"

Stream = AsyncGenerator[StreamState | None, None]


class Hall:
    """A session in memory, and those who watch it."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.session_id = opened(self.store).id
        self.notifier = Notifier(self.store)
        self.streams = Streams(self.notifier, MANY)
        self.keys = frozenset({KEY})
        self.looks = 0
        self.trouble: list[Exception] = []

    def look(self) -> StreamState:
        self.looks += 1
        if self.trouble:
            raise self.trouble.pop(0)
        return StreamState(self.store.position(self.session_id), self.keys)

    def watched(self, place: StreamPlace | None = None, since: int | None = None) -> Stream:
        """A stream of it."""
        place = place or StreamPlace(self.session_id, "192.0.2.1")
        return self.streams.sights(WatchedStream(self.session_id, self.look), place, KEY, since)

    def record(self) -> Position:
        """One more event, which is told as the service does."""
        version = self.store.position(self.session_id).version
        end = append(self.store, self.session_id, version, [note()], "keeper")
        assert isinstance(end, Position)
        self.notifier.tell(self.session_id, end)
        return end


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr(notifying, "BREATH", 0.05)
    hall = Hall()
    yield hall
    hall.notifier.close()
    assert hall.notifier._topics == {}  # all have left


async def version(stream: Stream) -> int:
    """The version of the next news; what is told before is a sign of life."""
    while (sight := await asyncio.wait_for(anext(stream), HEARTBEAT)) is None:
        pass
    return sight.position.version


async def ended(stream: Stream) -> bool:
    """Whether it ends soon, and tells nothing before."""
    async with asyncio.timeout(HEARTBEAT / 2):
        return [sight async for sight in stream if sight is not None] == []


def test_changes_that_come_fast_are_told_together(hall: Hall) -> None:
    async def watch() -> None:
        async with aclosing(hall.watched()) as stream:
            assert await version(stream) == 1
            began = time.monotonic()
            for _ in range(3):
                hall.record()
            assert await version(stream) == 4
            assert GAP / 2 < time.monotonic() - began < HEARTBEAT / 2

    asyncio.run(watch())


def test_many_who_watch_wait_in_one_thread_and_take_few_looks(hall: Hall) -> None:
    async def watch() -> None:
        before = threading.active_count()
        streams = [hall.watched() for _ in range(MANY)]
        assert await asyncio.gather(*map(version, streams)) == [1] * MANY
        looks = hall.looks
        news = asyncio.gather(*map(version, streams))
        await asyncio.sleep(2 * GAP)
        hall.record()
        assert await news == [2] * MANY
        assert hall.looks - looks < MANY / 10
        assert threading.active_count() < before + 10
        await asyncio.gather(*(one.aclose() for one in streams))

    asyncio.run(watch())


def close_key(hall: Hall, place: StreamPlace) -> None:
    hall.keys = frozenset()
    hall.record()


def give_up(hall: Hall, place: StreamPlace) -> None:
    place.given_up = True
    place.wake()


def stop(hall: Hall, place: StreamPlace) -> None:
    hall.notifier.stop()


def lose(hall: Hall, place: StreamPlace) -> None:
    hall.trouble = [UnknownSession(hall.session_id)]
    hall.record()


@pytest.mark.parametrize("what", [close_key, give_up, stop, lose])
def test_it_ends_soon(hall: Hall, what: Callable[[Hall, StreamPlace], None]) -> None:
    async def watch() -> None:
        place = StreamPlace(hall.session_id, "192.0.2.1")
        stream = hall.watched(place, since=1)
        assert await anext(stream) is None
        waits = asyncio.ensure_future(ended(stream))
        await asyncio.sleep(0.05)
        what(hall, place)
        assert await waits

    asyncio.run(watch())


def test_it_outlives_a_storage_that_does_not_tell(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "AGAIN", 0.05)

    async def watch() -> None:
        async with aclosing(hall.watched(since=1)) as stream:
            assert await anext(stream) is None
            hall.trouble = [StorageUnavailable("away"), Busy("another thread has it")]
            hall.record()
            assert await anext(stream) is None
            assert await version(stream) == 2
            assert hall.trouble == []

    asyncio.run(watch())


def test_those_that_began_together_do_not_end_together(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "LIFE", 0.5)
    monkeypatch.setattr(event_streams, "HEARTBEAT", 0.02)

    async def life() -> float:
        began = time.monotonic()
        async for _ in hall.watched():
            pass
        return time.monotonic() - began

    async def watch() -> None:
        lives = await asyncio.gather(*(life() for _ in range(20)))
        assert max(lives) - min(lives) > 0.1

    asyncio.run(watch())


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


def test_more_than_there_are_threads_watch_and_others_are_served(tmp_path: Path) -> None:
    with serving(tmp_path, threads=2) as server:
        session = server.opened()
        pages = [server.watching(session) for _ in range(20)]
        named = {"Authorization": f"Bearer {session['keys']['view']}"}
        for _ in range(4):
            assert server.get(f"/api/sessions/{session['id']}", **named).status == 200
        threads = Path(f"/proc/{server.workers()[0]}/task")
        assert len(list(threads.iterdir())) < 15
        for page in pages:
            page.close()


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

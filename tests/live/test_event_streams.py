"""Streams: which states they report, when they end, and that none of them uses a thread."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from scorekeeper.base.errors import BusyError, StorageUnavailableError, UnknownSessionError
from scorekeeper.live import event_streams
from scorekeeper.live import notifier as notifying
from scorekeeper.live.event_streams import (
    HEARTBEAT_SECONDS,
    MIN_GAP_SECONDS,
    Streams,
    StreamState,
    WatchedStream,
)
from scorekeeper.live.notifier import Notifier
from scorekeeper.live.slots import StreamSlot, StreamSlots
from scorekeeper.store import MemoryStore, Position
from tests.operation.serving import serving
from tests.store.asking import append, note, opened

MAX_STREAMS = 3
MANY_STREAMS = 500
KEY = "a key"

Stream = AsyncGenerator[StreamState | None, None]


class WatchedTable:
    """A session in memory with its notifier and streams."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.session_id = opened(self.store).id
        self.notifier = Notifier(self.store)
        self.streams = Streams(self.notifier, StreamSlots(MANY_STREAMS))
        self.keys = frozenset({KEY})
        self.reads = 0
        self.failures: list[Exception] = []

    def read_state(self) -> StreamState:
        self.reads += 1
        if self.failures:
            raise self.failures.pop(0)
        return StreamState(self.store.position(self.session_id), self.keys)

    def stream(self, slot: StreamSlot | None = None, since: int | None = None) -> Stream:
        slot = slot or StreamSlot(self.session_id, "192.0.2.1")
        watched = WatchedStream(self.session_id, self.read_state)
        return self.streams.states(watched, slot, KEY, since)

    def record(self) -> Position:
        """Append an event, and notify of it as the service does."""
        version = self.store.position(self.session_id).version
        end = append(self.store, self.session_id, version, [note()], "keeper")
        assert isinstance(end, Position)
        self.notifier.notify(self.session_id, end)
        return end


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[WatchedTable]:
    monkeypatch.setattr(notifying, "STOP_CHECK_SECONDS", 0.05)
    table = WatchedTable()
    yield table
    table.notifier.close()
    assert table.notifier._topics == {}  # all streams have unsubscribed


async def next_version(stream: Stream) -> int:
    """Return the version of the next state, without heartbeats."""
    while (state := await asyncio.wait_for(anext(stream), HEARTBEAT_SECONDS)) is None:
        pass
    return state.position.version


async def ends_without_a_state(stream: Stream) -> bool:
    """Return whether the stream reports no more state; fail if it does not end soon."""
    async with asyncio.timeout(HEARTBEAT_SECONDS / 2):
        return [state async for state in stream if state is not None] == []


def test_changes_in_quick_succession_are_reported_together(table: WatchedTable) -> None:
    async def watch() -> None:
        async with aclosing(table.stream()) as stream:
            assert await next_version(stream) == 1
            began = time.monotonic()
            for _ in range(3):
                table.record()
            assert await next_version(stream) == 4
            assert MIN_GAP_SECONDS / 2 < time.monotonic() - began < HEARTBEAT_SECONDS / 2

    asyncio.run(watch())


def test_many_streams_wait_in_one_thread_and_share_few_reads(table: WatchedTable) -> None:
    async def watch() -> None:
        threads = threading.active_count()
        streams = [table.stream() for _ in range(MANY_STREAMS)]
        assert await asyncio.gather(*map(next_version, streams)) == [1] * MANY_STREAMS
        reads = table.reads
        versions = asyncio.gather(*map(next_version, streams))
        await asyncio.sleep(2 * MIN_GAP_SECONDS)
        table.record()
        assert await versions == [2] * MANY_STREAMS
        assert table.reads - reads < MANY_STREAMS / 10
        assert threading.active_count() < threads + 10
        await asyncio.gather(*(stream.aclose() for stream in streams))

    asyncio.run(watch())


def test_stream_of_another_address_does_not_wait_for_many(table: WatchedTable) -> None:
    heard: list[str] = []

    async def follow(address: str) -> None:
        async with aclosing(table.stream(StreamSlot(table.session_id, address))) as stream:
            while await next_version(stream) < 2:
                pass
            heard.append(address)

    async def watch() -> None:
        followers = [follow("192.0.2.1") for _ in range(MANY_STREAMS)] + [follow("192.0.2.2")]
        all_heard = asyncio.gather(*followers)
        await asyncio.sleep(2 * MIN_GAP_SECONDS)
        table.record()
        await all_heard

    asyncio.run(watch())
    assert heard.index("192.0.2.2") < MANY_STREAMS / 2


def test_stream_that_waits_for_its_turn_misses_no_change(table: WatchedTable) -> None:
    async def watch() -> None:
        streams = [table.stream() for _ in range(MANY_STREAMS)]
        await asyncio.gather(*map(next_version, streams))
        await asyncio.sleep(MIN_GAP_SECONDS)
        versions = asyncio.gather(*map(next_version, streams))
        table.record()
        await asyncio.sleep(0)
        table.record()
        while set(await versions) != {3}:
            versions = asyncio.gather(*map(next_version, streams))
        await asyncio.gather(*(stream.aclose() for stream in streams))

    asyncio.run(watch())


def revoke_key(table: WatchedTable, slot: StreamSlot) -> None:
    table.keys = frozenset()
    table.record()


def evict(table: WatchedTable, slot: StreamSlot) -> None:
    slot.evicted = True
    slot.wake()


def stop_server(table: WatchedTable, slot: StreamSlot) -> None:
    table.notifier.stop()


def lose_session(table: WatchedTable, slot: StreamSlot) -> None:
    table.failures = [UnknownSessionError(table.session_id)]
    table.record()


@pytest.mark.parametrize("cause", [revoke_key, evict, stop_server, lose_session])
def test_stream_ends_within_half_a_heartbeat(
    table: WatchedTable, cause: Callable[[WatchedTable, StreamSlot], None]
) -> None:
    async def watch() -> None:
        slot = StreamSlot(table.session_id, "192.0.2.1")
        stream = table.stream(slot, since=1)
        assert await anext(stream) is None
        end = asyncio.ensure_future(ends_without_a_state(stream))
        await asyncio.sleep(0.05)
        cause(table, slot)
        assert await end

    asyncio.run(watch())


def test_stream_survives_failed_reads_of_the_store(
    table: WatchedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "STATE_RETRY_SECONDS", 0.05)

    async def watch() -> None:
        async with aclosing(table.stream(since=1)) as stream:
            assert await anext(stream) is None
            table.failures = [StorageUnavailableError("away"), BusyError("another thread has it")]
            table.record()
            assert await anext(stream) is None
            assert await next_version(stream) == 2
            assert table.failures == []

    asyncio.run(watch())


def test_streams_that_begin_together_end_at_different_times(
    table: WatchedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "STREAM_LIFE_SECONDS", 0.5)
    monkeypatch.setattr(event_streams, "HEARTBEAT_SECONDS", 0.02)

    async def life() -> float:
        began = time.monotonic()
        async for _ in table.stream():
            pass
        return time.monotonic() - began

    async def watch() -> None:
        lives = await asyncio.gather(*(life() for _ in range(20)))
        assert max(lives) - min(lives) > 0.1

    asyncio.run(watch())


def test_closed_pages_free_their_slots(tmp_path: Path) -> None:
    with serving(tmp_path, threads=8, most_streams=MAX_STREAMS) as server:
        session = server.open_session()
        path = f"/api/sessions/{session['id']}/stream"
        headers = {"Authorization": f"Bearer {session['keys']['view']}"}
        pages = [server.open_stream(session) for _ in range(MAX_STREAMS)]
        assert server.get(path, **headers).status == 503
        for page in pages:
            page.close()
        time.sleep(2 * notifying.STOP_CHECK_SECONDS)
        for page in [server.open_stream(session) for _ in range(MAX_STREAMS)]:
            page.close()


def test_more_streams_than_threads_do_not_delay_requests(tmp_path: Path) -> None:
    with serving(tmp_path, threads=2) as server:
        session = server.open_session()
        pages = [server.open_stream(session) for _ in range(20)]
        headers = {"Authorization": f"Bearer {session['keys']['view']}"}
        for _ in range(4):
            assert server.get(f"/api/sessions/{session['id']}", **headers).status == 200
        threads = Path(f"/proc/{server.workers()[0]}/task")
        assert len(list(threads.iterdir())) < 15
        for page in pages:
            page.close()


def test_evicted_stream_ends_within_seconds(tmp_path: Path) -> None:
    with serving(tmp_path, threads=8, most_streams=2) as server:
        greedy, other = server.open_session(), server.open_session()
        first, second = server.open_stream(greedy), server.open_stream(greedy)
        of_other = server.open_stream(other)
        first.settimeout(3 * notifying.STOP_CHECK_SECONDS)
        received = b""
        while not received.endswith(b"0\r\n\r\n"):  # the last chunk
            received += first.recv(1000)
        path = f"/api/sessions/{greedy['id']}/stream"
        headers = {"Authorization": f"Bearer {greedy['keys']['view']}"}
        assert server.get(path, **headers).status == 503  # the client polls instead
        for connection in (first, second, of_other):
            connection.close()

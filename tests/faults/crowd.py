"""A thousand watchers in one process: each is a connection and records what it received when."""

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple

PROCESSES: Final = get_context("spawn")
MOST_CONNECTING: Final = 100  # watchers that connect at the same time, at the start
RECONNECT_SECONDS: Final = 0.2  # until a watcher connects again after a lost connection
START_SECONDS: Final = 60.0  # until all watchers have connected


class Stream(NamedTuple):
    """A stream to watch: the ports of the servers, a path, a key."""

    ports: tuple[int, ...]
    path: str
    key: str


class ReceivedChange(NamedTuple):
    """A change that a watcher received, with the time by the monotonic clock of the machine."""

    at: float
    version: int
    head: str


class Watcher:
    """A client that watches a stream, and reconnects when it ends."""

    def __init__(self, stream: Stream, place: int) -> None:
        self._stream, self._place = stream, place
        self.received: list[ReceivedChange] = []
        self.refused = 0
        self.writer: asyncio.StreamWriter | None = None

    async def watch(self, gate: asyncio.Semaphore, connected: asyncio.Event) -> None:
        """Watch until the end of the process; set ``there`` at the first received change."""
        while True:
            with suppress(OSError, EOFError):
                async with gate:
                    reader = await self._begin()
                while line := await reader.readline():
                    if line.startswith(b"data: "):
                        change = json.loads(line.removeprefix(b"data: "))
                        self.received.append(
                            ReceivedChange(time.monotonic(), change["version"], change["head"])
                        )
                        connected.set()
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _begin(self) -> asyncio.StreamReader:
        ports = self._stream.ports
        reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", ports[self._place % len(ports)]
        )
        known = self.received[-1].version if self.received else 0
        self.writer.write(
            f"GET {self._stream.path}/stream HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {self._stream.key}\r\nLast-Event-ID: {known}\r\n\r\n".encode()
        )
        if not (await reader.readline()).startswith(b"HTTP/1.1 200 "):
            self.refused += 1
            self.writer.close()
            raise EOFError
        return reader


class Crowd:
    """The watchers in another process, controlled over a channel."""

    def __init__(self, channel: Connection) -> None:
        self._channel = channel

    def received(self) -> list[list[ReceivedChange]]:
        """Return what each watcher has received so far, in the order of the streams."""
        received: list[list[ReceivedChange]] = self._ask("received")
        return received

    def refused(self) -> int:
        """Return how many connections were refused."""
        return int(self._ask("refused"))

    def reconnect_all(self) -> None:
        """Close all connections, and let all watchers reconnect at the same time."""
        self._ask("come back")

    def _ask(self, what: str) -> Any:
        self._channel.send(what)
        return self._channel.recv()


@contextmanager
def crowd(streams: Sequence[Stream]) -> Iterator[Crowd]:
    """Start a watcher for each stream; all have received the present version."""
    here, connected = PROCESSES.Pipe()
    process = PROCESSES.Process(target=run, args=(streams, connected), daemon=True)
    process.start()
    try:
        if not here.poll(START_SECONDS) or here.recv() != "there":
            raise TimeoutError("not all who were to watch could")
        yield Crowd(here)
    finally:
        process.terminate()
        process.join()


def run(streams: Sequence[Stream], channel: Connection) -> None:
    """Run the process of a crowd."""
    asyncio.run(watch_all(streams, channel))


async def watch_all(streams: Sequence[Stream], channel: Connection) -> None:
    """Run all watchers, and answer requests from the channel."""
    watchers = [Watcher(stream, place) for place, stream in enumerate(streams)]
    gate, events = asyncio.Semaphore(MOST_CONNECTING), [asyncio.Event() for _ in watchers]
    tasks = [
        asyncio.create_task(watcher.watch(gate, event))
        for watcher, event in zip(watchers, events, strict=True)
    ]
    for event in events:
        await event.wait()
    channel.send("there")
    while tasks:
        request = await asyncio.to_thread(channel.recv)
        if request == "received":
            channel.send([watcher.received for watcher in watchers])
        elif request == "refused":
            channel.send(sum(watcher.refused for watcher in watchers))
        else:
            for watcher in watchers:
                if watcher.writer is not None:
                    watcher.writer.transport.abort()
            channel.send(None)

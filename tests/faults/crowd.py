"""A thousand who watch, in one process: each is a connection, and what was heard on it when."""

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple

PROCESSES: Final = get_context("spawn")
AT_ONCE: Final = 100  # who begin at one time, of those who come at the start
AGAIN: Final = 0.2  # seconds until who was cut off comes back
BEGIN_WITHIN: Final = 60.0  # seconds


class Stream(NamedTuple):
    """What to watch: the ports of the servers, a path, a key."""

    ports: tuple[int, ...]
    path: str
    key: str


class Heard(NamedTuple):
    """One change that one of them heard of, by the clock that all processes of a machine share."""

    at: float
    version: int
    head: str


class Watcher:
    """One who watches, and comes back when the stream ends."""

    def __init__(self, stream: Stream, place: int) -> None:
        self._stream, self._place = stream, place
        self.heard: list[Heard] = []
        self.refused = 0
        self.writer: asyncio.StreamWriter | None = None

    async def watch(self, gate: asyncio.Semaphore, there: asyncio.Event) -> None:
        """Watch until the end of the process; ``there`` tells of the first thing that is heard."""
        while True:
            with suppress(OSError, EOFError):
                async with gate:
                    reader = await self._begin()
                while line := await reader.readline():
                    if line.startswith(b"data: "):
                        said = json.loads(line.removeprefix(b"data: "))
                        self.heard.append(Heard(time.monotonic(), said["version"], said["head"]))
                        there.set()
            await asyncio.sleep(AGAIN)

    async def _begin(self) -> asyncio.StreamReader:
        ports = self._stream.ports
        reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", ports[self._place % len(ports)]
        )
        known = self.heard[-1].version if self.heard else 0
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
    """Those who watch, in a process of their own; spoken to from another."""

    def __init__(self, channel: Connection) -> None:
        self._channel = channel

    def heard(self) -> list[list[Heard]]:
        """What each has heard so far, in the order of what they watch."""
        heard: list[list[Heard]] = self._ask("heard")
        return heard

    def refused(self) -> int:
        """How often one of them was turned away."""
        return int(self._ask("refused"))

    def come_back(self) -> None:
        """Let them all lose their connection, and begin anew at once."""
        self._ask("come back")

    def _ask(self, what: str) -> Any:
        self._channel.send(what)
        return self._channel.recv()


@contextmanager
def crowd(streams: Sequence[Stream]) -> Iterator[Crowd]:
    """A crowd of which each watches one of these, and has heard where it stands."""
    here, there = PROCESSES.Pipe()
    process = PROCESSES.Process(target=run, args=(streams, there), daemon=True)
    process.start()
    try:
        if not here.poll(BEGIN_WITHIN) or here.recv() != "there":
            raise TimeoutError("not all who were to watch could")
        yield Crowd(here)
    finally:
        process.terminate()
        process.join()


def run(streams: Sequence[Stream], channel: Connection) -> None:
    """The process of a crowd."""
    asyncio.run(watch_all(streams, channel))


async def watch_all(streams: Sequence[Stream], channel: Connection) -> None:
    """Watch with all, and answer what is asked of them."""
    watchers = [Watcher(stream, place) for place, stream in enumerate(streams)]
    gate, events = asyncio.Semaphore(AT_ONCE), [asyncio.Event() for _ in watchers]
    tasks = [
        asyncio.create_task(one.watch(gate, event))
        for one, event in zip(watchers, events, strict=True)
    ]
    for event in events:
        await event.wait()
    channel.send("there")
    while tasks:
        asked = await asyncio.to_thread(channel.recv)
        if asked == "heard":
            channel.send([watcher.heard for watcher in watchers])
        elif asked == "refused":
            channel.send(sum(watcher.refused for watcher in watchers))
        else:
            for watcher in watchers:
                if watcher.writer is not None:
                    watcher.writer.transport.abort()
            channel.send(None)

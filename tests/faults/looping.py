"""One address that sends requests endlessly, from a process of its own."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final

ATTACKER: Final = "127.0.0.2"
LOOPS: Final = 40  # connections, more than there are threads
PROCESSES: Final = get_context("spawn")
PAUSE: Final = 0.02  # seconds after a refusal: the attacker shares the processors of the machine


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """Return the bytes of a request."""
    named = {"Host": "localhost", "Content-Length": str(len(body))} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body


@contextmanager
def looping(
    port: int, sent: bytes | Sequence[bytes], many: int = LOOPS, address: str = ATTACKER
) -> Iterator[Counter[int]]:
    """Repeat a request on many connections; count the answers by status.

    If there are several requests, each connection sends them in turn, beginning with another one.
    The counts are complete at the end.
    """
    here, there = PROCESSES.Pipe()
    requests = [sent] if isinstance(sent, bytes) else sent
    args = (port, requests, many, address, there)
    process = PROCESSES.Process(target=run, args=args, daemon=True)
    process.start()
    statuses: Counter[int] = Counter()
    try:
        assert here.poll(60), "the attack did not begin"
        here.recv()
        yield statuses
    finally:
        here.send("stop")
        statuses.update(here.recv() if here.poll(10) else {})
        process.terminate()
        process.join()


def run(port: int, requests: Sequence[bytes], many: int, address: str, channel: Connection) -> None:
    """Run the process of the loops."""
    asyncio.run(loops(port, requests, many, address, channel))


async def loops(
    port: int, requests: Sequence[bytes], many: int, address: str, channel: Connection
) -> None:
    """Loop on all connections until a message arrives on the channel."""
    statuses: Counter[int] = Counter()
    begun = asyncio.Event()
    tasks = [
        asyncio.create_task(loop(port, islice(cycle(requests), n, None), address, statuses, begun))
        for n in range(many)
    ]
    await begun.wait()
    channel.send("begun")
    await asyncio.to_thread(channel.recv)
    for task in tasks:
        task.cancel()
    channel.send(dict(statuses))


async def loop(
    port: int, requests: Iterator[bytes], address: str, statuses: Counter[int], begun: asyncio.Event
) -> None:
    """Send each request after the answer to the one before."""
    while True:
        with suppress(OSError, EOFError):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(address, 0)
            )
            try:
                while True:
                    writer.write(next(requests))
                    status = await answered(reader)
                    statuses[status] += 1
                    begun.set()
                    if status >= 400:
                        await asyncio.sleep(PAUSE)
            finally:
                writer.close()


async def answered(reader: asyncio.StreamReader) -> int:
    """Return the status of the next answer after reading all of it."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    status = int(head.split()[1])
    if b"\r\ncontent-length: " in head:
        length = int(head.partition(b"\r\ncontent-length: ")[2].split(b"\r\n")[0])
        await reader.readexactly(length)
    elif b"\r\ntransfer-encoding: chunked" in head:
        size: Any = 1
        while size:
            size = int(await reader.readline(), 16)
            await reader.readexactly(size + 2)
    return status

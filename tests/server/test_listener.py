"""New connections are served in turns of their addresses, within a share of the time."""

import asyncio
import errno
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.server import listener as listening
from scorekeeper.server.listener import PacedListener

CROWD = 300  # connections: more than may begin at once


class Opened:
    """The addresses of the connections that were served, in their order."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self._clients: list[socket.socket] = []
        self._more = asyncio.Event()

    async def open(self, client: socket.socket) -> None:
        self.addresses.append(client.getpeername()[0])
        self._clients.append(client)
        self._more.set()

    async def until(self, many: int) -> None:
        """Wait until this many were served."""
        async with asyncio.timeout(10):
            while len(self.addresses) < many:
                self._more.clear()
                await self._more.wait()

    def close(self) -> None:
        for client in self._clients:
            client.close()


@asynccontextmanager
async def listener(opened: Opened, most_waiting: int) -> AsyncIterator[tuple[PacedListener, int]]:
    """A listener on a free port of this machine."""
    paced = PacedListener(asyncio.get_running_loop(), opened.open, most_waiting)
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    paced.listen(bound, 2048)
    port = bound.getsockname()[1]
    try:
        yield paced, port
    finally:
        paced.close()
        await paced.wait_closed()
        opened.close()


def connected(stack: ExitStack, port: int, address: str) -> socket.socket:
    client = stack.enter_context(socket.socket())
    client.bind((address, 0))
    client.connect(("127.0.0.1", port))
    return client


def serve_after(paced: PacedListener, seconds: float) -> None:
    """Spend the share of new connections, so that none is served for these seconds."""
    share = listening.NEW_CONNECTION_BURST_SECONDS + seconds * listening.NEW_CONNECTION_SHARE
    paced.charge("127.0.0.9", share)


def run(test: Any, most_waiting: int = listening.MAX_WAITING_CONNECTIONS) -> None:
    async def running() -> None:
        opened = Opened()
        with ExitStack() as stack:
            async with listener(opened, most_waiting) as (paced, port):
                await test(opened, stack, paced, port)

    asyncio.run(running())


def test_crowd_of_one_address_does_not_go_before_another_address() -> None:
    async def test(opened: Opened, stack: ExitStack, paced: PacedListener, port: int) -> None:
        for _ in range(CROWD):
            connected(stack, port, "127.0.0.2")
        connected(stack, port, "127.0.0.3")
        serve_after(paced, 0.3)  # when all are accepted, also on a slow machine
        await opened.until(CROWD + 1)
        assert opened.addresses.index("127.0.0.3") <= 2 * listening.MAX_OPENED_PER_TURN

    run(test)


def test_new_connections_wait_while_their_share_of_the_time_is_spent() -> None:
    async def test(opened: Opened, stack: ExitStack, paced: PacedListener, port: int) -> None:
        serve_after(paced, 0.2)
        began = asyncio.get_running_loop().time()
        connected(stack, port, "127.0.0.2")
        await opened.until(1)
        assert asyncio.get_running_loop().time() - began > 0.15

    run(test)


def test_disconnected_client_is_not_served() -> None:
    async def test(opened: Opened, stack: ExitStack, paced: PacedListener, port: int) -> None:
        for _ in range(CROWD):
            client = connected(stack, port, "127.0.0.2")
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            client.close()
        connected(stack, port, "127.0.0.2")
        await opened.until(1)
        await asyncio.sleep(0.05)
        assert len(opened.addresses) == 1

    run(test)


def test_client_that_sends_nothing_more_is_served_last() -> None:
    async def test(opened: Opened, stack: ExitStack, paced: PacedListener, port: int) -> None:
        connected(stack, port, "127.0.0.2").shutdown(socket.SHUT_WR)
        for _ in range(3):
            connected(stack, port, "127.0.0.3")
        await opened.until(4)
        assert opened.addresses[-1] == "127.0.0.2"

    run(test)


def test_few_connections_wait() -> None:
    async def test(opened: Opened, stack: ExitStack, paced: PacedListener, port: int) -> None:
        paced.charge("127.0.0.9", 60.0)  # nobody is served
        clients = [connected(stack, port, "127.0.0.2") for _ in range(60)]
        last = connected(stack, port, "127.0.0.3")
        await asyncio.sleep(0.2)
        assert not opened.addresses
        assert sum(is_closed(client) for client in clients) == 11
        assert not is_closed(last)

    run(test, most_waiting=50)


def is_closed(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def test_what_was_accepted_is_served_when_the_listener_closes() -> None:
    async def test(opened: Opened, stack: ExitStack, paced: PacedListener, port: int) -> None:
        paced.charge("127.0.0.9", 60.0)
        for _ in range(20):
            connected(stack, port, "127.0.0.2")
        await asyncio.sleep(0.05)
        assert not opened.addresses
        paced.close()
        await paced.wait_closed()
        assert len(opened.addresses) == 20

    run(test)


class FailingSocket(socket.socket):
    """A listening socket whose next accepts fail with these errors."""

    def __init__(self, family: int, errors: list[int]) -> None:
        super().__init__(family)
        self.errors = errors

    def accept(self) -> tuple[socket.socket, Any]:
        if self.errors:
            raise OSError(self.errors.pop(0), "failed")
        return super().accept()


async def accepted_after(errors: list[int], family: int, address: Any) -> list[dict[str, Any]]:
    """Connect to a listener whose first accepts fail. Return what the loop was told of."""
    loop, reports, served = asyncio.get_running_loop(), [], asyncio.Event()
    loop.set_exception_handler(lambda _, report: reports.append(report))

    async def serve(client: socket.socket) -> None:
        client.close()
        served.set()

    paced = PacedListener(loop, serve)
    bound = FailingSocket(family, errors)
    bound.bind(address)
    paced.listen(bound, 10)
    with socket.socket(family) as client:
        client.connect(bound.getsockname())
        async with asyncio.timeout(5):
            await served.wait()
    paced.close()
    await paced.wait_closed()
    return reports


@pytest.mark.parametrize("error", [errno.ECONNABORTED, errno.EPROTO, errno.EINTR])
def test_connection_that_failed_before_it_was_accepted_delays_no_other(error: int) -> None:
    assert asyncio.run(accepted_after([error], socket.AF_INET, ("127.0.0.1", 0))) == []


def test_connections_wait_while_the_system_has_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "ACCEPT_RETRY_SECONDS", 0.01)
    errors = [errno.EMFILE, errno.ENFILE]
    reports = asyncio.run(accepted_after(errors, socket.AF_INET, ("127.0.0.1", 0)))
    assert [report["exception"].errno for report in reports] == [errno.EMFILE, errno.ENFILE]


def test_any_family_of_sockets_is_served(tmp_path: Path) -> None:
    for family, address in ((socket.AF_INET6, ("::1", 0)), (socket.AF_UNIX, str(tmp_path / "s"))):
        assert asyncio.run(accepted_after([], family, address)) == []


def test_closing_calls_back_before_the_waiting_connections_are_served() -> None:
    """The worker closes its idle connections then, and no new ones."""

    async def test() -> None:
        closed: list[int] = []
        opened = Opened()
        paced = PacedListener(
            asyncio.get_running_loop(), opened.open,
            on_close=lambda: closed.append(len(opened.addresses)),
        )  # fmt: skip
        bound = socket.socket()
        bound.bind(("127.0.0.1", 0))
        paced.listen(bound, 10)
        serve_after(paced, 60)
        with socket.create_connection(bound.getsockname()):
            await asyncio.sleep(0.05)
            paced.close()
            await paced.wait_closed()
        opened.close()
        assert (closed, len(opened.addresses)) == ([0], 1)

    asyncio.run(test())

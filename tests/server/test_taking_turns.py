"""A request waits for its turn before a thread works on it.

Tests of ``server.bridge``.
"""

import asyncio
import io
import threading
from concurrent.futures import Future
from typing import Any

import pytest
from werkzeug.wsgi import ClosingIterator

from scorekeeper.base.errors import BusyError
from scorekeeper.http.turns import TURN_KEY, RequestTurns, TurnMiddleware
from scorekeeper.server.bridge import BridgedAnswer, HalfClosedQueue, first_piece
from scorekeeper.server.intake import ClientGoneError
from scorekeeper.server.threads import SharedThreads

SOON = 5.0  # seconds


class Service:
    """An application behind turns for one read, which holds each request until `go` is set."""

    def __init__(self) -> None:
        self.turns = RequestTurns(capacity=1, wait_seconds=SOON)
        self.threads = SharedThreads(8, "test")
        self.half_closed = HalfClosedQueue()
        self.begun: list[str] = []
        self.go = threading.Event()

    def app(self, environ: Any, start_response: Any) -> list[bytes]:
        self.begun.append(environ["QUERY_STRING"])
        assert self.go.wait(SOON)
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    def request(self, name: str, link: Any) -> asyncio.Task[bytes]:
        """Begin a request, by its name; return the task of its first piece."""
        environ = {
            "REQUEST_METHOD": "GET", "PATH_INFO": "/", "QUERY_STRING": name,
            "wsgi.input": io.BytesIO(b"a body"),
        }  # fmt: skip
        turn = self.turns.turn_of(environ, "")
        answer = BridgedAnswer(TurnMiddleware(self.app), environ, turn)

        def run(function: Any) -> "Future[Any]":
            return self.threads.submit("", function)

        return asyncio.ensure_future(first_piece(answer, run, link, self.half_closed))

    async def until_begun(self, *names: str) -> None:
        async with asyncio.timeout(SOON):
            while self.begun != list(names):  # noqa: ASYNC110  # threads add to it
                await asyncio.sleep(0.005)
        await asyncio.sleep(0.05)
        assert self.begun == list(names)


class FakeLink:
    """The connection of a client, as the bridge uses it."""

    def __init__(self, *, is_closed: bool = False) -> None:
        self.end_of_input = asyncio.get_running_loop().create_future()
        self.is_closed = is_closed


class PostponingService(Service):
    """A service whose requests each need a long turn, of which there is one; they read a body."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = RequestTurns(capacity=8, wait_seconds=SOON)
        self.ended: list[str] = []

    def app(self, environ: Any, start_response: Any) -> Any:
        self.begun.append(environ["QUERY_STRING"])
        environ["QUERY_STRING"] = "changed by the application"
        assert environ["wsgi.input"].read() == b"a body"
        try:
            environ[TURN_KEY].exchange(self.turns._long)
        except BusyError:
            start_response("503 Service Unavailable", [("Content-Length", "4")])
            return ClosingIterator([b"busy"], lambda: self.ended.append("postponed"))
        assert self.go.wait(SOON)
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]


def run(test: Any) -> None:
    asyncio.run(test(Service()))


def test_waiting_request_needs_no_thread() -> None:
    async def test(service: Service) -> None:
        tasks = [service.request(str(n), FakeLink()) for n in range(8)]
        await service.until_begun("0")
        assert len(service.threads._threads._threads) == 1
        service.go.set()
        assert await asyncio.gather(*tasks) == [b"ok"] * 8

    run(test)


def test_client_that_leaves_while_it_waits_takes_no_turn() -> None:
    async def test(service: Service) -> None:
        first, gone = service.request("first", FakeLink()), FakeLink(is_closed=True)
        await service.until_begun("first")
        left, last = service.request("left", gone), service.request("last", FakeLink())
        await asyncio.sleep(0.01)
        gone.end_of_input.set_result(None)
        with pytest.raises(ClientGoneError):
            await left
        service.go.set()
        assert [await first, await last] == [b"ok"] * 2
        assert service.begun == ["first", "last"]

    run(test)


def test_half_closed_client_is_answered_in_its_turn() -> None:
    async def test(service: Service) -> None:
        first, closing = service.request("first", FakeLink()), FakeLink()
        await service.until_begun("first")
        half_closed = service.request("half closed", closing)
        await asyncio.sleep(0.01)
        closing.end_of_input.set_result(None)
        await service.until_begun("first")
        service.go.set()
        assert [await first, await half_closed] == [b"ok"] * 2

    run(test)


def test_turn_of_a_cancelled_request_is_given_back_when_its_thread_ends() -> None:
    async def test(service: Service) -> None:
        first = service.request("first", FakeLink())
        await service.until_begun("first")
        waits, last = service.request("waits", FakeLink()), service.request("last", FakeLink())
        await asyncio.sleep(0.01)
        for cancelled in (waits, first):
            cancelled.cancel()
        await service.until_begun("first")  # its thread still works
        service.go.set()
        assert await last == b"ok"
        assert service.begun == ["first", "last"]

    run(test)


def test_postponed_request_begins_again_once_it_has_its_turn() -> None:
    async def test(service: Any) -> None:
        first = service.request("first", FakeLink())
        await service.until_begun("first")
        second = service.request("second", FakeLink())
        await service.until_begun("first", "second")
        assert service.ended == ["postponed"]
        assert not second.done()
        service.go.set()
        assert [await first, await second] == [b"ok"] * 2
        assert service.begun == ["first", "second", "second"]

    asyncio.run(test(PostponingService()))


def test_postponed_request_of_a_half_closed_client_begins_again() -> None:
    async def test(service: Any) -> None:
        first, closing = service.request("first", FakeLink()), FakeLink()
        await service.until_begun("first")
        closing.end_of_input.set_result(None)
        second = service.request("second", closing)
        await service.until_begun("first", "second")
        service.go.set()
        assert [await first, await second] == [b"ok"] * 2
        assert service.begun == ["first", "second", "second"]

    asyncio.run(test(PostponingService()))


def test_postponed_request_whose_client_leaves_does_not_begin_again() -> None:
    async def test(service: Any) -> None:
        first, link = service.request("first", FakeLink()), FakeLink(is_closed=True)
        await service.until_begun("first")
        second = service.request("second", link)
        await service.until_begun("first", "second")
        link.end_of_input.set_result(None)
        with pytest.raises(ClientGoneError):
            await second
        service.go.set()
        assert await first == b"ok"
        assert service.begun == ["first", "second"]
        assert service.turns._long.take_free("")

    asyncio.run(test(PostponingService()))

"""Time limits on receiving a body, and reasons to end it sooner.

Tests of ``server.intake``.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any

import pytest

from scorekeeper.server import intake
from scorekeeper.server.capacity import UNCOUNTED_BYTES, SharedCapacity
from scorekeeper.server.connection import JoinedBody
from scorekeeper.server.intake import Body, RefusedRequestError, read_body

Receive = Callable[[], Awaitable[dict[str, Any]]]
LARGEST = 8 << 20
BEAT = 0.01  # seconds


def in_pieces(size: int, many: int = 10**9) -> Receive:
    """Receive a body in pieces of this size, one after the other."""
    came = 0

    async def receive() -> dict[str, Any]:
        nonlocal came
        await asyncio.sleep(BEAT)
        came += 1
        return {"type": "http.request", "body": b"x" * size, "more_body": came < many}

    return receive


def read(receive: Receive, capacity: SharedCapacity | None = None) -> Body:
    async def reading() -> Body:
        with (capacity or SharedCapacity(LARGEST)).reserve("a") as reservation:
            return await read_body({"headers": []}, receive, reservation, LARGEST)

    return asyncio.run(reading())


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "BASE_BODY_SECONDS", 0.1)
    monkeypatch.setattr(intake, "MAX_BODY_SECONDS", 0.4)


def test_no_body_takes_longer_than_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert intake.MAX_BODY_SECONDS == 60
    assert intake.BASE_BODY_SECONDS <= intake.MAX_BODY_SECONDS


@pytest.mark.parametrize("size", [1 << 10, 1 << 17, 1 << 20])  # the last one is passed over
def test_endless_body_is_ended(size: int) -> None:
    began = time.monotonic()
    with pytest.raises(RefusedRequestError) as refused:
        read(in_pieces(size))
    assert refused.value.status == HTTPStatus.REQUEST_TIMEOUT
    assert time.monotonic() - began < 0.4 + 0.5


def test_body_that_is_slow_from_the_beginning_ends_sooner() -> None:
    began = time.monotonic()
    with pytest.raises(RefusedRequestError):
        read(in_pieces(1))
    assert time.monotonic() - began < 0.1 + 0.25


def test_body_with_enough_speed_is_read_completely() -> None:
    assert read(in_pieces(2 << 10, 15)) == Body(b"x" * (30 << 10), 30 << 10)


def test_a_body_ends_when_another_request_needs_its_memory() -> None:
    async def reading() -> None:
        capacity = SharedCapacity(1 << 20)
        with capacity.reserve("a") as large, capacity.reserve("b") as other:
            receive = in_pieces((1 << 20) + UNCOUNTED_BYTES, 2)
            body = asyncio.create_task(read_body({"headers": []}, receive, large, LARGEST))
            await asyncio.sleep(1.5 * BEAT)
            assert other.resize(UNCOUNTED_BYTES + 1000)
            with pytest.raises(RefusedRequestError) as refused:
                await body
            assert refused.value.status == HTTPStatus.SERVICE_UNAVAILABLE

    asyncio.run(reading())


def test_body_without_memory_is_refused() -> None:
    with pytest.raises(RefusedRequestError) as refused:
        read(in_pieces(1 << 19), SharedCapacity(1 << 20))
    assert refused.value.status == HTTPStatus.SERVICE_UNAVAILABLE


def fake_protocol(**more: Any) -> Any:
    """Return an open connection, as the body of a request uses it."""
    return SimpleNamespace(
        _closed=False, _maybe_resume_reading=lambda: None,
        is_closed=False, parse_more=lambda: None, **more,
    )  # fmt: skip


def test_only_the_deadline_ends_a_body_that_pauses() -> None:
    """Gunicorn would abort it after its timeout, and answer with a server error."""

    async def reading() -> None:
        request = SimpleNamespace(content_length=2, chunked=False)
        body = JoinedBody(request, fake_protocol(cfg=SimpleNamespace(timeout=0.02)))
        body.feed(b"x")
        loop = asyncio.get_running_loop()
        assert (await body.receive())["body"] == b"x"
        loop.call_later(0.1, body.feed, b"y")
        assert (await body.receive())["body"] == b"y"

    asyncio.run(reading())


def test_chunks_that_arrive_together_are_received_together() -> None:
    async def reading() -> None:
        request = SimpleNamespace(content_length=0, chunked=True)
        body = JoinedBody(request, fake_protocol())
        for _ in range(1000):
            body.feed(b"x")
        assert await body.receive() == {
            "type": "http.request", "body": b"x" * 1000, "more_body": True
        }  # fmt: skip
        assert body.buffered == 0

    asyncio.run(reading())

"""Streams that wake together have their turns in the loop: a few at a time, addresses in turns."""

import asyncio
from collections.abc import Callable
from typing import cast

import pytest

from scorekeeper.base.time_share import MAX_PROMPT_DELAY_SECONDS
from scorekeeper.live.turns import (
    BURST_SECONDS,
    ESTIMATED_SECONDS_PER_STREAM,
    LATE_SHARE,
    STREAMS_PER_TURN,
    StreamTurns,
)

MANY = 1000


class Loop:
    """A loop whose turns the test makes, each so many seconds after it is due."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[tuple[float, Callable[[], object]]] = []

    def call_soon(self, call: Callable[[], object]) -> None:
        self.call_later(0.0, call)

    def call_later(self, seconds: float, call: Callable[[], object]) -> None:
        self.due.append((self.now + seconds, call))

    def turn(self, late: float = 0.0) -> None:
        self.now = max([self.now, *(due for due, _ in self.due)]) + late
        due, self.due = self.due, []
        for _, call in due:
            call()


@pytest.fixture
def loop() -> Loop:
    return Loop()


@pytest.fixture
def turns(loop: Loop) -> StreamTurns:
    return StreamTurns(cast("asyncio.AbstractEventLoop", loop), lambda: loop.now)


def ask(turns: StreamTurns, address: str, begun: list[str], many: int = 1) -> None:
    for _ in range(many):
        turns.ask(address, lambda: begun.append(address))


def test_few_streams_begin_in_one_turn_of_the_loop(loop: Loop, turns: StreamTurns) -> None:
    begun: list[str] = []
    ask(turns, "many", begun, MANY)
    for turn in range(1, 4):
        loop.turn()
        assert len(begun) == turn * STREAMS_PER_TURN
    while loop.due:
        loop.turn()
    assert len(begun) == MANY


def test_other_address_waits_for_no_more_than_a_turn(loop: Loop, turns: StreamTurns) -> None:
    begun: list[str] = []
    ask(turns, "many", begun, MANY)
    loop.turn()
    ask(turns, "few", begun)
    loop.turn()
    assert begun[STREAMS_PER_TURN] == "few"


def test_all_together_get_a_share_of_a_late_loop(loop: Loop, turns: StreamTurns) -> None:
    begun: list[str] = []
    ask(turns, "many", begun, 10 * MANY)
    while loop.now < 2.0:
        loop.turn(late=1.1 * MAX_PROMPT_DELAY_SECONDS)
    seconds = len(begun) * ESTIMATED_SECONDS_PER_STREAM
    assert LATE_SHARE * loop.now / 2 < seconds < LATE_SHARE * loop.now + 2 * BURST_SECONDS

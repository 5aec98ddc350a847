"""Parsing takes at most a share of the loop's time, and cheap input does not wait behind costly."""

from asyncio import Handle, TimerHandle
from collections.abc import Callable
from typing import cast

import pytest

from scorekeeper.server import pacing
from scorekeeper.server.pacing import ParsingPace

COSTLY = 0.001  # seconds that a slice takes
CHEAP = 0.0001


class FakeLoop:
    """A clock that stands still but for parsing and for timers."""

    def __init__(self) -> None:
        self.now = 0.0
        self.late = 0.0  # seconds by which each turn comes later than it is due
        self.timers: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, delay: float, callback: Callable[[], None]) -> TimerHandle:
        self.timers.append((self.now + delay, callback))
        return cast("TimerHandle", object())

    def call_soon(self, callback: Callable[[], None]) -> Handle:
        return self.call_later(0.0, callback)

    def run_until(self, end: float) -> None:
        while self.timers and min(at for at, _ in self.timers) <= end:
            self.timers.sort(key=lambda timer: timer[0])
            at, callback = self.timers.pop(0)
            self.now = max(self.now, at) + self.late
            callback()
        self.now = end


class FakeConnection:
    """A connection that parses a number of slices, each of which takes the same time."""

    def __init__(
        self, loop: FakeLoop, pace: ParsingPace, slices: int, cost: float, address: str = "a"
    ) -> None:
        self.address, self.cost, self.cost_at = address, 0.0, 0.0
        self._loop, self._pace, self._slices, self._cost = loop, pace, slices, cost
        self.parsed, self.is_held = 0, False
        self.done_at: float | None = None
        self.is_beginning, self.is_half_closed, self.is_closed = False, False, False
        self.begun_at: float | None = None

    @property
    def has_input(self) -> bool:
        return self.parsed < self._slices

    def parse_slice(self) -> None:
        if self.is_beginning:
            self.begun_at = self._loop.now
        self._loop.now += self._cost
        self.parsed += 1
        self.done_at = None if self.has_input else self._loop.now
        self._pace.charge(self, self._cost, self._cost)
        self.is_beginning = False

    def ask(self) -> None:
        """Send a request, which is parsed in one slice."""
        self._slices, self.done_at = self.parsed + 1, None
        self._pace.parse(self)

    def hold(self) -> None:
        self.is_held = True

    def release(self) -> None:
        self.is_held = False

    def abort(self) -> None:
        self.is_closed = True


@pytest.fixture
def loop() -> FakeLoop:
    return FakeLoop()


@pytest.fixture
def pace(loop: FakeLoop) -> ParsingPace:
    return ParsingPace(loop.call_later, loop.call_soon, lambda: loop.now)


def costly(loop: FakeLoop, pace: ParsingPace, many: int, address: str) -> list[FakeConnection]:
    """Connections that never run out of costly input, and have begun."""
    connections = [FakeConnection(loop, pace, 10**9, COSTLY, address) for _ in range(many)]
    for connection in connections:
        pace.parse(connection)
    return connections


@pytest.mark.parametrize("many", [1, 6, 100])
def test_costly_input_takes_its_share_of_the_time_and_no_more(
    loop: FakeLoop, pace: ParsingPace, many: int
) -> None:
    connections = costly(loop, pace, many, "a")
    before, began = {connection: connection.parsed for connection in connections}, loop.now
    assert began < 2 * pacing.COSTLY_BURST_SECONDS + many * (
        pacing.FREE_SECONDS_PER_CONNECTION + COSTLY
    )
    loop.run_until(began + 10.0)
    each = [connection.parsed - before[connection] for connection in connections]
    assert 0.2 * 10 < COSTLY * sum(each) < (pacing.COSTLY_SHARE + 0.01) * 10
    assert all(connection.is_held for connection in connections)
    assert max(each) <= 3 * min(each) + 1  # slice


def test_cheap_input_is_parsed_immediately(loop: FakeLoop, pace: ParsingPace) -> None:
    for _ in range(1000):
        phone = FakeConnection(loop, pace, 1, CHEAP)
        pace.parse(phone)
        assert (phone.parsed, phone.is_held) == (1, False)
        loop.now += 0.001
    assert loop.timers == []


@pytest.mark.parametrize("address", ["a", "b"])
def test_cheap_input_does_not_wait_behind_costly_input(
    loop: FakeLoop, pace: ParsingPace, address: str
) -> None:
    """Neither of another address nor of the same one."""
    costly(loop, pace, 100, "a")
    loop.run_until(5.0)
    phones = []
    for n in range(20):
        phone = FakeConnection(loop, pace, 1, CHEAP, address)
        asked = loop.now
        pace.parse(phone)
        loop.run_until(5.1 + n / 10)
        assert phone.done_at is not None
        assert phone.done_at == asked + CHEAP
        assert not phone.is_held
        phones.append(phone)
    assert len(phones) == 20


@pytest.mark.parametrize("address", ["a", "b"])
def test_a_flood_of_cheap_input_does_not_stop_costly_input(
    loop: FakeLoop, pace: ParsingPace, address: str
) -> None:
    """It has half of the share, also beside new connections of its own address."""
    (connection,) = costly(loop, pace, 1, "a")
    before = connection.parsed
    for n in range(200):
        for _ in range(20):
            pace.parse(FakeConnection(loop, pace, 1, CHEAP, address))
        loop.run_until(max(loop.now, (n + 1) / 200))
    assert connection.parsed - before > 100


def test_addresses_take_turns(loop: FakeLoop, pace: ParsingPace) -> None:
    few, many = costly(loop, pace, 1, "a"), costly(loop, pace, 200, "b")
    loop.run_until(5.0)  # until all of them are costly: the new ones of an address have a turn, too
    before = few[0].parsed, sum(connection.parsed for connection in many)
    loop.run_until(loop.now + 5.0)
    parsed = few[0].parsed - before[0], sum(connection.parsed for connection in many) - before[1]
    assert 0.4 < parsed[0] / sum(parsed) < 0.6


def test_every_connection_is_parsed_eventually(loop: FakeLoop, pace: ParsingPace) -> None:
    first = FakeConnection(loop, pace, 60, COSTLY)
    pace.parse(first)
    for n in range(400):  # new ones come all the time
        pace.parse(FakeConnection(loop, pace, 4, COSTLY))
        loop.run_until((n + 1) / 40)
    assert first.done_at is not None


def test_a_fault_in_one_connection_does_not_stop_the_others(
    loop: FakeLoop, pace: ParsingPace, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = costly(loop, pace, 2, "a")
    with monkeypatch.context() as patch:
        patch.setattr(FakeConnection, "parse_slice", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            loop.run_until(0.1)
    before = first.parsed + second.parsed
    loop.run_until(1.0)
    assert first.parsed + second.parsed > before


def beginning(
    loop: FakeLoop, pace: ParsingPace, many: int, address: str, *, half_closed: bool = False
) -> list[FakeConnection]:
    """Connections that ask for something at the same time, each for the first time."""
    connections = [FakeConnection(loop, pace, 1, CHEAP, address) for _ in range(many)]
    for connection in connections:
        connection.is_beginning, connection.is_half_closed = True, half_closed
        pace.parse(connection)
    return connections


def test_a_crowd_of_new_connections_keeps_no_other_address_waiting(
    loop: FakeLoop, pace: ParsingPace
) -> None:
    crowd = beginning(loop, pace, 1000, "a")
    assert loop.now < 2 * pacing.MAX_TURN_SECONDS
    (phone,) = beginning(loop, pace, 1, "b")
    loop.run_until(0.0)
    assert phone.begun_at is not None
    assert phone.begun_at <= 2 * pacing.MAX_TURN_SECONDS
    loop.run_until(2.0)
    assert all(connection.done_at is not None for connection in crowd)
    assert not any(connection.is_held for connection in crowd)


def test_clients_that_send_nothing_more_begin_last_and_few_of_them_wait(
    loop: FakeLoop, pace: ParsingPace
) -> None:
    left = beginning(loop, pace, 2 * pacing.MAX_HALF_CLOSED_UNPARSED, "a", half_closed=True)
    others = beginning(loop, pace, 200, "a")
    loop.run_until(5.0)
    oldest, newest = (
        left[: pacing.MAX_HALF_CLOSED_UNPARSED],
        left[pacing.MAX_HALF_CLOSED_UNPARSED :],
    )
    assert all(connection.is_closed and connection.begun_at is None for connection in oldest)
    begun = [connection.begun_at for connection in others]
    last = max(at for at in begun if at is not None)
    assert None not in begun
    assert all(connection.begun_at and connection.begun_at >= last for connection in newest)


def test_input_of_a_disconnected_client_is_not_parsed(loop: FakeLoop, pace: ParsingPace) -> None:
    crowd = beginning(loop, pace, 100, "a")
    waiting = [connection for connection in crowd if connection.begun_at is None]
    for connection in waiting:
        connection.is_closed = True
    loop.run_until(1.0)
    assert waiting
    assert all(connection.begun_at is None for connection in waiting)


def test_new_connections_share_what_is_free(loop: FakeLoop, pace: ParsingPace) -> None:
    """A client that begins anew whenever it has to wait gains little."""
    began, parsed = loop.now, 0
    for n in range(2000):
        connection = FakeConnection(loop, pace, 2, COSTLY, f"address {n % 100}")
        pace.parse(connection)
        parsed += connection.parsed
        loop.run_until(max(loop.now, began + n / 400))
    assert (loop.now - began) * 0.5 > COSTLY * parsed


def test_a_client_that_sends_little_goes_before_a_hundred_that_begin_anew(
    loop: FakeLoop, pace: ParsingPace
) -> None:
    """Each of the hundred leaves when it has to wait, and comes again from the same address."""
    crowd = [FakeConnection(loop, pace, 3, COSTLY, f"address {n}") for n in range(100)]
    phone = FakeConnection(loop, pace, 0, 3 * CHEAP, "phone")
    waits = []
    for _ in range(200):
        for connection in crowd:
            pace.parse(connection)
        began = loop.now
        phone.ask()
        loop.run_until(loop.now + 0.5)
        assert phone.done_at is not None
        pace.refund(phone)
        waits.append(phone.done_at - began)
        crowd = [
            connection
            if connection.done_at is None
            else FakeConnection(loop, pace, 3, COSTLY, connection.address)
            for connection in crowd
        ]
    assert max(waits[10:]) < 3 * pacing.ROUND_DELAY_SECONDS  # since each of the crowd had a turn


def test_beginning_takes_its_share_of_the_time_and_no_more_where_others_wait(
    loop: FakeLoop, pace: ParsingPace
) -> None:
    loop.late = pacing.MAX_TURN_SECONDS * 2
    crowd = beginning(loop, pace, 4000, "a")
    loop.run_until(1.0)
    begun = sum(connection.begun_at is not None for connection in crowd)
    seconds = begun * (CHEAP + pacing.ESTIMATED_SECONDS_PER_REQUEST)
    assert seconds < pacing.BEGIN_BURST_SECONDS + pacing.BEGIN_SHARE + pacing.MAX_TURN_SECONDS
    assert seconds > pacing.BEGIN_SHARE / 4


def test_beginning_takes_what_time_there_is_where_nobody_waits(
    loop: FakeLoop, pace: ParsingPace
) -> None:
    """A request may cost the loop less than is assumed."""
    crowd = beginning(loop, pace, 2000, "a")
    loop.run_until(1.0)
    assert all(connection.done_at is not None for connection in crowd)


def test_requests_that_begin_take_nothing_from_the_share_of_costly_input(
    loop: FakeLoop, pace: ParsingPace
) -> None:
    beginning(loop, pace, 2000, "a")
    loop.run_until(5.0)
    phone = FakeConnection(loop, pace, 4, COSTLY, "b")
    pace.parse(phone)
    assert phone.done_at == loop.now

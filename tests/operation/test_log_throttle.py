"""Repeated log lines of a client are dropped and counted."""

from scorekeeper.operation.log_throttle import INTERVAL_SECONDS, MAX_ADDRESSES, LogThrottle


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_one_line_a_minute_is_admitted_with_the_number_of_dropped_lines() -> None:
    throttle = LogThrottle(clock := Clock())
    assert [throttle.admit("400", "a") for _ in range(5)] == [0, None, None, None, None]
    assert throttle.admit("400", "b") == 0
    assert throttle.admit("431", "a") == 0
    clock.now += INTERVAL_SECONDS
    assert throttle.admit("400", "a") == 4
    assert throttle.admit("400", "a") is None


def test_many_addresses_cause_few_lines_and_take_little_memory() -> None:
    throttle = LogThrottle(clock := Clock())
    admitted = [throttle.admit("400", f"address {n}") for n in range(10 * MAX_ADDRESSES)]
    assert admitted.count(0) == MAX_ADDRESSES + 1
    clock.now += INTERVAL_SECONDS
    assert throttle.admit("400", "another") == 9 * MAX_ADDRESSES - 1
    assert len(throttle._lines["400"]) == 1

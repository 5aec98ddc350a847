"""A client that causes log lines without end causes few of them."""

from scorekeeper.operation.log_throttle import MOST_ADDRESSES, SECONDS, LogThrottle


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_line_comes_once_a_minute_with_the_count_of_the_others() -> None:
    throttle = LogThrottle(clock := Clock())
    assert [throttle.admit("400", "a") for _ in range(5)] == [0, None, None, None, None]
    assert throttle.admit("400", "b") == 0
    assert throttle.admit("431", "a") == 0
    clock.now += SECONDS
    assert throttle.admit("400", "a") == 4
    assert throttle.admit("400", "a") is None


def test_many_addresses_cause_few_lines_and_take_little_memory() -> None:
    throttle = LogThrottle(clock := Clock())
    admitted = [throttle.admit("400", f"address {n}") for n in range(10 * MOST_ADDRESSES)]
    assert admitted.count(0) == MOST_ADDRESSES + 1
    clock.now += SECONDS
    assert throttle.admit("400", "another") == 9 * MOST_ADDRESSES - 1
    assert len(throttle._lines["400"]) == 1

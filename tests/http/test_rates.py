"""Rate limits: a burst, which is refilled over time."""

import pytest

from scorekeeper.base.errors import RateLimitError
from scorekeeper.http import rates
from scorekeeper.http.rates import Rates


class Clock:
    """A clock that tests set."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_burst_is_refilled_over_time(clock: Clock) -> None:
    counted = Rates(clock)
    assert [counted.hit("events", "mara", 60, 60) for _ in range(61)] == [0] * 60 + [1]
    clock.now += 1
    assert [counted.hit("events", "mara", 60, 60) for _ in range(2)] == [0, 1]
    clock.now += 30
    assert [counted.hit("events", "mara", 60, 60) for _ in range(31)] == [0] * 30 + [1]
    clock.now += 3600
    assert [counted.hit("events", "mara", 60, 60) for _ in range(61)] == [0] * 60 + [1]


def test_kinds_and_subjects_have_separate_limits(clock: Clock) -> None:
    counted = Rates(clock)
    places = [("events", "mara"), ("events", "leo"), ("imports", "mara")]
    assert [counted.hit(*place, 1, 60) for place in places] == [0, 0, 0]
    assert [counted.hit(*place, 1, 60) for place in places] == [60, 60, 60]


def test_refusal_costs_nothing_and_reports_the_exact_wait(clock: Clock) -> None:
    counted = Rates(clock)
    assert counted.hit("bytes", "here", 600, 60, 500) == 0
    for _ in range(5):
        assert counted.hit("bytes", "here", 600, 60, 300) == 20
    clock.now += 20
    assert counted.hit("bytes", "here", 600, 60, 300) == 0


def test_full_burst_allows_one_larger_request(clock: Clock) -> None:
    """Otherwise the entries of an offline evening could never arrive; the refill takes longer."""
    counted = Rates(clock)
    assert counted.hit("events", "mara", 60, 60, 180) == 0
    wait = counted.hit("events", "mara", 60, 60)
    assert wait == 121
    clock.now += wait
    assert counted.hit("events", "mara", 60, 60) == 0


def test_least_recently_active_subject_is_forgotten_first(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rates, "MAX_SUBJECTS", 2)
    counted = Rates(clock)
    for subject in ("mara", "leo", "mara", "nina"):
        counted.hit("events", subject, 2, 60)
    assert len(counted._spent) == 2
    assert counted.hit("events", "mara", 2, 60) == 30


def test_refusal_reports_the_wait(clock: Clock) -> None:
    counted = Rates(clock)
    counted.refuse("events", "mara", 1, 60)
    with pytest.raises(RateLimitError, match="more than 1 in 60 seconds") as caught:
        counted.refuse("events", "mara", 1, 60)
    assert caught.value.seconds == 60

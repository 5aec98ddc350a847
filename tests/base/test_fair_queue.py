"""The address that cost least has its turn first; all get the same where all ask for more."""

import random
from collections import Counter

import pytest

from scorekeeper.base import fair_queue
from scorekeeper.base.fair_queue import FairQueue

SLICE = 0.001  # seconds


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(clock: Clock) -> FairQueue[str]:
    return FairQueue(clock)


def serve(queue: FairQueue[str], seconds: float = SLICE) -> str:
    """Take the next item, which is the name of its address, and charge for it."""
    item = queue.take()
    assert item is not None
    queue.charge(item, seconds)
    return item


def test_address_that_cost_nothing_goes_before_all_that_did(queue: FairQueue[str]) -> None:
    for n in range(100):
        queue.put(f"busy {n}", f"busy {n}")
    for _ in range(250):  # each comes again at once
        item = serve(queue)
        queue.put(item, item)
    queue.put("quiet", "quiet")
    assert serve(queue) == "quiet"
    queue.put("quiet", "quiet")
    assert "quiet" in [serve(queue) for _ in range(101)]  # all are level now


def test_all_get_the_same_however_much_waits(queue: FairQueue[str]) -> None:
    for _ in range(1000):
        queue.put("many", "many")
    for _ in range(200):
        queue.put("few", "few")
    turns = [serve(queue) for _ in range(300)]
    assert 140 <= turns.count("few") <= 160


def test_cost_is_forgotten(queue: FairQueue[str], clock: Clock) -> None:
    queue.charge("costly", 1.0)
    queue.put("costly", "costly")
    queue.put("other", "other")
    assert [queue.take(), queue.take()] == ["other", "costly"]
    clock.now += 13 * fair_queue.HALF_LIFE_SECONDS
    queue.put("costly", "costly")
    queue.put("other", "other")
    assert [queue.take(), queue.take()] == ["costly", "other"]


def test_nothing_waits_for_ever(queue: FairQueue[str], clock: Clock) -> None:
    queue.charge("costly", 1.0)
    queue.put("costly", "costly")
    for n in range(1000):  # each of an address that is new
        queue.put("new", f"new {n}")
        clock.now += 0.1
        if queue.take() == "costly":
            break
    assert clock.now < 15 * fair_queue.HALF_LIFE_SECONDS


def test_address_that_is_known_to_cost_little_goes_before_one_that_is_not_known(
    queue: FairQueue[str],
) -> None:
    queue.charge("known", -1.0)
    queue.put("new", "new")
    queue.put("known", "known")
    assert queue.take() == "known"


def test_cost_is_taken_back(queue: FairQueue[str]) -> None:
    queue.charge("one", 1.0)
    queue.charge("one", -2.0)
    queue.charge("two", 0.001)
    queue.put("two", "two")
    queue.put("one", "one")
    assert queue.take() == "one"


def test_items_of_one_address_come_as_they_are_due(queue: FairQueue[str]) -> None:
    for due, item in ((2.0, "c"), (1.0, "a"), (1.0, "b")):
        queue.put("x", item, due)
    assert [queue.take() for _ in range(4)] == ["a", "b", "c", None]


def test_address_with_most_items_loses_the_last_one(queue: FairQueue[str]) -> None:
    for address, item in (("x", "1"), ("y", "2"), ("x", "3"), ("y", "4"), ("x", "5")):
        queue.put(address, item)
    assert queue.drop_one() == "5"
    queue.drop_one()
    queue.drop_one()
    queue.drop_one()
    assert len(queue) == 1
    assert queue.take() in {"1", "2"}
    assert queue.take() is None


def test_few_addresses_are_remembered(queue: FairQueue[str]) -> None:
    for n in range(3 * fair_queue.MAX_ADDRESSES_WITH_COST):
        queue.charge(f"address {n}", SLICE)
    assert len(queue._costs) <= fair_queue.MAX_ADDRESSES_WITH_COST


def test_item_that_is_dropped_is_of_an_address_with_most_items() -> None:
    """Also after others were taken and dropped, and addresses came again."""
    queue, waiting = FairQueue[str](lambda: 0.0), Counter[str]()
    chance = random.Random(7)  # noqa: S311
    for _ in range(5000):
        doing = chance.choice(["put", "put", "take", "drop"])
        if doing == "put" or not waiting:
            address = f"address {chance.randrange(20)}"
            queue.put(address, address)
            waiting[address] += 1
            continue
        address = serve(queue) if doing == "take" else queue.drop_one()
        assert doing == "take" or waiting[address] == max(waiting.values())
        waiting[address] -= 1
        waiting += Counter()  # forget those that have none
    assert len(queue) == waiting.total() > 0
    assert Counter(serve(queue) for _ in range(len(queue))) == waiting


def test_dropping_costs_little_however_many_wait(queue: FairQueue[str]) -> None:
    """Many addresses come and are dropped, while nothing is taken."""
    for n in range(20 * fair_queue.MAX_DROPPED_TURNS):
        queue.put(f"address {n}", "x")
        if n >= 100:
            queue.drop_one()
    assert len(queue) == 100
    assert len(queue._turns) <= 2 * fair_queue.MAX_DROPPED_TURNS

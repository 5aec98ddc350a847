"""Addresses share the helpers and the places to wait; tests of ``answers.answer_queue``."""

from typing import Final

import pytest

from scorekeeper.answers import answer_queue
from scorekeeper.answers.answer_queue import (
    LONG_LANE,
    SHORT_LANE,
    SHORT_LANE_SECONDS,
    AnswerQueue,
    PendingAnswer,
    RecentUse,
    Requester,
    WaitingRequest,
)
from scorekeeper.base.errors import BusyError

SECONDS: Final = 20.0  # that a request waits
LONG: Final = 10.0  # seconds of a long answer
ATTACKER: Final = "attacker"


class Queue(AnswerQueue):
    """A queue with eight places and a clock that stands still."""

    def __init__(self) -> None:
        self.now = 1000.0
        super().__init__(8, SECONDS, lambda: self.now)

    def ask(
        self, address: str, key: str, subject: str = ""
    ) -> tuple[PendingAnswer, WaitingRequest]:
        """Ask for an answer; by default, each is about another subject."""
        return self.join(key, Requester(address, subject or key))

    def complete(self, pending: PendingAnswer, seconds: float = 0.0) -> None:
        """Finish a running answer after some seconds, and let all its requests leave."""
        assert pending.runner
        self.now += seconds
        self.finish(pending, b"", None)
        for waiter in list(pending.waiters):
            self.leave(pending, waiter)

    @property
    def running(self) -> dict[int, str]:
        """The keys of the running answers by lane."""
        return {lane: str(pending.key) for lane, pending in sorted(self._running.items())}


@pytest.fixture
def queue() -> Queue:
    return Queue()


def test_one_address_has_one_lane_for_all_its_subjects(queue: Queue) -> None:
    for key in "abc":
        queue.ask(ATTACKER, key)
    assert queue.running == {LONG_LANE: "a"}


def test_other_address_is_served_while_one_asks_without_end(queue: Queue) -> None:
    first, _ = queue.ask(ATTACKER, "a")
    queue.ask(ATTACKER, "b")
    short, _ = queue.ask("phone", "c")
    assert queue.running == {LONG_LANE: "a", SHORT_LANE: "c"}
    queue.complete(short)
    queue.complete(first, LONG)
    assert queue.running == {LONG_LANE: "b"}


def test_address_that_used_little_lately_goes_first(queue: Queue) -> None:
    running = [queue.ask(address, address)[0] for address in ("first", "second")]
    queue.complete(running[0], LONG)
    queue.complete(running[1], LONG)
    running = [queue.ask(address, address)[0] for address in ("third", "fourth")]
    queue.ask("first", "of first")
    queue.ask("second", "of second")
    queue.ask("phone", "of phone")
    queue.complete(running[0])
    assert queue.running[LONG_LANE] == "of phone"
    queue.complete(running[1])
    assert queue.running[SHORT_LANE] == "of first"  # it used 10 seconds, the second one 20


def test_use_is_forgotten_in_time() -> None:
    now = [1000.0]
    use = RecentUse(lambda: now[0])
    use.charge("a", 8.0)
    now[0] += 2 * answer_queue.HALF_LIFE_SECONDS
    assert use.of("a") == pytest.approx(2.0)
    assert use.of("unknown") == 0.0


def test_uses_of_few_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_queue, "MAX_ADDRESSES_WITH_USE", 4)
    use = RecentUse(lambda: 0.0)
    for seconds in range(1, 6):
        use.charge(str(seconds), seconds)
    assert [use.of(str(seconds)) for seconds in range(1, 6)] == [0.0, 0.0, 0.0, 4.0, 5.0]


def test_long_answer_in_the_short_lane_gives_way_and_waits_for_the_long_one(queue: Queue) -> None:
    first, _ = queue.ask(ATTACKER, "a")
    second, waiter = queue.ask("accomplice", "b")
    assert not queue.must_give_way(second, LONG)  # no other address waits
    queue.ask("accomplice", "d")
    queue.ask(ATTACKER, "e")
    assert not queue.must_give_way(second, LONG)
    queue.ask("phone", "c")
    assert queue.must_give_way(second, LONG)
    assert not queue.must_give_way(second, SHORT_LANE_SECONDS / 2)
    assert not queue.must_give_way(first, LONG)
    queue.now += LONG
    queue.give_way(second)
    assert queue.running == {LONG_LANE: "a", SHORT_LANE: "c"}
    assert waiter.end == queue.now + SECONDS
    queue.complete(first)
    assert queue.running[LONG_LANE] == "b"


def test_answer_does_not_give_way_to_an_address_that_used_more(queue: Queue) -> None:
    first, _ = queue.ask("accomplice", "a")
    queue.complete(first, LONG)
    queue.ask(ATTACKER, "b")
    second, _ = queue.ask("phone", "c")
    queue.ask("accomplice", "d")
    assert not queue.must_give_way(second, LONG / 2)
    assert queue.must_give_way(second, LONG * 2)


def test_answer_for_several_addresses_is_begun_for_the_one_that_used_least(queue: Queue) -> None:
    queue.ask(ATTACKER, "a")
    shared, _ = queue.ask(ATTACKER, "shared")
    assert shared.runner is None
    same, waiter = queue.ask("phone", "shared")
    assert same is shared
    assert shared.runner is waiter


def test_answer_remains_pending_for_another_request_when_its_runner_leaves(queue: Queue) -> None:
    shared, first = queue.ask("phone", "shared")
    _, second = queue.ask("another", "shared")
    queue.leave(shared, first)
    assert shared.runner is second
    queue.leave(shared, second)
    assert queue.running == {}
    assert queue.ask("phone", "shared")[0] is not shared


def test_one_address_has_all_places_until_another_needs_one(queue: Queue) -> None:
    waiting = [queue.ask(ATTACKER, str(number))[1] for number in range(8)]
    with pytest.raises(BusyError):
        queue.ask(ATTACKER, "one more")
    phones = [queue.ask("phone", key)[1] for key in "abcd"]
    assert [waiter.is_refused for waiter in waiting] == [False] * 4 + [True] * 4
    with pytest.raises(BusyError):
        queue.ask("phone", "e")  # both have half
    queue.ask("another", "f")
    assert not phones[0].is_refused  # its answer is being computed
    with pytest.raises(BusyError):
        queue.ask(ATTACKER, "one more")


def test_eight_addresses_with_one_place_each_keep_it(queue: Queue) -> None:
    for number in range(8):
        queue.ask(f"phone {number}", str(number))
    with pytest.raises(BusyError):
        queue.ask("phone", "a")


def test_one_subject_has_half_of_the_places_for_an_address(queue: Queue) -> None:
    for number in range(4):
        queue.ask("hall", str(number), "a table")
    with pytest.raises(BusyError):
        queue.ask("hall", "4", "a table")
    queue.ask("hall", "5", "another table")
    queue.ask("phone", "6", "a table")  # another address has places of its own

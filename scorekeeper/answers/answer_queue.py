"""The order in which answers are computed, and which requests may wait for them.

The address that used the least computing lately is served first, with one answer at a time. There
are two lanes, each with a helper. The long lane computes any answer to its end. The short lane is
for another address while the long lane is in use. It interrupts an answer that takes long as soon
as a third address waits that used less, and the long lane computes that answer later, from its
start.

So an address that asks without end delays the others by a few seconds at most.
"""

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from math import exp2
from typing import Final, NamedTuple

from scorekeeper.base.errors import BusyError

LONG_LANE: Final = 0  # computes any answer to its end
SHORT_LANE: Final = 1  # interrupts long answers
LANES: Final = (LONG_LANE, SHORT_LANE)
SHORT_LANE_SECONDS: Final = 2.0  # of a processor, after which a long answer gives way
HALF_LIFE_SECONDS: Final = 60.0  # after which half of the use of an address is forgotten
MAX_ADDRESSES_WITH_USE: Final = 4096  # until the half that used least is forgotten

TOO_MANY: Final = "too many requests are waiting for a computation: try again"


class Requester(NamedTuple):
    """The address of a client, and the subject of its request: a session, a club or the address."""

    address: str
    subject: str


class WaitingRequest:
    """A request that waits for an answer; ``end`` is when it stops, by the clock of the queue."""

    def __init__(self, requester: Requester, end: float) -> None:
        self.requester = requester
        self.end = end
        self.is_refused = False  # because it lost its place to a request of another address

    @property
    def address(self) -> str:
        """The address of the client."""
        return self.requester.address


class PendingAnswer:
    """An answer that is to be computed, and the requests that wait for it."""

    def __init__(self, key: Hashable) -> None:
        self.key = key
        self.waiters: list[WaitingRequest] = []
        self.runner: WaitingRequest | None = None  # the one whose thread computes the answer
        self.lane = LONG_LANE  # in which the runner computes
        self.began = 0.0  # when the runner got its lane
        self.is_long = False  # it was interrupted in the short lane, and needs the other one
        self.is_done = False
        self._answer: bytes | None = None
        self._failure: BaseException | None = None

    def complete(self, answer: bytes | None, failure: BaseException | None) -> None:
        """Set the answer, or the error that its computation raised."""
        self.is_done, self._answer, self._failure = True, answer, failure

    def result(self) -> bytes:
        """Return the answer, or raise the error that its computation raised."""
        if self._failure is not None:
            raise self._failure
        assert self._answer is not None  # noqa: S101
        return self._answer


class AnswerQueue:
    """The pending answers. Every method must be called under the same lock.

    At most ``max_waiting`` requests wait, each for ``seconds`` until its answer is begun. At most
    half of the places are for requests of one address about one subject. If all are taken, the
    address with most of them loses one to an address with fewer.
    """

    def __init__(
        self, max_waiting: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._max_waiting = max_waiting
        self._seconds = seconds
        self._clock = clock
        self._pending: dict[Hashable, PendingAnswer] = {}
        self._running: dict[int, PendingAnswer] = {}  # by lane
        self.waiters: list[WaitingRequest] = []  # in the order in which they came
        self._use = RecentUse(clock)

    def join(self, key: Hashable, requester: Requester) -> tuple[PendingAnswer, WaitingRequest]:
        """Let a request wait for the answer with this key. Raises `BusyError` without a place."""
        waiter = WaitingRequest(requester, self._clock() + self._seconds)
        self._take_place(waiter)
        pending = self._pending.setdefault(key, PendingAnswer(key))
        pending.waiters.append(waiter)
        self._start_next()
        return pending, waiter

    def leave(self, pending: PendingAnswer, waiter: WaitingRequest) -> None:
        """Let a request wait no longer; if its thread computed the answer, another one may."""
        if pending.runner is waiter:
            self._stop(pending)
        pending.waiters.remove(waiter)
        if waiter in self.waiters:
            self.waiters.remove(waiter)
        if not pending.waiters and not pending.is_done:
            del self._pending[pending.key]
        self._start_next()

    def finish(
        self, pending: PendingAnswer, answer: bytes | None, failure: BaseException | None
    ) -> None:
        """Set the result of an answer for all requests that wait for it."""
        self._stop(pending)
        pending.complete(answer, failure)
        del self._pending[pending.key]
        self._start_next()

    def must_give_way(self, pending: PendingAnswer, seconds: float) -> bool:
        """Return whether a computation must stop after it used some processor ``seconds``.

        So it is if an address that used less than its own waits for the short lane.
        """
        if pending.lane != SHORT_LANE or seconds < SHORT_LANE_SECONDS or pending.runner is None:
            return False
        own_use = self._use.of(pending.runner.address) + seconds
        return any(self._rank(candidate) < own_use for candidate in self._candidates(SHORT_LANE))

    def give_way(self, pending: PendingAnswer) -> None:
        """Stop a computation, and let its requests wait for the lane of long answers."""
        self._stop(pending)
        pending.is_long = True
        for waiter in pending.waiters:
            waiter.end = self._clock() + self._seconds
        self._start_next()

    def _take_place(self, waiter: WaitingRequest) -> None:
        """Count a request as waiting, in place of one of a larger address if necessary."""
        of_requester = sum(other.requester == waiter.requester for other in self.waiters)
        if of_requester >= (self._max_waiting + 1) // 2:
            raise BusyError(TOO_MANY)
        if len(self.waiters) >= self._max_waiting:
            places = Counter(other.address for other in self.waiters)
            most = max(places.values())
            if places[waiter.address] + 1 >= most:
                raise BusyError(TOO_MANY)
            self._refuse_one(lambda address: places[address] == most)
        self.waiters.append(waiter)

    def _refuse_one(self, of_address: Callable[[str], bool]) -> None:
        """Refuse the last request of such an address whose thread does not compute."""
        runners = {pending.runner for pending in self._running.values()}
        refused = next(
            waiter
            for waiter in reversed(self.waiters)
            if of_address(waiter.address) and waiter not in runners
        )
        refused.is_refused = True
        self.waiters.remove(refused)

    def _start_next(self) -> None:
        """Give each free lane to the waiting request whose address used least lately."""
        for lane in LANES:
            if lane not in self._running:
                chosen = min(self._candidates(lane), key=self._rank, default=None)
                if chosen is not None:
                    pending, waiter = chosen
                    pending.runner = waiter
                    pending.lane, pending.began = lane, self._clock()
                    self._running[lane] = pending

    def _candidates(self, lane: int) -> Iterator[tuple[PendingAnswer, WaitingRequest]]:
        """Yield the answers that may be begun in a lane, each with a request for it."""
        served = {pending.runner.address for pending in self._running.values() if pending.runner}
        for pending in self._pending.values():
            if pending.runner is None and (lane == LONG_LANE or not pending.is_long):
                for waiter in pending.waiters:
                    if waiter.address not in served and not waiter.is_refused:
                        yield pending, waiter

    def _rank(self, candidate: tuple[PendingAnswer, WaitingRequest]) -> float:
        """Return the recent use of the address of a candidate."""
        return self._use.of(candidate[1].address)

    def _stop(self, pending: PendingAnswer) -> None:
        """End a computation, and charge the address for which it ran."""
        if pending.runner is not None:
            self._use.charge(pending.runner.address, self._clock() - pending.began)
            pending.runner = None
            del self._running[pending.lane]


class RecentUse:
    """The seconds that each address used lately; old ones are forgotten by halves."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._used: dict[str, tuple[float, float]] = {}  # seconds, and when they were correct

    def of(self, address: str) -> float:
        """Return what is left of the seconds that an address used."""
        seconds, at = self._used.get(address, (0.0, 0.0))
        return seconds * exp2((at - self._clock()) / HALF_LIFE_SECONDS)

    def charge(self, address: str, seconds: float) -> None:
        """Add seconds to those of an address."""
        self._used[address] = (self.of(address) + seconds, self._clock())
        if len(self._used) > MAX_ADDRESSES_WITH_USE:
            largest = sorted(self._used, key=self.of)[-MAX_ADDRESSES_WITH_USE // 2 :]
            self._used = {address: self._used[address] for address in largest}

"""Subscribers of a session are notified of every change, late at worst."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping

import pytest

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.live import notifier as notifying
from scorekeeper.live.notifier import Notifier
from scorekeeper.store import MemoryStore, Store
from scorekeeper.store.contract import Position
from tests.store.asking import append, note, opened
from tests.store.homes import Home

TIMEOUT_SECONDS = 5.0  # generous, for a machine under load
SUBSCRIBERS = 20


@pytest.fixture(autouse=True)
def short_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifying, "STOP_CHECK_SECONDS", 0.1)
    monkeypatch.setattr(notifying, "LISTEN_RETRY_SECONDS", 0.02)


@pytest.fixture
def notifier(home: Home) -> Iterator[Notifier]:
    notifier = Notifier(home.open())
    yield notifier
    notifier.close()


class Subscriber:
    """A subscriber that counts how often it was woken."""

    def __init__(self, notifier: Notifier, session_id: str) -> None:
        self._notifier, self._session = notifier, session_id
        self.wakes = 0
        notifier.subscribe(session_id, self.wake)
        # The thread may report this position; so make it known, and count from now on.
        notifier.notify(session_id, notifier._store.position(session_id))
        self.wakes = 0

    def wake(self) -> None:
        self.wakes += 1

    def unsubscribe(self) -> None:
        self._notifier.unsubscribe(self._session, self.wake)


def wait_for_thread(notifier: Notifier) -> None:
    """Wait until the thread listens to the store."""
    began = notifier._last_beat
    until(lambda: notifier._last_beat > began)


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)


def test_all_subscribers_of_a_changed_session_are_woken(home: Home, notifier: Notifier) -> None:
    writer = home.open()  # as in another process
    new, other = opened(writer), opened(writer)
    subscribers = [Subscriber(notifier, new.id) for _ in range(SUBSCRIBERS)]
    of_other = Subscriber(notifier, other.id)
    wait_for_thread(notifier)
    append(writer, new.id, 1, [note()], "keeper")
    until(lambda: all(subscriber.wakes for subscriber in subscribers))
    assert not of_other.wakes
    append(writer, other.id, 1, [note()], "keeper")
    until(lambda: of_other.wakes > 0)
    for subscriber in (*subscribers, of_other):
        subscriber.unsubscribe()
    assert notifier._topics == {}


def test_last_of_many_quick_changes_is_notified(home: Home, notifier: Notifier) -> None:
    writer = home.open()
    session_id = opened(writer).id
    subscriber = Subscriber(notifier, session_id)
    wait_for_thread(notifier)
    for version in range(1, 40):
        append(writer, session_id, version, [note()], "keeper")
    until(lambda: notifier._topics[session_id].position == writer.position(session_id))
    assert 1 <= subscriber.wakes <= 39


def test_subscriber_is_not_woken_without_a_change(home: Home, notifier: Notifier) -> None:
    subscriber = Subscriber(notifier, opened(home.open()).id)
    time.sleep(0.15)
    assert not subscriber.wakes
    subscriber.unsubscribe()


def test_own_write_wakes_a_subscriber_only_the_first_time() -> None:
    notifier = Notifier(SilentStore())
    session_id = opened(notifier._store).id
    subscriber = Subscriber(notifier, session_id)
    notifier.notify(session_id, Position(3, "c"))
    assert subscriber.wakes == 1
    notifier.notify(session_id, Position(2, "b"))  # a late notification
    notifier.notify(session_id, Position(3, "c"))
    assert subscriber.wakes == 1
    notifier.notify("a session without subscribers", Position(3, "c"))
    subscriber.unsubscribe()
    notifier.notify(session_id, Position(4, "d"))
    assert subscriber.wakes == 1
    notifier.close()


def test_all_subscribers_are_woken_when_the_notifier_stops(home: Home, notifier: Notifier) -> None:
    session_id = opened(home.open()).id
    subscribers = [Subscriber(notifier, session_id) for _ in range(3)]
    notifier.stop()
    until(lambda: all(subscriber.wakes for subscriber in subscribers))
    assert notifier.stopped
    assert notifier.is_healthy


# ---------------------------------------------------------------------------------- failures


class SilentWatch:
    """A watch that reports no change, and raises the failures of its store."""

    def __init__(self, store: "SilentStore") -> None:
        self._store = store

    def wait(self, timeout: float, watched: Callable[[], Iterable[str]]) -> Mapping[str, Position]:
        if self._store.failures:
            raise self._store.failures.pop(0)
        time.sleep(0.01)
        return {}

    def close(self) -> None:
        pass


class SilentStore(MemoryStore):
    """A store whose watches report no change."""

    def __init__(self, *failures: BaseException) -> None:
        super().__init__()
        self.failures = list(failures)
        self.watches = 0

    def watch(self) -> SilentWatch:
        self.watches += 1
        return SilentWatch(self)


@pytest.mark.parametrize(
    "failure", [StorageUnavailableError("gone"), RuntimeError("a bug"), StorageUnavailableError("")]
)
def test_changes_during_a_failure_are_notified_when_listening_restarts(failure: Exception) -> None:
    store = SilentStore()
    notifier = Notifier(store)
    session_id = opened(store).id
    subscriber = Subscriber(notifier, session_id)
    wait_for_thread(notifier)
    append(store, session_id, 1, [note()], "keeper")  # not reported by the watch
    time.sleep(0.05)
    assert not subscriber.wakes
    store.failures.append(failure)
    until(lambda: subscriber.wakes == 1)
    assert store.watches == 2
    assert notifier.is_healthy
    notifier.close()


class FatalError(BaseException):
    """Ends a thread, because the thread does not catch it."""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_dead_thread_is_reported_and_replaced() -> None:
    store = SilentStore(FatalError())
    notifier = Notifier(store)
    session_id = opened(store).id
    Subscriber(notifier, session_id)
    until(lambda: not notifier.is_healthy)
    Subscriber(notifier, session_id)
    until(lambda: store.watches == 2)
    assert notifier.is_healthy
    notifier.close()


def test_stalled_thread_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifying, "STALL_SECONDS", 0.05)
    unblocked = threading.Event()

    class BlockedStore(SilentStore):
        def watch(self) -> SilentWatch:
            unblocked.wait(TIMEOUT_SECONDS)
            return super().watch()

    notifier = Notifier(BlockedStore())
    session_id = opened(notifier._store).id
    assert notifier.is_healthy
    Subscriber(notifier, session_id)
    until(lambda: not notifier.is_healthy)
    unblocked.set()
    until(lambda: notifier.is_healthy)
    notifier.close()


def test_thread_is_not_started_before_the_first_subscription(home: Home) -> None:
    store: Store = home.open()
    notifier = Notifier(store)
    assert notifier._thread is None
    assert notifier.is_healthy
    notifier.close()

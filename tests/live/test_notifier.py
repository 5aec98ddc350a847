"""Who watches a session is told that it changed: late at worst, and never not at all."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping

import pytest

from scorekeeper.base.errors import StorageUnavailable
from scorekeeper.live import notifier as notifying
from scorekeeper.live.notifier import Notifier
from scorekeeper.store import MemoryStore, Store
from scorekeeper.store.contract import Position
from tests.store.asking import append, note, opened
from tests.store.homes import Home

SOON = 5.0  # seconds, for a machine that has much else to do
WATCHERS = 20


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifying, "BREATH", 0.1)
    monkeypatch.setattr(notifying, "AGAIN", 0.02)


@pytest.fixture
def notifier(home: Home) -> Iterator[Notifier]:
    notifier = Notifier(home.open())
    yield notifier
    notifier.close()


class Ear:
    """Somebody who follows, and how often he was woken."""

    def __init__(self, notifier: Notifier, session_id: str) -> None:
        self._notifier, self._session = notifier, session_id
        self.woken = 0
        notifier.follow(session_id, self.wake)
        notifier.tell(
            session_id, notifier._store.position(session_id)
        )  # which it may hear of anyway
        self.woken = 0

    def wake(self) -> None:
        self.woken += 1

    def leave(self) -> None:
        self._notifier.leave(self._session, self.wake)


def listens(notifier: Notifier) -> None:
    """Wait until its thread listens to the store."""
    began = notifier._beat
    until(lambda: notifier._beat > began)


def until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.002)


def test_everybody_who_watches_is_told(home: Home, notifier: Notifier) -> None:
    writer = home.open()  # as another process has one
    new, other = opened(writer), opened(writer)
    ears = [Ear(notifier, new.id) for _ in range(WATCHERS)]
    elsewhere = Ear(notifier, other.id)
    listens(notifier)
    append(writer, new.id, 1, [note()], "keeper")
    until(lambda: all(ear.woken for ear in ears))
    assert not elsewhere.woken
    append(writer, other.id, 1, [note()], "keeper")
    until(lambda: elsewhere.woken > 0)
    for ear in (*ears, elsewhere):
        ear.leave()
    assert notifier._topics == {}


def test_after_each_of_many_changes_the_last_one_is_told(home: Home, notifier: Notifier) -> None:
    writer = home.open()
    session_id = opened(writer).id
    ear = Ear(notifier, session_id)
    listens(notifier)
    for version in range(1, 40):
        append(writer, session_id, version, [note()], "keeper")
    until(lambda: notifier._topics[session_id].position == writer.position(session_id))
    assert 1 <= ear.woken <= 39


def test_nobody_is_woken_where_nothing_changes(home: Home, notifier: Notifier) -> None:
    ear = Ear(notifier, opened(home.open()).id)
    time.sleep(0.15)
    assert not ear.woken
    ear.leave()


def test_what_this_process_writes_can_be_told_at_once() -> None:
    notifier = Notifier(Deaf())
    session_id = opened(notifier._store).id
    ear = Ear(notifier, session_id)
    notifier.tell(session_id, Position(3, "c"))
    assert ear.woken == 1
    notifier.tell(session_id, Position(2, "b"))  # late news
    notifier.tell(session_id, Position(3, "c"))
    assert ear.woken == 1
    notifier.tell("nobody watches it", Position(3, "c"))
    ear.leave()
    notifier.tell(session_id, Position(4, "d"))
    assert ear.woken == 1
    notifier.close()


def test_everybody_is_let_go_at_the_end(home: Home, notifier: Notifier) -> None:
    session_id = opened(home.open()).id
    ears = [Ear(notifier, session_id) for _ in range(3)]
    notifier.stop()
    until(lambda: all(ear.woken for ear in ears))
    assert notifier.stopped
    assert notifier.well


# ----------------------------------------------------------------------------------- trouble


class Silence:
    """Hears nothing, and now and then fails."""

    def __init__(self, store: "Deaf") -> None:
        self._store = store

    def wait(self, timeout: float, watched: Callable[[], Iterable[str]]) -> Mapping[str, Position]:
        if self._store.failures:
            raise self._store.failures.pop(0)
        time.sleep(0.01)
        return {}

    def close(self) -> None:
        pass


class Deaf(MemoryStore):
    """A store that nothing is heard of."""

    def __init__(self, *failures: BaseException) -> None:
        super().__init__()
        self.failures = list(failures)
        self.begun = 0

    def watch(self) -> Silence:
        self.begun += 1
        return Silence(self)


@pytest.mark.parametrize(
    "failure", [StorageUnavailable("gone"), RuntimeError("a bug"), StorageUnavailable("")]
)
def test_listening_that_failed_is_begun_again_with_a_look(failure: Exception) -> None:
    store = Deaf()
    notifier = Notifier(store)
    session_id = opened(store).id
    ear = Ear(notifier, session_id)
    listens(notifier)
    append(store, session_id, 1, [note()], "keeper")  # which nobody hears
    time.sleep(0.05)
    assert not ear.woken
    store.failures.append(failure)
    until(lambda: ear.woken == 1)
    assert store.begun == 2
    assert notifier.well
    notifier.close()


class Death(BaseException):
    """Ends a thread without a word."""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_died_is_noticed_and_started_again() -> None:
    store = Deaf(Death())
    notifier = Notifier(store)
    session_id = opened(store).id
    Ear(notifier, session_id)
    until(lambda: not notifier.well)
    Ear(notifier, session_id)
    until(lambda: store.begun == 2)
    assert notifier.well
    notifier.close()


def test_a_thread_that_hangs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifying, "LATE", 0.05)
    hanging = threading.Event()

    class Hangs(Deaf):
        def watch(self) -> Silence:
            hanging.wait(SOON)
            return super().watch()

    notifier = Notifier(Hangs())
    session_id = opened(notifier._store).id
    assert notifier.well
    Ear(notifier, session_id)
    until(lambda: not notifier.well)
    hanging.set()
    until(lambda: notifier.well)
    notifier.close()


def test_nothing_is_started_before_it_is_needed(home: Home) -> None:
    store: Store = home.open()
    notifier = Notifier(store)
    assert notifier._thread is None
    assert notifier.well
    notifier.close()

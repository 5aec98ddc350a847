"""Who watches a session is told that it changed: late at worst, and never not at all."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from scorekeeper.base.errors import StorageUnavailable, UnknownSession
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


def watching(notifier: Notifier, session: str, since: int, many: int = 1) -> list[Future[object]]:
    """Some who wait, all of them at it already."""
    pool = ThreadPoolExecutor(many)
    futures: list[Future[object]] = [
        pool.submit(notifier.changes, session, since, SOON) for _ in range(many)
    ]
    until(lambda: watchers_of(notifier, session) == many)
    time.sleep(0.05)  # for the look that everybody takes for himself
    pool.shutdown(wait=False)
    return futures


def watchers_of(notifier: Notifier, session: str) -> int:
    topic = notifier._topics.get(session)
    return topic.watchers if topic else 0


def until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.002)


def test_everybody_who_watches_is_told(home: Home, notifier: Notifier) -> None:
    writer = home.open()  # as another process has one
    new, other = opened(writer), opened(writer)
    futures = watching(notifier, new.id, 1, WATCHERS)
    elsewhere = watching(notifier, other.id, 1)
    told = append(writer, new.id, 1, [note()], "keeper")
    for future in futures:
        assert future.result(SOON) == writer.position(new.id)
    assert told.version == 2
    assert not elsewhere[0].done()
    append(writer, other.id, 1, [note()], "keeper")
    assert elsewhere[0].result(SOON) == writer.position(other.id)
    assert notifier._topics == {}


def test_each_of_many_changes_is_seen_in_the_end(home: Home, notifier: Notifier) -> None:
    writer = home.open()
    session = opened(writer).id
    seen = [1]

    def follow() -> None:
        while seen[-1] < 40:
            position = notifier.changes(session, seen[-1], SOON)
            assert position is not None
            seen.append(position.version)

    with ThreadPoolExecutor(1) as pool:
        following = pool.submit(follow)
        for version in range(1, 40):
            append(writer, session, version, [note()], "keeper")
    following.result()
    assert seen == sorted(set(seen))


def test_what_changed_before_is_told_at_once(home: Home, notifier: Notifier) -> None:
    store = home.open()
    new = opened(store)
    assert notifier.changes(new.id, 0, SOON) == (1, new.head)
    assert notifier.changes(new.id, 7, SOON) == (1, new.head)  # after something was restored


def test_nothing_is_told_where_nothing_changes(home: Home, notifier: Notifier) -> None:
    session = opened(home.open()).id
    began = time.monotonic()
    assert notifier.changes(session, 1, 0.15) is None
    assert 0.14 < time.monotonic() - began < SOON
    with pytest.raises(UnknownSession):
        notifier.changes("23456789abcd", 1, 0.1)
    assert notifier._topics == {}


def test_what_this_process_writes_can_be_told_at_once() -> None:
    notifier = Notifier(Deaf())
    session = opened(notifier._store).id
    (future,) = watching(notifier, session, 1)
    notifier.tell(session, Position(3, "c"))
    notifier.tell(session, Position(2, "b"))  # late news, which must not hide the newer
    assert future.result(SOON) == (3, "c")
    notifier.tell("nobody watches it", Position(3, "c"))
    notifier.close()


def test_everybody_is_let_go_at_the_end(home: Home, notifier: Notifier) -> None:
    session = opened(home.open()).id
    futures = watching(notifier, session, 1, 3)
    notifier.stop()
    for future in futures:
        assert future.result(SOON) is None
    assert notifier.changes(session, 1, SOON) is None
    assert notifier.well


# ----------------------------------------------------------------------------------- trouble


class Ear:
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

    def watch(self) -> Ear:
        self.begun += 1
        return Ear(self)


@pytest.mark.parametrize(
    "failure", [StorageUnavailable("gone"), RuntimeError("a bug"), StorageUnavailable("")]
)
def test_listening_that_failed_is_begun_again_with_a_look(failure: Exception) -> None:
    store = Deaf()
    notifier = Notifier(store)
    session = opened(store).id
    (future,) = watching(notifier, session, 1)
    append(store, session, 1, [note()], "keeper")  # which nobody hears
    time.sleep(0.05)
    assert not future.done()
    store.failures.append(failure)
    assert future.result(SOON) == store.position(session)
    assert store.begun == 2
    assert notifier.well
    notifier.close()


class Death(BaseException):
    """Ends a thread without a word."""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_died_is_noticed_and_started_again() -> None:
    store = Deaf(Death())
    notifier = Notifier(store)
    session = opened(store).id
    assert notifier.changes(session, 1, 0.1) is None
    until(lambda: not notifier.well)
    assert notifier.changes(session, 1, 0.1) is None
    until(lambda: store.begun == 2)
    assert notifier.well
    notifier.close()


def test_a_thread_that_hangs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifying, "LATE", 0.05)
    hanging = threading.Event()

    class Hangs(Deaf):
        def watch(self) -> Ear:
            hanging.wait(SOON)
            return super().watch()

    notifier = Notifier(Hangs())
    session = opened(notifier._store).id
    assert notifier.well
    with ThreadPoolExecutor(1) as pool:
        pool.submit(notifier.changes, session, 1, 0.3)
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

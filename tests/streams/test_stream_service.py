"""The service of a small kind of stream: a list of words that refuses repeated ones.

Tests of ``streams.folded`` and ``streams.stream_cache``, too.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from scorekeeper.base.errors import (
    KeyReusedError,
    LastKeyError,
    MissingKeyError,
    SessionFullError,
    StaleVersionError,
    StorageUnavailableError,
    UnknownKeyError,
    UnknownSessionError,
    UnusableError,
)
from scorekeeper.base.pacing import WaitLimits
from scorekeeper.log import canonical
from scorekeeper.store import (
    Answer,
    KeyRequest,
    MemoryStore,
    Opened,
    Position,
    Store,
    StoredLine,
    sealed,
)
from scorekeeper.streams.folded import FoldedStream
from scorekeeper.streams.holder import Holder
from scorekeeper.streams.requests import NewEvent, Recorded, StreamAppend
from scorekeeper.streams.room import LogCapacity
from scorekeeper.streams.stream_cache import MIN_STREAMS, StreamCache
from scorekeeper.streams.stream_service import StreamService, Validated, allow_all
from tests.evenings import AT

HOST, LEO = Holder("host"), Holder("seat", "leo")
CAPACITY = LogCapacity(events=8, bytes=10**6)


class Words(FoldedStream):
    """The words on record, and their authors."""

    def forget(self) -> None:
        super().forget()
        self.words: list[str] = []
        self.authors: list[str] = []
        self.head = ""
        self._tried_from = 0, ""

    @property
    def position(self) -> Position:
        return Position(len(self.words), self.head)

    @property
    def weight(self) -> int:
        return len(self.words)

    def refresh(self) -> None:
        for line in self._store.read(self.id, len(self.words)).lines:
            event = canonical.decode(line)
            self._place(event)
            self.count(event["by"], len(line))

    def begin_trial(self) -> None:
        self._tried_from = len(self.words), self.head

    def end_trial(self, *, take_back: bool) -> None:
        if take_back:
            count, self.head = self._tried_from
            del self.words[count:], self.authors[count:]

    def add(self, line: StoredLine) -> None:
        event = canonical.decode(line.line)
        if event["data"]["word"] in self.words:
            raise UnusableError("a repeated word")
        self._place(event)
        self.count_ahead(event["by"], len(line.line))

    def _place(self, event: dict[str, Any]) -> None:
        self.words.append(event["data"]["word"])
        self.authors.append(event["by"])
        self.head = event["hash"]


class WordService(StreamService[Words, StreamAppend]):
    """Declares no more than a kind has to."""

    def __init__(self, store: Store) -> None:
        limits = WaitLimits()
        cache = StreamCache(lambda id_: Words(id_, store, limits), max_weight=6)
        self.notices: list[tuple[str, int]] = []
        super().__init__(store, cache, limits, self._remember, allow_all, CAPACITY, lambda: AT)

    def record(self, id_: str, asked: StreamAppend, holder: Holder) -> tuple[Recorded, list[str]]:
        return self._record_under_lock(
            id_,
            asked,
            holder,
            lambda words: self._validate(words, asked, holder),
            lambda words: list(words.words),
        )

    def words(self, id_: str) -> list[str]:
        with self._cache.fresh(id_) as words:
            return list(words.words)

    def _validate(self, words: Words, asked: StreamAppend, holder: Holder) -> Validated:
        lines = sealed(
            words.position, [(new.type, new.data) for new in asked.events], AT, holder.by
        )
        for line in lines:
            words.add(line)
        self._room.refuse(lines[-1].seq, words.size, {"word"}, words.share_of(holder))
        return Validated(lines, Answer(201, b"%d" % lines[-1].seq))

    def _recorded(self, folded: Words, version: int, holder: Holder) -> bool:
        return folded.authors[version - 1] == holder.by

    def _refuse_unknown_player(self, id_: str, player: str) -> None:
        if player != "leo":
            raise UnusableError("no such player", field="player")

    def _remember(self, id_: str, position: Position) -> None:
        self.notices.append((id_, position.version))


def append(version: int, *words: str, key: str | None = None) -> StreamAppend:
    events = tuple(NewEvent("word", {"word": word}) for word in words)
    return StreamAppend(version, events, key, bytes(32) if key else b"")


def opened(store: Store) -> Opened:
    return store.open_session([("word", {"word": "first"})], "keeper", [KeyRequest("host")])


@pytest.fixture
def service() -> WordService:
    return WordService(MemoryStore())


@pytest.fixture
def id_(service: WordService) -> str:
    return opened(service.store).id


def test_events_are_recorded_and_the_clients_notified(service: WordService, id_: str) -> None:
    recorded, seen = service.record(id_, append(1, "two", "three"), HOST)
    assert (recorded.version, recorded.answer.body, seen) == (3, b"3", ["first", "two", "three"])
    assert service.notices == [(id_, 3)]
    assert service.words(id_) == WordService(service.store).words(id_) == seen


def test_refused_events_are_taken_back_with_their_size(service: WordService, id_: str) -> None:
    service.words(id_)
    with service._cache.fresh(id_) as words:
        before = words.position, words.size, words.usage.of("keeper")
    with pytest.raises(UnusableError):
        service.record(id_, append(1, "two", "first"), HOST)
    with service._cache.held(id_) as words:
        assert (words.position, words.size, words.usage.of("keeper")) == before
        assert (words.words, words.ahead) == (["first"], 0)
    assert service.notices == []


def test_append_for_another_version_is_refused(service: WordService, id_: str) -> None:
    for version in (0, 2):
        with pytest.raises(StaleVersionError):
            service.record(id_, append(version, "two"), HOST)


def test_the_same_request_six_times_at_once_is_recorded_once(
    service: WordService, id_: str
) -> None:
    with ThreadPoolExecutor(6) as pool:
        answers = set(
            pool.map(
                lambda _: service.record(id_, append(1, "two", key="k"), HOST)[0].answer, range(6)
            )
        )
    assert answers == {Answer(201, b"2")}
    assert service.words(id_) == ["first", "two"]


def test_repetition_by_another_client_is_refused(service: WordService, id_: str) -> None:
    service.record(id_, append(1, "two", key="k"), HOST)
    with pytest.raises(KeyReusedError):
        service.record(id_, append(1, "two", key="k"), LEO)


def test_repetition_with_a_revoked_key_is_refused(service: WordService, id_: str) -> None:
    new = service.add_key(id_, KeyRequest("seat", "leo"))
    holder = Holder("seat", "leo", new.key)
    service.record(id_, append(1, "two", key="k"), holder)
    service.revoke_key(id_, new.key.id, ends_code=False)
    with pytest.raises(MissingKeyError):
        service.record(id_, append(1, "two", key="k"), holder)


def test_stream_is_read_again_after_the_store_failed(
    service: WordService, id_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise StorageUnavailableError("no", unknown=True)

    with monkeypatch.context() as broken:
        broken.setattr(service.store, "append", fail)
        with pytest.raises(StorageUnavailableError):
            service.record(id_, append(1, "two"), HOST)
    assert service.words(id_) == ["first"]


def test_error_of_the_program_drops_the_stream(service: WordService, id_: str) -> None:
    with pytest.raises(KeyError):
        service.record(id_, StreamAppend(1, (NewEvent("word", {}),)), HOST)
    with service._cache.held(id_) as words:
        assert words.words == []
    assert service.words(id_) == ["first"]


def test_full_stream_is_refused(service: WordService, id_: str) -> None:
    with pytest.raises(SessionFullError):
        service.record(id_, append(1, *"abcdefgh"), HOST)
    with pytest.raises(SessionFullError):  # four fifths of what others leave
        service.record(id_, append(1, *"abcdefg"), LEO)
    assert service.record(id_, append(1, *"abcdefg"), HOST)[0].version == 8


def test_unknown_streams_are_refused_and_not_cached(service: WordService) -> None:
    with pytest.raises(UnknownSessionError):
        service.words("nowhere")
    assert service._cache.find("nowhere") is None


def test_streams_above_the_weight_are_evicted_the_oldest_first(service: WordService) -> None:
    ids = [opened(service.store).id for _ in range(MIN_STREAMS + 4)]
    for id_ in ids:
        service.words(id_)
    assert [service._cache.find(id_) is None for id_ in ids] == [True] * 2 + [False] * 6
    service.record(ids[-1], append(1, "two", "three"), HOST)
    assert [service._cache.find(id_) is None for id_ in ids] == [True] * 4 + [False] * 4


def test_keys_are_made_for_known_players_and_revoked(service: WordService, id_: str) -> None:
    with pytest.raises(UnusableError):
        service.add_key(id_, KeyRequest("seat", "zoe"))
    new = service.add_key(id_, KeyRequest("seat", "leo"))
    service.revoke_key(id_, new.key.id, ends_code=False)
    with pytest.raises(UnknownKeyError):
        service.revoke_key(id_, "unknown", ends_code=False)
    host = next(key for key in service.store.keys(id_) if key.role == "host")
    with pytest.raises(LastKeyError):
        service.revoke_key(id_, host.id, ends_code=False)

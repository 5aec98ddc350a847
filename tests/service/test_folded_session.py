"""Cached sessions: refresh, rollback of refused events, and eviction.

Tests of ``streams.folded`` and ``streams.stream_cache``, too.
"""

from collections.abc import Iterable
from io import BytesIO

import pytest

from scorekeeper.base import pacing
from scorekeeper.base.errors import (
    BusyError,
    IrregularError,
    ScorekeeperError,
    StaleVersionError,
    StorageUnavailableError,
    UnknownSessionError,
    UnusableError,
)
from scorekeeper.events.event import Entry
from scorekeeper.log import codec
from scorekeeper.log.reading import RawEvent
from scorekeeper.log.writing import sealed_lines
from scorekeeper.service import AppendRequest, Holder, NewEvent, Service, folded_session
from scorekeeper.service.folded_session import MAX_EVENTS, FoldedSession
from scorekeeper.session.matches import AwaitedHands
from scorekeeper.session.session import Session
from scorekeeper.store import MemoryStore, Store, StoredLine, Stream, sealed
from scorekeeper.streams.stream_cache import MIN_STREAMS, StreamCache
from tests.evenings import AT, Raw, event, opening
from tests.service.evenings import folded, stored

NOTE = event("note_added", text="Coffee.")
OPENED = opening("mara", "leo")
HIDING = (
    OPENED,
    event("match_started", game="picchetto", seats=["mara", "leo"]),
    event("hand_started", dealer="leo"),
    event("cards_exchanged", player="mara", count=2, discarded=["7S", "8S"]),
)


def add(cached: FoldedSession, raw: Raw) -> StoredLine:
    """Add an event that is not in the store yet, and return its line."""
    (line,) = sealed(cached.position, [(raw["type"], raw["data"])], AT, "keeper")
    types = cached.session.game.by_type if cached.session.game else codec.COMMON_TYPES
    entry = Entry(line.seq, codec.decode(raw["type"], raw["data"], types), AT, "keeper", line.hash)
    cached.add(entry, line.line)
    return line


def test_refresh_reads_up_to_the_end_of_the_session() -> None:
    cached = folded(OPENED)
    store = cached._store
    assert cached.position == store.position(cached.id)
    line = sealed(cached.position, [(NOTE["type"], NOTE["data"])], AT, "keeper")
    store.append(cached.id, cached.position, line)
    cached.all.made["report"] = b"old"
    assert cached.session.events == 1
    cached.refresh()
    assert (cached.session.events, cached.position.head) == (2, line[0].hash)
    assert cached.all.made == {}
    assert cached.size == sum(len(raw) + 1 for raw in store.read(cached.id).lines)


def test_refresh_reads_only_new_events(monkeypatch: pytest.MonkeyPatch) -> None:
    cached = folded(*HIDING)
    store, read = cached._store, cached._store.read
    first_seqs: list[int] = []

    def recording_read(session_id: str, after: int = 0) -> Stream:
        first_seqs.append(after)
        return read(session_id, after)

    line = sealed(cached.position, [(NOTE["type"], NOTE["data"])], AT, "keeper")
    store.append(cached.id, cached.position, line)
    monkeypatch.setattr(store, "read", recording_read)
    cached.refresh()
    assert first_seqs == [len(HIDING)]
    assert cached.session.events == len(HIDING) + 1


def test_refused_event_is_rolled_back() -> None:
    cached = folded(OPENED)
    position, size = cached.position, cached.size
    cached.all.made["report"] = b"kept"

    def refuse() -> None:
        with cached.trial():
            add(cached, NOTE)
            assert (cached.ahead, cached.session.events) == (1, 2)
            assert cached.size > size
            raise UnusableError("no")

    with pytest.raises(UnusableError):
        refuse()
    assert (cached.position, cached.size, cached.ahead) == (position, size, 0)
    assert cached.all.made == {"report": b"kept"}


@pytest.mark.parametrize(
    ("refused", "events"),
    [(StaleVersionError(1, 2, "0" * 64), 2), (UnusableError("no"), 1)],
)
def test_only_a_stale_version_adds_the_events_of_others(
    refused: ScorekeeperError, events: int
) -> None:
    cached = folded(OPENED)
    line = sealed(cached.position, [(NOTE["type"], NOTE["data"])], AT, "keeper")
    cached._store.append(cached.id, cached.position, line)

    def refuse() -> None:
        with cached.trial():
            raise refused

    with pytest.raises(type(refused)):
        refuse()
    assert cached.session.events == events


def test_unexpected_error_makes_the_cache_read_all_events_again() -> None:
    cached = folded(OPENED)

    def fail() -> None:
        with cached.trial():
            add(cached, NOTE)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (cached.session.events, cached.size) == (0, 0)
    cached.refresh()
    assert cached.session.events == 1


def test_settled_event_is_not_rolled_back() -> None:
    cached = folded(OPENED)
    with cached.trial():
        add(cached, NOTE)
        cached.settle()
    cached.take_back()
    assert cached.session.events == 2


def test_events_that_the_store_lacks_make_the_cache_read_from_the_beginning() -> None:
    cached = folded(OPENED, NOTE)
    with cached.trial():
        add(cached, NOTE)
        cached.settle()
    cached.refresh()
    assert cached.position == cached._store.position(cached.id)
    assert cached.session.events == 2


def test_the_table_sees_what_lies_face_down_without_its_cards() -> None:
    cached = folded(*HIDING)
    host, table = cached.view(sees_all=True), cached.view(sees_all=False)
    assert table is not host
    assert cached.view(sees_all=False) is table
    assert (host.session.hidden, table.session.hidden) == (frozenset(), frozenset({4}))
    assert cached.hides()


def test_all_share_one_view_if_nothing_lies_face_down() -> None:
    cached = folded(OPENED, NOTE)
    assert cached.view(sees_all=False) is cached.view(sees_all=True)
    assert not cached.hides()


def test_cards_are_turned_up_with_the_entry_that_ends_the_hand() -> None:
    cached = folded(*HIDING)
    table = cached.view(sees_all=False)
    add(cached, event("hand_abandoned", reason="misdeal"))
    assert table.session.events == cached.session.events == 5  # the table sees it, too
    cached.turn()
    assert cached.view(sees_all=False) is cached.all


# --------------------------------------------------------------------------------- the cache


def cache_of(store: Store, max_weight: int = MAX_EVENTS) -> StreamCache[FoldedSession]:
    """Return a cache of the sessions of a store."""
    return StreamCache(lambda id_: FoldedSession(id_, store), max_weight)


def test_a_session_stays_folded_from_one_use_to_the_next() -> None:
    store, session_id = stored(OPENED)
    cache = cache_of(store)
    with cache.held(session_id) as first:
        first.refresh()
    with cache.held(session_id) as again:
        assert again is first
        assert again.session.events == 1


def test_least_recently_used_sessions_are_evicted_beyond_the_limit_of_events() -> None:
    store = MemoryStore()
    ids = [store.open_session([(OPENED["type"], OPENED["data"])], "keeper", []).id
           for _ in range(MIN_STREAMS + 2)]  # fmt: skip
    cache = cache_of(store, 1)

    def use(session_id: str) -> FoldedSession:
        with cache.held(session_id) as cached:
            cached.refresh()
        return cached

    first = [use(session_id) for session_id in ids]
    again = [use(session_id) for session_id in reversed(ids)]
    unchanged = [
        session_id is other for session_id, other in zip(reversed(first), again, strict=True)
    ]
    assert unchanged == [True] * MIN_STREAMS + [False] * 2


def test_no_session_is_evicted_within_the_limit_of_events() -> None:
    store = MemoryStore()
    ids = [store.open_session([(OPENED["type"], OPENED["data"])], "keeper", []).id
           for _ in range(MIN_STREAMS + 2)]  # fmt: skip
    cache = cache_of(store, len(ids) - 1)
    for count, session_id in enumerate(ids, 1):
        with cache.held(session_id) as cached:
            cached.refresh()
        assert list(cache._kept) == ids[count == len(ids) : count]


def test_unknown_session_is_not_cached() -> None:
    cache = cache_of(MemoryStore())
    with pytest.raises(UnknownSessionError), cache.held("nowhere") as cached:
        cached.refresh()
    assert not cache._kept


def test_unsettled_event_is_dropped_when_the_store_fails() -> None:
    store, session_id = stored(OPENED)
    cache = cache_of(store)

    def fail() -> None:
        with cache.held(session_id) as cached:
            cached.refresh()
            add(cached, NOTE)
            raise StorageUnavailableError("no", unknown=True)

    with pytest.raises(StorageUnavailableError):
        fail()
    with cache.held(session_id) as again:
        again.refresh()
        assert again.session.events == 1


def test_unreadable_session_is_not_cached_in_part() -> None:
    store = MemoryStore()
    gone = event("match_started", game="gone", seats=["mara", "leo"])
    log = b"".join(sealed_lines([(raw["type"], raw["data"]) for raw in (OPENED, gone)], AT))
    session_id = store.import_sealed(BytesIO(log), []).id
    cache = cache_of(store)
    with pytest.raises(UnusableError), cache.held(session_id) as cached:
        cached.refresh()
    assert (cached.session.events, cached.size) == (0, 0)


# -------------------------------------------------------------------------- refused events


class Replays:
    """Counter of the lines that sessions replay."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines = 0
        decode_line, of = Session.decode_line, Session.of

        def counted(session: Session, raw: RawEvent) -> Entry:
            self.lines += 1
            return decode_line(session, raw)

        def counted_of(entries: Iterable[Entry], *more: AwaitedHands) -> Session:
            entries = list(entries)
            self.lines += len(entries)
            return of(entries, *more)

        monkeypatch.setattr(Session, "decode_line", counted)
        monkeypatch.setattr(Session, "of", staticmethod(counted_of))


@pytest.mark.parametrize("holder", [Holder("host"), Holder("seat", "mara")])
@pytest.mark.parametrize(
    ("events", "error"),
    [
        ([NOTE, event("note_added", text=1)], UnusableError),
        ([event("card_played", player="leo", card="AS"), NOTE], IrregularError),
        ([NOTE, event("hand_abandoned", reason="misdeal"), event("hand_started", dealer="zoe")],
         UnusableError),
    ],
)  # fmt: skip
def test_a_refused_request_replays_nothing(
    holder: Holder, events: list[Raw], error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, session_id = stored(*HIDING)
    service = Service(store)
    request = AppendRequest(
        len(HIDING), tuple(NewEvent(raw["type"], raw["data"]) for raw in events)
    )
    seat = Holder("seat", "mara")
    before = service.report(session_id), service.report(session_id, seat)
    replays = Replays(monkeypatch)
    for _ in range(3):
        with pytest.raises(error):
            service.record(session_id, request, holder)
    assert replays.lines == 0
    for see in (Holder("host"), seat):
        prompts = service.prompts(session_id, holder=see)
        assert prompts.prompts == Service(store).prompts(session_id, holder=see).prompts
    assert (service.report(session_id), service.report(session_id, seat)) == before


def test_view_of_the_table_stays_cached_after_a_refused_request() -> None:
    cached = folded(*HIDING)
    table = cached.view(sees_all=False)
    table.made["findings"] = []

    def refuse() -> None:
        with cached.trial():
            add(cached, event("hand_abandoned", reason="misdeal"))
            cached.turn()
            assert cached.view(sees_all=False) is cached.all
            raise UnusableError("no")

    with pytest.raises(UnusableError):
        refuse()
    assert cached.view(sees_all=False) is table
    assert (table.made, table.session.events) == ({"findings": []}, len(HIDING))
    assert table.session.hidden == frozenset({4})


def test_a_replay_that_takes_too_long_is_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = [event("note_added", text=str(n)) for n in range(400)]
    store, session_id = stored(OPENED, *notes)
    monkeypatch.setattr(pacing, "MAX_SHORT_SECONDS", 0.0)
    monkeypatch.setattr(pacing, "PLACE_SLICE_SECONDS", 0.0)
    replays, service = Replays(monkeypatch), Service(store)
    monkeypatch.setattr(folded_session.FoldedSession.refresh, "__defaults__", (0.0,))
    refused = 0
    while refused < 1_000:
        try:
            service.report(session_id)
        except BusyError:
            refused += 1
        else:
            break
    assert 5 < refused < 50
    assert replays.lines == len(notes) + 1

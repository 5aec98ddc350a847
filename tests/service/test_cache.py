"""Sessions kept folded: what they hold, what is taken back, and which are forgotten."""

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
from scorekeeper.log.writing import sealed_lines
from scorekeeper.service import AppendRequest, Holder, NewEvent, Service
from scorekeeper.service import cache as cache_module
from scorekeeper.service.cache import MIN_SESSIONS, Cache, Folded
from scorekeeper.session.matches import AwaitedHands
from scorekeeper.session.session import Session
from scorekeeper.store import MemoryStore, StoredLine, Stream, sealed
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


def add(found: Folded, one: Raw) -> StoredLine:
    """Add an event that is not in the store yet."""
    (line,) = sealed(found.position, [(one["type"], one["data"])], AT, "keeper")
    types = found.session.game.by_type if found.session.game else codec.COMMON_TYPES
    entry = Entry(line.seq, codec.decode(one["type"], one["data"], types), AT, "keeper", line.hash)
    found.add(entry, line.line)
    return line


def test_it_comes_up_to_where_the_session_ends() -> None:
    found = folded(OPENED)
    store = found._store
    assert found.position == store.position(found.id)
    line = sealed(found.position, [(NOTE["type"], NOTE["data"])], AT, "keeper")
    store.append(found.id, found.position, line)
    found.all.made["report"] = b"old"
    assert found.session.events == 1
    found.refresh()
    assert (found.session.events, found.position.head) == (2, line[0].hash)
    assert found.all.made == {}
    assert found.size == sum(len(one) + 1 for one in store.read(found.id).lines)


def test_what_is_folded_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found = folded(*HIDING)
    store, read = found._store, found._store.read
    asked: list[int] = []

    def noted(session_id: str, after: int = 0) -> Stream:
        asked.append(after)
        return read(session_id, after)

    line = sealed(found.position, [(NOTE["type"], NOTE["data"])], AT, "keeper")
    store.append(found.id, found.position, line)
    monkeypatch.setattr(store, "read", noted)
    found.refresh()
    assert asked == [len(HIDING)]
    assert found.session.events == len(HIDING) + 1


def test_what_is_refused_never_came() -> None:
    found = folded(OPENED)
    position, size = found.position, found.size
    found.all.made["report"] = b"kept"

    def refuse() -> None:
        with found.trial():
            add(found, NOTE)
            assert (found.ahead, found.session.events) == (1, 2)
            assert found.size > size
            raise UnusableError("no")

    with pytest.raises(UnusableError):
        refuse()
    assert (found.position, found.size, found.ahead) == (position, size, 0)
    assert found.all.made == {"report": b"kept"}


@pytest.mark.parametrize(
    ("refused", "events"),
    [(StaleVersionError(1, 2, "0" * 64), 2), (UnusableError("no"), 1)],
)
def test_only_who_came_too_late_is_shown_what_came_meanwhile(
    refused: ScorekeeperError, events: int
) -> None:
    found = folded(OPENED)
    line = sealed(found.position, [(NOTE["type"], NOTE["data"])], AT, "keeper")
    found._store.append(found.id, found.position, line)

    def refuse() -> None:
        with found.trial():
            raise refused

    with pytest.raises(type(refused)):
        refuse()
    assert found.session.events == events


def test_after_what_nobody_expected_all_is_read_again() -> None:
    found = folded(OPENED)

    def fail() -> None:
        with found.trial():
            add(found, NOTE)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (found.session.events, found.size) == (0, 0)
    found.refresh()
    assert found.session.events == 1


def test_what_was_written_is_no_longer_ahead() -> None:
    found = folded(OPENED)
    with found.trial():
        add(found, NOTE)
        found.settle()
    found.take_back()
    assert found.session.events == 2


def test_a_history_that_the_store_does_not_have_is_read_from_its_beginning() -> None:
    found = folded(OPENED, NOTE)
    with found.trial():
        add(found, NOTE)
        found.settle()
    found.refresh()
    assert found.position == found._store.position(found.id)
    assert found.session.events == 2


def test_the_table_sees_what_lies_face_down_without_its_cards() -> None:
    found = folded(*HIDING)
    host, table = found.view(sees_all=True), found.view(sees_all=False)
    assert table is not host
    assert found.view(sees_all=False) is table
    assert (host.session.hidden, table.session.hidden) == (frozenset(), frozenset({4}))
    assert found.hides()


def test_where_nothing_lies_face_down_there_is_one_view() -> None:
    found = folded(OPENED, NOTE)
    assert found.view(sees_all=False) is found.view(sees_all=True)
    assert not found.hides()


def test_cards_are_turned_up_with_the_entry_that_ends_the_hand() -> None:
    found = folded(*HIDING)
    table = found.view(sees_all=False)
    add(found, event("hand_abandoned", reason="misdeal"))
    assert table.session.events == found.session.events == 5  # the table sees it, too
    found.turn()
    assert found.view(sees_all=False) is found.all


# --------------------------------------------------------------------------------- the cache


def test_a_session_stays_folded_from_one_use_to_the_next() -> None:
    store, session_id = stored(OPENED)
    cache = Cache(store)
    with cache.held(session_id) as first:
        first.refresh()
    with cache.held(session_id) as again:
        assert again is first
        assert again.session.events == 1


def test_of_too_many_events_the_sessions_used_longest_ago_are_forgotten() -> None:
    store = MemoryStore()
    ids = [store.open_session([(OPENED["type"], OPENED["data"])], "keeper", []).id
           for _ in range(MIN_SESSIONS + 2)]  # fmt: skip
    cache = Cache(store, most_events=1)

    def use(session_id: str) -> Folded:
        with cache.held(session_id) as found:
            found.refresh()
        return found

    first = [use(one) for one in ids]
    again = [use(one) for one in reversed(ids)]
    kept = [one is other for one, other in zip(reversed(first), again, strict=True)]
    assert kept == [True] * MIN_SESSIONS + [False] * 2


def test_no_session_is_forgotten_before_there_are_too_many_events() -> None:
    store = MemoryStore()
    ids = [store.open_session([(OPENED["type"], OPENED["data"])], "keeper", []).id
           for _ in range(MIN_SESSIONS + 2)]  # fmt: skip
    cache = Cache(store, most_events=len(ids) - 1)
    for count, session_id in enumerate(ids, 1):
        with cache.held(session_id) as found:
            found.refresh()
        assert list(cache._kept) == ids[count == len(ids) : count]


def test_a_session_that_is_not_there_is_not_kept() -> None:
    cache = Cache(MemoryStore())
    with pytest.raises(UnknownSessionError), cache.held("nowhere") as found:
        found.refresh()
    assert not cache._kept


def test_what_was_ahead_as_the_store_failed_is_forgotten() -> None:
    store, session_id = stored(OPENED)
    cache = Cache(store)

    def fail() -> None:
        with cache.held(session_id) as found:
            found.refresh()
            add(found, NOTE)
            raise StorageUnavailableError("no", unknown=True)

    with pytest.raises(StorageUnavailableError):
        fail()
    with cache.held(session_id) as again:
        again.refresh()
        assert again.session.events == 1


def test_a_session_that_cannot_be_read_is_not_kept_in_part() -> None:
    store = MemoryStore()
    gone = event("match_started", game="gone", seats=["mara", "leo"])
    log = b"".join(sealed_lines([(one["type"], one["data"]) for one in (OPENED, gone)], AT))
    session_id = store.import_sealed(BytesIO(log), []).id
    cache = Cache(store)
    with pytest.raises(UnusableError), cache.held(session_id) as found:
        found.refresh()
    assert (found.session.events, found.size) == (0, 0)


# -------------------------------------------------------------------------- what is refused


class Replays:
    """Counts the lines that sessions read from a store."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines = 0
        add_stored, of = Session.add_stored, Session.of

        def counted(session: Session, line: bytes) -> Entry:
            self.lines += 1
            return add_stored(session, line)

        def counted_of(entries: Iterable[Entry], *more: AwaitedHands) -> Session:
            entries = list(entries)
            self.lines += len(entries)
            return of(entries, *more)

        monkeypatch.setattr(Session, "add_stored", counted)
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
    asked = AppendRequest(len(HIDING), tuple(NewEvent(one["type"], one["data"]) for one in events))
    seat = Holder("seat", "mara")
    before = service.report(session_id), service.report(session_id, seat)
    replays = Replays(monkeypatch)
    for _ in range(3):
        with pytest.raises(error):
            service.record(session_id, asked, holder)
    assert replays.lines == 0
    for see in (Holder("host"), seat):
        prompts = service.prompts(session_id, holder=see)
        assert prompts.prompts == Service(store).prompts(session_id, holder=see).prompts
    assert (service.report(session_id), service.report(session_id, seat)) == before


def test_what_the_table_sees_is_kept_where_a_request_is_refused() -> None:
    found = folded(*HIDING)
    table = found.view(sees_all=False)
    table.made["findings"] = []

    def refuse() -> None:
        with found.trial():
            add(found, event("hand_abandoned", reason="misdeal"))
            found.turn()
            assert found.view(sees_all=False) is found.all
            raise UnusableError("no")

    with pytest.raises(UnusableError):
        refuse()
    assert found.view(sees_all=False) is table
    assert (table.made, table.session.events) == ({"findings": []}, len(HIDING))
    assert table.session.hidden == frozenset({4})


def test_a_replay_that_takes_too_long_is_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = [event("note_added", text=str(n)) for n in range(400)]
    store, session_id = stored(OPENED, *notes)
    monkeypatch.setattr(pacing, "MAX_SHORT_SECONDS", 0.0)
    replays, service = Replays(monkeypatch), Service(store)
    monkeypatch.setattr(cache_module.Folded.refresh, "__defaults__", (0.0,))
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

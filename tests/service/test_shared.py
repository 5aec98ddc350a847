"""The cache of results that many clients share: correct bytes, computed one time, bounded size."""

from collections.abc import Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.base.errors import ScorekeeperError, UnusableError
from scorekeeper.service import AppendRequest, Holder, NewEvent, Service
from scorekeeper.service.shared import MAX_ENTRY_BYTES, MAX_TOTAL_BYTES, SharedCache
from scorekeeper.session.session import Session
from scorekeeper.store import MemoryStore
from tests.evenings import Raw, event
from tests.operation.serving import until
from tests.store.homes import Home

HOST, VIEW, LEO = Holder("host"), Holder("view"), Holder("seat", player="leo")
PLAYERS: Final = [{"id": player, "name": player.title()} for player in ("mara", "leo")]
FRIDAY: Final = {"title": "Friday", "players": PLAYERS}
CARDS: Final = ("7S", "8S", "9S", "10S", "JS", "QS", "7H", "8H", "9H", "10H", "JH", "QH")


def played() -> st.SearchStrategy[Raw]:
    """Return a strategy of next events, whether or not the service accepts them."""
    player, seq = st.sampled_from(["mara", "leo"]), st.integers(2, 30)
    cards = st.lists(st.sampled_from(CARDS), min_size=1, max_size=5, unique=True)
    return st.one_of(
        st.builds(lambda name: event("hand_started", dealer=name), player),
        st.builds(lambda name, discarded: event("cards_exchanged", player=name, discarded=discarded,
                                               count=len(discarded)), player, cards),
        st.builds(lambda name, card: event("card_played", player=name, card=card),
                  player, st.sampled_from(CARDS)),
        st.builds(lambda name, points: event("penalty_given", side=name, points=points,
                                            reason="slip"), player, st.integers(1, 9)),
        st.builds(lambda text: event("note_added", text=text), st.sampled_from(["a", "b"])),
        st.builds(lambda number: event("event_struck", seq=number, reason="slip"), seq),
        st.builds(lambda number, dealer: event("event_replaced", seq=number, reason="slip",
                                            type="hand_started", data={"dealer": dealer}),
                  seq, player),
        st.builds(lambda number: event("event_inserted", after=number, reason="slip",
                                       type="note_added", data={"text": "late"}), seq),
        st.just(event("match_started", game="picchetto", seats=["mara", "leo"])),
    )  # fmt: skip


def record(service: Service, table: str, *events: Raw) -> bool:
    """Record events, and return whether the service accepted them."""
    new = tuple(NewEvent(raw["type"], raw["data"]) for raw in events)
    version = service.store.position(table).version
    try:
        service.record(table, AppendRequest(version, new, as_played=True), HOST)
    except ScorekeeperError:
        return False
    return True


def seqs(session: Session) -> bytes:
    """Return bytes that differ if the events of a session or its hidden seqs differ."""
    return repr((session.head, sorted(session.hidden))).encode()


@given(history=st.lists(played(), min_size=8, max_size=25))
def test_shared_result_equals_a_fresh_one(history: list[Raw]) -> None:
    service = Service(MemoryStore())
    table = service.open(FRIDAY).id
    begun = [event("match_started", game="picchetto", seats=["mara", "leo"]),
             event("hand_started", dealer="leo"), *history]  # fmt: skip
    for raw in begun:
        record(service, table, raw)
        alone = Service(service.store)
        for holder in (HOST, VIEW, LEO):
            assert service.report(table, holder) == alone.report(table, holder)
            shared = service.see_shared(table, "seqs", seqs, holder)
            assert shared == (service.store.position(table), alone.see(table, seqs, holder))


def test_report_follows_appends_of_another_process(home: Home) -> None:
    ours, theirs = Service(home.open()), Service(home.open())
    table = ours.open(FRIDAY).id
    history = (
        event("match_started", game="picchetto", seats=["mara", "leo"]),
        event("hand_started", dealer="leo"),
        event("penalty_given", side="mara", points=3, reason="slip"),
        event("event_struck", seq=4, reason="slip"),
        event("event_struck", seq=5, reason="slip"),
    )
    reports = [ours.report(table)]
    for raw in history:
        assert record(theirs, table, raw)
        reports.append(ours.report(table))
        assert ours.report(table) == theirs.report(table) == reports[-1]
    assert [report.position.version for report in reports] == [1, 2, 3, 4, 5, 6]
    assert len({report.json for report in reports}) == len(reports)


class CountingCache(SharedCache):
    """A shared cache that counts its lookups."""

    looks = 0

    def get(self, key: Hashable) -> bytes | None:
        self.looks += 1
        value: bytes | None = super().get(key)
        return value


def test_six_simultaneous_requests_compute_one_result() -> None:
    shared, computed = CountingCache(), []
    service = Service(MemoryStore(), shared=shared)
    table = service.open(FRIDAY).id

    def make(session: Session) -> bytes:
        until(lambda: shared.looks >= 6)  # no request found a cached result
        computed.append(session.events)
        return b"made"

    with ThreadPoolExecutor(6) as pool:
        futures = [pool.submit(service.see_shared, table, "slow", make) for _ in range(6)]
        assert {future.result(60) for future in futures} == {
            (service.store.position(table), b"made")
        }
    assert computed == [1]


def test_error_is_not_cached() -> None:
    service = Service(MemoryStore())
    table, tries = service.open(FRIDAY).id, iter([UnusableError("once"), None])

    def make(session: Session) -> bytes:
        error = next(tries)
        if error is not None:
            raise error
        return b"made"

    with pytest.raises(UnusableError, match="once"):
        service.see_shared(table, "odd", make)
    assert service.see_shared(table, "odd", make)[1] == b"made"
    assert service.see_shared(table, "odd", make)[1] == b"made"  # there is no third try


def test_result_for_the_host_is_not_shared_with_viewers() -> None:
    service = Service(MemoryStore())
    table = service.open(FRIDAY).id
    for holder in (HOST, VIEW):
        expected = repr(holder).encode()
        make = partial(return_bytes, expected)
        assert service.see_shared(table, "who", make, holder)[1] == expected


def return_bytes(expected: bytes, _: Session) -> bytes:
    return expected


# --------------------------------------------------------------------------------- the size


def parts(large: bytes) -> Iterator[tuple[int, bytes]]:
    return ((number, large) for number in range(MAX_TOTAL_BYTES // MAX_ENTRY_BYTES + 1))


def test_size_of_the_cache_is_bounded() -> None:
    shared = SharedCache()
    large = b"x" * MAX_ENTRY_BYTES
    for number, part in parts(large):
        shared.put(number, part)
        shared.put("too large", part + b"x")
        assert shared.get(1 if number else 0) == large
    assert shared.get(0) is None
    assert shared.get(1) == large
    assert shared.get("too large") is None


def test_reports_count_in_the_size_of_the_shared_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = SharedCache(max_total=5000)
    service = Service(MemoryStore(), shared=shared)
    tables = [service.open(FRIDAY).id for _ in range(20)]
    for table in tables * 2:
        service.report(table)
        shared.put(("a file", table), b"x" * 100)
        assert 0 < shared._entries.currsize <= 5000
    monkeypatch.setattr("scorekeeper.service.service.to_json_values", lambda view: {"anew": 1})
    assert service.report(tables[-1]).json != b'{"anew":1}'
    assert service.report(tables[0]).json == b'{"anew":1}'


def test_size_of_an_entry_can_be_defined() -> None:
    shared = SharedCache(4, 1, weigh=lambda _: 1)
    for number in range(5):
        shared.put(number, object())
    assert [number for number in range(5) if shared.get(number)] == [1, 2, 3, 4]

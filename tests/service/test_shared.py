"""What is the same for many: the same bytes with and without it, made once, within its room."""

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
PLAYERS: Final = [{"id": one, "name": one.title()} for one in ("mara", "leo")]
FRIDAY: Final = {"title": "Friday", "players": PLAYERS}
CARDS: Final = ("7S", "8S", "9S", "10S", "JS", "QS", "7H", "8H", "9H", "10H", "JH", "QH")


def played() -> st.SearchStrategy[Raw]:
    """What may be recorded next, whether or not it can stand there."""
    player, seq = st.sampled_from(["mara", "leo"]), st.integers(2, 30)
    cards = st.lists(st.sampled_from(CARDS), min_size=1, max_size=5, unique=True)
    return st.one_of(
        st.builds(lambda one: event("hand_started", dealer=one), player),
        st.builds(lambda one, discarded: event("cards_exchanged", player=one, discarded=discarded,
                                               count=len(discarded)), player, cards),
        st.builds(lambda one, card: event("card_played", player=one, card=card),
                  player, st.sampled_from(CARDS)),
        st.builds(lambda one, points: event("penalty_given", side=one, points=points,
                                            reason="slip"), player, st.integers(1, 9)),
        st.builds(lambda text: event("note_added", text=text), st.sampled_from(["a", "b"])),
        st.builds(lambda number: event("event_struck", seq=number, reason="slip"), seq),
        st.builds(lambda number, one: event("event_replaced", seq=number, reason="slip",
                                            type="hand_started", data={"dealer": one}),
                  seq, player),
        st.builds(lambda number: event("event_inserted", after=number, reason="slip",
                                       type="note_added", data={"text": "late"}), seq),
        st.just(event("match_started", game="picchetto", seats=["mara", "leo"])),
    )  # fmt: skip


def record(service: Service, table: str, *events: Raw) -> bool:
    """Record events where they can be; whether they were."""
    new = tuple(NewEvent(one["type"], one["data"]) for one in events)
    version = service.store.position(table).version
    try:
        service.record(table, AppendRequest(version, new, as_played=True), HOST)
    except ScorekeeperError:
        return False
    return True


def seqs(session: Session) -> bytes:
    """Something made of a session, by which its events and what lies face down are told apart."""
    return repr((session.head, sorted(session.hidden))).encode()


@given(history=st.lists(played(), min_size=8, max_size=25))
def test_the_same_is_told_whether_or_not_it_was_made_before(history: list[Raw]) -> None:
    service = Service(MemoryStore())
    table = service.open(FRIDAY).id
    begun = [event("match_started", game="picchetto", seats=["mara", "leo"]),
             event("hand_started", dealer="leo"), *history]  # fmt: skip
    for one in begun:
        record(service, table, one)
        alone = Service(service.store)
        for holder in (HOST, VIEW, LEO):
            assert service.report(table, holder) == alone.report(table, holder)
            seen = service.see_shared(table, "seqs", seqs, holder)
            assert seen == (service.store.position(table), alone.see(table, seqs, holder))


def test_what_is_told_follows_the_log_from_whichever_process_it_came(home: Home) -> None:
    here, there = Service(home.open()), Service(home.open())
    table = here.open(FRIDAY).id
    history = (
        event("match_started", game="picchetto", seats=["mara", "leo"]),
        event("hand_started", dealer="leo"),
        event("penalty_given", side="mara", points=3, reason="slip"),
        event("event_struck", seq=4, reason="slip"),
        event("event_struck", seq=5, reason="slip"),
    )
    told = [here.report(table)]
    for one in history:
        assert record(there, table, one)
        told.append(here.report(table))
        assert here.report(table) == there.report(table) == told[-1]
    assert [one.position.version for one in told] == [1, 2, 3, 4, 5, 6]
    assert len({one.json for one in told}) == len(told)


class Asked(SharedCache):
    """What is shared, and how often it was looked at."""

    looks = 0

    def get(self, key: Hashable) -> bytes | None:
        self.looks += 1
        found: bytes | None = super().get(key)
        return found


def test_six_at_once_make_it_once() -> None:
    asked, made = Asked(), []
    service = Service(MemoryStore(), shared=asked)
    table = service.open(FRIDAY).id

    def make(session: Session) -> bytes:
        until(lambda: asked.looks >= 6)  # nobody found it made
        made.append(session.events)
        return b"made"

    with ThreadPoolExecutor(6) as pool:
        waiting = [pool.submit(service.see_shared, table, "slow", make) for _ in range(6)]
        assert {one.result(60) for one in waiting} == {(service.store.position(table), b"made")}
    assert made == [1]


def test_what_goes_wrong_is_not_kept() -> None:
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


def test_what_the_host_sees_is_told_to_nobody_else() -> None:
    service = Service(MemoryStore())
    table = service.open(FRIDAY).id
    for holder in (HOST, VIEW):
        said = repr(holder).encode()
        made = partial(saying, said)
        assert service.see_shared(table, "who", made, holder)[1] == said


def saying(said: bytes, _: Session) -> bytes:
    return said


# ----------------------------------------------------------------------------------- the room


def parts(large: bytes) -> Iterator[tuple[int, bytes]]:
    return ((number, large) for number in range(MAX_TOTAL_BYTES // MAX_ENTRY_BYTES + 1))


def test_only_so_much_is_kept() -> None:
    shared = SharedCache()
    large = b"x" * MAX_ENTRY_BYTES
    for number, part in parts(large):
        shared.put(number, part)
        shared.put("too large", part + b"x")
        assert shared.get(1 if number else 0) == large
    assert shared.get(0) is None
    assert shared.get(1) == large
    assert shared.get("too large") is None


def test_reports_take_of_the_room_that_there_is_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = SharedCache(max_total=5000)
    service = Service(MemoryStore(), shared=shared)
    tables = [service.open(FRIDAY).id for _ in range(20)]
    for table in tables * 2:
        service.report(table)
        shared.put(("a file", table), b"x" * 100)
        kept = sum(map(len, shared._entries.values()))
        assert 0 < kept == shared._size <= 5000
    monkeypatch.setattr("scorekeeper.service.service.build_report", lambda session: {"anew": 1})
    assert service.report(tables[-1]).json != b'{"anew":1}'
    assert service.report(tables[0]).json == b'{"anew":1}'


def test_what_is_kept_can_be_weighed_otherwise() -> None:
    kept = SharedCache(4, 1, weigh=lambda _: 1)
    for number in range(5):
        kept.put(number, object())
    assert [number for number in range(5) if kept.get(number)] == [1, 2, 3, 4]

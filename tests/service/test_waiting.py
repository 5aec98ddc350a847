"""No thread waits for long while another thread holds a session or a club.

Tests of ``service.club_evenings``, too.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import pytest

from scorekeeper.base import pacing
from scorekeeper.base.errors import BusyError, StaleVersionError, UnusableError
from scorekeeper.base.pacing import WaitLimits
from scorekeeper.clubs.club import Club
from scorekeeper.clubs.state import ClubState
from scorekeeper.log.writing import sealed_lines
from scorekeeper.service import AppendRequest, Clubs, Holder, NewEvent, Service
from scorekeeper.service.club_rights import ShownKey
from scorekeeper.service.club_twins import KnownLogs
from scorekeeper.store import MemoryStore, Position, Store, Stream
from tests.evenings import AT, Raw, event, opening

HOST = Holder("host")
SOON = 5.0  # seconds
SHORT = WaitLimits(seconds=0.05)
WHO = {"mara": "mara", "leo": None, "nina": None}
HAND = [
    event("match_started", game="riparto", seats=["mara", "leo", "nina"]),
    event("hand_started", dealer="mara"),
]


@pytest.fixture(autouse=True)
def _brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacing, "BRIEF_SECONDS", 0.01)


def host(session_id: str) -> Any:
    """Return the role of a key that the client shows to each evening."""
    return ShownKey("host")


def entering(*sessions: str) -> tuple[NewEvent, ...]:
    return tuple(
        NewEvent("evening_entered", {"session": session_id, "players": WHO})
        for session_id in sessions
    )


class Table:
    """A session and a club on one store."""

    def __init__(self, store: Store | None = None) -> None:
        self.store = store or MemoryStore()
        self.service = Service(self.store, limits=SHORT)
        self.clubs = Clubs(self.service)
        self.session_id = self.bring_in([opening("mara", "leo", "nina")])
        self.club_id = self.clubs.open({"name": "Circolo"}, [{"id": "mara", "name": "Mara"}]).id

    def bring_in(self, events: list[Raw]) -> str:
        log = b"".join(sealed_lines([(raw["type"], raw["data"]) for raw in events], AT))
        return self.store.import_sealed(BytesIO(log), []).id

    def enter(self, *sessions: str) -> None:
        request = AppendRequest(self.store.position(self.club_id).version, entering(*sessions))
        self.clubs.record(self.club_id, request, HOST, host)


@contextmanager
def while_held(see: Callable[[Callable[[Any], None]], Any]) -> Iterator[None]:
    """Within the block another thread reads a session or club, and holds it to the end."""
    inside, go = threading.Event(), threading.Event()

    def make(_: Any) -> None:
        inside.set()
        assert go.wait(SOON)

    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(see, make)
        assert inside.wait(SOON)
        try:
            yield
        finally:
            go.set()
            other.result(SOON)


def test_a_wait_for_a_session_ends_for_readers_and_for_writers() -> None:
    table = Table()
    note = AppendRequest(1, (NewEvent("note_added", {"text": "x"}),))
    with while_held(lambda make: table.service.see(table.session_id, make)):
        with pytest.raises(BusyError):
            table.service.prompts(table.session_id)
        with pytest.raises(BusyError):
            table.service.record(table.session_id, note, HOST)
    assert table.service.record(table.session_id, note, HOST).version == 2


def test_a_wait_for_a_club_ends_for_readers_and_for_writers() -> None:
    table = Table()
    joined = NewEvent("member_joined", {"id": "leo", "name": "Leo"})
    request = AppendRequest(table.store.position(table.club_id).version, (joined,))
    with while_held(lambda make: table.clubs.see(table.club_id, make)):
        with pytest.raises(BusyError):
            table.clubs.see(table.club_id, lambda snapshot: snapshot.tag)
        with pytest.raises(BusyError):
            table.clubs.record(table.club_id, request, HOST)
    assert table.clubs.record(table.club_id, request, HOST).version == request.expected + 1


def test_simultaneous_repeats_of_a_request_get_one_answer() -> None:
    table = Table()
    service = Service(table.store)
    request = AppendRequest(1, (NewEvent("note_added", {"text": "x"}),), key="k", digest=bytes(32))
    with ThreadPoolExecutor(6) as pool:
        futures = [pool.submit(service.record, table.session_id, request, HOST)
                   for _ in range(6)]  # fmt: skip
        answers = {future.result(SOON).answer.body for future in futures}
    assert len(answers) == 1
    assert table.store.position(table.session_id).version == 2


# ------------------------------------------------------------------------------------- a club


def test_refused_append_to_a_club_replays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    version = table.store.position(table.club_id).version
    table.clubs.see(table.club_id, lambda snapshot: snapshot.tag)
    placed: list[int] = []
    place = ClubState.apply

    def counted(state: ClubState, entry: Any) -> None:
        placed.append(entry.seq)
        place(state, entry)

    monkeypatch.setattr(ClubState, "apply", counted)
    leo = NewEvent("member_joined", {"id": "leo", "name": "Leo"})
    for _ in range(3):
        with pytest.raises(UnusableError):
            table.clubs.record(table.club_id, AppendRequest(version, (leo, leo)), HOST)
        with pytest.raises(StaleVersionError):
            table.clubs.record(table.club_id, AppendRequest(1, (leo,)), HOST)
    assert placed == [version + 1, version + 2] * 3
    assert list(table.clubs.with_state(table.club_id, lambda state: state.members)) == ["mara"]
    assert table.clubs.record(table.club_id, AppendRequest(version, (leo,)), HOST).version == 3


def test_state_of_a_club_is_read_while_another_thread_holds_it() -> None:
    table = Table()
    table.enter(table.session_id)
    tag = table.clubs.see(table.club_id, lambda snapshot: snapshot.tag)
    table.service.record(
        table.session_id, AppendRequest(1, (NewEvent("note_added", {"text": "x"}),)), HOST
    )
    with while_held(lambda make: table.clubs.with_state(table.club_id, make)):
        position, new_tag = table.clubs.state(table.club_id)
    assert position == table.store.position(table.club_id)
    assert new_tag != tag
    assert table.clubs.see(table.club_id, lambda snapshot: snapshot.tag) == new_tag


def test_state_of_a_changed_club_is_not_awaited() -> None:
    table = Table()
    with while_held(lambda make: table.clubs.with_state(table.club_id, make)):
        joined = ("member_joined", {"id": "leo", "name": "Leo"})
        other = Clubs(Service(table.store))
        request = AppendRequest(table.store.position(table.club_id).version, (NewEvent(*joined),))
        other.record(table.club_id, request, HOST)
        with pytest.raises(BusyError):
            table.clubs.state(table.club_id)
    assert table.clubs.state(table.club_id)[0].version == request.expected + 1


def test_evenings_are_read_before_the_club_is_locked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table()
    inside, go = threading.Event(), threading.Event()
    read_uncached, threads = Service.read_uncached, set[int]()

    def slow(service: Service, session_id: str, make: Any, until: Position | None = None) -> Any:
        threads.add(threading.get_ident())
        inside.set()
        assert go.wait(SOON)
        return read_uncached(service, session_id, make, until)

    monkeypatch.setattr(Service, "read_uncached", slow)
    with ThreadPoolExecutor(1) as pool:
        enters = pool.submit(table.enter, table.session_id)
        assert inside.wait(SOON)
        assert table.clubs.with_state(table.club_id, lambda state: list(state.members)) == ["mara"]
        go.set()
        enters.result(SOON)
    assert threading.get_ident() not in threads


def test_an_evening_without_its_key_is_not_read_for_a_request() -> None:
    table = Table()
    read = Counter[str]()

    class CountingService(Service):
        def read_uncached(self, session_id: str, make: Any, until: Position | None = None) -> Any:
            read[session_id] += 1
            return super().read_uncached(session_id, make, until)

    clubs = Clubs(CountingService(table.store))
    request = AppendRequest(table.store.position(table.club_id).version, entering(table.session_id))
    with pytest.raises(UnusableError, match="a key to that evening is needed"):
        clubs.record(table.club_id, request, HOST)
    assert not read


# ------------------------------------------------------------------------- twins of evenings


class CountingReads(MemoryStore):
    """A store that counts the lines that are read of sessions."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = 0

    def read(self, session_id: str, after: int = 0, most: int | None = None) -> Stream:
        stream = super().read(session_id, after, most)
        self.lines += len(stream.lines)
        return stream


def test_logs_that_begin_alike_are_not_compared_in_pairs() -> None:
    store = CountingReads()
    table = Table(store)
    notes, many = 60, 12
    sessions = [
        table.bring_in([opening("mara", "leo", "nina"), event("note_added", text=f"log {n}"),
                        *[event("note_added", text="x")] * notes, *HAND])
        for n in range(many)
    ]  # fmt: skip
    for session_id in sessions:
        table.clubs.evening(session_id)
    store.lines = 0
    table.enter(*sessions)
    assert store.lines < 2 * many * (notes + 4)
    assert len(table.clubs.with_state(table.club_id, lambda state: list(state.evenings))) == many


def without_a_hand(*more: str) -> list[Raw]:
    return [opening("mara", "leo", "nina"), *(event("note_added", text=text) for text in more)]


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (without_a_hand(), without_a_hand(), "same_evening"),
        (without_a_hand("a"), without_a_hand("a", "b"), "same_evening"),
        (without_a_hand("a", "b"), without_a_hand("a"), "same_evening"),
        (without_a_hand("a"), without_a_hand("b"), None),
        (without_a_hand("a"), [*without_a_hand("a"), *HAND], "same_evening"),
        ([*without_a_hand("a"), *HAND], without_a_hand("a"), "same_evening"),
        ([*without_a_hand("a"), *HAND], without_a_hand("b"), None),
        ([*without_a_hand("a"), *HAND], [*without_a_hand("b"), *HAND], None),
        ([*without_a_hand(), *HAND],
         [*without_a_hand(), *HAND, event("hand_abandoned", reason="misdeal")],
         "same_evening"),
        ([*without_a_hand(), *HAND, event("note_added", text="a")],
         [*without_a_hand(), *HAND, event("note_added", text="b")], "forked_evening"),
        (without_a_hand("hand_started"), without_a_hand("x"), None),
    ],
)  # fmt: skip
def test_two_logs_that_begin_alike_are_one_evening_where_hands_would_count_twice(
    first: list[Raw], second: list[Raw], why: str | None
) -> None:
    table = Table()
    ids = table.bring_in(first), table.bring_in(second)
    table.enter(ids[0])
    try:
        table.enter(ids[1])
    except UnusableError as error:
        reason = getattr(error.reason, "why", None)
        facts = getattr(error.reason, "facts", {})
        assert (reason, facts["title"], facts.get("hands")) == (
            why, "Friday", 1 if why == "forked_evening" else None
        )  # fmt: skip
    else:
        assert why is None


def test_only_new_lines_of_a_known_log_are_read() -> None:
    store = CountingReads()
    table = Table(store)
    known = KnownLogs(store)
    assert known.logs([table.session_id, "nowhere"])[table.session_id].hand is None
    version = 1
    for raw in (*[event("note_added", text="x")] * 5, *HAND, event("note_added", text="y")):
        request = AppendRequest(version, (NewEvent(raw["type"], raw["data"]),), as_played=True)
        version = table.service.record(table.session_id, request, HOST).version
        store.lines = 0
        log = known.logs([table.session_id])[table.session_id]
        assert store.lines <= 1
        assert log.end.version == version
        assert log.hand == (None if version < 8 else (8, store.hash_at(table.session_id, 8)))


def test_cached_club_is_read_without_a_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    monkeypatch.setattr(Club, "add_stored", None)
    other = Clubs(Service(table.store))
    assert other.with_state(table.club_id, lambda state: list(state.members)) == ["mara"]

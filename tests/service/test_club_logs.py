"""Logs entered in a club: each evening counts one time, whatever file holds it."""

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.log.reading import MAX_FILE_BYTES
from scorekeeper.service import AppendRequest, Clubs, Holder, NewEvent, Service
from scorekeeper.service.club_logs import ClubLogs
from scorekeeper.store import MemoryStore
from tests.evenings import a_log, by_hand, event, sealed

LONG = a_log()
SHORT = LONG[:-1]


class Desk:
    """A club in which logs are entered."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.service = Service(self.store)
        self.clubs = Clubs(self.service)
        self.club_id = self.clubs.open({"name": "Circolo"}).id
        self.begin()

    def begin(self) -> None:
        """Drop all caches of logs."""
        self.logs = ClubLogs(self.service, self.clubs, self.club_id)

    def refused(self, log: bytes) -> str:
        """Return why a log is refused; check that the refusal changes nothing."""
        before = self.store.sessions(), self.store.position(self.club_id)
        with pytest.raises(UnusableError) as refused:
            self.logs.enter(log, MAX_FILE_BYTES)
        assert (self.store.sessions(), self.store.position(self.club_id)) == before
        return refused.value.reason


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.mark.parametrize("log", [by_hand(LONG), sealed(LONG)])
def test_log_becomes_one_session(desk: Desk, log: bytes) -> None:
    first = desk.logs.enter(log, MAX_FILE_BYTES)
    assert first.opened is not None
    assert len(first.joined) == len(LONG[0]["data"]["players"])
    for _ in range(2):
        assert "entered already" in desk.refused(log)
        desk.begin()
    assert len(desk.store.sessions()) == 1
    assert desk.clubs.with_state(desk.club_id, lambda state: list(state.evenings)) == [
        first.session_id
    ]


@pytest.mark.parametrize("log", [by_hand(LONG), sealed(LONG)])
def test_evening_that_is_in_the_database_is_entered_without_a_copy(desk: Desk, log: bytes) -> None:
    session_id = desk.service.import_log(log, MAX_FILE_BYTES).id
    desk.begin()
    entered = desk.logs.enter(log, MAX_FILE_BYTES)
    assert (entered.session_id, entered.opened) == (session_id, None)
    assert len(desk.store.sessions()) == 1


def test_a_part_of_a_log_is_the_same_evening(desk: Desk) -> None:
    whole = sealed(LONG)
    part = b"".join(whole.splitlines(keepends=True)[: len(SHORT)])
    session_id = desk.logs.enter(whole, MAX_FILE_BYTES).session_id
    assert session_id in desk.refused(part)
    other = Desk()
    session_id = other.logs.enter(part, MAX_FILE_BYTES).session_id
    assert f"more of the evening Friday ({session_id})" in other.refused(whole)


def test_unusable_log_changes_nothing(desk: Desk) -> None:
    whole = sealed(LONG)
    assert desk.refused(whole.replace(b"Friday", b"Monday", 1))
    assert desk.refused(b"{}")
    assert desk.refused(by_hand([*LONG, event("bid_made", player="mara", points=1)]))


def test_hands_that_two_forks_of_an_evening_share_do_not_count_twice(desk: Desk) -> None:
    log = sealed([*SHORT, event("note_added", text="one")])
    other = sealed([*SHORT, event("note_added", text="other")])
    first = desk.logs.enter(log, MAX_FILE_BYTES).session_id
    reason = desk.refused(other)
    assert f"it begins as Friday ({first})" in reason
    assert "hands in both: 1. If this one is right, withdraw the other first" in reason
    withdrawn = NewEvent("evening_withdrawn", {"session": first, "reason": "a wrong copy"})
    version = desk.store.position(desk.club_id).version
    desk.clubs.record(desk.club_id, AppendRequest(version, (withdrawn,)), Holder("host"))
    desk.logs.enter(other, MAX_FILE_BYTES)
    assert len(desk.store.sessions()) == 2
    assert "If this one is right, withdraw the other first" in desk.refused(log)


def test_evenings_that_share_no_hand_are_two(desk: Desk) -> None:
    opened = LONG[:1]
    for text in ("one", "other"):
        desk.logs.enter(sealed([*opened, event("note_added", text=text)]), MAX_FILE_BYTES)
    assert len(desk.clubs.with_state(desk.club_id, lambda state: state.evenings)) == 2

"""A restore refuses logs that cannot be used. Tests of ``service.usable_logs``."""

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest

from scorekeeper.base.errors import UnusableBackupError, UnusableError
from scorekeeper.log.reading import LogFile
from scorekeeper.log.writing import sealed_lines
from scorekeeper.service.usable_logs import refuse_unusable
from scorekeeper.store import KeyRequest, MemoryStore, New, Store, StoredLine
from tests.evenings import golden_evenings
from tests.refusals import refusal_of
from tests.store.homes import sqlite_home

AT = "2026-11-21T20:00:00.000Z"
OPENED: New = ("session_opened", {"players": [{"id": "mara", "name": "Mara"}], "title": "Friday"})
CLUB: New = ("club_opened", {"format": 1, "name": "Circolo"})
SET: New = ("correction_begun", {"count": 2, "reason": "x"})
# Logs that cannot be used, each because of its last event.
UNUSABLE: dict[str, tuple[list[New], str]] = {
    "an unknown member": ([CLUB, ("member_left", {"member": "leo"})], "a member of this club"),
    "no event of a club": ([CLUB, ("hand_started", {"dealer": "leo"})], "hand_started"),
    "an open set": ([CLUB, SET], "ends inside the set"),
    "no match": ([OPENED, ("hand_started", {"dealer": "mara"})], "match"),
}


def stored(store: Store, events: list[New]) -> str:
    """Store a session or club with unchecked events, and return its id."""
    lines = sealed_lines([(kind, dict(data)) for kind, data in events], AT)
    whole = BytesIO(b"".join(lines))
    if events[0] == CLUB:
        return store.import_sealed_club(whole, (KeyRequest("host"),)).id
    return store.import_sealed(whole, (KeyRequest("host"),)).id


def stored_lines(store: Store, session_id: str) -> tuple[StoredLine, ...]:
    """Return all lines of a session."""
    return next(session.lines for session in store._kept() if session.id == session_id)


@pytest.fixture
def store(tmp_path: Path, template: Path) -> Iterator[Store]:
    with sqlite_home(tmp_path, template) as home:
        yield home.open()


@pytest.mark.parametrize("what", UNUSABLE)
@pytest.mark.parametrize("save", [Store.backup, Store.bundle])
def test_unusable_log_is_not_restored(
    store: Store, tmp_path: Path, what: str, save: Callable[[Store, Path], object]
) -> None:
    events, why = UNUSABLE[what]
    bad = stored(store, events)
    (store.backup if save is Store.backup else store.bundle)(tmp_path / "saved")
    kind = "club" if events[0] == CLUB else "session"
    with pytest.raises(UnusableBackupError, match=rf"{kind} {bad}, event 2: .*{why}"):
        store.restore(tmp_path / "saved", overwrite=True, usable=refuse_unusable)
    other = MemoryStore()
    if save is Store.bundle:
        with pytest.raises(UnusableBackupError, match=f"{bad}, event 2"):
            other.restore(tmp_path / "saved", usable=refuse_unusable)
        assert (other.sessions(), other.clubs()) == ([], [])


def test_all_golden_sessions_are_usable() -> None:
    store = MemoryStore()
    for path in golden_evenings():
        events = [(raw.type, raw.data) for raw in LogFile(BytesIO(path.read_bytes()))]
        sealed = b"".join(sealed_lines(events, AT))
        new = store.import_sealed(BytesIO(sealed), (KeyRequest("host"),))
        assert refusal_of(refuse_unusable, new.id, stored_lines(store, new.id)) == ""


def test_the_game_need_not_be_installed() -> None:
    store = MemoryStore()
    other = ("match_started", {"game": "whist", "seats": ["mara"]})
    new = stored(store, [OPENED, other, ("whist_bid", {"player": "mara"})])
    refuse_unusable(new, stored_lines(store, new))
    with pytest.raises(UnusableError):
        refuse_unusable(new, stored_lines(store, new)[1:])

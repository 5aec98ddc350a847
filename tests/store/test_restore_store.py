"""A bundle is restored in short transactions, beside those who record."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableBackupError
from scorekeeper.store import KeyRequest, New, Opened, Store, bundles, transactions
from tests.store.asking import append, note, opened, request, whole
from tests.store.homes import Home, memory_home

Between = Callable[[], object]


class ObservedTransactions:
    """The writing transactions of a store, and what is read in them that needs no lock."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.read_within: list[str] = []
        self.before: dict[int, Between] = {}  # acts before the transaction of this number, from 1
        self._within = False
        self._run = store._writing
        monkeypatch.setattr(store, "_writing", self._write)
        for module, name in ((bundles, "_read_session"), (transactions, "read_kept")):
            monkeypatch.setattr(module, name, self._observed(getattr(module, name)))

    def _write(self, lock: str, job: Callable[[Any], Any], rows: int = 0) -> Any:
        self.count += 1
        self.before.get(self.count, lambda: None)()

        def observed_job(work: Any) -> Any:
            self._within = True
            try:
                return job(work)
            finally:
                self._within = False

        return self._run(lock, observed_job, rows)

    def _observed(self, read: Callable[..., Any]) -> Callable[..., Any]:
        def observed(*arguments: Any, **options: Any) -> Any:
            if self._within:
                self.read_within.append(read.__name__)
            return read(*arguments, **options)

        return observed


@pytest.fixture
def store(database: Home) -> Store:
    return database.open()


@pytest.fixture
def source() -> Store:
    return memory_home().open()


def recorded(store: Store, events: int = 3) -> Opened:
    """Open a session with this number of events, each with a request."""
    new = opened(store)
    for version in range(1, events):
        append(store, new.id, version, [note(version)], "keeper", request(f"{version}"))
    return new


def bundle_of(store: Store, path: Path) -> Path:
    store.bundle(path)
    return path


def entering_club(store: Store, session_id: str) -> Opened:
    """Open a club that enters a session."""
    events: list[New] = [
        ("club_opened", {"format": 1, "name": "Friday"}),
        ("member_joined", {"id": "mara", "name": "Mara"}),
        ("evening_entered", {"session": session_id, "players": {"mara": "mara"}}),
    ]
    return store.open_club(events, "keeper", (KeyRequest("host"),))


def test_restore_of_what_is_here_begins_no_transaction(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, other = recorded(store), recorded(store)
    club = entering_club(store, session.id)
    store.follow(club.id, {session.id: None})
    path = bundle_of(store, tmp_path / "all.zip")
    append(store, session.id, 3, [note()], "keeper", request("later"))
    store.revoke_key(other.id, other.keys[1].key.id)
    observed = ObservedTransactions(store, monkeypatch)
    store.restore(path)
    assert observed.count == 0


def test_others_record_between_the_sessions_of_a_bundle(
    database: Home, source: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = database.open(), database.open()
    sessions = [recorded(source) for _ in range(3)]
    path = bundle_of(source, tmp_path / "all.zip")
    table = opened(store)
    observed = ObservedTransactions(store, monkeypatch)
    for number in (1, 2, 3):

        def record(version: int = number) -> None:
            append(other, table.id, version, [note()], "keeper")

        observed.before[number] = record
    store.restore(path)
    assert observed.count == 3
    assert observed.read_within == []
    assert store.position(table.id).version == 4
    assert [store.export(new.id) for new in sessions] == [source.export(new.id) for new in sessions]
    assert list(whole(store)) == []


def partly_restored(store: Store, source: Store, tmp_path: Path) -> tuple[Opened, Path]:
    """Restore a session of a source, and return it with a bundle that has more events of it."""
    session = recorded(source, 2)
    store.restore(bundle_of(source, tmp_path / "early.zip"))
    append(source, session.id, 2, [note("there")], "keeper")
    return session, bundle_of(source, tmp_path / "late.zip")


def test_session_that_did_not_change_since_the_check_is_not_read_again(
    store: Store, source: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, path = partly_restored(store, source, tmp_path)
    store.take_seat("phone", session.id, "mara")
    store.follow(entering_club(store, session.id).id, {session.id: None})
    observed = ObservedTransactions(store, monkeypatch)
    store.restore(path)
    assert (observed.count, observed.read_within) == (1, [])
    assert store.position(session.id) == source.position(session.id)


def test_session_that_was_continued_since_the_check_is_not_changed(
    database: Home, source: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = database.open(), database.open()
    session, path = partly_restored(store, source, tmp_path)
    observed = ObservedTransactions(store, monkeypatch)
    observed.before[1] = lambda: append(other, session.id, 2, [note("here")], "keeper")
    with pytest.raises(UnusableBackupError, match="has other events here"):
        store.restore(path)
    assert store.position(session.id).version == 3
    assert b"here" in store.export(session.id)


def test_backup_whose_host_key_is_revoked_since_the_check_adds_nothing(
    database: Home, source: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = database.open(), database.open()
    session, path = partly_restored(store, source, tmp_path)
    observed = ObservedTransactions(store, monkeypatch)
    host = session.keys[0].key
    observed.before[1] = lambda: other.add_key(session.id, KeyRequest("host"), replaces=host.id)
    with pytest.raises(UnusableBackupError, match="none of the host's keys"):
        store.restore(path)
    assert store.position(session.id).version == 2


def test_key_that_was_made_since_the_check_stays(
    database: Home, source: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = database.open(), database.open()
    session, path = partly_restored(store, source, tmp_path)
    observed = ObservedTransactions(store, monkeypatch)
    observed.before[1] = lambda: other.add_key(session.id, KeyRequest("view"))
    store.restore(path)
    assert store.position(session.id) == source.position(session.id)
    assert len(store.keys(session.id)) == len(source.keys(session.id)) + 1


@pytest.mark.parametrize("field", ["id", "digest"])
def test_bundle_with_a_key_of_another_session_changes_nothing(
    store: Store, source: Store, tmp_path: Path, field: str
) -> None:
    table = opened(store)
    (key, digest), *_ = stored_keys(store, table.id, tmp_path / "here.zip")
    recorded(source)
    recorded(source)
    source.bundle(tmp_path / "all.zip")
    first, last = bundles.read(tmp_path / "all.zip")
    (host, own_digest), *others = last.keys
    forged = (replace(host, id=key.id), own_digest) if field == "id" else (host, digest)
    bundles.write(tmp_path / "forged.zip", [first, replace(last, keys=(forged, *others))])
    with pytest.raises(UnusableBackupError, match="the database refuses what is in it"):
        store.restore(tmp_path / "forged.zip")
    assert [session.id for session in store.sessions()] == [table.id]


def stored_keys(store: Store, session_id: str, path: Path) -> tuple[tuple[Any, bytes], ...]:
    """Return the keys of a session with the digests of their secrets."""
    store.bundle(path)
    return next(kept.keys for kept in bundles.read(path) if kept.id == session_id)


def test_interrupted_restore_is_continued_by_another(
    store: Store, source: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = [recorded(source) for _ in range(3)]
    club = entering_club(source, sessions[2].id)
    path = bundle_of(source, tmp_path / "all.zip")

    def interrupt() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patches:
        observed = ObservedTransactions(store, patches)
        observed.before[3] = interrupt
        with pytest.raises(KeyboardInterrupt):
            store.restore(path)
    assert len(store.sessions()) + len(store.clubs()) == 2
    assert list(whole(store)) == []
    store.restore(path)
    assert [store.export(new.id) for new in sessions] == [source.export(new.id) for new in sessions]
    assert [follower.club for follower in store.followers(sessions[2].id)] == [club.id]


def test_club_that_is_stopped_since_the_check_stays_stopped(
    database: Home, source: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = database.open(), database.open()
    session = recorded(source)
    club = entering_club(source, session.id)
    path = bundle_of(source, tmp_path / "all.zip")
    observed = ObservedTransactions(store, monkeypatch)

    def follow_and_stop() -> None:
        other.follow(club.id, {session.id: None})
        other.stop_following(session.id, club.id)

    observed.before[3] = follow_and_stop  # after the session and its club
    store.restore(path)
    assert observed.count == 3
    assert store.stops(club.id) == {session.id: store.position(session.id)}


def test_phone_keeps_the_key_that_it_took_since(
    store: Store, source: Store, tmp_path: Path
) -> None:
    session = recorded(source)
    store.restore(bundle_of(source, tmp_path / "early.zip"))
    here = store.take_seat("phone", session.id, "mara")
    source.take_seat("phone", session.id, "mara")
    store.restore(bundle_of(source, tmp_path / "late.zip"))
    assert store.held_key("phone", session.id) == here


def test_bundle_is_written_while_others_record(
    database: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = database.open(), database.open()
    table = recorded(store)
    write_session, acknowledged = bundles._write_session, threading.Event()

    def record() -> None:
        append(other, table.id, 3, [note()], "keeper")
        acknowledged.set()

    was_meanwhile: list[bool] = []
    writer = threading.Thread(target=record, daemon=True)

    def write_while_another_process_records(*arguments: Any) -> Any:
        writer.start()
        was_meanwhile.append(acknowledged.wait(5))
        return write_session(*arguments)

    monkeypatch.setattr(bundles, "_write_session", write_while_another_process_records)
    store.bundle(tmp_path / "all.zip")
    writer.join()
    assert was_meanwhile == [True]
    assert store.position(table.id).version == 4
    assert [kept.position.version for kept in bundles.read(tmp_path / "all.zip")] == [3]

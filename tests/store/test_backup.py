"""Backups are complete and verified, and restoring them drops nothing.

Tests of ``store.bundles``, ``store.kept`` and ``store.restoring``.
"""

import io
import sqlite3
import stat
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.base.errors import StorageUnavailableError, UnusableBackupError
from scorekeeper.log.writing import now
from scorekeeper.store import Store, bundles, keyring, restoring, sealed
from scorekeeper.store import sqlite as sqlite_store
from scorekeeper.store.contract import AppendEffects, KeyRequest, Position, Repeated
from scorekeeper.store.kept import find_players
from scorekeeper.store.work import Work
from tests.conftest import SOAK
from tests.refusals import refusal_of
from tests.store import homes
from tests.store.asking import append, note, opened, request, whole
from tests.store.homes import Home

ROUNDS = 50 if SOAK else 3


@pytest.fixture
def filled(database: Home) -> Store:
    """Return a store with three sessions, requests, and a revoked key."""
    store = database.open()
    for length in (1, 3, 30):
        new = opened(store)
        for version in range(1, length):
            append(store, new.id, version, [note(f"ä {version}")], "keeper", request(f"{version}"))
        store.revoke_key(new.id, new.keys[1].key.id)
    return store


@pytest.fixture
def elsewhere(template: Path) -> Iterator[Home]:
    """Return another, empty database."""
    with homes.folder_in_memory() as folder, homes.sqlite_home(folder, template) as home:
        yield home


def contents(store: Store) -> dict[str, object]:
    """Return the contents of a store without the answers to requests."""
    return {
        session.id: (session, store.export(session.id), store.keys(session.id))
        for session in store.sessions()
    }


def logs(store: Store) -> dict[str, bytes]:
    return {session.id: store.export(session.id) for session in store.sessions()}


def backup_of(store: Store, path: Path) -> Path:
    store.backup(path)
    return path


def bundle_of(store: Store, path: Path) -> Path:
    store.bundle(path)
    return path


# --------------------------------------------------------------------------------- round trips


@pytest.mark.parametrize("save", [backup_of, bundle_of])
def test_backup_restores_all_sessions_and_keys(
    filled: Store, elsewhere: Home, tmp_path: Path, save: Callable[[Store, Path], Path]
) -> None:
    path = save(filled, tmp_path / "saved")
    other = elsewhere.open()
    other.restore(path)
    assert contents(other) == contents(filled)
    for session_id in logs(other):
        version = other.position(session_id).version
        for number in range(1, version):
            again = append(other, session_id, 1, [note()], "keeper", request(f"{number}"))
            assert isinstance(again, Repeated)
            assert again == filled.answered(session_id, f"{number}", request("").digest)
        assert append(other, session_id, version, [note("more")], "nina").version == version + 1
    assert list(whole(other)) == []
    assert sorted(file.name for file in path.parent.iterdir() if "part" in file.name) == []


def test_bundle_moves_sessions_to_another_database_and_back(
    sqlite: Home, postgres: Home, elsewhere: Home, tmp_path: Path
) -> None:
    first, second, third = (home.open() for home in (sqlite, postgres, elsewhere))
    opened(first)
    new = opened(first)
    append(first, new.id, 1, [note(n) for n in range(20)], "keeper", request("key"))
    second.restore(bundle_of(first, tmp_path / "one.zip"))
    third.restore(bundle_of(second, tmp_path / "two.zip"))
    memory = homes.memory_home().open()
    memory.restore(bundle_of(third, tmp_path / "three.zip"))
    bundle_of(memory, tmp_path / "four.zip")
    assert contents(first) == contents(second) == contents(third) == contents(memory)
    saved = {(tmp_path / f"{name}.zip").read_bytes() for name in ("one", "two", "three", "four")}
    assert len(saved) == 1
    assert append(second, new.id, 21, [note()], "keeper").version == 22


def test_recorders_of_events_are_saved_beside_the_logs(
    sqlite: Home, postgres: Home, elsewhere: Home, tmp_path: Path
) -> None:
    first, second, third = (home.open() for home in (sqlite, postgres, elsewhere))
    plain, new = opened(first), opened(first)
    key, after = new.keys[-1].key.id, Position(1, new.head)
    first.append(
        new.id, after, sealed(after, [note()], now(), "keeper"), effects=AppendEffects({2: key})
    )
    second.restore(bundle_of(first, tmp_path / "one.zip"))
    second.restore(tmp_path / "one.zip")  # adds nothing
    third.restore(bundle_of(second, tmp_path / "two.zip"))
    assert first.recorders(new.id) == second.recorders(new.id) == third.recorders(new.id)
    assert third.recorders(new.id) == {2: key}
    with zipfile.ZipFile(tmp_path / "two.zip") as bundle:
        names = bundle.namelist()
    assert f"sessions/{new.id}/recorders.jsonl" in names
    assert f"sessions/{plain.id}/recorders.jsonl" not in names
    copied = elsewhere.open()
    copied.restore(backup_of(first, tmp_path / "copy.db"), overwrite=True)
    assert copied.recorders(new.id) == {2: key}


def test_bundle_is_a_zip_of_readable_logs(filled: Store, tmp_path: Path) -> None:
    path = bundle_of(filled, tmp_path / "saved.zip")
    with zipfile.ZipFile(path) as bundle:
        for session_id, log in logs(filled).items():
            assert bundle.read(f"sessions/{session_id}/log.jsonl") == log


def test_restoring_a_bundle_adds_only_missing_events(database: Home, tmp_path: Path) -> None:
    store = database.open()
    old, new = opened(store), opened(store)
    append(store, new.id, 1, [note(1)], "keeper", request("one"))
    path = bundle_of(store, tmp_path / "saved.zip")
    append(store, new.id, 2, [note(2)], "keeper", request("two"))
    later = store.add_key(new.id, KeyRequest("host"))
    store.revoke_key(new.id, new.keys[0].key.id)
    newest = opened(store)
    before = contents(store)
    store.restore(path)  # newer events stay
    assert contents(store) == before
    assert store.find_key(later.secret) is not None
    assert store.find_key(new.keys[0].secret) is None
    assert {old.id, new.id, newest.id} == set(logs(store))


@pytest.mark.parametrize("save", [backup_of, bundle_of])
@pytest.mark.parametrize("overwrite", [False, True])
def test_keys_revoked_after_the_backup_stay_revoked(
    database: Home, tmp_path: Path, save: Callable[[Store, Path], Path], *, overwrite: bool
) -> None:
    """Restoring a backup restores events, but no key that was revoked in the meantime."""
    store = database.open()
    new, club = opened(store), keyring.new_stream_id(keyring.StreamKind.CLUB)
    host, view, mara = (key.key for key in new.keys)
    store.follow(club, {new.id: None})
    store.take_key("old phone", mara)
    path = save(store, tmp_path / "saved")
    store.stop_following(new.id, club)
    store.revoke_key(new.id, view.id)
    later = store.add_key(new.id, KeyRequest("host"), replaces=host.id)
    store.rename_phone("old phone", "new phone")
    before = store.keys(new.id), store.stops(club)
    replaced = database.kind == "sqlite" and save is backup_of
    if overwrite:
        append(store, new.id, 1, [note()], "keeper")
    store.restore(path, overwrite=overwrite)
    assert (store.keys(new.id), store.stops(club)) == before
    assert store.position(new.id).version == (2 if overwrite and not replaced else 1)
    assert store.stops(club) == {new.id: (1, new.head)}
    assert [store.find_key(key.secret) for key in new.keys[:2]] == [None, None]
    assert store.find_key(later.secret) == later.key
    assert store.held_key("old phone", new.id) is None
    assert store.held_key("new phone", new.id) is not None
    assert [(follower.club, follower.stop) for follower in store.followers(new.id)] == [
        (club, (1, new.head))
    ]
    store.backup(tmp_path / "again")  # its files are consistent


@pytest.mark.parametrize("save", [backup_of, bundle_of])
def test_request_to_become_the_host_is_not_brought_back(
    database: Home, tmp_path: Path, save: Callable[[Store, Path], Path]
) -> None:
    store = database.open()
    there = [{"id": player, "name": player} for player in ("leo", "nina", "ugo")]
    data = {"title": "Friday", "players": there}
    new = store.open_session([("session_opened", data)], "keeper", [KeyRequest("host")])
    own = store.take_seat("host beside", new.id, "nina", hosting=True)
    leo, mara = (store.take_seat(player, new.id, player) for player in ("leo", "ugo"))
    store.ask_to_host("leo", leo, "")
    vote = store.find_host_vote(new.id)
    assert vote is not None
    assert vote.latest is not None
    path = save(store, tmp_path / "saved")
    store.end_host_request(mara, vote.latest.id)
    store.take_key("nina", own, "host beside")  # now it is the seat of a player
    store.restore(path)
    restored = store.host_vote(new.id)
    assert {key.player for key in restored.voters} == {"leo", "ugo", "nina"}
    assert restored.latest is None or restored.latest.outcome == "declined"


def test_key_revoked_in_a_newer_backup_is_revoked_by_restoring_it(
    database: Home, elsewhere: Home, tmp_path: Path
) -> None:
    store, other = database.open(), elsewhere.open()
    new, club = opened(store), keyring.new_stream_id(keyring.StreamKind.CLUB)
    store.follow(club, {new.id: None})
    other.restore(bundle_of(store, tmp_path / "older.zip"))
    append(other, new.id, 1, [note()], "keeper")
    other.stop_following(new.id, club)
    other.revoke_key(new.id, new.keys[1].key.id)
    store.restore(bundle_of(other, tmp_path / "newer.zip"))
    assert store.find_key(new.keys[1].secret) is None
    assert store.stops(club) == other.stops(club) == {new.id: other.position(new.id)}


def test_club_that_may_not_read_an_evening_may_not_after_a_restore(
    database: Home, elsewhere: Home, tmp_path: Path
) -> None:
    store, other = database.open(), elsewhere.open()
    new, club = opened(store), keyring.new_stream_id(keyring.StreamKind.CLUB)
    store.name_unread(club, [new.id, keyring.new_id()])
    assert not store.stop_following(new.id, club)
    other.restore(bundle_of(store, tmp_path / "bundle.zip"))
    other.restore(tmp_path / "bundle.zip")
    assert store.stops(club) == other.stops(club) == {new.id: (0, "")}
    assert store.followers(new.id) == other.followers(new.id)
    other.follow(club, {new.id: new.keys[1].key})
    assert other.stops(club) == {}
    other.revoke_key(new.id, new.keys[1].key.id)
    assert other.stops(club) == {new.id: other.position(new.id)}


def test_restored_session_can_be_continued(elsewhere: Home, sqlite: Home, tmp_path: Path) -> None:
    store, other = sqlite.open(), elsewhere.open()
    new = opened(store)
    other.restore(bundle_of(store, tmp_path / "early.zip"))
    append(store, new.id, 1, [note(1), note(2)], "keeper", request("key"))
    other.restore(bundle_of(store, tmp_path / "late.zip"))
    assert contents(other) == contents(store)
    assert isinstance(append(other, new.id, 1, [note()], "k", request("key")), Repeated)


# -------------------------------------------------------------------------------- while others


@pytest.mark.parametrize("save", [backup_of, bundle_of])
def test_writers_continue_during_a_backup(
    filled: Store, elsewhere: Home, tmp_path: Path, save: Callable[[Store, Path], Path]
) -> None:
    stop = threading.Event()
    session_id = opened(filled).id
    errors: list[Exception] = []

    def write() -> None:
        version = 1
        try:
            while not stop.is_set():
                version = append(filled, session_id, version, [note(version)], "keeper").version
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    thread = threading.Thread(target=write)
    thread.start()
    saved = [save(filled, tmp_path / f"saved {n}") for n in range(ROUNDS)]
    stop.set()
    thread.join(10)
    assert errors == []
    final = filled.export(session_id)
    other = elsewhere.open()
    for path in saved:
        other.restore(path)
        log = other.export(session_id)
        assert final.startswith(log)
        assert list(whole(other)) == []
    assert filled.position(session_id).version > 2


# ------------------------------------------------------------------------------------ refusals


def test_copy_that_lacks_events_is_not_restored(sqlite: Home, tmp_path: Path) -> None:
    store = sqlite.open()
    new = opened(store)
    path = backup_of(store, tmp_path / "saved")
    append(store, new.id, 1, [note()], "keeper")
    with pytest.raises(UnusableBackupError, match=f"lacks events of session {new.id}"):
        store.restore(path)
    assert store.position(new.id).version == 2
    store.restore(path, overwrite=True)
    assert store.position(new.id) == (1, new.head)
    assert append(store, new.id, 1, [note()], "keeper").version == 2
    assert sqlite.open().position(new.id).version == 2


def test_event_during_a_restore_is_recorded_after_it(
    sqlite: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = sqlite.open(), sqlite.open()
    new = opened(store)
    path = backup_of(store, tmp_path / "saved")
    carry, acknowledged = sqlite_store._carry_rights, threading.Event()

    def write() -> None:
        append(other, new.id, 1, [note()], "keeper")
        acknowledged.set()

    writer = threading.Thread(target=write)

    def carry_while_another_process_writes(*databases: Any) -> None:
        writer.start()
        assert not acknowledged.wait(0.3)
        carry(*databases)

    monkeypatch.setattr(sqlite_store, "_carry_rights", carry_while_another_process_writes)
    store.restore(path)
    writer.join()
    assert acknowledged.is_set()
    assert store.position(new.id).version == 2


def test_event_just_before_a_restore_is_not_lost(
    sqlite: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = sqlite.open(), sqlite.open()
    new = opened(store)
    path = backup_of(store, tmp_path / "saved")
    assert isinstance(store, sqlite_store.SqliteStore)
    turn = store._writer._turn
    taken = turn.taken

    @contextmanager
    def taken_after_another_process_wrote() -> Iterator[None]:
        append(other, new.id, 1, [note()], "keeper")
        with taken():
            yield

    monkeypatch.setattr(turn, "taken", taken_after_another_process_wrote)
    with pytest.raises(UnusableBackupError, match=f"lacks events of session {new.id}"):
        store.restore(path)
    assert store.position(new.id).version == 2


def test_table_that_lacks_nothing_records_while_a_bundle_is_restored(
    postgres: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = postgres.open(), postgres.open()
    new = opened(store)
    source = homes.memory_home().open()
    source.restore(bundle_of(store, tmp_path / "saved"))
    missing = opened(source)
    merge = restoring.merge_session

    def merge_while_another_process_writes(work: Work, **options: Any) -> None:
        merge(work, **options)
        append(other, new.id, 1, [note()], "keeper")

    monkeypatch.setattr(restoring, "merge_session", merge_while_another_process_writes)
    store.restore(bundle_of(source, tmp_path / "more"))
    assert store.position(new.id).version == 2
    assert store.position(missing.id).version == 1


def test_bundle_with_a_different_history_is_not_restored(database: Home, tmp_path: Path) -> None:
    store = database.open()
    new = opened(store)
    path = bundle_of(store, tmp_path / "saved.zip")
    twin = homes.memory_home().open()
    twin.restore(path)
    append(twin, new.id, 1, [note("another")], "keeper")
    append(store, new.id, 1, [note("one")], "keeper")
    before = contents(store)
    opened(twin)
    for more in (0, 1):
        if more:
            append(store, new.id, 2, [note()], "keeper")
            before = contents(store)
        with pytest.raises(UnusableBackupError, match="has other events here"):
            store.restore(bundle_of(twin, tmp_path / f"twin {more}.zip"))
        assert contents(store) == before


@pytest.mark.parametrize("save", [backup_of, bundle_of])
def test_damaged_backup_is_not_restored(
    filled: Store, elsewhere: Home, tmp_path: Path, save: Callable[[Store, Path], Path]
) -> None:
    whole_file = save(filled, tmp_path / "saved").read_bytes()
    other = elsewhere.open()
    size = len(whole_file)
    damages = [b"", b"nonsense", whole_file[: size // 2]]
    damages += [
        whole_file[:place] + b"\xff\x00\xff" + whole_file[place + 3 :]
        for place in range(0, size, size // 20)
    ]
    expected = logs(filled)
    for n, damaged in enumerate(damages):
        path = tmp_path / f"damaged {n}"
        path.write_bytes(damaged)
        try:
            other.restore(path)
        except UnusableBackupError:
            assert logs(other) in ({}, expected)
        else:  # the damaged bytes do not belong to events
            assert logs(other) == expected
            assert len(contents(other)) == len(expected)


def test_copy_with_an_altered_event_is_not_restored(sqlite: Home, tmp_path: Path) -> None:
    store = sqlite.open()
    opened(store)
    path = backup_of(store, tmp_path / "saved")
    with closing(sqlite3.connect(path, isolation_level=None)) as copied:
        copied.execute("DROP TRIGGER events_no_update")
        copied.execute("UPDATE events SET line = replace(line, 'Friday', 'Monday')")
    with pytest.raises(UnusableBackupError, match="the guard events_no_update is missing"):
        store.restore(path, overwrite=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as copied:
        copied.execute(
            "CREATE TRIGGER events_no_update BEFORE UPDATE ON events "
            "BEGIN SELECT RAISE(ABORT, 'events: nothing is ever changed'); END"
        )
    with pytest.raises(UnusableBackupError, match="not a sealed log"):
        store.restore(path, overwrite=True)


def test_backup_overwrites_no_file(database: Home, tmp_path: Path) -> None:
    store = database.open()
    path = tmp_path / "mine"
    path.write_text("precious", encoding="utf-8")
    for save in (backup_of, bundle_of):
        with pytest.raises(UnusableBackupError, match="the file exists already"):
            save(store, path)
    assert path.read_text(encoding="utf-8") == "precious"


def test_failed_backup_leaves_no_file(database: Home, tmp_path: Path) -> None:
    store = database.open()
    for save in (backup_of, bundle_of):
        with pytest.raises(StorageUnavailableError):
            save(store, tmp_path / "no such folder" / "saved")
    assert not (tmp_path / "no such folder").exists()


def empty_files(*names: str) -> zipfile.ZipFile:
    """Return a bundle with empty files of these names and a manifest."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as bundle:
        for name in (bundles.MANIFEST, *names):
            bundle.writestr(name, b"")
    return zipfile.ZipFile(file)


def test_only_the_file_of_clubs_may_be_missing_from_a_bundle() -> None:
    session_id = keyring.LETTERS[0] * keyring.ID_LENGTH
    names = [f"sessions/{session_id}/{name}" for name in bundles.FILES]
    listed: list[dict[str, Any]] = [{"id": session_id, "files": {}}]
    bundles.refuse_unlisted_files(empty_files(*names), listed)
    bundles.refuse_unlisted_files(empty_files(*names[:-1]), listed)
    with pytest.raises(UnusableBackupError, match="phones"):
        bundles.refuse_unlisted_files(empty_files(*names[:-2]), listed)
    with pytest.raises(UnusableBackupError, match="stranger"):
        bundles.refuse_unlisted_files(empty_files(*names, "stranger"), listed)


def test_bundle_of_another_format_is_refused(filled: Store, tmp_path: Path) -> None:
    path = tmp_path / "later.zip"
    with zipfile.ZipFile(path, "w") as bundle:
        bundle.writestr(bundles.MANIFEST, '{"format":2,"sessions":[]}')
    with pytest.raises(UnusableBackupError, match="format 2"):
        filled.restore(path)


PEOPLE = {"title": "Friday", "players": [{"id": "mara", "name": "M"}, {"id": "leo", "name": "L"}]}
NINA = {"id": "nina", "name": "Nina"}


@pytest.mark.parametrize(
    ("kind", "data", "players"),
    [
        ("session_opened", PEOPLE, {"mara", "leo"}),
        ("player_joined", NINA, {"nina"}),
        ("event_replaced", {"seq": 1, "type": "session_opened", "data": PEOPLE}, {"mara", "leo"}),
        ("event_inserted", {"after": 1, "type": "player_joined", "data": NINA}, {"nina"}),
        ("note_added", {"text": "Nina comes later", **NINA}, set()),
    ],
)
def test_keys_may_belong_to_every_player_that_the_log_ever_named(
    kind: str, data: dict[str, object], players: set[str]
) -> None:
    lines = sealed(Position(0, ""), [(kind, data)], "2026-11-21T20:14:03.250Z", "keeper")
    assert find_players(lines) == players


def odd(size: int = 0, **attributes: str | int) -> None:
    """Check a zip of two files, one with these attributes and ``size`` bytes over the limit."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as bundle:
        bundle.writestr("a", "1234")
        bundle.writestr("b", "5678")
        for name, value in attributes.items():
            setattr(bundle.infolist()[0], name, value)
        bundles.refuse_odd_files(bundle, 8 - size)


def test_bundle_accepts_regular_files() -> None:
    for attributes in (
        {},
        {"external_attr": (stat.S_IFREG | 0o600) << 16, "compress_type": zipfile.ZIP_DEFLATED},
        {"file_size": bundles.LARGEST_FILE_BYTES},
    ):
        assert refusal_of(partial(odd, **attributes)) == ""


@pytest.mark.parametrize(
    ("attributes", "what"),
    [
        ({"filename": "b"}, "is there twice"),
        ({"flag_bits": 1}, "encrypted"),
        ({"filename": "a/"}, "not a regular file"),
        ({"external_attr": (stat.S_IFLNK | 0o600) << 16}, "not a regular file"),
        ({"compress_type": zipfile.ZIP_BZIP2}, "not compressed by deflate"),
        ({"file_size": bundles.LARGEST_FILE_BYTES + 1}, "larger than"),
        ({"size": 1}, "overlap"),
    ],
)
def test_bundle_refuses_irregular_files(attributes: dict[str, Any], what: str) -> None:
    with pytest.raises(UnusableBackupError, match=what):
        odd(**attributes)

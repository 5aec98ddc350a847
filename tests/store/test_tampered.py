"""Backups that were tampered with are refused with the place, before anything is changed.

Tests of ``store.copies``.
"""

# ruff: noqa: S608  # the statements are constants of these tests

import json
import os
import random
import re
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import pytest

from scorekeeper.base.errors import StorageUnavailableError, UnusableBackupError
from scorekeeper.service import AppendRequest, Holder, NewEvent, Service
from scorekeeper.service.responses import matches_log
from scorekeeper.store import Store, bundles, copies, sqlite_file
from scorekeeper.store.contract import KeyRequest
from tests.api.asking import Table, client_of
from tests.conftest import SOAK
from tests.store import homes
from tests.store.asking import append, note, opened, whole
from tests.store.asking import request as asked
from tests.store.homes import Home
from tests.store.tampering import (
    ANOTHER,
    MANIFEST,
    Files,
    answer,
    edited,
    files_of,
    hashed,
    key,
    listed,
    packed,
    request,
    with_line,
    without_hashes,
)

CHANGES: Final = 10_000 if SOAK else 300
LATER: Final = "2099-01-01T00:00:00.000Z"


def contents(store: Store) -> dict[str, object]:
    """Return the contents of a store, with the answers to the requests of these tests."""
    return {
        session.id: (session, store.export(session.id), store.keys(session.id),
                 [store.answered(session.id, f"{n}", asked("").digest) for n in range(9)])
        for session in store.sessions()
    }  # fmt: skip


def fill(store: Store) -> None:
    """Record two sessions with requests, answered like the service, and a revoked key."""
    service = Service(store)
    for length in (1, 5):
        new = opened(store)
        for version in range(1, length):
            event = NewEvent("note_added", {"text": f"\u00e4 {version}"})
            digest = asked("").digest
            ask = AppendRequest(version, (event,), key=f"{version}", digest=digest)
            service.record(new.id, ask, Holder("host"))
        store.revoke_key(new.id, new.keys[1].key.id)


@pytest.fixture(scope="module")
def saved(template: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return a backup in each form, and its contents."""
    folder = tmp_path_factory.mktemp("saved")
    with homes.sqlite_home(folder, template) as home:
        store = home.open()
        fill(store)
        store.bundle(folder / "bundle.zip")
        store.backup(folder / "copy.db")
        return {"bundle": folder / "bundle.zip", "copy": folder / "copy.db",
                "contents": contents(store)}  # fmt: skip


def check_refused(home: Home, path: Path, why: str, **more: Any) -> None:
    """Check that a file is refused for this reason, and nothing is changed."""
    store = home.open()
    before = contents(store)
    with pytest.raises(UnusableBackupError, match=why):
        store.restore(path, fits=matches_log, **more)
    assert contents(store) == before
    assert list(whole(store)) == []


# ------------------------------------------------------------------------------------ bundles

MALFORMED: Final = "keys.jsonl in the bundle, line .: not as a bundle is written"
WRONG: Final[dict[str, tuple[Callable[[Files], Files], str]]] = {
    "a key to another session": (key(session=ANOTHER), f"opens session {ANOTHER}, not this"),
    "a role that is none": (key(role="king"), 'expected host, seat or view, got "king"'),
    "a role that is no text": (key(role=7), "expected host, seat or view, got 7"),
    "a host with a player": (key(role="host"), 'only a seat has a player, got "mara"'),
    "a seat without a player": (key(player=None), "expected one of the session's players"),
    "a player who is not there": (key(player="leo"), 'players, got "leo"'),
    "a player who is none": (key(player={}), "players, got an empty object"),
    "a key without an id": (key(id="x"), "key x: its id is malformed"),
    "a key with a short digest": (key(digest="00" * 31), "its digest is not a SHA-256"),
    "a key with no digest": (key(digest="zz"), MALFORMED),
    "a key with more": (key(more=1), MALFORMED),
    "a key of no time": (key(created="then"), 'created: expected a time, got "then"'),
    "a key revoked at no time": (key(revoked=1), "revoked: expected a time or none, got 1"),
    "a key that never ends": (key(expires="9" * 24), "expires: expected a time or none"),
    "the same key twice": (with_line("keys", lambda value: 2 * (json.dumps(
        value, separators=(",", ":")).encode() + b"\n")), "another key has its id or secret"),
    "a version to come": (request(version=6), "made version 6, but the log has 5 events"),
    "a huge version": (request(version=2**53 - 1), "made version 9007199254740991"),
    "a version too large": (with_line("requests", lambda value: b'{"version":99999999999999999}\n'),
                            "requests.jsonl in the bundle, line 4: not as"),
    "no version": (request(version=True), "made version true"),
    "a version that another made": (request(version=2), "another request also made version 2"),
    "a status that is none": (request(status=99), "a status from 200 to 599, got 99"),
    "a request without a key": (request(key=""), "its idempotency key is malformed"),
    "a request with a NUL": (request(key="a\0"), "its idempotency key is malformed"),
    "the same request twice": (request(key="1"), "a request is there twice"),
    "a digest of nothing": (request(digest=""), "its digest is not a SHA-256"),
    "an answer that is none": (request(answer="????"), "line 4: not as a bundle is written"),
    "an answer of nothing": (request(answer=""), "its answer does not agree"),
    "another version": (answer(lambda value: value.update(version=4)), "does not agree with"),
    "another head": (answer(lambda value: value.update(head="0" * 64)), "does not agree with"),
    "no events answered": (answer(lambda value: value.update(events=[])), "does not agree with"),
    "another type": (answer(lambda it: it["events"][0].update(type="x")), "does not agree"),
    "findings that are none": (answer(lambda value: value.update(findings=[1])), "does not agree"),
    "a session created at no time": (listed(created="x"), "created: expected a time"),
    "a version that the log has not": (listed(version=4), "does not end where the list says"),
    "a head that the log has not": (listed(head="0" * 64), "does not end where the list says"),
    "a session that is not there": (listed(id=ANOTHER), f"sessions/{ANOTHER}/keys.jsonl in"),
    "a session outside": (listed(id="../../x"), r"session \.\./\.\./x: expected an id"),
    "a session without a head": (
        lambda files: {**files, MANIFEST: files[MANIFEST].replace(b'"head"', b'"hood"')},
        "bundle.json in the bundle: not as"),
    "another event": (with_line("log", lambda it: it.update(by="leo")), "line 5: the hash does"),
    "a key twice in a line": (with_line("keys", lambda value: b'{"id":"a","id":"b"}\n'), MALFORMED),
    "a number that is none": (with_line("keys", lambda value: b'{"id":NaN}\n'), MALFORMED),
    "what is nested": (with_line("keys", lambda value: b"[" * 9000 + b"\n"), MALFORMED),
    "half a character": (with_line("keys", lambda value: b'{"id":"\\ud800"}\n'), MALFORMED),
    "a file of no session": (lambda files: {**files, "../../etc/x": b""}, "belongs to no session"),
    "sessions without hashes": (without_hashes, "bundle.json in the bundle: not as"),
    "a manifest without a hash": (
        lambda files: {**files, MANIFEST: re.sub(rb',?"hash":"\w+"', b"", files[MANIFEST])},
        "bundle.json in the bundle was changed"),
    "a file that is missing": (
        lambda files: {n: file for n, file in files.items() if "requests" not in n},
        "requests.jsonl in the bundle: it is missing"),
    "no list": (lambda files: {**files, MANIFEST: b"[]"}, "the bundle cannot be read"),
    "a list of nothing": (lambda files: {**files, MANIFEST: b'{"format":1,"sessions":[1]}'},
                          "the bundle cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_altered_bundle_is_refused(
    saved: dict[str, Any], sqlite: Home, tmp_path: Path, what: str
) -> None:
    change, why = WRONG[what]
    files = change(files_of(saved["bundle"]))
    with suppress(ValueError, TypeError, LookupError, AttributeError):  # no file has a hash there
        files = hashed(files)
    check_refused(sqlite, packed(files, tmp_path / "changed.zip"), why)


@pytest.mark.parametrize(
    "what", ["a key to another session", "a version to come", "a role that is none"]
)
def test_altered_bundle_is_refused_by_postgresql_and_in_memory(
    saved: dict[str, Any], postgres: Home, tmp_path: Path, what: str
) -> None:
    change, why = WRONG[what]
    path = packed(hashed(change(files_of(saved["bundle"]))), tmp_path / "changed.zip")
    check_refused(postgres, path, why)
    check_refused(homes.memory_home(), path, why)


@pytest.mark.parametrize("kind", ["log", "requests", "keys"])
def test_changed_file_is_named(
    saved: dict[str, Any], sqlite: Home, tmp_path: Path, kind: str
) -> None:
    files = files_of(saved["bundle"])
    name = [name for name in files if name.endswith(f"/{kind}.jsonl") and files[name]][-1]
    files[name] = files[name].replace(b"2", b"3", 1)
    check_refused(sqlite, packed(files, tmp_path / "x.zip"), f"{name} in the bundle was changed")


def test_bundle_that_contradicts_the_database_is_refused(
    saved: dict[str, Any], database: Home, tmp_path: Path
) -> None:
    store = database.open()
    store.restore(saved["bundle"], fits=matches_log)
    files = files_of(saved["bundle"])
    for change, why in (
        (key(digest="ab" * 32), "opens something else here"),
        (key(role="view", player=None), "opens something else here"),
        (request(digest="ab" * 32), "has another answer here"),
    ):
        check_refused(database, packed(hashed(change(files)), tmp_path / "changed.zip"), why)
    other = opened(store)
    theirs = store.keys(other.id)[0]
    check_refused(database, packed(hashed(key(id=theirs.id)(files)), tmp_path / "changed.zip"),
              "the database refuses what is in it")  # fmt: skip


# ---------------------------------------------------------------------------------- zip files


def info(name: str, **more: Any) -> zipfile.ZipInfo:
    zip_info = zipfile.ZipInfo(name)
    for field, value in more.items():
        setattr(zip_info, field, value)
    return zip_info


def zipped(path: Path, *more: tuple[zipfile.ZipInfo, bytes]) -> Path:
    no_sessions = hashed({MANIFEST: b'{"format":1,"hash":"","sessions":[]}'})[MANIFEST]
    with zipfile.ZipFile(path, "w") as bundle:
        bundle.writestr(MANIFEST, no_sessions)
        for zip_info, content in more:
            bundle.writestr(zip_info, content)
    return path


@pytest.mark.parametrize(
    ("zip_info", "why"),
    [
        (info("link", external_attr=0o120777 << 16), "it is not a regular file"),
        (info("pipe", external_attr=0o010644 << 16), "it is not a regular file"),
        (info("folder/"), "folder/ in the bundle: it is not a regular file"),
        (info("packed", compress_type=zipfile.ZIP_LZMA), "it is not compressed by deflate"),
        (info("../up"), r"\.\./up in the bundle: it belongs to no session"),
        (info("/etc/passwd"), "it belongs to no session"),
        (info("a\u001b[2J"), r"a\\x1b\[2J in the bundle: it belongs to no session"),
    ],
)  # fmt: skip
def test_irregular_file_in_a_zip_is_refused(
    sqlite: Home, tmp_path: Path, zip_info: Any, why: str
) -> None:
    check_refused(sqlite, zipped(tmp_path / "x.zip", (zip_info, b"")), why)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_repeated_name_in_a_zip_is_refused(sqlite: Home, tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", (info(MANIFEST), b"{}"))
    check_refused(sqlite, path, "bundle.json in the bundle: it is there twice")


def test_encrypted_file_in_a_zip_is_refused(sqlite: Home, tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip")
    content = bytearray(path.read_bytes())
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(sign) + place] |= 1
    path.write_bytes(content)
    check_refused(sqlite, path, "bundle.json in the bundle: it is encrypted")


def test_zip_bomb_is_refused(sqlite: Home, tmp_path: Path) -> None:
    """It unpacks to a thousand times its size, and is refused by its list or while it is read."""
    path = tmp_path / "x.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle,
        bundle.open(MANIFEST, "w") as file,
    ):
        for _ in range(130):
            file.write(b" " * (1 << 20))
    check_refused(sqlite, path, "larger than 128 MiB")
    content = bytearray(path.read_bytes())
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = (1000).to_bytes(4, "little")
    path.write_bytes(content)
    check_refused(sqlite, path, "the bundle cannot be read")


@pytest.mark.parametrize("kind", ["a folder", "a pipe", "a device", "nothing"])
def test_path_that_is_no_file_is_refused(sqlite: Home, tmp_path: Path, kind: str) -> None:
    path = Path("/dev/zero") if kind == "a device" else tmp_path / "x"
    if kind == "a folder":
        path.mkdir()
    elif kind == "a pipe":
        os.mkfifo(path)
    check_refused(sqlite, path, "is not a file")


# ------------------------------------------------------------------------------------- copies

SWALLOW: Final = (
    "CREATE TRIGGER swallow BEFORE INSERT ON events WHEN NEW.seq > 5 "
    "BEGIN SELECT RAISE(IGNORE); END"
)
EDITS: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "a trigger that swallows": ((SWALLOW,), "the trigger swallow is not in them"),
    "a guard that guards nothing": (
        ("DROP TRIGGER events_no_delete",
         "CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT 1; END"),
        "the trigger events_no_delete is different"),
    "a view": (("CREATE VIEW keys2 AS SELECT * FROM keys",), "the view keys2 is not in them"),
    "a table": (("CREATE TABLE more (a)",), "the table more is not in them"),
    "an index": (("CREATE INDEX more ON keys (role)",), "the index more is not in them"),
    "no index": (("DROP INDEX ix_keys_session",), "the index ix_keys_session is missing"),
    "a table without its checks": (
        ("UPDATE sqlite_master SET sql = replace(sql, '= 32', '> 0') WHERE name = 'keys'",),
        "the table keys is different"),
    "no guard": (("DROP TRIGGER requests_no_update",), "the guard requests_no_update is missing"),
    "another revision, too": (("INSERT INTO alembic_version VALUES ('0')",), "revision"),
    "a key to nothing": ((f"UPDATE keys SET session = '{ANOTHER}'",), "the backup is damaged"),
    "a player who is not there": (
        ("UPDATE keys SET player = 'leo' WHERE player IS NOT NULL",), "session's players"),
    "a time that is none": (("UPDATE keys SET created = replace(created, '-', '/')",),
                            "keys, created: expected a time"),
    "a code that is a text": (
        (f"INSERT INTO codes SELECT max(id), '{32 * 'x'}', max(created) FROM sessions",),
        "codes, digest: expected bytes"),
    "a limit that is a text": ((f"INSERT INTO limits VALUES ('a', zeroblob(32), '{LATER}', 'x')",),
                               "limits, count: expected a whole number"),
    "a limit of none": ((f"INSERT INTO limits VALUES (char(27), zeroblob(32), '{LATER}', 1)",),
                        "limits, kind: expected at most 32 printable characters"),
}  # fmt: skip


@pytest.mark.parametrize("what", EDITS)
def test_altered_copy_is_refused(
    saved: dict[str, Any], sqlite: Home, tmp_path: Path, what: str
) -> None:
    edits, why = EDITS[what]
    path = Path(shutil.copy(saved["copy"], tmp_path / "copy.db"))
    edited(path, *edits)
    check_refused(sqlite, path, why, overwrite=True)


def test_copy_with_changed_rows_is_refused(
    saved: dict[str, Any], sqlite: Home, tmp_path: Path
) -> None:
    path = Path(shutil.copy(saved["copy"], tmp_path / "copy.db"))
    with closing(sqlite3.connect(path, isolation_level=None)) as copied:
        copied.execute(f"UPDATE keys SET expires = '{LATER}'")
    check_refused(sqlite, path, "changed since it was made: its digest differs")


def test_copy_that_sqlite_has_analyzed_is_accepted(
    saved: dict[str, Any], sqlite: Home, tmp_path: Path
) -> None:
    path = Path(shutil.copy(saved["copy"], tmp_path / "copy.db"))
    edited(path, "ANALYZE")
    store = sqlite.open()
    store.restore(path, fits=matches_log)
    assert contents(store) == saved["contents"]
    store.backup(tmp_path / "again.db")
    store.restore(tmp_path / "again.db", fits=matches_log)


def test_restored_copy_has_no_digest(saved: dict[str, Any], sqlite: Home, tmp_path: Path) -> None:
    """Otherwise a later copy of the database, made by other means, would seem to be changed."""
    store = sqlite.open()
    store.restore(saved["copy"], fits=matches_log)
    opened(store)
    shutil.copy(sqlite.path, tmp_path / "copied.db")
    store.restore(tmp_path / "copied.db", fits=matches_log)
    assert (
        sorted(file.name for file in sqlite.path.parent.iterdir() if "restore" in file.name) == []
    )


def test_damage_that_sqlite_finds_is_reported_in_one_line() -> None:
    assert str(UnusableBackupError("on tree 5:\n\x00 page 3")) == "on tree 5:   page 3"


# ------------------------------------------------------------------------------ swallowed inserts


@pytest.mark.parametrize("what", ["event", "request", "key", "session"])
def test_swallowed_insert_is_not_acknowledged(database: Home, what: str) -> None:
    store = database.open()
    new = opened(store)
    swallow(database, f"{what}s")
    act: dict[str, Callable[[], object]] = {
        "event": lambda: append(store, new.id, 1, [note()], "keeper", asked("one")),
        "request": lambda: append(store, new.id, 1, [note()], "keeper", asked("one")),
        "key": lambda: store.add_key(new.id, KeyRequest("view")),
        "session": lambda: opened(store),
    }
    with pytest.raises(StorageUnavailableError):
        act[what]()
    assert store.position(new.id).version == 1
    assert store.answered(new.id, "one", asked("").digest) is None
    assert len(store.sessions()) == 1
    assert len(store.keys(new.id)) == 3


def swallow(home: Home, table: str) -> None:
    """Let the database silently ignore inserts into a table."""
    if home.kind == "sqlite":
        with closing(sqlite3.connect(home.path, isolation_level=None)) as connection:
            connection.execute(
                f"CREATE TRIGGER swallow BEFORE INSERT ON {table} BEGIN SELECT RAISE(IGNORE); END"
            )
        return
    with homes.sql(home) as connection:
        connection.execute(
            "CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RETURN NULL; END $$"
        )
        connection.execute(
            f"CREATE TRIGGER swallow BEFORE INSERT ON {table} FOR EACH ROW "
            "EXECUTE FUNCTION swallow()"
        )


def test_store_that_does_not_check_acknowledges_a_swallowed_insert(
    sqlite: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control of the test above."""
    monkeypatch.setattr(sqlite_file, "refuse_swallowed", lambda *_: None)
    store = sqlite.open()
    new = opened(store)
    swallow(sqlite, "events")
    assert append(store, new.id, 1, [note()], "keeper").version == 2
    assert store.position(new.id).version == 1


def test_swallowed_insert_is_answered_with_503(sqlite: Home) -> None:
    table = Table.open(client_of(sqlite.open()))
    swallow(sqlite, "events")
    answer = table.append({"type": "note_added", "data": {"text": "a note"}})
    assert answer.status_code == 503
    assert answer.get_json()["code"] == "storage_unavailable"
    assert table.get("/events").get_json()["version"] == 1


# --------------------------------------------------------------------------------------- a fuzz


def flipped(rng: random.Random, content: bytes) -> bytes:
    """Return the content with bytes changed, lost or added, or a piece moved."""
    whole, place = bytearray(content), rng.randrange(len(content))
    for _ in range(rng.choice((1, 1, 2, 9))):
        place = rng.randrange(len(whole))
        match rng.randrange(5):
            case 0:
                whole[place] ^= 1 << rng.randrange(8)
            case 1:
                whole[place : place + 4] = rng.randbytes(4)
            case 2:
                del whole[place : place + rng.choice((1, 7))]
            case 3:
                whole[place:place] = rng.randbytes(rng.choice((1, 7)))
            case _:
                other = rng.randrange(len(whole))
                whole[place : place + 20] = whole[other : other + 20]
    return bytes(whole)


def of_bundle(rng: random.Random, saved: dict[str, Any], path: Path) -> Path:
    """Change a bundle, a file in it, or a value in such a file, with new hashes or the old ones."""
    files = files_of(saved["bundle"])
    name = rng.choice([file for file in files if files[file]])
    kind = rng.randrange(4)
    if kind == 0:
        path.write_bytes(flipped(rng, saved["bundle"].read_bytes()))
        return path
    if kind == 1:
        files[name] = flipped(rng, files[name])
    elif kind == 2:
        other = rng.choice(sorted(files))
        files[name], files[other] = files[other], files[name]
    else:
        lines = files[name].splitlines(keepends=True)
        rng.shuffle(lines)
        files[name] = b"".join(lines[: rng.randrange(len(lines) + 1)] + lines[-rng.randrange(2) :])
    return packed(files, path)


def of_copy(rng: random.Random, saved: dict[str, Any], path: Path) -> Path:
    """Change a copy as a file, or by SQL that no guard prevents."""
    if rng.randrange(2):
        path.write_bytes(flipped(rng, saved["copy"].read_bytes()))
        return path
    shutil.copy(saved["copy"], path)
    column = rng.choice(("digest", "created", "expires", "revoked", "last_used", "player", "id"))
    value = rng.choice((f"'{LATER}'", "1", "NULL", "'leo'", "randomblob(32)", "x'00'", column))
    with closing(sqlite3.connect(path, isolation_level=None)) as copied:
        texts = f"UPDATE OR IGNORE keys SET {column} = {value}", "DELETE FROM keys", SWALLOW
        for text in texts[: rng.choice((1, 3))]:
            with suppress(sqlite3.Error):
                copied.execute(text)
    return path


def fuzz(kind: str, saved: dict[str, Any], template: Path, path: Path, times: int) -> int:
    """Restore changed backups, each refused or equal; return how many were refused."""
    rng = random.Random(kind)  # noqa: S311
    change = of_copy if kind == "copy" else of_bundle
    with closing(fresh(kind, template)) as targets:
        refused, home = 0, next(targets)
        for n in range(times):
            store = home.open()
            why = restored(store, change(rng, saved, path))
            if why is None:
                assert contents(store) == saved["contents"], n
                home = next(targets)
            else:
                assert store.sessions() == [], n
                assert why.isprintable()
                refused += 1
            path.unlink()
    return refused


def restored(store: Store, path: Path) -> str | None:
    """Restore a file; return why it was refused, or None."""
    try:
        store.restore(path, fits=matches_log)
    except UnusableBackupError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    ("kind", "part"), [("bundle", 0.6), ("copy", 0.3), ("bundle on PostgreSQL", 0.1)]
)
def test_fuzzed_backup_is_refused_or_equal(
    kind: str, part: float, saved: dict[str, Any], template: Path, tmp_path: Path
) -> None:
    times = int(CHANGES * part)
    refused = fuzz(kind, saved, template, tmp_path / "changed", times)
    assert times / 2 < refused < times, "some of what is changed nobody can see"


@pytest.mark.parametrize(("kind", "room"), [("bundle", bundles), ("copy", copies)])
def test_fuzz_finds_changes_without_the_hashes(
    kind: str, room: Any, saved: dict[str, Any], template: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(room, "refuse_changed", lambda *_: None)
    with pytest.raises(AssertionError):
        fuzz(kind, saved, template, tmp_path / "changed", CHANGES)


def fresh(kind: str, template: Path) -> Generator[Home, None, None]:
    """Yield one empty database after the other."""
    while True:
        if kind.endswith("PostgreSQL"):
            with homes.postgres_home() as home:
                yield home
        else:
            with homes.folder_in_memory() as folder, homes.sqlite_home(folder, template) as home:
                yield home

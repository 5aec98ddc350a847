"""The operator deletes a session or a club: nothing of it is left in any table, or comes back."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from scorekeeper.base.errors import (
    DeletedStreamError,
    StorageUnavailableError,
    UnknownSessionError,
    UnusableBackupError,
)
from scorekeeper.log.canonical import encode
from scorekeeper.store import (
    Attempt,
    KeyRequest,
    New,
    Store,
    StoredLine,
    app_role,
    open_store,
    sealed,
    statements,
)
from scorekeeper.store.bundles import hash_manifest
from scorekeeper.store.contract import AppendEffects, Position
from scorekeeper.store.deleting import COLUMNS, delete_rows
from scorekeeper.store.publication_store import PublicView
from scorekeeper.store.tables import METADATA
from scorekeeper.store.work import Work
from tests.operation.serving import CHECKOUT
from tests.store import homes
from tests.store.asking import KEYS, append, note, opened, request
from tests.store.homes import Home
from tests.store.tampering import MANIFEST, files_of, packed

NAME = "Zenobia Unverwechselbar"
OPENING: list[New] = [
    ("session_opened", {"players": [{"id": "mara", "name": NAME}], "title": "Friday"})
]
CLUB: list[New] = [("club_opened", {"name": f"Club of {NAME}", "format": 1})]

# Columns of text that hold no id of a session or club. ``deleted`` is all that may stay.
OTHER_COLUMNS = {
    "sessions.created", "events.type", "events.at", "events.by", "events.hash", "requests.key",
    "recorders.key", "keys.id", "keys.role", "keys.player", "keys.created", "keys.expires",
    "keys.revoked", "keys.last_used", "held.key", "codes.expires", "limits.kind",
    "limits.started", "evenings.head", "followed.key", "followed.head", "host_requests.id",
    "host_requests.key", "host_requests.asked", "host_requests.ended", "host_requests.outcome",
    "host_agreements.key", "host_seats.key", "deleted.id", "deleted.at", "publications.address",
    "publications.created", "publications.ended", "publications.names", "publications.parents",
    "publications.left_out",
}  # fmt: skip


def fill(store: Store) -> tuple[str, str]:
    """Open a session and a club with rows in every table, and return their ids."""
    new = store.open_session(OPENING, "keeper", KEYS)
    append(store, new.id, 1, [note(NAME)], "keeper", request("key"))
    host, _, seat = (made.key for made in new.keys)
    at = store.position(new.id)
    recorders = AppendEffects(recorders={3: host.id})
    store.append(new.id, at, one_more_note(store, at), effects=recorders)
    store.new_code(new.id, 900)
    store.keep_evening(new.id, store.position(new.id).head, b"{}")
    club = store.open_club(CLUB, "keeper", [KeyRequest("host")])
    store.follow(club.id, {new.id: host})
    store.publish(club.id, 0, PublicView())
    phone = f"phone of {new.id}"
    store.take_key(phone, seat)
    store.ask_to_host(phone, seat, "")

    def job(work: Work) -> None:
        work.change(statements.AGREE, session=new.id, key=seat.id)
        work.change(statements.MARK_HOST_SEAT, session=new.id, key=seat.id)

    store._writing(new.id, job)
    return new.id, club.id


def one_more_note(store: Store, after: Position) -> list[StoredLine]:
    """Return the line of a note that follows a position."""
    return sealed(after, [note(NAME)], store.clock(), "keeper")


def rows_of(store: Store) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield every row of the database, with the name of its table."""
    with store._reading() as work:
        for name in METADATA.tables:
            for row in work.connection.execute(f"SELECT * FROM {name}").fetchall():  # noqa: S608
                yield name, tuple(row)


def tables_with(store: Store, *texts: str) -> set[str]:
    """Return the tables that contain one of these texts, in any column."""
    return {
        name
        for name, row in rows_of(store)
        if any(text.encode() in repr(row).encode() for text in texts)
    }


def test_every_column_of_text_holds_ids_or_is_known_to_hold_none() -> None:
    """A new table fails here: put its columns into one of the two lists."""
    deleted_from = {f"{column.table.name}.{column.name}" for column in COLUMNS}
    columns = {
        f"{table.name}.{column.name}"
        for table in METADATA.sorted_tables
        for column in table.columns
        if column.type.python_type not in (bytes, int)
    }
    assert columns - deleted_from == OTHER_COLUMNS


def test_nothing_is_left_in_any_table(home: Home) -> None:
    store = home.open()
    session_id, club_id = fill(store)
    rows = [store.count_rows(stream_id) for stream_id in (session_id, club_id)]
    assert [name for name in rows[0] if not any(counts[name] for counts in rows)] == []
    others = opened(store)
    store.delete_stream(session_id)
    store.delete_stream(club_id)
    assert tables_with(store, session_id, club_id, NAME) == {"deleted"}
    assert set(store.deleted_at([session_id, club_id, others.id])) == {session_id, club_id}
    assert store.position(others.id).version == 1


def test_deleted_stream_is_refused_everywhere_with_its_day(home: Home) -> None:
    store = home.open()
    session_id, club_id = fill(store)
    for stream_id in (session_id, club_id):
        store.delete_stream(stream_id)
        asks: list[Callable[[], object]] = [
            lambda: store.position(stream_id),  # noqa: B023
            lambda: store.read(stream_id),  # noqa: B023
            lambda: store.export(stream_id),  # noqa: B023
            lambda: append(store, stream_id, 1, [note()], "keeper"),  # noqa: B023
            lambda: store.add_key(stream_id, KeyRequest("host")),  # noqa: B023
            lambda: store.delete_stream(stream_id),  # noqa: B023
        ]
        for ask in asks:
            with pytest.raises(DeletedStreamError) as refused:
                ask()
            assert refused.value.at == store.deleted_at([stream_id])[stream_id]
    assert [listed.id for listed in store.sessions() if listed.id == session_id] == []


def test_repeated_attempt_does_not_make_it_again(home: Home) -> None:
    store = home.open()
    attempt = Attempt("b" * 40, b"y" * 32)
    new = store.open_session(OPENING, "keeper", KEYS, attempt)
    store.delete_stream(new.id)
    with pytest.raises(DeletedStreamError):
        store.open_session(OPENING, "keeper", KEYS, attempt)
    assert tables_with(store, new.id) == {"deleted"}


@pytest.mark.parametrize("stream_id", ["23456789abcd", "", "x", "'; --"])
def test_unknown_stream_is_not_deleted(home: Home, stream_id: str) -> None:
    with pytest.raises(UnknownSessionError) as refused:
        home.open().delete_stream(stream_id)
    assert not isinstance(refused.value, DeletedStreamError)


# -------------------------------------------------------------------------------------- guards


def test_guards_are_in_force_again(database: Home) -> None:
    store = database.open()
    session_id, _ = fill(store)
    kept = opened(store).id
    append(store, kept, 1, [note()], "keeper", request("key"))
    store.delete_stream(session_id)
    assert store.complaints() == []
    for table in ("events", "sessions", "requests"):
        with (
            tampering_connection(database) as run,
            pytest.raises((sqlite3.IntegrityError, psycopg.errors.RestrictViolation)),
        ):
            run(f"DELETE FROM {table}")  # noqa: S608
    assert store.position(kept).version == 2


def test_failed_deletion_changes_nothing(database: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    store = database.open()
    session_id, _ = fill(store)
    rows = sorted(map(repr, rows_of(store)))

    def fail(work: Work, stream_id: str, at: str) -> None:
        delete_rows(work, stream_id, at)
        raise KeyError(stream_id)

    monkeypatch.setattr("scorekeeper.store.deleting.delete_rows", fail)
    with pytest.raises(KeyError):
        store.delete_stream(session_id)
    monkeypatch.undo()
    assert sorted(map(repr, rows_of(store))) == rows
    assert store.complaints() == []
    append(store, session_id, 3, [note()], "keeper")


class tampering_connection:  # noqa: N801
    """A function that runs a statement on a connection without the store."""

    def __init__(self, home: Home) -> None:
        self._home = home

    def __enter__(self) -> Callable[[str], object]:
        self._connection: Any = (
            sqlite3.connect(self._home.path, isolation_level=None)
            if self._home.kind == "sqlite"
            else psycopg.connect(self._home.url, autocommit=True)
        )
        return self._connection.execute

    def __exit__(self, *_: object) -> None:
        self._connection.close()


KILLED = """
import os, signal, sys
from scorekeeper.store import deleting, open_store
delete_rows = deleting.delete_rows
def killed(work, stream_id, at):
    delete_rows(work, stream_id, at)
    os.kill(os.getpid(), signal.SIGKILL)
deleting.delete_rows = killed
open_store(sys.argv[1]).delete_stream(sys.argv[2])
"""


def test_process_that_is_killed_in_a_deletion_deletes_nothing(database: Home) -> None:
    store = database.open()
    session_id, _ = fill(store)
    rows = sorted(map(repr, rows_of(store)))
    command = [sys.executable, "-c", KILLED, database.url, session_id]
    killed = subprocess.run(command, check=False, env={**os.environ, "PYTHONPATH": str(CHECKOUT)})
    assert killed.returncode == -signal.SIGKILL
    again = database.open()
    assert sorted(map(repr, rows_of(again))) == rows
    assert again.complaints() == []
    again.delete_stream(session_id)
    assert tables_with(again, session_id) == {"deleted"}


def test_role_of_the_service_cannot_delete(postgres: Home) -> None:
    store = postgres.open()
    session_id, _ = fill(store)
    with homes.sql(postgres) as connection:
        role = f"{postgres.url.rpartition('%3D')[2]}_del"
        app_role(postgres.url, role, "secret")
        try:
            url = postgres.url.replace("//postgres@", f"//{role}:secret@")
            with open_store(url) as service, pytest.raises(StorageUnavailableError, match="owner"):
                service.delete_stream(session_id)
            assert store.position(session_id).version == 3
        finally:
            connection.execute(f"DROP OWNED BY {role}")
            connection.execute(f"DROP ROLE {role}")


# ----------------------------------------------------------------------------- at the same time


def test_writers_go_on_while_another_session_is_deleted(database: Home) -> None:
    store = database.open()
    kept, gone = opened(store).id, [opened(store).id for _ in range(4)]

    def write(number: int) -> None:
        append(store, kept, number, [note(number)], "keeper")

    def erase(session_id: str) -> None:
        with suppress(DeletedStreamError):
            database.open().delete_stream(session_id)

    with ThreadPoolExecutor(5) as pool:
        erased = [pool.submit(erase, session_id) for session_id in gone * 2]
        for number in range(1, 30):
            write(number)
        for done in erased:
            done.result()
    assert store.position(kept).version == 30
    assert set(store.deleted_at(gone)) == set(gone)
    assert store.complaints() == []


def test_writer_of_a_deleted_session_is_refused(database: Home) -> None:
    store, other = database.open(), database.open()
    session_id = opened(store).id
    append(store, session_id, 1, [note()], "keeper")
    other.delete_stream(session_id)
    with pytest.raises(DeletedStreamError):
        append(store, session_id, 2, [note()], "keeper", request("again"))


# ------------------------------------------------------------------------------------- on disk


def test_name_is_not_left_in_the_file_or_its_journal(sqlite: Home) -> None:
    store = sqlite.open()
    session_id, club_id = fill(store)
    for number in range(3, 200):
        append(store, session_id, number, [note(f"{NAME} {number}")], "keeper")
    assert NAME.encode() in sqlite.path.read_bytes()
    store.delete_stream(session_id)
    store.delete_stream(club_id)
    store.close()
    for path in sqlite.path.parent.iterdir():
        assert NAME.encode() not in path.read_bytes(), path


# ------------------------------------------------------------------------------------- backups


@pytest.mark.parametrize("how", ["backup", "bundle"])
def test_restored_backup_does_not_bring_it_back(database: Home, how: str, tmp_path: Path) -> None:
    store = database.open()
    (session_id, club_id), kept = fill(store), opened(store).id
    getattr(store, how)(tmp_path / "backup")
    store.delete_stream(session_id)
    store.delete_stream(club_id)
    at = store.deleted_at([session_id, club_id])
    for _ in range(2):
        store.restore(tmp_path / "backup", overwrite=True)
        assert tables_with(store, session_id, club_id, NAME) == {"deleted"}
        assert store.deleted_at([session_id, club_id]) == at
        assert store.position(kept).version == 1
        assert store.complaints() == []


def test_bundle_says_elsewhere_what_was_deleted(
    database: Home, tmp_path: Path, quick_folder: Path, template: Path
) -> None:
    store = database.open()
    session_id, _ = fill(store)
    store.delete_stream(session_id)
    store.bundle(tmp_path / "bundle")
    folder = quick_folder / "elsewhere"
    folder.mkdir()
    with homes.sqlite_home(folder, template) as other:
        new = other.open()
        new.restore(tmp_path / "bundle")
        assert new.deleted_at([session_id]) == store.deleted_at([session_id])


@pytest.mark.parametrize("at", ["today", 7, "2026-11-21"])
def test_bundle_with_another_list_of_deletions_is_refused(
    sqlite: Home, tmp_path: Path, at: object
) -> None:
    store = sqlite.open()
    session_id, _ = fill(store)
    store.delete_stream(session_id)
    store.bundle(tmp_path / "bundle")
    files = files_of(tmp_path / "bundle")
    manifest = json.loads(files[MANIFEST])
    manifest["deleted"][session_id] = at
    files[MANIFEST] = encode(manifest) + b"\n"
    with pytest.raises(UnusableBackupError, match="its hash differs"):
        store.restore(packed(files, tmp_path / "changed"))
    manifest["hash"] = hash_manifest(manifest)
    files[MANIFEST] = encode(manifest) + b"\n"
    with pytest.raises(UnusableBackupError, match="was deleted at"):
        store.restore(packed(files, tmp_path / "sealed"))

"""Statements that the database itself refuses, without the store."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from psycopg import errors

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.store import Store, app_role, migrating, open_store
from scorekeeper.store.addresses import parse
from scorekeeper.store.contract import KeyRequest
from scorekeeper.store.host_store import HostPhone
from tests.store import homes
from tests.store.asking import append, note, opened, request, whole
from tests.store.homes import Home

LINE = b'{"a":"line"}'
HASH = "0" * 64
TIME = "2026-11-21T20:00:00.000Z"

TABLES = ("sessions", "events", "requests")
CHANGES = [
    "UPDATE sessions SET created = '{time}'",
    "UPDATE events SET line = 'x'",
    "UPDATE events SET hash = hash",
    "UPDATE events SET seq = seq + 1",
    "UPDATE requests SET status = 500",
    "DELETE FROM sessions",
    "DELETE FROM events",
    "DELETE FROM requests",
]
SAME_SEQ = (
    'INSERT{how} INTO events (session, seq, type, at, "by", line, hash) '
    "VALUES ('{session}', {seq}, 'x', '{time}', 'x', 'xx', '{hash}')"
)
SAME_SESSION = "INSERT{how} INTO sessions (id, created) VALUES ('{session}', '{time}')"
SAME_REQUEST = (
    "INSERT{how} INTO requests (session, key, digest, version, status, answer) "
    "VALUES ('{session}', 'key', {digest}, 1, 201, 'x')"
)


@pytest.fixture
def session_id(database: Home) -> str:
    """Open a session with three events and a request."""
    store = database.open()
    new = opened(store)
    append(store, new.id, 1, [note(1), note(2)], "keeper", request("key"))
    return new.id


def statement(text: str, session_id: str, **values: object) -> str:
    facts = {"session": session_id, "time": TIME, "hash": HASH, "how": "", **values}
    return text.format(**facts)


# ------------------------------------------------------------------------------------- SQLite

Refused = Callable[[str], None]


@pytest.fixture
def refused(sqlite: Home) -> Iterator[Refused]:
    """Return a function that runs a statement like the sqlite3 shell, with default settings."""
    with closing(sqlite3.connect(sqlite.path, isolation_level=None)) as connection:
        assert connection.execute("PRAGMA recursive_triggers").fetchone() == (0,)

        def run(text: str) -> None:
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(text)

        yield run


@pytest.fixture
def mine(sqlite: Home) -> Iterator[str]:
    """Open a session in SQLite, and check at the end that it is unchanged."""
    store = sqlite.open()
    new = opened(store)
    append(store, new.id, 1, [note(1), note(2)], "keeper", request("key"))
    log, done = store.export(new.id), store.answered(new.id, "key", request("key").digest)
    yield new.id
    assert store.export(new.id) == log
    assert store.answered(new.id, "key", request("key").digest) == done
    assert list(whole(store)) == []


@pytest.mark.parametrize("change", CHANGES)
def test_sqlite_refuses_changes(refused: Refused, mine: str, change: str) -> None:
    refused(statement(change, mine))


@pytest.mark.parametrize("how", [" OR REPLACE", " OR IGNORE", " OR ROLLBACK", ""])
@pytest.mark.parametrize("text", [SAME_SEQ, SAME_SESSION, SAME_REQUEST])
def test_sqlite_refuses_replacements(refused: Refused, mine: str, how: str, text: str) -> None:
    refused(statement(text, mine, how=how, seq=2, digest=f"x'{'00' * 32}'"))


OTHER_WORDS = [
    "REPLACE INTO sessions VALUES ('{session}', '{time}')",
    "UPDATE OR REPLACE events SET seq = 1 WHERE seq = 2",
]


@pytest.mark.parametrize("change", OTHER_WORDS)
def test_sqlite_refuses_replacements_in_other_words(
    refused: Refused, mine: str, change: str
) -> None:
    refused(statement(change, mine))


def test_sqlite_refuses_an_upsert(refused: Refused, mine: str) -> None:
    text = SAME_SEQ + " ON CONFLICT (session, seq) DO UPDATE SET line = excluded.line"
    refused(statement(text, mine, seq=2))


@pytest.mark.parametrize("seq", [-1, 0, 1, 3, 5, 99, "'4x'", "NULL", "2.5"])
def test_sqlite_accepts_only_the_next_seq(refused: Refused, mine: str, seq: object) -> None:
    refused(statement(SAME_SEQ, mine, seq=seq))


def test_sqlite_has_no_rowid_to_replace_rows_by(refused: Refused, sqlite: Home, mine: str) -> None:
    with closing(sqlite3.connect(sqlite.path)) as connection:
        for table in TABLES:
            with pytest.raises(sqlite3.OperationalError, match="no such column: rowid"):
                connection.execute(f"SELECT rowid FROM {table}")  # noqa: S608


# --------------------------------------------------------------------------------- PostgreSQL


@pytest.mark.parametrize("change", [*CHANGES, *(f"TRUNCATE {table} CASCADE" for table in TABLES)])
@pytest.mark.parametrize("role", ["origin", "replica"])
def test_postgresql_refuses_changes(shared_postgres: Home, change: str, role: str) -> None:
    """Also those of a superuser who asks to skip the triggers."""
    store = shared_postgres.open()
    new = opened(store)
    with homes.sql(shared_postgres) as connection:
        connection.execute(f"SET session_replication_role = {role}")
        with pytest.raises(errors.RestrictViolation, match="nothing is ever changed"):
            connection.execute(statement(change, new.id))
    assert list(whole(store)) == []


@pytest.mark.parametrize("seq", [-1, 0, 1, 2, 4, 99])
def test_postgresql_accepts_only_the_next_seq(shared_postgres: Home, seq: int) -> None:
    store = shared_postgres.open()
    new = opened(store)
    append(store, new.id, 1, [note()], "keeper")
    with homes.sql(shared_postgres) as connection:
        connection.execute(
            "CREATE TEMP TABLE events (session text, seq int)"
        )  # does not hide the real table
        schema = connection.info.options.rpartition("=")[2]
        text = statement(SAME_SEQ, new.id, seq=seq).replace("INTO events", f"INTO {schema}.events")
        with pytest.raises((errors.RestrictViolation, errors.CheckViolation)):
            connection.execute(text)
        with pytest.raises(errors.RestrictViolation):
            connection.execute(f"{text} ON CONFLICT (session, seq) DO UPDATE SET line = 'x'")


@pytest.fixture(scope="module")
def restricted() -> Iterator[Home]:
    """Return a database opened with the role of the service."""
    with homes.postgres_home() as owner, homes.sql(owner) as connection:
        role = f"{owner.url.rpartition('%3D')[2]}_app"
        app_role(owner.url, role)
        app_role(owner.url, role)  # a second time does nothing
        yield Home("postgresql", owner.url.replace("postgres@", f"{role}@"))
        connection.execute(f"DROP OWNED BY {role}")
        connection.execute(f"DROP ROLE {role}")


def make_host(store: Store, session_id: str) -> None:
    """Let seats ask, decline and agree, and a phone become the host."""
    mara, other = (
        store.take_seat(phone, session_id, player) for phone, player in (("p", "mara"), ("q", "x"))
    )
    latest = ""
    for agrees in (False, True):
        store.ask_to_host("p", mara, latest)
        vote = store.find_host_vote(session_id)
        assert vote is not None
        assert vote.latest is not None
        latest = vote.latest.id
        act = store.agree_to_host if agrees else store.end_host_request
        act(other, latest)
    assert store.become_host(HostPhone("new", "new beside", "p"), mara, latest)


def test_app_role_can_do_what_the_service_needs(restricted: Home) -> None:
    migrating.migrate(parse(restricted.url))
    with restricted.open() as store:
        new = opened(store)
        append(store, new.id, 1, [note()], "keeper", request("key"))
        append(store, new.id, 2, [note(), note()], "keeper", request("more"))
        store.touch_key(new.keys[0].key)
        store.add_key(new.id, KeyRequest("host"))
        assert store.revoke_key(new.id, new.keys[0].key.id)
        make_host(store, new.id)
        assert [store.hit("kind", "me", 1, 60) for _ in range(2)] == [0, 60]
        assert list(whole(store)) == []
        assert store.complaints() == []
        store.watch().close()


@pytest.mark.parametrize(
    "text",
    [
        "UPDATE events SET line = 'x'",
        "DELETE FROM events",
        "TRUNCATE events",
        "ALTER TABLE events DISABLE TRIGGER ALL",
        "DROP TRIGGER events_next_seq ON events",
        "DROP TABLE events",
        "DELETE FROM sessions",
        "UPDATE requests SET status = 500",
        "DELETE FROM keys",
        "UPDATE keys SET role = 'host'",
        "DROP FUNCTION demand_next_seq() CASCADE",
        "SET session_replication_role = replica",
        "UPDATE alembic_version SET version_num = 'x'",
        "CREATE TABLE mine (a int)",
    ],
)
def test_app_role_can_do_nothing_else(restricted: Home, text: str) -> None:
    with homes.sql(restricted) as connection, pytest.raises(errors.InsufficientPrivilege):
        connection.execute(text)


def test_owner_cannot_be_the_app_role(postgres: Home) -> None:
    with pytest.raises(ValueError, match="may do anything"):
        app_role(postgres.url, "postgres")
    with pytest.raises(ValueError, match="a file has no roles"):
        app_role("sqlite:///x.db", "app")


def test_role_that_cannot_write_is_reported(postgres: Home) -> None:
    url = postgres.url + "%20-cdefault_transaction_read_only%3Don"
    with open_store(url) as store:
        assert store.complaints() == [
            "the database cannot be written: it is read-only for this role"
        ]
        with pytest.raises(StorageUnavailableError, match="read-only transaction"):
            opened(store)


# --------------------------------------------------------------------------------------- both


def test_guards_exist(database: Home) -> None:
    assert migrating.check(parse(database.url)) == []


def test_missing_guard_is_reported(database: Home, session_id: str) -> None:
    if database.kind == "sqlite":
        with closing(sqlite3.connect(database.path)) as connection:
            connection.execute("DROP TRIGGER events_no_update")
        missing = "events_no_update"
    else:
        with homes.sql(database) as connection:
            connection.execute("ALTER TABLE events DISABLE TRIGGER events_no_change")
        missing = "events_no_change"
    complaint = f"the guard {missing} is missing: events may be changed"
    assert database.open().complaints() == [complaint]
    assert migrating.check(parse(database.url)) == [complaint]


def test_changes_without_the_guards_are_detected(database: Home, session_id: str) -> None:
    """Triggers prevent changes; only the chain proves that there were none."""
    store = database.open()
    assert list(whole(store)) == []
    tamper(database, "UPDATE events SET \"by\" = 'nina' WHERE seq = 2")
    assert "columns beside the event" in next(whole(store))
    tamper(database, "UPDATE events SET \"by\" = 'keeper' WHERE seq = 2")
    assert list(whole(store)) == []
    tamper(database, "DELETE FROM events WHERE seq = 3")
    assert "2 events, and there were 3" in next(whole(store))
    tamper(database, "UPDATE events SET line = 'xx' WHERE seq = 1")
    assert len(list(whole(store))) == 1  # SQLite also accepts text in a column of bytes
    tamper(database, "DELETE FROM events")
    assert "0 events, and there were 3" in next(whole(store))


def tamper(database: Home, text: str) -> None:
    """Change something as the owner of the database can."""
    if database.kind == "postgresql":
        with homes.sql(database) as connection:
            connection.execute("ALTER TABLE events DISABLE TRIGGER ALL")
            connection.execute(text)
        return
    with closing(sqlite3.connect(database.path)) as connection:
        for verb in ("update", "delete"):
            connection.execute(f"DROP TRIGGER IF EXISTS events_no_{verb}")
        connection.execute(text)
        connection.commit()


def test_columns_equal_the_values_in_the_bytes(database: Home, session_id: str) -> None:
    """Columns serve to find events; the bytes are exported."""
    text = 'SELECT line, seq, type, at, "by", hash FROM events ORDER BY seq'
    if database.kind == "postgresql":
        with homes.sql(database) as connection:
            rows: list[tuple[object, ...]] = connection.execute(text).fetchall()
    else:
        with closing(sqlite3.connect(database.path)) as file:
            rows = file.execute(text).fetchall()
    assert len(rows) == 3
    for line, *columns in rows:
        assert isinstance(line, bytes)
        for name, value in zip(("seq", "type", "at", "by", "hash"), columns, strict=True):
            assert json.loads(line)[name] == value

"""The schema: created by migrations, equal to the declared tables, by one of several processes.

Tests of ``store.migrating``, ``store.roles`` and ``store.tables``.
"""

import re
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import CheckConstraint
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateTable

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.base.paths import resource
from scorekeeper.store import migrating, sqlite_file
from scorekeeper.store.addresses import SqliteFile, parse
from scorekeeper.store.roles import GRANTS
from scorekeeper.store.tables import METADATA
from tests.store import homes
from tests.store.asking import opened
from tests.store.homes import Home

BEFORE_FOLLOWED = "0006"  # the last revision without the key by which a club reads


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    """Return a database without tables."""
    if request.param == "sqlite":
        home = Home("sqlite", f"sqlite:///{tmp_path}/new/folder/x.db")
        yield home
        home.close()
    else:
        with homes.postgres_home(migrated=False) as home:
            yield home


def ask(home: Home, text: str) -> list[tuple[object, ...]]:
    if home.kind == "postgresql":
        with homes.sql(home) as connection:
            cursor = connection.execute(text)
            return cursor.fetchall() if cursor.description else []
    home.path.parent.mkdir(parents=True, exist_ok=True)
    sqlite_file.create(home.path)
    with closing(sqlite3.connect(home.path, isolation_level=None)) as file:
        return file.execute(text).fetchall()


# Queries for the check constraints, whose names the refusals of a database contain.
CHECKS = {
    "postgresql": "SELECT conname FROM pg_constraint WHERE contype = 'c'"
    " AND connamespace = current_schema()::regnamespace",
    "sqlite": "SELECT sql FROM sqlite_master WHERE type = 'table'",
}


def test_check_constraints_have_the_declared_names(empty: Home) -> None:
    migrating.migrate(parse(empty.url))
    definitions = "\n".join(str(row[0]) for row in ask(empty, CHECKS[empty.kind]))
    names = set(re.findall(r"\bck_\w+", definitions))
    assert names == {
        str(constraint.name)
        for table in METADATA.tables.values()
        for constraint in table.constraints
        if isinstance(constraint, CheckConstraint)
    }


def test_empty_database_is_reported_and_then_migrated(empty: Home) -> None:
    assert empty.open().complaints() != []
    migrating.migrate(parse(empty.url))
    assert empty.open().complaints() == []
    assert migrating.check(parse(empty.url)) == []
    opened(empty.open())
    migrating.migrate(parse(empty.url))
    assert len(empty.open().sessions()) == 1


def test_triggers_are_the_declared_ones(database: Home) -> None:
    triggers = ask(database, migrating.TRIGGERS[database.kind])
    assert {name for (name,) in triggers} == migrating.GUARDS[database.kind]


def test_one_of_several_starting_processes_migrates(empty: Home) -> None:
    at_once = threading.Barrier(4)

    def start() -> None:
        at_once.wait()
        migrating.migrate(parse(empty.url))

    with ThreadPoolExecutor(4) as pool:
        for started in [pool.submit(start) for _ in range(4)]:
            started.result()
    assert migrating.check(parse(empty.url)) == []
    assert ask(empty, "SELECT count(*) FROM alembic_version") == [(1,)]


def test_failed_migration_is_undone_as_a_whole(empty: Home) -> None:
    ask(empty, "CREATE TABLE limits (a int)")
    with pytest.raises(StorageUnavailableError, match=r"limits.* already exists"):
        migrating.migrate(parse(empty.url))
    ask(empty, "DROP TABLE limits")
    assert empty.open().complaints() != []
    migrating.migrate(parse(empty.url))
    assert migrating.check(parse(empty.url)) == []


def test_newer_database_is_refused_and_unchanged(database: Home) -> None:
    ask(database, "UPDATE alembic_version SET version_num = 'later'")
    with pytest.raises(StorageUnavailableError, match="a newer version"):
        migrating.migrate(parse(database.url))
    assert "at revision later" in database.open().complaints()[0]


def test_undeclared_table_is_reported(database: Home) -> None:
    ask(database, "ALTER TABLE keys ADD COLUMN colour int")
    (difference,) = migrating.check(parse(database.url))
    assert "colour" in difference


def test_column_of_another_type_is_reported(database: Home) -> None:
    ask(database, "ALTER TABLE keys DROP COLUMN last_used")
    ask(database, "ALTER TABLE keys ADD COLUMN last_used int")
    (difference,) = migrating.check(parse(database.url))
    assert "modify_type" in difference
    assert "last_used" in difference


def test_migration_is_generated_for_a_changed_table(
    database: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = tmp_path / "migrations"
    shutil.copytree(resource("migrations"), copied, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(migrating, "resource", lambda _: copied)
    known = set(copied.glob("versions/*.py"))
    ask(database, "ALTER TABLE keys DROP COLUMN last_used")
    migrating.revise(parse(database.url), "keys remember again")
    (written,) = set(copied.glob("versions/*.py")) - known
    text = written.read_text(encoding="utf-8")
    compile(text, str(written), "exec")
    assert "sa.Column('last_used', sa.String(length=24), nullable=True)" in text
    assert f"down_revision = '{migrating.head_revision()}'" in text


def test_sqlite_tables_have_a_rowid_only_where_declared(tmp_path: Path) -> None:
    home = Home("sqlite", f"sqlite:///{tmp_path}/x.db")
    migrating.migrate(parse(home.url))
    rows = ask(home, "SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    texts = {str(name): str(sql) for name, sql in rows}
    for table in METADATA.sorted_tables:
        declared = str(CreateTable(table).compile(dialect=sqlite.dialect()))
        assert ("WITHOUT ROWID" in declared) is ("WITHOUT ROWID" in texts[table.name])


def test_every_table_has_its_rights_for_the_role() -> None:
    assert set(GRANTS) == {*METADATA.tables, "alembic_version"}


def test_database_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    migrating.migrate(SqliteFile(path))
    assert path.stat().st_mode & 0o777 == 0o600


def test_migration_assigns_entered_evenings_to_the_key_of_their_host(
    empty: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entered by an event, an insertion or a replacement, in this club or another one."""
    address = parse(empty.url)
    with monkeypatch.context() as patched:
        patched.setattr(migrating, "head_revision", lambda: BEFORE_FOLLOWED)
        to_head = command.upgrade
        patched.setattr(command, "upgrade", lambda config, _: to_head(config, BEFORE_FOLLOWED))
        migrating.migrate(address)
    store = empty.open()
    evenings = [opened(store).id for _ in range(4)]

    def entering(place: int) -> dict[str, Any]:
        return {"session": evenings[place], "players": {"mara": None}}

    with_corrections: list[tuple[str, dict[str, Any]]] = [
        ("club_opened", {"format": 1, "name": "Circolo"}),
        ("evening_entered", entering(0)),
        ("note_added", {"text": evenings[3]}),
        ("event_inserted", {"after": 1, "reason": "", "type": "evening_entered",
                            "data": entering(1)}),
        ("event_replaced", {"seq": 3, "reason": "", "type": "evening_entered",
                            "data": entering(2)}),
        ("evening_entered", {"session": "k23456789abc", "players": {}}),
    ]  # fmt: skip
    club = store.open_club(with_corrections, "keeper")
    migrating.migrate(address)
    assert migrating.check(address) == []
    followed = [
        [(follower.club, follower.key, follower.stop) for follower in store.followers(evening)]
        for evening in evenings
    ]
    assert followed == [*[[(club.id, "", None)]] * 3, []]
    assert store.stops(club.id) == {}

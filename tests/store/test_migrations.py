"""The schema: made by migrations, equal to what is declared, whoever starts first.

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

BEFORE_FOLLOWED = "0006"  # the last revision that does not know by which key a club reads


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    """A database with nothing in it."""
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


# The names of what a database checks of each row, which its refusals tell.
CHECKS = {
    "postgresql": "SELECT conname FROM pg_constraint WHERE contype = 'c'"
    " AND connamespace = current_schema()::regnamespace",
    "sqlite": "SELECT sql FROM sqlite_master WHERE type = 'table'",
}


def test_what_is_checked_of_a_row_has_the_names_that_are_declared(empty: Home) -> None:
    migrating.migrate(parse(empty.url))
    told = "\n".join(str(row[0]) for row in ask(empty, CHECKS[empty.kind]))
    found = set(re.findall(r"\bck_\w+", told))
    assert found == {
        str(one.name)
        for table in METADATA.tables.values()
        for one in table.constraints
        if isinstance(one, CheckConstraint)
    }


def test_an_empty_database_is_complained_of_and_then_made(empty: Home) -> None:
    assert empty.open().complaints() != []
    migrating.migrate(parse(empty.url))
    assert empty.open().complaints() == []
    assert migrating.check(parse(empty.url)) == []
    opened(empty.open())
    migrating.migrate(parse(empty.url))
    assert len(empty.open().sessions()) == 1


def test_the_list_of_triggers(database: Home) -> None:
    found = ask(database, migrating.TRIGGERS[database.kind])
    assert {name for (name,) in found} == migrating.GUARDS[database.kind]


def test_of_several_that_start_one_migrates(empty: Home) -> None:
    at_once = threading.Barrier(4)

    def start() -> None:
        at_once.wait()
        migrating.migrate(parse(empty.url))

    with ThreadPoolExecutor(4) as pool:
        for started in [pool.submit(start) for _ in range(4)]:
            started.result()
    assert migrating.check(parse(empty.url)) == []
    assert ask(empty, "SELECT count(*) FROM alembic_version") == [(1,)]


def test_a_migration_is_done_as_a_whole_or_not_at_all(empty: Home) -> None:
    ask(empty, "CREATE TABLE limits (a int)")
    with pytest.raises(StorageUnavailableError, match=r"limits.* already exists"):
        migrating.migrate(parse(empty.url))
    ask(empty, "DROP TABLE limits")
    assert empty.open().complaints() != []
    migrating.migrate(parse(empty.url))
    assert migrating.check(parse(empty.url)) == []


def test_a_newer_database_is_left_alone(database: Home) -> None:
    ask(database, "UPDATE alembic_version SET version_num = 'later'")
    with pytest.raises(StorageUnavailableError, match="a newer version"):
        migrating.migrate(parse(database.url))
    assert "at revision later" in database.open().complaints()[0]


def test_a_table_that_is_not_as_declared_is_found(database: Home) -> None:
    ask(database, "ALTER TABLE keys ADD COLUMN colour int")
    (difference,) = migrating.check(parse(database.url))
    assert "colour" in difference


def test_a_column_of_another_type_is_found(database: Home) -> None:
    ask(database, "ALTER TABLE keys DROP COLUMN last_used")
    ask(database, "ALTER TABLE keys ADD COLUMN last_used int")
    (difference,) = migrating.check(parse(database.url))
    assert "modify_type" in difference
    assert "last_used" in difference


def test_a_migration_can_be_written_for_what_changed(
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
    assert f"down_revision = '{migrating.head()}'" in text


def test_the_tables_of_a_file_have_a_row_id_where_that_is_declared(tmp_path: Path) -> None:
    home = Home("sqlite", f"sqlite:///{tmp_path}/x.db")
    migrating.migrate(parse(home.url))
    rows = ask(home, "SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    made = {str(name): str(sql) for name, sql in rows}
    for table in METADATA.sorted_tables:
        declared = str(CreateTable(table).compile(dialect=sqlite.dialect()))
        assert ("WITHOUT ROWID" in declared) is ("WITHOUT ROWID" in made[table.name])


def test_every_table_has_its_rights() -> None:
    assert set(GRANTS) == {*METADATA.tables, "alembic_version"}


def test_a_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    migrating.migrate(SqliteFile(path))
    assert path.stat().st_mode & 0o777 == 0o600


def test_evenings_entered_before_count_as_entered_by_their_host(
    empty: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By an event, put in by a correction, and in the place of another event; here or elsewhere."""
    address = parse(empty.url)
    with monkeypatch.context() as patched:
        patched.setattr(migrating, "head", lambda: BEFORE_FOLLOWED)
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
    found = [[(one.club, one.key, one.stop) for one in store.followers(each)] for each in evenings]
    assert found == [*[[(club.id, "", None)]] * 3, []]
    assert store.stops(club.id) == {}

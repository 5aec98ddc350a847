"""The commands that manage the database: their output and exit codes.

Tests of ``cli.serve``.
"""

import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.cli.serve import durability_line, prepare_role
from scorekeeper.config import read_settings, settings_table
from scorekeeper.store import Store
from scorekeeper.store.contract import Durability, KeyRequest
from tests.cli.asking import BY_HAND, SEALED, damage, run, words
from tests.store import homes, tampering
from tests.store.homes import Home
from tests.tournaments.hall import opening

pytestmark = pytest.mark.usefixtures("empty_folder")

UNKNOWN = "23456789abcd"


# ---------------------------------------------------------------------------- without a database

ON_A_DATABASE = [
    ("sessions",), ("export", UNKNOWN), ("import", "log.jsonl"), ("verify", "--all"),
    ("backup", "b.db"),
]  # fmt: skip


@pytest.mark.parametrize("args", ON_A_DATABASE)
def test_commands_do_not_create_a_database(args: tuple[str, ...]) -> None:
    Path("log.jsonl").write_bytes(BY_HAND)
    outcome = run(*args)
    assert outcome.exit_code == 2
    assert "unable to open database file" in outcome.output
    assert "scorekeeper migrate" in outcome.output
    assert not Path("var").exists()


@pytest.mark.parametrize("args", [*ON_A_DATABASE, ("migrate",), ("restore", "b.db"), ("serve",)])
def test_invalid_settings_exit_with_2(
    args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("log.jsonl").write_bytes(BY_HAND)
    Path("b.db").touch()
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", "mysql://me:swordfish@host/x")
    monkeypatch.setenv("SCOREKEEPER_PORT", "none")
    outcome = run(*args)
    assert outcome.exit_code == 2
    first, second = outcome.output.splitlines()
    assert first.startswith("SCOREKEEPER_DATABASE_URL: expected a database such as")
    assert second.startswith("SCOREKEEPER_PORT should be a valid integer")
    assert "swordfish" not in outcome.output


# -------------------------------------------------------------------------- backup and restore


@pytest.mark.parametrize("how", [(), ("--bundle",)])
def test_backup_is_restored(session_id: str, how: tuple[str, ...]) -> None:
    outcome = run("backup", "b", *how)
    assert outcome.exit_code == 0
    assert outcome.output == (
        f"The backup of {Path('var/scorekeeper.db').absolute()} is in b, and is intact: 1 session, "
        "0 clubs, 0 tournaments, 3 events, the newest of 2026-11-21T20:00:00.000Z.\n"
    )
    assert Path("b").stat().st_mode & 0o777 == 0o600
    shutil.rmtree("var")
    outcome = run("restore", "b")
    assert outcome.exit_code == 0
    assert outcome.output == (
        f"{Path('var/scorekeeper.db').absolute()} is restored, and intact: "
        "1 session, 0 clubs, 0 tournaments.\n"
    )
    assert run("export", session_id).stdout_bytes == SEALED
    assert Path("var").stat().st_mode & 0o777 == 0o700


def test_restore_loses_events_only_with_overwrite(session_id: str) -> None:
    assert run("backup", "b").exit_code == 0
    assert run("import", "-", stdin=BY_HAND).exit_code == 0
    outcome = run("restore", "b")
    assert outcome.exit_code == 2
    assert "the backup lacks events of session" in outcome.output
    assert len(run("sessions").output.splitlines()) == 3
    assert run("restore", "b", "--overwrite").exit_code == 0
    assert len(run("sessions").output.splitlines()) == 2


@pytest.mark.parametrize("how", [(), ("--bundle",)])
def test_backup_of_an_empty_database_is_refused_unless_asked_for(
    store: Store, how: tuple[str, ...]
) -> None:
    outcome = run("backup", "b", *how)
    assert outcome.exit_code == 1
    assert (
        f"{Path('var/scorekeeper.db').absolute()} holds no session, club or tournament"
        in outcome.output
    )
    assert "--settings FILE" in outcome.output
    assert not Path("b").exists()
    outcome = run("backup", "b", *how, "--allow-empty")
    assert outcome.exit_code == 0
    assert outcome.output.endswith("is intact: 0 sessions, 0 clubs, 0 tournaments, 0 events.\n")


@pytest.mark.parametrize("how", [(), ("--bundle",)])
def test_backup_counts_each_kind_apart(store: Store, session_id: str, how: tuple[str, ...]) -> None:
    store.open_club([("club_opened", {"name": "Circolo", "format": 1})], "keeper")
    store.open_tournament([("tournament_opened", opening()["data"])], "keeper")
    newest = store.tournaments()[0].created
    outcome = run("backup", "b", *how)
    counts = "1 session, 1 club, 1 tournament"
    assert f": {counts}, 5 events, the newest of {newest}." in outcome.output
    assert f": {counts}, 5 events: all intact" in run("verify", "--all").output
    assert f"intact: {counts}." in run("restore", "b").output


@pytest.mark.parametrize("how", [(), ("--bundle",)])
def test_a_backup_that_is_damaged_is_refused(session_id: str, how: tuple[str, ...]) -> None:
    assert run("backup", "b", *how).exit_code == 0
    whole = Path("b").read_bytes()
    Path("b").write_bytes(whole[: len(whole) // 2])
    outcome = run("restore", "b", "--overwrite")
    assert outcome.exit_code == 2
    assert "the backup" in outcome.output or "the bundle" in outcome.output
    assert run("export", session_id).stdout_bytes == SEALED


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("backup", "there"), "the file exists already: there"),
        (("backup", "there", "--bundle"), "the file exists already: there"),
        (("backup", "nowhere/b"), "nowhere/b cannot be written"),
        (("restore", "none"), "none: there is no such file"),
        (("restore", "there"), "the backup cannot be read"),
        (("restore", "var"), "is a directory"),
        (("backup",), "Missing argument"),
    ],
)
def test_invalid_backup_paths_are_refused(
    session_id: str, args: tuple[str, ...], message: str
) -> None:
    Path("there").write_text("mine, and no database")
    outcome = run(*args)
    assert outcome.exit_code == 2
    assert message in words(outcome)
    assert Path("there").read_text() == "mine, and no database"


# ------------------------------------------------------------------------------------ migrate


def test_migrate_creates_a_database_that_only_its_owner_can_read() -> None:
    for _ in range(2):  # the second time changes nothing
        outcome = run("migrate")
        path = Path("var/scorekeeper.db").absolute()
        assert (outcome.exit_code, outcome.output) == (0, f"The database {path} is up to date.\n")
    assert Path("var").stat().st_mode & 0o777 == 0o700
    assert Path("var/scorekeeper.db").stat().st_mode & 0o777 == 0o600
    assert run("sessions").output.startswith("no sessions in ")


def test_a_database_of_a_newer_version_is_left_alone(store: Store) -> None:
    damage("UPDATE alembic_version SET version_num = 'from the future'")
    for command in ("migrate", "serve"):
        outcome = run(command)
        assert outcome.exit_code == 2
        assert "a newer version of this program made the database" in outcome.output


def test_a_file_has_no_roles() -> None:
    outcome = run("migrate", "--app-role", "service")
    assert outcome.exit_code == 2
    assert "a file has no roles" in outcome.output


@pytest.fixture
def owned() -> Iterator[tuple[Home, str]]:
    """Return a PostgreSQL schema without tables, and the name of a role for the service."""
    with homes.postgres_home(migrated=False) as home, homes.sql(home) as connection:
        role = f"{home.url.rpartition('%3D')[2]}_app"
        yield home, role
        if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone():
            connection.execute(f"DROP OWNED BY {role}")
            connection.execute(f"DROP ROLE {role}")


def test_the_role_of_the_service_is_prepared(
    owned: tuple[Home, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home, role = owned
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", home.url)
    monkeypatch.setenv("SCOREKEEPER_APP_ROLE_PASSWORD", "swordfish")
    outcome = run("migrate", "--app-role", role)
    assert outcome.exit_code == 0
    assert words(outcome) == (
        f"The database {read_settings().database} is up to date. The role {role} can add events, "
        "and can neither change nor remove any."
    )
    with homes.sql(home) as connection:
        row = connection.execute(
            "SELECT rolpassword LIKE 'SCRAM%%' FROM pg_authid WHERE rolname = %s", (role,)
        ).fetchone()
    assert row == (True,)
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", home.url.replace("postgres@", f"{role}@"))
    assert run("migrate").exit_code == 0  # there is nothing to do
    assert run("import", "-", stdin=SEALED).exit_code == 0
    assert run("verify", "--all").exit_code == 0


def test_a_role_that_may_do_anything_is_refused(
    owned: tuple[Home, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", owned[0].url)
    outcome = run("migrate", "--app-role", "postgres")
    assert outcome.exit_code == 2
    assert "the role postgres owns the tables, or may do anything" in outcome.output


def test_unreachable_server_exits_with_2_without_the_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", "postgresql://me:swordfish@127.0.0.1:1/x")
    for args in (("migrate",), ("sessions",), ("verify", "--all"), ("serve",)):
        outcome = run(*args)
        assert outcome.exit_code == 2
        assert "the database cannot be " in outcome.output
        assert "swordfish" not in outcome.output


# -------------------------------------------------------------------------------------- serve


def test_used_port_is_reported_before_a_database_is_created() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        outcome = run("serve", "--host", "127.0.0.1", "--port", port)
    assert outcome.exit_code == 2
    assert words(outcome) == (
        f"cannot listen on 127.0.0.1:{port}: another program uses this port. "
        "Choose another, as in: make run PORT=8080, or: scorekeeper serve --port 8080"
    )
    assert not Path("var").exists()


def test_address_of_another_machine_is_reported() -> None:
    outcome = run("serve", "--host", "203.0.113.1", "--port", 8000)
    assert outcome.exit_code == 2
    assert outcome.output.startswith("cannot listen on 203.0.113.1:8000: ")


@pytest.mark.parametrize(
    ("durability", "line"),
    [
        (Durability("SQLite 3", durable=True, settings={"a": "b", "c": "d"}),
         "SQLite 3 (a b, c d): what is acknowledged survives a power cut."),
        (Durability("PostgreSQL 17.2", durable=False, settings={"fsync": "off"}),
         "PostgreSQL 17.2 (fsync off): what is acknowledged may be lost in a power cut."),
        (Durability("memory", durable=False, settings={}),
         "memory: what is acknowledged may be lost in a power cut."),
    ],
)  # fmt: skip
def test_durability_is_described_in_one_line(durability: Durability, line: str) -> None:
    assert durability_line(durability) == line


@pytest.mark.parametrize("url", ["sqlite:///x.db", "postgresql://h/x", "postgresql:///x"])
def test_an_owner_needs_another_role_to_serve(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    settings = read_settings(database_url=url, database_owner_url="postgresql://owner@h/x")
    with pytest.raises(SystemExit) as ended:
        prepare_role(settings)
    assert ended.value.code == 2
    assert "SCOREKEEPER_DATABASE_URL: expected a role" in capsys.readouterr().err


# ----------------------------------------------------------------------------------- settings


def test_the_settings_are_listed() -> None:
    outcome = run("settings")
    assert (outcome.exit_code, outcome.output) == (0, settings_table())


def test_tampered_backup_is_refused_with_a_reason(store: Store, session_id: str) -> None:
    store.add_key(session_id, KeyRequest("seat", "mara"))
    run("backup", "b.zip", "--bundle")
    before = store.keys(session_id)
    for change, why in (
        (tampering.key(role="king"), 'expected host, seat or view, got "king"'),
        (tampering.key(session=UNKNOWN), f"it opens session {UNKNOWN}, not this session"),
    ):
        files = tampering.hashed(change(tampering.files_of(Path("b.zip"))))
        outcome = run("restore", tampering.packed(files, Path("changed.zip")))
        assert outcome.exit_code == 2
        assert why in words(outcome)
        assert outcome.exception is None or isinstance(outcome.exception, SystemExit)
        assert store.keys(session_id) == before
    os.mkfifo("pipe")
    assert "no such file" in words(run("restore", "pipe"))

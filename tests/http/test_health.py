"""Liveness and readiness: 503 with the reasons if the service is not ready."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import __version__
from scorekeeper.app import create_app
from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.config import read_settings
from scorekeeper.store import MemoryStore, Store, open_store
from scorekeeper.store.contract import Durability
from tests.store import homes
from tests.store.conftest import template  # noqa: F401  # a fixture
from tests.store.processes import in_a_process

UNPRIVILEGED_USER = 65534


def get(store: Store, path: str = "/readyz") -> tuple[int, Any]:
    answer = create_app(read_settings(), store).test_client().get(path)
    kinds = {200: "application/json", 503: "application/problem+json"}
    assert answer.mimetype == kinds[answer.status_code]
    assert (answer.status_code == 503) == ("Retry-After" in answer.headers)
    return answer.status_code, answer.get_json()


def refused(store: Store) -> str:
    status, problem = get(store)
    assert (status, problem["status"], problem["code"]) == (503, 503, "not_ready")
    detail: str = problem["detail"]
    return detail


@pytest.fixture
def database(template: Path, tmp_path: Path) -> Path:  # noqa: F811
    path = tmp_path / "x.db"
    shutil.copy(template, path)
    return path


def test_intact_database_is_ready(database: Path) -> None:
    with open_store(f"sqlite:///{database}") as store:
        status, problem = get(store)
    assert status == 200
    assert problem == {
        "status": "ready", "database": f"SQLite {sqlite3.sqlite_version}", "durable": True,
        "settings": {"journal_mode": "persist", "synchronous": "full"},
    }  # fmt: skip


def test_store_in_memory_is_reported() -> None:
    status, problem = get(MemoryStore())
    assert (status, problem["durable"]) == (200, False)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("DROP TABLE alembic_version", "the database is empty: run scorekeeper migrate"),
        ("UPDATE alembic_version SET version_num = 'older'", "at revision older, not"),
        ("DROP TRIGGER events_no_update", "the guard events_no_update is missing"),
    ],
)
def test_altered_database_is_not_ready(database: Path, change: str, reason: str) -> None:
    connection = sqlite3.connect(database)
    connection.execute(change)
    connection.commit()
    connection.close()
    with open_store(f"sqlite:///{database}") as store:
        assert reason in refused(store)


def test_unmigrated_database_is_not_ready(tmp_path: Path) -> None:
    (tmp_path / "new.db").touch()
    with open_store(f"sqlite:///{tmp_path / 'new.db'}") as store:
        assert refused(store) == "the database is empty: run scorekeeper migrate"


def test_missing_database_is_not_ready(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'none.db'}") as store:
        assert "unable to open database file" in refused(store)
    with open_store("postgresql://nobody:swordfish@127.0.0.1:1/nothing") as store:
        problem = refused(store)
        assert "cannot be read" in problem
        assert "swordfish" not in problem


def test_unmigrated_postgresql_is_not_ready() -> None:
    with homes.postgres_home(migrated=False) as home:
        assert refused(home.open()) == "the database is empty: run scorekeeper migrate"


def test_read_only_postgresql_is_not_ready() -> None:
    with homes.postgres_home() as home:
        url = f"{home.url}%20-cdefault_transaction_read_only%3Don"
        with open_store(url) as store:
            assert "read-only" in refused(store)


@pytest.fixture
def public(database: Path) -> Iterator[Path]:
    """Return a database that all users may read and only its owner may write."""
    folder = Path(tempfile.mkdtemp(prefix="scorekeeper"))
    path = folder / "x.db"
    shutil.copy(database, path)
    path.chmod(0o444)
    folder.chmod(0o555)
    yield path
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_read_only_file_is_not_ready(public: Path) -> None:
    assert "cannot be written" in in_a_process(refused_to_unprivileged_user, f"sqlite:///{public}")


def refused_to_unprivileged_user(url: str) -> str:
    get(MemoryStore())  # loads modules that only root may read
    if os.getuid() == 0:
        os.setgid(UNPRIVILEGED_USER)
        os.setuid(UNPRIVILEGED_USER)
    with open_store(url) as store:
        return refused(store)


class Failing(MemoryStore):
    """A store whose database fails between two requests."""

    def durability(self) -> Durability:
        raise StorageUnavailableError("the disk is gone")


def test_database_that_fails_between_requests_is_not_ready() -> None:
    assert refused(Failing()) == "the disk is gone"
    assert get(Failing(), "/healthz") == (
        200,
        {"status": "ok", "version": __version__},
    )  # the process is alive

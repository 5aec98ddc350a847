"""A folder and a database for the tests of the command line."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.config import Settings
from scorekeeper.store import Store, open_store
from tests.cli.asking import SEALED
from tests.evenings import by_hand, event
from tests.store.conftest import template
from tests.tournaments.hall import closed, drawn, opening, registrations
from tests.tournaments.tables import Table

__all__ = ["template"]


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, without settings."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(f"SCOREKEEPER_{name.upper()}", raising=False)


@pytest.fixture
def store(empty_folder: None, template: Path) -> Iterator[Store]:
    """Create an empty database."""
    Path("var").mkdir(mode=0o700)
    shutil.copy(template, "var/scorekeeper.db")
    with open_store("sqlite:///var/scorekeeper.db") as store:
        yield store


@pytest.fixture
def session_id(store: Store) -> str:
    """Import a session of three events."""
    return store.import_sealed(SEALED.splitlines(keepends=True)).id


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    """Return a folder with the log of a tournament and those of its two tables."""
    tables = [Table(name, [f"e{n}" for n in seats], 3, "briscola_chiamata")
              for name, seats in (("first", range(1, 6)), ("second", range(6, 11)))]  # fmt: skip
    for table in tables:
        table.play(3)
        (tmp_path / f"{table.session_id}.jsonl").write_bytes(table.sealed())
    first_hashes = {table.session_id: table.result.first for table in tables}
    sessions = {str(n): {"session": name, "first_hash": first}
                for n, (name, first) in enumerate(first_hashes.items(), 1)}  # fmt: skip
    log = [
        opening({"points": "score", "rounds": 1, "advance": {"overall": 2}}), *registrations(10),
        drawn(1, (1, 2, 3, 4, 5), (6, 7, 8, 9, 10)),
        event("round_published", round=1, sessions=sessions),
        event("points_adjusted", entrant="e1", points="-7/2", reason="late"), closed(1),
    ]  # fmt: skip
    (tmp_path / "tournament.jsonl").write_bytes(by_hand(log))
    return tmp_path

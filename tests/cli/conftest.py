"""A folder and a database for the tests of the command line."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.config import Settings
from scorekeeper.store import Store, open_store
from tests.cli.asking import SEALED
from tests.store.conftest import template

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

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
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the folder of this test."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(f"SCOREKEEPER_{name.upper()}", raising=False)


@pytest.fixture
def store(here: None, template: Path) -> Iterator[Store]:
    """The database, in order and empty."""
    Path("var").mkdir(mode=0o700)
    shutil.copy(template, "var/scorekeeper.db")
    with open_store("sqlite:///var/scorekeeper.db") as store:
        yield store


@pytest.fixture
def session_id(store: Store) -> str:
    """A session of three events."""
    return store.import_sealed(SEALED.splitlines(keepends=True)).id

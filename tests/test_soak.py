"""The soak runs the longer forms of tests, and the suite the shorter ones."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests import conftest


class Item:
    """A test of a module with these names."""

    def __init__(self, **names: object) -> None:
        self.module = SimpleNamespace(**names)
        self.markers: list[str] = []

    def add_marker(self, name: str) -> None:
        self.markers.append(name)


@pytest.mark.parametrize(
    ("soak", "names", "markers"),
    [(True, {"SOAK": True}, ["soak"]), (True, {}, []), (False, {"SOAK": False}, [])],
)
def test_soak_runs_all_tests_of_a_file_that_imports_its_setting(
    monkeypatch: pytest.MonkeyPatch, soak: bool, names: dict[str, Any], markers: list[str]
) -> None:
    monkeypatch.setattr(conftest, "SOAK", soak)
    item: Any = Item(**names)
    conftest.pytest_itemcollected(item)
    assert item.markers == markers

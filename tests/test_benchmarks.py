"""The benchmarks: they import only locked packages, and get good answers."""

import ast
import re
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Final

import pytest

from benchmarks import looking, tapping
from benchmarks.appending import on_sqlite

CHECKOUT: Final = Path(__file__).parents[1]
OURS: Final = ("benchmarks", "scorekeeper", "tests", "tools")


def needed_by(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports when it is imported, outside of functions."""
    left: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
    while left:
        for node in ast.iter_child_nodes(left.pop()):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
            elif not isinstance(node, ast.FunctionDef) and not for_types_only(node):
                left.append(node)


def for_types_only(node: ast.AST) -> bool:
    """Return whether only type checkers read a node."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def files_of(name: str) -> list[Path]:
    """Return the files of one of our modules and of the packages that contain it."""
    paths = [CHECKOUT.joinpath(*name.split(".")[:size]) for size in range(1, name.count(".") + 2)]
    files = [file for path in paths for file in (path / "__init__.py", path.with_suffix(".py"))]
    return [file for file in files if file.exists()]


def from_outside(start: str) -> dict[str, str]:
    """Return the third-party packages that a module needs, each with a file that imports it."""
    packages, visited, left = {}, set(), files_of(start)
    while left:
        path = left.pop()
        if path in visited:
            continue
        visited.add(path)
        for name in needed_by(path):
            top = name.partition(".")[0]
            if top in OURS:
                left += files_of(name)
            elif top not in sys.stdlib_module_names:
                packages[top] = str(path.relative_to(CHECKOUT))
    return packages


def test_benchmarks_import_only_locked_packages() -> None:
    lock = (CHECKOUT / "requirements-bench.lock").read_text("utf-8")
    locked = set(re.findall(r"(?m)^([a-z0-9-]+)==", lock))
    of_module = packages_distributions()
    needed = from_outside("benchmarks.__main__")
    assert {"flask", "psycopg"} <= set(needed)
    lacking = {
        name: path
        for name, path in needed.items()
        if {
            package.lower().replace("_", "-") for package in of_module.get(name, [name])
        }.isdisjoint(locked)
    }
    assert lacking == {}


def test_imports_of_a_test_are_found() -> None:
    assert "pytest" in from_outside("tests.test_structure")


def test_requests_of_the_page_benchmarks_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((looking, "CHANGES"), (tapping, "TAPS")):
        monkeypatch.setattr(module, "GAMES", ["riparto"])
        monkeypatch.setattr(module, name, 4)
    monkeypatch.setattr(looking, "VIEWERS", 1)
    with on_sqlite() as (url, _):
        assert min(looking.against_polls(url)) > 0
        ((cost, *_),) = tapping.costs_by_game(url).values()
        assert cost.tap > cost.append > 0

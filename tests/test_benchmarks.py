"""The benchmarks: they run where only their own lock file is installed."""

import ast
import re
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).parents[1]
OURS: Final = ("benchmarks", "scorekeeper", "tests")


def needed_by(path: Path) -> Iterator[str]:
    """The dotted names that a file imports as it is imported: what functions import comes later."""
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
    """Whether it is what a type checker alone reads."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def files_of(name: str) -> list[Path]:
    """The file of a module of ours, and of the packages around it."""
    paths = [CHECKOUT.joinpath(*name.split(".")[:size]) for size in range(1, name.count(".") + 2)]
    files = [file for path in paths for file in (path / "__init__.py", path.with_suffix(".py"))]
    return [file for file in files if file.exists()]


def from_outside(start: str) -> dict[str, str]:
    """The packages of others that a module needs in the end, and a file that imports each."""
    found, seen, left = {}, set(), files_of(start)
    while left:
        path = left.pop()
        if path in seen:
            continue
        seen.add(path)
        for name in needed_by(path):
            top = name.partition(".")[0]
            if top in OURS:
                left += files_of(name)
            elif top not in sys.stdlib_module_names:
                found[top] = str(path.relative_to(CHECKOUT))
    return found


def test_they_import_only_what_is_locked_for_them() -> None:
    lock = (CHECKOUT / "requirements-bench.lock").read_text("utf-8")
    locked = set(re.findall(r"(?m)^([a-z0-9-]+)==", lock))
    of_module = packages_distributions()
    needed = from_outside("benchmarks.__main__")
    assert {"chess", "flask"} <= set(needed)
    lacking = {
        name: path
        for name, path in needed.items()
        if {one.lower().replace("_", "-") for one in of_module.get(name, [name])}.isdisjoint(locked)
    }
    assert lacking == {}


def test_what_a_test_needs_is_found() -> None:
    assert "pytest" in from_outside("tests.test_house")

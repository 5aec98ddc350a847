"""The tests of a module can be found by its name."""

import ast
from pathlib import Path
from typing import Final

import pytest

CHECKOUT: Final = Path(__file__).parents[1]
SHORT: Final = 60  # lines, up to which a module may be tested by those that use it


def named_in(tests: Path) -> dict[Path, str]:
    """Return the test files, each with its docstring."""
    return {
        path.relative_to(tests): top_of(path.read_text("utf-8"))
        for path in tests.rglob("test_*.py")
    }


def top_of(source: str) -> str:
    """Return the docstring of a source; only the docstring is parsed, because that is faster."""
    if source.startswith('"""'):
        source = source[: source.index('"""', 3) + 3]
    return ast.get_docstring(ast.parse(source)) or ""


def is_found(module: tuple[str, ...], tests: dict[Path, str]) -> bool:
    """Return whether a test file of its package has a module's name, or any names it in full.

    The name may have that of its package before it: of ``games.knock.audit`` it is
    ``test_knock_audit.py``. In full it stands at the top of a file, between backquotes.
    """
    package, name = module[0], module[-1]
    begins = (f"test_{name}", f"test_{'_'.join(module[-2:])}")
    in_full = f"``{'.'.join(module)}``"
    return any(
        (package in path.parts and path.name.startswith(begins)) or in_full in docstring
        for path, docstring in tests.items()
    )


def modules() -> list[tuple[str, ...]]:
    """Return the modules that are not short, as the parts of their names below ``scorekeeper``."""
    root = CHECKOUT / "scorekeeper"
    long = [path for path in sorted(root.rglob("*.py"))
            if len(path.read_text("utf-8").splitlines()) > SHORT]  # fmt: skip
    names = [path.relative_to(root).with_suffix("").parts for path in long]
    return [parts[:-1] if parts[-1] == "__init__" else parts for parts in names]


def test_every_module_has_tests_of_its_name() -> None:
    tests = named_in(CHECKOUT / "tests")
    lacking = [".".join(module) for module in modules() if not is_found(module, tests)]
    assert lacking == [], (
        "write tests/PACKAGE/test_NAME.py, or name the module at the top of the file with its tests"
    )


@pytest.mark.parametrize(
    ("path", "docstring", "expected"),
    [
        ("games/test_knock_audit.py", "", True),
        ("games/test_audit.py", "", True),
        ("games/test_audit_of_claims.py", "", True),
        ("test_else.py", "What ``games.knock.audit`` finds.", True),
        ("web/test_audit.py", "", False),
        ("games/test_knock.py", "", False),
        ("games/test_else.py", "What knock.audit finds.", False),
    ],
)
def test_a_module_is_found_by_its_name_alone(path: str, docstring: str, expected: bool) -> None:
    assert is_found(("games", "knock", "audit"), {Path(path): docstring}) is expected

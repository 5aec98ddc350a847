"""Who looks for the tests of a module finds them by its name."""

import ast
from pathlib import Path
from typing import Final

import pytest

CHECKOUT: Final = Path(__file__).parents[1]
SHORT: Final = 60  # lines, up to which a module may be tested by those that use it


def named_in(tests: Path) -> dict[Path, str]:
    """The test files, and what stands at the top of each."""
    return {
        path.relative_to(tests): top_of(path.read_text("utf-8"))
        for path in tests.rglob("test_*.py")
    }


def top_of(source: str) -> str:
    """What stands at its top, of which the end is looked for: to parse all of it takes long."""
    if source.startswith('"""'):
        source = source[: source.index('"""', 3) + 3]
    return ast.get_docstring(ast.parse(source)) or ""


def is_found(module: tuple[str, ...], tests: dict[Path, str]) -> bool:
    """Whether a test file in the module's room begins with its name, or any names it in full.

    The name may have that of its package before it: of ``games.knock.audit`` it is
    ``test_knock_audit.py``. In full it stands at the top of a file, between backquotes.
    """
    room, name = module[0], module[-1]
    begins = (f"test_{name}", f"test_{'_'.join(module[-2:])}")
    in_full = f"``{'.'.join(module)}``"
    return any(
        (room in path.parts and path.name.startswith(begins)) or in_full in said
        for path, said in tests.items()
    )


def modules() -> list[tuple[str, ...]]:
    """The modules that are not short, by the parts of their names below the package."""
    house = CHECKOUT / "scorekeeper"
    long = [path for path in sorted(house.rglob("*.py"))
            if len(path.read_text("utf-8").splitlines()) > SHORT]  # fmt: skip
    names = [path.relative_to(house).with_suffix("").parts for path in long]
    return [parts[:-1] if parts[-1] == "__init__" else parts for parts in names]


def test_every_module_has_tests_of_its_name() -> None:
    tests = named_in(CHECKOUT / "tests")
    lacking = [".".join(one) for one in modules() if not is_found(one, tests)]
    assert lacking == [], (
        "write tests/ROOM/test_NAME.py, or name the module at the top of the file with its tests"
    )


@pytest.mark.parametrize(
    ("path", "said", "found"),
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
def test_a_module_is_found_by_its_name_alone(path: str, said: str, found: bool) -> None:
    assert is_found(("games", "knock", "audit"), {Path(path): said}) is found

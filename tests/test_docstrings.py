"""The examples in docstrings hold, and every module can be imported."""

import doctest
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

PACKAGE: Final = Path(__file__).parents[1] / "scorekeeper"


def modules() -> dict[str, str]:
    """Return the sources of the modules of the package, by their dotted names."""
    texts = {path: path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
    return {
        ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): text
        for path, text in texts.items()
        if path.name != "__main__.py"
    }


def with_examples() -> list[str]:
    return [name for name, text in modules().items() if ">>> " in text]


@pytest.mark.parametrize("name", with_examples())
def test_the_examples_of_a_module_hold(name: str) -> None:
    result = doctest.testmod(import_module(name))
    assert result.attempted
    assert not result.failed


def test_every_module_can_be_imported() -> None:
    for name in modules():
        assert import_module(name).__name__ == name

"""All that a game imports: ``authoring``."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from scorekeeper import authoring

ROOT = Path(__file__).parents[1]
FOR_GAMES = (
    "scorekeeper.base", "scorekeeper.cards", "scorekeeper.events", "scorekeeper.play",
    "scorekeeper.games.game", "scorekeeper.families.contracts",
)  # fmt: skip
INSTALLED = sorted((ROOT / "examples").glob("*/scorekeeper_*/*.py"))
OWN = sorted((ROOT / "scorekeeper/games").glob("*/*.py"))


def list_imports(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each import from this project in a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "scorekeeper":
            yield from ((str(node.module), alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if "scorekeeper." in alias.name)


@pytest.mark.parametrize("path", INSTALLED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_installed_game_imports_from_authoring_alone(path: Path) -> None:
    assert {module for module, _ in list_imports(path)} <= {"scorekeeper.authoring"}


@pytest.mark.parametrize("path", OWN, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_own_game_imports_nothing_that_another_game_may_not(path: Path) -> None:
    offered = {id(one) for module in (authoring, authoring.checks) for one in vars(module).values()}
    for module, name in list_imports(path):
        if module.startswith(FOR_GAMES):
            assert id(getattr(import_module(module), name)) in offered, f"{module}.{name}"


@pytest.mark.parametrize("name", authoring.__all__)
def test_what_authoring_offers_is_explained(name: str) -> None:
    offered = getattr(authoring, name)
    if isinstance(offered, type | ModuleType) or inspect.isroutine(offered):
        assert inspect.getdoc(offered)
    guide = (ROOT / "docs/add-a-game.md").read_text(encoding="utf-8")
    assert f"`{name}`" in guide


def test_authoring_offers_what_it_lists_and_nothing_else() -> None:
    offered = {name for name in vars(authoring) if not name.startswith("_")}
    assert offered == set(authoring.__all__)

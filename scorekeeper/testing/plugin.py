"""The plugin of pytest that runs the promises of a game; it does nothing for other tests.

While tests of a package are collected or run whose ``pyproject.toml`` declares games, the registry
has the games of that package, installed or not, and of no other. Pytest finds the plugin by its
entry point where Scorekeeper is installed; elsewhere: ``-p scorekeeper.testing.plugin``.
"""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from scorekeeper.testing.packages import GamePackage

PROMISES: Final = "scorekeeper.testing.promises"
HANDS: Final = 3  # random hands of each promise, game and level
GROUP: Final = "scorekeeper.games"
OPTION: Final = "--scorekeeper-hands"

pytest.register_assert_rewrite(PROMISES)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the number of random hands."""
    parser.getgroup("scorekeeper").addoption(
        OPTION, type=int, default=HANDS, metavar="N",
        help=f"random hands of each promise, game and level ({HANDS})",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker of tests in a browser."""
    config.addinivalue_line("markers", "browser: drives a page in Chromium")


@cache
def declares_games(folder: Path) -> bool | None:
    """Return whether the ``pyproject.toml`` of a folder declares games; None if there is none."""
    path = folder / "pyproject.toml"
    return GROUP in path.read_text("utf-8") if path.is_file() else None


def find_package(path: Path) -> "GamePackage | None":
    """Return the package of games that a test file or folder belongs to; None for any other.

    Scorekeeper is imported only if there is one.
    """
    folders = (folder for folder in (path, *path.parents) if declares_games(folder) is not None)
    folder = next(folders, None)
    if folder is None or not declares_games(folder):
        return None
    from scorekeeper.testing.packages import package_of

    return package_of(folder)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Collect tests of a package with its games in the registry."""
    switch_to(find_package(collector.path))
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Run a test of a package with its games in the registry."""
    switch_to(find_package(item.path))
    return (yield)


def pytest_collection_finish() -> None:
    """Leave the registry as it was, for whatever comes between the tests."""
    switch_to(None)


def pytest_sessionfinish() -> None:
    """Leave the registry as it was."""
    switch_to(None)


def switch_to(package: "GamePackage | None") -> None:
    """Let the registry have the games of a package alone; None for what it had before."""
    packages = sys.modules.get("scorekeeper.testing.packages")
    if packages is not None:
        packages.IN_USE.switch_to(package)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each promise for every game of the package, at each level, and for each golden log."""
    if metafunc.function.__module__ != PROMISES:
        return
    package = find_package(metafunc.definition.path)
    if package is None:
        raise pytest.UsageError(f"no pyproject.toml above {metafunc.definition.path} has games")
    values: dict[str, Any] = {name: package.list_cases(name) for name in metafunc.fixturenames}
    for name, cases in values.items():
        if cases is not None:
            metafunc.parametrize(name, cases, ids=str)


@pytest.fixture(scope="session")
def random_hands(request: pytest.FixtureRequest) -> int:
    """Return the number of random hands of each promise, game and level."""
    return int(request.config.getoption(OPTION))


@pytest.fixture(scope="session")
def chromium() -> "Iterator[Browser]":
    """Yield Chromium, or skip the test where it or Playwright is not installed."""
    from scorekeeper.testing.browser import open_chromium

    yield from open_chromium()

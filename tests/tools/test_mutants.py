"""The trials of ``tools.mutants`` name existing tests."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tools.mutants import trials

CHECKOUT: Final = Path(__file__).parents[2]


def ids_in(session: pytest.Session, file: str) -> Iterator[str]:
    """Yield the ids of the tests of a file."""
    module = pytest.Module.from_parent(session, path=CHECKOUT / file)
    yield from (item.nodeid for item in module.collect())


def test_tests_that_the_mutants_name_exist(request: pytest.FixtureRequest) -> None:
    named = (*trials.TESTS_OF_TEXTS, trials.GOLDEN)
    files = dict.fromkeys(test.partition("::")[0] for test in named)
    ids = [test for file in files for test in ids_in(request.session, file)]
    assert trials.TESTS_OF_TEXTS.keys() - set(ids) == set()
    assert any(test.startswith(f"{trials.GOLDEN}[") for test in ids)


def test_files_and_folders_that_the_mutants_name_exist() -> None:
    tests = CHECKOUT / "tests"
    assert [name for name in trials.FILES if not (tests / name).is_file()] == []
    assert [name for name in trials.SLOW if not list(tests.rglob(name))] == []
    for package in trials.PACKAGES:
        assert list((tests / package).glob("test_*.py")), package

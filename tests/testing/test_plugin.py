"""The plugin for tests of games in packages: which games there are, and what is found to be wrong.

Tests of ``testing.plugin``, ``testing.packages``, ``testing.promises``, ``testing.simulated`` and
``testing.browser``, which the examples use: pytest runs their tests with ours.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import get_language
from scorekeeper.testing.golden import find_golden_errors
from scorekeeper.testing.packages import (
    IN_USE,
    GamePackage,
    load_player,
    package_of,
)
from scorekeeper.testing.simulated import find_errors_of_match

EXAMPLES = Path(__file__).parents[2] / "examples"
TRESSETTE = EXAMPLES / "tressette"


@pytest.fixture
def tressette() -> Iterator[GamePackage]:
    package = package_of(TRESSETTE / "tests" / "test_promises.py")
    assert package is not None
    IN_USE.switch_to(package)
    yield package
    IN_USE.switch_to(None)


def test_games_of_a_package_are_known_only_to_its_tests(tressette: GamePackage) -> None:
    assert [game.id for game in GAMES.added] == tressette.games == ["tressette"]
    summary = GAMES["tressette"].summary
    assert get_language("it").say(summary) != summary
    IN_USE.switch_to(None)
    assert GAMES.added == ()
    assert get_language("it").say(summary) == summary


def test_tests_of_no_package_with_games_are_left_alone(tmp_path: Path) -> None:
    assert package_of(Path(__file__)) is None
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "other"\n')
    assert package_of(tmp_path / "test_other.py") is None
    assert package_of(Path("/no/such/folder/test_other.py")) is None


def test_promises_have_a_case_for_each_game_log_and_near_miss(tressette: GamePackage) -> None:
    cases: dict[str, Any] = {
        name: tressette.list_cases(name)
        for name in ("game_id", "level", "golden_log", "near_miss", "simulated_game", "tmp_path")
    }
    assert len(cases.pop("golden_log")) == len(list(TRESSETTE.glob("golden/*/*.jsonl")))
    lines = (TRESSETTE / "golden/tressette/near-misses.txt").read_text().splitlines()
    assert len(cases.pop("near_miss")) == sum(not line.startswith("#") for line in lines if line)
    assert cases == {
        "game_id": ["tressette"], "level": ("totals", "tricks", "cards"),
        "simulated_game": ["tressette"], "tmp_path": None,
    }  # fmt: skip


def test_wrong_expectation_of_a_golden_log_is_named(tressette: GamePackage, tmp_path: Path) -> None:
    for source in tressette.golden("tressette").glob("evening.*"):
        shutil.copy(source, tmp_path)
    path = tmp_path / "evening.jsonl"
    assert list(find_golden_errors(path)) == []
    expectation = path.with_suffix(".txt")
    text = expectation.read_text("utf-8")
    expectation.write_text(text.replace("match 1 tressette", "match 1 scopa", 1), "utf-8")
    assert [error.partition(":")[0] for error in find_golden_errors(path)] == [
        "not expected", "expected",
    ]  # fmt: skip


def test_player_who_scores_otherwise_is_named(
    tressette: GamePackage, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tressette.player_file("tressette")
    assert list(find_errors_of_match("tressette", path, 3)) == []
    score = load_player(path).Match.settle

    def settle_with_one_more(self: Any, hand: Any) -> None:
        score(self, hand)
        self.totals["A"] += 1

    monkeypatch.setattr(load_player(path).Match, "settle", settle_with_one_more)
    (error,) = find_errors_of_match("tressette", path, 3)
    assert error.startswith("seed 3: the match is ")

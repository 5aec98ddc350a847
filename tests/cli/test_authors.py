"""``games new`` and ``games check``: a new game can be played, and errors in it are named.

Tests of ``promises.examination``, ``promises.first_hands``, ``promises.play`` and ``cli.skeleton``.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from click.testing import Result

from scorekeeper.games import GAMES
from scorekeeper.languages.catalogue_files import catalogue_path, format_po
from scorekeeper.promises.examination import examine_game
from tests.cli.asking import run

NAME = "seven_up"
# A check that finds a fault in a hand that nobody played against the rules.
ALARM = """
from scorekeeper.authoring import Check, Observation, Text

ALARM = Check("bad_deal", "A1", lambda deal: [Observation((1,), Text("odd"))] if deal.won else [])
"""
RAISES = ALARM.replace('[Observation((1,), Text("odd"))]', "[][0]").replace("ALARM", "RAISES")
# A score that depends on how often it was asked for.
FORGETFUL = """
    taken = deal.taken()
    score.calls = getattr(score, "calls", 0) + 1
    if score.calls % 7 == 0:
        return Result()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert (
        run("games", "new", NAME, "--title", "Seven Up", "--folder", str(tmp_path)).exit_code == 0
    )
    return tmp_path


@pytest.fixture
def checked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Result]]:
    """Return a function that checks the package in the folder, which is not installed."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield lambda: run("games", "check", str(folder), "--hands", "1")
    for module in [name for name in sys.modules if name.startswith(f"scorekeeper_{NAME}")]:
        sys.modules.pop(module)


def test_new_game_has_no_errors(checked: Callable[[], Result]) -> None:
    result = checked()
    assert (result.exit_code, result.output) == (0, "No errors.\n")
    assert NAME not in GAMES


def test_new_game_passes_its_tests_before_it_is_installed(folder: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "scorekeeper.testing.plugin", "-p",
         "no:cacheprovider", "-m", "not browser", "--scorekeeper-hands", "2"],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout
    assert " passed" in ran.stdout


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    [
        # what the first hands do not show: the points of the side that wins the most tricks
        ("score", "side, points, ", "side, points + (points > 6) / 2, ", "expected whole points"),
        ("rules", '"A3", "Each', '"A9", "Each', "what is cited: A3"),
        ("score", "taken=taken.points", 'taken={**taken.points, "A": 9}', "taken that make 8"),
        # a record by its count pays a point more than one by its cards
        (
            "score", "side, points, ", 'side, points + (taken.basis.name == "COUNT"), ',
            "which no record by its totals gives",
        ),
        ("score", "    taken = deal.taken()", FORGETFUL, "is another after a strike"),
        (
            "audit", "CHECKS: Final = (", f"{RAISES}CHECKS: Final = (RAISES, ",
            "in scorekeeper_seven_up/audit.py, line",
        ),
        ("audit", "CHECKS: Final = (", f"{ALARM}CHECKS: Final = (ALARM, ", "the finding bad_deal"),
    ],
)  # fmt: skip
def test_errors_of_a_game_are_named(
    folder: Path, checked: Callable[[], Result], file: str, before: str, after: str, message: str
) -> None:
    module = folder / f"scorekeeper_{NAME}" / f"{file}.py"
    text = module.read_text("utf-8")
    assert before in text
    module.write_text(text.replace(before, after), "utf-8")
    result = checked()
    assert result.exit_code == 1, result.output
    assert message in result.output


def test_catalogue_without_a_text_is_named(folder: Path, checked: Callable[[], Result]) -> None:
    path = catalogue_path("it", folder=folder / f"scorekeeper_{NAME}" / "translations")
    path.parent.mkdir(parents=True)
    path.write_bytes(format_po(Catalog(locale="it")))
    assert "the catalogue it: it lacks 'Each trick is worth a point.'" in checked().output


def test_game_is_not_written_over_another(tmp_path: Path) -> None:
    (tmp_path / "here").touch()
    assert "not empty" in run("games", "new", NAME, "--folder", str(tmp_path)).output
    assert "already" in run("games", "new", "knock").output
    assert "small letters" in run("games", "new", "Seven-Up").output
    assert "No installed package" in run("games", "check", NAME).output


@pytest.mark.parametrize(
    "game",
    ["knock", *(pytest.param(game, marks=pytest.mark.soak) for game in GAMES if game != "knock")],
)
def test_own_games_pass_the_examination(game: str) -> None:
    assert list(examine_game(game, GAMES.versions(game), hands=1)) == []

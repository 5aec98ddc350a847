"""``games new`` and ``games check``: a new game can be played, and errors in it are named.

Tests of ``promises.examination``, ``promises.first_hands``, ``promises.play`` and ``cli.skeleton``.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scorekeeper.games import GAMES
from scorekeeper.promises.examination import examine_game
from tests.cli.asking import run
from tests.installing import metadata_of

NAME = "seven_up"
# A check that finds a fault in a hand that nobody played against the rules.
ALARM = """
from scorekeeper.authoring import Check, Observation, Text

ALARM = Check("bad_deal", "A1", lambda deal: [Observation((1,), Text("odd"))] if deal.won else [])
"""


def installed(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that finds the package in a folder as an installed one."""
    metadata = folder / "metadata"
    if not metadata.exists():
        game = {NAME: f"scorekeeper_{NAME}:VERSIONS"}
        metadata_of(metadata, f"card-scorekeeper-{NAME}", game)
    path = os.pathsep.join(map(str, (Path(__file__).parents[2], folder, metadata)))
    return subprocess.run(  # our own program
        [sys.executable, "-m", "scorekeeper", "games", *arguments],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert (
        run("games", "new", NAME, "--title", "Seven Up", "--folder", str(tmp_path)).exit_code == 0
    )
    return tmp_path


def test_new_game_is_listed_and_has_no_errors(folder: Path) -> None:
    listed = installed(folder)
    assert f"{NAME}            Seven Up" in listed.stdout, listed.stderr
    assert listed.stderr == ""
    checked = installed(folder, "check", NAME)
    assert (checked.returncode, checked.stdout) == (0, "No errors.\n"), checked.stderr


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    [
        # what the first hands do not show: the points of the side that wins the most tricks
        ("score", "side, points, ", "side, points + (points > 6) / 2, ", "expected whole points"),
        ("rules", '"A3", "Each', '"A9", "Each', "what is cited: A3"),
        ("audit", "CHECKS: Final = (", f"{ALARM}CHECKS: Final = (ALARM, ", "the finding bad_deal"),
    ],
)  # fmt: skip
def test_errors_of_a_game_are_named(
    folder: Path, file: str, before: str, after: str, message: str
) -> None:
    module = folder / f"scorekeeper_{NAME}" / f"{file}.py"
    text = module.read_text("utf-8")
    assert before in text
    module.write_text(text.replace(before, after), "utf-8")
    checked = installed(folder, "check", f"card-scorekeeper-{NAME}")
    assert checked.returncode == 1, checked.stdout
    assert message in checked.stdout


def test_game_is_not_written_over_another(tmp_path: Path) -> None:
    (tmp_path / "here").touch()
    assert "not empty" in run("games", "new", NAME, "--folder", str(tmp_path)).output
    assert "already" in run("games", "new", "knock").output
    assert "small letters" in run("games", "new", "Seven-Up").output
    assert "No installed package" in run("games", "check", NAME).output


@pytest.mark.parametrize("game", ["knock", "briscola_chiamata"])
def test_own_games_pass_the_examination(game: str) -> None:
    assert list(examine_game(game, GAMES.versions(game), hands=1)) == []

"""The page about tournaments in files shows a log and its standings as they are."""

import re
from pathlib import Path

from tests.cli.asking import run

GUIDE = (Path(__file__).parents[2] / "docs" / "tournament-files.md").read_text("utf-8")


def test_shown_standings_are_those_of_the_shown_log(tmp_path: Path) -> None:
    (log,) = re.findall(r"```jsonl\n(.*?)```", GUIDE, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", GUIDE, re.DOTALL)
    path = tmp_path / "tournament.jsonl"
    path.write_text(log, "utf-8")
    outcome = run("tournament", "standings", path)
    assert (outcome.exit_code, outcome.stdout) == (0, shown)


def test_shown_draw_can_be_checked(tmp_path: Path) -> None:
    (draw,) = re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)
    path = tmp_path / "draw.json"
    path.write_text(draw, "utf-8")
    assert run("tournament", "check", path).exit_code == 0

"""What the README shows is what happens."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from scorekeeper.cli import main
from scorekeeper.games import GAMES
from scorekeeper.log.reading import verify

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
LOG = re.search(r"```jsonl\n(.*?)```", README, re.DOTALL)
CONSOLE = re.findall(
    r"```console\n\$ \.venv/bin/python -m scorekeeper (.*?)\n(.*?)```", README, re.DOTALL
)


def test_the_session_has_ten_lines() -> None:
    assert LOG is not None
    assert len(LOG.group(1).splitlines()) == 10


@pytest.mark.parametrize(("command", "shown"), CONSOLE)
def test_the_session_in_ten_lines(
    command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert LOG is not None
    monkeypatch.chdir(tmp_path)
    Path("friday.jsonl").write_text(LOG.group(1), encoding="utf-8")
    outcome = CliRunner().invoke(main, command.split())
    assert outcome.exit_code == 0
    assert outcome.output == shown


def test_a_hand_recorded_by_curl(live_server: str, tmp_path: Path) -> None:
    lines, shown = re.findall(r"```sh\n(.*?)```\n\n```csv\n(.*?)```", README, re.DOTALL)[0]
    script = "set -eu\n" + lines.replace("http://127.0.0.1:8000", live_server)
    outcome = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert outcome.stdout.lstrip("\ufeff").replace("\r\n", "\n") == shown
    prompts = json.loads((tmp_path / "prompts").read_text(encoding="utf-8"))
    assert "points_counted" in {prompt["type"] for prompt in prompts}
    report = json.loads((tmp_path / "report").read_text(encoding="utf-8"))
    assert report["matches"][0]["totals"] == {"mara": 0, "leo": 5, "nina": 0}
    with (tmp_path / "friday-sealed.jsonl").open("rb") as log:
        assert verify(log).ok


def test_every_game_is_listed() -> None:
    for game in GAMES.values():
        assert f"`{game.id}`" in README


def test_there_are_two_commands_to_compare() -> None:
    assert len(CONSOLE) == 2

"""What the README shows is what happens."""

import json
import re
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from scorekeeper.cli import main
from scorekeeper.games import GAMES
from scorekeeper.log.reading import verify

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
LOGS = dict(re.findall(r"`(\w+\.jsonl)`:\n\n```jsonl\n(.*?)```", README, re.DOTALL))
CONSOLE = re.findall(
    r"```console\n\$ \.venv/bin/python -m scorekeeper (.*?)\n(.*?)```", README, re.DOTALL
)


def test_the_session_has_ten_lines() -> None:
    assert len(LOGS["friday.jsonl"].splitlines()) == 10


@pytest.mark.parametrize(("command", "shown"), CONSOLE)
def test_what_the_commands_print(
    command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, log in LOGS.items():
        Path(name).write_text(log, encoding="utf-8")
    outcome = CliRunner().invoke(main, command.split())
    assert outcome.exit_code == ("ERROR" in shown)
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


def test_a_log_verified_without_the_service(live_server: str, tmp_path: Path) -> None:
    (table, _), (lines, shown) = (
        re.findall(rf"```sh\n((?:(?!```).)*?)```\n\n```{kind}\n(.*?)```", README, re.DOTALL)[-1]
        for kind in ("csv", "text")
    )
    script = "set -eu\n{\n" + table + "} > table\n" + lines
    outcome = subprocess.run(
        ["bash", "-c", script.replace("http://127.0.0.1:8000", live_server)],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert re.sub("[0-9a-f]{64}", "…", outcome.stdout) == shown


def test_every_game_is_listed() -> None:
    for game in GAMES.values():
        assert f"`{game.id}`" in README


def test_there_are_three_commands_to_compare() -> None:
    assert len(CONSOLE) == 3


# ----------------------------------------------------------------------------- "Add a game"

ADDING = README.partition("\n## Add a game\n")[2].partition("\n## ")[0]
MODEL = Path(__file__).parent.parent / "examples" / "tressette"


def test_every_file_of_the_model_is_walked_through() -> None:
    named = re.findall(r"^\| `([^`]+)` \|", ADDING, re.MULTILINE)
    assert len(named) > 5
    assert [name for name in named if not (MODEL / name).exists()] == []
    package = MODEL / "scorekeeper_tressette"
    assert {path.name for path in package.glob("*.py")} <= {Path(name).name for name in named}


def test_the_event_that_is_shown_is_declared_so() -> None:
    (shown,) = re.findall(r"```python\n(.*?)```", ADDING, re.DOTALL)
    declared = (MODEL / "scorekeeper_tressette" / "events.py").read_text("utf-8")
    assert dedent(shown) in declared

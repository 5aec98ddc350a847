"""Completions of the command line, for the three shells that click knows."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from scorekeeper.cli import COMMANDS
from tests.operation.serving import CHECKOUT

OPERATION: Final = (CHECKOUT / "docs" / "operation.md").read_text("utf-8")
SHELLS: Final = ("bash", "zsh", "fish")


def ask(instruction: str, *words: str) -> str:
    """Return what the program prints for a shell that completes these words."""
    run = subprocess.run(
        [sys.executable, "-m", "scorekeeper"], check=True, capture_output=True, text=True,
        cwd=CHECKOUT,
        env={**os.environ, "_SCOREKEEPER_COMPLETE": instruction,
             "COMP_WORDS": " ".join(("scorekeeper", *words)), "COMP_CWORD": str(len(words))},
    )  # fmt: skip
    return run.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_shell_gets_a_script_as_the_guide_says(shell: str) -> None:
    assert "_SCOREKEEPER_COMPLETE" in ask(f"{shell}_source")
    assert f"_SCOREKEEPER_COMPLETE={shell}_source scorekeeper" in OPERATION


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("ver",), {"verify"}),
        (("ba",), {"backup"}),
        (("rules", "knoc"), {"knock"}),
        (("export", "x", "--format", "pd"), {"pdf"}),
        (("club", "exp"), {"export"}),
        (("schema", "cl"), {"club"}),
        (("--sett",), {"--settings"}),
        (("backup", "--all"), {"--allow-empty"}),
    ],
)
def test_words_are_completed(words: tuple[str, ...], expected: set[str]) -> None:
    found = {line.partition(",")[2] for line in ask("bash_complete", *words).splitlines()}
    assert found == expected


def test_every_command_is_offered() -> None:
    found = {line.partition(",")[2] for line in ask("bash_complete", "").splitlines()}
    assert found == set(COMMANDS)


def test_bash_completes_with_the_script_of_the_guide(tmp_path: Path) -> None:
    (tmp_path / "scorekeeper").write_text(
        f'#!/bin/sh\nPYTHONPATH={CHECKOUT} exec {sys.executable} -m scorekeeper "$@"\n'
    )
    (tmp_path / "scorekeeper").chmod(0o755)
    (line,) = [line.strip() for line in OPERATION.splitlines() if "bash_source" in line]
    script = f"""{line.partition("  #")[0]}
COMP_WORDS=(scorekeeper verif); COMP_CWORD=1
_scorekeeper_completion scorekeeper
echo "${{COMPREPLY[@]}}"
complete -p scorekeeper
"""
    shell = subprocess.run(
        ["bash", "-c", script], check=True, capture_output=True, text=True,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )  # fmt: skip
    assert shell.stdout.splitlines()[0] == "verify"
    assert shell.stderr == ""

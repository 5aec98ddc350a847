"""The command line where an installed game fails: one line says so, and a signal still ends it.

Tests of ``cli``.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.api.asking import hand
from tests.evenings import event, opening
from tests.faulty_game import install
from tests.operation.serving import CHECKOUT

SEATS = ["mara", "leo", "nina"]
STAKE = {"currency": "EUR", "point": 10, "match": 0}
MATCH = event("match_started", game="faulty", seats=SEATS, stake=STAKE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, and logs of its game and of another."""
    folder = install(tmp_path_factory.mktemp("cli"))
    logs = folder / "logs"
    logs.mkdir()
    for name, game in (("faulty", "faulty"), ("good", "riparto")):
        started = {**MATCH, "data": {**MATCH["data"], "game": game}}
        lines = (opening(*SEATS), started, *hand())
        (logs / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def start(folder: Path, fault: str, *command: str) -> "subprocess.Popen[str]":
    path = os.pathsep.join((str(CHECKOUT), str(folder)))
    return subprocess.Popen(
        [sys.executable, "-m", "scorekeeper", *command], text=True, cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, "FAULT": fault},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("command", "fault", "message"),
    [
        ("score", "score interrupt", "(KeyboardInterrupt, in "),
        ("score", "describe_hand exit", "(SystemExit, in "),
        pytest.param("audit", "checks odd", "(Odd, in ", marks=pytest.mark.soak),
        pytest.param("score", "score recursive", "(RecursionError, in ", marks=pytest.mark.soak),
        pytest.param("score", "score evil", "(score: expected", marks=pytest.mark.soak),
    ],
)
def test_failing_game_is_named_in_one_line(
    folder: Path, command: str, fault: str, message: str
) -> None:
    with start(folder, fault, command, "logs/faulty.jsonl") as running:
        printed, errors = running.communicate(timeout=60)
    assert running.returncode == 2, errors
    assert printed == ""
    assert errors.count("\n") == 1, errors
    assert 'the game "faulty" failed ' in errors
    assert message in errors


def test_other_logs_count_beside_one_with_a_failing_game(folder: Path) -> None:
    with start(folder, "score exit", "season", "logs") as running:
        printed, errors = running.communicate(timeout=60)
    assert running.returncode == 1
    assert "Riparto: 1 evening" in printed
    assert errors.startswith('logs/faulty.jsonl: the game "faulty" failed (SystemExit, in ')
    assert errors.endswith("; left out\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_a_command_while_code_of_a_game_runs(folder: Path, number: int) -> None:
    started = folder / "started"
    started.unlink(missing_ok=True)
    with start(folder, "score endless", "score", "logs/faulty.jsonl") as running:
        end = time.monotonic() + 60
        while not started.exists() and time.monotonic() < end:
            time.sleep(0.05)
        running.send_signal(number)
        _, errors = running.communicate(timeout=60)
    assert started.exists()
    assert "failed" not in errors
    if number == signal.SIGINT:
        assert (running.returncode, errors.strip()) == (1, "Aborted!")
    else:
        assert running.returncode == -signal.SIGTERM

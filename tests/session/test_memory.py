"""What scoring a file takes of memory: at most 24 times its size, and 1.5 GiB for the largest."""

import json
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.evenings import Raw, by_hand, event, riparto, sealed
from tests.players.common import evening as played_evening

MEASURED = """
import sys
from pathlib import Path
from scorekeeper.base.errors import UnusableError
from scorekeeper.report.report import view_report
from scorekeeper.session.session import Session

def high_water():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024

before = high_water()
with open(sys.argv[1], "rb") as log:
    try:
        hands = sum(len(match.hands) for match in view_report(Session.read(log)).matches)
    except UnusableError as error:
        hands = -error.line
print(hands, high_water() - before)
"""


def mebibytes_to_score(path: Path) -> tuple[int, float]:
    """The hands of a log, and how much memory scoring it took beyond what starting took."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)], check=True, capture_output=True, text=True
    )
    hands, mebibytes = done.stdout.split()
    return int(hands), float(mebibytes)


def evenings_without_end(level: str) -> list[Raw]:
    """A few matches that follow one another, after the opening event."""
    rng = random.Random(7)  # noqa: S311
    log = played_evening(rng, "riparto", level, hands=12).events
    return [raw for raw in log if raw["type"] not in ("session_closed", "match_ended")]


def write(path: Path, log: Iterable[Raw], size: int) -> None:
    """Write a log by hand of about that many bytes: the first line, and the others over again."""
    first, *others = by_hand(log).splitlines(keepends=True)
    again = b"".join(others)
    path.write_bytes(first + again * (size // len(again)))


def seal(path: Path) -> None:
    """Make a log by hand a sealed one."""
    path.write_bytes(sealed(json.loads(line) for line in path.read_bytes().splitlines()))


def test_scoring_takes_some_memory(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, evenings_without_end("cards"), 1 << 20)
    hands, mebibytes = mebibytes_to_score(path)
    assert hands > 300
    assert mebibytes < 24


@pytest.mark.soak
@pytest.mark.parametrize("level", ["cards", "tricks"])
def test_scoring_the_largest_file_takes_at_most_a_gibibyte_and_a_half(
    tmp_path: Path, level: str
) -> None:
    path = tmp_path / "log.jsonl"
    write(path, evenings_without_end(level), 63 << 20)
    hands, mebibytes = mebibytes_to_score(path)
    assert hands > 10_000
    assert mebibytes < 1536


@pytest.mark.soak
def test_scoring_the_largest_sealed_file_takes_at_most_a_gibibyte_and_a_half(
    tmp_path: Path,
) -> None:
    path = tmp_path / "log.jsonl"
    write(path, evenings_without_end("totals"), 20 << 20)
    seal(path)
    assert 40 << 20 < path.stat().st_size < 64 << 20
    hands, mebibytes = mebibytes_to_score(path)
    assert hands > 30_000
    assert mebibytes < 1536


@pytest.mark.soak
@pytest.mark.parametrize(
    "again",
    [event("hand_started", dealer="mara"), event("match_ended"), event("note_added", text=""),
     event("score_claimed", scores={}), event("hand_disputed", player="leo", reason="", hand=1)],
    ids=lambda raw: raw["type"],
)  # fmt: skip
def test_the_largest_hostile_file_takes_at_most_a_gibibyte_and_a_half(
    tmp_path: Path, again: Raw
) -> None:
    path = tmp_path / "log.jsonl"
    start = by_hand([*riparto().log, event("hand_started", dealer="leo")])
    line = json.dumps(again, separators=(",", ":")).encode() + b"\n"
    path.write_bytes(start + line * ((63 << 20) // len(line)))
    _, mebibytes = mebibytes_to_score(path)
    assert mebibytes < 1536

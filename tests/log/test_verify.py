"""Verification: whatever was done to a sealed log is found, and the first bad line named."""

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from scorekeeper.base.errors import NotALogError
from scorekeeper.games import GAMES
from scorekeeper.log.chain import seal
from scorekeeper.log.reading import MAX_LINE_BYTES, LogFile, Verdict, verify
from tests.conftest import SOAK
from tests.evenings import AT, a_log, by_hand, event, golden_logs, opening, sealed
from tests.thinned import EACH_LOG

SHORT = [
    opening("zoe", "leo"),
    event("note_added", text="5 × 3\n= 15"),
    event("player_joined", id="ada", name="Ada"),
    event("session_closed"),
]


def verdict(log: bytes, head: str | None = None, count: int | None = None) -> Verdict:
    return verify(io.BytesIO(log), head, count)


def head_of(log: bytes) -> str:
    head: str = json.loads(log.splitlines()[-1])["hash"]
    return head


def first_difference(log: bytes, edited: bytes) -> int | None:
    """The first line of a file that is another than in the log; None where all it has are."""
    lines = log.splitlines(keepends=True)
    for number, line in enumerate(io.BytesIO(edited), start=1):
        if number > len(lines) or line != lines[number - 1]:
            return number
    return None


def refuse_all(log: bytes, edits: Iterator[bytes]) -> int:
    """Check that each edit is found, with its first bad line; how many there were."""
    tried = 0
    for edited in edits:
        result = verdict(edited)
        assert not result.ok
        assert result.reason
        assert result.first_bad_line == first_difference(log, edited)
        assert result.first_bad_line == result.events + 1
        tried += 1
    return tried


# ------------------------------------------------------------------------------------ whole


def test_a_whole_log() -> None:
    log = sealed(SHORT)
    assert verdict(log) == Verdict(ok=True, events=4, head=head_of(log))
    assert verdict(log, head=head_of(log), count=4).ok


@EACH_LOG
def test_every_golden_log_can_be_sealed(path: Path) -> None:
    with path.open("rb") as stream:
        log = sealed([{"type": raw.type, "data": raw.data} for raw in LogFile(stream)])
    assert verdict(log).ok


# ------------------------------------------------------------------------------------ edits


def changes(log: bytes, values: int) -> Iterator[bytes]:
    """Every byte changed: in each of its bits, or to every other value."""
    bits = [1 << bit for bit in range(8)] if values == 8 else range(1, 256)
    for place, byte in enumerate(log):
        for bit in bits:
            yield log[:place] + bytes([byte ^ bit]) + log[place + 1 :]


def deletions(log: bytes) -> Iterator[bytes]:
    yield from (log[:place] + log[place + 1 :] for place in range(len(log) - 1))


def insertions(log: bytes) -> Iterator[bytes]:
    for place in range(len(log) + 1):
        for more in (b"\n", b" ", b"\x00", b"\r", b"0", b"\xff"):
            yield log[:place] + more + log[place:]


def truncations(log: bytes) -> Iterator[bytes]:
    """Cuts within a line, and before the first line feed of all only where it can be seen."""
    yield from (log[:place] for place in range(1, len(log)) if log[place - 1 : place] != b"\n")


def rearrangements(log: bytes) -> Iterator[bytes]:
    """Lines swapped, doubled and dropped, but for the last."""
    lines = log.splitlines(keepends=True)
    for number in range(len(lines)):
        yield b"".join([*lines[: number + 1], *lines[number:]])
        if number < len(lines) - 1:
            yield b"".join([*lines[:number], *lines[number + 1 :]])
        for other in range(number):
            swapped = list(lines)
            swapped[number], swapped[other] = lines[other], lines[number]
            yield b"".join(swapped)


def edits(log: bytes, values: int = 8) -> Iterator[bytes]:
    yield from changes(log, values)
    yield from deletions(log)
    yield from insertions(log)
    yield from truncations(log)
    yield from rearrangements(log)


def test_every_edit_of_a_sealed_log_is_found() -> None:
    log = sealed(SHORT)
    assert refuse_all(log, edits(log)) > 10_000


def test_every_edit_of_a_log_of_one_line_is_found() -> None:
    log = sealed(SHORT[:1])
    assert refuse_all(log, edits(log)) > 2_000


def test_moved_lines_are_found_in_a_long_log() -> None:
    log = sealed(a_log())
    assert refuse_all(log, rearrangements(log)) > 50


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_every_byte_of_a_log_of_every_game(game: str) -> None:
    path = next(path for path in golden_logs() if path.parent.name == game)
    with path.open("rb") as stream:
        events = [{"type": raw.type, "data": raw.data} for raw in LogFile(stream)]
    log = sealed(events[:10])
    assert refuse_all(log, edits(log, values=255)) > 255 * len(log)


# ------------------------------------------------------------------------- cuts and additions


def test_cut_end_is_found_with_a_remembered_head() -> None:
    log = sealed(a_log())
    lines = log.splitlines(keepends=True)
    for kept in range(1, len(lines)):
        cut = b"".join(lines[:kept])
        assert verdict(cut).ok, "a chain alone cannot show it"
        for result in (verdict(cut, head=head_of(log)), verdict(cut, count=len(lines))):
            assert not result.ok
            assert result.events == kept
            assert result.first_bad_line == kept + 1


def test_added_events_are_found_with_a_remembered_head() -> None:
    log = sealed(a_log())
    kept = b"".join(log.splitlines(keepends=True)[:6])
    for result in (verdict(log, head=head_of(kept)), verdict(log, count=6)):
        assert not result.ok
        assert result.first_bad_line == 7


def test_rewritten_history_is_found_with_a_remembered_head() -> None:
    log, events = sealed(a_log()), a_log()
    events[5]["data"]["points"] = 5
    anew = sealed(events)
    assert verdict(anew).ok
    result = verdict(anew, head=head_of(log), count=len(events))
    assert not result.ok
    assert result.first_bad_line == len(events)
    assert result.reason == "the last hash is not the one that was remembered"


def test_empty_file_is_a_cut_log_if_a_head_is_remembered() -> None:
    result = verdict(b"", count=3)
    assert (result.ok, result.events, result.first_bad_line) == (False, 0, 1)
    assert not verdict(b"", head="ab" * 32).ok


# --------------------------------------------------------------------------- what is no log


@pytest.mark.parametrize(
    "log",
    [
        by_hand(a_log()),
        b"",
        b"\n",
        b"Friday, at Mara's\n",
        b"\x00\xff" * 100,
        b"{}\n",
        b'{"type":"note_added","data":{"text":"\\"hash\\":\\"7\\""}}\n',
        b"[" * 100_000,
        b"x" * (2 * MAX_LINE_BYTES + 7),
    ],
    ids=["by hand", "empty", "blank", "prose", "bytes", "object", "says hash", "deep", "long"],
)
def test_unsealed_file_is_no_sealed_log(log: bytes) -> None:
    with pytest.raises(NotALogError, match="not a sealed log"):
        verdict(log)


@pytest.mark.parametrize(
    ("log", "line", "reason"),
    [
        (sealed(SHORT).replace(b"\n", b"\r\n"), 1, "the line is not in canonical form"),
        (b"\xef\xbb\xbf" + sealed(SHORT), 1, "not JSON"),
        (b"\n" + sealed(SHORT), 1, "not JSON"),
        (sealed(SHORT)[:-1], 4, "the line does not end in a line feed"),
        (sealed(SHORT) + b"\n", 5, "not JSON"),
        (by_hand(SHORT[:2]) + sealed(SHORT), 1, "field at: missing in a sealed log"),
        (sealed(SHORT).replace(b'"seq":2', b'"seq":3'), 2, "seq 3 where 2 is due"),
        (sealed(SHORT) + b"x" * 3 * MAX_LINE_BYTES, 5, "the line is longer than"),
        (
            b"".join(json.dumps(json.loads(line)).encode() + b"\n"
                     for line in sealed(SHORT).splitlines()),
            1, "the line is not in canonical form",
        ),
    ],
)  # fmt: skip
def test_verdict_describes_the_damage(log: bytes, line: int, reason: str) -> None:
    result = verdict(log)
    assert not result.ok
    assert result.first_bad_line == line
    assert result.reason.startswith(reason)


@pytest.mark.parametrize(
    ("at", "by", "reason"),
    [
        ("2026-11-21T20:14:03Z", "keeper", "field at: expected a time such as"),
        ("2026-02-30T20:14:03.250Z", "keeper", "field at: expected a time such as"),
        (AT, "The Keeper", "field by: expected a player's id"),
        (AT, "", "field by: expected a player's id"),
        (AT, "x" * 33, "field by: expected a player's id"),
    ],
)
def test_valid_chain_over_invalid_fields_is_damage(at: str, by: str, reason: str) -> None:
    line = seal("", 1, "session_opened", SHORT[0]["data"], at, by).line + b"\n"
    result = verdict(line)
    assert (result.ok, result.first_bad_line) == (False, 1)
    assert result.reason.startswith(reason)


def test_length_of_a_line_is_limited() -> None:
    def line(size: int) -> bytes:
        bare = len(seal("", 1, "note_added", {"text": ""}, AT, "keeper").line) + 1
        text = "x" * (size - bare)
        return seal("", 1, "note_added", {"text": text}, AT, "keeper").line + b"\n"

    assert verdict(line(MAX_LINE_BYTES)).ok
    assert not verdict(line(MAX_LINE_BYTES + 1)).ok


# --------------------------------------------------------------------------------- controls


def careless(log: bytes) -> bool:
    """A verifier that parses and hashes again, and never compares the bytes."""
    previous = ""
    try:
        for line in io.BytesIO(log):
            value = json.loads(line)
            digest = value.pop("hash")
            form = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            if sha256(f"{previous}\n{form}".encode()).hexdigest() != digest:
                return False
            previous = digest
    except (ValueError, LookupError, TypeError, AttributeError):
        return False
    return True


def test_control_careless_verifier_misses_edits() -> None:
    log = sealed(SHORT)
    assert careless(log)
    missed = [edited for edited in edits(log) if careless(edited)]
    assert len(missed) > 100
    assert not any(verdict(edited).ok for edited in missed)


def independent(log: bytes) -> bool:
    """The verdict once more, from the text of the log format, with regular expressions."""
    previous = b""
    lines = re.findall(rb"[^\n]*\n|[^\n]+\Z", log)
    for seq, line in enumerate(lines, start=1):
        parts = re.fullmatch(
            rb'(\{"at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","by":"[a-z0-9][a-z0-9_-]{0,31}",'
            rb'"data":\{.*\}),"hash":"([0-9a-f]{64})",("seq":%d,"type":"[a-z_]+"\})\n' % seq,
            line,
        )
        if not parts or sha256(previous + b"\n" + parts[1] + b"," + parts[3]).digest() != (
            bytes.fromhex(parts[2].decode())
        ):
            return False
        previous = parts[2]
    return bool(lines)


def test_independent_verifier_gives_the_same_verdict() -> None:
    log = sealed(SHORT)
    assert independent(log)
    for number, edited in enumerate(edits(log)):
        if number % (1 if SOAK else 17) == 0:
            assert not independent(edited)


# ----------------------------------------------------------------------------------- memory

MEASURED = """
import sys
from pathlib import Path
from scorekeeper.log.reading import verify

def high_water():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024

before = high_water()
with open(sys.argv[1], "rb") as log:
    verdict = verify(log)
print(verdict.ok, verdict.events, high_water() - before)
"""


def large_log(path: Path, size: int, text: str) -> int:
    """Write a sealed log of at least that many bytes; the number of its events."""
    sealed_so_far = seal("", 1, "session_opened", SHORT[0]["data"], AT, "keeper")
    seq = written = 0
    with path.open("wb") as log:
        while True:
            seq += 1
            written += log.write(sealed_so_far.line + b"\n")
            if written >= size:
                return seq
            data = {"text": text}
            sealed_so_far = seal(sealed_so_far.hash, seq + 1, "note_added", data, AT, "keeper")


def mebibytes_to_verify(path: Path, size: int, text: str) -> float:
    events = large_log(path, size, text)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)], check=True, capture_output=True, text=True
    )
    ok, counted, mebibytes = done.stdout.split()
    assert (ok, int(counted)) == ("True", events)
    return float(mebibytes)


def test_verifying_takes_little_memory(tmp_path: Path) -> None:
    assert mebibytes_to_verify(tmp_path / "log.jsonl", 20 << 20, "x" * 9_000) < 16


@pytest.mark.soak
@pytest.mark.parametrize("text", ["", "x" * 9_000], ids=["short lines", "long lines"])
def test_verifying_a_very_large_file_takes_little_memory(tmp_path: Path, text: str) -> None:
    assert mebibytes_to_verify(tmp_path / "log.jsonl", 200 << 20, text) < 64


def test_a_file_without_a_line_feed_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(sealed(SHORT) + b"x" * ((40 if SOAK else 20) << 20))
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)], check=True, capture_output=True, text=True
    )
    ok, counted, mebibytes = done.stdout.split()
    assert (ok, counted) == ("False", "4")
    assert float(mebibytes) < 16

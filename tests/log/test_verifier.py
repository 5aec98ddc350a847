"""The verifier that stands alone: the verdict of the service, on good logs and damaged ones.

Tests of ``exports.verifier``.
"""

import io
import json
import random
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.base.errors import NotALogError
from scorekeeper.exports import verifier
from scorekeeper.games import GAMES
from scorekeeper.log.canonical import MAX_DEPTH, encode
from scorekeeper.log.reading import MAX_LINE_BYTES, verify
from tests.cli.asking import run
from tests.conftest import SOAK
from tests.evenings import a_log, by_hand, sealed
from tests.players.common import evening

PROGRAM = Path(verifier.__file__)
GOOD = 1000 if SOAK else 50
DAMAGES_OF_EACH = 10
ODD = "É\u0301 “tardi”:\n\t\\ 🂡"  # in NFC as it stands, with what is escaped and what is not

Verdict = tuple[int, int, str, int | None]


def by_service(log: bytes, head: str | None = None, count: int | None = None) -> Verdict:
    """The exit code of ``scorekeeper verify``, the whole events, the head, the first bad line."""
    try:
        verdict = verify(io.BytesIO(log), head, count)
    except NotALogError:
        return 2, 0, "", None
    return (0 if verdict.ok else 1), verdict.events, verdict.head, verdict.first_bad_line


def alone(log: bytes, head: str | None = None, count: int | None = None) -> Verdict:
    """The same of the verifier that stands alone."""
    return verifier.verify(io.BytesIO(log), head, count)[:4]


def good_log(seed: int) -> bytes:
    """A sealed log of some evening, of thirty events at most."""
    rng = random.Random(seed)  # noqa: S311
    events = evening(rng, rng.choice(list(GAMES)), None, hands=1).events[:30]
    note = {"type": "note_added", "data": {"text": ODD[rng.randrange(len(ODD)) :]}}
    return sealed([*events[:3], note, *events[3:]], by=rng.choice(["keeper", "import", "mara"]))


# ---------------------------------------------------------------------------------- damage


def edited(rng: random.Random, log: bytes) -> bytes:
    """A byte changed, lost or added."""
    place = rng.randrange(len(log))
    kept = place + rng.randrange(2)
    return log[:place] + bytes(rng.choices(b'\n "{}[]0eE.-\\u\xff\x00a', k=rng.randrange(3))) + (
        log[kept:]
    )  # fmt: skip


def rearranged(rng: random.Random, log: bytes) -> bytes:
    """Lines dropped, doubled, swapped or cut off."""
    lines = log.splitlines(keepends=True)
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines[: rng.randrange(len(lines) + 1)] + lines[rng.randrange(len(lines)) :])


def forged(rng: random.Random, log: bytes) -> bytes:
    """A line that was changed and hashed again, with all after it or not."""
    lines = [json.loads(line) for line in log.splitlines()]
    place = rng.randrange(len(lines))
    name, value = rng.choice([
        ("at", "2026-02-30T20:14:03.250Z"), ("at", "2026-11-21T20:14:03Z"), ("at", ""),
        ("by", "The Keeper"), ("by", "x" * 33), ("by", "keeper\n"), ("seq", place + 2),
        ("seq", 0), ("seq", True), ("type", 7), ("data", []), ("data", {"text": "e\u0301"}),
        ("data", {"e\u0301": 1}), ("data", {"n": 2**53}), ("data", {"n": -(2**53) + 1}),
        ("data", {"n": 1.5}), ("data", {}), ("data", {"text": "fine"}), ("more", 1),
    ])  # fmt: skip
    lines[place][name] = value
    last = len(lines) if rng.random() < 0.5 else place + 1
    previous = lines[place - 1]["hash"] if place else ""
    for line in lines[place:last]:
        line.pop("hash")
        unsealed = encode(line)
        line["hash"] = previous = sha256(previous.encode() + b"\n" + unsealed).hexdigest()
    return b"".join(encode(line) + b"\n" for line in lines)


def written_otherwise(rng: random.Random, log: bytes) -> bytes:
    """A line that says the same in other bytes."""
    lines = log.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    value = json.loads(lines[place])
    lines[place] = rng.choice([
        json.dumps(value).encode() + b"\n",
        json.dumps(value, separators=(",", ":"), sort_keys=True).encode() + b" \n",
        lines[place].replace(b'"seq":', b'"seq":-0,"seq":'),
        lines[place].replace(b'"seq":', b'"seq":0'),
        lines[place].replace(b"}\n", b"}\r\n"),
        lines[place].replace(b"}\n", b',"hash":""}\n'),
        b"\xef\xbb\xbf" + lines[place],
        lines[place][:-1],
        b"\n" + lines[place],
        json.dumps({key: part for key, part in value.items() if key != "hash"}).encode() + b"\n",
    ])  # fmt: skip
    return b"".join(lines)


DAMAGES: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    edited, edited, edited, edited, rearranged, rearranged, forged, forged, written_otherwise,
    written_otherwise,
)  # fmt: skip


# ------------------------------------------------------------------------------- both verdicts


def test_both_verifiers_agree_on_good_and_damaged_logs() -> None:
    codes: list[int] = []
    for seed in range(GOOD):
        log, rng = good_log(seed), random.Random(seed)  # noqa: S311
        count, head = log.count(b"\n"), by_service(log)[2]
        assert alone(log) == by_service(log) == (0, count, head, None)
        for damage in DAMAGES:
            worse = damage(rng, log)
            remembered: dict[str, Any] = rng.choice([{}, {"head": head}, {"count": count},
                                                     {"head": head, "count": count}])  # fmt: skip
            verdict_alone = alone(worse, **remembered)
            assert verdict_alone == by_service(worse, **remembered), worse
            codes.append(verdict_alone[0])
    assert len(codes) == GOOD * DAMAGES_OF_EACH
    assert codes.count(1) > 0.8 * len(codes)
    assert codes.count(0) > 0.01 * len(codes), "some of what was done nobody can see"


@pytest.mark.parametrize(
    "log",
    [
        b"", b"\n", by_hand(a_log()), b"Friday\n", b"{}\n", b"[" * 100_000, b'{"at":', b"{",
        b'{"at":"', b'{"hash" : 1}', b"x\n" + sealed(a_log()), b"x" * (2 * MAX_LINE_BYTES + 7),
        sealed(a_log()) + b"x" * (2 * MAX_LINE_BYTES),
        sealed([{"type": "note_added", "data": {"text": "x" * (MAX_LINE_BYTES - 195)}}]),
        sealed([{"type": "note_added", "data": {"text": "x" * MAX_LINE_BYTES}}]),
        b"".join(sealed(a_log()).splitlines(keepends=True)[:5]),
        sealed(a_log()).replace(b'"data":{', b'"data":' + b'{"a":' * 90_000, 1),
    ],
    ids=range(17),
)  # fmt: skip
@pytest.mark.parametrize(
    "head", [None, "ab" * 32, json.loads(sealed(a_log()).split(b"\n")[2])["hash"]]
)
@pytest.mark.parametrize("count", [None, 0, 3, 9, 10])
def test_both_verifiers_agree_on_odd_logs(log: bytes, head: str | None, count: int | None) -> None:
    assert alone(log, head, count) == by_service(log, head, count)


# --------------------------------------------------------------------------- what is nested


def with_a_note(text: Any) -> bytes:
    """A sealed log, and last in it a note of this."""
    return sealed([*a_log(), {"type": "note_added", "data": {"text": text}}])


def nested(deep: int, kind: str) -> bytes:
    """A sealed log of which the last event has so many lists and objects in one another."""
    if deep > 900:  # of which nobody can make a hash
        return with_a_note("here").replace(b'"here"', b"[" * (deep - 2) + b"]" * (deep - 2))
    inner: Any = "\u00e9" if kind == "with a text" else ({} if kind == "objects" else [])
    for place in range(deep - (2 if kind == "with a text" else 3)):
        inner = {"a": inner} if kind == "objects" or (kind == "both" and place % 2) else [inner]
    return with_a_note(inner)


@pytest.mark.parametrize("kind", ["lists", "objects", "both", "with a text"])
@pytest.mark.parametrize("remembered", [{}, {"count": 12}])
def test_both_verifiers_have_the_same_limit_of_depth(kind: str, remembered: dict[str, Any]) -> None:
    limit = f"more than {MAX_DEPTH} lists and objects in one another"
    for deep in (
        3,
        50,
        *range(MAX_DEPTH - 2, MAX_DEPTH + 3),
        330,
        *range(498, 503),
        700,
        960,
        5_000,
    ):
        log = nested(deep, kind)
        verdict_alone = alone(log, **remembered)
        assert verdict_alone == by_service(log, **remembered), deep
        assert verdict_alone[:2] == ((0, 12) if deep <= MAX_DEPTH else (1, 11)), deep
        if deep > MAX_DEPTH:
            assert limit in verifier.verify(io.BytesIO(log)).reason
            assert limit in verify(io.BytesIO(log)).reason


@pytest.mark.parametrize("deep", [MAX_DEPTH, MAX_DEPTH + 1])
def test_both_verifiers_agree_on_damaged_nested_logs(deep: int) -> None:
    rng, codes = random.Random(deep), []  # noqa: S311
    for kind in ("lists", "objects", "both", "with a text"):
        log = nested(deep, kind)
        for damage in (*DAMAGES, *DAMAGES):
            try:
                worse = damage(rng, log)
            except ValueError:  # what cannot be written otherwise, as it cannot be read
                continue
            codes.append(alone(worse)[0])
            assert alone(worse) == by_service(worse), worse
    assert codes.count(1) > len(codes) / 2


# ------------------------------------------------------------------------------- the program


def run_alone(*args: object, stdin: bytes = b"") -> tuple[int, str]:
    """Return the exit code and the output of the program, run without any other package."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(PROGRAM), *map(str, args)],
        input=stdin, capture_output=True, check=False, cwd="/",
    )  # fmt: skip
    return done.returncode, done.stdout.decode()


@pytest.mark.parametrize("what", ["whole", "damaged", "cut", "by hand", "remembered", "wrong use"])
def test_program_prints_the_same_as_the_command(what: str, tmp_path: Path) -> None:
    log = sealed(a_log())
    lines = log.splitlines(keepends=True)
    more: list[object] = []
    if what == "damaged":
        log = log.replace(b"leo", b"lea", 1)
    elif what == "cut":
        log, more = b"".join(lines[:4]), ["--count", 10]
    elif what == "by hand":
        log = by_hand(a_log())
    elif what == "remembered":
        more = ["--head", json.loads(lines[-1])["hash"], "--count", len(lines)]
    elif what == "wrong use":
        more = ["--count", -1]
    path = tmp_path / "log.jsonl"
    path.write_bytes(log)
    command, program = run("verify", path, *more), run_alone(path, *more)
    assert program[0] == command.exit_code
    if program[0] < 2:
        assert program[1].split(":")[0] == command.stdout.split(":")[0]
    assert run_alone("-", *more, stdin=log) == program


class Endless(io.RawIOBase):
    """A file that has always another piece."""

    def __init__(self, piece: bytes) -> None:
        self.piece, self.given = piece, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.given += len(self.piece)
        assert self.given < 1 << 30, "it is read on and on"
        buffer[: len(self.piece)] = self.piece
        return len(self.piece)


@pytest.mark.parametrize("piece", [b"\0" * 8192, b"x" * 4095 + b"\n"], ids=["a line", "lines"])
def test_endless_input_is_no_log(piece: bytes) -> None:
    assert verifier.verify(io.BufferedReader(Endless(piece)))[0] == verifier.NOT_A_LOG
    with pytest.raises(NotALogError):
        verify(io.BufferedReader(Endless(piece)))


def test_program_reports_a_missing_log(tmp_path: Path) -> None:
    assert run_alone(tmp_path / "none")[0] == run("verify", tmp_path / "none").exit_code == 2


def test_it_is_one_small_file() -> None:
    source = PROGRAM.read_text("utf-8")
    program = source.replace(verifier.RUN_LENGTHS, "")  # the table is figures alone
    assert len(program.splitlines()) <= 190
    assert "scorekeeper." not in source

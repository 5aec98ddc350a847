"""Say whether a sealed Scorekeeper log is intact, byte for byte.

    python3 verify.py LOG [--head HASH] [--count N]

LOG is a file, or - for standard input. It takes Python 3.11 or newer and nothing else: no line of
the service that wrote the log is needed to trust it. HASH is the last hash and N the number of
events as somebody remembers them; without them a cut at the end of a line cannot be seen. A line
has at most 1 MiB, and 100 lists and objects in one another.
Exit code 0: intact. 1: damaged; the first bad line is named. 2: not a sealed log at all.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from itertools import accumulate, groupby
from typing import Any, BinaryIO, NamedTuple

WHOLE, DAMAGED, NOT_A_LOG = range(3)  # the exit codes
LONGEST_LINE = 1 << 20  # bytes
LONGEST_SEARCH = 64 << 20  # bytes, for a line with a hash if the first lines have none
LARGEST = 2**53 - 1  # of whole numbers
DEEPEST = 100  # lists and objects in one another
TOO_DEEP = f"more than {DEEPEST} lists and objects in one another"
BRACKETS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
ALL_BUT_BRACKETS = bytes(set(range(256)) - set(BRACKETS))
FIELDS = {"at": str, "by": str, "data": dict, "hash": str, "seq": int, "type": str}
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
BY = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
HASH = re.compile(rb'"hash"\s*:')
START = b'{"at":"'

# Texts are normalised as Unicode 14.0 has it, whatever the tables of the running Python are. These
# are the lengths of the runs of code points that it assigns and does not assign, in turn, in
# hexadecimal digits.
RUN_LENGTHS = """\
378 2 6 4 7 1 1 1 14 1 18d 1 26 2 32 2 3 1 37 8 1b 4 6 b 10e 1 3c 2 65 e 3b 2 31 2 f 1 1c 2 1 1
b 5 1f 1 2 6 ec 1 8 2 2 2 16 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 19 2 3 1 6 4 2 2 16 1 7 1 2 1
2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 11 a 3 1 9 1 3 1 16 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 c 7 7
1 3 1 8 2 2 2 16 1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 12 a 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3
c 4 5 3 3 1 4 2 1 6 1 e 15 5 d 1 3 1 17 1 10 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a 7 16 1 3 1 17 1 a 1
5 2 9 1 3 1 4 7 2 6 2 1 4 2 a 1 2 d d 1 3 1 33 1 3 1 6 4 10 2 1a 1 3 1 12 3 18 1 9 1 1 2 7 3 1 4
6 1 1 1 8 6 a 2 3 c 3a 4 1d 25 2 1 1 1 5 1 18 1 1 1 17 2 5 1 1 1 6 2 a 2 4 20 48 1 24 4 27 1 24
1 f 1 d 25 c6 1 1 5 1 2 179 1 4 2 7 1 1 1 4 2 29 1 4 2 21 1 4 2 7 1 1 1 4 2 f 1 39 1 4 2 43 2 20
3 1a 6 56 2 6 2 29d 3 59 7 16 9 18 9 14 c d 1 3 1 2 c 5e 2 a 6 a 6 1a 6 59 7 2b 5 46 a 1f 1 c 4
c 4 1 3 2a 2 5 b 2c 4 1a 6 b 3 3e 2 41 1 1d 2 b 6 a 6 e 2 1f 31 4d 3 2f 1 74 8 3c 3 f 3 3c 7 2b
2 b 8 2b 5 216 2 6 2 26 2 6 2 8 1 1 1 1 1 1 1 1f 2 35 1 f 1 e 2 6 1 13 2 3 1 9 1 65 1 c 2 1b 1 d
3 21 f 21 f 8c 4 297 19 b 15 714 2 20 1 15d 5 2d 1 1 5 1 2 38 7 2 e 18 9 7 1 7 1 7 1 7 1 7 1 7 1
7 1 7 1 7e 22 1a 1 59 c d6 1a c 4 40 1 56 2 67 5 2b 1 5e 1 54 c 2f 1 726d 3 37 9 15c 14 b8 8 cb
5 2 1 1 1 5 18 3b 3 a 6 38 8 46 8 c 6 74 b 1e 3 4e 1 b 4 21 1 37 9 e 2 a 2 67 18 1c a 6 2 6 2 6
9 7 1 7 1 3c 4 7e 2 a 6 2ba4 c 17 4 31 4 226e 2 6a 26 7 c 5 5 1a 1 5 1 1 1 2 1 2 1 7d 10 1bd 2
36 7 1 20 2a 6 33 1 13 1 4 4 5 1 87 2 1 1 be 3 6 2 6 2 6 2 3 3 7 1 7 a 5 2 c 1 1a 1 13 1 2 1 f 2
e 22 7b 5 3 4 2d 3 58 1 d 3 1 2f 2e 82 1d 3 31 f 1c 4 24 9 1e 5 2b 5 1e 1 25 4 e 2a 9e 2 a 6 24
4 24 4 28 8 34 b c 1 f 1 7 1 2 1 b 1 f 1 7 1 2 43 137 9 16 a 8 18 6 1 2a 1 9 45 6 2 1 1 2c 1 2 3
1 2 17 1 48 8 9 30 13 1 2 5 21 3 1b 5 1 40 38 4 14 2 32 1 2 5 8 1 3 1 1d 2 3 4 a 7 9 7 40 20 27
4 c 9 36 3 1d 2 1b 5 1a 7 4 c 7 50 49 37 33 d 33 7 2e 8 a 126 1f 1 2a 1 3 2 2 4e 28 8 2a 16 1a
26 1c 14 17 9 4e 4 24 9 44 a 1 2 19 7 a 6 35 1 12 8 27 9 60 1 14 b 12 1 2c 41 7 1 1 1 4 1 f 1 b
6 3b 5 a 6 4 1 8 2 2 2 16 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 8b 5c 1 5 1e 48 8 a a6 36
2 26 22 45 b a 6 d 13 3a 6 a 36 1b 2 f 4 17 b9 3c 64 53 c 8 2 1 2 8 1 2 1 1e 1 2 2 c 9 a 46 8 2
2e 2 b 1b 48 8 53 d 49 107 9 1 2d 1 e a 1d 3 20 2 16 1 e 49 7 1 2 1 2c 3 1 1 2 1 9 8 a 6 6 1 2 1
25 1 2 1 6 7 a 136 19 b7 1 f 32 d 39b 66 6f 1 5 b c4 a4c 63 d 42f 1 9 fc7 247 21b9 239 7 1f 1 a
4 51 1 a 6 1e 2 6 a 46 a a 1 7 1 15 5 13 2b0 5b 65 4b 4 39 7 11 40 5 b 2 e 17f8 8 4d6 2a 9 22e7
4 1 7 1 2 1 123 2d 3 11 4 8 18c 904 6b 5 d 3 9 7 a 2 8 125c 2e 2 17 9 74 3c f6 a 27 2 c2 15 46
9a 14 c 57 9 19 87 55 1 47 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 41 1 4 2 8 1 7 1 1c 1 4 1 5 1 1 3 7 1
154 2 124 2 2be f 5 1 f 450 1f e1 7 1 11 2 7 1 2 1 5 d5 2d 3 e 2 a 4 2 140 1f 11 3a 5 1 4e0 7 1
4 1 2 1 f 1 c5 2 10 29 4c 4 a 4 2 311 44 4c 3d c2 4 1 1b 1 2 1 1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1
1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 11 5 3 1 5 1 11 34 2 10e
2c 4 64 c f 2 f 1 f 1 25 a ae 38 1d d 2c 4 9 7 2 e 6 9a 3d8 5 10 3 d 3 74 c 59 7 c 4 1 f c 4 38
8 a 6 28 8 1e 2 2 4e 154 c e 2 5 3 5 3 7 9 1d 3 b 5 6 a a 6 8 8 7 9 93 1 37 25 a 406 a6e0 20
1039 7 de 2 1682 e 1d31 c1f 21e 5e2 134b aecb6 1 1e 60 80 f0 fe10 fffe 2 fffe
"""
BOUNDS = ("\0", *map(chr, accumulate(int(n, 16) for n in RUN_LENGTHS.split())))


class Verdict(NamedTuple):
    """An exit code, the events and the head before the first bad line, and its error."""

    code: int
    events: int = 0
    head: str = ""
    line: int | None = None
    reason: str = ""


def whole_number(digits: str) -> int:
    """Parse a whole number in canonical form. Raises `ValueError` for any other number."""
    if len(digits) > 17 or abs(int(digits)) > LARGEST:
        raise ValueError("a number that is too large")
    return int(digits)


def object_without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object with these members. Raises `ValueError` if a key is repeated."""
    if len(members := dict(pairs)) != len(pairs):
        raise ValueError("a key is there twice")
    return members


DECODER = json.JSONDecoder(object_pairs_hook=object_without_duplicates, parse_int=whole_number,
                           parse_float=whole_number, parse_constant=whole_number)  # fmt: skip


def canonical(value: Any) -> bytes:
    """Return the canonical form of a value (RFC 8785). Raises `ValueError` for a lone surrogate."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def texts(value: Any) -> Iterator[str]:
    """Yield every text in a value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from texts(item)


def is_too_deep(line: bytes) -> bool:
    """Return whether a line has more than ``DEEPEST`` lists and objects in one another."""
    if line.count(b"[") + line.count(b"{") <= DEEPEST:
        return False
    outside_texts = line.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2]
    brackets = b"".join(outside_texts).translate(None, ALL_BUT_BRACKETS)
    return max(accumulate(map(BRACKETS.__getitem__, brackets)), default=0) > DEEPEST


def is_assigned(char: str) -> bool:
    """Return whether Unicode 14.0 assigns a code point."""
    return bisect_right(BOUNDS, char) % 2 == 1


def is_normal(text: str) -> bool:
    """Return whether a text is in NFC: each run of assigned code points has to be, by itself."""
    if text.isascii():
        return True
    runs = ("".join(run) for known, run in groupby(text, is_assigned) if known)
    return all(unicodedata.is_normalized("NFC", run) for run in runs)


def link(line: bytes, previous: str, seq: int) -> str:
    """Return the hash of a line after the line with hash ``previous``.

    Raises `ValueError` if the line is not the next event in canonical form.
    """
    if len(line) > LONGEST_LINE:
        raise ValueError(f"the line is longer than {LONGEST_LINE} bytes")
    if is_too_deep(line):
        raise ValueError(TOO_DEEP)
    value = DECODER.decode(line.decode("utf-8"))
    if type(value) is not dict or value.keys() != FIELDS.keys():
        raise ValueError("expected an object with " + ", ".join(FIELDS))
    if wrong := [name for name, kind in FIELDS.items() if type(value[name]) is not kind]:
        down = " (it lay face down)" if wrong == ["data"] and value["data"] is None else ""
        raise ValueError(f"field {wrong[0]}: not of its kind{down}")
    if value["seq"] != seq:
        raise ValueError(f"seq {value['seq']} where {seq} is due")
    for name, pattern in (("by", BY), ("at", AT)):
        if not pattern.fullmatch(value[name]):
            raise ValueError(f"field {name}: not as a store writes it")
    datetime.fromisoformat(value["at"][:-1])
    if not all(map(is_normal, texts(value))) or line != canonical(value) + b"\n":
        raise ValueError("the line is not in canonical form, or has no line feed")
    claimed = str(value.pop("hash"))
    if sha256(previous.encode() + b"\n" + canonical(value)).hexdigest() != claimed:
        raise ValueError("the hash does not fit the event and the hash before it")
    return claimed


def verify(stream: BinaryIO, head: str | None = None, count: int | None = None) -> Verdict:
    """Return the verdict on a log; a file of any size is read in little memory."""
    previous, events, at_head, searched, sealed, bad = "", 0, 0, 0, False, None
    for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE + 1), b""), start=1):
        begins = number == 1 and line[: len(START)] == START[: len(line)]
        sealed = sealed or begins or HASH.search(line) is not None
        if bad is None:
            try:
                previous, events = link(line, previous, events + 1), events + 1
                at_head = events if previous == head else at_head
            except ValueError as error:
                bad = number, str(error)
        if bad and (sealed or (searched := searched + len(line)) > LONGEST_SEARCH):
            return Verdict(DAMAGED, events, previous, *bad) if sealed else Verdict(NOT_A_LOG)
    if not sealed and (bad or (head is None and count is None)):
        return Verdict(NOT_A_LOG)
    if count is not None and events != count:
        reason = f"{events} events, and there were {count}"
        return Verdict(DAMAGED, events, previous, min(events, count) + 1, reason)
    if head is not None and head != previous:
        line_at = at_head + 1 if at_head else max(events + (count is None), 1)
        return Verdict(DAMAGED, events, previous, line_at, "another last hash was remembered")
    return Verdict(WHOLE, events, previous)


def main() -> int:
    """Print the verdict on the log named on the command line, and return the exit code."""
    parser = argparse.ArgumentParser(prog="verify.py", description="Is a sealed log intact?")
    parser.add_argument("log", metavar="LOG", help="a file, or - for standard input")
    parser.add_argument("--head", metavar="HASH", help="the last hash that the log should have")
    parser.add_argument(
        "--count", metavar="N", type=int, help="the number of events that it should have"
    )
    args = parser.parse_args()
    if unicodedata.unidata_version < "14":
        parser.error("Python 3.11 or newer is needed")
    if (args.count or 0) < 0:
        parser.error("--count: expected a whole number from 0 on")
    try:
        with sys.stdin.buffer if args.log == "-" else open(args.log, "rb") as log:  # noqa: PTH123
            code, events, head, line, reason = verify(log, args.head, args.count)
    except OSError as error:
        parser.error(str(error))
    damaged = f"damaged at line {line}: {reason}"
    print((f"intact: {events} events, head {head}", damaged, "not a sealed log")[code])  # noqa: T201
    return code


if __name__ == "__main__":
    sys.exit(main())

"""Say whether a sealed Scorekeeper log is intact, byte for byte.

    python verify.py LOG [--head HASH] [--count N]

LOG is a file, or - for standard input. It takes Python 3.9 or newer and nothing else: no line of
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
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from typing import Any, BinaryIO, NamedTuple

WHOLE, DAMAGED, NOT_A_LOG = range(3)  # the exit codes
LONGEST_LINE = 1 << 20  # bytes
LONGEST_SEARCH = 64 << 20  # bytes, for a line with a hash where the first lines have none
LARGEST = 2**53 - 1  # of whole numbers
TOO_DEEP = f"more than {(DEEPEST := 100)} lists and objects in one another"
FIELDS = {"at": str, "by": str, "data": dict, "hash": str, "seq": int, "type": str}
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
BY = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
HASH = re.compile(rb'"hash"\s*:')
START = b'{"at":"'


class Verdict(NamedTuple):
    """An exit code, the events and the head before the first bad line, and what is wrong there."""

    code: int
    events: int = 0
    head: str = ""
    line: int | None = None
    reason: str = ""


def whole_number(digits: str) -> int:
    """A whole number that has a canonical form; ValueError for any other."""
    if len(digits) > 17 or abs(int(digits)) > LARGEST:
        raise ValueError("a number that is too large")
    return int(digits)


def no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; ValueError where a key stands twice."""
    if len(found := dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice")
    return found


DECODER = json.JSONDecoder(object_pairs_hook=no_key_twice, parse_int=whole_number,
                           parse_float=whole_number, parse_constant=whole_number)  # fmt: skip


def canonical(value: Any) -> bytes:
    """The one form that a value is written in (RFC 8785); ValueError for half a character."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def texts(value: Any) -> Iterator[str]:
    """Every text in a value, keys too; RecursionError where it is nested too deeply."""
    deep, layer = 0, [value]
    while layer:
        yield from (one for one in layer if isinstance(one, str))
        layer = [one for one in layer if isinstance(one, (dict, list))]
        if (deep := deep + bool(layer)) > DEEPEST:
            raise RecursionError
        layer = [x for one in layer for x in (one if type(one) is list else [*one, *one.values()])]


def link(line: bytes, previous: str, seq: int) -> str:
    """The hash of a line that comes after the one with hash ``previous``; ValueError."""
    if len(line) > LONGEST_LINE:
        raise ValueError(f"the line is longer than {LONGEST_LINE} bytes")
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
    normal = all(unicodedata.is_normalized("NFC", text) for text in texts(value))
    if not normal or line != canonical(value) + b"\n":
        raise ValueError("the line is not in canonical form, or has no line feed")
    claimed = str(value.pop("hash"))
    if sha256(previous.encode() + b"\n" + canonical(value)).hexdigest() != claimed:
        raise ValueError("the hash does not fit the event and the hash before it")
    return claimed


def verify(stream: BinaryIO, head: str | None = None, count: int | None = None) -> Verdict:
    """The verdict on a log; reads a file of any size in little memory."""
    previous, events, at_head, searched, sealed, bad = "", 0, 0, 0, False, None
    for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE + 1), b""), start=1):
        begins = number == 1 and line[: len(START)] == START[: len(line)]
        sealed = sealed or begins or HASH.search(line) is not None
        if bad is None:
            try:
                previous, events = link(line, previous, events + 1), events + 1
                at_head = events if previous == head else at_head
            except (ValueError, RecursionError) as error:
                bad = number, TOO_DEEP if isinstance(error, RecursionError) else str(error)
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
    """Say the verdict on the log that the command line names; the exit code."""
    asked = argparse.ArgumentParser(prog="verify.py", description="Is a sealed log intact?")
    asked.add_argument("log", metavar="LOG", help="a file, or - for standard input")
    asked.add_argument("--head", metavar="HASH", help="the last hash, as somebody remembers it")
    asked.add_argument("--count", metavar="N", type=int, help="the number of events")
    given = asked.parse_args()
    if (given.count or 0) < 0:
        asked.error("--count: expected a whole number from 0 on")
    try:
        with sys.stdin.buffer if given.log == "-" else open(given.log, "rb") as log:  # noqa: PTH123
            code, events, head, line, reason = verify(log, given.head, given.count)
    except OSError as error:
        asked.error(str(error))
    damaged = f"damaged at line {line}: {reason}"
    print((f"intact: {events} events, head {head}", damaged, "not a sealed log")[code])  # noqa: T201
    return code


if __name__ == "__main__":
    sys.exit(main())

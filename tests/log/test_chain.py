"""The hash chain, computed here once more as the log format describes it.

Tests of ``log.chain`` and ``log.writing``.
"""

import hashlib
import json
from itertools import pairwise

from scorekeeper.log.chain import SEALED_FIELDS, START, compute_hash, seal
from scorekeeper.log.writing import now
from tests.evenings import AT, a_log, sealed

FIRST = (
    '{"at":"2026-11-21T20:14:03.250Z","by":"keeper","data":{"player":"mara","points":4},'
    '"hash":"%s","seq":7,"type":"bid_made"}'
)


def test_hash_covers_the_previous_hash_and_the_event() -> None:
    unsealed = (
        '{"at":"2026-11-21T20:14:03.250Z","by":"keeper","data":{"player":"mara","points":4},'
        '"seq":7,"type":"bid_made"}'
    )
    previous = "ab" * 32
    digest = hashlib.sha256(f"{previous}\n{unsealed}".encode()).hexdigest()
    sealed_ = seal(previous, 7, "bid_made", {"points": 4, "player": "mara"}, AT, "keeper")
    assert sealed_.hash == digest == compute_hash(previous, unsealed.encode())
    assert sealed_.line.decode() == FIRST % digest


def test_the_chain_begins_with_nothing() -> None:
    assert START == ""
    assert compute_hash(START, b"{}") == hashlib.sha256(b"\n{}").hexdigest()


def test_a_sealed_log_is_chained_from_its_first_line_to_its_last() -> None:
    log = sealed(a_log(), by="keeper")
    assert log.endswith(b"\n")
    lines = [json.loads(line) for line in log.splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    previous = ""
    for line_ in lines:
        assert tuple(sorted(line_)) == SEALED_FIELDS
        digest = line_.pop("hash")
        form = json.dumps(line_, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert digest == hashlib.sha256(f"{previous}\n{form}".encode()).hexdigest()
        previous = digest


def test_times_are_written_in_order_and_to_the_millisecond() -> None:
    times = [now() for _ in range(50)]
    assert all(len(time) == len(AT) and time.endswith("Z") for time in times)
    assert all(earlier <= other for earlier, other in pairwise(times))

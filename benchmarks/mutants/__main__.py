"""``make mutants``: how many of a random sample of faults the tests find, and which they miss."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.mutants.faults import Fault, faults_in
from benchmarks.mutants.trials import Outcome, tried

ROOMS: Final = ("games", "families", "play", "session", "report", "log", "service", "store")
EQUAL: Final = Path(__file__).with_name("equal.txt")  # what was read, and makes no difference
BAR: Final = 90  # in a hundred


def all_faults() -> list[Fault]:
    """All faults that can be made in the rooms."""
    paths = [path for room in ROOMS for path in sorted(Path("scorekeeper", room).rglob("*.py"))]
    return [fault for path in paths for fault in faults_in(str(path), path.read_bytes())]


def difference(fault: Fault) -> str:
    """The lines that a fault changes, as they are and as it makes them."""
    source = Path(fault.path).read_bytes()
    first, last = source.rfind(b"\n", 0, fault.start) + 1, source.find(b"\n", fault.end)
    before = source[first:last].decode().strip()
    after = (source[first : fault.start] + fault.text.encode() + source[fault.end : last]).decode()
    return f"{fault.path}\n- {before}\n+ {after.strip()}"


def judged(outcome: Outcome) -> str:
    """What came of a fault, which is shown if the tests miss it."""
    shown = difference(outcome.fault)
    if outcome.result != "missed":
        return outcome.result
    if any(one.startswith(shown) for one in EQUAL.read_text(encoding="utf-8").split("\n\n")):
        return "equal"
    print(
        f"\nmissed by {outcome.tests} tests, line {outcome.fault.lines[0]} of {shown}", flush=True
    )
    return outcome.result


def counted(outcomes: Iterable[Outcome]) -> bool:
    """Print by room what came of the faults; whether enough were found."""
    rooms: dict[str, Counter[str]] = {room: Counter() for room in (*ROOMS, "all")}
    for outcome in outcomes:
        result = judged(outcome)
        for room in (outcome.fault.path.split("/")[1], "all"):
            rooms[room][result] += 1
    print(f"\n{'':10}{'tried':>8}{'found':>8}{'too long':>10}{'equal':>8}{'missed':>8}")
    share = 100.0
    for room, of in rooms.items():
        differing = of.total() - of["equal"]
        share = 100 - 100 * of["missed"] / max(differing, 1)
        print(f"{room:10}{of.total():8}{of['found']:8}{of['too long']:10}{of['equal']:8}"
              f"{of['missed']:8}{share:8.1f} % found")  # fmt: skip
    print(f"\n{'met' if share >= BAR else 'MISSED'}: {BAR} % or more")
    return share >= BAR


def main() -> int:
    """Try a sample; 0 where enough of it is found."""
    parser = argparse.ArgumentParser(prog="make mutants")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=None)
    asked = parser.parse_args()
    seed = Random().randrange(1_000_000) if asked.seed is None else asked.seed
    faults = all_faults()
    sample = Random(seed).sample(faults, min(asked.sample, len(faults)))
    print(f"MUTANTS={len(sample)} SEED={seed}, of {len(faults)} faults", flush=True)
    return 0 if counted(tried(sample)) else 1


if __name__ == "__main__":
    sys.exit(main())

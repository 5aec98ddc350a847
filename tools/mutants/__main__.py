"""``make mutants``: count how many of a random sample of faults the tests find."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Final

from tools.mutants.faults import Fault, faults_in
from tools.mutants.trials import Outcome, try_faults

PACKAGES: Final = ("games", "families", "play", "session", "report", "log", "service", "store")
EQUIVALENT: Final = Path(__file__).with_name("equal.txt")  # faults that change no behaviour
MIN_PERCENT_FOUND: Final = 90


def all_faults() -> list[Fault]:
    """Return all faults that can be made in the packages."""
    paths = [path for name in PACKAGES for path in sorted(Path("scorekeeper", name).rglob("*.py"))]
    return [fault for path in paths for fault in faults_in(str(path), path.read_bytes())]


def difference(fault: Fault) -> str:
    """Return the lines that a fault changes, before and after it."""
    source = Path(fault.path).read_bytes()
    first, last = source.rfind(b"\n", 0, fault.start) + 1, source.find(b"\n", fault.end)
    before = source[first:last].decode().strip()
    after = (source[first : fault.start] + fault.text.encode() + source[fault.end : last]).decode()
    return f"{fault.path}\n- {before}\n+ {after.strip()}"


def classify(outcome: Outcome) -> str:
    """Return the result of a fault, and print the fault if the tests miss it."""
    shown = difference(outcome.fault)
    if outcome.result != "missed":
        return outcome.result
    if any(
        entry.startswith(shown) for entry in EQUIVALENT.read_text(encoding="utf-8").split("\n\n")
    ):
        return "equal"
    print(
        f"\nmissed by {outcome.tests} tests, line {outcome.fault.lines[0]} of {shown}", flush=True
    )
    return outcome.result


def print_outcomes(outcomes: Iterable[Outcome]) -> bool:
    """Print the results of the faults by package; return whether enough were found."""
    packages: dict[str, Counter[str]] = {name: Counter() for name in (*PACKAGES, "all")}
    for outcome in outcomes:
        result = classify(outcome)
        for name in (outcome.fault.path.split("/")[1], "all"):
            packages[name][result] += 1
    print(f"\n{'':10}{'tried':>8}{'found':>8}{'too long':>10}{'equal':>8}{'missed':>8}")
    share = 100.0
    for name, of in packages.items():
        differing = of.total() - of["equal"]
        share = 100 - 100 * of["missed"] / max(differing, 1)
        print(f"{name:10}{of.total():8}{of['found']:8}{of['too long']:10}{of['equal']:8}"
              f"{of['missed']:8}{share:8.1f} % found")  # fmt: skip
    print(f"\n{'met' if share >= MIN_PERCENT_FOUND else 'MISSED'}: {MIN_PERCENT_FOUND} % or more")
    return share >= MIN_PERCENT_FOUND


def main() -> int:
    """Try a sample; return 0 if enough of it is found."""
    parser = argparse.ArgumentParser(prog="make mutants")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=None)
    asked = parser.parse_args()
    seed = Random().randrange(1_000_000) if asked.seed is None else asked.seed
    faults = all_faults()
    sample = Random(seed).sample(faults, min(asked.sample, len(faults)))
    print(f"MUTANTS={len(sample)} SEED={seed}, of {len(faults)} faults", flush=True)
    return 0 if print_outcomes(try_faults(sample)) else 1


if __name__ == "__main__":
    sys.exit(main())

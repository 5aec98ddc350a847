"""``make faults``: which faults of a record the audit finds, and which corrections it suggests."""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from benchmarks.faults.alterations import KINDS, Fault, faults
from benchmarks.faults.hands import LEVELS, legal_hand
from benchmarks.faults.judging import Audited, Searched, audited, searched
from scorekeeper.base.views import to_json_values
from tests.players.common import GAMES, log_of

AUDITED: Final = 12  # faults of a kind in a hand, at random;
SEARCHED: Final = 1  #   corrections are sought for this many that are found, unless --sought is set
MINUTES: Final = 10.0
BAR: Final = 95  # in a hundred, of what the record can decide


class Task(NamedTuple):
    """Faults to make in one hand; ``kinds`` by name."""

    game: str
    level: str
    paper: bool
    seed: int
    kinds: tuple[str, ...]
    sought: int  # of the faults of a kind, how many corrections are sought for


UNDECIDED: Final = "because the same mistake makes this record of three other hands or more"
EXPLAINED: Final = "because three other mistakes or more are as likely"
MISSED: Final = "missed"

Outcome = tuple[Audited, Searched | None]


def tried(task: Task) -> list[Outcome]:
    """Make faults in one hand, and return what comes of each.

    The faults of a kind are the same whichever other kinds are tried.
    """
    rng = Random(f"{task.game} {task.level} {task.paper} {task.seed}")
    hand = legal_hand(task.game, task.level, task.seed, paper=task.paper)
    outcomes: list[Outcome] = []
    for kind in KINDS:
        every = faults(hand, kind)
        sample = rng.sample(every, min(AUDITED, len(every)))
        left = task.sought
        for fault in sample if kind in task.kinds else ():
            audited_fault = audited(fault)
            wanted = audited_fault.asks and left > 0
            left -= wanted
            outcomes.append((audited_fault, searched(fault) if wanted else None))
    return outcomes


def tasks(
    hands: int, seed: int, games: Sequence[str], levels: Sequence[str], kinds: Sequence[str],
    sought: int,
) -> Iterator[Task]:  # fmt: skip
    """All games, at all levels, with and without a score on paper, hand after hand."""
    for number in range(hands):
        for game, level, paper in product(games, levels, (False, True)):
            yield Task(game, level, paper, seed + 1_000 * number, tuple(kinds), sought)


# ------------------------------------------------------------------------------- the figures


class Figures:
    """Counts of some faults and of their corrections."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.seconds = 0.0

    def add(self, audited_fault: Audited, search: Searched | None) -> None:
        """Count one fault."""
        self.counts["tried"] += 1
        self.counts[audited_fault.result] += 1
        if search is not None:
            self.counts["searched"] += 1
            self.counts["exact"] += search.exact > 0
            self.counts["first"] += search.exact == 1
            self.counts["score"] += search.right_score > 0
            self.counts["decided"] += not search.undecided
            self.counts["exact, decided"] += search.exact > 0 and not search.undecided
            missed = not search.exact and not search.undecided
            self.counts["explained"] += missed and search.explained
            self.counts["missed"] += missed and not search.explained
            self.seconds = max(self.seconds, search.seconds)

    @property
    def found(self) -> float | None:
        """Found in a hundred of those that the record can know."""
        return share(self.counts["found"], self.counts["found"] + self.counts["unfound"])

    @property
    def exact(self) -> float | None:
        """Corrected exactly in a hundred of those for which corrections were sought."""
        return share(self.counts["exact"], self.counts["searched"])

    @property
    def decided(self) -> float | None:
        """Corrected exactly in a hundred of those whose correction the record decides."""
        return share(self.counts["exact, decided"], self.counts["decided"])

    def line(self, name: str) -> str:
        """The figures in a row of the table."""
        of = self.counts
        shares = (self.found, self.exact, share(of["score"], of["searched"]),
                  share(of["first"], of["searched"]), self.decided)  # fmt: skip
        counts = "".join(f"{of[name]:8}" for name in ("tried", "refused", "unknowable", "unfound"))
        texts = [f"{'' if part is None else f'{part:.0f} %':>8}" for part in shares]
        return (
            f"{name:34}{counts}{texts[0]}{of['searched']:8}" + "".join(texts[1:4])
            + f"{of['decided']:8}{texts[4]}{of['explained']:8}{of['missed']:8}"
            + f"{self.seconds:7.1f} s"
        )  # fmt: skip


HEAD: Final = (
    f"{'':34}{'tried':>8}{'refused':>8}{'no one':>8}{'unfound':>8}{'found':>8}{'sought':>8}"
    f"{'exact':>8}{'score':>8}{'first':>8}{'decided':>8}{'exact':>8}{'rivals':>8}{'missed':>8}"
    f"{'slowest':>9}"
)


def share(part: int, whole: int) -> float | None:
    """Return the per cent of a part; None of nothing."""
    return 100 * part / whole if whole else None


def table(title: str, outcomes: Iterable[Outcome], *keys: str) -> dict[str, Figures]:
    """Print the figures by what the names of some attributes have in common; return them."""
    rows: dict[str, Figures] = {}
    for audited_fault, search in outcomes:
        rows.setdefault(row_of(audited_fault.fault, keys), Figures()).add(audited_fault, search)
    print(f"\n{title}\n{HEAD}")
    for name, figures in rows.items():
        print(figures.line(name))
    return rows


def row_of(fault: Fault, keys: Sequence[str]) -> str:
    """The name of a row: the kind of a fault, its game, its level, whether there is paper."""
    values = {"kind": fault.kind, "game": fault.hand.game, "level": fault.hand.level,
              "paper": "with paper" if fault.hand.paper else "without"}  # fmt: skip
    return ", ".join(values[key] for key in keys)


def explain(outcomes: Sequence[Outcome]) -> None:
    """Print why no record can know of what was not found, and what the audit should find."""
    print("\nWhat no record can know, and why")
    reasons = Counter(
        (audited_fault.why, audited_fault.fault.kind)
        for audited_fault, _ in outcomes
        if audited_fault.result == "unknowable"
    )
    for why in dict.fromkeys(why for why, _ in reasons):
        kinds = ", ".join(f"{kind} {n}" for (of, kind), n in reasons.items() if of == why)
        print(f"  {why}: {kinds}")
    found_faults = [
        audited_fault for audited_fault, _ in outcomes if audited_fault.result == "found"
    ]
    excused = (
        share(sum(bool(audited_fault.why) for audited_fault in found_faults), len(found_faults))
        or 0
    )
    print(f"  Of the faults that the audit finds, these reasons would excuse {excused:.0f} %.")
    print("\nUnfound, although the record decides it")
    unfound = Counter(
        (audited_fault.fault.hand.game, audited_fault.fault.hand.level,
         audited_fault.fault.kind, audited_fault.fault.at,
         "with paper" if audited_fault.fault.hand.paper else "without")
        for audited_fault, _ in outcomes if audited_fault.result == "unfound"
    )  # fmt: skip
    for what, n in sorted(unfound.items()):
        print(f"  {n:4} {', '.join(what)}")
    explain_missed(outcomes)


def explain_missed(outcomes: Iterable[Outcome]) -> None:
    """Print of each kind why the true correction is not among the first three."""
    print("\nTrue corrections that are not among the first three")
    rows: dict[str, Counter[str]] = {}
    for audited_fault, search in outcomes:
        if search is not None and not search.exact:
            why = UNDECIDED if search.undecided else EXPLAINED if search.explained else MISSED
            rows.setdefault(audited_fault.fault.kind, Counter())[why] += 1
    for kind, whys in rows.items():
        print(f"  {kind}: " + "; ".join(f"{n} {why}" for why, n in whys.items()))


def keep(outcomes: Iterable[Outcome], folder: Path) -> None:
    """Write the logs whose correction is not among the first, and those that were not found."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (audited_fault, search) in enumerate(outcomes):
        missed = search is not None and not search.exact
        if missed or audited_fault.result == "unfound":
            fault = audited_fault.fault
            name = "-".join((
                "missed" if missed else "unfound", fault.kind.replace(" ", "_"), fault.hand.game,
                fault.hand.level, "paper" if fault.hand.paper else "without", str(number),
            ))  # fmt: skip
            offered = search.offered if search else ()
            true = {"at": fault.at, "scores": fault.hand.scores, "record": fault.hand.record,
                    "offered": list(map(to_json_values, offered))}  # fmt: skip
            (folder / f"{name}.jsonl").write_text(log_of(fault.hand.events(fault.record)))
            (folder / f"{name}.truth.json").write_text(json.dumps(true, indent=1))


def main() -> int:
    """Try hands, and print what comes of their faults; 1 where one is unfound."""
    parser = argparse.ArgumentParser(prog="make faults")
    parser.add_argument("--hands", type=int, default=3, help="of each game, level and paper")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--minutes", type=float, default=MINUTES, help="after which no hand begins")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--games", nargs="*", default=GAMES, choices=GAMES)
    parser.add_argument("--levels", nargs="*", default=LEVELS, choices=LEVELS)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    parser.add_argument(
        "--sought",
        type=int,
        default=SEARCHED,
        help="corrections sought for so many faults of a kind in a hand",
    )
    parser.add_argument("--no-search", action="store_true", help="audit only")
    parser.add_argument("--keep", type=Path, help="a folder for the logs that were missed")
    asked = parser.parse_args()
    seed = Random().randrange(1_000_000) if asked.seed is None else asked.seed
    sought = 0 if asked.no_search else asked.sought
    every = list(tasks(asked.hands, seed, asked.games, asked.levels, asked.kinds, sought))
    print(f"FAULTS={asked.hands} SEED={seed}: {len(every)} hands", flush=True)
    outcomes = run(every, asked.jobs, monotonic() + 60 * asked.minutes)
    table("By kind", outcomes, "kind")
    table("By kind and level", outcomes, "kind", "level")
    table("By kind and game", outcomes, "kind", "game")
    table("By game and level", outcomes, "game", "level", "paper")
    table("All", outcomes)
    explain(outcomes)
    if asked.keep:
        keep(outcomes, asked.keep)
    return 1 if any(audited_fault.result == "unfound" for audited_fault, _ in outcomes) else 0


def run(every: Sequence[Task], jobs: int, end: float) -> list[Outcome]:
    """Try the hands, in a number of processes, until the clock stands at ``end``."""
    outcomes: list[Outcome] = []
    with ProcessPoolExecutor(jobs) as pool:
        for place in range(0, len(every), jobs):
            if monotonic() >= end:
                print(f"time is over: {place} of {len(every)} hands")
                break
            for of_hand in pool.map(tried, every[place : place + jobs]):
                outcomes += of_hand
    return outcomes


if __name__ == "__main__":
    sys.exit(main())

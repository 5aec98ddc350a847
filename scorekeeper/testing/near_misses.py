"""Near misses: for each check a golden log that triggers it, and a change with which it does not.

``golden/GAME/near-misses.txt`` names for each check of the game (by its function and its clause) a
golden log, the event at fault there, and after a colon replacements of one event or more: a seq
with a type and data, or a hyphen for nothing. With these the check finds no fault in that event,
and no check finds a new error.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.games.game import Game
from scorekeeper.play.scoring import Check, run_checks
from scorekeeper.report.findings import list_findings, list_hand_findings
from scorekeeper.session.session import Session

ENTRY: Final = re.compile(r"(\w+) (\w+) ([\w-]+) (\d+): (.+)")
EDIT: Final = re.compile(r"(\d+) (?:(\w+) (\{.*\})|-)")
NOTHING: Final[JsonObject] = {"type": "note_added", "data": {"text": "nothing"}}
# Findings that are in no game's table of checks: of a hand in its match.
OF_EVERY_GAME: Final = {"wrong_dealer", "incomplete", "after_end"}

Seen = set[tuple[str, str, int]]


class NearMiss(NamedTuple):
    """A near miss: its check, the folder and name of its log, and the changes of the log."""

    folder: Path
    check: str
    rule: str
    log: str
    fault: int
    edits: Mapping[int, JsonObject]

    def __str__(self) -> str:
        return f"{self.folder.name}-{self.check}-{self.rule}"


def read_near_misses(folder: Path) -> list[NearMiss]:
    """Return the near misses in the folder of golden logs of a game; none without their file."""
    path = folder / "near-misses.txt"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [_read_line(folder, line) for line in lines if line and not line.startswith("#")]


def _read_line(folder: Path, line: str) -> NearMiss:
    """Return the near miss on a line. Raises `ValueError` if it is none."""
    entry = ENTRY.fullmatch(line)
    if not entry:
        raise ValueError(f"expected CHECK CLAUSE LOG SEQ: CHANGES, got {line}")
    edits = {}
    for text in entry[5].split("; "):
        edit = EDIT.fullmatch(text)
        if not edit:
            raise ValueError(f"expected a seq with a type and data, or a hyphen, got {text}")
        data = {"type": edit[2], "data": json.loads(edit[3])} if edit[2] else NOTHING
        edits[int(edit[1])] = data
    return NearMiss(folder, entry[1], entry[2], entry[3], int(entry[4]), edits)


def name_of(check: Check) -> str:
    """Return the name of the function of a check."""
    function: Any = check.look.func if isinstance(check.look, partial) else check.look
    return str(function.__name__)


def find_missed(game: Game, misses: Sequence[NearMiss]) -> Iterator[str]:
    """Yield the beginning of a line for each check without a near miss, and checks of no game."""
    checks = [(name_of(check), check.rule) for check in game.checks]
    there = {(miss.check, miss.rule) for miss in misses}
    yield from (f"write {name} {rule} LOG EVENT-AT-FAULT: ..." for name, rule in checks
                if (name, rule) not in there)  # fmt: skip
    yield from (f"two checks are {name} {rule}" for name, rule in set(checks)
                if checks.count((name, rule)) > 1)  # fmt: skip
    yield from (f"no check is {name} {rule}" for name, rule in there - set(checks)
                if name not in OF_EVERY_GAME)  # fmt: skip


def find_near_miss_errors(miss: NearMiss) -> Iterator[str]:
    """Yield what is wrong with a near miss: that it is a hit, or that its log triggers nothing."""
    log, before, errors = _read_golden(miss.folder / f"{miss.log}.jsonl")
    fault = (miss.check, miss.rule, miss.fault)
    if fault not in before:
        yield "the golden log does not trigger it"
    changed = [miss.edits.get(seq, raw) for seq, raw in enumerate(log, 1)]
    after, others = _findings_of(changed)
    if fault in after:
        yield "the changed log triggers it, too"
    if others - errors:
        yield f"something else is wrong instead: {others - errors}"


@cache
def _read_golden(path: Path) -> tuple[list[JsonObject], Seen, Seen]:
    """Return a golden log, its findings and its errors."""
    lines = path.read_text("utf-8").splitlines()
    log = [json.loads(line) for line in lines if line.strip()]
    return log, *_findings_of(log)


def _findings_of(log: list[JsonObject]) -> tuple[Seen, Seen]:
    """Return the findings of each check in a log, by event at fault, and the errors by code."""
    text = "".join(json.dumps(raw) + "\n" for raw in log)
    session = Session.read(BytesIO(text.encode()))
    findings = set()
    for match in session.structure.matches:
        for hand in match.hands:
            match.is_complete(hand)
            for check, observation in run_checks(match.game.checks, hand.deal):
                findings.add((name_of(check), check.rule, observation.events[0]))
            findings |= {
                (finding.code, finding.rule, finding.events[0])
                for finding in list_hand_findings(match, hand)
                if finding.code in OF_EVERY_GAME
            }
    errors = {
        (finding.code, finding.rule, finding.events[0])
        for finding in list_findings(session)
        if finding.severity == "error"
    }
    return findings, errors

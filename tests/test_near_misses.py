"""Every check of every game: a golden log that triggers it, and a near miss that does not.

``golden/GAME/near-misses.txt`` names for each check of the game (by its function and its clause)
a golden log, the event at fault there, and after a colon replacements of one event or more: a seq
with a type and data, or a hyphen for nothing. With these the check finds no fault in that event,
and no check finds a new error.
"""

import json
import re
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scorekeeper.games import GAMES
from scorekeeper.log.reading import LogFile
from scorekeeper.log.writing import sealed_lines
from scorekeeper.play.scoring import SEVERITY, Check, run_checks
from scorekeeper.report.findings import list_findings, list_hand_findings
from scorekeeper.session.session import Session
from tests.evenings import GOLDEN, Raw, by_hand

ENTRY = re.compile(r"(\w+) (\w+) ([\w-]+) (\d+): (.+)")
EDIT = re.compile(r"(\d+) (?:(\w+) (\{.*\})|-)")
NOTHING: Raw = {"type": "note_added", "data": {"text": "nothing"}}
# Findings that are in no game's table of checks: of a hand in its match, and of a log.
OF_EVERY_GAME = {"wrong_dealer", "incomplete", "after_end"}
OF_A_LOG = {"chain_broken", "seq_gap"}
ALWAYS = {"not_recorded"}  # says which checks of the tables could not decide

Seen = set[tuple[str, str, int]]


class Miss(NamedTuple):
    """A near miss: its check, its log, and the changes of the log."""

    game: str
    check: str
    rule: str
    log: str
    fault: int
    edits: dict[int, Raw]


def misses_of(game: str) -> list[Miss]:
    """Return the near misses in the file of a game; none if a new game has no file yet."""
    path = GOLDEN / game / "near-misses.txt"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [miss_in(game, line) for line in lines if line and not line.startswith("#")]


def miss_in(game: str, line: str) -> Miss:
    entry = ENTRY.fullmatch(line)
    assert entry, line
    edits = {}
    for text in entry[5].split("; "):
        edit = EDIT.fullmatch(text)
        assert edit, text
        data = {"type": edit[2], "data": json.loads(edit[3])} if edit[2] else NOTHING
        edits[int(edit[1])] = data
    return Miss(game, entry[1], entry[2], entry[3], int(entry[4]), edits)


MISSES = [miss for game in GAMES for miss in misses_of(game)]


def name_of(check: Check) -> str:
    """Return the name of the function of a check."""
    function: Any = check.look.func if isinstance(check.look, partial) else check.look
    return str(function.__name__)


def findings_of(log: list[Raw]) -> tuple[Seen, Seen]:
    """Return the findings of each check in a log, by event at fault, and the errors by code."""
    session = Session.read(BytesIO(by_hand(log)))
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


@cache
def golden(game: str, name: str) -> tuple[list[Raw], Seen, Seen]:
    """Return a golden log, its findings and its errors."""
    text = (GOLDEN / game / f"{name}.jsonl").read_text("utf-8")
    log = [json.loads(line) for line in text.splitlines() if line.strip()]
    return log, *findings_of(log)


@pytest.mark.parametrize("miss", MISSES, ids=lambda miss: f"{miss.game}-{miss.check}-{miss.rule}")
def test_a_near_miss_is_none(miss: Miss) -> None:
    log, before, errors = golden(miss.game, miss.log)
    fault = (miss.check, miss.rule, miss.fault)
    assert fault in before, "the golden log triggers it"
    changed = [miss.edits.get(seq, raw) for seq, raw in enumerate(log, 1)]
    assert changed != log
    after, others = findings_of(changed)
    assert fault not in after
    assert others <= errors, "and nothing else is wrong instead"


# ------------------------------------------------------------------------------ completeness


@pytest.mark.parametrize("game", GAMES)
def test_every_check_has_a_log_that_triggers_it_and_a_near_miss(game: str) -> None:
    checks = [(name_of(check), check.rule) for check in GAMES[game].checks]
    assert len(set(checks)) == len(checks)
    missed = {(miss.check, miss.rule) for miss in misses_of(game)}
    lacking = [f"{name} {rule} LOG EVENT-AT-FAULT: ..." for name, rule in checks
               if (name, rule) not in missed]  # fmt: skip
    assert lacking == [], "\n".join([f"write in golden/{game}/near-misses.txt:", *lacking])
    assert {name for name, _ in missed - set(checks)} <= OF_EVERY_GAME


def test_every_code_belongs_to_a_check() -> None:
    in_tables = {check.code for game in GAMES.values() for check in game.checks}
    assert in_tables | OF_EVERY_GAME | OF_A_LOG | ALWAYS == set(SEVERITY)
    assert {miss.check for miss in MISSES} >= OF_EVERY_GAME


# -------------------------------------------------------------------------------- of a log


def found_in_bytes(log: bytes) -> list[tuple[str, tuple[int, ...]]]:
    session = Session.read(BytesIO(log))
    return [
        (finding.code, finding.events)
        for finding in list_findings(session)
        if finding.code in OF_A_LOG
    ]


def sealed(path: Path) -> list[bytes]:
    with path.open("rb") as stream:
        pairs = [(raw.type, raw.data) for raw in LogFile(stream)]
    return list(sealed_lines(pairs, at="2026-01-02T20:15:00.000Z"))


def test_a_log_with_a_gap_or_a_broken_chain_and_one_that_is_whole() -> None:
    lines = sealed(GOLDEN / "riparto" / "evening.jsonl")
    assert found_in_bytes(b"".join(lines)) == []
    gap = found_in_bytes(b"".join(lines[:-2] + lines[-1:]))
    assert ("seq_gap", (len(lines),)) in gap
    changed = lines[0].replace(b"20:15:00.000Z", b"20:15:00.001Z")
    assert found_in_bytes(b"".join([changed, *lines[1:]]))[0] == ("chain_broken", (1,))
    assert found_in_bytes(b"".join(lines[:-1])) == []  # the log alone does not show a cut end


# ---------------------------------------------------------------------------- unrecorded facts


@pytest.mark.parametrize("game", GAMES)
def test_finding_of_unrecorded_facts_is_in_some_hands_and_not_in_all(game: str) -> None:
    complete, unrecorded = set(), set()
    for path in sorted((GOLDEN / game).glob("*.jsonl")):
        session = Session.read(BytesIO(path.read_bytes()))
        for match in session.structure.matches:
            for hand in match.hands:
                place = (path.stem, match.number, hand.number)
                if match.is_complete(hand):
                    complete.add(place)
                if any(
                    finding.code == "not_recorded" for finding in list_hand_findings(match, hand)
                ):
                    unrecorded.add(place)
    assert bool(unrecorded) is any(check.decided for check in GAMES[game].checks)
    assert unrecorded < complete

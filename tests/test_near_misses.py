"""Every check of every game: a golden log that triggers it, and a near miss that does not.

``golden/GAME/near-misses.txt`` names for each check of the game (by its function and its clause)
a golden log, the event at fault there, and after a colon what would stand in place of one event
or more: a seq with a type and data, or a hyphen for nothing. With that the check finds nothing
at fault in that event, and no check finds an error that it did not find before.
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
from scorekeeper.play.scoring import SEVERITY, Check, look
from scorekeeper.report.findings import list_findings, list_hand_findings
from scorekeeper.session.session import Session
from tests.evenings import GOLDEN, Raw, by_hand

ENTRY = re.compile(r"(\w+) (\w+) ([\w-]+) (\d+): (.+)")
EDIT = re.compile(r"(\d+) (?:(\w+) (\{.*\})|-)")
NOTHING: Raw = {"type": "note_added", "data": {"text": "nothing"}}
# Beside the tables: what is wrong with a hand in its match, and with a log.
OF_EVERY_GAME = {"wrong_dealer", "incomplete", "after_end"}
OF_A_LOG = {"chain_broken", "seq_gap"}
ALWAYS = {"not_recorded"}  # says which checks of the tables could not decide

Seen = set[tuple[str, str, int]]


class Miss(NamedTuple):
    """A near miss: of which check, in which log, and what is changed there."""

    game: str
    check: str
    rule: str
    log: str
    fault: int
    edits: dict[int, Raw]


def misses_of(game: str) -> list[Miss]:
    """The near misses of a game, as they are written down; none yet of one that is new."""
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


MISSES = [one for game in GAMES for one in misses_of(game)]


def name_of(check: Check) -> str:
    """What a check is called here: its function."""
    found: Any = check.look.func if isinstance(check.look, partial) else check.look
    return str(found.__name__)


def seen_in(log: list[Raw]) -> tuple[Seen, Seen]:
    """What each check sees in a log, by its event at fault; and the errors by their codes."""
    session = Session.read(BytesIO(by_hand(log)))
    seen = set()
    for match in session.structure.matches:
        for hand in match.hands:
            match.is_complete(hand)
            for check, sight in look(match.game.checks, hand.deal):
                seen.add((name_of(check), check.rule, sight.events[0]))
            seen |= {
                (one.code, one.rule, one.events[0])
                for one in list_hand_findings(match, hand)
                if one.code in OF_EVERY_GAME
            }
    errors = {
        (one.code, one.rule, one.events[0])
        for one in list_findings(session)
        if one.severity == "error"
    }
    return seen, errors


@cache
def golden(game: str, name: str) -> tuple[list[Raw], Seen, Seen]:
    """A golden log, and what is seen in it."""
    text = (GOLDEN / game / f"{name}.jsonl").read_text("utf-8")
    log = [json.loads(line) for line in text.splitlines() if line.strip()]
    return log, *seen_in(log)


@pytest.mark.parametrize("miss", MISSES, ids=lambda one: f"{one.game}-{one.check}-{one.rule}")
def test_a_near_miss_is_none(miss: Miss) -> None:
    log, before, errors = golden(miss.game, miss.log)
    fault = (miss.check, miss.rule, miss.fault)
    assert fault in before, "the golden log triggers it"
    changed = [miss.edits.get(seq, one) for seq, one in enumerate(log, 1)]
    assert changed != log
    after, others = seen_in(changed)
    assert fault not in after
    assert others <= errors, "and nothing else is wrong instead"


# ------------------------------------------------------------------------------ completeness


@pytest.mark.parametrize("game", GAMES)
def test_every_check_has_a_log_that_triggers_it_and_a_near_miss(game: str) -> None:
    checks = [(name_of(check), check.rule) for check in GAMES[game].checks]
    assert len(set(checks)) == len(checks)
    missed = {(one.check, one.rule) for one in misses_of(game)}
    lacking = [f"{name} {rule} LOG EVENT-AT-FAULT: ..." for name, rule in checks
               if (name, rule) not in missed]  # fmt: skip
    assert lacking == [], "\n".join([f"write in golden/{game}/near-misses.txt:", *lacking])
    assert {name for name, _ in missed - set(checks)} <= OF_EVERY_GAME


def test_every_code_belongs_to_a_check() -> None:
    in_tables = {check.code for game in GAMES.values() for check in game.checks}
    assert in_tables | OF_EVERY_GAME | OF_A_LOG | ALWAYS == set(SEVERITY)
    assert {one.check for one in MISSES} >= OF_EVERY_GAME


# -------------------------------------------------------------------------------- of a log


def found_in_bytes(log: bytes) -> list[tuple[str, tuple[int, ...]]]:
    session = Session.read(BytesIO(log))
    return [(one.code, one.events) for one in list_findings(session) if one.code in OF_A_LOG]


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
    assert found_in_bytes(b"".join(lines[:-1])) == []  # of a cut end the log alone knows nothing


# ------------------------------------------------------------------------- what is not recorded


@pytest.mark.parametrize("game", GAMES)
def test_what_was_not_recorded_is_said_of_some_hands_and_not_of_others(game: str) -> None:
    complete, told = set(), set()
    for path in sorted((GOLDEN / game).glob("*.jsonl")):
        session = Session.read(BytesIO(path.read_bytes()))
        for match in session.structure.matches:
            for hand in match.hands:
                place = (path.stem, match.number, hand.number)
                if match.is_complete(hand):
                    complete.add(place)
                if any(one.code == "not_recorded" for one in list_hand_findings(match, hand)):
                    told.add(place)
    assert bool(told) is any(check.decided for check in GAMES[game].checks)
    assert told < complete

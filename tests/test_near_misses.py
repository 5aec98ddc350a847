"""Every check of every game: a golden log that triggers it, and a near miss that does not.

Tests of ``testing.near_misses``.
"""

from io import BytesIO
from pathlib import Path

import pytest

from scorekeeper.games import GAMES
from scorekeeper.log.reading import LogFile
from scorekeeper.log.writing import sealed_lines
from scorekeeper.play.scoring import SEVERITY
from scorekeeper.report.findings import list_findings, list_hand_findings
from scorekeeper.session.session import Session
from scorekeeper.testing.near_misses import (
    OF_EVERY_GAME,
    NearMiss,
    find_missed,
    find_near_miss_errors,
    read_near_misses,
)
from tests.evenings import GOLDEN

# Findings that are in no game's table of checks: of a hand in its match, and of a log.
OF_A_LOG = {"chain_broken", "seq_gap"}
ALWAYS = {"not_recorded"}  # says which checks of the tables could not decide

MISSES = {game: read_near_misses(GOLDEN / game) for game in GAMES}


@pytest.mark.parametrize("miss", [miss for of_game in MISSES.values() for miss in of_game], ids=str)
def test_a_near_miss_is_none(miss: NearMiss) -> None:
    assert list(find_near_miss_errors(miss)) == []


# ------------------------------------------------------------------------------ completeness


@pytest.mark.parametrize("game", GAMES)
def test_every_check_has_a_log_that_triggers_it_and_a_near_miss(game: str) -> None:
    assert list(find_missed(GAMES[game], MISSES[game])) == []


def test_every_code_belongs_to_a_check() -> None:
    in_tables = {check.code for game in GAMES.values() for check in game.checks}
    assert in_tables | OF_EVERY_GAME | OF_A_LOG | ALWAYS == set(SEVERITY)
    assert {miss.check for of in MISSES.values() for miss in of} >= OF_EVERY_GAME


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

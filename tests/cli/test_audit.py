"""``audit``: rulings on hands.

Tests of ``cli.audit_text``.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.games import GAMES
from scorekeeper.play.rulebook import COMMON
from tests.cli.asking import run, words
from tests.evenings import (
    Evening,
    Raw,
    as_a_set,
    build_report,
    by_hand,
    event,
    play_hand,
    riparto,
    score,
    sealed,
)
from tests.thinned import EACH_LOG


def revoked() -> Evening:
    """Return a session in which Leo revoked: a diamond on clubs, and a club in the next trick."""
    evening = riparto()
    evening.say("hand_started", dealer="nina")
    evening.say("bid_made", player="mara", points=2)
    for play in ["mara:7C", "leo:KD", "nina:QC", "nina:AC", "mara:8C", "leo:KC"]:
        player, card = play.split(":")
        evening.say("card_played", player=player, card=card)
    evening.say("points_counted", points={"mara": 2, "leo": 4, "nina": 9})
    return evening


def audit(log: list[Raw], *args: object) -> tuple[int, str]:
    outcome = run("audit", "-", *args, stdin=by_hand(log))
    return outcome.exit_code, words(outcome)


def audit_json(log: list[Raw], *args: object) -> tuple[int, Any]:
    outcome = run("audit", "-", "--format", "json", *args, stdin=by_hand(log))
    return outcome.exit_code, json.loads(outcome.output)


def test_a_ruling_has_the_finding_the_evidence_and_the_clause() -> None:
    code, text = audit(revoked().log)
    assert code == 1
    assert "1 error, 0 warnings" in text
    assert "Match 1: Riparto, hand 1, Nina dealt As recorded it scores Mara +2" in text
    assert "ERROR: Trick 1: Leo played K♦ on 7♣" in text
    assert "Trick 1: Mara led 7♣; Leo K♦ [6, at fault]; Nina Q♣. Nina’s Q♣ is the highest" in text
    assert "Trick 2: Nina led A♣; Mara 8♣; Leo K♣ [10]. Nina’s A♣" in text
    assert f"R7 {GAMES['riparto'].book.clause('R7').text}" in text
    assert "Suggestions" not in text


def test_events_without_cards_are_shown_in_words() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="nina")
    evening.say("bid_made", player="mara", points=5)
    evening.say("bid_made", player="mara", points=7)
    evening.say("points_counted", points={"mara": 5, "leo": 10, "nina": 0})
    code, text = audit(evening.log)
    assert code == 1
    assert "4 Mara bid 5" in text
    assert "5 Mara bid 7 [at fault]" in text or "4 Mara bid 5 [at fault]" in text


def test_repeated_clause_of_a_hand_is_abbreviated() -> None:
    log = Path("tests/golden/riparto/what-the-audit-finds.jsonl").read_bytes()
    output = run("audit", "-", stdin=log).output
    of_a_hand = output.split("\nMatch ")[1]
    assert of_a_hand.count("   R2  Beginning with eldest") == 1
    assert "   R2, as above" in of_a_hand


def test_exit_code_without_errors_is_0() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    code, text = audit(evening.log)
    assert code == 0
    assert "0 errors, 0 warnings" in text


@EACH_LOG
def test_every_finding_is_printed_with_its_clause(path: Path) -> None:
    outcome = run("audit", path)
    text = words(outcome)
    result = score(path.read_bytes())
    assert outcome.exit_code == any(
        finding["severity"] == "error" for finding in result["findings"]
    )
    for finding in result["findings"]:
        assert f"{finding['severity'].upper()}: {' '.join(finding['message'].split())}" in text
        game = result["matches"][finding["match"] - 1]["game"]
        clauses = {c.id: c.text for c in (*GAMES[game].book.clauses, *COMMON)}
        assert f"{finding['rule']} {clauses[finding['rule']]}" in text


def test_json_is_the_report() -> None:
    evening = revoked()
    assert audit_json(evening.log) == (1, json.loads(json.dumps(build_report(evening.session))))


# ---------------------------------------------------------------------------------- suggestions


def test_suggestions_come_with_their_effect() -> None:
    code, text = audit(revoked().log, "--suggest")
    assert code == 1
    assert "Suggestions, the likeliest first: 1. " in text
    assert "resolves revoke; leaves nothing" in text
    assert "(suggestion 1)" in text


def test_suggestions_in_json() -> None:
    code, result = audit_json(revoked().log, "--suggest")
    assert code == 1
    first = result["suggestions"][0]
    assert (first["match"], first["hand"], first["resolves"]) == (1, 1, ["revoke"])
    evening = revoked()
    for correction in as_a_set(first["corrections"]):
        evening.add(correction)
    assert "revoke" not in evening.codes
    assert evening.hand(1)["scores"] == first["scores"]


def test_no_suggestions_without_findings() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    assert audit_json(evening.log, "--suggest")[1]["suggestions"] == []
    assert "uggest" not in audit(evening.log, "--suggest")[1]


# ------------------------------------------------------------------------------- which hands


def test_one_hand_or_one_match() -> None:
    evening = revoked()
    play_hand(evening, "mara")
    evening.say("match_started", game="riparto", seats=["mara", "leo", "nina"])
    play_hand(evening, "mara")
    assert audit(evening.log, "--hand", "1.1")[0] == 1
    assert audit(evening.log, "--hand", "1.2")[0] == 0
    assert audit(evening.log, "--hand", "1")[0] == 0  # of the last match
    assert audit(evening.log, "--hand", "1", "--match", "1")[0] == 1
    assert audit(evening.log, "--match", "2")[0] == 0
    result = audit_json(evening.log, "--hand", "1.2", "--suggest")[1]
    assert {(finding["match"], finding["hand"]) for finding in result["findings"]} == {(1, 2)}
    assert result["suggestions"] == []


@pytest.mark.parametrize("which", [("--hand", "9"), ("--hand", "x"), ("--match", "3"),
                                   ("--match", "0"), ("--hand", "1", "--match", "2")])  # fmt: skip
def test_unknown_hand_or_match_is_refused(which: tuple[str, ...]) -> None:
    assert audit(revoked().log, *which)[0] == 2


def test_unusable_log_is_refused_with_its_line() -> None:
    code, text = audit([*revoked().log, event("bid_made", player="ugo", points=3)])
    assert code == 2
    assert "line 12, field data.player" in text


def test_damage_of_the_log_is_a_finding() -> None:
    log = sealed(riparto().log).replace(b'"Friday"', b'"Sunday"')
    outcome = run("audit", "-", stdin=log)
    assert outcome.exit_code == 1
    assert "The log ERROR: Event 1: " in words(outcome)
    assert "L2 Each event of a sealed log" in words(outcome)

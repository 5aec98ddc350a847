"""Briscola Chiamata: which record of a hand scores, and what is found in it.

Tests of ``families.called_card.audit`` and ``families.called_card.takings``.
"""

import pytest

from scorekeeper.games.briscola_chiamata import GAME
from scorekeeper.play.scoring import Basis, run_checks
from tests.games import calling
from tests.games.calling import paid, scores
from tests.games.chiamata import (
    BIDDERS_TRICKS,
    CARDS,
    DEFENDERS_TRICKS,
    FULL,
    LED,
    T1,
    T2,
    T3,
    T4,
    T5,
    T6,
    T7,
    T8,
    TAKEN,
    WINNERS,
    WON,
    findings_of,
    hand,
)

# ------------------------------------------------- trump unknown: no call is on record


def test_without_a_call_cards_alone_decide_no_trick() -> None:
    deal = hand(f"b#J @d {CARDS}")
    assert not deal.result.complete
    # Of one suit only: then no trump can have been in it.
    won = [(won.number, won.player) for won in deal.won]
    assert won == [(1, "e"), (2, "b"), (3, "b"), (4, "d"), (5, "c"), (8, "c")]


def test_without_a_call_named_winners_take_the_tricks() -> None:
    tricks = f"{T1} {T2} {T3} {T4} {T5} {T6} b! {T7} c! {T8} c!"
    deal = hand(f"b#J @d {tricks}")
    assert (scores(deal), deal.result.taken) == (paid(WON), TAKEN)
    assert calling.findings_of(GAME, deal) == []
    assert "the winners of the tricks" in calling.open_checks(GAME, deal)
    assert findings_of(f"b#J @d {T1} d!") == ["wrong_winner C6 8 7 3 4 5 6"]


def test_without_a_call_the_count_scores() -> None:
    assert scores(hand(f"b#J @d {CARDS} =65")) == paid(WON)


# --------------------------------------------------------------- complete, and by which record


@pytest.mark.parametrize(
    ("script", "basis"),
    [
        ("b#J @d =65", Basis.COUNT),
        ("@d =65 b#J", Basis.COUNT),
        ("b#J @d made", Basis.OUTCOME),
        (f"b#J b+JC {CARDS}", Basis.CARDS),
        (f"b#J b+JC {CARDS} =80 lost", Basis.CARDS),
        (f"b#J b+JC @d {WINNERS} =65", Basis.COUNT),
        (f"b#J b+JC @d {WINNERS} made", Basis.OUTCOME),
        (f"b#J b+JC {T7} =65", Basis.COUNT),  # the called card fell
        ("b#J @d =65 lost", Basis.COUNT),
        ("b#J @d =64,55 =65", Basis.COUNT),  # the sound one of two
        ("b#J =65", None),  # no partner
        ("@d =65", None),  # no bid
        ("b#J @d", None),
        (f"b#J b+JC @d {WINNERS}", None),  # winners alone have no points
        (f"b#J b+JC @d {T1} {T2}", None),
        (f"b#J b+JC @d {T1} {T2} e!3 b!4 b!5 b!6 b!7 b!8", None),
        ("b#J @d =65,54", None),
        ("b#J @d =65,55/3,4", None),
        ("b#J @d =65,54 made", None),  # the only count is wrong, and the outcome a claim
    ],
)
def test_finest_sufficient_record_scores(script: str, basis: Basis | None) -> None:
    deal = hand(script)
    assert deal.result.complete is (basis is not None)
    assert deal.result.basis is basis


def test_hand_with_a_card_played_twice_has_no_score() -> None:
    deal = hand(f"{FULL.replace('e:3B', 'e:2B')} =65 made")
    assert not deal.result.complete
    assert calling.findings_of(GAME, deal) == ["duplicate_card C6 31 30"]


# ------------------------------------------------------------------------- counts and claims


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        (f"{FULL} =65/4 made $b2,d1,a-1,c-1,e-1", []),
        ("b#J @d =66,55", ["total_mismatch C6 3"]),
        ("b#J @d =65,55/4,5", ["total_mismatch C6 3"]),
        ("b#J b+JC @d =65/4 b! b! b! d! b!", ["count_mismatch C7 4 5 6 7 8 9"]),
        ("b#J b+JC @d =65/5 b! b! b! d! b!", []),
        (f"b#J b+JC @d {LED} =27", ["count_mismatch C7 9 4 5 6 7 8"]),
        (f"b#J b+JC @d {LED} =28", []),
        (f"b#J b+JC @d {T1} =119", ["count_mismatch C7 9 4 5 6 7 8"]),
        (f"b#J @d {BIDDERS_TRICKS} =119", ["count_mismatch C7 11 3 4 5 6 7 8 9 10"]),
        ("b#J @d =119/8", ["count_mismatch C6 3"]),
        ("b#J @d =120/7", []),
        ("b#J @d =65 =64", ["count_mismatch C7 3 4"]),
        ("b#J @d =60 made", ["count_mismatch C7 4 3"]),
        ("b#J @d =61 made", []),
        ("b#J @d =61 lost", ["count_mismatch C7 4 3"]),
        (f"b#J @d lost {BIDDERS_TRICKS}", ["count_mismatch C7 3 4 5 6 7 8 9 10 11"]),
        (f"b#J @d made {DEFENDERS_TRICKS}", ["count_mismatch C7 3 4 5 6 7 8 9 10 11"]),
        ("b#J @d made $b2", []),
        ("b#J @d made $b2,e0", ["claim_mismatch C8 4 1 2 3"]),
        ("a#- b#- c#- d#- e#- $a0,b0", []),
        ("a#- b#- c#- d#- e#- $a1", ["claim_mismatch C8 6"]),
    ],
)
def test_counts_and_claims(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


def test_count_without_a_partner_is_compared_with_the_bidders_tricks() -> None:
    assert findings_of(f"b#J b+JC {LED} =27") == ["count_mismatch C7 8 3 4 5 6 7"]


# ------------------------------------------------------------------------- other findings


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        (f"b#J b+JC {T1} d!", ["wrong_winner C6 8 7 3 4 5 6"]),
        (f"b#J b+JC {T1} e!", []),
        ("b#J b+JC a:4S b:AS c:5S a!", ["wrong_winner C6 6 3 4"]),
        ("b#J b+JC a:4S b:AS c:5S b!", []),
        ("b#J b+JC a:4S b:AS c:5S d!", []),
        ("b#J a:4S b:AS c:5S a!", []),  # swords may be trump, or not
        (f"b#J b+JC {T1} d! d:2B e:3B a:4B b:5B c:AB", ["wrong_winner C6 8 7 3 4 5 6"]),
        (f"b#J b+JC {T1} d! e:2S", ["wrong_winner C6 8 7 3 4 5 6"]),
        (f"b#J b+JC {T1} a:2S", ["out_of_turn C6 8 3 4 5 6 7"]),
        ("b#J b+JC b:4S", ["out_of_turn C6 3"]),
        ("b#J b+JC a:4S c:6S b:5S", ["out_of_turn C6 4 5"]),
        (f"b#J @d {WINNERS} c!", ["too_many C6 11"]),
        (f"b#J @d {WINNERS}", []),
        ("b#J b+JC a:4S c?4S", ["shown_mismatch C6 4 3"]),
        ("b#J b+JC a:4S a?4S", ["shown_mismatch C6 4 3"]),
        ("b#J b+JC a?4S a:4S", []),
    ],
)
def test_play(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


def test_undecided_checks_of_a_record() -> None:
    totals = calling.open_checks(GAME, hand("b#70 @d =80"))
    assert totals == {"the auction", "the call", "who the partner was", "the order of play",
                      "the winners of the tricks", "the count"}  # fmt: skip
    assert "the call" not in calling.open_checks(GAME, hand("b#J @d =80"))
    assert "the call" not in calling.open_checks(GAME, hand("b#70 b+2S @d =80"))
    whole = hand("a#A b#- c#- d#- e#- @b =80")
    assert "the auction" not in calling.open_checks(GAME, whole)
    assert "who the partner was" not in calling.open_checks(GAME, hand("b#J b+JC d:JC =80"))


@pytest.mark.parametrize(
    ("script", "party"),
    [(f"{T1} =119", "the defenders 1 / 2"), (f"{LED} =27", "the bidder's party 27 / 28")],
)
def test_finding_about_a_count_names_the_party(script: str, party: str) -> None:
    sights = run_checks(GAME.checks, hand(f"b#J b+JC @d {script}"))
    (text,) = [str(sight.text) for check, sight in sights if check.code == "count_mismatch"]
    assert text.endswith(f": {party}")

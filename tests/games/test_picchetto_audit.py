"""Picchetto: records with findings, and similar records without.

Tests of ``games.picchetto.claims``.
"""

import pytest

from scorekeeper.games.picchetto import GAME
from scorekeeper.games.picchetto.declarations import declaration_lines
from scorekeeper.games.picchetto.rules import PACK
from scorekeeper.play.scoring import run_checks
from tests.games.picchetto import DECLARED, EXCHANGE, PLAY, codes, findings_of, hand, undecided

# The hand of tests.games.picchetto. Elder: AS KS QS JS 10S, AH KH QH, AD KD, 9C 8C, of which
# KH QH 9C were drawn for 7D 8D 9D. Younger: 9S 8S 7S, JH 10H 9H 8H, QD JD, AC KC QC, of which
# JD AC 8S 9H 8H were drawn for 7H 10D JC 10C 7C.


def test_regular_hand_has_no_findings() -> None:
    assert findings_of(f"{EXCHANGE} {DECLARED} {PLAY}") == []
    assert findings_of(f"{EXCHANGE} {DECLARED} {PLAY}", must_beat=True) == []
    assert undecided(f"{EXCHANGE} {DECLARED} {PLAY}", must_beat=True) == set()


ELDERS_CARDS = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 25]  # after one other entry


# ------------------------------------------------------------------------------ in turn


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("yx3 ex5", ["out_of_turn P3 [1, 2]"]),
        ("ex5 yx3", []),
        ("yx3", []),
        ("yP41 eP51", ["out_of_turn P4 [1, 2]"]),
        ("yS4A eS5A", ["out_of_turn P5 [1, 2]"]),
        ("yT3A eT3K", ["out_of_turn P6 [1, 2]"]),
        ("eP51 yP41", []),
        ("yP41", []),
        ("yS4A eP51", []),
        ("y^P4 eP51", []),
        ("eP51 eP+", ["out_of_turn P4 [2]", "bad_declaration P4 [2]"]),
        ("ex5 eW", ["out_of_turn P2 [2, 1]"]),
        ("ex5 yx3 yW", ["out_of_turn P2 [3, 2]"]),
        ("eW ex5", []),
        ("ex5 yW yx3", []),
        ("y>AS.7S", ["out_of_turn P8 [1]"]),
        ("y:7S e:AS", ["out_of_turn P8 [1]"]),
        ("e>7S.AS e>8S.KS", ["out_of_turn P8 [3, 1, 2]"]),
        ("e>7S.AS e! e>8S.KS", ["wrong_winner P8 [3, 2, 1]"]),
        ("e>7S.AS e! y>8S.KS", ["wrong_winner P8 [3, 2, 1]"]),
        ("y! e>8S.KS", ["out_of_turn P8 [2, 1]"]),
        ("y! y>8S.KS", []),
    ],
)
def test_out_of_turn(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


@pytest.mark.parametrize(
    ("script", "rule"), [("eP5", "P4"), ("eS3A eS3K", "P5"), ("eT5A", "P6"), ("e^T310 e^T38", "P6")]
)
def test_invalid_declaration_is_found_under_the_clause_of_its_category(
    script: str, rule: str
) -> None:
    assert {text.split(" [")[0] for text in findings_of(script)} == {f"bad_declaration {rule}"}


# ----------------------------------------------------------------------------- the exchange


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("ex1 yx1", []),
        ("ex5 yx3", []),
        ("ex1 yx7", []),
        ("ex5 yx1", []),
        ("yx7", []),
        ("ex0", ["bad_exchange P3 [1]"]),
        ("ex5 yx0", ["bad_exchange P3 [2]"]),
        ("ex6", ["bad_exchange P3 [1]"]),
        ("ex8", ["bad_exchange P3 [1]"]),
        ("ex5 yx4", ["bad_exchange P3 [2, 1]"]),
        ("ex1 yx8", ["bad_exchange P3 [2, 1]"]),
        ("yx8", ["bad_exchange P3 [1]"]),
        ("ex3 ex2", ["bad_exchange P3 [2, 1]"]),
        ("ex2-7S,8S+KH,QH", []),
        ("ex2-7S+KH,QH", ["bad_exchange P3 [1]"]),
        ("ex2-7S,8S+KH,QH,JH", ["bad_exchange P3 [1]"]),
        ("ex1-7S", []),
        ("ex1+7S", []),
        ("ex1-7S+7S", ["bad_exchange P3 [1]"]),
        ("ex1-7S yx1-8S+7S", ["bad_exchange P3 [2, 1]"]),
        ("ex1-7S yx1-7S", ["bad_exchange P3 [2, 1]"]),
        ("ex1+7S yx1+7S", ["bad_exchange P3 [2, 1]"]),
        ("ex1-7S+8S yx1-9S+10S", []),
    ],
)
def test_bad_exchange(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


@pytest.mark.parametrize(
    ("script", "card"),
    [
        ("ex3-8S,KS,7H yx3-7H,8S,KS", "KS"),  # of several the highest is named
        ("ex2-8S,8D yx2-8S,8D", "8D"),
        ("ex1-QC yx2-7S,8S+QC,KC", "QC"),
    ],
)
def test_the_card_of_both_exchanges_is_named(script: str, card: str) -> None:
    (sight,) = [
        sight for _, sight in run_checks(GAME.checks, hand(script)) if "both" in sight.text.template
    ]
    assert str(sight.text.facts["card"]) == card


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("ex1-7S+8S e:7S", ["shown_mismatch P3 [1, 2]"]),
        ("ex1-7S+8S e:8S", []),
        ("ex1-7S+8S e:AS y:8S", ["shown_mismatch P3 [1, 3]"]),
        ("ex1-7S+8S e:AS y:7S", ["shown_mismatch P3 [1, 3]"]),
        ("ex1-7S yx1-8H+9H e>AS.9H", []),
        ("ex1-7S yx1-8H+9H e>9H.AS", ["shown_mismatch P3 [2, 3]"]),
        # Cards shown, before the exchange and after it.
        ("e?7S,8S ex1-7S", []),
        ("ex1-7S e?7S,8S", ["shown_mismatch P3 [2, 1]"]),
        ("e?8S ex1-7S+8S", ["shown_mismatch P3 [1, 2]"]),
        ("ex1-7S+8S e?8S", []),
        ("y?7S ex1-7S", ["shown_mismatch P3 [1, 2]"]),
        ("y?8S ex1+8S", ["shown_mismatch P3 [1, 2]"]),
        ("y?AS e>AS.7S", ["shown_mismatch P8 [1, 2]"]),
        ("e>AS.7S e?AS", ["shown_mismatch P8 [3, 1]"]),
        ("e?AS e>AS.7S", []),
    ],
)
def test_shown_mismatch(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


def test_card_held_but_not_played_is_found() -> None:
    assert codes(f"ex1+9C {PLAY}") == []
    assert findings_of(f"ex1+7H {PLAY}") == [f"shown_mismatch P3 {[1, *ELDERS_CARDS]}"]
    assert codes(f"ex1 e?9C {PLAY}") == []
    assert codes(f"ex1 e?7H {PLAY}") == ["shown_mismatch"]
    assert codes(f"e?7H ex1 {PLAY}") == []
    assert codes(f"ex1+7H {PLAY.removesuffix(' y>AC.8C')}") == []


# ---------------------------------------------------------------------------------- White


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("eW/7S,8S,KS", "[1]"),
        ("eW/7S,8S,9S", None),
        ("eW ex2-7S,KS", "[1, 2]"),
        ("eW ex2-7S,8S+KS,QS", None),
        ("eW/7S,8S ex1-9S+7S", "[1, 2]"),
        ("eW/7S e>AS.7S", "[1, 3]"),
        ("eW/7S ex1-9S yx1-7S", "[1, 3]"),
        ("eW e>AS.KS", None),
        # Kings, queens and jacks that the player cannot all have drawn.
        ("eW ex1 e>KS.7S e>QS.8S", "[1, 2, 3, 5]"),
        ("eW ex2 e>KS.7S e>QS.8S", None),
        ("eW ex2-7H,8H+KS,9S e>KS.7S e>QS.8S", "[1, 2, 5]"),
        ("eW ex2-7H,8H+KS,QS e>KS.7S e>QS.8S", None),
        ("eW e>KS.7S e>QS.8S e>JS.9S e>KH.7H e>QH.8H", None),
        ("eW e>KS.7S e>QS.8S e>JS.9S e>KH.7H e>QH.8H e>JH.9H", "[1, 2, 4, 6, 8, 10, 12]"),
        ("e?KS eW ex1", "[2, 1]"),
        # Both at once cannot be: the later one is at fault, unless the first is false.
        ("eW yW", "[2, 1]"),
        ("eW/KS yW", "[1]"),
    ],
)
def test_a_false_white(script: str, findings: str | None) -> None:
    expected = [f"false_declaration P2 {findings}"] if findings else []
    assert findings_of(script) == expected


def test_white_is_compared_with_all_cards_of_the_hand() -> None:
    dealt = "AS,10S,9S,8S,7S,AH,10H,9H,8H,7H,AD,10D"
    exchange = "ex1-10D+KS"
    play = (
        "e:AS y:JS e:10S y:QS e:9S y:AC e:8S y:KC e:7S y:QC e:AH y:JH "
        "e:10H y:QH e:9H y:KH e:8H y:JC e:7H y:10C e:AD y:9C e:KS y:8C"
    )
    assert "false_declaration" not in codes(f"eW/{dealt} {exchange} {play}")
    other = dealt.replace("10D", "9D")
    assert "false_declaration" in codes(f"eW/{other} {exchange} {play}")


# Elder's twelve cards after the exchange; younger has every king, queen and jack but one.
LOW = "AS,10S,9S,8S,7S,AH,10H,9H,8H,7H,AD,10D"
LOW_PLAY = (
    "e:AS y:KS e:10S y:QS e:9S y:JS e:8S y:KH e:7S y:QH e:AH y:JH "
    "e:10H y:KD e:9H y:QD e:8H y:JD e:7H y:9D e:AD y:KC e:10D y:QC"
)


@pytest.mark.parametrize(
    ("script", "false"),
    [
        # He threw away 7D: it was dealt, and 8D was not.
        ("eW/7D,AS ex1-7D", False),
        ("eW/8D ex1-7D", True),
        (f"eW/{LOW.replace('10D', '7D')} ex1-7D", False),
        (f"eW/{LOW} ex1-7D", True),  # thirteen cards
        # He threw away so many cards, or five at most, and nobody knows which.
        ("eW/8D ex1", False),
        ("eW/7D,8D ex1", True),
        ("eW/7D,8D ex2", False),
        ("eW/7D,8D,7C,8C,9C", False),
        ("eW/7D,8D,7C,8C,9C,10C", True),
        # The player has exchanged one of the twelve cards dealt.
        (f"eW/{LOW.removesuffix(',10D')} ex1", False),
        (f"eW/{LOW} ex1", True),
        (f"eW/{LOW}", False),
        # An exchange that contradicts itself proves nothing.
        ("eW/8D ex2-7D", False),
    ],
)
def test_white_is_compared_with_the_exchange(script: str, false: bool) -> None:
    assert ("false_declaration" in codes(f"{script} {LOW_PLAY}")) is false


def test_white_with_too_many_cards_thrown_away() -> None:
    assert findings_of(f"eW/{LOW} ex1-7D") == ["false_declaration P2 [1, 2]"]


# --------------------------------------------------------------------------- declarations

HANDS = f"{EXCHANGE} {PLAY}"


@pytest.mark.parametrize(
    ("declared", "false"),
    [
        # Elder's best: 51, five to the ace, three aces. A lower declaration is allowed.
        ("eP51", False),
        ("eP50", False),
        ("eP41", False),
        ("eP54", True),
        ("e^P5", False),
        ("e^P3", False),
        ("e^P6", True),
        ("e^P5/AS,KS,QS,JS,10S", False),
        ("e^P5/AS,KS,QS,JS,9S", True),
        ("e^P3/AH,KH,QH", False),
        ("eS5A", False),
        ("eS4A", False),
        ("eS3Q", False),
        ("eS5K", True),
        ("eS6A", True),
        ("e^S3A", False),
        ("e^S4A/AS,KS,QS,JS", False),
        ("e^S3J", True),
        ("eT3A", False),
        ("eT3K", False),
        ("eT3Q", True),
        ("eT4A", True),
        ("e^T3A/AS,AH,AD", False),
        ("e^T3A/AS,AH,AC", True),
        # Younger's: 37, four to the jack, none.
        ("y^P4", False),
        ("y^P5", True),
        ("y^S4J", False),
        ("y^S39", False),
        ("y^S3A", False),
        ("y^S3K", True),
        ("y^T3J", True),
        # A run that no suit has.
        ("eS49", True),
        ("e^S8K", True),
    ],
)
def test_declaration_is_compared_with_all_cards(declared: str, false: bool) -> None:
    assert ("false_declaration" in codes(f"{declared} {HANDS}")) is false


@pytest.mark.parametrize(
    ("declared", "wrong"),
    [
        ("eP51 yP+", False),
        ("eP51 yP=", True),
        ("eP51 yP-", True),
        ("eP38 yP+", False),
        ("eP37 yP=", False),
        ("eP37 yP+", True),
        ("eP37 yP-", True),
        ("eP36 yP-", False),
        ("eP36 yP=", True),
        ("eP36 yP+", True),
        ("eS4Q yS+", False),
        ("eS4Q yS-", True),
        ("eS4J yS=", False),
        ("eS410 yS-", False),
        ("eS410 yS+", True),
        ("eS3A yS-", False),
        ("eT3A yT+", False),
        ("eT3A yT-", True),
        # Nothing to compare with, or nothing that counts.
        ("yP-", False),
        ("eP33 yP-", False),
    ],
)
def test_answer_is_compared_with_all_cards(declared: str, wrong: bool) -> None:
    findings = [
        text for text in findings_of(f"{declared} {HANDS}") if text.startswith("false_declaration")
    ]
    assert any("[2, 1" in text for text in findings) is wrong


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        # The known cards may suffice for a finding.
        ("eT4A e>KS.AS", "false_declaration P6 [1, 3]"),
        ("eT3A e>KS.AS", None),
        ("e^T3A e>KS.AS y>KH.AH", None),
        ("e^T3A e>KS.AS y>AH.KH", "false_declaration P6 [1, 3, 4]"),
        ("e^S3A e>7S.KS y>KH.7H y>KD.7D y>KC.7C", "false_declaration P5 [1, 3, 4, 6, 8]"),
        ("ex1-AS e^T4A", "false_declaration P6 [2, 1]"),
        ("ex1-AS eT3A", None),
        ("yx1+AS e^T4A", "false_declaration P6 [2, 1]"),
        ("y?AS ex1 e^T4A", "false_declaration P6 [3, 1]"),
        ("y^P3/AS,KS,QS e^T4A", "false_declaration P6 [2, 1]"),
        # The cards do not match the other fields of the showing.
        ("e^P3/AS,KS,QH", "false_declaration P4 [1]"),
        ("e^P4/AS,KS,QS", "false_declaration P4 [1]"),
        ("e^S3A/AS,KS,JS", "false_declaration P5 [1]"),
        ("e^S3K/AS,KS,QS", "false_declaration P5 [1]"),
        ("e^T3A/AS,AH,KD", "false_declaration P6 [1]"),
        ("e^T4A/AS,AH,AD", "false_declaration P6 [1]"),
        ("e^P3/AS,KS,QS e>7S.AS", "false_declaration P4 [1, 3]"),
        # Nor does the showing match the declaration.
        ("eP51 e^P5/AS,KS,QS,JS,9S", "false_declaration P4 [1, 2]"),
        ("eP50 e^P5/AS,KS,QS,JS,9S", None),
        ("eP49 e^P5/AS,KS,QS,JS,9S", None),
        # Sequences inside one another, or more than four suits and twelve cards have.
        ("e^S5A/AS,KS,QS,JS,10S e^S3K/KS,QS,JS", "false_declaration P5 [2, 1]"),
        ("e^S5A e^S3K", None),
        ("e^S5A e^S5A", None),
        ("e^S4A e^S4A e^S4A/AS,KS,QS,JS e^S4A", None),
        ("e^S3A/AS,KS,QS e^S3A/AS,KS,QS", "false_declaration P5 [2, 1]"),
        ("e^S3A e^S3J/JS,10S,9S e^S39/9H,8H,7H e^S39", None),
        # More than the four cards of a rank.
        ("e^T3A y^T3A", "false_declaration P6 [2, 1]"),
        ("eT3A yT- y^T4A", "false_declaration P6 [3, 1]"),
        ("e^T3A y^T3K", None),
    ],
)
def test_declaration_is_compared_with_known_cards(script: str, findings: str | None) -> None:
    assert [finding for finding in findings_of(script) if "false" in finding] == (
        [findings] if findings else []
    )


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        # Another number of cards than the sum declared is made of.
        ("eP41 e^P5", ["shown_mismatch P4 [2, 1]"]),
        ("eP51 yP+ e^P4", ["shown_mismatch P4 [3, 1]"]),
        ("eP51 yP+ e^P5", []),
        ("yP51 y^P4", ["shown_mismatch P4 [2, 1]"]),
        # Another length or another top card, another number or another rank.
        ("eS5A yS+ e^S4A", ["shown_mismatch P5 [3, 1]"]),
        ("eS5A yS+ e^S5K", ["shown_mismatch P5 [3, 1]"]),
        ("eS3J yS+ e^S7A", ["shown_mismatch P5 [3, 1]"]),
        ("eT3A yT+ e^T4A", ["shown_mismatch P6 [3, 1]"]),
        ("eT3A yT+ e^T3K", ["shown_mismatch P6 [3, 1]"]),
        # The declared set, and others beside it, in any order.
        ("eS5A yS+ e^S5A e^S3J", []),
        ("eS5A yS+ e^S3J e^S5A", []),
        ("eT3A yT+ e^T3A e^T3K", []),
        # The declared sequence, and a better one, which was not declared.
        ("eS3J yS+ e^S3J e^S410", ["shown_mismatch P5 [4, 1]"]),
        ("eS3J yS+ e^S3K e^S3J", ["shown_mismatch P5 [3, 1]"]),
        ("eT3Q yT+ e^T3Q e^T3A", ["shown_mismatch P6 [4, 1]"]),
        # Declarations of the other player and invalid ones are not compared.
        ("eS4K yS- y^S5A", []),
        ("eT3A yT- y^T4K", []),
        ("eS2K e^S3A", ["bad_declaration P5 [1]"]),
        ("eT3A e^T38", ["bad_declaration P6 [2]"]),
        ("eT3A e^T38 e^T3A", ["bad_declaration P6 [2]"]),
        # More cards than a player holds.
        ("e^T4A e^T4K e^T4Q", []),
        ("e^T4A e^T4K e^T4Q e^T4J", ["shown_mismatch P6 [4, 1, 2, 3]"]),
        ("e^S8A e^S4A", []),
        ("e^S8A e^S8A", ["shown_mismatch P5 [2, 1]"]),
        ("e^S3A e^S3A e^S3A e^S3A e^S39", ["shown_mismatch P5 [5, 1, 2, 3, 4]"]),
    ],
)
def test_showing_that_differs_from_the_declaration_is_found(
    script: str, findings: list[str]
) -> None:
    assert findings_of(script) == findings


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("e>AS.7S ex5", ["out_of_time P3 [3, 1]"]),
        ("e! ex5", ["out_of_time P3 [2, 1]"]),
        ("e* ex5", ["out_of_time P3 [2, 1]"]),
        ("ex5 e! yx3", ["out_of_time P3 [3, 2]"]),
        ("e! eP51", ["out_of_time P4 [2, 1]"]),
        ("e! eS4A", ["out_of_time P5 [2, 1]"]),
        ("e! eT3A", ["out_of_time P6 [2, 1]"]),
        # In time, or of an act that is exempt or without effect.
        ("ex5 eP51 e!", []),
        ("=e7,y5;e eP51 ex5", []),
        ("e! e^T3A", []),
        ("eP51 e! yP+ e^P5", []),
        ("e! ex6", ["bad_exchange P3 [2]"]),
        ("e! eP33", ["bad_declaration P4 [2]"]),
        ("eP51 e! eP51", ["bad_declaration P4 [3, 1]"]),
    ],
)
def test_an_exchange_and_a_declaration_come_before_the_play(
    script: str, findings: list[str]
) -> None:
    assert findings_of(script) == findings


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("yP+", ["bad_declaration P4 [1]"]),
        ("yS= e^S3A y^S3A", ["bad_declaration P5 [1]"]),
        ("yT- y^T3A", ["bad_declaration P6 [1]"]),
        ("eP51 yS+", ["bad_declaration P5 [2]"]),
        ("eS4A eS+", ["out_of_turn P5 [2]", "bad_declaration P5 [2]"]),
        ("yT3A yT+", ["bad_declaration P6 [2]"]),
        ("yP+ eP51", []),
        ("eP51 yP+", []),
    ],
)
def test_an_answer_needs_a_declaration_of_the_other_player(
    script: str, findings: list[str]
) -> None:
    assert findings_of(script) == findings


def test_finding_about_a_showing_does_not_change_the_score() -> None:
    for script in ("eS5A yS+ e^S4A", "yS+ e^S4A"):
        (line,) = declaration_lines(hand(script))
        assert (line.side, line.points) == ("e", 4)


def test_false_showing_does_not_hide_another() -> None:
    findings = findings_of(f"e^P5/AS,KS,QS,JS,9S e^S3A/AH,KH,QH e^T4A e^T3K {HANDS}")
    assert [finding.split(" [")[0] for finding in findings] == [
        "false_declaration P4",
        "false_declaration P6",
    ]


def test_two_sequences_shown_of_one_run() -> None:
    """With the whole hand on record elder has one run of five spades, and three hearts."""
    assert codes(f"e^S5A e^S3A {HANDS}") == []
    assert codes(f"e^S5A e^S3K {HANDS}") == ["false_declaration"]
    assert codes(f"e^S3A e^S3A {HANDS}") == []
    assert codes(f"e^S3A e^S3A e^S3Q {HANDS}") == ["false_declaration"]


# ----------------------------------------------------------------------------------- play


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("e>AS.7H e>KS.8S", ["revoke P8 [2, 4]"]),
        ("e>AS.7H e>KS.8H", []),
        ("eT3A yT+ y?8S e>AS.7H", ["revoke P8 [5, 3]"]),
        ("y^P3/8S,9S,10S e>AS.7H", ["revoke P8 [3, 1]"]),
        # Shown before the exchange, or what may be before it, it may be thrown away.
        ("y?8S yx1 e>AS.7H", []),
        ("y?8S e>AS.7H", []),
        ("yx1 y?8S e>AS.7H", ["revoke P8 [4, 2]"]),
    ],
)
def test_revoke(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("e>QS.7S e>JH.KS", ["underplay P8 [2, 4]"]),
        ("e>QS.7S e>JH.JS", []),
        ("e>QS.KS y>AS.7S", []),
        ("e>QS.7H e>JH.7D", []),
        ("yx1 y?KS e>QS.7S", ["underplay P8 [4, 2]"]),
        ("e>QS.KS y>AS.QH", []),
    ],
)
def test_underplay(script: str, findings: list[str]) -> None:
    assert [
        finding for finding in findings_of(script, must_beat=True) if "revoke" not in finding
    ] == findings
    assert not any("underplay" in finding for finding in findings_of(script))


def test_a_card_twice_and_a_thirteenth_trick() -> None:
    assert findings_of("e>AS.7S e>KS.AS") == ["duplicate_card P1 [4, 1]"]
    assert findings_of(".eeeeeeeeeeeee") == ["too_many P9 [13]"]
    assert findings_of(f"{HANDS} e!13") == ["too_many P9 [27]"]


def test_score_on_paper_is_compared() -> None:
    assert findings_of("e^P5 .eeeeeeyyyyyy #e11,y7") == []
    assert findings_of("e^P5 .eeeeeeyyyyyy #e11") == []
    findings = findings_of("e^P5 .eeeeeeyyyyyy #e12,y7")
    assert findings == ["claim_mismatch P12 [14, 1, 2, 3, 4, 5, 6, 7]"]
    assert findings_of("e^P8 y^T4A #e8,y0", (142, 0)) == []
    assert codes("e^P8 y^T4A #e8,y14", (142, 0)) == ["claim_mismatch"]


# ---------------------------------------------------------------------------- not on record

EVERYTHING = {
    "the exchange (P3)",
    "the order of play (P8)",
    "following suit (P8)",
    "the winners of the tricks (P8)",
}


@pytest.mark.parametrize(
    ("script", "more"),
    [
        ("=e7,y5;e", {"the count (P9)"}),
        ("eW =e7,y5;e", {"the count (P9)", "White (P2)"}),
        (".eeeeeeyyyyyy", set()),
        ("e^P4 .eeeeeeyyyyyy", {f"the declarations (P{n})" for n in (4, 5, 6)}),
        (
            "eP41 yP- .eeeeeeyyyyyy",
            {f"the declarations (P{n})" for n in (4, 5, 6)} | {"what it was won with (P4)"},
        ),
    ],
)
def test_undecided_checks_of_a_record(script: str, more: set[str]) -> None:
    assert undecided(script) == EVERYTHING | more


def test_further_record_decides_a_check() -> None:
    assert "what it was won with (P5)" in undecided("eS4A yS- =e7,y5;e")
    assert "what it was won with (P5)" not in undecided("eS4A yS- y^S5A =e7,y5;e")
    assert "White (P2)" not in undecided(f"eW {HANDS}")
    assert "beating the card led (P8)" in undecided(".eeeeeeyyyyyy", must_beat=True)


# ---------------------------------------------------------------------------- carte rouge


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("eP51 yP+ e^P5 eS4K yS+ e^S4K eT3A yT+ e^T3A e~rouge", []),  # twelve cards
        ("eP51 yP+ e^P5 eS3K yS+ e^S3K eT3A yT+ e^T3A e~rouge", ["false_declaration P12 [10]"]),
        ("eP51 yP+ eS4K yS+ eT3A yT+ e~rouge", []),  # as declared, where nothing was shown
        ("eP51 yP+ eS4K yS- eT3A yT+ e~rouge", ["false_declaration P12 [7]"]),
    ],
)
def test_twelve_cards_are_declared_before_carte_rouge(script: str, findings: list[str]) -> None:
    assert findings_of(script, carte_rouge=20) == findings


IN_SETS = "AS KS QS JS 10S AH AD AC KH KD QH QD"
TWO_SIXES = "AS KS QS JS 10S 9S AH KH QH JH 10H 9H"


@pytest.mark.parametrize(
    ("declared", "cards", "loose"),
    [
        # A point of five spades; aces, kings and queens in sets.
        ("e^P5 e^T4A e^T3K e^T3Q", IN_SETS, None),
        ("e^P5 e^T4A e^T3K", IN_SETS, "QH"),
        ("e^P4 e^T4A e^T4K", IN_SETS, "QS"),
        # Two sequences of six, in suits with no further card, one more, or one too few.
        ("e^S6A e^S6A", TWO_SIXES, None),
        ("e^S6A e^T3A e^T310", f"{TWO_SIXES[:-2]}8H", "KH"),
        ("e^S6A e^S5A e^T310", f"{TWO_SIXES[:-2]}8H", "8H"),
        # As declared, where nothing was shown.
        ("eP51 yP+ eS5A yS+ eT4A yT+", IN_SETS, "KH"),
        # The cards were named.
        ("e^P6 e^S6A/AH,KH,QH,JH,10H,9H", TWO_SIXES, None),
        ("e^P5/AS,KS,QS,JS,10S e^T4A e^T3K/KS,KH,KD e^T3Q/QS,QH,QD", IN_SETS, None),
        ("e^P5/AS,KS,QS,JS,10S e^T4A/AS,AH,AD,AC e^T3K/KS,KH,KD", IN_SETS, "QH"),
    ],
)  # fmt: skip
def test_every_card_is_in_something_declared_before_carte_rouge(
    declared: str, cards: str, loose: str | None
) -> None:
    mine = cards.split()
    rest = [str(card) for card in PACK.cards if str(card) not in mine]
    tricks = [f"e>{led}.{other}" for led, other in zip(mine, rest, strict=False)]
    script = f"{declared} e~rouge {' '.join(tricks)}"
    rouge = len(declared.split()) + 1
    played = {card: rouge + 1 + 2 * place for place, card in enumerate(mine)}
    findings = [finding for finding in findings_of(script, carte_rouge=20) if "P12" in finding]
    expected = [] if loose is None else [f"false_declaration P12 [{rouge}, {played[loose]}]"]
    assert findings == expected


def test_one_card_held_by_the_opponent_refutes_a_declaration() -> None:
    assert "false_declaration P5 [5, 2]" in findings_of("e:7S y:AS e:8S y:KS e^S3A/AS,KS,QS")

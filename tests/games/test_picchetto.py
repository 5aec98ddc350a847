"""Picchetto: its figures, what is declared, the marks one after another.

Tests of ``games.picchetto.rules``, ``games.picchetto.declarations``, ``games.picchetto.score``,
``games.picchetto.marking`` and ``games.picchetto.state``.
"""

from collections.abc import Callable
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Event
from scorekeeper.events.playing import CardPlayed
from scorekeeper.games.picchetto import GAME
from scorekeeper.games.picchetto.declarations import cards_of_sum, points_and_text, worth_of
from scorekeeper.games.picchetto.rules import (
    BOOK,
    CARD_VALUE,
    PACK,
    SEQUENCE_POINTS,
    SET_POINTS,
)
from tests.games.picchetto import DECLARED, EXCHANGE, PLAY, findings_of, hand, lines, scores

SIX_EACH = "=e6,y6;y"  # e 6, y 6 + 1, nobody the cards


# ----------------------------------------------------------------------------- the figures


def test_the_pack_and_its_sums() -> None:
    assert len(PACK.cards) == 32
    assert sum(CARD_VALUE[card.rank] for card in PACK.cards) == 4 * 75


@pytest.mark.parametrize(
    ("sums", "cards"),
    [
        (range(24), None),
        (range(24, 32), 3),
        ((32, 33), None),
        (range(34, 42), 4),
        ((42, 43), None),
        (range(44, 52), 5),
        ((52, 53), None),
        (range(54, 61), 6),
        ((61, 62, 63), None),
        (range(64, 69), 7),
        (range(69, 75), None),
        ((75,), 8),
        ((76, 77, 100), None),
    ],
)
def test_a_sum_fixes_the_cards(sums: range, cards: int | None) -> None:
    assert {cards_of_sum(value) for value in sums} == {cards}


def test_the_sums_are_those_that_a_suit_can_make() -> None:
    sums: dict[int, set[int]] = {}
    values = [CARD_VALUE[rank] for rank in PACK.ranks]
    for chosen in range(2**8):
        picked = [value for place, value in enumerate(values) if chosen >> place & 1]
        sums.setdefault(len(picked), set()).add(sum(picked))
    for value in range(90):
        counts = [n for n in range(3, 9) if value in sums[n]]
        assert counts == ([cards_of_sum(value)] if cards_of_sum(value) else [])


def test_points_of_sequences_and_sets() -> None:
    assert SEQUENCE_POINTS == {3: 3, 4: 4, 5: 15, 6: 16, 7: 17, 8: 18}
    assert SET_POINTS == {3: 3, 4: 14}


def test_rule_book_has_every_clause() -> None:
    assert [clause.id for clause in BOOK.clauses] == [f"P{n}" for n in range(1, 17)]
    assert {option.name: option.default_for({}) for option in BOOK.options} == {
        "must_beat": False,
        "white_in_repique": True,
        "match": "classic",
        "final_target": 221,
        "lead_point": "none",
        "last_trick": 2,
        "low_cards_in_play": True,
        "capot": 40,
        "younger_min": 1,
        "point_ending_four": False,
        "carte_rouge": "off",
    }
    checked = {check.rule for check in GAME.checks}
    assert checked <= {clause.id for clause in BOOK.clauses}


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("e>AS.KS", "e"),
        ("e>KS.AS", "y"),
        ("e>7S.8S", "y"),
        ("e>10S.9S", "e"),
        ("e>10S.JS", "y"),
        ("e>JS.10S", "e"),
        ("e>QS.JS", "e"),
        ("e>7S.AH", "e"),  # only the suit led can win
        ("e>7S.AD", "e"),
    ],
)
def test_highest_card_of_the_led_suit_or_trump_wins_a_trick(trick: str, winner: str) -> None:
    assert hand(trick).won[0].player == winner
    other = "y" if winner == "e" else "e"
    assert findings_of(f"{trick} {winner}!") == []
    assert findings_of(f"{trick} {other}!")[0].startswith("wrong_winner P8 [3")


# ------------------------------------------------------------------ the points of a category


@pytest.mark.parametrize(
    ("declared", "line"),
    [
        # First: 1 a card (P4).
        ("e^P3", "e3 P4"),
        ("e^P4", "e4 P4"),
        ("e^P8", "e8 P4"),
        ("y^P6", "y6 P4"),
        ("eP24 yP+", "e3 P4"),
        ("eP31 yP+", "e3 P4"),
        ("eP34 yP+", "e4 P4"),
        ("eP51 yP+", "e5 P4"),
        ("eP54 yP+", "e6 P4"),
        ("eP68 yP+", "e7 P4"),
        ("eP75 yP+", "e8 P4"),
        # Second (P5).
        ("e^S3A", "e3 P5"),
        ("e^S4K", "e4 P5"),
        ("e^S5A", "e15 P5"),
        ("e^S6K", "e16 P5"),
        ("e^S7A", "e17 P5"),
        ("e^S8A", "e18 P5"),
        ("eS510 yS+", "e15 P5"),
        ("e^S4K e^S310", "e4 P5, e3 P5"),
        # Third (P6).
        ("e^T3A", "e3 P6"),
        ("e^T310", "e3 P6"),
        ("e^T4J", "e14 P6"),
        ("e^T410", "e14 P6"),
        ("y^T3A y^T4K y^T3Q", "y3 P6, y14 P6, y3 P6"),
        # White (P2).
        ("eW", "e10 P2"),
        ("yW/7S,8S,9S", "y10 P2"),
    ],
)
def test_points_of_a_declaration(declared: str, line: str) -> None:
    assert lines(f"{declared} {SIX_EACH}") == f"{line}, e6 P9, y7 P9"


# ------------------------------------------------------------------- who wins a category


@pytest.mark.parametrize(
    ("declared", "marked"),
    [
        # By the answer.
        ("eP41 yP+ e^P4", "e4"),
        ("eP41 yP= e^P4 y^P4", ""),
        ("eP41 yP- y^P5", "y5"),
        ("eP41 yP- e^P4 y^P5", "y5"),
        ("eP41 yP+ e^P4 y^P5", "e4"),
        ("yP+ e^P5", "e5"),
        ("yP+ y^P5", ""),
        ("yP- y^P5", "y5"),
        ("yP= y^P5", ""),
        # The declaration counts if the winner showed nothing.
        ("eP41 yP+", "e4"),
        ("eP41 yP+ y^P5", "e4"),
        ("eP41 yP- yP51", "y5"),
        ("eP41 yP-", ""),
        ("yP-", ""),
        ("yP+", ""),
        # A showing counts before a declaration.
        ("eP51 yP+ e^P4", "e4"),
        ("eP41 yP+ e^P6", "e6"),
        # Without an answer: who showed, else who declared.
        ("eP51 y^P4", "y4"),
        ("eP41 e^P4", "e4"),
        ("e^P4 y^P5", "y5"),
        ("y^P4 e^P5", "e5"),
        ("e^P5 y^P5", ""),
        ("eP51 e^P5 yP60 y^P4", "e5"),
        ("eP51", "e5"),
        ("yP51", "y5"),
        ("eP51 yP41", "e5"),
        ("eP41 yP51", "y5"),
        ("eP51 yP51", ""),
        # Sequences: longer, then higher; the winner marks all, the other none.
        ("eS4A yS- y^S510 y^S3A", "y15 y3"),
        ("eS4A yS+ e^S4A e^S310 y^S39", "e4 e3"),
        ("eS4A yS= e^S4A e^S39 y^S4A", ""),
        ("e^S4A y^S59", "y15"),
        ("e^S4A y^S4K", "e4"),
        ("e^S310 e^S4K y^S4Q y^S3A", "e3 e4"),
        ("e^S4A y^S4A", ""),
        ("eS4A yS5J", "y15"),
        # Sets: four before three, then rank.
        ("eT3A yT- y^T410 y^T3K", "y14 y3"),
        ("e^T3A y^T410", "y14"),
        ("e^T3K y^T3A", "y3"),
        ("e^T310 y^T3J", "y3"),
        ("e^T3K e^T3Q y^T3J", "e3 e3"),
        # Younger shows if elder declared nothing (P7).
        ("y^T3J", "y3"),
        ("y^S3A y^S39", "y3 y3"),
        # Elder's answer, out of turn, counts as if in turn, but only without one of younger's.
        ("yP51 eP+", "y5"),
        ("yP51 eP- e^P6", "e6"),
        ("eP51 eP- yP-", ""),
        # Events of one category decide nothing in another.
        ("eP41 eS4A yP- yS+ y^P5 e^S4A", "y5 e4"),
    ],
)
def test_winner_of_a_category_marks(declared: str, marked: str) -> None:
    deal = hand(f"{declared} {SIX_EACH}")
    marked_lines = [f"{line.side}{line.points}" for line in deal.result.lines if line.rule != "P9"]
    assert " ".join(marked_lines) == marked


@pytest.mark.parametrize(
    ("declared", "marked", "at_fault"),
    [
        # No suit adds up to it.
        ("eP23 yP+", "", 1),
        ("eP32 yP+", "", 1),
        ("eP52 yP+", "", 1),
        ("eP74 yP+", "", 1),
        ("eP32 yP+ e^P3", "e3", 1),
        # Too short.
        ("eS2A yS+", "", 1),
        ("eS2A yS+ e^S2A", "", 1),
        ("e^S2A", "", 1),
        ("e^S3A e^S2J", "e3", 2),
        # Sets of two, of one, of five; of nines or lower.
        ("eT2A yT+", "", 1),
        ("e^T1A", "", 1),
        ("e^T5A", "", 1),
        ("e^T8A", "", 1),
        ("e^T49", "", 1),
        ("e^T38", "", 1),
        ("eT47 yT+", "", 1),
        ("e^T49 y^T310", "y3", 1),  # what marks nothing wins nothing
        ("eT3A yT=", "", 2),
        # The first declaration, answer, point and set of a rank count.
        ("eP41 eP51 yP+", "e4", 2),
        ("eP52 eP51 yP+", "", 1),
        ("eP41 yP- yP+ y^P5", "y5", 3),
        ("eP41 yP+ e^P4 e^P5", "e4", 4),
        ("e^P4 y^P4 y^P5", "", 3),
        ("e^T3A e^T4A", "e3", 2),
        ("e^T3A e^T3K e^T3A", "e3 e3", 3),
        ("eW eW", "e10", 2),
    ],
)
def test_invalid_declarations_mark_nothing(declared: str, marked: str, at_fault: int) -> None:
    deal = hand(f"{declared} {SIX_EACH}")
    marked_lines = [f"{line.side}{line.points}" for line in deal.result.lines if line.rule != "P9"]
    assert " ".join(marked_lines) == marked
    faults = [text for text in findings_of(declared) if text.startswith("bad_declaration")]
    assert any(f"[{at_fault}" in text for text in faults)


def test_two_sequences_of_the_same_length_and_top_are_two_suits() -> None:
    assert lines(f"e^S3A e^S3A {SIX_EACH}") == "e3 P5, e3 P5, e6 P9, y7 P9"
    assert findings_of("e^S3A e^S3A") == []


# ---------------------------------------------------------------------- the tricks (P9 to P11)


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        ("=e12", "e13 P9, e40 P11"),
        ("=e12,y0;e", "e13 P9, e40 P11"),
        ("=e11,y1;e", "e12 P9, y1 P9, e10 P10"),
        ("=e11,y1;y", "e11 P9, y2 P9, e10 P10"),
        ("=e7,y5;e", "e8 P9, y5 P9, e10 P10"),
        ("=e6,y6;e", "e7 P9, y6 P9"),
        ("=e6;y", "e6 P9, y7 P9"),
        ("=y7;e", "e6 P9, y7 P9, y10 P10"),
        ("=e1;y", "e1 P9, y12 P9, y10 P10"),
        ("=e0", "y13 P9, y40 P11"),
        (".eeeeeeeeeeee", "e13 P9, e40 P11"),
        (".eeeeeeeeeeey", "e11 P9, y2 P9, e10 P10"),
        (".yyyyyyeeeeee", "e7 P9, y6 P9"),
        (".yyyyyyyeeeee", "e6 P9, y7 P9, y10 P10"),
        (".yyyyyyy e*", "e6 P9, y7 P9, y10 P10"),
        ("e* .y", "e12 P9, y1 P9, e10 P10"),
        ("y* e!12", "e2 P9, y11 P9, y10 P10"),
    ],
)
def test_the_tricks_and_the_cards(count: str, expected: str) -> None:
    assert lines(count) == expected


@pytest.mark.parametrize("count", ["=e11,y1", "=e6,y6", "=e7,y6;e", "=e12,y1;e", "=e5,y5;e"])
def test_incomplete_count_of_tricks_does_not_score(count: str) -> None:
    assert lines(count) == "-"


def test_hand_recorded_by_cards() -> None:
    """5 + 15 + 3 + 3 + 3 = 29; the first trick is the thirtieth: pique; ten tricks of twelve."""
    expected = "e5 P4, e15 P5, e3 P5, e3 P6, e3 P6, e10 P9, y3 P9, e30 P14, e10 P10"
    deal = hand(f"{EXCHANGE} {DECLARED} {PLAY}")
    assert lines(f"{EXCHANGE} {DECLARED} {PLAY}") == expected
    assert deal.result.taken == {"y": 2, "e": 10}
    assert deal.level == "cards"


def test_line_cites_its_proof() -> None:
    deal = hand("eP41 yP+ e^P4 e^T3A .eeeeeeyyyyyy")
    proofs = {line.rule + line.side: line.events for line in deal.result.lines}
    assert proofs == {
        "P4e": (1, 2, 3),
        "P6e": (4,),
        "P9e": (5, 6, 7, 8, 9, 10),
        "P9y": (11, 12, 13, 14, 15, 16),
    }


# ------------------------------------------------------------------------- repique and pique


@pytest.mark.parametrize("find", [worth_of, points_and_text])
def test_other_events_have_no_worth_and_no_points(
    find: Callable[[Event], object],
) -> None:
    with pytest.raises(TypeError):
        find(CardPlayed("e", Card.parse("KS")))


# Elder's declarations of 30 and 29 points alone, and of 27 and 17.
THIRTY = "e^P4 e^S5A e^T4K e^T3A"  # 4 + 15 + 14 + 3 = 36
TWENTY_NINE = "e^S5A e^T4K"  # 15 + 14
TWENTY_SEVEN = "e^P6 e^S3A e^S5Q e^T3A"  # 6 + 3 + 15 + 3
SEVENTEEN = "e^P3 e^T4A"  # 3 + 14


@pytest.mark.parametrize(
    ("script", "bonus"),
    [
        (f"{THIRTY} .eeeeeeyyyyyy", "e60 P13"),
        (f"{THIRTY} =e0", "e60 P13"),
        (f"{TWENTY_NINE} .eeeeeeyyyyyy", "e30 P14"),
        (f"{TWENTY_NINE} .yeeeeeeyyyyy", ""),
        (f"{TWENTY_SEVEN} .eeeyyyyyyyyy", "e30 P14"),
        (f"{TWENTY_SEVEN} .eeyeyyyyyyyy", ""),
        # 17 and thirteen tricks make it at the very last; twelve would not.
        (f"{SEVENTEEN} .eeeeeeeeeeee", "e30 P14"),
        ("e^P2 e^T4A .eeeeeeeeeeee", ""),  # 16 + 13 = 29, and the capot does not count
        # The opponent has marked before: a declaration, or White, but no declaration that lost.
        (f"y^P7 {TWENTY_NINE} .eeeeeeyyyyyy", ""),
        (f"yW {TWENTY_NINE} .eeeeeeyyyyyy", ""),
        (f"eP41 yP= y^P4 {TWENTY_NINE} .eeeeeeyyyyyy", "e30 P14"),
        # Elder has thirty before younger marks a set: First and Second come first.
        ("e^P5 e^S5A e^S5A y^T4K .eeeeeeyyyyyy", "e60 P13"),
        ("y^T4K e^P5 e^S5A e^S5A .eeeeeeyyyyyy", "e60 P13"),  # whatever the order of recording
        ("e^P5 e^S5A y^T4K .eeeeeeyyyyyy", ""),
        # Younger.
        ("y^P5 y^S5A y^T4K .eeeeeeyyyyyy", "y60 P13"),
        ("y^S5A y^T4K .eyyyyyyyyyyy", ""),
        ("y^S5A y^T4K .yeeeeeeyyyyy", "y30 P14"),
        # White with the rest: it counts for both, and for both against.
        ("eW e^P6 e^T4A .yyyyyyeeeeee", "e60 P13"),
        ("yW e^P6 e^S5A e^T4A .eeeeeeyyyyyy", ""),
        ("eW e^P5 e^T4A .eeeeeeyyyyyy", "e30 P14"),  # 29, and the first trick
    ],
)
def test_repique_and_pique(script: str, bonus: str) -> None:
    bonus_lines = [f"{x.side}{x.points} {x.rule}" for x in hand(script).result.lines
             if x.rule in ("P13", "P14")]  # fmt: skip
    assert ", ".join(bonus_lines) == bonus


@pytest.mark.parametrize(
    ("script", "bonus"),
    [
        # White does not count for the repique; for the pique it does, at the next trick.
        ("eW e^P6 e^T4A .eeeeeeyyyyyy", "e30 P14"),
        ("eW e^P6 e^T4A .yyyyyyeeeeee", ""),
        ("eW e^P8 e^S8A e^T4A .yyyyyyeeeeee", "e60 P13"),  # 40 without it
        # Nor does it count against the repique; against the pique it does.
        ("yW e^P6 e^S5A e^T4A .eeeeeeyyyyyy", "e60 P13"),
        (f"yW {TWENTY_NINE} .eeeeeeyyyyyy", ""),
        ("yW e^P7 e^S7A .eeeeeeyyyyyy", ""),
    ],
)
def test_white_out_of_the_repique(script: str, bonus: str) -> None:
    deal = hand(script, white_in_repique=False)
    bonus_lines = [f"{x.side}{x.points} {x.rule}" for x in deal.result.lines
             if x.rule in ("P13", "P14")]  # fmt: skip
    assert ", ".join(bonus_lines) == bonus


@pytest.mark.parametrize(
    ("declared", "most"),
    [
        # A K Q of each suit: 3 + 4 x 3 + 3 x 14 = 57, repique 60, tricks 13, capot 40.
        ("e^P3 e^S3A e^S3A e^S3A e^S3A e^T4A e^T4K e^T4Q", 170),
        # J 10 9 8 7, Q J 10, J 10, J 10, all four jacks and the queen drawn:
        # 5 + 15 + 3 + 2 x 14 = 51, and White 10.
        ("eW e^P5 e^S5J e^S3Q e^T4J e^T410", 174),
    ],
)
def test_highest_possible_score_of_a_hand(declared: str, most: int) -> None:
    assert scores(f"{declared} =e12") == (most, 0)
    assert findings_of(f"{declared} =e12") == []


# ------------------------------------------------------------------------------ unusable


@pytest.mark.parametrize(
    ("word", "field"),
    [
        ("=e13", "data.tricks"),
        ("=", "data.tricks"),
        ("$e30", "data.points"),
        ("$e30,y4/e13", "data.tricks"),
        ("ex9", "data.count"),
        ("eS9A", "data.length"),
        ("e^S0A", "data.length"),
        ("e^T9A", "data.count"),
        ("e^P0", "data.count"),
        ("e^P9", "data.count"),
        ("e^T36", "data.rank"),
        ("eS31", "data.high"),
        ("eP-5", "data.value"),
        ("=e-1;y", "data.tricks.e"),
    ],
)
def test_impossible_event_is_refused(word: str, field: str) -> None:
    with pytest.raises(UnusableError) as refused:
        hand(word)
    assert refused.value.field == field


def test_a_card_of_another_pack_or_an_unknown_category_is_refused() -> None:
    assert Card.parse("6S") not in PACK
    with pytest.raises(UnusableError):
        hand("e^P3/AS,KS,6X")


@pytest.mark.parametrize(
    ("name", "value"),
    [("must_beat", "yes"), ("white_in_repique", 1), ("match", "best"), ("target", 100)],
)
def test_unknown_option_value_is_refused(name: str, value: Any) -> None:
    with pytest.raises(UnusableError):
        GAME.options({name: value}, 2)


@pytest.mark.parametrize(
    ("script", "answer"),
    [("eP51", 0), ("eP51 yP+", 2), ("yP37 eP-", 2), ("eP+ yP-", 2), ("yP- yP+ eP=", 1)],
)
def test_the_answer_is_youngers_first_else_elders(script: str, answer: int) -> None:
    answer_ = hand(script).answer("point")
    assert (answer_.seq if answer_ else 0) == answer


def test_showing_is_ignored_if_the_opponent_plays_the_card() -> None:
    shown, *_ = hand("e^P3/AS,KS,QS e>AS.KS").held()
    assert [str(card) for card in shown.cards] == ["AS", "QS"]

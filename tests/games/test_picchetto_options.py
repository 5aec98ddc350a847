"""Picchetto by house rules: leading marks, other figures, and what of them counts decide.

Tests of ``games.picchetto.rules`` and ``games.picchetto.score``.
"""

from typing import Any

import pytest

from scorekeeper.games.picchetto import GAME
from tests.games.picchetto import DECLARED, EXCHANGE, PLAY, codes, findings_of, hand, lines, scores

LOW: Any = {"low_cards_in_play": False}
LEADS: Any = {"lead_point": "each"}
FOUR: Any = {"point_ending_four": True}
SEVEN = ".eeeeeeeyyyyy"  # seven tricks from the lead, and the eighth lead is lost


@pytest.mark.parametrize(
    ("script", "options", "marks"),
    [
        (SEVEN, {}, (7 + 10, 6)),
        (SEVEN, LEADS, (8 + 10, 6)),
        ("e^P6 e^S6A " + SEVEN, {}, (22 + 7 + 10, 6)),
        ("e^P6 e^S6A " + SEVEN, LEADS, (22 + 8 + 30 + 10, 6)),
        (".eeeeeeeeeeee", LEADS, (13 + 40, 0)),
        (".yyyyyyyyyyyy", LEADS, (1, 13 + 40)),
        (PLAY, LEADS, (11 + 10, 3)),
        (SEVEN, {"last_trick": 3}, (7 + 10, 7)),
        (".eeeeeeeeeeee", {"capot": 30}, (13 + 30, 0)),
    ],
)
def test_points_marked_in_the_play(
    script: str, options: dict[str, Any], marks: tuple[int, int]
) -> None:
    assert scores(script, **options) == marks


def test_line_lists_lost_leads_apart_from_tricks() -> None:
    (elder, younger, _) = hand(SEVEN, **LEADS).result.lines
    assert str(elder.text) == "Tricks: 7; led and lost: 1"
    assert str(younger.text) == "Tricks: 5, the last among them"


def test_the_lead_that_makes_thirty_is_a_pique_before_it_is_lost() -> None:
    def called(script: str) -> bool:
        prompts = GAME.prompts(hand(script, **LEADS))
        return any(prompt.type == "pique_called" for prompt in prompts)

    assert not called("e^P6 e^S6A .eeeeeee")
    assert called("e^P6 e^S6A .eeeeeee e:AS")


@pytest.mark.parametrize(
    ("count", "changes", "marks"),
    [("=e7,y5;y", 1, (18, 6)), ("=e7,y5;y", 3, (19, 7)), ("=e7,y5;e", 2, (19, 6)),
     ("=e12,y0", None, (53, 0)), ("=e0,y12", None, (1, 53))],
)  # fmt: skip
def test_counted_tricks_need_the_number_of_lead_changes(
    count: str, changes: int | None, marks: tuple[int, int]
) -> None:
    counted = count if changes is None else f"{count};{changes}"
    assert scores(counted, **LEADS) == marks
    if changes is not None:
        assert scores(count, **LEADS) is None
    assert scores(counted) is not None  # without leading points it has no effect


@pytest.mark.parametrize("changes", [0, 2, 12, 13])
def test_impossible_number_of_lead_changes_is_found(changes: int) -> None:
    script = f"=e7,y5;y;{changes}"
    assert scores(script, **LEADS) is None
    assert codes(script, **LEADS) == ["count_mismatch"]
    assert codes(script) == []


def test_a_count_of_the_leads_is_compared_with_the_tricks() -> None:
    assert codes(SEVEN + " =e7,y5;y;1", **LEADS) == []
    assert codes(SEVEN + " =e7,y5;y;3", **LEADS) == ["count_mismatch"]


def test_younger_makes_no_pique_where_leading_marks() -> None:
    script = "y^P6 y^S6A .eyyyyyyyyyyy y~pique"
    assert scores(script) == (1, 22 + 12 + 10)
    assert scores("y^P6 y^S6A .yyyyyyyyyyyy") == (0, 22 + 13 + 30 + 40)
    assert scores("y^P6 y^S6A .yyyyyyyyyyyy", **LEADS) == (1, 22 + 13 + 40)
    assert codes("y^P6 y^S6A =e0,y12 y~pique", **LEADS) == ["false_call"]
    assert codes("$e0,y95 y~pique", **LEADS) == ["false_call"]
    assert codes("$e0,y95 y~pique") == []


def test_low_cards_mark_nothing_in_the_play() -> None:
    assert scores(PLAY) == (10 + 10, 3)
    assert scores(PLAY, **LOW, **LEADS) == (10 + 10, 3)  # the nine was led for nothing
    assert scores(PLAY, **LEADS) == (11 + 10, 3)
    assert scores(SEVEN, **LOW) is None
    assert scores("=e7,y5;y", **LOW) is None
    assert scores("$e3,y9/e7,y5", **LOW) == (3, 9)
    assert codes(SEVEN + " $e3,y9", **LOW) == []
    assert codes(SEVEN + " $e3,y9") == ["count_mismatch"]


@pytest.mark.parametrize(
    ("declared", "marks"),
    [("eP44 yP+ e^P5", 4), ("eP44 yP+", 4), ("eP51 yP+ e^P5", 5), ("e^P4/10S,9S,8S,7S", 3),
     ("e^P4/AS,KS,QS,JS", 4), ("e^P4", 4), ("eP64 yP+ e^P7", 6)],
)  # fmt: skip
def test_a_point_that_ends_in_four(declared: str, marks: int) -> None:
    assert lines(f"{declared} =e6,y6;e", **FOUR).split(",")[0] == f"e{marks} P4"


def test_younger_may_exchange_nothing() -> None:
    assert codes("ex5 yx0") == ["bad_exchange"]
    assert codes("ex5 yx0", younger_min=0) == []
    assert codes("ex0 yx0", younger_min=0) == ["bad_exchange"]


def test_a_whole_hand_is_regular_by_every_rule() -> None:
    options: dict[str, Any]
    for options in ({}, LEADS, LOW, FOUR):
        assert findings_of(f"{EXCHANGE} {DECLARED} {PLAY}", **options) == []


def test_later_options_are_reported_only_with_unusual_values() -> None:
    before = {"must_beat", "white_in_repique", "match"}
    assert set(GAME.book.reported(GAME.options(None, 2))) == before
    assert set(GAME.book.reported(GAME.options({"capot": 30, **LEADS}, 2))) == {
        *before, "capot", "lead_point",
    }  # fmt: skip

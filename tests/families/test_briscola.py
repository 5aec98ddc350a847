"""The cards of the Briscola family: their order, their points, and which are left out."""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.cards.packs import Card
from scorekeeper.families.briscola import (
    ALL_POINTS,
    PACKS,
    POINTS,
    left_out_option,
    pack_option,
    refuse_left_out_suit,
    strengths,
)
from scorekeeper.play.rulebook import RuleBook


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_has_120_points_and_30_in_each_suit(pack: str) -> None:
    cards = PACKS[pack].cards
    assert sum(POINTS[card] for card in cards) == ALL_POINTS
    for suit in PACKS[pack].suits:
        assert sum(POINTS[card] for card in cards if card.suit is suit) == ALL_POINTS // 4


def test_trumps_beat_the_suit_led_and_other_suits_never_win() -> None:
    strength = strengths("C", "D", "italian")
    lowest_trump, best_led = Card.parse("2D"), Card.parse("AC")
    assert strength[lowest_trump] > strength[best_led] > strength[Card.parse("3C")]
    assert Card.parse("AS") not in strength
    assert {card.suit for card in strengths("C", None, "italian")} == {best_led.suit}


@pytest.mark.parametrize(
    ("options", "suit"),
    [({}, "C"), ({"pack": "french"}, "H"), ({"pack": "french", "it": "S"}, "S")],
)
def test_one_card_of_a_rank_is_left_out(options: dict[str, Any], suit: str) -> None:
    option = left_out_option("it", "B1", "Which?", "four")
    settled = RuleBook((), (pack_option("B1"), option)).settle(options)
    refuse_left_out_suit(settled, "it")
    assert settled["it"] == suit
    assert "the four of" in option.choices[suit]


@pytest.mark.parametrize(("pack", "suit"), [("italian", "H"), ("french", "B")])
def test_a_suit_that_the_pack_does_not_have_is_refused(pack: str, suit: str) -> None:
    with pytest.raises(UnusableError, match=f"a suit of the {pack} pack") as refused:
        refuse_left_out_suit({"pack": pack, "it": suit}, "it")
    assert refused.value.field == "data.options.it"

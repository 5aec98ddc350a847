"""Riparto: its figures, its options, the winners of tricks.

Tests of ``games.riparto.rules`` and ``games.riparto.state``.
"""

from itertools import permutations
from typing import Any

import pytest

from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Play, strongest
from scorekeeper.games.riparto import GAME
from scorekeeper.games.riparto.rules import (
    BOOK,
    DEAL_POINTS,
    DEAL_POINTS_WITHOUT_LAST_THREE,
    LAST_THREE,
    LAST_THREE_POINTS,
    LAST_TRICK_POINTS,
    PACK,
    TRICK_POINTS,
    TRICKS,
)
from scorekeeper.games.riparto.state import strengths
from tests.games.riparto import FOUR, FOUR_BY_RANK, THREE, hand, result, taken

# ------------------------------------------------------------------------------ the rule book


def test_the_pack_has_36_cards_ace_high() -> None:
    assert len(PACK.cards) == 36
    assert PACK.ranks == ("A", "K", "Q", "J", "10", "9", "8", "7", "6")
    assert set(PACK.suits) == set("SHDC")


def test_a_deal_holds_15_points_and_its_last_three_tricks_9() -> None:
    assert TRICKS * TRICK_POINTS + LAST_TRICK_POINTS + LAST_THREE_POINTS == DEAL_POINTS == 15
    assert DEAL_POINTS - LAST_THREE_POINTS == DEAL_POINTS_WITHOUT_LAST_THREE == 10
    assert LAST_THREE_POINTS + 3 * TRICK_POINTS + LAST_TRICK_POINTS == 9
    assert LAST_THREE == (7, 8, 9)


def test_the_book_has_every_clause_and_option() -> None:
    assert [clause.id for clause in BOOK.clauses] == [f"R{n}" for n in range(1, 16)]
    assert BOOK.settle(None) == {
        "bid_tie": "first",
        "double_trump": "hierarchy",
        "last_three": "majority",
        "award_tie": "all",
        "match_end": "open",
    }


def test_every_line_and_check_cites_a_clause() -> None:
    ids = {clause.id for clause in BOOK.clauses}
    assert {check.rule for check in GAME.checks} <= ids
    assert GAME.end_clause in ids


# ------------------------------------------------------------------- the contract (R2 to R6)


@pytest.mark.parametrize(
    ("bids", "options", "ripartitore", "declared"),
    [
        ("a=4 b=6 c=5", {}, "b", 6),
        ("a=15 b=0 c=14", {}, "a", 15),
        # Of equal highest bids the earliest on record, or the last.
        ("a=4 b=6 c=6", {}, "b", 6),
        ("a=4 b=6 c=6", {"bid_tie": "last"}, "c", 6),
        ("c=6 a=4 b=6", {}, "c", 6),
        ("c=6 a=4 b=6", {"bid_tie": "last"}, "b", 6),
        ("a=0 b=0 c=0", {}, "a", 0),
        ("a=0 b=0 c=0", {"bid_tie": "last"}, "c", 0),
        # Fewer bids than players: the highest on record.
        ("c=5", {}, "c", 5),
        ("b=3 c=5", {}, "c", 5),
        # A second bid of a player has no effect.
        ("a=4 b=5 c=2 a=9", {}, "b", 5),
        ("a=4 b=5 c=2 b=6", {}, "b", 5),
        # A raise: once, by the ripartitore, and upwards.
        ("a=4 b=6 c=5 b^9", {}, "b", 9),
        ("a=4 b=6 c=5 b^15", {}, "b", 15),
        ("a=4 b=6 c=5 b^9 b^10", {}, "b", 9),
        ("a=4 b=6 c=5 b^6", {}, "b", 6),
        ("a=4 b=6 c=5 b^5", {}, "b", 6),
        ("a=4 b=6 c=5 b^5 b^7 b^8", {}, "b", 7),
        ("a=4 b=6 c=5 a^9", {}, "b", 6),
        ("a=4 b=6 c=5 c^7 b^8", {}, "b", 8),
        ("b=6 b^9", {}, "b", 9),
        # Recorded in another order, as a correction may.
        ("b^9 a=4 b=6 c=5", {}, "b", 9),
        ("a=4 b^9 b=6 c=5", {}, "b", 9),
        ("a=4 a^9 b=6 c=5", {}, "b", 6),
    ],
)
def test_ripartitore_and_declaration_of_a_record(
    bids: str, options: dict[str, Any], ripartitore: str, declared: int
) -> None:
    declaration = hand(bids, **options).declaration
    assert declaration is not None
    assert (declaration.event.player, declaration.event.points) == (ripartitore, declared)


@pytest.mark.parametrize(
    ("script", "hierarchy"),
    [
        ("a=4 b=6 c=5", ""),
        ("a=4 b=6 c=5 b>SDHC", "SDHC"),
        ("a=4 b=6 c=5 b>-", ""),
        ("a=4 b=6 c=5 a>SDHC", ""),
        ("a=4 b=6 c=5 a>SDHC b>CHDS", "CHDS"),
        ("a=4 b=6 c=5 b>SDHC b>CHDS", "SDHC"),
        ("a=4 b=6 c=5 b>- b>CHDS", ""),
        ("a>SDHC", "SDHC"),  # without a bid on record any player may be the ripartitore
        ("b>SDHC a=4 b=6 c=5", "SDHC"),
        ("a>SDHC a=4 b=6 c=5", ""),
    ],
)
def test_valid_hierarchy_of_a_record(script: str, hierarchy: str) -> None:
    assert hand(script).hierarchy == tuple(hierarchy)


# --------------------------------------------------------------------- the tricks (R7 to R9)

# By the place of a suit in the hierarchy and of the suit led, both from 1: does it trump?
TRUMPS = {
    (1, 1): False, (1, 2): False, (1, 3): True, (1, 4): True,
    (2, 1): False, (2, 2): False, (2, 3): False, (2, 4): True,
    (3, 1): False, (3, 2): False, (3, 3): False, (3, 4): False,
    (4, 1): False, (4, 2): False, (4, 3): False, (4, 4): False,
}  # fmt: skip


def winner(cards: str, hierarchy: str = "", double_trump: str = "hierarchy") -> str:
    """Return the card that wins a trick; the first of these is led."""
    plays = [Play(0, "", Card.parse(card)) for card in cards.split()]
    strength = strengths(tuple(hierarchy), double_trump)[str(plays[0].card.suit)]
    return str(strongest(plays, strength).card)


@pytest.mark.parametrize("hierarchy", ["".join(suits) for suits in permutations("SHDC")])
@pytest.mark.parametrize("double_trump", ["hierarchy", "rank"])
def test_a_suit_trumps_two_places_below(hierarchy: str, double_trump: str) -> None:
    for (place, led), trumps in TRUMPS.items():
        if place != led:
            six, ace = f"6{hierarchy[place - 1]}", f"A{hierarchy[led - 1]}"
            assert winner(f"{ace} {six}", hierarchy, double_trump) == (six if trumps else ace)


@pytest.mark.parametrize(
    ("cards", "hierarchy", "wins"),
    [
        # Spades over diamonds over hearts over clubs, as in the source text.
        ("AH 6S", "SDHC", "6S"),
        ("AC 6S", "SDHC", "6S"),
        ("AC 6D", "SDHC", "6D"),
        ("AH 6D", "SDHC", "AH"),
        ("6D AS", "SDHC", "6D"),
        ("6S AD AH AC", "SDHC", "6S"),
        ("6C AH", "SDHC", "6C"),  # one place is not enough
        ("AC 6D 7D 8C", "SDHC", "7D"),
        ("9H 10H AC KH", "SDHC", "KH"),
        ("6C AS AH AD", "", "6C"),
        ("6C 10C 9C JC", "", "JC"),
    ],
)
def test_highest_card_of_the_led_suit_or_trump_wins_a_trick(
    cards: str, hierarchy: str, wins: str
) -> None:
    assert winner(cards, hierarchy) == wins


@pytest.mark.parametrize(
    ("cards", "by_hierarchy", "by_rank"),
    [
        ("AC 6S AD", "6S", "AD"),
        ("AC AD 6S", "6S", "AD"),
        ("AC 7S 7D", "7S", "7S"),
        ("AC 7D 7S", "7S", "7S"),
        ("AC 8S 7D", "8S", "8S"),
        ("AC 6S 7S KD", "7S", "KD"),
        ("AC 10D JD 6C", "JD", "JD"),
    ],
)
def test_a_trick_trumped_by_two_suits(cards: str, by_hierarchy: str, by_rank: str) -> None:
    assert winner(cards, "SDHC", "hierarchy") == by_hierarchy
    assert winner(cards, "SDHC", "rank") == by_rank


def winners(script: str, players: int, **options: Any) -> str:
    return "".join(won.player for won in hand(script, players, **options).won)


def test_a_whole_hand_by_its_cards() -> None:
    assert winners(f"a=9 {THREE}", 3) == "bbbbaaaaa"
    assert winners(f"b=6 b>SDHC {FOUR}", 4) == "cdadabdaa"
    assert winners(f"b=6 b>SDHC {FOUR_BY_RANK}", 4, double_trump="rank") == "cdadabaaa"


def test_a_hierarchy_recorded_after_the_cards_counts_for_all_of_them() -> None:
    assert winners(f"b=6 {FOUR} b>SDHC", 4) == "cdadabdaa"


# ------------------------------------------------------------------- the points (R10 and R11)


@pytest.mark.parametrize(
    ("tricks", "majority", "sweep", "last_trick"),
    [
        # The last three tricks alone: 5 + 3 + 1 = 9.
        ("bbbbbbaaa", {"a": 9, "b": 6, "c": 0}, {"a": 9, "b": 6, "c": 0}, {"a": 9, "b": 6, "c": 0}),
        ("aaaaaaaaa", {"a": 15, "b": 0, "c": 0}, {"a": 15, "b": 0, "c": 0},
         {"a": 15, "b": 0, "c": 0}),
        # Two of the three, the last not among them.
        ("bbbbbbaab", {"a": 7, "b": 8, "c": 0}, {"a": 2, "b": 8, "c": 0},
         {"a": 2, "b": 13, "c": 0}),
        ("bbbbbbaba", {"a": 8, "b": 7, "c": 0}, {"a": 3, "b": 7, "c": 0}, {"a": 8, "b": 7, "c": 0}),
        ("bbbbbbbaa", {"a": 8, "b": 7, "c": 0}, {"a": 3, "b": 7, "c": 0}, {"a": 8, "b": 7, "c": 0}),
        # One each: the winner of the last trick.
        ("bbbbbbabc", {"a": 1, "b": 7, "c": 7}, {"a": 1, "b": 7, "c": 2}, {"a": 1, "b": 7, "c": 7}),
    ],
)  # fmt: skip
def test_the_points_of_the_deal(
    tricks: str, majority: dict[str, int], sweep: dict[str, int], last_trick: dict[str, int]
) -> None:
    script = f"a=9 {taken(tricks)}"
    assert result(script, last_three="majority").taken == majority
    assert result(script, last_three="sweep").taken == sweep
    assert result(script, last_three="last_trick").taken == last_trick


@pytest.mark.parametrize(
    ("script", "option", "points"),
    [
        # Five points are certain once the tricks on record leave no other way.
        ("a!7 a!8", "majority", 7),
        ("a!7 a!9", "majority", 8),
        ("a!7 b!8", "majority", 1),
        ("a!7 b!8 c!9", "majority", 1),
        ("a!7 a!8", "sweep", 2),
        ("a!7 a!8 a!9", "sweep", 9),
        ("a!9", "last_trick", 7),
        ("a!7 a!8", "last_trick", 2),
        ("a!9", "majority", 2),
    ],
)
def test_least_points_of_an_incomplete_record(script: str, option: str, points: int) -> None:
    assert hand(script, last_three=option).points_at_least()["a"] == points


@pytest.mark.parametrize(
    ("script", "still"),
    [
        ("a=4", True),
        ("a=4 b=5", True),
        ("a=4 b=5 c=6", False),
        ("a=4 a!", False),  # a player without a bid has missed the turn
        ("a=4 a>SDHC", False),
        ("a=4 a^5", False),
        ("a=4 a#1", False),
    ],
)
def test_a_contract_is_open_while_bids_are_to_come(script: str, still: bool) -> None:
    contract = hand(script).contract
    assert contract
    assert contract.open is still

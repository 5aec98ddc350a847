from typing import Any

import pytest

from scorekeeper.games.briscola_regina import GAME
from scorekeeper.games.briscola_regina.audit import CHECKS, count_out_of_reach
from scorekeeper.games.briscola_regina.rules import BOOK
from tests.games.regina import findings_of, hand

SWAP: dict[str, Any] = {"hand_exchange": "swap"}
NONE: dict[str, Any] = {"hand_exchange": "none"}
FIVE = "a! a! a! a! a!"  # with four players the stock is empty now


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("a+S b+S", ["bad_call B5 [2 1]"]),
        ("a+S a+S", ["bad_call B5 [2 1]"]),
        ("a+S b+C c+S d+S", ["bad_call B5 [3 1]", "bad_call B5 [4 1]"]),
        ("a+S b+C c+D d+B", []),
    ],
)
def test_second_bris_on_a_suit_is_found(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


@pytest.mark.parametrize(
    ("script", "options", "findings"),
    [
        # One of the two cards had been played, by any player.
        ("a:KS b:4C c:5C d:6C a+S", {}, ["false_call B5 [5 1]"]),
        ("a:NS b:4C c:5C d:6C c+S", {}, ["false_call B5 [5 1]"]),
        ("a:KS a+S", {}, ["false_call B5 [2 1]"]),
        ("a:AS b:KC c+C", {}, ["false_call B5 [3 2]"]),
        # Another player plays one of them later.
        ("a+S a:4S b:KS", {}, ["false_call B5 [1 3]"]),
        ("a+S a:4S b:NS c:KS", {}, ["false_call B5 [1 3]"]),  # the first proof
        ("a+S a:4S b:5S c:NS", {}, ["false_call B5 [1 4]"]),  # the partner, without an exchange
        ("a:KS b+S c:NS", {}, ["false_call B5 [2 1]"]),
        # The caller plays them later.
        ("a+S a:KS b:4S", {}, []),
        ("a+S a:7S b:5S c:6S d:2S a:NS b:4C c:5C d:6C a:KS", {}, []),
        ("a:JS a+S b:AS c:3S d:7S", {}, []),
        # French cards: the queen, and there is no knight.
        ("a+S a:4S b:QS", {"pack": "french"}, ["false_call B5 [1 3]"]),
        ("a+S a:QS b:JS c:AS", {"pack": "french"}, []),
        # After an exchange of hands the partner may hold them, where hands are kept.
        (f"a+S {FIVE} A~ a:4S b:5S c:KS", SWAP, []),
        (f"{FIVE} a+S A~ a:4S b:5S c:KS", SWAP, []),
        (f"{FIVE} A~ a+S a:4S b:5S c:KS", SWAP, ["false_call B5 [7 10]"]),  # it was before
        (f"a+S {FIVE} B~ a:4S b:5S c:KS", SWAP, ["false_call B5 [1 10]"]),  # the others did
        (f"a+S {FIVE} A~ a:4S b:KS", SWAP, ["false_call B5 [1 9]"]),  # no partner
        (f"a+S {FIVE} A~ a:4S b:5S c:KS", {}, ["false_call B5 [1 10]"]),  # they looked
        ("a! a! a! a! a+S a:4S b:5S c:KS d:6S A~", SWAP, ["false_call B5 [5 8]"]),  # too late
        # The card is there twice: one of the two plays is wrong, and nobody knows which.
        ("a+S a:KS b:4S c:5S d:6S a:4C b:KS", {}, ["duplicate_card B1 [7 2]"]),
    ],
)
def test_bris_without_both_cards_is_found(
    script: str, options: dict[str, Any], findings: list[str]
) -> None:
    assert findings_of(script, **options) == findings


@pytest.mark.parametrize(
    ("script", "players", "options", "findings"),
    [
        (f"{FIVE} A~ B~", 4, {}, []),
        (f"{FIVE} A~ B~", 4, SWAP, []),
        (f"{FIVE} A~ a! a! B~ =A60", 4, {}, []),
        (f"{FIVE} A~", 4, NONE, ["bad_exchange B8 [6]"]),
        ("a*", 2, {}, []),
        ("a~", 2, SWAP, ["bad_exchange B8 [1]"]),
        ("a! a! a! a~", 5, {}, ["bad_exchange B8 [4]"]),
        ("a~ =a60,b60,c0", 3, {}, ["bad_exchange B8 [1]"]),
        # Twice by a side.
        (f"{FIVE} A~ B~ A~", 4, {}, ["bad_exchange B8 [8 6]"]),
        (f"{FIVE} A~ a! A~ A~", 4, {}, ["bad_exchange B8 [8 6]", "bad_exchange B8 [9 6]"]),
        # In the middle of a trick.
        (f"{FIVE} a:AS A~", 4, {}, ["bad_exchange B8 [7 6]"]),
        (f"{FIVE} a:AS b:2S c:4S A~ d:5S", 4, {}, ["bad_exchange B8 [9 6]"]),
        (f"{FIVE} a:AS b:2S c:4S d:5S A~", 4, {}, []),
        # While there is a stock, as the next trick on record shows.
        ("A~ a! a!", 4, {}, ["bad_exchange B8 [1 2]"]),
        ("a! a! a! a! A~ a!", 4, {}, ["bad_exchange B8 [5 6]"]),
        ("a! a! a! a! A~ a:AS", 4, {}, ["bad_exchange B8 [5 6]"]),
        ("a! a! a! a! a! A~ a:AS", 4, {}, []),
        ("a! a! a! A~ a! a! a! a! b! b! b! =A60", 4, {}, ["bad_exchange B8 [4 5]"]),
        # In a hand that goes on, as the tricks before show; not once the count is there, for
        # then the tricks that followed may have been left out of the record.
        ("a! a! a! a! A~", 4, {}, ["bad_exchange B8 [5 4]"]),
        ("a! a! a! a! A~ =A60", 4, {}, []),
        ("A~", 4, {}, []),
        ("a+S A~ =A60", 4, {}, []),
        # A trick recorded late, by its number, says nothing.
        ("a! a! a! a! a!6 A~ a!5", 4, {}, []),
    ],
)
def test_exchange_of_hands_at_a_wrong_time_is_found(
    script: str, players: int, options: dict[str, Any], findings: list[str]
) -> None:
    assert findings_of(script, players, **options) == findings


@pytest.mark.parametrize(
    ("script", "options", "findings"),
    [
        ("a?AS,3S a:AS", {}, []),
        ("a:AS b:2S c:4S d:5S a?AS", {}, ["shown_mismatch B1 [5 1]"]),
        ("a?AS a:2S b:AS", {}, ["shown_mismatch B1 [1 3]"]),
        ("a?AS,3S a:2S b:AS c:3S", {}, ["shown_mismatch B1 [1 3]"]),
        ("a?AS b?AS", {}, ["shown_mismatch B1 [2 1]"]),
        (f"a?AS {FIVE} A~ c?AS", SWAP, []),
        (f"a?AS {FIVE} A~ a:2S b:4S c:AS", SWAP, []),
        (f"a?AS {FIVE} A~ a:2S b:4S c:AS", {}, ["shown_mismatch B1 [1 10]"]),
    ],
)
def test_impossible_showing_is_found(
    script: str, options: dict[str, Any], findings: list[str]
) -> None:
    assert findings_of(script, **options) == findings


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("a:AS b:2S c:4S d:5S a! a:AC", []),
        ("a:AS b:2S c:4S d:5S b!", ["wrong_winner B3 [5 1 2 3 4]"]),
        ("a:AS b:2C c:4S d:5S a! b+C", []),  # called after the last card
        ("a:AS b:2C b+C c:4S d:5S a!", ["wrong_winner B3 [6 2 1 4 5]"]),
        ("b+C a:AS b:2C c:4S d:5S b!", []),
        ("b+C a:AS b:2C c:4S d:5S a!", ["wrong_winner B3 [6 3 2 4 5]"]),
        ("a! b!1", ["wrong_winner B3 [2 1]"]),
        ("a! a!1", []),
        # After a wrong winner both may lead.
        ("a:AS b:2S c:4S d:5S b! b:AC", ["wrong_winner B3 [5 1 2 3 4]"]),
        ("a:AS b:2S c:4S d:5S b! a:AC", ["wrong_winner B3 [5 1 2 3 4]"]),
        (
            "a:AS b:2S c:4S d:5S b! c:AC",
            ["out_of_turn B2 [6 1 2 3 4 5]", "wrong_winner B3 [5 1 2 3 4]"],
        ),
    ],
)
def test_wrong_winner_is_found_by_the_cards(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("a:AS b:2S c:4S d:5S", []),
        ("b:AS", ["out_of_turn B2 [1]"]),  # eldest leads
        ("a:AS c:4S b:2S d:5S", ["out_of_turn B2 [2 3]"]),
        ("a:AS c:4S", []),  # b's card may still be missing from the record
        ("a:2S b:AS c:4S d:5S a:AC", ["out_of_turn B2 [5 1 2 3 4]"]),
        ("a! b:AS", ["out_of_turn B2 [2 1]"]),
        ("a! b! b:AS", []),
        ("a!2 b:AS", ["out_of_turn B2 [2]"]),  # the first trick
    ],
)
def test_play_out_of_turn_is_found(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


@pytest.mark.parametrize(
    ("script", "players", "findings"),
    [
        ("=A61", 4, []),
        ("=A61,B60", 4, ["total_mismatch B9 [1]"]),
        ("=A61/A11,B0", 4, ["total_mismatch B9 [1]"]),
        ("=A61/A9 =A60", 4, ["count_mismatch B9 [1 2]"]),  # counted again
        ("=A1/A1", 4, []),
        ("=A1/A0", 4, ["count_mismatch B9 [1]"]),
        ("=A119/A10", 4, ["count_mismatch B9 [1]"]),
        ("a:AS b:3S c:4S d:5S =A21", 4, []),
        ("a:AS b:3S c:4S d:5S =A20", 4, ["count_mismatch B9 [5 1 2 3 4]"]),
        ("a:AS b:3S c:4S d:5S =A21/A0", 4, ["count_mismatch B9 [5 1 2 3 4]"]),
        ("a:AS b:3S c:4S a! =A20", 4, ["count_mismatch B9 [5 1 2 3 4]"]),  # the cards there are
        ("a:AS b:3S c:4S a! =A21", 4, []),
        ("a:AS b:2S a:4S a! b* =a11", 2, []),
        ("a:AS b:2S a* =a119", 2, ["count_mismatch B9 [4 1 2 3]"]),
        # The winners of all tricks are known: a side without one has no points, and of the cards
        # there is a most and a least that a side can have.
        ("a! a! a! a! a! a! a! a! a! c! =A119", 4, ["count_mismatch B9 [11 1 2 3 4 5 6 7 8 9 10]"]),
        ("a! b! a! a! a! a! a! a! a! c! =A76", 4, []),  # four aces
        (
            "a! b! a! a! a! a! a! a! a! c! =A75",
            4,
            ["count_mismatch B9 [11 1 2 3 4 5 6 7 8 9 10]"],
        ),
        ("a! b! a! b! a! b! a! b! =a60,b59,c1,d0,e0", 5,
         ["count_mismatch B9 [9 1 2 3 4 5 6 7 8]"]),
        ("a! b! a! b! a! b! a! b! =a60,b60,c0,d0,e0", 5, []),
        ("a! b! a! b! a! b! a! =a60,b59,c1,d0,e0", 5, []),  # a trick is missing
        # With a card there twice nobody knows what the tricks hold.
        ("a:AS b:3S c:4S d:AS =A60", 4, ["duplicate_card B1 [4 1]"]),
    ],
)  # fmt: skip
def test_count_that_contradicts_the_record_is_found(
    script: str, players: int, findings: list[str]
) -> None:
    assert findings_of(script, players) == findings


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("=A61 $A61,B59", []),
        ("=A61 $B59", []),
        ("=A61 $A59", ["claim_mismatch B9 [2 1]"]),
        ("b+S b+C =A61 $A61,B69", []),
        ("b+S b+C =A61 $A61,B59", ["claim_mismatch B9 [4 1 2 3]"]),  # the Bris forgotten
        ("$A59", []),  # nothing to compare with
        ("x $A0,B0", []),
        ("x $A1", ["claim_mismatch B9 [2]"]),
    ],
)
def test_score_on_paper_is_compared(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


def test_trick_beyond_the_hand_is_found() -> None:
    tricks = " ".join(["a!"] * 10)
    assert findings_of(tricks) == []
    assert findings_of(f"{tricks} a!") == ["too_many B4 [11]"]
    assert findings_of(f"{tricks} a:AS b:2S") == ["too_many B4 [11 12]"]
    assert findings_of("a!14", 3) == ["too_many B4 [1]"]
    assert findings_of("a!13", 3) == []
    assert findings_of("a!9", 5) == ["too_many B4 [1]"]
    assert findings_of("a!21", 2) == ["too_many B4 [1]"]


def test_card_played_by_two_players_is_found() -> None:
    assert findings_of("a:AS b:AS") == ["duplicate_card B1 [2 1]"]
    assert findings_of("a:AS b:2S c:4S d:5S a:AC b:AS c:AS") == [
        "duplicate_card B1 [6 1]", "duplicate_card B1 [7 1]",
    ]  # fmt: skip
    assert hand("a:AS b:2S c:4S d:AS a*").result.complete is False


# ------------------------------------------------------------------------ what is not checked


def undecided(script: str, players: int = 4, **options: Any) -> list[str]:
    deal = hand(script, players, **options)
    return [c.about for c in CHECKS if c.decided is not None and not c.decided(deal)]


SUIT = "{0}:A{2} {1}:2{2} {0}:3{2} {1}:4{2} {0}:K{2} {1}:5{2} {0}:N{2} {1}:6{2} {0}:J{2} {1}:7{2}"
EVERY_CARD = " ".join(SUIT.format("a", "b", suit) for suit in "SCDB")
IN_TURN = "the order of play"
WINNERS = "the winners of the tricks"


@pytest.mark.parametrize(
    ("script", "players", "left"),
    [
        (EVERY_CARD, 2, []),
        (f"a+S {EVERY_CARD} =a120", 2, []),
        ("=a120", 2, [IN_TURN, WINNERS, "the count"]),
        ("a+S =A60", 4, ["each Bris", IN_TURN, WINNERS, "the count"]),
        ("A~ =A60", 4, ["the exchange of hands", IN_TURN, WINNERS, "the count"]),
        (f"{FIVE} A~ b! b! b! b! b! =A60", 4, [IN_TURN, WINNERS, "the count"]),
        ("a:AS b:2S a*", 2, [IN_TURN, WINNERS]),
    ],
)
def test_what_the_record_leaves_open(script: str, players: int, left: list[str]) -> None:
    assert undecided(script, players) == left


def test_every_check_cites_a_clause() -> None:
    clauses = {clause.id for clause in BOOK.clauses}
    assert {check.rule for check in GAME.checks} <= clauses
    assert all(check.settles for check in CHECKS if check.decided)


@pytest.mark.parametrize(
    ("count", "out"),
    [("", []), (" =b5", []), (" =a120", [])],
)
def test_with_all_cards_on_record_a_count_is_compared_and_not_only_held_within_reach(
    count: str, out: list[Any]
) -> None:
    deal = hand(EVERY_CARD + count, 2)
    assert deal.points_made() is not None
    assert list(count_out_of_reach(deal)) == out


def test_without_a_count_nothing_is_out_of_reach() -> None:
    assert list(count_out_of_reach(hand("a:AS b:2S a*", 2))) == []

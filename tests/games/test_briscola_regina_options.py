"""The options with which Briscola Regina is Marianna: figures, trumps, and when Bris is called."""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.games.briscola_regina import GAME
from scorekeeper.play.prompts import Level
from scorekeeper.play.rulebook import Numbers
from tests.games.regina import findings_of, hand, scores

THREE = "a+D b+C a+S =A55,B65"  # A shows coins, B cups, A swords


@pytest.mark.parametrize(
    ("points", "side_a", "side_b"),
    [
        ([0, 10, 20, 30], 75, 75),
        ([20, 40, 60, 80], 135, 105),
        ([40, 60, 80, 100], 175, 125),
        ([40, 20, 20, 20], 115, 85),
        ([0, 0, 0, 0], 55, 65),
        ([5, 7, 0, 1], 60, 72),
    ],
)
def test_bris_has_the_points_of_the_option(points: list[int], side_a: int, side_b: int) -> None:
    assert scores(THREE, bris_points=points) == {"A": side_a, "B": side_b}


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([0, 10, 20, 30], "0, 10, 20 and 30 points"),
        ([40, 20, 20, 20], "40 points, and 20 for each after it"),
        ([0, 0, 0, 0], "nothing: they only make trump"),
        ([40, 21, 20, 20], "this many points each"),
    ],
)
def test_texts_of_the_points_for_bris(points: list[int], words: str) -> None:
    (option,) = (option for option in GAME.book.options if option.name == "bris_points")
    assert option.meaning(points) == words


def test_each_side_has_its_own_count() -> None:
    own = scores(THREE, bris_points=[40, 60, 80, 100], bris_count="side")
    assert own == {"A": 55 + 40 + 60, "B": 65 + 40}


@pytest.mark.parametrize("points", [[1, 2, 3], [1, 2, 3, 4, 5], [-1, 0, 0, 0], [1.5, 2, 3, 4], 40])
def test_points_for_bris_must_be_four_whole_numbers(points: Any) -> None:
    with pytest.raises(UnusableError) as refused:
        GAME.options({"bris_points": points}, 4)
    assert refused.value.field == "data.options.bris_points"


# A leads coins with coins trump; the Bris on cups in mid-trick turns the trick.
TURNED = "a+D a:4D b:5D b+C c:2C d:6D"


@pytest.mark.parametrize(("changes", "winner"), [(False, "d"), (True, "c")])
def test_complete_trick_is_decided_by_the_current_trump(changes: bool, winner: str) -> None:
    deal = hand(TURNED, trump_changes=changes)
    assert deal.won[0].player == winner
    assert deal.trump == ("C" if changes else "D")


def test_a_suit_called_again_makes_no_trump() -> None:
    assert hand("a+D b+C c+D", trump_changes=True).trump == "C"


def test_line_of_a_bris_says_whether_it_makes_trump() -> None:
    def texts(**options: Any) -> list[str]:
        lines = hand(THREE, **options).result.lines
        return [str(line.text) for line in lines if line.rule == "B7"]

    assert "Bris number 2 of the hand: " in texts()[1]
    assert "Bris number 2 of the hand, which makes trump: " in texts(trump_changes=True)[1]
    own = texts(trump_changes=True, bris_count="side")
    assert "Bris number 2 of the side, which makes trump: " in own[2]


STOCK = "a! a! a! a!"  # four of the five tricks after which four players have no stock


@pytest.mark.parametrize(
    ("options", "script", "faults"),
    [
        ({}, f"{STOCK} a! b+C", []),
        ({"bris_until": "stock_out"}, f"{STOCK} b+C", []),
        ({"bris_until": "stock_out"}, f"{STOCK} a! b+C", ["bad_call B5 [6]"]),
        ({"bris_until": "stock_out"}, "b+C a+S =A55,B65", []),
        ({"bris_when": "between_tricks"}, "b+C a:4D b:5D c:6D d:7D a+S", []),
        ({"bris_when": "between_tricks"}, "a:4D b+C b:5D", ["bad_call B5 [2 1]"]),
        ({"bris_when": "own_turn"}, "a:4D b+C b:5D", []),
        ({"bris_when": "own_turn"}, "a:4D c+C b:5D", ["bad_call B5 [2 1]"]),
        ({"bris_when": "own_turn"}, "a:4D c:5D b+C b:6D d:7D", ["out_of_turn B2 [2 4]"]),
        ({"bris_when": "own_turn"}, "a+C a:4D", []),
        ({"bris_when": "own_turn"}, "b+C a:4D", ["bad_call B5 [1 2]"]),
        ({"bris_when": "own_turn"}, "b+C a! c+S", []),
    ],
)
def test_bris_out_of_time_is_found(options: dict[str, Any], script: str, faults: list[str]) -> None:
    assert findings_of(script, **options) == faults


def offered(
    script: str, kind: str = "bris_called", level: Level | None = None, **options: Any
) -> set[str]:
    """Return the players who are offered a Bris, or an event of another type."""
    prompts = GAME.prompted(hand(script, **options), level)
    choices: list[Any] = [choice for prompt in prompts for choice in prompt.choices]
    return {choice.player for choice in choices if kind == choice.TYPE}


def test_bris_is_offered_only_in_time() -> None:
    assert offered("a:4D") == set("abcd")
    assert offered("a:4D", bris_when="own_turn") == {"b"}
    assert offered("a:4D", bris_when="between_tricks") == set()
    assert offered("a! b!", bris_when="own_turn") == set("abcd")
    assert offered(f"{STOCK} a!", bris_until="stock_out") == set()
    assert offered(STOCK, bris_until="stock_out") == set("abcd")


@pytest.mark.parametrize(
    ("script", "players"),
    [
        ("a:4D b! b:4C c:5D", {"d"}),  # a trick with one card and its winner
        ("a! a:4D", {"b"}),
        ("", {"a"}),
        ("a:4D b:5D c:6D d:7D", {"d"}),
        ("a! b!", {"b"}),
    ],
)
def test_bris_of_a_trick_by_its_cards_is_offered_in_turn(script: str, players: set[str]) -> None:
    assert offered(script, level="cards", bris_when="own_turn") == players


@pytest.mark.parametrize("script", ["", "a:4D b!", "a:4D b:5D c:6D d:7D"])
def test_bris_of_a_trick_by_its_winner_is_offered_to_all(script: str) -> None:
    assert offered(script, level="tricks", bris_when="own_turn") == set("abcd")


def test_trick_after_bris_of_another_player_is_recorded_by_its_winner() -> None:
    assert offered("a+C", "card_played", bris_when="own_turn") == {"a"}
    assert offered("b+C", "card_played", bris_when="own_turn") == set()
    assert offered("b+C", "trick_taken", bris_when="own_turn") == set("abcd")
    assert offered("b+C a!", "card_played", bris_when="own_turn") == {"a"}
    assert offered("b+C", "card_played") == {"a"}


def test_usual_options_are_reported_unchanged() -> None:
    usual = GAME.book.reported(GAME.options(None, 4))
    assert set(usual) == {"pack", "removed_two", "bris_count", "hand_exchange", "tie", "match"}
    assert str(Numbers(least=4, most=4, high=9)) == "a list of 4 numbers from 0 to 9"
    options = GAME.options({"bris_points": [20, 40, 60, 80]}, 4)
    assert set(GAME.book.reported(options)) == {*usual, "bris_points"}

"""A first trick that is played before the call, the duty to bid, and a return after a pass.

Tests of ``games.briscola_chiamata.rules``.
"""

from typing import Any

import pytest

from scorekeeper.cards.packs import Card
from scorekeeper.games.briscola_chiamata import GAME
from tests.games.calling import findings_of, play, scores
from tests.games.calling_prompts import prompts, types, words

BLIND: dict[str, Any] = {"trump_named": "after_first_trick"}
RETURN: dict[str, Any] = {"pass": "may_return"}
FIRST = "a#J a:AC b:3D c:7B d:KC e:2D"


def test_blind_first_trick_has_no_winner_before_the_call() -> None:
    deal = play(GAME, FIRST, **BLIND)
    assert (deal.winning, deal.won, deal.trump) == ({}, [], None)
    assert deal.points_at_least() == {"bidder": 0, "defenders": 0}
    one_suit = "a#J a:AC b:3C c:7C d:KC e:2C"
    assert play(GAME, one_suit, **BLIND).winning == {}
    assert play(GAME, one_suit).winning[1].player == "a"


@pytest.mark.parametrize(("called", "winner"), [("JD", "b"), ("JB", "c"), ("JS", "a")])
def test_blind_first_trick_is_decided_by_the_called_trump(called: str, winner: str) -> None:
    deal = play(GAME, f"{FIRST} a+{called} @a", **BLIND)
    assert deal.winning[1].player == winner
    side = "bidder" if winner == "a" else "defenders"
    assert deal.points_at_least()[side] == 25
    assert findings_of(GAME, deal) == []
    assert prompts(GAME, deal, "cards")[0].choices[0].player == winner  # type: ignore[attr-defined]


def test_called_card_may_be_in_the_first_trick() -> None:
    own_call = play(GAME, "a#3 a:AC b:3D c:7B d:KC e:2D a+3D =61", **BLIND)
    assert scores(own_call) == {"a": 2, "b": 1, "c": -1, "d": -1, "e": -1}
    own = play(GAME, "a#A a:AC b:3D c:7B d:KC e:2D a+AC =61", **BLIND)
    assert scores(own) == {"a": 4, "b": -1, "c": -1, "d": -1, "e": -1}


@pytest.mark.parametrize(
    ("script", "faults"),
    [
        (f"{FIRST} a+JD b:2S", []),
        (f"{FIRST} b:2S a+JD", ["bad_call C4 8 7"]),
        ("a#J a+JD a:AC b:3D c:7B d:KC e:2D", ["bad_call C4 2 7"]),
        ("a#J a:AC b:3D a+JD c:7B d:KC e:2D", ["bad_call C4 4 7"]),
        ("a#J b! a+JD", []),
        ("a#J a+JD b!", []),
        ("a#J @b =61 a+JD", []),
    ],
)
def test_blind_call_outside_the_first_two_tricks_is_found(script: str, faults: list[str]) -> None:
    assert findings_of(GAME, play(GAME, script, **BLIND)) == faults
    assert not [
        finding for finding in findings_of(GAME, play(GAME, script)) if "bad_call C4" in finding
    ]


@pytest.mark.parametrize(
    ("script", "faults"),
    [
        ("a#J b! c! a+JD", ["out_of_time C4 4 3"]),
        ("a#J b! a+JD c!", []),
        ("a#J b* a+JD", ["out_of_time C4 3 2"]),
        (f"{FIRST} b:2S a+JD", ["bad_call C4 8 7"]),  # and nothing beside it
    ],
)
def test_blind_call_after_the_second_trick_began_is_late(script: str, faults: list[str]) -> None:
    assert findings_of(GAME, play(GAME, script, **BLIND)) == faults


def test_prompts_of_a_blind_first_trick() -> None:
    def offered(script: str, level: str = "cards") -> str:
        return types(prompts(GAME, play(GAME, script, **BLIND), level))

    assert offered("a#J b#- c#- d#- e#-") == "card_played partner_revealed rest_claimed"
    assert "card_called" not in offered("a#J b#- c#- d#- e#- a:AC b:3D")
    after = offered(f"{FIRST}")
    assert after.startswith("card_called")
    assert "card_played" not in after
    assert "card_called" not in offered("a#J b#- c#- d#- e#-", "tricks")
    assert offered("a#J b#- c#- d#- e#- c!", "tricks").startswith("card_called")
    calls = words(prompts(GAME, play(GAME, FIRST, **BLIND), "cards"), "card_called")
    assert calls == ["a+JS", "a+JC", "a+JD", "a+JB"]


def test_card_played_by_another_than_the_revealed_partner_is_not_offered() -> None:
    deal = play(GAME, f"{FIRST} @b", **BLIND, call_duty="any")
    calls = words(prompts(GAME, deal, "cards"), "card_called")
    assert "a+3D" in calls
    assert "a+AB" in calls
    assert not {"a+AC", "a+7B", "a+KC", "a+2D"} & {*calls}


def test_call_contradicted_by_the_first_trick_is_not_offered() -> None:
    """On 75 the bidder calls the lowest trump not held: the 2 of coins, or a higher one."""
    deal = play(GAME, "a#75 a:2C b:2D c:7B d:KC e:4C", **BLIND)
    calls = words(prompts(GAME, deal, "cards"), "card_called")
    assert {"a+2C", "a+2D"} <= set(calls)
    assert not [call for call in calls if call[-1] == "D" and call != "a+2D"]  # a lacks the 2
    assert not [call for call in calls if call[-1] == "C" and call not in ("a+2C", "a+4C")]
    alone = play(GAME, "a#J a:JC b:2D c:7B d:KC e:4C", alone="forbidden", **BLIND)
    assert words(prompts(GAME, alone, "cards"), "card_called") == ["a+JS", "a+JD", "a+JB"]


# ----------------------------------------------------------------------------------- the auction


@pytest.mark.parametrize(
    ("options", "script", "faults"),
    [
        ({}, "a#- b#- c#- d#- e#-", []),
        ({"last_must_bid": 71}, "a#- b#- c#- d#- e#-", ["bad_bid C1 5 4"]),
        ({"last_must_bid": 71}, "a#- b#- c#- d#- e#70", ["bad_bid C1 5 4"]),
        ({"last_must_bid": 71}, "a#- b#- c#- d#- e#71", []),
        ({"last_must_bid": 71}, "a#- b#- c#- d#62 e#-", []),
        ({"last_must_bid": 71}, "a#62 b#- c#- d#- e#-", []),
        (RETURN, "a#- b#62 c#- d#- e#- a#63 b#-", []),
        ({}, "a#- b#62 c#- d#- e#- a#63", ["bad_bid C1 6 1"]),
        (RETURN, "a#- b#- c#- d#- e#- a#62", ["bad_bid C1 6 1"]),
        (RETURN, "a#- b#62 a#63 c#-", ["out_of_turn C1 3 4"]),
        (RETURN, "c#- b#62 c#63", []),  # in part: others may have bid between
        (RETURN, "a#62 b#- c#- d#- e#- e#-", ["bad_bid C1 6 5"]),
        (RETURN, "a#- b#62 c#- d#- e#- a#- a#-", ["bad_bid C1 7 6"]),
        (RETURN, "b#62 c#- d#- e#- a#- a#-", []),  # in part: the order says nothing
        ({}, "a#120 b#- c#-", []),  # nobody had to pass, and no pass was repeated
    ],
)
def test_duty_to_bid_and_return_after_a_pass(
    options: dict[str, Any], script: str, faults: list[str]
) -> None:
    assert findings_of(GAME, play(GAME, script, **options)) == faults


def test_last_player_is_offered_the_bids_that_are_due() -> None:
    deal = play(GAME, "a#- b#- c#- d#-", last_must_bid=71)
    offered = words(list(GAME.prompts(deal)), "bid_made")
    assert (offered[0], offered[-1], len(offered)) == ("e#71", "e#120", 50)
    assert "hand_abandoned" not in types(list(GAME.prompts(deal)))
    assert "e#-" in words(list(GAME.prompts(play(GAME, "a#- b#- c#- d#-"))), "bid_made")


def test_auction_with_revocable_passes_ends_after_a_round_of_passes() -> None:
    deal = play(GAME, "a#62 b#- c#- d#- e#63", **RETURN)
    assert (deal.auction.over, deal.auction.speaker) == (False, "a")
    deal = play(GAME, "a#62 b#- c#- d#- e#63 a#- b#- c#- d#-", **RETURN)
    assert (deal.auction.over, deal.bidder) == (True, "e")
    assert play(GAME, "a#- b#- c#- d#- e#-", **RETURN).result.abandoned


HELD = "?AD,KD,7D,5D,2D,2S,4S,5S"


@pytest.mark.parametrize(
    ("needs", "bid", "holding", "weak"),
    [
        ("weight", 95, HELD, True),
        ("trumps", 95, HELD, False),
        ("none", 95, HELD, False),
        ("weight", 70, HELD, False),
        ("weight", 71, HELD, True),
        ("weight", 95, "?AD,3D,7D,5D,2D,2S,4S", False),  # not all cards of the bidder
        (
            "weight",
            95,
            f"{HELD} b?6S",
            True,
        ),  # cards that another player shows are not the bidder's
        ("weight", 95, "?AD,3D,KD,2S,4S,5S,6S,7S", False),  # 11 + 10 + 4
        ("trumps", 91, "?AD,3D,KD,2S,4S,5S,6S,7S", True),
        ("trumps", 90, "?AD,3D,KD,2S,4S,5S,6S,7S", False),
        ("trumps", 110, "?7D,6D,5D,2D,2S,4S,5S,6S", False),
        ("trumps", 111, HELD, False),
        ("trumps", 111, "?AD,6D,7D,5D,2D,2S,4S,5S", True),
        ("trumps", 111, "?JD,6D,7D,5D,2D,NS,4D,5S", False),
    ],
)
def test_bid_on_weak_trumps_is_found_by_the_option(
    needs: str, bid: int, holding: str, weak: bool
) -> None:
    deal = play(GAME, f"a#{bid} a+4D a{holding} @b =120", bid_needs=needs, call_duty="any")
    assert ("bad_bid C2 1 2" in findings_of(GAME, deal)) is weak
    assert (scores(deal) or {})["a"] > 0  # it is paid all the same


@pytest.mark.parametrize(
    ("bid", "trumps", "weak"),
    [
        (62, "AD,2D", True),  # 11 + 1 of 13
        (62, "AD,JD", False),
        (70, "AD,JD", False),
        (71, "AD,KD,JD,2D", True),  # 18 of 19
        (71, "AD,KD,JD,2D,5D", False),
        (80, "AD,KD,JD,2D,5D", False),
        (81, "AD,3D,2D", True),  # 22 of 23
        (81, "AD,3D,2D,5D", False),
        (90, "AD,3D,2D,5D", False),
        (91, "AD,3D,JD,2D", True),  # 24 of 25
        (91, "AD,3D,KD", False),
        (100, "AD,3D,KD", False),
        (101, "AD,3D,KD,JD", True),  # 27 of 28
        (101, "AD,3D,KD,JD,2D", False),
        (101, "AD,3D,ND,JD,2D,5D", False),  # 11 + 10 + 3 + 2 + 1 + 1
    ],
)
def test_every_band_of_bids_has_a_weight_of_its_own(bid: int, trumps: str, *, weak: bool) -> None:
    others = ["2S", "4S", "5S", "6S", "7S", "2C"]
    held = ",".join([*trumps.split(","), *others][:8])
    deal = play(GAME, f"a#{bid} a+4D a?{held} @b =120", bid_needs="weight", call_duty="any")
    assert ("bad_bid C2 1 2" in findings_of(GAME, deal)) is weak


def test_card_of_the_example_wins_the_trick() -> None:
    deal = play(GAME, f"{FIRST} a+JD", **BLIND)
    assert deal.winning[1].card is Card.parse("3D")

"""Prompts of a hand of Briscola Chiamata.

Tests of ``families.called_card.prompts``.
"""

from typing import Any

import pytest

from scorekeeper.games.briscola_chiamata import GAME
from scorekeeper.play.prompts import LEVELS, Prompt
from tests.games import calling_prompts
from tests.games.calling_prompts import types, words
from tests.games.chiamata import (
    AUCTION,
    BIDDERS_TRICKS,
    CARDS,
    DEFENDERS_TRICKS,
    FULL,
    LED,
    T1,
    WINNERS,
    hand,
)
from tests.refusals import refusal_of


def offered(script: str, level: str) -> list[Prompt]:
    return calling_prompts.prompts(GAME, hand(script), level)


# The types that are offered at totals, at tricks and at cards, in order.
STAGES = {
    "": ("bid_made hand_abandoned", "bid_made hand_abandoned", "bid_made"),
    "a#-": ("bid_made hand_abandoned", "bid_made hand_abandoned", "bid_made"),
    "a#70": (
        "bid_made partner_revealed",
        "bid_made card_called trick_taken partner_revealed rest_claimed",
        "bid_made card_called partner_revealed rest_claimed",
    ),
    "b#70": (  # where eldest's bid is not on record, more are unlikely
        "partner_revealed bid_made",
        "card_called trick_taken partner_revealed rest_claimed bid_made",
        "card_called partner_revealed rest_claimed bid_made",
    ),
    AUCTION: (
        "partner_revealed",
        "card_called trick_taken partner_revealed rest_claimed",
        "card_called partner_revealed rest_claimed",
    ),
    "b#J b+JC": (
        "partner_revealed",
        "trick_taken partner_revealed rest_claimed",
        "card_played partner_revealed cards_shown rest_claimed",
    ),
    "b#J @d": (
        "points_counted outcome_recorded",
        "card_called trick_taken rest_claimed",
        "card_called rest_claimed",
    ),
    "b#J b+JC @d": (
        "points_counted outcome_recorded",
        "trick_taken rest_claimed",
        "card_played cards_shown rest_claimed",
    ),
    "b#J b+JC a:4S": (
        "partner_revealed",
        "trick_taken partner_revealed",
        "card_played partner_revealed cards_shown",
    ),
    f"b#J b+JC {T1}": (
        "partner_revealed",
        "trick_taken partner_revealed rest_claimed",
        "card_played partner_revealed cards_shown rest_claimed",
    ),
    "b#J b+JC a!": (
        "partner_revealed",
        "trick_taken partner_revealed rest_claimed",
        "card_played partner_revealed rest_claimed",
    ),
    f"b#J b+JC {WINNERS}": ("partner_revealed",) * 3,
    f"b#J b+JC {WINNERS} @d": ("points_counted outcome_recorded",) * 3,
    f"b#J b+JC {LED} b*": ("partner_revealed",) * 3,
    "b#J b*": ("partner_revealed",) * 3,
    "b#J b!": (  # a call would be late, and a finding
        "partner_revealed",
        "trick_taken partner_revealed rest_claimed",
        "partner_revealed rest_claimed",
    ),
    "b#J =70": ("partner_revealed",) * 3,  # a count is no use without the parties
    FULL: ("", "", ""),
    f"b#J b+JC {LED} b* @d": ("", "", ""),
    "b#J @d made": ("", "", ""),
    "b#J @d =70": ("", "", ""),
    "a#- b#- c#- d#- e#-": ("", "", ""),
    "b#J x": ("", "", ""),
}  # fmt: skip


@pytest.mark.parametrize("script", STAGES)
def test_prompts_after_a_record(script: str) -> None:
    assert tuple(types(offered(script, level)) for level in LEVELS) == STAGES[script]


@pytest.mark.parametrize(("script", "offers"), [("b#J", False), ("b#J b!", True),
                                                ("b#J b! c!", False)])  # fmt: skip
def test_blind_call_is_offered_right_after_the_first_trick(script: str, offers: bool) -> None:
    deal = hand(script, trump_named="after_first_trick")
    for level in ("tricks", "cards"):
        prompts_ = calling_prompts.prompts(GAME, deal, level)
        assert ("card_called" in types(prompts_)) is offers


# Whose bid it is, how many bids there are, and the first of them.
SPEAKERS = {
    "": ("a", 70, ["a#-", "a#A", "a#3", "a#K"]),
    "a#A b#3": ("c", 68, ["c#-", "c#K", "c#N"]),
    "a#4": ("b", 61, ["b#-", "b#2", "b#62"]),
    "a#119": ("b", 2, ["b#-", "b#120"]),
    "a#- b#- c#- d#-": ("e", 70, ["e#-", "e#A"]),
    "a#A b#- c#3 d#- e#-": ("a", 68, ["a#-", "a#K"]),
    "a#A b#- c#3 d#- e#- a#K": ("c", 67, ["c#-", "c#N"]),
    "b#70": ("c", 51, ["c#-", "c#71"]),
    "a#70 b#62": ("b", 51, ["b#-", "b#71"]),  # too low: b bids again
    "a#70 c#71": ("d", 50, ["d#-", "d#72"]),  # out of turn, and it goes on from there
}


@pytest.mark.parametrize("script", SPEAKERS)
def test_bids_in_turn(script: str) -> None:
    player, many, first = SPEAKERS[script]
    in_turn = next(prompt for prompt in offered(script, "cards") if prompt.type == "bid_made")
    bids = words([in_turn], "bid_made")
    assert (in_turn.player, len(bids), bids[: len(first)]) == (player, many, first)


def test_a_french_pack_has_a_queen_to_bid() -> None:
    bids = words(list(GAME.prompts(hand("", pack="french"))), "bid_made")
    assert "a#Q" in bids
    assert "a#N" not in bids


def test_winning_bid_alone_can_be_recorded() -> None:
    prompts = [prompt for prompt in offered("", "totals") if prompt.type == "bid_made"]
    assert [prompt.player for prompt in prompts] == list("abcde")
    assert not any(bid.endswith("-") for bid in words(prompts, "bid_made"))


def test_no_bid_is_offered_after_the_auction() -> None:
    for script in (AUCTION, "a#120", "a#70 a+2S", "a#70 @b", "a#70 c!"):
        assert "bid_made" not in types(offered(script, "cards"))


def test_missing_bid_of_a_caller_is_offered() -> None:
    """A call without a bid is recorded as it happened."""
    assert {bid[0] for bid in words(offered("c+JC", "totals"), "bid_made")} == {"c"}


# The first cards that can be called, and how many there are.
CALLS = {
    "b#J": (["b+JS", "b+JC", "b+JD", "b+JB"], 4),
    "b#70": (["b+2S", "b+2C", "b+2D", "b+2B", "b+4S"], 36),  # nobody holds nine lower trumps
    "b#2": (["b+2S", "b+2C", "b+2D", "b+2B", "b+4S"], 36),
    "b#70 @b": (["b+2S", "b+2C", "b+2D", "b+2B"], 4),  # alone, so the bidder holds it
    "b#70 c?4S": (["b+2S", "b+2C", "b+2D", "b+2B", "b+4S", "b+4C"], 29),
}


@pytest.mark.parametrize("script", CALLS)
def test_cards_to_call(script: str) -> None:
    first, many = CALLS[script]
    cards = words(offered(script, "tricks"), "card_called")
    assert (cards[: len(first)], len(cards)) == (first, many)


def test_call_of_a_higher_trump_proves_the_lower_ones() -> None:
    """The bidder called the seven, and so holds the lower trumps but not the seven (C4)."""
    offered_cards = words(offered("a#70 a+7S", "cards"), "card_played")
    assert {"a:6S", "a:5S", "a:4S", "a:2S"} <= set(offered_cards)
    assert "a:7S" not in offered_cards
    another = words(offered("a#70 a+7S a:2S", "cards"), "card_played")
    assert "b:7S" in another
    assert not {"b:6S", "b:5S", "b:4S", "b:2S"} & set(another)


# The players who can be revealed as partner, and who can play or show the called card next.
PARTNERS = {
    "b#J": "a c d e b",
    "b#J b+JC": "a c d e b",
    "b#70 b+7S": "a c d e",
    "b#70 b+2S": "a c d e b",
    "b#J b+JC d?JC": "d",
}


@pytest.mark.parametrize("script", PARTNERS)
def test_partners(script: str) -> None:
    partners = words(offered(script, "totals"), "partner_revealed")
    assert partners == [f"@{player}" for player in PARTNERS[script].split()]


def test_the_called_card_is_the_partners() -> None:
    assert "a:JC" in words(offered("b#J b+JC", "cards"), "card_played")
    assert "a:JC" not in words(offered("b#J b+JC @d", "cards"), "card_played")
    assert words(offered("b#J b+JC @d", "cards"), "cards_shown") == ["d?JC"]
    assert "d:JC" in words(offered("b#J b+JC @d a:2C b:4C c:5C", "cards"), "card_played")


def test_no_partner_is_offered_after_the_called_card_was_played() -> None:
    assert types(offered("b#J b+JC a:4S b:5S c:6S d:JC", "totals")) == (
        "points_counted outcome_recorded"
    )


# The last words of a whole hand are left out: what can be played then.
LAST = {1: "b:NC", 2: "a:KC a:NC", 5: "c:3C c:6C c:7C c:KC c:NC"}


@pytest.mark.parametrize("many", LAST)
def test_the_last_cards(many: int) -> None:
    script = FULL.rsplit(" ", many)[0]
    assert sorted(words(offered(script, "cards"), "card_played")) == LAST[many].split()


def test_card_shown_by_another_player_is_not_offered() -> None:
    script = FULL.rsplit(" ", 5)[0]
    assert "c:NC" not in words(offered(f"{script} b?NC", "cards"), "card_played")
    assert words(offered(f"{script} c?3C", "cards"), "card_played") == ["c:3C"]


# Who can take all the rest.
TAKERS = {
    "b#A b+AC": "a b c d e",
    "b#A b+AC c?AC": "c",
    "b#A b+AC @e": "e",
    f"b#J b+JC {LED}": "b a c d e",
    f"b#J b+JC {LED} b!": "b a c d e",  # named for the trick before
    "b#J a! a!": "a b c d e",
}


@pytest.mark.parametrize("script", TAKERS)
def test_the_rest(script: str) -> None:
    takers = words(offered(script, "cards"), "rest_claimed")
    assert takers == [f"{player}*" for player in TAKERS[script].split()]


def test_only_the_leader_claims_the_rest_without_trumps() -> None:
    """Batons are trump, and the last of them, the jack, takes the seventh trick."""
    script = f"b#J b+JB {CARDS}".rsplit(" ", 5)[0]
    assert words(offered(script, "cards"), "rest_claimed") == ["e*"]


# The counts that are offered: how many, the fewest and the most of the bidder's party.
COUNTS = {
    "b#J @d": (119, 0, 120),  # no cards make 1, so that nobody has 119
    f"b#J @d {BIDDERS_TRICKS}": (1, 120, 120),
    f"b#J @d {DEFENDERS_TRICKS}": (1, 0, 0),
    "b#J @d b! b! b! b! b! b! b! a!": (
        52,
        66,
        120,
    ),  # five cards make 54 at most, never 1, 49 or 50
    f"b#J b+JC @d {LED}": (91, 28, 120),  # 28 in the first trick, and neither 29 nor 119
}


@pytest.mark.parametrize("script", COUNTS)
def test_counts(script: str) -> None:
    prompts = [prompt for prompt in offered(script, "totals") if prompt.type == "points_counted"]
    points = sorted({int(word[1:].split(",")[0]) for word in words(prompts, "points_counted")})
    assert (len(points), points[0], points[-1]) == COUNTS[script]
    assert prompts[0].counts is not None
    assert prompts[0].counts.least["bidder"] == points[0]
    assert prompts[0].counts.most["bidder"] == points[-1]


def test_count_may_have_all_tricks_for_one_party() -> None:
    def sweeps(script: str) -> list[str]:
        return [word for word in words(offered(script, "totals"), "points_counted") if "/" in word]

    assert sweeps("b#J @d") == ["=120,0/8,0", "=0,120/0,8"]
    assert sweeps(f"b#J b+JC @d {LED}") == ["=120,0/8,0"]
    assert sweeps(f"b#J @d {WINNERS}") == []


OUTCOMES = {
    "b#J @d": "made lost",
    f"b#J @d {BIDDERS_TRICKS}": "made",
    f"b#J @d {DEFENDERS_TRICKS}": "lost",
    "b#J @d b! b! b! b! b! b! b! a!": "made",
    "b#70 @d b! b! b! b! b! b! b! a!": "made lost",
}


@pytest.mark.parametrize("script", OUTCOMES)
def test_outcomes(script: str) -> None:
    assert words(offered(script, "totals"), "outcome_recorded") == OUTCOMES[script].split()


def test_cards_shown_by_two_players_may_be_anybodys() -> None:
    assert len(words(offered("b#J b+JC c?JC d?JC", "cards"), "card_played")) == 40


IRREGULAR = (
    "b#70 b#71 a#62 b#-",
    "b#- b#70",
    "a#J a+JC b+JC",
    "a#J b+JC",
    "a#J a+3C",
    "a+JC",
    "a:4S",
    f"{T1}",
    f"b#J {T1}",
    "b#J b+JC b:4S",
    "b#J b+JC a:4S c:5S b:6S",
    "b#J b+JC a:4S b:4S",
    "b#J b+JC a:4S b:5S c!",
    "b#J b+JC a:4S b:5S c! d:6S",
    f"b#J b+JC {CARDS} a:2S",
    "b#J b+JC a!3 b!12",
    "b#J b+JC c?JC d?JC",
    "b#J b+JC c?JC d:JC",
    "b#70 b+7S c:2S",
    "b#70 b+7S c?2S",
    "b#70 b+7S @b",
    "b#70 b+AS",
    "b#J @c @d b+JC e?JC",
    "b#J =70,70",
    "b#J @d =70,70",
    "b#J made lost",
    "b#J b* c*",
    "c* c!",
)


@pytest.mark.parametrize("script", IRREGULAR)
def test_choices_after_an_irregular_record_are_usable(script: str) -> None:
    for prompt in GAME.prompts(hand(script)):
        assert refusal_of(calling_prompts.record_choices, GAME, script, prompt) == ""


@pytest.mark.parametrize(
    ("options", "alone"),
    [
        ({}, True),
        ({"call_duty": "highest_missing"}, False),  # a card that the bidder lacks
        ({"call_duty": "any"}, True),
        ({"call_duty": "any", "alone": "forbidden"}, False),
    ],
)
def test_bidder_alone_is_offered_where_some_call_allows_it(
    options: dict[str, Any], alone: bool
) -> None:
    prompts = calling_prompts.prompts(GAME, hand("b#J", **options), "tricks")
    assert ("@b" in words(prompts, "partner_revealed")) is alone

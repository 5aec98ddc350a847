"""Prompts of a hand of Briscola col Monte."""

import pytest

from scorekeeper.cards.packs import ALL_CARDS
from scorekeeper.games.briscola_col_monte import GAME
from scorekeeper.play.prompts import LEVELS, Prompt
from scorekeeper.play.prompts.holdings import Holdings, possible_sets
from tests.games import calling_prompts
from tests.games.calling import play
from tests.games.calling_prompts import types, words
from tests.games.monte import AUCTION, CARDS, LAID, NEVER, SIX, T1, hand
from tests.refusals import refusal_of


def offered(script: str, level: str, seats: int = 5) -> list[Prompt]:
    return calling_prompts.prompts(GAME, hand(script, seats), level)


NAMED = f"{AUCTION} b+AC"
PLAYED = f"{NAMED} b^ b_{LAID} {CARDS}"

AFTER_THE_MONTE = (
    "cards_laid_away card_played called_card_shown partner_revealed cards_shown rest_claimed"
)

# The types that are offered at totals, at tricks and at cards, in order.
STAGES = {
    "": ("bid_made hand_abandoned", "bid_made hand_abandoned", "bid_made hand_abandoned"),
    "a#61": (
        "bid_made partner_revealed hand_abandoned",
        "bid_made card_called trick_taken partner_revealed rest_claimed hand_abandoned",
        "bid_made card_called partner_revealed rest_claimed hand_abandoned",
    ),
    AUCTION: (
        "partner_revealed",
        "card_called trick_taken partner_revealed rest_claimed",
        "card_called partner_revealed rest_claimed",
    ),
    NAMED: (
        "partner_revealed",
        "trick_taken called_card_shown partner_revealed rest_claimed",
        f"monte_taken {AFTER_THE_MONTE}",
    ),
    f"{NAMED} b^": (
        "partner_revealed",
        "trick_taken called_card_shown partner_revealed rest_claimed",
        AFTER_THE_MONTE,
    ),
    f"{NAMED} b^ b_": (
        "partner_revealed",
        "trick_taken called_card_shown partner_revealed rest_claimed",
        "card_played called_card_shown partner_revealed cards_shown rest_claimed",
    ),
    f"{NAMED} b%": (  # the neighbour is the partner
        "points_counted outcome_recorded",
        "trick_taken rest_claimed",
        "monte_taken cards_laid_away card_played cards_shown rest_claimed",
    ),
    f"{NAMED} b^ b_AC,2S,4S,2D,4D": (  # the bidder is alone
        "points_counted outcome_recorded",
        "trick_taken rest_claimed",
        "card_played rest_claimed",
    ),
    f"{NAMED} b^ b_ b:AS": (
        "partner_revealed",
        "trick_taken partner_revealed",
        "card_played partner_revealed cards_shown",
    ),
    f"{NAMED} c!": (
        "partner_revealed",
        "trick_taken partner_revealed rest_claimed",
        "card_played partner_revealed rest_claimed",
    ),
    f"{AUCTION} c! c! c! c! b! b! b! @c": (
        "points_counted outcome_recorded",
        "points_counted outcome_recorded",
        "points_counted outcome_recorded",
    ),
    PLAYED: ("", "", ""),
    f"{NAMED} {NEVER}": ("", "", ""),
    f"{AUCTION} @c lost": ("", "", ""),
    "a#- b#- c#- d#- e#-": ("", "", ""),
    "a#61 x": ("", "", ""),
}


@pytest.mark.parametrize("script", STAGES)
def test_prompts_after_a_record(script: str) -> None:
    assert tuple(types(offered(script, level)) for level in LEVELS) == STAGES[script]


def test_bids_are_numbers_of_points() -> None:
    assert words(offered("", "cards")[:1], "bid_made") == [
        "a#-",
        *(f"a#{points}" for points in range(61, 121)),
    ]
    assert words(offered("a#118", "cards"), "bid_made") == ["b#-", "b#119", "b#120"]


# Who may still ask for a new deal (M1).
NEW_DEALS = {
    "": "a b c d e",
    "a#61 b#-": "c d e",
    "a#61 b#- c?2S": "c d e",
    "a#61 b#- c?2S,KS": "d e",
    "c#120": "",
    "a#61 a+AC": "",
}


@pytest.mark.parametrize("script", NEW_DEALS)
def test_new_deals(script: str) -> None:
    dealers = words(offered(script, "cards"), "hand_abandoned")
    assert dealers == [f"x{player}" for player in NEW_DEALS[script].split()]


def test_any_card_can_be_named_the_aces_first() -> None:
    cards = words(offered(AUCTION, "tricks"), "card_called")
    assert len(cards) == 40
    assert cards[:5] == ["b+AS", "b+AC", "b+AD", "b+AB", "b+3S"]


def test_a_card_that_another_showed_is_not_named_by_a_bidder_who_is_alone() -> None:
    assert "b+AD" not in words(offered(f"{AUCTION} c?AD @b", "tricks"), "card_called")


# ----------------------------------------------------------------------------------- the monte


def sets(script: str, kind: str, seats: int = 5) -> list[set[str]]:
    """Return the sets of cards that are offered after the act without cards."""
    bare, *sets_offered = words(offered(script, "cards", seats), kind)
    assert len(bare) == 2
    return [set(word[2:].split(",")) for word in sets_offered]


def test_monte_may_have_any_cards_that_others_did_not_show() -> None:
    montes = sets(f"{NAMED} c?AC,3D", "monte_taken")
    assert {len(cards) for cards in montes} == {5}
    assert len({frozenset(cards) for cards in montes}) == len(montes) == 100
    assert set.union(*montes) == set(map(str, GAME.pack(GAME.options(None, 5), 5).cards)) - {
        "AC",
        "3D",
    }
    assert {len(cards) for cards in sets("a#70 a+AC", "monte_taken", seats=6)} == {4}


def test_monte_cards_without_points_are_offered_first_for_the_lay_away() -> None:
    away = sets(f"{NAMED} b^2S,4S,KD,5C,AB", "cards_laid_away")
    assert {len(cards) for cards in away} == {5}
    assert {"2S", "4S", "KD", "AB"} < away[0]
    assert "AC" in set.union(*away)


# By what is on record of it, whether the named card can be laid away.
LAID_AWAY = {
    "": True,
    "b%": False,  # shown
    "@b": True,
    "@c": False,  # the neighbour: the bidder holds it, or it was shown
    "@e": False,
    "c?AC": False,
    "b?AC": True,
    "b^AC,2S,4S,2D,4D": True,
    "b^AC,2S,4S,2D,4D @c": False,
}


@pytest.mark.parametrize("more", LAID_AWAY)
def test_named_card_may_be_offered_for_the_lay_away(more: str) -> None:
    away = sets(f"{NAMED} {more}", "cards_laid_away")
    assert ("AC" in set.union(*away)) is LAID_AWAY[more]


# By what is on record, whether the bidder can show the named card.
SHOWN = {
    "": True,
    "b^": True,
    "b^ b_": True,
    "@c": True,
    "b?AC": True,
    "@b": False,
    "@e": False,
    "c?AC": False,
    "b%": False,
    "b_AC,2S,4S,2D,4D": False,
    "b:2S": False,
    "c!": False,
    "b*": False,
}


@pytest.mark.parametrize("more", SHOWN)
def test_showing_of_the_named_card_is_offered_if_possible(more: str) -> None:
    shown = words(offered(f"{NAMED} {more}", "tricks"), "called_card_shown")
    assert shown == (["b%"] if SHOWN[more] else [])


# The players who can be revealed as partner.
PARTNERS = {
    AUCTION: "a c d e b",
    NAMED: "a c d e b",
    f"{NAMED} d?AC": "d",
    f"{NAMED} b?AC": "c b",
    f"{NAMED} b^AC,2S,4S,2D,4D": "c b",
    f"{NAMED} b^ b_{LAID}": "a c d e b",
    f"{NAMED} b%": "",
    f"{NAMED} b_AC,2S,4S,2D,4D": "",
}


@pytest.mark.parametrize("script", PARTNERS)
def test_partners(script: str) -> None:
    partners = words(offered(script, "totals"), "partner_revealed")
    assert partners == [f"@{player}" for player in PARTNERS[script].split()]


# ------------------------------------------------------------------------------------ the play


def test_the_bidder_leads() -> None:
    (lead_prompt,) = (p for p in offered(f"{NAMED} b^ b_", "cards") if p.type == "card_played")
    assert (lead_prompt.player, len(lead_prompt.choices)) == ("b", 40)
    cards = words(offered(f"{NAMED} b^ b_{LAID}", "cards"), "card_played")
    assert len(cards) == 35
    assert not {f"b:{card}" for card in LAID.split(",")} & set(cards)


def test_a_card_of_the_monte_is_the_bidders() -> None:
    cards = words(offered(f"{NAMED} b^5D,4S,2D,4D,2S b_ {T1} b:KS", "cards"), "card_played")
    assert {card[0] for card in cards} == {"c"}
    assert not {"c:5D", "c:4S", "c:2D", "c:4D", "c:2S"} & set(cards)


# A whole hand without its last words, and the cards that can be played then. Only the cards played
# show who holds the others, and those laid away if that is not on record.
LAST = {
    f"{NAMED} b^ b_{LAID} {CARDS}": "a:KC",
    f"{NAMED} b^ b_ {CARDS}": "a:2D a:2S a:4D a:4S a:JB a:KC",
    f"{NAMED} b^{LAID} b_ {CARDS}": "a:KC",
}


@pytest.mark.parametrize("script", LAST)
def test_the_last_card(script: str) -> None:
    cards_offered = words(offered(script.rsplit(" ", 1)[0], "cards"), "card_played")
    assert sorted(cards_offered) == LAST[script].split()


def test_card_shown_is_played_at_last() -> None:
    """The exception is a card that the bidder showed before the lay-away."""
    before = " ".join(CARDS.split()[:30])
    late = words(offered(f"{NAMED} b^ b_ b?6B {before}", "cards"), "card_played")
    early = words(offered(f"{NAMED} b^ b?6B b_ {before}", "cards"), "card_played")
    assert late == ["b:6B"]
    assert len(early) == 10
    script = f"b#70 b+NB b% {SIX}".rsplit(" ", 1)[0]
    assert words(offered(script, "cards", seats=6), "card_played") == ["b:NB"]


# The counts that are offered: how many, the fewest and the most of the bidder's party.
COUNTS = {
    "b#70 @c": (119, 0, 120),
    "b#70 @c b! b! b! b! b! b! b!": (1, 120, 120),
    "b#70 @c b! b! b! b! b! b! a!": (92, 28, 120),  # ten cards make 92 at most, and never 1
    "b#70 @c a! a! a! a! a! a! b!": (92, 0, 92),
    f"b#70 b+AC b_{LAID} @c a! a! a! a! a! a! b!": (52, 2, 56),
}


@pytest.mark.parametrize("script", COUNTS)
def test_counts(script: str) -> None:
    prompts = [prompt for prompt in offered(script, "totals") if prompt.type == "points_counted"]
    points = sorted({int(word[1:].split(",")[0]) for word in words(prompts, "points_counted")})
    assert (len(points), points[0], points[-1]) == COUNTS[script]


def test_player_who_shows_the_named_card_can_claim_the_rest() -> None:
    assert words(offered(f"{NAMED} b%", "cards"), "rest_claimed") == ["b*"]
    assert words(offered(f"{NAMED} @e", "cards"), "rest_claimed") == ["e*"]


IRREGULAR = (
    "b#70 c+AC",
    "b#70 c^ c_2S,4S,2D,4D,JB",
    "b^ b_",
    "b%",
    "b+AC b^ b_ b%",
    "b#70 b+AC b_2S,4S",
    "b#70 b+AC b_2S,4S,2D,4D,JB,3B",
    "b#70 b+AC b^2S,4S,2D b_",
    "b#70 b+AC b_2S,4S,2D,4D,JB b:2S",
    "b#70 b+AC b^2S,4S,2D,4D,JB b_ b:AS c:2S",
    "b#70 b+AC b% b_AC,4S,2D,4D,JB",
    "b#70 b+AC b% b:AS c:AC",
    "b#70 b+AC b% c%",
    "b#70 b+AC b:AS b%",
    "b#70 b+AC @b b% c:3S",
    "b#70 b+AC @d b% c:AC",
    "b#70 b+AC c?AC d?AC",
    f"b#70 {T1}",
    f"b#70 b+AC {CARDS} a:2S",
    "b#70 =61 c!",
)


@pytest.mark.parametrize("script", IRREGULAR)
def test_choices_after_an_irregular_record_are_usable(script: str) -> None:
    for prompt in GAME.prompts(hand(script)):
        assert refusal_of(calling_prompts.record_choices, GAME, script, prompt) == ""


FEW = [ALL_CARDS[code] for code in ("AS", "3S", "KS")]


def test_sets_of_few_cards_have_no_card_twice() -> None:
    held = Holdings({"b": 3}, FEW)
    assert [set(chosen) for chosen in possible_sets(held, "b", 3, FEW)] == [set(FEW)]
    assert list(possible_sets(held, "b", 4, FEW)) == []


def test_bidder_is_not_offered_as_partner_if_the_neighbour_plays_with_them() -> None:
    """The bidder is then not offered as partner, whatever card is named later."""
    for rule, alone in (("choice", True), ("right", False)):
        deal = play(GAME, "a#116", called_in_hand=rule)
        offered = words(list(GAME.prompts(deal)), "partner_revealed")
        assert ("@a" in offered) is alone

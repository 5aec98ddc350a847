"""Prompts that games share.

Tests of ``play.prompts.following`` and ``play.prompts.play``.
"""

import pytest

from scorekeeper.events.event import Event
from scorekeeper.events.playing import CardsShown, TrickTaken
from scorekeeper.play.prompts import Counts, Prompt, offer
from scorekeeper.play.prompts.following import (
    offer_card,
    offer_shown_cards,
    player_of,
    unseen_holdings,
    voids,
)
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper.play.prompts.play import (
    last_winner,
    list_counts,
    may_take,
    offer_cards,
    offer_counts,
    offer_rest,
    offer_winner,
    result_is_settled,
    to_play,
)
from tests.play.plain import PACK, cards, hand, table


def test_offer_without_choices_yields_no_prompt() -> None:
    assert list(offer([])) == []
    events: list[Event] = [TrickTaken("a")]
    assert list(offer(iter(events), ("tricks",))) == [Prompt((TrickTaken("a"),), ("tricks",))]


@pytest.mark.parametrize(
    ("script", "player"),
    [
        ("", "a"),
        ("a:AS", "b"),
        ("a:7S b:AS", "b"),
        ("b!", "b"),
        ("a!2", "a"),  # the first is still due
        ("a! a! a! a!", None),
        ("a!1 a!3 a!2 b!4", None),
    ],
)
def test_player_to_play(script: str, player: str | None) -> None:
    assert to_play(hand(script)) == player


def test_last_winner_is_none_if_unknown() -> None:
    assert last_winner(hand("a:7S b:AS")) == "b"
    assert last_winner(hand("a:7S")) is None


@pytest.mark.parametrize(
    ("script", "players"),
    [
        ("", "abc"),
        ("a:7S", "abc"),
        ("a:7S b:AS", "bc"),  # a is beaten
        ("a:7S b:AS b!", "b"),
    ],
)
def test_players_who_may_take_a_trick(script: str, players: str) -> None:
    assert "".join(may_take(hand(script, table("abc")), 1)) == players


def test_winner_prompt_has_the_trick_number_after_a_card() -> None:
    assert [prompt.choices for prompt in offer_winner(hand(""))] == [
        (TrickTaken("a"), TrickTaken("b"))
    ]
    begun = [prompt.choices for prompt in offer_winner(hand("a:AS"))]
    assert begun == [(TrickTaken("a", 1), TrickTaken("b", 1))]
    after_cards = [prompt.choices for prompt in offer_winner(hand("a:AS b:KS"))]
    assert after_cards == [(TrickTaken("a", 2), TrickTaken("b", 2))]
    mixed = list(offer_winner(hand("a:AS a! a:7H b:AH a:KH")))
    assert [prompt.choices for prompt in mixed] == [(TrickTaken("a", 3), TrickTaken("b", 3))]
    assert list(offer_winner(hand("a! a*"))) == []
    assert list(offer_winner(hand("a! a! a! a!"))) == []


def test_rest_is_offered_to_able_players_last_winner_first() -> None:
    claims = [claim.player for prompt in offer_rest(hand("b!")) for claim in claimed(prompt)]
    assert claims == ["b", "a"]
    able = list(offer_rest(hand("b!"), lambda player: player == "a"))
    assert [claim.player for prompt in able for claim in claimed(prompt)] == ["a"]
    assert list(offer_rest(hand("b!"), lambda player: False)) == []
    for script in ("a:AS", "a*", "a! a! a! a!"):
        assert list(offer_rest(hand(script))) == [], script


def claimed(prompt: Prompt) -> list[TrickTaken]:
    """Return the choices of a prompt, each of which has a player."""
    return list(prompt.choices)  # type: ignore[arg-type]


def test_counts_near_equal_shares_come_first() -> None:
    counts = Counts("points", ("a", "b"), (4,), {"a": 0, "b": 0}, {"a": 4, "b": 4})
    every = list(list_counts(counts, {"a": range(5), "b": range(5)}))
    assert every == [
        {"a": 2, "b": 2}, {"a": 1, "b": 3}, {"a": 3, "b": 1}, {"a": 0, "b": 4}, {"a": 4, "b": 0},
    ]  # fmt: skip
    assert list(list_counts(counts, {"a": [0, 3], "b": [2, 4]})) == [{"a": 0, "b": 4}]


def test_count_prompt_has_the_possible_range() -> None:
    deal = hand("a!")
    (prompt,) = offer_counts(deal, {"a": [1, 4], "b": [0, 3]}, ("totals",))
    assert prompt.counts == Counts("points", ("a", "b"), (4,), {"a": 1, "b": 0}, {"a": 4, "b": 3})
    assert len(prompt.choices) == 2
    assert list(offer_counts(deal, {"a": [], "b": [1]}, ("totals",))) == []
    assert list(offer_counts(deal, {"a": [1], "b": [1]}, ("totals",))) == []


def test_scored_or_contradictory_hand_is_settled() -> None:
    assert not result_is_settled(hand("a:AS"))
    assert result_is_settled(hand("a:AS b:AS"))
    deal = hand("")
    deal.result.abandoned = True
    assert result_is_settled(deal)


# --------------------------------------------------------------------------------- following suit


def test_void_ends_when_the_player_plays_the_suit() -> None:
    assert voids(hand("a:AS b:KH")) == {("b", "S")}
    assert voids(hand("a:AS b:KH a:AH b:KS")) == {("b", "H")}  # of two revokes, the last


def test_card_without_a_suit_proves_no_void() -> None:
    assert voids(hand("a:AS b:FOOL")) == set()
    assert voids(hand("a:FOOL b:KH c:KS", table("abc"))) == {("c", "H")}


def test_card_without_a_suit_may_be_played_to_any_suit() -> None:
    deal = hand("a:AS")
    fool, spade, heart = cards("FOOL,KS,KH")
    held = Holdings({"a": 1, "b": 2}, [fool, spade, heart])
    held.require("b", [spade])
    (prompt,) = offer_card(deal, held)
    assert [choice.card for choice in prompt.choices] == [fool, spade]  # type: ignore[attr-defined]


def test_unseen_cards_have_possible_holders() -> None:
    known = unseen_holdings(hand("b?KD a:AS b:KH"))
    spade, diamond = cards("QS,KD")
    assert [known.can_hold(player, spade) for player in "ab"] == [True, False]
    assert [known.can_hold(player, diamond) for player in "ab"] == [False, True]
    assert known.rooms == {"a": 3, "b": 3, "left over": 24}


def test_shown_card_may_be_in_an_unrecorded_trick() -> None:
    known = unseen_holdings(hand("b?KD a!"))
    (diamond,) = cards("KD")
    assert known.rooms == {"a": 3, "b": 3, "left over": 24, "gone from a": 1, "gone from b": 1}
    holders = [holder for holder in known.rooms if known.can_hold(holder, diamond)]
    assert holders == ["b", "gone from b"]
    assert {player_of(holder) for holder in holders} == {"b"}


def test_cards_that_follow_suit_are_offered_first() -> None:
    deal = hand("a:AS")
    (prompt,) = offer_card(deal, unseen_holdings(deal))
    assert prompt.player == "b"
    suits = [str(choice.card.suit) for choice in prompt.choices]  # type: ignore[attr-defined]
    assert suits[:7] == ["S"] * 7
    assert len(suits) == len(PACK.cards) - 1
    (after_a_winner,) = offer_card(hand("a!"), unseen_holdings(hand("a!")))
    assert after_a_winner.player == "a"
    assert list(offer_card(hand("a! a*"), unseen_holdings(hand("a! a*")))) == []


def test_offer_cards_respects_the_lacking_cards() -> None:
    deal = hand("")
    ace, king = cards("AS,KS")
    held = Holdings({"a": 1, "b": 1}, [ace, king])
    held.require("a", [king])
    (prompt,) = offer_cards(deal, held)
    assert [choice.card for choice in prompt.choices] == [king]  # type: ignore[attr-defined]
    assert list(offer_cards(deal, held, lambda player, card: [ace, king])) == [prompt]
    assert list(offer_cards(hand("a!"), held)) == [prompt]
    assert list(offer_cards(hand("a! a*"), held)) == []


def test_shown_cards_are_not_offered_again() -> None:
    deal = hand("a:AS b?KS")
    (prompt,) = offer_shown_cards(deal, unseen_holdings(deal))
    assert CardsShown("b", cards("KS")) not in prompt.choices
    assert prompt.choices[0] == CardsShown("b", cards("QS"))
    assert CardsShown("a", cards("KS")) not in prompt.choices
    assert list(offer_shown_cards(hand(""), unseen_holdings(hand("")))) == []


def test_require_among_excludes_other_holders() -> None:
    ace, king, ten = cards("AS,KS,10H")
    held = Holdings({"a": 1, "b": 1, "away": 1}, [ace, king, ten])
    held.require_among(("a", "gone"), [ace])  # where there is no such place, it is not there
    held.require_among(("a", "b"), [king])
    assert [held.can_hold(holder, ace) for holder in held.rooms] == [True, False, False]
    assert [held.can_hold(holder, king) for holder in held.rooms] == [False, True, False]
    held.require_among(("b",), [ace])
    assert not held.possible

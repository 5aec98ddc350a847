"""Riparto: the prompts of a hand.

Tests of ``games.riparto.events``.
"""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Event
from scorekeeper.events.playing import CardPlayed, PointsCounted, TrickTaken
from scorekeeper.games.riparto import GAME
from scorekeeper.games.riparto.events import SetDistributed
from scorekeeper.games.riparto.rules import PACK
from scorekeeper.log.codec import decode, encode
from scorekeeper.play.counts import complete_count
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import LEVELS, Prompt
from tests.games.riparto import FOUR, THREE, choices, hand, prompted, table, taken
from tests.players.common import seeded
from tests.players.riparto import Match, random_options
from tests.refusals import refusal_of

SIX = taken("aabbcc")


def cards(script: str, kind: str = "card_played", **more: Any) -> dict[str, str]:
    """Return the cards that each player is offered."""
    shown_by_player: dict[str, list[str]] = {}
    for choice in choices(script, kind, **more):
        shown = [choice.card] if isinstance(choice, CardPlayed) else choice.cards
        shown_by_player.setdefault(choice.player, []).extend(map(str, shown))
    return {player: " ".join(held) for player, held in shown_by_player.items()}


# ------------------------------------------------------------------------------ what comes next

CONTRACT = "set_distributed hierarchy_declared"


@pytest.mark.parametrize(
    ("script", "totals", "tricks", "cards"),
    [
        ("", "bid_made bid_made", "bid_made bid_made", "bid_made"),
        ("b=6", "bid_made points_counted outcome_recorded bid_raised",
         "bid_made hierarchy_declared trick_taken bid_raised rest_claimed",
         f"bid_made {CONTRACT} bid_raised card_played rest_claimed"),
        ("a=4 b=6 c=5", "points_counted outcome_recorded bid_raised",
         "hierarchy_declared trick_taken bid_raised rest_claimed",
         f"{CONTRACT} bid_raised card_played rest_claimed"),
        ("a=4 b=6 c=5 b#1", "points_counted outcome_recorded bid_raised",
         "hierarchy_declared trick_taken bid_raised rest_claimed",
         f"{CONTRACT} bid_raised card_played rest_claimed"),
        ("a=4 b=6 c=5 b#1 b#2", "points_counted outcome_recorded bid_raised",
         "hierarchy_declared trick_taken bid_raised rest_claimed",
         "hierarchy_declared bid_raised card_played rest_claimed"),
        ("a=4 b=6 c=5 b#1 b^9", "points_counted outcome_recorded",
         "hierarchy_declared trick_taken rest_claimed",
         "hierarchy_declared card_played rest_claimed"),
        ("b=6 b>-", "points_counted outcome_recorded", "trick_taken rest_claimed",
         "card_played rest_claimed"),
        ("a=4 b=15 c=5 b#1 b#2", "points_counted outcome_recorded",
         "hierarchy_declared trick_taken rest_claimed",
         "hierarchy_declared card_played rest_claimed"),
        ("b=6 b:AS", "points_counted outcome_recorded", "trick_taken", "card_played cards_shown"),
        ("b=6 b:AS c:6S a:7S", "points_counted outcome_recorded", "trick_taken rest_claimed",
         "card_played rest_claimed cards_shown"),
        ("b=6 b!", "points_counted outcome_recorded", "trick_taken rest_claimed",
         "card_played rest_claimed"),
        ("b=6 lost", *["points_counted points_counted"] * 3),
        # Complete or abandoned: nothing is offered.
        ("b=6 =a5,b6", "", "", ""),
        ("b=6 made", "", "", ""),
        (f"b=6 {SIX} b*", "", "", ""),
        (f"a=9 {THREE}", "", "", ""),
        ("b=6 x", "", "", ""),
    ],
)  # fmt: skip
def test_prompts_after_a_record(script: str, totals: str, tricks: str, cards: str) -> None:
    offered = [[prompt.type for prompt in prompted(script, level)] for level in LEVELS]
    assert offered == [totals.split(), tricks.split(), cards.split()]


# ------------------------------------------------------------------------ the contract (R2 to R6)


@pytest.mark.parametrize(
    ("script", "cards", "tricks"),
    [
        ("", "a", "abc"),
        ("a=4", "b", "bc"),
        ("a=4 b=6", "c", "c"),
        ("b=6", "c", "c"),  # the turn of a is over
        ("c=6", "", ""),
        ("c=6 a=3", "", ""),
        ("a=4 a#1", "", ""),
        ("a=4 a^6", "", ""),
        ("a=4 a>-", "", ""),
        ("a=4 a!", "", ""),
        ("a>SDHC", "a", "abc"),  # nobody can be entitled to it while no bid is on record
        (THREE, "a", "abc"),
    ],
)
def test_bids_are_offered_to_players_in_turn(script: str, cards: str, tricks: str) -> None:
    expected = {"cards": cards, "tricks": tricks, "totals": tricks}
    for level in LEVELS:
        offered = [prompt for prompt in prompted(script, level) if prompt.type == "bid_made"]
        choices: list[Any] = [bid for prompt in offered for bid in prompt.choices]
        bids = [(bid.player, bid.points) for bid in choices]
        assert [prompt.in_turn for prompt in offered] == [True, False][: len(offered)]
        assert sorted(bids) == list(product(expected[level], range(16)))


def test_bids_near_an_equal_share_come_first() -> None:
    for players, first in ((3, [5, 4, 6]), (4, [4, 3, 5])):
        bids = choices("", "bid_made", players=players)
        assert [bid.points for bid in bids[:3]] == first


@pytest.mark.parametrize(
    ("script", "least"),
    [("b=6", 7), ("a=4 b=6 c=5 b#1 b#2", 7), ("b=14", 15), ("a=0", 1)],
)
def test_raises_are_higher_than_the_bid(script: str, least: int) -> None:
    raises = choices(script, "bid_raised")
    assert [raised.points for raised in raises] == list(range(least, 16))
    assert {raised.player for raised in raises} == {hand(script).bid.event.player}  # type: ignore[union-attr]


@pytest.mark.parametrize("script", ["b=15", "b=6 b^7", "b=6 b>-", "b=6 b!", "b=6 b:AS"])
def test_no_raise_is_offered_too_late(script: str) -> None:
    assert choices(script, "bid_raised") == []


def test_all_hierarchies_and_none() -> None:
    offered = choices("b=6", "hierarchy_declared")
    assert offered[0].suits == ()
    assert len({prompt.suits for prompt in offered}) == 25
    assert all(set(prompt.suits) == set("SHDC") for prompt in offered[1:])


def test_an_insieme_with_and_without_its_cards() -> None:
    offered = choices("a=4 b=6 c=5", "set_distributed")
    assert encode(offered[0]) == {"player": "b", "set": 1}
    assert {prompt.kept for prompt in offered if prompt.kept and not prompt.given} == set(
        PACK.cards
    )
    assert {prompt.kept for prompt in offered if prompt.given} == set(PACK.cards)
    assert all(one_card_each(prompt, "ac") for prompt in offered)


@pytest.mark.parametrize(
    ("script", "known"),
    [("b#1", ""), ("b#1:AS", "AS"), ("b#1:/a6C,c7D", "6C 7D"), ("b#1:9H/a6C,c7D", "9H 6C 7D")],
)
def test_the_second_insieme_has_other_cards(script: str, known: str) -> None:
    offered = choices(f"b=6 {script}", "set_distributed")
    assert {prompt.set for prompt in offered} == {2}
    assert {prompt.kept for prompt in offered if prompt.kept} == set(PACK.cards) - set(
        parsed(known)
    )
    assert all(one_card_each(prompt, "ac") for prompt in offered)
    assert not {card for prompt in offered for card in (prompt.given or {}).values()} & set(
        parsed(known)
    )


def one_card_each(raw: SetDistributed, others: str) -> bool:
    cards_given = raw.given or {}
    return set(cards_given) in (set(), set(others)) and len(
        {raw.kept, *cards_given.values()}
    ) == 1 + len(cards_given)


def parsed(codes: str) -> list[Card]:
    return [Card.parse(code) for code in codes.split()]


# ----------------------------------------------------------------------------------- the cards

# Two tricks of three players: b showed to be void in diamonds, c in spades.
VOIDS = "a=9 a:AD b:6H c:6D a:AS b:6S c:7H"


@pytest.mark.parametrize(
    ("script", "player"),
    [
        ("b=6", "b"),
        ("b=6 b:AS", "c"),
        ("b=6 b:AS c:7S", "a"),
        ("b=6 b:AS c:7S a:8S", "b"),
        ("b=6 b:6S c:7S a:8S", "a"),
        ("b=6 b>SDHC b:AC c:6D a:KC", "c"),
        ("b=6 c>SDHC b:AC c:6D a:KC", "b"),  # another player's hierarchy: nothing is trumped
        ("b=6 b:6S c:7S a:8S a!", "a"),
    ],
)
def test_player_in_turn_is_offered_a_card(script: str, player: str) -> None:
    offered = choices(script, "card_played")
    assert {play.player for play in offered} == {player}
    played = {word[2:] for word in script.split() if word[1] == ":"}
    assert not played & {str(play.card) for play in offered}


def test_the_suit_led_comes_first() -> None:
    offered = cards("b=6 b:AS")["c"].split()
    assert {card[-1] for card in offered[:8]} == {"S"}
    assert len(offered) == 35


@pytest.mark.parametrize(
    ("lead", "player", "void"),
    [("a:KD", "b", "D"), ("a:KS b:7S", "c", "S"), ("a:KH", "b", "D"), ("a:KC b:6C", "c", "S")],
)
def test_voids_are_respected(lead: str, player: str, void: str) -> None:
    offered = cards(f"{VOIDS} {lead}")[player].split()
    assert offered
    assert void not in {card[-1] for card in offered}
    assert void not in {
        card[-1] for card in cards(f"{VOIDS} {lead}", "cards_shown")[player].split()
    }


def test_card_of_an_insieme_is_offered_to_its_receiver() -> None:
    contract = "a=9 a#1:AS/bKS,cQS a#2:AH/bKH,cQH"
    offered = set(cards(contract)["a"].split())
    assert {"AS", "AH"} <= offered
    assert not {"KS", "QS", "KH", "QH"} & offered
    # Who still has a spade by the record follows suit; of the others all can be.
    assert {card[-1] for card in cards(f"{contract} a:AS")["b"].split()} == {"S"}
    assert {card[-1] for card in cards(f"{contract} a:AD")["b"].split()} == set("SHDC")


def test_card_shown_is_offered_to_the_player_who_showed_it() -> None:
    shown = "a=9 a:AD b:6D c:7D b?KS"
    assert "KS" not in cards(shown)["a"].split()
    assert {card[-1] for card in cards(f"{shown} a:AS")["b"].split()} == {"S"}
    assert "KS" not in cards(shown, "cards_shown")["b"].split()  # it was shown already


def test_other_players_hold_the_remaining_cards() -> None:
    # Four players: a, c and d showed to be void in spades, so b has all that are left.
    script = "b=6 b:AS c:6H d:7H a:8H"
    assert {card[-1] for card in cards(script, players=4)["b"].split()} == {"S"}
    # Three players: b may have one of other suits, for nine cards are left over.
    assert {card[-1] for card in cards("b=6 b:AS c:6H a:8H")["b"].split()} == set("SHDC")


def test_the_last_cards() -> None:
    words = FOUR.split()
    for left in range(1, 5):
        contract = f"b=6 b>SDHC {' '.join(words[:-left])}"
        (offered,) = [set(held.split()) for held in cards(contract, players=4).values()]
        last = {word[2:] for word in words[-left:]}
        assert words[-left][2:] in offered <= last
    assert cards(f"b=6 b>SDHC {' '.join(words[:-1])}", players=4) == {"d": words[-1][2:]}
    assert prompted(f"b=6 b>SDHC {FOUR}", players=4) == []


# --------------------------------------------------------------------------- irregular and mixed

MIXED = [
    # Cards after tricks of which only the winner is on record, and the reverse.
    ("b=6 a! a:AS", "b", "cards_shown card_played points_counted outcome_recorded trick_taken"),
    ("b=6 a! a:AS b:6S c:7S", "a",
     "cards_shown card_played points_counted outcome_recorded trick_taken rest_claimed"),
    ("b=6 b:AS c:6S b!", "b",
     "cards_shown card_played points_counted outcome_recorded trick_taken rest_claimed"),
    ("b=6 b:AS c:6S a:7S c!2", "c",
     "cards_shown card_played points_counted outcome_recorded trick_taken rest_claimed"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "player", "types"), MIXED)
def test_mixed_record_offers_cards_and_winners(script: str, player: str, types: str) -> None:
    assert {prompt.type for prompt in prompted(script)} == set(types.split())
    assert {play.player for play in choices(script, "card_played")} == {player}


def test_a_trick_in_a_mixed_record_is_named_and_not_taken_by_a_beaten_card() -> None:
    winners = choices("b=6 a! a:6S b:7S", "trick_taken")
    assert [encode(choice) for choice in winners] == [
        {"player": "b", "trick": 2},
        {"player": "c", "trick": 2},
    ]


def test_card_of_an_insieme_may_be_in_an_unrecorded_trick() -> None:
    contract = "a=9 a#1:AS/bKS,cQS"
    assert {card[-1] for card in cards(f"{contract} a:AD b:6D c:7D a:JS")["b"].split()} == {"S"}
    assert {card[-1] for card in cards(f"{contract} a! a:JS")["b"].split()} == set("SHDC")
    assert "KS" not in cards(f"{contract} a! a:JS b:6S")["c"].split()


IRREGULAR = [
    "b=6 =a5,b6,c5",  # a count that does not make the total
    "b=6 a:AS",
    "b=6 c:AS b:6S",  # out of turn
    "b=6 b:AS a:6S",
    "b=6 b:AS c:AS",  # played twice
    "b=6 b:AS c:AS a:7S b:8S c:9S a:10S",
    "b=6 b:AS c:6H a:7S b:KS c:8S",  # c revoked
    "b=6 b:AS c:6H c?8S a:7S",
    "b=6 b:AS c:6H a:6C b:KS",
    "b=6 b!12 b!5 a!",
    "b=6 b#2",
    "b=6 b#1:AS/aAS,b7S b#1",
    "b=6 a#1:AS/b6S,c7S b:6S",
    "b=6 b^3 a^9 b^7 b^8",
    "b=6 c>SDHC b>DSHC b>-",
    "a=3 a=9 c=2 b=9",
    "lost b=6 made lost",
    "=a15,b0",
    "a* b=6 a:AS",
    "a!",
    "a:AS b:7S",
    "b=6 b?AS,KS,QS,JS,10S,9S,8S,7S,6S,AH c?AS b:KD",
    f"{THREE} a:6H",
    f"b=6 {THREE.replace('c:8S', 'c:AS')} c:8S b:6H",
]


@pytest.mark.parametrize("script", [*IRREGULAR, *(script for script, _, _ in MIXED)])
def test_every_choice_is_usable(script: str) -> None:
    deal = hand(script)
    for prompt in GAME.prompts(deal):
        for choice in prompt.choices:
            event = decode(prompt.type, encode(choice), GAME.by_type)
            assert refusal_of(GAME.refuse_event, deal, event) == ""


def test_after_a_revoke_play_goes_on() -> None:
    # c has played a spade after all, and may have more of them.
    assert "9S" in cards("b=6 b:AS c:6H a:7S b:KS c:8S a:QS b:JS")["c"].split()
    # The record contradicts itself: c showed a spade that c cannot have.
    assert len(cards("b=6 b:AS c:6H c?8S")["a"].split()) == 34


# ------------------------------------------------------------------------------- honest records

# Events of which only some are offered, and that tables record in passing.
UNCERTAIN = {"set_distributed", "cards_shown", "score_claimed", "hand_started"}


@given(seed=st.integers(0, 2**32))
def test_an_honest_record_is_prompted_event_by_event(seed: int) -> None:
    rng = seeded(seed)
    seats = tuple("abcd"[: rng.choice([3, 4])])
    options = random_options(rng, len(seats))
    records = Match(rng, seats, options).hand(seats[-1]).records
    name = rng.choice(["cards late", "tricks", "totals", "totals made"])
    deal = GAME.start(table(len(seats), **options))
    for seq, raw in enumerate(records.get(name, ()), 1):
        GAME.evaluate(deal)
        if deal.result.complete:
            break
        if raw["type"] not in UNCERTAIN:
            happened = decode(raw["type"], raw["data"], GAME.by_type)
            assert any(offers(deal, prompt, happened) for prompt in GAME.prompts(deal)), raw
        if raw["type"] != "hand_started":
            happened = decode(raw["type"], raw["data"], GAME.by_type)
            GAME.fold[type(happened)](deal, seq, happened)


def offers(deal: Deal, prompt: Prompt, happened: Event) -> bool:
    """Return whether a prompt offers the true event, leaving out a count of tricks."""
    if isinstance(happened, TrickTaken):
        happened = TrickTaken(happened.player)  # its number says no more
    if not isinstance(happened, PointsCounted):
        return happened in prompt.choices
    total = deal.totals()[0] if len(deal.totals()) == 1 else None
    points = complete_count(happened.points, deal.counted_sides(), total)
    if prompt.counts is not None:
        return all(prompt.counts.least[side] <= n <= prompt.counts.most[side]
                   for side, n in points.items())  # fmt: skip
    return PointsCounted(points) in prompt.choices

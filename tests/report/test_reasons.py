"""The reasons why players win tricks."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from scorekeeper.cards.tricks import Trick
from scorekeeper.report.reasons import (
    NAMED_WINNER_RULE,
    DecidedTrick,
    explain_tricks,
    get_trick_rule,
)
from scorekeeper.session.matches import HandRecord
from tests.evenings import Raw, event, riparto

TRUMPS = ["S", "H", "D", "C"]  # the strongest first


def plays(values: str) -> list[Raw]:
    pairs = (word.split(":") for word in values.split())
    return [event("card_played", player=player, card=card) for player, card in pairs]


@contextmanager
def hand(*events: Raw) -> Iterator[HandRecord]:
    evening = riparto()
    for raw in (event("hand_started", dealer="mara"), *events):
        evening.add(raw)
    yield evening.session.structure.matches[0].hands[0]


def hierarchy(*suits: str) -> list[Raw]:
    return [event("bid_made", player="leo", points=5),
            event("hierarchy_declared", player="leo", suits=list(suits))]  # fmt: skip


def first(*events: Raw) -> DecidedTrick:
    with hand(*events) as played:
        return next(explain_tricks(played))


def taken(player: str) -> Raw:
    return event("trick_taken", player=player, trick=1)


@pytest.mark.parametrize(
    ("events", "by", "winner", "why"),
    [
        ([*hierarchy(*TRUMPS), *plays("leo:7D nina:KD mara:QD")], "cards", "nina",
         "Nina’s K♦ is the highest of the diamonds led, and nobody trumped"),
        ([*hierarchy(*TRUMPS), *plays("leo:7S nina:KS mara:QS")], "cards", "nina",
         "Nina’s K♠ is the highest of the spades led"),
        ([*hierarchy(*TRUMPS), *plays("leo:7D nina:KC mara:QC")], "cards", "leo",
         "Leo’s 7♦ is the only one of the diamonds led, and nobody trumped"),
        ([*hierarchy(*TRUMPS), *plays("leo:7S nina:KC mara:QC")], "cards", "leo",
         "Leo’s 7♠ is the only one of the spades led"),
        ([*hierarchy(*TRUMPS), *plays("leo:AC nina:6S mara:KC")], "cards", "nina",
         "Nina trumped the clubs led with 6♠"),
        ([*hierarchy(*TRUMPS), *plays("leo:AC nina:6S mara:7S")], "cards", "mara",
         "Mara trumped the clubs led with 7♠, and beat 6♠, which trumped too"),
        ([taken("nina")], "said", "nina",
         "Nina took it, as the table said: its cards are not on record"),
        ([*plays("leo:7D"), taken("nina")], "said", "nina",
         "Nina took it, as the table said: not all its cards are on record"),
        ([*plays("leo:7D")], None, None, "who took it is not on record"),
    ],
)  # fmt: skip
def test_what_decides_a_trick(
    events: list[Raw], by: str | None, winner: str | None, why: str
) -> None:
    trick = first(*events)
    assert (trick.number, trick.by, trick.winner, trick.why) == (1, by, winner, why)
    assert trick.rule == {"cards": "R9", "said": NAMED_WINNER_RULE, None: None}[by]


def test_what_each_card_did() -> None:
    trick = first(*hierarchy(*TRUMPS), *plays("leo:AC nina:6S mara:7S"))
    assert [(play.player, play.did, str(play.beaten_by)) for play in trick.laid] == [
        ("leo", "led", "7S"), ("nina", "trumped", "7S"), ("mara", "trumped", "None"),
    ]  # fmt: skip
    assert (trick.suit, trick.trumps) == ("C", ("S", "H"))
    trick = first(*hierarchy(*TRUMPS), *plays("leo:7S nina:KC mara:QS"))
    assert [(play.did, str(play.beaten_by)) for play in trick.laid] == [
        ("led", "QS"), ("discarded", "None"), ("followed", "None"),
    ]  # fmt: skip


def test_a_trick_claimed_with_the_rest_and_one_beyond_the_number() -> None:
    with hand(taken("nina"), event("rest_claimed", player="leo")) as played:
        claimed = list(explain_tricks(played))
    assert [trick.number for trick in claimed] == list(range(1, 10))
    assert {(trick.by, trick.winner, trick.rule, trick.why) for trick in claimed[1:]} == {
        ("rest", "leo", NAMED_WINNER_RULE, "Leo claimed the rest")
    }


def test_the_suit_led_is_that_of_the_first_card_that_has_one() -> None:
    with hand(*plays("leo:7D nina:KS")) as played:
        trick = played.deal.tricks.numbered[1]
    assert trick.led_suit == "D"
    assert Trick(2).led_suit is None
    with hand() as played:
        assert get_trick_rule(played) == "R9"


@pytest.mark.parametrize(
    ("led", "trumps"),
    [("leo:7D nina:KD mara:QD", "S"), ("leo:7S nina:KS mara:QS", ""), ("leo:AC", "")],
)
def test_the_suits_that_could_trump_are_not_the_one_led(led: str, trumps: str) -> None:
    reason = first(*hierarchy(*TRUMPS), *plays(led))
    assert "".join(reason.trumps) == trumps

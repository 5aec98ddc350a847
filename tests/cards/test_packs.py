"""The notation of cards, and the cards of packs."""

import copy
import pickle
from itertools import product

import pytest

from scorekeeper.cards.packs import (
    ALL_CARDS,
    FOOL,
    FRENCH_GLYPHS,
    ITALIAN_SUITS,
    RANKS,
    Card,
    Pack,
    Suit,
    french,
    french_tarot,
    italian,
    tarot,
)
from scorekeeper.games import GAMES

EVERY_CARD = list(ALL_CARDS.values())
TAROT = tarot("K Q N J 10 9 8 7")


# ------------------------------------------------------------------------------------ cards


@pytest.mark.parametrize("card", EVERY_CARD, ids=str)
def test_parse_is_the_inverse_of_str(card: Card) -> None:
    assert Card.parse(str(card)) is card
    assert eval(repr(card)) is card  # noqa: S307  # repr rebuilds the value
    assert pickle.loads(pickle.dumps(card)) is card  # noqa: S301  # pickled right here
    assert copy.copy(card) is card
    assert copy.deepcopy([card])[0] is card


def test_card_has_a_rank_and_a_suit() -> None:
    assert (Card.parse("10H").rank, Card.parse("10H").suit) == ("10", Suit.H)
    assert (Card.parse("T21").rank, Card.parse("T21").suit) == ("21", Suit.T)
    assert (FOOL.rank, FOOL.suit, str(FOOL)) == ("FOOL", None, "FOOL")


def test_there_are_92_cards_with_different_notations() -> None:
    assert len(EVERY_CARD) == len(RANKS) * 5 + 21 + 1
    assert len({str(card) for card in EVERY_CARD}) == len(EVERY_CARD)
    assert len(set(EVERY_CARD)) == len(EVERY_CARD)


@pytest.mark.parametrize(
    "text",
    ["", "A", "S", "SA", "as", "As", "aS", "1S", "11S", "A S", " AS", "AS ", "10", "0H", "T0",
     "T22", "T01", "TS", "1T", "FOOLS", "fool", "Fool", "AS\n", "10HH", "-1S", "\u2660A"],
)  # fmt: skip
def test_parse_refuses_text_that_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="no card is written"):
        Card.parse(text)


def test_card_is_immutable() -> None:
    with pytest.raises(AttributeError):
        Card.parse("AS").rank = "K"  # type: ignore[misc]


def test_cards_have_no_order() -> None:
    with pytest.raises(TypeError):
        assert Card.parse("AS") < Card.parse("KS")  # type: ignore[operator]


# ------------------------------------------------------------------------------------ packs


def test_french_pack_has_52_cards() -> None:
    pack = french("A K Q J 10 9 8 7 6 5 4 3 2")
    assert len(pack.cards) == len(pack.members) == 52
    assert {str(card) for card in pack.cards} == {r + s for r, s in product(pack.ranks, "SHDC")}


def test_italian_pack_has_40_cards() -> None:
    pack = italian("A 3 K N J 7 6 5 4 2")
    assert len(pack.cards) == len(pack.members) == 40
    assert {str(card) for card in pack.cards} == {r + s for r, s in product(pack.ranks, "SCDB")}


def test_tarot_pack_has_trumps_and_the_fool() -> None:
    assert len(TAROT.cards) == len(TAROT.members) == 4 * 8 + 21 + 1
    assert {f"T{n}" for n in range(1, 22)} | {"FOOL"} <= {str(card) for card in TAROT.cards}
    assert Card.parse("T22" if "T22" in ALL_CARDS else "AS") not in TAROT


def test_french_tarot_has_the_suits_of_a_french_pack() -> None:
    pack = french_tarot("K Q N J 10 9 8 7 6 5 4 3 2 A")
    assert len(pack.cards) == len(pack.members) == 4 * 14 + 21 + 1
    assert pack.suits == french("A").suits
    assert pack.suit_name("S") == "spades"
    assert [pack.show(card) for card in map(Card.parse, ("NS", "T1", "FOOL"))] == [
        "N♠", "trump 1", "the Fool",
    ]  # fmt: skip
    assert pack.speak(Card.parse("NS")) == "knight of spades"
    assert len({pack.show(card) for card in pack.cards}) == 78


def test_without_removes_cards_from_a_pack() -> None:
    two = Card.parse("2C")
    pack = italian("A 2")
    less = pack.without([two])
    assert two in pack
    assert two not in less
    assert len(less.cards) == len(pack.cards) - 1
    assert less.name == pack.name


def test_suit_of_returns_cards_in_the_order_of_the_pack() -> None:
    assert [str(card) for card in french("A K 10").cards_of_suit(Suit.D)] == ["AD", "KD", "10D"]
    assert [str(card) for card in TAROT.cards_of_suit(Suit.T)][:2] == ["T21", "T20"]


def packs() -> list[Pack]:
    """Return the packs of all games for all numbers of players."""
    return [
        game.pack(game.options({}, seats), seats) for game in GAMES.values() for seats in game.seats
    ]


@pytest.mark.parametrize("pack", [TAROT, *packs()], ids=lambda pack: pack.name)
def test_every_card_of_a_pack_has_a_different_name(pack: Pack) -> None:
    names = [pack.show(card) for card in pack.cards]
    assert len(set(names)) == len(names)
    assert all(names)


@pytest.mark.parametrize(
    ("pack", "card", "name"),
    [
        (french("A"), "AS", "A♠"),
        (french("10"), "10H", "10♥"),
        (italian("K"), "KS", "king of swords"),
        (italian("N"), "NC", "knight of cups"),
        (italian("7"), "7D", "7 of coins"),
        (italian("A"), "AB", "ace of batons"),
        (TAROT, "QB", "queen of batons"),
        (TAROT, "T1", "trump 1"),
        (TAROT, "FOOL", "the Fool"),
    ],
)
def test_show_returns_the_name_of_a_card(pack: Pack, card: str, name: str) -> None:
    assert pack.show(Card.parse(card)) == name


def test_suits_have_names() -> None:
    assert [french("A").suit_name(s) for s in FRENCH_GLYPHS] == [
        "spades", "hearts", "diamonds", "clubs",
    ]  # fmt: skip
    assert [italian("A").suit_name(s) for s in ITALIAN_SUITS] == [
        "swords", "cups", "coins", "batons",
    ]  # fmt: skip
    assert italian("A").suit_name("C") == "cups"
    assert TAROT.suit_name(Suit.T) == TAROT.suit_name(None) == "trumps"


def test_height_follows_the_order_of_the_ranks() -> None:
    pack = french("A K Q")
    assert [pack.height[card] for card in pack.cards_of_suit(Suit.H)] == [3, 2, 1]
    assert pack.without([Card.parse("KS")]).height[Card.parse("AS")] == 3
    assert FOOL not in tarot("K Q").height
    assert len(tarot("K Q").height) == 8

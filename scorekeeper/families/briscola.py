"""The cards of the Briscola family: their order, points, and strength in a trick."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.cards.packs import Card, Pack, french, italian
from scorekeeper.events.fields import OneOf
from scorekeeper.play.rulebook import Option

# The packs by the option ``pack``, each suit strongest first.
PACKS: Final = {
    "italian": italian("A 3 K N J 7 6 5 4 2"),
    "french": french("A 3 K Q J 7 6 5 4 2"),
}

# Card points by rank; the other ranks have none. 30 a suit, 120 in all.
POINTS_OF_RANK: Final = {"A": 11, "3": 10, "K": 4, "N": 3, "Q": 3, "J": 2}
POINTS: Final = {
    card: POINTS_OF_RANK.get(card.rank, 0) for pack in PACKS.values() for card in pack.cards
}
ALL_POINTS: Final = 120

SUIT: Final = OneOf(("S", "H", "C", "D", "B"), words="suit")


def pack_of(options: JsonObject) -> Pack:
    """Return the pack of a match with these options."""
    return PACKS[options["pack"]]


@cache
def strengths(led: str, trump: str | None, pack: str) -> Mapping[Card, int]:
    """Return the strength of each card that can win a trick.

    These are the cards of the suit led and, above them, the trumps. ``pack`` is a key of `PACKS`.
    """
    heights = PACKS[pack].height.items()
    following = {card: height for card, height in heights if card.suit == led}
    return following | {card: 100 + height for card, height in heights if card.suit == trump}


def pack_option(clause: str) -> Option:
    """Return the option ``pack``, Italian or French cards, under a clause of the game."""
    return Option("pack", clause, "Which cards are on the table?", {
        "italian": "forty Italian cards: king, knight and jack of swords, cups, coins and batons",
        "french": "forty French cards: king, queen and jack of spades, hearts, diamonds and clubs",
    }, brief={"italian": "Italian cards", "french": "French cards"}, scores=False)  # fmt: skip


# The default suit of the card that is left out, by pack.
LEFT_OUT: Final = {"italian": "C", "french": "H"}


def left_out_option(name: str, clause: str, asks: str, card: str, *, later: bool = False) -> Option:
    """Return the option ``name``: the suit of the one ``card`` that is left out of the pack.

    ``card`` is ``two`` or ``four``; ``asks`` is the question, and ``later`` is as in `Option`. The
    default depends on the pack.
    """
    return Option(name, clause, asks, {
        "C": f"the {card} of cups, usual in an Italian pack; or of clubs, in a French one",
        "H": f"the {card} of hearts, usual in a French pack",
        "S": f"the {card} of swords, or in a French pack of spades",
        "D": f"the {card} of coins, or in a French pack of diamonds",
        "B": f"the {card} of batons, in an Italian pack",
    }, brief={...: LEFT_OUT_IN_BRIEF[card]}, later=later, scores=False,
       default=lambda options: LEFT_OUT[options["pack"]])  # fmt: skip


LEFT_OUT_IN_BRIEF: Final = {"two": "another 2 left out", "four": "another 4 left out"}


def refuse_left_out_suit(options: JsonObject, name: str) -> None:
    """Raise `UnusableError` if the suit in option ``name`` is not in the pack of the match."""
    suits = pack_of(options).suits
    if options[name] not in suits:
        what = f"a suit of the {options['pack']} pack: {' or '.join(suits)}"
        cause = expected(what, options[name], "no_such_choice", choices=", ".join(suits))
        raise UnusableError(cause, field=f"data.options.{name}")

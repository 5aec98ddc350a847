"""A minimal game with only the shared rules, and its hands in one line.

Suit is followed, the highest card of the suit led takes the trick, and each trick is a point.
Players are ``a`` to ``d``, the last of them deals. Each word is one event, whose seq is its
place from 1: ``a:AS`` a card, ``a!`` or ``a!3`` who took a trick, ``a*`` who takes the rest,
``a?KD,QD`` cards shown, ``=a3,b1`` a count, with ``/a3,b1`` one of tricks, ``made`` and ``lost``
the outcome, ``$a3`` what the table wrote down, ``x`` that the hand is abandoned.
"""

from collections.abc import Callable, Mapping
from typing import ClassVar

from scorekeeper.cards.packs import Card, french
from scorekeeper.cards.tricks import Trick
from scorekeeper.events.common import HandAbandoned, ScoreClaimed
from scorekeeper.events.event import Event
from scorekeeper.events.playing import (
    CardPlayed,
    CardsShown,
    OutcomeRecorded,
    PointsCounted,
    RestClaimed,
    TrickTaken,
)
from scorekeeper.play.deal import Deal
from scorekeeper.play.folding import FOLD, REFUSE
from scorekeeper.play.table import Table

PACK = french("A K Q J 10 9 8 7")
TRICKS = 4
NAMES = {"a": "Ada", "b": "Bruno", "c": "Cleo", "d": "Dino"}


class PlainDeal(Deal):
    """A hand of four tricks, each worth a point."""

    TOTALS: ClassVar = (TRICKS,)

    def __init__(self, table: Table) -> None:
        super().__init__(table, TRICKS)

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        led = trick.led_suit
        return {card: height for card, height in PACK.height.items() if card.suit is led}

    def points_made(self) -> Mapping[str, int] | None:
        return self.tricks_made()

    def points_at_least(self) -> Mapping[str, int]:
        return self.tricks_at_least()

    def contract_made(self) -> bool | None:
        """Return whether Ada made her contract of half the tricks."""
        taken = self.taken()
        return None if taken is None else taken.points["a"] * 2 >= TRICKS


def table(players: str = "ab", sides: Mapping[str, tuple[str, ...]] | None = None) -> Table:
    """Return a table of these players; without ``sides`` each player is a side."""
    seats = tuple(players)
    return Table(
        PACK, seats, seats, seats[-1], {}, sides or {seat: (seat,) for seat in seats}, NAMES
    )


def hand(script: str, at: Table | None = None, kind: type[PlainDeal] = PlainDeal) -> PlainDeal:
    """Return a hand with these words on record.

    Raises `UnusableError` if one can never be.
    """
    deal = kind(at or table())
    for seq, word in enumerate(script.split(), 1):
        event = event_of(word)
        if type(event) in REFUSE:
            REFUSE[type(event)](deal, event)
        FOLD[type(event)](deal, seq, event)
        deal.clear_cache()
    return deal


def event_of(word: str) -> Event:
    """Return the event that a word stands for."""
    if word in WORDS:
        return WORDS[word]
    if word[0] == "=":
        points, _, tricks = word[1:].partition("/")
        return PointsCounted(_figures(points), _figures(tricks) if tricks else None)
    if word[0] == "$":
        return ScoreClaimed(_figures(word[1:]))
    return ACTS[word[1]](word[0], word[2:])


WORDS: Mapping[str, Event] = {
    "made": OutcomeRecorded(made=True),
    "lost": OutcomeRecorded(made=False),
    "x": HandAbandoned("misdeal"),
}
ACTS: Mapping[str, Callable[[str, str], Event]] = {
    ":": lambda player, text: CardPlayed(player, Card.parse(text)),
    "?": lambda player, text: CardsShown(player, cards(text)),
    "*": lambda player, text: RestClaimed(player),
    "!": lambda player, text: TrickTaken(player, int(text) if text else None),
}


def cards(codes: str) -> tuple[Card, ...]:
    """Return the cards of codes with commas between them."""
    return tuple(Card.parse(code) for code in codes.split(","))


def _figures(text: str) -> dict[str, int]:
    return {part[0]: int(part[1:]) for part in text.split(",")}

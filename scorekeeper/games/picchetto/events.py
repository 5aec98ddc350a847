"""The events of a hand of Picchetto."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Afterwards, Display, Event, Together
from scorekeeper.events.fields import CARDS, COUNT, PLAYER, Each, OneOf, Whole, part
from scorekeeper.events.playing import PLAY
from scorekeeper.games.picchetto.rules import PACK, TALON

CATEGORIES: Final = ("point", "sequence", "set")
ANSWERS: Final = ("good", "equal", "not_good")
CATEGORY: Final = OneOf(CATEGORIES, words="category")
POINT, SEQUENCE, SET = (OneOf((name,), words="category") for name in CATEGORIES)
UP_TO_EIGHT: Final = Whole(1, 8)
HIGH: Final = OneOf(PACK.ranks, words="high")
RANKS: Final = OneOf(PACK.ranks, words="ranks")
RUN: Final = Together("Length and top card", "{length} to the {high}")
KIND: Final = Together("Which?", "{count} × {rank}", "{count} {rank}s")


@dataclass(frozen=True, slots=True)
class WhiteDeclared(Event):
    """A player declares White: no king, queen or jack among the twelve cards dealt (P2)."""

    TYPE: ClassVar = "white_declared"
    BEFORE: ClassVar = ("cards_exchanged",)
    TITLE: ClassVar = "White"
    NOUN: ClassVar = "A carte blanche"
    SAYS: ClassVar = ("{player} declared White[: {cards}]",)
    player: str = part(PLAYER, "who declares it")
    cards: tuple[Card, ...] | None = part(CARDS, "the cards that were shown", optional=True)


@dataclass(frozen=True, slots=True)
class CardsExchanged(Event):
    """A player discards cards and draws as many from the talon (P3)."""

    TYPE: ClassVar = "cards_exchanged"
    TITLE: ClassVar = "How many cards exchanged?"
    NOUN: ClassVar = "An exchange"
    TITLE_AFTER: ClassVar = "Cards thrown away"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} exchanged {count}[, discarded {discarded}][, drew {drawn}]",)
    HIDDEN: ClassVar = ("discarded", "drawn")
    AFTERWARDS: ClassVar = Afterwards.INSERTED
    player: str = part(PLAYER, "who exchanges")
    count: int = part(Whole(0, TALON), "how many cards", label="How many", asks="How many?")
    discarded: tuple[Card, ...] | None = part(
        CARDS, "the cards thrown away", optional=True, asks="Discarded", put_away=True
    )
    drawn: tuple[Card, ...] | None = part(CARDS, "the cards drawn", optional=True, follows=True)


@dataclass(frozen=True, slots=True)
class PointDeclared(Event):
    """A player says the total of their best suit (P4)."""

    TYPE: ClassVar = "declared"
    TITLE: ClassVar = "Point declared"
    NOUN: ClassVar = "A declaration"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} declared a point of {value}",)
    player: str = part(PLAYER, "who declares")
    category: str = part(POINT, "the point", label="What")
    value: int = part(
        COUNT, "the total: ace 11, king, queen and jack 10, the others their number",
        label="Points of the cards", asks="Total",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SequenceDeclared(Event):
    """A player says the length and the top card of their best sequence (P5)."""

    TYPE: ClassVar = "declared"
    TITLE: ClassVar = "Sequence declared"
    NOUN: ClassVar = "A declaration"
    DISPLAY: ClassVar = Display.LOGGED
    TOGETHER: ClassVar = RUN
    SAYS: ClassVar = ("{player} declared a sequence of {length} to the {high}",)
    player: str = part(PLAYER, "who declares")
    category: str = part(SEQUENCE, "a sequence", label="What")
    length: int = part(UP_TO_EIGHT, "how many cards in a row", label="How long")
    high: str = part(HIGH, "the rank of the top card", label="Highest card")


@dataclass(frozen=True, slots=True)
class SetDeclared(Event):
    """A player says their best set (P6)."""

    TYPE: ClassVar = "declared"
    TITLE: ClassVar = "Set declared"
    NOUN: ClassVar = "A declaration"
    DISPLAY: ClassVar = Display.LOGGED
    TOGETHER: ClassVar = KIND
    SAYS: ClassVar = ("{player} declared a set of {count} {rank}s",)
    player: str = part(PLAYER, "who declares")
    category: str = part(SET, "a set", label="What")
    count: int = part(UP_TO_EIGHT, "three or four", label="How many", asks="How many?")
    rank: str = part(RANKS, "of which rank", label="Rank")


@dataclass(frozen=True, slots=True)
class Answered(Event):
    """A player answers a declaration (P4)."""

    TYPE: ClassVar = "answered"
    TITLE: ClassVar = "What is the answer?"
    NOUN: ClassVar = "An answer"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} answered “{answer}” to the {category}",)
    player: str = part(PLAYER, "who answers")
    category: str = part(CATEGORY, "what is answered", label="What", follows=True)
    answer: str = part(
        OneOf(ANSWERS, words="answer"),
        "good: their own best is lower; equal; not_good: their own is higher",
        label="Answer",
    )


@dataclass(frozen=True, slots=True)
class PointShown(Event):
    """A player shows the cards of their point (P4)."""

    TYPE: ClassVar = "shown"
    TITLE: ClassVar = "Point shown"
    NOUN: ClassVar = "A showing"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} showed a point of {count} cards[: {cards}]",)
    player: str = part(PLAYER, "who shows")
    category: str = part(POINT, "the point", label="What")
    count: int = part(UP_TO_EIGHT, "how many cards of the suit", label="How many", asks="How many?")
    cards: tuple[Card, ...] | None = part(CARDS, "the cards", optional=True)


@dataclass(frozen=True, slots=True)
class SequenceShown(Event):
    """A player shows one of their sequences (P5)."""

    TYPE: ClassVar = "shown"
    TITLE: ClassVar = "Sequence shown"
    NOUN: ClassVar = "A showing"
    DISPLAY: ClassVar = Display.LOGGED
    TOGETHER: ClassVar = RUN
    SAYS: ClassVar = ("{player} showed a sequence of {length} to the {high}[: {cards}]",)
    player: str = part(PLAYER, "who shows")
    category: str = part(SEQUENCE, "a sequence", label="What")
    length: int = part(UP_TO_EIGHT, "how many cards in a row", label="How long")
    high: str = part(HIGH, "the rank of the top card", label="Highest card")
    cards: tuple[Card, ...] | None = part(CARDS, "the cards", optional=True)


@dataclass(frozen=True, slots=True)
class SetShown(Event):
    """A player shows one of their sets (P6)."""

    TYPE: ClassVar = "shown"
    TITLE: ClassVar = "Set shown"
    NOUN: ClassVar = "A showing"
    DISPLAY: ClassVar = Display.LOGGED
    TOGETHER: ClassVar = KIND
    SAYS: ClassVar = ("{player} showed a set of {count} {rank}s[: {cards}]",)
    player: str = part(PLAYER, "who shows")
    category: str = part(SET, "a set", label="What")
    count: int = part(UP_TO_EIGHT, "three or four", label="How many", asks="How many?")
    rank: str = part(RANKS, "of which rank", label="Rank")
    cards: tuple[Card, ...] | None = part(CARDS, "the cards", optional=True)


@dataclass(frozen=True, slots=True)
class TricksCounted(Event):
    """How many tricks each took, and who took the last one (P9)."""

    TYPE: ClassVar = "tricks_counted"
    TITLE: ClassVar = "Count the tricks"
    NOUN: ClassVar = "Tricks counted"
    SAYS: ClassVar = (
        "Tricks counted: {tricks}[; the last to {last}][; the lead changed hands: {lead_changes}]",
    )
    tricks: Mapping[str, int] = part(
        Each(PLAYER, COUNT), "tricks of each player; one may be left out: the rest of 12 are "
                             "theirs",
        label="Tricks",
    )  # fmt: skip
    last: str | None = part(
        PLAYER, "who took the last trick; needed unless one took all", optional=True,
        label="Last trick", asks="Last trick to",
    )  # fmt: skip
    lead_changes: int | None = part(
        COUNT, "how often the lead went to the other player; needed where leading marks points",
        optional=True, label="Lead changed hands", asks="How often did the lead change hands?",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PiqueCalled(Event):
    """A player says picca (P14)."""

    TYPE: ClassVar = "pique_called"
    TITLE: ClassVar = "Pique"
    NOUN: ClassVar = "A pique"
    DISPLAY: ClassVar = Display.CALLED
    SAYS: ClassVar = ("{player} called pique",)
    player: str = part(PLAYER, "who calls it")


@dataclass(frozen=True, slots=True)
class RepiqueCalled(Event):
    """A player says ripicca (P13)."""

    TYPE: ClassVar = "repique_called"
    TITLE: ClassVar = "Repique"
    NOUN: ClassVar = "A repique"
    DISPLAY: ClassVar = Display.CALLED
    SAYS: ClassVar = ("{player} called repique",)
    player: str = part(PLAYER, "who calls it")


@dataclass(frozen=True, slots=True)
class CarteRougeDeclared(Event):
    """A player says that every card in their hand is in something that they declared (P12)."""

    TYPE: ClassVar = "carte_rouge_declared"
    TITLE: ClassVar = "Carte rouge"
    NOUN: ClassVar = "A carte rouge"
    DISPLAY: ClassVar = Display.CALLED
    SAYS: ClassVar = ("{player} declared carte rouge",)
    player: str = part(PLAYER, "who declares it")


@dataclass(frozen=True, slots=True)
class DealForfeited(Event):
    """A player counts nothing in this hand, for an infringement (P12)."""

    TYPE: ClassVar = "deal_forfeited"
    TITLE: ClassVar = "Counts nothing this hand"
    NOUN: ClassVar = "A hand that counts nothing"
    SAYS: ClassVar = ("{player} counts nothing in this hand",)
    player: str = part(PLAYER, "who counts nothing")


EVENTS: Final = (
    WhiteDeclared, CardsExchanged, PointDeclared, SequenceDeclared, SetDeclared, Answered,
    PointShown, SequenceShown, SetShown, TricksCounted, PiqueCalled, RepiqueCalled,
    CarteRougeDeclared, DealForfeited, *PLAY,
)  # fmt: skip

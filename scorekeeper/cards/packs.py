"""Cards and packs: the notation of cards, and the cards of each pack.

A card is written rank first and then suit: ``AS``, ``10H``, ``7D``. The trumps of the tarot
pack are ``T1`` to ``T21``, and the Fool is ``FOOL``. A letter can stand for two suits: ``S`` is
spades or swords, ``D`` diamonds or coins, ``C`` clubs or cups, depending on the pack. Cards have
no order: each game defines its own.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final

from scorekeeper.base.language import Language, language


class Suit(StrEnum):
    """A suit; its value is the letter in the notation of cards."""

    S = "S"  # spades, or swords
    H = "H"  # hearts
    D = "D"  # diamonds, or coins
    C = "C"  # clubs, or cups
    B = "B"  # batons
    T = "T"  # the trumps of the tarot pack


Rank = str
RANKS: Final = ("A", "K", "Q", "N", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
FOOL_RANK: Final = "FOOL"
CACHED_NAMES: Final = 2048  # names of cards, of all packs and languages together


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One card. There is one object for each card, so cards are compared by identity.

    ``suit`` is None only for the Fool; the rank of a trump is its number as text.

    >>> Card.parse("10H")
    Card.parse('10H')
    >>> str(Card.parse("T21")), Card.parse("T21").rank, Card.parse("QS").suit.value
    ('T21', '21', 'S')
    """

    rank: Rank
    suit: Suit | None
    code: str = field(init=False)

    def __post_init__(self) -> None:
        """Set ``code`` to the notation of the card."""
        object.__setattr__(self, "code", _notation(self.rank, self.suit))

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Return the card with this notation. Raises `ValueError` if no pack has such a card."""
        try:
            return ALL_CARDS[text]
        except KeyError:
            raise ValueError(f"no card is written {text!r}") from None

    def __str__(self) -> str:
        """Return the notation of the card, such as ``10H``."""
        return self.code

    def __repr__(self) -> str:
        """Return the expression that creates the card."""
        return f"Card.parse({self.code!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """Pickle the card by its notation, so that unpickling returns the same object."""
        return Card.parse, (self.code,)

    def __copy__(self) -> "Card":
        """Return the card itself, because there is one object for each card."""
        return self

    def __deepcopy__(self, memo: object) -> "Card":
        """Return the card itself, because there is one object for each card."""
        return self


def _notation(rank: Rank, suit: Suit | None) -> str:
    """Return the notation of a card: ``10H``, ``T21`` for a trump, ``FOOL`` without a suit."""
    if suit is None:
        return rank
    return f"T{rank}" if suit is Suit.T else f"{rank}{suit}"


def _list_all_cards() -> Iterator[Card]:
    """Yield one object for each card: all suits and ranks, the tarot trumps, the Fool."""
    for suit in (Suit.S, Suit.H, Suit.D, Suit.C, Suit.B):
        yield from (Card(rank, suit) for rank in RANKS)
    yield from (Card(str(number), Suit.T) for number in range(1, 22))
    yield Card(FOOL_RANK, None)


ALL_CARDS: Final = {card.code: card for card in _list_all_cards()}
FOOL: Final = ALL_CARDS[FOOL_RANK]

ITALIAN_RANKS: Final = {
    "A": "ace", "K": "king", "Q": "queen", "N": "knight", "J": "jack",
}  # fmt: skip
FRENCH_SUITS: Final = {
    Suit.S: "spades", Suit.H: "hearts", Suit.D: "diamonds", Suit.C: "clubs",
}  # fmt: skip
FRENCH_SUITED: Final = ("french", "french_tarot")  # names of packs with these suits
FRENCH_GLYPHS: Final = {Suit.S: "♠", Suit.H: "♥", Suit.D: "♦", Suit.C: "♣"}
ITALIAN_SUITS: Final = {Suit.S: "swords", Suit.C: "cups", Suit.D: "coins", Suit.B: "batons"}
FRENCH_ORDER, ITALIAN_ORDER = tuple(FRENCH_SUITS), tuple(ITALIAN_SUITS)  # of suits in a pack


@dataclass(frozen=True)
class Pack:
    """The cards of a match, in the order of rule books.

    ``height`` is the height of each card in its suit, by the order of the ranks: 1 is the lowest.

    >>> pack = french("A K Q J 10 9 8 7")
    >>> len(pack.cards), Card.parse("7C") in pack, Card.parse("6C") in pack
    (32, True, False)
    >>> pack.show(Card.parse("KS")), italian("A K").show(Card.parse("KC"))
    ('K♠', 'king of cups')
    """

    name: str
    suits: tuple[Suit, ...]
    ranks: tuple[Rank, ...]
    cards: tuple[Card, ...]
    members: frozenset[Card] = field(init=False, repr=False)
    height: Mapping[Card, int] = field(init=False, repr=False, compare=False)  # in its suit

    def __post_init__(self) -> None:
        """Set ``members`` and ``height`` from the cards and the order of the ranks."""
        object.__setattr__(self, "members", frozenset(self.cards))
        heights = {rank: height for height, rank in enumerate(reversed(self.ranks), 1)}
        suited = {card: heights[card.rank] for card in self.cards if card.rank in heights}
        object.__setattr__(self, "height", suited)

    def __contains__(self, card: object) -> bool:
        """Return whether the pack has a card."""
        return card in self.members

    def __hash__(self) -> int:
        """Return the hash of the set of cards, which a frozenset caches."""
        return hash(self.members)  # a frozenset caches its hash

    def without(self, cards: Iterable[Card]) -> "Pack":
        """Return a new pack that lacks these cards; the others keep their order."""
        removed = frozenset(cards)
        kept = tuple(card for card in self.cards if card not in removed)
        return Pack(self.name, self.suits, self.ranks, kept)

    def cards_of_suit(self, suit: Suit) -> tuple[Card, ...]:
        """Return the cards of one suit, in the order of the pack."""
        return tuple(card for card in self.cards if card.suit is suit)

    def show(self, card: Card) -> str:
        """Return the name of a card for players, in the current language."""
        return card_name(card, self.name, language())

    def speak(self, card: Card) -> str:
        """Return the name of a card in words without signs, in the current language."""
        return spoken_card_name(card, self.name, language())

    def suit_name(self, suit: Suit | str | None) -> str:
        """Return the name of a suit of this pack in the current language; None is the trumps."""
        names = FRENCH_SUITS if has_french_suits(self.name) else ITALIAN_SUITS
        name = "trumps" if suit is None or suit == Suit.T else names[Suit(suit)]
        return language().word("suit", name)


def has_french_suits(pack: str) -> bool:
    """Return whether the pack with this name has spades, hearts, diamonds and clubs."""
    return pack in FRENCH_SUITED


@lru_cache(CACHED_NAMES)
def card_name(card: Card, pack: str, language: Language) -> str:
    """Return the name of a card in a language; ``pack`` is the name of its pack."""
    if card is FOOL:
        return language.say("the Fool")
    if card.suit is None or card.suit is Suit.T:
        return language.say("trump {rank}").format(rank=card.rank)
    if has_french_suits(pack):
        return f"{language.word('letter', card.rank)}{FRENCH_GLYPHS[card.suit]}"
    return language.say(card_words(card))


@lru_cache(CACHED_NAMES)
def spoken_card_name(card: Card, pack: str, language: Language) -> str:
    """Return the name of a card as it is said; ``pack`` is the name of its pack."""
    if not has_french_suits(pack) or card.suit not in FRENCH_SUITS:
        return card_name(card, pack, language)
    return language.say(card_words(card, FRENCH_SUITS))


def card_words(card: Card, suits: Mapping[Suit, str] = ITALIAN_SUITS) -> str:
    """Return the English name of a card in words, by default of an Italian card.

    >>> card_words(Card.parse("KC")), card_words(Card.parse("KC"), FRENCH_SUITS)
    ('king of cups', 'king of clubs')
    """
    suit = suits[Suit(card.suit)] if card.suit else ""
    return f"{ITALIAN_RANKS.get(card.rank, card.rank)} of {suit}"


def french(ranks: str) -> Pack:
    """Return a French pack with these ranks (``A`` to ``2``), strongest first."""
    return _suited_pack("french", FRENCH_ORDER, tuple(ranks.split()))


def italian(ranks: str) -> Pack:
    """Return an Italian pack with these ranks, strongest first."""
    return _suited_pack("italian", ITALIAN_ORDER, tuple(ranks.split()))


def tarot(ranks: str) -> Pack:
    """Return a tarot pack with Italian suits: these ranks, 21 trumps and the Fool."""
    return _with_trumps(_suited_pack("tarot", ITALIAN_ORDER, tuple(ranks.split())))


def french_tarot(ranks: str) -> Pack:
    """Return a tarot pack with French suits: these ranks, 21 trumps and the Fool.

    The lowest rank, which players call the one, is ``A``.

    >>> pack = french_tarot("K Q N J 10 9 8 7 6 5 4 3 2 A")
    >>> len(pack.cards), pack.show(Card.parse("NH")), pack.show(Card.parse("T21"))
    (78, 'N♥', 'trump 21')
    """
    return _with_trumps(_suited_pack("french_tarot", FRENCH_ORDER, tuple(ranks.split())))


def _with_trumps(suited: Pack) -> Pack:
    """Return the pack with 21 trumps, from the highest, and the Fool."""
    trumps = tuple(ALL_CARDS[f"T{number}"] for number in range(21, 0, -1))
    return Pack(suited.name, suited.suits, suited.ranks, (*suited.cards, *trumps, FOOL))


def _suited_pack(name: str, suits: tuple[Suit, ...], ranks: tuple[Rank, ...]) -> Pack:
    """Return a pack with one card of each rank in each suit, suit by suit."""
    cards = tuple(ALL_CARDS[f"{rank}{suit}"] for suit in suits for rank in ranks)
    return Pack(name, suits, ranks, cards)

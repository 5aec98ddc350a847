"""The rule book of Knock!, version 1, and its figures."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.cards.packs import ALL_CARDS, FOOL, Card, Suit, tarot
from scorekeeper.play.rulebook import Clause, ListOf, NamedTexts, Number, Option, RuleBook

PACK: Final = tarot("K Q N J 10 9 8 7")  # in this order of strength in each suit
TRICKS: Final = 13
LAID_AWAY: Final = 2  # K2
MAGICIAN: Final = ALL_CARDS["T1"]
WORLD: Final = ALL_CARDS["T21"]
HONOURS: Final = (MAGICIAN, WORLD, FOOL)

# Card points (K1): the honours apart, plain trumps have none.
HONOUR_POINTS: Final = 5
RANK_POINTS: Final = {"K": 5, "Q": 4, "N": 3, "J": 2, "10": 1, "9": 1, "8": 1, "7": 1}
PLAIN_TRUMP_POINTS: Final = 0
TRICK_POINTS: Final = 1
HAND_POINTS: Final = 100  # K1: 87 in the cards and 13 for the tricks
PAR: Final = 50  # K9
EMPTY: Final = 1  # a card of this many points or less is an empty one, due in payment (K7)

QUARTET: Final = (2, 3, 4, 5)  # trumps equal among themselves (K5)


def _card_points(card: Card) -> int:
    """Return the points of a card: 5 for honours, 0 for other trumps, else by rank (K1)."""
    if card in HONOURS:
        return HONOUR_POINTS
    return PLAIN_TRUMP_POINTS if card.suit is Suit.T else RANK_POINTS[card.rank]


VALUE: Final = {card: _card_points(card) for card in PACK.cards}


def _strength_in_suit(card: Card) -> int:
    """Return the strength of a card in its suit, or of a trump among trumps (K5)."""
    if card.suit is Suit.T:
        number = int(card.rank)
        return QUARTET[0] if number in QUARTET else number
    return PACK.height[card]


# By suit, how strong each of its cards is; the Fool has no strength anywhere (K6).
POWER: Final[Mapping[Suit, Mapping[Card, int]]] = {
    suit: {card: _strength_in_suit(card) for card in PACK.cards_of_suit(suit)}
    for suit in (*PACK.suits, Suit.T)
}
ABOVE_ANY_SUIT: Final = 100  # what a trump's strength has on top where another suit is led

# The strength of each card that can win the trick, by the suit led (K5).
STRENGTH: Final[Mapping[Suit, Mapping[Card, int]]] = {
    led: {**POWER[led], **{card: ABOVE_ANY_SUIT + n for card, n in POWER[Suit.T].items()}}
    for led in POWER
}


def may_be_laid_away(card: Card) -> bool:
    """Return whether the dealer may lay a card away: freely, or a trump if they have to (K3)."""
    return card not in HONOURS and card.rank != "K"


class Signal(NamedTuple):
    """A gesture: its moment, its form, and its meaning for the partner (K11)."""

    id: str
    moment: str
    gesture: str
    meaning: str


# The moments of gestures (K11).
LEADING: Final = "leading"
TO_TRUMP: Final = "leading, for partner to trump"
ANY_SUIT: Final = "with a card of any suit"
WITH_TRUMP: Final = "with a trump"
AFTERWARDS: Final = "after a trump, or the last card of a suit"
WITH_SUIT: Final = "with a suit card"
FOLLOWING: Final = "when following suit"
BEFORE: Final = "before partner leads"

SIGNALS: Final = (
    Signal("long_suit", LEADING, "drag the card from right to left", "I am long in this suit"),
    Signal("all_but_one", LEADING, "lift the card and lower it in an arc",
           "all the cards left in this suit but one are mine"),
    Signal("trump_low", TO_TRUMP, "an arc to the right, then to the left",
           "win it with your lowest trump that will do"),
    Signal("avoid_high", TO_TRUMP, "drag the card towards oneself", "spare your high trumps"),
    Signal("not_highest", TO_TRUMP, "tap with all fingers at once",
           "any trump but your highest"),
    Signal("one_more", ANY_SUIT, "tap the table with the card",
           "I have one more card of this suit"),
    Signal("do_not_return", ANY_SUIT, "raise a hand and let it drop",
           "next time, do not lead the suit of your last lead"),
    Signal("last_trump", WITH_TRUMP, "shake the card", "I have no trumps left"),
    Signal("magician_at_risk", WITH_TRUMP, "let the card tremble", "my Magician is in danger"),
    Signal("highest_trump", AFTERWARDS, "knock", "the highest trump left is mine"),
    Signal("two_highest_trumps", AFTERWARDS, "knock twice", "the two highest trumps left are mine"),
    Signal("have_world", AFTERWARDS, "a circle in the air", "the World is mine"),
    Signal("have_sun", AFTERWARDS, "raise a hand sharply", "the Sun (trump 19) is mine"),
    Signal("have_moon", AFTERWARDS, "tap with the middle finger", "the Moon (trump 18) is mine"),
    Signal("say_15_16_17", AFTERWARDS, "say it aloud", "trump 15, 16 or 17 is mine"),
    Signal("last_of_suit", WITH_SUIT, "tap with the thumb", "I have no cards of this suit left"),
    Signal("highest_of_suit", WITH_SUIT, "knock", "the highest card left in this suit is mine"),
    Signal("have_queen", WITH_SUIT, "a circle in the air", "the queen of this suit is mine"),
    Signal("do_not_lead", FOLLOWING, "drag the card towards oneself", "stay away from this suit"),
    Signal("bijou", BEFORE, "tap and say “Bijou”", "lead a low trump"),
    Signal("grand", BEFORE, "tap and say “Grand”", "lead a high trump"),
)  # fmt: skip
SIGNAL: Final = {signal.id: signal for signal in SIGNALS}


def agreed_signals(options: JsonObject) -> frozenset[str]:
    """Return the ids of the gestures that a table allows (K11)."""
    agreed = options["signals"]
    listed = () if agreed == "none" else SIGNAL if agreed == "seed" else agreed
    return frozenset((*listed, *own_signals(options)))


def own_signals(options: JsonObject) -> tuple[str, ...]:
    """Return the ids of a table's own gestures, beside those of the rule book (K11)."""
    return tuple(signal["id"] for signal in options["own_signals"])


def _signals_text(signals: tuple[Signal, ...]) -> str:
    """Return the gestures and their meanings as text for a clause, grouped by moment."""
    moments: dict[str, list[str]] = {}
    for signal in signals:
        moments.setdefault(signal.moment, []).append(f"{signal.gesture}: {signal.meaning}")
    return " ".join(f"{moment.capitalize()}: {'; '.join(n)}." for moment, n in moments.items())


MOST_OWN_SIGNALS: Final = 10  # so that a link to the rules of a table is not too long
LONGEST_SIGNAL: Final = 60  # code points in the meaning of one of them

CLAUSES: Final = (
    Clause("K1", "The pack has 54 cards: in each of the suits swords, cups, coins and batons a "
           "king, queen, knight, jack, 10, 9, 8 and 7; trumps 1 to 21, of which 1 is the Magician "
           "and 21 the World; and the Fool. Magician, World and Fool, the honours, count 5 "
           "points each, kings 5, queens 4, knights 3, jacks 2, the sixteen cards from 10 to 7 1 "
           "each, and the other nineteen trumps nothing. That is 87 in the cards; with 1 for each "
           "of the 13 tricks a hand holds 100. (The text of the game "
           "gives 1 point to all other cards, and says that a hand holds 100. With 1 for those "
           "trumps it would hold 119, so they count nothing here.)", "ruling"),
    Clause("K2", "Four play as two sides, partners facing each other. The dealer gives 13 cards "
           "to each, one at a time, takes the last two, and lays two away. They count for the "
           "dealer's side, and are no trick.", "source"),
    Clause("K3", "No king, Magician, World or Fool may be laid away, and a trump only where the "
           "dealer holds fewer than two other cards that may be: then only as many as the dealer "
           "needs, and they are shown. A Fool laid away all the same counts 5 for the dealer's "
           "side, and K7 does not apply.", "source"),
    Clause("K4", "Eldest, at the dealer's left, leads to the first trick, and play goes "
           "clockwise. Players follow suit if they can. A player who is void plays a trump; one "
           "who has no trump either plays any card. Nobody has to beat the cards on the table. "
           "The winner of a trick leads the next.", "source"),
    Clause("K5", "The highest trump takes the trick, else the highest card of the suit led. Trumps "
           "rank by their number, the World highest. Trumps 2 to 5 are the Quartet (High "
           "Priestess, Empress, Emperor, Hierophant): above the Magician, below trump 6, and "
           "equal, so that of several in one trick the last played beats the others.", "found"),
    Clause("K6", "The Fool may be played at any time in place of the card that is due, and never "
           "wins. Led, it sets no suit: the next card does.", "found"),
    Clause("K7", "The Fool stays with the side that played it. At the end of the hand that side "
           "pays for it with one card of its tricks, never of the lay-away, to the side that "
           "took the Fool's trick: a card of 1 point or less if it has one. If its own side took "
           "the trick, nothing is paid. A payment that is not on record, or of a card that the "
           "side has not won, counts as the lowest in points that it has won.", "found"),
    Clause("K8", "A side that has taken no trick cannot pay: it gives the Fool up to the side that "
           "took its trick.", "ruling"),
    Clause("K9", "A side's points are its card points, once the Fool is settled (K7, K8) and with "
           "the lay-away for the dealer's side, and 1 for each trick. A side wins what it has "
           "over 50, or loses what it has under 50; the other side gets the opposite.", "source"),
    Clause("K10", "A game is four hands, each player dealing once; their results are added, and "
           "the higher total wins. With equal totals it is drawn. A table may agree on "
           "a longer game.", "source"),
    Clause("K11", "Partners may speak by gestures, if they are on the list that the table agreed "
           "on. Everybody must be able to see them, and a player must repeat one if an opponent "
           "asks. They never change the score. A gesture is judged by what the player who made "
           "it holds once the card that it goes with is played; “highest” means highest of the "
           "cards not yet played, without the lay-away and with the Quartet equal. "
           + _signals_text(SIGNALS), "source"),
)  # fmt: skip

OPTIONS: Final = (
    Option("hands", "K10", "How many hands are a game?", {
        4: "four: each player deals once",
        Number(None, low=4, step=4): "another multiple of four: all deal equally often",
    }, brief={...: "{n} hands"}),
    Option("signals", "K11", "Which of the gestures listed in K11 are allowed?", {
        "seed": "all those listed in K11",
        "none": "none",
        ListOf(tuple(SIGNAL)): "these, of those listed in K11",
    }, brief={"none": "none of the listed gestures", ...: "gestures: {n}"}, scores=False),
    Option("own_signals", "K11", "Which gestures of its own has the table?", {
        NamedTexts(): "none",
        NamedTexts(MOST_OWN_SIGNALS, LONGEST_SIGNAL, tuple(SIGNAL)): "these, each with what it "
        "means; they are written down like any other, and not checked against the cards",
    }, brief={...: "own gestures: {n}"}, default=[], later=True, scores=False),
)  # fmt: skip

BOOK: Final = RuleBook(CLAUSES, OPTIONS)

"""Gestures between partners: those not agreed on, and those that the cards contradict (K11)."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple

from scorekeeper.cards.packs import ALL_CARDS, Card, Suit
from scorekeeper.cards.tricks import Play
from scorekeeper.events.sentences import spaced
from scorekeeper.games.knock.rules import POWER, SIGNAL, WORLD, agreed_signals
from scorekeeper.games.knock.state import KnockDeal, Signalled
from scorekeeper.play.checks import fault
from scorekeeper.play.scoring import Observation, Text, Word

SUN: Final = ALL_CARDS["T19"]
MOON: Final = ALL_CARDS["T18"]
SAID_ALOUD: Final = (ALL_CARDS["T15"], ALL_CARDS["T16"], ALL_CARDS["T17"])


class GestureMoment(NamedTuple):
    """A gesture's moment: the card that it goes with, and what is played after it.

    ``card`` is None where no card of the player's is on record before it.
    """

    card: Card | None
    own: tuple[Play, ...]  # what the player still held
    others: tuple[Play, ...]  # what the other three still held

    @property
    def suit(self) -> Suit | None:
        """The suit spoken of; None after the Fool."""
        return self.card.suit if self.card else None


# The plays that contradict a gesture, () where it is contradicted by what is missing, and
# None where nothing contradicts it.
Proof = tuple[Play, ...] | None


def has_one_of(moment: GestureMoment, *cards: Card) -> Proof:
    """Whether one of the cards is still held."""
    if any(play.card in cards for play in moment.own):
        return None
    return tuple(play for play in moment.others if play.card in cards)


def has_queen(moment: GestureMoment) -> Proof:
    """Whether the queen of the suit is still held."""
    if moment.suit is None or moment.suit is Suit.T:
        return None
    return has_one_of(moment, ALL_CARDS[f"Q{moment.suit}"])


def has_highest(moment: GestureMoment, suit: Suit | None, number: int = 1) -> Proof:
    """Whether the highest cards left in a suit are held, a given number of them."""
    if suit is None:
        return None
    power = POWER[suit]
    held = sorted((power[play.card] for play in moment.own if play.card in power), reverse=True)
    bar = held[number - 1] if len(held) >= number else 0
    out = [play for play in moment.others if play.card in power]
    best = max(out, key=lambda play: power[play.card], default=None)
    if best and power[best.card] > bar:
        return (best,)
    return None if bar else ()


def has_left(moment: GestureMoment, number: int) -> Proof:
    """Whether exactly a given number of cards of the suit are still held."""
    held = tuple(play for play in moment.own if play.card.suit is moment.suit)
    return None if moment.suit is None or len(held) == number else held[: number + 1]


def was_last_trump(moment: GestureMoment) -> Proof:
    """Whether a trump was played, and none is left."""
    if moment.card is None or moment.suit is Suit.T:
        return has_left(moment, 0)
    return ()


def has_all_but_one(moment: GestureMoment) -> Proof:
    """Whether the others hold exactly one card of the suit between them."""
    out = tuple(play for play in moment.others if play.card.suit is moment.suit)
    return None if moment.suit is None or len(out) == 1 else out[:2]


# What the cards can say of a gesture; the others are wishes, or matters of opinion.
JUDGES: Final[Mapping[str, Callable[[GestureMoment], Proof]]] = {
    "all_but_one": has_all_but_one,
    "one_more": partial(has_left, number=1),
    "last_trump": was_last_trump,
    "highest_trump": partial(has_highest, suit=Suit.T),
    "two_highest_trumps": partial(has_highest, suit=Suit.T, number=2),
    "have_world": lambda moment: has_one_of(moment, WORLD),
    "have_sun": lambda moment: has_one_of(moment, SUN),
    "have_moon": lambda moment: has_one_of(moment, MOON),
    "say_15_16_17": lambda moment: has_one_of(moment, *SAID_ALOUD),
    "last_of_suit": partial(has_left, number=0),
    "highest_of_suit": lambda moment: has_highest(moment, moment.suit),
    "have_queen": has_queen,
}


def unknown_signal(deal: KnockDeal) -> Iterator[Observation]:
    """A gesture that is not on the list that the table agreed on."""
    agreed = agreed_signals(deal.table.options)
    for made in deal.signals:
        if made.event.signal not in agreed:
            yield fault("{player} made a gesture that the table has not agreed on: {signal}",
                        deal, made, signal=Word("value", spaced(made.event.signal)))  # fmt: skip


def judged(deal: KnockDeal) -> list[Signalled]:
    """The gestures of which the cards can say whether they were true."""
    return [made for made in deal.signals if made.event.signal in JUDGES]


def false_signal(deal: KnockDeal) -> Iterator[Observation]:
    """A gesture that was not true, once the cards of the whole hand are on record."""
    if not deal.all_cards or deal.again:
        return
    for made in judged(deal):
        moment = _moment(deal, made)
        proof = JUDGES[made.event.signal](moment)
        if proof is not None:
            meaning = Text(SIGNAL[made.event.signal].meaning)
            yield fault("{player} told partner “{meaning}”, and the cards say otherwise",
                        deal, made, *(play.seq for play in proof), meaning=meaning)  # fmt: skip


def _moment(deal: KnockDeal, made: Signalled) -> GestureMoment:
    player = made.player
    before, after = deal.plays[: made.after], deal.plays[made.after :]
    card = next((play.card for play in reversed(before) if play.player == player), None)
    own = tuple(play for play in after if play.player == player)
    others = tuple(play for play in after if play.player != player)
    return GestureMoment(card, own, others)

"""Checks of gestures between partners: not agreed on, or contradicted by the cards (K11)."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple

from scorekeeper.cards.packs import ALL_CARDS, Card, Suit
from scorekeeper.cards.tricks import Play
from scorekeeper.events.sentences import with_spaces
from scorekeeper.games.knock.rules import POWER, SIGNAL, WORLD, agreed_signals
from scorekeeper.games.knock.state import KnockDeal, RecordedSignal
from scorekeeper.play.checks import fault
from scorekeeper.play.scoring import Observation, Text, Word

SUN: Final = ALL_CARDS["T19"]
MOON: Final = ALL_CARDS["T18"]
TRUMPS_15_TO_17: Final = (ALL_CARDS["T15"], ALL_CARDS["T16"], ALL_CARDS["T17"])


class GestureMoment(NamedTuple):
    """The moment of a gesture: the card that it goes with, and the cards played after it.

    ``card`` is None if no card of the player is on record before it.
    """

    card: Card | None
    own: tuple[Play, ...]  # cards that the player still held
    others: tuple[Play, ...]  # cards that the other three still held

    @property
    def suit(self) -> Suit | None:
        """The suit that the gesture is about; None after the Fool."""
        return self.card.suit if self.card else None


# The plays that contradict a gesture; () if only missing cards contradict it, None if nothing does.
Proof = tuple[Play, ...] | None


def refute_one_of(moment: GestureMoment, *cards: Card) -> Proof:
    """Return the proof against the gesture “I hold one of these cards”; None if it is true."""
    if any(play.card in cards for play in moment.own):
        return None
    return tuple(play for play in moment.others if play.card in cards)


def refute_queen(moment: GestureMoment) -> Proof:
    """Return the proof against “I hold the queen of this suit”.

    None if it is true, or the card played has no queen in its suit.
    """
    if moment.suit is None or moment.suit is Suit.T:
        return None
    return refute_one_of(moment, ALL_CARDS[f"Q{moment.suit}"])


def refute_highest(moment: GestureMoment, suit: Suit | None, number: int = 1) -> Proof:
    """Return the proof against “I hold the ``number`` highest cards left in this suit”.

    None if it is true, or there is no suit.
    """
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


def refute_number_left(moment: GestureMoment, number: int) -> Proof:
    """Return the proof against “I hold exactly ``number`` more cards of this suit”.

    None if it is true, or there is no suit.
    """
    held = tuple(play for play in moment.own if play.card.suit is moment.suit)
    return None if moment.suit is None or len(held) == number else held[: number + 1]


def refute_last_trump(moment: GestureMoment) -> Proof:
    """Return the proof against “this was my last trump”; () if no trump was played.

    None if it is true.
    """
    if moment.card is None or moment.suit is Suit.T:
        return refute_number_left(moment, 0)
    return ()


def refute_all_but_one(moment: GestureMoment) -> Proof:
    """Return the proof against “all cards left in this suit but one are mine”.

    None if it is true, or there is no suit.
    """
    out = tuple(play for play in moment.others if play.card.suit is moment.suit)
    return None if moment.suit is None or len(out) == 1 else out[:2]


# The tests of gestures by the cards; all other gestures are requests, or matters of opinion.
JUDGES: Final[Mapping[str, Callable[[GestureMoment], Proof]]] = {
    "all_but_one": refute_all_but_one,
    "one_more": partial(refute_number_left, number=1),
    "last_trump": refute_last_trump,
    "highest_trump": partial(refute_highest, suit=Suit.T),
    "two_highest_trumps": partial(refute_highest, suit=Suit.T, number=2),
    "have_world": lambda moment: refute_one_of(moment, WORLD),
    "have_sun": lambda moment: refute_one_of(moment, SUN),
    "have_moon": lambda moment: refute_one_of(moment, MOON),
    "say_15_16_17": lambda moment: refute_one_of(moment, *TRUMPS_15_TO_17),
    "last_of_suit": partial(refute_number_left, number=0),
    "highest_of_suit": lambda moment: refute_highest(moment, moment.suit),
    "have_queen": refute_queen,
}


def unknown_signal(deal: KnockDeal) -> Iterator[Observation]:
    """Find gestures that the table has not agreed on."""
    agreed = agreed_signals(deal.table.options)
    for signal in deal.signals:
        if signal.event.signal not in agreed:
            name = Word("value", with_spaces(signal.event.signal))
            yield fault("{player} made a gesture that the table has not agreed on: {signal}",
                        deal, signal, signal=name)  # fmt: skip


def judgeable_signals(deal: KnockDeal) -> list[RecordedSignal]:
    """Return the gestures that the cards of the hand can prove true or false."""
    return [signal for signal in deal.signals if signal.event.signal in JUDGES]


def false_signal(deal: KnockDeal) -> Iterator[Observation]:
    """Find false gestures, once all cards of the hand are on record."""
    if not deal.all_cards or deal.again:
        return
    for signal in judgeable_signals(deal):
        moment = _moment(deal, signal)
        proof = JUDGES[signal.event.signal](moment)
        if proof is not None:
            meaning = Text(SIGNAL[signal.event.signal].meaning)
            yield fault("{player} told partner “{meaning}”, but the cards say otherwise",
                        deal, signal, *(play.seq for play in proof), meaning=meaning)  # fmt: skip


def _moment(deal: KnockDeal, signal: RecordedSignal) -> GestureMoment:
    """Return the card that a gesture goes with, and the cards that all players still held then."""
    player = signal.player
    before, after = deal.plays[: signal.after], deal.plays[signal.after :]
    card = next((play.card for play in reversed(before) if play.player == player), None)
    own = tuple(play for play in after if play.player == player)
    others = tuple(play for play in after if play.player != player)
    return GestureMoment(card, own, others)

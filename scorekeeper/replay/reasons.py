"""Why a trick went to whom it went, by its cards or by what was said."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.cards import Card, Suit
from scorekeeper.replay.records import HandRecord
from scorekeeper.tricks import Play, Trick

AS_SAID: Final = "G6"  # the clause by which a winner is taken as said
WINNERS: Final = "wrong_winner"  # the check that knows the clause of the game


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in its trick: what it did there, and the card that beat it, if it could win.

    ``did`` is ``led``, ``followed``, ``trumped`` or ``discarded``.
    """

    seq: int
    player: str
    card: Card
    did: str
    beaten_by: Card | None


@dataclass(frozen=True, slots=True)
class Decided:
    """A trick and what decided it: its ``cards``, what was ``said``, the ``rest``, or nothing.

    ``suit`` is the suit led, ``trumps`` are the suits that could trump it, the best one first.
    """

    number: int
    by: str | None
    winner: str | None
    rule: str | None
    why: str
    suit: Suit | None = None
    trumps: tuple[Suit, ...] = ()
    laid: tuple[Laid, ...] = ()
    events: tuple[int, ...] = ()


def decided(hand: HandRecord) -> Iterator[Decided]:
    """The tricks of a hand, those beyond its number and those claimed with the rest too."""
    deal = hand.deal
    recorded = {trick.number: trick for trick in deal.tricks}
    won = {one.number: one for one in deal.won}
    for number in sorted({*recorded, *won}):
        trick = recorded.get(number)
        if trick is not None and trick.plays and deal.decided(trick):
            yield _by_cards(hand, trick)
        elif number in won and won[number].trick is None:
            why = f"{hand.table.name(won[number].player)} claimed the rest"
            yield Decided(number, "rest", won[number].player, AS_SAID, why,
                          events=won[number].events)  # fmt: skip
        elif trick is not None:
            yield _by_word(hand, trick)
    for trick in deal.tricks.beyond():
        why = f"the hand has {deal.tricks.total} tricks: what is beyond them is not scored"
        laid = tuple(_laid(trick.plays, {}, None))
        yield Decided(trick.number, None, None, None, why, laid=laid, events=trick.events())


def rule_of_tricks(hand: HandRecord) -> str:
    """The clause of the game that says who wins a trick."""
    return next(check.rule for check in hand.game.checks if check.code == WINNERS)


def led_suit(plays: Sequence[Play]) -> Suit | None:
    """The suit of the first card that has one."""
    return next((play.card.suit for play in plays if play.card.suit is not None), None)


def _by_word(hand: HandRecord, trick: Trick) -> Decided:
    """A trick that its cards do not decide."""
    laid = tuple(_laid(trick.plays, {}, None))
    suit, events = led_suit(trick.plays), trick.events()
    if not trick.said:
        why = "who took it is not on record"
        return Decided(trick.number, None, None, None, why, suit, (), laid, events)
    if hand.deal.tricks.full(trick):
        missing = "what was trump is not on record"
    else:
        missing = "not all its cards are on record" if laid else "its cards are not on record"
    winner = trick.said[0].player
    why = f"{hand.table.name(winner)} took it, as was said: {missing}"
    return Decided(trick.number, "said", winner, AS_SAID, why, suit, (), laid, events)


def _by_cards(hand: HandRecord, trick: Trick) -> Decided:
    strength = hand.deal.strength(trick)
    suit = led_suit(trick.plays)
    ranked = sorted(strength, key=lambda card: -strength[card])
    trumps = tuple(
        dict.fromkeys(card.suit for card in ranked if card.suit is not None and card.suit != suit)
    )
    best = hand.deal.winner(trick)
    why = _why(hand, trick.plays, best, strength)
    return Decided(
        trick.number, "cards", best.player, rule_of_tricks(hand), why, suit, trumps,
        tuple(_laid(trick.plays, strength, best)), trick.events(),
    )  # fmt: skip


def _laid(plays: Sequence[Play], strength: Mapping[Card, int], best: Play | None) -> Iterator[Laid]:
    suit = led_suit(plays)
    for place, play in enumerate(plays):
        if place == 0:
            did = "led"
        elif play.card.suit == suit:
            did = "followed"
        else:
            did = "trumped" if play.card in strength else "discarded"
        loses = best is not None and play is not best and play.card in strength
        yield Laid(play.seq, play.player, play.card, did, best.card if best and loses else None)


def _why(hand: HandRecord, plays: Sequence[Play], best: Play, strength: Mapping[Card, int]) -> str:
    """Why the best card of a trick is the best."""
    pack, suit = hand.match.pack, led_suit(plays)
    led = pack.suit_name(suit)
    name, card = hand.table.name(best.player), pack.show(best.card)
    rivals = [one for one in plays if one is not best and one.card in strength]
    trumping = [one for one in rivals if one.card.suit != suit]
    if best.card.suit != suit:
        others = ", ".join(pack.show(one.card) for one in trumping)
        above = f", and beat {others}, which trumped too" if trumping else ""
        return f"{name} trumped the {led} led with {card}{above}{_last(best, rivals, strength)}"
    can_be_trumped = any(one.suit != suit for one in strength)
    nobody = ", and nobody trumped" if can_be_trumped else ""
    which = "the highest" if rivals else "the only one"
    return f"{name}’s {card} is {which} of the {led} led{nobody}{_last(best, rivals, strength)}"


def _last(best: Play, rivals: Sequence[Play], strength: Mapping[Card, int]) -> str:
    """What decided between equal cards."""
    equal = any(strength[one.card] == strength[best.card] for one in rivals)
    return "; of equal cards the last one wins" if equal else ""

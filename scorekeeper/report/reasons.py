"""The reason why a player won a trick: its cards, or the recorded winner."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from scorekeeper.base.language import language
from scorekeeper.cards.packs import Card, Suit
from scorekeeper.cards.tricks import Play, Trick
from scorekeeper.session.matches import HandRecord

NAMED_WINNER_RULE: Final = "G6"  # the clause by which a recorded winner counts
# The reasons why a player won a trick.
CLAIMED: Final = "{player} claimed the rest"
BEYOND: Final = "the hand has {total} tricks: what is beyond them is not scored"
UNKNOWN: Final = "who took it is not on record"
NAMED_WINNER: Final = {
    "trump": "{player} took it, as the table said: what was trump is not on record",
    "some": "{player} took it, as the table said: not all its cards are on record",
    "all": "{player} took it, as the table said: its cards are not on record",
}
TRUMPED: Final = "{player} trumped the {led} led with {card}"
TRUMPED_OVER: Final = (
    "{player} trumped the {led} led with {card}, and beat {others}, which trumped too"
)
# By whether another could have won with a card of the suit, and whether it could be trumped.
FOLLOWED: Final = {
    (True, True): "{player}’s {card} is the highest of the {led} led, and nobody trumped",
    (True, False): "{player}’s {card} is the highest of the {led} led",
    (False, True): "{player}’s {card} is the only one of the {led} led, and nobody trumped",
    (False, False): "{player}’s {card} is the only one of the {led} led",
}
OF_EQUALS: Final = "{why}; of equal cards the last one wins"
WINNER_CHECK: Final = "wrong_winner"  # the check whose clause says who wins a trick


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card in its trick: its effect there, and the card that beat it, if it could win.

    ``did`` is ``led``, ``followed``, ``trumped`` or ``discarded``.
    """

    seq: int
    player: str
    card: Card
    did: str
    beaten_by: Card | None


@dataclass(frozen=True, slots=True)
class DecidedTrick:
    """A trick and its decision.

    ``by`` is what decided it: ``cards``, ``said`` (the recorded winner), ``rest`` (a claim), or
    None. ``suit`` is the suit led, ``trumps`` are the suits that could trump it, the best one
    first.
    """

    number: int
    by: str | None
    winner: str | None
    rule: str | None
    why: str
    suit: Suit | None = None
    trumps: tuple[Suit, ...] = ()
    laid: tuple[LaidCard, ...] = ()
    events: tuple[int, ...] = ()


def explain_tricks(hand: HandRecord) -> Iterator[DecidedTrick]:
    """Yield the tricks of a hand, also those beyond its number and those claimed with the rest."""
    deal = hand.deal
    recorded = {trick.number: trick for trick in deal.tricks}
    won = {won_trick.number: won_trick for won_trick in deal.won}
    for number in sorted({*recorded, *won}):
        trick = recorded.get(number)
        if trick is not None and number in deal.winning:
            yield _decide_by_cards(hand, trick)
        elif number in won and won[number].trick is None:
            why = _say(CLAIMED, player=hand.table.name(won[number].player))
            yield DecidedTrick(number, "rest", won[number].player, NAMED_WINNER_RULE, why,
                          events=won[number].events)  # fmt: skip
        elif trick is not None:
            yield _decide_by_record(hand, trick)
    for trick in deal.tricks.beyond():
        why = _say(BEYOND, total=deal.tricks.total)
        laid = tuple(_laid_cards(trick, {}, None))
        yield DecidedTrick(trick.number, None, None, None, why, laid=laid, events=trick.events())


def get_trick_rule(hand: HandRecord) -> str:
    """Return the clause of the game by which a trick is won."""
    return next(check.rule for check in hand.game.checks if check.code == WINNER_CHECK)


def _decide_by_record(hand: HandRecord, trick: Trick) -> DecidedTrick:
    """Return a trick whose cards do not decide it: by its recorded winner, or undecided."""
    laid = tuple(_laid_cards(trick, {}, None))
    suit, events = trick.led_suit, trick.events()
    if not trick.named_winners:
        why = _say(UNKNOWN)
        return DecidedTrick(trick.number, None, None, None, why, suit, (), laid, events)
    missing = "trump" if hand.deal.tricks.is_full(trick) else "some" if laid else "all"
    winner = trick.named_winners[0].player
    why = _say(NAMED_WINNER[missing], player=hand.table.name(winner))
    return DecidedTrick(
        trick.number, "said", winner, NAMED_WINNER_RULE, why, suit, (), laid, events
    )


def _decide_by_cards(hand: HandRecord, trick: Trick) -> DecidedTrick:
    """Return a trick that its cards decide, with the reason why the best card won."""
    strength = hand.deal.strength(trick)
    suit = trick.led_suit
    ranked = sorted(strength, key=lambda card: -strength[card])
    trumps = tuple(
        dict.fromkeys(card.suit for card in ranked if card.suit is not None and card.suit != suit)
    )
    best = hand.deal.winning[trick.number]
    why = _why_best_won(hand, trick, best, strength)
    return DecidedTrick(
        trick.number, "cards", best.player, get_trick_rule(hand), why, suit, trumps,
        tuple(_laid_cards(trick, strength, best)), trick.events(),
    )  # fmt: skip


def _laid_cards(
    trick: Trick, strength: Mapping[Card, int], best: Play | None
) -> Iterator[LaidCard]:
    """Yield the cards of a trick in order, each with what it did.

    `strength` has the cards that could win, `best` is the play that won.
    """
    suit = trick.led_suit
    for place, play in enumerate(trick.plays):
        if place == 0:
            did = "led"
        elif play.card.suit == suit:
            did = "followed"
        else:
            did = "trumped" if play.card in strength else "discarded"
        loses = best is not None and play is not best and play.card in strength
        yield LaidCard(play.seq, play.player, play.card, did, best.card if best and loses else None)


def _why_best_won(hand: HandRecord, trick: Trick, best: Play, strength: Mapping[Card, int]) -> str:
    """Return the reason why the best card of a trick won, as a sentence."""
    pack, suit = hand.match.pack, trick.led_suit
    rivals = [play for play in trick.plays if play is not best and play.card in strength]
    trumping = [pack.show(play.card) for play in rivals if play.card.suit != suit]
    if best.card.suit != suit:
        template = TRUMPED_OVER if trumping else TRUMPED
    else:
        can_be_trumped = any(play.suit != suit for play in strength)
        template = FOLLOWED[bool(rivals), can_be_trumped]
    why = _say(
        template, player=hand.table.name(best.player), card=pack.show(best.card),
        led=pack.suit_name(suit), others=", ".join(trumping),
    )  # fmt: skip
    equal = any(strength[play.card] == strength[best.card] for play in rivals)
    return _say(OF_EQUALS, why=why) if equal else why


def _say(template: str, **facts: object) -> str:
    """Return a template in the current language, filled in with facts."""
    return language().say(template).format(**facts)

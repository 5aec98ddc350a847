"""Signatures under a hand: the hand as it was signed, and whether it has changed since."""

from typing import NamedTuple

from scorekeeper.base.parts import ExactPoints
from scorekeeper.events.event import Entry
from scorekeeper.play.scoring import add_up
from scorekeeper.session.matches import HandRecord

WordingKey = tuple[
    int, int
]  # the key of an entry, and that of the correction which gives its words


class PlacedEntry(NamedTuple):
    """An entry being placed: its wording key, and whether its type is new at this place."""

    wording: WordingKey
    entry: Entry
    new: bool


class Signature(NamedTuple):
    """A player's signature under a hand, in the entry with this seq."""

    wording: WordingKey
    seq: int
    player: str


class SignedHand(NamedTuple):
    """A hand as it was signed: its terms, its entries, and its scores."""

    terms: tuple[object, ...]
    entries: tuple[Entry, ...]
    scores: dict[str, ExactPoints]


def capture_signed_hand(hand: HandRecord) -> SignedHand:
    """Return the present terms, entries and scores of a hand, which a signature confirms."""
    return SignedHand(_get_terms(hand), tuple(hand.entries), _compute_scores(hand))


def is_unchanged(
    signature: Signature, signed: SignedHand, hand: HandRecord, inserted: set[int]
) -> bool:
    """Return whether a hand is unchanged since it was signed.

    A correction of the hand voids the signature, and a strike of that correction restores it. Later
    entries do not matter unless they change the scores of the hand. ``inserted`` has the seqs of
    the entries that corrections inserted.
    """
    known = (entry for entry in hand.entries if entry.seq < signature.seq or entry.seq in inserted)
    return signed == SignedHand(_get_terms(hand), tuple(known), _compute_scores(hand))


def _get_terms(hand: HandRecord) -> tuple[object, ...]:
    """Return what a hand is played by: game, version of the rules, options, seats and dealer."""
    match = hand.match
    return match.game.id, match.game.version, match.options, match.seats, hand.dealer


def _compute_scores(hand: HandRecord) -> dict[str, ExactPoints]:
    """Return the points of each side in a hand."""
    result = hand.evaluate(hand.match.standing(hand.number - 1))
    return add_up(result.lines, hand.match.sides)

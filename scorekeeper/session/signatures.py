"""Signatures under a hand: what was signed, and whether the hand still stands as it did."""

from typing import Any, NamedTuple

from scorekeeper.events.event import Entry
from scorekeeper.play.scoring import add_up
from scorekeeper.session.matches import HandRecord

WordingKey = tuple[
    int, int
]  # the key of an entry, and that of the correction which gives its words


class PlacedEntry(NamedTuple):
    """An entry being placed: what it is known by, and whether it is new or was there before."""

    wording: WordingKey
    entry: Entry
    new: bool


class Signature(NamedTuple):
    """A player signed a hand, in the entry with this seq."""

    wording: WordingKey
    seq: int
    player: str


class SignedHand(NamedTuple):
    """A hand as it stood when it was signed: its terms, its record, and what it scored."""

    terms: tuple[Any, ...]
    entries: tuple[Entry, ...]
    scores: dict[str, int]


def capture_signed_hand(hand: HandRecord) -> SignedHand:
    """What who signs the hand now signs."""
    return SignedHand(_terms(hand), tuple(hand.entries), _scores(hand))


def is_unchanged(
    signature: Signature, signed: SignedHand, hand: HandRecord, inserted: set[int]
) -> bool:
    """Whether a hand still stands as it was signed.

    A correction of the hand voids the signature, and a strike of that correction restores it;
    what was recorded after it in the ordinary way does not touch it, unless it changes what the
    hand scores. ``inserted`` has the seqs of what corrections inserted.
    """
    known = (entry for entry in hand.entries if entry.seq < signature.seq or entry.seq in inserted)
    return signed == SignedHand(_terms(hand), tuple(known), _scores(hand))


def _terms(hand: HandRecord) -> tuple[Any, ...]:
    match = hand.match
    return match.game.id, match.game.version, match.options, match.seats, hand.dealer


def _scores(hand: HandRecord) -> dict[str, int]:
    result = hand.evaluate(hand.match.standing(hand.number - 1))
    return add_up(result.lines, hand.match.sides)

"""The values that forms offer for a field: suits of the pack, without values already used."""

from collections.abc import Iterable, Sequence

from scorekeeper.cards.packs import Pack, Suit
from scorekeeper.events.event import Entry, Event
from scorekeeper.events.fields import OneOf, Part


def values_in_pack(kind: OneOf, pack: Pack | None) -> Sequence[str]:
    """Return the values of a kind; if they are suits, only those that the pack has.

    Without a pack all values are returned.
    """
    if pack is None or not set(kind.values) <= set(Suit):
        return kind.values
    return [suit for suit in kind.values if suit in pack.suits]


def excluded_values(declared: type[Event], part: Part, entries: Iterable[Entry]) -> list[object]:
    """Return the values that are never offered, and those used up by the entries of the hand.

    A value is used up if the field may have it only once in a hand (`Part.once`).
    """
    events = [entry.event for entry in entries if type(entry.event) is declared and part.once]
    return [*part.never, *(getattr(event, part.name) for event in events)]

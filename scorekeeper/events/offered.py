"""What is left to be offered for a field: suits that the pack has, and what is said but once."""

from collections.abc import Iterable, Sequence

from scorekeeper.cards.packs import Pack, Suit
from scorekeeper.events.common import Entry, Event
from scorekeeper.events.fields import OneOf, Part


def of_the_pack(kind: OneOf, pack: Pack | None) -> Sequence[str]:
    """Of suits those that the pack has; anything else as it is."""
    if pack is None or not set(kind.values) <= set(Suit):
        return kind.values
    return [one for one in kind.values if one in pack.suits]


def said_once(declared: type[Event], part: Part, entries: Iterable[Entry]) -> list[object]:
    """What these entries say already in a field of which nothing is said twice in a hand."""
    if not part.once:
        return []
    return [getattr(one.event, part.name) for one in entries if type(one.event) is declared]

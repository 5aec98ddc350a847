"""What is left to be offered for a field: suits that the pack has, and what can still be meant."""

from collections.abc import Iterable, Sequence

from scorekeeper.cards.packs import Pack, Suit
from scorekeeper.events.event import Entry, Event
from scorekeeper.events.fields import OneOf, Part


def of_the_pack(kind: OneOf, pack: Pack | None) -> Sequence[str]:
    """Of suits those that the pack has; anything else as it is."""
    if pack is None or not set(kind.values) <= set(Suit):
        return kind.values
    return [one for one in kind.values if one in pack.suits]


def not_offered(declared: type[Event], part: Part, entries: Iterable[Entry]) -> list[object]:
    """What cannot be meant in a field, or is said once in a hand, and these entries say it."""
    of_the_kind = [one.event for one in entries if type(one.event) is declared and part.once]
    return [*part.never, *(getattr(one, part.name) for one in of_the_kind)]

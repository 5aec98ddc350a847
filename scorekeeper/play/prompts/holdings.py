"""The possible holders of the cards that are not yet seen."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from scorekeeper.cards.packs import Card

MAX_LISTED_SETS: Final = 100  # sets of cards, such as lay-aways
STEPS: Final = (1, 3, 7, 11)  # index distances between the cards of such a set


class Holdings:
    """The unseen cards, and for each card the holders that can have it.

    A holder is a player, the stock or the lay-away. ``rooms`` has the number of unseen cards of
    each holder; together they are as many as the cards.

    >>> ace, king, ten = (Card.parse(code) for code in ("AS", "KS", "10H"))
    >>> holdings = Holdings({"mara": 1, "leo": 2}, [ace, king, ten])
    >>> holdings.exclude("leo", [ten])
    >>> [holdings.can_hold("mara", card) for card in (ace, ten)]
    [False, True]
    """

    def __init__(self, rooms: Mapping[str, int], cards: Collection[Card]) -> None:
        """Begin with nothing known: any holder can have any card.

        ``rooms`` has the number of unseen cards of each holder.
        """
        self.rooms = dict(rooms)
        self._bit = {holder: 1 << place for place, holder in enumerate(rooms)}
        all_holders = (1 << len(rooms)) - 1
        self._may: dict[Card, int] = dict.fromkeys(cards, all_holders)  # bits of the holders
        self._group_rooms: list[int] | None = None
        self._answers: dict[tuple[tuple[int, int], ...], bool] = {}  # cache of _fits

    @property
    def cards(self) -> Collection[Card]:
        """The unseen cards."""
        return self._may.keys()

    # -------------------------------------------------------------------------- what is known

    def exclude(self, holder: str, cards: Iterable[Card]) -> None:
        """Record that a holder has none of these cards."""
        bit = self._bit[holder]
        for card in cards:
            if card in self._may:
                self._may[card] &= ~bit
        self._answers = {}

    def require(self, holder: str, cards: Iterable[Card]) -> None:
        """Record that a holder has these cards."""
        self.require_among((holder,), cards)

    def require_among(self, holders: Iterable[str], cards: Iterable[Card]) -> None:
        """Record that each of these cards is with one of these holders."""
        bits = sum([self._bit.get(holder, 0) for holder in holders])
        for card in cards:
            if card in self._may:
                self._may[card] &= bits
        self._answers = {}

    def remove(self, holder: str, card: Card) -> None:
        """Remove an unseen card, and one place for a card from the holder who gave it up."""
        del self._may[card]
        self.rooms[holder] -= 1
        self._group_rooms = None
        self._answers = {}

    # ---------------------------------------------------------------------------- what is possible

    @property
    def possible(self) -> bool:
        """Whether any distribution of the cards satisfies all that is known."""
        return self._fits({})

    def can_hold(self, holder: str, card: Card) -> bool:
        """Return whether a holder can have this card in some possible distribution."""
        bit = self._bit[holder]
        if card not in self._may or not self._may[card] & bit:
            return False
        return self._fits({card: bit})

    def can_give(self, holder: str, card: Card, lacking: Collection[Card] = ()) -> bool:
        """Return whether a holder can have this card and none of the ``lacking`` cards."""
        return self.can_have(holder, (card,), lacking)

    def can_have(
        self, holder: str, cards: Collection[Card], lacking: Collection[Card] = ()
    ) -> bool:
        """Return whether a holder can have all these cards and no other ``lacking`` cards."""
        bit = self._bit[holder]
        if not all(self._may.get(card, 0) & bit for card in cards):
            return False
        holders = dict.fromkeys(cards, bit)
        for other in lacking:
            if other in self._may and other not in cards:
                holders[other] = self._may[other] & ~bit
        return self._fits(holders)

    def can_have_together(self, holders: Iterable[str], cards: Iterable[Card]) -> bool:
        """Return whether all these cards can be with these holders at the same time."""
        bits = sum([self._bit[holder] for holder in holders])
        allowed = {card: self._may.get(card, 0) & bits for card in cards}
        return all(allowed.values()) and self._fits(allowed)

    def _fits(self, holders: Mapping[Card, int]) -> bool:
        """Return whether the cards can be distributed if these cards have only these holders.

        The answer depends on the sets of holders only, not on the cards.
        """
        changes = tuple(sorted((self._may[card], bits) for card, bits in holders.items()))
        fits = self._answers.get(changes)
        if fits is None:
            fits = self._answers[changes] = self._fits_after(changes)
        return fits

    def _fits_after(self, changes: Iterable[tuple[int, int]]) -> bool:
        """Return whether the cards can be distributed after these changes.

        A change replaces the set of possible holders of one card by another set. By Hall's theorem
        no group of holders may have more cards of its own than room.
        """
        by_holders = Counter(self._may.values())
        for before, after in changes:
            by_holders[before] -= 1
            by_holders[after] += 1
        rooms, groups = self._rooms_of_groups(), {0}
        for holders in by_holders:  # only unions of sets of possible holders can overflow
            groups |= {group | holders for group in groups}
        for group in groups:
            only_theirs = sum([n for holders, n in by_holders.items() if not holders & ~group])
            if only_theirs > rooms[group]:
                return False
        return len(self._may) == rooms[-1]

    def _rooms_of_groups(self) -> list[int]:
        """Return the number of unseen cards of every group of holders, indexed by its bits."""
        if self._group_rooms is None:
            rooms = [0]
            for room in self.rooms.values():
                rooms += [before + room for before in rooms]
            self._group_rooms = rooms
        return self._group_rooms


def possible_sets(
    held: Holdings, holders: Collection[str], size: int, cards: Sequence[Card]
) -> Iterator[tuple[Card, ...]]:
    """Yield a sample of the sets of ``size`` cards that these holders can have together.

    The cards of a set are taken from ``cards`` at regular distances, so that each of them occurs in
    a set that is tried. At most ``MAX_LISTED_SETS`` are yielded, and four are tried for each card,
    however many sets there are: players combine other ones on the form.
    """
    single = [card for card in cards if held.can_have_together(holders, [card])]
    starts = [(step, start) for step in STEPS for start in range(len(single))]
    taken = (
        tuple(single[(start + step * n) % len(single)] for n in range(size))
        for step, start in starts
    )
    different = {frozenset(chosen): chosen for chosen in taken if len(set(chosen)) == size}
    return islice(
        (chosen for chosen in different.values() if held.can_have_together(holders, chosen)),
        MAX_LISTED_SETS,
    )

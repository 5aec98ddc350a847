"""Who can hold which of the cards that nobody has seen yet."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from scorekeeper.cards.packs import Card


class Holdings:
    """The unseen cards, the holders among whom they lie, and what each is known not to hold.

    ``rooms`` says how many of the cards each holder has: a player, the stock, the lay-away. The
    rooms together are as many as the cards.

    >>> ace, king, ten = (Card.parse(code) for code in ("AS", "KS", "10H"))
    >>> holdings = Holdings({"mara": 1, "leo": 2}, [ace, king, ten])
    >>> holdings.lacks("leo", [ten])
    >>> [holdings.can_hold("mara", card) for card in (ace, ten)]
    [False, True]
    """

    def __init__(self, rooms: Mapping[str, int], cards: Collection[Card]) -> None:
        self.rooms = dict(rooms)
        self._bit = {holder: 1 << place for place, holder in enumerate(rooms)}
        self._everybody = (1 << len(rooms)) - 1
        self._may: dict[Card, int] = dict.fromkeys(cards, self._everybody)
        self._room_of_several: list[int] | None = None
        self._known: dict[tuple[tuple[int, int], ...], bool] = {}  # what fits, as it was asked

    @property
    def cards(self) -> Collection[Card]:
        """The unseen cards."""
        return self._may.keys()

    # -------------------------------------------------------------------------- what is known

    def lacks(self, holder: str, cards: Iterable[Card]) -> None:
        """Note that a holder has none of these cards."""
        bit = self._bit[holder]
        for card in cards:
            if card in self._may:
                self._may[card] &= ~bit
        self._known = {}

    def has(self, holder: str, cards: Iterable[Card]) -> None:
        """Note that a holder has these cards."""
        self.among((holder,), cards)

    def among(self, holders: Iterable[str], cards: Iterable[Card]) -> None:
        """Note that these cards lie with these holders together, and with nobody else."""
        bits = sum([self._bit.get(holder, 0) for holder in holders])
        for card in cards:
            if card in self._may:
                self._may[card] &= bits
        self._known = {}

    def seen(self, holder: str, card: Card) -> None:
        """Note that a holder has given up a card, which everybody has seen."""
        del self._may[card]
        self.rooms[holder] -= 1
        self._room_of_several = None
        self._known = {}

    # ------------------------------------------------------------------------------ what can be

    @property
    def possible(self) -> bool:
        """Whether the cards can lie so at all."""
        return self._fits({})

    def can_hold(self, holder: str, card: Card) -> bool:
        """Whether a holder can have this card, the others lying somehow."""
        bit = self._bit[holder]
        if card not in self._may or not self._may[card] & bit:
            return False
        return self._fits({card: bit})

    def can_give(self, holder: str, card: Card, lacking: Collection[Card] = ()) -> bool:
        """Whether a holder can have this card, and beside it none of those ``lacking``."""
        return self.can_have(holder, (card,), lacking)

    def can_have(
        self, holder: str, cards: Collection[Card], lacking: Collection[Card] = ()
    ) -> bool:
        """Whether a holder can have all these cards, and beside them none of those ``lacking``."""
        bit = self._bit[holder]
        if not all(self._may.get(card, 0) & bit for card in cards):
            return False
        then = dict.fromkeys(cards, bit)
        for other in lacking:
            if other in self._may and other not in cards:
                then[other] = self._may[other] & ~bit
        return self._fits(then)

    def can_lie(self, holders: Iterable[str], cards: Iterable[Card]) -> bool:
        """Whether these holders together can have all these cards, the others lying somehow."""
        bits = sum([self._bit[holder] for holder in holders])
        then = {card: self._may.get(card, 0) & bits for card in cards}
        return all(then.values()) and self._fits(then)

    def _fits(self, otherwise: Mapping[Card, int]) -> bool:
        """Whether the cards can lie so that these have the holders that are said here.

        Which cards they are does not matter, only who could have them.
        """
        changes = tuple(sorted((self._may[card], then) for card, then in otherwise.items()))
        fits = self._known.get(changes)
        if fits is None:
            fits = self._known[changes] = self._fits_after(changes)
        return fits

    def _fits_after(self, changes: Iterable[tuple[int, int]]) -> bool:
        """Hall's theorem: no group of holders alone can have more cards than it has room for."""
        by_holders = Counter(self._may.values())
        for before, then in changes:
            by_holders[before] -= 1
            by_holders[then] += 1
        rooms, groups = self._rooms_of_groups(), {0}
        for holders in by_holders:  # who could have too many are those who alone can have some
            groups |= {group | holders for group in groups}
        for group in groups:
            only_theirs = sum([n for holders, n in by_holders.items() if not holders & ~group])
            if only_theirs > rooms[group]:
                return False
        return len(self._may) == rooms[-1]

    def _rooms_of_groups(self) -> list[int]:
        """The room of every group of holders, by its bits."""
        if self._room_of_several is None:
            rooms = [0]
            for room in self.rooms.values():
                rooms += [before + room for before in rooms]
            self._room_of_several = rooms
        return self._room_of_several

"""A group of a form as it is shown: what there is to tap or to type in it, and how wide that is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from scorekeeper.cards.packs import Card
from scorekeeper.web.entry.scene import Ring
from scorekeeper.web.frame.ring import turned_sides
from scorekeeper.web.wording.naming import width

MOST_CHIPS: Final = 24  # more numbers than these are typed
KEYS: Final = 13  # things to tap where a number is typed
FEW_CARDS: Final = 12  # a choice of so few stands before the rest of the pack
# How wide a name may be, in em: on the button of one of several seats; on that of a side; above a
# row of chips; beside a field, and beside one of two in a row. Seats stand in one row while
# their names are so narrow.
ON_A_SEAT: Final = {2: 7.0, 3: 5.0, 4: 7.0}
ON_ONE_OF_MANY, ON_A_SIDE, ON_CHIPS, BESIDE, IN_HALF = 5.0, 14.0, 4.1, 12.0, 9.0
IN_A_ROW: Final = {2: 7.0, 3: 5.0, 4: 3.6, 5: 2.8, 6: 5.0, 7: 3.6}


class Chip(NamedTuple):
    """One thing to tap: what it adds to the data, as JSON, and how it is shown: a card by its face.

    One that is ``gone`` keeps its place, and cannot be tapped. A player has a whole ``name`` beside
    his label, and as a trick is played, how many he ``took``, and the card of his that ``lies``
    on the table and may have ``won`` it.
    """

    fragment: str
    label: str
    card: Card | None = None
    suit: str = ""
    player: str = ""
    chosen: bool = False
    gone: bool = False
    name: str = ""
    took: int | None = None
    lies: Card | None = None
    won: bool = False
    side: str = ""

    @property
    def wide(self) -> bool:
        """Whether its label is too long for one of many chips."""
        return width(self.label) > ON_CHIPS


class NumberField(NamedTuple):
    """A number to be typed, or tapped where there are few: its place in the data."""

    path: str
    label: str
    low: int
    high: int
    side: str = ""

    @property
    def chips(self) -> Sequence[int]:
        """The numbers themselves, where they are few."""
        few = self.high - self.low < MOST_CHIPS
        return range(self.low, self.high + 1) if few else ()


@dataclass(frozen=True, slots=True)
class Slot:
    """A group of a form, of one ``shape``: seats, chips, cards, suits, ranking, many, numbers.

    ``more`` are the values that are seldom chosen; ``total`` is what the numbers make together,
    so that the last of them need not be typed. ``asks`` is what is asked for by the declaration,
    ``label`` is said instead where that says too little. What is said ``once`` is not chosen in
    two groups of a form. ``ring`` are the players or sides of whom one is meant, in the order of
    their seats, each with its members.
    """

    name: str
    shape: str
    values: tuple[Chip, ...] = ()
    more: tuple[Chip, ...] = ()
    numbers: tuple[NumberField, ...] = ()
    total: int | None = None
    optional: bool = False
    asks: str = ""
    label: str = ""
    once: bool = False
    ring: Ring = ()

    def turned(self, me: str | None) -> "Slot":
        """The same for a player, who comes first, or his side."""
        if not self.ring or me is None or me in self.ring[0][1]:
            return self
        place = {one: at for at, one in enumerate(turned_sides(dict(self.ring), me))}
        return replace(
            self,
            values=tuple(sorted(self.values, key=lambda one: place[one.player or one.side])),
            numbers=tuple(sorted(self.numbers, key=lambda one: place[one.side])),
        )

    @property
    def few(self) -> bool:
        """Whether its values are so few that all of them are shown at once."""
        return len(self.values) <= FEW_CARDS

    @property
    def filled(self) -> bool:
        """Whether nothing need be tapped."""
        return self.optional or any(value.chosen for value in self.values)

    @property
    def long(self) -> bool:
        """Whether its names are too long for seats in one row, or for fields beside each other."""
        if self.numbers:
            return any(width(one.label) > IN_HALF for one in self.numbers)
        room = IN_A_ROW.get(len(self.values), ON_ONE_OF_MANY)
        return self.shape == "seats" and any(width(one.label) > room for one in self.values)

    @property
    def size(self) -> int:
        """How many things there are to tap."""
        chips = sum(len(one.chips) for one in self.numbers)
        return sum(not one.gone for one in self.values) + chips + KEYS * self.typed

    @property
    def typed(self) -> bool:
        """Whether a number has to be typed."""
        return any(not one.chips for one in self.numbers)

"""A group of a form: its buttons and number fields, and the width that it needs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from scorekeeper.cards.packs import Card
from scorekeeper.web.entry.scene import Ring
from scorekeeper.web.frame.ring import sides_starting_with
from scorekeeper.web.wording.naming import text_width

MAX_CHIPS: Final = 24  # a larger range of numbers is typed
NUMBER_PAD_BUTTONS: Final = 13
MAX_LIKELY_CARDS: Final = 12  # up to this many likely cards stand before the rest of the pack
# Maximum width of a name, in em: on a seat's button (by the number of seats), on a side's button,
# above a row of chips, beside a field, and beside one of two fields in a row. IN_A_ROW is the
# maximum width of names for seats that stand in one row.
ON_A_SEAT: Final = {2: 7.0, 3: 5.0, 4: 7.0}
ON_ONE_OF_MANY, ON_A_SIDE, ON_CHIPS, BESIDE, IN_HALF = 5.0, 14.0, 4.1, 12.0, 9.0
IN_A_ROW: Final = {2: 7.0, 3: 5.0, 4: 3.6, 5: 2.8, 6: 5.0, 7: 3.6}


class Chip(NamedTuple):
    """A button: the JSON that it adds to the data, and its label; a card is shown by its face.

    A ``disabled`` chip keeps its place and cannot be tapped. A player's chip has the whole ``name``
    beside the label; during a trick also how many tricks the player ``took``, the card that
    ``lies`` on the table, and whether it has ``won`` so far.
    """

    fragment: str
    label: str
    card: Card | None = None
    suit: str = ""
    player: str = ""
    chosen: bool = False
    disabled: bool = False
    name: str = ""
    took: int | None = None
    lies: Card | None = None
    won: bool = False
    side: str = ""

    @property
    def wide(self) -> bool:
        """Whether the label is too long for one of many chips."""
        return text_width(self.label) > ON_CHIPS


class NumberField(NamedTuple):
    """A number to type, or to tap if the range is small; ``path`` is its place in the data."""

    path: str
    label: str
    low: int
    high: int
    side: str = ""

    @property
    def chips(self) -> Sequence[int]:
        """The numbers as buttons, if the range is small."""
        few = self.high - self.low < MAX_CHIPS
        return range(self.low, self.high + 1) if few else ()


@dataclass(frozen=True, slots=True)
class Slot:
    """A group of a form; its ``shape`` is seats, chips, cards, suits, ranking, many or numbers.

    ``more`` are values that are rarely chosen; ``total`` is the sum of all numbers, so that the
    last of them need not be typed. ``asks`` is the question from the event's declaration, ``label``
    replaces it where it is not specific enough. A value of a ``unique`` group cannot be chosen in
    two groups of a form. ``ring`` are the players or sides to choose from, in the order of their
    seats, each with its members.
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
    unique: bool = False
    ring: Ring = ()

    def turned(self, me: str | None) -> "Slot":
        """Return the group with the seat or side of player `me` first."""
        if not self.ring or me is None or me in self.ring[0][1]:
            return self
        place_of = {
            key: place for place, key in enumerate(sides_starting_with(dict(self.ring), me))
        }
        return replace(
            self,
            values=tuple(sorted(self.values, key=lambda chip: place_of[chip.player or chip.side])),
            numbers=tuple(sorted(self.numbers, key=lambda number: place_of[number.side])),
        )

    @property
    def few(self) -> bool:
        """Whether all values can be shown at once."""
        return len(self.values) <= MAX_LIKELY_CARDS

    @property
    def filled(self) -> bool:
        """Whether the group needs no tap."""
        return self.optional or any(value.chosen for value in self.values)

    @property
    def long(self) -> bool:
        """Whether the names are too long for one row."""
        if self.numbers:
            return any(text_width(number.label) > IN_HALF for number in self.numbers)
        room = IN_A_ROW.get(len(self.values), ON_ONE_OF_MANY)
        return self.shape == "seats" and any(text_width(chip.label) > room for chip in self.values)

    @property
    def size(self) -> int:
        """The number of buttons in the group."""
        chips = sum(len(number.chips) for number in self.numbers)
        return (
            sum(not chip.disabled for chip in self.values) + chips + NUMBER_PAD_BUTTONS * self.typed
        )

    @property
    def typed(self) -> bool:
        """Whether a number has to be typed."""
        return any(not number.chips for number in self.numbers)

"""A widget: how a form asks for the values of one kind, and how it reads them back.

At the table a value is tapped in a `Slot`; elsewhere it is chosen or typed in a `Field`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import POINT, format_points, in_points
from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Event
from scorekeeper.events.fields import Part
from scorekeeper.log.canonical import normalize
from scorekeeper.web.forms.scene import NOWHERE, Ring, Scene
from scorekeeper.web.frame.ring import sides_starting_with
from scorekeeper.web.wording.naming import width_in_em

FormData = MultiDict[str, str]
K = TypeVar("K")  # of the kind of a widget

MAX_CHIPS: Final = 24  # more combinations are chosen field by field
MAX_KEYS: Final = 24  # a larger range of numbers is typed digit by digit; table.js has it, too
NUMBER_PAD_BUTTONS: Final = 13
MAX_LIKELY_CARDS: Final = 12  # up to this many likely cards stand before the rest of the pack
# Maximum width of a name, in em: on a button of many, above a row of chips, and beside one of two
# fields in a row. IN_A_ROW is the maximum width of names for seats that stand in one row.
ON_ONE_OF_MANY, ON_CHIPS, IN_HALF = 5.0, 4.1, 9.0
# IN_A_COLUMN is that of a word in a narrow column of chips.
IN_A_COLUMN: Final = 2.7
IN_A_ROW: Final = {2: 7.0, 3: 5.0, 4: 3.6, 5: 2.8, 6: 5.0, 7: 3.6}


class Chip(NamedTuple):
    """A button: the JSON that it adds to the data, and its label; a card is shown by its face.

    A ``disabled`` chip keeps its place and cannot be tapped. ``fitted`` is the HTML of a name,
    or of a label with letters or signs that a screen reader says in words. A player's chip has,
    during a trick, how many tricks the player ``took``, the card that ``lies`` on the table, and
    whether it has ``won`` so far.
    """

    fragment: str
    label: str
    card: Card | None = None
    suit: str = ""
    player: str = ""
    chosen: bool = False
    disabled: bool = False
    fitted: Markup = Markup()
    took: int | None = None
    lies: Card | None = None
    won: bool = False
    side: str = ""

    @property
    def wide(self) -> bool:
        """Whether the label is too long for one of many chips."""
        return width_in_em(self.label) > ON_CHIPS


class NumberField(NamedTuple):
    """A number to type, by one key if the range is small; ``path`` is its place in the data.

    ``fitted`` is the HTML of its label, if this is a name. ``low`` and ``high`` count ``parts`` of
    a point, and points are typed.
    """

    path: str
    label: str
    low: int
    high: int
    side: str = ""
    fitted: Markup = Markup()
    parts: int = 1

    @property
    def name(self) -> str:
        """The name of the field in a form, which says in which parts of a point it counts."""
        return f"n{self.parts if self.parts > 1 else ''}:{self.path}"

    @property
    def range(self) -> tuple[str, str]:
        """The lowest and the highest number of points, as a script reads them."""
        low, high = (in_points(bound, self.parts) for bound in (self.low, self.high))
        return format_points(low, POINT), format_points(high, POINT)

    @property
    def few(self) -> bool:
        """Whether each number of the range has a key of its own."""
        return self.parts == 1 and self.high - self.low < MAX_KEYS

    @property
    def size(self) -> int:
        """The number of keys."""
        return self.high - self.low + 1 if self.few else NUMBER_PAD_BUTTONS


@dataclass(frozen=True, slots=True)
class Slot:
    """A group of a form; its ``shape`` is seats, chips, cards, suits, ranking, many or numbers.

    ``more`` are values that are rarely chosen; ``total`` is the sum of all numbers, so that the
    last of them need not be typed. ``asks`` is the question from the event's declaration, ``label``
    replaces it where it is not specific enough. A value of a ``unique`` group cannot be chosen in
    two groups of a form. ``ring`` are the players or sides to choose from, in the order of their
    seats, each with its members. ``alone`` is the only one of them who may act. If there are
    ``heads``, a value is also for one of these players, and each player has a row of values.
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
    alone: Chip | None = None
    heads: tuple[Chip, ...] = ()

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
            heads=tuple(sorted(self.heads, key=lambda chip: place_of[chip.player])),
        )

    @property
    def rows(self) -> list[tuple[Chip, list[Chip]]]:
        """Each of the ``heads`` with the values for this player."""
        return [
            (head, [chip for chip in self.values if chip.player == head.player])
            for head in self.heads
        ]

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
        """Whether the names are too long for one row, or a word for a narrow column."""
        if self.shape == "chips":
            words = (word for chip in self.values for word in chip.label.split())
            return any(width_in_em(word) > IN_A_COLUMN for word in words)
        if self.numbers:
            return any(width_in_em(number.label) > IN_HALF for number in self.numbers)
        room = IN_A_ROW.get(len(self.values), ON_ONE_OF_MANY)
        return self.shape == "seats" and any(width_in_em(chip.label) > room for chip in self.values)

    @property
    def size(self) -> int:
        """The number of buttons in the group."""
        keys = max((number.size for number in self.numbers), default=0)
        return sum(not chip.disabled for chip in self.values) + keys

    @property
    def total_points(self) -> str:
        """The ``total`` in points, as a script reads it; empty without one."""
        if self.total is None:
            return ""
        return format_points(in_points(self.total, self.numbers[0].parts), POINT)

    @property
    def typed(self) -> bool:
        """Whether a number has to be typed by several keys."""
        return any(not number.few for number in self.numbers)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form, in which a value is chosen from a list or typed.

    ``shape`` is the name of its macro in ``templates/parts/fields.html``. ``texts`` are its present
    values as a form sends them, ``values`` those of a list, each with its label. A list can have an
    ``empty`` value. ``attributes`` are further attributes of the HTML element.
    """

    name: str
    shape: str = "typed"
    label: object = ""
    texts: Sequence[str] = ()
    values: Sequence[tuple[str, str]] = ()
    required: bool = False
    empty: bool = False
    hint: str = ""
    attributes: JsonObject = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The present value of a field with one value."""
        return self.texts[0] if self.texts else ""


class Asked(NamedTuple):
    """A field of an event that is asked for by taps.

    ``values`` are the prompted ones, ``most`` is the highest count, ``due`` who is preselected.
    """

    scene: Scene
    declared: type[Event]
    part: Part
    values: Sequence[Any] = ()
    most: int | None = None
    due: str | None = None


class Widget(Generic[K]):
    """The widget for values that are typed as text; the base class of all others.

    A ``kind`` is that of an event's field (`Kind`), or a value or family of values of an option.
    ``shapes`` are those of a field with and without choices; a field without a shape has nothing to
    enter. ``label`` is the label of a field that is not labelled by its event.
    """

    shapes: ClassVar[tuple[str, str]] = ("select", "typed")
    label: ClassVar[object] = ""

    def slot(self, kind: K, asked: Asked) -> Slot | None:
        """Return the buttons for a field; None if its values cannot be tapped."""
        return None

    def numbers(self, kind: K, asked: Asked) -> Iterator[NumberField]:
        """Yield the fields of a `Slot` in which numbers are typed; none if they have chips."""
        yield from ()

    def choices(self, kind: K, scene: Scene) -> list[tuple[str, str]]:
        """Return the values to choose from as texts, each with its words; empty if typed."""
        return []

    def attributes(self, kind: K) -> JsonObject:
        """Return the attributes of the HTML element in which values are typed."""
        return {}

    def texts(self, kind: K, value: Any) -> list[str]:
        """Return a value, None for no value, as a form sends it; `read` is the inverse."""
        if isinstance(value, Mapping):
            return [" ".join(f"{name} {item}" for name, item in value.items())]
        return [] if value is None else [str(value)]

    def field(self, kind: K, name: str, texts: Sequence[str], scene: Scene = NOWHERE) -> Field:
        """Return the field with this name and these present values."""
        values = self.choices(kind, scene)
        shape, attributes = self.shapes[not values], self.attributes(kind)
        return Field(name, shape, self.label if shape else "", texts, values, attributes=attributes)

    def fields(
        self, kind: K, name: str, label: str, value: object, scene: Scene
    ) -> Iterator[Field]:
        """Yield the field for a value; for an object, one for each of its keys."""
        yield replace(self.field(kind, name, self.texts(kind, value), scene), label=label)

    def read(self, kind: K, name: str, form: FormData, scene: Scene = NOWHERE) -> object:
        """Return the value of a field in a submitted form; None if it is empty.

        Text that is no value of an event's field is returned, for the codec to reject. Raises
        `FieldError` if it is no value of an option.
        """
        text = str(normalize(form.get(name, "").strip()))
        return self.parse(kind, text) if text else None

    def parse(self, kind: K, text: str) -> object:
        """Return the value that a text stands for, else the text."""
        return text

    def complete(self, kind: K, value: object) -> object:
        """Return a tapped value with what follows from it."""
        return value

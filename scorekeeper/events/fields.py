"""Declaration of events: the kinds of values that fields hold, and the meaning of each field.

A declaration is a frozen dataclass whose fields are made by :func:`part`. It is the single
source: validation, the JSON Schema, the documentation and the checks of references (a known
player, a card of the pack, a side of the match) are all derived from it.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, NamedTuple

MAX_EXACT_NUMBER: Final = 2**53 - 1  # larger whole numbers are not exact in JSON
MAX_NUMERATOR: Final = 1_000_000_000  # of an exact figure, above and below 0
MAX_DENOMINATOR: Final = 1_000
MAX_FRACTION_CHARACTERS: Final = 16
PLAYER_ID: Final = r"[a-z0-9][a-z0-9_-]{0,31}"
RESERVED_IDS: Final = frozenset({"bidder", "defenders", "keeper", "import"})
MAX_NAME_CHARACTERS: Final = 60
MAX_TEXT_CHARACTERS: Final = 10_000


# ---------------------------------------------------------------------------- kinds of values


@dataclass(frozen=True, slots=True)
class Kind:
    """The kind of values of a field; the codec reads and writes each kind."""

    @property
    def expected(self) -> str:
        """The accepted values in words, for error messages."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Whole(Kind):
    """A whole number from ``low`` to ``high``; ``signed`` if it is shown with its sign.

    With ``parts`` it counts parts of a point: of 2, the number 81 is shown and typed as 40.5.
    ``low`` and ``high`` count parts, too.
    """

    low: int = -MAX_EXACT_NUMBER
    high: int = MAX_EXACT_NUMBER
    signed: bool = False
    parts: int = 1

    @property
    def expected(self) -> str:
        """The range in words, such as “a whole number from 1 to 6”."""
        unit = f" of 1/{self.parts} points" if self.parts > 1 else ""
        if self.low == self.high:
            return f"the number {self.low}{unit}"
        whole = f"a whole number{unit}"
        if self.high == MAX_EXACT_NUMBER:
            return whole if self.low < 0 else f"{whole} from {self.low} on"
        return f"{whole} from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Exact(Kind):
    """An exact figure: a whole number, or a fraction in lowest terms as a text such as ``7/2``.

    Its numerator is at most ``most``, above and below 0.
    """

    most: int = MAX_NUMERATOR

    @property
    def expected(self) -> str:
        """The accepted values in words, with an example of a fraction."""
        return 'a whole number, or a fraction such as "7/2"'


@dataclass(frozen=True, slots=True)
class Words(Kind):
    """Free text of up to ``longest`` code points; a name or title is one line and not empty.

    ``words`` is the kind of word by which it is translated, if it is not shown as it was typed.
    """

    longest: int = MAX_TEXT_CHARACTERS
    name: bool = False
    words: str = ""

    @property
    def expected(self) -> str:
        """The accepted length in words, and for a name that it is one visible line."""
        if self.name:
            return f"a text of 1 to {self.longest} characters without control characters"
        return f"a text of at most {self.longest} characters"


@dataclass(frozen=True, slots=True)
class Flag(Kind):
    """A boolean, with the words for true and false.

    With ``only_true`` it is left out instead of false.
    """

    yes: str = "yes"
    no: str = "no"
    only_true: bool = False

    @property
    def expected(self) -> str:
        """The accepted values in words."""
        return "true" if self.only_true else "true or false"


@dataclass(frozen=True, slots=True)
class OneOf(Kind):
    """One of a few texts; ``words`` is the kind of word by which they are translated.

    The pack has the words for a ``suit``. The word for the letter of a rank depends on its place
    in a sentence: ``rank`` alone, ``ranks`` in the plural, ``high`` after “to the”.
    """

    values: tuple[str, ...]
    words: str = "value"

    @property
    def expected(self) -> str:
        """All accepted values, each in quotes."""
        return " or ".join(f'"{value}"' for value in self.values)


@dataclass(frozen=True, slots=True)
class Currency(Kind):
    """The code of a currency (ISO 4217)."""

    @property
    def expected(self) -> str:
        """The accepted values in words: a currency code."""
        return "a currency of ISO 4217, such as EUR"


@dataclass(frozen=True, slots=True)
class AnyOf(Kind):
    """A value of one of several kinds."""

    kinds: tuple[Kind, ...]

    @property
    def expected(self) -> str:
        """The accepted values of all the kinds, in words."""
        return ", or ".join(kind.expected for kind in self.kinds)


class Whom(Enum):
    """The players that a field may name."""

    NEW = "a new player's id"
    SESSION = "a player of this session"
    SEATED = "a player seated in this match"
    ACTIVE = "a player who takes part in this hand"


@dataclass(frozen=True, slots=True)
class PlayerId(Kind):
    """The id of a player."""

    whom: Whom = Whom.ACTIVE

    @property
    def expected(self) -> str:
        """The accepted players in words, such as “a player seated in this match”."""
        return self.whom.value


@dataclass(frozen=True, slots=True)
class SideId(Kind):
    """The id of a side of the match; ``counted`` for the parties that counts have figures for."""

    counted: bool = False

    @property
    def expected(self) -> str:
        """The accepted sides in words."""
        return "a side that the count is given for" if self.counted else "a side of this match"


@dataclass(frozen=True, slots=True)
class CardCode(Kind):
    """A card of the match's pack."""

    @property
    def expected(self) -> str:
        """The accepted values in words: the notation of a card."""
        return "a card, such as AS or 10H"


@dataclass(frozen=True, slots=True)
class Many(Kind):
    """A list of ``fewest`` to ``most`` values, or of one of ``sizes``; ``unique``: no repeats."""

    of: Kind
    fewest: int = 0
    most: int = 1000
    unique: bool = True
    sizes: tuple[int, ...] = ()

    @property
    def expected(self) -> str:
        """The accepted list in words: its ``sizes``, if they are fixed, and its items."""
        sizes = " or ".join(map(str, self.sizes))
        return f"a list{' of ' + sizes if sizes else ''}, each {self.of.expected}"


@dataclass(frozen=True, slots=True)
class Each(Kind):
    """An object that maps keys of one kind to values of another."""

    key: Kind
    of: Kind

    @property
    def expected(self) -> str:
        """The accepted object in words: its keys and its values."""
        return f"an object from {self.key.expected} to {self.of.expected}"


@dataclass(frozen=True, slots=True)
class Nested(Kind):
    """An object with the fields of a declaration of its own."""

    of: type["Declared"]

    @property
    def expected(self) -> str:
        """The accepted object in words: the names of its fields."""
        return "an object with " + ", ".join(part.name for part in parts_of(self.of))


@dataclass(frozen=True, slots=True)
class Random(Kind):
    """A random text of ``letters`` base64url characters, made by the recorder."""

    letters: int = 22

    @property
    def expected(self) -> str:
        """The accepted length and alphabet in words."""
        return f"{self.letters} letters of base64url"


@dataclass(frozen=True, slots=True)
class Anything(Kind):
    """An object that other code validates: a match's options, the data of a corrected event."""

    @property
    def expected(self) -> str:
        """The accepted values in words: an object."""
        return "an object"


@dataclass(frozen=True, slots=True)
class Nothing(Kind):
    """An explicit null."""

    @property
    def expected(self) -> str:
        """The accepted value in words: null."""
        return "null"


@dataclass(frozen=True, slots=True)
class Day(Kind):
    """A day of the calendar, such as 2026-11-20."""

    @property
    def expected(self) -> str:
        """The accepted values in words, with an example of a date."""
        return "a day such as 2026-11-20"


@dataclass(frozen=True, slots=True)
class LastDay(Kind):
    """A day of the calendar, or an explicit null for no end, which is read as an empty text."""

    @property
    def expected(self) -> str:
        """The accepted values in words, with an example of a date."""
        return "a day such as 2026-11-20, or null for no end"


SEQ: Final = Whole(1)
NAME: Final = Words(MAX_NAME_CHARACTERS, name=True)
TITLE: Final = Words(200, name=True)
# What a log of a club or tournament names: a session, a game, the hash of an event.
NAMED_ID: Final = Words(64, name=True)
NAMED_HASH: Final = Words(64, name=True)
TEXT: Final = Words()
REASON: Final = Words(words="reason")
CARD: Final = CardCode()
CARDS: Final = Many(CARD)
PLAYER: Final = PlayerId()
SEATED: Final = PlayerId(Whom.SEATED)
ANYBODY: Final = PlayerId(Whom.SESSION)
COUNT: Final = Whole(0)
AMOUNT: Final = Whole(0, 1_000_000_000)  # money in minor units; up to ten million euros
RANDOM: Final = Random()


def word_category(kind: Kind) -> str:
    """Return the category under which values of a kind are translated, such as ``suit``.

    It is empty for values that are shown as they are. A list has the category of its items, and a
    kind with alternatives that of the first alternative that has one.
    """
    if isinstance(kind, Many):
        return word_category(kind.of)
    if isinstance(kind, AnyOf):
        return next(filter(None, map(word_category, kind.kinds)), "")
    if isinstance(kind, Flag):
        return "value"
    return kind.words if isinstance(kind, OneOf | Words) else ""


# ----------------------------------------------------------------------------------- fields


def part(
    kind: Kind,
    doc: str,
    *,
    optional: bool = False,
    label: str = "",
    asks: str = "",
    once: bool = False,
    never: Sequence[str] = (),
    follows: bool = False,
    put_away: bool = False,
    log_name: str = "",
    called: Mapping[str, str] | None = None,
) -> Any:
    """Declare a field: the kind of its values, and its meaning in words (``doc``).

    An absent ``optional`` field means that the value is not on record; nothing follows from it.
    A fact that is known not to hold has a value of its own: the number 0, an empty list.

    ``log_name`` is the key in the log, if the name is a Python keyword. ``label`` is the name of
    the field on the dispute page, ``asks`` the question in forms; the defaults depend on the
    kind (``CALLED``), else they are the name. Forms do not offer a value again in the same hand
    if a field may have it only ``once``, and they offer no value in ``never``. They do not ask
    for a value that ``follows`` from the record, if it is the only possible one. Cards that are
    ``put_away`` belong to no player's holding from then on. ``called`` has button labels for
    values whose word alone is unclear.
    """
    default = _default_label_and_question(kind)
    metadata = {
        "kind": kind, "doc": doc, "optional": optional,
        "label": label or default[0], "asks": asks or label or default[1],
        "once": once, "never": never, "follows": follows, "put_away": put_away,
        "log_name": log_name, "called": called or {},
    }  # fmt: skip
    if optional:
        return dataclasses.field(default=None, metadata=metadata)
    return dataclasses.field(metadata=metadata)


# The default label and question of a field, by its kind.
CALLED: Final[dict[type[Kind] | str, tuple[str, str]]] = {
    PlayerId: ("Who", "Who?"),
    SideId: ("Side", "Which side?"),
    CardCode: ("Card", "Card"),
    "suit": ("Suit", "Suit"),
    "reason": ("Reason", "Why?"),
}


def _default_label_and_question(kind: Kind) -> tuple[str, str]:
    """Return the label and the form question of fields that do not set their own; may be empty."""
    return CALLED.get(word_category(kind) or type(kind), ("", ""))


class Part(NamedTuple):
    """A declared field, see :func:`part`; ``log_name`` is its key in the log."""

    name: str
    kind: Kind
    doc: str
    optional: bool
    label: str = ""
    asks: str = ""
    once: bool = False
    never: Sequence[str] = ()
    follows: bool = False
    put_away: bool = False
    log_name: str = ""
    called: Mapping[str, str] = {}


class Declared:
    """The base class of events and of the objects within them: a class with declared fields.

    ``SAYS`` is the template by which a sentence shows such an object.
    """

    __slots__ = ()
    SAYS: ClassVar[Any] = ""


_PARTS: Final[dict[type[Declared], tuple[Part, ...]]] = {}


def parts_of(declared: type[Declared]) -> tuple[Part, ...]:
    """Return the declared fields of an event class or of a nested object, in order; cached."""
    if declared not in _PARTS:
        _PARTS[declared] = tuple(
            Part(f.name, **{**f.metadata, "log_name": f.metadata["log_name"] or f.name})
            for f in dataclasses.fields(declared)  # type: ignore[arg-type]
        )
    return _PARTS[declared]

"""How an event is declared: what may stand in a field, and what a field means.

A declaration is a frozen dataclass whose fields are made by :func:`part`. It is the one source:
validation, the JSON Schema, the documentation and the checks of what a field refers to (a known
player, a card of the pack, a side of the match) are all derived from it.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, NamedTuple

LARGEST: Final = 2**53 - 1  # whole numbers beyond it are not exact in JSON
PLAYER_ID: Final = r"[a-z0-9][a-z0-9_-]{0,31}"
RESERVED_IDS: Final = frozenset({"bidder", "defenders", "keeper", "import"})
NAME_LENGTH: Final = 60
TEXT_LENGTH: Final = 10_000


# ------------------------------------------------------------------ what may stand in a field


@dataclass(frozen=True, slots=True)
class Kind:
    """What may stand in a field; the codec knows how to read and write each kind."""

    @property
    def expected(self) -> str:
        """In words, for the message to the sender of something else."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Whole(Kind):
    """A whole number from ``low`` to ``high``; ``signed`` where it is said with its sign."""

    low: int = -LARGEST
    high: int = LARGEST
    signed: bool = False

    @property
    def expected(self) -> str:
        if self.low == self.high:
            return f"the number {self.low}"
        if self.high == LARGEST:
            return "a whole number" if self.low < 0 else f"a whole number from {self.low} on"
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Words(Kind):
    """Free text of a given number of code points; a name or title is one line of at least one.

    ``words`` is the kind of word that it is looked up as, where it is not said as it was typed.
    """

    longest: int = TEXT_LENGTH
    name: bool = False
    words: str = ""

    @property
    def expected(self) -> str:
        if self.name:
            return f"a text of 1 to {self.longest} characters without control characters"
        return f"a text of at most {self.longest} characters"


@dataclass(frozen=True, slots=True)
class Flag(Kind):
    """true or false, and the words for them."""

    yes: str = "yes"
    no: str = "no"

    @property
    def expected(self) -> str:
        return "true or false"


@dataclass(frozen=True, slots=True)
class OneOf(Kind):
    """One of a few texts, each a word of the kind ``words``, by which it is looked up.

    A ``suit`` is said by the pack. The letter of a rank is said as a word by its place in a
    sentence: ``rank`` alone, ``ranks`` where there are several, ``high`` after “to the”.
    """

    values: tuple[str, ...]
    words: str = "value"

    @property
    def expected(self) -> str:
        return " or ".join(f'"{value}"' for value in self.values)


@dataclass(frozen=True, slots=True)
class Currency(Kind):
    """The code of a currency, by ISO 4217."""

    @property
    def expected(self) -> str:
        return "a currency of ISO 4217, such as EUR"


@dataclass(frozen=True, slots=True)
class AnyOf(Kind):
    """Whatever one of several kinds accepts."""

    kinds: tuple[Kind, ...]

    @property
    def expected(self) -> str:
        return ", or ".join(kind.expected for kind in self.kinds)


class Whom(Enum):
    """Which players a field may name."""

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
        return self.whom.value


@dataclass(frozen=True, slots=True)
class SideId(Kind):
    """The id of a side of the match; ``counted`` for the parties that a count is given for."""

    counted: bool = False

    @property
    def expected(self) -> str:
        return "a side that the count is given for" if self.counted else "a side of this match"


@dataclass(frozen=True, slots=True)
class CardCode(Kind):
    """A card of the match's pack."""

    @property
    def expected(self) -> str:
        return "a card, such as AS or 10H"


@dataclass(frozen=True, slots=True)
class Many(Kind):
    """A list of ``fewest`` to ``most``, or of one of ``sizes``; ``unique``: nothing twice."""

    of: Kind
    fewest: int = 0
    most: int = 1000
    unique: bool = True
    sizes: tuple[int, ...] = ()

    @property
    def expected(self) -> str:
        many = " or ".join(map(str, self.sizes))
        return f"a list{' of ' + many if many else ''}, each {self.of.expected}"


@dataclass(frozen=True, slots=True)
class Each(Kind):
    """An object with a value for each key."""

    key: Kind
    of: Kind

    @property
    def expected(self) -> str:
        return f"an object from {self.key.expected} to {self.of.expected}"


@dataclass(frozen=True, slots=True)
class Nested(Kind):
    """An object with the fields of a declaration of its own."""

    of: type["Declared"]

    @property
    def expected(self) -> str:
        return "an object with " + ", ".join(part.name for part in parts(self.of))


@dataclass(frozen=True, slots=True)
class Random(Kind):
    """A given number of letters of base64url, which the recorder makes at random."""

    letters: int = 22

    @property
    def expected(self) -> str:
        return f"{self.letters} letters of base64url"


@dataclass(frozen=True, slots=True)
class Anything(Kind):
    """An object that is read elsewhere: a match's options, the data of a corrected event."""

    @property
    def expected(self) -> str:
        return "an object"


@dataclass(frozen=True, slots=True)
class Nothing(Kind):
    """No value at all, where that is said."""

    @property
    def expected(self) -> str:
        return "null"


@dataclass(frozen=True, slots=True)
class Day(Kind):
    """A day of the calendar, such as 2026-11-20."""

    @property
    def expected(self) -> str:
        return "a day such as 2026-11-20"


SEQ: Final = Whole(1)
NAME: Final = Words(NAME_LENGTH, name=True)
TITLE: Final = Words(200, name=True)
TEXT: Final = Words()
REASON: Final = Words(words="reason")
CARD: Final = CardCode()
CARDS: Final = Many(CARD)
PLAYER: Final = PlayerId()
SEATED: Final = PlayerId(Whom.SEATED)
ANYBODY: Final = PlayerId(Whom.SESSION)
COUNT: Final = Whole(0)
AMOUNT: Final = Whole(0, 1_000_000_000)  # of money, in minor units: ten millions of euros
RANDOM: Final = Random()


def words_of(kind: Kind) -> str:
    """The kind of word that a value is; empty where it is none."""
    if isinstance(kind, Many):
        return words_of(kind.of)
    if isinstance(kind, AnyOf):
        return next(filter(None, map(words_of, kind.kinds)), "")
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
    said: str = "",
    called: Mapping[str, str] | None = None,
) -> Any:
    """A field of a declaration: what may stand in it, and what it means.

    A field that is ``optional`` and absent was not said: nothing follows from it, neither that
    it was so nor that it was not. What can be so and was not is a value of its own: a number
    from 0 on, an empty list.

    The log calls it by its name, or by ``said`` where Python has that word for itself.
    ``label`` is what the dispute desk calls it, ``asks`` what the table is asked. Without them
    it is called by its kind (``CALLED``), else by its name. What is said ``once`` in a hand is not
    offered again in it, and what is ``never`` meant not at all; what ``follows`` from the rest of
    the record is not asked for, as long as it can be nothing else. Cards that are ``put_away`` are
    in nobody's hand from then on. ``called`` is what stands on the button of a value whose word
    alone says too little.
    """
    usual = _called(kind)
    metadata = {
        "kind": kind, "doc": doc, "optional": optional,
        "label": label or usual[0], "asks": asks or label or usual[1],
        "once": once, "never": never, "follows": follows, "put_away": put_away, "said": said,
        "called": called or {},
    }  # fmt: skip
    if optional:
        return dataclasses.field(default=None, metadata=metadata)
    return dataclasses.field(metadata=metadata)


# What a field is called, and asked for, where its declaration does not say: by its kind.
CALLED: Final[dict[type[Kind] | str, tuple[str, str]]] = {
    PlayerId: ("Who", "Who?"),
    SideId: ("Side", "Which side?"),
    CardCode: ("Card", "Card"),
    "suit": ("Suit", "Suit"),
    "reason": ("Reason", "Why?"),
}


def _called(kind: Kind) -> tuple[str, str]:
    return CALLED.get(words_of(kind) or type(kind), ("", ""))


class Part(NamedTuple):
    """A field as declared; ``said`` is its name in the log."""

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
    said: str = ""
    called: Mapping[str, str] = {}


class Declared:
    """What has declared fields: every event, and the objects within one.

    ``SAYS`` is how it is said, with its fields in it, where it stands within a sentence.
    """

    __slots__ = ()
    SAYS: ClassVar[Any] = ""


_PARTS: Final[dict[type[Declared], tuple[Part, ...]]] = {}


def parts(declared: type[Declared]) -> tuple[Part, ...]:
    """The fields of a declaration, in order."""
    if declared not in _PARTS:
        _PARTS[declared] = tuple(
            Part(f.name, **{**f.metadata, "said": f.metadata["said"] or f.name})
            for f in dataclasses.fields(declared)  # type: ignore[arg-type]
        )
    return _PARTS[declared]

"""What an event is: a fact of the evening, its place in the log, and how it is told.

An event is a frozen dataclass in the past tense (see :mod:`scorekeeper.events.fields`). Names never
change; what was recorded once can be read for ever.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, NamedTuple

from scorekeeper.events.fields import Declared


class Place(Enum):
    """Where in a session an event can stand."""

    OPENING = "first of all"
    SESSION = "anywhere in an open session"
    MATCH = "in a match"
    HAND = "in a hand"
    DISPUTE = "anywhere, also in a closed session"
    CORRECTION = "anywhere, naming an earlier event"


MOST_IN_A_SET: Final = 1_000  # corrections that take effect together, of a proposal or any set

# Looking a member up in an enumeration takes four times as long, and every entry asks.
IN_A_HAND: Final = Place.HAND
A_CORRECTION: Final = Place.CORRECTION


class Display(Enum):
    """How long the page of a table shows what happened in the hand that is played."""

    STAYS = "till the hand is over"
    CALLED = "large, to the whole table, and as soon as nothing else can be recorded"
    LOGGED = "in the log, or at a place of its own"


class Afterwards(Enum):
    """How what nobody saw in a hand comes on record once the hand is over."""

    SAID_AGAIN = "as it is: its first record that tells what was hidden has effect"
    INSERTED = "by a correction, at its place before the play: everybody does it, elder first"


class Together(NamedTuple):
    """What is asked where several fields are chosen at once, and a template of one choice."""

    asks: str
    says: str


class Event(Declared):
    """What happened. ``TYPE`` is its name in the log, ``PLACE`` where it can stand.

    ``TITLE`` stands above the form in which it is recorded, ``NOUN`` names it among what can have
    been left out of a hand; without them it is called by its type. ``TITLE_AFTER`` stands, with
    facts in it, above the form that adds after the hand what was hidden. Where several of its
    fields are chosen at once, ``TOGETHER`` says how. ``DISPLAY`` is how long the table sees it.

    ``SAYS`` are templates of a sentence that tells it. A part in brackets is said where its
    facts are on record; of several templates the first is taken whose facts outside brackets
    are. ``SAYS_OF`` are sentences for one value of a field. An event without either is told by
    the names of its fields. ``HIDDEN`` are the fields that not everybody at the table may see
    before the game turns them up; while they lie face down they are None. The data of such an
    event may have a salt beside its fields. With ``AUTHOR_HIDDEN`` its author would give them
    away: the log says ``keeper`` while they lie face down. ``AFTERWARDS`` is how one that was
    left out can still come on record then, and ``BEFORE`` are the types of the events that it
    comes before.
    """

    __slots__ = ()
    TYPE: ClassVar[str]
    PLACE: ClassVar[Place] = Place.HAND
    TITLE: ClassVar[str] = ""
    NOUN: ClassVar[str] = ""
    TITLE_AFTER: ClassVar[str] = ""
    TOGETHER: ClassVar[Together | None] = None
    DISPLAY: ClassVar[Display] = Display.STAYS
    SAYS: ClassVar[tuple[str, ...]] = ()
    SAYS_OF: ClassVar[Mapping[tuple[str, Any], str]] = {}
    HIDDEN: ClassVar[tuple[str, ...]] = ()
    AUTHOR_HIDDEN: ClassVar[bool] = False
    AFTERWARDS: ClassVar[Afterwards | None] = None
    BEFORE: ClassVar[tuple[str, ...]] = ()


# Stands in the data of what can lie face down, so that its hash does not tell few possible cards
# apart. It says nothing: an event that was read has none.
SALT: Final = "salt"
SALT_SAYS: Final = "made at random by the recorder: the hash tells nothing of what lies face down"


def has_salt(declared: type[Declared]) -> bool:
    """Whether the data of such an event may have a salt."""
    return issubclass(declared, Event) and bool(declared.HIDDEN)


@dataclass(frozen=True, slots=True)
class Entry:
    """An event with its place in the stream; ``line`` is its line in a file, if it is from one."""

    seq: int
    event: Event
    at: str = ""
    by: str = ""
    hash: str = ""
    line: int | None = None

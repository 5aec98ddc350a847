"""The base class of events: facts of a session, with their place in the log and their sentences.

An event is a frozen dataclass named in the past tense (see :mod:`scorekeeper.events.fields`).
Names never change: recorded events stay readable for ever.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, NamedTuple

from scorekeeper.events.fields import Declared


class Place(Enum):
    """The place in a session where an event is allowed."""

    OPENING = "first of all"
    SESSION = "anywhere in an open session"
    MATCH = "in a match"
    HAND = "in a hand"
    DISPUTE = "anywhere, also in a closed session"
    ABOUT = "anywhere, also in a closed session: it names the session or its players"
    CORRECTION = "anywhere, naming an earlier event"


MAX_CORRECTIONS_IN_SET: Final = 1_000  # they take effect together

# Attribute access on an enumeration takes four times as long, and every entry needs it.
IN_A_HAND: Final = Place.HAND
A_CORRECTION: Final = Place.CORRECTION


class Display(Enum):
    """How long the page of a table shows an event of the current hand."""

    STAYS = "till the hand is over"
    CALLED = "large, to the whole table, and as soon as nothing else can be recorded"
    LOGGED = "in the log, or at a place of its own"


class Afterwards(Enum):
    """How the hidden data of a hand is recorded after the hand."""

    SAID_AGAIN = "as it is: its first record that tells what was hidden has effect"
    INSERTED = "by a correction, at its place before the play: everybody does it, elder first"


class Together(NamedTuple):
    """The question of a form that fills several fields with one choice, and a choice's template.

    ``spoken`` is the template for a screen reader if the other one contains signs.
    """

    asks: str
    says: str
    spoken: str = ""


class Event(Declared):
    """A recorded fact. ``TYPE`` is its name in the log, ``PLACE`` the place where it is allowed.

    Forms and pages: ``TITLE`` is the heading of the form that records it. ``NOUN`` names it in
    the list of events that may be missing from a hand. The default of both is the type.
    ``TITLE_AFTER`` is a template for the heading of the form that adds hidden data after the
    hand. ``TOGETHER`` is set if one choice fills several fields. ``DISPLAY`` is how long the
    page of the table shows it.

    Sentences: ``SAYS`` are templates. A part in brackets appears if its facts are on record; the
    first template whose facts outside brackets are all on record is used. ``SAYS_OF`` has
    sentences for one value of a field, and ``SAYS_OF_BIDDER`` for a field that names the player
    whose contract the hand is played for. An event without any is described by its field names.

    Face-down data: ``HIDDEN`` are the fields that not every player may see before the game turns
    them up; they are None while they are face down. The data of such an event may have a salt
    beside its fields. ``AUTHOR_HIDDEN``: the author would reveal the hidden fields, so the log
    has ``keeper`` as author while they are face down. ``AFTERWARDS`` is how such an event can
    be recorded after the hand, and ``BEFORE`` the types of the events that it precedes.
    ``SALTED`` is set if the data may have a salt for the sake of other events.

    Optional fields: ``FEWEST_FIELDS`` is how many fields the data must have at least.
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
    SAYS_OF_BIDDER: ClassVar[Mapping[str, str]] = {}
    HIDDEN: ClassVar[tuple[str, ...]] = ()
    AUTHOR_HIDDEN: ClassVar[bool] = False
    SALTED: ClassVar[bool] = False
    FEWEST_FIELDS: ClassVar[int] = 0
    AFTERWARDS: ClassVar[Afterwards | None] = None
    BEFORE: ClassVar[tuple[str, ...]] = ()


# A salt in the data of events with hidden fields: without it the hash would reveal which of a few
# possible cards is face down. Decoded events do not have it.
SALT: Final = "salt"
SALT_SAYS: Final = "made at random by the recorder: the hash tells nothing of what lies face down"


def has_salt(declared: type[Declared]) -> bool:
    """Return whether the data of an event of this declaration may have a salt."""
    return issubclass(declared, Event) and (bool(declared.HIDDEN) or declared.SALTED)


@dataclass(frozen=True, slots=True)
class Entry:
    """An event with its place in the stream; ``line`` is its line number if it is from a file."""

    seq: int
    event: Event
    at: str = ""
    by: str = ""
    hash: str = ""
    line: int | None = None

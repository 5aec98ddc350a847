"""What can be recorded next: an event, and the data that it can be recorded with.

A prompt is made for somebody who knows no rules: every choice can be recorded as it stands,
breaks no rule by what is on record, and leaves a way to finish the hand without breaking one.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Literal, get_args

from scorekeeper.events.event import Event

Level = Literal["totals", "tricks", "cards"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
_ASKED: ContextVar[Level | None] = ContextVar("asked level", default=None)


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts that a prompt stands for, where there are too many to list them all.

    ``field`` holds a number for each of ``sides``, from ``least`` to ``most``, which together
    make one of ``totals`` (any where it is empty).
    """

    field: str
    sides: tuple[str, ...]
    totals: tuple[int, ...]
    least: Mapping[str, int]
    most: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Ask:
    """What the form of a hand asks of which only the totals are recorded: one of these events.

    ``times`` is how often it can be said of one hand, and so how often the form has room for it
    (a declaration for each of four suits: four times). The first must be filled in, unless it is
    ``optional``; what is left empty is not recorded. Optional fields of the events are not asked.
    """

    events: tuple[type[Event], ...]
    times: int = 1
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """An event that can be recorded next, as it can be recorded, the likeliest choice first.

    ``levels`` are the levels of detail at which a table records it. With ``counts`` the choices
    are only some of those possible. What is not ``needed`` the score does without. A prompt
    ``in_turn`` is for the player whose turn it is, who is chosen beforehand on a page, although
    another prompt may offer the same event for other players.
    """

    choices: tuple[Event, ...]
    levels: tuple[Level, ...] = LEVELS
    counts: Counts | None = None
    needed: bool = True
    in_turn: bool = False

    def __post_init__(self) -> None:
        if not self.choices:
            raise ValueError("a prompt without a choice")
        if len({type(choice).TYPE for choice in self.choices}) > 1:
            raise ValueError("a prompt is for one type of event")

    @property
    def type(self) -> str:
        """The type of the event."""
        return self.choices[0].TYPE

    @property
    def player(self) -> str | None:
        """Whose act it is, where every choice names the same player."""
        named = {getattr(choice, "player", None) for choice in self.choices}
        return named.pop() if len(named) == 1 else None


@contextmanager
def asking(level: Level | None) -> Iterator[None]:
    """Ask for the prompts of one level for a while, or of all; no others are worked out."""
    token = _ASKED.set(level)
    try:
        yield
    finally:
        _ASKED.reset(token)


def is_asked(*levels: Level) -> bool:
    """Whether prompts of one of these levels are asked for."""
    asked = _ASKED.get()
    return asked is None or asked in levels


def offer(
    choices: Iterable[Event],
    levels: tuple[Level, ...] = LEVELS,
    counts: Counts | None = None,
    *,
    needed: bool = True,
    in_turn: bool = False,
) -> Iterator[Prompt]:
    """The prompt for these choices; none where there are none, or its levels are not asked for."""
    listed = tuple(choices) if is_asked(*levels) else ()
    if listed:
        yield Prompt(listed, levels, counts, needed, in_turn)

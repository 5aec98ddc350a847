"""Prompts: events that can be recorded next, with complete data.

A prompt is for users who do not know the rules: every choice can be recorded as it is, breaks no
rule according to the record so far, and leaves a way to finish the hand without breaking one.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Literal, get_args

from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.events.event import Event

Level = Literal["totals", "tricks", "cards"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
_WANTED_LEVEL: ContextVar[Level | None] = ContextVar("asked level", default=None)


@dataclass(frozen=True, slots=True)
class Counts(DeclaredView):
    """The range of counts of a prompt that has too many to list."""

    field: str = declare("the member of the data that holds a number for each side")
    sides: tuple[str, ...] = declare("the sides")
    totals: tuple[int, ...] = declare("the possible sums of the counts; any sum if empty")
    least: Mapping[str, int] = declare("the smallest count of each side")
    most: Mapping[str, int] = declare("the largest count of each side")


@dataclass(frozen=True, slots=True)
class Ask:
    """A question in the form for a hand at the level ``totals``; one of ``events`` answers it.

    ``times`` is how many such events a hand can have, and so how many copies of the fields the
    form has (a declaration for each of four suits: 4). The first must be filled in, unless it is
    ``optional``; empty copies are not recorded. The form leaves out optional fields of the events.
    """

    events: tuple[type[Event], ...]
    times: int = 1
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """Events of one type that can be recorded next, the likeliest choice first.

    ``levels`` are the levels of detail at which a table records it. With ``counts`` the choices
    are only some of those possible. The score does not depend on a prompt that is not ``needed``.
    A prompt ``in_turn`` is for the player whose turn it is: pages preselect this player, although
    another prompt may offer the same event for other players.
    """

    choices: tuple[Event, ...]
    levels: tuple[Level, ...] = LEVELS
    counts: Counts | None = None
    needed: bool = True
    in_turn: bool = False

    def __post_init__(self) -> None:
        """Raise `ValueError` if there is no choice, or if the choices are of several types."""
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
        """The player of the event, if every choice names the same one; else None."""
        named = {getattr(choice, "player", None) for choice in self.choices}
        return named.pop() if len(named) == 1 else None


@contextmanager
def asking(level: Level | None) -> Iterator[None]:
    """Limit the prompts that :func:`offer` makes in this context to one level; None for all."""
    token = _WANTED_LEVEL.set(level)
    try:
        yield
    finally:
        _WANTED_LEVEL.reset(token)


def is_level_wanted(*levels: Level) -> bool:
    """Return whether the context wants one of these levels, or all (see :func:`asking`)."""
    asked = _WANTED_LEVEL.get()
    return asked is None or asked in levels


def offer(
    choices: Iterable[Event],
    levels: tuple[Level, ...] = LEVELS,
    counts: Counts | None = None,
    *,
    needed: bool = True,
    in_turn: bool = False,
) -> Iterator[Prompt]:
    """Yield a prompt for these choices, unless there are none or its levels are not asked for."""
    listed = tuple(choices) if is_level_wanted(*levels) else ()
    if listed:
        yield Prompt(listed, levels, counts, needed, in_turn)

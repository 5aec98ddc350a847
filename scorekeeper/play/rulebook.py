"""A rule book as data: clauses with their ids, and the options on which real tables differ."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.names import is_visible

MAX_NUMBER: Final = 1_000_000  # in an option that sets no limit
MAX_ID_CHARACTERS: Final = 32  # of an id in an option
ID: Final = "[a-z0-9]([a-z0-9_]{0,30}[a-z0-9])?"  # and no two underscores together
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule, with its id; ``status`` is ``source``, ``found`` or ``ruling``.

    ``source``: the rule is in the text that defines the game. ``found``: it is in other rule
    books. ``ruling``: no text has it, and this project decides.
    """

    id: str
    text: str
    status: str


@dataclass(frozen=True, slots=True)
class Number:
    """An option value with a number in it, such as ``{"target": 21}``.

    ``only`` lists the accepted numbers; without it any multiple of ``step`` from ``low`` to
    ``high`` is accepted. ``key`` is None for the bare number.
    """

    key: str | None
    low: int = 1
    high: int = MAX_NUMBER
    step: int = 1
    only: tuple[int, ...] = ()

    def accepts(self, value: object) -> bool:
        """Return whether a match may be played with this value."""
        if self.key is not None:
            if not isinstance(value, dict) or list(value) != [self.key]:
                return False
            value = value[self.key]
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        if self.only:
            return value in self.only
        return self.low <= value <= self.high and value % self.step == 0

    def __str__(self) -> str:
        """Return the accepted values in words, such as ``{"target": N}``."""
        if self.only:
            numbers = "|".join(map(str, self.only))
        else:
            numbers = "N" if self.step == 1 else f"a multiple of {self.step}"
        return numbers if self.key is None else f'{{"{self.key}": {numbers}}}'


@dataclass(frozen=True, slots=True)
class ListOf:
    """An option value that is a list of some of ``values``, each at most once; it may be empty."""

    values: tuple[str, ...]

    def accepts(self, value: object) -> bool:
        """Return whether a match may be played with this value."""
        return (
            isinstance(value, list | tuple)
            and all(isinstance(item, str) and item in self.values for item in value)
            and len(set(value)) == len(value)
        )

    def __str__(self) -> str:
        """Return the accepted values in words."""
        return "a list of some of these: " + ", ".join(self.values) if self.values else "[]"


@dataclass(frozen=True, slots=True)
class Numbers:
    """An option value that is a list of numbers: the list ``only``, or any within the limits.

    A list within the limits has ``least`` to ``most`` numbers from ``low`` to ``high``; if it is
    ``rising``, each is higher than the one before. With ``keys`` each number has a name, and the
    value is an object.
    """

    only: tuple[int, ...] | None = None
    low: int = 0
    high: int = MAX_NUMBER
    least: int = 0
    most: int = 0
    rising: bool = False
    keys: tuple[str, ...] = ()

    def value(self, numbers: Sequence[int]) -> list[int] | dict[str, int]:
        """Return the option value with these numbers."""
        return dict(zip(self.keys, numbers, strict=False)) if self.keys else list(numbers)

    def numbers(self, value: Any) -> list[Any] | None:
        """Return the numbers of a value; None if the value has another shape."""
        if not self.keys:
            return list(value) if isinstance(value, list | tuple) else None
        fits = isinstance(value, Mapping) and set(value) == set(self.keys)
        return [value[key] for key in self.keys] if fits else None

    def accepts(self, value: object) -> bool:
        """Return whether a match may be played with this value."""
        numbers = self.numbers(value)
        if numbers is None:
            return False
        if any(isinstance(number, bool) or not isinstance(number, int) for number in numbers):
            return False
        if self.only is not None:
            return tuple(numbers) == self.only
        if self.rising and any(after <= before for before, after in pairwise(numbers)):
            return False
        within = all(self.low <= number <= self.high for number in numbers)
        return within and self.least <= len(numbers) <= self.most

    def __str__(self) -> str:
        """Return the accepted values in words: the object, the exact list, or its limits."""
        if self.keys:
            names = zip(self.keys, self.only or "N" * len(self.keys), strict=True)
            return "{" + ", ".join(f'"{key}": {number}' for key, number in names) + "}"
        if self.only is not None:
            return str(list(self.only))
        length = str(self.most) if self.least == self.most else f"{self.least} to {self.most}"
        order = "rising " if self.rising else ""
        return f"a list of {length} {order}numbers from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class NamedTexts:
    """An option value that is a list of texts that the players write, each with an id.

    There are up to ``most`` objects ``{"id", "text"}``; a text is one line of up to ``longest``
    code points. Ids are unique and none of ``taken``.
    """

    most: int = 0
    longest: int = 0
    taken: tuple[str, ...] = ()

    def accepts(self, value: object) -> bool:
        """Return whether a match may be played with this value."""
        if not isinstance(value, list | tuple) or len(value) > self.most:
            return False
        if not all(isinstance(item, Mapping) and set(item) == {"id", "text"} for item in value):
            return False
        ids = [item["id"] for item in value]
        fits = all(self._is_id(item["id"]) and self._is_text(item["text"]) for item in value)
        return fits and len(set(ids)) == len(ids)

    def _is_id(self, value: object) -> bool:
        """Return whether a value is a well-formed id that is not ``taken``."""
        fits = isinstance(value, str) and re.fullmatch(ID, value) and "__" not in value
        return bool(fits) and value not in self.taken

    def _is_text(self, value: object) -> bool:
        """Return whether a value is one visible line of at most ``longest`` characters."""
        if not isinstance(value, str) or CONTROL.search(value):
            return False
        return len(value) <= self.longest and is_visible(value)

    def __str__(self) -> str:
        """Return the accepted values in words: the greatest number of texts, and their shape."""
        if not self.most:
            return "[]"
        return f'a list of up to {self.most}: {{"id": "…", "text": "…"}}'


Family = Number | ListOf | Numbers | NamedTexts  # many values, described by one object
Choice = str | bool | int | Family


@dataclass(frozen=True, slots=True)
class Option:
    """A ruling on which real tables differ.

    ``choices`` are its values with a plain explanation each. ``default`` is a value or a function
    of the options before this one; without it the first choice is the default. An option that was
    added ``later`` than the rules is reported only where it is not at its default, so that older
    reports stay as they are. ``scores`` is whether it can change what a hand pays: scores under
    different values of such an option are not comparable.

    ``note`` explains where the default differs from the text of the game, and why.

    ``brief`` describes values in two or three words, with ``{n}`` for the number or list. Its
    keys are a value, the name of a number, or ``...`` for all other values.
    """

    name: str
    clause: str
    text: str
    choices: Mapping[Choice, str]
    default: Any = None
    later: bool = False
    scores: bool = True
    brief: Mapping[object, str] = field(default_factory=dict)
    note: str = ""

    def accepts(self, value: object) -> bool:
        """Return whether a match may be played with this value."""
        return any(_matches(choice, value) for choice in self.choices)

    def meaning(self, value: object) -> str:
        """Return the explanation of a value, in English; empty if it is none of its values."""
        return next((text for choice, text in self.choices.items() if _matches(choice, value)), "")

    def in_brief(self, value: object) -> tuple[str, Any]:
        """Return a few English words for a value, and the figure or list that fills their ``{n}``.

        The words are empty if the option has none for this value.
        """
        if isinstance(value, Mapping) and len(value) == 1:
            [(name, number)] = value.items()
            if name in self.brief:
                return self.brief[name], number
        known = None if isinstance(value, Mapping) else value
        if isinstance(value, list | tuple):
            known = None if any(isinstance(item, Mapping) for item in value) else tuple(value)
        return self.brief.get(known) or self.brief.get(..., ""), value

    def default_for(self, options: JsonObject) -> Any:
        """Return the value in a match that does not set this option.

        It may depend on ``options``, the values of the options before this one.
        """
        if callable(self.default):
            return self.default(options)
        return next(iter(self.choices)) if self.default is None else self.default

    @property
    def expected(self) -> str:
        """The accepted values in words."""
        return " or ".join(map(_expected, self.choices))


def _expected(choice: Choice) -> str:
    """Return a value, or a family of values, in words; numbers have their limits.

    >>> _expected(Number(None, low=61, high=120)), _expected(Number("target")), _expected(False)
    ('N from 61 to 120', '{"target": N}', 'false')
    """
    if isinstance(choice, Number) and not choice.only and choice.high < MAX_NUMBER:
        return f"{choice} from {choice.low} to {choice.high}"
    return str(choice).lower() if isinstance(choice, bool) else str(choice)


def _matches(choice: Choice, value: object) -> bool:
    """Return whether a value is this choice, or of this family; True and 1 are different."""
    if isinstance(choice, Family):
        return choice.accepts(value)
    return type(choice) is type(value) and choice == value


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of option values that some real tables play with.

    ``text`` names these tables and the source. A match records the options, not the name.
    """

    name: str
    text: str
    options: JsonObject


@dataclass(frozen=True, slots=True)
class Conflict:
    """A value of an option that has no effect beside a value of the ``other`` option.

    ``holds`` returns whether the options of a match have such values. New matches with a conflict
    are refused. Logs that already have one stay usable and are scored.
    """

    option: str
    other: str
    holds: Callable[[JsonObject], bool]


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The clauses and options of one version of a game's rules."""

    clauses: tuple[Clause, ...]
    options: tuple[Option, ...]
    conflicts: tuple[Conflict, ...] = ()

    def clause(self, clause_id: str) -> Clause:
        """Return the clause of that id.

        Raises `KeyError` if there is none.
        """
        return {clause.id: clause for clause in self.clauses}[clause_id]

    def settle(self, chosen: JsonObject | None) -> JsonObject:
        """Return all options of a match: the chosen values, and defaults for the others.

        Raises `UnusableError` if a name or a value is unknown.
        """
        chosen = chosen or {}
        known = {option.name for option in self.options}
        for name in chosen:
            if name not in known:
                what = "an option of this game: " + ", ".join(sorted(known))
                cause = expected(what, name, "no_such_option")
                raise UnusableError(cause, field=f"data.options.{name}")
        options: dict[str, object] = {}
        for option in self.options:
            value = chosen.get(option.name, option.default_for(options))
            if option.name in chosen and not option.accepts(value):
                choices = ", ".join(map(_expected, option.choices))
                cause = expected(option.expected, value, "no_such_choice", choices=choices)
                raise UnusableError(cause, field=f"data.options.{option.name}")
            options[option.name] = value
        return options

    def conflicting(self, options: JsonObject) -> Iterator[Conflict]:
        """Return the conflicts of this rule book that the options of a match have."""
        return (conflict for conflict in self.conflicts if conflict.holds(options))

    def changed(self, options: JsonObject) -> JsonObject:
        """Return the options of a match that are not at their defaults."""
        return {
            option.name: options[option.name]
            for option in self.options
            if option.name in options and options[option.name] != option.default_for(options)
        }

    def reported(self, options: JsonObject) -> JsonObject:
        """Return the options that reports of a match show: later ones only if they are changed."""
        changed = self.changed(options).keys()
        names = [
            option.name for option in self.options if not option.later or option.name in changed
        ]
        return {name: options[name] for name in names}

    def scoring(self, options: JsonObject) -> JsonObject:
        """Return the reported options that affect scores.

        Scores of matches are comparable if these are equal.
        """
        reported = self.reported(options)
        names = [option.name for option in self.options if option.scores]
        return {name: reported[name] for name in names if name in reported}


# The clauses that hold for all games, and for the log itself.
COMMON: tuple[Clause, ...] = (
    Clause("G1", "Seats are listed in order of play: after each seat comes the next, and after "
           "the last the first. The page of a game says whether that is clockwise.", "ruling"),
    Clause("G2", "Eldest is the seat after the dealer. Eldest bids first and, unless the game "
           "says otherwise, leads to the first trick.", "found"),
    Clause("G3", "The deal passes to the next seat after each hand; after an abandoned hand the "
           "same dealer or the next one may deal.", "found"),
    Clause("G4", "Each player who takes part plays one card to a trick, in order of seats, "
           "beginning with the player who leads. The winner leads to the next.", "found"),
    Clause("G5", "A side is a player, or where they play two against two a partnership: A in the "
           "first and third seat, B in the second and fourth.", "ruling"),
    Clause("G6", "The cards decide: where those of a trick are on record, who wins it and what it "
           "is worth follow from the rules, whatever was said. Where only the winner or only the "
           "count is on record, that is what is scored.", "ruling"),
    Clause("G7", "A penalty given at the table changes the match score of one side by the figure "
           "recorded, and nothing else. Where each plays alone, it can be shared: each of the "
           "others who play the hand then gets an equal part of the opposite.",
           "ruling"),
    Clause("G8", "Options that mean nothing for the number of players are ignored. Where a match "
           "is played for a number of hands, only complete hands count.", "ruling"),
    Clause("G9", "A match is settled by the rule of its game, whatever the totals are. Where "
                 "what one player wins the others lose, the totals are paid; in the other games "
                 "each player settles the difference with every other. A penalty is a score "
                 "like any other. Where totals are paid, the others get in equal parts what it "
                 "costs, and what cannot be divided goes, one each, to those who sit next in "
                 "order of play. All payments together always add up to nothing.", "ruling"),
    Clause("G10", "Points of different games are never added: they are settled match by match. "
                  "An evening is settled in money, where a match is played for a stake: an "
                  "amount for each point of the totals (for each hand or game, where those are "
                  "counted), and an amount from each side that does not win the match to those "
                  "that do. Each currency is settled by itself.",
           "ruling"),
    Clause("L1", "Events are numbered 1, 2, 3 and so on, without gaps, in the order of their "
           "recording.", "ruling"),
    Clause("L2", "Each event of a sealed log carries a hash of itself and of the hash before "
                 "it: a changed event breaks the chain there.", "ruling"),
    Clause("L3", "A hand is complete, and scores, once its result has been entered. A hand that "
                 "was never finished scores nothing.", "ruling"),
    Clause("L4", "Only what is on record is checked, and nothing is inferred from what is not.",
           "ruling"),
)  # fmt: skip

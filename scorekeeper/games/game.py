"""What a game is: a value, made of tables and functions.

The registry in ``games/__init__.py`` lists them by hand. A game's package holds, in files of
the same names, what is written down (``events``), what the book says (``rules``), what it
amounts to (``state``), what it scores (``score``), what can be wrong (``audit``), what comes next
(``prompts``) and what people tell of a hand (``facts``).
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.cards.packs import Pack
from scorekeeper.events.common import COMMON
from scorekeeper.events.event import IN_A_HAND, Event
from scorekeeper.events.fields import OneOf, parts
from scorekeeper.events.playing import CardPlayed
from scorekeeper.events.references import Refusing, refusing
from scorekeeper.play.deal import Deal
from scorekeeper.play.facts import HandFacts
from scorekeeper.play.folding import (
    REFUSE,
    Fold,
    FoldStep,
    Refusals,
    Refuse,
    refuse_card,
)
from scorekeeper.play.match import Course, Goals, Standing
from scorekeeper.play.prompts import Ask, Level, Prompt, asking
from scorekeeper.play.rulebook import Conflict, Preset, RuleBook
from scorekeeper.play.scoring import Check, Result, RunningScore
from scorekeeper.play.settlement import DIFFERENCES, Settlement
from scorekeeper.play.table import Table

Classes = type[Event] | Mapping[str, type[Event]]


def _penalties_welcome(options: Mapping[str, Any], *, over: bool) -> str | None:
    return None


def everybody(seats: tuple[str, ...], dealer: str) -> tuple[str, ...]:
    """All the players, eldest first (G2)."""
    first = seats.index(dealer) + 1
    return seats[first:] + seats[:first]


def each_for_himself(seats: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Every player is a side (G5)."""
    return {seat: (seat,) for seat in seats}


def partnerships(seats: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Four players as two sides, partners facing each other (G5)."""
    return {"A": seats[0::2], "B": seats[1::2]}


@dataclass(frozen=True, slots=True)
class Way:
    """The way of an event into a hand: what refuses it, what notes it, and whether it can hide."""

    refuse: Refusing
    fold: FoldStep | None
    hides: bool  # whether something in it may lie face down


@dataclass(frozen=True)
class Game:
    """One of the rule sets, in one version of its rules.

    ``start`` makes the deal of a new hand, ``fold`` writes entries down in it, ``score`` says
    what it amounts to, ``checks`` what can be wrong with it, ``course`` how matches run,
    ``prompts`` what can be recorded next of a hand, ``totals`` what a hand comes to in short,
    ``facts`` what people tell of a complete one,
    ``so_far`` what an open hand has come to, where its players count aloud as it goes on.
    ``refuse`` holds, for some of the game's events, what raises :class:`UnusableError` where they
    can never be on record of such a hand;
    ``no_penalty`` says why a penalty can not be given, or None. ``goal`` is what a match is
    played to, and ``end_clause`` says how it ends. ``tell_hand`` and ``tell_match`` add keys of
    the game's own to the report.
    ``settlement`` says who pays whom for what a match comes to, ``highest_hand`` how many points
    one player can get or pay by one hand, with these options and a given number of seats, or None;
    ``most_of_a_hand`` by how much a hand can raise a total, or None. ``doubles`` is whether hands
    that were abandoned can double that.
    ``houses`` are the sets of options that tables are known to play with.
    ``words`` are sentences that the game says beside those of its book, events and checks.
    ``called`` says what the games of a match are called, by their names in the report.
    ``catalogues`` is the folder of its translations, where it comes in a package of its own.
    """

    id: str
    name: str
    seats: tuple[int, ...]
    direction: str
    book: RuleBook
    events: tuple[type[Event], ...]
    pack: Callable[[Mapping[str, Any], int], Pack]
    start: Callable[[Table], Deal]
    fold: Fold
    score: Callable[[Any], Result]
    checks: tuple[Check, ...]
    course: Course
    prompts: Callable[[Any], Iterable[Prompt]]
    totals: tuple[Ask, ...]
    sides: Callable[[tuple[str, ...]], dict[str, tuple[str, ...]]] = each_for_himself
    players: Callable[[tuple[str, ...], str], tuple[str, ...]] = everybody
    refuse: Refusals = field(default_factory=dict)
    no_penalty: Callable[..., str | None] = _penalties_welcome
    check_options: Callable[[Mapping[str, Any], int], None] = lambda options, seats: None
    tell_hand: Callable[[Any], Mapping[str, Any]] = lambda deal: {}
    tell_match: Callable[[Standing], Mapping[str, Any]] = lambda standing: {}
    facts: HandFacts = field(default_factory=HandFacts)
    so_far: Callable[[Any], RunningScore | None] = lambda deal: None
    goal: Goals = lambda options: None
    settlement: Settlement = DIFFERENCES
    highest_hand: Callable[[Mapping[str, Any], int], int | None] = lambda options, seats: None
    most_of_a_hand: Callable[[Mapping[str, Any], int], int | None] = lambda options, seats: None
    doubles: Callable[[Mapping[str, Any]], bool] = lambda options: False
    houses: tuple[Preset, ...] = ()
    end_clause: str = ""
    version: int = 1
    summary: str = ""
    words: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    catalogues: Path | None = None

    def __post_init__(self) -> None:
        # Games may share these tables, so none of them may change one for the others.
        for name in ("fold", "refuse"):
            object.__setattr__(self, name, MappingProxyType({**getattr(self, name)}))

    @cached_property
    def by_type(self) -> Mapping[str, Classes]:
        """The declarations of every event of this game, by type.

        Where a type has several, it is by their field ``category``.
        """
        return by_type((*COMMON, *self.events))

    @cached_property
    def declared(self) -> frozenset[type[Event]]:
        """The declarations of every event of this game."""
        return frozenset((*COMMON, *self.events))

    def options(self, given: Mapping[str, Any] | None, seats: int) -> dict[str, Any]:
        """All options of a match for a given number of seats."""
        options = self.book.settle(given)
        self.check_options(options, seats)
        return options

    def new_options(
        self,
        given: Mapping[str, Any] | None,
        seats: int,
        standing: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """All options of a match that is opened or corrected now.

        Raises UnusableError where one can have no effect beside another, and had one by the
        ``standing`` options, those of the match before its correction.
        """
        options = self.options(given, seats)
        before = () if standing is None else tuple(self.book.conflicting(standing))
        for conflict in self.book.conflicting(options):
            if conflict not in before:
                raise UnusableError(
                    self._no_effect(conflict, options), field=f"data.options.{conflict.option}"
                )
        return options

    def _no_effect(self, conflict: Conflict, options: Mapping[str, Any]) -> Cause:
        option, other = conflict.option, conflict.other
        value, beside = options[option], options[other]
        words = (
            f"{option} {json.dumps(value)} can have no effect beside {other} {json.dumps(beside)}"
        )
        facts = {"game": self.id, "option": option, "value": value}
        return Cause(words, "no_effect", **facts, other=other, beside=beside)

    def refusals(self, declared: type[Event]) -> tuple[Refuse, ...]:
        """What must be asked of an event of a hand before it is written down there."""
        both = (REFUSE.get(declared), self.refuse.get(declared))
        return tuple(step for step in both if step is not None)

    def way(self, declared: type[Event]) -> Way:
        """The way of an event into a hand."""
        plain = declared is CardPlayed and declared not in self.refuse
        refuse = refuse_card if plain else refusing(declared, self.refusals(declared))
        return Way(refuse, self.fold.get(declared), bool(declared.HIDDEN))

    @cached_property
    def ways(self) -> Mapping[type[Event], Way]:
        """The ways of all the events that belong to a hand."""
        return {one: self.way(one) for one in self.declared if one.PLACE is IN_A_HAND}

    def refuse_event(self, deal: Deal, event: Event) -> None:
        """Refuse what can never be on record of this hand."""
        for step in self.refusals(type(event)):
            step(deal, event)

    def evaluate(self, deal: Deal) -> Result:
        """What the hand's record amounts to, kept in ``deal.result``.

        An abandoned hand scores nothing, nor does one in which a card was played twice.
        """
        deal.forget()
        if deal.abandoned is not None:
            deal.result = Result(abandoned=True, marks=deal.marks_if_abandoned())
            return deal.result
        result = self.score(deal)
        if result.complete and deal.again:
            result = Result()
        deal.result = result if result.complete or result.abandoned else Result()
        return deal.result

    def prompted(self, deal: Deal, level: Level | None = None) -> tuple[Prompt, ...]:
        """What can be recorded next of an evaluated hand, at a level or at all; worked out once."""
        found: tuple[Prompt, ...] | None = deal.prompted.get(level)
        if found is None:
            with asking(level):
                found = deal.prompted[level] = tuple(self.prompts(deal))
        return found


def by_type(classes: Collection[type[Event]]) -> dict[str, Classes]:
    """Declarations by type, those of one type by their category."""
    found: dict[str, list[type[Event]]] = {}
    for declared in classes:
        found.setdefault(declared.TYPE, []).append(declared)
    return {
        name: several[0] if len(several) == 1 else dict(_by_category(several))
        for name, several in found.items()
    }


def _by_category(several: list[type[Event]]) -> Iterator[tuple[str, type[Event]]]:
    for declared in several:
        kind = next(part.kind for part in parts(declared) if part.name == "category")
        if isinstance(kind, OneOf):
            yield from ((value, declared) for value in kind.values)

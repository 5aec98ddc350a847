"""The type of a game: a value that consists of tables and functions.

The registry in ``games/__init__.py`` lists the games explicitly. The packages of all games have
the same modules: the events (``events``), the rule book (``rules``), the state of a hand
(``state``), its score (``score``), the checks (``audit``), the prompts (``prompts``) and the
facts of a hand (``facts``).
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.language import language
from scorekeeper.base.views import DeclaredView
from scorekeeper.cards.packs import Pack
from scorekeeper.events.common import COMMON, PenaltyGiven, ScoreClaimed, claimed_in, penalty_in
from scorekeeper.events.event import IN_A_HAND, Event
from scorekeeper.events.fields import Each, OneOf, Whole, parts_of
from scorekeeper.events.playing import CardPlayed, PointsCounted
from scorekeeper.events.references import Refusal, make_refusal
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
from scorekeeper.play.table import PARTIES, Party, Table

Classes = type[Event] | Mapping[str, type[Event]]


def _allow_penalties(options: JsonObject, *, over: bool) -> str | None:
    """Return None: there is no reason against a penalty."""
    return None


def all_players(seats: tuple[str, ...], dealer: str) -> tuple[str, ...]:
    """Return all players, eldest first (G2)."""
    first = seats.index(dealer) + 1
    return seats[first:] + seats[:first]


def individual_sides(seats: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the sides of a game in which every player is a side, named by their id (G5)."""
    return {seat: (seat,) for seat in seats}


def partnerships(seats: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return two sides, ``A`` and ``B``, of players who sit in alternate seats (G5)."""
    return {"A": seats[0::2], "B": seats[1::2]}


@dataclass(frozen=True, slots=True)
class EventHandler:
    """The functions that refuse and record the events of one declaration in a hand."""

    refuse: Refusal
    fold: FoldStep | None
    hides: bool  # whether the event has fields that may be face down


@dataclass(frozen=True)
class Game:
    """A game in one version of its rules.

    A hand: ``start`` creates its deal, ``fold`` adds entries to it, ``score`` returns its result,
    ``checks`` find problems, ``prompts`` offer the next events. ``totals`` are the questions of
    the form for a hand of which only totals are recorded, or a function that returns them for a
    deal, if they depend on the number of players or on the options. ``facts`` summarize a complete
    hand;
    ``so_far`` returns the running score of an open hand, in games whose players count aloud.
    ``refuse`` has functions, by event, that raise :class:`UnusableError` if the event is
    impossible in the hand.

    Scores are exact points: whole numbers, or with ``parts`` above 1 fractions of which ``parts``
    make a point. The log has scores on paper and penalties in whole numbers of these parts.

    A match: ``course`` computes its standing, ``goal`` returns its end, and ``end_clause`` is the
    clause about the end. ``no_penalty`` returns the reason why a penalty is not allowed, or None.
    ``describe_hand`` and ``describe_match`` return additional keys for the report, which
    ``hand_view`` and ``match_view`` declare for the documentation of the API. ``settlement``
    is the rule for payments. ``highest_hand`` returns the most points that one player can get or
    pay in one hand with these options and this number of seats, and ``most_of_a_hand`` the most by
    which a hand can raise a total; None for no limit. ``doubles`` returns whether abandoned hands
    can double these figures.

    Texts and options: ``houses`` are presets of options that real tables use. ``words`` are
    further texts of the game that need a translation. ``called`` has the names for the games of
    a match, by their keys in the report. ``parties`` has the words for the parties that counts are
    given for, where these are no sides of the match. ``catalogues`` is the folder of the
    translations of a game from a separate package.
    """

    id: str
    name: str
    seats: tuple[int, ...]
    direction: str
    book: RuleBook
    events: tuple[type[Event], ...]
    pack: Callable[[JsonObject, int], Pack]
    start: Callable[[Table], Deal]
    fold: Fold
    score: Callable[[Any], Result]
    checks: tuple[Check, ...]
    course: Course
    prompts: Callable[[Any], Iterable[Prompt]]
    totals: tuple[Ask, ...] | Callable[[Any], tuple[Ask, ...]]
    sides: Callable[[tuple[str, ...]], dict[str, tuple[str, ...]]] = individual_sides
    players: Callable[[tuple[str, ...], str], tuple[str, ...]] = all_players
    refuse: Refusals = field(default_factory=dict)
    no_penalty: Callable[..., str | None] = _allow_penalties
    check_options: Callable[[JsonObject, int], None] = lambda options, seats: None
    hand_view: type[DeclaredView] | None = None
    match_view: type[DeclaredView] | None = None
    describe_hand: Callable[[Any], JsonObject] = lambda deal: {}
    describe_match: Callable[[Standing], JsonObject] = lambda standing: {}
    facts: HandFacts = field(default_factory=HandFacts)
    so_far: Callable[[Any], RunningScore | None] = lambda deal: None
    goal: Goals = lambda options: None
    settlement: Settlement = DIFFERENCES
    highest_hand: Callable[[JsonObject, int], int | None] = lambda options, seats: None
    most_of_a_hand: Callable[[JsonObject, int], int | None] = lambda options, seats: None
    doubles: Callable[[JsonObject], bool] = lambda options: False
    houses: tuple[Preset, ...] = ()
    end_clause: str = ""
    version: int = 1
    parts: int = 1
    summary: str = ""
    words: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    parties: Mapping[str, Party] = field(default_factory=lambda: PARTIES)
    catalogues: Path | None = None

    def __post_init__(self) -> None:
        """Make the tables ``fold`` and ``refuse`` immutable, because games may share them.

        An event that narrows another, such as a count in half points, is treated like that one.
        """
        for name in ("fold", "refuse"):
            table = getattr(self, name)
            added = {declared: table[base] for declared in (*self.common, *self.events)
                     if (base := _nearest(declared, table)) not in (None, declared)}  # fmt: skip
            object.__setattr__(self, name, MappingProxyType({**table, **added}))

    @property
    def local_name(self) -> str:
        """The name of the game in the current language."""
        return language().word("game", self.name)

    @cached_property
    def common(self) -> tuple[type[Event], ...]:
        """The events that every game has; those with points count in the ``parts`` of this game."""
        own = {ScoreClaimed: claimed_in(self.parts), PenaltyGiven: penalty_in(self.parts)}
        return tuple(own.get(declared, declared) for declared in COMMON)

    @cached_property
    def by_type(self) -> Mapping[str, Classes]:
        """The declarations of all events of this game, by type.

        If a type has several declarations, they are in a mapping by their field ``category``.
        """
        return group_by_type((*self.common, *self.events))

    @cached_property
    def count_parts(self) -> int:
        """The parts of a point that the counts of this game, and the points taken, are in."""
        counts = (declared for declared in self.events if issubclass(declared, PointsCounted))
        kinds = [part.kind for declared in counts for part in parts_of(declared)]
        return next((kind.of.parts for kind in kinds
                     if isinstance(kind, Each) and isinstance(kind.of, Whole)), 1)  # fmt: skip

    @cached_property
    def declared(self) -> frozenset[type[Event]]:
        """The declarations of all events of this game."""
        return frozenset((*self.common, *self.events))

    def options(self, chosen: JsonObject | None, seats: int) -> JsonObject:
        """Return all options of a match with this number of seats: chosen ones and defaults.

        Raises `UnusableError` if an option is wrong.
        """
        options = self.book.settle(chosen)
        self.check_options(options, seats)
        return options

    def new_options(
        self,
        chosen: JsonObject | None,
        seats: int,
        standing: JsonObject | None = None,
    ) -> JsonObject:
        """Return all options of a match that is opened or corrected now.

        Raises `UnusableError` if an option has no effect beside another. A conflict that the
        ``standing`` options had, those of the match before its correction, is accepted.
        """
        options = self.options(chosen, seats)
        before = () if standing is None else tuple(self.book.conflicting(standing))
        for conflict in self.book.conflicting(options):
            if conflict not in before:
                raise UnusableError(
                    self._no_effect_cause(conflict, options),
                    field=f"data.options.{conflict.option}",
                )
        return options

    def _no_effect_cause(self, conflict: Conflict, options: JsonObject) -> Cause:
        """Return the cause for refusing options with a conflict, which names both options."""
        option, other = conflict.option, conflict.other
        value, beside = options[option], options[other]
        words = (
            f"{option} {json.dumps(value)} can have no effect beside {other} {json.dumps(beside)}"
        )
        facts = {"game": self.id, "option": option, "value": value}
        return Cause(words, "no_effect", **facts, other=other, beside=beside)

    def questions(self, deal: Deal) -> tuple[Ask, ...]:
        """Return the questions of the form for a hand of which only totals are recorded."""
        asks = self.totals(deal) if callable(self.totals) else self.totals
        return tuple(
            ask if self.declared.issuperset(ask.events)
            else replace(ask, events=tuple(map(self.own_event, ask.events)))
            for ask in asks
        )  # fmt: skip

    def own_event(self, declared: type[Event]) -> type[Event]:
        """Return the event of this game that is or narrows a declaration, else the declaration."""
        events = (*self.common, *self.events)
        return next((own for own in events if issubclass(own, declared)), declared)

    def refusals(self, declared: type[Event]) -> tuple[Refuse, ...]:
        """Return the functions that refuse an event of this type in a hand, in order.

        Those of all games come first. Each raises `UnusableError` if the event is impossible.
        """
        ours = _nearest(declared, REFUSE)
        both = (REFUSE[ours] if ours else None, self.refuse.get(declared))
        return tuple(step for step in both if step is not None)

    def handler(self, declared: type[Event]) -> EventHandler:
        """Return the functions that refuse and record the events of one declaration."""
        plain = declared is CardPlayed and declared not in self.refuse
        refuse = refuse_card if plain else make_refusal(declared, self.refusals(declared))
        return EventHandler(refuse, self.fold.get(declared), bool(declared.HIDDEN))

    @cached_property
    def handlers(self) -> Mapping[type[Event], EventHandler]:
        """The result of `handler` for all declarations of events that belong to a hand."""
        in_a_hand = (declared for declared in self.declared if declared.PLACE is IN_A_HAND)
        return {declared: self.handler(declared) for declared in in_a_hand}

    def refuse_event(self, deal: Deal, event: Event) -> None:
        """Refuse an event that is impossible in this hand.

        Raises `UnusableError` for the field.
        """
        for step in self.refusals(type(event)):
            step(deal, event)

    def evaluate(self, deal: Deal) -> Result:
        """Compute the result of a hand, and store it in ``deal.result``.

        An abandoned hand scores nothing, nor does a hand in which a card was played twice.
        """
        deal.clear_cache()
        if deal.abandoned is not None:
            deal.result = Result(abandoned=True, marks=deal.marks_if_abandoned())
            return deal.result
        result = self.score(deal)
        if result.complete and deal.again:
            result = Result()
        deal.result = result if result.complete or result.abandoned else Result()
        return deal.result

    def prompted(self, deal: Deal, level: Level | None = None) -> tuple[Prompt, ...]:
        """Return the prompts of an evaluated hand, at one level or all; the result is cached."""
        prompts: tuple[Prompt, ...] | None = deal.prompted.get(level)
        if prompts is None:
            with asking(level):
                prompts = deal.prompted[level] = tuple(self.prompts(deal))
        return prompts


def _nearest(declared: type[Event], table: Collection[type[Event]]) -> type[Event] | None:
    """Return the event in a table that a declaration is or narrows; None if there is none."""
    return next((base for base in declared.__mro__ if base in table), None)


def group_by_type(classes: Collection[type[Event]]) -> dict[str, Classes]:
    """Return event classes by type; several of one type are in a mapping by their category."""
    grouped: dict[str, list[type[Event]]] = {}
    for declared in classes:
        grouped.setdefault(declared.TYPE, []).append(declared)
    return {
        name: several[0] if len(several) == 1 else dict(_pairs_by_category(several))
        for name, several in grouped.items()
    }


def _pairs_by_category(several: list[type[Event]]) -> Iterator[tuple[str, type[Event]]]:
    """Yield each value of ``category`` with the declaration whose field accepts it."""
    for declared in several:
        kind = next(part.kind for part in parts_of(declared) if part.name == "category")
        if isinstance(kind, OneOf):
            yield from ((value, declared) for value in kind.values)

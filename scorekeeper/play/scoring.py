"""What replay says of a hand: lines, findings, and the checks that make them.

A score is a list of lines, each with its rule and its proof; what a side scores is the sum of
its lines and is computed nowhere else (:func:`add_up`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Union

from scorekeeper.base.language import language
from scorekeeper.cards.packs import Card
from scorekeeper.events.sentences import said_as

Fact = Union[str, int, Card, "Word", "Text", tuple["Card | Text", ...]]


@dataclass(frozen=True, slots=True)
class Word:
    """A fact that is a word of a kind, said in the language of its sentence; a number as it is.

    The letter of a rank is said as a word by its place: ``rank`` alone, ``ranks`` where there
    are several, ``high`` after “to the”.

    >>> str(Text("Three {rank}s", rank=Word("ranks", "K")))
    'Three kings'
    """

    kind: str
    word: str | int


class Text:
    """A sentence with its facts apart, so that it can be said in another language.

    >>> str(Text("{player} played {card}", player="Leo", card=Card.parse("7C")))
    'Leo played 7C'
    """

    __slots__ = ("facts", "template")

    def __init__(self, template: str, **facts: Fact) -> None:
        self.template = template
        self.facts = facts

    def say(self, show: Callable[[Card], str] = str) -> str:
        """The sentence in the language that is spoken, each card written by ``show``."""
        said = {name: _said(fact, show) for name, fact in self.facts.items()}
        return language().say(self.template).format_map(said)

    def __str__(self) -> str:
        return self.say()

    def __repr__(self) -> str:
        return f"Text({self.say()!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Text):
            return NotImplemented
        return (self.template, self.facts) == (other.template, other.facts)

    __hash__ = None  # type: ignore[assignment]


def _said(fact: Fact, show: Callable[[Card], str]) -> str | int:
    if isinstance(fact, tuple):
        return ", ".join(str(_said(one, show)) for one in fact)
    if isinstance(fact, Card):
        return show(fact)
    if isinstance(fact, Text):
        return fact.say(show)
    if isinstance(fact, Word):
        return said_as(fact.kind, fact.word) if isinstance(fact.word, str) else fact.word
    return fact


class ScoreLine(NamedTuple):
    """Points to one side, under one rule, proved by events."""

    side: str
    points: int
    rule: str
    text: Text
    events: tuple[int, ...]


def add_up(lines: Iterable[ScoreLine], sides: Iterable[str]) -> dict[str, int]:
    """The points of every side, those without a line too."""
    scores = dict.fromkeys(sides, 0)
    for line in lines:
        scores[line.side] += line.points
    return scores


class SoFar(NamedTuple):
    """An open hand as its players count aloud.

    ``made`` is what each side has by now, ``lines`` how it came about and what was said for
    nothing; ``ahead`` says to whom what is near.
    """

    made: Mapping[str, int]
    lines: tuple[ScoreLine, ...]
    ahead: tuple[tuple[str, Text], ...] = ()


class Basis(Enum):
    """Which record of a hand decides its score: the finest that suffices."""

    CARDS = auto()
    TRICKS = auto()
    COUNT = auto()
    OUTCOME = auto()


@dataclass(slots=True)
class Result:
    """What a hand's record amounts to.

    ``complete`` is whether its result is on record; ``taken`` is what the page of the game
    says, None where the record does not give it; ``winner`` is the side that won the hand, in
    games where hands are won; ``marks`` is for games whose match needs more than points.
    """

    complete: bool = False
    basis: Basis | None = None
    lines: tuple[ScoreLine, ...] = ()
    taken: dict[str, int] | None = None
    winner: str | None = None
    abandoned: bool = False
    marks: Any = None


class Severity(StrEnum):
    """How grave a finding is."""

    ERROR = "error"  # a rule was broken or two records contradict each other
    WARNING = "warning"  # irregular, or in doubt
    INFO = "info"  # not on record, so not checked or not certain


SEVERITY: Final[Mapping[str, Severity]] = MappingProxyType({
    **dict.fromkeys(
        (
            "seq_gap", "chain_broken", "out_of_turn", "bad_bid", "not_declarer", "bad_deal",
            "revoke", "must_trump", "wrong_winner", "total_mismatch", "count_mismatch",
            "claim_mismatch", "duplicate_card", "too_many", "shown_mismatch", "bad_call",
            "false_call", "wrong_partner", "bad_exchange", "bad_discard", "bad_payment",
            "bad_declaration", "false_declaration", "after_end", "underplay",
        ),
        Severity.ERROR,
    ),
    **dict.fromkeys(
        ("incomplete", "wrong_dealer", "out_of_time", "unknown_signal", "false_signal"),
        Severity.WARNING,
    ),
    **dict.fromkeys(("not_recorded", "pique_unclear", "game_unclear"), Severity.INFO),
})  # fmt: skip


class Observation(NamedTuple):
    """What a check saw: the event at fault, those that prove it, and what to say of it.

    Of one code and event at fault the first is told, and no other: where several checks have one
    code, the graver or more certain stands before in the table.
    """

    events: tuple[int, ...]
    text: Text
    sides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that can be wrong with a hand.

    ``look`` yields what it sees. ``about`` says in a few words what is checked; where
    ``decided`` says that the record of this hand cannot decide it, the report says so
    (``not_recorded``), naming ``settles``: the record that would settle it. ``rule`` is the
    clause; a check that several games share has one in each of them (:meth:`under`).
    """

    code: str
    rule: str
    look: Callable[[Any], Iterable[Observation]]
    about: str = ""
    decided: Callable[[Any], bool] | None = None
    settles: str = ""

    def under(self, rule: str) -> "Check":
        """The same check, under that clause of a game."""
        return replace(self, rule=rule)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong, irregular or in doubt: what, where, under which rule, and the proof."""

    code: str
    rule: str
    text: Text
    events: tuple[int, ...] = ()
    match: int | None = None
    hand: int | None = None
    sides: tuple[str, ...] = ()
    severity: Severity = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "severity", SEVERITY[self.code])


def look(checks: Iterable[Check], deal: Any) -> Iterator[tuple[Check, Observation]]:
    """All that the checks see in a hand, in their order; none stops another."""
    for check in checks:
        for observation in check.look(deal):
            yield check, observation

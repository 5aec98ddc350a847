"""The results of replaying a hand: score lines and findings, and the checks that yield findings.

A score is a list of lines, each with its rule and its proof; the score of a side is the sum of
its lines and is computed nowhere else (:func:`add_up`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Union

from scorekeeper.base.language import language
from scorekeeper.base.parts import ExactPoints, format_points
from scorekeeper.cards.packs import Card
from scorekeeper.events.sentences import translate_word

Fact = Union[str, int, Fraction, Card, "Word", "Text", tuple["Card | Text", ...]]


@dataclass(frozen=True, slots=True)
class Word:
    """A fact that is translated as a word of some kind; a number is shown as it is.

    The letter of a rank becomes a word. Its kind depends on the place in the sentence: ``rank``
    alone, ``ranks`` in the plural, ``high`` after “to the”.

    >>> str(Text("Three {rank}s", rank=Word("ranks", "K")))
    'Three kings'
    """

    kind: str
    word: str | int


class Text:
    """A sentence as a template and facts, so that it can be translated.

    >>> str(Text("{player} played {card}", player="Leo", card=Card.parse("7C")))
    'Leo played 7C'
    """

    __slots__ = ("facts", "template")

    def __init__(self, template: str, **facts: Fact) -> None:
        """Store an English template and the facts that fill its placeholders."""
        self.template = template
        self.facts = facts

    def say(self, show: Callable[[Card], str] = str) -> str:
        """Return the sentence in the current language; ``show`` formats each card."""
        words = {name: _format_fact(fact, show) for name, fact in self.facts.items()}
        return language().say(self.template).format_map(words)

    def __str__(self) -> str:
        """Return the sentence in the current language, with cards in their notation."""
        return self.say()

    def __repr__(self) -> str:
        """Return the sentence in the form ``Text('…')``."""
        return f"Text({self.say()!r})"

    def __eq__(self, other: object) -> bool:
        """Return whether two texts have the same template and facts."""
        if not isinstance(other, Text):
            return NotImplemented
        return (self.template, self.facts) == (other.template, other.facts)

    __hash__ = None  # type: ignore[assignment]


def _format_fact(fact: Fact, show: Callable[[Card], str]) -> str | int:
    """Return a fact as text or number in the current language; ``show`` formats cards."""
    if isinstance(fact, tuple):
        return ", ".join(str(_format_fact(member, show)) for member in fact)
    if isinstance(fact, Card):
        return show(fact)
    if isinstance(fact, Text):
        return fact.say(show)
    if isinstance(fact, Word):
        return translate_word(fact.kind, fact.word) if isinstance(fact.word, str) else fact.word
    return format_points(fact) if isinstance(fact, Fraction) else fact


class ScoreLine(NamedTuple):
    """Points to one side, under one rule, proved by events."""

    side: str
    points: ExactPoints
    rule: str
    text: Text
    events: tuple[int, ...]


def add_up(lines: Iterable[ScoreLine], sides: Iterable[str]) -> dict[str, ExactPoints]:
    """Return the points of every side; a side without a line has 0."""
    scores: dict[str, ExactPoints] = dict.fromkeys(sides, 0)
    for line in lines:
        scores[line.side] += line.points
    return scores


class RunningScore(NamedTuple):
    """The points of an open hand that its players count aloud.

    ``made`` has the points of each side by now. ``lines`` explain them, and list declarations
    that scored nothing. ``ahead`` has a side and a text for each bonus that is within reach.
    """

    made: Mapping[str, ExactPoints]
    lines: tuple[ScoreLine, ...]
    ahead: tuple[tuple[str, Text], ...] = ()


class Basis(Enum):
    """The record that decides the score of a hand: the finest that suffices."""

    CARDS = auto()
    TRICKS = auto()
    COUNT = auto()
    OUTCOME = auto()


@dataclass(slots=True)
class Result:
    """The result of a hand by its record.

    ``complete`` is whether its result is on record. ``taken`` are the points or tricks that the
    rules of the game report by side, None where the record does not have them. ``winner`` is the
    side that won the hand, in games where hands are won. ``marks`` is for games whose match
    needs more than points.
    """

    complete: bool = False
    basis: Basis | None = None
    lines: tuple[ScoreLine, ...] = ()
    taken: dict[str, int] | None = None
    winner: str | None = None
    abandoned: bool = False
    marks: Any = None


class Severity(StrEnum):
    """The severity of a finding."""

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
    """A problem that a check observed: the event at fault, then its proof, and a description.

    Only the first observation with one code and event at fault becomes a finding. Where several
    checks have the same code, the more serious or more certain is listed first.
    """

    events: tuple[int, ...]
    text: Text
    sides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """A test for one kind of problem in a hand.

    ``look`` yields its observations. ``about`` names the tested rule in a few words. If
    ``decided`` returns false, the record of the hand cannot decide it: the report then has a
    finding ``not_recorded`` that names ``settles``, the record that would settle it. ``rule`` is
    the clause; a check that several games share gets one in each of them (:meth:`under`).
    """

    code: str
    rule: str
    look: Callable[[Any], Iterable[Observation]]
    about: str = ""
    decided: Callable[[Any], bool] | None = None
    settles: str = ""

    def under(self, rule: str) -> "Check":
        """Return the same check under the clause ``rule`` of a game."""
        return replace(self, rule=rule)


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem that the audit reports: its code, rule, place, description and proof."""

    code: str
    rule: str
    text: Text
    events: tuple[int, ...] = ()
    match: int | None = None
    hand: int | None = None
    sides: tuple[str, ...] = ()
    severity: Severity = field(init=False)

    def __post_init__(self) -> None:
        """Set the severity by the code."""
        object.__setattr__(self, "severity", SEVERITY[self.code])


def run_checks(checks: Iterable[Check], deal: object) -> Iterator[tuple[Check, Observation]]:
    """Run the checks on a hand, and yield each observation with its check.

    They come in the order of the checks; none stops another.
    """
    for check in checks:
        for observation in check.look(deal):
            yield check, observation

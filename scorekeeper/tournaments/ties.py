"""The chain of tie-breaks: the figures by which equals are parted, and the places that follow."""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from scorekeeper.base.cached import cached_property
from scorekeeper.base.parts import ExactPoints
from scorekeeper.tournaments.points import RoundPoints, TablePoints

SHARED: Final = "shared"
POINTS: Final = "points"
HEAD_TO_HEAD: Final = "head_to_head"
LOT: Final = "lot"
CONCEDED: Final = "conceded"

# A figure for people: a number, or how often each place.
TieFigure = Fraction | tuple[int, ...]


class Decision(NamedTuple):
    """The rule by which an entrant stands before the next one, with the figures of both."""

    rule: str
    other: str
    own: TieFigure
    theirs: TieFigure


class Ranked(NamedTuple):
    """An entrant's place; ``shared`` is whether others have it, too."""

    entrant: str
    place: int
    shared: bool
    decision: Decision | None


class StageFigures:
    """The figures of the entrants of a stage, computed when a tie asks for them."""

    def __init__(
        self, points: Mapping[str, Fraction], rows: Mapping[str, Sequence[RoundPoints]],
        tables: Sequence[TablePoints], lots: Sequence[Sequence[str]],
    ) -> None:  # fmt: skip
        self.points, self.rows, self.tables, self.lots = points, rows, tables, lots

    @cached_property
    def tables_of(self) -> dict[str, list[TablePoints]]:
        """The tables at which each entrant has played."""
        tables: dict[str, list[TablePoints]] = {entrant: [] for entrant in self.points}
        for table in self.tables:
            for entrant in table.scores:
                tables.setdefault(entrant, []).append(table)
        return tables

    def compare(self, rule: str, group: Sequence[str]) -> dict[str, TieFigure]:
        """Return the figure of each entrant of a tied group; the higher one stands before."""
        if rule == HEAD_TO_HEAD:
            tied = set(group)
            return {entrant: self._beaten(entrant, tied) for entrant in group}
        if rule == LOT:
            return {entrant: self._lot(entrant, group) for entrant in group}
        figure = FIGURES[rule]
        return {entrant: figure(self, entrant) for entrant in group}

    def _beaten(self, entrant: str, group: Collection[str]) -> Fraction:
        """Return how often the entrant beat others of the group at a table, less the lost ones."""
        sum_of = 0
        for table in self.tables_of[entrant]:
            own = table.scores[entrant].score
            for other, score in table.scores.items():
                if other in group:
                    sum_of += (own > score.score) - (own < score.score)
        return Fraction(sum_of)

    def _lot(self, entrant: str, group: Sequence[str]) -> Fraction:
        """Return the place in the last lot that the whole group has drawn, higher for the first."""
        for order in reversed(self.lots):
            if set(group) <= set(order):
                return Fraction(len(order) - order.index(entrant))
        return Fraction(0)

    def sum_scores(self, entrant: str) -> Fraction:
        """Return the sum of the scores of an entrant."""
        return Fraction(sum(table.scores[entrant].score for table in self.tables_of[entrant]))

    def sum_conceded(self, entrant: str) -> Fraction:
        """Return the mean scores of the others at the entrant's tables, added up."""
        return sum(
            (_mean([score.score for other, score in table.scores.items() if other != entrant])
             for table in self.tables_of[entrant]), Fraction(0),
        )  # fmt: skip

    def count(self, entrant: str, what: str) -> Fraction:
        """Return the sum of a count of hands, such as `won`."""
        return Fraction(
            sum(getattr(table.scores[entrant], what) for table in self.tables_of[entrant])
        )

    def count_wins(self, entrant: str) -> Fraction:
        """Return the number of tables won; those who share a win have parts of it."""
        firsts = (
            list(table.places.values()).count(1)
            for table in self.tables_of[entrant]
            if table.places[entrant] == 1
        )
        return sum((Fraction(1, equal) for equal in firsts), Fraction(0))

    def find_best_hand(self, entrant: str) -> Fraction:
        """Return the highest score of a hand."""
        best = (table.scores[entrant].best for table in self.tables_of[entrant])
        return Fraction(max((score for score in best if score is not None), default=0))

    def find_best_round(self, entrant: str) -> Fraction:
        """Return the most points of a round."""
        points = (row.points for row in self.rows[entrant] if row.points is not None)
        return max(points, default=Fraction(0))

    def count_places(self, entrant: str) -> TieFigure:
        """Return how often the entrant was first, second and so on."""
        places = [table.places[entrant] for table in self.tables_of[entrant]]
        most = max((place for table in self.tables for place in table.places.values()), default=0)
        return tuple(places.count(place) for place in range(1, most + 1))

    def sum_opponents(self, entrant: str) -> Fraction:
        """Return the points of all opponents, each as often as they met."""
        return sum(
            (self.points.get(other, Fraction(0)) for table in self.tables_of[entrant]
             for other in table.scores if other != entrant), Fraction(0),
        )  # fmt: skip


def _mean(scores: Sequence[ExactPoints]) -> Fraction:
    """Return the mean of scores; 0 if there are none."""
    return Fraction(sum(scores), len(scores)) if scores else Fraction(0)


FIGURES: Final[Mapping[str, Callable[[StageFigures, str], TieFigure]]] = {
    POINTS: lambda figures, entrant: figures.points[entrant],
    "score": StageFigures.sum_scores,
    "scored": StageFigures.sum_scores,
    CONCEDED: StageFigures.sum_conceded,
    "difference": lambda figures, entrant: (
        figures.sum_scores(entrant) - figures.sum_conceded(entrant)
    ),
    "wins": StageFigures.count_wins,
    "hands_won": lambda figures, entrant: figures.count(entrant, "won"),
    "contracts_made": lambda figures, entrant: figures.count(entrant, "made"),
    "best_hand": StageFigures.find_best_hand,
    "best_round": StageFigures.find_best_round,
    "countback": StageFigures.count_places,
    "opponents": StageFigures.sum_opponents,
}


def rank_entrants(
    entrants: Sequence[str], rules: Sequence[str], figures: StageFigures
) -> list[Ranked]:
    """Return the places of entrants by a chain of rules, of which the first is the points."""
    chain = [POINTS, *(rule for rule in rules if rule != POINTS)]
    decisions: dict[str, Decision] = {}
    ranked = list[Ranked]()
    for group in _split(list(entrants), chain, figures, decisions):
        place = len(ranked) + 1
        ranked += [
            Ranked(entrant, place, len(group) > 1, decisions.get(entrant)) for entrant in group
        ]
    return ranked


def _split(
    group: list[str], rules: Sequence[str], figures: StageFigures,
    decisions: dict[str, Decision],
) -> list[list[str]]:  # fmt: skip
    """Return the groups of a group that no rule of the chain parts, the first one before the next.

    It notes which rule, other than the points, put an entrant before the next one.
    """
    if len(group) < 2 or not rules or rules[0] == SHARED:
        return [group] if group else []
    rule, *others = rules
    values: dict[str, Any] = figures.compare(rule, group)
    equals: dict[Any, list[str]] = {}
    for entrant in group:
        equals.setdefault(values[entrant], []).append(entrant)
    parts: list[list[str]] = []
    for _value, equal in sorted(equals.items(), reverse=rule != CONCEDED):
        inner = _split(equal, others, figures, decisions)
        if parts and rule != POINTS:
            before, after = parts[-1][-1], inner[0][0]
            decisions[before] = Decision(rule, after, values[before], values[after])
        parts += inner
    return parts

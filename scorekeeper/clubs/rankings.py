"""What a season counts, match by match: points, wins, places, ratings.

Each way of counting says what a match is worth to each of its players. Guests take part in a
match like everybody, and are counted nowhere else.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, Final, NamedTuple

from scorekeeper.clubs.evening import PlayedMatch

# A rating is told as sixty times the library's mean, which begins at 25.
SCALE: Final = 60
HARDLY_KNOWN: Final = 300  # points of uncertainty from which on little is known yet
SETTLING: Final = 150
KEPT: Final = 20_000  # matches as they were rated, of all clubs together

Whose = Mapping[str, str | None]  # from each player of an evening to a member, None for a guest
Figure = int | Fraction  # exact; whole where it can be, which adds up ten times as fast
Figures = Mapping[str, Figure]  # by player


class Rated(NamedTuple):
    """What is known of how well somebody plays: a mean, and how uncertain that is."""

    mean: float
    deviation: float

    @property
    def figure(self) -> int:
        """The rating as it is told."""
        return round(SCALE * self.mean)

    @property
    def certainty(self) -> str:
        """``hardly_known``, ``settling`` or ``settled``."""
        uncertain = SCALE * self.deviation
        if uncertain >= HARDLY_KNOWN:
            return "hardly_known"
        return "settling" if uncertain >= SETTLING else "settled"


def by_player(match: PlayedMatch, sides: Mapping[str, Any]) -> dict[str, Any]:
    """What the sides of a match have, by player."""
    return {player: sides[side] for side, members in match.sides.items() for player in members}


def whole(figure: Fraction) -> Figure:
    """The same figure, as a whole number if it is one."""
    return figure.numerator if figure.denominator == 1 else figure


def points(match: PlayedMatch, places: Mapping[str, Sequence[int]]) -> Figures:
    """The score of the match as it stands, penalties with it."""
    return by_player(match, match.totals)


def average(match: PlayedMatch, places: Mapping[str, Sequence[int]]) -> Figures:
    """What the complete hands paid; a penalty is of no hand, and is not in it."""
    found = dict.fromkeys(by_player(match, match.totals), 0)
    for hand in match.hands:
        for player, score in hand.scores.items():
            found[player] += score
    return found


def part_of_a_win(match: PlayedMatch) -> Figure:
    """What each side gets that won a match: one, or an equal part of a shared win."""
    return whole(Fraction(1, len(match.winners))) if len(match.winners) > 1 else 1


def wins(match: PlayedMatch, places: Mapping[str, Sequence[int]]) -> Figures:
    """A match won counts one, a shared one in equal parts; partners win it both."""
    part = part_of_a_win(match)
    sides = {side: part if side in match.winners else 0 for side in match.sides}
    return by_player(match, sides)


def places(match: PlayedMatch, figures: Mapping[str, Sequence[int]]) -> Figures:
    """A figure by place, else as many as are behind; equals share those of their places.

    Nothing before the match is over, or where no hand of it counted.
    """
    players = by_player(match, match.totals)
    if not match.winners:
        return dict.fromkeys(players, 0)
    many = len(players)
    worth = figures.get(str(many), range(many - 1, -1, -1))
    found: dict[str, Figure] = {}
    order = sorted(players, key=lambda player: -players[player])
    for _, group in groupby(order, key=lambda player: players[player]):
        equals = list(group)
        first = len(found)
        shared = whole(Fraction(sum(worth[first : first + len(equals)]), len(equals)))
        found.update(dict.fromkeys(equals, shared))
    return found


COUNTS: Final[Mapping[str, Callable[[PlayedMatch, Mapping[str, Sequence[int]]], Figures]]] = {
    "points": points,
    "average": average,
    "wins": wins,
    "places": places,
}


class Ratings:
    """Ratings by game, as matches come in the order in which they were played."""

    def __init__(self) -> None:
        self.of: dict[tuple[str, str], Rated] = {}  # by game and member

    def rate(self, match: PlayedMatch, whose: Whose) -> dict[str, tuple[Rated, Rated]]:
        """Take a match that is over; from each member in it to his rating before and after."""
        if not match.winners:
            return {}
        sides = list(match.sides)
        teams = tuple(
            tuple(self._rating(match.game, whose.get(p)) for p in match.sides[s]) for s in sides
        )
        totals = [match.totals[side] for side in sides]
        ranks = tuple(float(sum(other > total for other in totals)) for total in totals)
        changes: dict[str, tuple[Rated, Rated]] = {}
        for side, before, after in zip(sides, teams, rated(teams, ranks), strict=True):
            for player, was, now in zip(match.sides[side], before, after, strict=True):
                member = whose.get(player)
                if member is not None:
                    self.of[match.game, member] = now
                    changes[member] = was, now
        return changes

    def _rating(self, game: str, member: str | None) -> Rated:
        if member is not None and (game, member) in self.of:
            return self.of[game, member]
        return _new()


Teams = tuple[tuple[Rated, ...], ...]


@lru_cache(KEPT)
def rated(teams: Teams, ranks: tuple[float, ...]) -> Teams:
    """The ratings of some sides after a match, by how many sides were in front of each.

    They are kept: when one evening changes, what was played before it need not be rated again.
    """
    model = _model()
    found = model.rate([[model.create_rating([*one]) for one in team] for team in teams],
                       ranks=list(ranks))  # fmt: skip
    return tuple(tuple(Rated(one.mu, one.sigma) for one in team) for team in found)


@cache
def _new() -> Rated:
    new = _model().rating()
    return Rated(new.mu, new.sigma)


@cache
def _model() -> Any:
    """The model of the library, imported when a rating is asked for."""
    from openskill.models import PlackettLuce  # noqa: PLC0415

    return PlackettLuce()

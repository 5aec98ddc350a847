"""What a season counts, match by match: points, wins, places, ratings.

Each way of counting says what a match is worth to each of its players. Guests take part in a
match like everybody, and are counted nowhere else.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, groupby
from typing import Any, Final, NamedTuple

from scorekeeper.clubs.evening import PlayedMatch

# A rating is told as sixty times the library's mean, which begins at 25.
SCALE: Final = 60
HARDLY_KNOWN: Final = 300  # points of uncertainty from which on little is known yet
SETTLING: Final = 150

Whose = Mapping[str, str | None]  # from each player of an evening to a member, None for a guest
Figure = int | Fraction  # exact; whole where it can be, which adds up ten times as fast
MemberSums = Mapping[str, Figure]  # by player


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


def sides_of(match: PlayedMatch) -> dict[str, str]:
    """From each player of a match to his side."""
    return {player: side for side, members in match.sides.items() for player in members}


def whole(figure: Fraction) -> Figure:
    """The same figure, as a whole number if it is one."""
    return figure.numerator if figure.denominator == 1 else figure


def points(match: PlayedMatch, places: Mapping[str, Sequence[int]]) -> MemberSums:
    """The score of the match as it stands, penalties with it."""
    return by_player(match, match.totals)


def average(match: PlayedMatch, places: Mapping[str, Sequence[int]]) -> MemberSums:
    """What the complete hands paid; a penalty is of no hand, and is not in it."""
    found = dict.fromkeys(by_player(match, match.totals), 0)
    for hand in match.hands:
        for player, score in hand.scores.items():
            found[player] += score
    return found


def part_of_a_win(match: PlayedMatch) -> Figure:
    """What each side gets that won a match: one, or an equal part of a shared win."""
    return whole(Fraction(1, len(match.winners))) if len(match.winners) > 1 else 1


def wins(match: PlayedMatch, places: Mapping[str, Sequence[int]]) -> MemberSums:
    """A match won counts one, a shared one in equal parts; partners win it both."""
    part = part_of_a_win(match)
    sides = {side: part if side in match.winners else 0 for side in match.sides}
    return by_player(match, sides)


def places(match: PlayedMatch, figures: Mapping[str, Sequence[int]]) -> MemberSums:
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


COUNTS: Final[Mapping[str, Callable[[PlayedMatch, Mapping[str, Sequence[int]]], MemberSums]]] = {
    "points": points,
    "average": average,
    "wins": wins,
    "places": places,
}


GameRatings = Mapping[tuple[str, str], Rated]  # by game and member


class Ratings:
    """Ratings by game, as matches come in the order in which they were played."""

    def __init__(self) -> None:
        self.of: dict[tuple[str, str], Rated] = {}
        self._seats: list[Any] = []  # ratings of the library, of one match after the other

    def rate(self, match: PlayedMatch, whose: Whose) -> dict[str, tuple[Rated, Rated]]:
        """Take a match that is over; from each member in it to his rating before and after."""
        if not match.winners:
            return {}
        seated: list[tuple[str | None, Rated]] = []
        teams = _Given()
        for side in match.sides.values():
            first = len(seated)
            for player in side:
                member = whose.get(player)
                seated.append((member, self._rating(match.game, member)))
                self._seat(*seated[-1][1], len(seated))
            teams.append(self._seats[first : len(seated)])
        totals = [match.totals[side] for side in match.sides]
        order = sorted(totals, reverse=True)  # a rank is how many sides are in front
        found = _model().rate(teams, ranks=[float(order.index(total)) for total in totals])
        changes: dict[str, tuple[Rated, Rated]] = {}
        for (member, was), seat in zip(seated, chain.from_iterable(found), strict=True):
            if member is not None:
                now = self.of[match.game, member] = Rated(seat.mu, seat.sigma)
                changes[member] = was, now
        return changes

    def are(self, some: GameRatings) -> bool:
        """Whether these are the ratings so far."""
        return all(self._rating(*whose) == one for whose, one in some.items())

    def _rating(self, game: str, member: str | None) -> Rated:
        found = self.of.get((game, member)) if member is not None else None
        return found or newcomer()

    def _seat(self, mean: float, deviation: float, number: int) -> None:
        """Let somebody sit down at a match, as the one of that number."""
        if number > len(self._seats):
            self._seats.append(_model().rating())
        seat = self._seats[number - 1]
        seat.mu, seat.sigma = mean, deviation


class _Given(list[Any]):
    """What was made for the library, which need not copy it before it writes on it."""

    def __deepcopy__(self, memo: Any) -> "_Given":
        return self


@cache
def newcomer() -> Rated:
    """The rating with which everybody begins."""
    new = _model().rating()
    return Rated(new.mu, new.sigma)


@cache
def _model() -> Any:
    """The model of the library, imported when a rating is asked for."""
    from openskill.models import PlackettLuce  # noqa: PLC0415

    return PlackettLuce()

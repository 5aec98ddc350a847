"""The four ways to count a match in a season (points, average, wins, places), and ratings.

Each way gives every player of a match a figure. Guests take part in a match like all players, but
have no figures of their own.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, groupby
from typing import Any, Final, NamedTuple, TypeVar

from scorekeeper.base.parts import simplify
from scorekeeper.clubs.evening import PlayedMatch

# A rating is shown as sixty times the library's mean, which begins at 25.
SCALE: Final = 60
# Points of uncertainty, which begins at 500. Of eight people all are below the first after twenty
# matches, and most are below the second after sixty to eighty.
HARDLY_KNOWN_POINTS: Final = 460
SETTLING_POINTS: Final = 300

DECIMALS: Final = 4  # of a figure in JSON that is not whole

MemberByPlayer = Mapping[
    str, str | None
]  # from each player of an evening to a member, None for a guest
Figure = int | Fraction  # exact; whole where it can be, which adds up ten times as fast
T = TypeVar("T")
MemberSums = Mapping[str, Figure]  # by player


class Rating(NamedTuple):
    """An estimate of a player's strength: a mean, and its uncertainty."""

    mean: float
    deviation: float

    @property
    def figure(self) -> int:
        """The rating as a whole number, as it is shown; a new player has 1500."""
        return round(SCALE * self.mean)

    @property
    def certainty(self) -> str:
        """How certain the rating is: `hardly_known`, `settling` or `settled`."""
        uncertain = SCALE * self.deviation
        if uncertain >= HARDLY_KNOWN_POINTS:
            return "hardly_known"
        return "settling" if uncertain >= SETTLING_POINTS else "settled"


def spread_over_players(match: PlayedMatch, sides: Mapping[str, T]) -> dict[str, T]:
    """Return a value for each player of a match: that of their side."""
    return {player: sides[side] for side, members in match.sides.items() for player in members}


def map_players_to_sides(match: PlayedMatch) -> dict[str, str]:
    """Return the side of each player of a match."""
    return {player: side for side, members in match.sides.items() for player in members}


def to_number(value: Figure) -> int | float:
    """Return an exact figure for JSON: an integer if it is whole, else rounded to four decimals."""
    if isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else round(float(value), DECIMALS)


def count_points(match: PlayedMatch, places: Mapping[str, Sequence[int]]) -> MemberSums:
    """Count the score of the match so far, including penalties."""
    return spread_over_players(match, match.totals)


def count_hand_points(match: PlayedMatch, places: Mapping[str, Sequence[int]]) -> MemberSums:
    """Count the points of the complete hands; a penalty belongs to no hand and is left out."""
    sums: dict[str, Figure] = dict.fromkeys(spread_over_players(match, match.totals), 0)
    for hand in match.hands:
        for player, score in hand.scores.items():
            sums[player] += score
    return sums


def compute_win_share(winners: Sequence[str]) -> Figure:
    """Return the share of the win for each winning side: one, or an equal part of a shared win."""
    return simplify(Fraction(1, len(winners))) if len(winners) > 1 else 1


def count_wins(match: PlayedMatch, places: Mapping[str, Sequence[int]]) -> MemberSums:
    """Count one for a won match, and equal parts of one for a shared win.

    Each partner of the winning side gets all of it.
    """
    part = compute_win_share(match.ahead)
    sides = {side: part if side in match.ahead else 0 for side in match.sides}
    return spread_over_players(match, sides)


def count_places(match: PlayedMatch, figures: Mapping[str, Sequence[int]]) -> MemberSums:
    """Count the given figure of a place, by default one for each player behind; ties share equally.

    Nobody gets anything if nobody is ahead, as in an undecided match.
    """
    players = spread_over_players(match, match.totals)
    if not match.ahead:
        return dict.fromkeys(players, 0)
    player_count = len(players)
    place_points = figures.get(str(player_count), range(player_count - 1, -1, -1))
    sums: dict[str, Figure] = {}
    order = sorted(players, key=lambda player: -players[player])
    for _, group in groupby(order, key=lambda player: players[player]):
        equals = list(group)
        first = len(sums)
        shared = simplify(Fraction(sum(place_points[first : first + len(equals)]), len(equals)))
        sums.update(dict.fromkeys(equals, shared))
    return sums


COUNTS: Final[Mapping[str, Callable[[PlayedMatch, Mapping[str, Sequence[int]]], MemberSums]]] = {
    "points": count_points,
    "average": count_hand_points,
    "wins": count_wins,
    "places": count_places,
}


GameRatings = Mapping[tuple[str, str], Rating]  # by game and member


class Ratings:
    """Ratings by game and member, updated match by match in the order of play."""

    def __init__(self) -> None:
        self.by_game_and_member: dict[tuple[str, str], Rating] = {}
        self._seats: list[Any] = []  # ratings of the library, of one match after the other

    def rate(
        self, match: PlayedMatch, member_of: MemberByPlayer
    ) -> dict[str, tuple[Rating, Rating]]:
        """Rate a match with a result; return each member's rating before and after."""
        if not match.ahead:
            return {}
        seated: list[tuple[str | None, Rating]] = []
        teams = _UncopiedList()
        in_order = sorted(match.sides, key=lambda side: -match.totals[side])
        for side in in_order:
            first = len(seated)
            for player in match.sides[side]:
                member = member_of.get(player)
                seated.append((member, self._get_rating(match.game, member)))
                self._fill_seat(*seated[-1][1], len(seated))
            teams.append(self._seats[first : len(seated)])
        totals = [match.totals[side] for side in in_order]
        ranks = None  # the teams are in order; ranks cost a fifth of the time
        if len(set(totals)) < len(totals):
            ranks = [float(totals.index(total)) for total in totals]
        new_ratings = _load_model().rate(teams, ranks=ranks)
        changes: dict[str, tuple[Rating, Rating]] = {}
        for (member, before), seat in zip(seated, chain.from_iterable(new_ratings), strict=True):
            if member is not None:
                after = self.by_game_and_member[match.game, member] = Rating(seat.mu, seat.sigma)
                changes[member] = before, after
        return changes

    def agree_with(self, ratings: GameRatings) -> bool:
        """Return whether these ratings are the current ones."""
        return all(self._get_rating(*member_of) == rating for member_of, rating in ratings.items())

    def _get_rating(self, game: str, member: str | None) -> Rating:
        """Return the rating of a member in a game.

        That of a new player for None or an unrated member.
        """
        rating = self.by_game_and_member.get((game, member)) if member is not None else None
        return rating or make_new_rating()

    def _fill_seat(self, mean: float, deviation: float, number: int) -> None:
        """Give the seat of that number the rating of a player."""
        if number > len(self._seats):
            self._seats.append(_load_model().rating())
        seat = self._seats[number - 1]
        seat.mu, seat.sigma = mean, deviation


class _UncopiedList(list[object]):
    """A list that the library does not copy before it writes to it, which saves time."""

    def __deepcopy__(self, memo: object) -> "_UncopiedList":
        return self


@cache
def make_new_rating() -> Rating:
    """Return the rating with which every player begins."""
    new = _load_model().rating()
    return Rating(new.mu, new.sigma)


@cache
def _load_model() -> Any:
    """Return the model of the library, imported when it is first used."""
    from openskill.models import PlackettLuce  # noqa: PLC0415

    return PlackettLuce()

"""The table of a season, and the evenings and matches that each figure in it comes from."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final
from zoneinfo import ZoneInfo

from scorekeeper.base.cached import cached_property
from scorekeeper.base.parts import simplify
from scorekeeper.clubs.evening import PlayedMatch
from scorekeeper.clubs.events import Ranking
from scorekeeper.clubs.figures import (
    AttendedEvening,
    EveningFigure,
    MatchFigure,
    PlayedEvenings,
    SeasonCache,
)
from scorekeeper.clubs.rankings import (
    Figure,
    Rating,
    count_places,
    make_new_rating,
    spread_over_players,
)
from scorekeeper.clubs.season_views import LeftOut, UnendedMatch
from scorekeeper.clubs.values import Adjustment, Season

# The tie-breaks of seasons that declare none.
USUAL_TIES: Final[Mapping[str, tuple[str, ...]]] = {
    "points": ("wins", "head_to_head"),
    "average": ("wins", "head_to_head"),
    "wins": ("share", "head_to_head"),
    "places": ("wins", "head_to_head"),
    "rating": ("wins", "head_to_head"),
}


def get_tie_breaks(season: Season) -> tuple[str, ...]:
    """Return the tie-breaks of a season in their order."""
    ties = season.ranking.ties
    return USUAL_TIES[season.ranking.by] if ties is None else ties


@dataclass(slots=True)
class MemberRow:
    """A member's row of the table; members whom no tie-break separates share a place.

    ``tie_broken_by`` is the tie-break that separated the member from others with the same figure.
    ``below`` is whether the member played too few evenings to be placed; ``open`` is whether the
    figure may still change without a correction.
    """

    member: str
    figure: Figure
    evenings: tuple[EveningFigure, ...]
    adjustments: tuple[Adjustment, ...] = ()
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    place: int = 0
    shared: bool = False
    tie_broken_by: str = ""
    below: bool = False

    @property
    def matches(self) -> list[MatchFigure]:
        """All matches of the member, also those of evenings that do not count."""
        return [match for evening in self.evenings for match in evening.matches]

    @property
    def hands(self) -> int:
        """The number of complete hands that the member took part in."""
        return sum([evening.hands for evening in self.evenings])

    @property
    def won(self) -> Figure:
        """The number of matches that the member won; a shared win counts as a part."""
        return sum([evening.won for evening in self.evenings])

    @property
    def open(self) -> bool:
        """Whether a match of the member can still change without a correction."""
        return any(evening.open for evening in self.evenings)


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a season: its rows in order, and the matches that it does not add.

    ``unended`` are the matches with a complete hand that nobody ended. ``terms`` are those of the
    matches that it adds; empty if it adds no points. ``guests`` are the rows of guests, who have no
    place.
    """

    season: Season
    rows: tuple[MemberRow, ...]
    evenings: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    unended: tuple[UnendedMatch, ...]
    terms: str = ""
    guests: tuple[MemberRow, ...] = ()


def sort_by_day(attended: Iterable[AttendedEvening], zone: ZoneInfo) -> list[AttendedEvening]:
    """Return evenings in the order of play: by day, then by the time of their first event."""
    return sorted(
        attended,
        key=lambda attended_evening: attended_evening.place_in_order(zone),
    )


def select_season_evenings(
    season: Season, attended: Iterable[AttendedEvening], zone: ZoneInfo
) -> list[AttendedEvening]:
    """Return the evenings of a season in the order of play."""
    return sort_by_day(
        (
            attended_evening
            for attended_evening in attended
            if season.includes_day(attended_evening.find_day(zone))
        ),
        zone,
    )


def compute_standings(
    season: Season,
    attended: Iterable[AttendedEvening],
    zone: ZoneInfo,
    adjustments: Iterable[Adjustment] = (),
    cache: SeasonCache | None = None,
    guests: Container[str] = (),
    *,
    all_belong: bool = False,
) -> Standings:
    """Return the table of a season from the evenings of its club.

    If ``all_belong``, all these evenings belong to the season, whatever their days. ``cache``
    stores what each evening brought, from one call to the next. ``guests`` are the ids of members
    without a place.
    """
    season_evenings = (
        sort_by_day(attended, zone)
        if all_belong
        else select_season_evenings(season, attended, zone)
    )
    all_played = [
        (
            attended_evening,
            [
                match
                for match in attended_evening.evening.matches
                if match.hands and match.game in season.games
            ],
        )
        for attended_evening in season_evenings
    ]
    played = [each for each in all_played if each[1]]
    terms, left_out = "", []
    if season.ranking.by in ("points", "average"):
        terms = find_usual_terms(match for _, matches in played for match in matches)
        left_out = [
            LeftOut(attended_evening.evening.session_id, match.number)
            for attended_evening, matches in played for match in matches if match.terms != terms
        ]  # fmt: skip
        played = [
            (attended_evening, [match for match in matches if match.terms == terms])
            for attended_evening, matches in played
        ]
    season_adjustments = [
        adjustment for adjustment in adjustments if adjustment.season == season.id
    ]
    rows = _compute_rows(season.ranking, played, season_adjustments, cache or SeasonCache())
    guest_rows = (row for row in rows if row.member in guests)
    ranked = [row for row in rows if row.member not in guests]
    return Standings(
        season=season,
        rows=_assign_places(ranked, season, played),
        guests=tuple(sorted(guest_rows, key=lambda row: (-len(row.evenings), row.member))),
        evenings=tuple(
            dict.fromkeys(attended_evening.id for attended_evening, matches in played if matches)
        ),
        left_out=tuple(left_out),
        unended=tuple(
            UnendedMatch(attended_evening.evening.session_id, match.number, match.game)
            for attended_evening, matches in all_played for match in matches if not match.finished
        ),
        terms=terms,
    )  # fmt: skip


def find_usual_terms(matches: Iterable[PlayedMatch]) -> str:
    """Return the most frequent terms, the first of several; empty if there are no matches."""
    counts = Counter(match.terms for match in matches)
    return max(counts, key=lambda terms: counts[terms], default="")


def _compute_rows(
    ranking: Ranking,
    played: PlayedEvenings,
    adjustments: Sequence[Adjustment],
    cache: SeasonCache,
) -> list[MemberRow]:
    """Return the row of each member who played or has an adjustment, without places."""
    evenings: dict[str, list[EveningFigure]] = {a.member: [] for a in adjustments}
    figures = cache.compute_figures(ranking, played)
    for (attended_evening, _), brought in zip(played, figures, strict=True):
        for member, evening in brought.items():
            _add_evening(evenings.setdefault(member, []), attended_evening, evening)
    ratings: dict[str, dict[str, Rating]] = {member: {} for member in evenings}
    for (game, member), rating in cache.ratings.by_game_and_member.items():
        ratings[member][game] = rating
    return [
        _compute_row(
            ranking,
            member,
            member_evenings,
            [a for a in adjustments if a.member == member],
            ratings[member],
        )
        for member, member_evenings in evenings.items()
    ]


def _add_evening(
    evenings: list[EveningFigure], attended: AttendedEvening, figure: EveningFigure
) -> None:
    """Add the figures of an evening to a member's; all tables of a tournament are one."""
    if attended.occasion is None:
        evenings.append(figure)
    elif evenings and evenings[-1].session_id == attended.id:
        evenings[-1] = evenings[-1].joined(figure, attended.id)
    else:
        evenings.append(EveningFigure(attended.id, figure.figure, figure.matches))


def _compute_row(
    ranking: Ranking, member: str, evenings: Sequence[EveningFigure],
    adjustments: Sequence[Adjustment], ratings: Mapping[str, Rating],
) -> MemberRow:  # fmt: skip
    """Return the row of a member, with the figure by which the season ranks."""
    average = ranking.by == "average"
    marked = evenings
    if ranking.best is not None and ranking.best < len(evenings):
        worth: Callable[[EveningFigure], Figure] = (
            _compute_average if average else lambda evening: evening.figure
        )
        order = sorted(range(len(evenings)), key=lambda place: -worth(evenings[place]))
        counted = set(order[: ranking.best])
        marked = [
            evening if place in counted else evening.left_out
            for place, evening in enumerate(evenings)
        ]
    counted_evenings = [evening for evening in marked if evening.counted]
    figure = sum(
        [adjustment.figure for adjustment in counted_evenings],
        sum(adjustment.points for adjustment in adjustments),
    )
    if average:
        figure = simplify(
            Fraction(
                figure, sum(counted_evening.hands for counted_evening in counted_evenings) or 1
            )
        )
    row = MemberRow(member, figure, tuple(marked), tuple(adjustments), ratings)
    if ranking.by == "rating":
        row.figure = _combine_ratings(row.matches, ratings)
    row.below = len(evenings) < (ranking.at_least or 1)
    return row


def _compute_average(evening: EveningFigure) -> Figure:
    """Return the points per hand of an evening."""
    return Fraction(evening.figure, evening.hands or 1)


def _combine_ratings(matches: Sequence[MatchFigure], ratings: Mapping[str, Rating]) -> int:
    """Return a rating over several games, weighted by finished matches.

    Without any it is the rating with which every player begins.
    """
    counts = Counter([match.game for match in matches if match.rating_change])
    total = sum(counts.values())
    if not total:
        return make_new_rating().figure
    return round(sum(ratings[game].figure * n for game, n in counts.items()) / total)


# ------------------------------------------------------------------------------------ placing


def _assign_places(
    rows: Sequence[MemberRow], season: Season, played: PlayedEvenings
) -> tuple[MemberRow, ...]:
    """Return the rows in order, each with its place; rows below the line have none."""
    tie_breaks = get_tie_breaks(season)
    head_to_head = _HeadToHead(played)
    ordered: list[MemberRow] = []
    placed = [row for row in rows if not row.below]
    for group in _split_ties(placed, ("figure", *tie_breaks), head_to_head):
        for row in group:
            row.place, row.shared = len(ordered) + 1, len(group) > 1
        ordered += sorted(group, key=lambda row: row.member)
    below = sorted((row for row in rows if row.below), key=lambda row: (-row.figure, row.member))
    return (*ordered, *below)


def _split_ties(
    rows: Sequence[MemberRow], by: Sequence[str], head_to_head: "_HeadToHead"
) -> Iterator[list[MemberRow]]:
    """Yield groups of equal rows, the best first, separated by one tie-break after the other."""
    if len(rows) < 2 or not by:
        if rows:
            yield list(rows)
        return
    groups: dict[Figure, list[MemberRow]] = {}
    for row in rows:
        groups.setdefault(_compute_tie_value(by[0], row, rows, head_to_head), []).append(row)
    for value in sorted(groups, reverse=True):
        group = groups[value]
        if len(groups) > 1 and by[0] != "figure":
            for row in group:
                row.tie_broken_by = by[0]
        yield from _split_ties(group, by[1:], head_to_head)


def _compute_tie_value(
    tie: str, row: MemberRow, equals: Sequence[MemberRow], head_to_head: "_HeadToHead"
) -> Figure:
    """Return the value by which a tie-break compares a row with the rows equal to it."""
    if tie == "head_to_head":
        return head_to_head.net_wins(row.member, {row.member for row in equals})
    return TIE_VALUES[tie](row, head_to_head)


class _HeadToHead:
    """Comparisons of members in the matches of a season with a result, computed when needed."""

    def __init__(self, played: PlayedEvenings) -> None:
        self._over = [
            (match, attended_evening.member_of)
            for attended_evening, matches in played
            for match in matches
            if match.ahead
        ]

    @cached_property
    def place_points(self) -> Mapping[str, Figure]:
        """For each member, the number of players behind them in all matches; ties share."""
        place_points: dict[str, Figure] = {}
        for match, member_of in self._over:
            for player, figure in count_places(match, {}).items():
                member = member_of.get(player)
                if member is not None:
                    place_points[member] = place_points.get(member, 0) + figure
        return place_points

    @cached_property
    def _in_front(self) -> Counter[tuple[str, str]]:
        """How often one member finished a match ahead of another, by the pair of members."""
        in_front: Counter[tuple[str, str]] = Counter()
        for match, member_of in self._over:
            totals = spread_over_players(match, match.totals)
            members = {
                player: member for player in totals if (member := member_of.get(player)) is not None
            }
            for player, member in members.items():
                for other, behind in members.items():
                    if totals[player] > totals[other]:
                        in_front[member, behind] += 1
        return in_front

    def net_wins(self, member: str, equals: Iterable[str]) -> int:
        """Return how often a member finished ahead of these members, less how often behind them."""
        return sum(
            self._in_front[member, other] - self._in_front[other, member] for other in equals
        )


TIE_VALUES: Final[Mapping[str, Callable[[MemberRow, _HeadToHead], Figure]]] = {
    "figure": lambda row, _: row.figure,
    "points": lambda row, _: sum(match.total for match in row.matches),
    "average": lambda row, _: Fraction(sum(m.total for m in row.matches), row.hands or 1),
    "wins": lambda row, _: row.won,
    "share": lambda row, _: Fraction(row.won, sum(match.decided for match in row.matches) or 1),
    "places": lambda row, head_to_head: head_to_head.place_points.get(row.member, 0),
    "best_match": lambda row, _: max((match.total for match in row.matches), default=0),
    "evenings": lambda row, _: len(row.evenings),
}

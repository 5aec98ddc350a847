"""The table of a season, and what each figure in it comes of: evenings, and their matches."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from scorekeeper.base.cached import cached_property
from scorekeeper.clubs.evening import PlayedMatch
from scorekeeper.clubs.events import Ranking
from scorekeeper.clubs.figures import Attended, Counting, EveningFigure, MatchFigure, PlayedEvenings
from scorekeeper.clubs.rankings import Figure, Rated, by_player, newcomer, places, whole
from scorekeeper.clubs.roll import Adjustment, Season

KEPT: Final = 20_000  # times of which the day is kept

# What parts equals where a season says nothing.
USUAL_TIES: Final[Mapping[str, tuple[str, ...]]] = {
    "points": ("wins", "head_to_head"),
    "average": ("wins", "head_to_head"),
    "wins": ("share", "head_to_head"),
    "places": ("wins", "head_to_head"),
    "rating": ("wins", "head_to_head"),
}


def ties_of(season: Season) -> tuple[str, ...]:
    """What parts equals in a season, one after the other."""
    ties = season.ranking.ties
    return USUAL_TIES[season.ranking.by] if ties is None else ties


@dataclass(slots=True)
class MemberRow:
    """One member's line of the table: those alike in their figure and all that parts share a place.

    ``parted`` is what parted him from who has the same figure.
    ``below`` is whether he played too few evenings to be placed; ``open`` is whether the figure
    may still change by itself.
    """

    member: str
    figure: Figure
    evenings: tuple[EveningFigure, ...]
    adjustments: tuple[Adjustment, ...] = ()
    rated: Mapping[str, Rated] = field(default_factory=dict)
    place: int = 0
    shared: bool = False
    parted: str = ""
    below: bool = False

    @property
    def matches(self) -> list[MatchFigure]:
        """All that he played, also in evenings that do not count."""
        return [match for evening in self.evenings for match in evening.matches]

    @property
    def hands(self) -> int:
        """In how many complete hands he took part."""
        return sum([evening.hands for evening in self.evenings])

    @property
    def won(self) -> Figure:
        """How many matches he won, shared ones in parts."""
        return sum([evening.won for evening in self.evenings])

    @property
    def open(self) -> bool:
        """Whether a match of his can still change by itself."""
        return any(evening.open for evening in self.evenings)


class LeftOut(NamedTuple):
    """A match that a season does not add, because it was played for points of another kind."""

    session_id: str
    match: int


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a season: its rows in order, and the matches that it does not add.

    ``terms`` are those of the matches that it adds; empty where it adds no points.
    """

    season: Season
    rows: tuple[MemberRow, ...]
    evenings: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    terms: str = ""


@lru_cache(KEPT)
def day_of(at: str, zone: ZoneInfo) -> str:
    """The day on which a time as a log writes it falls in a time zone; empty without a time."""
    return datetime.fromisoformat(at).astimezone(zone).date().isoformat() if at else ""


def in_order(attended: Iterable[Attended]) -> list[Attended]:
    """Evenings in the order in which they were played."""
    return sorted(attended, key=lambda one: (one.evening.began, one.evening.session_id))


def of_season(
    season: Season, attended: Iterable[Attended], zone: ZoneInfo | None
) -> list[Attended]:
    """The evenings of a season in their order; with ``zone`` None all these are of it."""
    return in_order(
        one for one in attended if zone is None or season.holds(day_of(one.evening.began, zone))
    )


def standings(
    season: Season,
    attended: Iterable[Attended],
    zone: ZoneInfo | None,
    adjustments: Iterable[Adjustment] = (),
    counting: Counting | None = None,
) -> Standings:
    """The table of a season, from the evenings of its club; with ``zone`` None all are of it.

    ``counting`` remembers from one time to the next what each evening brought.
    """
    there = of_season(season, attended, zone)
    played = [(one, [m for m in one.evening.matches if m.game in season.games]) for one in there]
    played = [(one, matches) for one, matches in played if any(m.hands for m in matches)]
    terms, left_out = "", []
    if season.ranking.by in ("points", "average"):
        terms = usual_terms(match for _, matches in played for match in matches if match.hands)
        left_out = [
            LeftOut(one.evening.session_id, match.number)
            for one, matches in played for match in matches if match.terms != terms
        ]  # fmt: skip
        played = [(one, [m for m in matches if m.terms == terms]) for one, matches in played]
    given = [one for one in adjustments if one.season == season.id]
    rows = _rows(season.ranking, played, given, counting or Counting())
    return Standings(
        season=season,
        rows=_placed(rows, season, played),
        evenings=tuple(one.evening.session_id for one, matches in played if matches),
        left_out=tuple(left_out),
        terms=terms,
    )


def usual_terms(matches: Iterable[PlayedMatch]) -> str:
    """The terms that most matches were played on, of as many the first; empty where none is."""
    terms = Counter(match.terms for match in matches)
    return max(terms, key=lambda one: terms[one], default="")


def _rows(
    ranking: Ranking, played: PlayedEvenings, adjustments: Sequence[Adjustment], counting: Counting
) -> list[MemberRow]:
    evenings: dict[str, list[EveningFigure]] = {a.member: [] for a in adjustments}
    for brought in counting.count(ranking, played):
        for member, evening in brought.items():
            evenings.setdefault(member, []).append(evening)
    rated: dict[str, dict[str, Rated]] = {member: {} for member in evenings}
    for (game, member), rating in counting.ratings.of.items():
        rated[member][game] = rating
    return [
        _row(ranking, member, found, [a for a in adjustments if a.member == member], rated[member])
        for member, found in evenings.items()
    ]


def _row(
    ranking: Ranking, member: str, evenings: Sequence[EveningFigure],
    adjustments: Sequence[Adjustment], rated: Mapping[str, Rated],
) -> MemberRow:  # fmt: skip
    average = ranking.by == "average"
    marked = evenings
    if ranking.best is not None and ranking.best < len(evenings):
        worth: Callable[[EveningFigure], Figure] = _average if average else lambda one: one.figure
        order = sorted(range(len(evenings)), key=lambda place: -worth(evenings[place]))
        counted = set(order[: ranking.best])
        marked = [one if place in counted else one.left_out for place, one in enumerate(evenings)]
    counting = [one for one in marked if one.counted]
    figure = sum([one.figure for one in counting], sum(one.points for one in adjustments))
    if average:
        figure = whole(Fraction(figure, sum(one.hands for one in counting) or 1))
    row = MemberRow(member, figure, tuple(marked), tuple(adjustments), rated)
    if ranking.by == "rating":
        row.figure = _rating(row.matches, rated)
    row.below = len(evenings) < (ranking.at_least or 1)
    return row


def _average(evening: EveningFigure) -> Figure:
    return Fraction(evening.figure, evening.hands or 1)


def _rating(matches: Sequence[MatchFigure], rated: Mapping[str, Rated]) -> int:
    """A rating over several games, by how many matches of each are over; at first a newcomer's."""
    many = Counter([match.game for match in matches if match.rated])
    total = sum(many.values())
    if not total:
        return newcomer().figure
    return round(sum(rated[game].figure * n for game, n in many.items()) / total)


# ------------------------------------------------------------------------------------ placing


def _placed(
    rows: Sequence[MemberRow], season: Season, played: PlayedEvenings
) -> tuple[MemberRow, ...]:
    """The rows in order, each with its place; who is below the line has none."""
    order = ties_of(season)
    meetings = _Meetings(played)
    found: list[MemberRow] = []
    placed = [row for row in rows if not row.below]
    for group in _parted(placed, ("figure", *order), meetings):
        for row in group:
            row.place, row.shared = len(found) + 1, len(group) > 1
        found += sorted(group, key=lambda row: row.member)
    below = sorted((row for row in rows if row.below), key=lambda row: (-row.figure, row.member))
    return (*found, *below)


def _parted(
    rows: Sequence[MemberRow], by: Sequence[str], meetings: "_Meetings"
) -> Iterator[list[MemberRow]]:
    """Groups of equals, the best first: parted by one thing after the other."""
    if len(rows) < 2 or not by:
        if rows:
            yield list(rows)
        return
    groups: dict[Figure, list[MemberRow]] = {}
    for row in rows:
        groups.setdefault(_key(by[0], row, rows, meetings), []).append(row)
    for value in sorted(groups, reverse=True):
        group = groups[value]
        if len(groups) > 1 and by[0] != "figure":
            for row in group:
                row.parted = by[0]
        yield from _parted(group, by[1:], meetings)


def _key(tie: str, row: MemberRow, equals: Sequence[MemberRow], meetings: "_Meetings") -> Figure:
    if tie == "head_to_head":
        return meetings.between(row.member, {one.member for one in equals})
    return KEYS[tie](row, meetings)


class _Meetings:
    """Who came in front of whom in the matches of a season that are over, if anybody asks."""

    def __init__(self, played: PlayedEvenings) -> None:
        self._over = [
            (match, one.whose) for one, matches in played for match in matches if match.winners
        ]

    @cached_property
    def places(self) -> Mapping[str, Figure]:
        """By member what he got by his places, one for each player behind him."""
        found: dict[str, Figure] = {}
        for match, whose in self._over:
            for player, figure in places(match, {}).items():
                member = whose.get(player)
                if member is not None:
                    found[member] = found.get(member, 0) + figure
        return found

    @cached_property
    def _in_front(self) -> Counter[tuple[str, str]]:
        found: Counter[tuple[str, str]] = Counter()
        for match, whose in self._over:
            totals = by_player(match, match.totals)
            members = {p: member for p in totals if (member := whose.get(p)) is not None}
            for one, member in members.items():
                for other, behind in members.items():
                    if totals[one] > totals[other]:
                        found[member, behind] += 1
        return found

    def between(self, member: str, equals: Iterable[str]) -> int:
        """How often somebody came in front of these, less how often they did of him."""
        return sum(self._in_front[member, one] - self._in_front[one, member] for one in equals)


KEYS: Final[Mapping[str, Callable[[MemberRow, _Meetings], Figure]]] = {
    "figure": lambda row, _: row.figure,
    "points": lambda row, _: sum(match.total for match in row.matches),
    "average": lambda row, _: Fraction(sum(m.total for m in row.matches), row.hands or 1),
    "wins": lambda row, _: row.won,
    "share": lambda row, _: Fraction(row.won, len(row.matches) or 1),
    "places": lambda row, meetings: meetings.places.get(row.member, 0),
    "best_match": lambda row, _: max((match.total for match in row.matches), default=0),
    "evenings": lambda row, _: len(row.evenings),
}

"""The figures that an evening brings its members in a season, match by match.

They are computed again only if something that they follow from has changed: if an evening is new or
corrected, all others bring what they brought before. A rating follows from all matches before it,
so every match is rated again from the first evening that changed.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from scorekeeper.base.cached import cached_property
from scorekeeper.clubs.evening import PlayedEvening, PlayedMatch
from scorekeeper.clubs.events import Ranking
from scorekeeper.clubs.rankings import (
    COUNTS,
    Figure,
    GameRatings,
    MemberByPlayer,
    Rating,
    Ratings,
    compute_win_share,
)
from scorekeeper.report.span import DayOfPlay

MAX_CACHED_SEASONS: Final = 8  # seasons of one club of which it is remembered what evenings brought


class Occasion(NamedTuple):
    """A tournament whose tables count as one evening, at one of its tables.

    ``day`` is the day of play of its first table, and ``opened`` when that was opened.
    """

    id: str
    title: str
    day: DayOfPlay
    opened: str
    round: int
    table: int


class AttendedEvening(NamedTuple):
    """An evening with its members: ``member_of`` maps each player to a member, or to None.

    ``occasion`` is the tournament of which it is a table; None for an evening of its own.
    """

    evening: PlayedEvening
    member_of: MemberByPlayer
    occasion: Occasion | None = None

    @property
    def id(self) -> str:
        """The id of the evening as the club counts it: of the session, or of the tournament."""
        return self.occasion.id if self.occasion else self.evening.session_id

    @property
    def title(self) -> str:
        """The title of the evening, or the name of the tournament."""
        return self.occasion.title if self.occasion else self.evening.title

    def find_day(self, zone: ZoneInfo) -> str:
        """Return the ISO day of play in a time zone; empty if it is unknown."""
        return (self.occasion or self.evening).day.in_zone(zone)

    def place_in_order(self, zone: ZoneInfo) -> tuple[str, str, str, int, int]:
        """Return the sort key of the evenings of a club: the day of play in the club's zone."""
        at = self.occasion
        if at is None:
            return self.find_day(zone), self.evening.opened, self.id, 0, 0
        return self.find_day(zone), at.opened, at.id, at.round, at.table


RatingChanges = Mapping[str, tuple[Rating, Rating]]  # each member's before and after a match


class MatchFigure(NamedTuple):
    """The figures that one match brought a member.

    ``decided`` is whether the match has a result that counts as won or lost. ``rating_change`` is
    the member's rating in that game before and after the match.
    """

    session_id: str
    match: int
    game: str
    figure: Figure
    total: Figure
    hands: int
    won: Figure
    decided: bool
    open: bool
    rating_change: tuple[Rating, Rating] | None = None


@dataclass
class EveningFigure:
    """The figures that an evening brought a member; not ``counted`` if ``best`` leaves it out.

    Instances never change.
    """

    session_id: str
    figure: Figure
    matches: tuple[MatchFigure, ...]
    counted: bool = True

    @cached_property
    def hands(self) -> int:
        """The number of complete hands that the member took part in that evening."""
        return sum([match.hands for match in self.matches])

    @cached_property
    def won(self) -> Figure:
        """The number of matches that the member won that evening; a shared win counts as a part."""
        return sum([match.won for match in self.matches])

    @cached_property
    def open(self) -> bool:
        """Whether a match of the evening can still change without a correction."""
        return any(match.open for match in self.matches)

    @cached_property
    def left_out(self) -> "EveningFigure":
        """The same figures as an evening that does not count."""
        return replace(self, counted=False)

    def joined(self, other: "EveningFigure", occasion_id: str) -> "EveningFigure":
        """Return the figures of two tables of an occasion as those of one evening."""
        return EveningFigure(
            occasion_id, self.figure + other.figure, (*self.matches, *other.matches)
        )

    def with_ratings(self, changes: Mapping[int, RatingChanges], member: str) -> "EveningFigure":
        """Return the same figures of this ``member`` with other ratings, given by match."""
        matches = [
            MatchFigure(*match[:-1], changes[match.match].get(member)) for match in self.matches
        ]
        return EveningFigure(self.session_id, self.figure, tuple(matches))


FigureByMember = Mapping[str, EveningFigure]  # by member
PlayedEvenings = Sequence[tuple[AttendedEvening, Sequence[PlayedMatch]]]


class EveningResult(NamedTuple):
    """The figures that an evening brought its members, and the data from which they follow.

    ``matches``, ``member_of`` and ``before`` are that data; ``before`` and ``after`` are the
    ratings of the members whom the evening rated.
    """

    matches: Sequence[PlayedMatch]
    member_of: MemberByPlayer
    before: GameRatings
    after: GameRatings
    figure_by_member: FigureByMember


class SeasonCache:
    """The results of a season's evenings, as they were computed last.

    It may be discarded at any time: a result is used again only if computing it would give the
    same.
    """

    def __init__(self) -> None:
        self.ratings = Ratings()  # after all that was counted
        self._ranking: Ranking | None = None
        self._results: dict[str, EveningResult] = {}

    @property
    def weight(self) -> int:
        """The number of evenings whose results are cached."""
        return len(self._results)

    def compute_figures(self, ranking: Ranking, played: PlayedEvenings) -> Iterator[FigureByMember]:
        """Yield the figures of each of these evenings, given in the order of play."""
        cached = self._results if ranking == self._ranking else {}
        self._ranking, self._results, self.ratings = ranking, {}, Ratings()
        for attended, matches in played:
            result = cached.get(attended.evening.session_id)
            if result and not (
                result.matches == matches and result.member_of == attended.member_of
            ):
                result = None
            if result and self.ratings.agree_with(result.before):
                self.ratings.by_game_and_member.update(result.after)
                result = result._replace(matches=matches, member_of=attended.member_of)
            else:
                result = self._compute_evening(ranking, attended, matches, result)
            self._results[attended.evening.session_id] = result
            yield result.figure_by_member

    def _compute_evening(
        self,
        ranking: Ranking,
        attended: AttendedEvening,
        matches: Sequence[PlayedMatch],
        outdated: EveningResult | None,
    ) -> EveningResult:
        """Return the result of an evening.

        ``outdated`` is its cached result, if only the ratings before it have changed since.
        """
        before: dict[tuple[str, str], Rating] = {}
        after: dict[tuple[str, str], Rating] = {}
        changes: dict[int, RatingChanges] = {}
        for match in matches if ranking.by == "rating" else ():
            if match.hands:
                changes[match.number] = match_changes = self.ratings.rate(match, attended.member_of)
                for member, (then, now) in match_changes.items():
                    key = match.game, member
                    before.setdefault(key, then)
                    after[key] = now
        figure_by_member = (
            _sum_by_member(ranking, attended, matches, changes) if outdated is None
            else {member: evening.with_ratings(changes, member)
                  for member, evening in outdated.figure_by_member.items()}
        )  # fmt: skip
        return EveningResult(matches, attended.member_of, before, after, figure_by_member)


def _sum_by_member(
    ranking: Ranking,
    attended: AttendedEvening,
    matches: Sequence[PlayedMatch],
    changes: Mapping[int, RatingChanges],
) -> FigureByMember:
    """Return the figures that an evening brought to each member who took part."""
    figures_by_member: dict[str, list[MatchFigure]] = {}
    for match in matches:
        if match.hands:
            _add_match(figures_by_member, ranking, attended, match, changes.get(match.number, {}))
    session_id = attended.evening.session_id
    return {
        member: EveningFigure(
            session_id, sum([figure.figure for figure in figures]), tuple(figures)
        )
        for member, figures in figures_by_member.items()
    }


def _add_match(
    figures_by_member: dict[str, list[MatchFigure]], ranking: Ranking, attended: AttendedEvening,
    match: PlayedMatch, changes: RatingChanges,
) -> None:  # fmt: skip
    """Add the figures that a match brought to each member who took part."""
    count = COUNTS.get(ranking.by, COUNTS["wins"])
    figures = count(match, ranking.places or {})
    part = compute_win_share(match.ahead)
    hands = Counter(chain.from_iterable([hand.scores for hand in match.hands]))
    for side, members in match.sides.items():
        total, won = match.totals[side], part if side in match.ahead else 0
        for player in members:
            member = attended.member_of.get(player)
            if member is not None:
                figure = MatchFigure(
                    attended.evening.session_id, match.number, match.game, figures[player], total,
                    hands[player], won, bool(match.ahead), match.open, changes.get(member),
                )  # fmt: skip
                figures_by_member.setdefault(member, []).append(figure)


class SeasonCaches:
    """The caches of the club's seasons that were read last, at most ``MAX_CACHED_SEASONS``."""

    def __init__(self) -> None:
        self._cache_by_table: OrderedDict[tuple[str, str], SeasonCache] = OrderedDict()

    @property
    def weight(self) -> int:
        """The number of evenings in all caches."""
        return sum(cache.weight for cache in self._cache_by_table.values())

    def get_cache(self, season_id: str, kind: str) -> SeasonCache:
        """Return the cache for one of the two tables of a season: at the close, or now."""
        table = season_id, kind
        cache = self._cache_by_table.setdefault(table, SeasonCache())
        self._cache_by_table.move_to_end(table)
        if len(self._cache_by_table) > MAX_CACHED_SEASONS:
            self._cache_by_table.popitem(last=False)
        return cache

"""A closed season: its final table, and beside it the corrections made after the close.

The final table is computed from the heads that the evenings had at the close. An evening that was
withdrawn or corrected later stays in it unchanged; the present figures are shown beside it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.figures import AttendedEvening, SeasonCaches
from scorekeeper.clubs.rankings import Figure
from scorekeeper.clubs.season import Standings, compute_standings
from scorekeeper.clubs.state import ClubState
from scorekeeper.clubs.values import Adjustment, Season
from scorekeeper.report.span import to_local_day

# The two tables of a closed season.
AT_CLOSE: Final = "at_close"
NOW: Final = "now"


class MovedMember(NamedTuple):
    """A member whom corrections after the close would move: figure and place, at the close and now.

    None stands for a member who is not in the table, and for the place of one below its line.
    """

    member: str
    figure: Figure | None
    place: int | None
    figure_now: Figure | None
    place_now: int | None


@dataclass(frozen=True, slots=True)
class ClosedSeason:
    """The final table of a season, the table of today, and the evenings that changed since.

    ``lost`` are evenings of the final table that cannot be read here any more, so that the table is
    computed without them.
    """

    final: Standings
    now: Standings
    changed: tuple[str, ...]
    withdrawn: tuple[str, ...]
    entered: tuple[str, ...]
    lost: tuple[str, ...] = ()

    @property
    def moved(self) -> list[MovedMember]:
        """The members whose figure or place changed, in the order of the final table."""
        then = {row.member: (row.figure, row.place or None) for row in self.final.rows}
        now = {row.member: (row.figure, row.place or None) for row in self.now.rows}
        no_row: tuple[Figure | None, int | None] = (None, None)
        return [
            MovedMember(member, *then.get(member, no_row), *now.get(member, no_row))
            for member in dict.fromkeys((*then, *now))
            if then.get(member) != now.get(member)
        ]


def compare_closed_season(
    season: Season,
    at_close: Iterable[AttendedEvening],
    now: Iterable[AttendedEvening],
    zone: ZoneInfo,
    adjustments: Iterable[Adjustment] = (),
    caches: SeasonCaches | None = None,
    state: ClubState | None = None,
) -> ClosedSeason:
    """Return the final table of a closed season and what changed since.

    ``at_close`` are its evenings at their heads of the close, ``now`` all evenings that count. The
    close decided which evenings belong to the final table; for the table of today their days
    decide. A season without a last day ended with its close, so later evenings do not matter.
    ``caches`` store what each evening brought, from one call to the next. ``state`` has the guests
    of now and of the close.
    """
    caches, state = caches or SeasonCaches(), state or ClubState()
    season_adjustments = list(adjustments)
    attended_at_close, attended_now = list(at_close), list(now)
    heads = {attended.evening.session_id: attended.evening.head for attended in attended_at_close}
    evening_now = {attended.evening.session_id: attended.evening for attended in attended_now}
    days = [attended.evening.day.in_zone(zone) for attended in attended_at_close]
    ended = replace(season, to=season.to or max(to_local_day(season.closed_at, zone), *days))
    return ClosedSeason(
        final=compute_standings(
            season,
            attended_at_close,
            season.get_zone_at_close(zone),
            state.list_adjustments_at_close(season),
            caches.get_cache(season.id, AT_CLOSE),
            state.list_guests_at_close(season),
            all_belong=True,
        ),
        now=compute_standings(
            ended,
            attended_now,
            zone,
            season_adjustments,
            caches.get_cache(season.id, NOW),
            state.guests,
        ),
        changed=tuple(
            session_id
            for session_id, head in heads.items()
            if session_id in evening_now and evening_now[session_id].head != head
        ),
        withdrawn=tuple(session_id for session_id in heads if session_id not in evening_now),
        entered=tuple(
            session_id
            for session_id, evening in evening_now.items()
            if session_id not in heads
            and session_id not in season.entered
            and ended.includes_day(evening.day.in_zone(zone))
            and any(match.game in season.games and match.hands for match in evening.matches)
        ),
        lost=tuple(session_id for session_id in season.entered if session_id not in heads),
    )


def list_closed_evenings(
    state: ClubState, season: Season, played: Mapping[str, PlayedEvening]
) -> list[AttendedEvening]:
    """Return the evenings of a closed season with their members.

    ``played`` has the evenings at their heads of the close.

    Players are the members that they were at the close; a member merged later is the other member.
    """
    return [
        AttendedEvening(played[session_id], state.map_players(entered))
        for session_id, entered in season.entered.items()
        if session_id in played
    ]

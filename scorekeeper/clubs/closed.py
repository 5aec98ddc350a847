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
from scorekeeper.clubs.tournament_tables import TournamentTables, attend_tables
from scorekeeper.clubs.values import Adjustment, Season
from scorekeeper.report.span import to_local_day

# The two tables of a closed season.
AT_CLOSE: Final = "at_close"
NOW: Final = "now"
NO_TABLES: Final[Mapping[str, TournamentTables]] = {}


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
    closed = {attended.evening.session_id: attended for attended in attended_at_close}
    present = {attended.evening.session_id: attended for attended in attended_now}
    days = [attended.find_day(zone) for attended in attended_at_close]
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
        changed=_list_ids(
            attended
            for session_id, attended in closed.items()
            if session_id in present and _has_changed(attended, present[session_id])
        ),
        withdrawn=_list_ids(
            attended for session_id, attended in closed.items() if session_id not in present
        ),
        entered=_list_ids(
            attended
            for session_id, attended in present.items()
            if session_id not in closed
            and session_id not in (season.heads or {})
            and ended.includes_day(attended.find_day(zone))
            and any(
                match.game in season.games and match.hands for match in attended.evening.matches
            )
        ),
        lost=_list_lost(season, attended_at_close),
    )


def _list_ids(attended: Iterable[AttendedEvening]) -> tuple[str, ...]:
    """Return the ids of evenings in their order; the tables of a tournament have its id."""
    return tuple(dict.fromkeys(evening.id for evening in attended))


def _has_changed(at_close: AttendedEvening, now: AttendedEvening) -> bool:
    """Return whether an evening was corrected, or a table's seating in its tournament was."""
    reseated = at_close.occasion is not None and at_close.member_of != now.member_of
    return at_close.evening.head != now.evening.head or reseated


def _list_lost(season: Season, at_close: Iterable[AttendedEvening]) -> tuple[str, ...]:
    """Return the evenings and tournaments of the close that cannot be read any more.

    A table alone is among them only if its tournament can be read.
    """
    sessions, ids = set[str](), set[str]()
    for attended in at_close:
        sessions.add(attended.evening.session_id)
        ids.add(attended.id)
    known = {*sessions, *season.entered, *season.tournaments}
    tables = [session_id for session_id in season.heads or {} if session_id not in known]
    unread = [tournament_id for tournament_id in season.tournaments if tournament_id not in ids]
    evenings = [session_id for session_id in season.entered if session_id not in sessions]
    return (*evenings, *((unread or tables) if tables else ()))


def list_closed_evenings(
    state: ClubState,
    season: Season,
    played: Mapping[str, PlayedEvening],
    tournaments: Mapping[str, TournamentTables] = NO_TABLES,
) -> list[AttendedEvening]:
    """Return the evenings of a closed season with their members.

    ``played`` has the evenings, and the tables of tournaments, at their heads of the close, and
    ``tournaments`` these tournaments at theirs.

    Players are the members that they were at the close; a member merged later is the other member.
    """
    attended = [
        AttendedEvening(played[session_id], state.map_players(entered))
        for session_id, entered in season.entered.items()
        if session_id in played
    ]
    for tournament_id, tournament in season.tournaments.items():
        if tournament_id in tournaments:
            known, present = tournaments[tournament_id], state.map_entrants(tournament)
            attended += attend_tables(present, known, played, season.entered)
    return attended

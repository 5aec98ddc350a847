"""A club at one moment: the state of its log, and the results of its evenings."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from typing import Final
from zoneinfo import ZoneInfo

from scorekeeper.clubs.closed import (
    AT_CLOSE,
    NOW,
    ClosedSeason,
    compare_closed_season,
    list_closed_evenings,
)
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.events import Ranking
from scorekeeper.clubs.figures import AttendedEvening, SeasonCaches
from scorekeeper.clubs.ledger import Ledger, compute_ledgers
from scorekeeper.clubs.season import (
    Standings,
    compute_standings,
    select_season_evenings,
    sort_by_day,
)
from scorekeeper.clubs.state import ClubState
from scorekeeper.clubs.tournament_tables import TournamentTables, attend_tables
from scorekeeper.clubs.values import Season
from scorekeeper.clubs.views import MemberNames
from scorekeeper.report.span import to_local_day

ALL_EVENINGS: Final = "ever"  # the id of the season of all evenings
TAG_LENGTH: Final = 12  # hexadecimal digits
FIGURES: Final = 3  # the version of all figures: raise it if the same logs give others


def compute_tag(
    events: int,
    head: str,
    evenings: Iterable[tuple[str, str]],
    lost: Iterable[str],
    stopped: Iterable[str],
) -> str:
    """Return a text that changes with a club and with the heads of its evenings.

    It also changes with the ``lost`` evenings (of closed seasons, and unreadable here) and with
    those that the club no longer follows.
    """
    heads = "".join(f"{session_id}{end}" for session_id, end in evenings) + "".join(lost)
    heads += "".join(f"{session_id}!" for session_id in sorted(stopped))
    return f"{events}-{sha256((str(FIGURES) + head + heads).encode()).hexdigest()[:TAG_LENGTH]}"


@dataclass(frozen=True, slots=True)
class ClubSnapshot:
    """A club with its evenings, valid until another event is recorded in it.

    ``evenings`` are those that are entered and readable here; ``unread`` has the reasons why others
    are not. ``evenings_at_close`` has evenings as they were when a season was closed, by session
    and head. ``tournaments`` are those that are entered and readable, whose tables are among the
    evenings, and ``tournaments_at_close`` those of closed seasons. ``caches`` store what evenings
    brought when the tables were computed last. ``stopped`` are the evenings that the club no longer
    follows: their later events are not read. ``deleted`` has the times at which the operator
    deleted evenings.
    """

    state: ClubState
    events: int
    head: str
    evenings: Mapping[str, PlayedEvening] = field(default_factory=dict)
    evenings_at_close: Mapping[tuple[str, str], PlayedEvening] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)
    caches: SeasonCaches = field(default_factory=SeasonCaches)
    stopped: frozenset[str] = frozenset()
    deleted: Mapping[str, str] = field(default_factory=dict)
    tournaments: Mapping[str, TournamentTables] = field(default_factory=dict)
    tournaments_at_close: Mapping[tuple[str, str], TournamentTables] = field(default_factory=dict)

    @property
    def tag(self) -> str:
        """A text that stays the same until the club or one of its evenings changes."""
        heads = chain(
            ((id_, known.head) for id_, known in self.tournaments.items()),
            ((evening.session_id, evening.head) for evening in self.evenings.values()),
        )
        lost = (session_id for session_id, _ in self.list_lost_evenings())
        return compute_tag(self.events, self.head, heads, lost, self.stopped)

    def list_lost_evenings(self) -> Iterator[tuple[str, str]]:
        """Yield the session and head of each unreadable evening of the closed seasons."""
        for season in self.state.seasons.values():
            yield from (
                place
                for place in (season.heads or {}).items()
                if place not in self.evenings_at_close and place not in self.tournaments_at_close
            )

    @property
    def name(self) -> str:
        """The name of the club; empty before it is opened."""
        return self.state.opened.name if self.state.opened else ""

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which the club's days begin."""
        return ZoneInfo((self.state.opened and self.state.opened.zone) or "UTC")

    def find_day_of_deletion(self, session_id: str) -> str:
        """Return the day on which the operator deleted an evening, in the club's time zone.

        It is empty for an evening that was not deleted.
        """
        return to_local_day(self.deleted.get(session_id, ""), self.zone)

    @property
    def names(self) -> MemberNames:
        """The name of each member and guest by id, including members who left."""
        members = self.state.members.values()
        return MemberNames(
            {member.id: member.name for member in members},
            frozenset(member.id for member in members if member.left),
            self.state.guests,
        )

    def list_attended(self) -> Iterator[AttendedEvening]:
        """Yield the evenings that count, as they are now, with their members."""
        for entered in self.state.evenings.values():
            evening = self.evenings.get(entered.session_id)
            if evening is not None:
                yield AttendedEvening(evening, self.state.map_players(entered))
        counted = set(self.state.evenings)
        for entered_tournament in self.state.tournaments.values():
            known = self.tournaments.get(entered_tournament.tournament_id)
            if known is not None:
                present = self.state.map_entrants(entered_tournament)
                yield from attend_tables(present, known, self.evenings, counted)
                counted |= known.tables.keys()

    def list_attended_at_close(self, season: Season) -> list[AttendedEvening]:
        """Return the evenings of a closed season as they were then, even if withdrawn since."""
        places = (season.heads or {}).items()
        played = {
            place[0]: self.evenings_at_close[place]
            for place in places
            if place in self.evenings_at_close
        }
        tournaments = {
            place[0]: self.tournaments_at_close[place]
            for place in places
            if place in self.tournaments_at_close
        }
        return list_closed_evenings(self.state, season, played, tournaments)

    def list_played(self, season: Season | None = None) -> list[AttendedEvening]:
        """Return the evenings of a season in the order of play, with the matches of its games only.

        Evenings of a closed season are as they were at the close. Without a season, all evenings
        are returned.
        """
        if season is None:
            return sort_by_day(self.list_attended(), self.zone)
        if season.heads is None:
            attended_evenings = select_season_evenings(season, self.list_attended(), self.zone)
        else:
            attended_evenings = sort_by_day(self.list_attended_at_close(season), self.zone)
        selected = (_select_games(attended, season.games) for attended in attended_evenings)
        return [attended for attended in selected if attended.evening.matches]

    def find_season(self, season_id: str | None = None) -> Season | None:
        """Return a season by its id; None if there is no such season.

        Without an id this is the season that begins last, or all evenings if there are no seasons.
        """
        if season_id is not None:
            all_time = self.make_all_time_season() if season_id == ALL_EVENINGS else None
            return self.state.seasons.get(season_id, all_time)
        seasons = self.list_seasons()
        return seasons[0] if seasons else self.make_all_time_season()

    def list_seasons(self) -> list[Season]:
        """Return the seasons, the one that began last first."""
        return sorted(
            self.state.seasons.values(), key=lambda season: (season.start, season.seq), reverse=True
        )

    def make_all_time_season(self) -> Season:
        """Return all evenings as one season, ranked by points for a single game, else by places."""
        games = {match.game for evening in self.evenings.values() for match in evening.matches}
        ranking = Ranking("points" if len(games) == 1 else "places")
        return Season(ALL_EVENINGS, "", "", None, tuple(sorted(games)), ranking, 0)

    def compute_standings(self, season: Season) -> Standings:
        """Return the table of a season; the final table if the season is closed."""
        adjustments, caches = self.state.adjustments, self.caches
        if season.heads is not None:
            cache = caches.get_cache(season.id, AT_CLOSE)
            return compute_standings(
                season,
                self.list_attended_at_close(season),
                season.get_zone_at_close(self.zone),
                self.state.list_adjustments_at_close(season),
                cache,
                self.state.list_guests_at_close(season),
                all_belong=True,
            )
        cache, guests = caches.get_cache(season.id, NOW), self.state.guests
        return compute_standings(
            season, self.list_attended(), self.zone, adjustments, cache, guests
        )

    def compare_closed(self, season: Season) -> ClosedSeason:
        """Return the final table of a closed season, and what changed after the close."""
        return compare_closed_season(
            season,
            self.list_attended_at_close(season),
            self.list_attended(),
            self.zone,
            self.state.adjustments,
            self.caches,
            self.state,
        )

    def compute_ledgers(self) -> list[Ledger]:
        """Return the money of the club by currency, the club's own currency first."""
        currency = self.state.opened.currency if self.state.opened else None
        attended_evenings = sort_by_day(self.list_attended(), self.zone)
        return compute_ledgers(attended_evenings, self.state.payments, currency, self.zone)


def _select_games(attended: AttendedEvening, games: Container[str]) -> AttendedEvening:
    """Return an evening with the matches of these games only."""
    matches = tuple(match for match in attended.evening.matches if match.game in games)
    return attended._replace(evening=attended.evening._replace(matches=matches))

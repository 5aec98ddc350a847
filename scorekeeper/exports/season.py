"""A season prepared for export: its table for a reader, and notes about it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.season import compute_standings
from scorekeeper.clubs.season_views import RowView, StandingsView
from scorekeeper.clubs.season_words import describe_lost_evenings, describe_ranking, format_decimal
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.standings import view_season, view_standings
from scorekeeper.clubs.tournament_tables import combine_tables
from scorekeeper.clubs.values import Season
from scorekeeper.exports.filenames import parse_time, slug
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.reader import PROGRAM, Reader

UNKNOWN_TIME: Final = "1980-01-01T00:00:00.000Z"


@dataclass(frozen=True, slots=True)
class SeasonFile:
    """The table of a season, for a reader.

    ``club`` is the name of the club, empty for a season of log files. ``evenings`` are those of the
    table, with each tournament as one; days begin in ``zone``. ``tag`` names the version of the
    club's figures.
    """

    table: StandingsView
    evenings: Sequence[PlayedEvening]
    zone: ZoneInfo
    reader: Reader = PROGRAM
    club: str = ""
    tag: str = ""

    @classmethod
    def of(cls, snapshot: ClubSnapshot, season: Season, reader: Reader) -> "SeasonFile":
        """Prepare the current table of a season of a club, with its evenings."""
        table = view_season(snapshot, season)
        ids = set(table.evenings)
        played = (played for played in snapshot.list_played(season) if played.id in ids)
        evenings = list(map(without_hands, combine_tables(played)))
        return cls(table, evenings, snapshot.zone, reader, snapshot.name, snapshot.tag)

    @classmethod
    def of_evenings(cls, snapshot: ClubSnapshot, reader: Reader) -> "SeasonFile":
        """Prepare all evenings of a club, also those in which nothing was played yet."""
        table = view_standings(
            compute_standings(snapshot.make_all_time_season(), (), snapshot.zone), snapshot.names
        )
        evenings = list(map(without_hands, combine_tables(snapshot.list_played())))
        return cls(table, evenings, snapshot.zone, reader, snapshot.name, snapshot.tag)

    @property
    def ranking(self) -> str:
        """The figure that decides the places, such as ``wins``."""
        return str(self.table.season.ranking["by"])

    @property
    def title(self) -> str:
        """The names of the club and the season, if they have any."""
        return " · ".join(filter(None, (self.club, self.table.season.name)))

    @property
    def name(self) -> str:
        """The beginning that the names of all files of the season share."""
        return slug(f"{self.club} {self.table.season.name}") or "season"

    @property
    def games(self) -> str:
        """The names of its games."""
        ids = self.table.season.games
        return ", ".join(GAMES[game].local_name if game in GAMES else game for game in ids)

    @property
    def days(self) -> dict[str, tuple[str, str]]:
        """The day and the title of each evening by its id."""
        return {
            evening.session_id: (evening.day.in_zone(self.zone), evening.title)
            for evening in self.evenings
        }

    @property
    def dates(self) -> str:
        """The first and the last day, in the reader's format."""
        season = self.table.season
        first, last = self._day(season.start), self._day(season.to)
        if first and last:
            return f"{first} – {last}"
        return _("from %(day)s", day=first) if first else ""

    def _day(self, day: str | None) -> str:
        """Return an ISO day in the reader's format; empty for None."""
        return self.reader.format_date(date.fromisoformat(day)) if day else ""

    @property
    def latest(self) -> datetime:
        """The end of its last evening, if known."""
        ends = (evening.ended for evening in self.evenings if evening.ended)
        return parse_time(max(ends, default=UNKNOWN_TIME))

    def figure(self, row: RowView) -> str:
        """Return the figure of a row in the reader's number format."""
        return format_decimal(row.shown, self.reader.language)


def without_hands(evening: PlayedEvening) -> PlayedEvening:
    """Return the evening without hands and money, which no file of a season has.

    This reduces the data that is sent to the helper.
    """
    matches = (match._replace(hands=(), money=None) for match in evening.matches)
    return evening._replace(matches=tuple(matches))


def label_row(row: RowView) -> str:
    """Return the name of a row, with a mark if the member has left."""
    return f"{row.name} ({_('has left')})" if row.left else row.name


def format_place(row: RowView) -> str:
    """Return the place of a row, with ``=`` if shared, or a dash if the row has no place."""
    if not row.place:
        return "–"
    return f"{row.place}{'=' if row.shared else '.'}"


def season_notes(season: SeasonFile) -> Iterable[str]:
    """Yield sentences about the table: how it ranks, and what is provisional or missing."""
    table = season.table
    yield from describe_ranking(table.season, len(table.left_out))
    if any(row.provisional for row in (*table.rows, *table.guests)):
        yield _("* may still change: a match is open, incomplete or disputed.")
    if table.season.closed:
        yield _("The season is closed: this is its final table.")
    yield from describe_lost_evenings(table)

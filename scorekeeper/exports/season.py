"""A season as its files tell it: its table for a reader, and how that came about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from scorekeeper.clubs import plain_figures
from scorekeeper.clubs.books import Books
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.roll import Season
from scorekeeper.clubs.season import day_of, standings
from scorekeeper.clubs.season_words import decimal, explained, missing
from scorekeeper.clubs.standings import table as table_of
from scorekeeper.exports.filenames import moment, slug
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.reader import PROGRAM, Reader

UNKNOWN: Final = "1980-01-01T00:00:00.000Z"


@dataclass(frozen=True, slots=True)
class SeasonFile:
    """The table of a season, for a reader: ``told`` as plain values have it.

    ``club`` is what the club is called; nothing where the season is of logs alone. ``evenings``
    are those of the table; days begin in ``zone``. ``tag`` names the version of a club's figures.
    """

    told: Mapping[str, Any]
    evenings: Sequence[PlayedEvening]
    zone: ZoneInfo
    reader: Reader = PROGRAM
    club: str = ""
    tag: str = ""

    @classmethod
    def of(cls, books: Books, season: Season, reader: Reader) -> "SeasonFile":
        """A season of a club as it stands, with what was played for each of its evenings."""
        told = plain_figures.season(books, season)
        there = set(told["evenings"])
        evenings = [one.evening for one in books.played(season) if one.evening.session_id in there]
        bared = [bare(one) for one in evenings]
        return cls(told, bared, books.zone, reader, books.name, books.tag)

    @classmethod
    def of_evenings(cls, books: Books, reader: Reader) -> "SeasonFile":
        """All evenings of a club as they stand, also those in which nothing was played yet."""
        told = table_of(standings(books.ever(), (), books.zone), books.names)
        evenings = [bare(one.evening) for one in books.played()]
        return cls(told, evenings, books.zone, reader, books.name, books.tag)

    @property
    def by(self) -> str:
        """What it ranks by."""
        return str(self.told["season"]["ranking"]["by"])

    @property
    def title(self) -> str:
        """The club and the season, as far as they have names."""
        return " · ".join(filter(None, (self.club, self.told["season"]["name"])))

    @property
    def name(self) -> str:
        """What its files are called, before what each is."""
        return slug(f"{self.club} {self.told['season']['name']}") or "season"

    @property
    def games(self) -> str:
        """The names of its games."""
        ids = self.told["season"]["games"]
        return ", ".join(GAMES[one].name if one in GAMES else one for one in ids)

    @property
    def days(self) -> dict[str, tuple[str, str]]:
        """The day and the title of each evening."""
        return {one.session_id: (day_of(one.began, self.zone), one.title) for one in self.evenings}

    @property
    def dates(self) -> str:
        """From which day to which it lasts, as people write it."""
        season = self.told["season"]
        first, last = (self._day(season[which]) for which in ("from", "to"))
        if first and last:
            return f"{first} – {last}"
        return _("from %(day)s", day=first) if first else ""

    def _day(self, day: str | None) -> str:
        return self.reader.format_day(datetime.fromisoformat(f"{day}T12:00:00Z")) if day else ""

    @property
    def latest(self) -> datetime:
        """When the last of its evenings ended, so far as that is known."""
        return moment(max((one.ended for one in self.evenings if one.ended), default=UNKNOWN))

    def shown(self, row: Mapping[str, Any]) -> str:
        """The figure of a row as its reader writes it."""
        return decimal(row["shown"], self.reader.language)


def bare(evening: PlayedEvening) -> PlayedEvening:
    """An evening without its hands, which no file of a season has: so it is quick to hand over."""
    matches = (match._replace(hands=(), money=None) for match in evening.matches)
    return evening._replace(matches=tuple(matches))


def place_of(row: Mapping[str, Any]) -> str:
    """The place of a row, as tables have it: shared ones with =, a dash below the line."""
    if not row["place"]:
        return "–"
    return f"{row['place']}{'=' if row['shared'] else '.'}"


def season_notes(season: SeasonFile) -> Iterable[str]:
    """How the table came about, in sentences."""
    told = season.told
    yield from explained(told["season"], len(told["left_out"]))
    if any(row["provisional"] for row in told["rows"]):
        yield _("* may still change: a match is open, incomplete or disputed.")
    if told["season"]["closed"]:
        yield _("The season is closed: this is its final table.")
    yield from missing(told)

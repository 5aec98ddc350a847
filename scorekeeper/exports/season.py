"""A season as it is taken away: as a table, a workbook, a text for a chat."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from scorekeeper.base.language import speaking
from scorekeeper.clubs import plain_figures
from scorekeeper.clubs.books import Books
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.roll import Season
from scorekeeper.clubs.season import day_of, standings
from scorekeeper.clubs.season_words import FIGURE, decimal, explained, missing
from scorekeeper.clubs.standings import EVENING_COLUMNS, evening_rows
from scorekeeper.clubs.standings import table as table_of
from scorekeeper.exports.book import Book
from scorekeeper.exports.chat import own
from scorekeeper.exports.csv import written
from scorekeeper.exports.filenames import moment, slug
from scorekeeper.exports.xlsx import TITLES, CellFormats, table
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.catalogues import marked, ngettext
from scorekeeper.languages.reader import PROGRAM, Reader
from scorekeeper.report.sheet import value_words

TABLE: Final = (
    "place", "shared", "name", "figure", "evenings", "matches", "hands", "won", "provisional",
)  # fmt: skip
COLUMNS: Final = TITLES | {
    "place": marked("Position"), "shared": marked("Shared"), "name": marked("Name"),
    "figure": marked("Figure"), "evenings": marked("Evenings"),
    "matches": marked("Matches"), "hands": marked("Hands"), "won": marked("Wins"),
    "provisional": marked("Provisional"), "member": marked("Member"),
    "evening": marked("Evening"), "evening_figure": marked("Figure of the evening"),
    "counted": marked("Counts"), "evening_matches": marked("Matches of the evening"),
    "evening_hands": marked("Hands of the evening"), "evening_won": marked("Won at the evening"),
}  # fmt: skip
IDS: Final = ("member", "evening")  # which are for programs
WHETHER: Final = ("shared", "provisional", "counted")
MOST: Final = 60  # lines of a text for a chat; the files have all
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
        return self.reader.day(datetime.fromisoformat(f"{day}T12:00:00Z")) if day else ""

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


def season_csv(season: SeasonFile) -> bytes:
    """One row for each member and evening; columns are for programs, in every language the same."""
    return written(EVENING_COLUMNS, evening_rows(season.told, season.days), season.reader)


def season_workbook(season: SeasonFile) -> bytes:
    """The workbook of a season: the table, what brought each his figure, and how it is ranked."""
    with speaking(season.reader.speech), Book() as book:
        book.set_properties({"title": season.title, "created": season.latest.replace(tzinfo=None)})
        looks = CellFormats.of(book)
        rows = [{**row, "figure": Decimal(row["shown"])} for row in season.told["rows"]]
        titles = COLUMNS | {"figure": FIGURE[season.by]}
        table(book.add_worksheet(_("Standings")), TABLE, in_words(TABLE, rows), looks, titles)
        brought = [
            dict(zip(EVENING_COLUMNS, row, strict=True))
            for row in evening_rows(season.told, season.days)
        ]
        own = [name for name in EVENING_COLUMNS if name not in IDS]
        table(book.add_worksheet(_("Evenings")), own, in_words(own, brought), looks, COLUMNS)
        about = [("", line) for line in season_notes(season)]
        if season.tag:
            about.append((_("Version"), season.tag))
        table(book.add_worksheet(_("Season")), ("what", "meaning"), about, looks, COLUMNS)
    return book.made.getvalue()


def in_words(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Any]]:
    """The cells of these columns; what is so or not is called what its reader calls it."""
    for row in rows:
        yield [value_words(bool(row[name])) if name in WHETHER else row[name] for name in columns]


def season_text(season: SeasonFile) -> bytes:
    """The table in a few lines, for a chat."""
    with speaking(season.reader.speech):
        return ("\n".join(_lines(season)) + "\n").encode()


def _lines(season: SeasonFile) -> Iterator[str]:
    yield " · ".join(filter(None, (own(season.title), season.games)))
    many = len(season.told["evenings"])
    after = ngettext("after %(num)d evening", "after %(num)d evenings", many)
    yield f"{_(FIGURE[season.by])}, {after}"
    yield ""
    yield from (_line(season, row) for row in season.told["rows"][:MOST])
    left = len(season.told["rows"]) - MOST
    if left > 0:
        yield ngettext("… and %(num)d more", "… and %(num)d more", left)
    if not season.told["rows"]:
        yield _("Nobody has played yet.")
    if any(row["provisional"] for row in season.told["rows"]):
        yield _("* may still change")
    yield from missing(season.told)


def _line(season: SeasonFile, row: Mapping[str, Any]) -> str:
    return f"{place_of(row)} {own(row['name'])} {season.shown(row)}{'*' * row['provisional']}"


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

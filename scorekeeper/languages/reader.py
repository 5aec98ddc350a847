"""The reader of a page or file: their language, time zone, and number format."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from babel.dates import format_date

from scorekeeper.languages.catalogues import DEFAULT, LANGUAGES, TranslatedLanguage, get_language

UTC: Final = "UTC"
COMMA: Final = ","
SEMICOLON: Final = ";"
POINT: Final = "."
SEPARATORS: Final = (COMMA, SEMICOLON)
DECIMALS: Final = (POINT, COMMA)
# In these languages decimals follow a comma, so spreadsheets separate cells by semicolons.
DECIMAL_COMMA: Final = ("it", "fr")
NOT_ZONES: Final = {"localtime", "posixrules", "Factory"}  # files of the database, but no zones


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of a file; by default a program, or a person with unknown preferences.

    ``language`` is the code of a supported language, ``zone`` a name in the time zone database.
    ``separator`` separates the cells of a table, ``decimal`` is the decimal sign.
    """

    language: str = DEFAULT
    zone: str = UTC
    separator: str = COMMA
    decimal: str = POINT

    @property
    def translated_language(self) -> TranslatedLanguage:
        """The reader's language, with its catalogue."""
        return get_language(self.language)

    def to_local_time(self, moment: datetime) -> datetime:
        """Convert a time to the reader's time zone."""
        return moment.astimezone(ZoneInfo(self.zone))

    def format_day(self, moment: datetime) -> str:
        """Format the day of a time in the reader's zone and language."""
        return self.format_date(self.to_local_time(moment).date())

    def format_date(self, day: date) -> str:
        """Format a day of the calendar in the reader's language."""
        return str(format_date(day, "d MMMM y", locale=self.language))

    def format_period(self, began: datetime, ended: datetime) -> str:
        """Format a period in the reader's zone and language, with the name of the zone."""
        first, last = self.to_local_time(began), self.to_local_time(ended)
        until = "" if first.date() == last.date() else f"{self.format_day(ended)}, "
        return f"{self.format_day(began)}, {first:%H:%M} – {until}{last:%H:%M %Z}"

    def format_number(self, number: int | Decimal) -> str:
        """Format a number with the reader's decimal sign."""
        return str(number).replace(POINT, self.decimal)

    def __str__(self) -> str:
        return f"{self.language}-{self.zone}-{self.separator}{self.decimal}"


PROGRAM: Final = Reader()


def spreadsheet_separators(language: str) -> tuple[str, str]:
    """Return the cell separator and the decimal sign of spreadsheets in a language."""
    return (SEMICOLON, COMMA) if language in DECIMAL_COMMA else (COMMA, POINT)


@cache
def time_zones() -> frozenset[str]:
    """Return the names of all zones in the time zone database."""
    return frozenset((available_timezones() | {UTC}) - NOT_ZONES)


def select_language(preferred: Iterable[str], default: str = DEFAULT) -> str:
    """Return the first supported language among the preferred ones, else the default.

    >>> select_language(["de-CH", "it-CH", "fr"])
    'it'
    """
    codes = (tag.lower().partition("-")[0] for tag in preferred)
    return next((code for code in codes if code in LANGUAGES), default)

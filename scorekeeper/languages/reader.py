"""For whom a file is made: the language of its words, the zone of its times, its figures."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from babel.dates import format_date

from scorekeeper.languages.catalogues import DEFAULT, LANGUAGES, Translated, in_language

UTC: Final = "UTC"
COMMA: Final = ","
SEMICOLON: Final = ";"
POINT: Final = "."
SEPARATORS: Final = (COMMA, SEMICOLON)
DECIMALS: Final = (POINT, COMMA)
# Where the comma stands before decimals, spreadsheets part the cells of a row by semicolons.
DECIMAL_COMMA: Final = ("it", "fr")
NO_PLACE: Final = {"localtime", "posixrules", "Factory"}  # zones by the name of a file


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a file; without more a program, or somebody of whom nothing is known.

    ``language`` is one of ours by its code, ``zone`` a zone of the time zone database.
    ``separator`` parts the cells of a table, ``decimal`` stands before what is less than one.
    """

    language: str = DEFAULT
    zone: str = UTC
    separator: str = COMMA
    decimal: str = POINT

    @property
    def speech(self) -> Translated:
        """The language that is spoken to him."""
        return in_language(self.language)

    def at_home(self, moment: datetime) -> datetime:
        """A moment as the clocks of his zone show it."""
        return moment.astimezone(ZoneInfo(self.zone))

    def day(self, moment: datetime) -> str:
        """The day of a moment, as he writes it."""
        return str(format_date(self.at_home(moment).date(), "d MMMM y", locale=self.language))

    def hours(self, began: datetime, ended: datetime) -> str:
        """From when to when something lasted, with the zone that is meant."""
        first, last = self.at_home(began), self.at_home(ended)
        until = "" if first.date() == last.date() else f"{self.day(ended)}, "
        return f"{self.day(began)}, {first:%H:%M} – {until}{last:%H:%M %Z}"

    def figure(self, figure: int | Decimal) -> str:
        """A figure as he writes it in a table."""
        return str(figure).replace(POINT, self.decimal)

    def __str__(self) -> str:
        return f"{self.language}-{self.zone}-{self.separator}{self.decimal}"


PROGRAM: Final = Reader()


def spreadsheet(language: str) -> tuple[str, str]:
    """The separator and the decimal sign that spreadsheets in a language read."""
    return (SEMICOLON, COMMA) if language in DECIMAL_COMMA else (COMMA, POINT)


@cache
def zones() -> frozenset[str]:
    """The zones of the time zone database, by name."""
    return frozenset((available_timezones() | {UTC}) - NO_PLACE)


def known_language(asked: Iterable[str], default: str = DEFAULT) -> str:
    """The first of the languages asked for that we have.

    >>> known_language(["de-CH", "it-CH", "fr"])
    'it'
    """
    codes = (one.lower().partition("-")[0] for one in asked)
    return next((one for one in codes if one in LANGUAGES), default)

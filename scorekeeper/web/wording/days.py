"""Days as the reader writes them: with the month first where their browser says so."""

from datetime import date
from typing import Final

from flask import has_request_context, request
from flask_babel import format_date

from scorekeeper.http.preferences import request_language

MONTH_FIRST: Final = frozenset({"en-us", "en-ph"})  # the languages of readers who write it first


def writes_month_first() -> bool:
    """Return whether the reader writes the month before the day.

    The first tag of ``Accept-Language`` in the language of the page decides; where it names no
    region, and outside of a request, the day comes first.
    """
    if not has_request_context():
        return False
    language = request_language()
    tags = (tag.lower() for tag in request.accept_languages.values())
    return next((tag for tag in tags if tag.partition("-")[0] == language), "") in MONTH_FIRST


def format_reader_day(day: date, *, short: bool = False) -> str:
    """Return a day in the reader's language and order; ``short`` shortens the month."""
    month = "MMM" if short else "MMMM"
    written = f"{month} d, y" if writes_month_first() else f"d {month} y"
    return str(format_date(day, written))

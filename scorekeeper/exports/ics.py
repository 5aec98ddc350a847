"""A session as a calendar entry (RFC 5545), written by the library icalendar."""

import unicodedata
from collections.abc import Iterator
from datetime import date, datetime
from typing import Final

from icalendar import Calendar, Event

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.parts import format_points
from scorekeeper.exports.evening import Evening, MatchInExport
from scorekeeper.exports.filenames import strip_bidi

PRODUCT: Final = "-//Scorekeeper//An evening//EN"
CalendarSpan = tuple[date, datetime | None]  # a time is a date, too


def make_calendar(evening: Evening) -> bytes:
    """Return a calendar with one event: the session, from its first hand to its last.

    It is the whole day of play if the session was recorded later. Raises `UnusableError` if the day
    is unknown.
    """
    span = find_calendar_span(evening)
    if span is None:
        raise UnusableError(
            "expected a hand with a time: this log says of no hand when it was played"
        )
    entries = Calendar()
    entries.add("prodid", PRODUCT)
    entries.add("version", "2.0")
    entries.add("method", "PUBLISH")
    entries.add_component(_calendar_event(evening, span))
    return bytes(entries.to_ical(sorted=False))


def find_calendar_span(evening: Evening) -> CalendarSpan | None:
    """Return the beginning and end of a session for a calendar; None if its day is unknown."""
    if evening.day is not None and evening.recorded_later:
        return evening.day, None
    if evening.began is None or evening.ended is None:
        return None
    return make_span(evening.began, evening.ended)


def make_span(began: datetime, ended: datetime) -> CalendarSpan:
    """Return a span in whole seconds; without an end that would not come after its beginning."""
    first, last = began.replace(microsecond=0), ended.replace(microsecond=0)
    return first, last if last > first else None


def add_span(event: Event, span: CalendarSpan) -> None:
    """Add a span to a calendar event; one that is a day lasts the whole day."""
    began, ended = span
    event.add("dtstart", began)
    if ended is not None:
        event.add("dtend", ended)


def _calendar_event(evening: Evening, span: CalendarSpan) -> Event:
    """Return the session as a calendar event in a span."""
    event = Event()
    event.add("uid", f"{evening.first}@scorekeeper")
    event.add("dtstamp", evening.latest.replace(microsecond=0))
    event.add("sequence", evening.about.events)
    add_span(event, span)
    event.add("summary", strip_controls(evening.about.title))
    if evening.about.place:
        event.add("location", strip_controls(evening.about.place))
    event.add("description", "\n".join(map(strip_controls, _description(evening))))
    event.add("status", "CONFIRMED" if evening.about.closed else "TENTATIVE")
    event.add("transp", "OPAQUE")
    return event


def _description(evening: Evening) -> Iterator[str]:
    """Yield the lines of the description: players, and the result of each match."""
    yield ", ".join(evening.players)
    yield from map(_match_result, evening.matches)


def _match_result(match: MatchInExport) -> str:
    """Return the game, outcome and totals of a match in one line; no totals without a result."""
    sheet = match.sheet
    if not sheet.played:
        return f"{match.game}, {match.outcome}"
    totals = ", ".join(
        f"{sheet.columns[side]} {format_points(total)}" for side, total in sheet.totals.items()
    )
    return f"{match.game}, {match.outcome}: {totals}"


def strip_controls(text: str) -> str:
    """Remove control characters, which a calendar must not contain, and bidirectional controls."""
    return "".join(char for char in strip_bidi(text) if unicodedata.category(char) != "Cc")

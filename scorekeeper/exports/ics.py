"""A session as a calendar entry (RFC 5545), written by the library icalendar."""

import unicodedata
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from icalendar import Calendar, Event

from scorekeeper.base.errors import UnusableError
from scorekeeper.exports.evening import Evening, MatchInExport
from scorekeeper.exports.filenames import strip_bidi

PRODUCT: Final = "-//Scorekeeper//An evening//EN"


def make_calendar(evening: Evening) -> bytes:
    """Return a calendar with one event: the session, from its first hand to its last.

    Raises `UnusableError` if no hand has a time.
    """
    if evening.began is None or evening.ended is None:
        raise UnusableError(
            "expected a hand with a time: this log says of no hand when it was played"
        )
    entries = Calendar()
    entries.add("prodid", PRODUCT)
    entries.add("version", "2.0")
    entries.add("method", "PUBLISH")
    began, ended = (at.replace(microsecond=0) for at in (evening.began, evening.ended))
    entries.add_component(_calendar_event(evening, began, ended))
    return bytes(entries.to_ical(sorted=False))


def _calendar_event(evening: Evening, began: datetime, ended: datetime) -> Event:
    """Return the session as a calendar event from `began` to `ended`."""
    event = Event()
    event.add("uid", f"{evening.first}@scorekeeper")
    event.add("dtstamp", evening.latest.replace(microsecond=0))
    event.add("sequence", evening.about.events)
    event.add("dtstart", began.replace(microsecond=0))
    if ended.replace(microsecond=0) > began.replace(
        microsecond=0
    ):  # an end comes after a beginning
        event.add("dtend", ended.replace(microsecond=0))
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
    totals = ", ".join(f"{sheet.columns[side]} {total}" for side, total in sheet.totals.items())
    return f"{match.game}, {match.outcome}: {totals}"


def strip_controls(text: str) -> str:
    """Remove control characters, which a calendar must not contain, and bidirectional controls."""
    return "".join(char for char in strip_bidi(text) if unicodedata.category(char) != "Cc")

"""The evening as an entry of a calendar (RFC 5545), written by the library icalendar."""

import unicodedata
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from icalendar import Calendar, Event

from scorekeeper.base.errors import Unusable
from scorekeeper.exports.evening import Evening, Played
from scorekeeper.exports.filenames import unturned

PRODUCT: Final = "-//Scorekeeper//An evening//EN"


def calendar(evening: Evening) -> bytes:
    """A calendar with one event: the evening, from its first hand to its last; Unusable.

    An evening of which no time is known has no place in a calendar.
    """
    if evening.began is None or evening.ended is None:
        raise Unusable("expected a hand with a time: this log says of no hand when it was played")
    made = Calendar()
    made.add("prodid", PRODUCT)
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    began, ended = (at.replace(microsecond=0) for at in (evening.began, evening.ended))
    made.add_component(_event(evening, began, ended))
    return bytes(made.to_ical(sorted=False))


def _event(evening: Evening, began: datetime, ended: datetime) -> Event:
    event = Event()
    event.add("uid", f"{evening.first}@scorekeeper")
    event.add("dtstamp", evening.latest.replace(microsecond=0))
    event.add("sequence", evening.about["events"])
    event.add("dtstart", began.replace(microsecond=0))
    if ended.replace(microsecond=0) > began.replace(
        microsecond=0
    ):  # an end comes after a beginning
        event.add("dtend", ended.replace(microsecond=0))
    event.add("summary", printable(evening.about["title"]))
    if evening.about["place"]:
        event.add("location", printable(evening.about["place"]))
    event.add("description", "\n".join(map(printable, _description(evening))))
    event.add("status", "CONFIRMED" if evening.about["closed"] else "TENTATIVE")
    event.add("transp", "OPAQUE")
    return event


def _description(evening: Evening) -> Iterator[str]:
    yield ", ".join(evening.players)
    yield from map(_result, evening.matches)


def _result(match: Played) -> str:
    sheet = match.sheet
    totals = ", ".join(f"{sheet.columns[side]} {total}" for side, total in sheet.totals.items())
    return f"{match.game}, {match.outcome}: {totals}"


def printable(text: str) -> str:
    """A text without controls, which no calendar may hold, and that turns nothing around."""
    return "".join(char for char in unturned(text) if unicodedata.category(char) != "Cc")

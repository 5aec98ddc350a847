"""The day of play of a session, and its time span from its first hand to its last.

Later entries (a signature, a dispute, a correction, a note) do not extend it. A log written by hand
has no times of its own, and those of its import say nothing about the session.
"""

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from scorekeeper.events.common import HandStarted
from scorekeeper.events.event import Entry, Place
from scorekeeper.session.session import Session

MAX_CACHED_DAYS: Final = 20_000  # times whose days are cached
IMPORT_AUTHOR: Final = "import"  # the author of events imported from a log written by hand


class DayOfPlay(NamedTuple):
    """The day of a session: ``date`` if its log names one, else the day of the time ``at``.

    Both are empty if the day is unknown.
    """

    date: str = ""
    at: str = ""

    def in_zone(self, zone: ZoneInfo) -> str:
        """Return the ISO day in a time zone; empty if it is unknown."""
        return self.date or to_local_day(self.at, zone)

    def differs_from(self, at: str, zone: ZoneInfo) -> bool:
        """Return whether the log names another day than that of a time: it was recorded later."""
        return bool(self.date) and self.date != to_local_day(at, zone)


@lru_cache(MAX_CACHED_DAYS)
def to_local_day(at: str, zone: ZoneInfo) -> str:
    """Return the ISO day in a time zone of a time from a log; empty without a time."""
    return datetime.fromisoformat(at).astimezone(zone).date().isoformat() if at else ""


def find_day(session: Session) -> DayOfPlay:
    """Return the day of play of a session.

    The first event of an imported log has no time of its own: then the first hand that was recorded
    here counts.
    """
    opened, record = get_first_entry(session), session.structure.opened
    at = opened.at if opened.by != IMPORT_AUTHOR else next(_list_play_times(session), "")
    return DayOfPlay((record and record.date) or "", at)


def get_first_entry(session: Session) -> Entry:
    """Return the first recorded entry of a session that has events."""
    return next(iter(session.corrections.recorded.values()))


def find_start(session: Session) -> str | None:
    """Return when the first hand was dealt, or else the session opened; None if no time is known.

    The time is in the form of the log.
    """
    opened = get_first_entry(session)
    return next(
        _list_play_times(session), None if opened.by == IMPORT_AUTHOR else opened.at or None
    )


def find_span(session: Session) -> tuple[str, str] | None:
    """Return when the first and the last entry of its hands was recorded; None if no time is known.

    Without any hand, both are the time at which the session was opened.
    """
    opened = find_start(session)
    times = list(_list_play_times(session)) or ([opened] if opened else [])
    return (min(times), max(times)) if times else None


def _list_play_times(session: Session) -> Iterator[str]:
    """Yield the times of the entries that were recorded during play."""
    recorded = session.corrections.recorded
    for segment in session.structure.segments:
        for key in segment.keys if segment.hand else ():
            entry = recorded[key]
            played = isinstance(entry.event, HandStarted) or type(entry.event).PLACE is Place.HAND
            if played and entry.at and entry.by != IMPORT_AUTHOR:
                yield entry.at

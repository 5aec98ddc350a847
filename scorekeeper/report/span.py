"""The time span of a session, from its first hand to its last.

Later entries (a signature, a dispute, a correction, a note) do not extend it. A log written by hand
has no times of its own, and those of its import say nothing about the session.
"""

from collections.abc import Iterator
from typing import Final

from scorekeeper.events.common import HandStarted
from scorekeeper.events.event import Place
from scorekeeper.session.session import Session

IMPORT_AUTHOR: Final = "import"  # the author of events imported from a log written by hand


def find_start(session: Session) -> str | None:
    """Return when the first hand was dealt, or else the session opened; None if no time is known.

    The time is in the form of the log.
    """
    opened = next(iter(session.corrections.recorded.values()))
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

"""From when to when an evening was played: from its first hand to its last.

What was recorded later (a signature, a dispute, a correction, a note) does not stretch it. A log
that was written by hand has no times of its own: those of its import say nothing of the evening.
"""

from collections.abc import Iterator
from typing import Final

from scorekeeper.events.common import HandStarted
from scorekeeper.events.event import Place
from scorekeeper.session.session import Session

IMPORT_AUTHOR: Final = "import"  # who recorded what was written by hand elsewhere


def find_start(session: Session) -> str | None:
    """When its first hand was dealt, or it was opened; None where no time is known.

    The time is as its log writes it.
    """
    opened = next(iter(session.corrections.recorded.values()))
    return next(
        _list_play_times(session), None if opened.by == IMPORT_AUTHOR else opened.at or None
    )


def find_span(session: Session) -> tuple[str, str] | None:
    """When the first and the last of its hands was recorded; None where no time is known.

    As long as there is no hand it is when the evening was opened.
    """
    opened = find_start(session)
    times = list(_list_play_times(session)) or ([opened] if opened else [])
    return (min(times), max(times)) if times else None


def _list_play_times(session: Session) -> Iterator[str]:
    """The times of what was recorded of hands as they were played."""
    recorded = session.corrections.recorded
    for segment in session.structure.segments:
        for key in segment.keys if segment.hand else ():
            entry = recorded[key]
            played = isinstance(entry.event, HandStarted) or type(entry.event).PLACE is Place.HAND
            if played and entry.at and entry.by != IMPORT_AUTHOR:
                yield entry.at

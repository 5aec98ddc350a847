"""A tournament as a calendar entry (RFC 5545), written by the library icalendar."""

from collections.abc import Iterator
from typing import Final

from icalendar import Calendar, Event

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.language import speaking
from scorekeeper.exports.filenames import parse_time
from scorekeeper.exports.ics import PRODUCT, add_span, make_span, strip_controls
from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.exports.tournament_words import (
    describe_progress,
    format_exact,
    format_standing_place,
)

MAX_PLACES: Final = 10  # in the description of the entry


def tournament_calendar(file: TournamentFile) -> bytes:
    """Return a calendar with one event: the tournament, from its first to its last known time.

    Raises `UnusableError` if no time of play is known.
    """
    if not file.about.began:
        words = "expected a round that has begun: no time of play is known"
        raise UnusableError(words, field="round")
    entries = Calendar()
    entries.add("prodid", PRODUCT)
    entries.add("version", "2.0")
    entries.add("method", "PUBLISH")
    entries.add_component(_make_entry(file))
    return bytes(entries.to_ical(sorted=False))


def _make_entry(file: TournamentFile) -> Event:
    """Return the tournament as an event of a calendar."""
    event, about = Event(), file.about
    event.add("uid", f"{about.id}@scorekeeper")
    event.add("dtstamp", file.latest.replace(microsecond=0))
    event.add("sequence", file.standings.after_round)
    end = max(about.ended, about.closed)
    add_span(event, make_span(parse_time(about.began), parse_time(end)))
    event.add("summary", strip_controls(about.name))
    if about.place:
        event.add("location", strip_controls(about.place))
    with speaking(file.reader.translated_language):
        lines = [strip_controls(line) for line in _list_lines(file)]
    event.add("description", "\n".join(lines))
    event.add("status", "CONFIRMED" if about.closed else "TENTATIVE")
    event.add("transp", "OPAQUE")
    return event


def _list_lines(file: TournamentFile) -> Iterator[str]:
    """Yield the lines of the description: the game, and the first places."""
    yield f"{file.game}, {describe_progress(file)}"
    if file.standings.after_round:
        for row in file.standings.rows[:MAX_PLACES]:
            yield f"{format_standing_place(row)} {row.name} {format_exact(row.points)}"

"""The evenings of a season as a calendar feed (RFC 5545), written by the library icalendar.

Subscribed calendars request it repeatedly: an evening keeps its id, and its number of events
(``SEQUENCE``) shows which version is newer.
"""

from collections.abc import Iterator
from datetime import date
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event

from scorekeeper.base.language import speaking
from scorekeeper.clubs.evening import PlayedEvening, PlayedMatch
from scorekeeper.exports.filenames import parse_time
from scorekeeper.exports.ics import (
    PRODUCT,
    CalendarSpan,
    add_span,
    make_span,
    strip_controls,
)
from scorekeeper.exports.season import UNKNOWN_TIME, SeasonFile
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import gettext as _


def season_calendar(season: SeasonFile) -> bytes:
    """Return a calendar with an entry for each evening with a known day."""
    entries = Calendar()
    entries.add("prodid", PRODUCT)
    entries.add("version", "2.0")
    entries.add("method", "PUBLISH")
    entries.add("x-wr-calname", strip_controls(season.title))
    with speaking(season.reader.translated_language):
        for evening in season.evenings:
            span = _find_span(evening, season.zone)
            if span is not None:
                entries.add_component(_evening_entry(evening, span))
    return bytes(entries.to_ical(sorted=False))


def _find_span(evening: PlayedEvening, zone: ZoneInfo) -> CalendarSpan | None:
    """Return the beginning and end of an evening; None if its day is unknown.

    It is the whole day of play if the evening was recorded later.
    """
    if evening.day.differs_from(evening.began, zone):
        return date.fromisoformat(evening.day.date), None
    if not evening.began:
        return None
    return make_span(parse_time(evening.began), parse_time(evening.ended or evening.began))


def _evening_entry(evening: PlayedEvening, span: CalendarSpan) -> Event:
    """Return an evening as a calendar event in a span."""
    event = Event()
    event.add("uid", f"{evening.first}@scorekeeper")
    latest = evening.ended or evening.began or evening.opened or UNKNOWN_TIME
    event.add("dtstamp", parse_time(latest).replace(microsecond=0))
    event.add("sequence", evening.events)
    add_span(event, span)
    event.add("summary", strip_controls(evening.title))
    if evening.place:
        event.add("location", strip_controls(evening.place))
    event.add("description", "\n".join(map(strip_controls, _description(evening))))
    event.add("transp", "OPAQUE")
    return event


def _description(evening: PlayedEvening) -> Iterator[str]:
    """Yield the lines of the description: players, and the outcome of each match."""
    yield ", ".join(evening.names.values())
    for match in filter(lambda played: played.hands, evening.matches):
        game = GAMES[match.game].local_name if match.game in GAMES else match.game
        yield f"{game}, {_outcome(match, evening)}"


def _outcome(match: PlayedMatch, evening: PlayedEvening) -> str:
    """Return the winners of a match, or that it is open or undecided, in words."""
    won = [evening.names[player] for side in match.winners for player in match.sides[side]]
    if not won:
        return _("undecided") if match.finished else _("open")
    if len(match.winners) > 1:
        return _("shared by %(names)s", names=_(" and ").join(won))
    return _("won by %(name)s", name=_(" and ").join(won))

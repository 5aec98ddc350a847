"""The evenings of a season as a calendar feed (RFC 5545), written by the library icalendar.

Subscribed calendars request it repeatedly: an evening keeps its id, and its number of events
(``SEQUENCE``) shows which version is newer.
"""

from collections.abc import Iterator
from datetime import datetime

from icalendar import Calendar, Event

from scorekeeper.base.language import speaking
from scorekeeper.clubs.evening import PlayedEvening, PlayedMatch
from scorekeeper.exports.filenames import parse_time
from scorekeeper.exports.ics import PRODUCT, strip_controls
from scorekeeper.exports.season import SeasonFile
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import gettext as _


def season_calendar(season: SeasonFile) -> bytes:
    """Return a calendar with an entry for each evening with a known time."""
    entries = Calendar()
    entries.add("prodid", PRODUCT)
    entries.add("version", "2.0")
    entries.add("method", "PUBLISH")
    entries.add("x-wr-calname", strip_controls(season.title))
    with speaking(season.reader.translated_language):
        for evening in season.evenings:
            if evening.began:
                entries.add_component(_evening_entry(evening))
    return bytes(entries.to_ical(sorted=False))


def _evening_entry(evening: PlayedEvening) -> Event:
    """Return an evening as a calendar event."""
    began, ended = _parse_to_second(evening.began), _parse_to_second(evening.ended or evening.began)
    event = Event()
    event.add("uid", f"{evening.first}@scorekeeper")
    event.add("dtstamp", ended)
    event.add("sequence", evening.events)
    event.add("dtstart", began)
    if ended > began:  # an end comes after a beginning
        event.add("dtend", ended)
    event.add("summary", strip_controls(evening.title))
    if evening.place:
        event.add("location", strip_controls(evening.place))
    event.add("description", "\n".join(map(strip_controls, _description(evening))))
    event.add("transp", "OPAQUE")
    return event


def _parse_to_second(at: str) -> datetime:
    """Return a time of a log without fractions of a second."""
    return parse_time(at).replace(microsecond=0)


def _description(evening: PlayedEvening) -> Iterator[str]:
    """Yield the lines of the description: players, and the outcome of each match."""
    yield ", ".join(evening.names.values())
    for match in filter(lambda played: played.hands, evening.matches):
        game = GAMES[match.game].name if match.game in GAMES else match.game
        yield f"{game}, {_outcome(match, evening)}"


def _outcome(match: PlayedMatch, evening: PlayedEvening) -> str:
    """Return the winners of a match, or that it is open or undecided, in words."""
    won = [evening.names[player] for side in match.winners for player in match.sides[side]]
    if not won:
        return _("undecided") if match.finished else _("open")
    if len(match.winners) > 1:
        return _("shared by %(names)s", names=_(" and ").join(won))
    return _("won by %(name)s", name=_(" and ").join(won))

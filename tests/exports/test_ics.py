"""``evening.ics``: one event, as a parser reads it back, strictly.

Tests of ``report.span``, too.
"""

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar

from scorekeeper.base.errors import Unusable
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.filenames import strip_bidi
from scorekeeper.exports.formats import export_file
from scorekeeper.exports.ics import calendar
from scorekeeper.languages.reader import Reader
from scorekeeper.log.writing import sealed_lines
from scorekeeper.session.session import Session
from tests.evenings import event
from tests.exports.taken import EVENINGS, ID, NAMES, events_of, log_of, riparto, taken

OPENED = "2026-11-21T19:00:00.000Z"
BEGAN = "2026-11-21T20:14:03.250Z"
ENDED = "2026-11-22T00:30:00.000Z"
WEEKS_LATER = "2026-12-19T09:00:00.000Z"
LONGEST = 75  # octets of a line


def members(data: bytes) -> dict[str, Any]:
    """The properties of the event; what the parser passes over in silence is an error here."""
    read = Calendar.from_ical(data)
    (found,) = read.subcomponents
    assert found.name == "VEVENT"
    assert read.errors == found.errors == []
    told = {name: one.dt if hasattr(one, "dt") else one for name, one in found.items()}
    return {name: one if isinstance(one, datetime) else str(one) for name, one in told.items()}


def test_the_evening_is_one_event() -> None:
    events = [*riparto(2, place="At Mara’s"), event("session_closed")]
    evening = taken(events, OPENED, OPENED, BEGAN, *[ENDED] * 5, WEEKS_LATER)
    told = members(calendar(evening))
    assert told == {
        "UID": f"{evening.first}@scorekeeper",
        "DTSTAMP": datetime(2026, 12, 19, 9, tzinfo=UTC),
        "SEQUENCE": "9",
        "DTSTART": datetime(2026, 11, 21, 20, 14, 3, tzinfo=UTC),
        "DTEND": datetime(2026, 11, 22, 0, 30, tzinfo=UTC),
        "SUMMARY": "Friday",
        "LOCATION": "At Mara’s",
        "DESCRIPTION": "Mara, Leo, Nina\nRiparto, shared by Leo and Nina: Mara 0, Leo 5, Nina 5",
        "STATUS": "CONFIRMED",
        "TRANSP": "OPAQUE",
    }


@pytest.mark.parametrize(
    "later",
    [
        event("event_struck", seq=5, reason="no"),
        event("event_replaced", seq=5, type="points_counted", reason="no",
              data={"points": {"leo": 6, "nina": 8, "mara": 1}}),
        event("event_inserted", after=4, type="score_claimed", reason="no",
              data={"scores": {"leo": 5}}),
        event("hand_disputed", player="mara", reason="no"),
        event("hand_confirmed", player="mara"),
        event("penalty_given", side="mara", points=-1, reason="late"),
        event("note_added", text="late"),
    ],
)  # fmt: skip
def test_what_is_said_weeks_later_does_not_stretch_it(later: Any) -> None:
    evening = taken([*riparto(1), later], OPENED, OPENED, BEGAN, ENDED, ENDED, WEEKS_LATER)
    told = members(calendar(evening))
    assert (told["DTSTART"].day, told["DTEND"].day, told["DTSTAMP"].day) == (21, 22, 19)
    assert "21 November 2026" in evening.hours
    assert "December" not in evening.hours


def test_a_log_without_times_has_no_day_and_no_place_in_a_calendar() -> None:
    by_hand = [(one["type"], one["data"]) for one in riparto(2)]
    log = b"".join(sealed_lines(by_hand, WEEKS_LATER))
    evening = Evening.of(ID, Session.read(BytesIO(log), None))
    assert (evening.began, evening.hours, evening.name) == (None, "", "friday")
    with pytest.raises(Unusable):
        calendar(evening)


def test_an_evening_without_a_hand_stands_where_it_was_opened() -> None:
    evening = taken(riparto(0))
    assert evening.began == evening.ended
    assert evening.name == "2026-11-21-friday"
    assert "DTEND" not in members(calendar(evening))


def test_an_evening_that_goes_on_is_the_same_event_later() -> None:
    early, late = (members(calendar(taken(riparto(n), BEGAN, ENDED))) for n in (1, 2))
    assert early["UID"] == late["UID"]
    assert int(early["SEQUENCE"]) < int(late["SEQUENCE"])
    assert early["STATUS"] == "TENTATIVE"
    assert early["UID"] != members(calendar(taken(riparto(1, title="Saturday"))))["UID"]


def test_an_end_comes_after_the_beginning_or_not_at_all() -> None:
    """A hand may be recorded at one moment; a clock can go backwards, too."""
    assert "DTEND" not in members(calendar(taken(riparto(1), BEGAN)))
    told = members(calendar(taken(riparto(1), OPENED, OPENED, ENDED, BEGAN)))
    assert told["DTSTART"] < told["DTEND"]


def test_it_is_in_the_language_of_the_reader_and_its_times_are_the_same_for_all() -> None:
    events = [*riparto(2), event("match_ended")]
    english = members(calendar(taken(events, BEGAN)))
    session = Session.read(BytesIO(log_of(events, BEGAN)), None)
    italian = Evening.of(ID, session, Reader("it", "Asia/Tokyo"))
    told = members(export_file("ics", italian, b""))
    assert "a pari merito tra Leo e Nina" in told["DESCRIPTION"]
    assert told["DTSTART"] == english["DTSTART"]
    assert italian.name == "2026-11-22-friday"


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_every_match_is_told(path: Path) -> None:
    evening = taken(events_of(path))
    players, *results = members(calendar(evening))["DESCRIPTION"].split("\n")
    assert players == ", ".join(evening.players)
    for match, told in zip(evening.matches, results, strict=True):
        assert told.startswith(f"{match.game}, {match.outcome}: ")
        for side, total in match.sheet.totals.items():
            assert f"{match.sheet.columns[side]} {total}" in told


@pytest.mark.parametrize("name", NAMES)
def test_texts_come_back_as_they_were(name: str) -> None:
    evening = taken(riparto(1, name, "Leo", "Nina", title=name, place=name))
    data = calendar(evening)
    told = members(data)
    assert told["SUMMARY"] == told["LOCATION"] == strip_bidi(evening.about["title"])
    assert told["DESCRIPTION"].startswith(f"{strip_bidi(evening.players[0])}, Leo, Nina\n")
    lines = data.split(b"\r\n")
    assert max(map(len, lines)) <= LONGEST
    for line in lines:
        line.decode("utf-8")  # no character is torn apart
    assert b"\n" not in data.replace(b"\r\n", b"")


def test_no_text_adds_a_property() -> None:
    evening = taken(riparto(1, title="x;DTSTART:19990101T000000Z,BEGIN:VALARM"))
    lines = calendar(evening).replace(b"\r\n ", b"").split(b"\r\n")
    assert [line for line in lines if line.startswith(b"BEGIN")] == [
        b"BEGIN:VCALENDAR", b"BEGIN:VEVENT",
    ]  # fmt: skip
    assert len([line for line in lines if line.startswith(b"DTSTART")]) == 1


def test_it_is_the_same_bytes_each_time() -> None:
    assert calendar(taken(riparto(2), BEGAN)) == calendar(taken(riparto(2), BEGAN))

"""``evening.ics``: one event, read back by a strict parser.

Tests of ``report.span``, too.
"""

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar

from scorekeeper.base.errors import UnusableError
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.filenames import strip_bidi
from scorekeeper.exports.formats import export_file
from scorekeeper.exports.ics import make_calendar
from scorekeeper.languages.reader import Reader
from scorekeeper.log.writing import sealed_lines
from scorekeeper.session.session import Session
from tests.evenings import event
from tests.exports.samples import EVENINGS, ID, NAMES, evening_of, events_of, log_of, riparto

OPENED = "2026-11-21T19:00:00.000Z"
BEGAN = "2026-11-21T20:14:03.250Z"
ENDED = "2026-11-22T00:30:00.000Z"
WEEKS_LATER = "2026-12-19T09:00:00.000Z"
MAX_LINE_OCTETS = 75  # octets of a line


def members(data: bytes) -> dict[str, Any]:
    """Return the properties of the event; errors that the parser ignores fail the test."""
    read = Calendar.from_ical(data)
    (entry,) = read.subcomponents
    assert entry.name == "VEVENT"
    assert read.errors == entry.errors == []
    values = {name: getattr(value, "dt", value) for name, value in entry.items()}
    return {
        name: value if isinstance(value, datetime) else str(value) for name, value in values.items()
    }


def test_session_is_one_event() -> None:
    events = [*riparto(2, place="At Mara’s"), event("session_closed")]
    evening = evening_of(events, OPENED, OPENED, BEGAN, *[ENDED] * 5, WEEKS_LATER)
    entry = members(make_calendar(evening))
    assert entry == {
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
def test_late_events_do_not_extend_the_period(later: Any) -> None:
    evening = evening_of([*riparto(1), later], OPENED, OPENED, BEGAN, ENDED, ENDED, WEEKS_LATER)
    entry = members(make_calendar(evening))
    assert (entry["DTSTART"].day, entry["DTEND"].day, entry["DTSTAMP"].day) == (21, 22, 19)
    assert "21 November 2026" in evening.hours
    assert "December" not in evening.hours


def test_log_without_times_cannot_be_exported() -> None:
    by_hand = [(raw["type"], raw["data"]) for raw in riparto(2)]
    log = b"".join(sealed_lines(by_hand, WEEKS_LATER))
    evening = Evening.of(ID, Session.read(BytesIO(log), None))
    assert (evening.began, evening.hours, evening.name) == (None, "", "friday")
    with pytest.raises(UnusableError):
        make_calendar(evening)


def test_session_without_a_hand_begins_when_it_was_opened() -> None:
    evening = evening_of(riparto(0))
    assert evening.began == evening.ended
    assert evening.name == "2026-11-21-friday"
    assert "DTEND" not in members(make_calendar(evening))


def test_id_of_a_session_stays_and_its_sequence_grows() -> None:
    early, late = (members(make_calendar(evening_of(riparto(n), BEGAN, ENDED))) for n in (1, 2))
    assert early["UID"] == late["UID"]
    assert int(early["SEQUENCE"]) < int(late["SEQUENCE"])
    assert early["STATUS"] == "TENTATIVE"
    assert early["UID"] != members(make_calendar(evening_of(riparto(1, title="Saturday"))))["UID"]


def test_end_is_after_the_beginning_or_missing() -> None:
    """All events of a hand may have the same time, and a clock can go backwards."""
    assert "DTEND" not in members(make_calendar(evening_of(riparto(1), BEGAN)))
    entry = members(make_calendar(evening_of(riparto(1), OPENED, OPENED, ENDED, BEGAN)))
    assert entry["DTSTART"] < entry["DTEND"]


def test_texts_are_in_the_language_of_the_reader_and_times_in_utc() -> None:
    events = [*riparto(2), event("match_ended")]
    english = members(make_calendar(evening_of(events, BEGAN)))
    session = Session.read(BytesIO(log_of(events, BEGAN)), None)
    italian = Evening.of(ID, session, Reader("it", "Asia/Tokyo"))
    entry = members(export_file("ics", italian, b""))
    assert "a pari merito tra Leo e Nina" in entry["DESCRIPTION"]
    assert entry["DTSTART"] == english["DTSTART"]
    assert italian.name == "2026-11-22-friday"


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_description_has_every_match(path: Path) -> None:
    evening = evening_of(events_of(path))
    players, *results = members(make_calendar(evening))["DESCRIPTION"].split("\n")
    assert players == ", ".join(evening.players)
    for match, entry in zip(evening.matches, results, strict=True):
        assert entry.startswith(f"{match.game}, {match.outcome}: ")
        for side, total in match.sheet.totals.items():
            assert f"{match.sheet.columns[side]} {total}" in entry


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_read_back_unchanged(name: str) -> None:
    evening = evening_of(riparto(1, name, "Leo", "Nina", title=name, place=name))
    data = make_calendar(evening)
    entry = members(data)
    assert entry["SUMMARY"] == entry["LOCATION"] == strip_bidi(evening.about.title)
    assert entry["DESCRIPTION"].startswith(f"{strip_bidi(evening.players[0])}, Leo, Nina\n")
    lines = data.split(b"\r\n")
    assert max(map(len, lines)) <= MAX_LINE_OCTETS
    for line in lines:
        line.decode("utf-8")  # no character is split
    assert b"\n" not in data.replace(b"\r\n", b"")


def test_no_text_adds_a_property() -> None:
    evening = evening_of(riparto(1, title="x;DTSTART:19990101T000000Z,BEGIN:VALARM"))
    lines = make_calendar(evening).replace(b"\r\n ", b"").split(b"\r\n")
    assert [line for line in lines if line.startswith(b"BEGIN")] == [
        b"BEGIN:VCALENDAR", b"BEGIN:VEVENT",
    ]  # fmt: skip
    assert len([line for line in lines if line.startswith(b"DTSTART")]) == 1


def test_export_is_reproducible() -> None:
    assert make_calendar(evening_of(riparto(2), BEGAN)) == make_calendar(
        evening_of(riparto(2), BEGAN)
    )

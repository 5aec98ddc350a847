"""Names, title, place and day of play put right show in every file, also for what was before."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from icalendar import Calendar
from pypdf import PdfReader

from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.formats import FORMATS
from scorekeeper.languages.reader import Reader
from scorekeeper.session.session import Session
from tests.evenings import by_hand, event, sealed
from tests.exports.samples import ID, evening_of, riparto

LATER = [
    event("session_closed"),
    event("player_renamed", player="mara", name="Zelda"),
    event("session_described", title="Saturday", place="Nina's", date="2019-03-01"),
]
OLD = ("Mara", "Friday", "2026", "21 November")
# What each format shows of title, name, place and day; a picture has no text to read.
SHOWS = {
    "results": ("Saturday", "Zelda", "2019-03-01"),
    "lines": (),
    "payments": ("2019-03-01",),
    "xlsx": ("Saturday", "Zelda", "Nina's", "1 March 2019", "2019-03-01"),
    "pdf": ("Saturday", "Zelda", "Nina's", "1 March 2019"),
    "zip": ("Saturday", "Zelda", "Nina's", "1 March 2019"),
    "ics": ("Saturday", "Zelda", "Nina's", "20190301"),
    "text": ("Saturday", "Zelda", "Nina's", "1 March 2019"),
}


def put_right() -> Evening:
    return evening_of([*riparto(2), *LATER])


def text_of(form: str, data: bytes) -> str:
    """Return all text of a file; that of a bundle is its README."""
    if form == "pdf":
        return "\n".join(page.extract_text() for page in PdfReader(BytesIO(data)).pages)
    if form in ("xlsx", "zip"):
        with ZipFile(BytesIO(data)) as archive:
            names = ["README.txt"] if form == "zip" else archive.namelist()
            parts = [archive.read(name).decode() for name in names]
        return "\n".join(parts).replace("&apos;", "'")
    return data.decode("utf-8-sig").replace("\r\n ", "")


@pytest.mark.parametrize("form", SHOWS)
def test_file_shows_the_present_name_title_place_and_day(form: str) -> None:
    stake = {"currency": "EUR", "point": 10, "match": 0}
    events = riparto(2)
    events[1]["data"]["stake"] = stake
    text = text_of(form, FORMATS[form](evening_of([*events, *LATER]), b""))
    for word in SHOWS[form]:
        assert word in text
    for word in OLD[:2]:
        assert word not in text
    if form != "xlsx":  # which says when the last event was recorded
        assert OLD[3] not in text


def test_every_format_is_tried() -> None:
    assert SHOWS.keys() | {"png"} == FORMATS.keys()


def test_names_of_files_follow_the_day_and_the_title() -> None:
    assert put_right().name == "2019-03-01-saturday"


def test_evening_that_was_recorded_later_takes_a_whole_day_of_the_calendar() -> None:
    (entry,) = Calendar.from_ical(FORMATS["ics"](put_right(), b"")).walk("VEVENT")
    assert entry["dtstart"].to_ical() == b"20190301"
    assert entry["dtstart"].params["VALUE"] == "DATE"
    assert "dtend" not in entry


def test_evening_described_with_its_own_day_keeps_its_hours() -> None:
    same = evening_of([*riparto(2), event("session_described", date="2026-11-21")])
    assert same.hours == evening_of(riparto(2)).hours
    (entry,) = Calendar.from_ical(FORMATS["ics"](same, b"")).walk("VEVENT")
    assert "VALUE" not in entry["dtstart"].params


def test_imported_log_gets_its_day() -> None:
    session = Session.read(BytesIO(sealed([*riparto(2), LATER[2]])), None)
    evening = Evening.of(ID, session, Reader(language="it"))
    assert (evening.hours, evening.began) == ("1 marzo 2019", None)
    assert b"DTSTART;VALUE=DATE:20190301" in FORMATS["ics"](evening, b"")


def test_result_for_a_club_has_the_present_names_and_is_read_back() -> None:
    session = Session.read(BytesIO(by_hand([*riparto(2), *LATER])))
    played = PlayedEvening.of("one", session)
    assert (played.title, played.first_title, played.place) == ("Saturday", "Friday", "Nina's")
    assert (played.day.date, played.names["mara"]) == ("2019-03-01", "Zelda")
    assert PlayedEvening.from_json(played.to_json()) == played

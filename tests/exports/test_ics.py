"""``evening.ics``: one event, as calendars read it."""

import re
from pathlib import Path

import pytest

from scorekeeper.exports.ics import LONGEST, calendar
from tests.evenings import event
from tests.exports.taken import EVENINGS, NAMES, events_of, riparto, taken

BEGAN = "2026-11-21T20:14:03.250Z"
ENDED = "2026-11-22T00:30:00.000Z"


def members(data: bytes) -> dict[str, str]:
    """The properties of the event, unfolded and with their texts as they were."""
    lines = data.decode("utf-8").replace("\r\n ", "").split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    inner = lines[lines.index("BEGIN:VEVENT") + 1 : lines.index("END:VEVENT")]
    return {name: unescaped(value) for name, _, value in (line.partition(":") for line in inner)}


def unescaped(value: str) -> str:
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], value)


def test_the_evening_is_one_event() -> None:
    evening = taken([*riparto(2, place="At Mara’s"), event("session_closed")], BEGAN, ENDED)
    told = members(calendar(evening))
    assert told == {
        "UID": f"{evening.first}@scorekeeper",
        "DTSTAMP": "20261122T003000Z",
        "SEQUENCE": "9",
        "DTSTART": "20261121T201403Z",
        "DTEND": "20261122T003000Z",
        "SUMMARY": "Friday",
        "LOCATION": "At Mara’s",
        "DESCRIPTION": "Mara, Leo, Nina\nRiparto, shared by Leo and Nina: Mara 0, Leo 5, Nina 5",
        "STATUS": "CONFIRMED",
        "TRANSP": "OPAQUE",
    }


def test_an_evening_that_goes_on_is_the_same_event_later() -> None:
    early, late = (members(calendar(taken(riparto(n), BEGAN, ENDED))) for n in (1, 2))
    assert early["UID"] == late["UID"]
    assert int(early["SEQUENCE"]) < int(late["SEQUENCE"])
    assert early["STATUS"] == "TENTATIVE"
    assert early["UID"] != members(calendar(taken(riparto(1, title="Saturday"))))["UID"]


def test_an_end_comes_after_the_beginning_or_not_at_all() -> None:
    """One that was imported was recorded at one moment; a clock can go backwards, too."""
    assert "DTEND" not in members(calendar(taken(riparto(1), BEGAN)))
    told = members(calendar(taken(riparto(1), BEGAN, ENDED, BEGAN)))
    assert (told["DTSTART"], told["DTEND"]) == ("20261121T201403Z", "20261122T003000Z")


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
    assert told["SUMMARY"] == told["LOCATION"] == evening.about["title"]
    assert told["DESCRIPTION"].startswith(f"{evening.players[0]}, Leo, Nina\n")
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

"""``report.span``: the day of play, and the span of the hands."""

from io import BytesIO
from zoneinfo import ZoneInfo

import pytest

from scorekeeper.log.chain import START, seal
from scorekeeper.report.span import DayOfPlay, find_day, find_span, find_start, to_local_day
from scorekeeper.session.session import Session
from tests.evenings import AT, Raw, by_hand, event, opening, sealed

ROME, HONOLULU = ZoneInfo("Europe/Rome"), ZoneInfo("Pacific/Honolulu")
LATE = "2026-11-21T23:30:00.000Z"
MATCH = event("match_started", game="riparto", seats=["mara", "leo", "nina"])
HAND = event("hand_started", dealer="mara")


def read(log: bytes) -> Session:
    return Session.read(BytesIO(log))


def recorded(*events: tuple[Raw, str, str]) -> Session:
    """Return a session of events, each with its time and author."""
    lines, head = [], START
    for seq, (raw, at, by) in enumerate(events, start=1):
        line = seal(head, seq, raw["type"], raw["data"], at, by)
        lines.append(line.line + b"\n")
        head = line.hash
    return read(b"".join(lines))


def test_day_is_that_of_the_first_event_in_the_zone_of_the_reader() -> None:
    session = recorded((opening("mara", "leo", "nina"), AT, "keeper"),
                       (MATCH, LATE, "keeper"), (HAND, LATE, "keeper"))  # fmt: skip
    day = find_day(session)
    assert day == DayOfPlay(at=AT)
    assert find_start(session) == LATE
    assert (day.in_zone(ROME), day.in_zone(HONOLULU)) == ("2026-11-21", "2026-11-21")
    assert DayOfPlay(at=LATE).in_zone(ROME) == to_local_day(LATE, ROME) == "2026-11-22"


def test_named_day_is_the_same_everywhere() -> None:
    log = [{**opening("mara"), "data": {**opening("mara")["data"], "date": "2019-03-01"}}]
    day = find_day(read(sealed(log, by="keeper")))
    assert (day.in_zone(ROME), day.in_zone(HONOLULU)) == ("2019-03-01", "2019-03-01")
    described = [*log, event("session_described", date="2018-01-31")]
    assert find_day(read(by_hand(described))).in_zone(ROME) == "2018-01-31"


def test_day_of_an_imported_log_is_unknown_until_it_is_named() -> None:
    log = [opening("mara", "leo", "nina"), MATCH, HAND]
    session = read(sealed(log))
    assert find_day(session) == DayOfPlay()
    assert find_span(session) is None
    assert find_day(session).in_zone(ROME) == ""
    named = read(sealed([*log, event("session_described", date="2020-02-29")]))
    assert find_day(named).in_zone(ROME) == "2020-02-29"


def test_day_of_an_imported_beginning_is_that_of_the_first_hand_recorded_here() -> None:
    session = recorded((opening("mara", "leo", "nina"), AT, "import"),
                       (MATCH, AT, "import"), (HAND, LATE, "keeper"))  # fmt: skip
    assert find_day(session) == DayOfPlay(at=LATE)


@pytest.mark.parametrize(
    ("day", "at", "later"),
    [
        (DayOfPlay("2019-03-01", AT), AT, True),
        (DayOfPlay("2026-11-21", AT), AT, False),
        (DayOfPlay("2019-03-01"), "", True),
        (DayOfPlay(at=AT), AT, False),
        (DayOfPlay(), "", False),
    ],
)
def test_evening_was_recorded_later_if_another_day_is_named(
    day: DayOfPlay, at: str, later: bool
) -> None:
    assert day.differs_from(at, ROME) is later

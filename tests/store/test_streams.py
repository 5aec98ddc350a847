"""The columns of a stored stream equal its lines, up to its end."""

import pytest

from scorekeeper.log.chain import START
from scorekeeper.store.streams import check_lines, parse_line
from tests.evenings import event, opening, sealed

LINES = [
    parse_line(line)
    for line in sealed(
        [opening("mara"), event("note_added", text="1"), event("note_added", text="2")]
    ).splitlines()
]


def test_intact_stream_is_whole() -> None:
    verdict = check_lines(LINES, answered=3)
    assert (verdict.ok, verdict.events, verdict.head) == (True, 3, LINES[2].hash)


def test_missing_tail_is_detected_by_a_stored_answer() -> None:
    assert not check_lines(LINES[:2], answered=3).ok
    assert not check_lines([], answered=1).ok


@pytest.mark.parametrize("place", range(3))
def test_column_that_differs_from_its_line_is_reported_with_its_place(place: int) -> None:
    lines = [*LINES]
    lines[place] = LINES[place]._replace(by="somebody")
    verdict = check_lines(lines)
    head = LINES[place - 1].hash if place else START
    assert (verdict.ok, verdict.events, verdict.head) == (False, place, head)
    assert verdict.first_bad_line == place + 1

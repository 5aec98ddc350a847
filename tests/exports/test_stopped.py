"""Matches without a winner in every file: undecided ones, and those without a complete hand.

Tests of ``exports.chat``, ``exports.picture``, ``exports.ics`` and ``exports.evening``.
"""

from io import BytesIO

import pytest
from icalendar import Calendar
from openpyxl import load_workbook
from pypdf import PdfReader

from scorekeeper.cli.sheet_text import sheet_lines
from scorekeeper.exports.chat import chat_text, summarize_evening
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.ics import make_calendar
from scorekeeper.exports.pdf import score_sheet
from scorekeeper.exports.xlsx import make_workbook
from tests.evenings import Raw, event
from tests.exports.samples import evening_of, hand
from tests.exports.samples import riparto as of_hands

START = event("match_started", game="riparto", seats=["mara", "leo", "nina"])


def stopped(*more: Raw) -> Evening:
    """Return an evening with an undecided match, and then what ``more`` records."""
    opened = of_hands(0)[0]
    return evening_of([opened, START, *hand(0), event("match_ended", undecided=True), *more])


def chat_of(evening: Evening) -> str:
    return chat_text(evening).decode("utf-8")


def test_undecided_match_is_shown_with_its_standing_and_no_winner() -> None:
    [match] = summarize_evening(stopped()).matches
    assert match.outcome == "Undecided"
    assert len(match.places) == 3
    assert not any(place.won for place in match.places)
    assert match.payments
    assert "Riparto: Undecided" in chat_of(stopped())


@pytest.mark.parametrize("more", [(), (event("hand_started", dealer="leo"),)])
def test_match_without_a_complete_hand_is_not_in_the_chat(more: tuple[Raw, ...]) -> None:
    ghost = stopped(START, *more, event("session_closed"))
    assert len(ghost.matches) == 2
    assert len(summarize_evening(ghost).matches) == 1
    assert chat_of(ghost) == chat_of(stopped(event("session_closed")))


def test_match_that_has_just_begun_has_no_standing_in_the_chat() -> None:
    matches = summarize_evening(stopped(START)).matches
    assert [(match.outcome, len(match.places)) for match in matches] == [
        ("Undecided", 3), ("Open", 0),
    ]  # fmt: skip


def test_files_say_that_a_match_has_no_result() -> None:
    ghost = stopped(START, event("session_closed"))
    words = "\n".join(sheet_lines(ghost.session, ghost.report))
    assert "Undecided." in words
    assert "No result: no hand was completed." in words
    assert "Shared by" not in words
    [entry] = Calendar.from_ical(make_calendar(ghost)).events
    assert "Riparto, no result" in str(entry["description"]).splitlines()
    paper = "".join(page.extract_text() for page in PdfReader(BytesIO(score_sheet(ghost))).pages)
    assert "no result" in paper
    assert "undecided" in paper
    workbook = load_workbook(BytesIO(make_workbook(ghost)))
    titles = [str(page.cell(1, 1).value) for page in workbook]
    assert "Riparto, undecided" in titles
    assert "Riparto, no result" in titles

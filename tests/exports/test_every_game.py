"""Every game with forty players, difficult names, and all hands disputed, in each format.

Other libraries read the files back, and the values must be those of the report.
Tests of ``exports.csv``, ``exports.xlsx``, ``exports.drawing`` and ``exports.chat``.
"""

import csv
import json
import zipfile
from io import BytesIO, StringIO
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import pytest
from icalendar import Calendar
from openpyxl import load_workbook
from PIL import Image
from pypdf import PdfReader

from scorekeeper.base.views import to_json_values
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.filenames import strip_bidi
from scorekeeper.exports.formats import export_file
from scorekeeper.languages.catalogues import LANGUAGES
from scorekeeper.languages.reader import Reader
from scorekeeper.report.marks import MARKS
from scorekeeper.report.narration import format_ranges
from scorekeeper.report.report import view_report
from scorekeeper.session.session import Session
from tests.evenings import Raw, event
from tests.exports.samples import EVENINGS, ID, events_of, log_of, riparto
from tests.thinned import thinned

ODD: Final = ("=1+1", "日本 🎉", "ליאו", "+Ada", "@Ugo", "-Ivo", "한국어")
FORTY: Final = 40
LOG: Final = b"the log"


def crowded(path: Path) -> list[Raw]:
    """Return a golden session with forty players and all its hands disputed."""
    events = [raw for raw in events_of(path) if raw["type"] != "session_closed"]
    players = events[0]["data"]["players"]
    for player, name in zip(players, ODD, strict=False):
        player["name"] = name
    players += [{"id": f"w{n}", "name": f"Who {n}"} for n in range(FORTY - len(players))]
    before = view_report(Session.read(BytesIO(log_of(events)), None))
    disputes = [
        event("hand_disputed", player=match.seats[0], reason="=no", match=match.match,
              hand=hand.hand)
        for match in before.matches for hand in match.hands if not hand.disputed
    ]  # fmt: skip
    return [*events, *disputes]


@pytest.fixture(
    scope="module",
    params=thinned(zip(EVENINGS, cycle(LANGUAGES), strict=False), 2),
    ids=lambda param: f"{param[0].parent.name}-{param[1]}",
)
def evening(request: pytest.FixtureRequest) -> Evening:
    """Return a session of each game, for readers of different languages."""
    path, code = request.param
    return Evening.of(ID, Session.read(BytesIO(log_of(crowded(path))), None), Reader(code))


@pytest.fixture(scope="module")
def archive(evening: Evening) -> dict[str, bytes]:
    """Return the files of its archive."""
    with zipfile.ZipFile(BytesIO(export_file("zip", evening, LOG))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(data.decode("utf-8-sig"), newline="")))


def figures(row: tuple[Any, ...]) -> list[int]:
    return [cell for cell in row if isinstance(cell, int)]


def test_tables_add_up_to_the_totals_of_the_report(
    evening: Evening, archive: dict[str, bytes]
) -> None:
    read, lines = rows(archive["results.csv"]), rows(archive["lines.csv"])
    for match in evening.report.matches:
        number = str(match.match)
        hands = [row for row in read if row["match"] == number and row["status"] != "penalty"]
        assert {row["disputed"] for row in hands} == {"1"}
        by_points = not match.own.get("games") and "reckoning" not in match.own
        for side, total in match.totals.items():
            mine = [row for row in read if row["match"] == number and row["side"] == side]
            if by_points:
                assert int(mine[-1]["total"]) == total
            of_side = [row for row in lines if row["match"] == number and row["side"] == side]
            scored = sum(hand.scores[side] for hand in match.hands)
            fines = sum(int(row["score"]) for row in mine if row["status"] == "penalty")
            assert sum(int(row["points"]) for row in of_side) == scored + fines


def test_workbook_has_the_totals_and_marks_of_the_report(
    evening: Evening, archive: dict[str, bytes]
) -> None:
    book = load_workbook(BytesIO(archive["results.xlsx"]))
    cells = [cell for page in book for row in page.iter_rows() for cell in row]
    assert not any(cell.data_type == "f" or cell.hyperlink for cell in cells)
    for match, page in zip(evening.report.matches, book.worksheets, strict=False):
        written = list(page.iter_rows(min_row=4, values_only=True))
        assert list(match.totals.values()) in [figures(row) for row in written]
        marked = [str(row[1]) for row in written if isinstance(row[0], int)]
        assert [MARKS["disputed"].sign in signs for signs in marked] == [True] * len(match.hands)


def test_sheet_and_text_show_disputes(evening: Evening, archive: dict[str, bytes]) -> None:
    pages = PdfReader(BytesIO(archive["sheet.pdf"])).pages
    text = "".join("".join(page.extract_text().split()) for page in pages)
    hands = [len(match.hands) for match in evening.report.matches]
    assert text.count(MARKS["disputed"].sign) >= 2 * sum(hands)
    assert f"Who{FORTY - len(evening.players) + 1}" in text or "Who0" in text
    lines = export_file("text", evening, b"").decode().splitlines()
    for many in hands:
        whole = format_ranges(range(1, many + 1))
        assert any(line.startswith("⚑") and line.endswith(f" {whole}") for line in lines)


def test_picture_and_calendar_are_valid(evening: Evening) -> None:
    image = Image.open(BytesIO(export_file("png", evening, b"")))
    image.load()
    assert image.width == 1080
    if evening.began:
        [entry] = Calendar.from_ical(export_file("ics", evening, b"")).subcomponents
        assert entry.errors == []
        assert str(entry["DESCRIPTION"]).startswith(", ".join(map(strip_bidi, evening.players)))


def test_archive_has_report_log_and_results(evening: Evening, archive: dict[str, bytes]) -> None:
    assert json.loads(archive["report.json"]) == to_json_values(evening.untranslated)
    assert archive["log.jsonl"] == LOG
    assert archive["results.csv"] == export_file("results", evening, LOG)


# --------------------------------------------------------------------------- before any match


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_format_is_valid_without_a_match(language: str) -> None:
    events = riparto(0)[:1]
    session = Session.read(BytesIO(log_of(events)), None)
    empty = Evening.of(ID, session, Reader(language))
    note = {"en": "No match was played", "it": "nessuna partita", "fr": "Aucune partie"}[language]
    for table in ("results", "lines", "payments"):
        assert rows(export_file(table, empty, b"")) == []
    book = load_workbook(BytesIO(export_file("xlsx", empty, b"")))
    assert all(page.max_row == 1 for page in book.worksheets[:-1])
    assert book.worksheets[-1]["B1"].value == ID
    sheet = PdfReader(BytesIO(export_file("pdf", empty, b""))).pages
    assert [note in page.extract_text() for page in sheet] == [True]
    assert note in export_file("text", empty, b"").decode()
    assert Image.open(BytesIO(export_file("png", empty, b""))).width == 1080
    [entry] = Calendar.from_ical(export_file("ics", empty, b"")).subcomponents
    assert str(entry["SUMMARY"]) == "Friday"

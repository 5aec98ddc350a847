"""Exports of a season: every format has the figures of the table, in three languages.

Tests of ``exports.season_formats``, ``exports.season_tables``, ``exports.season_chat``,
``exports.season_calendar``, ``exports.season_paper`` and ``clubs.season_words``, too.
"""

import csv
import io
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar
from openpyxl import load_workbook
from pypdf import PdfReader

from scorekeeper.clubs.season import compute_standings
from scorekeeper.clubs.standings import EVENING_COLUMNS, view_standings
from scorekeeper.clubs.views import MemberNames
from scorekeeper.exports.paper import BOTTOM
from scorekeeper.exports.season import SeasonFile, season_notes
from scorekeeper.exports.season_formats import SEASON_FORMATS
from scorekeeper.languages.reader import Reader
from scorekeeper.report.span import DayOfPlay
from tests.clubs.founding import attended, evening, match, of_november

ROME = ZoneInfo("Europe/Rome")
EVENINGS = [
    evening("06", match(1, 10, 4, -4, -10), match(2, 0, 6, 0, -6)),
    evening("13", match(1, -3, 3, 3, -3), session_id="=cmd|late"),
    evening("20", match(1, 1, 1, 0, 0), match(2, 9, 9, -9, -9, over=False)),
]
NAMES = {"ada": "Ada", "bea": "=Bea\u202e", "ciro": "Ciro " * 11 + "Five", "dora": "Dora"}
ITALIAN = Reader("it", "Europe/Rome", ";", ",")


def season(by: str = "places", reader: Reader = ITALIAN, **ranking: Any) -> SeasonFile:
    """Return the season of November, prepared for export."""
    ranked = compute_standings(of_november(by, **ranking), attended(EVENINGS), ROME)
    return SeasonFile(
        view_standings(ranked, NAMES), EVENINGS, ROME, reader, "Circolo", "12-0123456789ab"
    )


def text_of(data: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(data)).pages]


def test_csv_has_a_row_for_each_member_and_evening() -> None:
    november = season()
    text = SEASON_FORMATS["csv"](november).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text), delimiter=";"))
    assert list(rows[0]) == list(EVENING_COLUMNS)
    assert len(rows) == sum(row.evenings for row in november.table.rows) == 12
    first = rows[0]
    assert (first["name"], first["date"], first["title"]) == ("'=Bea", "2026-11-06", "Friday")
    assert first["evening_won"] == "1"  # of two matches, one shared with nobody
    halves = [row["evening_figure"] for row in rows if row["member"] == "bea"]
    assert halves == ["5", "2,5", "2,5"]
    assert {row["evening"] for row in rows} >= {"'=cmd|late"} or "'=cmd" in text


def test_workbook_is_in_the_language_of_the_reader() -> None:
    book = load_workbook(io.BytesIO(SEASON_FORMATS["xlsx"](season())))
    assert book.sheetnames == ["Classifica", "Serate", "Stagione"]
    heads, *rows = book.worksheets[0].iter_rows(values_only=True)
    assert heads[1:4:2] == ("A pari merito", "Punti di piazzamento")
    assert [row[2] for row in rows] == ["=Bea", "Ada", NAMES["ciro"], "Dora"]
    assert book.worksheets[1].max_row == 13
    assert [row[3] for row in rows] == [10, 7.5, 5.5, 1]
    assert {row[1] for row in rows} == {"no"}
    assert book.worksheets[0]["D3"].number_format.startswith("General")  # with its half
    assert ("Versione", "12-0123456789ab") in list(book.worksheets[2].iter_rows(values_only=True))


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_chat_text_has_the_table(language: str) -> None:
    lines = SEASON_FORMATS["text"](season(reader=Reader(language))).decode().splitlines()
    decimal = "." if language == "en" else ","
    assert lines[0] == "Circolo · November · Riparto"
    assert lines[3].startswith("1. ")
    assert lines[3].endswith(f"10{decimal}0*".replace(f"{decimal}0", ""))
    assert len([line for line in lines if line.endswith("*")]) == 4


def test_calendar_has_dated_evenings_with_stable_ids() -> None:
    events = Calendar.from_ical(SEASON_FORMATS["ics"](season())).walk("VEVENT")
    assert [str(entry["uid"]) for entry in events] == [
        f"first{day}@scorekeeper" for day in ("06", "13", "20")
    ]
    assert events[0]["sequence"] == 60
    undated = [evening._replace(began="", ended="", day=DayOfPlay()) for evening in EVENINGS]
    without_days = SeasonFile(season().table, undated, ROME)
    assert Calendar.from_ical(SEASON_FORMATS["ics"](without_days)).walk("VEVENT") == []


def test_pdf_has_one_page() -> None:
    [page] = text_of(SEASON_FORMATS["pdf"](season(at_least=2)))
    for word in ("Circolo · November", "Ada", "Dora", "12-0123456789ab", "Punti di piazzamento"):
        assert word in page.replace("\n", " ")
    assert page.count("Ciro") == 11  # none of a long name is cut


@pytest.mark.parametrize("many", [70, pytest.param(300, marks=pytest.mark.soak)])
def test_members_with_the_longest_names_are_all_printed(many: int) -> None:
    people = [f"m{n}" for n in range(many)]
    name = "W" * 50 + " of {n:03} end"
    evenings = [evening("06", match(1, *range(many), players=" ".join(people)))]
    ranked = compute_standings(of_november(), attended(evenings), ROME)
    rows = view_standings(ranked, {who: name.format(n=n) for n, who in enumerate(people)})
    pages = text_of(SEASON_FORMATS["pdf"](SeasonFile(rows, evenings, ROME, club="Circolo")))
    text = "".join(pages).replace("\n", "")
    assert all(f"{n:03} end" in text for n in range(many))
    assert "…" not in text
    assert many * 4 / BOTTOM < len(pages) < 2 + many / 15
    chat = SEASON_FORMATS["text"](SeasonFile(rows, evenings, ROME)).decode()
    assert f"{many - 60} more" in chat


@pytest.mark.parametrize(
    ("by", "more", "words"),
    [
        ("points", {}, "Ties are broken by: more matches won, who was ahead when they met."),
        ("points", {"best": 3, "at_least": 2}, "Only the best 3 evenings of each count."),
        (
            "points",
            {"at_least": 2},
            "Players with fewer than 2 evenings are listed below the line.",
        ),
        ("points", {"ties": ()}, "Players who tie share the place."),
        ("wins", {}, "Players who tie share the win."),
        ("places", {"places": {"4": (9, 4, 1, 0)}}, "With 4 players: 9, 4, 1, 0."),
        ("rating", {}, "It begins at 1500."),
    ],
)
def test_notes_explain_the_ranking(by: str, more: Any, words: str) -> None:
    assert words in " ".join(season_notes(season(by, Reader(), **more)))


def test_season_without_players_says_so() -> None:
    empty = view_standings(compute_standings(of_november(), [], ROME), {})
    for form in ("pdf", "text"):
        data = SEASON_FORMATS[form](SeasonFile(empty, [], ROME))
        text = text_of(data)[0] if form == "pdf" else data.decode()
        assert "Nobody has played yet." in text


def test_members_who_left_are_marked_and_guests_stand_apart_in_every_file() -> None:
    names = MemberNames({**NAMES, "ciro": "Ciro"}, {"ada"}, {"dora"})
    ranked = compute_standings(
        of_november("points"), attended(EVENINGS), ROME, guests=frozenset({"dora"})
    )
    english = Reader("en", "Europe/Rome")
    november = SeasonFile(view_standings(ranked, names), EVENINGS, ROME, english, "Circolo")
    text = SEASON_FORMATS["text"](november).decode()
    members, _, guests = text.partition("\nGuests\n")
    assert "2. Ada (has left) 17*" in members
    assert "Dora" not in members
    assert guests.startswith("\u2013 Dora ")
    (page,) = text_of(SEASON_FORMATS["pdf"](november))
    assert "Ada (has left)" in page
    assert page.index("Guests") < page.index("Dora")
    assert page.index("Ciro") < page.index("Guests")
    sheet = load_workbook(io.BytesIO(SEASON_FORMATS["xlsx"](november))).worksheets[0]
    head, *rows = sheet.iter_rows(values_only=True)
    assert head[-2:] == ("Has left", "Guest")
    marked = {row[2]: (row[0] is None, *row[-2:]) for row in rows}
    assert marked["Ada"] == (False, "yes", "no")
    assert marked["Dora"] == (True, "no", "yes")
    cells = list(csv.DictReader(io.StringIO(SEASON_FORMATS["csv"](november).decode("utf-8-sig"))))
    flags = {row["member"]: (row["place"], row["left"], row["guest"]) for row in cells}
    assert flags["dora"] == ("", "0", "1")
    assert flags["ada"][1:] == ("1", "0")

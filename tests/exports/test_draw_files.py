"""The draw of a tournament as files."""

import csv
import io

from pypdf import PdfReader

from scorekeeper.exports.draw_files import draw_csv, draw_paper
from scorekeeper.languages.reader import Reader
from scorekeeper.tournaments.draws.balanced import draw_balanced

NAMES = {1: "=Ada", 2: "Béa", 19: "Zoë"}


def test_csv_has_a_row_for_each_seat_and_each_bye() -> None:
    draw = draw_balanced(19, 2, (5, 6))
    rows = list(csv.DictReader(io.StringIO(draw_csv(draw, NAMES).decode("utf-8-sig"))))
    assert len(rows) == 2 * 19
    for drawn in draw.rounds:
        mine = [row for row in rows if row["round"] == str(drawn.number)]
        assert [int(row["entrant"]) for row in mine if not row["table"]] == [*drawn.byes]
        for number, table in enumerate(drawn.tables, start=1):
            seats = [row for row in mine if row["table"] == str(number)]
            assert [int(row["entrant"]) for row in seats] == [*table]
            assert [int(row["seat"]) for row in seats] == [*range(1, len(table) + 1)]
    assert {row["name"] for row in rows if row["entrant"] == "1"} == {"'=Ada"}


def test_pages_have_every_round_in_the_language_of_the_reader() -> None:
    draw = draw_balanced(19, 6, (5, 6))
    data = draw_paper(draw, NAMES, Reader(language="it"))
    assert data == draw_paper(draw, NAMES, Reader(language="it"))
    text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(data)).pages)
    for number in range(1, 7):
        assert f"Turno {number}" in text
    assert text.count("Riposa") == 6
    assert text.count("Zoë") == 6


def test_long_seating_continues_on_the_next_page() -> None:
    draw = draw_balanced(400, 1, (5,))
    text = [page.extract_text() for page in PdfReader(io.BytesIO(draw_paper(draw, {}))).pages]
    assert "Table 80" in text[-1]
    assert len(text) == 3

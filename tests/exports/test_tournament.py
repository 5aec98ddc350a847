"""Files of tournaments: each has the names, places and figures of the standings and the draw.

Tests of ``exports.tournament_formats``, ``exports.tournament_tables``, ``exports.tournament_page``,
``exports.tournament_words``, ``exports.tournament_chat``, ``exports.tournament_picture`` and
``exports.tournament_calendar``.
"""

import csv
import io
import json
import unicodedata
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import pytest
from icalendar import Calendar
from openpyxl import load_workbook
from PIL import Image

from scorekeeper.base.errors import UnusableError
from scorekeeper.exports.filenames import strip_bidi
from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.exports.tournament_formats import TOURNAMENT_FORMATS, export_tournament_file
from scorekeeper.exports.tournament_words import VULGAR, format_exact, list_notes, to_decimal
from scorekeeper.languages.money import MINUS
from scorekeeper.languages.reader import Reader
from tests.evenings import event
from tests.exports.halls import ROUNDS, file_of, open_hall
from tests.tournaments import hall

LANGUAGES = ("en", "it", "fr")


@pytest.fixture(scope="module")
def evening() -> TournamentFile:
    return file_of(open_hall())


def rows_of(file: TournamentFile, name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    text = export_tournament_file(file, name).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


class Cells(HTMLParser):
    """The cells of the rows of an HTML table, without the remarks, and the tags of the page."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[str] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        remark = "small" in self.tags and self.tags[::-1].index("small") < (
            self.tags[::-1].index("/small") if "/small" in self.tags else len(self.tags)
        )
        if self.rows and self.rows[-1] and not remark:
            self.rows[-1][-1] += data


def test_csv_has_the_figures_of_the_standings(evening: TournamentFile) -> None:
    rows, view = rows_of(evening, "standings.csv"), evening.standings
    assert len(rows) == sum(len(row.rounds) for row in view.rows) == 19 * 2
    place = iter(rows)
    for row in view.rows:
        for played in row.rounds:
            cells = next(place)
            assert (cells["entrant"], cells["place"]) == (row.entrant, str(row.place))
            assert abs(Fraction(cells["points"]) - Fraction(row.points)) < Fraction(1, 10_000)
            assert Fraction(cells["round_points"]) == Fraction(played.points)
            assert (cells["table"] or None) == (played.table and str(played.table))
            decided = row.decision.rule if row.decision else ""
            assert (cells["decided_by"], cells["kind"]) == (decided, played.kind)
    guarded = {row["entrant"]: row["name"] for row in rows}
    assert (guarded["e1"], guarded["e6"]) == ("'=cmd|late", "'+39 051")
    assert any(row["decided_by"] for row in rows)


def test_json_is_that_of_the_api(evening: TournamentFile) -> None:
    data = json.loads(export_tournament_file(evening, "standings.json"))
    assert [(row["place"], row["entrant"], row["points"]) for row in data["rows"]] == [
        (row.place, row.entrant, row.points) for row in evening.standings.rows
    ]
    assert any("/" in str(row["points"]) for row in data["rows"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_workbook_has_standings_rounds_and_seating(language: str) -> None:
    file = file_of(open_hall(), Reader(language))
    data = export_tournament_file(file, "standings.xlsx")
    standings, results, about = load_workbook(io.BytesIO(data)).worksheets
    heads, *rows = standings.iter_rows(values_only=True)
    assert len(set(heads)) == len(heads)
    for cells, row in zip(rows, file.standings.rows, strict=True):
        assert (cells[0], strip_bidi(row.name) in str(cells[2])) == (row.place, True)
        assert cells[4] == pytest.approx(float(Fraction(row.points)), abs=1e-4)
        by_round = [float(Fraction(played.points)) for played in row.rounds]
        assert list(cells[5:7]) == pytest.approx(by_round)
    assert results.max_row == 1 + 19 * 2
    assert file.game in str(about["B2"].value)
    seating = load_workbook(io.BytesIO(export_tournament_file(file, "seating.xlsx"))).worksheets[0]
    assert seating.max_row == 1 + 19


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_is_whole_without_scripts_or_addresses(language: str) -> None:
    file = file_of(open_hall(), Reader(language))
    page = export_tournament_file(file, "standings.html")
    cells = Cells(page)
    table = cells.rows[1 : 1 + len(file.standings.rows)]
    for shown, row in zip(table, file.standings.rows, strict=True):
        assert shown[0] == f"{row.place}{'=' if row.shared else '.'}"
        assert shown[1] == strip_bidi(row.name)
        assert shown[2].rstrip("*") == format_exact(row.points)
        assert len(shown) == 3 + 2
    assert {"script", "link", "img", "b"}.isdisjoint(cells.tags)
    assert b"http" not in page
    assert f'<html lang="{language}">' in page.decode()


def test_text_lists_the_places(evening: TournamentFile) -> None:
    lines = export_tournament_file(evening, "standings.txt").decode().splitlines()
    for line, row in zip(lines[3:], evening.standings.rows, strict=False):
        assert line.startswith(f"{row.place}{'=' if row.shared else '.'} {strip_bidi(row.name)}: ")
        assert f": {format_exact(row.points)}" in line
    crowd = file_of(open_hall(many=75, published=1))
    assert "… and 15 more" in export_tournament_file(crowd, "standings.txt").decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_picture_has_a_row_for_each_of_the_first_places(language: str) -> None:
    def height(many: int, published: int = 1) -> int:
        file = file_of(open_hall(many=many, published=published), Reader(language))
        with Image.open(io.BytesIO(export_tournament_file(file, "standings.png"))) as image:
            image.load()
            assert (image.format, image.width) == ("PNG", 1080)
            return image.height

    assert height(10, 0) < height(5) < height(10) < height(30) == height(40)


def test_calendar_has_the_evening_in_its_place() -> None:
    held = open_hall(place="Sala Bossi")
    data = export_tournament_file(file_of(held), "standings.ics")
    (entry,) = Calendar.from_ical(data).walk("VEVENT")
    assert (str(entry["uid"]), str(entry["location"])) == ("t1@scorekeeper", "Sala Bossi")
    first = next(row for row in file_of(held).standings.rows if row.place == 1)
    assert f"1. {first.name}" in str(entry["description"])
    began, ended = entry.decoded("dtstart"), entry.decoded("dtend")
    assert (ended - began).total_seconds() > 0
    with pytest.raises(UnusableError, match="no time of play is known"):
        export_tournament_file(file_of(open_hall(published=0)), "standings.ics")


def test_seating_has_each_player_at_one_seat_or_sitting_out(evening: TournamentFile) -> None:
    rows = rows_of(evening, "seating.csv")
    drawn = open_hall().state.rounds[2]
    seats = {(row["table"], row["seat"]): row["entrant"] for row in rows if row["table"]}
    assert seats == {
        (str(table), str(seat)): entrant
        for table, entrants in enumerate(drawn.tables, start=1)
        for seat, entrant in enumerate(entrants, start=1)
    }
    assert [row["entrant"] for row in rows if not row["table"]] == list(drawn.byes)
    data = json.loads(export_tournament_file(evening, "seating.json"))
    assert [[seat["entrant"] for seat in table["seats"]] for table in data["tables"]] == [
        list(table) for table in drawn.tables
    ]
    assert [table["deals"] for table in data["tables"]] == [
        {5: 10, 6: 12}[len(table)] for table in drawn.tables
    ]


def test_substitutes_and_partners_have_their_seats() -> None:
    pairs = [
        event("entrant_registered", id=f"e{n}", name=f"Pair {n}",
              players=[{"id": f"a{n}", "name": f"A{n}"}, {"id": f"b{n}", "name": f"B{n}"}])
        for n in (1, 2)
    ]  # fmt: skip
    stage = {"draw": "by_hand", "points": "match", "rounds": 1}
    held = hall.tournament(
        hall.opening(stage, game="knock", entrants="pairs"), *pairs,
        event("entrant_replaced", entrant="e2", player="b2", from_round=1,
              substitute={"id": "zoe", "name": "Zoe"}),
        hall.drawn(1, (1, 2)), hall.published(1, None),
    )  # fmt: skip
    rows = rows_of(file_of(held), "seating.csv")
    assert [(row["seat"], row["player"], row["entrant_name"]) for row in rows] == [
        ("1", "a1", "Pair 1"), ("2", "a2", "Pair 2"), ("3", "b1", "Pair 1"), ("4", "zoe", "Pair 2"),
    ]  # fmt: skip


def test_draw_that_is_not_published_is_in_no_file_of_a_viewer() -> None:
    """Two tournaments differ in the draw of the last round only, and the files have one content."""
    one, other = open_hall(), open_hall(last_draw=9)
    assert one.state.rounds[ROUNDS].tables != other.state.rounds[ROUNDS].tables
    assert file_of(one) == file_of(other)
    for held in (one, other):
        with pytest.raises(UnusableError, match="round 3 is not published"):
            file_of(held, round_number=ROUNDS)


def test_director_gets_a_draw_only_by_asking_for_its_round() -> None:
    held = open_hall()
    for name in TOURNAMENT_FORMATS:
        if not name.endswith(".pdf"):
            own = export_tournament_file(file_of(held, sees_draws=True), name)
            assert own == export_tournament_file(file_of(held), name), name
    asked = file_of(held, sees_draws=True, round_number=ROUNDS)
    assert {row["round"] for row in rows_of(asked, "seating.csv")} == {str(ROUNDS)}
    assert asked.seating.published is False
    assert len(file_of(held, sees_draws=True).stage_seatings) == ROUNDS
    with pytest.raises(UnusableError, match="need the draw of all 3 rounds of the stage: 2 can"):
        export_tournament_file(file_of(held), "road_cards.pdf")


def test_file_before_the_first_round_names_no_seat_and_no_final() -> None:
    stage = {"advance": {"overall": 5}}
    assert any(
        "Go on:" in note for note in list_notes(file_of(open_hall(stage=stage)).standings, {})
    )
    file = file_of(open_hall(published=0, stage=stage))
    assert list(list_notes(file.standings, file.names)) == []
    for name in ("seating.csv", "seating.json", "seating.xlsx", "seating.pdf", "score_sheets.pdf"):
        with pytest.raises(UnusableError, match="no round is published yet"):
            export_tournament_file(file, name)
    for name in ("standings.csv", "standings.pdf", "standings.html", "cross_table.pdf"):
        assert export_tournament_file(file, name)


@pytest.mark.parametrize(
    ("figure", "shown", "cell"),
    [
        (0, "0", "0"), (-12, f"{MINUS}12", "-12"), ("7/2", "3½", "3.5"), ("1/8", "⅛", "0.125"),
        ("-1/3", f"{MINUS}⅓", "-0.3333"), ("-11/12", f"{MINUS}11/12", "-0.9167"),
        ("38/7", "5\xa03/7", "5.4286"),
    ],
)  # fmt: skip
def test_exact_figures_are_shown_whole(figure: Any, shown: str, cell: str) -> None:
    assert (format_exact(figure), to_decimal(figure)) == (shown, Decimal(cell))


def test_each_fraction_sign_is_that_of_its_fraction() -> None:
    for part, sign in VULGAR.items():
        assert Fraction(unicodedata.normalize("NFKC", sign).replace("\u2044", "/")) == part

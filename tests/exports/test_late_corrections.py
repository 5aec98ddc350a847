"""A hand corrected weeks later: each format shows the correction and the date of the evening.

Other libraries read the files back, as they are fetched over HTTP.
"""

import csv
import json
import re
import zipfile
from datetime import UTC, datetime
from io import BytesIO, StringIO
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from openpyxl import load_workbook
from PIL import Image
from pypdf import PdfReader

from scorekeeper.languages.money import MINUS
from tests.api.asking import Table, client_of
from tests.api.clubbing import Circle
from tests.evenings import event
from tests.exports import late
from tests.exports.test_ics import members
from tests.exports.test_xlsx import read
from tests.web.looking import brought_in, page

BEFORE: Final = {"mara": -10, "leo": 14, "nina": 10}
AFTER: Final = {"mara": -20, "leo": 23, "nina": 10}
PAID: Final = {("mara", "leo"): "8.60", ("mara", "nina"): "1.70"}
DAY: Final = "2026-11-20"
# The texts about the corrections, weeks later and immediate, and about the disputes.
TEXTS: Final = (
    "✎ Match 1, hand 1 counted again", "before: Points counted: Leo 10, Mara 5, Nina 0",
    "now: Points counted: Leo 9, Mara 4, Nina 2", "agreed to by Mara, Leo, Nina",
    "✎ Match 1, hand 2 mistyped", "before: Points counted: Leo 1, Mara 5, Nina 9",
    "now: Points counted: Leo 0, Mara 6, Nina 9", "corrected by the host",
    "Match 1, hand 1 Disputed by Leo: I had nine",
    "Proposed: Leo is right · signed by Mara, Leo, Nina", "Settled: the hand was corrected.",
    "⚑ Match 1, hand 3 Disputed by Nina: I had four", "Nobody has proposed a correction yet.",
    "Match 1, hand 4 Disputed by Mara: I had eight", "Ended without agreement",
    "the cards were mixed", "accepted by Mara, Leo, Nina, and corrected since",
)  # fmt: skip


def squeezed(text: str) -> str:
    """Return a text without its whitespace."""
    return "".join(text.split())


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return client_of()


@pytest.fixture(scope="module")
def before(client: FlaskClient) -> Table:
    return brought_in(late.log(late.evening()), client)


@pytest.fixture(scope="module")
def after(client: FlaskClient) -> Table:
    return brought_in(late.log(late.corrected()), client)


def fetched(table: Table, name: str) -> bytes:
    """Return a file of a session."""
    answer = table.get(f"/{name}")
    assert answer.status_code == 200, answer.text
    data: bytes = answer.data
    return data


def rows(table: Table, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(fetched(table, name).decode("utf-8-sig"))))


def test_report_has_the_corrected_totals(before: Table, after: Table) -> None:
    """The other tests compare with these figures."""
    for table, totals in ((before, BEFORE), (after, AFTER)):
        assert table.report()["matches"][0]["totals"] == totals
    [money] = after.report()["money"]
    assert {
        (payment["from"], payment["to"]): f"{payment['amount'] / 100:.2f}"
        for payment in money["payments"]
    } == PAID


def test_page_shows_the_corrections(after: Table) -> None:
    words = page(after, "/results").words
    assert "20 November 2026" in words
    assert "December" not in words
    assert f"Events: {len(late.corrected())}." in words
    assert squeezed(after.report()["session"]["head"]) in squeezed(words)
    assert f"1 Leo 23 points 2 Nina 10 points 3 Mara {MINUS}20 points" in words
    assert "Mara →pays Leo €8.60 Mara →pays Nina €1.70" in words
    assert "It may still change: hand 3 is disputed." in words
    words = squeezed(words)
    assert [text for text in TEXTS if squeezed(text) not in words] == []


def test_score_sheet_shows_the_corrections(after: Table) -> None:
    data = fetched(after, "sheet.pdf")
    words = squeezed("".join(page_.extract_text() for page_ in PdfReader(BytesIO(data)).pages))
    assert [text for text in TEXTS if squeezed(text) not in words] == []
    version, head = len(late.corrected()), after.report()["session"]["head"]
    for text in (
        "20November2026,20:00–22:30UTC", f"after{version}events(stillopen):{head}",
        f"Total{MINUS}202310", "Mara→Leo€8.60;Mara→Nina€1.70",
    ):  # fmt: skip
        assert text in words
    assert "December" not in words


def test_workbook_shows_the_corrections(after: Table) -> None:
    data = fetched(after, "results.xlsx")
    book = load_workbook(BytesIO(data))
    cells = [str(cell) for sheet in book for row in sheet.iter_rows(values_only=True)
             for cell in row if cell is not None]  # fmt: skip
    words = squeezed(" ".join(cells))
    assert [text for text in TEXTS if squeezed(text) not in words] == []
    [total] = [row for row in read(data, "Match 1") if row[2:3] == ["Total"]]
    assert total[4::2] == [*AFTER.values()]
    log = dict(read(data, "The log"))
    version = len(late.corrected())
    assert (log["Events"], log["Fingerprint"]) == (version, after.report()["session"]["head"])
    assert log["Began"].startswith(DAY)
    assert log["Last event"].startswith("2026-12-18")
    assert "Mara → Leo €8.60; Mara → Nina €1.70" in cells


def test_tables_have_the_corrected_figures(before: Table, after: Table) -> None:
    results = rows(after, "results.csv")
    assert {row["date"] for row in results} == {row["date"] for row in rows(before, "results.csv")}
    assert {row["date"] for row in results} == {DAY}
    for side, total in AFTER.items():
        mine = [row for row in results if (row["match"], row["side"]) == ("1", side)]
        assert mine[-1]["total"] == str(total)
        assert sum(int(row["score"]) for row in mine) == total
        points = [int(row["points"]) for row in rows(after, "lines.csv")
                  if (row["match"], row["side"]) == ("1", side)]  # fmt: skip
        assert sum(points) == total
    marks = {row["hand"]: (row["disputed"], row["unresolved"]) for row in results
             if row["match"] == "1" and row["status"] == "complete"}  # fmt: skip
    assert marks == {"1": ("0", "0"), "2": ("0", "0"), "3": ("1", "0"), "4": ("0", "1")}
    paid = {(row["from"], row["to"]): row["amount"] for row in rows(after, "payments.csv")
            if row["settles"] == "evening"}  # fmt: skip
    assert paid == PAID
    assert {row["date"] for row in rows(after, "payments.csv")} == {DAY}


def test_calendar_keeps_the_period_and_has_the_corrected_totals(
    before: Table, after: Table
) -> None:
    was, now = (members(fetched(table, "evening.ics")) for table in (before, after))
    assert (now["DTSTART"], now["DTEND"]) == (was["DTSTART"], was["DTEND"])
    assert now["DTEND"] == datetime(2026, 11, 20, 22, 30, tzinfo=UTC)
    assert int(now["SEQUENCE"]) > int(was["SEQUENCE"])
    assert "Mara -20, Leo 23, Nina 10" in now["DESCRIPTION"].replace(MINUS, "-")


def test_chat_text_has_the_corrected_figures(after: Table) -> None:
    text = fetched(after, "text").decode()
    for line in ("1. Leo: 23", f"3. Mara: {MINUS}20", "Mara pays Leo €8.60", "Disputed: hand 3",
                 "No agreement: hand 4", "20 November 2026"):  # fmt: skip
        assert line in text
    image = Image.open(BytesIO(fetched(after, "picture.png")))
    assert image.width == 1080


def test_the_picture_changes_with_the_correction(before: Table, after: Table) -> None:
    """It has the words of the text, which are tested above."""
    assert fetched(before, "picture.png") != fetched(after, "picture.png")


def test_archive_has_the_corrected_files(after: Table) -> None:
    with zipfile.ZipFile(BytesIO(fetched(after, "bundle.zip"))) as archive:
        files = {re.sub(r".*-(?=results|lines|payments|sheet)", "", name): archive.read(name)
                 for name in archive.namelist()}  # fmt: skip
    report: dict[str, Any] = json.loads(files["report.json"])
    assert report["matches"][0]["totals"] == AFTER
    assert files["results.csv"] == fetched(after, "results.csv")
    assert files["sheet.pdf"] == fetched(after, "sheet.pdf")


def test_season_counts_the_correction_on_the_day_of_the_evening(
    client: FlaskClient, before: Table
) -> None:
    circle = Circle.open(client, currency="EUR", zone="Europe/Rome")
    table = brought_in(late.log(late.evening()), client)
    circle.do(event("season_opened", id="autumn", name="Autumn", games=["riparto"],
                    ranking="points", **{"from": "2026-09-01", "to": "2026-11-30"}))  # fmt: skip
    circle.enter(table)
    assert figures(circle) == {"mara": -10, "leo": 19, "nina": 15}
    table.do(*late.corrected()[len(late.evening()) :])
    assert figures(circle) == {"mara": -20, "leo": 28, "nina": 15}


def figures(circle: Circle) -> dict[str, int]:
    """Return the figures in the table of the season, and assert that all formats have them."""
    season = {name: circle.get(f"/exports/{name}?season=autumn").data
              for name in ("csv", "xlsx", "pdf", "text")}  # fmt: skip
    evenings = list(csv.DictReader(StringIO(season["csv"].decode("utf-8-sig"))))
    assert {row["date"] for row in evenings} == {DAY}
    by_member = {row["member"]: int(row["evening_figure"]) for row in evenings}
    _heads, *rows = load_workbook(BytesIO(season["xlsx"])).worksheets[0].iter_rows(values_only=True)
    paper = squeezed("".join(p.extract_text() for p in PdfReader(BytesIO(season["pdf"])).pages))
    for member, figure in by_member.items():
        assert [row for row in rows if member.capitalize() in row and figure in row]
        plain = str(figure).replace("-", MINUS)
        assert f"{member.capitalize()}{plain}" in paper
        assert f". {member.capitalize()} {plain}*" in season["text"].decode()
    return by_member

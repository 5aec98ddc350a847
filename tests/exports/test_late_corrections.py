"""A hand that is corrected weeks after the evening: each format tells it, and the evening stays.

What another library reads back of each file, as it is fetched over HTTP.
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
# What is told of the corrections, weeks later and at once, and of the disputes.
TOLD: Final = (
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
    """A text but for how its lines and spaces fall."""
    return "".join(text.split())


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return client_of()


@pytest.fixture(scope="module")
def before(client: FlaskClient) -> Table:
    return brought_in(late.log(late.evening()), client)


@pytest.fixture(scope="module")
def here(client: FlaskClient) -> Table:
    return brought_in(late.log(late.corrected()), client)


def fetched(table: Table, name: str) -> bytes:
    """A file of a session, by its address."""
    answer = table.get(f"/{name}")
    assert answer.status_code == 200, answer.text
    data: bytes = answer.data
    return data


def rows(table: Table, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(fetched(table, name).decode("utf-8-sig"))))


def test_the_report_is_as_corrected(before: Table, here: Table) -> None:
    """What the others are held against."""
    for table, totals in ((before, BEFORE), (here, AFTER)):
        assert table.report()["matches"][0]["totals"] == totals
    [money] = here.report()["money"]
    assert {
        (one["from"], one["to"]): f"{one['amount'] / 100:.2f}" for one in money["payments"]
    } == PAID


def test_the_page_tells_it(here: Table) -> None:
    words = page(here, "/results").words
    assert "20 November 2026" in words
    assert "December" not in words
    assert f"Events: {len(late.corrected())}." in words
    assert squeezed(here.report()["session"]["head"]) in squeezed(words)
    assert f"1 Leo 23 points 2 Nina 10 points 3 Mara {MINUS}20 points" in words
    assert "Mara →pays Leo €8.60 Mara →pays Nina €1.70" in words
    assert "It may still change: hand 3 is disputed." in words
    said = squeezed(words)
    assert [one for one in TOLD if squeezed(one) not in said] == []


def test_the_paper_tells_it(here: Table) -> None:
    data = fetched(here, "sheet.pdf")
    said = squeezed("".join(one.extract_text() for one in PdfReader(BytesIO(data)).pages))
    assert [one for one in TOLD if squeezed(one) not in said] == []
    version, head = len(late.corrected()), here.report()["session"]["head"]
    for told in (
        "20November2026,20:00–22:30UTC", f"after{version}events(stillopen):{head}",
        f"Total{MINUS}202310", "Mara→Leo€8.60;Mara→Nina€1.70",
    ):  # fmt: skip
        assert told in said
    assert "December" not in said


def test_the_workbook_tells_it(here: Table) -> None:
    data = fetched(here, "results.xlsx")
    book = load_workbook(BytesIO(data))
    cells = [str(cell) for sheet in book for row in sheet.iter_rows(values_only=True)
             for cell in row if cell is not None]  # fmt: skip
    said = squeezed(" ".join(cells))
    assert [one for one in TOLD if squeezed(one) not in said] == []
    [total] = [row for row in read(data, "Match 1") if row[2:3] == ["Total"]]
    assert total[4::2] == [*AFTER.values()]
    log = dict(read(data, "The log"))
    version = len(late.corrected())
    assert (log["Events"], log["Fingerprint"]) == (version, here.report()["session"]["head"])
    assert log["Began"].startswith(DAY)
    assert log["Last event"].startswith("2026-12-18")
    assert "Mara → Leo €8.60; Mara → Nina €1.70" in cells


def test_the_tables_tell_it(before: Table, here: Table) -> None:
    told = rows(here, "results.csv")
    assert {row["date"] for row in told} == {row["date"] for row in rows(before, "results.csv")}
    assert {row["date"] for row in told} == {DAY}
    for side, total in AFTER.items():
        mine = [row for row in told if (row["match"], row["side"]) == ("1", side)]
        assert mine[-1]["total"] == str(total)
        assert sum(int(row["score"]) for row in mine) == total
        points = [int(row["points"]) for row in rows(here, "lines.csv")
                  if (row["match"], row["side"]) == ("1", side)]  # fmt: skip
        assert sum(points) == total
    marks = {row["hand"]: (row["disputed"], row["unresolved"]) for row in told
             if row["match"] == "1" and row["status"] == "complete"}  # fmt: skip
    assert marks == {"1": ("0", "0"), "2": ("0", "0"), "3": ("1", "0"), "4": ("0", "1")}
    paid = {(row["from"], row["to"]): row["amount"] for row in rows(here, "payments.csv")
            if row["settles"] == "evening"}  # fmt: skip
    assert paid == PAID
    assert {row["date"] for row in rows(here, "payments.csv")} == {DAY}


def test_the_calendar_keeps_the_evening_and_says_how_it_ended(before: Table, here: Table) -> None:
    was, now = (members(fetched(one, "evening.ics")) for one in (before, here))
    assert (now["DTSTART"], now["DTEND"]) == (was["DTSTART"], was["DTEND"])
    assert now["DTEND"] == datetime(2026, 11, 20, 22, 30, tzinfo=UTC)
    assert int(now["SEQUENCE"]) > int(was["SEQUENCE"])
    assert "Mara -20, Leo 23, Nina 10" in now["DESCRIPTION"].replace(MINUS, "-")


def test_the_chat_tells_it(here: Table) -> None:
    text = fetched(here, "text").decode()
    for told in ("1. Leo: 23", f"3. Mara: {MINUS}20", "Mara pays Leo €8.60", "Disputed: hand 3",
                 "No agreement: hand 4", "20 November 2026"):  # fmt: skip
        assert told in text
    image = Image.open(BytesIO(fetched(here, "picture.png")))
    assert image.width == 1080


def test_the_picture_changes_with_the_correction(before: Table, here: Table) -> None:
    """Its words are those of the text, in which all figures are told."""
    assert fetched(before, "picture.png") != fetched(here, "picture.png")


def test_the_archive_has_all_of_it(here: Table) -> None:
    with zipfile.ZipFile(BytesIO(fetched(here, "bundle.zip"))) as archive:
        files = {re.sub(r".*-(?=results|lines|payments|sheet)", "", name): archive.read(name)
                 for name in archive.namelist()}  # fmt: skip
    report: dict[str, Any] = json.loads(files["report.json"])
    assert report["matches"][0]["totals"] == AFTER
    assert files["results.csv"] == fetched(here, "results.csv")
    assert files["sheet.pdf"] == fetched(here, "sheet.pdf")


def test_the_season_counts_it_on_its_day(client: FlaskClient, before: Table) -> None:
    circle = Circle.open(client, currency="EUR", zone="Europe/Rome")
    table = brought_in(late.log(late.evening()), client)
    circle.do(event("season_opened", id="autumn", name="Autumn", games=["riparto"],
                    ranking="points", **{"from": "2026-09-01", "to": "2026-11-30"}))  # fmt: skip
    circle.enter(table)
    assert figures(circle) == {"mara": -10, "leo": 19, "nina": 15}
    table.do(*late.corrected()[len(late.evening()) :])
    assert figures(circle) == {"mara": -20, "leo": 28, "nina": 15}


def figures(circle: Circle) -> dict[str, int]:
    """What each has by the table of the season, which the workbook, paper and text say, too."""
    season = {name: circle.get(f"/exports/{name}?season=autumn").data
              for name in ("csv", "xlsx", "pdf", "text")}  # fmt: skip
    found = list(csv.DictReader(StringIO(season["csv"].decode("utf-8-sig"))))
    assert {row["date"] for row in found} == {DAY}
    told = {row["member"]: int(row["evening_figure"]) for row in found}
    _heads, *rows = load_workbook(BytesIO(season["xlsx"])).worksheets[0].iter_rows(values_only=True)
    paper = squeezed("".join(p.extract_text() for p in PdfReader(BytesIO(season["pdf"])).pages))
    for member, figure in told.items():
        assert [row for row in rows if member.capitalize() in row and figure in row]
        plain = str(figure).replace("-", MINUS)
        assert f"{member.capitalize()}{plain}" in paper
        assert f". {member.capitalize()} {plain}*" in season["text"].decode()
    return told

"""Forty players with names that upset things, and every hand in dispute: in each format.

What another library reads back of each is what the report says. Tests of ``exports.csv`` and
``exports.formats``.
"""

import csv
import json
import zipfile
from decimal import Decimal
from io import BytesIO, StringIO
from typing import Final
from unicodedata import normalize

import pytest
from icalendar import Calendar
from openpyxl import load_workbook
from PIL import Image
from pypdf import PdfReader

from scorekeeper.exports import chat, picture
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.filenames import strip_bidi
from scorekeeper.exports.formats import FORMATS, export_file
from scorekeeper.exports.paper import BOX, Paper
from scorekeeper.languages.reader import Reader
from scorekeeper.report.marks import MARKS
from scorekeeper.session.session import Session
from tests.evenings import Raw, event
from tests.exports.taken import ID, NAMES, log_of

MORE: Final = (
    "한국어", "ไทย", "नमस्ते", "日本語" * 20, "\uff37" * 60, "שלום עולם", "x\u200b", "مرحبا",
)  # fmt: skip
WHO: Final = {f"p{n}": normalize("NFC", name) for n, name in enumerate((*NAMES, *MORE))}
TITLE: Final = "=cmd|'/C calc'!A0 日本 ערב 🎉"
REASONS: Final = ("=1+1", "+A1", "-1", "@x", "\t=1", '";=1', "ליאו", "🂡", "日本", "<b>")


def forty() -> list[Raw]:
    """Ten matches, one for money; each of one hand by four players, disputed; and a penalty."""
    events = [event("session_opened", title=TITLE, place=TITLE,
                    players=[{"id": key, "name": name} for key, name in WHO.items()])]  # fmt: skip
    ids = list(WHO)
    for number, reason in enumerate(REASONS):
        dealer, bidder, *others = seats = ids[4 * number : 4 * number + 4]
        points = dict(zip((bidder, *others, dealer), (5, 6, 3, 1), strict=True))
        stake = {"stake": {"currency": "EUR", "point": 25, "match": 5}} if number == 3 else {}
        events += [
            event("match_started", game="riparto", seats=seats, **stake),
            event("hand_started", dealer=dealer),
            event("bid_made", player=bidder, points=5),
            event("points_counted", points=points),
            event("penalty_given", side=dealer, points=-2, reason=reason),
            event("match_ended"),
            event("hand_disputed", player=bidder, reason=reason, match=number + 1, hand=1),
        ]
    return events


@pytest.fixture(scope="module")
def log() -> bytes:
    return log_of(forty())


@pytest.fixture(scope="module")
def evening(log: bytes) -> Evening:
    return Evening.of(ID, Session.read(BytesIO(log), None))


@pytest.fixture(scope="module")
def files(evening: Evening, log: bytes) -> dict[str, bytes]:
    """The files of the archive of all of it."""
    with zipfile.ZipFile(BytesIO(export_file("zip", evening, log))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def rows(data: bytes, separator: str = ",") -> list[dict[str, str]]:
    """A table as another program reads it; each cell begins with nothing that could act."""
    read = list(csv.DictReader(StringIO(data.decode("utf-8-sig")), delimiter=separator))
    for row in read:
        for cell in row.values():
            assert cell[:1] not in ("=", "+", "-", "@", "\t") or _is_number(cell), cell
    return read


def _is_number(cell: str) -> bool:
    return cell.replace(",", ".").lstrip("-").replace(".", "", 1).isdigit()


def same(cell: str, text: str) -> bool:
    """Whether a cell is a text, but for the apostrophes that keep it from acting."""
    return cell.replace("'", "") == strip_bidi(text).replace("'", "")


def test_every_format_is_looked_at() -> None:
    looked_at = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert set(FORMATS) <= looked_at


def test_results(evening: Evening, files: dict[str, bytes]) -> None:
    read = rows(files["results.csv"])
    for match in evening.report["matches"]:
        [hand] = match["hands"]
        for side in match["sides"]:
            mine = [r for r in read if r["match"] == str(match["match"]) and r["side"] == side]
            assert int(mine[0]["score"]) == hand["scores"][side]
            assert int(mine[-1]["total"]) == match["totals"][side]
            assert (mine[0]["disputed"], same(mine[0]["players"], WHO[side])) == ("1", True)
            assert same(mine[0]["title"], TITLE)
    fines = [row["reason"] for row in read if row["status"] == "penalty"]
    assert all(map(same, fines, REASONS))
    assert len(fines) == len(REASONS)


def test_lines(evening: Evening, files: dict[str, bytes]) -> None:
    read = rows(files["lines.csv"])
    for match in evening.report["matches"]:
        for side in match["sides"]:
            mine = [r for r in read if r["match"] == str(match["match"]) and r["side"] == side]
            assert sum(int(row["points"]) for row in mine) == match["totals"][side]
            assert all(same(row["players"], WHO[side]) for row in mine)


def _balances(read: list[dict[str, str]], match: str) -> dict[str, Decimal]:
    found: dict[str, Decimal] = {}
    for row in read:
        if row["match"] == match:
            amount = Decimal(row["amount"].replace(",", "."))
            found[row["to"]] = found.get(row["to"], Decimal()) + amount
            found[row["from"]] = found.get(row["from"], Decimal()) - amount
    return {player: amount for player, amount in found.items() if amount}


def test_payments(evening: Evening) -> None:
    """Points by match; what is played for money in its units, and once more for the evening."""
    italian = Evening.of(ID, evening.session, Reader("it", separator=";", decimal=","))
    read = rows(export_file("payments", italian, b""), ";")
    for match in evening.report["matches"]:
        mine = _balances(read, str(match["match"]))
        told = match.get("settlement")
        if told:
            assert mine == {p: Decimal(a) / 100 for p, a in told["balances"].items() if a}
            assert {row["currency"] for row in read if row["counts"] == "money"} == {"EUR"}
            assert mine == _balances(read, "")
            assert "," in next(row["amount"] for row in read if row["counts"] == "money")
        else:  # each the difference to each other
            totals = match["totals"]
            of_four = {p: 4 * t - sum(totals.values()) for p, t in totals.items()}
            assert mine == {player: Decimal(amount) for player, amount in of_four.items() if amount}
    assert {(row["settles"], row["provisional"]) for row in read} == {
        ("match", "1"), ("evening", "1"),
    }  # fmt: skip
    assert all(same(row["from_name"], WHO[row["from"]]) for row in read)


def test_xlsx(evening: Evening, files: dict[str, bytes]) -> None:
    book = load_workbook(BytesIO(files["results.xlsx"]))
    cells = [cell for page in book for row in page.iter_rows() for cell in row]
    assert not any(cell.data_type == "f" or cell.hyperlink for cell in cells)
    texts = {cell.value for cell in cells}
    assert set(map(strip_bidi, WHO.values())) - {""} | set(REASONS) <= texts
    for match in evening.report["matches"]:
        page = book[f"Match {match['match']}"]
        last = [row for row in page.iter_rows(values_only=True) if row[2] == "Total"]
        assert [one for one in last[0][4::2] if isinstance(one, int)] == [*match["totals"].values()]
        first = next(row for row in page.iter_rows(min_row=4, values_only=True) if row[0] == 1)
        assert MARKS["disputed"].sign in str(first[1])


def test_pdf(evening: Evening, files: dict[str, bytes]) -> None:
    """A name is there, or the id of whose letters no font has."""
    pages = PdfReader(BytesIO(files["sheet.pdf"])).pages
    text = "".join("".join(page.extract_text().split()) for page in pages)
    paper = Paper("x", evening.latest, "")
    for key, name in WHO.items():
        shown = "".join(paper.printable(name, "").split())
        leftwards = chat.RIGHT_TO_LEFT.search(name)
        wanted = key if BOX in shown or not shown else shown[:1] if leftwards else shown[:3]
        assert wanted in text, (key, name)
    paper.output()  # which closes its fonts
    assert text.count(MARKS["disputed"].sign) >= 2 * len(REASONS)  # at the hand, and below
    for match in evening.report["matches"]:
        assert f"Match{match['match']}·Riparto·" in text


def test_zip(evening: Evening, log: bytes, files: dict[str, bytes]) -> None:
    assert files["log.jsonl"] == log
    assert json.loads(files["report.json"]) == evening.report
    assert files["payments.csv"] == export_file("payments", evening, log)


def test_ics(evening: Evening) -> None:
    [told] = Calendar.from_ical(export_file("ics", evening, b"")).subcomponents
    assert told.errors == []
    assert (str(told["SUMMARY"]), str(told["LOCATION"])) == (TITLE, TITLE)
    for match in evening.report["matches"]:
        for side, total in match["totals"].items():
            assert f"{strip_bidi(WHO[side])} {total}" in str(told["DESCRIPTION"])


def test_text(evening: Evening) -> None:
    lines = export_file("text", evening, b"").decode().splitlines()
    for match in chat.message(evening).matches:
        assert [f"{one.rank}. {one.name}: {one.figure}" in lines for one in match.places] == [
            True
        ] * 4
    assert lines.count("⚑ Disputed: hand 1") == len(chat.message(evening).matches) > 5
    assert lines[-1] == "More is in the score sheet."


def test_png(evening: Evening) -> None:
    image = Image.open(BytesIO(export_file("png", evening, b"")))
    image.load()
    assert (image.format, image.width) == ("PNG", picture.WIDTH)
    told = chat.message(evening, picture.drawable)
    assert BOX not in "".join(one.name for match in told.matches for one in match.places)
    rows_of_it = sum(len(one.places) + len(one.payments) + len(one.marks) for one in told.matches)
    assert image.height > rows_of_it * (picture.ROW - 8)
    red = tuple(bytes.fromhex(picture.RED.removeprefix("#")))
    assert red in {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or ()}


def test_all_of_it_was_disputed(evening: Evening) -> None:
    assert all(hand["disputed"] for match in evening.report["matches"] for hand in match["hands"])
    assert len(evening.report["session"]["players"]) == len(WHO) == 40

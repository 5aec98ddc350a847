"""Forty players with difficult names, and every hand disputed, in each format.

Other libraries read the files back, and the values must be those of the report. Tests of
``exports.csv`` and ``exports.formats``.
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

from scorekeeper.base.views import to_json_values
from scorekeeper.exports import chat, picture
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.filenames import strip_bidi
from scorekeeper.exports.formats import FORMATS, export_file
from scorekeeper.exports.paper import BOX, Paper
from scorekeeper.languages.reader import Reader
from scorekeeper.report.marks import MARKS
from scorekeeper.session.session import Session
from tests.evenings import Raw, event
from tests.exports.samples import ID, NAMES, log_of

MORE: Final = (
    "한국어", "ไทย", "नमस्ते", "日本語" * 20, "\uff37" * 60, "שלום עולם", "x\u200b", "مرحبا",
)  # fmt: skip
WHO: Final = {f"p{n}": normalize("NFC", name) for n, name in enumerate((*NAMES, *MORE))}
TITLE: Final = "=cmd|'/C calc'!A0 日本 ערב 🎉"
REASONS: Final = ("=1+1", "+A1", "-1", "@x", "\t=1", '";=1', "ליאו", "🂡", "日本", "<b>")


def forty() -> list[Raw]:
    """Return ten matches of four players, one for money; each has a disputed hand and a penalty."""
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
    """Return the files of the archive."""
    with zipfile.ZipFile(BytesIO(export_file("zip", evening, log))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def rows(data: bytes, separator: str = ",") -> list[dict[str, str]]:
    """Read a table, and assert that no cell is a formula."""
    read = list(csv.DictReader(StringIO(data.decode("utf-8-sig")), delimiter=separator))
    for row in read:
        for cell in row.values():
            assert cell[:1] not in ("=", "+", "-", "@", "\t") or _is_number(cell), cell
    return read


def _is_number(cell: str) -> bool:
    return cell.replace(",", ".").lstrip("-").replace(".", "", 1).isdigit()


def same(cell: str, text: str) -> bool:
    """Return whether a cell is a text, apart from the apostrophes against formulas."""
    return cell.replace("'", "") == strip_bidi(text).replace("'", "")


def test_every_format_is_tested() -> None:
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert set(FORMATS) <= tested


def test_results(evening: Evening, files: dict[str, bytes]) -> None:
    read = rows(files["results.csv"])
    for match in evening.report.matches:
        [hand] = match.hands
        for side in match.sides:
            mine = [r for r in read if r["match"] == str(match.match) and r["side"] == side]
            assert int(mine[0]["score"]) == hand.scores[side]
            assert int(mine[-1]["total"]) == match.totals[side]
            assert (mine[0]["disputed"], same(mine[0]["players"], WHO[side])) == ("1", True)
            assert same(mine[0]["title"], TITLE)
    fines = [row["reason"] for row in read if row["status"] == "penalty"]
    assert all(map(same, fines, REASONS))
    assert len(fines) == len(REASONS)


def test_lines(evening: Evening, files: dict[str, bytes]) -> None:
    read = rows(files["lines.csv"])
    for match in evening.report.matches:
        for side in match.sides:
            mine = [r for r in read if r["match"] == str(match.match) and r["side"] == side]
            assert sum(int(row["points"]) for row in mine) == match.totals[side]
            assert all(same(row["players"], WHO[side]) for row in mine)


def _balances(read: list[dict[str, str]], match: str) -> dict[str, Decimal]:
    balances: dict[str, Decimal] = {}
    for row in read:
        if row["match"] == match:
            amount = Decimal(row["amount"].replace(",", "."))
            balances[row["to"]] = balances.get(row["to"], Decimal()) + amount
            balances[row["from"]] = balances.get(row["from"], Decimal()) - amount
    return {player: amount for player, amount in balances.items() if amount}


def test_payments(evening: Evening) -> None:
    """Points are paid by match; money in units of its currency, by match and for the evening."""
    italian = Evening.of(ID, evening.session, Reader("it", separator=";", decimal=","))
    read = rows(export_file("payments", italian, b""), ";")
    for match in evening.report.matches:
        mine = _balances(read, str(match.match))
        settlement = match.settlement
        if settlement:
            assert mine == {p: Decimal(a) / 100 for p, a in settlement.balances.items() if a}
            assert {row["currency"] for row in read if row["counts"] == "money"} == {"EUR"}
            assert mine == _balances(read, "")
            assert "," in next(row["amount"] for row in read if row["counts"] == "money")
        else:  # each pair of players settles the difference of their points
            totals = match.totals
            of_four = {p: 4 * t - sum(totals.values()) for p, t in totals.items()}
            assert mine == {
                player: Decimal(int(amount)) for player, amount in of_four.items() if amount
            }
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
    for match in evening.report.matches:
        page = book[f"Match {match.match}"]
        last = [row for row in page.iter_rows(values_only=True) if row[2] == "Total"]
        totals = [cell for cell in last[0][4::2] if isinstance(cell, int)]
        assert totals == [*match.totals.values()]
        first = next(row for row in page.iter_rows(min_row=4, values_only=True) if row[0] == 1)
        assert MARKS["disputed"].sign in str(first[1])


def test_pdf(evening: Evening, files: dict[str, bytes]) -> None:
    """Each name is printed, or the id if a letter is in no font."""
    pages = PdfReader(BytesIO(files["sheet.pdf"])).pages
    text = "".join("".join(page.extract_text().split()) for page in pages)
    paper = Paper("x", evening.latest, "")
    for key, name in WHO.items():
        printable = "".join(paper.printable(name, "").split())
        letters = 1 if chat.RIGHT_TO_LEFT.search(name) else 3
        expected = key if BOX in printable or not printable else printable[:letters]
        assert expected in text, (key, name)
    paper.output()  # which closes its fonts
    assert text.count(MARKS["disputed"].sign) >= 2 * len(REASONS)  # at the hand, and below
    for match in evening.report.matches:
        assert f"Match{match.match}·Riparto·" in text


def test_zip(evening: Evening, log: bytes, files: dict[str, bytes]) -> None:
    assert files["log.jsonl"] == log
    assert json.loads(files["report.json"]) == to_json_values(evening.report)
    assert files["payments.csv"] == export_file("payments", evening, log)


def test_ics(evening: Evening) -> None:
    [entry] = Calendar.from_ical(export_file("ics", evening, b"")).subcomponents
    assert entry.errors == []
    assert (str(entry["SUMMARY"]), str(entry["LOCATION"])) == (TITLE, TITLE)
    for match in evening.report.matches:
        for side, total in match.totals.items():
            assert f"{strip_bidi(WHO[side])} {total}" in str(entry["DESCRIPTION"])


def test_text(evening: Evening) -> None:
    lines = export_file("text", evening, b"").decode().splitlines()
    for match in chat.summarize_evening(evening).matches:
        standing = [f"{place.rank}. {place.name}: {place.figure}" for place in match.places]
        assert len(standing) == 4
        assert set(standing) <= set(lines)
    assert lines.count("⚑ Disputed: hand 1") == len(chat.summarize_evening(evening).matches) > 5
    assert lines[-1] == "More is in the score sheet."


def test_png(evening: Evening) -> None:
    image = Image.open(BytesIO(export_file("png", evening, b"")))
    image.load()
    assert (image.format, image.width) == ("PNG", picture.WIDTH)
    matches = chat.summarize_evening(evening, picture.drawable_text).matches
    assert BOX not in "".join(place.name for match in matches for place in match.places)
    drawn_rows = sum(
        len(match.places) + len(match.payments) + len(match.marks) for match in matches
    )
    assert image.height > drawn_rows * (picture.ROW - 8)
    red = tuple(bytes.fromhex(picture.RED.removeprefix("#")))
    assert red in {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or ()}


def test_all_hands_are_disputed(evening: Evening) -> None:
    assert all(hand.disputed for match in evening.report.matches for hand in match.hands)
    assert len(evening.report.session.players) == len(WHO) == 40

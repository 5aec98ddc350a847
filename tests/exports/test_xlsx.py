"""``results.xlsx``: what a spreadsheet reads back is the report, and nothing in it acts.

Tests of ``exports.evening``.
"""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from scorekeeper.exports import csv, xlsx
from scorekeeper.exports.xlsx import workbook
from tests.evenings import event
from tests.exports.taken import EVENINGS, ID, NAMES, events_of, riparto, taken

PAGES = ["Score sheet", "Results", "Lines", "Findings", "Options", "Record"]


def read(data: bytes, page: str) -> list[list[Any]]:
    """The cells of a page, without those that are empty at the end of a row."""
    rows = load_workbook(BytesIO(data))[page].iter_rows(values_only=True)
    return [list(trimmed(row)) for row in rows]


def trimmed(row: tuple[Any, ...]) -> tuple[Any, ...]:
    while row and row[-1] is None:
        row = row[:-1]
    return row


def is_text(data: bytes, text: str) -> bool:
    """Whether a text stands in some cell, and in each of those as a text and not as a link."""
    cells = [
        cell
        for page in load_workbook(BytesIO(data))
        for row in page.iter_rows()
        for cell in row
        if cell.value == text
    ]
    return bool(cells) and all(cell.data_type == "s" and not cell.hyperlink for cell in cells)


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_the_tables_are_those_of_the_report(path: Path) -> None:
    evening = taken(events_of(path))
    data = workbook(evening)
    assert load_workbook(BytesIO(data)).sheetnames == PAGES
    for page, head, rows in (
        ("Results", csv.RESULTS, csv.result_rows(evening.report)),
        ("Lines", csv.LINES, csv.line_rows(evening.report)),
    ):
        wanted = [[cell if cell != "" else None for cell in row] for row in rows]
        assert read(data, page) == [list(head), *(list(trimmed(tuple(row))) for row in wanted)]
    findings = read(data, "Findings")[1:]
    assert [row[4] for row in findings] == [one["message"] for one in evening.report["findings"]]
    options = {(row[0], row[2]) for row in read(data, "Options")[1:]}
    assert options == {
        (match["match"], name) for match in evening.report["matches"] for name in match["options"]
    }


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_the_score_sheet_ends_with_the_totals(path: Path) -> None:
    evening = taken(events_of(path))
    rows = read(workbook(evening), "Score sheet")
    assert rows[0] == [evening.about["title"]]
    for match in evening.matches:
        name = f"Match {match.sheet.match}: {match.game}, {match.outcome}"
        start = rows.index([name])
        (end, *_) = (n for n in range(start, len(rows)) if rows[n][:1] == [match.sheet.counts])
        hands = [row for row in rows[start:end] if row and isinstance(row[0], int)]
        assert [row[0] for row in hands] == [row.hand for row in match.sheet.rows]
        totals = [cell for cell in rows[end][2:] if cell is not None]
        assert totals == list(match.sheet.totals.values())
        heads = rows[start + 1]
        gists = [row[heads.index("what it came to")] for row in hands]
        assert [gist or "" for gist in gists] == list(match.gists)


def test_points_and_totals_stand_under_their_side() -> None:
    rows = read(workbook(taken(riparto(2))), "Score sheet")
    heads, first, second, totals = rows[4:8]
    assert heads[:8] == ["hand", "dealer", "Mara", "total", "Leo", "total", "Nina", "total"]
    assert first[:8] == [1, "Mara", 0, 0, 5, 5, 0, 0]
    assert second[:8] == [2, "Leo", 0, 0, 0, 5, 5, 5]
    assert totals == ["points", None, None, 0, None, 5, None, 5]


def test_disputes_signatures_and_penalties_stand_there() -> None:
    events = [
        *riparto(2),
        event("hand_confirmed", player="leo"),
        event("penalty_given", side="nina", points=-3, reason="late"),
        event("hand_disputed", player="mara", reason="no", match=1, hand=1),
    ]
    heads, first, second, penalties, _ = read(workbook(taken(events)), "Score sheet")[4:9]
    assert dict(zip(heads, first, strict=True))["disputed"] == "disputed"
    assert second[heads.index("signed") :] == ["Leo"]
    assert penalties == ["penalties", *[None] * 6, -3]


def test_the_record_is_named() -> None:
    evening = taken(riparto(2))
    told = dict(read(workbook(evening), "Record"))
    assert (told["session"], told["events"]) == (ID, 8)
    assert told["fingerprint"] == evening.about["head"]
    assert told["verify"] == f"verify.py {ID}.jsonl --count 8 --head {evening.about['head']}"


@pytest.mark.parametrize("name", NAMES)
def test_a_text_is_a_text_whatever_it_looks_like(name: str) -> None:
    data = workbook(taken(riparto(1, name, "Leo", "Nina", title=f"{name}!"[:60])))
    said = taken(riparto(1, name, "Leo", "Nina")).players[0]  # as a log writes it
    assert is_text(data, said)
    assert is_text(data, "Leo")


def test_without_the_care_a_text_would_act(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the test above finds: cells written by what they look like."""
    put = lambda page, down, along, cell, look: page.write(down, along, cell, look)  # noqa: E731
    monkeypatch.setattr(xlsx, "put", put)
    monkeypatch.setattr(xlsx, "SHOWN_AS_TYPED", {"in_memory": True})
    assert not is_text(workbook(taken(riparto(1, "=1+1", "Leo", "Nina"))), "=1+1")
    assert not is_text(workbook(taken(riparto(1, "http://x.org", "Leo", "Nina"))), "http://x.org")


def test_a_long_text_is_cut_to_what_a_cell_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "LONGEST", 5)
    assert read(workbook(taken(riparto(1, "Maria Rosaria", "Leo", "Nina"))), "Results")[1][3] == (
        "Maria"
    )


def test_it_is_the_same_bytes_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    first = workbook(taken(riparto(3)))
    monkeypatch.setattr("time.time", lambda: 2e9)
    assert workbook(taken(riparto(3))) == first
    assert workbook(taken(riparto(4))) != first

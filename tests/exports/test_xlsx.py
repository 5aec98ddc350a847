"""``results.xlsx``: a spreadsheet reads back the report, and no text is a formula or link.

Tests of ``exports.evening``.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from scorekeeper.exports import csv, xlsx
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.fact_columns import fact_labels
from scorekeeper.exports.filenames import BIDI_CONTROLS, LEFT_TO_RIGHT, strip_bidi
from scorekeeper.exports.formats import export_file
from scorekeeper.exports.hands import TableRow, hands_workbook
from scorekeeper.exports.in_words import replace_codes
from scorekeeper.exports.text_workbook import FormattedCell, TextSheet
from scorekeeper.exports.xlsx import make_workbook
from scorekeeper.languages.reader import PROGRAM, Reader
from scorekeeper.report.marks import MARKS
from tests.evenings import event
from tests.exports.samples import (
    EVENINGS,
    ID,
    NAMES,
    disputed_and_corrected,
    evening_of,
    events_of,
    riparto,
)

PAGES = {"Results", "Lines", "Findings", "Signatures", "Who pays whom", "Options", "The log"}


@lru_cache(maxsize=1)
def opened(data: bytes) -> Workbook:
    """Open a workbook; consecutive calls with the same file read it once."""
    return load_workbook(BytesIO(data))


def read(data: bytes, page: str) -> list[list[Any]]:
    """Return the cells of a sheet, without empty cells at the ends of rows."""
    rows = opened(data)[page].iter_rows(values_only=True)
    return [list(trimmed(row)) for row in rows]


def trimmed(row: tuple[Any, ...]) -> tuple[Any, ...]:
    while row and row[-1] is None:
        row = row[:-1]
    return row


def is_text(data: bytes, text: str) -> bool:
    """Return whether some cells have a text, and have it as plain text without a link."""
    cells = [
        cell
        for page in opened(data)
        for row in page.iter_rows()
        for cell in row
        if cell.value == text
    ]
    return bool(cells) and all(cell.data_type == "s" and not cell.hyperlink for cell in cells)


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_tables_have_the_content_of_the_report(path: Path) -> None:
    evening = evening_of(events_of(path))
    data = make_workbook(evening)
    assert set(opened(data).sheetnames) >= PAGES
    of_session = {"date", "session", "title"}  # in the last sheet only
    rows_of_all = [
        dict(zip(csv.result_columns(evening), row, strict=True)) for row in csv.result_rows(evening)
    ]
    filled = {name for row in rows_of_all for name, cell in row.items() if cell not in (None, "")}
    own = [name for name in csv.result_columns(evening) if name in filled - of_session]
    results = [tuple(row[name] for name in own) for row in rows_of_all]
    for page, head, rows in (
        ("Results", own, results),
        ("Lines", csv.LINES, csv.line_rows(evening)),
    ):
        wanted = [
            [cell if cell != "" else None for cell in row]
            for row in replace_codes(evening, head, rows)
        ]
        titles = [(xlsx.TITLES | fact_labels(csv.games_played(evening)))[name] for name in head]
        assert read(data, page) == [titles, *(list(trimmed(tuple(row))) for row in wanted)]
    heads, *findings = read(data, "Findings")
    assert heads == ["Match", "Hand", "Severity", "Clause", "Finding", "Events"]
    assert [row[4] for row in findings] == [finding.message for finding in evening.report.findings]
    options = {tuple(row[1:4]) for row in read(data, "Options")[1:]}
    assert options == {
        (match.game, option.question, option.answer)
        for match in evening.matches
        for option in match.options
    }


def test_matches_with_the_same_option_share_a_row() -> None:
    start = event("match_started", game="riparto", seats=["mara", "leo", "nina"])
    other = event("match_started", game="riparto", seats=["mara", "leo", "nina"],
                  options={"match_end": {"hands": 3}})  # fmt: skip
    rows = read(make_workbook(evening_of([*riparto(1), start, start, other, start])), "Options")[1:]
    ends = {row[3]: row[0] for row in rows if row[2] == "When does a match end?"}
    assert list(ends.values()) == ["1–3, 5", 4]
    assert len(rows) == len({row[2] for row in rows}) + 1


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_columns_of_each_match_add_up(path: Path) -> None:
    evening = evening_of(events_of(path))
    book = load_workbook(BytesIO(make_workbook(evening)))
    for match in evening.matches:
        sheet = match.sheet
        page = book[f"Match {sheet.match}"]
        rows = [list(row) for row in page.iter_rows(min_row=3, values_only=True)]
        assert page["A1"].value == f"{match.game}, {match.outcome}"
        assert [row[0] for row in rows[1:] if isinstance(row[0], int)] == [
            row.hand for row in sheet.rows
        ]
        for place, side in enumerate(sheet.columns):
            points, totals = 3 + 2 * place, 4 + 2 * place
            assert rows[0][points] == sheet.columns[side]
            assert sums(rows, totals if sheet.counts == "hands" else points, totals) == [
                *([game.scores[side] for game in sheet.games] or [int(sheet.totals[side])])
            ]
        (last,) = (row for row in rows if row[2] == TOTALS[sheet.counts])
        assert [cell for cell in last[3:] if cell is not None] == list(sheet.totals.values())


TOTALS = {"points": "Total", "hands": "Hands won", "games": "Games won"}


def sums(rows: list[list[Any]], points: int, totals: int) -> list[int]:
    """Return the sums of a side's column, and assert that the rows of totals have them."""
    sums_so_far, so_far = [], 0
    for row in rows[1:]:
        if row[2] in (*TOTALS.values(), "Game", "Return game", "Final"):
            if row[2] != "Games won":
                assert row[totals] == so_far
                sums_so_far.append(so_far)
            so_far = 0
        elif isinstance(row[points], int):
            so_far += row[points]
    return sums_so_far


def test_sheets_are_set_up_for_screen_and_print() -> None:
    book = load_workbook(
        BytesIO(make_workbook(evening_of(riparto(2, "Maria Rosaria", "Leo", "Nina"))))
    )
    page = book["Match 1"]
    assert page.freeze_panes == "D4"
    assert page.print_title_rows == "$3:$3"
    assert (page.page_setup.orientation, page.page_setup.fitToHeight) == ("landscape", 0)
    assert page.sheet_properties.pageSetUpPr.fitToPage
    assert page["D4"].number_format.startswith("+0;")
    assert [page[cell].alignment.horizontal for cell in ("A3", "D3", "J3")] == [
        "right", "right", "left",
    ]  # fmt: skip
    assert page.column_dimensions["J"].width > page.column_dimensions["A"].width
    assert book["Results"].freeze_panes == "A2"
    assert book["Results"].print_title_rows == "$1:$1"


def test_points_and_totals_are_below_their_side() -> None:
    rows = read(make_workbook(evening_of(riparto(2))), "Match 1")
    heads, first, second, totals = rows[2:6]
    assert heads[:9] == [
        "Hand",
        "Marks",
        "Dealer",
        "Mara",
        "Total",
        "Leo",
        "Total",
        "Nina",
        "Total",
    ]
    assert first[:9] == [1, "○", "Mara", 0, 0, 5, 5, 0, 0]
    assert second[:9] == [2, "○", "Leo", 0, 0, 0, 5, 5, 5]
    assert totals == [None, None, "Total", None, 0, None, 5, None, 5]


def test_disputes_signatures_and_penalties_are_shown() -> None:
    data = make_workbook(evening_of(disputed_and_corrected()))
    heads, first, second, penalty, _ = read(data, "Match 1")[2:7]
    assert first[1] == "⚑ ○"
    assert second[heads.index("Signed by") :] == ["Leo"]
    assert penalty == [None, None, "Penalty", *[None] * 4, -3, 2, "late"]
    for page, row_ in {
        "Disputes": ["⚑", "Hand 1", "Disputed by Mara: no"],
        "Corrected": ["✎", "Hand 2", "typed wrongly"],
        "Signatures": ["◐", "Hand 2", "accepted by Leo"],
    }.items():
        assert row_ in [row[:3] for row in read(data, page)], page
    assert read(data, "Who pays whom")[1][1] == "Match 1"


def test_version_of_the_log_is_shown() -> None:
    evening = evening_of(riparto(2))
    record = dict(read(make_workbook(evening), "The log"))
    assert (record["Session"], record["Events"]) == (ID, 8)
    assert record["Fingerprint"] == evening.about.head
    assert (
        record["Verify"]
        == f"verify.py 2026-11-21-friday.jsonl --count 8 --head {evening.about.head}"
    )


@pytest.mark.parametrize("start", range(0, len(NAMES), 2))
def test_text_is_never_a_formula_or_link(start: int) -> None:
    names = NAMES[start : start + 2]
    evening = evening_of(riparto(1, *names, "Leo", title=f"{names[0]}!"[:60]))
    data = make_workbook(evening)
    for player in evening.players[:2]:
        printed = strip_bidi(player)  # as a log writes it
        assert not printed or is_text(data, printed)
    assert is_text(data, "Leo")


def test_cells_have_no_bidirectional_controls() -> None:
    events = [*riparto(2, "\u202eMara", "Leo", "Nina"),
              event("hand_disputed", player="mara", reason="no\u2067")]  # fmt: skip
    book = load_workbook(BytesIO(make_workbook(evening_of(events))))
    texts = [str(cell.value) for page in book for row in page.iter_rows() for cell in row]
    assert any("Mara" in text for text in texts)
    assert not any(BIDI_CONTROLS.search(text.replace(LEFT_TO_RIGHT, "")) for text in texts)


def test_wide_table_is_printed_on_several_pages() -> None:
    """Otherwise its figures would be too small."""
    names = (f"{'Maria Rosaria ' * 4}{name}" for name in "ABC")
    book = load_workbook(BytesIO(make_workbook(evening_of(riparto(2, *names)))))
    for wide in (book["Results"], book["Match 1"]):
        assert wide.page_setup.fitToWidth > 1
        assert wide.print_title_cols == "$A:$C"
    narrow = load_workbook(BytesIO(make_workbook(evening_of(riparto(2)))))["Match 1"]
    assert narrow.page_setup.fitToWidth in (None, 1)
    assert book["Lines"].page_setup.fitToWidth in (None, 1)
    assert book["Lines"].print_title_cols is None


def test_legend_has_the_order_of_the_marks() -> None:
    page = read(make_workbook(evening_of(disputed_and_corrected())), "Match 1")
    legend = [
        row[0] for row in page if len(row) == 2 and row[0] in {m.sign for m in MARKS.values()}
    ]
    signs = [mark.sign for mark in MARKS.values()]
    assert legend == sorted(legend, key=signs.index)
    assert len(legend) == 4


def test_name_of_the_last_sheet_is_a_noun_in_each_language() -> None:
    """It used to be the text of a button."""
    session = evening_of(riparto(1)).session
    names = [
        load_workbook(
            BytesIO(export_file("xlsx", Evening.of(ID, session, Reader(code)), b""))
        ).sheetnames
        for code in ("it", "fr")
    ]
    assert [sheets[-1] for sheets in names] == ["Il registro", "Le journal"]


def test_the_values_of_a_closed_list_are_in_the_language_of_the_reader() -> None:
    """They used to be English words and ids, under Italian titles."""
    evening = Evening.of(ID, evening_of(disputed_and_corrected()).session, Reader("it"))
    data = export_file("xlsx", evening, b"")
    heads, *rows = read(data, "Risultati")
    values = {name: {row[heads.index(name)] for row in rows} for name in heads[:6]}
    assert values["Gioco"] == {"Riparto"}
    assert values["Stato"] == {"completa", "Penalità"}
    assert values["Livello di dettaglio"] == {"solo i totali", None}
    assert {row[2] for row in read(data, "Rilievi")[1:]} <= {"Sbagliato", "In dubbio", "Non certo"}


def test_the_games_of_a_match_are_in_the_language_of_the_reader() -> None:
    """They used to be codes."""
    (path,) = (path for path in EVENINGS if path.parent.name == "picchetto")
    evening = Evening.of(ID, evening_of(events_of(path)).session, Reader("it"))
    heads, *rows = read(export_file("xlsx", evening, b""), "Risultati")
    place = heads.index("Partita dell’incontro")
    assert {row[place] for row in rows} <= {"Andata", "Ritorno", "Finale"}


def test_list_of_names_keeps_its_order_with_right_to_left_names() -> None:
    """A figure after a right-to-left name used to be shown before it."""
    events = [*riparto(1, "ליאו", "=1+1", "ליאו נינה"),
              event("hand_confirmed", player="mara"), event("hand_confirmed", player="leo"),
              event("hand_confirmed", player="nina")]  # fmt: skip
    data = make_workbook(evening_of(events))
    assert read(data, "Match 1")[3][-1] == f"ליאו{LEFT_TO_RIGHT}, =1+1, ליאו נינה"
    assert is_text(data, "ליאו")
    page = load_workbook(BytesIO(data))["Match 1"]
    assert page["C4"].alignment.readingOrder == 1  # from left to right, whatever it begins with


def test_cells_are_large_enough_for_broad_letters() -> None:
    """60 of them have enough lines, in a head and in a row."""
    page = load_workbook(BytesIO(make_workbook(evening_of(riparto(1, "W" * 60, "Leo", "Nina")))))[
        "Match 1"
    ]
    wide = page.column_dimensions["C"].width  # and that of the column after it
    for row in (3, 4):
        assert page.row_dimensions[row].height / 15 * wide >= 60 * 1.75


def test_default_writer_would_make_formulas_and_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control for the tests above: xlsxwriter chooses the type of a cell by its text."""

    def add_row(page: TextSheet, cells: Iterable[FormattedCell] = (), height: float = 0) -> None:
        for column, (cell, cell_format) in enumerate(cells):
            page.write(page.row_count, column, cell, cell_format)
        page.row_count += 1

    monkeypatch.setattr(TextSheet, "add_row", add_row)
    monkeypatch.delattr(TextSheet, "_write_rows")
    assert not is_text(make_workbook(evening_of(riparto(1, "=1+1", "Leo", "Nina"))), "=1+1")
    assert not is_text(
        make_workbook(evening_of(riparto(1, "http://x.org", "Leo", "Nina"))), "http://x.org"
    )


def test_export_is_reproducible(monkeypatch: pytest.MonkeyPatch) -> None:
    first = make_workbook(evening_of(riparto(3)))
    monkeypatch.setattr("time.time", lambda: 2e9)
    assert make_workbook(evening_of(riparto(3))) == first
    assert make_workbook(evening_of(riparto(4))) != first


def test_payments_are_columns_with_numbers() -> None:
    stake = {"currency": "EUR", "point": 50, "match": 0}
    log = riparto(2)
    log[1]["data"]["stake"] = stake
    evening = evening_of(log)
    heads, *payments = read(make_workbook(evening), "Payments")
    assert heads == [
        "Match", "Game", "Who pays", "Who gets it", "Amount", "Currency", "Provisional",
    ]  # fmt: skip
    wanted = [dict(zip(csv.PAYMENTS, row, strict=True)) for row in csv.payment_rows(evening)]
    assert len(payments) == len(wanted) > 0
    for row, paid in zip(payments, wanted, strict=True):
        assert row[2:6] == [paid["from_name"], paid["to_name"], float(str(paid["amount"])), "EUR"]


def test_days_are_days_and_no_texts() -> None:
    rows: list[TableRow] = [
        {"date": "2026-11-21", "session": "x", "title": "=1"},
        {"date": None, "session": "y"},
    ]
    page = opened(hands_workbook(rows, PROGRAM))["Hands"]
    assert page["A2"].is_date
    assert page["A2"].value == datetime(2026, 11, 21)  # noqa: DTZ001  # as openpyxl reads it
    assert page["A3"].value is None
    assert page["C2"].value == "=1"

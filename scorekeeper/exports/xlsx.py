"""A workbook: the score sheet, the tables, the findings, the options, and what it is true of.

Every text is written as a text, whatever it looks like, and every figure as a number.
"""

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import chain, islice
from typing import Final

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from scorekeeper.exports.csv import LINES, RESULTS, Cell, line_rows, result_rows
from scorekeeper.exports.evening import Evening, Played
from scorekeeper.report.sheet import option_value

Rows = Iterable[Sequence[Cell]]

SHOWN_AS_TYPED: Final = {
    "in_memory": True, "strings_to_formulas": False, "strings_to_urls": False,
    "strings_to_numbers": False,
}  # fmt: skip
LONGEST: Final = 32_767  # characters of a cell
MOST_ROWS: Final = 1_048_576
WIDEST: Final = 48  # characters of a column
NARROWEST: Final = 8
LOOKED_AT: Final = 200  # rows by which the width of a column is chosen
FINDINGS: Final = ("match", "hand", "severity", "rule", "message", "events", "code")
OPTIONS: Final = ("match", "game", "option", "value")


def workbook(evening: Evening) -> bytes:
    """The workbook of an evening."""
    made = BytesIO()
    with Workbook(made, SHOWN_AS_TYPED) as book:
        book.set_properties(
            {"title": evening.about["title"], "created": evening.ended.replace(tzinfo=None)}
        )
        bold = book.add_format({"bold": True})
        write(book.add_worksheet("Score sheet"), sheet_rows(evening), bold)
        table(book.add_worksheet("Results"), RESULTS, result_rows(evening.report), bold)
        table(book.add_worksheet("Lines"), LINES, line_rows(evening.report), bold)
        table(book.add_worksheet("Findings"), FINDINGS, finding_rows(evening), bold)
        table(book.add_worksheet("Options"), OPTIONS, option_rows(evening), bold)
        write(book.add_worksheet("Record"), record_rows(evening))
    return made.getvalue()


def table(page: Worksheet, head: Sequence[str], rows: Rows, bold: Format) -> None:
    """Write a page of rows under a head that stays in sight."""
    written = write(page, chain((head,), rows), bold)
    page.freeze_panes(1, 0)
    page.autofilter(0, 0, max(1, written - 1), len(head) - 1)


def write(page: Worksheet, rows: Rows, heading: Format | None = None) -> int:
    """Write a page, a row that begins with a text in the look of a heading; how many rows."""
    every = list(islice(rows, MOST_ROWS))
    for down, row in enumerate(every):
        look = heading if row and isinstance(row[0], str) else None
        for along, cell in enumerate(row):
            put(page, down, along, cell, look)
    for along, width in enumerate(widths(every[:LOOKED_AT])):
        page.set_column(along, along, width)
    return len(every)


def put(page: Worksheet, down: int, along: int, cell: Cell, look: Format | None) -> None:
    """Write one cell: a text, a number, or nothing."""
    if cell is None or cell == "":
        return
    if isinstance(cell, str):
        page.write_string(down, along, cell[:LONGEST], look)
    else:
        page.write_number(down, along, cell, look)


def widths(rows: Sequence[Sequence[Cell]]) -> Iterator[int]:
    """How wide each column is to be; what stands alone in its row may run on to the right."""
    cells = [row for row in rows if len(row) > 1]
    for along in range(max(map(len, cells), default=0)):
        longest = max(len(str(row[along])) for row in cells if along < len(row))
        yield max(NARROWEST, min(WIDEST, longest + 2))


# ---------------------------------------------------------------------------- what stands in them


def sheet_rows(evening: Evening) -> Iterator[Sequence[Cell]]:
    """The score sheets of the matches, one under the other."""
    yield (evening.about["title"],)
    yield (", ".join(filter(None, (evening.about["place"], evening.hours))),)
    for match in evening.matches:
        yield ()
        yield from match_rows(match)


def match_rows(match: Played) -> Iterator[Sequence[Cell]]:
    """One match: hands as rows, for each side its points and, where they run, its totals."""
    sheet = match.sheet
    runs = sheet.counts != "hands"
    names = [name for side in sheet.columns.values() for name in (side, "total")[: 1 + runs]]
    yield (f"Match {sheet.match}: {match.game}, {match.outcome}",)
    yield ("hand", "dealer", *names, "what it came to", "status", "signed", "disputed")
    for row, gist in zip(sheet.rows, match.gists, strict=True):
        cells = [row.cells[side] for side in sheet.columns]
        figures = [n for cell in cells for n in (cell.points, cell.total)[: 1 + runs]]
        yield (
            row.hand,
            row.dealer,
            *figures,
            gist,
            row.status,
            ", ".join(row.signed),
            match.flag(row),
        )
    blank = (None,) * runs
    if sheet.penalties:
        yield ("penalties", None, *_spread(blank, (sheet.penalties.get(s) for s in sheet.columns)))
    yield (sheet.counts, None, *_spread(blank, sheet.totals.values()))


def _spread(blank: tuple[None, ...], figures: Iterable[int | None]) -> Iterator[Cell]:
    for figure in figures:
        yield from (*blank, figure)


def finding_rows(evening: Evening) -> Iterator[Sequence[Cell]]:
    """The findings, in the order of the report."""
    for one in evening.report["findings"]:
        told = {**one, "events": " ".join(map(str, one["events"]))}
        yield [told[name] for name in FINDINGS]


def option_rows(evening: Evening) -> Iterator[Sequence[Cell]]:
    """Every option of every match, as it was played with."""
    for match in evening.matches:
        for name, value in match.sheet.options.items():
            yield match.sheet.match, match.game, name, option_value(value)


def record_rows(evening: Evening) -> Iterator[Sequence[Cell]]:
    """What the workbook is true of, and how that is proved."""
    version, head = evening.position
    yield "session", evening.id
    yield "began", f"{evening.began:%Y-%m-%d %H:%M:%S} UTC"
    yield "last event", f"{evening.ended:%Y-%m-%d %H:%M:%S} UTC"
    yield "players", ", ".join(evening.players)
    yield "events", version
    yield "fingerprint", head
    yield "verify", evening.command

"""A workbook of a session: a score sheet for each match, the tables, notes, and the log's version.

Every text is written as text, even if it looks like a formula, and every figure as a number.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Final, NamedTuple

from xlsxwriter.format import Format

from scorekeeper.base.parts import ExactPoints, as_cell
from scorekeeper.exports.columns import FREE_WIDTH, MIN_WIDTH, count_lines, measure_columns
from scorekeeper.exports.csv import (
    LINES,
    PAYMENTS,
    CsvCell,
    games_played,
    line_rows,
    payment_rows,
    result_columns,
    result_rows,
)
from scorekeeper.exports.evening import Evening, MatchInExport
from scorekeeper.exports.fact_columns import fact_labels
from scorekeeper.exports.in_words import replace_codes
from scorekeeper.exports.text_workbook import FormattedCell, TextSheet, TextWorkbook
from scorekeeper.languages.catalogues import N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.money import MINUS
from scorekeeper.report.footnotes import Section
from scorekeeper.report.marks import MARKS
from scorekeeper.report.narration import format_ranges
from scorekeeper.report.sheet import GameHead, HandRow, Sheet, SheetStep, SumRow

Rows = Iterable[Sequence[CsvCell]]

MAX_SHEETS: Final = 200  # matches with a sheet of their own; the tables have all
A4: Final = 9
LEFT_TO_RIGHT: Final = 1  # reading order, even if a text begins with right-to-left letters
SHORT: Final = (MIN_WIDTH - FREE_WIDTH) // 2  # characters that fit into any column
LINE: Final = 15  # height of a line in points
MAX_LINES: Final = 27  # of a row, because a row is at most 409 points high
FROZEN_COLUMNS: Final = 3  # hand, marks and dealer
SAMPLE_ROWS: Final = 200  # from which the width of a column is computed
PAGE_WIDTH: Final = 250  # characters in a row that are readable on a landscape page
SESSION_COLUMNS: Final = ("date", "session", "title")  # equal in all rows; another sheet has them
EMPTY: Final = (None, "")
FINDINGS: Final = ("match", "hand", "severity", "rule", "message", "events")
NOTES: Final = ("mark", "hands", "what", "more")
OPTIONS: Final = ("match", "game", "option", "value", "meaning")
# The titles of columns for people. The titles in installed games are the labels of their facts.
TITLES: Final = {
    "match": N_("Match"), "game": N_("Game"), "hand": N_("Hand"),
    "dealer": N_("Dealer"), "status": N_("Status"), "level": N_("Level of detail"),
    "side": N_("Side"), "players": N_("Players"), "score": N_("Score"),
    "taken": N_("Taken"), "total": N_("Total"), "winner": N_("Winner"),
    "confirmed": N_("Signed by"), "disputed": N_("Disputed"), "points": N_("Points"),
    "rule": N_("Clause"), "text": N_("Reason"), "events": N_("Events"),
    "severity": N_("Severity"), "message": N_("Finding"),
    "reason": N_("Reason"), "unresolved": N_("Unresolved"), "date": N_("Date"),
    "session": N_("Session"), "title": N_("Title"),
    "game_of_match": N_("Game of the match"), "target": N_("Target"),
    "mark": N_("Mark"), "hands": N_("Hands"), "what": N_("What"),
    "more": N_("More"), "option": N_("Option"), "value": N_("Value"),
    "meaning": N_("Meaning"),
}  # fmt: skip
# The columns of payments in the workbook, with their titles: the match is empty for the evening.
PAYMENT_TITLES: Final = {
    "match": N_("Match"), "game": N_("Game"), "from_name": N_("Who pays"),
    "to_name": N_("Who gets it"), "amount": N_("Amount"), "currency": N_("Currency"),
    "provisional": N_("Provisional"),
}  # fmt: skip
# Different titles of columns for a kind of notes.
NOTE_TITLES: Final = {"payments": {"hands": N_("Match"), "what": N_("Who pays whom")}}


def make_workbook(evening: Evening) -> bytes:
    """Return the workbook of a session as the bytes of an .xlsx file."""
    with TextWorkbook() as book:
        book.set_properties(
            {"title": evening.about.title, "created": evening.latest.replace(tzinfo=None)}
        )
        formats = CellFormats.of(book)
        for match in evening.matches[:MAX_SHEETS]:
            title = _("Match %(number)s", number=match.sheet.match)
            write_match_sheet(book.add_worksheet(title), evening, match, formats)
        write_results_sheet(book.add_worksheet(_("Results")), evening, formats)
        lines = replace_codes(evening, LINES, line_rows(evening))
        write_table(book.add_worksheet(_("Lines")), LINES, lines, formats)
        findings = replace_codes(evening, FINDINGS, finding_rows(evening))
        write_table(book.add_worksheet(_("Findings")), FINDINGS, findings, formats)
        payments = list(replace_codes(evening, PAYMENTS, payment_rows(evening)))
        if payments:
            write_payments_sheet(book.add_worksheet(_("Payments")), payments, formats)
        for section in evening.notes:
            if section.name != "found":
                titles = TITLES | NOTE_TITLES.get(section.name, {})
                page = book.add_worksheet(section.title)
                write_table(page, NOTES, note_rows(section), formats, titles)
        write_table(book.add_worksheet(_("Options")), OPTIONS, option_rows(evening), formats)
        rows = [format_row(row, formats) for row in record_rows(evening)]
        write_rows(set_up_printing(book.add_worksheet(_("The log"))), rows)
    return book.file.getvalue()


class CellFormats(NamedTuple):
    """The formats of the cells of a workbook."""

    title: Format
    over: Format  # a heading above figures
    under: Format  # a heading above texts
    signed: Format
    signed_part: Format  # of points that are not whole
    total: Format
    sum: Format
    wrapped: Format
    day: Format

    @classmethod
    def of(cls, book: TextWorkbook) -> "CellFormats":
        """Create the formats in a workbook."""
        text = {"text_wrap": True, "align": "left", "indent": 1, "reading_order": LEFT_TO_RIGHT}
        figures = {"num_format": f"General;{MINUS}General", "valign": "top"}
        return cls(
            title=book.add_format({"bold": True, "font_size": 14}),
            over=book.add_format({"bold": True, "align": "right", "text_wrap": True}),
            under=book.add_format({**text, "bold": True}),
            signed=book.add_format({"num_format": f"+0;{MINUS}0;0", "valign": "top"}),
            signed_part=book.add_format(
                {"num_format": f"+General;{MINUS}General;0", "valign": "top"}
            ),
            total=book.add_format({**figures}),
            sum=book.add_format({**figures, "bold": True}),
            wrapped=book.add_format({**text, "valign": "top"}),
            day=book.add_format({"num_format": "yyyy-mm-dd", "align": "left", "valign": "top"}),
        )


def set_up_printing(page: TextSheet, head: int | None = None, width: float = 0) -> TextSheet:
    """Set a sheet up for printing on A4 landscape, and return it.

    ``head`` is a row to repeat on each page, ``width`` the width of the sheet in characters. A
    sheet that is too wide for one page repeats its first columns on the next.
    """
    pages = max(1, -(-int(width) // PAGE_WIDTH))
    page.set_paper(A4)
    page.set_landscape()
    page.fit_to_pages(pages, 0)
    if pages > 1:
        page.repeat_columns(0, FROZEN_COLUMNS - 1)
    page.set_margins(0.5, 0.5, 0.6, 0.6)
    page.set_footer("&L&A&R&P / &N")
    if head is not None:
        page.repeat_rows(head)
    return page


def write_table(
    page: TextSheet, head: Sequence[str], rows: Rows, formats: CellFormats,
    titles: Mapping[str, str] = TITLES,
) -> None:  # fmt: skip
    """Write a sheet of rows below a frozen head; a column ``date`` has days, and not texts."""
    days = [n for n, name in enumerate(head) if name == "date"]
    every = [format_row(with_days(row, days), formats) for row in rows]
    figures = {
        n
        for row in every[:SAMPLE_ROWS]
        for n, (_cell, look) in enumerate(row)
        if look is formats.total
    }
    heads = [
        (_(titles.get(name, name)), formats.over if n in figures else formats.under)
        for n, name in enumerate(head)
    ]
    wide = write_rows(page, [heads, *every])
    set_up_printing(page, 0, sum(wide))
    page.freeze_panes(1, 0)
    page.autofilter(0, 0, max(1, page.row_count - 1), len(head) - 1)


def with_days(row: Sequence[CsvCell], columns: Sequence[int]) -> Sequence[CsvCell | date]:
    """Return a row with days in these columns, in place of ISO dates."""
    if not columns:
        return row
    cells: list[CsvCell | date] = list(row)
    for n in columns:
        cell = cells[n]
        if cell and isinstance(cell, str):
            cells[n] = date.fromisoformat(cell)
    return cells


def format_row(row: Sequence[CsvCell | date], formats: CellFormats) -> list[FormattedCell]:
    """Return a row with the format of each cell: that of a text, a day, a figure, or none."""
    return [(cell, _find_format(cell, formats)) for cell in row]


def _find_format(cell: CsvCell | date, formats: CellFormats) -> Format | None:
    """Return the format of a cell of a table."""
    if isinstance(cell, str):
        return formats.wrapped
    if isinstance(cell, date):
        return formats.day
    return None if cell is None else formats.total


def write_rows(page: TextSheet, rows: Sequence[Sequence[FormattedCell]]) -> list[int]:
    """Write rows to a sheet, set the widths of its columns, and return these widths.

    Long texts are wrapped. A single cell in a row may overflow to the right.
    """
    column_widths = list(
        measure_columns([[cell for cell, _format in row] for row in rows[:SAMPLE_ROWS]])
    )
    for column, width in enumerate(column_widths):
        page.set_column(column, column, width)
    cache: list[dict[str, int]] = [{} for _column in column_widths]  # most texts are repeated
    for row in rows:
        lines = 1
        for column, (cell, _format) in enumerate(row):
            if isinstance(cell, str) and len(cell) > SHORT and len(row) > 1:
                cell_lines = cache[column].get(cell)
                if cell_lines is None:
                    cell_lines = count_lines(cell, column_widths[column] - FREE_WIDTH)
                    cache[column][cell] = cell_lines
                lines = max(lines, cell_lines)
        page.add_row(row, LINE * min(MAX_LINES, lines) if lines > 1 else 0)
    return column_widths


# --------------------------------------------------------------------------------- their content


def write_match_sheet(
    page: TextSheet, evening: Evening, match: MatchInExport, formats: CellFormats
) -> None:
    """Write the score sheet of a match, with the points and the totals of each side."""
    where = (evening.about.title, evening.about.place, evening.hours)
    page.add_row([(f"{match.game}, {match.outcome}", formats.title)])
    page.add_row([(" · ".join(filter(None, where)), None)])
    head = page.row_count
    wide = write_rows(page, list(match_rows(match, formats)))
    page.add_row()
    used = {name for marks in match.marks for name in marks}
    for mark in (mark for name, mark in MARKS.items() if name in used):
        page.add_row([(mark.sign, None), (mark.word, None)])
    page.freeze_panes(head + 1, FROZEN_COLUMNS)
    set_up_printing(page, head, sum(wide))


def match_rows(played: MatchInExport, formats: CellFormats) -> Iterator[Sequence[FormattedCell]]:
    """Yield the rows of a match: hands and penalties, with marks and formats.

    Each side has two columns: points and totals, or, in a match that counts hands, points and 1 for
    a hand that it won.
    """
    sheet = played.sheet
    second = _("Won") if sheet.counts == "hands" else _("Total")
    sides = [
        head_cell
        for name in sheet.columns.values()
        for head_cell in ((name, formats.over), (second, formats.over))
    ]
    yield (
        (_("Hand"), formats.over), (_("Marks"), formats.under), (_("Dealer"), formats.under),
        *sides, (_("How it ended"), formats.under), (_("Signed by"), formats.under),
    )  # fmt: skip
    for row in sheet.grid():
        match row:
            case GameHead(game):
                title = _("%(name)s to %(target)s", name=played.name_game(game), target=game.target)
                yield (None, None), (None, None), (title, formats.under)
            case SumRow():
                yield _sum_row(played, row, formats)
            case _:
                yield _step_row(played, row, formats)


def _step_row(
    played: MatchInExport, step: SheetStep, formats: CellFormats
) -> Sequence[FormattedCell]:
    """Return the cells of a hand or a penalty in the score sheet of a match."""
    told, wrapped = played.describe_step(step), formats.wrapped
    figures = [
        cell
        for side in played.sheet.columns
        for cell in _figure_cells(played.sheet, step, side, formats)
    ]
    return (
        (told.hand, formats.total), (" ".join(told.signs), wrapped), (told.dealer, wrapped),
        *figures, (told.result, wrapped), (told.signed, wrapped),
    )  # fmt: skip


def _figure_cells(
    sheet: Sheet, step: SheetStep, side: str, formats: CellFormats
) -> tuple[FormattedCell, FormattedCell]:
    """Return the two cells of a side: points and total, or points and 1 for a won hand."""
    cell = step.cells[side]
    if sheet.counts == "hands" and isinstance(step, HandRow):
        won = None if cell.points is None else int(step.winner == side)
        return (_number_of(cell.points), formats.total), (won, formats.total)
    points, total = _number_of(cell.points), _number_of(cell.total)
    signed = formats.signed_part if isinstance(points, Decimal) else formats.signed
    return (points, signed), (total, formats.total)


def _number_of(points: ExactPoints | None) -> int | Decimal | None:
    """Return the number of a cell for points; None for none."""
    return None if points is None else as_cell(points)


def _sum_row(played: MatchInExport, row: SumRow, formats: CellFormats) -> list[FormattedCell]:
    """Return a row of sums, below the second column of each side, and the text beside it."""
    blank: FormattedCell = (None, None)
    cells = [blank, blank, (played.label_sum(row), formats.under)]
    for side in played.sheet.columns:
        cells += [blank, (_number_of(row.figures[side]), formats.sum)]
    return [*cells, (row.text, formats.wrapped)] if row.text else cells


def write_results_sheet(page: TextSheet, evening: Evening, formats: CellFormats) -> None:
    """Write the table of results, without empty columns and those equal in all rows."""
    columns = result_columns(evening)
    rows = list(replace_codes(evening, columns, result_rows(evening)))
    empty = {
        name
        for name, cells in zip(columns, zip(*rows, strict=True), strict=False)
        if all(cell in EMPTY for cell in cells)
    }
    own = [n for n, name in enumerate(columns) if name not in SESSION_COLUMNS and name not in empty]
    titles = TITLES | fact_labels(games_played(evening))
    write_table(
        page, [columns[n] for n in own], ([row[n] for n in own] for row in rows), formats, titles
    )


def write_payments_sheet(page: TextSheet, rows: Rows, formats: CellFormats) -> None:
    """Write the payments of matches, and of the evening where it is played for money."""
    own, head = [PAYMENTS.index(name) for name in PAYMENT_TITLES], list(PAYMENT_TITLES)
    write_table(page, head, ([row[n] for n in own] for row in rows), formats, PAYMENT_TITLES)


def note_rows(section: Section) -> Iterator[Sequence[CsvCell]]:
    """Yield the notes of a kind: mark, hands, text, and more."""
    for note in section.notes:
        yield note.sign, note.place, note.text, "; ".join(note.more)


def finding_rows(evening: Evening) -> Iterator[Sequence[CsvCell]]:
    """Yield the findings, in the order of the report."""
    for finding in evening.report.findings:
        events = " ".join(map(str, finding.events))
        yield (
            finding.match, finding.hand, finding.severity, finding.rule, finding.message, events,
        )  # fmt: skip


def option_rows(evening: Evening) -> Iterator[Sequence[CsvCell]]:
    """Yield every option and value, with the matches that were played with it."""
    by_option: dict[tuple[str, str, str, str], list[int]] = {}
    for match in evening.matches:
        for option in match.options:
            key = match.game, option.question, option.answer, option.meaning
            by_option.setdefault(key, []).append(match.sheet.match)
    for (game, *words), matches in by_option.items():
        yield matches[0] if len(matches) == 1 else format_ranges(matches), game, *words


def record_rows(evening: Evening) -> Iterator[Sequence[CsvCell | date]]:
    """Yield labels and values that identify the log: its session, times, players, version and head.

    The last row has the command that verifies the log.
    """
    version, head = evening.position
    home = evening.reader.to_local_time
    began = f"{home(evening.began):%Y-%m-%d %H:%M:%S %Z}" if evening.began else None
    yield _("Session"), evening.id
    if evening.day is not None and evening.recorded_later:
        yield _("Day of play"), evening.day
    yield _("Began"), began
    yield _("Last event"), f"{home(evening.latest):%Y-%m-%d %H:%M:%S %Z}"
    yield _("Players"), ", ".join(evening.players)
    yield _("Events"), version
    yield _("Fingerprint"), head
    yield _("Verify"), evening.command

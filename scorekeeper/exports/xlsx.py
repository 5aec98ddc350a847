"""A workbook: a score sheet for each match, the tables, what there is to know, what it is true of.

Every text is written as a text, whatever it looks like, and every figure as a number.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from xlsxwriter.format import Format

from scorekeeper.base.language import language
from scorekeeper.exports.book import Book, Looked, TextSheet
from scorekeeper.exports.columns import BORDER, NARROWEST, lines_of, widths
from scorekeeper.exports.csv import (
    LINES,
    CsvCell,
    games_of,
    line_rows,
    result_columns,
    result_rows,
)
from scorekeeper.exports.evening import Evening, Played
from scorekeeper.exports.fact_columns import labels
from scorekeeper.exports.in_words import in_words
from scorekeeper.languages.catalogues import N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.money import MINUS
from scorekeeper.report.footnotes import Section
from scorekeeper.report.marks import COUNTED, MARKS, STATUS
from scorekeeper.report.narration import spans
from scorekeeper.report.sheet import HandRow, PenaltyRow, Sheet

Rows = Iterable[Sequence[CsvCell]]

MOST_SHEETS: Final = 200  # matches with a sheet of their own; the tables have all
A4: Final = 9
RIGHTWARDS: Final = 1  # also where the first letters of a text run leftwards
SHORT: Final = (NARROWEST - BORDER) // 2  # characters that fit into any column
LINE: Final = 15  # points that a line is high
MOST_LINES: Final = 27  # as a row is no higher than 409 points
FIXED: Final = 3  # columns that stay in sight: hand, marks and dealer
LOOKED_AT: Final = 200  # rows by which the width of a column is chosen
ON_A_PAGE: Final = 250  # characters side by side that can be read on a page that lies
OF_ALL: Final = ("date", "session", "title")  # the same in all rows; another sheet has them
UNSAID: Final = (None, "")
FINDINGS: Final = ("match", "hand", "severity", "rule", "message", "events")
NOTES: Final = ("mark", "hands", "what", "more")
OPTIONS: Final = ("match", "game", "option", "value", "meaning")
# What columns are called by whoever reads them; of tables that came later, by their names.
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
# What notes of a kind have in these columns instead.
OF_NOTES: Final = {"payments": {"hands": N_("Match"), "what": N_("Who pays whom")}}


def workbook(evening: Evening) -> bytes:
    """The workbook of an evening."""
    with Book() as book:
        book.set_properties(
            {"title": evening.about["title"], "created": evening.latest.replace(tzinfo=None)}
        )
        looks = CellFormats.of(book)
        for match in evening.matches[:MOST_SHEETS]:
            title = _("Match %(number)s", number=match.sheet.match)
            match_page(book.add_worksheet(title), evening, match, looks)
        result_page(book.add_worksheet(_("Results")), evening, looks)
        lines = in_words(evening, LINES, line_rows(evening))
        table(book.add_worksheet(_("Lines")), LINES, lines, looks)
        findings = in_words(evening, FINDINGS, finding_rows(evening))
        table(book.add_worksheet(_("Findings")), FINDINGS, findings, looks)
        for section in evening.notes:
            if section.name != "found":
                titles = TITLES | OF_NOTES.get(section.name, {})
                page = book.add_worksheet(section.title)
                table(page, NOTES, note_rows(section), looks, titles)
        table(book.add_worksheet(_("Options")), OPTIONS, option_rows(evening), looks)
        told = [by_kind(row, looks) for row in record_rows(evening)]
        write(to_print(book.add_worksheet(_("The log"))), told)
    return book.made.getvalue()


class CellFormats(NamedTuple):
    """The looks of cells, made once for a workbook."""

    title: Format
    over: Format  # a heading over figures
    under: Format  # one over texts
    signed: Format
    total: Format
    sum: Format
    wrapped: Format

    @classmethod
    def of(cls, book: Book) -> "CellFormats":
        """The looks of a workbook."""
        text = {"text_wrap": True, "align": "left", "indent": 1, "reading_order": RIGHTWARDS}
        figures = {"num_format": f"General;{MINUS}General", "valign": "top"}
        return cls(
            title=book.add_format({"bold": True, "font_size": 14}),
            over=book.add_format({"bold": True, "align": "right", "text_wrap": True}),
            under=book.add_format({**text, "bold": True}),
            signed=book.add_format({"num_format": f"+0;{MINUS}0;0", "valign": "top"}),
            total=book.add_format({**figures}),
            sum=book.add_format({**figures, "bold": True}),
            wrapped=book.add_format({**text, "valign": "top"}),
        )


def to_print(page: TextSheet, head: int | None = None, wide: float = 0) -> TextSheet:
    """Set a page up for paper: a given number of characters wide, the row of its head on each.

    It lies on A4; what is too wide to be read there has its first columns again on the next.
    """
    pages = max(1, -(-int(wide) // ON_A_PAGE))
    page.set_paper(A4)
    page.set_landscape()
    page.fit_to_pages(pages, 0)
    if pages > 1:
        page.repeat_columns(0, FIXED - 1)
    page.set_margins(0.5, 0.5, 0.6, 0.6)
    page.set_footer("&L&A&R&P / &N")
    if head is not None:
        page.repeat_rows(head)
    return page


def table(
    page: TextSheet, head: Sequence[str], rows: Rows, looks: CellFormats,
    titles: Mapping[str, str] = TITLES,
) -> None:  # fmt: skip
    """Write a page of rows under a head that stays in sight."""
    every = [by_kind(row, looks) for row in rows]
    figures = {
        n for row in every[:LOOKED_AT] for n, (_cell, look) in enumerate(row) if look is looks.total
    }
    heads = [
        (_(titles.get(name, name)), looks.over if n in figures else looks.under)
        for n, name in enumerate(head)
    ]
    wide = write(page, [heads, *every])
    to_print(page, 0, sum(wide))
    page.freeze_panes(1, 0)
    page.autofilter(0, 0, max(1, page.down - 1), len(head) - 1)


def by_kind(row: Sequence[CsvCell], looks: CellFormats) -> list[Looked]:
    """A row whose cells look as what they are: a text, a figure, or nothing."""
    text, figure = looks.wrapped, looks.total
    return [
        (cell, text if isinstance(cell, str) else None if cell is None else figure) for cell in row
    ]


def write(page: TextSheet, rows: Sequence[Sequence[Looked]]) -> list[int]:
    """Write rows, long texts in several lines, and make the columns as wide as they need; how wide.

    What stands alone in its row runs on to the right.
    """
    wide = list(widths([[cell for cell, _look in row] for row in rows[:LOOKED_AT]]))
    for along, width in enumerate(wide):
        page.set_column(along, along, width)
    known: list[dict[str, int]] = [{} for _column in wide]  # most texts come again
    for row in rows:
        lines = 1
        for along, (cell, _look) in enumerate(row):
            if isinstance(cell, str) and len(cell) > SHORT and len(row) > 1:
                taken = known[along].get(cell)
                if taken is None:
                    taken = known[along][cell] = lines_of(cell, wide[along] - BORDER)
                lines = max(lines, taken) if taken > 1 else lines
        page.add(row, LINE * min(MOST_LINES, lines) if lines > 1 else 0)
    return wide


# ---------------------------------------------------------------------------- what stands in them


def match_page(page: TextSheet, evening: Evening, match: Played, looks: CellFormats) -> None:
    """Write the score sheet of a match: under each side its points, and its totals beside them."""
    where = (evening.about["title"], evening.about["place"], evening.hours)
    page.add([(f"{match.game}, {match.outcome}", looks.title)])
    page.add([(" · ".join(filter(None, where)), None)])
    head = page.down
    wide = write(page, list(match_rows(match, looks)))
    page.add()
    there = {name for marks in match.marks for name in marks}
    for mark in (one for name, one in MARKS.items() if name in there):
        page.add([(mark.sign, None), (mark.word, None)])
    page.freeze_panes(head + 1, FIXED)
    to_print(page, head, sum(wide))


def match_rows(match: Played, looks: CellFormats) -> Iterator[Sequence[Looked]]:
    """One match: hands and penalties as rows, each with its marks and its looks.

    A side has its points and its totals; in a match for hands won its points, and 1 for a hand won.
    """
    sheet = match.sheet
    second = _("Won") if sheet.counts == "hands" else _("Total")
    sides = [
        one for name in sheet.columns.values() for one in ((name, looks.over), (second, looks.over))
    ]
    yield (
        (_("Hand"), looks.over), (_("Marks"), looks.under), (_("Dealer"), looks.under), *sides,
        (_("How it ended"), looks.under), (_("Signed by"), looks.under),
    )  # fmt: skip
    for game, steps in sheet.parts:
        name = ""
        if game:
            name = language().word("game", match.called.get(game["name"], game["name"]))
            told = _("%(name)s to %(target)s", name=name, target=game["target"])
            yield (None, None), (None, None), (told, looks.under)
        for step in steps:
            yield _step_row(match, step, looks)
        if game:
            yield _sum_row(name, game["scores"].values(), looks)
    yield _sum_row(_(COUNTED[sheet.counts]), sheet.totals.values(), looks)
    if sheet.reckoning:
        settled = (sheet.reckoning["points"][side] for side in sheet.columns)
        yield [*_sum_row(_("Settled"), settled, looks), (sheet.reckoning["text"], looks.wrapped)]


def _step_row(match: Played, step: HandRow | PenaltyRow, looks: CellFormats) -> Sequence[Looked]:
    """A hand or a penalty, with a figure for each side and beside it its total."""
    figures = [
        cell for side in match.sheet.columns for cell in _figures(match.sheet, step, side, looks)
    ]
    if isinstance(step, PenaltyRow):
        words = (step.reason, looks.wrapped)
        return (None, None), (None, None), (_("Penalty"), looks.wrapped), *figures, words
    gist = match.gists[step.hand - 1]
    words = (gist or ("" if step.status == "complete" else _(STATUS[step.status])), looks.wrapped)
    signs = " ".join(MARKS[name].sign for name in match.marks[step.hand - 1])
    signed = (", ".join(step.signed), looks.wrapped)
    return (
        (step.hand, looks.total),
        (signs, looks.wrapped),
        (step.dealer, looks.wrapped),
        *figures,
        words,
        signed,
    )


def _figures(
    sheet: Sheet, step: HandRow | PenaltyRow, side: str, looks: CellFormats
) -> tuple[Looked, Looked]:
    cell = step.cells[side]
    if sheet.counts == "hands" and isinstance(step, HandRow):
        won = None if cell.points is None else int(step.winner == side)
        return (cell.points, looks.total), (won, looks.total)
    return (cell.points, looks.signed), (cell.total, looks.total)


def _sum_row(name: str, figures: Iterable[int], looks: CellFormats) -> Sequence[Looked]:
    """What the columns come to: under the totals, or where hands are won under those."""
    blank: tuple[Looked, ...] = ((None, None),)
    sums = [cell for figure in figures for cell in (*blank, (figure, looks.sum))]
    return *blank, *blank, (name, looks.under), *sums


def result_page(page: TextSheet, evening: Evening, looks: CellFormats) -> None:
    """Write the table of results, but for what is the same in all its rows, or in none."""
    columns = result_columns(evening)
    rows = list(in_words(evening, columns, result_rows(evening)))
    empty = {
        name
        for name, cells in zip(columns, zip(*rows, strict=True), strict=False)
        if all(cell in UNSAID for cell in cells)
    }
    own = [n for n, name in enumerate(columns) if name not in OF_ALL and name not in empty]
    titles = TITLES | labels(games_of(evening))
    table(page, [columns[n] for n in own], ([row[n] for n in own] for row in rows), looks, titles)


def note_rows(section: Section) -> Iterator[Sequence[CsvCell]]:
    """The notes of a kind: the mark, of which hands, what, and what else."""
    for note in section.notes:
        yield note.sign, note.place, note.text, "; ".join(note.more)


def finding_rows(evening: Evening) -> Iterator[Sequence[CsvCell]]:
    """The findings, in the order of the report."""
    for one in evening.report["findings"]:
        told = {**one, "events": " ".join(map(str, one["events"]))}
        yield [told[name] for name in FINDINGS]


def option_rows(evening: Evening) -> Iterator[Sequence[CsvCell]]:
    """Every option, with the matches that were played so."""
    so: dict[tuple[str, str, str, str], list[int]] = {}
    for match in evening.matches:
        for one in match.options:
            key = match.game, one.question, one.answer, one.meaning
            so.setdefault(key, []).append(match.sheet.match)
    for (game, *option), matches in so.items():
        yield matches[0] if len(matches) == 1 else spans(matches), game, *option


def record_rows(evening: Evening) -> Iterator[Sequence[CsvCell]]:
    """What the workbook is true of, and how that is proved."""
    version, head = evening.position
    home = evening.reader.to_local_time
    began = f"{home(evening.began):%Y-%m-%d %H:%M:%S %Z}" if evening.began else None
    yield _("Session"), evening.id
    yield _("Began"), began
    yield _("Last event"), f"{home(evening.latest):%Y-%m-%d %H:%M:%S %Z}"
    yield _("Players"), ", ".join(evening.players)
    yield _("Events"), version
    yield _("Fingerprint"), head
    yield _("Verify"), evening.command

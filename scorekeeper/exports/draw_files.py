"""The draw of a tournament as files: CSV, and A4 pages for the wall.

Entrants are numbers, or the names that the caller gives.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from scorekeeper.base.language import speaking
from scorekeeper.exports.csv import write_csv
from scorekeeper.exports.evening import UNKNOWN_TIME
from scorekeeper.exports.filenames import parse_time
from scorekeeper.exports.paper import BOTTOM, LEFT, RIGHT, TOP, Paper
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.catalogues import ngettext
from scorekeeper.languages.reader import PROGRAM, Reader
from scorekeeper.tournaments.draws.draw import Draw, DrawnRound

COLUMNS: Final = ("round", "table", "seat", "entrant", "name")
# Millimetres.
HEADING_HEIGHT: Final = 10.0
LINE_HEIGHT: Final = 6.0
BLOCK_GAP: Final = 3.0
TABLE_WIDTH: Final = 24.0
# Points.
TITLE_SIZE: Final = 16.0
HEADING_SIZE: Final = 13.0
TEXT_SIZE: Final = 11.0
MAX_LINES: Final = 4  # of a table, or of the entrants who sit out

EntrantNames = Mapping[int, str]


def draw_csv(draw: Draw, names: EntrantNames, reader: Reader = PROGRAM) -> bytes:
    """Return a CSV table with a row for each seat, and for each entrant who sits out.

    The latter have neither a table nor a seat.
    """
    return write_csv(COLUMNS, _list_seats(draw, names), reader)


def _list_seats(draw: Draw, names: EntrantNames) -> Iterator[tuple[int | str | None, ...]]:
    """Yield the rows of the CSV table."""
    for drawn in draw.rounds:
        for number, table in enumerate(drawn.tables, start=1):
            for seat, entrant in enumerate(table, start=1):
                yield drawn.number, number, seat, entrant, names.get(entrant)
        for entrant in drawn.byes:
            yield drawn.number, None, None, entrant, names.get(entrant)


def draw_paper(draw: Draw, names: EntrantNames, reader: Reader = PROGRAM) -> bytes:
    """Return the seating of all rounds as a PDF; a round begins a page if it does not fit."""
    with speaking(reader.translated_language):
        title = ngettext("Draw for %(num)d entrant", "Draw for %(num)d entrants", draw.entrants)
        paper = Paper(title, parse_time(UNKNOWN_TIME), f"{draw.by}, {draw.seed}", reader.language)
        paper.write_at(LEFT, TOP, RIGHT - LEFT, title, TITLE_SIZE, "B")
        y = TOP + HEADING_HEIGHT
        for drawn in draw.rounds:
            y = _draw_round(paper, drawn, names, y)
        return bytes(paper.output())


def _draw_round(paper: Paper, drawn: DrawnRound, names: EntrantNames, y: float) -> float:
    """Draw a round at `y`, or on a new page if it does not fit; return the position below it."""
    blocks = [
        (_("Table %(number)s", number=number), _wrap(paper, table, names))
        for number, table in enumerate(drawn.tables, start=1)
    ]
    if drawn.byes:
        blocks.append((_("Sit out"), _wrap(paper, drawn.byes, names)))
    height = HEADING_HEIGHT + LINE_HEIGHT * sum(len(lines) for _head, lines in blocks)
    if y + height > BOTTOM and y > TOP:
        paper.add_page()
        y = TOP
    paper.write_at(LEFT, y, RIGHT - LEFT, _("Round %(number)s", number=drawn.number),
                   HEADING_SIZE, "B")  # fmt: skip
    y += HEADING_HEIGHT
    for head, lines in blocks:
        if y + LINE_HEIGHT * len(lines) > BOTTOM:
            paper.add_page()
            y = TOP
        paper.write_at(LEFT, y, TABLE_WIDTH, head, TEXT_SIZE, "B")
        for line in lines:
            paper.write_at(LEFT + TABLE_WIDTH, y, RIGHT - LEFT - TABLE_WIDTH, line, TEXT_SIZE)
            y += LINE_HEIGHT
    return y + BLOCK_GAP


def _wrap(paper: Paper, entrants: Sequence[int], names: EntrantNames) -> list[str]:
    """Return the lines with the entrants of a table in seat order."""
    text = " · ".join(names.get(entrant, str(entrant)) for entrant in entrants)
    return paper.wrap(text, RIGHT - LEFT - TABLE_WIDTH, TEXT_SIZE, MAX_LINES)

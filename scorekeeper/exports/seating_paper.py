"""The seating of a round for the wall, by name and by table, and road cards for the pocket."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from fpdf.enums import Align

from scorekeeper.base.language import speaking
from scorekeeper.exports.paper import BOTTOM, LEFT, RIGHT, TOP, Paper, Style
from scorekeeper.exports.paper_flow import (
    ColumnFlow,
    FittedText,
    balance_columns,
    fit_texts,
    line_height,
    write_heading,
    write_lines,
)
from scorekeeper.exports.tournament import SeatingView, TournamentFile
from scorekeeper.exports.tournament_words import describe_day
from scorekeeper.languages.catalogues import gettext as _

STROKED: Final = str.maketrans("ĐđŁłØøÞþ", "DdLlOoTt")  # have no accent that can be taken off
# Points.
WALL_SIZES: Final = (16.0, 14.0, 12.5, 11.0)  # the largest at which a list fits on a page
NAME_SIZE: Final = 11.0
TABLE_SIZE: Final = 13.0
HEAD_SIZE: Final = 7.5
# Millimetres.
FOOT_WIDTH: Final = 148.0  # beside the number of the page
TABLE_WIDTH: Final = 14.0
SEAT_WIDTH: Final = 10.0
COLUMNS: Final = 2
COLUMN_GAP: Final = 6.0
COLUMN_WIDTH: Final = (RIGHT - LEFT - COLUMN_GAP) / COLUMNS
NAME_HEIGHT: Final = 15.0  # of the lines of a long name
IDLE_LINES: Final = 12  # of a block of those who sit out
PADDING: Final = 1.2
HEAD_HEIGHT: Final = 5.0
CARD_GAP: Final = 4.0
CARD_ROW: Final = 6.0
CARD_NAME_HEIGHT: Final = 16.0
NUMBER_WIDTH: Final = 8.0  # of a seat before a name


class SeatedName(NamedTuple):
    """A line of the list by name: the table and the seat are empty for those who sit out."""

    name: str
    table: str
    seat: str


def start_paper(file: TournamentFile, what: str) -> Paper:
    """Return a paper about the tournament; its foot says what it is."""
    foot = " · ".join(filter(None, (what, file.about.name, file.tag)))
    paper = Paper(file.title, file.latest, foot, file.reader.language)
    players = {player: known.name for player, known in file.players.items()}
    paper.use_ids_for_unprintable({**file.names, **players})
    width = paper.width_of(foot, paper.foot_size)
    paper.foot_size *= min(1.0, FOOT_WIDTH / width)
    return paper


def seating_paper(file: TournamentFile) -> bytes:
    """Return the seating of a round as a PDF: the list by name, then that by table.

    Raises `UnusableError` if no round is published yet.
    """
    seating = file.seating
    with speaking(file.reader.translated_language):
        round_words = _("Round %(number)s", number=seating.round)
        paper = start_paper(file, round_words)
        title = f"{file.about.name} · {round_words}"
        y = write_heading(paper, title, _describe_list(file, seating, _("by name")))
        _draw_by_name(paper, file, seating, y)
        paper.add_page()
        y = write_heading(paper, title, _describe_list(file, seating, _("by table")))
        _draw_by_table(paper, file, seating, y)
        return bytes(paper.output())


def _describe_list(file: TournamentFile, seating: SeatingView, order: str) -> str:
    """Return the line below the title: stage, game, day, and the order of the list."""
    stage = seating.stage_name if seating.stage_name != file.about.name else ""
    about = (stage, file.game, describe_day(file), order)
    draft = "" if seating.published else _("not published yet")
    return " · ".join(filter(None, (*about, draft)))


def sort_key(name: str) -> str:
    """Return a text by which names are sorted as people look for them, accents aside.

    >>> sorted(["Zoe", "élan", "Eva", "adam"], key=sort_key)
    ['adam', 'élan', 'Eva', 'Zoe']
    """
    letters = unicodedata.normalize("NFKD", name.translate(STROKED))
    return "".join(char for char in letters if not unicodedata.combining(char)).casefold()


def list_by_name(file: TournamentFile, seating: SeatingView) -> list[SeatedName]:
    """Return the players of a round by name, each with table and seat, and those who sit out.

    The name of a pair, or of an entrant with a substitute, stands behind that of the player, unless
    it contains it.
    """
    lines = [
        SeatedName(_name_player(seat.name, file.names[seat.entrant]), str(table.table),
                   str(seat.seat))
        for table in seating.tables
        for seat in table.seats
    ]  # fmt: skip
    lines += [SeatedName(file.names[entrant], "–", "") for entrant in seating.byes]
    return sorted(lines, key=lambda line: sort_key(line.name))


def _name_player(name: str, entrant: str) -> str:
    """Return the name of a player, with the entrant's if that does not contain it."""
    return name if name in entrant else f"{name} ({entrant})"


def _draw_by_name(paper: Paper, file: TournamentFile, seating: SeatingView, y: float) -> None:
    """Draw the list by name in two columns, as large as a page allows."""
    lines = list_by_name(file, seating)
    width = COLUMN_WIDTH - TABLE_WIDTH - SEAT_WIDTH - 1

    def fit(size: float) -> list[tuple[FittedText, float]]:
        names = [fit_texts(paper, [line.name], width, NAME_HEIGHT, size) for line in lines]
        least = line_height(size) + 2 * PADDING
        return [(name, max(least, name.height + PADDING)) for name in names]

    size = choose_size(
        lambda size: [height for _name, height in fit(size)], BOTTOM - y - HEAD_HEIGHT
    )
    rows = fit(size)
    heights = [height for _name, height in rows]
    flow = ColumnFlow(
        paper, y, COLUMNS, COLUMN_GAP, partial(_write_name_head, paper),
        balance_columns(heights, y + HEAD_HEIGHT, COLUMNS),
    )  # fmt: skip
    for line, (name, height) in zip(lines, rows, strict=True):
        top = flow.place(height)
        _draw_rule(paper, flow, top + height)
        write_lines(paper, flow.x, top + (height - name.height) / 2, width, name)
        x, middle = flow.x + flow.width - SEAT_WIDTH, top + (height - line_height(size)) / 2
        if not line.seat:
            paper.write_at(x - TABLE_WIDTH, middle, TABLE_WIDTH + SEAT_WIDTH, _("Sit out"),
                           HEAD_SIZE, "", Align.R)  # fmt: skip
            continue
        paper.write_number(x - TABLE_WIDTH, middle - 0.3, TABLE_WIDTH, line.table, size + 2, "B")
        paper.write_number(x, middle, SEAT_WIDTH, line.seat, size)


def _write_name_head(paper: Paper, x: float, y: float, width: float) -> float:
    """Write the head of a column of the list by name."""
    table, seat = TABLE_WIDTH + 4, SEAT_WIDTH + 2  # broader, as the words are
    paper.write_at(x, y, width - table - seat, _("Name"), HEAD_SIZE, "B")
    paper.write_at(x + width - SEAT_WIDTH - table, y, table, _("Table"), HEAD_SIZE, "B", Align.R)
    paper.write_at(x + width - seat, y, seat, _("Seat"), HEAD_SIZE, "B", Align.R)
    paper.set_line_width(0.4)
    paper.line(x, y + HEAD_HEIGHT - 0.6, x + width, y + HEAD_HEIGHT - 0.6)
    return y + HEAD_HEIGHT


def _draw_rule(paper: Paper, flow: ColumnFlow, y: float) -> None:
    """Draw a thin line below a block of a column."""
    paper.set_line_width(0.15)
    paper.line(flow.x, y, flow.x + flow.width, y)


def choose_size(list_heights: Callable[[float], Sequence[float]], free: float) -> float:
    """Return the largest size in which blocks fit into the columns of a page, else the smallest.

    ``list_heights`` returns their heights in a size, and ``free`` is the height of a column.
    """
    for size in WALL_SIZES[:-1]:
        heights = list_heights(size)
        if sum(heights) <= COLUMNS * (free - 2 * max(heights, default=0.0)):
            return size
    return WALL_SIZES[-1]


class TableBlock(NamedTuple):
    """A table with its players, or those who sit out, without numbers."""

    head: str
    numbers: Sequence[str]
    names: Sequence[FittedText]
    size: float

    @property
    def height(self) -> float:
        """The height of the block in millimetres."""
        lines = sum(name.height + PADDING / 2 for name in self.names)
        return line_height(self.size + 2) + 1 + lines + CARD_GAP


def _draw_by_table(paper: Paper, file: TournamentFile, seating: SeatingView, y: float) -> None:
    """Draw the tables in two columns, as large as a page allows."""

    def list_heights(size: float) -> list[float]:
        return [block.height for block in _list_blocks(paper, file, seating, size)]

    blocks = list(_list_blocks(paper, file, seating, choose_size(list_heights, BOTTOM - y)))
    heights = [block.height for block in blocks]
    bottom = balance_columns(heights, y, COLUMNS)
    flow = ColumnFlow(paper, y, COLUMNS, COLUMN_GAP, bottom=bottom)
    for block in blocks:
        _draw_block(paper, flow, block)


def _list_blocks(
    paper: Paper, file: TournamentFile, seating: SeatingView, size: float
) -> Iterator[TableBlock]:
    """Yield the tables in a size of text, then those who sit out in blocks of some lines."""

    def fit(name: str) -> FittedText:
        return fit_texts(paper, [name], COLUMN_WIDTH - NUMBER_WIDTH, NAME_HEIGHT, size)

    for table in seating.tables:
        numbers = [str(seat.seat) for seat in table.seats]
        names = [_name_player(seat.name, file.names[seat.entrant]) for seat in table.seats]
        head = _("Table %(number)s", number=table.table)
        yield TableBlock(head, numbers, list(map(fit, names)), size)
    idle = sorted((file.names[entrant] for entrant in seating.byes), key=sort_key)
    for start in range(0, len(idle), IDLE_LINES):
        names = idle[start : start + IDLE_LINES]
        yield TableBlock(_("Sit out"), [""] * len(names), list(map(fit, names)), size)


def _draw_block(paper: Paper, flow: ColumnFlow, block: TableBlock) -> None:
    """Draw a table, with a line below it."""
    y = flow.place(block.height)
    paper.write_at(flow.x, y, flow.width, block.head, block.size + 2, "B")
    y += line_height(block.size + 2) + 1
    for number, name in zip(block.numbers, block.names, strict=True):
        paper.write_number(flow.x, y, NUMBER_WIDTH - 3, number, block.size)
        y = write_lines(paper, flow.x + NUMBER_WIDTH, y, flow.width - NUMBER_WIDTH, name)
        y += PADDING / 2
    _draw_rule(paper, flow, y + 1)


# --------------------------------------------------------------------------------- road cards


class CardRow(NamedTuple):
    """A round of a road card: the table, and the seats of the entrant's players."""

    round: int
    table: str
    seats: str


def road_cards(file: TournamentFile) -> bytes:
    """Return a card for each entrant as a PDF: the table and the seat of every round.

    Raises `UnusableError` if the reader cannot see the draw of all rounds of the stage.
    """
    rows = list_card_rows(file.stage_seatings)
    with speaking(file.reader.translated_language):
        paper = start_paper(file, _("Road cards"))
        flow = ColumnFlow(paper, TOP, columns=2)
        for entrant in sorted(rows, key=lambda entrant: sort_key(file.names[entrant])):
            _draw_card(paper, file, flow, entrant, rows[entrant])
        return bytes(paper.output())


def list_card_rows(seatings: Sequence[SeatingView]) -> dict[str, list[CardRow]]:
    """Return the rounds of each entrant who is drawn in any; a bye has no table."""
    rows: dict[str, list[CardRow]] = {}
    for seating in seatings:
        for table in seating.tables:
            for entrant in table.entrants:
                seats = [str(seat.seat) for seat in table.seats if seat.entrant == entrant]
                row = CardRow(seating.round, str(table.table), " + ".join(seats))
                rows.setdefault(entrant, []).append(row)
        for entrant in seating.byes:
            rows.setdefault(entrant, []).append(CardRow(seating.round, "", ""))
    return rows


def _draw_card(
    paper: Paper, file: TournamentFile, flow: ColumnFlow, entrant: str, rows: Sequence[CardRow]
) -> None:
    """Draw a card with a frame, along which it is cut out."""
    width = flow.width - 2 * PADDING
    small = fit_texts(paper, [file.title], width, 2 * line_height(HEAD_SIZE), HEAD_SIZE)
    name = fit_texts(paper, [file.names[entrant]], width, CARD_NAME_HEIGHT, TABLE_SIZE, "B")
    above = PADDING + small.height + name.height + 1.5 + HEAD_HEIGHT
    row_height = min(CARD_ROW, (BOTTOM - TOP - above - PADDING - CARD_GAP) / max(1, len(rows)))
    height = above + row_height * len(rows) + PADDING
    top = flow.place(height + CARD_GAP)
    paper.set_line_width(0.15)
    paper.rect(flow.x, top, flow.width, height)
    x, y = flow.x + PADDING, top + PADDING
    y = write_lines(paper, x, y, width, small)
    y = write_lines(paper, x, y, width, name, "B") + 1.5
    _draw_card_row(paper, x, y, width, (_("Round"), _("Table"), _("Seat")), HEAD_SIZE)
    y += HEAD_HEIGHT
    size = min(NAME_SIZE, row_height / line_height(1))
    for row in rows:
        paper.set_line_width(0.15)
        paper.line(x, y, x + width, y)
        cells = (str(row.round), row.table or _("Sit out"), row.seats)
        _draw_card_row(paper, x, y + (row_height - line_height(size)) / 2, width, cells, size)
        y += row_height


def _draw_card_row(
    paper: Paper, x: float, y: float, width: float, cells: Sequence[str], size: float
) -> None:
    """Draw the three cells of a row, each aligned to the right of its third of the width."""
    third = width / 3
    for place, cell in enumerate(cells):
        style: Style = "B" if place == 1 else ""
        paper.write_at(x + place * third, y, third - 3, cell, size, style, Align.R)

"""The standings of a tournament on A4 pages, black on white: the table, who met whom, and prizes.

Rows are as high as their names and remarks, so that nothing is cut.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from fpdf.enums import Align

from scorekeeper.base.language import speaking
from scorekeeper.exports.paper import BOTTOM, BOXES, LEFT, RIGHT, TOP, Paper, Style
from scorekeeper.exports.paper_flow import (
    FittedText,
    fit_texts,
    line_height,
    write_figures,
    write_heading,
    write_lines,
)
from scorekeeper.exports.seating_paper import start_paper
from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.exports.tournament_words import (
    describe_day,
    describe_prize,
    describe_progress,
    describe_protests,
    describe_row,
    format_exact,
    format_round,
    format_standing_place,
    list_notes,
    list_round_numbers,
)
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.tournaments.standings_views import EntrantRoundView, StandingRowView

# Millimetres.
PLACE_WIDTH: Final = 12.0
POINTS_WIDTH: Final = 20.0
ROUND_WIDTH: Final = 11.0
MIN_ROUND_WIDTH: Final = 7.0
ROUNDS_WIDTH: Final = 90.0  # of all rounds together
GAP: Final = 2.0
MIN_ROW: Final = 5.4
NAME_HEIGHT: Final = 18.0
REMARK_HEIGHT: Final = 30.0
PADDING: Final = 1.0
HEAD_HEIGHT: Final = 5.0
MAX_MET_WIDTH: Final = 28.0  # of a round in the cross table
MET_NAME_WIDTH: Final = 48.0
MET_HEIGHT: Final = 9.0
PRIZE_WIDTH: Final = 60.0
PRIZE_HEIGHT: Final = 30.0
SIGN_HEIGHT: Final = 18.0
# Points.
TEXT_SIZE: Final = 9.0
SMALL_SIZE: Final = 7.0
MET_SIZE: Final = 6.0
PRIZE_SIZE: Final = 13.0
ROUNDS_OF_BLOCK: Final = 8  # of the table who met whom, beside one another


class FigureColumn(NamedTuple):
    """A column of figures of the standings."""

    head: str
    x: float
    width: float
    style: Style
    cells: Sequence[str]  # one for each entrant


@dataclass
class TournamentPages:
    """The paper, and the position ``y`` of the next line."""

    paper: Paper
    y: float

    @classmethod
    def start(cls, file: TournamentFile, what: str) -> "TournamentPages":
        """Return pages that begin with the title of the tournament, and say what they are."""
        paper = start_paper(file, what)
        return cls(paper, write_heading(paper, file.title, _describe(file, what)))

    def has_space(self, height: float) -> bool:
        """Return whether a block fits on this page."""
        return self.y + height <= BOTTOM

    def turn(self) -> None:
        """Begin a page."""
        self.paper.add_page()
        self.y = TOP

    def write_notes(self, notes: Iterable[str]) -> None:
        """Write sentences below a table, over the whole width."""
        self.y += GAP
        for note in notes:
            for line in self.paper.wrap(note, RIGHT - LEFT, SMALL_SIZE, 1_000):
                if not self.has_space(line_height(SMALL_SIZE)):
                    self.turn()
                self.paper.write_at(LEFT, self.y, RIGHT - LEFT, line, SMALL_SIZE)
                self.y += line_height(SMALL_SIZE)

    def finish(self) -> bytes:
        """Return the document, with a note about letters that cannot be printed."""
        if self.paper.has_boxes:
            self.write_notes([_(BOXES)])
        return bytes(self.paper.output())


def _describe(file: TournamentFile, what: str) -> str:
    """Return the line below the title."""
    about = (what, file.game, describe_day(file), file.about.place, describe_progress(file))
    return " · ".join(filter(None, about))


# ---------------------------------------------------------------------------------- standings


def standings_paper(file: TournamentFile) -> bytes:
    """Return the standings as a PDF: points, the points of rounds, and what decided ties."""
    with speaking(file.reader.translated_language):
        pages = TournamentPages.start(file, _("Standings"))
        StandingsTable(pages, file).draw()
        pages.write_notes(_list_notes(file))
        return pages.finish()


def _list_notes(file: TournamentFile) -> Iterator[str]:
    """Yield the sentences below the standings."""
    yield from list_notes(file.standings, file.names)
    yield from filter(None, (describe_protests(file),))


class StandingsTable:
    """The table of standings; rows of a page are drawn together, so that figures are aligned."""

    def __init__(self, pages: TournamentPages, file: TournamentFile) -> None:
        self.pages, self.file, self.paper = pages, file, pages.paper
        self.rows = file.standings.rows
        numbers = list_round_numbers(file.standings)
        if len(numbers) * MIN_ROUND_WIDTH > ROUNDS_WIDTH:
            numbers = []  # the tables have them
        width = min(ROUND_WIDTH, ROUNDS_WIDTH / max(1, len(numbers)))
        self.name_width = RIGHT - LEFT - PLACE_WIDTH - POINTS_WIDTH - width * len(numbers) - GAP
        self.columns = list(self._make_columns(numbers, width))

    def _make_columns(self, numbers: Sequence[int], width: float) -> Iterator[FigureColumn]:
        """Yield the columns of figures: the points, and those of each round."""
        x = LEFT + PLACE_WIDTH + self.name_width + GAP
        points = [f"{format_exact(row.points)}{'*' * row.provisional}" for row in self.rows]
        yield FigureColumn(_("Points"), x, POINTS_WIDTH - GAP, "B", points)
        x += POINTS_WIDTH
        of_rounds = [{played.round: played for played in row.rounds} for row in self.rows]
        for number in numbers:
            cells = [format_round(played.get(number)) for played in of_rounds]
            yield FigureColumn(str(number), x, width - 1, "", cells)
            x += width

    def draw(self) -> None:
        """Draw the table, over as many pages as it needs."""
        self._draw_head()
        if not self.rows:
            self.paper.write_at(LEFT, self.pages.y, RIGHT - LEFT, _("Nobody has entered."),
                                TEXT_SIZE)  # fmt: skip
            self.pages.y += MIN_ROW
        placed: list[tuple[int, float]] = []
        for number, row in enumerate(self.rows):
            name, remarks = self._fit(row)
            height = max(MIN_ROW, name.height + remarks.height + PADDING)
            if not self.pages.has_space(height):
                self._draw_figures(placed)
                placed = []
                self.pages.turn()
                self._draw_head()
            placed.append((number, self.pages.y + PADDING / 2 + 0.2))
            self._draw_row(row, name, remarks)
            self.pages.y += height
            self.paper.rule(self.pages.y)
        self._draw_figures(placed)

    def _fit(self, row: StandingRowView) -> tuple[FittedText, FittedText]:
        """Return the name of an entrant and the remarks below it, in lines."""
        name = fit_texts(self.paper, [row.name], self.name_width, NAME_HEIGHT, TEXT_SIZE)
        remark = " · ".join(filter(None, (row.group, *describe_row(row, self.file.names))))
        remarks = fit_texts(self.paper, [remark], self.name_width, REMARK_HEIGHT, SMALL_SIZE)
        return name, remarks

    def _draw_head(self) -> None:
        """Draw the heads of the columns, and a line below them."""
        write, y = self.paper.write_at, self.pages.y
        write(LEFT, y, PLACE_WIDTH - 1, _("Pos."), SMALL_SIZE, "B")
        write(LEFT + PLACE_WIDTH, y, self.name_width, _("Name"), SMALL_SIZE, "B")
        for column in self.columns:
            write(column.x - 4, y, column.width + 4, column.head, SMALL_SIZE, "B", Align.R)
        self.pages.y += HEAD_HEIGHT
        self.paper.rule(self.pages.y - 0.4, 0.4)

    def _draw_row(self, row: StandingRowView, name: FittedText, remarks: FittedText) -> None:
        """Draw the place and the name of an entrant, with remarks below it."""
        x, y = LEFT + PLACE_WIDTH, self.pages.y + PADDING / 2 + 0.2
        self.paper.write_number(LEFT, y, PLACE_WIDTH - 4, format_standing_place(row), TEXT_SIZE)
        y = write_lines(self.paper, x, y, self.name_width, name)
        write_lines(self.paper, x, y, self.name_width, remarks)

    def _draw_figures(self, placed: Sequence[tuple[int, float]]) -> None:
        """Draw the figures of the rows of a page, column by column."""
        for column in self.columns:
            rows = [(y, column.cells[number]) for number, y in placed]
            write_figures(self.paper, column.x, rows, column.width, TEXT_SIZE, column.style)


# -------------------------------------------------------------------------------- cross table


def cross_table(file: TournamentFile) -> bytes:
    """Return who met whom as a PDF: for each round the points, and the places of the others."""
    with speaking(file.reader.translated_language):
        pages = TournamentPages.start(file, _("Cross table"))
        numbers = list_round_numbers(file.standings)
        pages.write_notes([_("Below the points of a round are the places of those at the table.")])
        pages.y += GAP
        for start in range(0, max(1, len(numbers)), ROUNDS_OF_BLOCK):
            if start:
                pages.turn()
            CrossTable(pages, file, numbers[start : start + ROUNDS_OF_BLOCK]).draw()
        pages.write_notes(_list_notes(file))
        return pages.finish()


def list_met(rows: Sequence[StandingRowView]) -> dict[tuple[int, int], list[StandingRowView]]:
    """Return the lines of those who were at each table, by round and table."""
    met: dict[tuple[int, int], list[StandingRowView]] = {}
    for row in rows:
        for played in row.rounds:
            if played.table is not None:
                met.setdefault((played.round, played.table), []).append(row)
    return met


class CrossTable:
    """Some rounds of all entrants, beside one another."""

    def __init__(
        self, pages: TournamentPages, file: TournamentFile, numbers: Sequence[int]
    ) -> None:
        self.pages, self.file, self.paper, self.numbers = pages, file, pages.paper, numbers
        self.met = list_met(file.standings.rows)
        free = RIGHT - LEFT - PLACE_WIDTH - POINTS_WIDTH - GAP
        self.width = min(MAX_MET_WIDTH, (free - MET_NAME_WIDTH) / max(1, len(numbers)))
        self.name_width = free - self.width * len(numbers)

    def draw(self) -> None:
        """Draw the table, over as many pages as it needs."""
        self._draw_head()
        for row in self.file.standings.rows:
            name = fit_texts(self.paper, [row.name], self.name_width, NAME_HEIGHT, TEXT_SIZE)
            played = {each.round: each for each in row.rounds}
            others = [self._fit_others(row, played.get(number)) for number in self.numbers]
            below = max((text.height for text in others), default=0.0)
            height = max(MIN_ROW, name.height, line_height(TEXT_SIZE) + below) + PADDING
            if not self.pages.has_space(height):
                self.pages.turn()
                self._draw_head()
            y = self.pages.y + PADDING / 2
            self.paper.write_number(LEFT, y, PLACE_WIDTH - 4, format_standing_place(row), TEXT_SIZE)
            write_lines(self.paper, LEFT + PLACE_WIDTH, y, self.name_width, name)
            x = LEFT + PLACE_WIDTH + self.name_width
            points = f"{format_exact(row.points)}{'*' * row.provisional}"
            self.paper.write_number(x, y, POINTS_WIDTH - GAP, points, TEXT_SIZE, "B")
            self._draw_rounds(x + POINTS_WIDTH + GAP, y, [played.get(n) for n in self.numbers],
                              others)  # fmt: skip
            self.pages.y += height
            self.paper.rule(self.pages.y)

    def _draw_head(self) -> None:
        """Draw the heads of the columns, and a line below them."""
        write, y = self.paper.write_at, self.pages.y
        write(LEFT, y, PLACE_WIDTH - 1, _("Pos."), SMALL_SIZE, "B")
        write(LEFT + PLACE_WIDTH, y, self.name_width, _("Name"), SMALL_SIZE, "B")
        x = LEFT + PLACE_WIDTH + self.name_width
        write(x - 4, y, POINTS_WIDTH - GAP + 4, _("Points"), SMALL_SIZE, "B", Align.R)
        x += POINTS_WIDTH + GAP
        for place, number in enumerate(self.numbers):
            write(x + place * self.width, y, self.width - 1, str(number), SMALL_SIZE, "B")
        self.pages.y += HEAD_HEIGHT
        self.paper.rule(self.pages.y - 0.4, 0.4)

    def _fit_others(self, row: StandingRowView, played: EntrantRoundView | None) -> FittedText:
        """Return the places of the others at the entrant's table of a round, in lines."""
        if played is None or played.table is None:
            return FittedText(MET_SIZE, ())
        others = self.met[played.round, played.table]
        text = " ".join(str(other.place) for other in others if other is not row)
        return fit_texts(self.paper, [text], self.width - 1, MET_HEIGHT, MET_SIZE)

    def _draw_rounds(
        self, x: float, y: float, played: Sequence[EntrantRoundView | None],
        others: Sequence[FittedText],
    ) -> None:  # fmt: skip
        """Draw the points of an entrant's rounds, and the places of the others below them."""
        for of_round, text in zip(played, others, strict=True):
            self.paper.write_at(x, y, self.width - 1, format_round(of_round), TEXT_SIZE)
            write_lines(self.paper, x, y + line_height(TEXT_SIZE), self.width - 1, text)
            x += self.width


# ------------------------------------------------------------------------------------- prizes


def prize_list(file: TournamentFile) -> bytes:
    """Return the prizes with the names of the winners as a PDF, to be signed by the director."""
    with speaking(file.reader.translated_language):
        pages = TournamentPages.start(file, _("Prizes"))
        for line in file.prizes:
            place = f"{line.first}–{line.last}" if line.last > line.first else f"{line.first}."
            prize = fit_texts(pages.paper, [describe_prize(file, line)], PRIZE_WIDTH, PRIZE_HEIGHT,
                              PRIZE_SIZE, "B")  # fmt: skip
            _draw_prize(pages, place, line.names or ("–",), prize)
        if not file.prizes:
            pages.write_notes([_("No prizes are set.")])
        protests = describe_protests(file)
        pages.y += 2 * GAP
        if not pages.has_space(SIGN_HEIGHT):
            pages.turn()
        note = protests or _("The tournament goes on: the prizes may still change.")
        pages.paper.write_at(LEFT, pages.y, RIGHT - LEFT, note, PRIZE_SIZE, "B" if protests else "")
        pages.y += SIGN_HEIGHT
        pages.paper.write_at(LEFT, pages.y - 4, PRIZE_WIDTH, _("The director"), TEXT_SIZE)
        pages.paper.set_line_width(0.25)
        pages.paper.line(LEFT + PRIZE_WIDTH / 2, pages.y, LEFT + 2 * PRIZE_WIDTH, pages.y)
        pages.y += GAP
        return pages.finish()


def _draw_prize(
    pages: TournamentPages, place: str, names: Sequence[str], prize: FittedText
) -> None:
    """Draw a prize: the place, the names, and what they get; long lists go over pages."""
    paper = pages.paper
    width = RIGHT - LEFT - PLACE_WIDTH - PRIZE_WIDTH - 3 * GAP
    fitted = [fit_texts(paper, [name], width, NAME_HEIGHT, PRIZE_SIZE) for name in names]
    height = max(prize.height, fitted[0].height) + 2 * GAP
    if not pages.has_space(height):
        pages.turn()
    top = pages.y
    paper.write_number(LEFT, top, PLACE_WIDTH, place, PRIZE_SIZE, "B")
    x = RIGHT - PRIZE_WIDTH
    for line in prize.lines:
        size = line_height(prize.size)
        paper.write_at(x, pages.y, PRIZE_WIDTH, line, prize.size, "B", Align.R)
        pages.y += size
    bottom, pages.y = pages.y, top
    for name in fitted:
        if not pages.has_space(name.height):
            pages.turn()
            bottom = TOP
        pages.y = write_lines(paper, LEFT + PLACE_WIDTH + 2 * GAP, pages.y, width, name)
    pages.y = max(pages.y, bottom) + GAP
    paper.rule(pages.y - GAP / 2)

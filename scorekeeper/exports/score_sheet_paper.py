"""Blank score sheets of a round: a page for each table, to be filled in and signed by hand."""

from typing import Final

from scorekeeper.base.language import speaking
from scorekeeper.exports.paper import BOTTOM, LEFT, RIGHT, Paper
from scorekeeper.exports.paper_flow import fit_texts, line_height, write_heading, write_lines
from scorekeeper.exports.seating_paper import start_paper
from scorekeeper.exports.tournament import SeatedTableView, SeatingView, TournamentFile
from scorekeeper.exports.tournament_words import describe_day
from scorekeeper.languages.catalogues import gettext as _

HANDS_WITHOUT_NUMBER: Final = 16  # rows of a match that has an end of its own
MAX_HANDS: Final = 40  # rows of a page; more hands are added up in groups
# Millimetres.
HAND_WIDTH: Final = 16.0
CHECK_WIDTH: Final = 20.0
NAME_HEIGHT: Final = 20.0
MIN_ROW: Final = 4.4
MAX_ROW: Final = 12.0
TOTAL_ROW: Final = 9.0
SIGN_ROW: Final = 11.0
NOTE_HEIGHT: Final = 6.0
BOX: Final = 3.0
INSET: Final = 0.8
# Points.
NAME_SIZE: Final = 10.0
TEXT_SIZE: Final = 9.0
SMALL_SIZE: Final = 7.0


def score_sheets(file: TournamentFile) -> bytes:
    """Return a blank score sheet for each table of a round as a PDF.

    Raises `UnusableError` if no round is published yet.
    """
    seating = file.seating
    with speaking(file.reader.translated_language):
        paper = start_paper(file, _("Score sheet"))
        for number, table in enumerate(seating.tables):
            if number:
                paper.add_page()
            BlankSheet(paper, file, seating, table).draw()
        return bytes(paper.output())


class BlankSheet:
    """The blank score sheet of a table: a column for each entrant, a row for each hand."""

    def __init__(
        self, paper: Paper, file: TournamentFile, seating: SeatingView, table: SeatedTableView
    ) -> None:
        self.paper, self.file, self.seating, self.table = paper, file, seating, table
        hands = table.deals or HANDS_WITHOUT_NUMBER
        self.rows = min(hands, MAX_HANDS)
        self.step = -(-hands // self.rows)  # hands of a row
        self.hands = hands
        self.check = CHECK_WIDTH if file.about.zero_sum else 0.0
        free = RIGHT - LEFT - HAND_WIDTH - self.check
        self.width = free / max(1, len(table.entrants))

    def draw(self) -> None:
        """Draw the sheet."""
        paper, file = self.paper, self.file
        title = " · ".join((_("Table %(number)s", number=self.table.table),
                            _("Round %(number)s", number=self.seating.round)))  # fmt: skip
        about = (file.about.name, self.seating.stage_name, file.game, describe_day(file))
        y = write_heading(paper, title, " · ".join(dict.fromkeys(filter(None, about))))
        y = self._draw_names(y)
        signing = SIGN_ROW * ((len(self.table.seats) + 1) // 2) + 2 * NOTE_HEIGHT
        free = BOTTOM - y - TOTAL_ROW - signing - 2
        height = max(MIN_ROW, min(MAX_ROW, free / self.rows))
        for row in range(self.rows):
            first = row * self.step + 1
            last = min(first + self.step - 1, self.hands)
            self._draw_row(y, height, str(first) if first == last else f"{first}–{last}")
            y += height
            if last == self.hands:
                break
        paper.rule(y, 0.5)
        y = self._draw_totals(y)
        self._draw_signatures(y)

    def _draw_names(self, y: float) -> float:
        """Draw the names of the entrants over their columns, with the numbers of their seats."""
        fitted = [
            fit_texts(self.paper, self._head_texts(entrant), self.width - 2 * INSET, NAME_HEIGHT,
                      NAME_SIZE, "B")
            for entrant in self.table.entrants
        ]  # fmt: skip
        height = max((text.height for text in fitted), default=0.0) + 2 * INSET
        self.paper.rule(y, 0.5)
        self.paper.write_at(
            LEFT + INSET, y + INSET, HAND_WIDTH - 2 * INSET, _("Hand"), SMALL_SIZE, "B"
        )
        for place, text in enumerate(fitted):
            x = self._column(place)
            write_lines(self.paper, x + INSET, y + INSET, self.width - 2 * INSET, text, "B")
        if self.check:
            text = fit_texts(self.paper, [_("adds up to 0")], self.check - 2 * INSET, height,
                             SMALL_SIZE, "B")  # fmt: skip
            write_lines(self.paper, RIGHT - self.check + INSET, y + INSET, self.check - 2 * INSET,
                        text, "B")  # fmt: skip
        self._draw_verticals(y, height)
        self.paper.rule(y + height, 0.5)
        return y + height

    def _head_texts(self, entrant: str) -> list[str]:
        """Return the texts over the column of an entrant: the seats, and the names."""
        seats = [seat for seat in self.table.seats if seat.entrant == entrant]
        numbers = " + ".join(str(seat.seat) for seat in seats)
        name = self.file.names[entrant]
        players = [seat.name for seat in seats if seat.name not in name]
        return [numbers, name, *players]

    def _column(self, place: int) -> float:
        """Return the left side of the column of an entrant."""
        return LEFT + HAND_WIDTH + place * self.width

    def _draw_verticals(self, y: float, height: float) -> None:
        """Draw the lines between the columns."""
        self.paper.set_line_width(0.15)
        edges = [LEFT, *(self._column(place) for place in range(len(self.table.entrants) + 1))]
        for x in {*edges, RIGHT}:
            self.paper.line(x, y, x, y + height)

    def _draw_row(self, y: float, height: float, label: str) -> None:
        """Draw the empty row of a hand; where hands add up to 0, with a box to tick."""
        size = min(TEXT_SIZE, (height - 0.4) / line_height(1))
        middle = y + (height - line_height(size)) / 2
        self.paper.write_number(LEFT, middle, HAND_WIDTH - 4, label, size)
        self._draw_verticals(y, height)
        if self.check:
            self._draw_box(y + (height - BOX) / 2)
        self.paper.rule(y + height)

    def _draw_box(self, y: float) -> None:
        """Draw a box to tick in the last column."""
        self.paper.set_line_width(0.25)
        self.paper.rect(RIGHT - (self.check + BOX) / 2, y, BOX, BOX)

    def _draw_totals(self, y: float) -> float:
        """Draw the row of totals and the check sum; return the position below them."""
        middle = y + (TOTAL_ROW - line_height(TEXT_SIZE)) / 2
        total = fit_texts(self.paper, [_("Total")], HAND_WIDTH - 2 * INSET, TOTAL_ROW, TEXT_SIZE,
                          "B")  # fmt: skip
        write_lines(self.paper, LEFT + INSET, middle, HAND_WIDTH - 2 * INSET, total, "B")
        self._draw_verticals(y, TOTAL_ROW)
        if self.check:
            self._draw_box(y + (TOTAL_ROW - BOX) / 2)
        self.paper.rule(y + TOTAL_ROW, 0.5)
        y += TOTAL_ROW + 1.5
        note = (_("Check: each hand, and the totals, adds up to 0.") if self.check
                else _("Check: each column is added up twice."))  # fmt: skip
        self.paper.write_at(LEFT, y, RIGHT - LEFT, note, TEXT_SIZE)
        return y + NOTE_HEIGHT

    def _draw_signatures(self, y: float) -> None:
        """Draw a line for the signature of each player, two beside one another."""
        self.paper.write_at(LEFT, y, RIGHT - LEFT, _("Signatures"), SMALL_SIZE, "B")
        y += NOTE_HEIGHT - 1
        half = (RIGHT - LEFT) / 2
        for place, seat in enumerate(self.table.seats):
            x = LEFT + half * (place % 2)
            top = y + SIGN_ROW * (place // 2)
            width = half / 2 - 2
            signer = f"{seat.seat}\N{NO-BREAK SPACE}{seat.name}"
            name = fit_texts(self.paper, [signer], width, SIGN_ROW - 2, TEXT_SIZE)
            write_lines(self.paper, x, top + SIGN_ROW - 1.5 - name.height, width, name)
            self.paper.set_line_width(0.25)
            self.paper.line(x + width + 1, top + SIGN_ROW - 1.5, x + half - 4, top + SIGN_ROW - 1.5)

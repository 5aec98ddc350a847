"""The table of a season on one A4 page, or on several for more than fifty players.

It is black on white. Rows fill the height of the page, and a name that is longer than its column is
wrapped, so that none is truncated.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from fpdf.enums import Align

from scorekeeper.base.language import speaking
from scorekeeper.clubs.season_views import RowView
from scorekeeper.clubs.season_words import FIGURE, format_decimal
from scorekeeper.exports.paper import BOTTOM, LEFT, RIGHT, TOP, Paper, Style
from scorekeeper.exports.season import SeasonFile, format_place, label_row, season_notes
from scorekeeper.languages.catalogues import N_, ngettext
from scorekeeper.languages.catalogues import gettext as _

# Millimetres.
NAME_LINE_HEIGHT: Final = 3.6  # of a second line of a name
MIN_ROW_HEIGHT: Final = 4.2  # rows
MAX_ROW_HEIGHT: Final = 7.5
NOTE_LINE_HEIGHT: Final = 4.0  # lines below the table
PLACE_WIDTH: Final = 12.0
FIGURE_WIDTH: Final = 17.0
RANKING_FIGURE_WIDTH: Final = 26.0  # for the figure by which it ranks
GAP: Final = 2.0
# Points.
TITLE_SIZE: Final = 16.0
TEXT_SIZE: Final = 9.0
SMALL_SIZE: Final = 7.5
MAX_ROWS: Final = 2000  # on paper; the tables have all
MAX_NAME_LINES: Final = 3


class PaperColumn(NamedTuple):
    """A column of figures: its head, and a function that returns its text for a row."""

    head: str
    cell: Callable[[RowView], str]
    width: float = FIGURE_WIDTH
    style: Style = ""


COUNTS: Final = {
    "evenings": N_("Evenings"), "matches": N_("Matches"), "hands": N_("Hands"),
    "won": N_("Wins"),
}  # fmt: skip


def season_paper(season: SeasonFile) -> bytes:
    """Return the table of a season as a PDF."""
    with speaking(season.reader.translated_language):
        paper = Paper(season.title or season.games, season.latest, _foot(season),
                      season.reader.language)  # fmt: skip
        paper.use_ids_for_unprintable(
            {row.member: row.name for row in (*season.table.rows, *season.table.guests)}
        )
        notes = list(season_notes(season))
        page = SeasonPage(paper, season, _columns(season), _heading(paper, season))
        rows = (*season.table.rows, *season.table.guests)[:MAX_ROWS]
        page.draw(rows, NOTE_LINE_HEIGHT * (len(notes) + 1))
        page.write_below(notes)
        return bytes(paper.output())


def _foot(season: SeasonFile) -> str:
    """Return the text at the foot of each page: the version of the figures, or the games."""
    return f"{_('Version')} {season.tag}" if season.tag else season.games


def _heading(paper: Paper, season: SeasonFile) -> float:
    """Draw the title; return the position below it."""
    y: float = TOP
    for line in paper.wrap(season.title or season.games, RIGHT - LEFT, TITLE_SIZE, 3, "B"):
        paper.write_at(LEFT, y, RIGHT - LEFT, line, TITLE_SIZE, "B")
        y += 8
    many = len(season.table.evenings)
    after = ngettext("after %(num)d evening", "after %(num)d evenings", many)
    for line in paper.wrap(
        " · ".join(filter(None, (season.games, season.dates, after))), RIGHT - LEFT, TEXT_SIZE, 3
    ):
        paper.write_at(LEFT, y, RIGHT - LEFT, line, TEXT_SIZE)
        y += 5
    return y + 3


def _columns(season: SeasonFile) -> Sequence[PaperColumn]:
    """Return the columns of figures, the one by which the season ranks first."""
    first = PaperColumn(
        _(FIGURE[season.ranking]), partial(_figure, season), RANKING_FIGURE_WIDTH, "B"
    )
    rest = (name for name in COUNTS if (season.ranking, name) != ("wins", "won"))
    return first, *(PaperColumn(_(COUNTS[name]), partial(_count, season, name)) for name in rest)


def _figure(season: SeasonFile, row: RowView) -> str:
    """Return the figure of a row in the reader's format, with `*` if it may still change."""
    mark = "*" if row.provisional else ""
    return f"{season.figure(row)}{mark}"


def _count(season: SeasonFile, name: str, row: RowView) -> str:
    """Return a count of a row, such as `hands`, in the reader's format."""
    value = getattr(row, name)
    text = f"{value:.2f}".rstrip("0") if isinstance(value, float) else str(value)
    return format_decimal(text, season.reader.language)


@dataclass
class SeasonPage:
    """The paper, the columns, and the position ``y`` of the next row."""

    paper: Paper
    season: SeasonFile
    columns: Sequence[PaperColumn]
    y: float

    @property
    def name_width(self) -> float:
        """The width of the column of names."""
        figures = sum(column.width for column in self.columns)
        return RIGHT - LEFT - PLACE_WIDTH - figures - GAP

    def draw(self, rows: Sequence[RowView], below: float) -> None:
        """Draw the table, and leave a height of ``below`` under it if the page allows that."""
        self._head()
        names = [
            self.paper.wrap(label_row(row), self.name_width, TEXT_SIZE, MAX_NAME_LINES)
            for row in rows
        ]
        more = sum(NAME_LINE_HEIGHT * (len(name) - 1) for name in names)
        free = BOTTOM - self.y - below - more - MIN_ROW_HEIGHT * any(row.guest for row in rows)
        height = max(MIN_ROW_HEIGHT, min(MAX_ROW_HEIGHT, free / max(1, len(rows))))
        line_drawn = guests_named = False
        for row, name in zip(rows, names, strict=True):
            row_height = height + NAME_LINE_HEIGHT * (len(name) - 1)
            if self.y + row_height > BOTTOM:
                self.paper.add_page()
                self.y = TOP
                self._head()
            if not (row.place or row.guest or line_drawn):
                self.paper.rule(self.y - 0.2, 0.5)
                line_drawn = True
            if row.guest and not guests_named:
                self._name_guests()
                guests_named = True
            self._row(row, name, height)
            self.y += row_height
            self.paper.rule(self.y - 0.3)
        if not rows:
            self.paper.write_at(LEFT, self.y, RIGHT - LEFT, _("Nobody has played yet."), TEXT_SIZE)
            self.y += MAX_ROW_HEIGHT

    def _name_guests(self) -> None:
        """Draw the line that separates the guests from the members."""
        self.paper.rule(self.y - 0.2, 0.5)
        top = self.y + 0.2
        self.paper.write_at(LEFT + PLACE_WIDTH, top, self.name_width, _("Guests"), SMALL_SIZE, "B")
        self.y += MIN_ROW_HEIGHT

    def _head(self) -> None:
        """Draw the heads of the columns, and a line below them."""
        write = self.paper.write_at
        heads = [
            self.paper.wrap(column.head, column.width - 1, SMALL_SIZE, 2, "B")
            for column in self.columns
        ]
        lines = max(map(len, heads))
        base = self.y + NAME_LINE_HEIGHT * (lines - 1)
        write(LEFT, base, PLACE_WIDTH - 1, _("Pos."), SMALL_SIZE, "B")
        write(LEFT + PLACE_WIDTH, base, self.name_width, _("Name"), SMALL_SIZE, "B")
        x = LEFT + PLACE_WIDTH + self.name_width + GAP
        for column, head in zip(self.columns, heads, strict=True):
            for down, text in enumerate(head, 1 - len(head)):
                write(
                    x, base + down * NAME_LINE_HEIGHT, column.width, text, SMALL_SIZE, "B", Align.R
                )
            x += column.width
        self.y = base + 4.6
        self.paper.rule(self.y - 0.3, 0.4)

    def _row(self, row: RowView, name: Sequence[str], height: float) -> None:
        """Draw one row of the table; `name` is the member's name in lines."""
        top = self.y + (height - MIN_ROW_HEIGHT) / 2 + 0.2
        self.paper.write_number(LEFT, top, PLACE_WIDTH - 4, format_place(row), TEXT_SIZE)
        for number, line in enumerate(name):
            self.paper.write_at(
                LEFT + PLACE_WIDTH,
                top + number * NAME_LINE_HEIGHT,
                self.name_width,
                line,
                TEXT_SIZE,
            )
        x = LEFT + PLACE_WIDTH + self.name_width + GAP
        for column in self.columns:
            text = column.cell(row)
            self.paper.write_number(x, top, column.width, text, TEXT_SIZE, column.style)
            x += column.width

    def write_below(self, notes: Sequence[str]) -> None:
        """Write notes below the table."""
        self.y += NOTE_LINE_HEIGHT / 2
        for note in notes:
            for line in self.paper.wrap(note, RIGHT - LEFT, SMALL_SIZE, 4):
                if self.y + NOTE_LINE_HEIGHT > BOTTOM:
                    self.paper.add_page()
                    self.y = TOP
                self.paper.write_at(LEFT, self.y, RIGHT - LEFT, line, SMALL_SIZE)
                self.y += NOTE_LINE_HEIGHT

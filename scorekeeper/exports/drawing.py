"""The score sheet on paper: hands as rows, sides as columns with points and running totals.

Twelve hands fit on one A4 page, in black on white. The sheet shows one version of the log, whose
fingerprint is printed on it. Notes about the scores are below them (:mod:`footnotes`).
"""

from dataclasses import dataclass, field
from typing import Final

from fpdf.enums import Align

from scorekeeper.base.parts import ExactPoints
from scorekeeper.exports.evening import Evening, MatchInExport
from scorekeeper.exports.paper import BOTTOM, BOXES, LEFT, RIGHT, TOP, Paper, Style
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.money import with_minus_sign
from scorekeeper.play.match_members import GameOfMatchView
from scorekeeper.report.footnotes import Note, Section
from scorekeeper.report.marks import MARKS
from scorekeeper.report.sheet import GameHead, HandRow, SheetStep, SumRow

# Millimetres; heights for small letters.
QR: Final = 25.0
LINE: Final = 3.5
SIDES: Final = 95.0  # width of the columns of all sides together
WIDEST: Final = 27.0
NUMBER: Final = 7.0
SIGNS: Final = 10.0  # for the marks of a hand
DEALER: Final = 20.0
GAP: Final = 2.0
APART: Final = 1.0  # between the points of a hand and the total after it
TABLE_HEAD: Final = 5.5  # with names of one line
PLACE: Final = 34.0  # width for the hands of a note
# Points.
SMALL: Final = 7.0
TEXT: Final = 8.5
TOTALS: Final = 10.0
FOOT: Final = 7.0
LARGER: Final = 1.3  # scale of a sheet that would fill at most half of a page
HALF: Final = (TOP + BOTTOM) / 2  # millimetres
# Maximum numbers of lines.
NAME_LINES: Final = 4  # of the name of a side above its column
DEALER_LINES: Final = 2
HEAD_LINES: Final = 12  # of the names of all players
PLACE_LINES: Final = 12  # of the hands of a note
NOTE_LINES: Final = 6
WORD_LINES: Final = 4  # of the result of a hand
MAX_HANDS: Final = 1000  # on paper; the tables have all
MAX_NOTES: Final = 1000
HANDS_PER_TITLE: Final = 2  # space for the title and totals of a match, in hands
GROUP: Final = 8  # characters of a group in a fingerprint
NOTHING: Final = "·"


def draw_score_sheet(evening: Evening) -> bytes:
    """Return the score sheet as a PDF, enlarged if it would leave half a page empty."""
    page = _draw_page(evening, 1)
    if page.paper.pages_count == 1 and page.y < HALF:
        page = _draw_page(evening, LARGER, page.paper)
    return bytes(page.paper.output())


def _draw_page(evening: Evening, scale: float, another: Paper | None = None) -> "Page":
    """Draw the whole score sheet in a scale, and return its last page.

    `another` is a paper with the same texts, whose fonts are used again.
    """
    version, head = evening.position
    event = _("event %(number)s", number=version)
    foot = f"{evening.id} · {event} · {(head or '')[:16]}…"
    paper = Paper(evening.about.title, evening.latest, foot, evening.reader.language, another)
    paper.foot_size = FOOT * scale
    paper.use_ids_for_unprintable({item.id: item.name for item in evening.about.players})
    page = Page(paper, scale, _heading(paper, evening, scale))
    if not evening.matches:
        page.write(_("No match was played."))
    left = MAX_HANDS
    for match in evening.matches:
        if left >= 0:
            Grid(page, match).draw(left)
        left -= len(match.sheet.steps)
        if left < 0:
            page.write(_("… and more, in the tables."))
            break
        left -= HANDS_PER_TITLE
    _legend(page, evening)
    for section in evening.notes:
        _section(page, section)
    if paper.has_boxes:
        page.y += page.line / 2
        page.write(_(BOXES))
    return page


def _heading(paper: Paper, evening: Evening, scale: float) -> float:
    """Draw the title and the fingerprint of the log; return the position below them."""
    about, (version, head) = evening.about, evening.position
    small = SMALL * scale
    width = RIGHT - LEFT - QR - 6
    paper.qr(evening.command, RIGHT - QR, TOP, QR)
    y: float = TOP
    for line in paper.wrap(about.title or _("Scores"), width, 16, 2, "B"):
        paper.write_at(LEFT, y, width, line, 16, "B")
        y += 8
    where = " · ".join(filter(None, (about.place, evening.hours)))
    for text, most in ((where, 3), (", ".join(evening.players), HEAD_LINES)):
        for line in paper.wrap(text, width, TEXT * scale, most):
            paper.write_at(LEFT, y, width, line, TEXT * scale)
            y += 4 * scale
    label = (
        _("Fingerprint of the log after %(number)s events:", number=version)
        if about.closed
        else _("Fingerprint of the log after %(number)s events (still open):", number=version)
    )
    groups = [(head or "")[start : start + GROUP] for start in range(0, 64, GROUP)]
    for line in (label, *paper.wrap(" ".join(groups), width, small, 2)):
        paper.write_at(LEFT, y, width, line, small)
        y += LINE * scale
    return max(y, TOP + QR) + 4


@dataclass
class Page:
    """The paper, the scale of its letters, and the position ``y`` of the next content."""

    paper: Paper
    scale: float
    y: float

    @property
    def small(self) -> float:
        """The size of small letters, in points."""
        return SMALL * self.scale

    @property
    def text(self) -> float:
        """The size of normal letters, in points."""
        return TEXT * self.scale

    @property
    def line(self) -> float:
        """The height of a line of small letters, in millimetres."""
        return LINE * self.scale

    def need(self, height: float) -> bool:
        """Begin a new page if ``height`` does not fit on this one; return whether it did not."""
        if self.y + height <= BOTTOM:
            return False
        self.paper.add_page()
        self.y = TOP
        return True

    def write(
        self, text: str, x: float = LEFT, *, most: int = NOTE_LINES, style: Style = "",
        size: float = 0,
    ) -> None:  # fmt: skip
        """Write a text in small letters from ``x`` to the right, in at most ``most`` lines."""
        size = size or self.small
        for line in self.paper.wrap(text, RIGHT - x, size, most, style):
            self.need(self.line)
            self.paper.write_at(x, self.y, RIGHT - x, line, size, style)
            self.y += self.line * size / self.small


# ----------------------------------------------------------------------------- below the scores


def _legend(page: Page, evening: Evening) -> None:
    """Write the meanings of the marks on the sheet."""
    used = {name for match in evening.matches for marks in match.marks for name in marks}
    legend = "   ".join(f"{mark.sign} {mark.word}" for name, mark in MARKS.items() if name in used)
    if legend:
        page.write(legend)
        page.y += page.line / 2


def _section(page: Page, section: Section) -> None:
    """Write the title and the notes of a section, at most `MAX_NOTES`."""
    page.need(3 * page.line)
    page.y += page.line / 2
    page.write(section.title, style="B", size=page.text)
    for note in section.notes[:MAX_NOTES]:
        _note(page, note)


def _note(page: Page, note: Note) -> None:
    """Write a note: its mark and its hands to the left, and its text to the right."""
    right = LEFT + PLACE * page.scale
    width = right - LEFT - 4 - GAP
    places = page.paper.wrap(note.place, width, page.small, PLACE_LINES, "B")
    page.need(page.line * max(1, len(places)))
    top = page.y
    page.paper.write_at(LEFT, top, 4, note.sign, page.small)
    for number, line in enumerate(places):
        page.paper.write_at(LEFT + 4, top + number * page.line, width, line, page.small, "B")
    for text in (note.text, *note.more):
        page.write(text, right)
    if page.y > top:  # on the same page
        page.y = min(BOTTOM, max(page.y, top + len(places) * page.line))
    page.y += page.line / 4


# -------------------------------------------------------------------------------- one match


@dataclass
class Grid:
    """The table of one match, drawn on as many pages as it needs."""

    page: Page
    match: MatchInExport
    paper: Paper = field(init=False)
    stacked: bool = field(init=False)  # the totals stand below the points, as both are too wide

    def __post_init__(self) -> None:
        self.paper = self.page.paper
        sides, scale = self.match.sheet.columns, self.page.scale
        self.column = min(WIDEST * scale, SIDES / max(1, len(sides)))
        right = RIGHT - self.column * len(sides)
        self.places = {side: right + self.column * n for n, side in enumerate(sides)}
        self.signs = LEFT + NUMBER * scale
        self.dealer = self.signs + SIGNS * scale
        self.words = self.dealer + DEALER * scale
        self.room = right - self.words - GAP
        self.stacked = not self._fit_on_a_line()

    def draw(self, most: int) -> None:
        """Draw the table of the match, with at most `most` hands and penalties."""
        self.page.need(TABLE_HEAD + 26)
        self._title()
        self._head()
        for row in self.match.sheet.grid():
            match row:
                case GameHead(game):
                    self._game(game)
                case SumRow():
                    self._sums(row)
                case _ if most > 0:
                    self._step(row)
                    most -= 1
        self.page.y += 4

    # ------------------------------------------------------------------------------- its parts

    def _fit_on_a_line(self) -> bool:
        """Return whether the points of each hand and the total after it fit beside one another."""
        if self.match.sheet.counts == "hands":
            return True
        half, width_of = (self.column - GAP) / 2, self.paper.width_of
        steps = [
            step for step in self.match.sheet.grid() if not isinstance(step, GameHead | SumRow)
        ]
        cells = {self._figures(step, side) for step in steps for side in self.places}
        return all(
            width_of(points, self.page.text) <= half - APART
            and width_of(total, self.page.text, "B") <= half
            for points, total in cells
        )

    def _title(self) -> None:
        """Write the game and outcome of the match, and its house rules."""
        match = _("Match %(number)s", number=self.match.sheet.match)
        title = f"{match} · {self.match.game} · {self.match.outcome}"
        self.page.write(title, most=2, style="B", size=10.5)
        changed = [
            f"{option.question} {option.answer}"
            for option in self.match.options
            if not option.usual
        ]
        self.page.write("; ".join(changed) or _("Played with the usual options"), most=4)
        self.page.y += 1

    def _head(self) -> None:
        """Draw the heads of the columns: hand, dealer, result, and the sides."""
        small, write = self.page.small, self.paper.write_at
        names = self._names()
        lines = max(map(len, names.values()), default=1)
        base = self.page.y + self.page.line * (lines - 1) + 1
        write(LEFT, base, self.dealer - LEFT - 1, _("Hand"), small, "B")
        write(self.dealer, base, self.words - self.dealer - GAP, _("Dealer"), small, "B")
        write(self.words, base, self.room, _("How it ended"), small, "B")
        for side, name in names.items():
            for up, line in enumerate(reversed(name)):
                x, y = self.places[side] + GAP, base - up * self.page.line
                write(x, y, self.column - GAP, line, small, "B", Align.R)
        self.page.y = base + TABLE_HEAD * self.page.scale - 1
        self.paper.rule(self.page.y - 0.6, 0.4)

    def _names(self) -> dict[str, list[str]]:
        """Return the names of the sides, wrapped to the width of their columns.

        Names that would be cut to the same end with the letters in which they differ.
        """
        width, columns, size = self.column - GAP, self.match.sheet.columns, self.page.small
        wrapped = {
            side: self.paper.wrap(name, width, size, NAME_LINES, "B")
            for side, name in columns.items()
        }
        for lines in list(wrapped.values()):
            alike = {side: columns[side] for side, others in wrapped.items() if others == lines}
            letters = enumerate(zip(*alike.values(), strict=False))
            differ = (place for place, column in letters if len(set(column)) > 1)
            own = next(differ, min(map(len, alike.values()), default=0))
            for side, name in alike.items() if len(alike) > 1 else ():
                wrapped[side] = [
                    *lines[:-1],
                    *self.paper.wrap(f"…{name[own:]}", width, size, 1, "B"),
                ]
        return wrapped

    def _game(self, game: GameOfMatchView) -> None:
        """Write the line before the hands of a game, in a match with several games."""
        self._need_row(self.page.line + 2)
        title = _("%(name)s to %(target)s", name=self.match.name_game(game), target=game.target)
        self.page.y += 1
        self.page.write(title, most=1, style="B")
        self.page.y += 1
        self.paper.rule(self.page.y - 0.3)

    def _step(self, step: SheetStep) -> None:
        """Draw the row of a hand with its marks, or of a penalty with its reason."""
        told = self.match.describe_step(step)
        line, small = self.page.line, self.page.small
        lines = self.paper.wrap(told.result, self.room, small, WORD_LINES) or [""]
        dealer, size = self._dealer(told.dealer)
        most = max(len(lines), len(dealer), 1 + self.stacked)
        height = max(5.8 * self.page.scale, line * most + 1.8)
        self._need_row(height)
        top = self.page.y + 0.9
        number, signs, text = str(told.hand or ""), "".join(told.signs), self.page.text
        self.paper.write_number(LEFT, top, self.signs - LEFT - 1, number, text)
        self.paper.write_at(self.signs, top, self.dealer - self.signs - 0.5, signs, text)
        room = self.words - self.dealer - GAP
        for down, name in enumerate(dealer):
            self.paper.write_at(self.dealer, top + down * line, room, name, size)
        for down, words in enumerate(lines):
            self.paper.write_at(self.words, top + down * line, self.room, words, small)
        for side, x in self.places.items():
            self._cell(x + GAP, top, step, side)
        self.page.y += height
        self.paper.rule(self.page.y - 0.3)

    def _dealer(self, name: str) -> tuple[list[str], float]:
        """Return the name of the dealer in lines, and their size: smaller for a long name."""
        room, large = self.words - self.dealer - GAP, self.page.text
        size = large if self.paper.width_of(name, large) <= room else self.page.small
        return self.paper.wrap(name, room, size, DEALER_LINES), size

    def _cell(self, x: float, y: float, step: SheetStep, side: str) -> None:
        """Write the points of a hand and the total after it, beside or below them."""
        width, size = self.column - GAP, self.page.text
        points, total = self._figures(step, side)
        if self.stacked or not total:
            self.paper.write_number(x, y, width, points, size)
            self.paper.write_number(x, y + self.page.line, width, total, size, "B")
        else:
            half = width / 2
            self.paper.write_number(x, y, half - APART, points, size)
            self.paper.write_number(x + half, y, half, total, size, "B")

    def _figures(self, step: SheetStep, side: str) -> tuple[str, str]:
        """Return the printed points of a side and its total after them.

        The total is empty if hands count, or if the row has no points.
        """
        cell = step.cells[side]
        if cell.points is None:
            return NOTHING if isinstance(step, HandRow) else "", ""
        mark = "★" if isinstance(step, HandRow) and step.winner == side else ""
        if self.match.sheet.counts == "hands":
            return f"{mark} {with_minus_sign(cell.points)}".strip(), ""
        return f"{mark}{format_gain(cell.points)}", with_minus_sign(cell.total or 0)

    def _sums(self, row: SumRow) -> None:
        """Draw a row of sums by side with its label, and below it the text that explains it."""
        size = (TOTALS if row.what == "totals" else TEXT) * self.page.scale
        self._need_row(6.5 * self.page.scale)
        self.paper.write_at(self.dealer, self.page.y + 1, 60, self.match.label_sum(row), size, "B")
        for side, x in self.places.items():
            width = self.column - GAP
            text = with_minus_sign(row.figures[side])
            self.paper.write_number(x + GAP, self.page.y + 1, width, text, size, "B")
        self.page.y += 6 * self.page.scale
        if row.text:
            self.page.y += 1
            self.page.write(row.text, self.dealer)

    def _need_row(self, height: float) -> None:
        """Make sure that a row fits, and repeat the head of the table on a new page."""
        if self.page.need(height):
            title = _(
                "Match %(number)s · %(game)s, continued",
                number=self.match.sheet.match, game=self.match.game,
            )  # fmt: skip
            self.page.write(title, most=1, style="B", size=self.page.text)
            self._head()


def format_gain(points: ExactPoints) -> str:
    """Format points with their sign, as on a score sheet."""
    sign = "+" if points > 0 else ""
    return f"{sign}{with_minus_sign(points)}" if points else NOTHING

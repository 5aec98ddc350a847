"""The score sheet on paper: hands as rows, sides as columns with points and running totals.

Twelve hands fit on one A4 page. It is black on white, and true of one version of the log, whose
fingerprint it bears. Below the scores stands what is to be known of them: :mod:`footnotes`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from fpdf.enums import Align

from scorekeeper.base.language import language
from scorekeeper.exports.evening import Evening, Played
from scorekeeper.exports.paper import BOTTOM, BOXES, LEFT, RIGHT, TOP, Paper, Style
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.money import MINUS
from scorekeeper.report.footnotes import Note, Section
from scorekeeper.report.marks import COUNTED, MARKS, STATUS
from scorekeeper.report.sheet import Cell, HandRow, PenaltyRow

# Millimetres; heights are those of the smaller letters.
QR: Final = 25.0
LINE: Final = 3.5
SIDES: Final = 95.0  # for the columns of all sides together
WIDEST: Final = 27.0
NUMBER: Final = 7.0
SIGNS: Final = 10.0  # for the marks of a hand
DEALER: Final = 20.0
GAP: Final = 2.0
TABLE_HEAD: Final = 5.5  # with names of one line
PLACE: Final = 34.0  # for the hands of which a note is
# Points.
SMALL: Final = 7.0
TEXT: Final = 8.5
FOOT: Final = 7.0
LARGER: Final = 1.3  # times the letters of a sheet that fills no more than half of a page
HALF: Final = (TOP + BOTTOM) / 2  # millimetres
NAME_LINES: Final = 4  # of the name of a side over its column
DEALER_LINES: Final = 2
HEAD_LINES: Final = 12  # of the names of all who were there
PLACE_LINES: Final = 12  # of the hands of which a note is
NOTE_LINES: Final = 6
WORD_LINES: Final = 4  # of what a hand came to
MOST_HANDS: Final = 1000  # on paper; the tables have all
MOST_NOTES: Final = 1000
A_MATCH: Final = 2  # hands for which its title and totals need the room
GROUP: Final = 8  # characters of a fingerprint that are read at a time
NOTHING: Final = "·"


def drawn(evening: Evening) -> bytes:
    """The score sheet of an evening, as a PDF: larger, where it would leave half a page empty."""
    page = _drawn(evening, 1)
    if page.paper.pages_count == 1 and page.y < HALF:
        page = _drawn(evening, LARGER, page.paper)
    return bytes(page.paper.output())


def _drawn(evening: Evening, scale: float, another: Paper | None = None) -> "Page":
    version, head = evening.position
    event = _("event %(number)s", number=version)
    foot = f"{evening.id} · {event} · {(head or '')[:16]}…"
    paper = Paper(evening.about["title"], evening.latest, foot, evening.reader.language, another)
    paper.foot_size = FOOT * scale
    paper.name_instead({one["id"]: one["name"] for one in evening.about["players"]})
    page = Page(paper, scale, _heading(paper, evening, scale))
    if not evening.matches:
        page.write(_("No match was played."))
    left = MOST_HANDS
    for match in evening.matches:
        if left >= 0:
            Grid(page, match).draw(left)
        left -= len(match.sheet.steps)
        if left < 0:
            page.write(_("… and more, in the tables."))
            break
        left -= A_MATCH
    _legend(page, evening)
    for section in evening.notes:
        _section(page, section)
    if paper.has_boxes:
        page.y += page.line / 2
        page.write(_(BOXES))
    return page


def _heading(paper: Paper, evening: Evening, scale: float) -> float:
    """What evening it was, and the fingerprint of its log; where the next thing comes."""
    about, (version, head) = evening.about, evening.position
    small = SMALL * scale
    width = RIGHT - LEFT - QR - 6
    paper.qr(evening.command, RIGHT - QR, TOP, QR)
    y: float = TOP
    for line in paper.broken(about["title"] or _("Scores"), width, 16, 2, "B"):
        paper.write_at(LEFT, y, width, line, 16, "B")
        y += 8
    where = " · ".join(filter(None, (about["place"], evening.hours)))
    for text, most in ((where, 3), (", ".join(evening.players), HEAD_LINES)):
        for line in paper.broken(text, width, TEXT * scale, most):
            paper.write_at(LEFT, y, width, line, TEXT * scale)
            y += 4 * scale
    told = (
        _("Fingerprint of the log after %(number)s events:", number=version)
        if about["closed"]
        else _("Fingerprint of the log after %(number)s events (still open):", number=version)
    )
    groups = [(head or "")[start : start + GROUP] for start in range(0, 64, GROUP)]
    for line in (told, *paper.broken(" ".join(groups), width, small, 2)):
        paper.write_at(LEFT, y, width, line, small)
        y += LINE * scale
    return max(y, TOP + QR) + 4


@dataclass
class Page:
    """Where on the paper the next thing comes, and by how much its letters are larger."""

    paper: Paper
    scale: float
    y: float

    @property
    def small(self) -> float:
        """The size of small letters."""
        return SMALL * self.scale

    @property
    def text(self) -> float:
        """The size of letters."""
        return TEXT * self.scale

    @property
    def line(self) -> float:
        """The height of a line of small letters."""
        return LINE * self.scale

    def need(self, height: float) -> bool:
        """Go on at the top of a new page where this one has no such room left."""
        if self.y + height <= BOTTOM:
            return False
        self.paper.add_page()
        self.y = TOP
        return True

    def write(
        self, text: str, x: float = LEFT, *, most: int = NOTE_LINES, style: Style = "",
        size: float = 0,
    ) -> None:  # fmt: skip
        """Write a text in small letters from ``x`` to the right, in that many lines at most."""
        size = size or self.small
        for line in self.paper.broken(text, RIGHT - x, size, most, style):
            self.need(self.line)
            self.paper.write_at(x, self.y, RIGHT - x, line, size, style)
            self.y += self.line * size / self.small


# ----------------------------------------------------------------------------- below the scores


def _legend(page: Page, evening: Evening) -> None:
    """What the marks say that stand on the sheet."""
    there = {name for match in evening.matches for marks in match.marks for name in marks}
    told = "   ".join(f"{one.sign} {one.word}" for name, one in MARKS.items() if name in there)
    if told:
        page.write(told)
        page.y += page.line / 2


def _section(page: Page, section: Section) -> None:
    page.need(3 * page.line)
    page.y += page.line / 2
    page.write(section.title, style="B", size=page.text)
    for note in section.notes[:MOST_NOTES]:
        _note(page, note)


def _note(page: Page, note: Note) -> None:
    """A note: its mark and its hands to the left, and what it says, line by line."""
    right = LEFT + PLACE * page.scale
    wide = right - LEFT - 4 - GAP
    places = page.paper.broken(note.place, wide, page.small, PLACE_LINES, "B")
    page.need(page.line * max(1, len(places)))
    top = page.y
    page.paper.write_at(LEFT, top, 4, note.sign, page.small)
    for number, line in enumerate(places):
        page.paper.write_at(LEFT + 4, top + number * page.line, wide, line, page.small, "B")
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
    match: Played
    paper: Paper = field(init=False)

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

    def draw(self, most: int) -> None:
        """Draw the table, with a given number of hands at most."""
        self.page.need(TABLE_HEAD + 26)
        self._title()
        self._head()
        for game, steps in self.match.sheet.parts:
            if game:
                self._game(game)
            for step in steps[:most]:
                self._step(step)
            most = max(0, most - len(steps))
            if game:
                self._sums(self._called(game), game["scores"])
        sheet = self.match.sheet
        self._sums(_(COUNTED[sheet.counts]), sheet.totals, 10)
        if sheet.reckoning:
            self._sums(_("Settled"), sheet.reckoning["points"])
            self.page.y += 1
            self.page.write(sheet.reckoning["text"], self.dealer)
        self.page.y += 4

    # ------------------------------------------------------------------------------- its parts

    def _title(self) -> None:
        match = _("Match %(number)s", number=self.match.sheet.match)
        title = f"{match} · {self.match.game} · {self.match.outcome}"
        self.page.write(title, most=2, style="B", size=10.5)
        changed = [f"{one.question} {one.answer}" for one in self.match.options if not one.usual]
        self.page.write("; ".join(changed) or _("Played with the usual options"), most=4)
        self.page.y += 1

    def _head(self) -> None:
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
        """The names of the sides, in as many lines as there is room for."""
        width, columns, size = self.column - GAP, self.match.sheet.columns, self.page.small
        return {
            side: self.paper.broken(name, width, size, NAME_LINES, "B")
            for side, name in columns.items()
        }

    def _called(self, game: Mapping[str, Any]) -> str:
        return language().word("game", self.match.called.get(game["name"], game["name"]))

    def _game(self, game: Mapping[str, Any]) -> None:
        """The line before the hands of a game, where games are won."""
        self._need_row(self.page.line + 2)
        told = _("%(name)s to %(target)s", name=self._called(game), target=game["target"])
        self.page.y += 1
        self.page.write(told, most=1, style="B")
        self.page.y += 1
        self.paper.rule(self.page.y - 0.3)

    def _step(self, step: HandRow | PenaltyRow) -> None:
        """A hand with its marks, or a penalty with its reason."""
        if isinstance(step, PenaltyRow):
            first, signs, second, words, won = "", "", _("Penalty"), step.reason, None
        else:
            gist = self.match.gists[step.hand - 1]
            words = gist or ("" if step.status == "complete" else _(STATUS[step.status]))
            signs = "".join(MARKS[name].sign for name in self.match.marks[step.hand - 1])
            first, second, won = str(step.hand), step.dealer, step.winner
        line, small = self.page.line, self.page.small
        lines = self.paper.broken(words, self.room, small, WORD_LINES) or [""]
        dealer, size = self._dealer(second)
        height = max(5.8 * self.page.scale, line * max(len(lines), len(dealer)) + 1.8)
        self._need_row(height)
        top = self.page.y + 0.9
        self.paper.write_number(LEFT, top, self.signs - LEFT - 1, first, self.page.text)
        self.paper.write_at(self.signs, top, self.dealer - self.signs - 0.5, signs, self.page.text)
        room = self.words - self.dealer - GAP
        for number, text in enumerate(dealer):
            self.paper.write_at(self.dealer, top + number * line, room, text, size)
        for number, text in enumerate(lines):
            self.paper.write_at(self.words, top + number * line, self.room, text, small)
        for side, x in self.places.items():
            self._cell(x + GAP, top, step, step.cells[side], won=won == side)
        self.page.y += height
        self.paper.rule(self.page.y - 0.3)

    def _dealer(self, name: str) -> tuple[list[str], float]:
        """The lines of who dealt, and their size: a long name is smaller, then in two lines."""
        room, large = self.words - self.dealer - GAP, self.page.text
        size = large if self.paper.width_of(name, large) <= room else self.page.small
        return self.paper.broken(name, room, size, DEALER_LINES), size

    def _cell(
        self, x: float, y: float, step: HandRow | PenaltyRow, cell: Cell, *, won: bool
    ) -> None:
        """The points of a hand, and to their right the total after it; hands won have none."""
        width, size = self.column - GAP, self.page.text
        if cell.points is None:
            told = NOTHING if isinstance(step, HandRow) else ""
            self.paper.write_number(x, y, width, told, size)
            return
        mark = "★" if won else ""
        if self.match.sheet.counts == "hands":
            self.paper.write_number(x, y, width, f"{mark} {cell.points}".strip(), size)
            return
        half = width / 2
        self.paper.write_number(x, y, half, f"{mark}{signed(cell.points)}", size)
        self.paper.write_number(x + half, y, half, plain(cell.total or 0), size, "B")

    def _sums(self, name: str, figures: Mapping[str, int], size: float = TEXT) -> None:
        size *= self.page.scale
        self._need_row(6.5 * self.page.scale)
        self.paper.write_at(self.dealer, self.page.y + 1, 60, name, size, "B")
        for side, x in self.places.items():
            width = self.column - GAP
            text = plain(figures[side])
            self.paper.write_number(x + GAP, self.page.y + 1, width, text, size, "B")
        self.page.y += 6 * self.page.scale

    def _need_row(self, height: float) -> None:
        """Room within the table: on a new page its head is repeated."""
        if self.page.need(height):
            title = _(
                "Match %(number)s · %(game)s, continued",
                number=self.match.sheet.match, game=self.match.game,
            )  # fmt: skip
            self.page.write(title, most=1, style="B", size=self.page.text)
            self._head()


def signed(points: int) -> str:
    """Points with their sign, as on a score sheet."""
    return f"+{points}" if points > 0 else plain(points) if points else NOTHING


def plain(figure: int) -> str:
    """A whole number with a proper minus sign."""
    return f"{MINUS}{-figure}" if figure < 0 else str(figure)

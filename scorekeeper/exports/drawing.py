"""The score sheet on paper: hands as rows, sides as columns with points and running totals.

Twelve hands fit on one A4 page. It is black on white, and true of one version of the log, whose
fingerprint it bears.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from fpdf.enums import Align

from scorekeeper.exports.evening import Evening, Played
from scorekeeper.exports.paper import BOTTOM, LEFT, RIGHT, TOP, Paper, Style
from scorekeeper.report.sheet import Cell, Row

# Millimetres.
QR: Final = 25.0
LINE: Final = 3.5
SIDES: Final = 95.0  # for the columns of all sides together
WIDEST: Final = 27.0
NUMBER: Final = 8.0
DEALER: Final = 22.0
GAP: Final = 2.0
TABLE_HEAD: Final = 5.5  # with names of one line
# Points.
SMALL: Final = 7.0
TEXT: Final = 8.5
MOST_HANDS: Final = 1000  # on paper; the tables have all
A_MATCH: Final = 2  # hands for which its title and totals need the room
GROUP: Final = 8  # characters of a fingerprint that are read at a time
NOTHING: Final = "·"
FLAG: Final = "⚑"


def drawn(evening: Evening) -> bytes:
    """The score sheet of an evening, as a PDF."""
    version, head = evening.position
    foot = f"{evening.id} · event {version} · {(head or '')[:16]}…"
    paper = Paper(evening.about["title"], evening.ended, foot)
    y = _heading(paper, evening)
    if not evening.matches:
        paper.write_at(LEFT, y, RIGHT - LEFT, "No match was played.")
    left = MOST_HANDS
    for match in evening.matches:
        if left >= 0:
            y = Grid(paper, match, y).drawn(left)
        left -= len(match.sheet.rows)
        if left < 0:
            more = "… and more, which the tables have."
            paper.write_at(LEFT, min(y, BOTTOM), RIGHT - LEFT, more, SMALL)
            break
        left -= A_MATCH
    return bytes(paper.output())


def _heading(paper: Paper, evening: Evening) -> float:
    """What evening it was, and the fingerprint of its log; where the next thing comes."""
    about, (version, head) = evening.about, evening.position
    width = RIGHT - LEFT - QR - 6
    paper.qr(evening.command, RIGHT - QR, TOP, QR)
    paper.write_at(LEFT, TOP, width, about["title"] or "Scores", 16, "B")
    place = f"{about['place']} · " if about["place"] else ""
    paper.write_at(LEFT, TOP + 8, width, place + evening.hours)
    y = TOP + 12.5
    for line in paper.broken(", ".join(evening.players), width, TEXT, 2):
        paper.write_at(LEFT, y, width, line)
        y += 4
    closed = "" if about["closed"] else "; the evening was not closed yet"
    told = f"Fingerprint of the log after {version} events{closed}:"
    paper.write_at(LEFT, TOP + 21, width, told, SMALL)
    groups = [(head or "")[start : start + GROUP] for start in range(0, 64, GROUP)]
    paper.write_at(LEFT, TOP + 24, width, " ".join(groups), SMALL)
    return TOP + QR + 6


@dataclass
class Grid:
    """The table of one match, drawn from ``y`` downwards, on as many pages as it needs."""

    paper: Paper
    match: Played
    y: float

    def __post_init__(self) -> None:
        sides = self.match.sheet.columns
        self.column = min(WIDEST, SIDES / max(1, len(sides)))
        right = RIGHT - self.column * len(sides)
        self.places = {side: right + self.column * n for n, side in enumerate(sides)}
        self.words = LEFT + NUMBER + DEALER
        self.room = right - self.words - GAP

    def drawn(self, most: int) -> float:
        """Draw the table, with so many hands at most; where the next thing comes."""
        self._need(TABLE_HEAD + 26)
        self._title()
        self._head()
        game = None
        for row, gist in list(zip(self.match.sheet.rows, self.match.gists, strict=True))[:most]:
            if row.game != game and self.match.sheet.games:
                game = row.game
                self._game(game or 1)
            self._row(row, gist)
        self._totals()
        return self.y + 7

    # ------------------------------------------------------------------------------- its parts

    def _title(self) -> None:
        title = f"Match {self.match.sheet.match} · {self.match.game} · {self.match.outcome}"
        self.paper.write_at(LEFT, self.y, RIGHT - LEFT, title, 10.5, "B")
        self.y += 5.5
        options = "; ".join(self.match.options).replace("_", " ")
        told = f"Played with: {options}" if options else "Played with the usual options"
        for line in self.paper.broken(told, RIGHT - LEFT, SMALL, 4):
            self.paper.write_at(LEFT, self.y, RIGHT - LEFT, line, SMALL)
            self.y += LINE
        self.y += 1

    def _head(self) -> None:
        names = self._names()
        base = self.y + LINE * (max(map(len, names.values()), default=1) - 1) + 1
        write = self.paper.write_at
        write(LEFT, base, NUMBER, "Hand", SMALL, "B")
        write(LEFT + NUMBER + GAP, base, DEALER - 2 * GAP, "Dealer", SMALL, "B")
        write(self.words, base, self.room, "What it came to", SMALL, "B")
        for side, lines in names.items():
            for up, line in enumerate(reversed(lines)):
                x, y = self.places[side] + GAP, base - up * LINE
                write(x, y, self.column - GAP, line, SMALL, "B", Align.R)
        self.y = base + TABLE_HEAD - 1
        self.paper.rule(self.y - 0.6, 0.4)

    def _names(self) -> dict[str, list[str]]:
        """The names of the sides, in as many lines as there is room for."""
        width, columns = self.column - GAP, self.match.sheet.columns
        return {s: self.paper.broken(name, width, SMALL, 2, "B") for s, name in columns.items()}

    def _game(self, number: int) -> None:
        """The line before the hands of a game, where games are won."""
        self._need_row(LINE + 2)
        names, game = self.match.sheet.columns, self.match.sheet.games[number - 1]
        scores = ", ".join(f"{names[side]} {n}" for side, n in game["scores"].items())
        told = f"{game['name'].capitalize()} to {game['target']}: {scores}"
        lost = [f"{names[s]} {n:+d}" for s, n in self.match.penalties(number).items() if n]
        told += f" (penalties: {', '.join(lost)})" if lost else ""
        self.paper.write_at(LEFT, self.y + 1, RIGHT - LEFT, told, SMALL, "B")
        self.y += LINE + 2
        self.paper.rule(self.y - 0.3)

    def _row(self, row: Row, gist: str) -> None:
        words = gist or ("" if row.status == "complete" else row.status)
        lines = self.paper.broken(words, self.room, SMALL, 2) or [""]
        flag = self.match.flag(row)
        signed = f"signed by {', '.join(row.signed)}" if row.signed else ""
        remarks = " · ".join(filter(None, (flag and f"{FLAG} {flag}", signed)))
        height = max(5.8, LINE * (len(lines) + bool(remarks)) + 1.8)
        self._need_row(height)
        top = self.y + 0.9
        self.paper.write_number(LEFT, top, NUMBER - 1, str(row.hand), TEXT)
        self.paper.write_at(LEFT + NUMBER + GAP, top, DEALER - 2 * GAP, row.dealer, TEXT)
        for number, line in enumerate(lines):
            self.paper.write_at(self.words, top + number * LINE, self.room, line, SMALL)
        if remarks:
            style: Style = "B" if flag else ""
            y = top + len(lines) * LINE
            self.paper.write_at(self.words, y, self.room, remarks, 6, style)
        for side, x in self.places.items():
            self._cell(x + GAP, top, row.cells[side], won=row.winner == side)
        self.y += height
        self.paper.rule(self.y - 0.3)

    def _cell(self, x: float, y: float, cell: Cell, *, won: bool) -> None:
        """The points of a hand, and to their right the total after it; hands won have none."""
        width = self.column - GAP
        if cell.points is None:
            self.paper.write_number(x, y, width, NOTHING)
            return
        mark = "✓" if won else ""
        if self.match.sheet.counts == "hands":
            self.paper.write_number(x, y, width, f"{mark} {cell.points}".strip(), TEXT)
            return
        half = width / 2
        self.paper.write_number(x, y, half, f"{mark}{_signed(cell.points)}", TEXT)
        self.paper.write_number(x + half, y, half, str(cell.total), TEXT, "B")

    def _totals(self) -> None:
        sheet = self.match.sheet
        if sheet.penalties:
            self._sums("Penalties", {s: _signed(sheet.penalties.get(s, 0)) for s in sheet.columns})
        counted = {"points": "Total", "hands": "Hands won", "games": "Games won"}[sheet.counts]
        self._sums(counted, {side: str(n) for side, n in sheet.totals.items()}, 10)

    def _sums(self, name: str, figures: Mapping[str, str], size: float = TEXT) -> None:
        self._need_row(6.5)
        self.paper.write_at(LEFT + NUMBER + GAP, self.y + 1, 60, name, size, "B")
        for side, x in self.places.items():
            width = self.column - GAP
            self.paper.write_number(x + GAP, self.y + 1, width, figures[side], size, "B")
        self.y += 6

    # ------------------------------------------------------------------------------- its pages

    def _need(self, height: float) -> bool:
        """Go on at the top of a new page where this one has no such room left."""
        if self.y + height <= BOTTOM:
            return False
        self.paper.add_page()
        self.y = TOP
        return True

    def _need_row(self, height: float) -> None:
        """The same within the table: its head is repeated."""
        if self._need(height):
            title = f"Match {self.match.sheet.match} · {self.match.game}, continued"
            self.paper.write_at(LEFT, self.y, RIGHT - LEFT, title, 8.5, "B")
            self.y += 3
            self._head()


def _signed(points: int) -> str:
    return f"{points:+d}" if points else NOTHING

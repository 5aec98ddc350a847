"""Texts that are fitted into boxes on paper, and blocks that flow down columns and pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final, NamedTuple

from scorekeeper.exports.paper import BOTTOM, LEFT, LINE, RIGHT, SMALLEST, TOP, Paper, Style
from scorekeeper.languages.money import MINUS

MM_PER_POINT: Final = 25.4 / 72
MANY_LINES: Final = 1_000  # more than a page has
STEP: Final = 0.5  # points, by which a text is made smaller until it fits
TITLE_SIZE: Final = 16.0
TEXT_SIZE: Final = 9.0
TITLE_LINES: Final = 4
SIGNS: Final = f"({MINUS}"  # that may stand before a figure
GAP: Final = 3.0  # millimetres below a heading, and between columns


class FittedText(NamedTuple):
    """A text in lines, in the largest size that fits."""

    size: float
    lines: Sequence[str]

    @property
    def height(self) -> float:
        """The height of its lines in millimetres."""
        return line_height(self.size) * len(self.lines)


def line_height(size: float) -> float:
    """Return the height in millimetres of a line in a size in points."""
    return size * MM_PER_POINT * LINE


def fit_texts(
    paper: Paper, texts: Sequence[str], width: float, height: float, size: float,
    style: Style = "", smallest: float = SMALLEST,
) -> FittedText:  # fmt: skip
    """Wrap texts, each from a new line on, in the largest size up to ``size`` that fits.

    What does not fit in the smallest size either is cut off, which no name of a log needs.
    """
    while True:
        lines = [
            line for text in texts for line in paper.wrap(text, width, size, MANY_LINES, style)
        ]
        most = int((height + 0.01) / line_height(size))
        if len(lines) <= most or size <= smallest:
            return FittedText(size, lines[: max(1, most)])
        size = max(smallest, size - STEP)


def write_lines(
    paper: Paper, x: float, y: float, width: float, text: FittedText, style: Style = ""
) -> float:  # fmt: skip
    """Write a fitted text; return the position below it."""
    for line in text.lines:
        paper.write_at(x, y, width, line, text.size, style)
        y += line_height(text.size)
    return y


def write_heading(paper: Paper, title: str, about: str, y: float = TOP) -> float:
    """Write a title over the whole width and a line about it; return the position below them."""
    width = RIGHT - LEFT
    for line in paper.wrap(title, width, TITLE_SIZE, TITLE_LINES, "B"):
        paper.write_at(LEFT, y, width, line, TITLE_SIZE, "B")
        y += line_height(TITLE_SIZE)
    for line in paper.wrap(about, width, TEXT_SIZE, TITLE_LINES):
        paper.write_at(LEFT, y + 0.5, width, line, TEXT_SIZE)
        y += line_height(TEXT_SIZE) + 0.5
    return y + GAP


def split_figure(text: str) -> tuple[str, str]:
    """Return the signs and digits of a figure, and what stands behind them.

    >>> split_figure("b13½"), split_figure("½*"), split_figure("(4)")
    (('b13', '½'), ('', '½*'), ('(4', ')'))
    """
    before = takewhile(lambda char: char in SIGNS or char.isalpha(), text)
    start = len(list(before))
    end = start + len(list(takewhile(str.isdecimal, text[start:])))
    return text[:end], text[end:]


def write_figures(
    paper: Paper, x: float, rows: Sequence[tuple[float, str]], width: float, size: float,
    style: Style = "",
) -> None:  # fmt: skip
    """Write figures below one another, with units below units; ``rows`` have their positions.

    A figure that is too wide is written in a smaller size.
    """
    parts = [(y, *split_figure(text)) for y, text in rows]
    behind = max((paper.width_of(tail, size, style) for _, _, tail in parts if tail), default=0.0)
    for y, head, tail in parts:
        whole = paper.width_of(head, size, style) if head else 0.0
        if whole + behind > width:
            paper.write_number(x, y, width, head + tail, size, style)
            continue
        paper.write_at(x + width - behind - whole, y, whole + 1, head, size, style)
        if tail:
            paper.write_at(x + width - behind, y, behind + 1, tail, size, style)


@dataclass
class ColumnFlow:
    """Blocks that fill columns from top to bottom, and then the next page.

    ``top`` is where the columns of the first page begin, and ``bottom`` where they end: above the
    foot of the page it makes short columns of equal height. ``write_head`` writes the head of a
    column at a position in a width, and returns the position below it.
    """

    paper: Paper
    top: float
    columns: int = 1
    gap: float = 2 * GAP
    write_head: Callable[[float, float, float], float] = lambda x, y, width: y
    bottom: float = BOTTOM
    column: int = 0
    y: float = field(init=False)
    has_blocks: bool = False  # in this column

    def __post_init__(self) -> None:
        self.y = self.write_head(self.x, self.top, self.width)

    @property
    def width(self) -> float:
        """The width of a column."""
        return (RIGHT - LEFT - self.gap * (self.columns - 1)) / self.columns

    @property
    def x(self) -> float:
        """The left side of the present column."""
        return LEFT + self.column * (self.width + self.gap)

    def place(self, height: float) -> float:
        """Return the top of a block of this height; it ends above the foot of its page."""
        is_last = self.column == self.columns - 1
        if self.y + height > (BOTTOM if is_last else self.bottom) and self.has_blocks:
            self._begin_column()
        top = self.y
        self.y += height
        self.has_blocks = True
        return top

    def _begin_column(self) -> None:
        """Go to the next column, or to the first one of a new page."""
        self.column += 1
        if self.column == self.columns:
            self.column, self.top, self.bottom = 0, TOP, BOTTOM
            self.paper.add_page()
        self.has_blocks = False
        self.y = self.write_head(self.x, self.top, self.width)


def balance_columns(heights: Sequence[float], top: float, columns: int) -> float:
    """Return where columns end so that blocks of these heights fill them equally.

    It is the foot of the page if they need more than a page.
    """
    equal = top + sum(heights) / columns + max(heights, default=0.0)
    return min(equal, BOTTOM)

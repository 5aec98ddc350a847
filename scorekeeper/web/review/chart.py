"""The drawing of running totals as lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.base.parts import ExactPoints

# The size of the drawing in its own units, and the margins around the lines.
WIDTH: Final = 400
HEIGHT: Final = 240
LEFT, RIGHT, TOP, BOTTOM = 44, 104, 12, 24
APART: Final = 15  # minimum distance between names at the ends of lines
FIGURE: Final = 7  # width of a digit below the drawing, and the gap between two numbers
STEPS: Final = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Curve:
    """A side's totals through the match; ``label`` is the height of its name."""

    name: str
    points: Sequence[tuple[float, float]]
    label: float
    last: ExactPoints


@dataclass(frozen=True, slots=True)
class ChartLabel:
    """A figure beside the drawing, and its position."""

    figure: int
    at: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The lines of all sides, the labels beside and below them, and the target."""

    name: str
    lines: Sequence[Curve]
    levels: Sequence[ChartLabel]
    hands: Sequence[ChartLabel]
    target: ChartLabel | None

    @property
    def size(self) -> tuple[int, int, int, int]:
        """The width and height, and the left and right end of the lines."""
        return WIDTH, HEIGHT, LEFT, WIDTH - RIGHT


def draw_chart(
    totals: Mapping[str, Sequence[ExactPoints]],
    names: Mapping[str, str],
    target: int | None = None,
    *,
    name: str = "",
    after: int = 0,
) -> Chart | None:
    """Return the running totals of sides as lines; None without hands.

    `totals` has the points of each side before the first hand and after each. The drawing includes
    `target`. `after` is the number of earlier hands, which are not drawn.
    """
    many = max((len(totals_of_side) for totals_of_side in totals.values()), default=0)
    if many < 2:
        return None
    figures = [total for totals_of_side in totals.values() for total in totals_of_side]
    levels = round_levels(min(*figures, target or 0), max(*figures, target or 0))

    def y(figure: ExactPoints) -> float:
        share = float((figure - levels[0]) / (levels[-1] - levels[0]))
        return round(HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP), 1)

    def x(place: int) -> float:
        return round(LEFT + place * (WIDTH - LEFT - RIGHT) / (many - 1), 1)

    ends = spread_positions({side: y(course[-1]) for side, course in totals.items()})
    wide = FIGURE * len(str(after + many - 1)) + FIGURE
    every = max(1, -(-(many - 1) * wide // (WIDTH - LEFT - RIGHT)))
    return Chart(
        name=name,
        lines=[
            Curve(names[side],
                  [(x(place), y(total)) for place, total in enumerate(course)],
                  ends[side], course[-1])
            for side, course in totals.items()
        ],
        levels=[ChartLabel(level, y(level)) for level in levels],
        hands=[ChartLabel(after + place, x(place)) for place in range(0, many, every)],
        target=ChartLabel(target, y(target)) if target else None,
    )  # fmt: skip


def round_levels(low: ExactPoints, high: ExactPoints) -> list[int]:
    """Return four to seven round figures that span a range.

    >>> round_levels(-3, 21), round_levels(0, 0)
    ([-5, 0, 5, 10, 15, 20, 25], [0, 1])
    """
    low, high = min(low, 0), max(high, 1)
    size = 1
    step = 1
    while (high - low) / step > 6:
        place = STEPS.index(step // size) + 1
        if place == len(STEPS):
            place, size = 0, size * 10
        step = STEPS[place] * size
    return list(range(low // step * step, -(-high // step) * step + 1, step))


def spread_positions(wanted: Mapping[str, float]) -> dict[str, float]:
    """Return heights near the wanted ones, at least `APART` from one another, by side."""
    order = sorted(wanted, key=lambda side: wanted[side])
    positions: dict[str, float] = {}
    least = float(TOP)
    for side in order:
        positions[side] = max(wanted[side], least)
        least = positions[side] + APART
    most = float(HEIGHT - BOTTOM + 4)
    for side in reversed(order):
        positions[side] = round(min(positions[side], most), 1)
        most = positions[side] - APART
    return positions

"""Running totals as lines: where each point of the drawing lies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.web.wording.naming import short

# The drawing in its own units, and the room around the lines.
WIDTH: Final = 400
HEIGHT: Final = 240
LEFT, RIGHT, TOP, BOTTOM = 44, 104, 12, 24
APART: Final = 15  # names at the ends of lines keep so far from one another
FIGURE: Final = 7  # how wide a figure below it is, and what stays free between two numbers
ROOM: Final = 7.0  # em, for a name
STEPS: Final = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Curve:
    """A side's way through the match; ``label`` is where its name stands, cut to fit ``short``."""

    name: str
    short: str
    points: Sequence[tuple[float, float]]
    label: float
    last: int


@dataclass(frozen=True, slots=True)
class ChartLabel:
    """A figure beside the drawing, and where it stands."""

    figure: int
    at: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The lines of all sides, with what stands beside and below them, and what they lead to."""

    name: str
    lines: Sequence[Curve]
    levels: Sequence[ChartLabel]
    hands: Sequence[ChartLabel]
    target: ChartLabel | None

    @property
    def size(self) -> tuple[int, int, int, int]:
        """Width and height, and where the lines begin and end."""
        return WIDTH, HEIGHT, LEFT, WIDTH - RIGHT


def chart(
    totals: Mapping[str, Sequence[int]],
    names: Mapping[str, str],
    target: int | None = None,
    *,
    name: str = "",
    after: int = 0,
) -> Chart | None:
    """The running totals of sides, the first of each before the first hand; None without hands.

    They lead up to a ``target``, and begin ``after`` a given number of hands that are not drawn.
    """
    many = max((len(some) for some in totals.values()), default=0)
    if many < 2:
        return None
    figures = [one for some in totals.values() for one in some]
    levels = levels_of(min(*figures, target or 0), max(*figures, target or 0))

    def y(figure: float) -> float:
        share = (figure - levels[0]) / (levels[-1] - levels[0])
        return round(HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP), 1)

    def x(place: int) -> float:
        return round(LEFT + place * (WIDTH - LEFT - RIGHT) / (many - 1), 1)

    called = short(names, ROOM)
    ends = spread({side: y(some[-1]) for side, some in totals.items()})
    wide = FIGURE * len(str(after + many - 1)) + FIGURE
    every = max(1, -(-(many - 1) * wide // (WIDTH - LEFT - RIGHT)))
    return Chart(
        name=name,
        lines=[
            Curve(names[side], called[side], [(x(place), y(one)) for place, one in enumerate(some)],
                  ends[side], some[-1])
            for side, some in totals.items()
        ],
        levels=[ChartLabel(one, y(one)) for one in levels],
        hands=[ChartLabel(after + place, x(place)) for place in range(0, many, every)],
        target=ChartLabel(target, y(target)) if target else None,
    )  # fmt: skip


def levels_of(low: int, high: int) -> list[int]:
    """Round figures around all that there are: four to seven of them.

    >>> levels_of(-3, 21), levels_of(0, 0)
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


def spread(wanted: Mapping[str, float]) -> dict[str, float]:
    """Places near those wanted that keep apart, so that names do not cover one another."""
    order = sorted(wanted, key=lambda one: wanted[one])
    found: dict[str, float] = {}
    least = float(TOP)
    for one in order:
        found[one] = max(wanted[one], least)
        least = found[one] + APART
    most = float(HEIGHT - BOTTOM + 4)
    for one in reversed(order):
        found[one] = round(min(found[one], most), 1)
        most = found[one] - APART
    return found

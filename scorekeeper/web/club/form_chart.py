"""A chart of a member's form: points per hand, evening by evening, as bars above or below zero."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# The size of the drawing in its own units.
WIDTH: Final = 320
HEIGHT: Final = 150
TOP, BOTTOM = 18, 18  # margins for the figures above and below the bars
GAP: Final = 0.25  # share of a bar's slot


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the chart in drawing units.

    `middle` is its centre, `label` the height of its figure.
    """

    number: int
    figure: float
    x: float
    y: float
    width: float
    height: float
    middle: float
    label: float


@dataclass(frozen=True, slots=True)
class FormChart:
    """The bars, and the height of their zero line."""

    bars: Sequence[Bar]
    zero: float

    @property
    def size(self) -> tuple[int, int]:
        """The width and height."""
        return WIDTH, HEIGHT


def form_chart(figures: Sequence[float]) -> FormChart | None:
    """Return the bars of these figures, the oldest first; None for fewer than two."""
    if len(figures) < 2:
        return None
    high, low = max(0, *figures), min(0, *figures)
    scale = (HEIGHT - TOP - BOTTOM) / ((high - low) or 1)
    zero = TOP + high * scale
    slot = WIDTH / len(figures)
    bars = []
    for place, points in enumerate(figures):
        height = abs(points) * scale
        y = zero - height if points >= 0 else zero
        label = y - 5 if points >= 0 else y + height + 13
        x = place * slot + slot * GAP / 2
        bars.append(
            Bar(place + 1, points, round(x, 1), round(y, 1), round(slot * (1 - GAP), 1),
                round(max(height, 1), 1), round((place + 0.5) * slot, 1), round(label, 1))
        )  # fmt: skip
    return FormChart(bars, round(zero, 1))

"""The form of a member as bars: points a hand, evening by evening, above or below nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# The drawing in its own units.
WIDTH: Final = 320
HEIGHT: Final = 150
TOP, BOTTOM = 18, 18  # room for the figures above and below the bars
GAP: Final = 0.25  # of the room of a bar


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar, and where its figure and its number stand."""

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
    """The bars, and the line from which they rise or hang."""

    bars: Sequence[Bar]
    zero: float

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height."""
        return WIDTH, HEIGHT


def form_chart(figures: Sequence[float]) -> FormChart | None:
    """The bars of these figures, the oldest first; None where there are fewer than two."""
    if len(figures) < 2:
        return None
    high, low = max(0, *figures), min(0, *figures)
    scale = (HEIGHT - TOP - BOTTOM) / ((high - low) or 1)
    zero = TOP + high * scale
    room = WIDTH / len(figures)
    bars = []
    for place, one in enumerate(figures):
        height = abs(one) * scale
        y = zero - height if one >= 0 else zero
        label = y - 5 if one >= 0 else y + height + 13
        x = place * room + room * GAP / 2
        bars.append(
            Bar(place + 1, one, round(x, 1), round(y, 1), round(room * (1 - GAP), 1),
                round(max(height, 1), 1), round((place + 0.5) * room, 1), round(label, 1))
        )  # fmt: skip
    return FormChart(bars, round(zero, 1))

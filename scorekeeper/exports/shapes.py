"""The suit symbols of the pages, as polygons."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path

DRAWN: Final = Path(__file__).parents[1] / "static" / "cards.svg"
SYMBOL: Final = re.compile(
    r'<symbol id="([\w-]+)" viewBox="0 0 32 32"><path fill="currentColor"[^>]* d="([^"]+)"'
)
SIZE: Final = 32  # width and height of a shape, in its own units
STEPS: Final = 8  # straight lines in place of a curve

Point = tuple[float, float]


class OutlinePen(BasePen):  # type: ignore[misc]
    """A pen that collects the outlines of a shape, with curves as short lines."""

    def __init__(self) -> None:
        super().__init__(None)
        self.outlines: list[list[Point]] = []

    def _moveTo(self, pt: Point) -> None:  # noqa: N802
        self.outlines.append([pt])

    def _lineTo(self, pt: Point) -> None:  # noqa: N802
        self.outlines[-1].append(pt)

    def _curveToOne(self, pt1: Point, pt2: Point, pt3: Point) -> None:  # noqa: N802
        start = self.outlines[-1][-1]
        for step in range(1, STEPS + 1):
            self.outlines[-1].append(_on_curve((start, pt1, pt2, pt3), step / STEPS))


def _on_curve(curve: Sequence[Point], at: float) -> Point:
    """Return a point of a cubic Bézier curve; ``at`` is from 0 to 1."""
    points = list(curve)
    while len(points) > 1:
        points = [
            (a[0] + (b[0] - a[0]) * at, a[1] + (b[1] - a[1]) * at) for a, b in pairwise(points)
        ]
    return points[0]


@cache
def shape_outlines(shape: str) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of a shape such as ``french-S``; none if there is no such shape.

    A point is inside the shape if it is inside an odd number of outlines.
    """
    paths: dict[str, object] = dict(SYMBOL.findall(DRAWN.read_text("utf-8")))
    if shape not in paths:
        return ()
    pen = OutlinePen()
    parse_path(paths[shape], pen)
    return tuple(tuple(outline) for outline in pen.outlines)

"""The speed of this machine now, relative to the machine on which bars in seconds were set.

Seconds depend on the machine as much as on the code. So they are compared after scaling by the
speed of another work that uses only the processor: reading chess.
"""

import io
import statistics
from collections.abc import Callable
from functools import partial
from typing import Final

from benchmarks.material import PGN
from benchmarks.measuring import RUNS, print_row, seconds

Measure = Callable[[Callable[[], object]], float]

REFERENCE_MOVES_PER_SECOND: Final = 55_000  # of chess, on the machine of the bars
REPEATS: Final = 5  # of the games in one reading
MILLISECONDS_BELOW: Final = 0.2  # seconds; a shorter bar is printed in milliseconds
TENTHS_BELOW: Final = 0.02  # seconds, likewise


def read_chess_games(times: int) -> int:
    """Read games of chess from PGN; return the number of their moves."""
    import chess.pgn  # noqa: PLC0415  # only the environment of the benchmarks has it

    stream, moves = io.StringIO("\n".join([PGN] * times)), 0
    while game := chess.pgn.read_game(stream):
        moves += sum(1 for _ in game.mainline_moves())
    return moves


def pace(measure: Measure = seconds) -> float:
    """Return the speed of this machine relative to that of the bars, at most 1.

    ``measure`` returns the seconds of a run: by the clock, or those of the processor.
    """
    moves = read_chess_games(REPEATS)
    took = statistics.median(measure(partial(read_chess_games, REPEATS)) for _ in range(RUNS))
    return min(1.0, moves / took / REFERENCE_MOVES_PER_SECOND)


def report_seconds(
    what: str,
    took: float,
    most: float,
    goal: str = "",
    *,
    well: bool = True,
    measure: Measure = seconds,
) -> bool:
    """Print the duration of some work beside its bar, both in seconds; return whether it is met.

    The duration, which is one by ``measure``, is scaled to the machine of the bars. ``well`` is
    whether other bars of the same row are met.
    """
    part = pace(measure)
    figure = in_units(took, most)
    if part < 1:
        figure += f", at the pace of the bars {in_units(took * part, most)}"
    bar = f"under {in_units(most, most)}{goal}"
    return print_row(what, figure, bar, met=well and took * part < most)


def in_units(took: float, most: float) -> str:
    """Return a duration as text, in milliseconds or tenths of them if the bar is short.

    >>> in_units(0.0312, 0.05), in_units(0.456, 2.0), in_units(0.00512, 0.006)
    ('31 ms', '0.46 s', '5.1 ms')
    """
    if most >= MILLISECONDS_BELOW:
        return f"{took:.2f} s"
    return f"{took * 1000:.{1 if most < TENTHS_BELOW else 0}f} ms"

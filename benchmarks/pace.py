"""How fast this machine is now, beside the one on which the bars of seconds were set.

A machine may be slower than that one, or others may share it, and seconds say as much of it as of
the code. So each is told beside another work that takes the processor alone: reading chess.
"""

import io
import statistics
from functools import partial
from typing import Final

import chess.pgn

from benchmarks.material import PGN
from benchmarks.measuring import RUNS, seconds, tell

OF_THE_BARS: Final = 55_000  # moves of chess a second
TIMES: Final = 5  # the games are read at a go
SHORT: Final = 0.2  # seconds: what is to take less is told in milliseconds


def chess_games(times: int) -> int:
    """Read games of chess from PGN; how many moves they have."""
    stream, moves = io.StringIO("\n".join([PGN] * times)), 0
    while game := chess.pgn.read_game(stream):
        moves += sum(1 for _ in game.mainline_moves())
    return moves


def pace() -> float:
    """A part of 1 where this machine is slower now; 1 where it is as fast, or faster."""
    moves = chess_games(TIMES)
    took = statistics.median(seconds(partial(chess_games, TIMES)) for _ in range(RUNS))
    return min(1.0, moves / took / OF_THE_BARS)


def tell_seconds(what: str, took: float, most: float, goal: str = "", *, well: bool = True) -> bool:
    """Print what some work took beside its bar, both in seconds; whether it was met.

    What counts is what it would have taken at the pace of the bars, if the rest is ``well``.
    """
    part = pace()
    figure = in_units(took, most)
    if part < 1:
        figure += f", at the pace of the bars {in_units(took * part, most)}"
    bar = f"under {in_units(most, most)}{goal}"
    return tell(what, figure, bar, met=well and took * part < most)


def in_units(took: float, most: float) -> str:
    """Seconds, or milliseconds where that much is short.

    >>> in_units(0.0312, 0.05), in_units(0.456, 2.0)
    ('31 ms', '0.46 s')
    """
    return f"{took * 1000:.0f} ms" if most < SHORT else f"{took:.2f} s"

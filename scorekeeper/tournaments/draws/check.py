"""Checks of a draw: what cannot be played, and what is unfair."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from scorekeeper.tournaments.draws.draw import Draw, DrawnRound


class DrawProblem(NamedTuple):
    """A problem of a draw; ``round`` is None if it concerns several rounds.

    ``wrong`` is whether the draw cannot be played as it stands.
    """

    text: str
    round: int | None = None
    wrong: bool = True


def check_draw(draw: Draw, sizes: Collection[int] = ()) -> list[DrawProblem]:
    """Return the problems of a draw, round by round; ``sizes`` are those that a table may have."""
    problems = [problem for drawn in draw.rounds for problem in _check_round(draw, drawn, sizes)]
    return [*problems, *_check_byes(draw), *_check_first_deals(draw)]


def _check_round(draw: Draw, drawn: DrawnRound, sizes: Collection[int]) -> Iterator[DrawProblem]:
    """Yield the problems of one round."""
    places = Counter(entrant for table in drawn.tables for entrant in table)
    seats = Counter(drawn.byes) + places
    for entrant in sorted(seats):
        if entrant > draw.entrants:
            yield DrawProblem(f"there is no entrant {entrant}", drawn.number)
        elif entrant in drawn.byes and places[entrant]:
            yield DrawProblem(f"entrant {entrant} sits out and at a table", drawn.number)
        elif seats[entrant] > 1:
            yield DrawProblem(f"entrant {entrant} is drawn twice", drawn.number)
    for entrant in range(1, draw.entrants + 1):
        if entrant not in seats:
            yield DrawProblem(f"entrant {entrant} is at no table", drawn.number)
    for number, table in enumerate(drawn.tables, start=1):
        if sizes and len(table) not in sizes:
            words = f"table {number} has {len(table)} entrants, expected {_list_sizes(sizes)}"
            yield DrawProblem(words, drawn.number)


def _list_sizes(sizes: Collection[int]) -> str:
    """Return sizes in words, such as “5 or 6”."""
    return " or ".join(map(str, sorted(sizes)))


def _check_byes(draw: Draw) -> Iterator[DrawProblem]:
    """Yield each bye that is given while another entrant has had fewer."""
    had: Counter[int] = Counter()
    for drawn in draw.rounds:
        fewest = min((had[entrant] for entrant in range(1, draw.entrants + 1)
                      if entrant not in drawn.byes), default=0)  # fmt: skip
        for entrant in drawn.byes:
            if had[entrant] > fewest:
                words = f"entrant {entrant} sits out again before all others have sat out"
                yield DrawProblem(words, drawn.number)
        had.update(drawn.byes)


def _check_first_deals(draw: Draw) -> Iterator[DrawProblem]:
    """Yield a problem if the first deals of two entrants differ by more than one."""
    deals = Counter(table[0] for table in draw.list_tables() if table)
    counts = [deals[entrant] for entrant in range(1, draw.entrants + 1)]
    if counts and max(counts) > min(counts) + 1:
        words = f"some entrants deal first {max(counts)} times and some {min(counts)} times"
        yield DrawProblem(words, wrong=False)

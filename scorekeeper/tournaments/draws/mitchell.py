"""``mitchell``: of pairs at tables of two, half stay, and half move up one table each round."""

from typing import Final

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.tournaments.draws.choices import rotate_first_dealers
from scorekeeper.tournaments.draws.draw import Draw, make_rounds

MITCHELL: Final = "mitchell"
VERSION: Final = 1


def draw_mitchell(entrants: int, rounds: int, seed: int = 1) -> Draw:
    """Draw rounds in which the first half stay at their tables, and the others move up.

    Of an odd number the last table has only a moving entrant, who sits out. Raises `UnusableError`
    for more rounds than there are tables, because the same would meet again.
    """
    tables = -(-entrants // 2)
    if rounds > tables:
        words = f"with {tables} tables the same meet again after {tables} rounds"
        raise UnusableError(Cause(words, "too_many_rounds", most=tables), field="rounds")
    staying = entrants // 2
    drawn = [
        [[table + 1, staying + 1 + (table - number) % tables] for table in range(staying)]
        for number in range(rounds)
    ]
    made = rotate_first_dealers(make_rounds(drawn, entrants))
    return Draw(entrants, made, seed, f"{MITCHELL} {VERSION}")

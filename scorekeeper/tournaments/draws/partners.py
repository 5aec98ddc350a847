"""``partners``: individuals at tables of two sides; everybody plays with everybody once.

In a whole tournament of 4n or 4n + 1 each two are partners once and opponents twice (whist
tournaments). With 4n + 1 entrants one sits out in turn, and over a field of so many elements the
first round is known. With 4n it is searched for. Other numbers have few repeats at least.
"""

from collections.abc import Sequence
from typing import Final

from scorekeeper.tournaments.draws.bounds import compute_fewest_repeats
from scorekeeper.tournaments.draws.choices import rotate_first_dealers
from scorekeeper.tournaments.draws.columns import RoundTables
from scorekeeper.tournaments.draws.draw import PARTNERS, Draw, make_rounds
from scorekeeper.tournaments.draws.finite_fields import get_field
from scorekeeper.tournaments.draws.search import search_rounds
from scorekeeper.tournaments.draws.sizes import list_table_plans
from scorekeeper.tournaments.draws.starters import find_circular_rounds

VERSION: Final = 1
SIZE: Final = 4
PARTNER, OPPONENT = 0, 1
# The relation of each two seats of a table: partners sit opposite.
RELATIONS: Final = (
    (OPPONENT, OPPONENT, PARTNER, OPPONENT),
    (OPPONENT, OPPONENT, OPPONENT, PARTNER),
    (PARTNER, OPPONENT, OPPONENT, OPPONENT),
    (OPPONENT, PARTNER, OPPONENT, OPPONENT),
)
LIMITS: Final = (1, 2)  # how often two are partners, and opponents
COSTS: Final = (48, 8)  # of a repeat, in a search
TRIES: Final = 4  # of the search for a first round
MAX_SEARCHED_ENTRANTS: Final = 16  # beyond, no first round is found in time


def draw_partners(entrants: int, rounds: int, seed: int = 1) -> Draw:
    """Draw rounds of tables of four; repeats are those of partners.

    Raises `UnusableError` if there are fewer than four entrants.
    """
    plan = list_table_plans(entrants, (SIZE,))[0]
    cycle = find_whist_rounds(entrants, seed)
    if cycle is not None:
        tables = [cycle[number % len(cycle)] for number in range(rounds)]
    else:
        fewest = compute_fewest_repeats(entrants, [plan.sizes] * rounds, partners=True)
        playing = _list_playing(entrants, rounds, plan.byes)
        tables = search_rounds(entrants, playing, plan.sizes, seed, fewest=fewest, costs=COSTS,
                               relations=RELATIONS)  # fmt: skip
    drawn = rotate_first_dealers(make_rounds(tables, entrants))
    return Draw(entrants, drawn, seed, f"{PARTNERS} {VERSION}")


def find_whist_rounds(entrants: int, seed: int) -> list[RoundTables] | None:
    """Return all rounds in which each two are partners once and opponents twice.

    None if the number has none, or none was found.
    """
    if entrants % SIZE == 1:
        return _develop_field(entrants)
    if entrants % SIZE == 0 and entrants <= MAX_SEARCHED_ENTRANTS:
        return find_circular_rounds(
            entrants, entrants - 1, SIZE, RELATIONS, LIMITS, seed=seed, tries=TRIES
        )
    return None


def _develop_field(entrants: int) -> list[RoundTables] | None:
    """Return the rounds of the field with so many elements, q = 4n + 1; None if there is none.

    With a generator g and i = g to the power of n, the tables of the first round are x, ix, -x,
    -ix for the first n powers x; each further round adds one element.
    """
    field = get_field(entrants)
    if field is None:
        return None
    powers, quarter = field.list_powers(), entrants // SIZE
    first = [[powers[start + turn * quarter] for turn in range(SIZE)] for start in range(quarter)]
    return [
        [[field.sums[element][moved] + 1 for element in table] for table in first]
        for moved in range(entrants)
    ]


def _list_playing(entrants: int, rounds: int, byes: int) -> Sequence[Sequence[int]]:
    """Return the entrants who play in each round; the others sit out in turn."""
    return [
        [
            entrant
            for place, entrant in enumerate(range(1, entrants + 1))
            if (place - number * byes) % entrants >= byes
        ]
        for number in range(rounds)
    ]

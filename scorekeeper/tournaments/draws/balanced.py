"""``balanced``: individuals at tables of many, nobody meets twice for as long as possible."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from scorekeeper.tournaments.draws.berger import count_rounds, pair_group
from scorekeeper.tournaments.draws.bounds import compute_fewest_repeats
from scorekeeper.tournaments.draws.choices import choose_in_turn, rotate_first_dealers
from scorekeeper.tournaments.draws.columns import RoundTables, construct_rounds, group_columns
from scorekeeper.tournaments.draws.draw import Draw, make_rounds
from scorekeeper.tournaments.draws.search import search_rounds
from scorekeeper.tournaments.draws.sizes import TablePlan, list_table_plans
from scorekeeper.tournaments.draws.starters import find_circular_rounds

BALANCED: Final = "balanced"
VERSION: Final = 1


class Construction(NamedTuple):
    """Tables of one round, and the rounds that were constructed without a repeat."""

    plan: TablePlan
    rounds: list[RoundTables]


def draw_balanced(entrants: int, rounds: int, sizes: Collection[int], seed: int = 1) -> Draw:
    """Draw all rounds at once.

    Of the plans with the fewest byes that one is taken for which most rounds are constructed, and
    of these the most equal. Rounds that have no construction are searched for. Raises
    `UnusableError` if not even one table can be filled.
    """
    made = _construct_longest(entrants, rounds, sizes)
    tables = made.rounds
    if len(tables) < rounds:
        tables = _find_starter(entrants, rounds, made, seed) or _extend(
            entrants, rounds, made, seed
        )
    drawn = rotate_first_dealers(make_rounds(tables, entrants))
    return Draw(entrants, drawn, seed, f"{BALANCED} {VERSION}")


def count_rounds_without_repeat(entrants: int, sizes: Collection[int], most: int) -> int:
    """Return how many rounds, up to `most`, are constructed so that nobody meets twice."""
    return len(_construct_longest(entrants, most, sizes).rounds)


def _construct_longest(entrants: int, rounds: int, sizes: Collection[int]) -> Construction:
    """Return the construction with the most rounds; of equal ones that of the better plan."""
    longest: Construction | None = None
    for plan in list_table_plans(entrants, sizes):
        made = _construct(entrants, rounds, plan, sizes)
        if longest is None or len(made.rounds) > len(longest.rounds):
            longest = made
        if len(longest.rounds) == rounds:
            break
    if longest is None:
        raise AssertionError("there is a plan, or list_table_plans() raises")
    return longest


def _construct(entrants: int, rounds: int, plan: TablePlan, sizes: Collection[int]) -> Construction:
    """Return the rounds that a construction has for a plan; as many as it has without a bye."""
    number = len(plan.sizes)
    if set(plan.sizes) == {2}:
        whole = range(min(rounds, count_rounds(entrants)))
        everybody = range(1, entrants + 1)
        return Construction(plan, [pair_group(everybody, played) for played in whole])
    made = construct_rounds(entrants, number, rounds)
    if not plan.byes:
        columns = group_columns(entrants, number)
        if len(made) < rounds and made and all(len(column) in sizes for column in columns):
            made.append(columns)
        return Construction(plan, made)
    crowded = [[table for table in tables if len(table) > plan.sizes[0]] for tables in made]
    if any(len(table) > plan.sizes[0] + 1 for tables in crowded for table in tables):
        return Construction(plan, [])
    idle = choose_in_turn([table for tables in crowded for table in tables],
                          range(1, entrants + 1))  # fmt: skip
    if idle is None:
        return Construction(plan, [])
    sit_out = iter(idle)
    for tables in crowded:
        for table in tables:
            table.remove(next(sit_out))
    return Construction(plan, made)


def _find_starter(
    entrants: int, rounds: int, made: Construction, seed: int
) -> list[RoundTables] | None:
    """Return rounds without a repeat that follow from one round; None if none is found.

    So many rounds are possible only if there are places for all whom an entrant meets.
    """
    plan = made.plan
    if plan.byes or plan.spread or rounds * (plan.sizes[0] - 1) > entrants - 1 or not made.rounds:
        return None
    return find_circular_rounds(entrants, rounds, plan.sizes[0], seed=seed)


def _extend(entrants: int, rounds: int, made: Construction, seed: int) -> list[RoundTables]:
    """Return the constructed rounds and further ones with few repeats."""
    sizes, fixed = made.plan.sizes, made.rounds
    byes = _list_byes(entrants, rounds, made.plan.byes, fixed)
    playing = [[entrant for entrant in range(1, entrants + 1) if entrant not in idle]
               for idle in byes]  # fmt: skip
    of_fixed = [[len(table) for table in tables] for tables in fixed]
    fewest = compute_fewest_repeats(entrants, [*of_fixed, *[sizes] * len(playing)])
    return [*fixed, *search_rounds(entrants, playing, sizes, seed, fixed=fixed, fewest=fewest)]


def _list_byes(
    entrants: int, rounds: int, byes: int, fixed: Sequence[RoundTables]
) -> list[set[int]]:
    """Return the entrants who sit out in each round after the fixed ones, in turn."""
    drawn = make_rounds(fixed, entrants)
    had = [entrant for drawn_round in drawn for entrant in drawn_round.byes]
    turn = sorted(range(1, entrants + 1), key=had.count)
    return [
        {turn[(number * byes + place) % entrants] for place in range(byes)}
        for number in range(rounds - len(fixed))
    ]

"""``all_play_all``: tables of two, everybody meets everybody of their group (Berger tables)."""

from collections.abc import Sequence
from typing import Final

from scorekeeper.tournaments.draws.columns import RoundTables
from scorekeeper.tournaments.draws.draw import Draw, make_rounds
from scorekeeper.tournaments.draws.sizes import split_evenly

ALL_PLAY_ALL: Final = "all_play_all"
VERSION: Final = 1


def draw_all_play_all(
    entrants: int, rounds: int | None = None, seed: int = 1, group: int | None = None
) -> Draw:
    """Draw a round robin: of all, or of groups whose round robins take just so many rounds.

    With ``group`` there are so many entrants in each group, or one more. Groups have consecutive
    numbers, and are as equal as possible. Without such groups these are the first rounds of the
    round robin of all; after its last round it begins again with the seats exchanged.
    """
    rounds = rounds or count_rounds(entrants)
    groups = list_groups(entrants, rounds, group)
    tables = [
        [table for members in groups for table in pair_group(members, number)]
        for number in range(rounds)
    ]
    return Draw(entrants, make_rounds(tables, entrants), seed, f"{ALL_PLAY_ALL} {VERSION}")


def count_rounds(entrants: int) -> int:
    """Return the number of rounds in which everybody meets everybody; an odd one sits out.

    >>> [count_rounds(10), count_rounds(11)]
    [9, 11]
    """
    return entrants - 1 + entrants % 2


def list_groups(entrants: int, rounds: int, group: int | None = None) -> list[range]:
    """Return the groups whose round robins take just so many rounds; one group if there are none.

    With ``group`` they are as many as there can be with so many entrants.

    >>> [[len(group) for group in list_groups(n, 5)] for n in (6, 11, 12, 13)]
    [[6], [6, 5], [6, 6], [13]]
    """
    sizes: tuple[int, ...] = (entrants,)
    if group is not None:
        sizes = split_evenly(entrants, max(1, entrants // group))
    for groups in range(2, entrants // 2 + 1) if group is None else ():
        split = split_evenly(entrants, groups)
        if {count_rounds(size) for size in split} == {rounds}:
            sizes = split
            break
    starts = [1 + sum(sizes[:group]) for group in range(len(sizes))]
    return [range(start, start + size) for start, size in zip(starts, sizes, strict=True)]


def pair_group(group: Sequence[int], number: int) -> RoundTables:
    """Return the tables of a group in a round, numbered from 0, by the Berger tables.

    The first named of a table deals first. After the last round they begin again, the other way.

    >>> [pair_group(range(1, 5), number) for number in (0, 1)]
    [[[1, 4], [2, 3]], [[4, 3], [1, 2]]]
    """
    size = len(group) + len(group) % 2
    again, number = divmod(number, size - 1)
    top = number * (size // 2) % (size - 1)
    pairs = [(top, size - 1) if number % 2 == 0 else (size - 1, top)]
    pairs += [((top + by) % (size - 1), (top - by) % (size - 1)) for by in range(1, size // 2)]
    if again % 2:
        pairs = [(other, one) for one, other in pairs]
    return [[group[one], group[other]] for one, other in pairs
            if max(one, other) < len(group)]  # fmt: skip

"""``knockout``: brackets with seeds kept apart, and rounds of entrants with several lives."""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Final

from scorekeeper.tournaments.draws.draw import DrawnRound, EntrantPair
from scorekeeper.tournaments.draws.matching import match_pairs

EMPTY: Final = 0  # the opponent of an entrant with a bye


def draw_first_round(order: Sequence[int]) -> DrawnRound:
    """Draw the first round of a bracket; ``order`` has the seeds first, and then the others.

    The first two seeds can meet only in the final, the first four only from the semifinals on.
    Byes are those of the highest seeds. Tables and byes are in the order of the bracket.
    """
    slots = list_bracket(len(order))
    entrants = [order[place - 1] if place <= len(order) else EMPTY for place in slots]
    matches = list(zip(entrants[::2], entrants[1::2], strict=True))
    return DrawnRound(
        1,
        tuple(pair for pair in matches if EMPTY not in pair),
        tuple(max(pair) for pair in matches if EMPTY in pair),
    )


def list_bracket(entrants: int) -> list[int]:
    """Return the seeds of a bracket in its order; numbers above the entrants are empty places.

    >>> list_bracket(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    slots = [1]
    while len(slots) < entrants:
        last = 2 * len(slots) + 1
        slots = [place for seed in slots for place in (seed, last - seed)]
    return slots


def list_in_bracket_order(first: DrawnRound) -> list[tuple[int, ...]]:
    """Return the tables of a first round and its byes in the order of the bracket."""
    entrants = 2 * len(first.tables) + len(first.byes)
    slots = list_bracket(entrants)
    tables, byes = iter(first.tables), iter(first.byes)
    return [
        (next(byes),) if max(pair) > entrants else next(tables)
        for pair in zip(slots[::2], slots[1::2], strict=True)
    ]


def draw_next_round(
    bracket: Sequence[tuple[int, ...]], winners: Collection[int], number: int, *,
    third_place: bool = False,
) -> DrawnRound:  # fmt: skip
    """Draw the round after one with these tables in bracket order, a bye as a table of one.

    If the winner of a table has withdrawn, the next opponent has a bye.
    With `third_place` the losers of the semifinals meet at a table beside the final.
    """
    through = [next((entrant for entrant in table if entrant in winners), EMPTY)
               for table in bracket]  # fmt: skip
    pairs = list(zip(through[::2], through[1::2], strict=True))
    tables = [pair for pair in pairs if EMPTY not in pair]
    byes = tuple(max(pair) for pair in pairs if EMPTY in pair and max(pair) != EMPTY)
    if third_place and len(bracket) == 2:
        lost = [entrant for table in bracket for entrant in table if entrant not in winners]
        tables += [(lost[0], lost[1])] if len(lost) == 2 else []
    return DrawnRound(number, tuple(tables), byes)


def follow_bracket(bracket: Sequence[tuple[int, ...]], drawn: DrawnRound) -> list[tuple[int, ...]]:
    """Return the tables of the next round in the order of the bracket, a bye as a table of one.

    A place is empty if nobody of two tables goes on, because the winners have withdrawn.
    """
    following: list[tuple[int, ...]] = []
    for one, other in zip(bracket[::2], bracket[1::2], strict=True):
        members = {*one, *other}
        tables = [table for table in drawn.tables if members & set(table)]
        byes = [(entrant,) for entrant in drawn.byes if entrant in members]
        following.append(([*tables, *byes] or [()])[0])
    return following


def draw_lives_round(
    order: Sequence[int], lives: Mapping[int, int], met: Collection[EntrantPair],
    byes: Mapping[int, int], number: int,
) -> DrawnRound:  # fmt: skip
    """Draw a round of all who have lives left, in the order of their seeds.

    The pairs have the fewest rematches, then the smallest difference of lives; then the seeds are
    kept apart. An odd one sits out: the highest seed with the fewest byes.
    """
    playing = [entrant for entrant in order if lives[entrant] > 0]
    idle = tuple(sorted(playing, key=lambda entrant: byes.get(entrant, 0))[: len(playing) % 2])
    playing = [entrant for entrant in playing if entrant not in idle]
    size = len(playing)
    of_lives = size**3 + 1
    of_rematch = of_lives * (1 + size * max(lives.values(), default=0))
    costs = {}
    for one, other in combinations(range(size), 2):
        pair = playing[one], playing[other]
        rematch = (min(pair), max(pair)) in met
        apart = abs(lives[pair[0]] - lives[pair[1]])
        near = size - other + one  # the first seed meets the last
        costs[one, other] = of_rematch * rematch + of_lives * apart + near**2
    tables = tuple((playing[one], playing[other]) for one, other in match_pairs(costs))
    return DrawnRound(number, tables, idle)

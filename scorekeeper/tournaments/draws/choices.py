"""Choices of one entrant at each table: who sits out, and who deals first, in turn."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from scorekeeper.tournaments.draws.draw import DrawnRound

NOBODY: Final = 0  # no entrant has this number


def choose_in_turn(
    candidates: Sequence[Sequence[int]], entrants: Iterable[int]
) -> list[int] | None:
    """Return one candidate of each list, nobody a second time before each entrant once.

    None if the lists do not allow it.

    >>> choose_in_turn([[1, 2], [1], [3, 2]], (1, 2, 3))
    [2, 1, 3]
    """
    in_all, chosen = len(set(entrants)), list[int]()
    for start in range(0, len(candidates), in_all):
        part = _choose_different(candidates[start : start + in_all])
        if part is None:
            return None
        chosen += part
    return chosen


def _choose_different(candidates: Sequence[Sequence[int]]) -> list[int] | None:
    """Return a candidate of each list, all different, by augmenting paths; None if impossible."""
    place_of: dict[int, int] = {}

    def seat(place: int, tried: set[int]) -> bool:
        for candidate in candidates[place]:
            if candidate not in tried:
                tried.add(candidate)
                if candidate not in place_of or seat(place_of[candidate], tried):
                    place_of[candidate] = place
                    return True
        return False

    if not all(seat(place, set()) for place in range(len(candidates))):
        return None
    chosen = {place: candidate for candidate, place in place_of.items()}
    return [chosen[place] for place in range(len(candidates))]


def choose_evenly(
    candidates: Sequence[Sequence[int]], before: Mapping[int, int] | None = None
) -> list[int]:
    """Return one candidate of each list, so that all are chosen as evenly as possible.

    ``before`` is how often each was chosen earlier. First the rarest of each list is chosen; then
    choices move along chains of lists, from the most frequent to the rarest.
    """
    times = dict(before or {})
    for candidate in (candidate for listed in candidates for candidate in listed):
        times.setdefault(candidate, 0)
    chosen = []
    for listed in candidates:
        rarest = min(listed, key=lambda candidate: times[candidate])
        times[rarest] += 1
        chosen.append(rarest)
    while _move_choice(candidates, chosen, times):
        pass
    return chosen


def _move_choice(
    candidates: Sequence[Sequence[int]], chosen: list[int], times: dict[int, int]
) -> bool:
    """Give a choice of a frequent candidate to one rarer by two; return whether there was one."""
    places: dict[int, list[int]] = {}
    for place, candidate in enumerate(chosen):
        places.setdefault(candidate, []).append(place)
    rarest = min(times.values(), default=0)
    for start in sorted(places, key=lambda candidate: -times[candidate]):
        if times[start] < rarest + 2:
            return False
        came_from: dict[int, tuple[int, int]] = {start: (NOBODY, -1)}
        waiting = deque([start])
        while waiting:
            candidate = waiting.popleft()
            if times[candidate] <= times[start] - 2:
                _follow_back(candidate, came_from, chosen)
                times[start] -= 1
                times[candidate] += 1
                return True
            for place in places.get(candidate, ()):
                for other in candidates[place]:
                    if other not in came_from:
                        came_from[other] = candidate, place
                        waiting.append(other)
    return False


def _follow_back(
    candidate: int, came_from: Mapping[int, tuple[int, int]], chosen: list[int]
) -> None:
    """Change the choices along the chain that leads to a candidate."""
    while candidate != NOBODY:
        before, place = came_from[candidate]
        if place >= 0:
            chosen[place] = candidate
        candidate = before


def rotate_first_dealers(
    rounds: Iterable[DrawnRound], before: Mapping[int, int] | None = None
) -> tuple[DrawnRound, ...]:
    """Return the rounds with the seats of each table rotated, so that first deals are even.

    The first seat deals first. ``before`` has the first deals of earlier rounds.
    """
    rounds = tuple(rounds)
    dealers = iter(choose_evenly([table for drawn in rounds for table in drawn.tables], before))
    return tuple(
        drawn._replace(tables=tuple(_begin_with(next(dealers), table) for table in drawn.tables))
        for drawn in rounds
    )


def _begin_with(dealer: int, table: Sequence[int]) -> tuple[int, ...]:
    """Return the seats of a table in the same circle, from the dealer on."""
    seat = table.index(dealer)
    return (*table[seat:], *table[:seat])

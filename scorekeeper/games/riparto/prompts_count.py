"""Prompts for the end of a hand of Riparto: the count, or the outcome."""

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from operator import add

from scorekeeper.events.playing import OutcomeRecorded, PointsCounted
from scorekeeper.games.riparto.rules import LAST_THREE
from scorekeeper.games.riparto.state import RipartoDeal
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.prompts import LEVELS, Counts, Level, Prompt, is_level_wanted, offer
from scorekeeper.play.prompts.play import MAX_LISTED_COUNTS, may_take

# -------------------------------------------------------------- the points (R10, R11), the outcome


def _possible_points(deal: RipartoDeal) -> Collection[tuple[int, ...]]:
    """Return each possible final division of the points, as a tuple in the order of the sides.

    It agrees with all recorded winners of tricks.
    """
    possible = {(0,) * len(deal.table.sides)}
    for numbers in (*product(range(1, LAST_THREE[0])), LAST_THREE):
        more = _points_from_tricks(deal, numbers)
        possible = {tuple(map(add, points, worth)) for points in possible for worth in more}
    return possible


def _points_from_tricks(deal: RipartoDeal, numbers: tuple[int, ...]) -> Collection[tuple[int, ...]]:
    """Return each possible division of the points of these tricks, in the order of the sides.

    ``numbers`` are the numbers of the tricks.
    """
    winners = product(*[may_take(deal, number) for number in numbers])
    taken = (deal.points_of(dict(zip(numbers, players, strict=True))) for players in winners)
    return {tuple(points.values()) for points in taken}


def offer_result(deal: RipartoDeal, declaration: RecordedEvent) -> Iterator[Prompt]:
    """Offer the count, or the outcome, which scores the hand if the contract was made.

    After the outcome that the contract was lost, offer only counts that agree with it, at every
    level: one prompt for fewer points than declared, and one for more.
    """
    if not (deal.outcomes or is_level_wanted("totals")):
        return
    ripartitore = deal.counted_sides().index(declaration.player)
    declared = declaration.event.points
    possible = sorted(
        _possible_points(deal), key=lambda points: _surprise(points, ripartitore, declared)
    )
    exact = [points for points in possible if points[ripartitore] == declared]
    if not deal.outcomes:
        yield from _offer_counts(deal, possible, ("totals",))
        can = {True: bool(exact), False: len(exact) < len(possible)}
        yield from offer((OutcomeRecorded(went) for went in can if can[went]), ("totals",))
        return
    fewer = [points for points in possible if points[ripartitore] < declared]
    more = [points for points in possible if points[ripartitore] > declared]
    yield from _offer_counts(deal, fewer, LEVELS)
    yield from _offer_counts(deal, more, LEVELS)


def _surprise(points: tuple[int, ...], ripartitore: int, declared: int) -> tuple[int, int]:
    """Return a sort key: how far the points are from the declaration, and from equal shares.

    ``ripartitore`` is the index of that player in ``points``.
    """
    return abs(points[ripartitore] - declared), max(points) - min(points)


def _offer_counts(
    deal: RipartoDeal, counts: Sequence[tuple[int, ...]], levels: tuple[Level, ...]
) -> Iterator[Prompt]:
    """Yield a prompt for these counts, each a tuple in the order of the sides.

    ``counts`` begins with the likeliest; if there are too many, the first are listed and the range
    of all is given. ``levels`` are the levels of detail that the prompt is for: nothing is yielded
    if none of them is asked for, or if there are no counts.
    """
    sides = deal.counted_sides()
    listed = counts[:MAX_LISTED_COUNTS]
    choices = (PointsCounted(dict(zip(sides, points, strict=True))) for points in listed)
    several = None
    if len(counts) > MAX_LISTED_COUNTS:
        of_each = dict(zip(sides, zip(*counts, strict=True), strict=True))
        least = {side: min(points) for side, points in of_each.items()}
        most = {side: max(points) for side, points in of_each.items()}
        several = Counts("points", sides, deal.totals(), least, most)
    yield from offer(choices, levels, several)

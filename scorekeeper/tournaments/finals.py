"""Finals: who goes on from a stage, and which entrants of the next stage play which final.

Entrants are in the order of the standings of the stage before. With finals for every place, each
final is drawn and ranked by itself: the first of all groups play for the first places, and so on.
"""

from collections.abc import Collection, Iterator, Sequence

from scorekeeper.tournaments.draws.berger import ALL_PLAY_ALL, list_groups
from scorekeeper.tournaments.draws.sizes import list_table_plans
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.stage_rules import KNOCKOUT, list_stage_sizes, require_game
from scorekeeper.tournaments.stages import Stage
from scorekeeper.tournaments.values import TournamentRound


def list_finals(
    record: TournamentRecord, stage_number: int, order: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """Yield the entrants of each final that a stage leads to, the best placed first.

    There is one, of those who advance; with `places` one for each place in the groups. Groups are
    the entrants who met one another in the stage.
    """
    advance = record.stages[stage_number - 1].advance
    if advance is None:
        return
    groups = _list_met_groups(record, stage_number, order)
    if advance.places is not None:
        for place in range(max(map(len, groups), default=0)):
            yield tuple(entrant for entrant in order
                        for group in groups if group[place : place + 1] == [entrant])  # fmt: skip
        return
    through = set(order[: advance.overall or 0])
    each = advance.each or 0
    through.update(entrant for group in groups for entrant in group[:each])
    following = {group[each] for group in groups if len(group) > each}
    best = [entrant for entrant in order if entrant in following and entrant not in through]
    through.update(best[: advance.best or 0])
    yield tuple(entrant for entrant in order if entrant in through)


def _list_met_groups(
    record: TournamentRecord, stage_number: int, order: Sequence[str]
) -> list[list[str]]:
    """Return the groups of a stage, each in the order of the standings.

    They follow from published rounds only: nobody learns from them of a draw.
    """
    group_of = {entrant: {entrant} for entrant in order}
    for drawn in record.rounds.values():
        played = drawn.published and drawn.stage == stage_number
        for table in drawn.tables if played else ():
            merged = set().union(*(group_of.get(entrant, {entrant}) for entrant in table))
            group_of.update(dict.fromkeys(merged, merged))
    groups: list[list[str]] = []
    for entrant in order:
        if not any(entrant in group for group in groups):
            groups.append([other for other in order if other in group_of[entrant]])
    return groups


def has_finals(record: TournamentRecord, stage_number: int) -> bool:
    """Return whether a stage consists of finals for every place."""
    before = record.stages[stage_number - 2].advance if stage_number > 1 else None
    return before is not None and before.places is not None


def split_into_finals(
    record: TournamentRecord, stage_number: int, order: Sequence[str], first: TournamentRound | None
) -> list[tuple[str, ...]]:
    """Return the entrants of each final of a stage; ``order`` is that of the stage before.

    ``first`` is the first round of the stage, if it is drawn. A correction never moves a draw, so
    the finals are then those that were drawn: its tables and byes are in the order of the finals.
    """
    finals = list(list_finals(record, stage_number - 1, order))
    if first is None:
        return finals
    stage = record.stages[stage_number - 1]
    sizes = list_stage_sizes(require_game(record.opening.game), record.opening.entrants, stage)
    there = {*first.list_seated(), *first.byes}
    byes, tables = list(first.byes), list(first.tables)
    drawn = []
    for final in finals:
        size = sum(entrant in there for entrant in final)
        idle = count_byes(stage, size, sizes)
        members, byes = byes[:idle], byes[idle:]
        while tables and len(members) < size:
            members.extend(tables.pop(0))
        if len(members) != size:  # the round was drawn by hand, in another order
            return [tuple(entrant for entrant in each if entrant in there) for each in finals]
        drawn.append(tuple(members))
    return drawn


def count_byes(stage: Stage, entrants: int, sizes: Collection[int]) -> int:
    """Return how many entrants of a final sit out in its first round."""
    if entrants < min(sizes):
        return entrants
    if stage.draw == KNOCKOUT:
        return int(1 << (entrants - 1).bit_length()) - entrants
    if stage.draw == ALL_PLAY_ALL:
        return sum(len(group) % 2 for group in list_groups(entrants, stage.rounds, stage.group))
    return list_table_plans(entrants, sizes)[0].byes

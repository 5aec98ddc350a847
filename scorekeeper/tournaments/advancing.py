"""What follows from standings: the entrants who advance, and the table of the teams."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.standings import StageStandings, StandingRow


def list_teams(
    record: TournamentRecord, standings: StageStandings, best: int
) -> list[tuple[str, Fraction, tuple[str, ...]]]:
    """Return each group with the points of its best entrants, the highest first.

    A group with fewer entrants has those of all.
    """
    members: dict[str, list[StandingRow]] = {}
    for row in standings.rows:
        group = record.entrants[row.entrant].group
        if group is not None:
            members.setdefault(group, []).append(row)
    teams = [
        (group, sum((row.points for row in rows[:best]), Fraction(0)),
         tuple(row.entrant for row in rows[:best]))
        for group, rows in members.items()
    ]  # fmt: skip
    return sorted(teams, key=lambda team: (-team[1], team[0]))


def list_qualifiers(
    record: TournamentRecord, standings: StageStandings
) -> Iterator[tuple[str, ...]]:
    """Yield the entrants of each final that the stage leads to, the best placed first.

    There is one, of those who advance; with `places` one for each place in the groups. Groups are
    the entrants who met one another in the stage.
    """
    advance = record.stages[standings.stage - 1].advance
    if advance is None:
        return
    order = [row.entrant for row in standings.rows]
    groups = _list_groups(record, standings, order)
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


def _list_groups(
    record: TournamentRecord, standings: StageStandings, order: Sequence[str]
) -> list[list[str]]:
    """Return the groups of a stage, each in the order of the standings.

    They follow from published rounds only: nobody learns from them of a draw.
    """
    group_of = {entrant: {entrant} for entrant in order}
    for drawn in record.rounds.values():
        played = drawn.published and drawn.stage == standings.stage
        for table in drawn.tables if played else ():
            merged = set().union(*(group_of.get(entrant, {entrant}) for entrant in table))
            group_of.update(dict.fromkeys(merged, merged))
    groups: list[list[str]] = []
    for entrant in order:
        if not any(entrant in group for group in groups):
            groups.append([other for other in order if other in group_of[entrant]])
    return groups

"""What follows from standings: the entrants who advance, and the table of the teams."""

from collections.abc import Iterator
from fractions import Fraction

from scorekeeper.tournaments.finals import list_finals
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
    """Yield the entrants of each final that the stage leads to; see `list_finals`."""
    yield from list_finals(record, standings.stage, [row.entrant for row in standings.rows])

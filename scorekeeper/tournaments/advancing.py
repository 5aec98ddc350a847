"""What follows from standings: the entrants who advance, and the table of the teams."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.tournaments.finals import list_finals, split_into_finals
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.standings import Scoreboard, StageStandings, StandingRow
from scorekeeper.tournaments.values import TournamentRound


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


class AdvanceChange(NamedTuple):
    """The first round of a stage whose entrants are not those who advance now.

    ``through`` advance and are not in the round, and ``out`` are in it and do not advance.
    """

    round: int
    published: bool
    through: tuple[str, ...]
    out: tuple[str, ...]


def find_changed_advance(
    record: TournamentRecord, results: Mapping[str, PlayedTable], scoreboard: Scoreboard
) -> AdvanceChange | None:
    """Return the last drawn round if a correction changed who advances to it; else None.

    It is looked for until the first card of the stage is played. A correction never moves a draw:
    the director decides, and a change in spite of which they keep the draw is none. Entrants who
    have changed from one final to another are in both lists.
    """
    drawn = record.rounds.get(max(record.rounds, default=0))
    if drawn is None or drawn.stage == 1 or _is_begun(record, drawn, results):
        return None
    before = scoreboard.compute(record, results, drawn.stage - 1)
    order = [row.entrant for row in before.rows]
    now = list(list_finals(record, drawn.stage - 1, order))
    if not now:
        return None
    there = {*drawn.list_seated(), *drawn.byes}
    as_drawn = split_into_finals(record, drawn.stage, order, drawn) if len(now) > 1 else [
        tuple(there)
    ]  # fmt: skip
    through, out = list[str](), list[str]()
    for final, in_draw in zip(now, as_drawn, strict=True):
        playing = (entrant for entrant in final if record.entrants[entrant].plays_in(drawn.number))
        through += [entrant for entrant in playing if entrant not in in_draw]
        out += sorted(set(in_draw) - set(final))
    changed = AdvanceChange(drawn.number, drawn.published, tuple(through), tuple(out))
    is_kept = drawn.kept == (frozenset(through), frozenset(out))
    return changed if (through or out) and not is_kept else None


def _is_begun(
    record: TournamentRecord, drawn: TournamentRound, results: Mapping[str, PlayedTable]
) -> bool:
    """Return whether a card of the stage of a round is played, or the round is not its first."""
    former = record.rounds.get(drawn.number - 1)
    if former is not None and former.stage == drawn.stage:
        return True
    sessions = (named.session for named in (drawn.sessions or {}).values() if named is not None)
    played = any(session in results and results[session].hands for session in sessions)
    return played or bool(drawn.paper)

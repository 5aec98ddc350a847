"""How the places of a stage moved with its latest round."""

from collections.abc import Mapping

from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.standings import Scoreboard, StageStandings


def find_round_before(record: TournamentRecord, standings: StageStandings) -> int | None:
    """Return the published round of the stage before the last one that counts; None if none."""
    return max(
        (
            drawn.number
            for drawn in record.rounds.values()
            if drawn.published
            and drawn.stage == standings.stage
            and drawn.number < standings.after_round
        ),
        default=None,
    )


def compute_movement(
    scoreboard: Scoreboard, record: TournamentRecord, results: Mapping[str, PlayedTable],
    standings: StageStandings,
) -> dict[str, int]:  # fmt: skip
    """Return by how many places each entrant moved up since the round before; down is negative.

    Empty after the first round of a stage. An entrant who was not in the standings then is left
    out.
    """
    before = find_round_before(record, standings)
    if before is None:
        return {}
    earlier = scoreboard.compute(record, results, standings.stage, before)
    places = {row.entrant: row.place for row in earlier.rows}
    return {
        row.entrant: places[row.entrant] - row.place
        for row in standings.rows
        if row.entrant in places
    }

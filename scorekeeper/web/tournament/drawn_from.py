"""The standings from which a round was drawn: with the results as the draw knew them."""

from collections.abc import Mapping
from typing import NamedTuple

from scorekeeper.http.extensions import service
from scorekeeper.session.session import Session
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.standings import Scoreboard, StandingRow
from scorekeeper.tournaments.values import TournamentRound


class PlaceThenAndNow(NamedTuple):
    """An entrant's line at the draw, and by the same rounds as they are counted now."""

    name: str
    then: StandingRow
    now: StandingRow | None

    @property
    def changed(self) -> bool:
        """Whether the place or the points are others now."""
        return self.now is None or (self.then.place, self.then.points) != (
            self.now.place, self.now.points,
        )  # fmt: skip


def compare_with_draw(
    record: TournamentRecord, results: Mapping[str, PlayedTable], drawn: TournamentRound
) -> list[PlaceThenAndNow]:
    """Return the standings from which a round was drawn; empty if it used no results.

    Sessions count up to the events that the draw names. What the director recorded in the
    tournament counts as it stands now.
    """
    before = [other for number, other in record.rounds.items()
              if other.published and number < drawn.number]  # fmt: skip
    if not drawn.heads or not before:
        return []
    last = max(before, key=lambda other: other.number)
    known = {
        session_id: old
        for session_id, head in drawn.heads.items()
        if session_id in results and (old := _read_result_at(results[session_id], head)) is not None
    }
    then = Scoreboard().compute(record, known, last.stage, last.number)
    now = Scoreboard().compute(record, results, last.stage, last.number)
    rows = {row.entrant: row for row in now.rows}
    return [
        PlaceThenAndNow(record.entrants[row.entrant].name, row, rows.get(row.entrant))
        for row in then.rows
    ]


def _read_result_at(result: PlayedTable, head: str) -> PlayedTable | None:
    """Return the result of a table at an earlier head; None if its log has no such event."""
    if result.head == head:
        return result

    def look(session: Session) -> PlayedTable | None:
        entries = list(session.corrections.recorded.values())
        place = next((place for place, entry in enumerate(entries) if entry.hash == head), None)
        if place is None:
            return None
        return PlayedTable.of(result.session_id, Session.of(entries[: place + 1]))

    return service().see(result.session_id, look)

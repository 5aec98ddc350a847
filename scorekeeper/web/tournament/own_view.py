"""What a tournament is to one of its players: the seat, the rounds and the place."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.tournaments.hall_seats import OwnTable, SeatInHall, find_seat, list_own_tables
from scorekeeper.tournaments.points import RoundPoints
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.stages import AVERAGE
from scorekeeper.tournaments.standings import StandingRow
from scorekeeper.tournaments.values import DirectorCall, TournamentRound

# What the tournament is now to one of its players.
WAITS: Final = "waits"  # for the first round, or the next one
SITS: Final = "sits"
SITS_OUT: Final = "sits_out"
IS_AWAY: Final = "is_away"  # nowhere in the present round
HAS_LEFT: Final = "has_left"
IS_OVER: Final = "is_over"


class OwnRound(NamedTuple):
    """An earlier or the present round of an entrant, with the session of the table."""

    points: RoundPoints
    session: str | None
    closed: bool


class OwnView(NamedTuple):
    """The tournament as one of its players sees it.

    ``bye`` is what a round without a table gives: ``average``, or points. ``row`` is the entrant's
    line of the standings of the latest stage, of ``entrants`` lines.
    """

    state: str
    seat: SeatInHall | None
    bye: str | Fraction
    from_round: int
    rounds: Sequence[OwnRound]
    row: StandingRow | None
    entrants: int
    calls: Sequence[DirectorCall]
    tables: Sequence[OwnTable]


def view_own(snapshot: TournamentSnapshot, player: str, entrant_id: str) -> OwnView:
    """Return the tournament as a player of an entrant sees it."""
    record = snapshot.state
    entrant, latest = record.entrants[entrant_id], record.find_latest_published()
    seat = find_seat(record, player)
    computed = snapshot.standings()
    row = next((row for row in computed.rows if row.entrant == entrant_id), None)
    stage = record.stages[(latest.stage if latest else 1) - 1]
    return OwnView(
        state=_find_state(record, latest, entrant_id, seat),
        seat=seat,
        bye=AVERAGE if stage.bye in (None, AVERAGE) else _points_of_bye(stage.bye),
        from_round=entrant.from_round,
        rounds=[_find_round(record, points) for points in _list_points(snapshot, entrant_id)],
        row=row if latest is not None else None,
        entrants=len(computed.rows),
        calls=[call for call in record.calls.values() if call.caller == player],
        tables=list_own_tables(record, player),
    )


def _points_of_bye(bye: str | Fraction | None) -> Fraction:
    """Return the points of a bye that is no average."""
    return bye if isinstance(bye, Fraction) else Fraction(0)


def _find_state(
    record: TournamentRecord, latest: TournamentRound | None, entrant_id: str,
    seat: SeatInHall | None,
) -> str:  # fmt: skip
    """Return what the tournament is now to an entrant."""
    entrant = record.entrants[entrant_id]
    if record.heads is not None:
        return IS_OVER
    if seat is not None:
        return SITS
    if entrant.withdrawn_from is not None and not entrant.plays_in(
        max(latest.number if latest else 1, entrant.from_round)
    ):
        return HAS_LEFT
    if latest is None or latest.closed or not entrant.plays_in(latest.number):
        return WAITS
    return SITS_OUT if entrant_id in latest.byes else IS_AWAY


def _list_points(snapshot: TournamentSnapshot, entrant_id: str) -> list[RoundPoints]:
    """Return the rounds of an entrant in all stages, the latest first."""
    record = snapshot.state
    stages = {drawn.stage for drawn in record.rounds.values() if drawn.published}
    points = [
        points
        for stage in stages
        for row in snapshot.standings(stage).rows
        if row.entrant == entrant_id
        for points in row.rounds
    ]
    return sorted(points, key=lambda points: -points.round)


def _find_round(record: TournamentRecord, points: RoundPoints) -> OwnRound:
    """Return a round of an entrant with the session of its table."""
    drawn = record.rounds[points.round]
    session = (drawn.sessions or {}).get(points.table or 0)
    return OwnRound(points, None if session is None else session.session, drawn.closed)

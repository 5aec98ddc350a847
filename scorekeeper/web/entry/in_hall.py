"""The tournament around a table: its round and clock, and where its player sits now.

It is read only for keys to a tournament, so other tables cost nothing more.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from scorekeeper.http.extensions import tournaments
from scorekeeper.service import Holder
from scorekeeper.store import keyring
from scorekeeper.tournaments.hall_seats import (
    OwnTable,
    RoundClock,
    SeatInHall,
    find_clock,
    find_seat,
    list_own_tables,
)
from scorekeeper.tournaments.state import TournamentState


class TableInHall(NamedTuple):
    """A table of a tournament, for a holder of a key to it.

    ``seat`` is where its player sits now, if that is another table, and ``sits`` whether they sit
    anywhere. ``own`` are the other tables of the player. ``version`` is that of the tournament's
    log, and ``now`` the time of the server.
    """

    tournament_id: str
    name: str
    round: int
    table: int
    closed: bool
    clock: RoundClock | None
    seat: SeatInHall | None
    sits: bool
    own: Sequence[OwnTable]
    version: int
    now: str
    zone: str

    def format_time(self, at: datetime) -> str:
        """Return a time in the time zone of the tournament."""
        return f"{at.astimezone(ZoneInfo(self.zone)):%H:%M}"


def see_table_in_hall(session_id: str, holder: Holder) -> TableInHall | None:
    """Return the tournament around a table; None if the holder's key is no key to one."""
    key = holder.key
    if key is None or not keyring.is_tournament(key.stream_id):
        return None
    tournament_id, kept = key.stream_id, tournaments()
    position, now = kept.end(tournament_id), kept.now()

    def look(state: TournamentState) -> TableInHall | None:
        found = state.list_sessions().get(session_id)
        if found is None:
            return None
        number, table = found
        drawn, latest = state.rounds[number], state.find_latest_published()
        player = holder.player or ""
        seat = find_seat(state, player)
        return TableInHall(
            tournament_id, state.opening.name, number, table,
            closed=drawn.closed or drawn is not latest,
            clock=None if drawn.closed else find_clock(state, drawn, table),
            seat=seat if seat is not None and seat.session != session_id else None,
            sits=seat is not None,
            own=[own for own in list_own_tables(state, player) if own.session != session_id],
            version=position.version, now=now, zone=state.opening.zone or "UTC",
        )  # fmt: skip

    return kept.with_state(tournament_id, look)

"""The seat of a player in the present round, and the clock of their table."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.table_sessions import list_seats
from scorekeeper.tournaments.time_limits import FINISH, find_end, find_seconds_left
from scorekeeper.tournaments.values import TournamentRound


class SeatInHall(NamedTuple):
    """A seat at a table of a round; ``seat`` counts from 1, and the first one deals first.

    ``session`` is None for a table on paper. ``others`` are the names of the other players.
    """

    round: int
    table: int
    seat: int
    session: str | None
    others: Sequence[str]


class OwnTable(NamedTuple):
    """A table at which a player sits or sat, with its session."""

    round: int
    table: int
    session: str


class RoundClock(NamedTuple):
    """The clock of a table: when it ends if it runs, else the seconds that are left.

    ``at_time`` is what happens at the end.
    """

    ends_at: datetime | None
    seconds_left: int | None
    at_time: str


def find_seat(record: TournamentRecord, player: str) -> SeatInHall | None:
    """Return the seat of a player in the latest published round, if that is open."""
    present = record.find_present_table(player)
    if present is None:
        return None
    number, table = present
    drawn = record.rounds[number]
    seats = list(list_seats(record, drawn, table))
    session = (drawn.sessions or {}).get(table)
    return SeatInHall(
        number, table, [seated for seated, _ in seats].index(player) + 1,
        None if session is None else session.session,
        [name for seated, name in seats if seated != player],
    )  # fmt: skip


def list_own_tables(record: TournamentRecord, player: str) -> list[OwnTable]:
    """Return the tables of a player in the published rounds, but for those on paper."""
    tables = []
    for number, table in sorted(record.find_tables(player).items()):
        named = (record.rounds[number].sessions or {}).get(table)
        if named is not None:
            tables.append(OwnTable(number, table, named.session))
    return tables


def find_clock(record: TournamentRecord, drawn: TournamentRound, table: int) -> RoundClock | None:
    """Return the clock of a table; None if it was not started. Table 0 has no time of its own."""
    end = find_end(drawn, table)
    # A stopped clock keeps its time, whatever time it is.
    left = None if end is not None else find_seconds_left(drawn, datetime.max.replace(tzinfo=UTC))
    if end is None and left is None:
        return None
    return RoundClock(end, left, record.stages[drawn.stage - 1].at_time or FINISH)

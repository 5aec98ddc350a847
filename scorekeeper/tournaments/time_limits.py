"""The clock of a round: when its time ends at a table, and which hands count."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from scorekeeper.tournaments.played_tables import PlayedTable, TableHand
from scorekeeper.tournaments.stages import Stage
from scorekeeper.tournaments.values import TournamentRound

FINISH, ONE_MORE, STOP, PLAY_OUT = "finish", "one_more", "stop", "play_out"


def find_end(drawn: TournamentRound, table: int) -> datetime | None:
    """Return when the time of a table ends; None if its clock was not started, or is stopped."""
    end: datetime | None = None
    for change in drawn.clock:
        if change.kind == "stop":
            end = None
        elif change.kind == "start" and change.at:
            end = datetime.fromisoformat(change.at) + timedelta(minutes=change.minutes)
        elif change.kind == "add" and end is not None and change.table in (None, table):
            end += timedelta(minutes=change.minutes)
    return end


def format_time(time: datetime) -> str:
    """Return a time in the format of a log."""
    return f"{time:%Y-%m-%dT%H:%M:%S}.{time.microsecond // 1000:03}Z"


def find_seconds_left(drawn: TournamentRound, now: datetime) -> int | None:
    """Return the seconds that the clock of a round has left; None if it was not started.

    A stopped clock keeps its time. Time that one table was given does not count.
    """
    end: datetime | None = None
    left: int | None = None
    for change in drawn.clock:
        at = datetime.fromisoformat(change.at) if change.at else now
        if change.kind == "start":
            end = at + timedelta(minutes=change.minutes)
        elif change.kind == "stop" and end is not None:
            left, end = max(0, round((end - at).total_seconds())), None
        elif change.kind == "add" and change.table is None:
            if end is not None:
                end += timedelta(minutes=change.minutes)
            elif left is not None:
                left += change.minutes * 60
    return left if end is None else max(0, round((end - now).total_seconds()))


def list_counting(
    played: PlayedTable, stage: Stage, drawn: TournamentRound, table: int
) -> Iterator[TableHand]:
    """Yield the hands of a table that count: those in time, and those that were ruled to count.

    Hands without times count, and so do all hands of a round without a clock.
    """
    end, at_time = find_end(drawn, table), stage.at_time or FINISH
    one_more = at_time == ONE_MORE
    for hand in played.hands:
        ruling = drawn.rulings.get((table, hand.number))
        in_time = end is None or at_time == PLAY_OUT or _is_before(hand, end, at_time)
        if not in_time and one_more:
            in_time, one_more = True, False
        if ruling.counts if ruling is not None else in_time:
            yield hand


def _is_before(hand: TableHand, end: datetime, at_time: str) -> bool:
    """Return whether a hand was begun, or with `stop` played, before the time ended."""
    at = hand.ended_at if at_time == STOP else hand.started_at
    return not at or datetime.fromisoformat(at) <= end

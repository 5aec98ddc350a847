"""The tables and the clock of a round as declared values: from them follows their JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scorekeeper.base.parts import ExactPoints, encode_exact
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.points import score_table
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.stage_rules import require_game
from scorekeeper.tournaments.standings_views import EXACT
from scorekeeper.tournaments.table_rules import PAIRS, count_deals
from scorekeeper.tournaments.time_limits import find_end, find_seconds_left, format_time
from scorekeeper.tournaments.values import TournamentRound


@dataclass(frozen=True, slots=True)
class SeatedEntrantView(DeclaredView):
    """An entrant at a table."""

    entrant: str = declare("the id of the entrant")
    name: str = declare("the name of the entrant")
    players: Sequence[str] = declare("the ids of the players of this round, substitutes included")
    score: ExactPoints | None = declare("the score at the table; null before the first hand")
    place: int | None = declare("the place at the table")
    points: Any = declare(f"the points, {EXACT}; null if nothing is on record")


@dataclass(frozen=True, slots=True)
class HallTableView(DeclaredView):
    """A table of a round, as a director or the hall sees it."""

    table: int = declare("the number of the table", minimum=1)
    session: str | None = declare("the id of its session; null for a table on paper")
    missing: bool = declare("true if its session cannot be read here")
    entrants: Sequence[SeatedEntrantView] = declare("the entrants, in seat order")
    hands: int = declare("how many complete hands are on record", minimum=0)
    deals: int | None = declare("how many hands it deals; null if its match has an end of its own")
    unconfirmed: int = declare("how many complete hands not all sides have confirmed", minimum=0)
    disputed: int = declare("how many hands are in dispute", minimum=0)
    last_entry: str | None = declare("the time of its last entry of play")
    ended: bool = declare("true if its match has ended")
    provisional: bool = declare("true if the points may still change")
    calls: Sequence[int] = declare("the seqs of its calls that are not answered")
    ends_at: str | None = declare("the time at which its clock ends; null if no clock runs")


@dataclass(frozen=True, slots=True)
class HallTablesView(DeclaredView):
    """The tables of a round."""

    round: int = declare("the number of the round; 0 before the first", minimum=0)
    stage: int | None = declare("the number of its stage")
    closed: bool = declare("true if the round is over")
    byes: Sequence[str] = declare("the ids of the entrants who sit out")
    tables: Sequence[HallTableView] = declare("the tables")


@dataclass(frozen=True, slots=True)
class HallClockView(DeclaredView):
    """The clock of a round."""

    round: int = declare("the number of the round; 0 before the first", minimum=0)
    running: bool = declare("true while it runs")
    now: str = declare("the time of the server")
    seconds_left: int | None = declare("the seconds that are left; null before the start")
    ends_at: str | None = declare("the time at which it ends; null if it does not run")


def view_tables(
    record: TournamentRecord, drawn: TournamentRound | None, results: Mapping[str, PlayedTable]
) -> HallTablesView:
    """Return the tables of a round; of none if no round is published yet."""
    if drawn is None:
        return HallTablesView(0, None, False, [], [])  # noqa: FBT003
    tables = [_view_table(record, drawn, number, results)
              for number in range(1, len(drawn.tables) + 1)]  # fmt: skip
    return HallTablesView(drawn.number, drawn.stage, drawn.closed, drawn.byes, tables)


def _view_table(
    record: TournamentRecord, drawn: TournamentRound, number: int,
    results: Mapping[str, PlayedTable],
) -> HallTableView:  # fmt: skip
    """Return a table of a round."""
    session = (drawn.sessions or {}).get(number)
    played = results.get(session.session) if session is not None else None
    points = score_table(record, drawn, number, played)
    hands = [hand for hand in played.hands if hand.complete] if played else []
    end = find_end(drawn, number)
    here = drawn.number, number, None
    calls = [call.seq for call in record.calls.values()
             if (call.round, call.table, call.answered) == here]  # fmt: skip
    entrants = []
    for entrant_id in drawn.tables[number - 1]:
        entrant = record.entrants[entrant_id]
        score = points.scores.get(entrant_id) if points else None
        entrants.append(SeatedEntrantView(
            entrant_id, entrant.name, entrant.list_players(drawn.number),
            None if score is None else score.score,
            points.places.get(entrant_id) if points else None,
            encode_exact(points.points[entrant_id])
            if points and entrant_id in points.points else None,
        ))  # fmt: skip
    return HallTableView(
        table=number,
        session=None if session is None else session.session,
        missing=session is not None and played is None,
        entrants=entrants,
        hands=len(hands),
        deals=_count_deals(record, drawn, number),
        unconfirmed=sum(not hand.confirmed for hand in hands),
        disputed=sum(hand.disputed for hand in played.hands) if played else 0,
        last_entry=max((hand.ended_at for hand in played.hands), default="") or None
        if played else None,
        ended=played is not None and not played.unended,
        provisional=points is not None and points.provisional,
        calls=calls,
        ends_at=None if end is None else format_time(end),
    )  # fmt: skip


def _count_deals(record: TournamentRecord, drawn: TournamentRound, number: int) -> int | None:
    """Return how many hands a table deals; None if the stage does not say it."""
    hands = record.stages[drawn.stage - 1].hands
    if hands is None:
        return None
    places = 2 if record.opening.entrants == PAIRS else 1
    size = len(drawn.tables[number - 1]) * places
    return count_deals(require_game(record.opening.game), size, hands)


def view_clock(drawn: TournamentRound | None, now: str) -> HallClockView:
    """Return the clock of a round at a time of the server."""
    if drawn is None:
        return HallClockView(0, running=False, now=now, seconds_left=None, ends_at=None)
    left = find_seconds_left(drawn, datetime.fromisoformat(now))
    end = find_end(drawn, 0)  # of no table: without the time that one table was given
    return HallClockView(
        drawn.number, drawn.running, now, left, None if end is None else format_time(end)
    )

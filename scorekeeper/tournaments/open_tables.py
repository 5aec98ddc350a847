"""The tables that are open on phones: who sits there stays, and only the service opens them.

A log that was written by hand may say otherwise; these rules are for what is recorded now.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.values import TournamentRound


class PlayedSeats(NamedTuple):
    """Who sits at the tables of a published round: its entrants, sessions and players."""

    tables: tuple[tuple[str, ...], ...]
    sessions: frozenset[str]
    players: tuple[tuple[str, ...], ...]


def list_played_seats(record: TournamentRecord) -> dict[int, PlayedSeats]:
    """Return who sits where in the published rounds of which some table has a session."""
    played = {}
    for drawn in record.rounds.values():
        named = (drawn.sessions or {}).values()
        sessions = frozenset(each.session for each in named if each is not None)
        if sessions:
            players = tuple(
                tuple(record.entrants[entrant].list_players(drawn.number))
                for entrant in drawn.list_seated()
            )
            played[drawn.number] = PlayedSeats(drawn.tables, sessions, players)
    return played


def list_unplayed(
    record: TournamentRecord, results: Mapping[str, PlayedTable]
) -> frozenset[int]:  # fmt: skip
    """Return the published rounds of which no hand and no result is recorded."""
    return frozenset(
        drawn.number for drawn in record.rounds.values()
        if drawn.published and not drawn.paper and not any(
            named is not None and (named.session not in results or results[named.session].hands)
            for named in (drawn.sessions or {}).values()
        )
    )  # fmt: skip


def refuse_foreign_sessions(
    record: TournamentRecord, before: Mapping[int, PlayedSeats], opened: Collection[str],
    unplayed: Collection[int] = (),
) -> None:  # fmt: skip
    """Raise `UnusableError` if tables of a published round were not those of its sessions.

    ``before`` is who sat where, and ``opened`` are the sessions that are opened now: a tournament
    has no others. Who sits at a table with a session stays: `seating_corrected` says who it was.
    The publication of a round in ``unplayed`` can be taken back.
    """
    held = list_played_seats(record)
    for number, seats in before.items():
        if number in unplayed and number not in held:
            continue
        if held.get(number) != seats:
            words = (f"the tables of round {number} are open on the phones: its seats stay as they "
                     "are, and seating_corrected says who sat there")  # fmt: skip
            raise UnusableError(Cause(words, "tables_are_playing", round=number), field="data")
    for number in held.keys() - before.keys():
        if not held[number].sessions <= set(opened):
            words = "to open the sessions of its tables, publish a round by the call for that"
            raise UnusableError(Cause(words, "foreign_session"), field="data.sessions")


def require_unpublished(record: TournamentRecord, number: int) -> TournamentRound:
    """Return a round that is drawn. Raises `UnusableError` if it is published already."""
    drawn = record.require_round(number)
    if drawn.published:
        words = f"round {number} is published already"
        raise UnusableError(Cause(words, "published_before", round=number), field="data.round")
    return drawn

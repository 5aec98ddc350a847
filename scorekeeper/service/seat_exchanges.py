"""Seats that are exchanged after the publication: the sessions of both tables get the player.

The corrections of the sessions are written in the transaction of the tournament's event.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.pacing import WaitLimits
from scorekeeper.events.common import HandAbandoned, HandStarted, MatchStarted, PlayerJoined
from scorekeeper.events.corrections import (
    CorrectionBegun,
    EventInserted,
    EventReplaced,
    EventStruck,
)
from scorekeeper.log import codec
from scorekeeper.log.face_down import KEEPER
from scorekeeper.report.report import get_hand_status
from scorekeeper.service.folded_session import FoldedSession
from scorekeeper.service.recording import decode_new_event, seal_and_add
from scorekeeper.session.session import Session
from scorekeeper.store import Position, Store, StoredLine
from scorekeeper.store.contract import OtherAppend
from scorekeeper.streams.requests import NewEvent
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.table_sessions import list_seats
from scorekeeper.tournaments.values import TournamentRound

FIRST_SEQ: Final = 1  # of `session_opened`, after which players join


class SeatExchanges:
    """The corrections of sessions for the seats that one request exchanges."""

    def __init__(self, store: Store, limits: WaitLimits) -> None:
        self._store, self._limits = store, limits
        self._held: dict[str, FoldedSession] = {}
        self._ends: dict[str, Position] = {}  # before the corrections
        self._lines: dict[str, list[StoredLine]] = {}

    @property
    def appends(self) -> list[OtherAppend]:
        """The appends to the sessions."""
        return [
            OtherAppend(session_id, self._ends[session_id], lines)
            for session_id, lines in self._lines.items()
        ]

    def exchange(
        self, record: TournamentRecord, before: TournamentRound, reason: str, at: str
    ) -> None:
        """Correct the sessions of a round whose tables were ``before`` others than now.

        Raises `UnusableError` if a hand was played at one of them, or its session is closed.
        """
        after = record.rounds[before.number]
        for table, entrants in enumerate(before.tables, start=1):
            named = (before.sessions or {}).get(table)
            if entrants == after.tables[table - 1]:
                continue
            if named is None:
                if table in before.paper:
                    raise _make_error(table)
                continue
            old, new = (list(list_seats(record, drawn, table)) for drawn in (before, after))
            names = dict(new)
            moved = {
                was: now for (was, _), (now, _) in zip(old, new, strict=True) if was != now
            }  # fmt: skip
            self._correct(named.session, table, moved, names, reason, at)

    def _correct(
        self, session_id: str, table: int, moved: Mapping[str, str], names: Mapping[str, str],
        reason: str, at: str,
    ) -> None:  # fmt: skip
        """Put players in the places of others in a session, as a set of corrections."""
        folded = self._held.get(session_id)
        if folded is None:
            folded = self._held[session_id] = FoldedSession(session_id, self._store, self._limits)
            folded.refresh()
            self._ends[session_id] = folded.position
            folded.begin_trial()
        session = folded.session
        statuses = [get_hand_status(match, hand) for match in session.structure.matches
                    for hand in match.hands]  # fmt: skip
        if session.structure.closed is not None or "complete" in statuses:
            raise _make_error(table)
        corrections = list(_list_corrections(session, moved, names, reason))
        if len(corrections) > 1:
            begun = CorrectionBegun.TYPE, {"count": len(corrections), "reason": reason}
            corrections = [begun, *corrections]
        else:
            corrections = [(kind, {**data, "reason": reason}) for kind, data in corrections]
        lines = self._lines.setdefault(session_id, [])
        for kind, data in corrections:
            new = NewEvent(kind, data)
            event = decode_new_event(session, new)
            lines.append(seal_and_add(folded, new, event, KEEPER, at))


def _make_error(table: int) -> UnusableError:
    """Return the error for a table that has begun to play in earnest."""
    words = (f"table {table} has played a hand, or is closed: its seats stay as they are, and "
             "seating_corrected says who sat there")  # fmt: skip
    return UnusableError(Cause(words, "tables_are_playing", table=table), field="data.entrants")


def _list_corrections(
    session: Session, moved: Mapping[str, str], names: Mapping[str, str], reason: str
) -> Iterator[tuple[str, JsonObject]]:
    """Yield the corrections that put players in the places of others; begun hands are abandoned."""
    for player in moved.values():
        if player not in session.structure.players:
            joined = {"id": player, "name": names[player]}
            yield _insert(FIRST_SEQ, PlayerJoined.TYPE, joined)
    for match in session.structure.matches:
        started: dict[str, Any] = codec.encode(match.started.event)
        seats = [moved.get(player, player) for player in match.seats]
        yield _replace(match.started.seq, MatchStarted.TYPE, {**started, "seats": seats})
        for hand in match.hands:
            dealer = {"dealer": moved.get(hand.dealer, hand.dealer)}
            yield _replace(hand.started.seq, HandStarted.TYPE, dealer)
            for entry in hand.entries:
                if entry.seq != hand.started.seq:
                    yield EventStruck.TYPE, {"seq": entry.seq}
            if get_hand_status(match, hand) != "abandoned":
                abandoned = {"reason": reason, "kind": "other"}
                yield _insert(hand.started.seq, HandAbandoned.TYPE, abandoned)


def _insert(after: int, kind: str, data: JsonObject) -> tuple[str, JsonObject]:
    """Return the correction that inserts an event."""
    return EventInserted.TYPE, {"after": after, "type": kind, "data": data}


def _replace(seq: int, kind: str, data: JsonObject) -> tuple[str, JsonObject]:
    """Return the correction that replaces an event."""
    return EventReplaced.TYPE, {"seq": seq, "type": kind, "data": data}

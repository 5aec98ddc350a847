"""Changes of a tournament that also change the sessions of its tables, in one transaction."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from scorekeeper.base.errors import ScorekeeperError
from scorekeeper.base.pacing import WaitLimits
from scorekeeper.events.common import SessionClosed
from scorekeeper.events.corrections import EventStruck
from scorekeeper.log.face_down import KEEPER
from scorekeeper.service.folded_session import FoldedSession
from scorekeeper.service.folded_tournament import FoldedTournament
from scorekeeper.service.recording import decode_new_event, seal_and_add
from scorekeeper.store import Store, StoredLine, sealed
from scorekeeper.store.contract import OtherAppend
from scorekeeper.streams.requests import NewEvent
from scorekeeper.tournaments.events import RoundClosed
from scorekeeper.tournaments.open_tables import PlayedSeats
from scorekeeper.tournaments.record import TournamentRecord


class TableClosing(NamedTuple):
    """The sessions that close with a round, and the tables whose sessions stay open."""

    appends: list[OtherAppend]
    left_open: list[int]


class TableReopening(NamedTuple):
    """The sessions that open again with a round, and the tables whose sessions stay closed."""

    appends: list[OtherAppend]
    left_closed: list[int]


def close_tables(folded: FoldedTournament, lines: Sequence[StoredLine], at: str) -> TableClosing:
    """Return the closing of the sessions of the rounds that new lines close.

    The results of the sessions must have been gathered. A session with a hand that is not finished
    or is in dispute stays open, and so does one that cannot be read: the director has it closed
    later, as its host.
    """
    closing = TableClosing([], [])
    for number in _list_closed_rounds(folded, lines):
        for table, named in sorted((folded.log.state.rounds[number].sessions or {}).items()):
            if named is not None and not _close(folded, named.session, at, closing.appends):
                closing.left_open.append(table)
    return closing


def close_recalled(
    folded: FoldedTournament, before: Mapping[int, PlayedSeats], at: str
) -> list[OtherAppend]:
    """Return the closing of the sessions of rounds whose publication was taken back.

    ``before`` is who sat where until then.
    """
    present, appends = folded.log.state.list_sessions(), list[OtherAppend]()
    for seats in before.values():
        for session_id in sorted(seats.sessions - present.keys()):
            _close(folded, session_id, at, appends)
    return appends


def _close(
    folded: FoldedTournament, session_id: str, at: str, appends: list[OtherAppend]
) -> bool:  # fmt: skip
    """Add the closing of a session, unless it is closed; return false if it stays open."""
    played, end = folded.snapshot.results.get(session_id), folded.find_end(session_id)
    if played and played.closed:
        return True
    if end is None or not played or played.undone:
        return False
    appends.append(
        OtherAppend(session_id, end, sealed(end, [(SessionClosed.TYPE, {})], at, KEEPER))
    )
    return True


def _list_closed_rounds(folded: FoldedTournament, lines: Sequence[StoredLine]) -> Iterator[int]:
    """Yield the numbers of the rounds that new lines close; corrections close none."""
    for line in lines:
        event = folded.log.corrections.recorded[line.seq].event
        if isinstance(event, RoundClosed):
            yield event.round


def list_closed(record: TournamentRecord) -> frozenset[int]:
    """Return the numbers of the rounds that are closed."""
    return frozenset(drawn.number for drawn in record.rounds.values() if drawn.closed)


def reopen_tables(
    folded: FoldedTournament, closed: Collection[int], store: Store, limits: WaitLimits,
    reason: str, at: str,
) -> TableReopening:  # fmt: skip
    """Return the corrections that open the sessions of rounds that are open again.

    ``closed`` are the rounds that were closed before. Only sessions that closed with their round
    open: a table that ended its evening by itself stays so.
    """
    reopening = TableReopening([], [])
    for drawn in folded.log.state.rounds.values():
        if drawn.number not in closed or drawn.closed or not drawn.published:
            continue
        times = {
            entry.at for entry in folded.log.corrections.recorded.values()
            if isinstance(entry.event, RoundClosed) and entry.event.round == drawn.number
        }  # fmt: skip
        for table, named in sorted((drawn.sessions or {}).items()):
            if named is None:
                continue
            try:
                append = _reopen(FoldedSession(named.session, store, limits), times, reason, at)
            except ScorekeeperError:  # it was deleted, or cannot be read
                reopening.left_closed.append(table)
            else:
                reopening.appends.extend(append)
    return reopening


def _reopen(
    folded: FoldedSession, times: Collection[str], reason: str, at: str
) -> list[OtherAppend]:
    """Return the strike of a session's close if that was at one of the ``times``."""
    folded.refresh()
    close, end = folded.session.structure.closed, folded.position
    if close is None or close.by != KEEPER or close.at not in times:
        return []
    folded.begin_trial()
    new = NewEvent(EventStruck.TYPE, {"seq": close.seq, "reason": reason})
    line = seal_and_add(folded, new, decode_new_event(folded.session, new), KEEPER, at)
    return [OtherAppend(folded.id, end, [line])]

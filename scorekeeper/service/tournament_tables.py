"""Changes of a tournament that also change the sessions of its tables, in one transaction."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorekeeper.events.common import SessionClosed
from scorekeeper.log.face_down import KEEPER
from scorekeeper.service.folded_tournament import FoldedTournament
from scorekeeper.store import StoredLine, sealed
from scorekeeper.store.contract import OtherAppend
from scorekeeper.tournaments.events import RoundClosed


class TableClosing(NamedTuple):
    """The sessions that close with a round, and the tables whose sessions stay open."""

    appends: list[OtherAppend]
    left_open: list[int]


def close_tables(folded: FoldedTournament, lines: Sequence[StoredLine], at: str) -> TableClosing:
    """Return the closing of the sessions of the rounds that new lines close.

    The results of the sessions must have been gathered. A session with a hand that is not finished
    or is in dispute stays open, and so does one that cannot be read: the director has it closed
    later, as its host.
    """
    closing = TableClosing([], [])
    for number in _list_closed_rounds(folded, lines):
        for table, named in sorted((folded.log.state.rounds[number].sessions or {}).items()):
            played = named and folded.snapshot.results.get(named.session)
            if named is None or (played and played.closed):
                continue
            end = folded.find_end(named.session)
            if end is None or not played or played.undone:
                closing.left_open.append(table)
            else:
                sealed_line = sealed(end, [(SessionClosed.TYPE, {})], at, KEEPER)
                closing.appends.append(OtherAppend(named.session, end, sealed_line))
    return closing


def _list_closed_rounds(folded: FoldedTournament, lines: Sequence[StoredLine]) -> Iterator[int]:
    """Yield the numbers of the rounds that new lines close; corrections close none."""
    for line in lines:
        event = folded.log.corrections.recorded[line.seq].event
        if isinstance(event, RoundClosed):
            yield event.round

"""A cached session: its replay, and the views of the host and of the table.

Refused entries are taken back without a replay. A replay that takes too long for one request stops,
and the next request continues it.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from scorekeeper.base import pacing
from scorekeeper.base.errors import BusyError, NotInstalledError, UnknownSessionError
from scorekeeper.events.event import IN_A_HAND, Entry
from scorekeeper.games import GAMES
from scorekeeper.log.chain import START
from scorekeeper.log.reading import RawEvent
from scorekeeper.report.masking import as_the_table_knows, awaited_hands, face_down_seqs
from scorekeeper.session.session import Session
from scorekeeper.store import Position
from scorekeeper.store.contract import NO_RECORDERS, Recorders
from scorekeeper.streams.folded import FoldedStream
from scorekeeper.streams.holder import Holder
from scorekeeper.streams.room import SeatShare, counted_size

MAX_EVENTS: Final = 60_000  # of all cached sessions together; each takes about 1 KB
MAX_REPLAY_SECONDS: Final = 4.0  # of one request; entries replayed by then stay cached


@dataclass(slots=True)
class View:
    """A session as one kind of reader may know it: the host, or the table.

    ``made`` caches results computed from its present state, by name.
    """

    session: Session = field(default_factory=Session)
    made: dict[str, Any] = field(default_factory=dict)


class BeforeTrial(NamedTuple):
    """The state of a folded session before a trial, restored if the entries are refused."""

    made: dict[str, Any]
    table: View | None
    made_for_table: dict[str, Any]
    turns: bool


class FoldedSession(FoldedStream):
    """A cached session, replayed up to a version, for the thread that holds its lock.

    ``all`` is the view of the host.
    """

    def forget(self) -> None:
        """Drop the replayed entries, and all that was computed from them."""
        super().forget()
        self.all = View()
        self._table: View | None = self.all  # None where it is to be made
        self._missing: tuple[Position, NotInstalledError] | None = None  # why it cannot be folded
        self._recorders: dict[int, str] = {}  # the key ids of events that the log does not ascribe
        self._turns = False  # whether what was added may turn cards
        self._before: BeforeTrial | None = None  # None where nothing is on trial

    @property
    def session(self) -> Session:
        """The session with all entries on record."""
        return self.all.session

    def view(self, *, sees_all: bool) -> View:
        """Return the host's view if ``sees_all``, else that of the table; it is made if needed."""
        if sees_all:
            return self.all
        if self._table is None:
            hidden = face_down_seqs(self.session)
            known = as_the_table_knows(self.session, hidden)
            known.recorders = self._recorders
            self._table = View(known) if hidden else self.all
        return self._table

    @property
    def weight(self) -> int:
        """The number of cached events, or 1 if only the reason of a failure is cached."""
        return self.session.events or int(self._missing is not None)

    @property
    def position(self) -> Position:
        """The end of the replayed session."""
        return Position(self.session.events, self.session.head)

    def refresh(self, longest: float = MAX_REPLAY_SECONDS) -> None:
        """Replay up to the end of the session in the store.

        Raises `UnknownSessionError`, `NotInstalledError`, or `BusyError` after ``longest`` seconds;
        the next call continues from there.
        """
        end = self._store.position(self.id)
        if self.position == end:
            return
        if self._missing and self._missing[0] == end:
            raise copy(self._missing[1])
        if self.session.events and self._store.hash_at(self.id, self.position.version) != (
            self.position.head or START
        ):
            self.forget()  # a backup with another history was restored
        pacing.expect(end.version - self.position.version)
        try:
            with pacing.at_most(longest), GAMES.failures_as_not_installed(stored=True):
                self._read_on(self._store.read(self.id, self.position.version).lines)
        except NotInstalledError as error:
            if not isinstance(error.__cause__, MemoryError):  # there may be more the next time
                self._missing = end, copy(error)
            raise

    def read_until(self, end: Position) -> None:
        """Replay a session, of which nothing is replayed yet, up to ``end``.

        Raises `UnknownSessionError` if it never had that end, because a backup was restored, and
        `BusyError`.
        """
        pacing.expect(end.version)
        self._read_on(self._store.read(self.id, 0, end.version).lines)
        if self.position != end:
            raise UnknownSessionError(self.id)

    def _decode_lines(self, lines: Iterable[bytes]) -> Iterator[Entry]:
        """Yield the entry of each stored line; each is counted once it is added."""
        for line in lines:
            pacing.step()
            entry = self.session.decode_line(RawEvent.stored(line))
            yield entry
            self.count(entry.by, counted_size(line))

    def _read_on(self, lines: Sequence[bytes]) -> None:
        """Add stored lines to the session.

        After `BusyError` the lines before stay replayed; after any other error all are dropped.
        """
        self.all.made, self._table = {}, None
        try:
            self.session.add_all(self._decode_lines(lines))
            if self.session.covered:
                self._recorders = self._store.recorders(self.id)
            self.session.recorders = self._recorders
        except BusyError:
            raise  # the lines before stay replayed
        except BaseException:
            self.forget()
            raise

    def share_of(self, holder: Holder) -> SeatShare | None:
        """Return what a holder's seat, and all seats, added to the log; None for the host."""
        if holder.role == "host":
            return None
        hidden = sum(holder.key is not None and key_id == holder.key.id
                     for key_id in self._recorders.values())  # fmt: skip
        return self.usage.share_of(holder.by, hidden)

    def begin_trial(self) -> None:
        """Store the state to which a trial can return, in both views."""
        table = self._table
        made_for_table = {} if table is None else table.made
        self._before = BeforeTrial(self.all.made, table, made_for_table, self._turns)
        self.session.begin_trial()
        if table is not None and table is not self.all:
            table.session.begin_trial()

    def end_trial(self, *, take_back: bool) -> None:
        """End a trial, if there is one: keep its entries, or with ``take_back`` remove them."""
        before, self._before = self._before, None
        if before is None:
            return
        self.session.end_trial(take_back=take_back)
        table = before.table
        if table is not None and table is not self.all:
            table.session.end_trial(take_back=take_back)
        if take_back:
            self.all.made, self._table, self._turns = before.made, table, before.turns
            if table is not None:
                table.made = before.made_for_table

    def add(self, entry: Entry, line: bytes) -> None:
        """Add an entry that is not in the store yet, with its line, to both views."""
        self.all.made = {}
        self.session.add(entry)
        self.count_ahead(entry.by, counted_size(line))
        self._turns |= bool(entry.event.HIDDEN) or entry.event.PLACE is not IN_A_HAND
        if self._table is not None and self._table is not self.all:
            self._turns = True
            self._table.made = {}
            self._table.session.add(entry)

    def settle(self, recorders: Recorders = NO_RECORDERS) -> None:
        """Mark the added entries as stored, and add the keys of those that do not name one."""
        super().settle(recorders)
        self._recorders.update(recorders)
        self.session.recorders = self._recorders

    def hides(self) -> bool:
        """Return whether an entry lies face down now."""
        return bool(face_down_seqs(self.session))

    def turn(self) -> None:
        """Drop the view of the table if the added entries turned cards up or down.

        It is made again when it is needed.
        """
        if (
            self._turns
            and self._table is not None
            and self._table_view_is_stale(self._table.session)
        ):
            self._table = None
        self._turns = False

    def _table_view_is_stale(self, known: Session) -> bool:
        """Return whether ``known`` differs from now in hidden entries or awaited hands."""
        hidden = face_down_seqs(self.session)
        return known.hidden != hidden or known.awaiting != awaited_hands(self.session, hidden)

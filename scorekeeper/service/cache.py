"""Sessions kept folded: what was replayed once need not be replayed for the next event.

A cache that may be lost. While a commit is under way it runs ahead of the disk: if that fails,
what was folded is forgotten, and read again from the store. What is refused is taken back without
a replay. A replay that takes too long for one request stops, and the next request continues it.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from scorekeeper.base import pacing
from scorekeeper.base.errors import (
    BusyError,
    NotInstalledError,
    ScorekeeperError,
    StaleVersionError,
    UnknownSessionError,
)
from scorekeeper.base.pacing import BoundedLock, WaitLimits
from scorekeeper.events.event import IN_A_HAND, Entry
from scorekeeper.games import GAMES
from scorekeeper.log.chain import START
from scorekeeper.report.masking import as_the_table_knows, awaited, face_down
from scorekeeper.service.permissions import Holder
from scorekeeper.service.room import SeatShare, Usage, counted_size
from scorekeeper.session.session import Session
from scorekeeper.store import Position, Store

MOST_EVENTS: Final = 60_000  # kept folded, of all sessions together; each takes about 1 KB
FEWEST_SESSIONS: Final = 4  # kept folded, however long they are
LONGEST_REPLAY: Final = 4.0  # seconds of one request; what is folded by then is kept
NO_RECORDERS: Final[Mapping[int, str]] = MappingProxyType({})


@dataclass(slots=True)
class View:
    """A session as some reader may know it, and what was worked out of it as it stands."""

    session: Session = field(default_factory=Session)
    made: dict[str, Any] = field(default_factory=dict)


class BeforeTrial(NamedTuple):
    """What a folded session is when entries are tried, to be restored if they are refused."""

    made: dict[str, Any]
    table: View | None
    made_for_table: dict[str, Any]
    turns: bool


class Folded:
    """One session as replayed up to a version; for one thread at a time, which holds ``lock``.

    ``all`` is what the host sees. ``ahead`` is how many of its entries are not known to be in the
    store.
    """

    def __init__(self, id_: str, store: Store, limits: WaitLimits | None = None) -> None:
        self.id = id_
        self.lock = BoundedLock(limits or WaitLimits())
        self.ahead = 0
        self.weighed = 0  # its weight, when the cache last looked
        self._missing: tuple[Position, NotInstalledError] | None = None  # why it cannot be folded
        self._recorders: dict[int, str] = {}  # the key ids of events that the log does not ascribe
        self._store = store
        self.forget()

    def forget(self) -> None:
        """Begin anew, with nothing folded."""
        self.all = View()
        self._table: View | None = self.all  # None where it is to be made
        self.ahead = 0
        self.size = 0  # bytes that its lines count for; also of those that are ahead
        self.usage = Usage()  # likewise
        self._sizes_ahead: list[tuple[str, int]] = []  # authors and bytes
        self._turns = False  # whether what was added may turn cards
        self._before: BeforeTrial | None = None  # None where nothing is on trial

    @property
    def session(self) -> Session:
        """The session with all that is on record."""
        return self.all.session

    def view(self, *, sees_all: bool) -> View:
        """The session as it is seen by the host, or by the table."""
        if sees_all:
            return self.all
        if self._table is None:
            hidden = face_down(self.session)
            known = as_the_table_knows(self.session, hidden)
            known.recorders = self._recorders
            self._table = View(known) if hidden else self.all
        return self._table

    @property
    def weight(self) -> int:
        """How many events are kept; of what cannot be folded, that it is so."""
        return self.session.events or int(self._missing is not None)

    @property
    def position(self) -> Position:
        """Where the session ends, as folded."""
        return Position(self.session.events, self.session.head)

    def refresh(self, longest: float = LONGEST_REPLAY) -> None:
        """Come up to where the session ends in the store.

        Raises `UnknownSessionError` or `NotInstalledError`.

        Busy after ``longest`` seconds; the next call continues from there.
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
        try:
            with pacing.at_most(longest), GAMES.missing_where_they_fail(stored=True):
                self._read_on(self._store.read(self.id, self.position.version).lines)
        except NotInstalledError as error:
            if not isinstance(error.__cause__, MemoryError):  # there may be more the next time
                self._missing = end, copy(error)
            raise

    def read_until(self, end: Position) -> None:
        """Fold a session that is not folded yet as it was at ``end``, and no further.

        Raises `UnknownSessionError` where it never ended so, as another history was restored.
        """
        self._read_on(self._store.read(self.id, 0, end.version).lines)
        if self.position != end:
            raise UnknownSessionError(self.id)

    def _read_on(self, lines: Sequence[bytes]) -> None:
        self.all.made, self._table = {}, None
        try:
            for line in lines:
                pacing.step()
                self._count(self.session.add_stored(line).by, counted_size(line))
            if self.session.covered:
                self._recorders = self._store.recorders(self.id)
            self.session.recorders = self._recorders
        except BusyError:
            raise  # the lines before are folded, and need not be read again
        except BaseException:
            self.forget()
            raise

    def _count(self, author: str, size: int, events: int = 1) -> None:
        self.size += size
        self.usage.add(author, events, size)

    def share_of(self, holder: Holder) -> SeatShare | None:
        """Return what the seat of a holder added, None for the host."""
        if holder.role == "host":
            return None
        hidden = sum(holder.key is not None and one == holder.key.id
                     for one in self._recorders.values())  # fmt: skip
        return self.usage.share_of(holder.by, hidden)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Within it entries are added; if they are refused, it is as if they had never come."""
        self._begin_trial()
        try:
            yield
        except ScorekeeperError as error:
            self.take_back()
            if isinstance(error, StaleVersionError):
                self.refresh()  # it may be at the same version, with another history
            raise
        except BaseException:
            self.forget()
            raise

    def _begin_trial(self) -> None:
        table = self._table
        made_for_table = {} if table is None else table.made
        self._before = BeforeTrial(self.all.made, table, made_for_table, self._turns)
        self.all.made = {}
        self.session.begin_trial()
        if table is not None and table is not self.all:
            table.session.begin_trial()

    def _end_trial(self, *, take_back: bool) -> None:
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
        """Add an entry that is not in the store yet, with its line; the table sees it, too."""
        self.session.add(entry)
        self.ahead += 1
        self._count(entry.by, counted_size(line))
        self._sizes_ahead.append((entry.by, counted_size(line)))
        self._turns |= bool(entry.event.HIDDEN) or entry.event.PLACE is not IN_A_HAND
        if self._table is not None and self._table is not self.all:
            self._turns = True
            self._table.made = {}
            self._table.session.add(entry)

    def settle(self, recorders: Mapping[int, str] = NO_RECORDERS) -> None:
        """Note that the entries that were ahead are in the store, and by which keys they came."""
        self._end_trial(take_back=False)
        self.ahead, self._sizes_ahead = 0, []
        self._recorders.update(recorders)
        self.session.recorders = self._recorders

    def hides(self) -> bool:
        """Whether something lies face down now."""
        return bool(face_down(self.session))

    def turn(self) -> None:
        """Turn cards down and up, as the entries that were added have it.

        Nothing can be turned where nothing lies face down and only play was added.
        """
        if self._turns and self._table is not None and self._has_turned(self._table.session):
            self._table = None
        self._turns = False

    def _has_turned(self, known: Session) -> bool:
        hidden = face_down(self.session)
        return known.hidden != hidden or known.awaiting != awaited(self.session, hidden)

    def take_back(self) -> None:
        """Undo the entries that are on trial."""
        self._end_trial(take_back=True)
        for author, size in self._sizes_ahead:
            self._count(author, -size, events=-1)
        self.ahead, self._sizes_ahead = 0, []


class Cache:
    """The sessions used lately, folded."""

    def __init__(
        self, store: Store, most_events: int = MOST_EVENTS, limits: WaitLimits | None = None
    ) -> None:
        self.limits = limits or WaitLimits()
        self._store = store
        self._most = most_events
        self._mutex = threading.Lock()
        self._kept: OrderedDict[str, Folded] = OrderedDict()
        self._events = 0  # of all that are kept, as they were weighed

    def keeps(self, session_id: str) -> bool:
        """Whether a session is folded here."""
        return session_id in self._kept

    @contextmanager
    def held(self, session_id: str) -> Iterator[Folded]:
        """A session for the caller alone, as it was left; to be refreshed before it is read.

        Busy where others have it for too long.
        """
        with self._mutex:
            folded = self._kept.get(session_id)
            if folded is None:
                folded = self._kept[session_id] = Folded(session_id, self._store, self.limits)
            else:
                self._kept.move_to_end(session_id)
        with folded.lock.held():
            try:
                with GAMES.missing_where_they_fail():
                    yield folded
            finally:
                if folded.ahead:
                    folded.forget()
                self._make_room(folded)

    def _make_room(self, used: Folded) -> None:
        with self._mutex:
            if self._kept.get(used.id) is used:
                self._events += used.weight - used.weighed
                used.weighed = used.weight
                if not used.weighed:
                    del self._kept[used.id]
            while self._events > self._most and len(self._kept) > FEWEST_SESSIONS:
                _, oldest = self._kept.popitem(last=False)
                self._events -= oldest.weighed

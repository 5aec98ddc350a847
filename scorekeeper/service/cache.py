"""Sessions kept folded: what was replayed once need not be replayed for the next event.

A cache that may be lost. While a commit is under way it runs ahead of the disk: if that fails,
what was folded is forgotten, and read again from the store.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final

from scorekeeper.base.errors import NotInstalled, ScorekeeperError, StaleVersion
from scorekeeper.events.event import IN_A_HAND, Entry
from scorekeeper.games import GAMES
from scorekeeper.log.chain import START
from scorekeeper.report.masking import as_the_table_knows, face_down
from scorekeeper.session.session import Session
from scorekeeper.store import Position, Store

MOST_EVENTS: Final = 60_000  # kept folded, of all sessions together; each takes about 1 KB
FEWEST_SESSIONS: Final = 4  # kept folded, however long they are


@dataclass(slots=True)
class View:
    """A session as some reader may know it, and what was worked out of it as it stands."""

    session: Session = field(default_factory=Session)
    made: dict[str, Any] = field(default_factory=dict)


class Folded:
    """One session as replayed up to a version; for one thread at a time, which holds ``lock``.

    ``all`` is what the host sees. ``ahead`` is how many of its entries are not known to be in the
    store.
    """

    def __init__(self, id_: str, store: Store) -> None:
        self.id = id_
        self.lock = threading.Lock()
        self.ahead = 0
        self.weighed = 0  # its weight, when the cache last looked
        self._missing: tuple[Position, NotInstalled] | None = None  # why it cannot be folded
        self._store = store
        self.forget()

    def forget(self) -> None:
        """Begin anew, with nothing folded."""
        self.all = View()
        self._table: View | None = self.all  # None where it is to be made
        self.ahead = 0
        self.size = 0  # bytes of its lines, as stored; also of those that are ahead
        self._size_ahead = 0
        self._turns = False  # whether what was added may turn cards

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

    def refresh(self) -> None:
        """Come up to where the session ends in the store; UnknownSession, NotInstalled."""
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
            with GAMES.missing_where_they_fail(stored=True):
                self._read_on(self._store.read(self.id, self.position.version).lines)
        except NotInstalled as error:
            if not isinstance(error.__cause__, MemoryError):  # there may be more the next time
                self._missing = end, copy(error)
            raise

    def _read_on(self, lines: Sequence[bytes]) -> None:
        self.all.made, self._table = {}, None
        try:
            for line in lines:
                self.session.add_stored(line)
                self.size += len(line) + 1
        except BaseException:
            self.forget()
            raise

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Within it entries are added; if they are refused, it is as if they had never come."""
        made, self.all.made = self.all.made, {}
        try:
            yield
        except ScorekeeperError as error:
            self.take_back()
            self.all.made = made
            if isinstance(error, StaleVersion):
                self.refresh()  # it may be at the same version, with another history
            raise
        except BaseException:
            self.forget()
            raise

    def add(self, entry: Entry, line: bytes) -> None:
        """Add an entry that is not in the store yet, with its line; the table sees it, too."""
        self.session.add(entry)
        self.ahead += 1
        self.size += len(line) + 1
        self._size_ahead += len(line) + 1
        self._turns |= bool(entry.event.HIDDEN) or entry.event.PLACE is not IN_A_HAND
        if self._table is not None and self._table is not self.all:
            self._turns = True
            self._table.made = {}
            self._table.session.add(entry)

    def settle(self) -> None:
        """Note that the entries that were ahead are in the store."""
        self.ahead = self._size_ahead = 0

    def hides(self) -> bool:
        """Whether something lies face down now."""
        return bool(face_down(self.session))

    def turn(self) -> None:
        """Turn cards down and up, as the entries that were added have it.

        Nothing can be turned where nothing lies face down and only play was added.
        """
        known = self._table and self._table.session.hidden
        if self._turns and known != face_down(self.session):
            self._table = None
        self._turns = False

    def take_back(self) -> None:
        """Undo the entries that are ahead."""
        if self.ahead:
            recorded = list(self.session.corrections.recorded.values())
            self.all = View(Session.of(recorded[: -self.ahead]))
            self._table = None
            self._turns = False
            self.size -= self._size_ahead
            self.settle()


class Cache:
    """The sessions used lately, folded."""

    def __init__(self, store: Store, most_events: int = MOST_EVENTS) -> None:
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
        """A session for the caller alone, as it was left; to be refreshed before it is read."""
        with self._mutex:
            folded = self._kept.get(session_id)
            if folded is None:
                folded = self._kept[session_id] = Folded(session_id, self._store)
            else:
                self._kept.move_to_end(session_id)
        with folded.lock:
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

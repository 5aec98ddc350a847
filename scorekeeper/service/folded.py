"""Sessions kept folded: what was replayed once need not be replayed for the next event.

A cache that may be lost. While a commit is under way it runs ahead of the disk: if that fails,
what was folded is forgotten, and read again from the store.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from scorekeeper.errors import ScorekeeperError, StaleVersion
from scorekeeper.events import Entry
from scorekeeper.log import canonical
from scorekeeper.log.chain import START
from scorekeeper.log.reading import RawEvent
from scorekeeper.replay.session import Session
from scorekeeper.store import Position, Store

MOST_EVENTS: Final = 60_000  # kept folded, of all sessions together; each takes about 1 KB
FEWEST_SESSIONS: Final = 4  # kept folded, however long they are


class Folded:
    """One session as replayed up to a version; for one thread at a time, which holds ``lock``.

    ``ahead`` is how many of its entries are not known to be in the store.
    """

    def __init__(self, id_: str, store: Store) -> None:
        self.id = id_
        self.lock = threading.Lock()
        self.ahead = 0
        self.weighed = 0  # events, when the cache last looked
        self._store = store
        self.forget()

    def forget(self) -> None:
        """Begin anew, with nothing folded."""
        self.session = Session()
        self.ahead = 0
        self.made: dict[str, Any] = {}  # what was worked out of the session as it stands

    @property
    def position(self) -> Position:
        """Where the session ends, as folded."""
        return Position(self.session.events, self.session.head)

    def refresh(self) -> None:
        """Come up to where the session ends in the store; UnknownSession."""
        end = self._store.position(self.id)
        if self.position == end:
            return
        if self.session.events and self._store.hash_at(self.id, self.position.version) != (
            self.position.head or START
        ):
            self.forget()  # a backup with another history was restored
        self._read_on(self._store.read(self.id, self.position.version).lines)

    def _read_on(self, lines: Sequence[bytes]) -> None:
        self.made = {}
        try:
            for line in lines:
                event = canonical.decode(line)
                self.session.add_line(RawEvent(line=event["seq"], **event))
        except BaseException:
            self.forget()
            raise

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Within it entries are added; if they are refused, it is as if they had never come."""
        made, self.made = self.made, {}
        try:
            yield
        except ScorekeeperError as error:
            self.take_back()
            self.made = made
            if isinstance(error, StaleVersion):
                self.refresh()  # it may be at the same version, with another history
            raise
        except BaseException:
            self.forget()
            raise

    def add(self, entry: Entry) -> None:
        """Add an entry that is not in the store yet."""
        self.session.add(entry)
        self.ahead += 1

    def take_back(self) -> None:
        """Undo the entries that are ahead."""
        if self.ahead:
            recorded = list(self.session.corrections.recorded.values())
            self.session = Session.of(recorded[: -self.ahead])
            self.ahead = 0
            self.made = {}


class Cache:
    """The sessions used lately, folded."""

    def __init__(self, store: Store, most_events: int = MOST_EVENTS) -> None:
        self._store = store
        self._most = most_events
        self._mutex = threading.Lock()
        self._kept: OrderedDict[str, Folded] = OrderedDict()
        self._events = 0  # of all that are kept, as they were weighed

    @contextmanager
    def held(self, session: str) -> Iterator[Folded]:
        """A session for the caller alone, as it was left; to be refreshed before it is read."""
        with self._mutex:
            folded = self._kept.get(session)
            if folded is None:
                folded = self._kept[session] = Folded(session, self._store)
            else:
                self._kept.move_to_end(session)
        with folded.lock:
            try:
                yield folded
            finally:
                if folded.ahead:
                    folded.forget()
                self._make_room(folded)

    def _make_room(self, used: Folded) -> None:
        with self._mutex:
            if self._kept.get(used.id) is used:
                self._events += used.session.events - used.weighed
                used.weighed = used.session.events
                if not used.weighed:
                    del self._kept[used.id]
            while self._events > self._most and len(self._kept) > FEWEST_SESSIONS:
                _, oldest = self._kept.popitem(last=False)
                self._events -= oldest.weighed

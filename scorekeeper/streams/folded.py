"""One cached stream of any kind, and the trial of new entries before they are stored."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from scorekeeper.base.errors import ScorekeeperError, StaleVersionError
from scorekeeper.base.pacing import BoundedLock, WaitLimits
from scorekeeper.log.face_down import KEEPER
from scorekeeper.store import Position, Store
from scorekeeper.store.contract import NO_RECORDERS, Recorders
from scorekeeper.streams.holder import Holder
from scorekeeper.streams.room import SeatShare, Usage


class FoldedStream(ABC):
    """A cached stream, replayed up to a version, for the thread that holds ``lock``.

    A kind of stream adds its state, and calls ``count`` for each line that it replays and
    ``count_ahead`` for each one that it tries.
    """

    def __init__(self, id_: str, store: Store, limits: WaitLimits | None = None) -> None:
        self.id = id_
        self.lock = BoundedLock(limits or WaitLimits())
        self.weighed = 0  # its weight, when the cache last looked
        self._store = store
        self.forget()

    def forget(self) -> None:
        """Drop the replayed entries, and all that was computed from them."""
        self.size = 0  # bytes that its lines count for; also of those that are ahead
        self.usage = Usage()  # likewise
        self._sizes_ahead: list[tuple[str, int]] = []  # authors and bytes

    @property
    def ahead(self) -> int:
        """The number of entries that are not in the store yet."""
        return len(self._sizes_ahead)

    @property
    @abstractmethod
    def position(self) -> Position:
        """The end of the replayed stream."""

    @property
    @abstractmethod
    def weight(self) -> int:
        """The share of the cache that it takes; 0 if nothing is worth being cached."""

    @abstractmethod
    def refresh(self) -> None:
        """Replay up to the end of the stream in the store.

        Raises `UnknownSessionError`; `BusyError` if it takes too long, and the next call continues.
        """

    @abstractmethod
    def begin_trial(self) -> None:
        """Store the state to which a trial can return."""

    @abstractmethod
    def end_trial(self, *, take_back: bool) -> None:
        """End a trial, if there is one: keep its entries, or with ``take_back`` remove them."""

    def count(self, author: str, size: int, events: int = 1) -> None:
        """Add bytes and events to the counts of the stream and of an author."""
        self.size += size
        self.usage.add(author, events, size)

    def count_ahead(self, author: str, size: int) -> None:
        """Count an entry that is not in the store yet."""
        self.count(author, size)
        self._sizes_ahead.append((author, size))

    def share_of(self, holder: Holder) -> SeatShare | None:
        """Return what a holder's seat, and all seats, added to the log; None for the keeper."""
        return None if holder.by == KEEPER else self.usage.share_of(holder.by)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Within the block, try entries: if it raises an error, they are taken back.

        After an error that is not a `ScorekeeperError`, the whole stream is dropped.
        """
        self.begin_trial()
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

    def settle(self, recorders: Recorders = NO_RECORDERS) -> None:
        """Mark the added entries as stored, which ends the trial.

        ``recorders`` are the key ids, by seq, of entries whose author does not name the recorder.
        """
        self.end_trial(take_back=False)
        self._sizes_ahead = []

    def take_back(self) -> None:
        """Remove the entries that are on trial, also from the counts."""
        self.end_trial(take_back=True)
        for author, size in self._sizes_ahead:
            self.count(author, -size, events=-1)
        self._sizes_ahead = []

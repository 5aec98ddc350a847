"""A cached stream without hands, such as a club: replayed as a whole after a correction."""

from typing import Any, ClassVar, Generic, TypeVar

from scorekeeper.base import pacing
from scorekeeper.base.pacing import WaitLimits
from scorekeeper.log.replayed import ReplayedLog
from scorekeeper.store import Position, Store, StoredLine
from scorekeeper.streams.folded import FoldedStream
from scorekeeper.streams.room import counted_size

LogT = TypeVar("LogT", bound=ReplayedLog[Any])


class FoldedLog(FoldedStream, Generic[LogT]):
    """A cached log of the kind ``KIND``, replayed up to a version, for the holder of its lock."""

    KIND: ClassVar[type[ReplayedLog[Any]]]
    log: LogT

    def __init__(self, id_: str, store: Store, limits: WaitLimits | None = None) -> None:
        super().__init__(id_, store, limits)

    def forget(self) -> None:
        """Drop the replayed events."""
        super().forget()
        self.log = self.KIND()  # type: ignore[assignment]  # a subclass declares both alike

    @property
    def position(self) -> Position:
        """The end of the replayed log."""
        return Position(self.log.events, self.log.head)

    def refresh(self) -> None:
        """Replay up to the end of the log in the store. Raises `UnknownSessionError`."""
        end = self._store.position(self.id)
        if self.position == end and self.is_ready:
            return
        known = self.log.events and self._store.hash_at(self.id, self.log.events)
        if known != self.log.head:
            self.forget()  # a backup with another history was restored
        before = self.log.events
        pacing.expect(end.version - before)
        try:
            lines = self._store.read(self.id, before).lines
            self.log.add_stored_lines(lines)
            for seq, line in enumerate(lines, before + 1):
                self.count(self.log.corrections.recorded[seq].by, counted_size(line))
        except BaseException:
            self.forget()
            raise
        self.note_replayed()

    @property
    def is_ready(self) -> bool:
        """Whether everything that follows from the replayed log is known."""
        return True

    def note_replayed(self) -> None:
        """Update what follows from the log, after it was replayed to its end."""

    def begin_trial(self) -> None:
        """Store the state to which a trial can return."""
        self.log.begin_trial()

    def end_trial(self, *, take_back: bool) -> None:
        """End a trial, if there is one: keep its events, or with ``take_back`` remove them."""
        self.log.end_trial(take_back=take_back)

    def add(self, line: StoredLine, by: str) -> None:
        """Add an event that is not in the store yet."""
        self.log.add_stored(line.line)
        self.count_ahead(by, counted_size(line.line))

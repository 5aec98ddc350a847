"""A log replayed into a state: entries are added one by one, each usable after those before it.

A kind of log that has no hands is a subclass of `ReplayedLog` with its types of events and its
state. A correction replays the whole log, so that later entries still fit those before them.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import fields, replace
from typing import Any, BinaryIO, ClassVar, Final, Generic, Protocol, Self, TypeVar

from scorekeeper.base import pacing
from scorekeeper.base.errors import Cause, ScorekeeperError, UnusableError
from scorekeeper.events.corrections import CorrectionBegun, EventInserted, EventReplaced
from scorekeeper.events.event import A_CORRECTION, Entry, Event
from scorekeeper.games.game import Classes
from scorekeeper.log import codec
from scorekeeper.log.corrected import Corrections, Undecoded
from scorekeeper.log.reading import MAX_FILE_BYTES, LogFile, RawEvent
from scorekeeper.log.sets import refuse_unfinished

# A correction replays the whole log. All corrections may replay MAX_STEPS events, and in addition
# STEPS_PER_ENTRY for each event. A club of twenty years, with hundreds of corrections, needs a
# million steps.
MAX_STEPS: Final = 4_000_000
STEPS_PER_ENTRY: Final = 20


class ReplayedState(Protocol):
    """The state of a log: a dataclass whose collections hold immutable values."""

    def apply(self, entry: Entry) -> None:
        """Apply the next event that stands.

        Raises `UnusableError`, with nothing changed, if the event does not fit.
        """

    def refuse_unopened(self, event: Event) -> None:
        """Raise `UnusableError` for any event before the first that there has to be."""

    def refuse_author(self, entry: Entry) -> None:
        """Raise `UnusableError` for an event that its author cannot have recorded."""


StateT = TypeVar("StateT", bound=ReplayedState)


class ReplayedLog(Generic[StateT]):
    """One stream as replayed so far.

    Entries are added in the order of recording. An entry that could not have been recorded there
    raises `UnusableError` and leaves the log unchanged.

    Subclasses declare ``TYPES``, the events by type, and ``MOMENTS``, the types of events that
    keep what the state was like just then: a stored log is replayed up to each of them.
    """

    TYPES: ClassVar[Mapping[str, Classes]]
    MOMENTS: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        self.corrections = Corrections()
        self.state: StateT = self.make_state()
        self.events = 0
        self.head = ""
        self._steps = 0
        self._before_trial: tuple[int, StateT, int] | None = None  # entries, state and steps

    @classmethod
    def make_state(cls, before: StateT | None = None) -> StateT:
        """Return the state of a log without events.

        Before a correction ``before`` is the present state: it has what no correction changes.
        """
        raise NotImplementedError

    @staticmethod
    def refuse_correction(before: StateT, after: StateT) -> None:
        """Raise `UnusableError` if a correction may not change the state so."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Self:
        """Return the log that consists of these entries.

        Raises `UnusableError` if one does not fit.
        """
        log = cls()
        for entry in entries:
            log.add(entry)
        return log

    @classmethod
    def read(cls, stream: BinaryIO, largest: int | None = MAX_FILE_BYTES) -> Self:
        """Return the log of a file, sealed or written by hand.

        Raises `UnusableError` with the line at fault.
        """
        log = cls()
        log.add_lines(LogFile(stream, largest))
        return log

    def add_lines(self, log: Iterable[RawEvent]) -> None:
        """Add all events of a log.

        Raises `UnusableError` with the line, also if the log ends inside a correction set.
        """
        line = 1
        try:
            for raw in log:
                line = raw.line
                self.add_line(raw)
            refuse_unfinished(self.corrections.open_set)
        except UnusableError as error:
            error.line = error.line or line
            raise

    def add_line(self, raw: RawEvent) -> Entry:
        """Decode an event of a log, add it, and return its entry.

        Raises `UnusableError` if it does not fit.
        """
        event = codec.decode(raw.type, raw.data, self.TYPES)
        entry = Entry(raw.seq, event, raw.at, raw.by, raw.hash, raw.line)
        self.add(entry)
        return entry

    def add_stored(self, line: bytes) -> Entry:
        """Decode an event from its line in a store, add it, and return its entry."""
        return self.add_line(RawEvent.stored(line))

    def add_stored_lines(self, lines: Iterable[bytes]) -> None:
        """Add events from a store, which were usable when they were recorded.

        The log is replayed once for all their corrections together.

        Raises `UnusableError` if an event cannot stand; the log must not be used after that.
        """
        corrected = False
        for line in lines:
            pacing.step()
            raw = RawEvent.stored(line)
            event = codec.decode(raw.type, raw.data, self.TYPES)
            entry = Entry(raw.seq, event, raw.at, raw.by, raw.hash, raw.line)
            key = self.corrections.add(entry)
            is_moment = event.TYPE in self.MOMENTS
            if isinstance(event, CorrectionBegun):
                self.corrections.begin(key, event.count)
            elif event.PLACE is A_CORRECTION:
                due = self.corrections.take_due(key)
                for due_key in due:
                    self.corrections.apply(due_key)
                if due:
                    self._count_steps()
                    corrected = True
                    is_moment = any(map(self._brings_moment, due))
            elif not corrected:
                self.state.apply(entry)
            if corrected and is_moment:
                self.state, corrected = self._replay(), False
            self.events += 1
            self.head = entry.hash
        if corrected:
            self.state = self._replay()

    def _brings_moment(self, key: int) -> bool:
        """Return whether a correction inserts an event of ``MOMENTS``, or puts one in a place."""
        event = self.corrections.recorded[key].event
        return isinstance(event, EventInserted | EventReplaced) and event.type in self.MOMENTS

    def begin_trial(self) -> None:
        """Begin a trial: ``end_trial`` can take back the entries added from now on."""
        self._before_trial = len(self.corrections.recorded), copy_state(self.state), self._steps

    def end_trial(self, *, take_back: bool = False) -> None:
        """End the trial, and keep its entries or with `take_back` remove them again."""
        before, self._before_trial = self._before_trial, None
        if not take_back or before is None:
            return
        count, self.state, self._steps = before
        recorded, stands = self.corrections.recorded, self.corrections.stands
        while len(recorded) > count:
            key = next(reversed(recorded))
            if key in stands:
                self.corrections.undo((key,))
            self.corrections.forget(key)
        self.corrections.open_set = None
        self.events, self.head = count, self.corrections.head

    def add(self, entry: Entry) -> None:
        """Add the next entry.

        Raises `UnusableError`, with nothing changed, if the entry cannot be used.
        """
        steps = self._steps
        key = self.corrections.add(entry)
        try:
            self._place(key, entry)
        except ScorekeeperError:
            self.corrections.forget(key)
            self._steps = steps
            raise
        self.events += 1
        self.head = entry.hash

    def _place(self, key: int, entry: Entry) -> None:
        """Apply a new entry to the state: an event directly, a correction by replaying the log.

        Raises `UnusableError`, with the state unchanged, if it does not fit.
        """
        corrections, event = self.corrections, entry.event
        if event.PLACE is not A_CORRECTION:
            self.state.apply(entry)
            return
        self.state.refuse_author(entry)
        if isinstance(event, CorrectionBegun):
            self.state.refuse_unopened(event)
            corrections.begin(key, event.count)
            return
        due = corrections.take_due(key)
        for due_key in due:
            corrections.apply(due_key)
        try:
            if due:
                self._count_steps()
                corrected = self._replay()
                self.refuse_correction(self.state, corrected)
                self.state = corrected
        except ScorekeeperError:
            corrections.undo(due)
            raise

    def _count_steps(self) -> None:
        """Count the cost of a correction, which replays everything.

        Raises `UnusableError` beyond the limit.
        """
        self._steps += len(self.corrections.recorded)
        if self._steps > MAX_STEPS + STEPS_PER_ENTRY * self.events:
            words = "too much work: too many corrections for so few events"
            raise UnusableError(Cause(words, "too_much_work"), field="type")

    def _replay(self) -> StateT:
        """Return the state after all entries that stand, replayed from the beginning."""
        state = self.make_state(self.state)
        for entry in self.list_standing():
            pacing.step()
            try:
                state.apply(entry)
            except UnusableError as error:
                words = f"with this correction event {entry.seq} is no longer valid: {error.reason}"
                raise UnusableError(Cause(words, "another_cannot_stand", seq=entry.seq)) from None
        return state

    def list_standing(self) -> Iterator[Entry]:
        """Yield the entries that stand in their places, with replacements and insertions."""
        for key, entry in self.corrections.recorded.items():
            if not isinstance(entry.event, EventInserted):
                yield from self._standing_at(key)

    def _standing_at(self, key: int) -> Iterator[Entry]:
        """Yield the entry that stands at a place, and those that corrections insert after it."""
        places = [key]
        while places:
            place = places.pop()
            entry = self.corrections.reading(place)
            if entry is not None and not isinstance(entry.event, CorrectionBegun):
                yield self.decode_entry(entry)
            places += reversed(self.corrections.after.get(place, ()))

    @classmethod
    def decode_entry(cls, entry: Entry) -> Entry:
        """Return an entry with its event decoded as one of this kind of log."""
        event = entry.event
        if isinstance(event, Undecoded):
            return replace(entry, event=codec.decode(event.type, event.data, cls.TYPES))
        return entry


def copy_state(state: StateT) -> StateT:
    """Return a copy of a state. Its collections are copied; the values in them are frozen."""
    members: Any = state
    return type(state)(**{key.name: copy(getattr(state, key.name)) for key in fields(members)})

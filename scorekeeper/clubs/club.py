"""A club's log replayed: entries go in one by one, each usable after those before it.

A club keeps no second books: what an evening comes to is in the evening's own log.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import fields, replace
from typing import BinaryIO, Final

from scorekeeper.base import pacing
from scorekeeper.base.errors import Cause, ScorekeeperError, UnusableError
from scorekeeper.clubs.events import CLUB_EVENTS
from scorekeeper.clubs.roll import Roll
from scorekeeper.events.corrections import CorrectionBegun, EventInserted
from scorekeeper.events.event import A_CORRECTION, Entry
from scorekeeper.games.game import by_type
from scorekeeper.log import codec
from scorekeeper.log.corrected import Corrections, Undecoded
from scorekeeper.log.reading import LARGEST_FILE, LogFile, RawEvent
from scorekeeper.log.sets import refuse_unfinished

TYPES: Final = by_type(CLUB_EVENTS)

# A correction reads the whole log anew: this many events may be read in all, and as many more for
# each event. A club of twenty years with hundreds of corrections needs a million.
MOST_STEPS: Final = 4_000_000
STEPS_FOR_AN_ENTRY: Final = 20


class Club:
    """One club's stream as replayed so far.

    Entries are added in the order of their recording; each is refused (UnusableError, and the club
    stays as it was) if the log with it could never have been recorded. A correction reads the
    whole log anew, so that what comes later still fits what came before.
    """

    def __init__(self) -> None:
        self.corrections = Corrections()
        self.roll = Roll()
        self.events = 0
        self.head = ""
        self._steps = 0
        self._before_trial: tuple[int, Roll, int] | None = None  # entries, roll and steps

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Club":
        """The club of these entries."""
        club = cls()
        for entry in entries:
            club.add(entry)
        return club

    @classmethod
    def read(cls, stream: BinaryIO, largest: int | None = LARGEST_FILE) -> "Club":
        """The club of a log file, sealed or by hand.

        Raises `UnusableError` with the line at fault.
        """
        club = cls()
        club.add_lines(LogFile(stream, largest))
        return club

    def add_lines(self, log: Iterable[RawEvent]) -> None:
        """Add all the events of a log.

        Raises `UnusableError` with the line, also where it ends inside a set.
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
        """Add an event as it stands in a log; the entry that it became."""
        event = codec.decode(raw.type, raw.data, TYPES)
        entry = Entry(raw.seq, event, raw.at, raw.by, raw.hash, raw.line)
        self.add(entry)
        return entry

    def add_stored(self, line: bytes) -> Entry:
        """Add an event by its line as a store keeps it."""
        return self.add_line(RawEvent.stored(line))

    def add_kept(self, lines: Iterable[bytes]) -> None:
        """Add events that a store keeps, which were usable when they were recorded.

        Corrections read the log anew once, and not each for itself.

        Raises `UnusableError` with the club not to be used any more, where that finds an event that
        cannot stand.
        """
        corrected = False
        for line in lines:
            pacing.step()
            raw = RawEvent.stored(line)
            event = codec.decode(raw.type, raw.data, TYPES)
            entry = Entry(raw.seq, event, raw.at, raw.by, raw.hash, raw.line)
            key = self.corrections.add(entry)
            if isinstance(event, CorrectionBegun):
                self.corrections.begin(key, event.count)
            elif event.PLACE is A_CORRECTION:
                due = self.corrections.due_with(key)
                for one in due:
                    self.corrections.apply(one)
                if due:
                    self._count_steps()
                    corrected = True
            elif not corrected:
                self.roll.place(entry)
            self.events += 1
            self.head = entry.hash
        if corrected:
            self.roll = self._anew()

    def begin_trial(self) -> None:
        """Let the entries that are added from now on be taken back, until ``end_trial``."""
        self._before_trial = len(self.corrections.recorded), copied(self.roll), self._steps

    def end_trial(self, *, take_back: bool = False) -> None:
        """Keep the entries of the trial, or take them back as if they had never come."""
        before, self._before_trial = self._before_trial, None
        if not take_back or before is None:
            return
        count, self.roll, self._steps = before
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

        Raises `UnusableError` with nothing changed, where it cannot be used.
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
        corrections, event = self.corrections, entry.event
        if event.PLACE is not A_CORRECTION:
            self.roll.place(entry)
            return
        self.roll.refuse_author(entry)
        if isinstance(event, CorrectionBegun):
            self.roll.refuse_unopened(event)
            corrections.begin(key, event.count)
            return
        due = corrections.due_with(key)
        for one in due:
            corrections.apply(one)
        try:
            if due:
                self._count_steps()
                self.roll = self._anew()
        except ScorekeeperError:
            corrections.undo(due)
            raise

    def _count_steps(self) -> None:
        """Count what corrections cost, which read all anew; UnusableError beyond the limit."""
        self._steps += len(self.corrections.recorded)
        if self._steps > MOST_STEPS + STEPS_FOR_AN_ENTRY * self.events:
            words = "too much work: too many corrections for so few events"
            raise UnusableError(Cause(words, "too_much_work"), field="type")

    def _anew(self) -> Roll:
        """Return all that stands, read from the beginning."""
        roll = Roll()
        for entry in self.standing():
            pacing.step()
            try:
                roll.place(entry)
            except UnusableError as error:
                words = f"with this correction event {entry.seq} cannot stand: {error.reason}"
                raise UnusableError(Cause(words, "another_cannot_stand", seq=entry.seq)) from None
        return roll

    def standing(self) -> Iterator[Entry]:
        """What stands, in its place, with what was replaced and inserted read as an event."""
        for key, entry in self.corrections.recorded.items():
            if not isinstance(entry.event, EventInserted):
                yield from self._at(key)

    def _at(self, key: int) -> Iterator[Entry]:
        todo = [key]
        while todo:
            place = todo.pop()
            entry = self.corrections.reading(place)
            if entry is not None and not isinstance(entry.event, CorrectionBegun):
                yield decoded(entry)
            todo += reversed(self.corrections.after.get(place, ()))


def copied(roll: Roll) -> Roll:
    """Return a copy that can be changed without a change of the roll; what it holds is frozen."""
    return Roll(**{one.name: copy(getattr(roll, one.name)) for one in fields(roll)})


def decoded(entry: Entry) -> Entry:
    """An entry with its event as a club declares it."""
    event = entry.event
    if isinstance(event, Undecoded):
        return replace(entry, event=codec.decode(event.type, event.data, TYPES))
    return entry

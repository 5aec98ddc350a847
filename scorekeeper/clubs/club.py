"""A club's log replayed: entries go in one by one, each usable after those before it.

A club keeps no second books: what an evening comes to is in the evening's own log.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO, Final

from scorekeeper.base.errors import Cause, Unusable
from scorekeeper.clubs.events import CLUB_EVENTS
from scorekeeper.clubs.roll import Roll
from scorekeeper.events.corrections import EventInserted
from scorekeeper.events.event import A_CORRECTION, Entry
from scorekeeper.games.game import by_type
from scorekeeper.log import codec
from scorekeeper.log.corrected import Corrections, Undecoded
from scorekeeper.log.reading import LARGEST_FILE, LogFile, RawEvent

TYPES: Final = by_type(CLUB_EVENTS)

# A correction reads the whole log anew: this many events may be read in all, and as many more for
# each event. A club of twenty years with hundreds of corrections needs a million.
MOST_STEPS: Final = 4_000_000
STEPS_FOR_AN_ENTRY: Final = 20


class Club:
    """One club's stream as replayed so far.

    Entries are added in the order of their recording; each is refused (Unusable, and the club
    stays as it was) if the log with it could never have been recorded. A correction reads the
    whole log anew, so that what comes later still fits what came before.
    """

    def __init__(self) -> None:
        self.corrections = Corrections()
        self.roll = Roll()
        self.events = 0
        self.head = ""
        self._steps = 0

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Club":
        """The club of these entries."""
        club = cls()
        for entry in entries:
            club.add(entry)
        return club

    @classmethod
    def read(cls, stream: BinaryIO, largest: int | None = LARGEST_FILE) -> "Club":
        """The club of a log file, sealed or by hand; Unusable with the line at fault."""
        club = cls()
        for raw in LogFile(stream, largest):
            try:
                club.add_line(raw)
            except Unusable as error:
                error.line = raw.line
                raise
        return club

    def add_line(self, raw: RawEvent) -> Entry:
        """Add an event as it stands in a log; the entry that it became."""
        event = codec.decode(raw.type, raw.data, TYPES)
        entry = Entry(raw.seq, event, raw.at, raw.by, raw.hash, raw.line)
        self.add(entry)
        return entry

    def add_stored(self, line: bytes) -> Entry:
        """Add an event by its line as a store keeps it."""
        return self.add_line(RawEvent.stored(line))

    def add(self, entry: Entry) -> None:
        """Add the next entry; Unusable, with nothing changed, where it cannot be used."""
        key = self.corrections.add(entry)
        correction = entry.event.PLACE is A_CORRECTION
        try:
            if correction:
                self.roll.refuse_author(entry)
                self.corrections.apply(key)
                self.roll = self._anew()
            else:
                self.roll.place(entry)
        except Unusable:
            if correction and key in self.corrections.stands:
                self.corrections.undo(key)
            self.corrections.recorded.pop(key, None)
            raise
        self.events += 1
        self.head = entry.hash

    def _anew(self) -> Roll:
        """All that stands, read from the beginning."""
        self._steps += len(self.corrections.recorded)
        if self._steps > MOST_STEPS + STEPS_FOR_AN_ENTRY * self.events:
            words = "too much work: too many corrections for so few events"
            raise Unusable(Cause(words, "too_much_work"), field="type")
        roll = Roll()
        for entry in self.standing():
            try:
                roll.place(entry)
            except Unusable as error:
                words = f"with this correction event {entry.seq} cannot stand: {error.reason}"
                raise Unusable(Cause(words, "another_cannot_stand", seq=entry.seq)) from None
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
            if entry is not None:
                yield decoded(entry)
            todo += reversed(self.corrections.after.get(place, ()))


def decoded(entry: Entry) -> Entry:
    """An entry with its event as a club declares it."""
    event = entry.event
    if isinstance(event, Undecoded):
        return replace(entry, event=codec.decode(event.type, event.data, TYPES))
    return entry

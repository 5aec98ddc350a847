"""Which corrections stand, and what an event reads as corrected.

The log is only ever added to. A correction names an earlier event: it strikes it, replaces it,
or inserts one right after it. A correction struck by a later standing one counts as never
recorded; of several standing corrections of one event the latest decides.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from scorekeeper.base.errors import Cause, Unusable, expected
from scorekeeper.events.common import SessionOpened
from scorekeeper.events.corrections import CORRECTIONS, EventInserted, EventReplaced, EventStruck
from scorekeeper.events.event import A_CORRECTION, Entry, Event, Place

Corrects = EventStruck | EventReplaced | EventInserted


@dataclass(frozen=True, slots=True)
class Undecoded(Event):
    """An event within a correction, to be read where it comes to stand.

    ``said`` is the key of the correction.
    """

    TYPE: ClassVar = ""
    PLACE: ClassVar = Place.SESSION
    type: str
    data: Mapping[str, Any]
    said: int


class Corrections:
    """The recorded entries of a stream by key, and the corrections among them.

    A key is the seq of an entry. (Only in a damaged log can a seq stand twice; the second then
    has a key of its own, which no correction can name.)
    """

    def __init__(self) -> None:
        self.recorded: dict[int, Entry] = {}
        self.naming: dict[int, list[int]] = {}  # corrections of an event, in order of recording
        self.stands: dict[int, bool] = {}  # by the key of a correction
        self.inserted: set[int] = set()  # the seqs of what was inserted
        self.after: dict[int, list[int]] = {}  # insertions after an event, in order of recording
        self.steps = 0  # work done, for the limit that a reader sets

    @property
    def head(self) -> str:
        """The hash of the last entry; empty before the first one."""
        return next((entry.hash for entry in reversed(self.recorded.values())), "")

    def add(self, entry: Entry) -> int:
        """Keep an entry under its key, which is returned; Unusable where it names wrongly."""
        key = entry.seq if entry.seq not in self.recorded else -len(self.recorded)
        if entry.event.PLACE is A_CORRECTION:
            self._refuse(cast("Corrects", entry.event))
        self.recorded[key] = entry
        return key

    def _refuse(self, event: Corrects) -> None:
        name = "after" if isinstance(event, EventInserted) else "seq"
        named = self.recorded.get(target(event))
        if named is None:
            cause = expected("the seq of an earlier event", target(event), "no_earlier_event")
            raise Unusable(cause, field=f"data.{name}")
        opening = named.event.PLACE is Place.OPENING
        if isinstance(event, EventStruck) and opening:
            raise _kept(named.event, "struck")
        if isinstance(event, EventReplaced) and (
            opening or isinstance(named.event, EventStruck | EventReplaced | EventInserted)
        ):
            raise _kept(named.event, "replaced")
        if isinstance(event, EventReplaced | EventInserted):
            if event.type in {one.TYPE for one in CORRECTIONS}:
                words = "a correction cannot be put into a correction"
                raise Unusable(Cause(words, "correction_in_correction"), field="data.type")
            if event.type == SessionOpened.TYPE:
                words = "session_opened stands only at the beginning"
                raise Unusable(Cause(words, "opened_twice"), field="data.type")

    def place_of(self, key: int) -> int:
        """The key of the place that a recorded correction makes read differently."""
        while True:
            event = self.recorded[key].event
            if not isinstance(event, EventStruck | EventReplaced):
                return key
            self.steps += 1
            key = event.seq

    def apply(self, key: int) -> None:
        """Let a recorded correction take effect."""
        event = self._correction(key)
        self.stands[key] = True
        if isinstance(event, EventInserted):
            self.inserted.add(self.recorded[key].seq)
            self.after.setdefault(event.after, []).append(key)
        else:
            self.naming.setdefault(event.seq, []).append(key)
            self._settle(event.seq)

    def undo(self, key: int) -> None:
        """Take back the newest entry, a correction, as if it had never come."""
        event = self._correction(key)
        if isinstance(event, EventInserted):
            self.inserted.discard(self.recorded[key].seq)
            self.after[event.after].pop()
        else:
            self.naming[event.seq].pop()
            self._settle(event.seq)
        del self.stands[key], self.recorded[key]

    def _settle(self, named: int) -> None:
        """Work out anew which corrections stand, from ``named`` up."""
        while isinstance(event := self.recorded[named].event, Corrects):
            self.steps += 1 + len(self.naming.get(named, ()))
            self.stands[named] = not any(self.stands[by] for by in self.naming.get(named, ()))
            if isinstance(event, EventInserted):
                return
            named = event.seq

    def _correction(self, key: int) -> Corrects:
        return cast("Corrects", self.recorded[key].event)

    def reading(self, key: int) -> Entry | None:
        """What stands at the place of ``key`` as corrected, None where nothing does."""
        entry = self.recorded[key]
        if isinstance(entry.event, EventStruck | EventReplaced):
            return None
        if isinstance(entry.event, EventInserted):
            if not self.stands[key]:
                return None
            return replace(entry, event=Undecoded(entry.event.type, entry.event.data, key))
        for by in reversed(self.naming.get(key, ())):
            if self.stands[by]:
                decides = self.recorded[by].event
                if isinstance(decides, EventReplaced):
                    return replace(entry, event=Undecoded(decides.type, decides.data, by))
                return None
        return entry

    def taken_back(self) -> set[int]:
        """What was struck at once, before anything followed it, and the strikes that did so."""
        found: set[int] = set()
        left: list[int] = []
        for key, entry in self.recorded.items():
            event = entry.event
            if isinstance(event, EventStruck) and left and left[-1] == event.seq:
                if self.stands[key]:
                    found |= {left[-1], key}
                left.pop()
            else:
                left.append(key)
        return found

    def types_at(self, place: int, but: int | None = None) -> set[str]:
        """The types of all events that were recorded for a place, but for one correction's."""
        keys = (key for key in (place, *self.naming.get(place, ())) if key != but)
        events = (self.recorded[key].event for key in keys)
        return {e.type if isinstance(e, EventReplaced | EventInserted) else e.TYPE for e in events}

    def last_after(self, anchor: int) -> int:
        """The last of what was inserted after an event, or after that, and so on; else itself."""
        while self.after.get(anchor):
            self.steps += 1
            anchor = self.after[anchor][-1]
        return anchor


def target(event: Corrects) -> int:
    """The seq that a correction names."""
    return event.after if isinstance(event, EventInserted) else event.seq


def event_at(corrections: Corrections, place: int, until: int) -> Event | None:
    """What stood at a place before the event ``until``: as recorded, or the correction of it."""
    gone: set[int] = set()
    for by in sorted(corrections.stands, reverse=True):
        event = corrections.recorded[by].event
        if by >= until or by in gone or isinstance(event, EventInserted):
            continue
        if target(cast("Corrects", event)) == place:
            return event if isinstance(event, EventReplaced) else None
        gone.add(target(cast("Corrects", event)))
    return corrections.recorded[place].event


def _kept(event: Event, how: str) -> Unusable:
    """Why an event of this type is neither struck nor replaced."""
    words = f"{event.TYPE} cannot be {how}"
    return Unusable(Cause(words, "cannot_be_corrected", type=event.TYPE), field="data.seq")

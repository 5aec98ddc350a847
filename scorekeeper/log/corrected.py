"""Corrections of a log: which of them stand, and each event as corrected.

The log is only ever added to. A correction names an earlier event: it strikes it, replaces it, or
inserts one right after it. A correction struck by a later standing one counts as never recorded; of
several standing corrections of one event the latest decides. Corrections of a set take effect
together; striking the event that begins it strikes them all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import chain
from typing import ClassVar, cast

from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import SessionOpened
from scorekeeper.events.corrections import (
    CORRECTING,
    CorrectionBegun,
    EventInserted,
    EventReplaced,
    EventStruck,
)
from scorekeeper.events.disputes import Correction
from scorekeeper.events.event import A_CORRECTION, Entry, Event, Place
from scorekeeper.log.sets import CorrectionSet, Corrects, refuse_without_reason


@dataclass(frozen=True, slots=True)
class Undecoded(Event):
    """An event within a correction, which is decoded at the place where it takes effect.

    ``source`` is the key of the correction.
    """

    TYPE: ClassVar = ""
    PLACE: ClassVar = Place.SESSION
    type: str
    data: JsonObject
    source: int


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
        self.sets: dict[int, CorrectionSet] = {}  # complete ones, by the key that begins them
        self.set_of: dict[int, int] = {}  # from each of their members to that key
        self.ruled: dict[int, CorrectionSet] = {}  # complete ones that carried out a proposal
        self.ruled_by: dict[int, int] = {}  # from each of their members to the ruling
        self.open_set: CorrectionSet | None = None  # of which more corrections are to come
        self.steps = 0  # work done, for the limit that a reader sets

    @property
    def head(self) -> str:
        """The hash of the last entry; empty before the first one."""
        return next((entry.hash for entry in reversed(self.recorded.values())), "")

    def add(self, entry: Entry) -> int:
        """Record an entry, and return its key.

        Raises `UnusableError` if it cannot come next in an open set, or names no event that it may
        name.
        """
        event = entry.event
        corrects = event.PLACE is A_CORRECTION
        if self.open_set is not None and (corrects or not self.open_set.awaited):
            self.open_set.refuse(event)
        else:
            refuse_without_reason(event)
        return self.admit(entry)

    def admit(self, entry: Entry) -> int:
        """Record an entry, whatever set is open; return its key. Raises as `add` for its target."""
        key = entry.seq if entry.seq not in self.recorded else -len(self.recorded)
        event = entry.event
        if event.PLACE is A_CORRECTION and not isinstance(event, CorrectionBegun):
            self._refuse_unknown_target(cast("Corrects", event))
        self.recorded[key] = entry
        return key

    def _refuse_unknown_target(self, event: Corrects) -> None:
        """Raise `UnusableError` if a correction names no event, or one that it may not change."""
        name = "after" if isinstance(event, EventInserted) else "seq"
        named = self.recorded.get(get_target(event))
        if named is None:
            cause = expected("the seq of an earlier event", get_target(event), "no_earlier_event")
            raise UnusableError(cause, field=f"data.{name}")
        opening = named.event.PLACE is Place.OPENING
        if isinstance(event, EventStruck):
            if opening:
                raise _make_correction_error(named.event, "struck")
            self._refuse_member_strike(event.seq)
        if isinstance(event, EventReplaced) and (opening or isinstance(named.event, CORRECTING)):
            raise _make_correction_error(named.event, "replaced")
        if isinstance(event, EventReplaced | EventInserted):
            if event.type in {event_type.TYPE for event_type in CORRECTING}:
                words = "a correction cannot contain another correction"
                raise UnusableError(Cause(words, "correction_in_correction"), field="data.type")
            if event.type == SessionOpened.TYPE:
                words = "session_opened may be only the first event"
                raise UnusableError(Cause(words, "opened_twice"), field="data.type")

    def _refuse_member_strike(self, seq: int) -> None:
        """Refuse the strike of a set member, except by a later member, and of an open set."""
        begun = self.open_set.begun if self.open_set is not None else None
        if seq == begun:
            words = f"the set that event {seq} begins is not complete"
            raise UnusableError(Cause(words, "set_incomplete", begun=seq), field="data.seq")
        whole = self.set_of.get(seq, begun)
        if whole != begun:
            words = (
                f"event {seq} belongs to the set of corrections that event {whole} begins: strike "
                f"event {whole}, which strikes the whole set"
            )
            raise UnusableError(
                Cause(words, "member_of_set", seq=seq, begun=whole), field="data.seq"
            )

    # ------------------------------------------------------------------------------------ sets

    def begin(self, key: int, count: int) -> None:
        """Begin a set of the next ``count`` corrections with this entry."""
        self.open_set = CorrectionSet(key, count)

    def note_other_event(self, key: int, agreed: Sequence[Correction] = ()) -> None:
        """Note an event that is no correction: it ends the open set, or begins that of a ruling."""
        self.open_set = CorrectionSet(key, len(agreed), agreed) if agreed else None

    def take_due(self, key: int) -> Sequence[int]:
        """Add a new correction to the open set, and return the corrections that take effect now.

        Without an open set this is the new one alone. With one it is the whole set once that is
        complete, and nothing before.
        """
        open_set = self.open_set
        if open_set is None:
            return (key,)
        sets, set_of = self._set_tables(open_set)
        open_set.members.append(key)
        set_of[key] = open_set.begun
        if open_set.left:
            return ()
        sets[open_set.begun], self.open_set = open_set, None
        return tuple(open_set.members)

    def _set_tables(
        self, open_set: CorrectionSet
    ) -> tuple[dict[int, CorrectionSet], dict[int, int]]:
        """Return the tables for a set and for its members.

        Corrections that carry out a ruling count as single ones once in effect: in some old logs
        they were struck one by one, and the ruling was not.
        """
        return (self.sets, self.set_of) if open_set.agreed is None else (self.ruled, self.ruled_by)

    def forget(self, key: int) -> None:
        """Remove the newest entry, whose effect was undone, also from its set."""
        del self.recorded[key]
        for sets, set_of in ((self.sets, self.set_of), (self.ruled, self.ruled_by)):
            begun = set_of.pop(key, None)
            if begun is not None:
                self.open_set = open_set = sets.pop(begun, None) or cast(
                    "CorrectionSet", self.open_set
                )
                open_set.members.pop()
                return
        if self.open_set is not None and self.open_set.begun == key:
            self.open_set = None

    def places_of(self, key: int) -> list[int]:
        """Return the keys of all places that a recorded correction changes; a set has several."""
        places, seen, left = [], {key}, [key]
        while left:
            self.steps += 1
            key = left.pop()
            event = self.recorded[key].event
            named: Sequence[int] = ()
            if isinstance(event, EventStruck | EventReplaced):
                named = (event.seq,)
            elif key in self.sets:
                named = self.sets[key].members
            else:
                places.append(key)
            left += [named_key for named_key in named if named_key not in seen]
            seen.update(named)
        return places

    def places(self) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield each correction in effect with the keys of the places that it changes."""
        known: dict[int, Sequence[int]] = {}
        for key in self.stands:
            event = self._get_correction(key)
            if isinstance(event, EventInserted):
                known[key] = (key,)
            elif event.seq in self.sets:
                several = (known[member] for member in self.sets[event.seq].members)
                known[key] = list(dict.fromkeys(chain.from_iterable(several)))
            else:
                known[key] = known.get(event.seq, (event.seq,))
            yield key, known[key]

    # -------------------------------------------------------------------------------- effects

    def place_of(self, key: int) -> int:
        """Return the key of the place that a recorded correction changes."""
        while True:
            event = self.recorded[key].event
            if not isinstance(event, EventStruck | EventReplaced):
                return key
            self.steps += 1
            key = event.seq

    def apply(self, key: int) -> None:
        """Put a recorded correction into effect."""
        event = self._get_correction(key)
        self.stands[key] = True
        if isinstance(event, EventInserted):
            self.inserted.add(self.recorded[key].seq)
            self.after.setdefault(event.after, []).append(key)
        else:
            self.naming.setdefault(event.seq, []).append(key)
            self._update_standing(event.seq)

    def undo(self, keys: Sequence[int]) -> None:
        """Undo the effect of the newest corrections, which stay on record."""
        for key in (key for key in reversed(keys) if key in self.stands):
            event = self._get_correction(key)
            if isinstance(event, EventInserted):
                self.inserted.discard(self.recorded[key].seq)
                self.after[event.after].pop()
            else:
                self.naming[event.seq].pop()
            del self.stands[key]
            if not isinstance(event, EventInserted):
                self._update_standing(event.seq)

    def _update_standing(self, named: int) -> None:
        """Compute again which corrections stand, from the entry ``named`` on.

        A correction is computed after all corrections that name it.
        """
        left, seen = [(-self._last_of(named), named)], {named}
        while left:
            _, key = heappop(left)
            event = self.recorded[key].event
            more: Sequence[int] = ()
            if isinstance(event, Corrects):
                if key not in self.stands:
                    continue  # of a set that is being undone
                self.steps += 1 + len(self.naming.get(key, ()))
                self.stands[key] = self._stands(key)
                more = () if isinstance(event, EventInserted) else (event.seq,)
            elif key in self.sets:
                more = self.sets[key].members
            for next_key in more:
                if next_key not in seen:
                    seen.add(next_key)
                    heappush(left, (-self._last_of(next_key), next_key))

    def _last_of(self, key: int) -> float:
        """Return the place of a correction in recorded order; a set comes after its last member."""
        last = self.sets[key].members[-1] if key in self.sets else key
        return abs(last) + (0.5 if key in self.sets else 0)

    def _stands(self, key: int) -> bool:
        """Return whether neither a correction nor the set that it belongs to is struck."""
        if any(self.stands[by] for by in self.naming.get(key, ())):
            return False
        begun = self.set_of.get(key)
        return begun is None or not any(self.stands[by] for by in self.naming.get(begun, ()))

    def _get_correction(self, key: int) -> Corrects:
        """Return the event of a correction, given by its key."""
        return cast("Corrects", self.recorded[key].event)

    def reason_of(self, key: int) -> str:
        """Return the reason of a correction, or that of its set if it has none."""
        own = self._get_correction(key).reason
        begun = self.set_of.get(key, self.ruled_by.get(key))
        if own is not None or begun is None:
            return own or ""
        event = self.recorded[begun].event
        return str(getattr(event, "reason", None) or getattr(event, "text", ""))

    def begun_set_of(self, key: int) -> Entry | None:
        """Return the ``correction_begun`` of a correction; None if it is not in such a set."""
        begun = self.set_of.get(key)
        return None if begun is None else self.recorded[begun]

    def reading(self, key: int) -> Entry | None:
        """Return the entry at a place as corrected; None if it is struck, or only corrects another.

        A replaced or inserted event is an `Undecoded` one.
        """
        entry = self.recorded[key]
        if isinstance(entry.event, EventStruck | EventReplaced):
            return None
        if isinstance(entry.event, EventInserted):
            if not self.stands.get(key):  # also while its set is open
                return None
            return replace(entry, event=Undecoded(entry.event.type, entry.event.data, key))
        for by in reversed(self.naming.get(key, ())):
            if self.stands[by]:
                decides = self.recorded[by].event
                if isinstance(decides, EventReplaced):
                    return replace(entry, event=Undecoded(decides.type, decides.data, by))
                return None
        return entry

    def find_taken_back(self) -> set[int]:
        """Return the keys of entries struck before anything followed them, and of the strikes.

        Entries struck by a set are included, and so is a set that was struck at once.
        """
        taken_back: set[int] = set()
        left: list[int] = []
        for key, entry in self.recorded.items():
            correction_set = self.sets.get(self.set_of.get(key, key)) if self.sets else None
            if correction_set is not None:
                if key == correction_set.begun and not self._strikes_last(
                    correction_set.members, left, taken_back
                ):
                    left.append(key)
            elif not isinstance(entry.event, EventStruck) or not self._strikes_last(
                (key,), left, taken_back
            ):
                left.append(key)
        return taken_back

    def _strikes_last(self, keys: Sequence[int], left: list[int], taken_back: set[int]) -> bool:
        """Return whether corrections strike just the last entries of ``left``, and remove them.

        ``left`` are keys of entries not taken back yet. If the corrections stand, they and the
        struck entries are added to ``taken_back``.
        """
        events = [self.recorded[key].event for key in keys]
        seqs = [event.seq for event in events if isinstance(event, EventStruck)]
        if len(seqs) < len(keys) or sorted(seqs) != sorted(left[-len(keys) :]):
            return False
        del left[-len(keys) :]
        if self.stands.get(keys[0]):
            struck = (
                member for seq in seqs if seq in self.sets for member in self.sets[seq].members
            )
            taken_back.update(keys, seqs, struck)
            taken_back.update(self.set_of[key] for key in keys[:1] if key in self.set_of)
        return True

    def types_at(self, place: int) -> set[str]:
        """Return the types of the event recorded at a place and of its replacements."""
        events = (self.recorded[key].event for key in (place, *self.naming.get(place, ())))
        return {e.type if isinstance(e, EventReplaced | EventInserted) else e.TYPE for e in events}

    def last_after(self, anchor: int) -> int:
        """Return the key of the last event inserted after ``anchor``; ``anchor`` if none was."""
        while self.after.get(anchor):
            self.steps += 1
            anchor = self.after[anchor][-1]
        return anchor


def get_target(event: Corrects) -> int:
    """Return the seq of the event that a correction strikes, replaces or follows."""
    return event.after if isinstance(event, EventInserted) else event.seq


def find_event_at(corrections: Corrections, place: int, until: int) -> Event | None:
    """Return the event in effect at a place just before the entry ``until`` was recorded.

    It is the recorded event or its replacement; None if it was struck.
    """
    ignored: set[int] = set()
    for by in sorted(corrections.stands, reverse=True):
        event = corrections.recorded[by].event
        if by >= until or by in ignored or isinstance(event, EventInserted):
            continue
        if get_target(cast("Corrects", event)) == place:
            return event if isinstance(event, EventReplaced) else None
        struck = get_target(cast("Corrects", event))
        ignored |= {
            struck,
            *(corrections.sets[struck].members if struck in corrections.sets else ()),
        }
    return corrections.recorded[place].event


def _make_correction_error(event: Event, how: str) -> UnusableError:
    """Return the error for an event of a type that cannot be struck or replaced."""
    words = f"{event.TYPE} cannot be {how}"
    return UnusableError(Cause(words, "cannot_be_corrected", type=event.TYPE), field="data.seq")

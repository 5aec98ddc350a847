"""Which corrections stand, and what an event reads as corrected.

The log is only ever added to. A correction names an earlier event: it strikes it, replaces it,
or inserts one right after it. A correction struck by a later standing one counts as never
recorded; of several standing corrections of one event the latest decides. Corrections of a set
take effect together; striking the event that begins it strikes them all.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import chain
from typing import Any, ClassVar, cast

from scorekeeper.base.errors import Cause, UnusableError, expected
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
    """An event within a correction, to be read where it comes to stand.

    ``source`` is the key of the correction.
    """

    TYPE: ClassVar = ""
    PLACE: ClassVar = Place.SESSION
    type: str
    data: Mapping[str, Any]
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
        self.ruled: dict[int, CorrectionSet] = {}  # complete ones that carried out a proposal,
        self.ruled_by: dict[int, int] = {}  #   and from each member to the ruling
        self.open_set: CorrectionSet | None = None  # of which more corrections are to come
        self.steps = 0  # work done, for the limit that a reader sets

    @property
    def head(self) -> str:
        """The hash of the last entry; empty before the first one."""
        return next((entry.hash for entry in reversed(self.recorded.values())), "")

    def add(self, entry: Entry) -> int:
        """Keep an entry under its key, which is returned.

        Raises `UnusableError` if it names wrongly.
        """
        event = entry.event
        corrects = event.PLACE is A_CORRECTION
        if self.open_set is not None and (corrects or not self.open_set.awaited):
            self.open_set.refuse(event)
        else:
            refuse_without_reason(event)
        return self.admit(entry)

    def admit(self, entry: Entry) -> int:
        """Keep an entry, whatever set is open; its key. Unusable where it names wrongly."""
        key = entry.seq if entry.seq not in self.recorded else -len(self.recorded)
        event = entry.event
        if event.PLACE is A_CORRECTION and not isinstance(event, CorrectionBegun):
            self._refuse(cast("Corrects", event))
        self.recorded[key] = entry
        return key

    def _refuse(self, event: Corrects) -> None:
        name = "after" if isinstance(event, EventInserted) else "seq"
        named = self.recorded.get(target(event))
        if named is None:
            cause = expected("the seq of an earlier event", target(event), "no_earlier_event")
            raise UnusableError(cause, field=f"data.{name}")
        opening = named.event.PLACE is Place.OPENING
        if isinstance(event, EventStruck):
            if opening:
                raise _kept(named.event, "struck")
            self._refuse_alone(event.seq)
        if isinstance(event, EventReplaced) and (opening or isinstance(named.event, CORRECTING)):
            raise _kept(named.event, "replaced")
        if isinstance(event, EventReplaced | EventInserted):
            if event.type in {one.TYPE for one in CORRECTING}:
                words = "a correction cannot be put into a correction"
                raise UnusableError(Cause(words, "correction_in_correction"), field="data.type")
            if event.type == SessionOpened.TYPE:
                words = "session_opened stands only at the beginning"
                raise UnusableError(Cause(words, "opened_twice"), field="data.type")

    def _refuse_alone(self, seq: int) -> None:
        """Refuse the strike of a member of a set, but by a later member, and of an open set."""
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
        """Let the next corrections, ``count`` of them, be a set that this entry begins."""
        self.open_set = CorrectionSet(key, count)

    def go_on(self, key: int, agreed: Sequence[Correction] = ()) -> None:
        """Note that an event came that is no correction.

        It is the ruling that carries out corrections that were ``agreed``, if there are any.
        """
        self.open_set = CorrectionSet(key, len(agreed), agreed) if agreed else None

    def due_with(self, key: int) -> Sequence[int]:
        """The corrections that take effect with the newest one; none while its set is open."""
        one = self.open_set
        if one is None:
            return (key,)
        sets, set_of = self._books(one)
        one.members.append(key)
        set_of[key] = one.begun
        if one.left:
            return ()
        sets[one.begun], self.open_set = one, None
        return tuple(one.members)

    def _books(self, one: CorrectionSet) -> tuple[dict[int, CorrectionSet], dict[int, int]]:
        """Where a set is kept, and to which its members belong.

        What a ruling carried out stays single corrections once it took effect: of old logs some
        were struck one by one, and the ruling without them.
        """
        return (self.sets, self.set_of) if one.agreed is None else (self.ruled, self.ruled_by)

    def forget(self, key: int) -> None:
        """Forget the newest entry, whose effect was undone, as if it had never come."""
        del self.recorded[key]
        for sets, set_of in ((self.sets, self.set_of), (self.ruled, self.ruled_by)):
            begun = set_of.pop(key, None)
            if begun is not None:
                self.open_set = one = sets.pop(begun, None) or cast("CorrectionSet", self.open_set)
                one.members.pop()
                return
        if self.open_set is not None and self.open_set.begun == key:
            self.open_set = None

    def places_of(self, key: int) -> list[int]:
        """The keys of all places that a correction makes read differently: of a set, several."""
        found, seen, left = [], {key}, [key]
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
                found.append(key)
            left += [one for one in named if one not in seen]
            seen.update(named)
        return found

    def places(self) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield each correction with the keys of the places that it makes read differently."""
        known: dict[int, Sequence[int]] = {}
        for key in self.stands:
            event = self._correction(key)
            if isinstance(event, EventInserted):
                known[key] = (key,)
            elif event.seq in self.sets:
                several = (known[one] for one in self.sets[event.seq].members)
                known[key] = list(dict.fromkeys(chain.from_iterable(several)))
            else:
                known[key] = known.get(event.seq, (event.seq,))
            yield key, known[key]

    # -------------------------------------------------------------------------------- effects

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

    def undo(self, keys: Sequence[int]) -> None:
        """Take back the effect of the newest corrections, which stay on record."""
        for key in (key for key in reversed(keys) if key in self.stands):
            event = self._correction(key)
            if isinstance(event, EventInserted):
                self.inserted.discard(self.recorded[key].seq)
                self.after[event.after].pop()
            else:
                self.naming[event.seq].pop()
            del self.stands[key]
            if not isinstance(event, EventInserted):
                self._settle(event.seq)

    def _settle(self, named: int) -> None:
        """Work out anew which corrections stand, from ``named`` up: what is named comes last."""
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
            for one in more:
                if one not in seen:
                    seen.add(one)
                    heappush(left, (-self._last_of(one), one))

    def _last_of(self, key: int) -> float:
        """Where a correction stands in the order of recording; a set, right after its last."""
        last = self.sets[key].members[-1] if key in self.sets else key
        return abs(last) + (0.5 if key in self.sets else 0)

    def _stands(self, key: int) -> bool:
        """Return whether neither a correction nor the set that it belongs to is struck."""
        if any(self.stands[by] for by in self.naming.get(key, ())):
            return False
        begun = self.set_of.get(key)
        return begun is None or not any(self.stands[by] for by in self.naming.get(begun, ()))

    def _correction(self, key: int) -> Corrects:
        return cast("Corrects", self.recorded[key].event)

    def reason_of(self, key: int) -> str:
        """Why a correction was made; of one without a reason of its own, why its set was."""
        own = self._correction(key).reason
        begun = self.set_of.get(key, self.ruled_by.get(key))
        if own is not None or begun is None:
            return own or ""
        event = self.recorded[begun].event
        return str(getattr(event, "reason", None) or getattr(event, "text", ""))

    def begun_set_of(self, key: int) -> Entry | None:
        """The ``correction_begun`` of a correction; None for one outside of such a set."""
        begun = self.set_of.get(key)
        return None if begun is None else self.recorded[begun]

    def reading(self, key: int) -> Entry | None:
        """What stands at the place of ``key`` as corrected, None where nothing does."""
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

    def taken_back(self) -> set[int]:
        """What was struck at once, before anything followed it, and the strikes that did so.

        What a set of strikes took back is there, too, and a set that was struck at once.
        """
        found: set[int] = set()
        left: list[int] = []
        for key, entry in self.recorded.items():
            one = self.sets.get(self.set_of.get(key, key)) if self.sets else None
            if one is not None:
                if key == one.begun and not self._struck_at_once(one.members, left, found):
                    left.append(key)
            elif not isinstance(entry.event, EventStruck) or not self._struck_at_once(
                (key,), left, found
            ):
                left.append(key)
        return found

    def _struck_at_once(self, keys: Sequence[int], left: list[int], found: set[int]) -> bool:
        """Return whether corrections strike just the last of what was ``left``, then removed."""
        events = [self.recorded[key].event for key in keys]
        seqs = [event.seq for event in events if isinstance(event, EventStruck)]
        if len(seqs) < len(keys) or sorted(seqs) != sorted(left[-len(keys) :]):
            return False
        del left[-len(keys) :]
        if self.stands.get(keys[0]):
            struck = (one for seq in seqs if seq in self.sets for one in self.sets[seq].members)
            found.update(keys, seqs, struck)
            found.update(self.set_of[key] for key in keys[:1] if key in self.set_of)
        return True

    def types_at(self, place: int) -> set[str]:
        """The types of all events that were recorded for a place."""
        events = (self.recorded[key].event for key in (place, *self.naming.get(place, ())))
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
        struck = target(cast("Corrects", event))
        gone |= {struck, *(corrections.sets[struck].members if struck in corrections.sets else ())}
    return corrections.recorded[place].event


def _kept(event: Event, how: str) -> UnusableError:
    """Why an event of this type is neither struck nor replaced."""
    words = f"{event.TYPE} cannot be {how}"
    return UnusableError(Cause(words, "cannot_be_corrected", type=event.TYPE), field="data.seq")

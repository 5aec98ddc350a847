"""Corrections by which entries read otherwise, also entries that earlier corrections put in.

An inserted entry cannot be replaced: its insertion is struck, and made again. Its later neighbours
are made again, too, so that all keep their order, and so is the rest of a set that is struck.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.corrections import EventInserted, EventReplaced, EventStruck
from scorekeeper.events.disputes import Correction
from scorekeeper.events.event import MAX_CORRECTIONS_IN_SET
from scorekeeper.log import codec
from scorekeeper.log.corrected import Corrections
from scorekeeper.session.session import Session


class NewReading(NamedTuple):
    """What an entry should say: its type and data."""

    type: str
    data: JsonObject


Readings = Mapping[int, NewReading | None]  # by the key of an entry; None strikes it


def rewrite(session: Session, readings: Readings) -> list[Correction]:
    """Return the corrections by which entries have other readings.

    Raises `UnusableError` if there are too many for a set, or if corrections that have to be made
    again build on one another.
    """
    corrections = list(Rewriting(session, readings))
    refuse_too_many(corrections)
    return corrections


def refuse_too_many(corrections: Sequence[Correction]) -> None:
    """Raise `UnusableError` for more corrections than a set can have."""
    most, got = MAX_CORRECTIONS_IN_SET, len(corrections)
    if got > most:
        words = f"this needs {got} corrections, and at most {most} take effect together"
        raise UnusableError(Cause(words, "too_many_corrections", most=most, got=got))


def strike(seq: int) -> Correction:
    """Return the correction that strikes an event; its set has the reason."""
    return Correction(EventStruck.TYPE, {"seq": seq})


def insert(after: int, reading: NewReading) -> Correction:
    """Return the correction that inserts an event; its set has the reason."""
    return Correction(EventInserted.TYPE, {"after": after, **reading._asdict()})


class Rewriting:
    """The corrections for new readings of entries, in the order in which they are recorded."""

    def __init__(self, session: Session, readings: Readings) -> None:
        self._corrections: Final[Corrections] = session.corrections
        self._hidden: Final = session.hidden
        self._readings: Final = readings
        self._again = self._find_insertions_again()
        set_of = self._corrections.set_of
        self._struck_sets = sorted({set_of[key] for key in self._again if key in set_of})

    def __iter__(self) -> Iterator[Correction]:
        """Yield the corrections: strikes of sets and insertions, readings, insertions again."""
        for begun in self._struck_sets:
            yield strike(begun)
        for key in sorted(self._again - self._corrections.set_of.keys()):
            yield strike(key)
        yield from self._iterate_members()
        for key, reading in self._readings.items():
            if key not in self._again and not self._is_insertion(key):
                yield strike(key) if reading is None else self._replace(key, reading)
        for key in self._list_in_order(self._again):
            reading = self._readings[key] if key in self._readings else self._get_inserted(key)
            if reading is not None:
                yield insert(self._get_root(key), reading)

    def _find_insertions_again(self) -> set[int]:
        """Return the keys of the insertions that have to be struck, and perhaps made again."""
        again: set[int] = set()
        new = {key for key in self._readings if self._is_insertion(key)}
        while new - again:
            again |= new
            new = {other for key in again for other in (*self._later(key), *self._beside(key))}
        return again

    def _later(self, key: int) -> Iterator[int]:
        """Yield the standing insertions that come after this one, after the same entry."""
        neighbours = list(self._walk(self._get_root(key)))
        for other in neighbours[neighbours.index(key) + 1 :]:
            if self._corrections.stands[other]:
                yield other

    def _beside(self, key: int) -> Iterator[int]:
        """Yield the standing insertions of the same set."""
        begun = self._corrections.set_of.get(key)
        members = self._corrections.sets[begun].members if begun is not None else ()
        for member in members:
            if self._is_insertion(member) and self._corrections.stands[member]:
                yield member

    def _walk(self, anchor: int) -> Iterator[int]:
        """Yield the insertions after an entry in their order, each followed by those after it."""
        for key in self._corrections.after.get(anchor, ()):
            yield key
            yield from self._walk(key)

    def _list_in_order(self, keys: set[int]) -> Iterator[int]:
        """Yield insertions by the entry that they come after, in their order."""
        for root in dict.fromkeys(self._get_root(key) for key in sorted(keys)):
            yield from (key for key in self._walk(root) if key in keys)

    def _iterate_members(self) -> Iterator[Correction]:
        """Yield again the strikes and replacements of the sets that are struck."""
        members = [
            key for begun in self._struck_sets for key in self._corrections.sets[begun].members
        ]
        for key in members:
            event: Any = self._corrections.recorded[key].event
            if isinstance(event, EventInserted) or not self._corrections.stands[key]:
                continue
            if event.seq in {*members, *self._struck_sets} or event.seq in self._readings:
                if event.seq in self._readings and event.seq not in members:
                    continue  # it gets another reading anyway
                words = "these corrections build on one another: strike them all, and start again"
                raise UnusableError(Cause(words, "build_on_one_another"))
            self._refuse_hidden(key)
            yield Correction(event.TYPE, _without_reason(codec.encode(event)))

    def _get_inserted(self, key: int) -> NewReading:
        """Return the present reading of an insertion."""
        self._refuse_hidden(key)
        reading = self._corrections.reading(key)
        event: Any = reading.event if reading else self._corrections.recorded[key].event
        return NewReading(event.type, event.data)

    def _refuse_hidden(self, key: int) -> None:
        """Raise `UnusableError` if a correction lies face down: it cannot be made again."""
        if self._corrections.recorded[key].seq in self._hidden:
            raise make_face_down_error()

    def _get_root(self, key: int) -> int:
        """Return the key of the recorded entry after which an insertion comes."""
        while self._is_insertion(key):
            event: Any = self._corrections.recorded[key].event
            key = event.after
        return key

    def _is_insertion(self, key: int) -> bool:
        """Return whether a key is that of an insertion."""
        return isinstance(self._corrections.recorded[key].event, EventInserted)

    @staticmethod
    def _replace(key: int, reading: NewReading) -> Correction:
        """Return the correction that gives a recorded event another reading."""
        return Correction(EventReplaced.TYPE, {"seq": key, **reading._asdict()})


def make_face_down_error() -> UnusableError:
    """Return the error for a correction that needs what lies face down."""
    words = "something that this corrects lies face down: finish the hand, and accept it"
    return UnusableError(Cause(words, "still_face_down"))


def _without_reason(data: JsonObject) -> JsonObject:
    """Return the data of a correction without its own reason."""
    return {name: value for name, value in data.items() if name != "reason"}

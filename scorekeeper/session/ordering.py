"""The order of a session's entries while corrections are inserted."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.disputes import CorrectionProposed
from scorekeeper.events.event import Event
from scorekeeper.log import codec
from scorekeeper.log.corrected import Corrections, Undecoded
from scorekeeper.session.structure import Segment, Structure, TooLargeSessionError

KEYS_PER_STEP: Final = 50  # of a segment that is copied, or searched for the place of an insertion


class NewCorrections(NamedTuple):
    """Corrections that take effect together, and the places at which they change the event's type.

    An event is new at its place if none of its type was recorded there before.
    """

    corrections: Sequence[int]
    places: frozenset[int]


class NewOrder:
    """The order of a structure's keys with new corrections among them.

    The structure is unchanged until :meth:`commit`. ``work`` counts the steps of work.
    """

    def __init__(
        self, structure: Structure, corrections: Corrections, work: Callable[[int], None]
    ) -> None:
        self._structure = structure
        self._corrections = corrections
        self._work = work
        self._changed: dict[int, tuple[Segment, list[int]]] = {}
        self._segment_of_new: dict[int, Segment] = {}  # where each new key stands

    def add(self, key: int) -> None:
        """Insert the key of a correction after the event that it names, or else at the end."""
        event = self._corrections.recorded[key].event
        if not isinstance(event, EventInserted):
            segment = self._structure.segments[-1]
            self._changeable_keys(segment).append(key)
        else:
            anchor = self._corrections.last_after(event.after)
            segment = self.segment_of(anchor)
            keys = self._changeable_keys(segment)
            keys.insert(keys.index(anchor) + 1, key)
        self._work(len(self.keys_of(segment)) // KEYS_PER_STEP)
        self._segment_of_new[key] = segment

    def _changeable_keys(self, segment: Segment) -> list[int]:
        """Return the keys of a segment as a list that may be changed."""
        return self._changed.setdefault(id(segment), (segment, segment.keys[:]))[1]

    def keys_of(self, segment: Segment) -> list[int]:
        """Return the keys of a segment in the new order."""
        return self._changed.get(id(segment), (segment, segment.keys))[1]

    def segment_of(self, key: int) -> Segment:
        """Return the segment in which a key stands."""
        return self._segment_of_new.get(key) or self._structure.segment_of[key]

    def find_segments(self, places: Iterable[int]) -> list[Segment]:
        """Return the segments in which these keys stand, each once, in the order of the keys."""
        return list({id(segment): segment for segment in map(self.segment_of, places)}.values())

    def __iter__(self) -> Iterator[int]:
        """Yield all keys in the new order."""
        for segment in self._structure.segments:
            yield from self.keys_of(segment)

    def commit(self) -> Callable[[], None]:
        """Give the segments their new keys; return a function that restores the old ones."""
        segment_of = self._structure.segment_of
        before = [(segment, segment.keys) for segment, _ in self._changed.values()]
        for segment, keys in self._changed.values():
            segment.keys = keys
        segment_of.update(self._segment_of_new)

        def undo() -> None:
            for segment, keys in before:
                segment.keys = keys
            for key in self._segment_of_new:
                segment_of.pop(key, None)

        return undo


def explain_failure(
    corrections: Corrections, new: NewCorrections, key: int, error: UnusableError
) -> UnusableError:
    """Return the error to raise when an entry cannot stand with new corrections.

    ``key`` is that of the entry, and ``error`` says why. If a new correction gives the entry its
    words, the field is that of the correction; otherwise the message names the event.
    """
    if isinstance(error, TooLargeSessionError):
        return error
    reading = corrections.reading(key)
    source = reading.event.source if reading and isinstance(reading.event, Undecoded) else None
    if source is not None and source in new.corrections:
        culprit = source if source != new.corrections[-1] else None
        return UnusableError(error.reason, field=error.field and f"data.{error.field}",
                        culprit=culprit)  # fmt: skip
    seq = corrections.recorded[key].seq
    words = f"with this correction event {seq} is no longer valid: {error.reason}"
    return UnusableError(Cause(words, "another_cannot_stand", seq=seq))


def find_proposal(event: Event) -> CorrectionProposed | None:
    """Return the proposal in an event, also one that a correction inserts or replaces.

    Raises `UnusableError` if its data cannot be decoded.
    """
    if isinstance(event, EventReplaced | EventInserted) and event.type == CorrectionProposed.TYPE:
        event = codec.decode(event.type, event.data)
    return event if isinstance(event, CorrectionProposed) else None

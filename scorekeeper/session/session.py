"""A session replayed: entries go in one by one, each usable after those before it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import BinaryIO, Final, NamedTuple, TypeVar

from scorekeeper.base import pacing
from scorekeeper.base.errors import Cause, ScorekeeperError, Unusable
from scorekeeper.events.common import NoteAdded, PenaltyGiven
from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.disputes import Correction, CorrectionProposed
from scorekeeper.events.event import A_CORRECTION, Entry, Event
from scorekeeper.events.fields import LARGEST
from scorekeeper.games.game import Game
from scorekeeper.log import codec
from scorekeeper.log.corrected import Corrections, Undecoded
from scorekeeper.log.face_down import covered
from scorekeeper.log.reading import LARGEST_FILE, LogFile, RawEvent
from scorekeeper.play.scoring import Finding
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.rewinding import Undo, checkpoint
from scorekeeper.session.structure import SHAPING, Segment, Structure, TooMuch, decoded

# How much a log may make its reader do beside adding its entries, in steps of placing an entry
# anew: so much in all, and more for each entry. A long evening with hundreds of corrections needs
# thousands.
MOST_STEPS: Final = 1_000_000
STEPS_FOR_AN_ENTRY: Final = 20


# The seq that the first correction of a proposal has while it is tried.
NOBODY_NAMES: Final = LARGEST + 1

T = TypeVar("T")


class NewEntry(NamedTuple):
    """A correction, its place, and whether what then stands there is of a new type there."""

    correction: int
    place: int
    new: bool

    def at(self, key: int) -> bool:
        """Whether what stands at ``key`` is new."""
        return self.new and key == self.place


class Session:
    """One session's stream as replayed so far.

    Entries are added in the order of their recording. Each is refused (Unusable, and the
    session stays as it was) if the log with it could never have been recorded. A correction
    places anew only the hand that it falls in, unless it changes the shape of the session.
    """

    def __init__(self) -> None:
        self.corrections = Corrections()
        self.structure = Structure(self._work)
        self.covered: set[int] = set()  # the keys of what may lie face down,
        self.hidden: frozenset[int] = (
            frozenset()
        )  # and the seqs of what does, for whoever sees it so
        self.events = 0
        self.head = ""
        self.damage: list[Finding] = []
        self._on_trial: list[Undo] = []  # what takes back the entries of a trial, newest last
        self._steps_before_trial = 0

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Session":
        """The session of these entries."""
        session = cls()
        session.add_all(entries)
        return session

    @classmethod
    def read(cls, stream: BinaryIO, largest: int | None = LARGEST_FILE) -> "Session":
        """The session of a log file, sealed or by hand; Unusable with the line at fault."""
        log = LogFile(stream, largest)
        session = cls()
        for raw in log:
            try:
                session.add_line(raw)
            except Unusable as error:
                error.line = raw.line
                raise
        session.head = log.head
        session.damage = log.damage
        return session

    @property
    def game(self) -> Game | None:
        """The game whose events can come next, None before the first match."""
        return self.structure.matches[-1].game if self.structure.matches else None

    def add_line(self, raw: RawEvent) -> Entry:
        """Add an event as it stands in a log; the entry that it became."""
        game = self.game
        types = game.by_type if game else codec.COMMON_TYPES
        event = codec.decode(raw.type, raw.data, types)
        entry = Entry(raw.seq, event, raw.at, raw.by, raw.hash, raw.line)
        self.add(entry)
        return entry

    def add_stored(self, line: bytes) -> Entry:
        """Add an event by its line as a store keeps it."""
        return self.add_line(RawEvent.stored(line))

    def add(self, entry: Entry) -> None:
        """Add the next entry; Unusable, with nothing changed, where it cannot be used."""
        self.add_all((entry,))

    def begin_trial(self) -> None:
        """Let the entries that are added from now on be taken back, until ``end_trial``."""
        self._steps_before_trial = self.corrections.steps
        self._on_trial = [checkpoint(self)]

    def end_trial(self, *, take_back: bool = False) -> None:
        """Keep the entries of the trial, or take them back as if they had never come."""
        undone, self._on_trial = self._on_trial, []
        if not take_back or not undone:
            return
        while undone:
            undone.pop()()
        recorded = self.corrections.recorded
        self.corrections.steps = self._steps_before_trial
        self.covered.intersection_update(recorded)
        self.structure.said.bound.forget_all_but(recorded)
        self.events, self.head = len(recorded), self.corrections.head

    def add_all(self, entries: Iterable[Entry]) -> None:
        """Add the next entries; Unusable at the first that cannot be used, after those before."""
        recorded = self.corrections.recorded
        hand, ways, authors, keys = self.structure.at_hand()
        try:
            for entry in entries:
                seq, way = entry.seq, ways.get(type(entry.event))
                if hand is None or way is None or seq in recorded or entry.by not in authors:
                    self._add_by_the_long_way(entry)
                    hand, ways, authors, keys = self.structure.at_hand()
                else:  # the short way of nearly all entries, those of play in a hand
                    hand.go(way, entry)
                    recorded[seq] = entry
                    keys.append(seq)
                    if way.hides:
                        self.covered.add(seq)
        finally:
            self.events = len(recorded)
            self.head = self.corrections.head

    def _add_by_the_long_way(self, entry: Entry) -> None:
        steps = self.corrections.steps
        try:
            proposed = proposal_in(entry.event)
            if proposed is not None:
                self._try(proposed.corrections, nothing)
            undo = self._put(entry)
        except ScorekeeperError:
            self.corrections.steps = steps
            raise
        if self._on_trial and undo is not nothing:
            self._on_trial += [undo, checkpoint(self)]
        self.structure.said.remember()
        if any(covered(entry.event)):
            self.covered.add(entry.seq)

    def _put(self, entry: Entry) -> Undo:
        """Record an entry and place it; what undoes that, if it is a correction."""
        key = self.corrections.add(entry)
        try:
            if entry.event.PLACE is A_CORRECTION:
                return self._correct(key)
            self.structure.place(key, entry)
        except ScorekeeperError:
            self._take_back(key)
            raise
        return nothing

    def tried(self, corrections: Sequence[Correction], make: Callable[[], T]) -> T:
        """What is made of the session while corrections are in effect, which are then undone.

        Unusable where they cannot be recorded.
        """
        steps = self.corrections.steps
        try:
            return self._try(corrections, make)
        finally:
            self.corrections.steps = steps

    def _try(self, corrections: Sequence[Correction], make: Callable[[], T]) -> T:
        undo: list[Undo] = []
        try:
            for place, one in enumerate(corrections):
                event = codec.decode(one.type, one.data)
                undo.append(self._put(Entry(NOBODY_NAMES + place, event)))
            return make()
        except Unusable as error:
            path = f"data.corrections.{len(undo)}"
            field = f"{path}.{error.field}" if error.field else path
            raise Unusable(error.reason, field=field) from None
        finally:
            while undo:
                undo.pop()()

    def _take_back(self, key: int) -> None:
        if key in self.corrections.stands:
            self.corrections.undo(key)
        else:
            self.corrections.recorded.pop(key, None)
        self.structure.said.bound.forget(key)

    # -------------------------------------------------------------------------- corrections

    def _correct(self, key: int) -> Undo:
        event = self.corrections.recorded[key].event
        self.structure.refuse_author(self.corrections.recorded[key])
        place = self.corrections.place_of(key)
        if isinstance(event, EventInserted):
            before = None
            anchor = self.corrections.last_after(event.after)
            segment = self.structure.segment_of[anchor]
            keys = with_inserted(segment.keys, key, anchor)
        else:
            before = self.corrections.reading(place)
            segment = self.structure.segment_of[place]
            keys = segment.keys
        undo = self._undoing(key, segment, place)
        self.corrections.apply(key)
        after = self.corrections.reading(place)
        there_before = self.corrections.types_at(place, but=key)
        new = NewEntry(key, place, after is not None and type_of(after) not in there_before)
        if segment.hand is None or shapes(before) or shapes(after):
            self._place_all_anew(segment, keys, new)
        else:
            self._place_hand_anew(segment, segment.hand, keys, new)
        if place != key:
            self.structure.place(key, None)
        return undo

    def _undoing(self, key: int, segment: Segment, place: int) -> Undo:
        """What puts all back as it is now, once a correction has taken effect."""
        record, hand, keys, last = (
            self.structure,
            segment.hand,
            segment.keys,
            self.structure.segments[-1],
        )

        def undo() -> None:
            if self.structure is record and hand is not None:  # only the hand was placed anew
                if place != key:
                    last.keys.pop()
                record.segment_of.pop(key, None)
                segment.keys = keys
                record.put_in_place(segment, hand)
            self.structure = record
            self.corrections.undo(key)

        return undo

    def _place_hand_anew(
        self, segment: Segment, hand: HandRecord, keys: list[int], new: NewEntry
    ) -> None:
        """Write one hand down anew; the others stay as they are, and so does what it began with."""
        self._work(len(keys) + len(hand.match.hands) - hand.number)
        anew = hand.again()
        for key in keys:
            entry = self.corrections.reading(key)
            if entry is not None and not shapes(entry):
                try:
                    self._write_down(anew, decoded(entry, hand.game), new=new.at(key))
                except Unusable as error:
                    raise self._because_of(new, key, error) from None
        self._work(anew.cost)
        self.structure.put_in_place(segment, anew)
        segment.keys = keys
        self.structure.segment_of.update(dict.fromkeys(keys, segment))

    def _write_down(self, hand: HandRecord, entry: Entry, *, new: bool) -> None:
        if isinstance(entry.event, PenaltyGiven):
            hand.penalize(entry, entry.event, new=new)
        elif not isinstance(entry.event, NoteAdded):
            hand.add(entry)

    def _place_all_anew(self, changed: Segment, keys: list[int], new: NewEntry) -> None:
        """Build the whole record anew from all the keys in their order."""
        record = Structure(self._work, self.structure.said.bound)
        for segment in self.structure.segments:
            for key in keys if segment is changed else segment.keys:
                self._work(1)
                try:
                    record.place(key, self.corrections.reading(key), new=new.at(key))
                except Unusable as error:
                    raise self._because_of(new, key, error) from None
        self.structure = record

    def read_as(self, otherwise: Mapping[int, Entry]) -> None:
        """Read some entries, by key, otherwise than they were recorded: what might have been.

        Unusable where an event could then not stand; the session is not to be used after that.
        """
        self.corrections.recorded.update(otherwise)
        record = Structure(self._work, self.structure.said.bound)
        for segment in self.structure.segments:
            for key in segment.keys:
                self._work(1)
                try:
                    record.place(key, self.corrections.reading(key), new=False)
                except Unusable as error:
                    seq = self.corrections.recorded[key].seq
                    raise Unusable(f"event {seq} could not stand: {error.reason}") from None
        self.structure = record

    def _because_of(self, new: NewEntry, key: int, error: Unusable) -> Unusable:
        """What is wrong with a correction after which the entry of a key cannot stand."""
        if isinstance(error, TooMuch):
            return error
        event = self.corrections.recorded[new.correction].event
        if key == new.place and isinstance(event, EventReplaced | EventInserted):
            return Unusable(error.reason, field=error.field and f"data.{error.field}")
        seq = self.corrections.recorded[key].seq
        words = f"with this correction event {seq} cannot stand: {error.reason}"
        return Unusable(Cause(words, "another_cannot_stand", seq=seq))

    def _work(self, steps: int) -> None:
        pacing.step(steps)
        self.corrections.steps += steps
        most = MOST_STEPS + STEPS_FOR_AN_ENTRY * len(self.corrections.recorded)
        if self.corrections.steps > most:
            words = "too much work: the corrections reach too far back, or a hand is too long"
            raise TooMuch(Cause(words, "too_much_work"))


def with_inserted(keys: list[int], key: int, anchor: int) -> list[int]:
    """The keys of a segment, an inserted one right after its anchor."""
    place = keys.index(anchor) + 1
    return [*keys[:place], key, *keys[place:]]


def nothing() -> None:
    """Undo nothing."""


def proposal_in(event: Event) -> CorrectionProposed | None:
    """The proposal that an event is, or that a correction puts in; Unusable."""
    if isinstance(event, EventReplaced | EventInserted) and event.type == CorrectionProposed.TYPE:
        event = codec.decode(event.type, event.data)
    return event if isinstance(event, CorrectionProposed) else None


def type_of(entry: Entry) -> str:
    """The type of an entry, also where it is not decoded yet."""
    event = entry.event
    return event.type if isinstance(event, Undecoded) else event.TYPE


def shapes(entry: Entry | None) -> bool:
    """Whether an entry shapes more than the hand that it stands in."""
    return entry is not None and type_of(entry) in SHAPING

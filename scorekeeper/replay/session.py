"""A session replayed: entries go in one by one, each usable after those before it."""

from collections.abc import Iterable
from typing import BinaryIO, Final

from scorekeeper.errors import Unusable
from scorekeeper.events import CORRECTIONS, Entry, EventInserted, NoteAdded
from scorekeeper.games.game import Game
from scorekeeper.log import codec
from scorekeeper.log.corrections import Corrections, Undecoded
from scorekeeper.log.reading import LARGEST_FILE, LogFile, RawEvent
from scorekeeper.replay.record import SHAPING, Record, Segment, decoded
from scorekeeper.replay.records import HandRecord
from scorekeeper.scoring import Finding

# How many entries corrections may make a reader place anew, beyond those of the log itself.
# A long evening with hundreds of corrections needs thousands.
MOST_STEPS: Final = 3_000_000


class Session:
    """One session's stream as replayed so far.

    Entries are added in the order of their recording. Each is refused (Unusable, and the
    session stays as it was) if the log with it could never have been recorded. A correction
    places anew only the hand that it falls in, unless it changes the shape of the session.
    """

    def __init__(self) -> None:
        self.corrections = Corrections()
        self.bound: dict[int, int] = {}
        self.record = Record(self.bound)
        self.touched: dict[int, int] = {}  # the last correction in a hand, by the hand's seq
        self.events = 0
        self.head = ""
        self.damage: list[Finding] = []

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Session":
        """The session of these entries."""
        session = cls()
        for entry in entries:
            session.add(entry)
        return session

    @classmethod
    def read(cls, stream: BinaryIO, largest: int | None = LARGEST_FILE) -> "Session":
        """The session of a log file, sealed or by hand; Unusable with the line at fault."""
        log = LogFile(stream, largest)
        session = cls()
        for raw in log:
            try:
                session.add_raw(raw)
            except Unusable as error:
                error.line = raw.line
                raise
        session.head = log.head
        session.damage = log.damage
        return session

    @property
    def game(self) -> Game | None:
        """The game whose events can come next, None before the first match."""
        return self.record.matches[-1].game if self.record.matches else None

    def add_raw(self, raw: RawEvent) -> Entry:
        """Add an event as it stands in a log; the entry that it became."""
        game = self.game
        types = game.by_type if game else codec.COMMON_TYPES
        event = codec.decode(raw.type, raw.data, types)
        entry = Entry(raw.seq, event, raw.at, raw.by, raw.hash, raw.line)
        self.add(entry)
        return entry

    def add(self, entry: Entry) -> None:
        """Add the next entry; Unusable, with nothing changed, where it cannot be used."""
        key = self.corrections.record(entry)
        try:
            if isinstance(entry.event, CORRECTIONS):
                self._correct(key)
            else:
                self.record.place(key, entry)
        except Unusable:
            self._take_back(key)
            raise
        self.events += 1
        self.head = entry.hash

    def _take_back(self, key: int) -> None:
        if key in self.corrections.stands:
            self.corrections.undo(key)
        else:
            self.corrections.recorded.pop(key, None)
        self.bound.pop(key, None)

    # -------------------------------------------------------------------------- corrections

    def _correct(self, key: int) -> None:
        if self.record.opened is None:
            raise Unusable("a log begins with session_opened", field="type")
        event = self.corrections.recorded[key].event
        place = self.corrections.place_of(key)
        if isinstance(event, EventInserted):
            before = None
            segment = self.record.segment_of[event.after]
            keys = self._with_inserted(segment, key, event.after)
        else:
            before = self.corrections.reading(place)
            segment = self.record.segment_of[place]
            keys = segment.keys
        self.corrections.apply(key)
        after = self.corrections.reading(place)
        if segment.hand is None or shapes(before) or shapes(after):
            self._place_all_anew(segment, keys, place)
        else:
            self._place_hand_anew(segment, segment.hand, keys)
        if place != key:
            self.record.place(key, None)
        self._touch(place, key)

    def _with_inserted(self, segment: Segment, key: int, anchor: int) -> list[int]:
        """The keys of a segment, an inserted one after its anchor and what came there before."""
        keys = list(segment.keys)
        place = keys.index(anchor) + 1
        while place < len(keys) and self.corrections.comes_after(keys[place], anchor):
            place += 1
        self._work(place)
        keys.insert(place, key)
        return keys

    def _place_hand_anew(self, segment: Segment, hand: HandRecord, keys: list[int]) -> None:
        """Write one hand down anew; the others stay as they are, and so does what it began with."""
        match = hand.match
        self._work(len(keys) + len(match.hands) - hand.number)
        anew = hand.again()
        for key in keys:
            entry = self.corrections.reading(key)
            if entry is None or shapes(entry) or isinstance(entry.event, CORRECTIONS):
                continue
            entry = decoded(entry, match.game)
            if not isinstance(entry.event, NoteAdded):
                anew.add(entry)
        match.hands[hand.number - 1] = segment.hand = anew
        match.changed(hand.number - 1)
        self._keep_keys(segment, keys)

    def _keep_keys(self, segment: Segment, keys: list[int]) -> None:
        segment.keys = keys
        for key in keys:
            self.record.segment_of[key] = segment

    def _place_all_anew(self, changed: Segment, keys: list[int], new: int) -> None:
        """Build the whole record anew from all the keys in their order."""
        record = Record(self.bound)
        for segment in self.record.segments:
            for key in keys if segment is changed else segment.keys:
                self._work(1)
                record.place(key, self.corrections.reading(key), new=key == new)
        self.record = record

    def _touch(self, place: int, key: int) -> None:
        """Remember that a correction changed a hand, or all the hands of a match."""
        segment = self.record.segment_of[place]
        hands = [segment.hand] if segment.hand else segment.match.hands if segment.match else []
        for hand in hands:
            self.touched[hand.started.seq] = self.corrections.recorded[key].seq

    def _work(self, steps: int) -> None:
        self.corrections.steps += steps
        if self.corrections.steps > MOST_STEPS:
            raise Unusable("too many corrections that reach too far back")


def shapes(entry: Entry | None) -> bool:
    """Whether an entry shapes more than the hand that it stands in."""
    if entry is None:
        return False
    event = entry.event
    return (event.type if isinstance(event, Undecoded) else event.TYPE) in SHAPING

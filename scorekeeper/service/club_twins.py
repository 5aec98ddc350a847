"""Detect a log of an evening that a club counts already, sealed or written by hand.

Two sealed logs with the same first event describe one evening: one is the beginning of the other,
or they differ from some event on. Their common hands would count twice.

Hashes are chained: two logs with the same hash at an event are equal up to it. So two stored logs
are compared by one or two hashes, and read only if they are twins.
"""

import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from io import BytesIO
from typing import Final, NamedTuple, Protocol

from cachetools import LRUCache

from scorekeeper.base import pacing
from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.events.common import HandStarted
from scorekeeper.log import canonical
from scorekeeper.log.reading import LogFile, RawEvent
from scorekeeper.service.described import describe_stored
from scorekeeper.store import Position, Store

MAX_CACHED_LOGS: Final = 5_000
LINES_PER_READ: Final = 1_000
STEPS_PER_PAIR: Final = 4  # of the pace: comparing two logs
STARTS_A_HAND: Final = b'"%b"' % HandStarted.TYPE.encode()


class CountedTwin(NamedTuple):
    """A counted evening that a log describes, too.

    ``events`` is the length of its log. ``forked`` is whether the two logs differ after ``hands``
    common hands.
    """

    session_id: str
    title: str
    events: int
    forked: bool = False
    hands: int = 0

    @property
    def refusal(self) -> UnusableError:
        """The error with which the log is refused."""
        if not self.forked:
            words = f"it is the same evening as {self.title} ({self.session_id}), which is entered"
            cause = Cause(f"{words} already", "same_evening", title=self.title)
        else:
            words = (f"it begins as {self.title} ({self.session_id}), which is entered already, "
                     f"and goes on differently; hands in both: {self.hands}. If this one is right, "
                     "withdraw the other first")  # fmt: skip
            cause = Cause(words, "forked_evening", title=self.title, hands=self.hands)
        return UnusableError(cause, field="data.session")


class SealedLog(Protocol):
    """A log whose events have hashes, with its end and the start of its first hand."""

    @property
    def end(self) -> Position: ...

    @property
    def hand(self) -> Position | None: ...

    def hash_at(self, seq: int) -> str | None:
        """Return the hash of the event with this seq, or None if there is none."""
        ...

    def hands(self, upto: int) -> int:
        """Return how many hands start in the first ``upto`` events."""
        ...


class LogInMemory:
    """A sealed log in memory."""

    def __init__(self, events: Sequence[RawEvent]) -> None:
        self._events = events
        self.end = Position(len(events), events[-1].hash)
        starts = (seq for seq, event in enumerate(events, 1) if event.type == HandStarted.TYPE)
        self.hand = next((Position(seq, events[seq - 1].hash) for seq in starts), None)

    def hash_at(self, seq: int) -> str | None:
        """Return the hash of the event with this seq."""
        return self._events[seq - 1].hash

    def hands(self, upto: int) -> int:
        """Return how many hands start in the first ``upto`` events."""
        return sum(event.type == HandStarted.TYPE for event in self._events[:upto])


class StoredLog(NamedTuple):
    """A session of a store, read only as far as needed."""

    store: Store
    id: str
    end: Position
    hand: Position | None

    def hash_at(self, seq: int) -> str | None:
        """Return the hash of the event with this seq; None if there is none."""
        return self.store.hash_at(self.id, seq)

    def hands(self, upto: int) -> int:
        """Return how many hands start in the first ``upto`` events."""
        return sum(1 for _ in hands_in(self.store.read(self.id, 0, upto).lines))

    @property
    def title(self) -> str:
        """The present title."""
        return describe_stored(self.store, self.id).title


class KnownLogs:
    """A cache of stored logs, so that each is read once as far as its first hand."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._known: LRUCache[str, StoredLog] = LRUCache(MAX_CACHED_LOGS)
        self._digests: LRUCache[tuple[str, str], str] = LRUCache(MAX_CACHED_LOGS)

    def logs(self, sessions: Iterable[str]) -> dict[str, StoredLog]:
        """Return the existing sessions at their present ends, by id."""
        ids = tuple(sessions)
        ends = self._store.ends(ids)
        return {id_: self._log(id_, ends[id_]) for id_ in ids if id_ in ends}

    def _log(self, session_id: str, end: Position) -> StoredLog:
        """Return a session at this end, from the cache if that is its end there."""
        with self._lock:
            known = self._known.get(session_id)
        if known is not None and known.end == end:
            return known
        log = self._read(session_id, end, known)
        with self._lock:
            self._known[session_id] = log
        return log

    def _read(self, session_id: str, end: Position, known: StoredLog | None) -> StoredLog:
        """Return a session at this end; its first hand is searched beyond the known end only."""
        store, after, hand = self._store, 0, None
        if known is not None and known.hash_at(known.end.version) == known.end.head:
            after, hand = known.end.version, known.hand
        while hand is None and after < end.version:
            pacing.step(pacing.STEPS_PER_LOOK)
            lines = store.read(session_id, after, LINES_PER_READ).lines
            if not lines:
                break
            hand = next(hands_in(lines), None)
            after += len(lines)
        return StoredLog(store, session_id, end, hand)

    def digest(self, session_id: str, head: str) -> str:
        """Return the digest of a session's types and data; it ends with the hash ``head``."""
        with self._lock:
            known = self._digests.get((session_id, head))
        if known is None:
            pacing.step(pacing.STEPS_PER_LOOK)
            known = digest(LogFile(BytesIO(self._store.export(session_id)), None))
            with self._lock:
                self._digests[session_id, head] = known
        return known


def hands_in(lines: Iterable[bytes]) -> Iterator[Position]:
    """Yield the position of each ``hand_started`` in stored lines."""
    for line in lines:
        if STARTS_A_HAND in line:  # the text may also be a value, so decode the line
            event = RawEvent.stored(line)
            if event.type == HandStarted.TYPE:
                yield Position(event.seq, event.hash)


def sealed_twin(log: SealedLog, others: Iterable[StoredLog]) -> CountedTwin | None:
    """Return the first of ``others`` that is a twin of a log, or None."""
    for other in others:
        pacing.step(STEPS_PER_PAIR)
        if are_twins(log, other):
            return counted_twin(log, other)
    return None


def are_twins(log: SealedLog, other: StoredLog) -> bool:
    """Return whether two logs have a hand in common, or one is all the beginning of the other."""
    if log.hand is not None and other.hand is not None:
        return log.hand == other.hand
    if log.end.version <= other.end.version:
        return other.hash_at(log.end.version) == log.end.head
    return log.hash_at(other.end.version) == other.end.head


def counted_twin(log: SealedLog, other: StoredLog) -> CountedTwin:
    """Return a stored log as the twin of ``log``, with the number of common hands."""
    shortest = min(log.end.version, other.end.version)
    seqs = range(1, shortest + 1)
    shared = bisect_left(seqs, 1, key=lambda seq: int(log.hash_at(seq) != other.hash_at(seq)))
    hands = log.hands(shared)
    return CountedTwin(other.id, other.title, other.end.version, shared < shortest, hands)


def twin_of(
    log: Sequence[RawEvent], evenings: Iterable[PlayedEvening], known: KnownLogs
) -> CountedTwin | None:
    """Return the counted evening that a log, sealed or by hand, describes; None if there is none.

    A log by hand is compared by the digest of its events.
    """
    if log[0].hash:
        alike = [evening.session_id for evening in evenings if evening.first == log[0].hash]
        return sealed_twin(LogInMemory(log), known.logs(alike).values())
    log_digest = None
    for evening in evenings:
        if (len(log), log[0].data.get("title")) == (evening.events, evening.first_title):
            log_digest = log_digest or digest(log)
            if known.digest(evening.session_id, evening.head) == log_digest:
                return CountedTwin(evening.session_id, evening.title, evening.events)
    return None


def digest(log: Iterable[RawEvent]) -> str:
    """Return a digest of the types and data of a log, which ignores times and hashes."""
    facts: list[object] = [[event.type, event.data] for event in log]
    return sha256(canonical.encode({"events": facts})).hexdigest()

"""Whether a log tells of an evening that a club has already, sealed or written by hand.

Two sealed logs with the same first event are of one evening: one is the beginning of the other, or
from some event on they go on differently. Hands that both have would count twice.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from io import BytesIO
from itertools import takewhile
from typing import Any, NamedTuple

from scorekeeper.base.errors import Cause, Unusable
from scorekeeper.clubs.books import Books
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.events.common import HandStarted
from scorekeeper.log import canonical
from scorekeeper.log.reading import LogFile, RawEvent
from scorekeeper.store import Store


class CountedTwin(NamedTuple):
    """An evening that counts, of which a log tells, too.

    ``events`` is how many it has. ``forked`` is whether the two go on differently, after a number
    of ``hands`` that both have.
    """

    session_id: str
    title: str
    events: int
    forked: bool = False
    hands: int = 0

    @property
    def refusal(self) -> Unusable:
        """Why the log is refused."""
        if not self.forked:
            words = f"it is the same evening as {self.title} ({self.session_id}), which is entered"
            cause = Cause(f"{words} already", "same_evening", title=self.title)
        else:
            words = (f"it begins as {self.title} ({self.session_id}), which is entered already, "
                     f"and goes on differently; hands in both: {self.hands}. If this one is right, "
                     "withdraw the other first")  # fmt: skip
            cause = Cause(words, "forked_evening", title=self.title, hands=self.hands)
        return Unusable(cause, field="data.session")


def told_alike(log: Sequence[RawEvent], session_id: str, store: Store) -> CountedTwin | None:
    """A session as the twin of a sealed log; None where both have no hand, and neither is all."""
    other = [RawEvent.stored(line) for line in store.read(session_id).lines]
    pairs = zip(log, other, strict=False)
    shared = [one for one, _ in takewhile(lambda pair: pair[0].hash == pair[1].hash, pairs)]
    hands = sum(one.type == HandStarted.TYPE for one in shared)
    forked = len(shared) < min(len(log), len(other))
    if not shared or (forked and not hands):
        return None
    return CountedTwin(session_id, str(other[0].data.get("title", "")), len(other), forked, hands)


def twin_of(log: Sequence[RawEvent], books: Books, store: Store) -> CountedTwin | None:
    """The evening, of those that count, of which a log tells; None for none."""
    for one in books.evenings.values():
        if not log[0].hash:
            if _same_by_hand(log, one, store):
                return CountedTwin(one.session_id, one.title, one.events)
        elif log[0].hash == one.first:
            twin = told_alike(log, one.session_id, store)
            if twin is not None:
                return twin
    return None


def _same_by_hand(log: Sequence[RawEvent], one: PlayedEvening, store: Store) -> bool:
    """Whether an evening has these events and no others; by hand they have no hashes."""
    if (len(log), log[0].data.get("title")) != (one.events, one.title):
        return False
    return digest(log) == digest(LogFile(BytesIO(store.export(one.session_id)), None))


def digest(log: Iterable[RawEvent]) -> str:
    """The same text for logs that say the same, whenever it was recorded."""
    told: list[Any] = [[one.type, one.data] for one in log]
    return sha256(canonical.encode({"events": told})).hexdigest()

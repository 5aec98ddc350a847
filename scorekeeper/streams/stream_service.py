"""The service of any kind of stream: append idempotently under its lock, notify, manage keys."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from scorekeeper.base.errors import (
    KeyReusedError,
    ScorekeeperError,
    StaleVersionError,
    UnknownKeyError,
)
from scorekeeper.base.pacing import WaitLimits
from scorekeeper.store import (
    Answer,
    Attempt,
    Clock,
    KeyRequest,
    NewKey,
    Position,
    Repeated,
    Request,
    Store,
    StoredLine,
)
from scorekeeper.store.contract import NO_EFFECTS, AppendEffects
from scorekeeper.store.follow_store import FollowStore
from scorekeeper.store.host_store import HostStore
from scorekeeper.store.key_store import KeyStore
from scorekeeper.store.limit_store import LimitStore
from scorekeeper.store.publication_store import PublicationStore
from scorekeeper.streams.folded import FoldedStream
from scorekeeper.streams.holder import Holder
from scorekeeper.streams.requests import Recorded, StreamAppend, UnderLock
from scorekeeper.streams.room import LogCapacity
from scorekeeper.streams.stream_cache import StreamCache

F = TypeVar("F", bound=FoldedStream)
A = TypeVar("A", bound=StreamAppend)
T = TypeVar("T")

Notify = Callable[[str, Position], None]
RateCheck = Callable[[str, Holder, int], None]


def notify_none(stream_id: str, position: Position) -> None:
    """Notify no client of a change."""


def allow_all(stream_id: str, holder: Holder, events: int) -> None:
    """Allow any rate of events."""


def prepare_nothing() -> None:
    """Prepare nothing before the lock of a stream is taken."""


class Validated(NamedTuple):
    """New entries that a stream accepted: their lines, and the answer to the request."""

    lines: list[StoredLine]
    answer: Answer
    effects: AppendEffects = NO_EFFECTS


class StreamService(ABC, Generic[F, A]):
    """The use cases of one kind of stream that are the same for every kind.

    The kind declares how to fold a stream, how to validate a request, and who may do what.
    ``notify`` is called after each durable change, with the id and the position. ``admit`` is
    called before events are recorded, with the id, the holder and the number of events; it raises
    `RateLimitError` to refuse them. ``room`` limits the size of a log.
    """

    def __init__(
        self,
        store: Store,
        cache: StreamCache[F],
        limits: WaitLimits,
        notify: Notify,
        admit: RateCheck,
        room: LogCapacity,
        clock: Clock,
    ) -> None:
        self.store = store
        self.limits = limits
        self._cache = cache
        self._notify = notify
        self._admit = admit
        self._room = room
        self._clock = clock

    @property
    def access(self) -> KeyStore:
        """The keys to the streams, the phones that hold them, and the codes to join."""
        return self.store

    @property
    def hosting(self) -> HostStore:
        """The requests of seats to become the host."""
        return self.store

    @property
    def counters(self) -> LimitStore:
        """The counters of acts that are limited."""
        return self.store

    @property
    def following(self) -> FollowStore:
        """Which clubs follow which sessions."""
        return self.store

    @property
    def publishing(self) -> PublicationStore:
        """The public addresses of streams."""
        return self.store

    @abstractmethod
    def _recorded(self, folded: F, version: int, holder: Holder) -> bool:
        """Return whether a holder recorded the event at a version."""

    @abstractmethod
    def _refuse_unknown_player(self, id_: str, player: str) -> None:
        """Raise `UnusableError` for a player, or member, that a key cannot be for."""

    def _may_follow(self, folded: F, asked: A, holder: Holder) -> bool:
        """Return whether an append for an earlier version may be recorded after all."""
        return False

    def end(self, id_: str) -> Position:
        """Return the end of a stream. Raises `UnknownSessionError`."""
        return self.store.position(id_)

    def has_head(self, id_: str, version: int, head: str) -> bool:
        """Return whether a stream has, or had, this head at a version."""
        return self.store.hash_at(id_, version) == head

    def find_answer(self, id_: str, key: str, digest: bytes) -> Repeated | None:
        """Return the answer to an earlier request with this key and digest, or None.

        Raises `KeyReusedError` if the key came with another digest.
        """
        return self.store.answered(id_, key, digest)

    def now(self) -> str:
        """Return the time that this service records, as in a log."""
        return self._clock()

    # ------------------------------------------------------------------------------ recording

    def _record_under_lock(
        self,
        id_: str,
        asked: A,
        holder: Holder,
        validate: UnderLock[F, Validated],
        make: UnderLock[F, T],
        prepare: Callable[[], None] = prepare_nothing,
    ) -> tuple[Recorded, T]:
        """Record what ``validate`` returns; return also the result of ``make`` after it.

        Both are called under the lock of the stream, and ``prepare`` before it. A repeated request
        returns its first answer. Raises what they raise, `StaleVersionError`, `KeyReusedError`,
        `UnknownSessionError`, or `MissingKeyError` if the holder's key was revoked meanwhile.
        """
        try:
            prepare()
            result = self._append(id_, asked, holder, validate, make)
        except ScorekeeperError:
            before = asked.key and self.store.answered(id_, asked.key, asked.digest)
            if not before:
                raise
            if holder.key is not None:
                self.store.refuse_closed(holder.key)
            result = before
        if not isinstance(result, Repeated):
            return result
        with self._cache.fresh(id_) as folded:
            if not self._recorded(folded, result.version, holder):
                raise KeyReusedError  # the answer may contain data that is hidden from this one
            return Recorded(result.version, result.answer), make(folded)

    def _append(
        self,
        id_: str,
        asked: A,
        holder: Holder,
        validate: UnderLock[F, Validated],
        make: UnderLock[F, T],
    ) -> tuple[Recorded, T] | Repeated:
        """Validate and append under the lock of the stream; see `_record_under_lock`.

        Returns the first answer if the store reports a repetition.
        """
        with self._cache.held(id_) as folded:
            if folded.position.version != asked.expected or not asked.expected:
                folded.refresh()
            after = folded.position
            if after.version != asked.expected and not self._may_follow(folded, asked, holder):
                raise StaleVersionError(asked.expected, *after)
            with folded.trial():
                lines, answer, effects = validate(folded)
                request = Request(asked.key, asked.digest, answer) if asked.key else None
                self.limits.before_commit()
                repeated = self.store.append(id_, after, lines, request, holder.key, effects)
                if repeated is not None:
                    folded.take_back()
                    return repeated
                folded.settle(effects.recorders)
            end = Position(lines[-1].seq, lines[-1].hash)
            for other in effects.others:
                last = other.lines[-1]
                self._notify(other.stream_id, Position(last.seq, last.hash))
            self._notify(id_, end)
            return Recorded(end.version, answer), make(folded)

    # ----------------------------------------------------------------------------------- keys

    def add_key(
        self,
        id_: str,
        requested: KeyRequest,
        replaces: str | None = None,
        attempt: Attempt | None = None,
    ) -> NewKey:
        """Make a key to a stream, and revoke the one that it replaces, if any.

        A repeated attempt makes no second key. Raises `UnusableError` for an unknown player,
        `UnknownKeyError`, or `LastKeyError` if the last key of the host would be replaced by one
        that expires.
        """
        if requested.player is not None:
            self._refuse_unknown_player(id_, requested.player)
        return self.store.add_key(id_, requested, replaces, attempt)

    def revoke_key(self, id_: str, key_id: str, *, ends_code: bool) -> None:
        """Revoke a key, and with ``ends_code`` also the present code to join.

        Raises `UnknownKeyError` or `LastKeyError`.
        """
        if not self.store.revoke_key(id_, key_id, ends_code=ends_code):
            raise UnknownKeyError(key_id)

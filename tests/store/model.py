"""A reference store without transactions, of lists and dicts, to compare others with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from scorekeeper.base.errors import StaleVersionError, UnknownSessionError
from scorekeeper.store import keyring, limits, streams
from scorekeeper.store.contract import (
    Clock,
    Key,
    KeyRequest,
    New,
    NewKey,
    Opened,
    Position,
    Repeated,
    Request,
    StoredLine,
    Stream,
)
from scorekeeper.store.streams import Done


@dataclass(slots=True)
class Evening:
    """One session with its requests and keys."""

    lines: list[StoredLine]
    requests: dict[str, Done] = field(default_factory=dict)
    keys: dict[str, Key] = field(default_factory=dict)

    @property
    def position(self) -> Position:
        return streams.find_end(self.lines)


class Model:
    """A single-threaded store of streams, keys and limits."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._evenings: dict[str, Evening] = {}
        self._secrets: dict[str, tuple[str, str]] = {}  # secret: session id, key id
        self._limits: dict[tuple[str, str], tuple[str, int]] = {}

    def _evening(self, session_id: str) -> Evening:
        if session_id not in self._evenings:
            raise UnknownSessionError(session_id)
        return self._evenings[session_id]

    # ------------------------------------------------------------------------------- streams

    def open_session(
        self, events: Iterable[New], by: str, keys: Iterable[KeyRequest] = ()
    ) -> Opened:
        return self._open(streams.sealed(streams.BEGINNING, events, self.clock(), by), keys)

    def import_sealed(self, lines: Iterable[bytes], keys: Iterable[KeyRequest] = ()) -> Opened:
        return self._open(streams.read_sealed(lines), keys)

    def _open(self, lines: list[StoredLine], requests: Iterable[KeyRequest]) -> Opened:
        session_id = keyring.new_id()
        evening = self._evenings[session_id] = Evening(lines)
        new_keys = tuple(self.add_key(session_id, requested) for requested in requests)
        return Opened(session_id, *evening.position, tuple(line.line for line in lines), new_keys)

    def append(
        self,
        session_id: str,
        after: Position,
        lines: Sequence[StoredLine],
        request: Request | None = None,
        key: Key | None = None,
    ) -> Repeated | None:
        streams.refuse_unfit(after, lines, request)
        evening = self._evening(session_id)
        if request is not None and request.key in evening.requests:
            return streams.answer_repeated(evening.requests[request.key], request.digest)
        if evening.position != after:
            raise StaleVersionError(after.version, *evening.position)
        evening.lines += lines
        if request is not None:
            evening.requests[request.key] = streams.make_done(request, lines[-1].seq)
        return None

    def answered(self, session_id: str, key: str, digest: bytes) -> Repeated | None:
        done = self._evening(session_id).requests.get(key)
        return None if done is None else streams.answer_repeated(done, digest)

    def position(self, session_id: str) -> Position:
        return self._evening(session_id).position

    def read(self, session_id: str, after: int = 0, most: int | None = None) -> Stream:
        evening = self._evening(session_id)
        selected = evening.lines[max(after, 0) :][:most]
        return Stream(*evening.position, tuple(line.line for line in selected))

    def hash_at(self, session_id: str, version: int) -> str | None:
        lines = self._evening(session_id).lines
        return lines[version - 1].hash if 1 <= version <= len(lines) else None

    def export(self, session_id: str) -> bytes:
        return b"".join(line + b"\n" for line in self.read(session_id).lines)

    # ---------------------------------------------------------------------------------- keys

    def add_key(self, session_id: str, requested: KeyRequest) -> NewKey:
        new, _ = keyring.make_key(session_id, requested, self.clock())
        self._evening(session_id).keys[new.key.id] = new.key
        self._secrets[new.secret] = session_id, new.key.id
        return new

    def find_key(self, secret: str) -> Key | None:
        session_id, name = self._secrets[secret]
        key = self._evenings[session_id].keys[name]
        return key if keyring.is_open(key, self.clock()) else None

    def keys(self, session_id: str) -> tuple[Key, ...]:
        return tuple(self._evening(session_id).keys.values())

    def revoke_key(self, session_id: str, key: str) -> bool:
        keys = self._evening(session_id).keys
        keyring.refuse_last_host_key(keys.values(), key)
        if keys[key].revoked is None:
            keys[key] = replace(keys[key], revoked=self.clock())
        return True

    def touch_key(self, key: Key) -> None:
        if not keyring.used_this_hour(key, self.clock()):
            self._evening(key.stream_id).keys[key.id] = replace(key, last_used=self.clock())

    # -------------------------------------------------------------------------------- limits

    def hit(self, kind: str, subject: str, most: int, window: int) -> int:
        left = self.wait(kind, subject, most, window)
        if not left:
            now = self.clock()
            started, count = self._limits.get((kind, subject), (now, 0))
            fresh = limits.is_window_over(started, now, window)
            self._limits[kind, subject] = (now, 1) if fresh else (started, count + 1)
        return left

    def wait(self, kind: str, subject: str, most: int, window: int) -> int:
        return limits.seconds_left(self._limits.get((kind, subject)), most, window, self.clock())

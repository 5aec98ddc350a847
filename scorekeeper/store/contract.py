"""The types of the arguments and results of a store."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, Protocol, get_args

from scorekeeper.base.json_object import JsonObject
from scorekeeper.log.reading import Verdict

Clock = Callable[[], str]  # returns the time in the format of a log
New = tuple[str, JsonObject]  # an event to record: its type, and its data in NFC
Role = Literal["host", "seat", "view"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
PublicNames = Literal["initials", "full"]  # how a public page shows the names of people
PUBLIC_NAMES: Final[tuple[PublicNames, ...]] = get_args(PublicNames)
PartLeftOut = Literal["", "standings"]  # the part that a public page leaves out
LEFT_OUT: Final[tuple[PartLeftOut, ...]] = get_args(PartLeftOut)
LONGEST_KEY: Final = 200  # characters of an idempotency key

# The ids of the keys that recorded events whose ``by`` does not name the recorder, by seq.
Recorders = Mapping[int, str]
NO_RECORDERS: Final[Recorders] = MappingProxyType({})


class Position(NamedTuple):
    """The end of a stream: the seq of its last event, and the hash of that event."""

    version: int
    head: str


class StoredLine(NamedTuple):
    """One event as stored: its canonical line, and the columns that repeat its fields."""

    line: bytes
    seq: int
    type: str
    at: str
    by: str
    hash: str


@dataclass(frozen=True, slots=True)
class Stream:
    """The lines of a session after some event, canonical and without line feeds."""

    version: int
    head: str
    lines: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request: an HTTP status, and the exact bytes of the body."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Repeated:
    """The first answer to a repeated request, and the version that the first request made."""

    version: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Request:
    """The idempotency key of an append, which is executed only once.

    ``digest`` is the SHA-256 of the body. ``answer`` is returned to every repetition.
    """

    key: str
    digest: bytes
    answer: Answer


@dataclass(frozen=True, slots=True)
class Attempt:
    """The idempotency key of a request that makes keys or codes.

    A repetition makes the same ones again. The secrets are derived from ``key`` and ``digest``, so
    ``key`` must be hard to guess. ``digest`` is the SHA-256 of the request's body.
    """

    key: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """A capability key to make. ``expires`` is a time in the format of a log; None for never."""

    role: Role
    player: str | None = None
    expires: str | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """A capability key without its secret. Times have the format of a log."""

    id: str
    stream_id: str
    role: Role
    player: str | None
    created: str
    expires: str | None = None
    revoked: str | None = None
    last_used: str | None = None

    def columns(self) -> JsonObject:
        """Return its fields by their names in the database table and in a backup."""
        fields = asdict(self)
        return {"session": fields.pop("stream_id"), **fields}


class Followed(NamedTuple):
    """A session that a club may read by a key.

    ``key`` is the id of the key by which the session was entered; empty for none. ``stop`` is the
    last position that the club may read, once the key was closed; None while it is open.
    """

    session_id: str
    club: str
    key: str
    stop: Position | None = None


class Publication(NamedTuple):
    """A public address of a stream, which shows a page without a key.

    The addresses of a stream are numbered from 1. The latest opens the page, unless it has ended.
    ``parents`` are the origins whose pages may frame it, separated by spaces.
    """

    stream_id: str
    number: int
    address: str
    created: str
    ended: str | None
    names: PublicNames
    parents: str
    left_out: PartLeftOut = ""

    def columns(self) -> JsonObject:
        """Return its fields by their names in the database table and in a backup."""
        fields = self._asdict()
        return {"session": fields.pop("stream_id"), **fields}


@dataclass(frozen=True, slots=True)
class NewKey:
    """A new key with its secret, which is shown only once."""

    key: Key
    secret: str


@dataclass(frozen=True, slots=True)
class NewStream:
    """A stream to be created at ``created``: its first lines, and its keys with their digests."""

    id: str
    created: str
    lines: Sequence[StoredLine]
    keys: Sequence[tuple[NewKey, bytes]]

    @property
    def opened(self) -> "Opened":
        """The stream as it is once it has been created."""
        last = self.lines[-1]
        first = tuple(stored.line for stored in self.lines)
        return Opened(self.id, last.seq, last.hash, first, tuple(key for key, _ in self.keys))


class OtherAppend(NamedTuple):
    """Lines that are appended to another stream, which must end at ``after``."""

    stream_id: str
    after: Position
    lines: Sequence[StoredLine]


class AppendEffects(NamedTuple):
    """What an append writes in its transaction, beside the events of its stream.

    ``recorders`` are the key ids, by seq, of events whose ``by`` does not name the recorder. If the
    stream is a club, it stops following the sessions ``unfollowed``. The streams ``opens`` are
    created; a tournament follows the sessions that it opens. ``others`` are appends to sessions of
    a tournament.
    """

    recorders: Recorders = NO_RECORDERS
    unfollowed: Collection[str] = ()
    opens: Sequence[NewStream] = ()
    others: Sequence[OtherAppend] = ()

    def count_lines(self) -> int:
        """Return the number of lines in other streams."""
        opened = sum(len(new.lines) for new in self.opens)
        return opened + sum(len(other.lines) for other in self.others)


NO_EFFECTS: Final = AppendEffects()


@dataclass(frozen=True, slots=True)
class Opened:
    """A new session, with its first lines, and its keys in the order of the requests for them."""

    id: str
    version: int
    head: str
    lines: tuple[bytes, ...]
    keys: tuple[NewKey, ...]
    repeated: bool = False  # whether an earlier attempt with the same key opened it


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry in the list of sessions; ``opening`` is the line of its first event."""

    id: str
    created: str
    version: int
    head: str
    opening: bytes


@dataclass(frozen=True, slots=True)
class Checked:
    """The verdict on one session's stream as stored."""

    session_id: str
    verdict: Verdict


class BackupContents(NamedTuple):
    """What a backup holds: streams by their kind, and events.

    ``newest`` is the time of its newest event, empty without events.
    """

    streams: Mapping[str, int]
    events: int
    newest: str


@dataclass(frozen=True, slots=True)
class Durability:
    """The effective settings of the database that protect acknowledged commits."""

    database: str
    durable: bool  # whether a commit survives a power cut, if the disk honours fsync
    settings: Mapping[str, str]


# Returns whether a stored answer agrees with the lines of the stream at the version that its
# request made.
Fits = Callable[[Repeated, Sequence[StoredLine]], bool]


# Raises `UnusableError`, with the seq as its line, if a stream of this id cannot have these lines.
LogCheck = Callable[[str, Sequence[StoredLine]], None]


def any_log(stream_id: str, lines: Sequence[StoredLine]) -> None:
    """Accept every log: a `LogCheck` for a caller that does not know the events."""


def any_answer(repeated: Repeated, lines: Sequence[StoredLine]) -> bool:
    """Return True: a `Fits` for a caller that does not know the format of answers."""
    return True


class Watch(Protocol):
    """A listener for changes in the store, used by one thread."""

    def wait(self, timeout: float, watched: Callable[[], Iterable[str]]) -> Mapping[str, Position]:
        """Wait for a change, at most ``timeout`` seconds, and return new positions by session.

        The result includes every session in ``watched()`` that changed since the last call. It may
        also include other sessions, and the same position more than once.
        """
        ...

    def close(self) -> None: ...

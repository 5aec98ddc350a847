"""The values that go into a store and come out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Protocol, get_args

from scorekeeper.log.reading import Verdict

Clock = Callable[[], str]  # the time as a log writes it
New = tuple[str, Mapping[str, Any]]  # an event to record: its type, and its data in NFC
Role = Literal["host", "seat", "view"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
LONGEST_KEY: Final = 200  # characters of an idempotency key


# Ids of keys by the seqs of the events that came by them, where the log does not say who did.
Recorders = Mapping[int, str]
NO_RECORDERS: Final[Recorders] = MappingProxyType({})


class Position(NamedTuple):
    """Where a stream ends: the seq of its last event, and that event's hash."""

    version: int
    head: str


class StoredLine(NamedTuple):
    """One event as stored: its canonical line, and the columns that say what is in it."""

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
    """What a request was answered: an HTTP status, and the body byte for byte."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Repeated:
    """The first answer to a request that came again, and the version that it made."""

    version: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Request:
    """An append that is done once however often it comes.

    ``digest`` is the SHA-256 of the body; ``answer`` is what every repetition is answered, too.
    """

    key: str
    digest: bytes
    answer: Answer


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request that makes keys, and makes them once however often it is sent.

    Whoever knows ``key`` and ``digest`` knows the secrets that are made, so ``key`` is hard to
    guess. ``digest`` is the SHA-256 of what was asked for.
    """

    key: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class Wish:
    """A capability key to be made. ``expires`` is a time as a log writes it, or never."""

    role: Role
    player: str | None = None
    expires: str | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """A capability key as the store knows it: not the secret, only what it opens."""

    id: str
    session_id: str
    role: Role
    player: str | None
    created: str
    expires: str | None = None
    revoked: str | None = None
    last_used: str | None = None

    def columns(self) -> dict[str, Any]:
        """What the table of keys and a backup say of it, by the names that they use."""
        facts = asdict(self)
        return {"session": facts.pop("session_id"), **facts}


class Followed(NamedTuple):
    """An evening that a club may read by a key; ``stop`` is where it ended once that was closed.

    ``key`` is the id of the key by which it was entered, empty for none.
    """

    session_id: str
    club: str
    key: str
    stop: Position | None = None


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key just made, with the secret that is shown only once."""

    key: Key
    secret: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A new session, with its first lines and its keys in the order of the wishes."""

    id: str
    version: int
    head: str
    lines: tuple[bytes, ...]
    keys: tuple[NewKey, ...]
    repeated: bool = False  # whether the same request opened it before


@dataclass(frozen=True, slots=True)
class Listed:
    """One session of the list, with the line of its first event."""

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


@dataclass(frozen=True, slots=True)
class Durability:
    """What the database does, in effect, so that what it acknowledged is not lost."""

    database: str
    durable: bool  # also through a power cut, as far as the disk keeps its word
    settings: Mapping[str, str]


# Whether an answer is what was told of a stream when it had the version that the request made.
Fits = Callable[[Repeated, Sequence[StoredLine]], bool]


# Raises `UnusableError`, with the seq as its line, if a stream of this id cannot have these lines.
LogCheck = Callable[[str, Sequence[StoredLine]], None]


def any_log(stream_id: str, lines: Sequence[StoredLine]) -> None:
    """Let every log pass, for a caller that does not know the events."""


def any_answer(repeated: Repeated, lines: Sequence[StoredLine]) -> bool:
    """Every answer fits, to somebody who does not know how they are written."""
    return True


class Watch(Protocol):
    """One watcher's own ear on the store, used by one thread."""

    def wait(self, timeout: float, watched: Callable[[], Iterable[str]]) -> Mapping[str, Position]:
        """Wait up to a given number of seconds for a change; the positions that may be new.

        Tells of every session in ``watched()`` that changed since the last call, and may tell
        of others, or twice.
        """
        ...

    def close(self) -> None: ...

"""What every store does: the contract, and the values that go in and come out.

A store keeps the streams of sessions: sealed lines that are only ever added to. What was
appended is durable when ``append`` returns. Every call may raise StorageUnavailable; where one
that writes does, nothing of it is on record, unless the error says ``unknown``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Protocol, Self, get_args

from scorekeeper.log.reading import Verdict

Clock = Callable[[], str]  # the time as a log writes it
New = tuple[str, Mapping[str, Any]]  # an event to record: its type, and its data in NFC
Role = Literal["host", "seat", "view"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
LONGEST_KEY: Final = 200  # characters of an idempotency key


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
class Wish:
    """A capability key to be made. ``expires`` is a time as a log writes it, or never."""

    role: Role
    player: str | None = None
    expires: str | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """A capability key as the store knows it: not the secret, only what it opens."""

    id: str
    session: str
    role: Role
    player: str | None
    created: str
    expires: str | None = None
    revoked: str | None = None
    last_used: str | None = None


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key just made, with the secret that is shown this once."""

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

    session: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Durability:
    """What the database does, in effect, so that what it acknowledged is not lost."""

    database: str
    durable: bool  # also through a power cut, as far as the disk keeps its word
    settings: Mapping[str, str]


# Whether an answer is what was told of a stream when it had the version that the request made.
Fits = Callable[[Repeated, Sequence[StoredLine]], bool]


def any_answer(repeated: Repeated, lines: Sequence[StoredLine]) -> bool:
    """Every answer fits, to who does not know how they are written."""
    return True


class Watch(Protocol):
    """One watcher's own ear on the store, used by one thread."""

    def wait(self, timeout: float, watched: Callable[[], Iterable[str]]) -> Mapping[str, Position]:
        """Wait up to so many seconds for a change; the positions that may be new.

        Tells of every session in ``watched()`` that changed since the last call, and may tell
        of others, or twice.
        """
        ...

    def close(self) -> None: ...


class Store(Protocol):
    """Streams of events, requests, capability keys and limits, kept for good."""

    clock: Clock

    # ------------------------------------------------------------------------------ streams

    def open_session(self, events: Iterable[New], by: str, keys: Iterable[Wish] = ()) -> Opened:
        """Begin a session with these events, and make its keys."""
        ...

    def import_sealed(self, lines: Iterable[bytes], keys: Iterable[Wish] = ()) -> Opened:
        """Begin a session with the lines of a sealed log file, kept byte for byte.

        Each line comes with its line feed. Unusable, with the line, where they are not whole;
        what the events mean is not looked at.
        """
        ...

    def append(
        self,
        session: str,
        after: Position,
        lines: Sequence[StoredLine],
        request: Request | None = None,
        key: Key | None = None,
    ) -> Repeated | None:
        """Put these lines on record, if the session ends at ``after``.

        With a key, only if that still opens something as they are written: NoKey. None once it is
        done; or the first answer to a request that came before, which is not done again, wherever
        the session ends now. UnknownSession, StaleVersion, KeyReused; ValueError where the lines
        are not the next ones after ``after``.
        """
        ...

    def answered(self, session: str, key: str, digest: bytes) -> Repeated | None:
        """The answer to a request that was done before; KeyReused if with another body."""
        ...

    def position(self, session: str) -> Position:
        """Where the session ends now; UnknownSession."""
        ...

    def read(self, session: str, after: int = 0, most: int | None = None) -> Stream:
        """The session's lines after a seq, at most so many, and where it ends; UnknownSession."""
        ...

    def hash_at(self, session: str, version: int) -> str | None:
        """The hash that the session had at a version; None where it never had that version."""
        ...

    def export(self, session: str) -> bytes:
        """The session's sealed log: its stored lines, each with a line feed; UnknownSession."""
        ...

    def sessions(self) -> list[Listed]:
        """All sessions, the oldest first."""
        ...

    # --------------------------------------------------------------------------------- keys

    def add_key(self, session: str, wish: Wish, replaces: str | None = None) -> NewKey:
        """Make one more key to a session, and revoke the one that it replaces, if any.

        Both or neither. UnknownSession, UnknownKey; LastKey as in ``revoke_key``.
        """
        ...

    def find_key(self, secret: str) -> Key | None:
        """The key with this secret, if it opens anything now."""
        ...

    def known_key(self, secret: str) -> Key | None:
        """The key with this secret, whether or not it opens anything."""
        ...

    def refuse_closed(self, key: Key) -> None:
        """NoKey where a key that was found before opens nothing any more."""
        ...

    def keys(self, session: str) -> tuple[Key, ...]:
        """All keys ever made to a session, the oldest first; UnknownSession."""
        ...

    def revoke_key(self, session: str, key: str) -> bool:
        """Let a key open nothing any more; whether the session has a key with this id.

        LastKey where no other key is left to the host for good: however many revoke at once,
        one of them stays.
        """
        ...

    def touch_key(self, key: Key) -> None:
        """Note that a key was used, to the hour. Nothing happens where that cannot be written."""
        ...

    # ------------------------------------------------------------------------------- phones

    def take_seat(self, phone: str, session: str, player: str) -> Key:
        """Let a phone sit down on a seat that is free: the key to it that it holds from now on.

        A phone is known by a secret of its own, and holds one key to a session. However many ask
        at once, one of them sits down, and the others are told SeatTaken. Who sits there already
        stays. UnknownSession.
        """
        ...

    def take_key(self, phone: str, key: Key) -> None:
        """Let a phone hold a key that came to it; NoKey where that opens nothing any more.

        A seat's key is held by one phone, and the others are told SeatTaken; so are they where
        somebody sat down there since the key was made.
        """
        ...

    def hold(self, phone: str, keys: Iterable[Key]) -> None:
        """Let a phone hold keys that it had otherwise, to sessions to which it holds none.

        They may open nothing any more.
        """
        ...

    def held_key(self, phone: str, session: str) -> Key | None:
        """The key to a session that a phone holds, whether or not it opens anything."""
        ...

    def held_keys(self, phone: str, most: int) -> tuple[Key, ...]:
        """So many of the keys that a phone holds, that which was used last first."""
        ...

    # -------------------------------------------------------------------------------- codes

    def new_code(self, session: str, seconds: int) -> str:
        """Make the code by which one joins a session for so many seconds; UnknownSession.

        A session has one at a time: the one before it leads nowhere any more.
        """
        ...

    def find_code(self, code: str) -> str | None:
        """The session that a code leads to now."""
        ...

    # ------------------------------------------------------------------------------- limits

    def hit(self, kind: str, subject: str, most: int, window: int) -> int:
        """Count one more act; 0 if it is allowed, else the seconds to wait.

        ``most`` acts are allowed in ``window`` seconds from the first one. A kind has one window.
        """
        ...

    def wait(self, kind: str, subject: str, most: int, window: int) -> int:
        """The seconds to wait until one more act is allowed; counts nothing."""
        ...

    # -------------------------------------------------------------------------------- upkeep

    def verify_all(self) -> Iterator[Checked]:
        """The verdict on every stream: its chain, and whether the columns say what it says."""
        ...

    def backup(self, path: Path) -> None:
        """Write a backup in the database's own form while others go on, and verify it.

        UnusableBackup where there is such a file already.
        """
        ...

    def bundle(self, path: Path) -> None:
        """Write a backup as logs in a zip, which every store can restore, and verify it."""
        ...

    def restore(self, path: Path, *, overwrite: bool = False, fits: Fits = any_answer) -> None:
        """Put back what a backup or a bundle holds, verified before and after.

        Nothing is changed unless all of it fits together: logs, keys and requests, and by
        ``fits`` what was answered. A bundle adds what is missing, and cannot do more. A copy of
        the database takes its place: only if it holds all events that are here, or with
        ``overwrite``.
        UnusableBackup for a file that is damaged, or has other events than are here.
        """
        ...

    def durability(self) -> Durability:
        """The modes in effect, asked of the database."""
        ...

    def complaints(self) -> list[str]:
        """What keeps the store from serving, in plain words; empty where all is in order."""
        ...

    def watch(self) -> Watch:
        """A new ear for changes, heard from now on."""
        ...

    def close(self) -> None:
        """Give back what is held open. The store may be used again, and opens it anew."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

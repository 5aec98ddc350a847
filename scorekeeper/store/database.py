"""What every store does, by statements on its tables: the contract, and all but the transactions.

What was appended is durable when ``append`` returns. Every call may raise StorageUnavailable;
where one that writes does, nothing of it is on record, unless the error says ``unknown``. It is
one class, and long, as that is what others hold in their hands.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import ClassVar, Final, Self, TypeVar

from scorekeeper.base.errors import (
    StaleVersion,
    StorageUnavailable,
    UnknownKey,
    UnknownSession,
    UnusableBackup,
)
from scorekeeper.store import bundles, keyring, limits, statements, streams, transactions
from scorekeeper.store.contract import (
    Checked,
    Clock,
    Durability,
    Fits,
    Key,
    Listed,
    New,
    NewKey,
    Opened,
    Position,
    Repeated,
    Request,
    StoredLine,
    Stream,
    Watch,
    Wish,
    any_answer,
)
from scorekeeper.store.kept import Kept
from scorekeeper.store.transactions import known
from scorekeeper.store.work import Work, key_values

LARGEST: Final = 2**31 - 1  # that a database is asked for
A_WHILE: Final = 10.0  # seconds in which what could not be noted is not tried again

T = TypeVar("T")


class Store(ABC):
    """Streams of events, requests, capability keys and limits, kept for good.

    What a subclass adds is how a transaction is had.
    """

    clock: Clock
    _refusals: ClassVar[tuple[type[Exception], ...]]  # of what breaks a rule of a table
    _touch_from = 0.0  # in seconds of the monotonic clock

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Work]:
        """A connection for one statement that reads."""

    def _glancing(self) -> AbstractContextManager[Work]:
        """A connection for one statement that reads a row."""
        return self._reading()

    @abstractmethod
    def _snapshot(self) -> AbstractContextManager[Work]:
        """A connection for several statements that read one state."""

    @abstractmethod
    def _writing(self, lock: str, job: Callable[[Work], T]) -> T:
        """The result of a job done in one transaction, of which there is one for each lock.

        It may be done again from the start if it failed.
        """

    def _noting(self, lock: str, job: Callable[[Work], object]) -> None:
        """Do a job like ``_writing``, of which nobody minds if it is lost."""
        self._writing(lock, job)

    @abstractmethod
    def close(self) -> None:
        """Give back what is held open. The store may be used again, and opens it anew."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------- streams

    def open_session(self, events: Iterable[New], by: str, keys: Iterable[Wish] = ()) -> Opened:
        """Begin a session with these events, and make its keys."""
        return self._begun(keyring.new_id(), events, by, keys)

    def open_club(self, events: Iterable[New], by: str, keys: Iterable[Wish] = ()) -> Opened:
        """Begin a club: a stream like that of a session, known as a club's by its id."""
        return self._begun(keyring.new_club_id(), events, by, keys)

    def import_sealed(self, lines: Iterable[bytes], keys: Iterable[Wish] = ()) -> Opened:
        """Begin a session with the lines of a sealed log file, kept byte for byte.

        Each line comes with its line feed. Unusable, with the line, where they are not whole;
        what the events mean is not looked at.
        """
        return self._open(keyring.new_id(), streams.read_sealed(lines), keys, self.clock())

    def import_sealed_club(self, lines: Iterable[bytes], keys: Iterable[Wish] = ()) -> Opened:
        """Begin a club in the same way."""
        return self._open(keyring.new_club_id(), streams.read_sealed(lines), keys, self.clock())

    def _begun(self, id_: str, events: Iterable[New], by: str, keys: Iterable[Wish]) -> Opened:
        now = self.clock()
        return self._open(id_, streams.sealed(streams.BEGINNING, events, now, by), keys, now)

    def _open(
        self, session: str, lines: list[StoredLine], wishes: Iterable[Wish], now: str
    ) -> Opened:
        made = [keyring.make_key(session, wish, now) for wish in wishes]

        def job(work: Work) -> None:
            work.fill(statements.INSERT_SESSION, [{"id": session, "created": now}])
            work.fill(statements.INSERT_EVENT, transactions.event_values(session, lines))
            work.fill(statements.INSERT_KEY, (key_values(new.key, digest) for new, digest in made))

        self._writing(session, job)
        first = tuple(one.line for one in lines)
        return Opened(session, *streams.end(lines), first, tuple(new for new, _ in made))

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
        streams.refuse_unfit(after, lines, request)

        def job(work: Work) -> Repeated | None:
            if key is not None:
                transactions.refuse_closed(work, key, self.clock())
            at, before = transactions.end_and_answer(work, session, request)
            if before is not None:
                return before
            if at != after:
                raise StaleVersion(after.version, *at)
            work.fill(statements.INSERT_EVENT, transactions.event_values(session, lines))
            if request is not None:
                done = streams.done(request, lines[-1].seq)
                row = transactions.request_values(session, request.key, done)
                work.fill(statements.INSERT_REQUEST, [row])
            return None

        return self._writing(session, job)

    def answered(self, session: str, key: str, digest: bytes) -> Repeated | None:
        """The answer to a request that was done before; KeyReused if with another body."""
        streams.refuse_key(key)
        with self._reading() as work:
            return transactions.answered(work, session, key, digest)

    def position(self, session: str) -> Position:
        """Where the session ends now; UnknownSession."""
        with self._glancing() as work:
            return transactions.position(work, session)

    def read(self, session: str, after: int = 0, most: int | None = None) -> Stream:
        """The session's lines after a seq, at most so many, and where it ends; UnknownSession."""
        start = min(max(after, 0), LARGEST)
        upto = LARGEST if most is None else min(start + most, LARGEST)
        with self._reading() as work:
            rows = work.rows(statements.LINES_FROM, session=known(session), after=start, upto=upto)
            whole = rows and rows[-1][0] != upto  # nor is there an event beyond them
            end = Position(*rows[-1][:2]) if whole else transactions.position(work, session)
        return Stream(*end, tuple(line for seq, _, line in rows if seq > after))

    def hash_at(self, session: str, version: int) -> str | None:
        """The hash that the session had at a version; None where it never had that version."""
        if not 1 <= version <= LARGEST:
            return None
        with self._reading() as work:
            rows = work.rows(statements.HASH_AT, session=known(session), seq=version)
        return rows[0][0] if rows else None

    def export(self, session: str) -> bytes:
        """The session's sealed log: its stored lines, each with a line feed; UnknownSession."""
        with self._reading() as work:
            rows = work.rows(statements.LINES, session=known(session))
        if not rows:
            raise UnknownSession(session)
        return b"".join(line + b"\n" for (line,) in rows)

    def sessions(self) -> list[Listed]:
        """All sessions, the oldest first."""
        return [one for one in self._listed() if keyring.is_id(one.id)]

    def clubs(self) -> list[Listed]:
        """All clubs, the oldest first."""
        return [one for one in self._listed() if keyring.is_club(one.id)]

    def _listed(self) -> list[Listed]:
        with self._reading() as work:
            return [Listed(*row) for row in work.rows(statements.LISTED)]

    # ------------------------------------------------------------------------------ evenings

    def ends(self, sessions: Iterable[str]) -> dict[str, Position]:
        """Where each of these sessions ends that is there."""
        with self._reading() as work:
            rows = transactions.of_several(work, statements.ENDS, sessions)
            return {session: Position(*end) for session, *end in rows}

    def kept_evenings(self, sessions: Iterable[str]) -> dict[tuple[str, str], bytes]:
        """What was kept of these sessions, by session and head."""
        with self._reading() as work:
            rows = transactions.of_several(work, statements.KEPT_EVENINGS, sessions)
            return {(session, head): bytes(told) for session, head, told in rows}

    def keep_evening(self, session: str, head: str, told: bytes, but: Iterable[str] = ()) -> None:
        """Keep what a session comes to at a head, in the place of its other heads ``but`` these.

        Nothing happens where that cannot be written: it can be made again.
        """
        wanted = {head, *but}

        def job(work: Work) -> None:
            rows = transactions.of_several(work, statements.KEPT_EVENINGS, [known(session)])
            kept = {row[1]: row[2] for row in rows}
            for one in kept.keys() - (wanted if kept.get(head) == told else wanted - {head}):
                work.change(statements.FORGET_EVENING, session=session, head=one)
            if kept.get(head) != told:
                row = {"session": session, "head": head, "told": told}
                work.fill(statements.KEEP_EVENING, [row])

        with suppress(StorageUnavailable):
            self._noting(session, job)

    # ---------------------------------------------------------------------------------- keys

    def add_key(self, session: str, wish: Wish, replaces: str | None = None) -> NewKey:
        """Make one more key to a session, and revoke the one that it replaces, if any.

        Both or neither. UnknownSession, UnknownKey; LastKey as in ``revoke_key``.
        """

        def job(work: Work) -> NewKey:
            transactions.position(work, session)
            now = self.clock()
            new, digest = keyring.make_key(session, wish, now)
            work.fill(statements.INSERT_KEY, [key_values(new.key, digest)])
            if replaces is not None and not transactions.revoke(work, session, replaces, now):
                raise UnknownKey(replaces)
            return new

        return self._writing(known(session), job)

    def find_key(self, secret: str) -> Key | None:
        """The key with this secret, if it opens anything now."""
        found = self.known_key(secret)
        return found if found and keyring.opens(found, self.clock()) else None

    def known_key(self, secret: str) -> Key | None:
        """The key with this secret, whether or not it opens anything."""
        with self._glancing() as work:
            rows = work.rows(statements.KEY_OF_SECRET, digest=keyring.digest_of(secret))
        return Key(*rows[0]) if rows else None

    def refuse_closed(self, key: Key) -> None:
        """NoKey where a key that was found before opens nothing any more."""
        with self._glancing() as work:
            transactions.refuse_closed(work, key, self.clock())

    def keys(self, session: str) -> tuple[Key, ...]:
        """All keys ever made to a session, the oldest first; UnknownSession."""
        with self._reading() as work:
            rows = work.rows(statements.KEYS_OF, session=known(session))
            if not rows:
                transactions.position(work, session)
        return tuple(Key(*row) for row in rows)

    def revoke_key(self, session: str, key: str) -> bool:
        """Let a key open nothing any more; whether the session has a key with this id.

        LastKey where no other key is left to the host for good: however many revoke at once,
        one of them stays.
        """
        if not keyring.is_stream(session):
            return False
        return self._writing(
            session, lambda work: transactions.revoke(work, session, key, self.clock())
        )

    def touch_key(self, key: Key) -> None:
        """Note that a key was used, to the hour. Nothing happens where that cannot be written."""
        now = self.clock()
        if keyring.lately_used(key, now) or time.monotonic() < self._touch_from:
            return
        used = {"session": key.session, "key": key.id, "now": now}
        try:
            self._noting(key.session, lambda work: work.change(statements.TOUCH_KEY, **used))
        except StorageUnavailable:
            # When it was used last is not worth refusing what it is used for, nor to wait again.
            self._touch_from = time.monotonic() + A_WHILE

    # -------------------------------------------------------------------------------- phones

    def take_seat(self, phone: str, session: str, player: str) -> Key:
        """Let a phone sit down on a seat that is free: the key to it that it holds from now on.

        A phone is known by a secret of its own, and holds one key to a session. However many ask
        at once, one of them sits down, and the others are told SeatTaken. Who sits there already
        stays. UnknownSession.
        """

        def job(work: Work) -> Key:
            transactions.position(work, session)
            digest = keyring.digest_of(phone)
            return transactions.take_seat(work, digest, session, player, self.clock())

        return self._writing(known(session), job)

    def take_key(self, phone: str, key: Key) -> None:
        """Let a phone hold a key that came to it; NoKey where that opens nothing any more.

        A seat's key is held by one phone, and the others are told SeatTaken; so are they where
        somebody sat down there since the key was made.
        """

        def job(work: Work) -> None:
            transactions.refuse_closed(work, key, self.clock())
            transactions.take_key(work, keyring.digest_of(phone), key, self.clock())

        self._writing(key.session, job)

    def hold(self, phone: str, keys: Iterable[Key]) -> None:
        """Let a phone hold keys that it had otherwise, to sessions to which it holds none.

        They may open nothing any more.
        """
        digest, held = keyring.digest_of(phone), list(keys)
        self._writing(
            f"phone {digest.hex()}",
            lambda work: transactions.hold(work, digest, held, self.clock()),
        )

    def held_key(self, phone: str, session: str) -> Key | None:
        """The key to a session that a phone holds, whether or not it opens anything."""
        if not keyring.is_stream(session):
            return None
        with self._glancing() as work:
            return transactions.held_key(work, keyring.digest_of(phone), session)

    def held_keys(self, phone: str, most: int) -> tuple[Key, ...]:
        """So many of the keys that a phone holds, that which was used last first."""
        with self._reading() as work:
            digest = keyring.digest_of(phone)
            rows = work.rows(statements.HELD_KEYS, phone=digest, most=most)
        return tuple(Key(*row) for row in rows)

    # --------------------------------------------------------------------------------- codes

    def new_code(self, session: str, seconds: int) -> str:
        """Make the code by which one joins a session for so many seconds; UnknownSession.

        A session has one at a time: the one before it leads nowhere any more.
        """

        def job(work: Work) -> str:
            transactions.position(work, session)
            now = self.clock()
            work.change(statements.FORGET_CODES, session=session, now=now)
            code = transactions.unused_code(work)
            work.fill(statements.INSERT_CODE, [{
                "session": session,
                "digest": keyring.digest_of(code),
                "expires": limits.later(now, seconds),
            }])  # fmt: skip
            return code

        known(session)
        return self._writing("codes", job)

    def find_code(self, code: str) -> str | None:
        """The session that a code leads to now."""
        with self._reading() as work:
            rows = work.rows(statements.CODE, digest=keyring.digest_of(code))
        return rows[0][0] if rows and self.clock() < rows[0][1] else None

    # -------------------------------------------------------------------------------- limits

    def hit(self, kind: str, subject: str, most: int, window: int) -> int:
        """Count one more act; 0 if it is allowed, else the seconds to wait.

        ``most`` acts are allowed in ``window`` seconds from the first one. A kind has one window.
        """
        hashed = limits.subject_of(subject)

        def job(work: Work) -> int:
            now = self.clock()
            left = transactions.wait(work, kind, hashed, most, window, now)
            if not left:
                since = limits.since(now, window)
                work.change(statements.FORGET_LIMITS, kind=kind, since=since, now=now)
                work.change(statements.HIT, kind=kind, subject=hashed, since=since, now=now)
            return left

        return self.wait(kind, subject, most, window) or self._writing(f"limits {kind}", job)

    def wait(self, kind: str, subject: str, most: int, window: int) -> int:
        """The seconds to wait until one more act is allowed; counts nothing."""
        with self._reading() as work:
            hashed = limits.subject_of(subject)
            return transactions.wait(work, kind, hashed, most, window, self.clock())

    # -------------------------------------------------------------------------------- upkeep

    def verify_all(self) -> Iterator[Checked]:
        """The verdict on every stream: its chain, and whether the columns say what it says."""
        with self._reading() as work:
            sessions = [row[0] for row in work.rows(statements.SESSION_IDS)]
        for session in sessions:
            with self._snapshot() as work:
                lines = [StoredLine(*row) for row in work.rows(statements.ROWS, session=session)]
                ((answered,),) = work.rows(statements.LAST_ANSWERED, session=session)
            yield Checked(session, streams.checked(lines, answered or 0))

    def bundle(self, path: Path) -> None:
        """Write a backup as logs in a zip, which every store can restore, and verify it."""
        bundles.write(path, self._kept())

    def _kept(self) -> Iterator[Kept]:
        with self._reading() as work:
            sessions = work.rows(statements.SESSION_IDS)
        for session, created in sessions:
            with self._snapshot() as work:
                yield transactions.kept(work, session, created)

    def backup(self, path: Path) -> None:
        """Write a backup in the database's own form while others go on, and verify it.

        UnusableBackup where there is such a file already.
        """
        self.bundle(path)

    def restore(self, path: Path, *, overwrite: bool = False, fits: Fits = any_answer) -> None:
        """Put back what a backup or a bundle holds, verified before and after.

        Nothing is changed unless all of it fits together: logs, keys and requests, and by
        ``fits`` what was answered. A bundle adds what is missing, and cannot do more. A copy of
        the database takes its place: only if it holds all events that are here, or with
        ``overwrite``.
        UnusableBackup for a file that is damaged, or has other events than are here.
        """
        bundles.refuse_no_file(path)
        for _ in bundles.read(path, fits):
            pass  # verified as a whole before anything of it is written

        def job(work: Work) -> None:
            for session in bundles.read(path, fits):
                transactions.merge(work, session)

        try:
            self._writing("restore", job)
        except self._refusals as error:
            raise UnusableBackup(f"the database refuses what is in it: {error}") from error
        refuse_damage(self)

    @abstractmethod
    def durability(self) -> Durability:
        """The modes in effect, asked of the database."""

    @abstractmethod
    def complaints(self) -> list[str]:
        """What keeps the store from serving, in plain words; empty where all is in order."""

    @abstractmethod
    def watch(self) -> Watch:
        """A new ear for changes, heard from now on."""


def refuse_damage(store: Store) -> None:
    """UnusableBackup where a stream is not whole."""
    for checked in store.verify_all():
        if not checked.verdict.ok:
            raise UnusableBackup(f"session {checked.session}: {checked.verdict.reason}")

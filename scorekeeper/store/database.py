"""What the two databases have in common: everything but how a transaction is had."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar, Final, Self, TypeVar

from scorekeeper.base.errors import (
    StaleVersion,
    StorageUnavailable,
    UnknownKey,
    UnknownSession,
    UnusableBackup,
)
from scorekeeper.store import bundles, holding, keyring, limits, statements, streams
from scorekeeper.store.contract import (
    Checked,
    Clock,
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
    Wish,
    any_answer,
)
from scorekeeper.store.kept import Kept
from scorekeeper.store.streams import Done
from scorekeeper.store.work import Values, Work, key_values

LARGEST: Final = 2**31 - 1  # that a database is asked for
A_WHILE: Final = 10.0  # seconds in which what could not be noted is not tried again

T = TypeVar("T")


class DatabaseStore(ABC):
    """A store of tables; what a subclass adds is how to read, to write, and to append."""

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
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------- streams

    def open_session(self, events: Iterable[New], by: str, keys: Iterable[Wish] = ()) -> Opened:
        now = self.clock()
        return self._open(streams.sealed(streams.BEGINNING, events, now, by), keys, now)

    def import_sealed(self, lines: Iterable[bytes], keys: Iterable[Wish] = ()) -> Opened:
        return self._open(streams.read_sealed(lines), keys, self.clock())

    def _open(self, lines: list[StoredLine], wishes: Iterable[Wish], now: str) -> Opened:
        session = keyring.new_id()
        made = [keyring.make_key(session, wish, now) for wish in wishes]

        def job(work: Work) -> None:
            work.fill(statements.INSERT_SESSION, [{"id": session, "created": now}])
            work.fill(statements.INSERT_EVENT, event_values(session, lines))
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
        streams.refuse_unfit(after, lines, request)

        def job(work: Work) -> Repeated | None:
            if key is not None:
                refuse_closed(work, key, self.clock())
            at, before = end_and_answer(work, session, request)
            if before is not None:
                return before
            if at != after:
                raise StaleVersion(after.version, *at)
            work.fill(statements.INSERT_EVENT, event_values(session, lines))
            if request is not None:
                done = streams.done(request, lines[-1].seq)
                work.fill(statements.INSERT_REQUEST, [request_values(session, request.key, done)])
            return None

        return self._writing(session, job)

    def answered(self, session: str, key: str, digest: bytes) -> Repeated | None:
        streams.refuse_key(key)
        with self._reading() as work:
            return answered(work, session, key, digest)

    def position(self, session: str) -> Position:
        with self._glancing() as work:
            return position(work, session)

    def read(self, session: str, after: int = 0, most: int | None = None) -> Stream:
        start = min(max(after, 0), LARGEST)
        upto = LARGEST if most is None else min(start + most, LARGEST)
        with self._reading() as work:
            rows = lines_from(work, session, start, upto)
            whole = rows and rows[-1][0] != upto  # nor is there an event beyond them
            end = Position(*rows[-1][:2]) if whole else position(work, session)
        return Stream(*end, tuple(line for seq, _, line in rows if seq > after))

    def hash_at(self, session: str, version: int) -> str | None:
        if not 1 <= version <= LARGEST:
            return None
        with self._reading() as work:
            rows = work.rows(statements.HASH_AT, session=known(session), seq=version)
        return rows[0][0] if rows else None

    def export(self, session: str) -> bytes:
        with self._reading() as work:
            rows = work.rows(statements.LINES, session=known(session))
        if not rows:
            raise UnknownSession(session)
        return b"".join(line + b"\n" for (line,) in rows)

    def sessions(self) -> list[Listed]:
        with self._reading() as work:
            return [Listed(*row) for row in work.rows(statements.LISTED)]

    # ---------------------------------------------------------------------------------- keys

    def add_key(self, session: str, wish: Wish, replaces: str | None = None) -> NewKey:
        def job(work: Work) -> NewKey:
            position(work, session)
            now = self.clock()
            new, digest = keyring.make_key(session, wish, now)
            work.fill(statements.INSERT_KEY, [key_values(new.key, digest)])
            if replaces is not None and not revoke(work, session, replaces, now):
                raise UnknownKey(replaces)
            return new

        return self._writing(known(session), job)

    def find_key(self, secret: str) -> Key | None:
        found = self.known_key(secret)
        return found if found and keyring.opens(found, self.clock()) else None

    def known_key(self, secret: str) -> Key | None:
        with self._glancing() as work:
            rows = work.rows(statements.KEY_OF_SECRET, digest=keyring.digest_of(secret))
        return Key(*rows[0]) if rows else None

    def refuse_closed(self, key: Key) -> None:
        with self._glancing() as work:
            refuse_closed(work, key, self.clock())

    def keys(self, session: str) -> tuple[Key, ...]:
        with self._reading() as work:
            rows = work.rows(statements.KEYS_OF, session=known(session))
            if not rows:
                position(work, session)
        return tuple(Key(*row) for row in rows)

    def revoke_key(self, session: str, key: str) -> bool:
        if not keyring.is_id(session):
            return False
        return self._writing(session, lambda work: revoke(work, session, key, self.clock()))

    def touch_key(self, key: Key) -> None:
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
        def job(work: Work) -> Key:
            position(work, session)
            return holding.take_seat(work, keyring.digest_of(phone), session, player, self.clock())

        return self._writing(known(session), job)

    def take_key(self, phone: str, key: Key) -> None:
        def job(work: Work) -> None:
            refuse_closed(work, key, self.clock())
            holding.take_key(work, keyring.digest_of(phone), key, self.clock())

        self._writing(key.session, job)

    def hold(self, phone: str, keys: Iterable[Key]) -> None:
        digest, held = keyring.digest_of(phone), list(keys)
        self._writing(
            f"phone {digest.hex()}", lambda work: holding.hold(work, digest, held, self.clock())
        )

    def held_key(self, phone: str, session: str) -> Key | None:
        if not keyring.is_id(session):
            return None
        with self._glancing() as work:
            return holding.held_key(work, keyring.digest_of(phone), session)

    def held_keys(self, phone: str, most: int) -> tuple[Key, ...]:
        with self._reading() as work:
            digest = keyring.digest_of(phone)
            rows = work.rows(statements.HELD_KEYS, phone=digest, most=most)
        return tuple(Key(*row) for row in rows)

    # --------------------------------------------------------------------------------- codes

    def new_code(self, session: str, seconds: int) -> str:
        def job(work: Work) -> str:
            position(work, session)
            now = self.clock()
            work.change(statements.FORGET_CODES, session=session, now=now)
            code = unused_code(work)
            work.fill(statements.INSERT_CODE, [{
                "session": session,
                "digest": keyring.digest_of(code),
                "expires": limits.later(now, seconds),
            }])  # fmt: skip
            return code

        known(session)
        return self._writing("codes", job)

    def find_code(self, code: str) -> str | None:
        with self._reading() as work:
            rows = work.rows(statements.CODE, digest=keyring.digest_of(code))
        return rows[0][0] if rows and self.clock() < rows[0][1] else None

    # -------------------------------------------------------------------------------- limits

    def hit(self, kind: str, subject: str, most: int, window: int) -> int:
        hashed = limits.subject_of(subject)

        def job(work: Work) -> int:
            now = self.clock()
            left = wait(work, kind, hashed, most, window, now)
            if not left:
                since = limits.since(now, window)
                work.change(statements.FORGET_LIMITS, kind=kind, since=since, now=now)
                work.change(statements.HIT, kind=kind, subject=hashed, since=since, now=now)
            return left

        return self.wait(kind, subject, most, window) or self._writing(f"limits {kind}", job)

    def wait(self, kind: str, subject: str, most: int, window: int) -> int:
        with self._reading() as work:
            hashed = limits.subject_of(subject)
            return wait(work, kind, hashed, most, window, self.clock())

    # -------------------------------------------------------------------------------- upkeep

    def verify_all(self) -> Iterator[Checked]:
        with self._reading() as work:
            sessions = [row[0] for row in work.rows(statements.SESSION_IDS)]
        for session in sessions:
            with self._snapshot() as work:
                lines = [StoredLine(*row) for row in work.rows(statements.ROWS, session=session)]
                ((answered,),) = work.rows(statements.LAST_ANSWERED, session=session)
            yield Checked(session, streams.checked(lines, answered or 0))

    def bundle(self, path: Path) -> None:
        bundles.write(path, self._kept())

    def _kept(self) -> Iterator[Kept]:
        with self._reading() as work:
            sessions = work.rows(statements.SESSION_IDS)
        for session, created in sessions:
            with self._snapshot() as work:
                yield kept(work, session, created)

    def backup(self, path: Path) -> None:
        self.bundle(path)

    def restore(self, path: Path, *, overwrite: bool = False, fits: Fits = any_answer) -> None:
        bundles.refuse_no_file(path)
        for _ in bundles.read(path, fits):
            pass  # verified as a whole before anything of it is written

        def job(work: Work) -> None:
            for session in bundles.read(path, fits):
                merge(work, session)

        try:
            self._writing("restore", job)
        except self._refusals as error:
            raise UnusableBackup(f"the database refuses what is in it: {error}") from error
        refuse_damage(self)


# --------------------------------------------------------------------------- within a transaction


def known(session: str) -> str:
    """The same id; UnknownSession where no session can have it, and no database be asked."""
    if not keyring.is_id(session):
        raise UnknownSession(session)
    return session


def position(work: Work, session: str) -> Position:
    """Where a session ends; UnknownSession."""
    rows = work.rows(statements.POSITION, session=known(session))
    if not rows:
        raise UnknownSession(session)
    return Position(*rows[0])


def positions(work: Work, sessions: Iterable[str]) -> Mapping[str, Position]:
    """Where each of these sessions ends that is there."""
    found = {one: work.rows(statements.POSITION, session=one) for one in sessions}
    return {one: Position(*rows[0]) for one, rows in found.items() if rows}


def lines_from(work: Work, session: str, after: int, upto: int = LARGEST) -> list[Any]:
    """The lines of a session from a seq to another, each with its seq and its hash."""
    return work.rows(statements.LINES_FROM, session=known(session), after=after, upto=upto)


def answered(work: Work, session: str, key: str, digest: bytes) -> Repeated | None:
    """The answer to a request that was done before; KeyReused if with another body."""
    rows = work.rows(statements.REQUEST, session=known(session), key=key)
    return streams.repeated(Done(*rows[0]), digest) if rows else None


def revoke(work: Work, session: str, key: str, now: str) -> bool:
    """Let a key open nothing any more; whether the session has it. LastKey."""
    keys = holding.keys_of(work, session)
    if all(one.id != key for one in keys):
        return False
    keyring.refuse_last(keys, key)
    work.change(statements.REVOKE_KEY, session=session, key=key, now=now)
    return True


def unused_code(work: Work) -> str:
    """A code that leads nowhere yet."""
    code = keyring.new_code()
    while work.rows(statements.CODE, digest=keyring.digest_of(code)):
        code = keyring.new_code()
    return code


def refuse_closed(work: Work, key: Key, now: str) -> None:
    """NoKey where a key opens nothing at this time."""
    rows = work.rows(statements.KEY, session=key.session, key=key.id)
    keyring.refuse_closed(Key(*rows[0]) if rows else None, now)


def end_and_answer(
    work: Work, session: str, request: Request | None
) -> tuple[Position, Repeated | None]:
    """Where a session ends, and what a request was answered if it came before."""
    key = request.key if request is not None else None
    rows = work.rows(statements.END_AND_REQUEST, session=known(session), key=key)
    if not rows:
        raise UnknownSession(session)
    seq, head, *done = rows[0]
    if request is None or done[0] is None:
        return Position(seq, head), None
    return Position(seq, head), streams.repeated(Done(*done), request.digest)


def wait(work: Work, kind: str, subject: bytes, most: int, window: int, now: str) -> int:
    """The seconds until one more act is allowed."""
    rows = work.rows(statements.LIMIT, kind=kind, subject=subject)
    return limits.left(rows[0] if rows else None, most, window, now)


def kept(work: Work, session: str, created: str) -> Kept:
    """All that belongs to a session."""
    lines = tuple(StoredLine(*row) for row in work.rows(statements.ROWS, session=session))
    requests = {
        row[0]: Done(*row[1:]) for row in work.rows(statements.REQUESTS_OF, session=session)
    }
    rows = work.rows(statements.KEYS_WITH_DIGESTS, session=session)
    keys = tuple((Key(*row[:-1]), row[-1]) for row in rows)
    phones = tuple((phone, key) for phone, key in work.rows(statements.HELD_OF, session=session))
    return Kept(session, created, lines, requests, keys, phones)


def merge(work: Work, back: Kept) -> None:
    """Add what is missing of a session; UnusableBackup where its events are others here."""
    work.lock(back.id)
    rows = work.rows(statements.POSITION, session=back.id)
    here = rows[0][0] if rows else 0
    if not rows:
        work.fill(statements.INSERT_SESSION, [{"id": back.id, "created": back.created}])
    elif here <= len(back.lines):
        bundles.refuse_fork(back, here, rows[0][1])
    else:
        ((then,),) = work.rows(statements.HASH_AT, session=back.id, seq=len(back.lines))
        bundles.refuse_fork(back, len(back.lines), then)
    present = kept(work, back.id, back.created)
    bundles.refuse_contradiction(back, present)
    work.fill(statements.INSERT_EVENT, event_values(back.id, back.lines[here:]))
    work.fill(statements.INSERT_REQUEST, (
        request_values(back.id, key, done)
        for key, done in back.requests.items() if key not in present.requests
    ))  # fmt: skip
    ids = {key.id for key, _ in present.keys}
    work.fill(statements.INSERT_KEY, (
        key_values(key, digest) for key, digest in back.keys if key.id not in ids
    ))  # fmt: skip
    phones = {phone for phone, _ in present.phones}
    work.fill(statements.HOLD, (
        {"phone": phone, "session": back.id, "key": key}
        for phone, key in back.phones if phone not in phones
    ))  # fmt: skip


def refuse_damage(store: DatabaseStore) -> None:
    """UnusableBackup where a stream is not whole."""
    for checked in store.verify_all():
        if not checked.verdict.ok:
            raise UnusableBackup(f"session {checked.session}: {checked.verdict.reason}")


def event_values(session: str, lines: Iterable[StoredLine]) -> Iterator[Values]:
    """The rows of the table of events."""
    return ({"session": session, **one._asdict()} for one in lines)


def request_values(session: str, key: str, done: Done) -> Values:
    """A row of the table of requests."""
    return {"session": session, "key": key, **done._asdict()}

"""What every store does, by statements on its tables: the contract, and all but the transactions.

What was appended is durable when ``append`` returns. Every call may raise StorageUnavailableError;
where one that writes does, nothing of it is on record, unless the error says ``unknown``.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from scorekeeper.base.errors import (
    StaleVersionError,
    StorageUnavailableError,
    UnknownSessionError,
    UnusableBackupError,
)
from scorekeeper.store import (
    bundles,
    keyring,
    limits,
    restoring,
    statements,
    streams,
    transactions,
)
from scorekeeper.store.contract import (
    NO_RECORDERS,
    Attempt,
    Checked,
    Durability,
    Fits,
    Key,
    Listed,
    LogCheck,
    New,
    Opened,
    Position,
    Recorders,
    Repeated,
    Request,
    StoredLine,
    Stream,
    Watch,
    Wish,
    any_answer,
    any_log,
)
from scorekeeper.store.follow_store import FollowStore
from scorekeeper.store.kept import Kept, entered_in, refuse_unusable
from scorekeeper.store.key_store import KeyStore
from scorekeeper.store.transactions import known
from scorekeeper.store.work import Work, key_values

LARGEST: Final = 2**31 - 1  # that a database is asked for

T = TypeVar("T")


class Store(KeyStore, FollowStore):
    """Streams of events, requests, capability keys and limits, kept for good."""

    # ------------------------------------------------------------------------------- streams

    def open_session(
        self,
        events: Iterable[New],
        by: str,
        keys: Iterable[Wish] = (),
        attempt: Attempt | None = None,
    ) -> Opened:
        """Begin a session with these events, and make its keys.

        The same attempt opens the same session again: nothing is written then, and the result is
        what it was the first time.

        Raises `KeyReusedError` if its key opened something else.
        """
        return self._begun(keyring.new_id(attempt), events, by, keys, attempt)

    def open_club(
        self,
        events: Iterable[New],
        by: str,
        keys: Iterable[Wish] = (),
        attempt: Attempt | None = None,
    ) -> Opened:
        """Begin a club: a stream like that of a session, known as a club's by its id."""
        return self._begun(keyring.new_club_id(attempt), events, by, keys, attempt)

    def import_sealed(
        self, lines: Iterable[bytes], keys: Iterable[Wish] = (), attempt: Attempt | None = None
    ) -> Opened:
        """Begin a session with the lines of a sealed log file, kept byte for byte.

        Each line comes with its line feed. Unusable, with the line, where they are not intact;
        what the events mean is not looked at.
        """
        read = streams.read_sealed(lines)
        return self._open(keyring.new_id(attempt), read, keys, self.clock(), attempt)

    def import_sealed_club(self, lines: Iterable[bytes], keys: Iterable[Wish] = ()) -> Opened:
        """Begin a club in the same way; it may read the evenings that its log enters."""
        read = streams.read_sealed(lines)
        club = self._open(keyring.new_club_id(), read, keys, self.clock())
        self.follow(club.id, dict.fromkeys(entered_in(read)))
        return club

    def _begun(
        self,
        id_: str,
        events: Iterable[New],
        by: str,
        keys: Iterable[Wish],
        attempt: Attempt | None,
    ) -> Opened:
        now = self.clock()
        lines = streams.sealed(streams.BEGINNING, events, now, by)
        return self._open(id_, lines, keys, now, attempt)

    def _open(
        self,
        session_id: str,
        lines: list[StoredLine],
        wishes: Iterable[Wish],
        now: str,
        attempt: Attempt | None = None,
    ) -> Opened:
        made = [
            keyring.make_key(session_id, wish, now, attempt, place)
            for place, wish in enumerate(wishes)
        ]

        def job(work: Work) -> Opened:
            if attempt is not None and work.rows(statements.POSITION, session=session_id):
                return transactions.opened_before(work, session_id, len(lines), made)
            work.fill(statements.INSERT_SESSION, [{"id": session_id, "created": now}])
            work.fill(statements.INSERT_EVENT, transactions.event_values(session_id, lines))
            work.fill(statements.INSERT_KEY, (key_values(new.key, digest) for new, digest in made))
            first = tuple(one.line for one in lines)
            return Opened(session_id, *streams.end(lines), first, tuple(new for new, _ in made))

        return self._writing(session_id, job)

    def append(
        self,
        session_id: str,
        after: Position,
        lines: Sequence[StoredLine],
        request: Request | None = None,
        key: Key | None = None,
        recorders: Recorders = NO_RECORDERS,
        unfollowed: Collection[str] = (),
    ) -> Repeated | None:
        """Put these lines on record, if the session ends at ``after``.

        ``recorders`` are kept beside the log, where that does not say who recorded a line. A club
        reads the sessions ``unfollowed`` no further than now.

        With a key, only if that still opens something as they are written: MissingKeyError. None
        once it is done; or the first answer to a request that came before, which is not done again,
        wherever the session ends now. UnknownSessionError, StaleVersionError, KeyReusedError.

        Raises `ValueError` if the lines are not the next ones after ``after``.
        """
        streams.refuse_unfit(after, lines, request)
        left = sorted(one for one in unfollowed if keyring.is_id(one))

        def job(work: Work) -> Repeated | None:
            at, before = transactions.end_and_answer(work, session_id, request, key, self.clock())
            if before is not None:
                return before
            if at != after:
                raise StaleVersionError(after.version, *at)
            work.fill(statements.INSERT_EVENT, transactions.event_values(session_id, lines))
            if request is not None:
                done = streams.done(request, lines[-1].seq)
                row = transactions.request_values(session_id, request.key, done)
                work.fill(statements.INSERT_REQUEST, [row])
            if recorders:
                rows = transactions.recorder_values(session_id, recorders.items())
                work.fill(statements.INSERT_RECORDER, rows)
            for other in left:
                transactions.stop_following(work, other, session_id, self.clock())
            return None

        return self._writing(session_id, job)

    def recorders(self, session_id: str) -> dict[int, str]:
        """Return the ids of the keys by which events came whose ``by`` does not say it."""
        with self._reading() as work:
            return dict(transactions.recorders_of(work, known(session_id)))

    def answered(self, session_id: str, key: str, digest: bytes) -> Repeated | None:
        """The answer to a request that was done before.

        Raises `KeyReusedError` if with another body.
        """
        streams.refuse_key(key)
        with self._reading() as work:
            return transactions.answered(work, session_id, key, digest)

    def position(self, session_id: str) -> Position:
        """Where the session ends now.

        Raises `UnknownSessionError`.
        """
        with self._glancing() as work:
            return transactions.position(work, session_id)

    def read(self, session_id: str, after: int = 0, most: int | None = None) -> Stream:
        """The session's lines after a seq, at most that many, and where it ends.

        Raises `UnknownSessionError`.
        """
        start = min(max(after, 0), LARGEST)
        upto = LARGEST if most is None else min(start + most, LARGEST)
        with self._reading() as work:
            rows = work.rows(
                statements.LINES_FROM, session=known(session_id), after=start, upto=upto
            )
            whole = rows and rows[-1][0] != upto  # nor is there an event beyond them
            end = Position(*rows[-1][:2]) if whole else transactions.position(work, session_id)
        return Stream(*end, tuple(line for seq, _, line in rows if seq > after))

    def hash_at(self, session_id: str, version: int) -> str | None:
        """The hash that the session had at a version; None where it never had that version."""
        if not 1 <= version <= LARGEST:
            return None
        with self._reading() as work:
            rows = work.rows(statements.HASH_AT, session=known(session_id), seq=version)
        return rows[0][0] if rows else None

    def export(self, session_id: str) -> bytes:
        """The session's sealed log: its stored lines, each with a line feed.

        Raises `UnknownSessionError`.
        """
        with self._reading() as work:
            rows = work.rows(statements.LINES, session=known(session_id))
        if not rows:
            raise UnknownSessionError(session_id)
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
            return {session_id: Position(*end) for session_id, *end in rows}

    def kept_evenings(self, sessions: Iterable[str]) -> dict[tuple[str, str], bytes]:
        """What was kept of these sessions, by session and head."""
        with self._reading() as work:
            rows = transactions.of_several(work, statements.KEPT_EVENINGS, sessions)
            return {(session_id, head): bytes(told) for session_id, head, told in rows}

    def keep_evening(
        self, session_id: str, head: str, told: bytes, but: Iterable[str] = ()
    ) -> None:
        """Keep what a session comes to at a head, in the place of its other heads ``but`` these.

        Nothing happens where that cannot be written: it can be made again.
        """
        wanted = {head, *but}

        def job(work: Work) -> None:
            rows = transactions.of_several(work, statements.KEPT_EVENINGS, [known(session_id)])
            kept = {row[1]: row[2] for row in rows}
            for one in kept.keys() - (wanted if kept.get(head) == told else wanted - {head}):
                work.change(statements.FORGET_EVENING, session=session_id, head=one)
            if kept.get(head) != told:
                row = {"session": session_id, "head": head, "told": told}
                work.fill(statements.KEEP_EVENING, [row])

        with suppress(StorageUnavailableError):
            self._noting(session_id, job)

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
        for session_id in sessions:
            with self._snapshot() as work:
                lines = [StoredLine(*row) for row in work.rows(statements.ROWS, session=session_id)]
                ((answered,),) = work.rows(statements.LAST_ANSWERED, session=session_id)
            yield Checked(session_id, streams.checked(lines, answered or 0))

    def bundle(self, path: Path) -> None:
        """Write a backup as logs in a zip, which every store can restore, and verify it."""
        bundles.write(path, self._kept())

    def _keys(self, session_id: str) -> list[tuple[Key, bytes]]:
        """Return all keys of a session, each with the SHA-256 of its secret."""
        with self._reading() as work:
            rows = work.rows(statements.KEYS_WITH_DIGESTS, session=session_id)
        return [(Key(*row[:-1]), row[-1]) for row in rows]

    def _kept(self) -> Iterator[Kept]:
        with self._reading() as work:
            sessions = work.rows(statements.SESSION_IDS)
        for session_id, created in sessions:
            with self._snapshot() as work:
                yield transactions.kept(work, session_id, created)

    def backup(self, path: Path) -> None:
        """Write a backup in the database's own form while others go on, and verify it.

        UnusableBackupError where there is such a file already.
        """
        self.bundle(path)

    def restore(
        self,
        path: Path,
        *,
        overwrite: bool = False,
        fits: Fits = any_answer,
        usable: LogCheck = any_log,
    ) -> None:
        """Put back what a backup or a bundle holds, verified before and after.

        Nothing is changed unless all of it fits together: logs, keys and requests, and by
        ``fits`` what was answered, by ``usable`` what the logs say. A bundle adds what is missing,
        and cannot do more. A copy of the database takes its place: only if it holds all events that
        are here, or with ``overwrite``. Neither undoes what was taken back since: keys that were
        revoked stay so, and clubs that were stopped.
        UnusableBackupError for a file that is damaged, or has other events than are here.
        """
        bundles.refuse_no_file(path)
        # Verified as a whole before anything of it is written.
        restored = set()
        for kept in bundles.read(path, fits):
            refuse_unusable(kept, usable)
            restored.add(kept.id)

        def job(work: Work) -> None:
            clubs = []
            for session in bundles.read(path, fits):
                if keyring.is_club(session.id):
                    restoring.refuse_foreign_club(work, session, restored)
                    clubs.append(session)
                restoring.merge(work, session)
            for club in clubs:  # the sessions that they name may come after them
                restoring.follow_what_is_entered(work, club.id, club.lines)

        try:
            self._writing("restore", job)
        except self._refusals as error:
            raise UnusableBackupError(f"the database refuses what is in it: {error}") from error
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
    """UnusableBackupError where a stream is not intact."""
    for checked in store.verify_all():
        if not checked.verdict.ok:
            raise UnusableBackupError(f"session {checked.session_id}: {checked.verdict.reason}")

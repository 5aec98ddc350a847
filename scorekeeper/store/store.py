"""The store: sessions, clubs, requests, evenings, limits, backup and restore.

An append is durable when ``append`` returns. Every method may raise `StorageUnavailableError`. If
a writing method raises it, nothing was written, unless the error is ``unknown``.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from scorekeeper.base.errors import (
    StaleVersionError,
    StorageUnavailableError,
    UnusableBackupError,
)
from scorekeeper.store import (
    bundles,
    keyring,
    statements,
    streams,
    transactions,
)
from scorekeeper.store.contract import (
    NO_EFFECTS,
    AppendEffects,
    Attempt,
    BackupContents,
    Checked,
    Durability,
    Fits,
    Key,
    KeyRequest,
    Listed,
    LogCheck,
    New,
    NewStream,
    Opened,
    Position,
    Repeated,
    Request,
    StoredLine,
    Stream,
    Watch,
    any_answer,
    any_log,
)
from scorekeeper.store.deleting import DeleteStore
from scorekeeper.store.follow_store import FollowStore
from scorekeeper.store.host_store import HostStore
from scorekeeper.store.kept import Kept, find_entered
from scorekeeper.store.key_store import KeyStore
from scorekeeper.store.limit_store import LimitStore
from scorekeeper.store.publication_store import PublicationStore
from scorekeeper.store.restore_store import RestoreStore
from scorekeeper.store.transactions import checked_id
from scorekeeper.store.work import Work

LARGEST_SEQ: Final = 2**31 - 1  # the largest integer of the database column
LINES_PER_READ: Final = 500  # of a stream: in SQLite no commit happens while they are read

T = TypeVar("T")


class Store(
    KeyStore, HostStore, FollowStore, PublicationStore, LimitStore, RestoreStore, DeleteStore
):
    """A durable store of event streams, requests, capability keys and limits.

    The ids of new streams begin with ``id_prefix``.
    """

    id_prefix = ""

    # ------------------------------------------------------------------------------- streams

    def open_session(
        self,
        events: Iterable[New],
        by: str,
        keys: Iterable[KeyRequest] = (),
        attempt: Attempt | None = None,
    ) -> Opened:
        """Create a session with these events, and make its keys.

        A repetition with the same attempt writes nothing and returns the same result.

        Raises `KeyReusedError` if the attempt's key was used for another request.
        """
        return self._create(self.prepare_session(events, by, keys, attempt), attempt)

    def prepare_session(
        self,
        events: Iterable[New],
        by: str,
        keys: Iterable[KeyRequest] = (),
        attempt: Attempt | None = None,
    ) -> NewStream:
        """Return a session to be created, which an `append` can open; nothing is written."""
        session_id = self._new_id(keyring.StreamKind.SESSION, attempt)
        return self._prepare(session_id, events, by, keys, attempt)

    def open_club(
        self,
        events: Iterable[New],
        by: str,
        keys: Iterable[KeyRequest] = (),
        attempt: Attempt | None = None,
    ) -> Opened:
        """Create a club as `open_session` creates a session; its id has the form of a club's."""
        club_id = self._new_id(keyring.StreamKind.CLUB, attempt)
        return self._create(self._prepare(club_id, events, by, keys, attempt), attempt)

    def open_tournament(
        self,
        events: Iterable[New],
        by: str,
        keys: Iterable[KeyRequest] = (),
        attempt: Attempt | None = None,
    ) -> Opened:
        """Create a tournament as `open_session` creates a session; its id has a form of its own."""
        tournament_id = self._new_id(keyring.StreamKind.TOURNAMENT, attempt)
        return self._create(self._prepare(tournament_id, events, by, keys, attempt), attempt)

    def import_sealed(
        self,
        lines: Iterable[bytes],
        keys: Iterable[KeyRequest] = (),
        attempt: Attempt | None = None,
    ) -> Opened:
        """Create a session with the lines of a sealed log file, stored byte for byte.

        Each line ends with its line feed. Raises `UnusableError`, with the line at fault, if the
        log is not intact. Does not check what the events mean.
        """
        read = streams.read_sealed(lines)
        id_ = self._new_id(keyring.StreamKind.SESSION, attempt)
        return self._create(_make_stream(id_, read, keys, self.clock(), attempt), attempt)

    def import_sealed_club(
        self,
        lines: Iterable[bytes],
        keys: Iterable[KeyRequest] = (),
        *,
        follows: bool = False,
    ) -> Opened:
        """Create a club with the lines of a sealed log file, as `import_sealed` does.

        The club follows the evenings that its log names if ``follows`` is set; otherwise it may
        read nothing of them.
        """
        read, club_id = streams.read_sealed(lines), self._new_id(keyring.StreamKind.CLUB)
        if follows:
            self.follow(club_id, dict.fromkeys(find_entered(read)))
        else:
            self.name_unread(club_id, find_entered(read))
        return self._create(_make_stream(club_id, read, keys, self.clock()))

    def _new_id(self, kind: keyring.StreamKind, attempt: Attempt | None = None) -> str:
        """Return an id for a new stream of this store."""
        return keyring.new_stream_id(kind, attempt, self.id_prefix)

    def import_sealed_tournament(
        self,
        lines: Iterable[bytes],
        keys: Iterable[KeyRequest] = (),
        attempt: Attempt | None = None,
    ) -> Opened:
        """Create a tournament with the lines of a sealed log file, as `import_sealed` does.

        It may read nothing of the sessions that its log names.
        """
        read = streams.read_sealed(lines)
        id_ = self._new_id(keyring.StreamKind.TOURNAMENT, attempt)
        return self._create(_make_stream(id_, read, keys, self.clock(), attempt), attempt)

    def _prepare(
        self,
        id_: str,
        events: Iterable[New],
        by: str,
        keys: Iterable[KeyRequest],
        attempt: Attempt | None,
    ) -> NewStream:
        """Seal events as the first ones of a stream with this id."""
        now = self.clock()
        lines = streams.sealed(streams.BEGINNING, events, now, by)
        return _make_stream(id_, lines, keys, now, attempt)

    def _create(self, new: NewStream, attempt: Attempt | None = None) -> Opened:
        """Create a stream and its keys in one transaction.

        If the attempt created it before, return it as it was then. Raises `KeyReusedError` if that
        attempt was for other keys.
        """

        def job(work: Work) -> Opened:
            if attempt is not None and work.rows(statements.POSITION, session=new.id):
                return transactions.opened_before(work, new.id, len(new.lines), new.keys)
            if attempt is not None:
                transactions.refuse_deleted(work, new.id)
            transactions.create(work, new)
            return new.opened

        return self._writing(new.id, job, rows=len(new.lines))

    def append(
        self,
        stream_id: str,
        after: Position,
        lines: Sequence[StoredLine],
        request: Request | None = None,
        key: Key | None = None,
        effects: AppendEffects = NO_EFFECTS,
    ) -> Repeated | None:
        """Append lines to a session that ends at ``after``, and write the effects with them.

        Returns None after the append. Returns the first answer, and writes nothing, if the
        request is a repetition, whatever the current version is.

        Raises `StaleVersionError` if the session ends elsewhere, `InvalidKeyError` if ``key`` is
        closed at the time of writing, `KeyReusedError` if the request's key was used with another
        body, `UnknownSessionError`, and `ValueError` if the lines were not sealed to follow
        ``after``. Raises `StaleTableError` if another stream of the effects ends elsewhere.
        """
        streams.refuse_unfit(after, lines, request)
        for other in effects.others:
            streams.refuse_unfit(other.after, other.lines, None)

        def job(work: Work) -> Repeated | None:
            at, before = transactions.end_and_answer(work, stream_id, request, key, self.clock())
            if before is not None:
                return before
            if at != after:
                raise StaleVersionError(after.version, *at)
            work.fill(statements.INSERT_EVENT, transactions.event_values(stream_id, lines))
            if request is not None:
                done = streams.make_done(request, lines[-1].seq)
                row = transactions.request_values(stream_id, request.key, done)
                work.fill(statements.INSERT_REQUEST, [row])
            transactions.write_effects(work, stream_id, effects, self.clock())
            return None

        rows = len(lines) + effects.count_lines()
        return self._writing(stream_id, job, rows)

    def recorders(self, stream_id: str) -> dict[int, str]:
        """Return, by seq, the ids of the keys of events whose ``by`` does not name the recorder."""
        with self._reading() as work:
            return dict(transactions.recorders_of(work, checked_id(stream_id)))

    def answered(self, stream_id: str, key: str, digest: bytes) -> Repeated | None:
        """Return the stored answer to an idempotency key; None if there is none.

        ``digest`` is the SHA-256 of the request's body. Raises `KeyReusedError` if the first
        request had another body.
        """
        streams.refuse_key(key)
        with self._reading() as work:
            return transactions.answered(work, stream_id, key, digest)

    def position(self, stream_id: str) -> Position:
        """Return the current end of a session.

        Raises `UnknownSessionError`.
        """
        with self._reading_row() as work:
            return transactions.position(work, stream_id)

    def read(self, stream_id: str, after: int = 0, most: int | None = None) -> Stream:
        """Return the end of a session, and at most ``most`` of its lines after a seq.

        Raises `UnknownSessionError`.
        """
        start = min(max(after, 0), LARGEST_SEQ)
        upto = LARGEST_SEQ if most is None else min(start + most, LARGEST_SEQ)
        rows, end = self._read_rows(stream_id, start, upto)
        return Stream(*end, tuple(line for seq, _, line in rows if seq > after))

    def hash_at(self, stream_id: str, version: int) -> str | None:
        """Return the hash of a session at a version; None if it never had that version."""
        if not 1 <= version <= LARGEST_SEQ:
            return None
        with self._reading() as work:
            rows = work.rows(statements.HASH_AT, session=checked_id(stream_id), seq=version)
        return rows[0][0] if rows else None

    def export(self, stream_id: str) -> bytes:
        """Return the sealed log of a session: its stored lines, each with a line feed.

        Raises `UnknownSessionError`.
        """
        rows, _ = self._read_rows(stream_id, 0, LARGEST_SEQ)
        return b"".join(line + b"\n" for _, _, line in rows)

    def _read_rows(self, stream_id: str, start: int, upto: int) -> tuple[list[Any], Position]:
        """Return seq, hash and line of the events from ``start`` to ``upto``, and the end.

        They are read in parts, between which others commit. Raises `UnknownSessionError`.
        """
        rows: list[Any] = []
        while True:
            first = rows[-1][0] if rows else start
            last = min(first + LINES_PER_READ, upto)
            with self._reading() as work:
                part = work.lines_from(checked_id(stream_id), first, last)
                has_more = part and part[-1][0] == last
                if has_more and last < upto:
                    end = None
                elif part and not has_more:
                    end = Position(*part[-1][:2])
                else:
                    end = transactions.position(work, stream_id)
            if rows and part[:1] != rows[-1:]:  # a backup with another history was restored
                rows = []
                continue
            rows += part[1:] if rows else part
            if end is not None:
                return rows, end

    def sessions(self) -> list[Listed]:
        """Return all sessions, the oldest first."""
        return [listed for listed in self._listed() if keyring.is_session(listed.id)]

    def clubs(self) -> list[Listed]:
        """Return all clubs, the oldest first."""
        return [listed for listed in self._listed() if keyring.is_club(listed.id)]

    def tournaments(self) -> list[Listed]:
        """Return all tournaments, the oldest first."""
        return [listed for listed in self._listed() if keyring.is_tournament(listed.id)]

    def _listed(self) -> list[Listed]:
        """Return an entry for each stream, the oldest first."""
        with self._reading() as work:
            return [Listed(*row) for row in work.rows(statements.LISTED)]

    # ------------------------------------------------------------------------------ evenings

    def ends(self, sessions: Iterable[str]) -> dict[str, Position]:
        """Return the end of each of these sessions that exists, by id."""
        with self._reading() as work:
            rows = transactions.query_in_batches(work, statements.ENDS, sessions)
            return {session_id: Position(*end) for session_id, *end in rows}

    def kept_evenings(self, sessions: Iterable[str]) -> dict[tuple[str, str], bytes]:
        """Return the stored results of these sessions, by session and head."""
        with self._reading() as work:
            rows = transactions.query_in_batches(work, statements.KEPT_EVENINGS, sessions)
            return {(session_id, head): bytes(result) for session_id, head, result in rows}

    def keep_evening(
        self, session_id: str, head: str, result: bytes, but: Iterable[str] = ()
    ) -> None:
        """Store the result of a session at a head; delete its other results except at ``but``.

        A failure to write is ignored: the result can be computed again.
        """
        wanted = {head, *but}

        def job(work: Work) -> None:
            rows = transactions.query_in_batches(
                work, statements.KEPT_EVENINGS, [checked_id(session_id)]
            )
            stored = {row[1]: row[2] for row in rows}
            is_stored = stored.get(head) == result
            for obsolete in stored.keys() - (wanted if is_stored else wanted - {head}):
                work.change(statements.FORGET_EVENING, session=session_id, head=obsolete)
            if not is_stored:
                row = {"session": session_id, "head": head, "told": result}
                work.fill(statements.KEEP_EVENING, [row])

        with suppress(StorageUnavailableError):
            self._writing_disposable(session_id, job)

    # -------------------------------------------------------------------------------- upkeep

    def verify_all(self) -> Iterator[Checked]:
        """Yield the verdict on every stream: on its hash chain, and the columns beside it."""
        with self._reading() as work:
            sessions = [row[0] for row in work.rows(statements.SESSION_IDS)]
        for stream_id in sessions:
            with self._snapshot() as work:
                lines = transactions.read_lines(work, stream_id)
                ((answered,),) = work.rows(statements.LAST_ANSWERED, session=stream_id)
            yield Checked(stream_id, streams.check_lines(lines, answered or 0))

    def bundle(self, path: Path) -> BackupContents:
        """Write a backup as a zip of logs, which every store can restore, and verify it.

        Returns what it holds.
        """
        return bundles.write(path, self._kept(), self.list_deleted())

    def _kept(self) -> Iterator[Kept]:
        """Yield all stored data of each session and club, each read from one state."""
        with self._reading() as work:
            sessions = work.rows(statements.SESSION_IDS)
        for stream_id, created in sessions:
            with self._snapshot() as work:
                kept = transactions.read_kept(work, stream_id, created)
            yield kept  # after the snapshot, during which SQLite commits nothing

    def backup(self, path: Path) -> BackupContents:
        """Write a backup in the database's own format, and verify it. The store stays in use.

        Returns what it holds. Raises `UnusableBackupError` if the file exists.
        """
        return self.bundle(path)

    def restore(
        self,
        path: Path,
        *,
        overwrite: bool = False,
        fits: Fits = any_answer,
        usable: LogCheck = any_log,
    ) -> None:
        """Restore a backup or a bundle; verify it before, and the store after.

        A bundle adds missing data and changes no other. A copy of the database replaces the
        database, if the copy has all current events or ``overwrite`` is set. Revoked keys stay
        revoked, and stopped clubs stay stopped. ``fits`` checks the stored answers, ``usable`` the
        meaning of the logs.

        Raises `UnusableBackupError`, and changes nothing, if the file is damaged or inconsistent,
        or has other events than this store. A bundle is written session by session, so that others
        can write meanwhile. If that is interrupted, each session is complete or as before, and a
        repeated restore continues. If a session was changed after the check so that it no longer
        fits, that session is not changed, and the earlier ones are restored.
        """
        bundles.require_file(path)
        self._merge_bundle(path, fits, usable)
        refuse_damage(self)

    @abstractmethod
    def durability(self) -> Durability:
        """Return the effective settings of the database that protect commits."""

    @abstractmethod
    def complaints(self) -> list[str]:
        """Return what keeps the store from serving, as texts for operators; empty if nothing."""

    @abstractmethod
    def watch(self) -> Watch:
        """Return a new listener for changes of sessions from now on."""


def _make_stream(
    id_: str,
    lines: Sequence[StoredLine],
    requests: Iterable[KeyRequest],
    now: str,
    attempt: Attempt | None = None,
) -> NewStream:
    """Return a stream to be created, with these lines and new keys; equal for equal attempts."""
    keys = [
        keyring.make_key(id_, requested, now, attempt, place)
        for place, requested in enumerate(requests)
    ]
    return NewStream(id_, now, lines, keys)


def refuse_damage(store: Store) -> None:
    """Raise `UnusableBackupError` if a stream in the store is not intact."""
    for checked in store.verify_all():
        if not checked.verdict.ok:
            raise UnusableBackupError(f"session {checked.session_id}: {checked.verdict.reason}")

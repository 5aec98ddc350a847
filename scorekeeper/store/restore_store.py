"""The restoration of a bundle, session by session, while others write."""

from collections.abc import Container, Mapping
from functools import partial
from pathlib import Path

from scorekeeper.base.errors import UnusableBackupError
from scorekeeper.store import bundles, keyring, restoring, statements, transactions
from scorekeeper.store.contract import Fits, LogCheck, Position
from scorekeeper.store.database import Database
from scorekeeper.store.kept import Kept, find_entered, refuse_unusable
from scorekeeper.store.restoring import Comparison
from scorekeeper.store.work import Work


class RestoreStore(Database):
    """The part of a store that restores bundles.

    The bundle is read and compared with the database outside of writing transactions. Each session
    of which something is missing has a transaction of its own.
    """

    def _merge_bundle(self, path: Path, fits: Fits, usable: LogCheck) -> None:
        """Add the missing data of a bundle.

        Raises `UnusableBackupError`, and changes nothing, if something in the bundle does not fit.
        If a session does not fit because it changed after that, the earlier ones are restored.
        """
        restored, lacking = self._check_bundle(path, fits, usable)
        try:
            for back in bundles.read(path, fits, lacking) if lacking else ():
                if back.position != restored[back.id]:
                    raise UnusableBackupError(f"{path} was changed while it was restored")
                compared = self._compare(back)
                merge = partial(restoring.merge_session, compared=compared, now=self.clock())
                self._writing(back.id, merge, rows=compared.changes.rows)
        except self._refusals as error:
            raise UnusableBackupError(f"the database refuses what is in it: {error}") from error
        self._take_deletions(bundles.read_deleted(path))
        # After all sessions: a club may come before the sessions that it names, even in an earlier
        # backup.
        self._follow_entered(restored)

    def _check_bundle(
        self, path: Path, fits: Fits, usable: LogCheck
    ) -> tuple[dict[str, Position], set[str]]:
        """Return the ends of the sessions in a bundle, and the ids of those that lack something.

        Raises `UnusableBackupError` if a part of the bundle is damaged, unusable, or of another
        service.
        """
        ends, lacking, proven = dict[str, Position](), set[str](), set[str]()
        entered: dict[str, dict[str, int]] = {}
        for back in bundles.read(path, fits):
            if self._is_deleted(back.id):
                continue
            refuse_unusable(back, usable)
            compared = self._compare(back)
            ends[back.id] = back.position
            if compared.changes.rows:
                lacking.add(back.id)
            if compared.proven:
                proven.add(back.id)
            if keyring.is_club(back.id):
                here = compared.here.lines
                entered[back.id] = find_entered(back.lines[here[-1].seq if here else 0 :])
        with self._reading() as work:
            for club_id, sessions in entered.items():
                restoring.refuse_foreign_club(work, club_id, sessions, proven)
        return ends, lacking

    def _is_deleted(self, stream_id: str) -> bool:
        """Return whether a session or club was deleted here: it stays deleted."""
        with self._reading() as work:
            return bool(work.rows(statements.DELETED_AT, session=stream_id))

    def _take_deletions(self, deleted: Mapping[str, str]) -> None:
        """Store the deletions that a bundle lists, except those of streams that are here."""

        def job(work: Work) -> None:
            known = dict(work.rows(statements.ALL_DELETED))
            here = transactions.positions(work, deleted)
            rows = [{"id": stream_id, "at": at} for stream_id, at in deleted.items()
                    if stream_id not in known and stream_id not in here]  # fmt: skip
            work.fill(statements.INSERT_DELETED, rows)

        if deleted:
            self._writing("deleted", job)

    def _compare(self, back: Kept) -> Comparison:
        """Compare a session in a backup with the session here.

        Raises `UnusableBackupError` if they do not fit together.
        """
        with self._snapshot() as work:
            here = restoring.read_here(work, back)
        return restoring.compare(back, here, self.clock())

    def _follow_entered(self, restored: Container[str]) -> None:
        """Let clubs follow, without a key, the sessions that they enter and do not follow.

        ``restored`` has the ids of all clubs and sessions in the backup. A club may have come with
        an earlier one.
        """
        with self._reading() as work:
            ids = [row[0] for row in work.rows(statements.SESSION_IDS)]
        for club_id in filter(keyring.is_club, ids):
            with self._reading() as work:
                lines = transactions.read_lines(work, club_id)
            entered = [session_id for session_id in find_entered(lines)
                       if club_id in restored or session_id in restored]  # fmt: skip
            with self._snapshot() as work:
                sessions = restoring.find_unfollowed(work, club_id, entered)
            if sessions:
                follow = partial(restoring.follow_entered, club_id=club_id, sessions=sessions)
                self._writing(f"follow {club_id}", follow)

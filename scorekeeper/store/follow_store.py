"""The evenings that clubs follow: by which key each was entered, and up to which version."""

from collections.abc import Iterable, Mapping

from scorekeeper.store import keyring, statements, transactions
from scorekeeper.store.contract import Followed, Key, Position
from scorekeeper.store.database import Database
from scorekeeper.store.transactions import checked_id
from scorekeeper.store.work import Work


class FollowStore(Database):
    """The evenings that clubs follow.

    A club reads an evening as long as one of the keys that entered it is open. After that it reads
    the evening up to the version at which the last of these keys was closed.
    """

    def follow(self, club_id: str, entered: Mapping[str, Key | None]) -> None:
        """Let a club read these sessions and tournaments, each by the key to it, or by none.

        One that was stopped is followed again. Unknown ids are skipped. Raises
        `InvalidKeyError`, and changes nothing, if a key was revoked or has expired.
        """
        sessions = sorted(filter(keyring.can_be_entered, entered))

        def job(work: Work) -> None:
            for session_id in sessions:  # always in the same order, to avoid deadlocks
                work.lock(session_id)
                if not work.rows(statements.POSITION, session=session_id):
                    continue
                key = entered[session_id]
                if key is not None:
                    transactions.refuse_closed(work, key, self.clock())
                row = {"session": session_id, "club": club_id, "key": key.id if key else ""}
                work.change(statements.FOLLOW, **row)

        if sessions:
            self._writing(f"follow {club_id}", job)

    def name_unread(self, club_id: str, sessions: Iterable[str]) -> None:
        """Let a club name these sessions and read nothing of them, until it follows them.

        Unknown sessions are skipped.
        """
        named = sorted(filter(keyring.can_be_entered, sessions))

        def job(work: Work) -> None:
            for session_id in named:
                work.lock(session_id)
                if work.rows(statements.POSITION, session=session_id):
                    row = {"session": session_id, "club": club_id, "key": keyring.UNREAD}
                    work.change(statements.FOLLOW, **row)

        if named:
            self._writing(f"follow {club_id}", job)

    def stops(self, club_id: str) -> dict[str, Position]:
        """Return, by session, the last position that a club may still read after it was stopped.

        Sessions that it follows are not included. Version 0 means that the club may read nothing.
        """
        with self._reading() as work:
            return transactions.stops(work, club_id, self.clock())

    def closings(self, club_id: str) -> dict[str, str]:
        """Return, by session or tournament, when the last key was closed by which a club read it.

        Those that it followed without a key, or by one that is open, are not included.
        """
        times: dict[str, list[str]] = {}
        now = self.clock()
        with self._reading() as work:
            for row in work.rows(statements.FOLLOWED_BY, club=club_id):
                session_id, _, _, _, _, revoked, expires = row
                closed = [at for at in (revoked, expires) if at is not None and at <= now]
                times.setdefault(session_id, []).append(min(closed, default=""))
        return {session_id: max(ends) for session_id, ends in times.items() if all(ends)}

    def positions_before(self, sessions: Iterable[str], time: str) -> dict[str, Position]:
        """Return the ends of existing sessions as of their last events before a time."""
        with self._reading() as work:
            here = transactions.positions(work, sessions)
            return {id_: transactions.position_before(work, id_, time) for id_ in here}

    def followers(self, session_id: str) -> list[Followed]:
        """Return the clubs that follow a session or did, with their keys, ordered by club."""
        with self._reading() as work:
            rows = work.rows(statements.FOLLOWERS_OF, session=checked_id(session_id))
            return [transactions.parse_followed(work, row, self.clock()) for row in rows]

    def followed(self, stream_id: str) -> frozenset[str]:
        """Return the sessions that a club or tournament reads up to their end."""
        with self._reading() as work:
            rows = work.rows(statements.FOLLOWED_BY, club=stream_id)
            read = (transactions.parse_followed(work, row, self.clock()) for row in rows)
            return frozenset(each.session_id for each in read if each.stop is None)

    def stop_following(self, session_id: str, club_id: str) -> bool:
        """Stop a club from reading new events of a session, and return whether it followed it.

        Raises `UnknownSessionError`.
        """

        def job(work: Work) -> bool:
            transactions.position(work, session_id)  # raises UnknownSessionError
            return transactions.stop_following(work, session_id, club_id, self.clock())

        return self._writing(checked_id(session_id), job)

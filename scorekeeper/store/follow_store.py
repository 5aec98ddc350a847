"""Which clubs may read which evenings, by which key each was entered, and up to where."""

from collections.abc import Mapping

from scorekeeper.store import keyring, statements, transactions
from scorekeeper.store.contract import Followed, Key, Position
from scorekeeper.store.database import Database
from scorekeeper.store.transactions import known
from scorekeeper.store.work import Work


class FollowStore(Database):
    """The evenings that clubs follow.

    A club reads an evening for as long as one of the keys that entered it opens something. From
    then on it reads the evening as it was when the last of these keys was closed.
    """

    def follow(self, club_id: str, entered: Mapping[str, Key | None]) -> None:
        """Let a club read these sessions, each by the key that enters it, or without one.

        A session that was stopped is followed again. Sessions that are not here are passed over.
        Raises `InvalidKeyError` if a key opens nothing any more; then nothing is changed.
        """
        sessions = sorted(one for one in entered if keyring.is_id(one))

        def job(work: Work) -> None:
            for session_id in sessions:  # in one order, so that no two writers wait for each other
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

    def stops(self, club_id: str) -> dict[str, Position]:
        """Return where each session ends for a club that no longer follows it.

        Version 0 stands for a session of which the club may read nothing.
        """
        with self._reading() as work:
            return transactions.stops(work, club_id, self.clock())

    def followers(self, session_id: str) -> list[Followed]:
        """Return by which keys which clubs follow a session, or followed it, ordered by club."""
        with self._reading() as work:
            rows = work.rows(statements.FOLLOWERS_OF, session=known(session_id))
            return [transactions.followed(work, row, self.clock()) for row in rows]

    def stop_following(self, session_id: str, club_id: str) -> bool:
        """Let a club read a session no further than now; whether it was allowed to before."""

        def job(work: Work) -> bool:
            transactions.position(work, session_id)  # UnknownSessionError
            return transactions.stop_following(work, session_id, club_id, self.clock())

        return self._writing(known(session_id), job)

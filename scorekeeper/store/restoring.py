"""The merge of a backup into a store: events, requests, keys, phones, and clubs that follow.

A restore adds events. It does not undo revocations: a key that was revoked here or in the backup
stays revoked, a phone does not get back a key that it gave up, and a club that was stopped stays
stopped.
"""

from collections.abc import Container, Iterable, Mapping
from typing import Final

from scorekeeper.base.errors import UnusableBackupError
from scorekeeper.store import bundles, keyring, statements, transactions
from scorekeeper.store.contract import Followed, Position, StoredLine
from scorekeeper.store.kept import Kept, find_entered, find_players
from scorekeeper.store.work import Values, Work, key_values

NO_POSITION: Final = Position(0, "")


def merge_session(work: Work, back: Kept, now: str) -> bool:
    """Add the missing data of a session; ``back`` is the session in the backup.

    Returns whether the backup proves that it is of this service, or the session was not here.
    Raises `UnusableBackupError` if this store has other events, keys or answers for it.

    The session is locked only if events are missing: else it may record during the restore, which
    can take minutes.
    """
    rows = work.rows(statements.POSITION, session=back.id)
    if not rows or rows[0][0] < len(back.lines):
        work.lock(back.id)
        rows = work.rows(statements.POSITION, session=back.id)
    here = rows[0][0] if rows else 0
    if not rows:
        work.fill(statements.INSERT_SESSION, [{"id": back.id, "created": back.created}])
    elif here <= len(back.lines):
        bundles.refuse_fork(back, here, rows[0][1])
    else:
        ((hash_here,),) = work.rows(statements.HASH_AT, session=back.id, seq=len(back.lines))
        bundles.refuse_fork(back, len(back.lines), hash_here)
    present = transactions.read_kept(work, back.id, back.created)
    proven = bundles.refuse_foreign(back, present, now)
    bundles.refuse_contradiction(back, present)
    work.fill(statements.INSERT_EVENT, transactions.event_values(back.id, back.lines[here:]))
    work.fill(statements.INSERT_REQUEST, (
        transactions.request_values(back.id, key, done)
        for key, done in back.requests.items() if key not in present.requests
    ))  # fmt: skip
    ids = {key.id for key, _ in present.keys}
    take_over_keys(work, back, present, find_players(back.lines))
    recorders_here = dict(present.recorders)
    missing = [recorder for recorder in back.recorders if recorder[0] not in recorders_here]
    work.fill(statements.INSERT_RECORDER, transactions.recorder_values(back.id, missing))
    hold_keys(work, back, ((phone, key) for phone, key in back.phones if key not in ids))
    followed_here = {(followed.club, followed.key) for followed in present.clubs}
    work.fill(statements.INSERT_FOLLOWED, (
        followed_values(followed) for followed in back.clubs
        if (followed.club, followed.key) not in followed_here
    ))  # fmt: skip
    if here < len(back.lines):  # the backup is newer
        for followed in back.clubs:
            transactions.stop(work, followed, followed.stop or NO_POSITION)
    return proven


def followed_values(followed: Followed) -> Values:
    """Return the row of the database table ``followed`` for a followed session."""
    version, head = followed.stop or (None, None)
    return {"session": followed.session_id, "club": followed.club, "key": followed.key,
            "version": version, "head": head}  # fmt: skip


def find_newly_entered(work: Work, back: Kept) -> dict[str, int]:
    """Return the sessions that a club's new events enter, each with the seq of the first."""
    rows = work.rows(statements.POSITION, session=back.id)
    return find_entered(back.lines[rows[0][0] if rows else 0 :])


def refuse_foreign_club(
    work: Work, club_id: str, entered: Mapping[str, int], proven: Container[str]
) -> None:
    """Raise `UnusableBackupError` if new events of a club enter sessions of another service.

    The keys of the club would open sessions of this store. A session may be entered if it is not
    here, or if it is in the backup, too, which proves that the session is of this service:
    ``proven`` are these sessions. ``entered`` is returned by ``newly_entered``.
    """
    for session_id, seq in entered.items():
        here = keyring.is_id(session_id) and work.rows(statements.POSITION, session=session_id)
        if here and session_id not in proven:
            words = "which is here and not in the backup with an open key of its host"
            where = f"club {club_id}, event {seq}: it enters session {session_id}"
            raise UnusableBackupError(f"{where}, {words}: the club's keys would open that evening")


def follow_entered(work: Work, restored: Container[str]) -> None:
    """Let clubs follow, without a key, the sessions that they enter and do not follow.

    So the hosts of these sessions see the clubs, and can stop them. ``restored`` are the ids of all
    clubs and sessions in the backup. A club may have come with an earlier one.
    """
    for club_id, _ in work.rows(statements.SESSION_IDS):
        if not keyring.is_club(club_id):
            continue
        lines = (StoredLine(*row) for row in work.rows(statements.ROWS, session=club_id))
        followed = {row[0] for row in work.rows(statements.FOLLOWED_BY, club=club_id)}
        for session_id in sorted(find_entered(lines).keys() - followed):
            if club_id not in restored and session_id not in restored:
                continue
            if keyring.is_id(session_id) and work.rows(statements.POSITION, session=session_id):
                work.change(statements.FOLLOW, session=session_id, club=club_id, key="")


def carry_rights(work: Work, here: Kept) -> None:
    """Transfer the current rights of a session to a copy that will replace the database.

    ``work`` writes to the copy; ``here`` is the session in the current database. Revocations stay
    in effect. Keys that were made after the copy are kept: the host may have no other key.
    """
    if not work.rows(statements.POSITION, session=here.id):
        return
    copied = transactions.read_kept(work, here.id, here.created)
    keys_here = {(key.id, digest) for key, digest in here.keys}
    if keys_here.isdisjoint((key.id, digest) for key, digest in copied.keys):
        return  # a session of another service
    take_over_keys(work, here, copied, find_players(copied.lines))
    if len(here.lines) < len(copied.lines):
        return  # the copy is newer
    for phone, _ in copied.phones:
        work.change(statements.RELEASE_KEY, phone=phone, session=here.id)
    ids = {key.id for key in transactions.keys_of(work, here.id)}
    hold_keys(work, here, ((phone, key) for phone, key in here.phones if key in ids))
    for followed in here.clubs:
        if followed.key in {"", keyring.UNREAD, *ids}:
            work.change(statements.FOLLOW, session=here.id, club=followed.club, key=followed.key)
            if followed.stop is not None:  # the copy may end before it
                transactions.stop(work, followed, min(followed.stop, copied.position))


def take_over_keys(work: Work, source: Kept, present: Kept, players: Container[str]) -> None:
    """Add the missing keys of a source, and apply its revocations and dates of last use.

    Keys to seats of players who are not in ``players`` are not added.
    """
    known = {(key.id, digest): key for key, digest in present.keys}
    missing = [(key, digest) for key, digest in source.keys if (key.id, digest) not in known
               and (key.player is None or key.player in players)]  # fmt: skip
    work.fill(statements.INSERT_KEY, (key_values(key, digest) for key, digest in missing))
    for key, digest in source.keys:
        present_key = known.get((key.id, digest))
        if present_key is None:
            continue
        if key.revoked is not None:
            work.change(statements.REVOKE_KEY, session=source.id, key=key.id, now=key.revoked)
        if key.last_used is not None and key.last_used > (present_key.last_used or ""):
            work.change(statements.TOUCH_KEY, session=source.id, key=key.id, now=key.last_used)


def hold_keys(work: Work, source: Kept, phones: Iterable[tuple[bytes, str]]) -> None:
    """Let phones hold keys of a session; ``phones`` are digests of phones with ids of keys."""
    work.fill(statements.HOLD, (
        {"phone": phone, "session": source.id, "key": key} for phone, key in phones
    ))  # fmt: skip

"""What a restore puts back beside the logs: keys, phones that hold them, clubs that follow.

A backup adds events. It does not undo what was taken back since it was made: a key that was
revoked, here or in the backup, stays revoked, a phone holds again no key that it gave up, and a
club that was stopped stays so.
"""

from collections.abc import Container, Iterable
from typing import Final

from scorekeeper.base.errors import UnusableBackupError
from scorekeeper.store import bundles, keyring, statements, transactions
from scorekeeper.store.contract import Followed, Position, StoredLine
from scorekeeper.store.kept import Kept, entered_in, players_of
from scorekeeper.store.work import Values, Work, key_values

NOWHERE: Final = Position(0, "")  # no end at all


def merge(work: Work, back: Kept) -> None:
    """Add what is missing of a session.

    Raises `UnusableBackupError` if its events are others here.
    """
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
    present = transactions.kept(work, back.id, back.created)
    bundles.refuse_foreign(back.id, back.keys, present.keys)
    bundles.refuse_contradiction(back, present)
    work.fill(statements.INSERT_EVENT, transactions.event_values(back.id, back.lines[here:]))
    work.fill(statements.INSERT_REQUEST, (
        transactions.request_values(back.id, key, done)
        for key, done in back.requests.items() if key not in present.requests
    ))  # fmt: skip
    ids = {key.id for key, _ in present.keys}
    take_over_keys(work, back, present, players_of(back.lines))
    ascribed = dict(present.recorders)
    missing = [recorder for recorder in back.recorders if recorder[0] not in ascribed]
    work.fill(statements.INSERT_RECORDER, transactions.recorder_values(back.id, missing))
    hold(work, back, (one for one in back.phones if one[1] not in ids))
    followed = {(one.club, one.key) for one in present.clubs}
    work.fill(statements.INSERT_FOLLOWED, (
        followed_values(one) for one in back.clubs if (one.club, one.key) not in followed
    ))  # fmt: skip
    if here < len(back.lines):  # the backup is newer
        for one in back.clubs:
            transactions.stop(work, one, one.stop or NOWHERE)


def followed_values(one: Followed) -> Values:
    """A row of the database table of evenings that clubs may read."""
    version, head = one.stop or (None, None)
    return {"session": one.session_id, "club": one.club, "key": one.key,
            "version": version, "head": head}  # fmt: skip


def refuse_foreign_club(work: Work, back: Kept, restored: Container[str]) -> None:
    """UnusableBackupError where a club that is not here enters sessions that are here already.

    Its keys would open them. A backup of this service has these sessions, too: ``restored`` are
    the ids of all that a backup has, each of which is refused where it is of another service.
    """
    rows = work.rows(statements.POSITION, session=back.id)
    added = back.lines[rows[0][0] if rows else 0 :]
    for session_id, seq in entered_in(added).items():
        here = keyring.is_id(session_id) and work.rows(statements.POSITION, session=session_id)
        if here and session_id not in restored:
            words = "which is here and not in the backup: its keys would open that evening"
            raise UnusableBackupError(
                f"club {back.id}, event {seq}: it enters session {session_id}, {words}"
            )


def follow_what_is_entered(work: Work, club_id: str, lines: Iterable[StoredLine]) -> None:
    """Let a club read what its log enters, where it is not known by which key, as by the host."""
    read = {row[0] for row in work.rows(statements.FOLLOWED_BY, club=club_id)}
    for session_id in sorted(entered_in(lines).keys() - read):
        if keyring.is_id(session_id) and work.rows(statements.POSITION, session=session_id):
            work.change(statements.FOLLOW, session=session_id, club=club_id, key="")


def carry_rights(work: Work, here: Kept) -> None:
    """Change a copy of the database so that nothing is undone that was taken back since.

    ``here`` is a session as the database has it that the copy is to replace. Keys that were made
    since are kept, too: one of them may be the only one of its host.
    """
    if not work.rows(statements.POSITION, session=here.id):
        return
    copied = transactions.kept(work, here.id, here.created)
    both = {(key.id, digest) for key, digest in here.keys}
    if both.isdisjoint((key.id, digest) for key, digest in copied.keys):
        return  # a session of another service
    take_over_keys(work, here, copied, players_of(copied.lines))
    if len(here.lines) < len(copied.lines):
        return  # the copy is newer
    for phone, _ in copied.phones:
        work.change(statements.LET_GO, phone=phone, session=here.id)
    ids = {key.id for key in transactions.keys_of(work, here.id)}
    hold(work, here, (one for one in here.phones if one[1] in ids))
    for one in here.clubs:
        if one.key in {"", *ids}:
            work.change(statements.FOLLOW, session=here.id, club=one.club, key=one.key)
            if one.stop is not None:  # the copy may end before it
                transactions.stop(work, one, min(one.stop, copied.position))


def take_over_keys(work: Work, source: Kept, present: Kept, players: Container[str]) -> None:
    """Add the keys of a source that are missing, and revoke what it revoked.

    A key to a seat is left out if its player is not one of the ``players``.
    """
    known = {(key.id, digest): key for key, digest in present.keys}
    missing = [(key, digest) for key, digest in source.keys if (key.id, digest) not in known
               and (key.player is None or key.player in players)]  # fmt: skip
    work.fill(statements.INSERT_KEY, (key_values(key, digest) for key, digest in missing))
    for key, digest in source.keys:
        mine = known.get((key.id, digest))
        if mine is None:
            continue
        if key.revoked is not None:
            work.change(statements.REVOKE_KEY, session=source.id, key=key.id, now=key.revoked)
        if key.last_used is not None and key.last_used > (mine.last_used or ""):
            work.change(statements.TOUCH_KEY, session=source.id, key=key.id, now=key.last_used)


def hold(work: Work, source: Kept, phones: Iterable[tuple[bytes, str]]) -> None:
    """Let phones hold keys as a source has it."""
    work.fill(statements.HOLD, (
        {"phone": phone, "session": source.id, "key": key} for phone, key in phones
    ))  # fmt: skip

"""The merge of a backup into a store: events, requests, keys, phones, and clubs that follow.

A restore adds events. It does not undo revocations: a key that was revoked here or in the backup
stays revoked, a phone does not get back a key that it gave up, a club that was stopped stays
stopped, and a public address that has ended stays closed.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Executable

from scorekeeper.base.errors import UnusableBackupError
from scorekeeper.store import bundles, keyring, statements, transactions
from scorekeeper.store.contract import Followed, Position, Publication
from scorekeeper.store.kept import Kept, find_players
from scorekeeper.store.work import Values, Work, key_values

NO_POSITION: Final = Position(0, "")


@dataclass(frozen=True, slots=True)
class Changes:
    """Rows to insert, by statement in the order of foreign keys, and later updates."""

    inserted: Mapping[Executable, list[Values]]
    updates: list[tuple[Executable, Values]]

    @property
    def rows(self) -> int:
        """The number of rows to insert or update; 0 if nothing is missing."""
        return sum(map(len, self.inserted.values())) + len(self.updates)

    def write(self, work: Work) -> None:
        """Insert and update the rows."""
        for statement, rows in self.inserted.items():
            work.fill(statement, rows)
        for statement, values in self.updates:
            work.change(statement, **values)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A session in a backup, compared with the session here.

    ``here`` is its stored data here with its last line only, and without a line if it is not here.
    ``proven`` is True if the backup proves that it is of this service, or the session is not here.
    """

    back: Kept
    here: Kept
    proven: bool
    changes: Changes


def compare(back: Kept, here: Kept, now: str) -> Comparison:
    """Compare a session in a backup with the session here; find what is missing here.

    ``here`` is returned by `read_here`. Raises `UnusableBackupError` if it has other keys or
    answers, or is of another service.
    """
    proven = bundles.refuse_foreign(back, here, now)
    bundles.refuse_contradiction(back, here)
    return Comparison(back, here, proven, find_changes(back, here))


def read_here(work: Work, back: Kept) -> Kept:
    """Return the data of a session here, to compare it with the session in a backup.

    Raises `UnusableBackupError` if the session has other events here, or another session has a key
    of the backup.
    """
    here = Kept(back.id, back.created, (), {}, ())
    for version, _ in work.rows(statements.POSITION, session=back.id):
        shared = min(version, len(back.lines))
        ((hash_here,),) = work.rows(statements.HASH_AT, session=back.id, seq=shared)
        bundles.refuse_fork(back, shared, hash_here)
        here = transactions.read_kept(work, back.id, back.created, after=version - 1)
    refuse_taken_keys(work, back, here)
    refuse_taken_addresses(work, back)
    return here


def refuse_taken_keys(work: Work, back: Kept, here: Kept) -> None:
    """Raise `UnusableBackupError` if a missing key has the id or secret of another key here."""
    known = {key.id for key, _ in here.keys}
    for key, digest in back.keys:
        if key.id in known:
            continue
        if work.rows(statements.KEYS_LIKE, key=key.id, digest=digest):
            raise UnusableBackupError(
                f"the database refuses what is in it: session {back.id}: key {key.id}: another "
                "key here has its id or secret"
            )


def refuse_taken_addresses(work: Work, back: Kept) -> None:
    """Raise `UnusableBackupError` if a public address in the backup is another stream's here."""
    for publication in back.publications:
        rows = work.rows(statements.PUBLISHED_ADDRESS, address=publication.address)
        if any(stream_id != back.id for (stream_id,) in rows):
            raise UnusableBackupError(
                f"the database refuses what is in it: session {back.id}: a public address is "
                "another stream's here"
            )


def find_changes(back: Kept, here: Kept) -> Changes:
    """Return the changes after which a session has all data of the backup.

    A phone that holds a key here keeps it. Clubs that are stopped in a newer backup are stopped.
    """
    version = here.lines[-1].seq if here.lines else 0
    ids = {key.id for key, _ in here.keys}
    phones, recorders = dict(here.phones), dict(here.recorders)
    followed_here = {(followed.club, followed.key) for followed in here.clubs}
    keys, updates = find_key_changes(back, here, find_players(back.lines))
    inserted: dict[Executable, list[Values]] = {
        statements.INSERT_SESSION:
            [] if here.lines else [{"id": back.id, "created": back.created}],
        statements.INSERT_EVENT: [*transactions.event_values(back.id, back.lines[version:])],
        statements.INSERT_REQUEST: [
            transactions.request_values(back.id, key, done)
            for key, done in back.requests.items() if key not in here.requests
        ],
        statements.INSERT_KEY: keys,
        statements.INSERT_RECORDER: [*transactions.recorder_values(
            back.id, (recorder for recorder in back.recorders if recorder[0] not in recorders)
        )],
        statements.HOLD: held_values(back.id, (
            (phone, key) for phone, key in back.phones if key not in ids and phone not in phones
        )),
        statements.INSERT_FOLLOWED: [
            followed_values(followed) for followed in back.clubs
            if (followed.club, followed.key) not in followed_here
        ],
        statements.INSERT_PUBLICATION: [
            publication.columns()
            for publication in merge_publications(here.publications, back.publications)
            if publication.number > len(here.publications)
        ],
    }  # fmt: skip
    if version < len(back.lines):
        updates += [
            (statements.STOP_FOLLOWED, transactions.stop_values(followed, followed.stop))
            for followed in back.clubs if followed.stop is not None and followed.stop.version
        ]  # fmt: skip
    updates += [
        (statements.END_PUBLICATION, {"session": back.id, "of_address": publication.address,
                                      "now": publication.ended})
        for publication, before in zip(
            merge_publications(here.publications, back.publications), here.publications,
            strict=False,
        ) if publication.ended != before.ended
    ]  # fmt: skip
    return Changes(inserted, updates)


def merge_publications(
    own: Sequence[Publication], other: Sequence[Publication]
) -> list[Publication]:
    """Return one's own public addresses, and the later ones of a copy.

    An address that has ended in one of them has ended.
    """
    ended = {publication.address: publication.ended for publication in other}
    merged = [
        publication._replace(ended=publication.ended or ended.get(publication.address))
        for publication in own
    ]
    return [*merged, *other[len(own) :]]


def merge_session(work: Work, compared: Comparison, now: str) -> None:
    """Add the missing data of a session, as compared before; compare again if it changed since.

    A session that was deleted since stays deleted.

    Answers and recorders change only with events, or by another restore. If that added the same
    ones, the database refuses them.

    Raises `UnusableBackupError` as `read_here` and `compare` do.
    """
    if work.rows(statements.DELETED_AT, session=compared.back.id):
        return
    if is_changed(work, compared.here):
        compared = compare(compared.back, read_here(work, compared.back), now)
    compared.changes.write(work)


def is_changed(work: Work, here: Kept) -> bool:
    """Return whether the events or rights of a session changed since it was read."""
    before = here.position if here.lines else NO_POSITION
    position = transactions.positions(work, [here.id]).get(here.id, NO_POSITION)
    rights = transactions.read_rights(work, here.id)
    rights_before = here.keys, here.phones, here.clubs, here.publications
    return (position, rights) != (before, rights_before)


def followed_values(followed: Followed) -> Values:
    """Return the row of the database table ``followed`` for a followed session."""
    version, head = followed.stop or (None, None)
    return {"session": followed.session_id, "club": followed.club, "key": followed.key,
            "version": version, "head": head}  # fmt: skip


def refuse_foreign_club(
    work: Work, club_id: str, entered: Mapping[str, int], proven: Container[str]
) -> None:
    """Raise `UnusableBackupError` if new events of a club enter sessions of another service.

    The keys of the club would open sessions of this store. A session may be entered if it is not
    here, or if it is in the backup, too, which proves that the session is of this service:
    ``proven`` are these sessions. ``entered`` has the seq of the first entry of each session.
    """
    for session_id, seq in entered.items():
        here = keyring.can_be_entered(session_id) and work.rows(
            statements.POSITION, session=session_id
        )
        if here and session_id not in proven:
            words = "which is here and not in the backup with an open key of its host"
            where = f"club {club_id}, event {seq}: it enters session {session_id}"
            raise UnusableBackupError(f"{where}, {words}: the club's keys would open that evening")


def find_unfollowed(work: Work, club_id: str, entered: Iterable[str]) -> list[str]:
    """Return those of the entered sessions that are here and that a club does not follow."""
    followed = {row[0] for row in work.rows(statements.FOLLOWED_BY, club=club_id)}
    unfollowed = sorted(filter(keyring.can_be_entered, set(entered) - followed))
    return list(transactions.positions(work, unfollowed))


def follow_entered(work: Work, club_id: str, sessions: Iterable[str]) -> None:
    """Let a club follow, without a key, those of the sessions that it does not follow.

    So the hosts of these sessions see the club, and can stop it. ``sessions`` are sorted.
    """
    for session_id in sessions:
        work.lock(session_id)
        followers = work.rows(statements.FOLLOWERS_OF, session=session_id)
        if all(club != club_id for _, club, *_ in followers):
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
    keys, updates = find_key_changes(here, copied, find_players(copied.lines))
    Changes({statements.INSERT_KEY: keys}, updates).write(work)
    work.change(statements.FORGET_PUBLICATIONS, session=here.id)
    merged = merge_publications(here.publications, copied.publications)
    work.fill(statements.INSERT_PUBLICATION, [publication.columns() for publication in merged])
    if len(here.lines) < len(copied.lines):
        return  # the copy is newer
    for phone, _ in copied.phones:
        work.change(statements.RELEASE_KEY, phone=phone, session=here.id)
    ids = {key.id for key in transactions.keys_of(work, here.id)}
    held = held_values(here.id, ((phone, key) for phone, key in here.phones if key in ids))
    work.fill(statements.HOLD, held)
    for followed in here.clubs:
        if followed.key in {"", keyring.UNREAD, *ids}:
            work.change(statements.FOLLOW, session=here.id, club=followed.club, key=followed.key)
            if followed.stop is not None:  # the copy may end before it
                transactions.stop(work, followed, min(followed.stop, copied.position))


def find_key_changes(
    source: Kept, present: Kept, players: Container[str]
) -> tuple[list[Values], list[tuple[Executable, Values]]]:
    """Return the rows of missing keys, and the updates of revocations and dates of last use.

    Keys to seats of players who are not in ``players`` are not added.
    """
    known = {(key.id, digest): key for key, digest in present.keys}
    missing = [key_values(key, digest) for key, digest in source.keys
               if (key.id, digest) not in known
               and (key.player is None or key.player in players)]  # fmt: skip
    updates: list[tuple[Executable, Values]] = []
    for key, digest in source.keys:
        present_key = known.get((key.id, digest))
        if present_key is None:
            continue
        place = {"session": source.id, "key": key.id}
        if key.revoked is not None and present_key.revoked is None:
            updates.append((statements.REVOKE_KEY, {**place, "now": key.revoked}))
        if key.last_used is not None and key.last_used > (present_key.last_used or ""):
            updates.append((statements.TOUCH_KEY, {**place, "now": key.last_used}))
    return missing, updates


def held_values(session_id: str, phones: Iterable[tuple[bytes, str]]) -> list[Values]:
    """Return rows of the database table ``held`` for digests of phones with ids of keys."""
    return [{"phone": phone, "session": session_id, "key": key} for phone, key in phones]

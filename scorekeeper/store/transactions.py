"""Steps of transactions. Writing transactions of one session run one after another."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Executable

from scorekeeper.base.errors import (
    DeletedStreamError,
    KeyReusedError,
    StaleTableError,
    UnknownClubError,
    UnknownSessionError,
    UnknownTournamentError,
)
from scorekeeper.store import keyring, limits, statements, streams
from scorekeeper.store.contract import (
    AppendEffects,
    Attempt,
    Followed,
    Key,
    KeyRequest,
    NewKey,
    NewStream,
    Opened,
    OtherAppend,
    Position,
    Publication,
    Repeated,
    Request,
    StoredLine,
)
from scorekeeper.store.kept import Kept, Rights
from scorekeeper.store.streams import Done
from scorekeeper.store.work import Values, Work, key_values

UNKNOWN_ERRORS: Final = {
    keyring.StreamKind.CLUB: UnknownClubError,
    keyring.StreamKind.TOURNAMENT: UnknownTournamentError,
}
# The columns of END_AND_REQUEST before those of the key.
KEY_FROM: Final = len(Position._fields) + len(Done._fields)


def checked_id(stream_id: str) -> str:
    """Return the id. Raises `UnknownSessionError` if no session or club can have it."""
    if keyring.kind_of(stream_id) is None:
        raise UnknownSessionError(stream_id)
    return stream_id


def unknown_stream_error(work: Work, stream_id: str) -> UnknownSessionError:
    """Return the error for an unknown stream, by the form of its id, or for a deleted one."""
    for (at,) in work.rows(statements.DELETED_AT, session=stream_id):
        return DeletedStreamError(stream_id, at)
    kind = keyring.kind_of(stream_id) or keyring.StreamKind.SESSION
    return UNKNOWN_ERRORS.get(kind, UnknownSessionError)(stream_id)


def position(work: Work, stream_id: str) -> Position:
    """Return the end of a session.

    Raises `UnknownSessionError`.
    """
    rows = work.rows(statements.POSITION, session=checked_id(stream_id))
    if not rows:
        raise unknown_stream_error(work, stream_id)
    return Position(*rows[0])


def positions(work: Work, sessions: Iterable[str]) -> Mapping[str, Position]:
    """Return the end of each of these sessions that exists."""
    results = {
        session_id: work.rows(statements.POSITION, session=session_id) for session_id in sessions
    }
    return {session_id: Position(*rows[0]) for session_id, rows in results.items() if rows}


def query_in_batches(work: Work, statement: Executable, sessions: Iterable[str]) -> Iterator[Any]:
    """Yield the rows of a statement for many sessions or clubs, in batches of one query.

    The statement takes the parameters of ``SESSION_BATCH``. Malformed ids are skipped.
    """
    ids = [stream_id for stream_id in dict.fromkeys(sessions) if keyring.kind_of(stream_id)]
    for first in range(0, len(ids), statements.SESSIONS_PER_QUERY):
        batch = ids[first : first + statements.SESSIONS_PER_QUERY]
        padded = [*batch, *batch[:1] * (statements.SESSIONS_PER_QUERY - len(batch))]
        values = {f"session{place}": stream_id for place, stream_id in enumerate(padded)}
        yield from work.rows(statement, **values)


def answered(work: Work, stream_id: str, key: str, digest: bytes) -> Repeated | None:
    """Return the stored answer to an idempotency key; None if there is none.

    Raises `KeyReusedError` if the first request had another body.
    """
    rows = work.rows(statements.REQUEST, session=checked_id(stream_id), key=key)
    return streams.answer_repeated(Done(*rows[0]), digest) if rows else None


def revoke(work: Work, stream_id: str, key_id: str, now: str) -> bool:
    """Revoke a key, and return whether the session has it.

    Clubs that follow by it are stopped at the present end. Raises `LastKeyError` if it is the last
    permanent host key.
    """
    keys = keys_of(work, stream_id)
    if all(key.id != key_id for key in keys):
        return False
    keyring.refuse_last_host_key(keys, key_id)
    revoke_all(work, stream_id, [key_id], now)
    return True


def revoke_all(work: Work, stream_id: str, key_ids: Collection[str], now: str) -> None:
    """Revoke keys of a session, of which none is the last permanent one of the host."""
    for row in work.rows(statements.FOLLOWERS_OF, session=stream_id):
        follower = parse_followed(work, row, now)
        if follower.key in key_ids:  # if it has expired, the stop is at the time of its expiry
            stop(work, follower, follower.stop or position(work, stream_id))
    for key_id in key_ids:
        work.change(statements.REVOKE_KEY, session=stream_id, key=key_id, now=now)


def create(work: Work, new: NewStream) -> None:
    """Create a stream with its lines and keys."""
    work.fill(statements.INSERT_SESSION, [{"id": new.id, "created": new.created}])
    work.fill(statements.INSERT_EVENT, event_values(new.id, new.lines))
    work.fill(statements.INSERT_KEY, (key_values(made.key, digest) for made, digest in new.keys))


def refuse_deleted(work: Work, stream_id: str) -> None:
    """Raise `DeletedStreamError` if a stream with this id was deleted.

    An attempt that is repeated would make it again under the same id.
    """
    for (at,) in work.rows(statements.DELETED_AT, session=stream_id):
        raise DeletedStreamError(stream_id, at)


def write_effects(work: Work, stream_id: str, effects: AppendEffects, now: str) -> None:
    """Write what an append writes beside the events of its stream.

    Raises `StaleTableError` if another stream ends elsewhere, and `DeletedStreamError`.
    """
    if effects.recorders:
        rows = recorder_values(stream_id, effects.recorders.items())
        work.fill(statements.INSERT_RECORDER, rows)
    for session_id in sorted(filter(keyring.can_be_entered, effects.unfollowed)):
        stop_following(work, session_id, stream_id, now)
    for other in sorted(effects.others):  # all writers lock them in one order
        work.lock(other.stream_id)
        append_other(work, other)
    for new in effects.opens:
        refuse_deleted(work, new.id)
        create(work, new)
        if keyring.is_tournament(stream_id):
            work.change(statements.FOLLOW, session=new.id, club=stream_id, key="")


def append_other(work: Work, other: OtherAppend) -> None:
    """Append lines to another stream. Raises `StaleTableError` if it ends elsewhere."""
    at = position(work, other.stream_id)
    if at != other.after:
        raise StaleTableError(other.after.version, *at)
    work.fill(statements.INSERT_EVENT, event_values(other.stream_id, other.lines))


def opened_before(
    work: Work, stream_id: str, events: int, new_keys: Iterable[tuple[NewKey, bytes]]
) -> Opened:
    """Return a session as an earlier attempt with the same key opened it.

    ``events`` is the number of its first events. Raises `KeyReusedError` if the earlier attempt
    made other keys.
    """
    keys = []
    for new, digest in new_keys:
        before = made_before(work, new, digest)
        if before is None:
            raise KeyReusedError
        keys.append(before)
    rows = work.lines_from(stream_id, 0, events)
    (version, head, _), lines = rows[-1], tuple(line for _, _, line in rows)
    return Opened(stream_id, version, head, lines, tuple(keys), repeated=True)


def made_before(work: Work, new: NewKey, digest: bytes) -> NewKey | None:
    """Return the key that an earlier attempt made, as it was then; None if it made none.

    Raises `KeyReusedError` if that key has another secret: the attempt was for another request.
    """
    rows = work.rows(statements.KEY, session=new.key.stream_id, key=new.key.id)
    if not rows:
        return None
    if work.rows(statements.KEY_OF_SECRET, digest=digest) != rows:
        raise KeyReusedError
    return NewKey(replace(new.key, created=Key(*rows[0]).created), new.secret)


def unused_code(work: Work, stream_id: str, attempt: Attempt | None) -> str:
    """Return the first code, of an attempt or random, that no session has.

    After a key of the session was revoked, the same attempt makes another code: a form that is
    sent again must not bring back the code that ended with the key.
    """
    if attempt is not None:
        revoked = sum(key.revoked is not None for key in keys_of(work, stream_id))
        attempt = Attempt(attempt.key, attempt.digest + b" %d" % revoked)
    codes = keyring.new_codes(attempt)
    return next(
        code for code in codes if not work.rows(statements.CODE, digest=keyring.digest_of(code))
    )


def refuse_closed(work: Work, key: Key, now: str) -> None:
    """Raise `InvalidKeyError` if the stored key is missing or closed at this time."""
    rows = work.rows(statements.KEY, session=key.stream_id, key=key.id)
    keyring.refuse_closed(Key(*rows[0]) if rows else None, now)


def end_and_answer(
    work: Work, stream_id: str, request: Request | None, by: Key | None, now: str
) -> tuple[Position, Repeated | None]:
    """Return the end of a session, and the stored answer to a request; None if there is none.

    The key ``by`` may open another stream, such as the tournament of the session. Raises
    `UnknownSessionError`; `InvalidKeyError` if that key is closed at this time; `KeyReusedError` if
    the first request had another body.
    """
    rows = work.rows(
        statements.END_AND_REQUEST,
        session=checked_id(stream_id), key=request and request.key,
        of=by and by.stream_id, by=by and by.id,
    )  # fmt: skip
    if not rows:
        raise unknown_stream_error(work, stream_id)
    seq, head, *done = rows[0][:KEY_FROM]
    if by is not None:
        key = rows[0][KEY_FROM:]
        keyring.refuse_closed(Key(*key) if key[0] is not None else None, now)
    if request is None or done[0] is None:
        return Position(seq, head), None
    return Position(seq, head), streams.answer_repeated(Done(*done), request.digest)


def seconds_to_wait(work: Work, kind: str, subject: bytes, most: int, window: int, now: str) -> int:
    """Return the seconds until a subject may do one more act of a kind; 0 if it may now."""
    rows = work.rows(statements.LIMIT, kind=kind, subject=subject)
    return limits.seconds_left(rows[0] if rows else None, most, window, now)


def read_kept(work: Work, stream_id: str, created: str, after: int = 0) -> Kept:
    """Return all stored data of a session or club, as for a backup, with the lines after a seq."""
    lines = read_lines(work, stream_id, after)
    requests = {
        row[0]: Done(*row[1:]) for row in work.rows(statements.REQUESTS_OF, session=stream_id)
    }
    recorders = recorders_of(work, stream_id)
    return Kept(stream_id, created, lines, requests, *read_rights(work, stream_id), recorders)


def read_lines(work: Work, stream_id: str, after: int = 0) -> tuple[StoredLine, ...]:
    """Return the lines of a session or club after a seq."""
    rows = work.rows(statements.ROWS, session=stream_id, after=after)
    return tuple(StoredLine(*row) for row in rows)


def read_rights(work: Work, stream_id: str) -> Rights:
    """Return the keys, phones, followers and public addresses of a session or club."""
    rows = work.rows(statements.KEYS_WITH_DIGESTS, session=stream_id)
    keys = tuple((Key(*row[:-1]), row[-1]) for row in rows)
    phones = tuple((phone, key) for phone, key in work.rows(statements.HELD_OF, session=stream_id))
    clubs = tuple(
        Followed(session, club, key, None if version is None else Position(version, head))
        for session, club, key, version, head, *_ in work.rows(
            statements.FOLLOWERS_OF, session=stream_id
        )
    )
    return keys, phones, clubs, tuple(publications_of(work, stream_id))


def publications_of(work: Work, stream_id: str) -> list[Publication]:
    """Return the public addresses of a stream in order, including those that have ended."""
    return [Publication(*row) for row in work.rows(statements.PUBLICATIONS_OF, session=stream_id)]


def recorders_of(work: Work, stream_id: str) -> tuple[tuple[int, str], ...]:
    """Return the events whose ``by`` does not name the recorder: seq, and id of the key."""
    return tuple((seq, key) for seq, key in work.rows(statements.RECORDERS_OF, session=stream_id))


def recorder_values(stream_id: str, recorders: Iterable[tuple[int, str]]) -> Iterator[Values]:
    """Return rows of the database table ``recorders`` for pairs of seq and key id."""
    return ({"session": stream_id, "seq": seq, "key": key} for seq, key in recorders)


def event_values(stream_id: str, lines: Iterable[StoredLine]) -> Iterator[Values]:
    """Return rows of the database table ``events`` for lines of a session."""
    return ({"session": stream_id, **line._asdict()} for line in lines)


def request_values(stream_id: str, key: str, done: Done) -> Values:
    """Return the row of the database table ``requests`` for a stored request."""
    return {"session": stream_id, "key": key, **done._asdict()}


# ----------------------------------------------------------------------------------- followed


def stop(work: Work, follower: Followed, at: Position) -> None:
    """Store that a club may read a session by a key only up to a position.

    The first stop is final. Does nothing at version 0.
    """
    if at.version:
        work.change(statements.STOP_FOLLOWED, **stop_values(follower, at))


def stop_values(follower: Followed, at: Position) -> Values:
    """Return the parameters of ``STOP_FOLLOWED``."""
    return {
        "session": follower.session_id, "of_club": follower.club, "by_key": follower.key,
        "at_version": at.version, "at_head": at.head,
    }  # fmt: skip


def stop_following(work: Work, session_id: str, club_id: str, now: str) -> bool:
    """Stop a club from reading new events of a session, and return whether it followed it."""
    rows = work.rows(statements.FOLLOWERS_OF, session=session_id)
    live = [follower for follower in (parse_followed(work, row, now) for row in rows)
            if follower.club == club_id and follower.stop is None]  # fmt: skip
    for follower in live:
        stop(work, follower, position(work, session_id))
    return bool(live)


def parse_followed(work: Work, row: Sequence[Any], now: str) -> Followed:
    """Return the followed session of a row of ``FOLLOWED_BY``, with the stop by its key.

    No stop is stored if a key expires, or if a backup is older than the revocation. Then the
    session is read up to its last event before the key was closed.
    """
    session_id, club, key, version, head, revoked, expires = row
    if key == keyring.UNREAD:
        return Followed(session_id, club, key, Position(0, ""))
    if version is not None:
        return Followed(session_id, club, key, Position(version, head))
    closed = min((at for at in (revoked, expires) if at is not None and at <= now), default=None)
    return Followed(session_id, club, key, closed and position_before(work, session_id, closed))


def position_before(work: Work, stream_id: str, time: str) -> Position:
    """Return the end of a session as of its last event before a time."""
    ((first,),) = work.rows(statements.FIRST_SINCE, session=stream_id, since=time)
    if first is None:
        return position(work, stream_id)
    rows = work.rows(statements.HASH_AT, session=stream_id, seq=first - 1)
    return Position(first - 1, rows[0][0] if rows else "")


def stops(work: Work, club_id: str, now: str) -> dict[str, Position]:
    """Return, by session, the last position that a club may still read after it was stopped.

    Sessions that it follows by another key are not included.
    """
    by_session: dict[str, list[Position | None]] = {}
    for row in work.rows(statements.FOLLOWED_BY, club=club_id):
        follower = parse_followed(work, row, now)
        by_session.setdefault(follower.session_id, []).append(follower.stop)
    return {
        session_id: max(end for end in ends if end is not None)
        for session_id, ends in by_session.items()
        if None not in ends
    }


# ------------------------------------------------------------------------------------- phones


def take_seat(
    work: Work, secrets: Sequence[bytes], stream_id: str, player: str, now: str, *, hosting: bool
) -> Key:
    """Let a phone take a free seat, and return its key, which its first secret holds.

    ``secrets`` are digests. A phone that has the seat keeps its key. With ``hosting``, the phone
    holds the seat beside a host's key, and the key to any other seat that it has so is revoked.
    Raises `SeatTakenError` if another phone has the seat.
    """
    held = [held_key(work, secret, stream_id) for secret in secrets]
    own_seats = [key for key in held if key and key.player and keyring.is_in_use(key, now)]
    if own_seats and own_seats[0].player == player:
        return own_seats[0]
    keyring.refuse_seated_player(player, keys_of(work, stream_id), now)
    for seat in own_seats if hosting else ():
        revoke(work, stream_id, seat.id, now)
    new, digest = keyring.make_key(stream_id, KeyRequest("seat", player), now)
    key = replace(new.key, last_used=now)
    work.fill(statements.INSERT_KEY, [key_values(key, digest)])
    store_held_key(work, secrets[0], key, now, hosting=hosting)
    return key


def take_key(
    work: Work, secrets: Sequence[bytes], key: Key, now: str, *, hosting: bool = False
) -> None:
    """Let a phone hold a key by the first of its secrets, and mark the key as used.

    With ``hosting``, it is a seat's, which the phone holds beside a host's key. Raises
    `SeatTakenError` if another phone holds this key to a seat, or took the seat later.
    """
    present = held_key(work, secrets[0], key.stream_id)
    if present is None or present.id != key.id:
        own_key = key_of_phone(work, secrets, key.stream_id)
        others = [other for other in keys_of(work, key.stream_id) if other != own_key]
        rows = work.rows(statements.HELD_OF, session=key.stream_id)
        phones = [other for other, held in rows if held == key.id and other not in secrets]
        keyring.refuse_taken_seat(key, others, phones, now)
        store_held_key(work, secrets[0], key, now, hosting=hosting)
    work.change(statements.TOUCH_KEY, session=key.stream_id, key=key.id, now=now)


def store_held_key(work: Work, phone: bytes, key: Key, now: str, *, hosting: bool = False) -> None:
    """Let a phone hold a key instead of its earlier one, and forget keys unused for long.

    With ``hosting``, it is a seat's, which the phone holds beside a host's key.
    """
    since = limits.time_before(now, keyring.UNUSED_KEY_SECONDS)
    work.change(statements.FORGET_HELD, phone=phone, since=since)
    work.change(statements.RELEASE_KEY, phone=phone, session=key.stream_id)
    work.fill(statements.HOLD, [{"phone": phone, "session": key.stream_id, "key": key.id}])
    if key.role == "seat":
        mark = statements.MARK_HOST_SEAT if hosting else statements.UNMARK_HOST_SEAT
        work.change(mark, session=key.stream_id, key=key.id)


def held_key(work: Work, phone: bytes, stream_id: str) -> Key | None:
    """Return the key to a session that a phone holds; None if it holds none."""
    rows = work.rows(statements.HELD_KEY, phone=phone, session=stream_id)
    return Key(*rows[0]) if rows else None


def key_of_phone(work: Work, secrets: Iterable[bytes], stream_id: str) -> Key | None:
    """Return the key to a session by the first of a phone's secrets that holds one."""
    held = (held_key(work, secret, stream_id) for secret in secrets)
    return next((key for key in held if key is not None), None)


def keys_of(work: Work, stream_id: str) -> list[Key]:
    """Return all keys ever made to a session, the oldest first."""
    return [Key(*row) for row in work.rows(statements.KEYS_OF, session=stream_id)]

"""What is done within a transaction, of which a session has one at a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Executable

from scorekeeper.base.errors import KeyReusedError, UnknownClubError, UnknownSessionError
from scorekeeper.store import keyring, limits, statements, streams
from scorekeeper.store.contract import (
    Attempt,
    Followed,
    Key,
    NewKey,
    Opened,
    Position,
    Repeated,
    Request,
    StoredLine,
    Wish,
)
from scorekeeper.store.kept import Kept
from scorekeeper.store.streams import Done
from scorekeeper.store.work import Values, Work, key_values

# The columns of END_AND_REQUEST before those of the key.
KEY_FROM: Final = len(Position._fields) + len(Done._fields)


def known(session_id: str) -> str:
    """The same id.

    Raises `UnknownSessionError` if no stream can have it, and no database be asked.
    """
    if not keyring.is_stream(session_id):
        raise UnknownSessionError(session_id)
    return session_id


def missing(session_id: str) -> UnknownSessionError:
    """That there is no session, or no club, of this id."""
    return (
        UnknownClubError(session_id)
        if keyring.is_club(session_id)
        else UnknownSessionError(session_id)
    )


def position(work: Work, session_id: str) -> Position:
    """Where a session ends.

    Raises `UnknownSessionError`.
    """
    rows = work.rows(statements.POSITION, session=known(session_id))
    if not rows:
        raise missing(session_id)
    return Position(*rows[0])


def positions(work: Work, sessions: Iterable[str]) -> Mapping[str, Position]:
    """Where each of these sessions ends that is there."""
    found = {one: work.rows(statements.POSITION, session=one) for one in sessions}
    return {one: Position(*rows[0]) for one, rows in found.items() if rows}


def of_several(work: Work, statement: Executable, sessions: Iterable[str]) -> Iterator[Any]:
    """The rows of a statement on several streams, asked for several at once."""
    ids = [one for one in dict.fromkeys(sessions) if keyring.is_stream(one)]
    for first in range(0, len(ids), statements.AT_ONCE):
        asked = ids[first : first + statements.AT_ONCE]
        padded = [*asked, *asked[:1] * (statements.AT_ONCE - len(asked))]
        values = {f"session{place}": one for place, one in enumerate(padded)}
        yield from work.rows(statement, **values)


def answered(work: Work, session_id: str, key: str, digest: bytes) -> Repeated | None:
    """The answer to a request that was done before.

    Raises `KeyReusedError` if with another body.
    """
    rows = work.rows(statements.REQUEST, session=known(session_id), key=key)
    return streams.repeated(Done(*rows[0]), digest) if rows else None


def revoke(work: Work, session_id: str, key_id: str, now: str) -> bool:
    """Let a key open nothing any more; whether the session has it.

    Raises `LastKeyError`.
    """
    keys = keys_of(work, session_id)
    if all(one.id != key_id for one in keys):
        return False
    keyring.refuse_last(keys, key_id)
    for row in work.rows(statements.FOLLOWERS_OF, session=session_id):
        one = followed(work, row, now)
        if one.key == key_id:  # a key that expired before was closed at that time already
            stop(work, one, one.stop or position(work, session_id))
    work.change(statements.REVOKE_KEY, session=session_id, key=key_id, now=now)
    return True


def opened_before(
    work: Work, session_id: str, events: int, made: Iterable[tuple[NewKey, bytes]]
) -> Opened:
    """A session as the same attempt opened it, with a number of events and with these keys.

    KeyReusedError where it was opened with others.
    """
    keys = []
    for new, digest in made:
        before = made_before(work, new, digest)
        if before is None:
            raise KeyReusedError
        keys.append(before)
    rows = work.rows(statements.LINES_FROM, session=session_id, after=0, upto=events)
    (version, head, _), lines = rows[-1], tuple(line for _, _, line in rows)
    return Opened(session_id, version, head, lines, tuple(keys), repeated=True)


def made_before(work: Work, new: NewKey, digest: bytes) -> NewKey | None:
    """The key that the same attempt made before, as it was then; None where it made none.

    KeyReusedError where it was made for something else.
    """
    rows = work.rows(statements.KEY, session=new.key.session_id, key=new.key.id)
    if not rows:
        return None
    if work.rows(statements.KEY_OF_SECRET, digest=digest) != rows:
        raise KeyReusedError
    return NewKey(replace(new.key, created=Key(*rows[0]).created), new.secret)


def unused_code(work: Work, attempt: Attempt | None) -> str:
    """A code that does not exist yet; of the codes of an attempt the first such one."""
    codes = keyring.new_codes(attempt)
    return next(
        code for code in codes if not work.rows(statements.CODE, digest=keyring.digest_of(code))
    )


def refuse_closed(work: Work, key: Key, now: str) -> None:
    """MissingKeyError where a key opens nothing at this time."""
    rows = work.rows(statements.KEY, session=key.session_id, key=key.id)
    keyring.refuse_closed(Key(*rows[0]) if rows else None, now)


def end_and_answer(
    work: Work, session_id: str, request: Request | None, by: Key | None, now: str
) -> tuple[Position, Repeated | None]:
    """Where a session ends, and what a request was answered if it came before.

    InvalidKeyError where the key by which it comes opens nothing at this time.
    """
    rows = work.rows(
        statements.END_AND_REQUEST,
        session=known(session_id), key=request and request.key, by=by and by.id,
    )  # fmt: skip
    if not rows:
        raise missing(session_id)
    seq, head, *done = rows[0][:KEY_FROM]
    if by is not None:
        key = rows[0][KEY_FROM:]
        keyring.refuse_closed(Key(*key) if key[0] is not None else None, now)
    if request is None or done[0] is None:
        return Position(seq, head), None
    return Position(seq, head), streams.repeated(Done(*done), request.digest)


def wait(work: Work, kind: str, subject: bytes, most: int, window: int, now: str) -> int:
    """The seconds until one more act is allowed."""
    rows = work.rows(statements.LIMIT, kind=kind, subject=subject)
    return limits.left(rows[0] if rows else None, most, window, now)


def kept(work: Work, session_id: str, created: str) -> Kept:
    """All that belongs to a session."""
    lines = tuple(StoredLine(*row) for row in work.rows(statements.ROWS, session=session_id))
    requests = {
        row[0]: Done(*row[1:]) for row in work.rows(statements.REQUESTS_OF, session=session_id)
    }
    rows = work.rows(statements.KEYS_WITH_DIGESTS, session=session_id)
    keys = tuple((Key(*row[:-1]), row[-1]) for row in rows)
    phones = tuple((phone, key) for phone, key in work.rows(statements.HELD_OF, session=session_id))
    clubs = tuple(
        Followed(session, club, key, None if version is None else Position(version, head))
        for session, club, key, version, head, *_ in work.rows(
            statements.FOLLOWERS_OF, session=session_id
        )
    )
    recorders = recorders_of(work, session_id)
    return Kept(session_id, created, lines, requests, keys, phones, clubs, recorders)


def recorders_of(work: Work, session_id: str) -> tuple[tuple[int, str], ...]:
    """Return the seqs of the events that the log does not ascribe, each with the id of its key."""
    return tuple((seq, key) for seq, key in work.rows(statements.RECORDERS_OF, session=session_id))


def recorder_values(session_id: str, recorders: Iterable[tuple[int, str]]) -> Iterator[Values]:
    """Return the rows of the table of recorders."""
    return ({"session": session_id, "seq": seq, "key": key} for seq, key in recorders)


def event_values(session_id: str, lines: Iterable[StoredLine]) -> Iterator[Values]:
    """The rows of the table of events."""
    return ({"session": session_id, **one._asdict()} for one in lines)


def request_values(session_id: str, key: str, done: Done) -> Values:
    """A row of the table of requests."""
    return {"session": session_id, "key": key, **done._asdict()}


# ----------------------------------------------------------------------------------- followed


def stop(work: Work, one: Followed, at: Position) -> None:
    """Let a club read a session by a key no further than a position that it has or had."""
    if at.version:
        work.change(
            statements.STOP_FOLLOWED, session=one.session_id, of_club=one.club, by_key=one.key,
            at_version=at.version, at_head=at.head,
        )  # fmt: skip


def stop_following(work: Work, session_id: str, club_id: str, now: str) -> bool:
    """Let a club read a session no further than now; whether it was allowed to before."""
    rows = work.rows(statements.FOLLOWERS_OF, session=session_id)
    live = [one for one in (followed(work, row, now) for row in rows)
            if one.club == club_id and one.stop is None]  # fmt: skip
    for one in live:
        stop(work, one, position(work, session_id))
    return bool(live)


def followed(work: Work, row: Sequence[Any], now: str) -> Followed:
    """Return a row of the database table ``followed``, with where a closed key stops the club.

    No version is kept for a key that expired, nor in a backup that is older than the revocation.
    Then the events count that were recorded before the key was closed.
    """
    session_id, club, key, version, head, revoked, expires = row
    if version is not None:
        return Followed(session_id, club, key, Position(version, head))
    closed = min((at for at in (revoked, expires) if at is not None and at <= now), default=None)
    return Followed(session_id, club, key, closed and position_before(work, session_id, closed))


def position_before(work: Work, session_id: str, time: str) -> Position:
    """Return where a session ended before its first event of this time or later."""
    ((first,),) = work.rows(statements.FIRST_SINCE, session=session_id, since=time)
    if first is None:
        return position(work, session_id)
    rows = work.rows(statements.HASH_AT, session=session_id, seq=first - 1)
    return Position(first - 1, rows[0][0] if rows else "")


def stops(work: Work, club_id: str, now: str) -> dict[str, Position]:
    """Return where each session ends for a club that no longer follows it."""
    by_session: dict[str, list[Position | None]] = {}
    for row in work.rows(statements.FOLLOWED_BY, club=club_id):
        one = followed(work, row, now)
        by_session.setdefault(one.session_id, []).append(one.stop)
    return {
        session_id: max(one for one in ends if one is not None)
        for session_id, ends in by_session.items()
        if None not in ends
    }


# ------------------------------------------------------------------------------------- phones


def take_seat(work: Work, secrets: Sequence[bytes], session_id: str, player: str, now: str) -> Key:
    """The key by which a phone sits on a seat, held by the first of its secrets.

    Raises `SeatTakenError`.
    """
    mine = key_of_phone(work, secrets, session_id)
    if mine is not None and mine.player == player and keyring.in_use(mine, now):
        return mine
    keyring.refuse_seated(player, keys_of(work, session_id), now)
    new, digest = keyring.make_key(session_id, Wish("seat", player), now)
    key = replace(new.key, last_used=now)
    work.fill(statements.INSERT_KEY, [key_values(key, digest)])
    put(work, secrets[0], key, now)
    return key


def take_key(work: Work, secrets: Sequence[bytes], key: Key, now: str) -> None:
    """Let a phone hold a key by the first of its secrets; it is in use from now on.

    Raises `SeatTakenError`.
    """
    present = held_key(work, secrets[0], key.session_id)
    if present is None or present.id != key.id:
        mine = key_of_phone(work, secrets, key.session_id)
        others = [one for one in keys_of(work, key.session_id) if one != mine]
        rows = work.rows(statements.HELD_OF, session=key.session_id)
        phones = [other for other, held in rows if held == key.id and other not in secrets]
        keyring.refuse_taken(key, others, phones, now)
        put(work, secrets[0], key, now)
    work.change(statements.TOUCH_KEY, session=key.session_id, key=key.id, now=now)


def put(work: Work, phone: bytes, key: Key, now: str) -> None:
    """Let a phone hold a key in place of the one it had; what it used long ago is forgotten."""
    since = limits.since(now, keyring.A_YEAR_AND_MORE)
    work.change(statements.FORGET_HELD, phone=phone, since=since)
    work.change(statements.LET_GO, phone=phone, session=key.session_id)
    work.fill(statements.HOLD, [{"phone": phone, "session": key.session_id, "key": key.id}])


def hold(work: Work, phone: bytes, keys: Iterable[Key], now: str) -> None:
    """Let a phone hold keys to sessions to which it holds none."""
    for key in sorted(keys, key=lambda key: key.session_id):  # in one order: nobody waits in a ring
        work.lock(key.session_id)
        if held_key(work, phone, key.session_id) is None:
            put(work, phone, key, now)


def held_key(work: Work, phone: bytes, session_id: str) -> Key | None:
    """The key to a session that a phone holds."""
    rows = work.rows(statements.HELD_KEY, phone=phone, session=session_id)
    return Key(*rows[0]) if rows else None


def key_of_phone(work: Work, secrets: Iterable[bytes], session_id: str) -> Key | None:
    """The key to a session that a phone holds by the first of its secrets that holds one."""
    held = (held_key(work, secret, session_id) for secret in secrets)
    return next((key for key in held if key is not None), None)


def keys_of(work: Work, session_id: str) -> list[Key]:
    """All keys ever made to a session."""
    return [Key(*row) for row in work.rows(statements.KEYS_OF, session=session_id)]

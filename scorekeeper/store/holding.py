"""The keys that phones hold: what is done within a transaction, of which a session has one."""

from collections.abc import Iterable
from dataclasses import replace

from scorekeeper.store import keyring, limits, statements
from scorekeeper.store.contract import Key, Wish
from scorekeeper.store.work import Work, key_values


def take_seat(work: Work, phone: bytes, session: str, player: str, now: str) -> Key:
    """The key by which a phone sits on a seat from now on; SeatTaken."""
    mine = held_key(work, phone, session)
    if mine is not None and mine.player == player and keyring.in_use(mine, now):
        return mine
    keyring.refuse_seated(player, keys_of(work, session), now)
    new, digest = keyring.make_key(session, Wish("seat", player), now)
    key = replace(new.key, last_used=now)
    work.fill(statements.INSERT_KEY, [key_values(key, digest)])
    put(work, phone, key, now)
    return key


def take_key(work: Work, phone: bytes, key: Key, now: str) -> None:
    """Let a phone hold a key, which is in use from now on; SeatTaken."""
    mine = held_key(work, phone, key.session)
    if mine is None or mine.id != key.id:
        others = [one for one in keys_of(work, key.session) if one != mine]
        rows = work.rows(statements.HELD_OF, session=key.session)
        phones = [other for other, held in rows if held == key.id and other != phone]
        keyring.refuse_taken(key, others, phones, now)
        put(work, phone, key, now)
    work.change(statements.TOUCH_KEY, session=key.session, key=key.id, now=now)


def put(work: Work, phone: bytes, key: Key, now: str) -> None:
    """Let a phone hold a key in place of the one it had; what it used long ago is forgotten."""
    since = limits.since(now, keyring.A_YEAR_AND_MORE)
    work.change(statements.FORGET_HELD, phone=phone, since=since)
    work.change(statements.LET_GO, phone=phone, session=key.session)
    work.fill(statements.HOLD, [{"phone": phone, "session": key.session, "key": key.id}])


def hold(work: Work, phone: bytes, keys: Iterable[Key], now: str) -> None:
    """Let a phone hold keys to sessions to which it holds none."""
    for key in sorted(keys, key=lambda key: key.session):  # in one order: nobody waits in a ring
        work.lock(key.session)
        if held_key(work, phone, key.session) is None:
            put(work, phone, key, now)


def held_key(work: Work, phone: bytes, session: str) -> Key | None:
    """The key to a session that a phone holds."""
    rows = work.rows(statements.HELD_KEY, phone=phone, session=session)
    return Key(*rows[0]) if rows else None


def keys_of(work: Work, session: str) -> list[Key]:
    """All keys ever made to a session."""
    return [Key(*row) for row in work.rows(statements.KEYS_OF, session=session)]

"""Ids, secrets, and what a capability key opens."""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count
from typing import Final

from scorekeeper.base.errors import (
    InvalidKeyError,
    LastKeyError,
    SeatTakenError,
    UnusableError,
    expected,
)
from scorekeeper.store.contract import ROLES, Attempt, Key, NewKey, Wish

# Short enough to be read out, of characters that nobody confuses; 59 bits.
LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
LENGTH: Final = 12
OF_A_CODE: Final = 6  # letters: 30 bits, which live for minutes, and few may be guessed
CLUB: Final = "o"  # begins the id of a club, and none of a session: the id says what it is of
_ID = re.compile(rf"[{LETTERS}]{{{LENGTH}}}")
_CLUB_ID = re.compile(rf"{CLUB}[{LETTERS}]{{{LENGTH - 1}}}")

A_YEAR_AND_MORE: Final = 400 * 24 * 3600  # seconds for which a phone holds a key that is not used
TAKEN: Final = "somebody else has taken this seat"
OPENS_NOTHING: Final = "the key that came opens nothing: it is wrong, or was revoked"
_TO_THE_HOUR: Final = len("2026-11-21T20")


def new_id(attempt: Attempt | None = None, place: int = 0) -> str:
    """Return an id for a session or a key: random, or derived from the key of an attempt.

    ``place`` tells apart the ids that one attempt makes.
    """
    if attempt is None:
        return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    return _letters(_derived(attempt.key, f"id {place}"), LENGTH)


def new_club_id(attempt: Attempt | None = None) -> str:
    """Return an id for a club, made in the same way."""
    return CLUB + new_id(attempt)[1:]


def _derived(key: str, *names: str) -> bytes:
    """Return 32 bytes that follow from a key and from what they are for."""
    return hmac.digest(key.encode(), "\n".join(names).encode(), "sha256")


def _letters(drawn: bytes, length: int) -> str:
    """Write random bytes in the letters of an id."""
    number, letters = int.from_bytes(drawn), ""
    for _ in range(length):
        number, letter = divmod(number, len(LETTERS))
        letters += LETTERS[letter]
    return letters


def is_id(text: str) -> bool:
    """Whether a session or a key can have this id."""
    return _ID.fullmatch(text) is not None


def is_club(text: str) -> bool:
    """Whether a club can have this id."""
    return _CLUB_ID.fullmatch(text) is not None


def is_stream(text: str) -> bool:
    """Whether a session or a club can have this id."""
    return is_id(text) or is_club(text)


def new_codes(attempt: Attempt | None = None) -> Iterator[str]:
    """Yield codes to be read out and typed in; those of an attempt are always the same."""
    for place in count():
        drawn = (
            _derived(attempt.key, attempt.digest.hex(), f"code {place}")
            if attempt
            else secrets.token_bytes()
        )
        yield _letters(drawn, OF_A_CODE)


def digest_of(secret: str) -> bytes:
    """What is stored of a secret: its SHA-256."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def make_key(
    session_id: str, wish: Wish, now: str, attempt: Attempt | None = None, place: int = 0
) -> tuple[NewKey, bytes]:
    """A key to a session, with a secret of 192 bits, and what is stored of that; or Unusable.

    The same attempt makes the same key again; ``place`` is its place among those that it makes.
    """
    if wish.role not in ROLES:
        raise UnusableError(expected("host, seat or view", wish.role), field="role")
    if (wish.role == "seat") != (wish.player is not None):
        raise UnusableError("a seat has a player, and no other role has one", field="player")
    secret = _secret(attempt, place)
    # The first id of an attempt is that of the session which it opens.
    key = Key(new_id(attempt, place + 1), session_id, wish.role, wish.player, now, wish.expires)
    return NewKey(key, secret), digest_of(secret)


def _secret(attempt: Attempt | None, place: int) -> str:
    drawn = (
        _derived(attempt.key, attempt.digest.hex(), f"secret {place}")
        if attempt
        else secrets.token_bytes()
    )
    return urlsafe_b64encode(drawn[:24]).decode()


def opens(key: Key, now: str) -> bool:
    """Whether a key opens anything at this time."""
    return key.revoked is None and (key.expires is None or now < key.expires)


def in_use(key: Key, now: str) -> bool:
    """Whether a key opens something, and somebody has used it."""
    return key.last_used is not None and opens(key, now)


def refuse_taken(key: Key, others: Iterable[Key], phones: Iterable[bytes], now: str) -> None:
    """SeatTakenError where a seat's key is held by other phones, or somebody sat down there since.

    ``others`` are the session's keys but for those that the phone holds, ``phones`` the other
    ones that hold this key.
    """
    if key.role == "seat" and (any(phones) or any(
        one.player == key.player and one.created > key.created and in_use(one, now)
        for one in others if one.id != key.id
    )):  # fmt: skip
        raise SeatTakenError(TAKEN)


def refuse_seated(player: str, others: Iterable[Key], now: str) -> None:
    """SeatTakenError where one of these keys is somebody's who sits there."""
    if any(one.player == player and in_use(one, now) for one in others):
        raise SeatTakenError(TAKEN)


def refuse_closed(key: Key | None, now: str) -> None:
    """InvalidKeyError where a key is not there, or opens nothing at this time."""
    if key is None or not opens(key, now):
        raise InvalidKeyError(OPENS_NOTHING)


def lasts(key: Key) -> bool:
    """Whether a key is a host's, and opens the session for good."""
    return key.role == "host" and key.revoked is None and key.expires is None


def refuse_last(keys: Iterable[Key], revoked: str) -> None:
    """LastKeyError where of these keys only the one to be revoked is left to the host for good."""
    if [key.id for key in keys if lasts(key)] == [revoked]:
        raise LastKeyError("it is the only key that is left to the host; make another one first")


def lately_used(key: Key, now: str) -> bool:
    """Whether it was noted within this hour that the key is used."""
    return key.last_used is not None and key.last_used[:_TO_THE_HOUR] == now[:_TO_THE_HOUR]

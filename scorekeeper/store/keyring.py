"""Ids, secrets and codes, and the rules for when a capability key is open."""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from enum import StrEnum
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
from scorekeeper.store.contract import ROLES, Attempt, Key, KeyRequest, NewKey

# Characters that are not confused with one another when an id is read aloud; an id has 59 bits.
LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH: Final = 12
ADDRESS_LENGTH: Final = 26  # of a public address, which has 128 bits
CODE_LENGTH: Final = 6  # 30 bits; a code is valid for minutes, and guesses are limited
SET_OF_LETTERS: Final = frozenset(LETTERS)
ADDRESS_PATTERN: Final = rf"^[{LETTERS}]{{{ADDRESS_LENGTH}}}$"
_KEY_ID = re.compile(rf"[{LETTERS}]{{{ID_LENGTH}}}")

UNUSED_KEY_SECONDS: Final = 400 * 24 * 3600  # after which a phone forgets a key
UNREAD: Final = "-"  # instead of a key's id: a club names the session and may not read it
SEAT_TAKEN: Final = "somebody else has taken this seat"
OPENS_NOTHING: Final = "the key of the request opens nothing: it is wrong, or was revoked"
_HOUR_PREFIX: Final = len("2026-11-21T20")


class StreamKind(StrEnum):
    """The kinds of streams. The form of an id says of which kind its stream is."""

    SESSION = "session"
    CLUB = "club"
    TOURNAMENT = "tournament"


# The first letter of each id of a kind; none for the kind whose ids have the form of a key's.
# Ids of keys and sessions do not contain these letters.
FIRST_LETTERS: Final = {
    StreamKind.SESSION: "", StreamKind.CLUB: "o", StreamKind.TOURNAMENT: "i",
}  # fmt: skip
# The ids of demos begin with it, those of other streams cannot: it contains the letter o.
DEMO_PREFIX: Final = "demo"
ID_PATTERNS: Final = {
    kind: rf"(?:{DEMO_PREFIX})?{first}[{LETTERS}]{{{ID_LENGTH - len(first)}}}"
    for kind, first in FIRST_LETTERS.items()
}


def new_id(attempt: Attempt | None = None, place: int = 0) -> str:
    """Return an id of letters, as that of a key: random, or derived from an attempt.

    ``place`` distinguishes the ids that one attempt makes.
    """
    if attempt is None:
        return "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH))
    return _encode_letters(_derive_bytes(attempt.key, f"id {place}"), ID_LENGTH)


def new_stream_id(kind: StreamKind, attempt: Attempt | None = None, prefix: str = "") -> str:
    """Return an id for a stream of a kind, after a prefix: random, or derived from an attempt."""
    letter = FIRST_LETTERS[kind]
    return prefix + letter + new_id(attempt)[len(letter) :]


def _derive_bytes(key: str, *names: str) -> bytes:
    """Return 32 bytes derived from a key and the names of their purpose."""
    return hmac.digest(key.encode(), "\n".join(names).encode(), "sha256")


def _encode_letters(random_bytes: bytes, length: int) -> str:
    """Encode random bytes in the letters of an id."""
    number, letters = int.from_bytes(random_bytes), ""
    for _ in range(length):
        number, letter = divmod(number, len(LETTERS))
        letters += LETTERS[letter]
    return letters


def is_key_id(text: str) -> bool:
    """Return whether a key can have this id."""
    return _KEY_ID.fullmatch(text) is not None


def kind_of(stream_id: str) -> StreamKind | None:
    """Return the kind of the streams with such an id; None if no stream can have it."""
    stream_id = stream_id.removeprefix(DEMO_PREFIX)
    if len(stream_id) != ID_LENGTH or not set(stream_id[1:]) <= SET_OF_LETTERS:
        return None
    first = stream_id[0]
    if first in SET_OF_LETTERS:
        return StreamKind.SESSION
    return next((kind for kind, letter in FIRST_LETTERS.items() if letter == first), None)


def is_of_demo(stream_id: str) -> bool:
    """Return whether only a session or a club of a demo can have this id."""
    return stream_id.startswith(DEMO_PREFIX)


def is_session(stream_id: str) -> bool:
    """Return whether a session can have this id."""
    return kind_of(stream_id) is StreamKind.SESSION


def is_club(stream_id: str) -> bool:
    """Return whether a club can have this id."""
    return kind_of(stream_id) is StreamKind.CLUB


def is_tournament(stream_id: str) -> bool:
    """Return whether a tournament can have this id."""
    return kind_of(stream_id) is StreamKind.TOURNAMENT


def can_be_entered(stream_id: str) -> bool:
    """Return whether a club can count a stream with this id: a session or a tournament."""
    return kind_of(stream_id) in (StreamKind.SESSION, StreamKind.TOURNAMENT)


def new_address() -> str:
    """Return a public address, at random."""
    return _encode_letters(secrets.token_bytes(), ADDRESS_LENGTH)


def is_address(text: str) -> bool:
    """Return whether a text has the form of a public address."""
    return len(text) == ADDRESS_LENGTH and set(text) <= SET_OF_LETTERS


def new_codes(attempt: Attempt | None = None) -> Iterator[str]:
    """Yield codes to join, one after another; an attempt always yields the same codes."""
    for place in count():
        random_bytes = (
            _derive_bytes(attempt.key, attempt.digest.hex(), f"code {place}")
            if attempt
            else secrets.token_bytes()
        )
        yield _encode_letters(random_bytes, CODE_LENGTH)


def digest_of(secret: str) -> bytes:
    """Return the SHA-256 of a secret; a secret itself is never stored."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def make_key(
    stream_id: str, requested: KeyRequest, now: str, attempt: Attempt | None = None, place: int = 0
) -> tuple[NewKey, bytes]:
    """Return a key to a session with a secret of 192 bits, and the digest of that secret.

    The same attempt makes the same key again; ``place`` is the index of the key among those of the
    attempt. Raises `UnusableError` if the role is unknown, or does not agree with the player.
    """
    if requested.role not in ROLES:
        raise UnusableError(expected("host, seat or view", requested.role), field="role")
    if (requested.role == "seat") != (requested.player is not None):
        raise UnusableError("a seat has a player, and no other role has one", field="player")
    secret = _make_secret(attempt, place)
    # Id 0 of an attempt is that of the session that it opens.
    key = Key(
        new_id(attempt, place + 1),
        stream_id,
        requested.role,
        requested.player,
        now,
        requested.expires,
    )
    return NewKey(key, secret), digest_of(secret)


def _make_secret(attempt: Attempt | None, place: int) -> str:
    """Return the secret of a key, 32 characters: random, or derived from an attempt."""
    random_bytes = (
        _derive_bytes(attempt.key, attempt.digest.hex(), f"secret {place}")
        if attempt
        else secrets.token_bytes()
    )
    return urlsafe_b64encode(random_bytes[:24]).decode()


def is_open(key: Key, now: str) -> bool:
    """Return whether a key is neither revoked nor expired at the time ``now``."""
    return key.revoked is None and (key.expires is None or now < key.expires)


def is_in_use(key: Key, now: str) -> bool:
    """Return whether a key is open and was used at least once."""
    return key.last_used is not None and is_open(key, now)


def refuse_taken_seat(key: Key, others: Iterable[Key], phones: Iterable[bytes], now: str) -> None:
    """Raise `SeatTakenError` if another phone holds this key to a seat, or took the seat later.

    ``others`` are the session's keys except those that the phone holds; ``phones`` are the other
    phones that hold this key.
    """
    if key.role == "seat" and (any(phones) or any(
        other.player == key.player and other.created > key.created and is_in_use(other, now)
        for other in others if other.id != key.id
    )):  # fmt: skip
        raise SeatTakenError(SEAT_TAKEN)


def refuse_seated_player(player: str, others: Iterable[Key], now: str) -> None:
    """Raise `SeatTakenError` if one of these keys is the player's and is in use."""
    if any(other.player == player and is_in_use(other, now) for other in others):
        raise SeatTakenError(SEAT_TAKEN)


def refuse_closed(key: Key | None, now: str) -> None:
    """Raise `InvalidKeyError` if a key is None, or not open at this time."""
    if key is None or not is_open(key, now):
        raise InvalidKeyError(OPENS_NOTHING)


def is_permanent_host_key(key: Key) -> bool:
    """Return whether a key is a host's, is not revoked and never expires."""
    return key.role == "host" and key.revoked is None and key.expires is None


def refuse_last_host_key(keys: Iterable[Key], revoked: str) -> None:
    """Raise `LastKeyError` if the key with id ``revoked`` is the only permanent host key."""
    if [key.id for key in keys if is_permanent_host_key(key)] == [revoked]:
        raise LastKeyError("it is the host's last key: make another one first")


def used_this_hour(key: Key, now: str) -> bool:
    """Return whether the stored last use of a key is in the current hour."""
    return key.last_used is not None and key.last_used[:_HOUR_PREFIX] == now[:_HOUR_PREFIX]

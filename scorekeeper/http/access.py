"""The key of a request, and the rights that it gives."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from flask import current_app, g, request

from scorekeeper.base.errors import (
    BusyError,
    ForbiddenError,
    InvalidKeyError,
    MissingKeyError,
    UnknownClubError,
    UnknownSessionError,
    UnknownTournamentError,
)
from scorekeeper.http.extensions import clubs, is_demo_request, service, tournaments
from scorekeeper.http.limits import refuse_wrong_key
from scorekeeper.service import Holder
from scorekeeper.service.club_rights import KeyOf, ShownKey
from scorekeeper.store import ROLES, Key, Position, Role, keyring
from scorekeeper.store.keyring import DEMO_PREFIX, OPENS_NOTHING

SECRET: Final = re.compile(r"[A-Za-z0-9_-]{32}")
ANY: Final[tuple[Role, ...]] = ("view", "seat", "host")
MAX_PHONE_KEYS: Final = 50  # recent keys of a phone that are searched
BEARER: Final = "bearer "


def holder_of(session_id: str, *, seen: bool = False) -> Holder:
    """Return the holder of the request's key to a session; also store that the key was used.

    A key to the tournament that opened the session has the rights of its holder at that table. With
    ``seen`` a key that was valid a moment ago is not read from the store again. Raises
    `UnknownSessionError`, `MissingKeyError` or its `InvalidKeyError`, `ForbiddenError` for a key to
    another session, and `RateLimitError` after too many wrong keys.
    """
    if not keyring.is_session(session_id):
        raise UnknownSessionError(session_id)
    return _holder_of(session_id, seen=seen)


def holder_in_club(club_id: str, linked: str | None = None) -> Holder:
    """Return the holder of the request's key to a club; a member has the role of a seat.

    A ``linked`` key is part of an address, which people pass on: only a key to view is accepted.
    Raises `UnknownClubError`, and the errors of `holder_of`.
    """
    if not keyring.is_club(club_id):
        raise UnknownClubError(club_id)
    holder = _holder_of(club_id, linked)
    if linked is not None and holder.role != "view":
        raise ForbiddenError("an address may hold a key to view, and no other")
    return holder


def holder_in_tournament(tournament_id: str) -> Holder:
    """Return the holder of the request's key to a tournament.

    A director has the role of a host, assistants and entrants that of a seat. Raises
    `UnknownTournamentError`, and the errors of `holder_of`.
    """
    if not keyring.is_tournament(tournament_id):
        raise UnknownTournamentError(tournament_id)
    return _holder_of(tournament_id)


def report_holder(session_id: str) -> Holder:
    """Return a holder who may read the report of a session, also through a club that counts it.

    For such a viewer ``g.through_club`` is the id of the club, and ``g.read_until`` the position of
    the session at which the club was stopped from following it, or None. Raises as `holder_of`.
    """
    try:
        return holder_of(session_id)
    except (MissingKeyError, ForbiddenError):
        club = _club_of(session_id)
        if club is None:
            raise
        g.through_club, g.read_until = club
        return Holder("view", at_table=True, until=g.read_until)


def club_of_evening(session_id: str) -> str | None:
    """Return a club that counts an evening and that the request's key opens; None if there is none.

    So a reader of the evening does not learn from it of a club that they may not read.
    """
    with suppress(UnknownSessionError, UnknownClubError, BusyError):
        for club_id in _following_clubs(session_id):
            if own_key(club_id) and clubs().opens(club_id, session_id):
                return club_id
    return None


def _following_clubs(session_id: str) -> Iterator[str]:
    """Yield the clubs that follow a session, or the tournament of which it is a table."""
    for followed in service().following.followers(session_id):
        if keyring.is_club(followed.club):
            yield followed.club
        elif keyring.is_tournament(followed.club):
            above = service().following.followers(followed.club)
            yield from (each.club for each in above if keyring.is_club(each.club))


def _club_of(session_id: str) -> tuple[str, Position | None] | None:
    """Return a club through which the session may be read, and the position up to which.

    Of several clubs it is the one that may read most of the session. None if there is no such club.
    """
    stops: dict[str, Position | None] = {}
    for club_id in _clubs_of(session_id):
        stops[club_id] = clubs().stop_of(club_id, session_id)
        if stops[club_id] is None:
            return club_id, None
    readable = {club_id: stop for club_id, stop in stops.items() if stop and stop.version}
    return max(readable.items(), key=lambda club: club[1], default=None)


def _clubs_of(session_id: str) -> Iterator[str]:
    """Yield the clubs of the request's keys whose figures link to the session."""
    access, secret, held_by = service().access, bearer(), phone_secret()
    keys = [access.find_key(secret)] if secret else []
    if secret is None and held_by:
        keys += access.held_keys(held_by, MAX_PHONE_KEYS)
    for key in keys:
        if (
            key is not None
            and keyring.is_club(key.stream_id)
            and keyring.is_open(key, access.clock())
            and clubs().opens(key.stream_id, session_id)
        ):
            yield key.stream_id


def _holder_of(stream_id: str, given_secret: str | None = None, *, seen: bool = False) -> Holder:
    """Return the holder of a key to a session, club or tournament; errors as in `holder_of`.

    The secret is ``given_secret``, or else that in the request's header. Without either, the key is
    the one that the phone holds.
    """
    access, secret = service().access, bearer() if given_secret is None else given_secret
    if seen and secret and (known := service().keys.find_recent(secret)):
        if known.stream_id == stream_id:
            return Holder(known.role, known.player, known)
        if at_table := _table_holder(known, stream_id):
            return at_table
    key = _held_key(stream_id) if secret is None else _key_of(secret)
    if key is None and secret is None:
        key = _held_key_at_table(stream_id)
    if key is None or key.stream_id != stream_id:
        service().end(stream_id)  # raises `UnknownSessionError` rather than a missing key
    if key is None and secret is not None:
        refuse_wrong_key()
        raise InvalidKeyError(OPENS_NOTHING)
    if key is None:
        raise MissingKeyError(
            "a key is needed: Authorization: Bearer, or the cookie that a link gives"
        )
    holder: Holder | None = Holder(key.role, key.player, key)
    if key.stream_id != stream_id:
        holder = _table_holder(key, stream_id)
    if holder is None:
        raise ForbiddenError("the key that came is for another session")
    keyring.refuse_closed(key, access.clock())
    access.touch_key(key)
    return holder


def _table_holder(key: Key, stream_id: str) -> Holder | None:
    """Return the rights of a tournament's key at one of its tables; None for other keys."""
    if not (keyring.is_tournament(key.stream_id) and keyring.is_session(stream_id)):
        return None
    return tournaments().find_table_holder(key, stream_id)


def _held_key_at_table(stream_id: str) -> Key | None:
    """Return the phone's key to the tournament that opened a session; None if it has none."""
    secret = phone_secret()
    if secret is None or not keyring.is_session(stream_id):
        return None
    for key in service().access.held_keys(secret, MAX_PHONE_KEYS):
        if _table_holder(key, stream_id) is not None:
            return key
    return None


def _key_of(secret: str) -> Key | None:
    """Return the open key with a secret; None if there is none."""
    return service().keys.find(secret) if secret else None


def _held_key(session_id: str) -> Key | None:
    """Return the key to a session that the phone of the request holds; None if there is none."""
    secret = phone_secret()
    return service().access.held_key(secret, session_id) if secret else None


def shown_keys(secrets: Iterable[str] = ()) -> KeyOf:
    """Return a function from a session's id to the client's open key to it, or to None.

    It searches the keys of the phone and ``secrets``, which are those in the request itself, and
    prefers the key of a host. Each wrong secret is counted; raises `RateLimitError` after too many.
    """
    access, held_by = service().access, phone_secret()
    sent = [access.find_key(secret) for secret in secrets]
    if None in sent:
        refuse_wrong_key()

    def key_of(session_id: str) -> ShownKey | None:
        held = access.held_key(held_by, session_id) if held_by else None
        keys = {
            key.role: key
            for key in (held, *sent)
            if key is not None
            and key.stream_id == session_id
            and keyring.is_open(key, access.clock())
        }
        return next((ShownKey(role, keys[role]) for role in ROLES if role in keys), None)

    return key_of


def own_key(session_id: str) -> Key | None:
    """Return the request's key to a session if it is open, else None.

    Wrong keys are not counted. None also if the header Authorization has another scheme: error
    pages ask for the key, too.
    """
    access, held_by = service().access, phone_secret()
    try:
        secret = bearer()
    except MissingKeyError:
        return None
    key = access.find_key(secret) if secret else None
    if secret is None and held_by:
        key = access.held_key(held_by, session_id)
    if key is None or key.stream_id != session_id or not keyring.is_open(key, access.clock()):
        return None
    return key


def phone_secret() -> str | None:
    """Return the secret in the cookie of the phone, by which the store finds the phone's keys.

    None if the cookie is missing or malformed.
    """
    secret = request.cookies.get(phone_cookie(), "")
    return secret if SECRET.fullmatch(secret) else None


def bearer() -> str | None:
    """Return the secret in the Authorization header, or None without that header.

    Raises `MissingKeyError` if the header has another scheme.
    """
    header = request.headers.get("Authorization")
    if header is None:
        return None
    if not header[: len(BEARER)].lower() == BEARER:
        raise MissingKeyError("expected Authorization: Bearer, and a key")
    return header[len(BEARER) :].strip()


def phone_cookie() -> str:
    """Return the name of the cookie with the secret of a phone."""
    return f"{_prefix()}phone"


def phone_before_cookie() -> str:
    """Return the name of the cookie with the former secret of a phone."""
    return f"{_prefix()}phone-before"


def _prefix() -> str:
    """Return the prefix of a cookie's name.

    It binds the cookie to its host, if there is https, and separates demos from all else.
    """
    host = "__Host-" if current_app.config["SESSION_COOKIE_SECURE"] else ""
    return f"{host}{DEMO_PREFIX}-" if is_demo_request() else host

"""Who is asking: the key that came with a request, and what it opens."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from flask import current_app, g, request

from scorekeeper.base.errors import (
    ForbiddenError,
    InvalidKeyError,
    MissingKeyError,
    UnknownClubError,
    UnknownSessionError,
)
from scorekeeper.http.extensions import clubs, service
from scorekeeper.http.limits import refuse_wrong_key
from scorekeeper.service import Holder
from scorekeeper.service.club_rights import KeyOf, ShownKey
from scorekeeper.store import ROLES, Key, Position, Role, keyring
from scorekeeper.store.keyring import OPENS_NOTHING

A_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{32}")
ANY: Final[tuple[Role, ...]] = ("view", "seat", "host")
MOST_CLUBS: Final = 50  # keys of a phone, among which one to a club is looked for
BEARER: Final = "bearer "


def holder_of(session_id: str, *, seen: bool = False) -> Holder:
    """Who holds the key that came.

    Raises `UnknownSessionError`, `MissingKeyError`, `ForbiddenError` or `RateLimitError`.

    Where it is enough that it was good when it was ``seen`` last, it is not always looked up.
    """
    if keyring.is_club(session_id):
        raise UnknownSessionError(session_id)
    return _holder_of(session_id, seen=seen)


def holder_in_club(club_id: str, linked: str | None = None) -> Holder:
    """The same of a club, in which a member holds what is a seat's in a session.

    Raises `UnknownClubError`.

    A ``linked`` key came in an address, which gets about: it may be one to view, and no other.
    """
    if not keyring.is_club(club_id):
        raise UnknownClubError(club_id)
    holder = _holder_of(club_id, linked)
    if linked is not None and holder.role != "view":
        raise ForbiddenError("an address may hold a key to view, and no other")
    return holder


def reading(session_id: str) -> Holder:
    """Who may read the report of a session: also who looks at a club in which it counts.

    Of who comes so ``g.through_club`` is the id of that club, and ``g.read_until`` where the
    session ended when the club was stopped from following it, if it was.
    """
    try:
        return holder_of(session_id)
    except (MissingKeyError, ForbiddenError):
        found = _club_of(session_id)
        if found is None:
            raise
        g.through_club, g.read_until = found
        return Holder("view", at_table=True, until=g.read_until)


def _club_of(session_id: str) -> tuple[str, Position | None] | None:
    """The club with figures that open to a session, which a key opens that came, and up to where.

    Of several it is the one that may read most of the session; None for none.
    """
    found: dict[str, Position | None] = {}
    for club_id in _clubs_of(session_id):
        found[club_id] = clubs().stop_of(club_id, session_id)
        if found[club_id] is None:
            return club_id, None
    readable = {club_id: stop for club_id, stop in found.items() if stop and stop.version}
    return max(readable.items(), key=lambda one: one[1], default=None)


def _clubs_of(session_id: str) -> Iterator[str]:
    """The clubs with figures that open to a session, which keys open that came."""
    store, secret, held_by = service().store, bearer(), phone()
    keys = [store.find_key(secret)] if secret else []
    if secret is None and held_by:
        keys += store.held_keys(held_by, MOST_CLUBS)
    for key in keys:
        if (
            key is not None
            and keyring.is_club(key.session_id)
            and keyring.opens(key, store.clock())
            and clubs().opens(key.session_id, session_id)
        ):
            yield key.session_id


def _holder_of(session_id: str, given: str | None = None, *, seen: bool = False) -> Holder:
    store, secret = service().store, secret_to(session_id) if given is None else given
    if (
        seen
        and secret
        and (known := service().keys.seen(secret))
        and known.session_id == session_id
    ):
        return Holder(known.role, known.player, known)
    key = _held_key(session_id) if secret is None else _key_of(secret)
    if key is None or key.session_id != session_id:
        store.position(session_id)  # there is no such session, rather than no key to it
    if key is None and secret is not None:
        refuse_wrong_key()
        raise InvalidKeyError(OPENS_NOTHING)
    if key is None:
        raise MissingKeyError(
            "a key is needed: Authorization: Bearer, or the cookie that a link gives"
        )
    if key.session_id != session_id:
        raise ForbiddenError("the key that came is for another session")
    keyring.refuse_closed(key, store.clock())
    store.touch_key(key)
    return Holder(key.role, key.player, key)


def _key_of(secret: str) -> Key | None:
    return service().keys.find(secret) if secret else None


def _held_key(session_id: str) -> Key | None:
    secret = phone()
    return service().store.held_key(secret, session_id) if secret else None


def shown(secrets: Iterable[str] = ()) -> KeyOf:
    """Return the key to each session that came beside that of the club, a host's before others.

    ``secrets`` are those in the request itself; a wrong one is counted.

    Raises `RateLimitError`.
    """
    store, held_by = service().store, phone()
    found = [store.find_key(secret) for secret in secrets]
    if None in found:
        refuse_wrong_key()

    def key_of(session_id: str) -> ShownKey | None:
        held = store.held_key(held_by, session_id) if held_by else None
        keys = {
            key.role: key
            for key in (held, *found)
            if key is not None
            and key.session_id == session_id
            and keyring.opens(key, store.clock())
        }
        return next((ShownKey(role, keys[role]) for role in ROLES if role in keys), None)

    return key_of


def own_key(session_id: str) -> Key | None:
    """The key that came and opens a session, if one did; none is counted as wrong."""
    store, secret, held_by = service().store, secret_to(session_id), phone()
    key = store.find_key(secret) if secret else None
    if secret is None and held_by:
        key = store.held_key(held_by, session_id)
    good = key is not None and key.session_id == session_id and keyring.opens(key, store.clock())
    return key if good else None


def secret_to(session_id: str) -> str | None:
    """The key to a session that came itself, in the header or else as a cookie of its own.

    Such cookies were given until each phone had a secret, and are moved over by the pages.
    """
    secret = bearer()
    return request.cookies.get(cookie_name(session_id)) if secret is None else secret


def phone() -> str | None:
    """The secret of the phone that asks, by which the store knows the keys that it holds."""
    said = request.cookies.get(phone_cookie(), "")
    return said if A_SECRET.fullmatch(said) else None


def bearer() -> str | None:
    """The key in the header.

    Raises `MissingKeyError` if something else came there.
    """
    said = request.headers.get("Authorization")
    if said is None:
        return None
    if not said[: len(BEARER)].lower() == BEARER:
        raise MissingKeyError("expected Authorization: Bearer, and a key")
    return said[len(BEARER) :].strip()


def cookie_name(session_id: str) -> str:
    """The cookie that held a key to a session, until each phone had a secret of its own."""
    return f"{_prefix()}table-{session_id[:32]}"


def phone_cookie() -> str:
    """The cookie that holds the secret of a phone."""
    return f"{_prefix()}phone"


def phone_before_cookie() -> str:
    """The cookie that holds the secret that a phone had before it got the present one."""
    return f"{_prefix()}phone-before"


def _prefix() -> str:
    """Where the service is reached by https, browsers keep a cookie of this name to its host."""
    return "__Host-" if current_app.config["SESSION_COOKIE_SECURE"] else ""

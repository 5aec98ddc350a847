"""Who is asking: the key that came with a request, and what it opens."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from flask import current_app, g, request
from werkzeug.routing import BaseConverter

from scorekeeper.api.document import Blueprint, refuses
from scorekeeper.api.schemas import ID
from scorekeeper.base.errors import Forbidden, KeyGone, NoKey, StorageUnavailable, TooOften
from scorekeeper.operation.client import client_address
from scorekeeper.service import Holder, Service
from scorekeeper.service.permissions import refuse_role
from scorekeeper.store import Key, Role, keyring
from scorekeeper.store.keyring import OPENS_NOTHING

A_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{32}")
AN_HOUR: Final = 3600  # seconds
ANY: Final[tuple[Role, ...]] = ("view", "seat", "host")
BEARER: Final = "bearer "
CODES: Final = ("no_key", "forbidden", "unknown_session", "too_often", "storage_unavailable")
SECURITY: Final[list[dict[str, list[str]]]] = [{"bearer": []}, {"cookie": []}]
SCHEMES: Final = {
    "bearer": {
        "type": "http", "scheme": "bearer",
        "description": "a capability key: the host of a session gets all of them as it is opened",
    },
    "cookie": {
        "type": "apiKey", "in": "cookie", "name": "phone",
        "description": "the secret of a phone, which holds the key for which a link was exchanged "
        "at `/join`; before the name stands `__Host-` where the service has https",
    },
}  # fmt: skip
SESSION: Final = {
    "name": "session", "in": "path", "schema": {"type": "string", "pattern": ID},
    "description": "the id of the session",
}  # fmt: skip


class SessionId(BaseConverter):
    """The id of a session in a path: anything but the names of calls that stand there, too."""

    regex = r"(?!import$)[^/]+"


def service() -> Service:
    """The service of this application."""
    found: Service = current_app.extensions["service"]
    return found


def opened(*roles: Role, seen: bool = False) -> Callable[[Any], Any]:
    """Let a view be called with a key of one of these roles to the session that it is about.

    A key that was ``seen`` lately is taken as it was by a view that only records: it is looked at
    again as something is written, or before something is refused.
    """

    def decorate(view: Any) -> Any:
        @wraps(view)
        def wrapped(*args: Any, session: str, **more: Any) -> Any:
            g.holder = holder_of(session, seen=seen)
            try:
                refuse_role(g.holder, *roles)
                return view(*args, session=session, **more)
            except StorageUnavailable:  # which says nothing of the session
                raise
            except Exception:
                if seen:
                    holder_of(session)
                raise

        return refuses(*CODES)(Blueprint.doc(security=SECURITY)(wrapped))

    return decorate


def holder_of(session: str, *, seen: bool = False) -> Holder:
    """Who holds the key that came; UnknownSession, NoKey, Forbidden, TooOften.

    Where it is enough that it was good when it was ``seen`` last, it is not always looked up.
    """
    store, secret = service().store, secret_to(session)
    key = _held_key(session) if secret is None else _key_of(secret, seen=seen)
    if key is None or key.session != session:
        store.position(session)  # there is no such session, rather than no key to it
    if key is None and secret is not None:
        refuse_wrong_key()
        raise KeyGone(OPENS_NOTHING)
    if key is None:
        raise NoKey("a key is needed: Authorization: Bearer, or the cookie that a link gives")
    if key.session != session:
        raise Forbidden("the key that came is for another session")
    keyring.refuse_closed(key, store.clock())
    store.touch_key(key)
    return Holder(key.role, key.player, key)


def _key_of(secret: str, *, seen: bool) -> Key | None:
    keys = service().keys
    key = keys.seen(secret) if secret and seen else None
    return keys.find(secret) if secret and key is None else key


def _held_key(session: str) -> Key | None:
    secret = phone()
    return service().store.held_key(secret, session) if secret else None


def still_opens(session: str) -> Callable[[], bool]:
    """Whether the key that opened this request is still good, whenever that is asked."""
    find = _finding(session)
    return lambda: find() is not None


def own_key(session: str) -> Key | None:
    """The key that came and opens a session, if one did; none is counted as wrong."""
    return _finding(session)()


def _finding(session: str) -> Callable[[], Key | None]:
    """How to look up the key that came, as it is then, where it opens the session."""
    store, secret, held_by = service().store, secret_to(session), phone()

    def find() -> Key | None:
        key = store.find_key(secret) if secret else None
        if secret is None and held_by:
            key = store.held_key(held_by, session)
        good = key is not None and key.session == session and keyring.opens(key, store.clock())
        return key if good else None

    return find


def secret_to(session: str) -> str | None:
    """The key to a session that came itself, in the header or else as a cookie of its own.

    Such cookies were given until each phone had a secret, and are moved over by the pages.
    """
    secret = bearer()
    return request.cookies.get(cookie_name(session)) if secret is None else secret


def phone() -> str | None:
    """The secret of the phone that asks, by which the store knows the keys that it holds."""
    said = request.cookies.get(phone_cookie(), "")
    return said if A_SECRET.fullmatch(said) else None


def bearer() -> str | None:
    """The key in the header; NoKey where something else came there."""
    said = request.headers.get("Authorization")
    if said is None:
        return None
    if not said[: len(BEARER)].lower() == BEARER:
        raise NoKey("expected Authorization: Bearer, and a key")
    return said[len(BEARER) :].strip()


def cookie_name(session: str) -> str:
    """The cookie that held a key to a session, until each phone had a secret of its own."""
    return f"{_prefix()}table-{session[:32]}"


def phone_cookie() -> str:
    """The cookie that holds the secret of a phone."""
    return f"{_prefix()}phone"


def _prefix() -> str:
    """Where the service is reached by https, browsers keep a cookie of this name to its host."""
    return "__Host-" if current_app.config["SESSION_COOKIE_SECURE"] else ""


def refuse_wrong_key() -> None:
    """Count a wrong key; TooOften where too many came."""
    refuse_often("wrong key", current_app.config["FAILED_KEYS_AN_HOUR"])


def refuse_often(kind: str, most: int) -> None:
    """Count one more of what an address may do so often in an hour; TooOften after that."""
    left = service().store.hit(kind, client_address(), most, AN_HOUR)
    if left:
        raise TooOften(f"more than {most} in an hour from one address", left)


def refuse_many(kind: str, subject: str, setting: str, window: int, amount: int = 1) -> None:
    """Count what somebody does so often in a window of seconds; TooOften after that."""
    most = current_app.config[setting]
    current_app.extensions["rates"].refuse(kind, subject, most, window, amount)

"""Who is asking: the key that came with a request, and what it opens."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from flask import current_app, g, request
from werkzeug.routing import BaseConverter

from scorekeeper.api.document import Blueprint, refuses
from scorekeeper.api.schemas import ID
from scorekeeper.errors import Forbidden, NoKey, StorageUnavailable, TooOften
from scorekeeper.service import Holder, Service
from scorekeeper.service.rights import refuse_role
from scorekeeper.store import Role
from scorekeeper.store.keyring import OPENS_NOTHING

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
        "type": "apiKey", "in": "cookie", "name": "table-{session}",
        "description": "the same key, for which a link is exchanged at `/join`; `{session}` is "
        "the session's id, and before the name stands `__Host-` where the service has https",
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
    store, keys = service().store, service().keys
    secret = secret_to(session)
    key = keys.seen(secret) if secret and seen else None
    if secret and key is None:
        key = keys.find(secret)
    if key is None or key.session != session:
        store.position(session)  # there is no such session, rather than no key to it
    if secret is None:
        raise NoKey("a key is needed: Authorization: Bearer, or the cookie that a link gives")
    if key is None:
        refuse_wrong_key()
        raise NoKey(OPENS_NOTHING)
    if key.session != session:
        raise Forbidden("the key that came is for another session")
    store.touch_key(key)
    return Holder(key.role, key.player, key)


def still_opens(session: str) -> Callable[[], bool]:
    """Whether the key that opened this request is still good, whenever that is asked."""
    store, secret = service().store, secret_to(session) or ""
    return lambda: store.find_key(secret) is not None


def secret_to(session: str) -> str | None:
    """The key to a session that came, in the header or else as a cookie."""
    secret = bearer()
    return request.cookies.get(cookie_name(session)) if secret is None else secret


def bearer() -> str | None:
    """The key in the header; NoKey where something else came there."""
    said = request.headers.get("Authorization")
    if said is None:
        return None
    if not said[: len(BEARER)].lower() == BEARER:
        raise NoKey("expected Authorization: Bearer, and a key")
    return said[len(BEARER) :].strip()


def cookie_name(session: str) -> str:
    """The cookie that holds a key to a session.

    Where the service is reached by https, browsers keep a cookie of this name to its host.
    """
    return f"{'__Host-' if current_app.config['SESSION_COOKIE_SECURE'] else ''}table-{session[:32]}"


def refuse_wrong_key() -> None:
    """Count a wrong key; TooOften where too many came."""
    refuse_often("wrong key", current_app.config["FAILED_KEYS_AN_HOUR"])


def refuse_often(kind: str, most: int) -> None:
    """Count one more of what an address may do so often in an hour; TooOften after that."""
    left = service().store.hit(kind, request.remote_addr or "", most, AN_HOUR)
    if left:
        raise TooOften(f"more than {most} in an hour from one address", left)

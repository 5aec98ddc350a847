"""The tables of a phone: a cookie identifies the phone, and the store has the keys that it holds.

One cookie is enough for any number of tables.
"""

from collections.abc import Sequence

from flask import Flask, g, request
from werkzeug.wrappers import Response

from scorekeeper.http.access import phone_secret
from scorekeeper.http.extensions import service
from scorekeeper.http.public_pages import is_public
from scorekeeper.store import Key
from scorekeeper.web.phone.secret import change_secret, next_secret, set_secret_cookies


def init_app(app: Flask) -> None:
    """Maintain the phone's cookie with every page."""
    app.after_request(renew_cookies)


def take_key(key: Key) -> None:
    """Give this phone a key, with a new secret unless it holds the key already.

    Raises `SeatTakenError` if another phone holds the seat.
    """
    access, before = service().access, phone_secret()
    held = access.held_key(before, key.stream_id) if before else None
    if before and held is not None and held.id == key.id:
        access.take_key(before, key)
        return
    secret = next_secret()
    access.take_key(secret, key, before)
    change_secret(secret)


def take_seat(session_id: str, player: str) -> None:
    """Give this phone a seat, with a new secret unless it holds the seat already.

    Raises `SeatTakenError` if another phone holds the seat.
    """
    access, before = service().access, phone_secret()
    secret = next_secret()
    key = access.take_seat(secret, session_id, player, before)
    if before is None or access.held_key(before, session_id) != key:
        change_secret(secret)


def my_keys(most: int) -> Sequence[Key]:
    """Return at most ``most`` keys that this phone holds, the last used first."""
    secret = phone_secret()
    return () if secret is None else service().access.held_keys(secret, most)


def renew_cookies(answer: Response) -> Response:
    """Renew the phone's cookie with each whole page, so that it lasts while it is used."""
    is_page = (
        request.method == "GET"
        and answer.mimetype == "text/html"
        and "X-Fragment" not in request.headers
        and not is_public(request.path)  # proxies store it, and would give the cookie to others
    )
    if "phone" in g or (is_page and phone_secret()):
        set_secret_cookies(answer)
    return answer

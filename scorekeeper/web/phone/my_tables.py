"""The tables of a phone: a cookie identifies the phone, and the store has the keys that it holds.

One cookie is enough for any number of tables. Older versions set a cookie for each table; these are
moved into the store, some with each page.
"""

from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from itertools import islice
from typing import Final

from flask import Flask, current_app, g, request
from werkzeug.wrappers import Response

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.http.access import SECRET, cookie_name, phone_secret
from scorekeeper.http.extensions import service
from scorekeeper.store import Key
from scorekeeper.web.phone.secret import change_secret, next_secret, set_secret_cookies

PLAIN: Final = "table-"
MOST_MOVED: Final = 30  # in one response: proxies accept only a few kilobytes of headers


def init_app(app: Flask) -> None:
    """Maintain the phone's cookie with every page."""
    app.after_request(maintain_cookies)


def take_key(key: Key) -> None:
    """Give this phone a key, with a new secret unless it holds the key already.

    Raises `SeatTakenError` if another phone holds the seat.
    """
    store, before = service().store, phone_secret()
    held = store.held_key(before, key.session_id) if before else None
    if before and held is not None and held.id == key.id:
        store.take_key(before, key)
        return
    secret = next_secret()
    store.take_key(secret, key, before)
    change_secret(secret)


def take_seat(session_id: str, player: str) -> None:
    """Give this phone a seat, with a new secret unless it holds the seat already.

    Raises `SeatTakenError` if another phone holds the seat.
    """
    store, before = service().store, phone_secret()
    secret = next_secret()
    key = store.take_seat(secret, session_id, player, before)
    if before is None or store.held_key(before, session_id) != key:
        change_secret(secret)


def my_keys(most: int) -> Iterator[Key]:
    """Yield up to `most` keys from old cookies, then up to `most` from the store."""
    yield from (key for _, key in islice(_old_keys(), most) if key is not None)
    secret = phone_secret()
    if secret is not None:
        yield from service().store.held_keys(secret, most)


def maintain_cookies(answer: Response) -> Response:
    """Move old cookies into the store, and renew the phone's cookie while it is used."""
    is_page = request.method == "GET" and answer.mimetype == "text/html"
    if is_page and page_reads_store() and answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
        with suppress(StorageUnavailableError):  # the next request tries again
            _move_old_cookies(answer)
    if "phone" in g or (is_page and phone_secret() and "X-Fragment" not in request.headers):
        set_secret_cookies(answer)
    return answer


def page_reads_store() -> bool:
    """Return whether the page lists tables, or belongs to a session or a club.

    Other pages must work without the database.
    """
    named = request.view_args or {}
    return request.path == "/" or "session_id" in named or "club_id" in named


def _move_old_cookies(answer: Response) -> None:
    """Move the keys of old cookies into the store, and delete these cookies."""
    moved = list(islice(_old_keys(), MOST_MOVED))
    keys = [key for _, key in moved if key is not None]
    if keys:
        secret = next_secret()
        service().store.hold(secret, keys)
        change_secret(secret)
    for name, _ in moved:
        delete_cookie(answer, name)


def _old_keys() -> Iterator[tuple[str, Key | None]]:
    """Yield the name of each old table cookie, with its key or None if it opens nothing.

    Over https, cookies that were set over http do not count.
    """
    prefix = cookie_name("")
    for name, value in request.cookies.items():
        if name.startswith(prefix) and SECRET.fullmatch(value):
            key = service().store.known_key(value)
            yield name, key if key is not None and name == cookie_name(key.session_id) else None
        elif name.startswith((prefix, PLAIN)):
            yield name, None


def delete_cookie(answer: Response, name: str) -> None:
    """Delete a cookie of this phone, by its name."""
    answer.delete_cookie(
        name, secure=current_app.config["SESSION_COOKIE_SECURE"], httponly=True, samesite="Lax"
    )

"""The tables of a phone: a cookie names the phone, and the store the keys that it holds.

So however many tables there are, one cookie stands for all of them. Before that each table had a
cookie of its own; those that still come are moved over, some with each page.
"""

from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from itertools import islice
from typing import Final

from flask import Flask, current_app, g, request
from werkzeug.wrappers import Response

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.http.access import A_SECRET, cookie_name, phone
from scorekeeper.http.extensions import service
from scorekeeper.store import Key
from scorekeeper.web.phone.secret import change, keep_secret, next_secret

PLAIN: Final = "table-"
MOST_MOVED: Final = 30  # with one answer: proxies let few kilobytes of headers through


def init_app(app: Flask) -> None:
    """Let every page look after the cookie of the phone that it goes to."""
    app.after_request(looked_after)


def take(key: Key) -> None:
    """Let this phone hold a key, by a new secret unless it holds the key already.

    Raises `SeatTakenError`.
    """
    store, before = service().store, phone()
    held = store.held_key(before, key.session_id) if before else None
    if before and held is not None and held.id == key.id:
        store.take_key(before, key)
        return
    secret = next_secret()
    store.take_key(secret, key, before)
    change(secret)


def sit_down(session_id: str, player: str) -> None:
    """Let this phone take a seat, by a new secret unless it sits there already.

    Raises `SeatTakenError`.
    """
    store, before = service().store, phone()
    secret = next_secret()
    key = store.take_seat(secret, session_id, player, before)
    if before is None or store.held_key(before, session_id) != key:
        change(secret)


def my_keys(most: int) -> Iterator[Key]:
    """That many of the keys that this phone holds, and those that are still to be moved over."""
    yield from (key for _, key in islice(_old_keys(), most) if key is not None)
    secret = phone()
    if secret is not None:
        yield from service().store.held_keys(secret, most)


def looked_after(answer: Response) -> Response:
    """Move cookies of tables over; renew that of the phone, so that it lasts while it is used."""
    looks = request.method == "GET" and answer.mimetype == "text/html"
    if looks and asks_store() and answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
        with suppress(StorageUnavailableError):  # they come again
            _move_over(answer)
    if "phone" in g or (looks and phone() and "X-Fragment" not in request.headers):
        keep_secret(answer)
    return answer


def asks_store() -> bool:
    """Whether the page is one of a table or a club, or lists them; others need no database."""
    named = request.view_args or {}
    return request.path == "/" or "session_id" in named or "club_id" in named


def _move_over(answer: Response) -> None:
    """Let this phone hold the keys of its old cookies, and delete these."""
    moved = list(islice(_old_keys(), MOST_MOVED))
    keys = [key for _, key in moved if key is not None]
    if keys:
        secret = next_secret()
        service().store.hold(secret, keys)
        change(secret)
    for name, _ in moved:
        forget(answer, name)


def _old_keys() -> Iterator[tuple[str, Key | None]]:
    """The old cookies of tables, each with its key if that is one.

    By https, those that came before https are none.
    """
    prefix = cookie_name("")
    for name, said in request.cookies.items():
        if name.startswith(prefix) and A_SECRET.fullmatch(said):
            key = service().store.known_key(said)
            yield name, key if key is not None and name == cookie_name(key.session_id) else None
        elif name.startswith((prefix, PLAIN)):
            yield name, None


def forget(answer: Response, name: str) -> None:
    """Delete a cookie of this phone."""
    answer.delete_cookie(
        name, secure=current_app.config["SESSION_COOKIE_SECURE"], httponly=True, samesite="Lax"
    )

"""The key that every form carries, by which a form that is sent twice is done once.

A key counts together with what the form says and where it goes: the same form again gets the
first answer again, and another text in it, as after the browser's way back, is a new request. The
secrets that a form makes follow from its key, so nobody can guess one.
"""

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from secrets import token_urlsafe
from typing import Final

from flask import Flask, request
from markupsafe import Markup

from scorekeeper.base.errors import StaleVersionError
from scorekeeper.http.extensions import service
from scorekeeper.service import Recorded
from scorekeeper.store import Attempt

KEY: Final = "key"
LONGEST: Final = 200  # characters of a key
TRIES: Final = 20  # of recording while others do so, too
FIELD: Final = Markup('<input type="hidden" name="{}" value="{}">')


def init_app(app: Flask) -> None:
    """Let every template write the key into its forms."""
    app.jinja_env.globals.update(form_key=form_key)


def new_key() -> str:
    """Return a key for one form, of 128 bits."""
    return token_urlsafe(16)


def form_key() -> Markup:
    """Return the field with which a form carries a key of its own."""
    return FIELD.format(KEY, new_key())


def form_digest(file: bytes = b"") -> bytes:
    """Return the SHA-256 of a form with a key: where it went, what it says, and a file of it.

    It is empty where the form has no key.
    """
    if not 0 < len(request.form.get(KEY, "")) <= LONGEST:
        return b""
    # In the order in which they came: two players who change seats are another form.
    said = request.path, list(request.form.items(multi=True)), sha256(file).digest()
    return sha256(repr(said).encode("utf-8", "surrogatepass")).digest()


def attempt(file: bytes = b"") -> Attempt | None:
    """Return the attempt that this form is to make keys; None where it has no key."""
    digest = form_digest(file)
    return Attempt(digest.hex(), digest) if digest else None


def record_after_others(stream_id: str, record: Callable[[int], Recorded]) -> Recorded:
    """Record in a session or a club after whatever others record there meanwhile.

    ``record`` gets the version to come after.

    Raises `StaleVersionError` if others record all the time.
    """
    for _ in range(TRIES - 1):
        with suppress(StaleVersionError):
            return record(service().store.position(stream_id).version)
    return record(service().store.position(stream_id).version)


def recorded_before(stream_id: str) -> bool:
    """Return whether what this form says is on record in a session or a club already."""
    digest = form_digest()
    return bool(digest and service().store.answered(stream_id, digest.hex(), digest))

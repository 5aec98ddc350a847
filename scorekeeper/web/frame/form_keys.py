"""The key of each form, so that a form that is sent twice is recorded once.

A key counts together with the form's content and address: the same form again gets the first
response again, and changed content, such as after the browser's Back, is a new request. Secrets
that a form creates are derived from its key, so they cannot be guessed.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from secrets import token_urlsafe
from typing import Final

from flask import Flask, request
from markupsafe import Markup
from werkzeug.exceptions import BadRequest

from scorekeeper.base.errors import StaleVersionError
from scorekeeper.http.extensions import service
from scorekeeper.service import Recorded
from scorekeeper.store import Attempt

KEY: Final = "key"
MAX_KEY_CHARACTERS: Final = 200
MIN_SECRET_KEY_CHARACTERS: Final = 20  # of a key from which secrets are derived
MAX_WAIT_SECONDS: Final = 3.0  # for the same form that was sent twice
POLL_SECONDS: Final = 0.1
MAX_ATTEMPTS: Final = 20  # to record while others record
FIELD: Final = Markup('<input type="hidden" name="{}" value="{}">')


def init_app(app: Flask) -> None:
    """Let every template write the key into its forms."""
    app.jinja_env.globals.update(form_key=form_key)


def new_key() -> str:
    """Return a key for one form, of 128 bits."""
    return token_urlsafe(16)


def form_key() -> Markup:
    """Return the form field that holds a new key."""
    return FIELD.format(KEY, new_key())


def form_digest(file: bytes = b"") -> bytes:
    """Return the SHA-256 of a form with a key: its address, its content and an uploaded file.

    It is empty if the form has no key.
    """
    if not 0 < len(request.form.get(KEY, "")) <= MAX_KEY_CHARACTERS:
        return b""
    # In the order of the form: if two players change seats, it is another form.
    content = request.path, list(request.form.items(multi=True)), sha256(file).digest()
    return sha256(repr(content).encode("utf-8", "surrogatepass")).digest()


def form_attempt(file: bytes = b"") -> Attempt | None:
    """Return the attempt under which this form creates keys; None if it has no key.

    The same form with the same `file` gets the same keys again. Raises `BadRequest` if the key is
    too short to be a secret, or too long.
    """
    shortest, longest = MIN_SECRET_KEY_CHARACTERS, MAX_KEY_CHARACTERS
    if request.form.get(KEY) and not shortest <= len(request.form[KEY]) <= longest:
        raise BadRequest(f"expected a key of {shortest} to {longest} characters")
    digest = form_digest(file)
    return Attempt(digest.hex(), digest) if digest else None


def record_after_others(stream_id: str, record: Callable[[int], Recorded]) -> Recorded:
    """Call `record` with the latest version of a stream, again if others record meanwhile.

    `record` appends to a session or a club. Raises `StaleVersionError` after 20 attempts.
    """
    for _ in range(MAX_ATTEMPTS - 1):
        with suppress(StaleVersionError):
            return record(service().end(stream_id).version)
    return record(service().end(stream_id).version)


def recorded_before(stream_id: str, file: bytes = b"") -> bool:
    """Return whether this form, with an uploaded file, is already recorded in a stream."""
    digest = form_digest(file)
    return bool(digest and service().find_answer(stream_id, digest.hex(), digest))


def is_recorded_soon(stream_id: str) -> bool:
    """Wait a moment, and return whether this form was recorded: it may have been sent twice."""
    end = time.monotonic() + MAX_WAIT_SECONDS
    while not (recorded := recorded_before(stream_id)) and time.monotonic() < end:
        time.sleep(POLL_SECONDS)
    return recorded

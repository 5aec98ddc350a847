"""The secret of a phone, which changes each time that the phone takes a key.

An attacker who planted a cookie in a browser knows its secret, and must not gain the keys that the
browser takes later. The new secret is part of the form that takes the key, so a form that is sent
twice uses the same secret, and only this phone has seen it.

Until the phone sends the new secret, its earlier keys stay with the old one. So no key is lost with
a response that does not arrive.
"""

import hmac
import secrets
from contextlib import suppress
from hashlib import sha256
from typing import Final

from flask import Flask, current_app, g, request
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.http.access import SECRET, phone_before_cookie, phone_cookie, phone_secret
from scorekeeper.http.extensions import service
from scorekeeper.web.phone.remembered import COOKIE_SECONDS, set_cookie

FIELD: Final = "phone"
BESIDE: Final = " and a seat"  # suffix of a host's seat; secrets themselves have no spaces
PROOF: Final = 43  # characters of a SHA-256 in hex, proving that two secrets are of one phone


def init_app(app: Flask) -> None:
    """Add a new secret to forms, and move a phone's keys when it sends its new secret."""
    app.jinja_env.globals.update(phone_field=phone_field)
    app.before_request(move_keys_to_new_secret)
    app.after_request(delete_previous_secret)


def phone_field() -> Markup:
    """Return a hidden form field with the phone's next secret, a new random one at each call."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, new_secret())


def new_secret() -> str:
    """Return a random secret of 192 bits, as text."""
    return secrets.token_urlsafe(24)


def this_phone_secret() -> str:
    """Return the secret of this phone; a new phone receives it with the response."""
    if "phone" not in g:
        g.phone = phone_secret() or new_secret()
    secret: str = g.phone
    return secret


def next_secret() -> str:
    """Return the secret under which this request stores keys.

    It is the one set before in this request, else the form's, else a new one.
    """
    if "phone_changed" in g:
        return this_phone_secret()
    sent = request.form.get(FIELD, "") if request.method == "POST" else ""
    return sent if SECRET.fullmatch(sent) else new_secret()


def change_secret(secret: str) -> None:
    """Replace this phone's secret by a new one, which is sent as a cookie with the response."""
    if secret != phone_secret():
        g.phone, g.phone_changed = secret, True


def set_secret_cookies(answer: Response) -> None:
    """Set the cookie of this phone's secret, and of the previous one if the secret is new."""
    before = phone_secret()
    if "phone_changed" in g and before is not None:
        value = f"{before}.{_proof(before, this_phone_secret())}"
        set_cookie(answer, phone_before_cookie(), value, COOKIE_SECONDS)
    set_cookie(answer, phone_cookie(), this_phone_secret(), COOKIE_SECONDS)


def move_keys_to_new_secret() -> None:
    """Move the keys of the previous secret to the new one, once the phone sends it."""
    value, secret = request.cookies.get(phone_before_cookie()), phone_secret()
    if value is None or request.endpoint == "static":
        return
    g.phone_before = True
    before, _, proof = value.partition(".")
    if secret and SECRET.fullmatch(before) and hmac.compare_digest(
        proof.encode(), _proof(before, secret).encode()
    ):  # fmt: skip
        try:
            for beside in ("", BESIDE):
                service().access.rename_phone(before + beside, secret + beside)
        except StorageUnavailableError:  # the next request tries again
            del g.phone_before


def delete_previous_secret(answer: Response) -> Response:
    """Delete the cookie of the previous secret, unless it was set with this response."""
    if "phone_before" in g and "phone_changed" not in g:
        with suppress(KeyError):
            answer.delete_cookie(
                phone_before_cookie(), secure=current_app.config["SESSION_COOKIE_SECURE"],
                httponly=True, samesite="Lax",
            )  # fmt: skip
    return answer


def _proof(before: str, secret: str) -> str:
    """Return a hash that proves that two secrets belong to one phone."""
    return sha256(f"{secret} after {before}".encode()).hexdigest()[:PROOF]

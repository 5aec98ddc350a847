"""The secret of a phone, which changes each time that the phone takes a key.

Somebody who gave a browser a cookie, and so knows the secret, must not hold what the browser takes
later. The new secret stands in the form by which the key is taken: a form that is sent twice comes
from one phone, and nobody else has seen it.

What the phone held before stays with the old secret until the new one comes back. So nothing is
lost with an answer that does not arrive.
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
from scorekeeper.http.access import A_SECRET, phone, phone_before_cookie, phone_cookie
from scorekeeper.http.extensions import service
from scorekeeper.web.phone.remembered import A_YEAR, keep

FIELD: Final = "phone"
BESIDE: Final = " and a seat"  # in no secret: what a phone sends has no spaces
PROOF: Final = 43  # characters of a SHA-256 in hex, which show that two secrets are of one phone


def init_app(app: Flask) -> None:
    """Let forms carry a new secret; let a phone that comes with one hold what it held before."""
    app.jinja_env.globals.update(phone_field=phone_field)
    app.before_request(bring_over)
    app.after_request(forget_before)


def phone_field() -> Markup:
    """Return the field with which a form carries the next secret of the phone."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, new_secret())


def new_secret() -> str:
    """Return a secret of 192 bits."""
    return secrets.token_urlsafe(24)


def this_phone() -> str:
    """The secret of this phone, which is given one with the answer if it has none."""
    if "phone" not in g:
        g.phone = phone() or new_secret()
    secret: str = g.phone
    return secret


def next_secret() -> str:
    """Return the secret by which this phone takes keys with this request."""
    if "phone_changed" in g:
        return this_phone()
    said = request.form.get(FIELD, "") if request.method == "POST" else ""
    return said if A_SECRET.fullmatch(said) else new_secret()


def change(secret: str) -> None:
    """Give this phone a new secret with the answer."""
    if secret != phone():
        g.phone, g.phone_changed = secret, True


def keep_secret(answer: Response) -> None:
    """Let the browser keep the secret of this phone, and the one before it where it is new."""
    before = phone()
    if "phone_changed" in g and before is not None:
        said = f"{before}.{_proof(before, this_phone())}"
        keep(answer, phone_before_cookie(), said, A_YEAR)
    keep(answer, phone_cookie(), this_phone(), A_YEAR)


def bring_over() -> None:
    """Let a phone hold what it held by the secret before, once it comes with the new one."""
    said, secret = request.cookies.get(phone_before_cookie()), phone()
    if said is None or request.endpoint == "static":
        return
    g.phone_before = True
    before, _, proof = said.partition(".")
    if secret and A_SECRET.fullmatch(before) and hmac.compare_digest(
        proof.encode(), _proof(before, secret).encode()
    ):  # fmt: skip
        try:
            for beside in ("", BESIDE):
                service().store.rename_phone(before + beside, secret + beside)
        except StorageUnavailableError:  # it comes again
            del g.phone_before


def forget_before(answer: Response) -> Response:
    """Delete the cookie of the secret before, unless it was set with this answer."""
    if "phone_before" in g and "phone_changed" not in g:
        with suppress(KeyError):
            answer.delete_cookie(
                phone_before_cookie(), secure=current_app.config["SESSION_COOKIE_SECURE"],
                httponly=True, samesite="Lax",
            )  # fmt: skip
    return answer


def _proof(before: str, secret: str) -> str:
    """Return what only somebody who knows both secrets can say of them."""
    return sha256(f"{secret} after {before}".encode()).hexdigest()[:PROOF]

"""Protection against cross-site requests: a page of another site may read, and change nothing."""

from typing import Final

from flask import Flask, current_app, request

from scorekeeper.base.errors import CrossSiteError
from scorekeeper.http.access import BEARER

SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
OWN_SITES: Final = ("same-origin", "none")  # Sec-Fetch-Site of our pages, and of a typed address


def init_app(app: Flask) -> None:
    """Let every request of the application be checked by `refuse_other_sites`."""
    app.before_request(refuse_other_sites)


def refuse_other_sites() -> None:
    """Refuse a changing request that a page of another site has caused.

    A browser sends our cookies with it. A client that sends a bearer key, or neither cookies nor
    an origin, is no browser and is allowed. Raises `CrossSiteError`.
    """
    # A browser may send this header, too, but only with a name and a password.
    authorization = request.headers.get("Authorization", "")
    if request.method in SAFE_METHODS or authorization[: len(BEARER)].lower() == BEARER:
        return
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        own = site in OWN_SITES
    elif origin is not None:
        own = origin in (current_app.config["PUBLIC_URL"], request.host_url.rstrip("/"))
    else:
        own = not request.cookies
    if not own:
        raise CrossSiteError("a page of another site made the request")

"""What a page of another site makes a browser ask for: it may look, and change nothing."""

from typing import Final

from flask import Flask, current_app, request

from scorekeeper.base.errors import CrossSiteError
from scorekeeper.http.access import BEARER

SAFE: Final = ("GET", "HEAD", "OPTIONS")
OWN: Final = ("same-origin", "none")  # what a browser says of a page of ours, and of nobody's


def init_app(app: Flask) -> None:
    """Look at whatever would change something."""
    app.before_request(refuse_other_sites)


def refuse_other_sites() -> None:
    """Refuse to change anything for a page of another site, which a browser sends cookies for.

    Programs that send a key of their own, or neither cookies nor an origin, are no browsers.
    """
    said = request.headers.get("Authorization", "")  # a browser sends a name and password, too
    if request.method in SAFE or said[: len(BEARER)].lower() == BEARER:
        return
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        own = site in OWN
    elif origin is not None:
        own = origin in (current_app.config["PUBLIC_URL"], request.host_url.rstrip("/"))
    else:
        own = not request.cookies
    if not own:
        raise CrossSiteError("it was asked for by a page of another site")

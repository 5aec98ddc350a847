"""Addresses of our pages for other phones: in full, and as a square that a camera reads."""

from urllib.parse import urlsplit

import segno
from flask import current_app, request
from markupsafe import Markup

from scorekeeper.config import HERE
from scorekeeper.operation.reach import is_this_machine


def drawn(text: str) -> Markup:
    """A QR code that holds a text; what it is has to stand beside it."""
    svg = segno.make(text, error="m", micro=False).svg_inline(
        scale=4, border=4, omitsize=True, svgclass="qr", lineclass=None, dark="#000", light="#fff"
    )
    return Markup(svg.replace("<svg ", '<svg aria-hidden="true" ', 1))  # noqa: S704  # segno's


def outside(path: str) -> str:
    """The address of a page of ours for other phones."""
    return origin() + path


def origin() -> str:
    """Where other phones find us: as we were told, or by the name by which this page was asked for.

    A request says any name that its sender likes. It is taken for ours where it is one of those
    that are trusted, or else where the connection itself shows that it leads here.
    """
    config, environ = current_app.config, request.environ
    if config["PUBLIC_URL"]:
        return str(config["PUBLIC_URL"])
    came_to = environ["SERVER_NAME"], environ["SERVER_PORT"]
    ours = config["TRUSTED_HOSTS"] or (
        not config["PROXIES"]  # which say where it came to, too
        and is_this_machine(request.host, request.scheme, *came_to)
    )
    if ours:
        return request.host_url.rstrip("/")
    return str(config["ADDRESS"]())


def is_far() -> bool:
    """Whether other phones can reach the address by which this page was asked for."""
    host = urlsplit(outside("/")).netloc.rpartition(":")[0] or urlsplit(outside("/")).netloc
    return host not in HERE

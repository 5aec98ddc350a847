"""Addresses of our pages for other phones: in full, and as a square that a camera reads."""

from urllib.parse import urlsplit

import segno
from flask import current_app, request
from markupsafe import Markup

from scorekeeper.config import HERE


def drawn(text: str) -> Markup:
    """A QR code that holds a text; what it is has to stand beside it."""
    svg = segno.make(text, error="m", micro=False).svg_inline(
        scale=4, border=4, omitsize=True, svgclass="qr", lineclass=None, dark="#000", light="#fff"
    )
    return Markup(svg.replace("<svg ", '<svg aria-hidden="true" ', 1))  # noqa: S704  # segno's


def outside(path: str) -> str:
    """The address of a page of ours for other phones."""
    return (current_app.config["PUBLIC_URL"] or request.host_url.rstrip("/")) + path


def is_far() -> bool:
    """Whether other phones can reach the address by which this page was asked for."""
    host = urlsplit(outside("/")).netloc.rpartition(":")[0] or urlsplit(outside("/")).netloc
    return host not in HERE

"""Absolute addresses of pages for other phones, as text and as QR codes."""

from urllib.parse import urlsplit

import segno
from flask import current_app, request, url_for
from markupsafe import Markup

from scorekeeper.config import HERE
from scorekeeper.operation.reach import is_this_machine
from scorekeeper.store import Publication


def draw_qr_code(text: str) -> Markup:
    """Return the inline SVG of a QR code.

    Screen readers skip it, so the text must stand beside it.
    """
    svg = segno.make(text, error="m", micro=False).svg_inline(
        scale=4, border=4, omitsize=True, svgclass="qr", lineclass=None, dark="#000", light="#fff"
    )
    return Markup(svg.replace("<svg ", '<svg aria-hidden="true" ', 1))  # noqa: S704  # segno's


def absolute_url(path: str) -> str:
    """Return the address of a path at the origin that other phones can use."""
    return origin() + path


def public_url(latest: Publication | None) -> str:
    """Return the address of a public page for others; empty if there is none, or it has ended."""
    if latest is None or latest.ended is not None:
        return ""
    return absolute_url(url_for("published.page", address=latest.address))


def origin() -> str:
    """Return the origin for other phones: as configured, or the host of this request.

    A request can name any host. Its host is accepted only if it is trusted, or if the connection
    itself shows that the host is this machine.
    """
    config, environ = current_app.config, request.environ
    if config["PUBLIC_URL"]:
        return str(config["PUBLIC_URL"])
    server = environ["SERVER_NAME"], environ["SERVER_PORT"]
    is_own = config["TRUSTED_HOSTS"] or (
        not config["PROXIES"]  # proxies also set the server name and port
        and is_this_machine(request.host, request.scheme, *server)
    )
    if is_own:
        return request.host_url.rstrip("/")
    return str(config["ADDRESS"]())


def is_reachable_from_other_phones() -> bool:
    """Return whether the service's address names another host than this machine itself."""
    host = (
        urlsplit(absolute_url("/")).netloc.rpartition(":")[0] or urlsplit(absolute_url("/")).netloc
    )
    return host not in HERE

"""Files that browsers and programs look for at fixed addresses: icons, robots and a contact."""

from datetime import UTC, datetime, time, timedelta
from typing import Final

from flask import Blueprint, Response, current_app
from werkzeug.exceptions import NotFound

from scorekeeper.languages.catalogues import LANGUAGES
from scorekeeper.web.phone.links import absolute_url

blueprint = Blueprint("well_known", __name__)

PLAIN: Final = "text/plain; charset=utf-8"
A_DAY: Final = "public, max-age=86400"
CONTACT_DAYS: Final = 180  # for which the contact is valid; RFC 9116 asks for less than a year
SECURITY: Final = "/.well-known/security.txt"
# Pages of tables and clubs need a key, and links to join contain one. Every page that may be read
# asks not to be indexed by its header, which a program sees only if it may read the page.
PRIVATE_PATHS: Final = ("/t/", "/club/", "/join", "/code", "/api/")


@blueprint.get("/favicon.ico")
def favicon() -> Response:
    """Return the icon that browsers ask for without being told."""
    return _icon("favicon.ico")


@blueprint.get("/apple-touch-icon.png")
@blueprint.get("/apple-touch-icon-precomposed.png")
def touch_icon() -> Response:
    """Return the icon that phones of Apple ask for without being told."""
    return _icon("icon-192.png")


def _icon(name: str) -> Response:
    """Return a static icon, which browsers may keep for a day."""
    answer = current_app.send_static_file(name)
    answer.headers["Cache-Control"] = A_DAY
    return answer


@blueprint.get("/robots.txt")
def robots() -> Response:
    """Return which pages robots should not ask for."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in PRIVATE_PATHS)]
    return _text(lines)


@blueprint.get(SECURITY)
def security() -> Response:
    """Return where to report a hole in the security (RFC 9116), if the operator has said where.

    It is valid for some months from the beginning of today, so it is the same for a day.
    """
    contact = current_app.config["SECURITY_CONTACT"]
    if contact is None:
        raise NotFound
    today = datetime.combine(datetime.now(UTC), time(), UTC)
    lines = [
        f"Contact: {contact}",
        f"Expires: {today + timedelta(days=CONTACT_DAYS):%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(LANGUAGES)}",
        f"Canonical: {absolute_url(SECURITY)}",
    ]
    return _text(lines)


def _text(lines: list[str]) -> Response:
    """Return lines as a file of plain text, which clients may keep for a day."""
    answer = Response("".join(f"{line}\n" for line in lines), content_type=PLAIN)
    answer.headers["Cache-Control"] = A_DAY
    return answer

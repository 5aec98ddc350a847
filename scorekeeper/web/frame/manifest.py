"""``/manifest.webmanifest``: lets a phone install the pages as an app on its home screen."""

from typing import Final

from flask import Blueprint, Response, url_for
from flask_babel import get_locale
from flask_babel import gettext as _

from scorekeeper.log.writing import as_json

blueprint = Blueprint("manifest", __name__)

ICONS: Final = (
    ("icon.svg", "any", "any"),
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable.png", "512x512", "maskable"),
)


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the name, colours and icons of the app."""
    fields = {
        "name": "Scorekeeper",
        "short_name": "Scorekeeper",
        "description": _("Keep score of games played with real cards."),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "lang": str(get_locale()),
        "display": "standalone",
        "background_color": "#0b0d0c",
        "theme_color": "#154437",
        "icons": [icon(*args) for args in ICONS],
    }
    answer = Response(as_json(fields), content_type="application/manifest+json")
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer


def icon(name: str, sizes: str, purpose: str) -> dict[str, str]:
    """Return an icon of the app and its purpose."""
    kind = "image/svg+xml" if name.endswith(".svg") else "image/png"
    address = url_for("static", filename=name)
    return {"src": address, "sizes": sizes, "type": kind, "purpose": purpose}

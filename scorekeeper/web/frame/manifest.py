"""``/manifest.webmanifest``: what makes a phone keep this as an app on its home screen."""

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
    """Name, colours and drawings of the app."""
    told = {
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
        "icons": [icon(*one) for one in ICONS],
    }
    answer = Response(as_json(told), content_type="application/manifest+json")
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer


def icon(name: str, sizes: str, purpose: str) -> dict[str, str]:
    """A drawing of the app, and what it is for."""
    kind = "image/svg+xml" if name.endswith(".svg") else "image/png"
    where = url_for("static", filename=name)
    return {"src": where, "sizes": sizes, "type": kind, "purpose": purpose}

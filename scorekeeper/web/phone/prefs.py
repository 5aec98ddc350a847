"""``/prefs``: the display settings of this phone, kept in a cookie only."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final
from urllib.parse import urlencode

from flask import Blueprint, Flask, Request, redirect, render_template, request
from flask import url_for as url
from flask_babel import get_locale
from werkzeug.wrappers import Response

from scorekeeper import __version__
from scorekeeper.http.preferences import PREFS, stored_preferences
from scorekeeper.languages.catalogues import LANGUAGES
from scorekeeper.web.phone.remembered import COOKIE_SECONDS, set_cookie

# The possible values by name. A setting without a choice is empty: the browser's or the default.
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "lang": tuple(LANGUAGES),
    "theme": ("light", "dark", "black"),
    "size": ("large", "larger", "largest"),
    "hand": ("left",),
    "faces": ("letters",),
    "awake": ("no",),
    "vibrate": ("no",),
    "speech": ("yes",),
}

blueprint = Blueprint("prefs", __name__, url_prefix="/prefs")


@dataclass(frozen=True, slots=True)
class Prefs:
    """The chosen settings; an empty one follows the browser or the default.

    ``size`` is the text size, ``hand`` the hand that holds the phone, ``faces`` the style of cards,
    ``awake`` whether the screen stays on at the table, ``vibrate`` whether a tap vibrates,
    ``speech`` whether the phone speaks what is recorded.
    """

    lang: str = ""
    theme: str = ""
    size: str = ""
    hand: str = ""
    faces: str = ""
    awake: str = ""
    vibrate: str = ""
    speech: str = ""

    @classmethod
    def of(cls, values: Mapping[str, str]) -> "Prefs":
        """Return the valid choices among submitted values; others are ignored."""
        return cls(**{
            name: values[name] for name, allowed in CHOICES.items() if values.get(name) in allowed
        })  # fmt: skip

    def __str__(self) -> str:
        return urlencode({name: value for name, value in asdict(self).items() if value})


def read_prefs(request: Request) -> Prefs:
    """Return the valid display settings in the cookie of a request."""
    return Prefs.of(stored_preferences(request))


def init_app(app: Flask) -> None:
    """Pass the choices to every template."""
    app.context_processor(prefs_for_templates)


def prefs_for_templates() -> dict[str, Any]:
    """Return the template values of every page: the choices, also as attributes of its root."""
    prefs = read_prefs(request)
    shown = {
        setting.name: getattr(prefs, setting.name)
        for setting in fields(prefs)
        if setting.name != "lang"
    }
    return {
        "prefs": prefs,
        "shown": {name: value for name, value in shown.items() if value},
        "lang": str(get_locale() or "en"),
    }


@blueprint.get("")
def page() -> str:
    """Show the form of the display settings."""
    return render_template(
        "prefs/page.html",
        languages=LANGUAGES,
        saved="saved" in request.args,
        back=return_path(),
        version=__version__,
    )


@blueprint.post("")
def choose() -> Response:
    """Store the display settings of the form in a cookie, and redirect to the form."""
    answer = redirect(url("prefs.page", saved=1, back=return_path() or None), 303)
    set_cookie(answer, PREFS, str(Prefs.of(request.form)), COOKIE_SECONDS)
    return answer


def return_path() -> str:
    """Return the local path in the request's `back`; empty if it is missing or not local."""
    path = request.values.get("back", "")
    is_local = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_local and path.isprintable() and len(path) <= 200 else ""

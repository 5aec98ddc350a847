"""``/prefs``: how this phone shows things; a cookie keeps it, and nobody else learns it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final
from urllib.parse import urlencode

from flask import Blueprint, Flask, Request, redirect, render_template, request
from flask import url_for as url
from flask_babel import get_locale
from werkzeug.wrappers import Response

from scorekeeper.http.preferences import PREFS, fields_of
from scorekeeper.languages.catalogues import LANGUAGES
from scorekeeper.web.phone.remembered import A_YEAR, keep

# What can be chosen, by name. What is not chosen is empty: as the browser says, or as usual.
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "lang": tuple(LANGUAGES),
    "theme": ("light", "dark", "black"),
    "size": ("large", "larger", "largest"),
    "hand": ("left",),
    "faces": ("letters",),
    "awake": ("no",),
    "vibrate": ("no",),
}

blueprint = Blueprint("prefs", __name__, url_prefix="/prefs")


@dataclass(frozen=True, slots=True)
class Prefs:
    """What somebody chose; empty is what the browser says, or what is usual.

    ``size`` is that of the text, ``hand`` the one that holds the phone, ``faces`` how cards are
    drawn, ``awake`` whether the screen stays on at the table, ``vibrate`` whether a tap vibrates.
    """

    lang: str = ""
    theme: str = ""
    size: str = ""
    hand: str = ""
    faces: str = ""
    awake: str = ""
    vibrate: str = ""

    @classmethod
    def of(cls, said: Mapping[str, str]) -> "Prefs":
        """The choices among what was said; what is no choice is passed over."""
        return cls(**{
            name: said[name] for name, values in CHOICES.items() if said.get(name) in values
        })  # fmt: skip

    def __str__(self) -> str:
        return urlencode({name: value for name, value in asdict(self).items() if value})


def read_prefs(request: Request) -> Prefs:
    """The choices that came with a request."""
    return Prefs.of(fields_of(request))


def init_app(app: Flask) -> None:
    """Let every page know the choices."""
    app.context_processor(known)


def known() -> dict[str, Any]:
    """What every page is shown with: the choices, as attributes of its root, too."""
    prefs = read_prefs(request)
    shown = {one.name: getattr(prefs, one.name) for one in fields(prefs) if one.name != "lang"}
    return {
        "prefs": prefs,
        "shown": {name: value for name, value in shown.items() if value},
        "lang": str(get_locale() or "en"),
    }


@blueprint.get("")
def page() -> str:
    """Show what can be chosen."""
    return render_template(
        "prefs/page.html", languages=LANGUAGES, saved="saved" in request.args, back=way_back()
    )


@blueprint.post("")
def choose() -> Response:
    """Keep the choices on this phone."""
    answer = redirect(url("prefs.page", saved=1, back=way_back() or None), 303)
    keep(answer, PREFS, str(Prefs.of(request.form)), A_YEAR)
    return answer


def way_back() -> str:
    """The page of ours that somebody came from; empty where none was named."""
    said = request.values.get("back", "")
    ours = said.startswith("/") and not said.startswith(("//", "/\\"))
    return said if ours and said.isprintable() and len(said) <= 200 else ""

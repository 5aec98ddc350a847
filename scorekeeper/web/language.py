"""In which language a page is written: as chosen on this phone, else as the browser asks."""

from flask import Flask, request
from flask_babel import Babel

from scorekeeper.web.prefs import LANGUAGES, read_prefs

DEFAULT = "en"


def init_app(app: Flask) -> None:
    """Write pages in the reader's language."""
    app.config.setdefault("BABEL_TRANSLATION_DIRECTORIES", "translations")
    Babel(app, locale_selector=language)


def language() -> str:
    """The language of the answer to this request."""
    chosen = read_prefs(request).lang
    return chosen or request.accept_languages.best_match(list(LANGUAGES)) or DEFAULT

"""In which language a page is written: as chosen on this phone, else as the browser asks."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

from flask import Flask, Response, request, request_started
from flask_babel import Babel
from jinja2 import pass_context

from scorekeeper.base.language import ENGLISH, speak
from scorekeeper.http.preferences import asked_language
from scorekeeper.languages.catalogues import catalogue_folders, get_language
from scorekeeper.web.wording.words import FILTERS, GLOBALS

WRITTEN: Final = ("text/html", "application/manifest+json")  # what is in a language
PROGRAMS: Final = "/api/"  # what is for programs is in English


def init_app(app: Flask) -> None:
    """Write pages in the reader's language."""
    app.config.setdefault("BABEL_TRANSLATION_DIRECTORIES", ";".join(map(str, catalogue_folders())))
    Babel(app, locale_selector=asked_language)
    add_filters(app, FILTERS)
    app.jinja_env.globals.update(GLOBALS)
    request_started.connect(_speak, app)
    app.after_request(_tell)
    app.teardown_request(_fall_silent)


def add_filters(app: Flask, filters: Mapping[str, Any]) -> None:
    """Let templates ask filters, each time anew, as what these say depends on the language.

    What a plain filter makes of a text that stands in a template is kept with the template, in
    the language of whoever looked first.
    """
    app.jinja_env.filters.update({name: _asked_anew(one) for name, one in filters.items()})


def _asked_anew(ask: Callable[..., Any]) -> Callable[..., Any]:
    @pass_context
    @wraps(ask)
    def asked(_context: object, *given: Any, **named: Any) -> Any:
        return ask(*given, **named)

    return asked


def _speak(sender: Flask, **_: Any) -> None:
    """Say what the rules say in the reader's language, too, before anything is looked at."""
    speak(ENGLISH if request.path.startswith(PROGRAMS) else get_language(asked_language()))


def _fall_silent(error: BaseException | None) -> None:
    speak(ENGLISH)


def _tell(answer: Response) -> Response:
    """Let nobody who keeps a page take it for one in every language."""
    if answer.mimetype in WRITTEN:
        answer.vary.update(("Accept-Language", "Cookie"))
        answer.headers.setdefault("Content-Language", asked_language())
    return answer

"""The language of a page: chosen on this phone, else requested by the browser."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

from flask import Flask, Response, request, request_started
from flask_babel import Babel
from jinja2 import pass_context

from scorekeeper.base.language import ENGLISH, speak
from scorekeeper.http.preferences import request_language
from scorekeeper.http.public_pages import is_public
from scorekeeper.languages.catalogues import catalogue_folders, get_language
from scorekeeper.web.wording.words import FILTERS, GLOBALS

WRITTEN: Final = ("text/html", "application/manifest+json")  # content types with translations
PROGRAMS: Final = "/api/"  # responses to programs are in English


def init_app(app: Flask) -> None:
    """Make the app render pages in the language of the request.

    Registers the translations, template filters and globals, and the handlers that set and reset
    the language.
    """
    app.config.setdefault("BABEL_TRANSLATION_DIRECTORIES", ";".join(map(str, catalogue_folders())))
    Babel(app, locale_selector=request_language)
    add_filters(app, FILTERS)
    app.jinja_env.globals.update(GLOBALS)
    request_started.connect(_use_request_language, app)
    app.after_request(_declare_language)
    app.teardown_request(_reset_language)


def add_filters(app: Flask, filters: Mapping[str, Any]) -> None:
    """Register filters that templates evaluate on each rendering.

    Jinja evaluates a plain filter on a constant when it compiles the template, and would keep the
    language of the first reader.
    """
    app.jinja_env.filters.update(
        {name: _with_context(function) for name, function in filters.items()}
    )


def _with_context(function: Callable[..., object]) -> Callable[..., object]:
    """Return a Jinja filter that calls `function` on each rendering."""

    @pass_context
    @wraps(function)
    def wrapper(_context: object, *args: object, **kwargs: object) -> Any:
        return function(*args, **kwargs)

    return wrapper


def _use_request_language(sender: Flask, **_: object) -> None:
    """Use the reader's language also for texts of the rules, before the view runs."""
    speak(ENGLISH if request.path.startswith(PROGRAMS) else get_language(request_language()))


def _reset_language(error: BaseException | None) -> None:
    """Set the language of game texts back to English after each request."""
    speak(ENGLISH)


def _declare_language(answer: Response) -> Response:
    """Set `Vary` and `Content-Language` on a page.

    Otherwise a cache could serve it in another language.
    """
    if answer.mimetype in WRITTEN:
        answer.vary.add("Accept-Language")
        if not is_public(request.path):
            answer.vary.add("Cookie")
        answer.headers.setdefault("Content-Language", request_language())
    return answer

"""The language, time zone and number format that a client prefers."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from flask import Request, request

from scorekeeper.http.public_pages import is_public
from scorekeeper.languages.catalogues import LANGUAGES
from scorekeeper.languages.reader import COMMA, POINT, UTC, Reader, select_language, time_zones

PREFS: Final = "prefs"  # the cookie with the settings of this phone
LANGUAGE: Final = "lang"
ZONE: Final = "zone"  # the cookie in which our pages store the zone of the phone
MAX_COOKIE_FIELDS: Final = 100
LANGUAGE_KEY: Final = "scorekeeper.language"  # of the environment of a request, once it is known


def reader_of(query: Mapping[str, str]) -> Reader:
    """Return the reader of a file, by which it is formatted: language, zone and separators.

    Each is taken from the query, else language and zone from the phone's cookies, else the default.
    """
    return Reader(
        language=query.get("language") or request_language(),
        zone=query.get("zone") or request_zone(),
        separator=query.get("separator", COMMA),
        decimal=query.get("decimal", POINT),
    )


def stored_preferences(request: Request) -> dict[str, str]:
    """Return the settings in the phone's cookie, by name; none if it has too many fields."""
    cookie = request.cookies.get(PREFS, "")
    return dict(parse_qsl(cookie)) if cookie.count("&") < MAX_COOKIE_FIELDS else {}


def request_language() -> str:
    """Return the language of the answer: as set on this phone, else by ``Accept-Language``.

    A public page depends on no cookie: ``language`` in its address comes first.
    """
    language: str | None = request.environ.get(LANGUAGE_KEY)
    if language is None:
        if is_public(request.path):
            chosen = request.args.get("language", "")
        else:
            chosen = stored_preferences(request).get(LANGUAGE, "")
        accepted = request.accept_languages.values()
        language = chosen if chosen in LANGUAGES else select_language(accepted)
        request.environ[LANGUAGE_KEY] = language
    return language


def request_zone() -> str:
    """Return the time zone of this phone if one of our pages stored it, else UTC."""
    zone = request.cookies.get(ZONE, "")
    return zone if zone in time_zones() else UTC

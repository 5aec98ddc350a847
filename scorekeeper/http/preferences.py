"""In which language and time zone who asks wants an answer."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from flask import Request, request

from scorekeeper.languages.catalogues import LANGUAGES
from scorekeeper.languages.reader import COMMA, POINT, UTC, Reader, select_language, time_zones

PREFS: Final = "prefs"  # the cookie with what somebody chose on this phone
LANGUAGE: Final = "lang"
ZONE: Final = "zone"  # the cookie in which a page of ours tells the zone of its phone
MOST_FIELDS: Final = 100  # of a cookie
SPOKEN: Final = "scorekeeper.language"  # in the environment of a request, once it is known


def reader_of(asked: Mapping[str, str]) -> Reader:
    """Who asks for a file, by what the query says, else by what is known of his phone."""
    return Reader(
        language=asked.get("language") or asked_language(),
        zone=asked.get("zone") or asked_zone(),
        separator=asked.get("separator", COMMA),
        decimal=asked.get("decimal", POINT),
    )


def fields_of(request: Request) -> dict[str, str]:
    """What somebody chose on this phone, by name; nothing where there is too much."""
    said = request.cookies.get(PREFS, "")
    return dict(parse_qsl(said)) if said.count("&") < MOST_FIELDS else {}


def asked_language() -> str:
    """The language of the answer to this request: as chosen on this phone, else as it asks."""
    found: str | None = request.environ.get(SPOKEN)
    if found is None:
        chosen = fields_of(request).get(LANGUAGE, "")
        asked = request.accept_languages.values()
        found = chosen if chosen in LANGUAGES else select_language(asked)
        request.environ[SPOKEN] = found
    return found


def asked_zone() -> str:
    """The time zone of this phone, where a page of ours said it."""
    said = request.cookies.get(ZONE, "")
    return said if said in time_zones() else UTC

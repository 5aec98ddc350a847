"""``/prefs``: how this phone shows things; a cookie keeps it, and nobody else learns it."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from flask import Request

COOKIE: Final = "prefs"
LANGUAGES: Final = {"en": "English", "it": "Italiano", "fr": "Français"}


@dataclass(frozen=True, slots=True)
class Prefs:
    """What somebody chose; empty is what the browser says."""

    lang: str = ""


def read_prefs(request: Request) -> Prefs:
    """The choices that came with a request; what is no choice is passed over."""
    said = dict(parse_qsl(request.cookies.get(COOKIE, "")))
    lang = said.get("lang", "")
    return Prefs(lang if lang in LANGUAGES else "")

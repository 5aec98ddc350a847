"""A language in which every translated text is put in brackets, and noted.

Text outside of brackets on a page was not looked up: it must be data.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from babel.support import NullTranslations
from flask_babel import Domain

from scorekeeper.languages import catalogues

OPEN, CLOSE = "⟦", "⟧"
INNERMOST: Final = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
FINGERPRINT: Final = re.compile(r"\b[0-9a-f]{4}\b(\s+[0-9a-f]{4}\b){3,}")
TEXT_ATTRIBUTES: Final = ("aria-label", "alt", "placeholder", "title", "content")
UNSPOKEN: Final = frozenset({"code", "pre", "script", "style", "textarea"})
VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta", "use", "path", "source"})

Key = tuple[str | None, str]


class Marked(NullTranslations):
    """Translations that put brackets around every text."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[Key] = set()

    def _mark(self, text: str, context: str | None = None) -> str:
        self.asked.add((context, text))
        return f"{OPEN}{text}{CLOSE}"

    def ugettext(self, message: str) -> str:
        return self._mark(message)

    def ungettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked.add((None, msgid1))
        return f"{OPEN}{msgid1 if n == 1 else msgid2}{CLOSE}"

    def upgettext(self, context: str, message: str) -> str:
        return self._mark(message, context)


@contextmanager
def marked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Marked]:
    """Use the language of brackets within this context."""
    language = Marked()
    with monkeypatch.context() as patch:
        patch.setattr(Domain, "get_translations", lambda self: language)
        patch.setattr(catalogues, "load_catalogue", lambda code: language)
        yield language


class Reader(HTMLParser):
    """The text of a page for a person, without quoted code and parts marked as English."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._within: list[bool] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        attributes = dict(attrs)
        silent = bool(self._within and self._within[-1])
        english = attributes.get("lang") == "en" and tag != "html"
        silent = silent or tag in UNSPOKEN or english
        if tag not in VOID:
            self._within.append(silent)
        self.texts.append(" ")
        if not silent and not (tag == "meta" and attributes.get("name") != "description"):
            self.texts += [
                f"\n{attributes[name]}\n" for name in TEXT_ATTRIBUTES if attributes.get(name)
            ]

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and self._within:
            self._within.pop()

    def handle_data(self, data: str) -> None:
        if not (self._within and self._within[-1]):
            self.texts.append(data)


def unmarked(html: str) -> set[str]:
    """Return the words of a page that stand outside of brackets."""
    reader = Reader()
    reader.feed(html)
    text, before = "".join(reader.texts), ""
    while text != before:
        text, before = INNERMOST.sub(" ", text), text
    return set(re.findall(r"[^\W\d_]{2,}", FINGERPRINT.sub(" ", text)))

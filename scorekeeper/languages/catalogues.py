"""What is said in the language of who reads it, from the catalogues: ours, and those of games."""

from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from babel.support import NullTranslations, Translations

from scorekeeper.base.language import Language, language
from scorekeeper.games import GAMES

DEFAULT: Final = "en"
LANGUAGES: Final = {"en": "English", "it": "Italiano", "fr": "Français"}
OURS: Final = Path(__file__).parents[1] / "translations"
REASON: Final = "reason"  # the kind of word that may have a note behind it, as somebody typed it
BETWEEN: Final = ": "
KEPT: Final = 8192  # texts and words, of all languages together
CATALOGUES: Final = 64


@lru_cache(KEPT)
def _said(catalogue: NullTranslations, text: str) -> str:
    return str(catalogue.ugettext(text))


@lru_cache(KEPT)
def _word(catalogue: NullTranslations, kind: str, word: str) -> str:
    return str(catalogue.upgettext(kind, word))


class Translated(Language):
    """A language of which there is a catalogue."""

    def __init__(self, catalogue: NullTranslations) -> None:
        self.catalogue = catalogue

    def say(self, text: str) -> str:
        return _said(self.catalogue, text) if text else ""

    def count(self, one: str, many: str, number: int) -> str:
        return str(self.catalogue.ungettext(one, many, number))

    def word(self, kind: str, word: str) -> str:
        if not word or (word.isdecimal() and kind != "high"):  # “al 10”, “au 10”
            return word
        if kind == REASON:
            return self._reason(word)
        return _word(self.catalogue, kind, word)

    def _reason(self, reason: str) -> str:
        """Why something is disputed or corrected; a note, or a text of its own, as it was typed."""
        said = _word(self.catalogue, REASON, reason)
        offered, between, note = reason.partition(BETWEEN)
        known = _word(self.catalogue, REASON, offered)
        if said != reason or not between or known == offered:
            return said
        return f"{self.say('%(label)s:') % {'label': known}} {note}"


def folders() -> list[Path]:
    """The folders of catalogues: those of installed games, and ours, which has the last word."""
    return [*(game.catalogues for game in GAMES.added if game.catalogues), OURS]


def in_language(code: str) -> Translated:
    """One of our languages by its code, English where there is no catalogue of it."""
    return _of(catalogue_of(code))


_of: Final = lru_cache(CATALOGUES)(Translated)  # a language is the same for all who read it


@cache
def catalogue_of(code: str) -> NullTranslations:
    """What is translated into a language, of all catalogues together."""
    merged = Translations()
    for folder in folders():
        found = Translations.load(str(folder), [code])
        if isinstance(found, Translations):
            merged.merge(found)
            merged.plural = found.plural  # which to merge does not take along
    return merged


def marked(text: str) -> str:
    """A text of a table, which is translated where it is said."""
    return text


def gettext(text: str, **facts: Any) -> str:
    """A text in the language that is spoken now, with its facts."""
    said = language().say(text)
    return said % facts if facts else said


def ngettext(one: str, many: str, number: int, **facts: Any) -> str:
    """A text of one or of many in the language that is spoken now, with its facts."""
    return language().count(one, many, number) % {"num": number, **facts}

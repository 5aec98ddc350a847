"""Translation of texts with gettext catalogues: those of this package and of installed games."""

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from babel.support import NullTranslations, Translations

from scorekeeper.base.language import Language, language
from scorekeeper.games import GAMES

DEFAULT: Final = "en"
LANGUAGES: Final = {"en": "English", "it": "Italiano", "fr": "Français"}
OWN_CATALOGUES: Final = Path(__file__).parents[1] / "translations"
REASON: Final = "reason"  # the kind of word that may be followed by a note, as a player typed it
NOTE_SEPARATOR: Final = ": "
CACHED_TEXTS: Final = 8192  # texts and words, of all languages together
CACHED_LANGUAGES: Final = 64


@lru_cache(CACHED_TEXTS)
def _translate_text(catalogue: NullTranslations, text: str) -> str:
    """Return the translation of a text from a catalogue, cached."""
    return str(catalogue.ugettext(text))


@lru_cache(CACHED_TEXTS)
def _translate_word(catalogue: NullTranslations, kind: str, word: str) -> str:
    """Return the translation of a word of a kind from a catalogue, cached."""
    return str(catalogue.upgettext(kind, word))


class TranslatedLanguage(Language):
    """A language that translates with a catalogue."""

    def __init__(self, catalogue: NullTranslations) -> None:
        self.catalogue = catalogue

    def say(self, text: str) -> str:
        """Return the translation of a text, or the text itself if it has none."""
        return _translate_text(self.catalogue, text) if text else ""

    def count(self, singular: str, many: str, number: int) -> str:
        """Return the translation of a text in its plural form for `number`."""
        return str(self.catalogue.ungettext(singular, many, number))

    def word(self, kind: str, word: str) -> str:
        """Return the translation of a word of a kind; numbers stay as they are."""
        if not word or (word.isdecimal() and kind != "high"):  # “al 10”, “au 10”
            return word
        if kind == REASON:
            return self._reason(word)
        return _translate_word(self.catalogue, kind, word)

    def _reason(self, reason: str) -> str:
        """Translate the reason of a dispute or correction, but not the note typed after it.

        A reason that is not in the catalogue was typed as a whole, and stays as it is.
        """
        translated = _translate_word(self.catalogue, REASON, reason)
        offered, separator, note = reason.partition(NOTE_SEPARATOR)
        translated_offer = _translate_word(self.catalogue, REASON, offered)
        if translated != reason or not separator or translated_offer == offered:
            return translated
        return f"{self.say('%(label)s:') % {'label': translated_offer}} {note}"


def catalogue_folders() -> list[Path]:
    """Return the folders of catalogues: those of installed games, then ours, which overrides."""
    return [*(game.catalogues for game in GAMES.added if game.catalogues), OWN_CATALOGUES]


def get_language(code: str) -> TranslatedLanguage:
    """Return the language with this code; English if there is no catalogue for it."""
    return _language(load_catalogue(code))


_language: Final = lru_cache(CACHED_LANGUAGES)(TranslatedLanguage)  # shared by all readers


@cache
def load_catalogue(code: str) -> NullTranslations:
    """Load and merge the catalogues of a language from all folders."""
    merged = Translations()
    for folder in catalogue_folders():
        catalogue = Translations.load(str(folder), [code])
        if isinstance(catalogue, Translations):
            merged.merge(catalogue)
            merged.plural = catalogue.plural  # merge() does not copy the plural rule
    return merged


def N_(text: str) -> str:  # noqa: N802  # the usual name in gettext
    """Mark a text for extraction, and return it unchanged; it is translated when it is shown."""
    return text


def gettext(text: str, **facts: object) -> str:
    """Translate a text into the current language, and fill in its facts."""
    translated = language().say(text)
    return translated % facts if facts else translated


def ngettext(singular: str, many: str, number: int, **facts: object) -> str:
    """Translate a text with its plural into the current language, and fill in its facts."""
    return language().count(singular, many, number) % {"num": number, **facts}

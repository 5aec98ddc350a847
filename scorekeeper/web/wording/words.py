"""What games say, in the reader's language: sentences, words, cards, values of options.

The games say it in English templates (see :mod:`scorekeeper.base.language`); here they are looked
up in the catalogues, and there are filters for templates that print them.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from babel.support import NullTranslations
from flask_babel import get_translations
from markupsafe import Markup

from scorekeeper.base.cached import cached_property
from scorekeeper.base.language import Language, language
from scorekeeper.cards.packs import Card
from scorekeeper.play.scoring import Text
from scorekeeper.web.wording import dispute_reasons

KEPT: Final = 8192  # texts and words, of all languages together


@lru_cache(KEPT)
def _said(catalogue: NullTranslations, text: str) -> str:
    return str(catalogue.ugettext(text))


@lru_cache(KEPT)
def _word(catalogue: NullTranslations, kind: str, word: str) -> str:
    return str(catalogue.upgettext(kind, word))


class Readers(Language):
    """The language of whoever asked for the page, in which thousands of texts may be said."""

    @cached_property
    def catalogue(self) -> NullTranslations:
        """Where it is looked up."""
        found: NullTranslations = get_translations()
        return found

    def say(self, text: str) -> str:
        return _said(self.catalogue, text) if text else ""

    def word(self, kind: str, word: str) -> str:
        if kind == dispute_reasons.KIND:
            return dispute_reasons.shown(word)
        same = not word or (word.isdecimal() and kind != "high")  # “al 10”, “au 10”
        return word if same else _word(self.catalogue, kind, word)


def message(text: str, **facts: Any) -> Markup:
    """A text of a template, with its facts: these are escaped, it is not."""
    said = language().say(text)
    return Markup(said) % facts if facts else Markup(said % facts)  # noqa: S704


def say(text: Text | str, show: Callable[[Card], str] = str) -> str:
    """What a game says: a sentence with its facts, or one of its texts as it stands in its book."""
    return text.say(show) if isinstance(text, Text) else language().say(text)


def word(english: str, kind: str) -> str:
    """A word of a kind."""
    return language().word(kind, english)


def letter(rank: str) -> str:
    """The letter of a rank as it stands on a card; figures have their number."""
    return language().word("letter", rank)


def value_words(value: Any) -> str:
    """The value of an option as a player reads it.

    >>> value_words({"target": 21}), value_words(True), value_words("last_trick")
    ('target 21', 'yes', 'last trick')
    """
    if isinstance(value, bool):
        return word("yes" if value else "no", "value")
    if isinstance(value, Mapping):
        return ", ".join(f"{value_words(key)} {one}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(value_words, value)) or word("none", "value")
    return word(str(value).replace("_", " "), "value")


GLOBALS: Final = {"_": message, "gettext": message}
FILTERS: Final = {"say": say, "word": word, "letter": letter, "value": value_words}

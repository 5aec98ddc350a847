"""The texts of games in the reader's language: sentences, words, cards, values of options.

The games have English templates (see :mod:`scorekeeper.base.language`), which are looked up in the
catalogues (:mod:`scorekeeper.languages.catalogues`); these are filters for templates.
"""

from collections.abc import Callable
from typing import Final

from markupsafe import Markup

from scorekeeper.base.language import language
from scorekeeper.cards.packs import Card
from scorekeeper.play.scoring import Text
from scorekeeper.report.option_words import describe_value


def translate_message(text: str, **facts: object) -> Markup:
    """Return a text of a template in the reader's language with its facts.

    The facts are escaped, the text is not.
    """
    translated = language().say(text)
    return Markup(translated) % facts if facts else Markup(translated % facts)  # noqa: S704


def translate_text(text: Text | str, show: Callable[[Card], str] = str) -> str:
    """Return a game's text in the reader's language.

    A `Text` is filled in with its facts; `show` formats its cards.
    """
    return text.say(show) if isinstance(text, Text) else language().say(text)


def translate_word(english: str, kind: str) -> str:
    """Return a word of a kind in the reader's language."""
    return language().word(kind, english)


def rank_letter(rank: str) -> str:
    """Return the letter of a rank as on a card; pip cards have their number."""
    return language().word("letter", rank)


GLOBALS: Final = {"_": translate_message, "gettext": translate_message}
FILTERS: Final = {
    "say": translate_text,
    "word": translate_word,
    "letter": rank_letter,
    "value": describe_value,
}

"""What games say, in the reader's language: sentences, words, cards, values of options.

The games say it in English templates (see :mod:`scorekeeper.base.language`), which are looked up in
the catalogues (:mod:`scorekeeper.languages.catalogues`); these are filters for templates.
"""

from collections.abc import Callable
from typing import Any, Final

from markupsafe import Markup

from scorekeeper.base.language import language
from scorekeeper.cards.packs import Card
from scorekeeper.play.scoring import Text
from scorekeeper.report.sheet import value_words


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


GLOBALS: Final = {"_": message, "gettext": message}
FILTERS: Final = {"say": say, "word": word, "letter": letter, "value": value_words}

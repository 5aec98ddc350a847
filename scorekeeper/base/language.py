"""The current language of texts: English, unless the client is answered in another one.

A sentence is written as an English template, which is looked up when it is formatted. A single word
is looked up with its kind, because one English word can be two in another language, such as the
rank of a bid and the ranks of a set. Records, and answers for programs, are always English.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final


class Language:
    """The texts of English; a subclass for another language overrides all methods."""

    def say(self, text: str) -> str:
        """Return the translation of an English sentence or template; here the text itself."""
        return text

    def count(self, singular: str, many: str, number: int) -> str:
        """Return the translation of ``one`` or of ``many`` template, as ``number`` requires."""
        return singular if number == 1 else many

    def word(self, kind: str, word: str) -> str:
        """Return the translation of a word; ``kind`` separates words that are equal in English."""
        return word


ENGLISH: Final = Language()
_SPOKEN: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def language() -> Language:
    """Return the current language of this thread or task."""
    return _SPOKEN.get()


def speak(language: Language) -> None:
    """Make a language the current one of this thread or task from now on."""
    _SPOKEN.set(language)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Make a language the current one within the block.

    >>> class Loud(Language):
    ...     def say(self, text: str) -> str:
    ...         return text.upper()
    >>> with speaking(Loud()):
    ...     language().say("a trick")
    'A TRICK'
    """
    token = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(token)

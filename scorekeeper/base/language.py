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
    """English; a subclass for another language overrides all methods."""

    def say(self, text: str) -> str:
        """Return the translation of a sentence or template."""
        return text

    def count(self, one: str, many: str, number: int) -> str:
        """Return the template for the singular or the plural, as ``number`` requires."""
        return one if number == 1 else many

    def word(self, kind: str, word: str) -> str:
        """Return the translation of a word of this kind."""
        return word


ENGLISH: Final = Language()
_SPOKEN: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def language() -> Language:
    """Return the current language."""
    return _SPOKEN.get()


def speak(language: Language) -> None:
    """Make a language the current one from now on, in this thread."""
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

"""In which language things are said: in English, unless who asks is answered in another.

A sentence is written as an English template, and looked up as it is said. A single word is
looked up with its kind, because one English word can be two in another language: the rank of a
bid and the ranks of a set, say. What is recorded, and what programs are told, is always English.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final


class Language:
    """English; another language overrides all."""

    def say(self, text: str) -> str:
        """A sentence, or the template of one."""
        return text

    def count(self, one: str, many: str, number: int) -> str:
        """The template of a sentence about one, or the one about many, as the number asks."""
        return one if number == 1 else many

    def word(self, kind: str, word: str) -> str:
        """A word of a kind."""
        return word


ENGLISH: Final = Language()
_SPOKEN: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def language() -> Language:
    """The language that is spoken now."""
    return _SPOKEN.get()


def speak(language: Language) -> None:
    """Speak a language from now on, in this thread."""
    _SPOKEN.set(language)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Speak a language for a while.

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

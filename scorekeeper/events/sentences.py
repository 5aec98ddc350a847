"""What an event and its fields are called and say at a card table, by their declaration."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from scorekeeper.base.language import language
from scorekeeper.cards.packs import ITALIAN_RANKS, Card, Pack
from scorekeeper.cards.packs import RANKS as LETTERS
from scorekeeper.events.event import Event
from scorekeeper.events.fields import (
    Declared,
    Each,
    Flag,
    Kind,
    Many,
    Part,
    PlayerId,
    SideId,
    Whole,
    Words,
    parts,
    words_of,
)

SUIT: Final = "suit"  # the kind of word that a pack has its own for
RANKS: Final = ("rank", "ranks", "high")  # the kinds that a rank is, by its place in a sentence
TEMPLATES: Final = 2048  # of which the facts are known, of all games together
_FACT = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"\[([^\]]*)\]")


@dataclass(frozen=True, slots=True)
class Voice:
    """How names, cards and suits are said; ``names`` has players, and sides of several."""

    names: Mapping[str, str] = field(default_factory=dict)
    show: Callable[[Card], str] = str
    suit: Callable[[str], str] = str

    def tell(self, event: Event) -> str:
        """What an event says, in one short sentence.

        >>> from scorekeeper.events.playing import CardPlayed
        >>> Voice({"leo": "Leo"}).tell(CardPlayed("leo", Card.parse("7C")))
        'Leo played 7C'
        """
        facts = {
            one.name: self.worded(getattr(event, one.name), one.kind)
            for one in parts(type(event))
            if getattr(event, one.name) is not None
        }
        return _fill(language().say(_template(event, facts)), facts)

    def fill(self, template: str, values: Mapping[str, tuple[Any, Kind]]) -> str:
        """A template in the language that is spoken, with these values of their kinds."""
        facts = {name: self.worded(value, kind) for name, (value, kind) in values.items()}
        return _fill(language().say(template), facts)

    def worded(self, value: Any, kind: Kind) -> str:
        """A value of a kind as it is said within a sentence."""
        if isinstance(kind, PlayerId | SideId):
            return self._name(value)
        if isinstance(kind, Many):
            said = ", ".join(self.worded(one, kind.of) for one in value)
            return said or language().word("list", "none")
        if isinstance(kind, Each):
            return ", ".join(
                f"{self._name(key)} {self.worded(one, kind.of)}" for key, one in value.items()
            )
        if isinstance(value, Card):
            return self.show(value)
        if isinstance(value, Declared) and value.SAYS:
            within = {one.name: (getattr(value, one.name), one.kind) for one in parts(type(value))}
            return self.fill(value.SAYS, within)
        return self.suit(value) if words_of(kind) == SUIT else in_words(value, kind)

    def _name(self, one: str) -> str:
        """What a player or a side is called, or a party of the hand."""
        return self.names.get(one) or language().word("party", one)


def title_of(declared: type[Event]) -> str:
    """What stands above the form in which such an event is recorded."""
    return language().say(declared.TITLE) or language().word("title", by_name(declared.TYPE))


def title_after(declared: type[Event]) -> str:
    """What stands, with its facts, above the form in which it is completed after the hand."""
    return language().say(declared.TITLE_AFTER) or title_of(declared)


def noun_of(declared: type[Event]) -> str:
    """What such an event is called among those that can have been left out."""
    return language().say(declared.NOUN) or title_of(declared)


def label_of(part: Part) -> str:
    """What a field is called."""
    return language().say(part.label) or language().word("field", by_name(part.name))


def asked(part: Part) -> str:
    """What is asked where a field is filled in."""
    return language().say(part.asks) or language().word("field", by_name(part.name))


def by_name(name: str) -> str:
    """A name in the log, as it is shown where there is no better one.

    >>> by_name("trumps_shown")
    'Trumps shown'
    """
    return name.replace("_", " ").capitalize()


def in_words(value: Any, kind: Kind) -> str:
    """A value of a kind as it is said within a sentence; a suit is said by its pack."""
    if isinstance(kind, Flag):
        value = kind.yes if value else kind.no
    words = words_of(kind)
    if not isinstance(value, str) or not words:
        return f"{value:+d}" if isinstance(kind, Whole) and kind.signed else str(value)
    return said_as(words, value if isinstance(kind, Words) and not kind.name else spaced(value))


def alone(value: Any, kind: Kind, pack: Pack | None) -> str:
    """A value of a kind as it stands by itself: a suit as its pack has it, a rank by its letter."""
    words = words_of(kind)
    if words == SUIT and pack is not None and value in pack.suits:
        return pack.suit_name(value)
    return language().word("letter", value) if _is_rank(value, words) else in_words(value, kind)


def _is_rank(value: Any, words: str) -> bool:
    return words in RANKS and value in LETTERS


def said_as(words: str, value: str) -> str:
    """A word of a kind; a rank, which is written by its letter, by its name."""
    return language().word(words, ITALIAN_RANKS.get(value, value) if words in RANKS else value)


def spaced(value: str) -> str:
    """A value as it is written in words.

    >>> spaced("not_good")
    'not good'
    """
    return value.replace("_", " ")


def _template(event: Event, facts: Mapping[str, str]) -> str:
    for (name, value), template in event.SAYS_OF.items():
        if getattr(event, name) == value:
            return template
    for template in event.SAYS:
        if _needs(template) <= facts.keys():
            return template
    words = spaced(event.TYPE)
    fields = ", ".join(f"{name} {{{name}}}" for name in facts)
    return f"{words}: {fields}" if fields else words


@lru_cache(TEMPLATES)
def _needs(template: str) -> frozenset[str]:
    """The facts that a template cannot be said without."""
    return facts_in(_OPTIONAL.sub("", template))


def _fill(template: str, facts: Mapping[str, str]) -> str:
    def said_if_known(match: re.Match[str]) -> str:
        return match[1] if facts_in(match[1]) <= set(facts) else ""

    return _FACT.sub(lambda match: facts[match[1]], _OPTIONAL.sub(said_if_known, template))


def facts_in(template: str) -> frozenset[str]:
    """The names of the facts that a template needs."""
    return frozenset(_FACT.findall(template))

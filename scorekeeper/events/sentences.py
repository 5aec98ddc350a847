"""Sentences, titles and labels for events and their fields, derived from the declarations."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from scorekeeper.base.language import language
from scorekeeper.base.parts import format_parts
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
    parts_of,
    word_category,
)

SUIT: Final = "suit"  # a kind of word: each pack has its own words for suits
RANKS: Final = ("rank", "ranks", "high")  # kinds of word for a rank, by its place in a sentence
MAX_CACHED_TEMPLATES: Final = 2048  # parsed, for all games together
_FACT = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"\[([^\]]*)\]")


@dataclass(frozen=True, slots=True)
class Voice:
    """The wording of names, cards and suits; ``names`` has players and sides, by id.

    ``bidder`` is the player whose contract the hand is played for, where that changes a sentence.
    ``parties`` are short English words for the parties of a hand, by id.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    show: Callable[[Card], str] = str
    suit: Callable[[str], str] = str
    bidder: str | None = None
    parties: Mapping[str, str] = field(default_factory=dict)

    def describe(self, event: Event) -> str:
        """Return one short sentence about an event, in the current language.

        >>> from scorekeeper.events.playing import CardPlayed
        >>> Voice({"leo": "Leo"}).describe(CardPlayed("leo", Card.parse("7C")))
        'Leo played 7C'
        """
        facts = {
            part.name: self.worded(getattr(event, part.name), part.kind)
            for part in parts_of(type(event))
            if getattr(event, part.name) is not None
        }
        return _fill_template(language().say(_choose_template(event, facts, self.bidder)), facts)

    def fill(self, template: str, values: Mapping[str, tuple[Any, Kind]]) -> str:
        """Return a template in the current language, filled in.

        ``values`` has a value and its kind for each placeholder.
        """
        facts = {name: self.worded(value, kind) for name, (value, kind) in values.items()}
        return _fill_template(language().say(template), facts)

    def worded(self, value: Any, kind: Kind) -> str:
        """Return a value of a kind as words within a sentence: names, cards, translated words.

        A list is joined with commas, and an object is listed as “name value” pairs.
        """
        if isinstance(kind, PlayerId | SideId):
            return self._name(value)
        if isinstance(kind, Many):
            items = ", ".join(self.worded(item, kind.of) for item in value)
            return items or language().word("list", "none")
        if isinstance(kind, Each):
            return ", ".join(
                f"{self._name(key)} {self.worded(item, kind.of)}" for key, item in value.items()
            )
        if isinstance(value, Card):
            return self.show(value)
        if isinstance(value, Declared) and value.SAYS:
            nested = {
                part.name: (getattr(value, part.name), part.kind) for part in parts_of(type(value))
            }
            return self.fill(value.SAYS, nested)
        return self.suit(value) if word_category(kind) == SUIT else in_words(value, kind)

    def _name(self, subject: str) -> str:
        """Return the display name of a player, a side, or a party of the hand."""
        return self.names.get(subject) or language().word(
            "party", self.parties.get(subject, subject)
        )


def title_of(declared: type[Event]) -> str:
    """Return the heading of the form that records such an event."""
    return language().say(declared.TITLE) or language().word(
        "title", label_from_name(declared.TYPE)
    )


def title_after(declared: type[Event]) -> str:
    """Return the heading template of the form that completes such an event after the hand.

    Without one it is the usual heading.
    """
    return language().say(declared.TITLE_AFTER) or title_of(declared)


def noun_of(declared: type[Event]) -> str:
    """Return the name of such an event in the list of events that may be missing."""
    return language().say(declared.NOUN) or title_of(declared)


def label_of(part: Part) -> str:
    """Return the label of a field."""
    return language().say(part.label) or language().word("field", label_from_name(part.name))


def question_of(part: Part) -> str:
    """Return the question that a form asks for a field."""
    return language().say(part.asks) or language().word("field", label_from_name(part.name))


def label_from_name(name: str) -> str:
    """Return a name from the log as an English label, for use where there is no better one.

    >>> label_from_name("trumps_shown")
    'Trumps shown'
    """
    return name.replace("_", " ").capitalize()


def in_words(value: Any, kind: Kind) -> str:
    """Return a value as words within a sentence: a translated word, a number, or the text itself.

    A number of a ``signed`` kind has its sign. Suits need their pack (see :class:`Voice`).
    """
    if isinstance(kind, Flag):
        value = kind.yes if value else kind.no
    words = word_category(kind)
    if not isinstance(value, str) or not words:
        return format_number(value, kind) if isinstance(kind, Whole) else str(value)
    text = value if isinstance(kind, Words) and not kind.name else with_spaces(value)
    return translate_word(words, text)


def format_number(number: int, kind: Whole) -> str:
    """Return a number of a kind in digits: parts of a point as points, a signed one with a sign."""
    return format_parts(number, kind.parts, signed=kind.signed)


def standalone_words(value: Any, kind: Kind, pack: Pack | None) -> str:
    """Return a value as words outside a sentence, for a button or a table cell.

    A suit has the word of the pack, a rank its letter; anything else is as in a sentence.
    """
    words = word_category(kind)
    if words == SUIT and pack is not None and value in pack.suits:
        return pack.suit_name(value)
    return language().word("letter", value) if _is_rank(value, words) else in_words(value, kind)


def _is_rank(value: object, words: str) -> bool:
    """Return whether a value is the letter of a rank, and ``words`` a category for ranks."""
    return words in RANKS and value in LETTERS


def translate_word(words: str, value: str) -> str:
    """Return ``value`` in the current language; ``words`` is its category, such as ``value``.

    The letter of a rank becomes its name first, ``K`` becomes ``king``.
    """
    return language().word(words, ITALIAN_RANKS.get(value, value) if words in RANKS else value)


def with_spaces(value: str) -> str:
    """Return a value with spaces for underscores.

    >>> with_spaces("not_good")
    'not good'
    """
    return value.replace("_", " ")


def _choose_template(event: Event, facts: Mapping[str, str], bidder: str | None) -> str:
    """Return the template of an event's sentence: the first whose required facts are all known.

    A template for the value of a field, or for the bidder in it, has priority. Without any, the
    event is described by its type and the names and values of its fields.
    """
    for (name, value), template in event.SAYS_OF.items():
        if getattr(event, name) == value:
            return template
    for name, template in event.SAYS_OF_BIDDER.items():
        if bidder is not None and getattr(event, name) == bidder:
            return template
    for template in event.SAYS:
        if _required_facts(template) <= facts.keys():
            return template
    words = with_spaces(event.TYPE)
    fields = ", ".join(f"{name} {{{name}}}" for name in facts)
    return f"{words}: {fields}" if fields else words


@lru_cache(MAX_CACHED_TEMPLATES)
def _required_facts(template: str) -> frozenset[str]:
    """Return the names of the facts that a template needs outside brackets."""
    return facts_in(_OPTIONAL.sub("", template))


def _fill_template(template: str, facts: Mapping[str, str]) -> str:
    """Replace the placeholders of a template; a bracketed part with an unknown fact is left out."""

    def keep_if_known(match: re.Match[str]) -> str:
        """Return the inside of a bracketed part, or nothing if one of its facts is unknown."""
        return match[1] if facts_in(match[1]) <= set(facts) else ""

    return _FACT.sub(lambda match: facts[match[1]], _OPTIONAL.sub(keep_if_known, template))


def facts_in(template: str) -> frozenset[str]:
    """Return the names of all placeholders in a template."""
    return frozenset(_FACT.findall(template))

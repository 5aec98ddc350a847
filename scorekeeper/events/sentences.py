"""What an event says, in the words of a card table: by the templates of its declaration."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scorekeeper.base.language import language
from scorekeeper.cards.packs import ITALIAN_RANKS, Card
from scorekeeper.events.common import Event
from scorekeeper.events.fields import Each, Kind, Many, OneOf, PlayerId, SideId, Whole, parts

# The fields that hold a rank, and the kind of word that it is there.
RANKS: Final = {"bid": "rank", "high": "high", "rank": "ranks"}
KINDS: Final = {"signal": "value"}  # a gesture is said as the option that allows it says it
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

        >>> from scorekeeper.events.common import CardPlayed
        >>> Voice({"leo": "Leo"}).tell(CardPlayed("leo", Card.parse("7C")))
        'Leo played 7C'
        """
        facts = {
            one.name: self._say(getattr(event, one.name), one.kind, one.name)
            for one in parts(type(event))
            if getattr(event, one.name) is not None
        }
        return _fill(language().say(_template(event, facts)), facts)

    def _say(self, value: Any, kind: Kind, name: str) -> str:
        if isinstance(kind, PlayerId | SideId):
            return self._name(value)
        if isinstance(kind, Many):
            said = ", ".join(self._say(one, kind.of, name) for one in value)
            return said or language().word("list", "none")
        if isinstance(kind, Each):
            return ", ".join(
                f"{self._name(key)} {self._say(one, kind.of, name)}" for key, one in value.items()
            )
        if isinstance(value, Card):
            return self.show(value)
        return self.suit(value) if name in ("suit", "suits") else _word(value, kind, name)

    def _name(self, one: str) -> str:
        """What a player or a side is called, or a party of the hand."""
        return self.names.get(one) or language().word("party", one)


def _word(value: Any, kind: Kind, name: str) -> str:
    if isinstance(kind, Whole) and name == "points" and kind.low < 0:
        return f"{value:+d}"
    if isinstance(value, str) and name in RANKS:
        return language().word(RANKS[name], ITALIAN_RANKS.get(value, value))
    if isinstance(kind, OneOf) or name == "signal":
        return language().word(KINDS.get(name, name), str(value).replace("_", " "))
    return language().word("reason", value) if name == "reason" else str(value)


def _template(event: Event, facts: Mapping[str, str]) -> str:
    for (name, value), template in event.SAYS_OF.items():
        if getattr(event, name) == value:
            return template
    for template in event.SAYS:
        if _facts_in(_OPTIONAL.sub("", template)) <= set(facts):
            return template
    words = event.TYPE.replace("_", " ")
    fields = ", ".join(f"{name} {{{name}}}" for name in facts)
    return f"{words}: {fields}" if fields else words


def _fill(template: str, facts: Mapping[str, str]) -> str:
    def said_if_known(match: re.Match[str]) -> str:
        return match[1] if _facts_in(match[1]) <= set(facts) else ""

    return _FACT.sub(lambda match: facts[match[1]], _OPTIONAL.sub(said_if_known, template))


def _facts_in(template: str) -> set[str]:
    return set(_FACT.findall(template))

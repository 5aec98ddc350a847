"""What an event says, in the words of a card table.

A template may have parts in brackets, which are said where their facts are on record. Of
several templates for one type the first is taken whose facts outside brackets are. An event
without a template is told by the names of its fields.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scorekeeper.cards import ITALIAN_RANKS, Card
from scorekeeper.events import Each, Event, Kind, Many, OneOf, PlayerId, SideId, Whole, parts

SAYING: Final[Mapping[str, tuple[str, ...]]] = {
    "session_opened": ("The evening began: {title}",),
    "player_joined": ("{name} joined",),
    "match_started": ("A match began",),
    "hand_started": ("{dealer} dealt",),
    "hand_abandoned": ("The hand was abandoned[ by {player}]: {reason}",),
    "points_counted": ("Points counted: {points}[; tricks: {tricks}]",),
    "score_claimed": ("The table wrote down: {scores}",),
    "hand_confirmed": ("{player} signed the hand",),
    "hand_disputed": (
        "{player} disputed hand {hand}[ of match {match}]: {reason}",
        "{player} disputed the hand: {reason}",
    ),
    "correction_proposed": (
        "A correction of hand {hand}[ of match {match}] was proposed: {reason}",
        "A correction was proposed: {reason}",
    ),
    "proposal_signed": ("{player} signed proposal {proposal}",),
    "proposal_declined": ("{player} declined proposal {proposal}",),
    "dispute_settled": (
        "Dispute[ about hand {hand}][ of match {match}] settled, {ruling}[ ({proposal})]: {text}",
    ),
    "penalty_given": ("Penalty for {side}, {points}: {reason}",),
    "note_added": ("Note: {text}",),
    "match_ended": ("The match was ended[: {reason}]",),
    "session_closed": ("The evening was closed",),
    "card_played": ("{player} played {card}",),
    "trick_taken": ("{player} took trick {trick}", "{player} took the trick"),
    "rest_claimed": ("{player} took all the rest",),
    "cards_shown": ("{player} showed {cards}",),
    "bid_made": ("{player} bid {points}", "{player} bid {bid}"),
    "bid_raised": ("{player} raised to {points}",),
    "set_distributed": ("{player} distributed insieme {set}[, kept {kept}][, gave {given}]",),
    "hierarchy_declared": ("{player} declared the hierarchy {suits}",),
    "bris_called": ("{player} called Bris in {suit}",),
    "hands_exchanged": ("{side} exchanged hands",),
    "white_declared": ("{player} declared White[: {cards}]",),
    "cards_exchanged": ("{player} exchanged {count}[, threw away {discarded}][, drew {drawn}]",),
    "declared": (
        "{player} declared a point of {value}",
        "{player} declared a sequence of {length} to the {high}",
        "{player} declared a set of {count} {rank}s",
    ),
    "answered": ("{player} answered “{answer}” to the {category}",),
    "shown": (
        "{player} showed a sequence of {length} to the {high}[: {cards}]",
        "{player} showed a set of {count} {rank}s[: {cards}]",
        "{player} showed a point of {count} cards[: {cards}]",
    ),
    "tricks_counted": ("Tricks counted: {tricks}[; the last to {last}]",),
    "pique_called": ("{player} called pique",),
    "repique_called": ("{player} called repique",),
    "cards_laid_away": (
        "{player} laid away {cards}[, showing {trumps_shown}]",
        "{player} laid away cards[, showing {trumps_shown}]",
    ),
    "signal_made": ("{player} signalled {signal}",),
    "fool_paid": ("{side} paid {card} for the Fool",),
    "fool_surrendered": ("{side} gave up the Fool",),
    "card_called": ("{player} called {card}",),
    "partner_revealed": ("The partner is {player}",),
    "monte_taken": ("{player} took the monte[: {cards}]",),
    "called_card_shown": ("{player} showed the named card",),
}  # fmt: skip

# What one value of a field says by itself.
INSTEAD: Final[Mapping[tuple[str, str, Any], str]] = {
    ("outcome_recorded", "made", True): "The contract was made",
    ("outcome_recorded", "made", False): "The contract was lost",
    ("bid_made", "bid", "pass"): "{player} passed",
    ("hierarchy_declared", "suits", ()): "{player} declared no hierarchy",
}

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

        >>> from scorekeeper.events import CardPlayed
        >>> Voice({"leo": "Leo"}).tell(CardPlayed("leo", Card.parse("7C")))
        'Leo played 7C'
        """
        given = {one.name: getattr(event, one.name) for one in parts(type(event))}
        facts = {
            one.name: self._say(given[one.name], one.kind, one.name)
            for one in parts(type(event))
            if given[one.name] is not None
        }
        return _fill(_template(event.TYPE, given, facts), facts)

    def _say(self, value: Any, kind: Kind, name: str) -> str:
        if isinstance(kind, PlayerId | SideId):
            return self.names.get(value, value)
        if isinstance(kind, Many):
            return ", ".join(self._say(one, kind.of, name) for one in value) or "none"
        if isinstance(kind, Each):
            return ", ".join(
                f"{self.names.get(key, key)} {self._say(one, kind.of, name)}"
                for key, one in value.items()
            )
        if isinstance(value, Card):
            return self.show(value)
        return self.suit(value) if name in ("suit", "suits") else _word(value, kind, name)


def _word(value: Any, kind: Kind, name: str) -> str:
    if isinstance(kind, Whole) and name == "points" and kind.low < 0:
        return f"{value:+d}"
    if isinstance(value, str) and name in ("bid", "high", "rank"):
        return ITALIAN_RANKS.get(value, value)
    if isinstance(kind, OneOf) or name == "signal":
        return str(value).replace("_", " ")
    return str(value)


def _template(kind: str, given: Mapping[str, Any], facts: Mapping[str, str]) -> str:
    for (of, name, value), template in INSTEAD.items():
        if of == kind and given.get(name) is not None and given[name] == value:
            return template
    for template in SAYING.get(kind, ()):
        if _facts_in(_OPTIONAL.sub("", template)) <= set(facts):
            return template
    words = kind.replace("_", " ")
    fields = ", ".join(f"{name} {{{name}}}" for name in facts)
    return f"{words}: {fields}" if fields else words


def _fill(template: str, facts: Mapping[str, str]) -> str:
    def said_if_known(match: re.Match[str]) -> str:
        return match[1] if _facts_in(match[1]) <= set(facts) else ""

    return _FACT.sub(lambda match: facts[match[1]], _OPTIONAL.sub(said_if_known, template))


def _facts_in(template: str) -> set[str]:
    return set(_FACT.findall(template))

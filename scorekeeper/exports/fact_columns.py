"""The facts of hands as the columns of a table, as the games declare them.

Each has a code for programs, in every language the same: a card or a rank by its letters, whether
something is so as 1 or 0, players by their names. What is not on record is empty.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from scorekeeper.events.fields import Kind
from scorekeeper.games.game import Game
from scorekeeper.play.facts import COLUMNS, players_in
from scorekeeper.report.hand_facts import facts_of
from scorekeeper.session.matches import HandRecord


class FactCell(NamedTuple):
    """A fact in a cell: its code, and its value of a kind, by which it is said."""

    code: str | int
    value: Any
    kind: Kind


def columns(games: Iterable[Game]) -> tuple[str, ...]:
    """The columns of every game, and the ids of the facts of these games, each once."""
    found = (fact.id for game in games for fact in game.facts.facts)
    return tuple(dict.fromkeys((*COLUMNS, *found)))


def labels(games: Iterable[Game]) -> dict[str, str]:
    """What the facts of these games are called, as the first that has one calls it, in English."""
    found: dict[str, str] = {}
    for game in games:
        for fact in game.facts.facts:
            found.setdefault(fact.id, fact.label)
    return found


def cells(hand: HandRecord, names: Mapping[str, str]) -> Iterator[tuple[str, dict[str, FactCell]]]:
    """What is known of a hand for each side of its match, by the ids of the facts."""
    known = facts_of(hand)
    found = [fact for fact in hand.game.facts.facts if fact.id in known]
    of_all = {
        fact.id: _cell(known[fact.id], fact.kind, names) for fact in found if not fact.of_sides
    }
    for side in hand.match.sides:
        own = {
            fact.id: _cell(known[fact.id][side], fact.kind_of_one, names)
            for fact in found
            if fact.of_sides and known[fact.id].get(side) is not None
        }
        yield side, {**of_all, **own}


def _cell(value: Any, kind: Kind, names: Mapping[str, str]) -> FactCell:
    return FactCell(_code(value, kind, names), value, kind)


def _code(value: Any, kind: Kind, names: Mapping[str, str]) -> str | int:
    whom = players_in(value, kind)
    if whom is not None:
        return ", ".join(names.get(one, one) for one in whom)
    if isinstance(value, int):
        return int(value)
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)

"""The facts of hands, which games declare, as columns of a table.

Values are codes for programs, the same in every language: letters for a card or a rank, 1 or 0
for yes or no, names for players. A fact that is not recorded is empty.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from scorekeeper.base.parts import as_cell, in_points
from scorekeeper.events.fields import Kind, Many, PlayerId, SideId, Whole
from scorekeeper.games.game import Game
from scorekeeper.play.facts import COLUMNS
from scorekeeper.report.hand_facts import get_facts
from scorekeeper.session.matches import HandRecord


class FactCell(NamedTuple):
    """A fact in a cell: its code, and its value with its kind, from which its words follow."""

    code: str | int | Decimal
    value: Any
    kind: Kind


def columns_with_facts(games: Iterable[Game]) -> tuple[str, ...]:
    """Return the columns of every game, and the ids of the facts of these games, each once."""
    ids = (fact.id for game in games for fact in game.facts.facts)
    return tuple(dict.fromkeys((*COLUMNS, *ids)))


def fact_labels(games: Iterable[Game]) -> dict[str, str]:
    """Return the English labels of the facts of these games; the first game with a fact wins."""
    by_id: dict[str, str] = {}
    for game in games:
        for fact in game.facts.facts:
            by_id.setdefault(fact.id, fact.label)
    return by_id


def fact_cells_by_side(
    hand: HandRecord, names: Mapping[str, str]
) -> Iterator[tuple[str, dict[str, FactCell]]]:
    """Yield the facts of a hand, by their ids, for each side of its match."""
    known = get_facts(hand)
    facts = [fact for fact in hand.game.facts.facts if fact.id in known]
    of_all = {
        fact.id: _fact_cell(known[fact.id], fact.kind, names) for fact in facts if not fact.of_sides
    }
    for side in hand.match.sides:
        own = {
            fact.id: _fact_cell(known[fact.id][side], fact.kind_of_one, names)
            for fact in facts
            if fact.of_sides and known[fact.id].get(side) is not None
        }
        yield side, {**of_all, **own}


def _fact_cell(value: Any, kind: Kind, names: Mapping[str, str]) -> FactCell:
    """Return a fact as a cell, with its value and kind for words."""
    return FactCell(_fact_code(value, kind, names), value, kind)


def _fact_code(value: Any, kind: Kind, names: Mapping[str, str]) -> str | int | Decimal:
    """Return the code of a fact for programs. Players become names, yes and no become 1 and 0.

    The items of a list have commas between them.
    """
    if isinstance(kind, PlayerId | SideId):
        return names.get(value, str(value))
    if isinstance(kind, Many):
        return ", ".join(str(_fact_code(item, kind.of, names)) for item in value)
    if isinstance(kind, Whole):
        return as_cell(in_points(value, kind.parts))
    return int(value) if isinstance(value, int) else str(value)

"""The values that a recorded value may stand for, each with a cost.

For each kind of field a function in :data:`ALTERNATIVES` yields them. The likelier the slip, the
lower is its cost. A cost is 1 for the
slips that people make daily: a neighbour at the table, the next rank, another suit, two digits
exchanged, one more or less.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from types import MappingProxyType
from typing import Any, Final

from scorekeeper.cards.packs import Card, Pack
from scorekeeper.events.fields import (
    AnyOf,
    CardCode,
    Declared,
    Each,
    Flag,
    Kind,
    Many,
    Nested,
    OneOf,
    PlayerId,
    SideId,
    Whole,
    parts_of,
)

Alternative = tuple[float, Any]

DAILY: Final = 1.0
OPPOSITE: Final = 1.3  # a player for another who sits on neither side
EXCHANGED: Final = 1.2  # two figures, each in the other's place
A_DIGIT: Final = 1.2  # that was left out: there are up to twenty figures that it may have been in
TWO_SLIPS: Final = 1.5
RARE: Final = 2.0
RARER: Final = 3.0
ANY_CARD: Final = 2.4  # that is not like the one on record in rank or suit
# Of mistakes over several entries. As the other costs these are an order and not frequencies:
# nobody has counted what tables get wrong. A hand whose entries all agree under another dealer
# was recorded under the wrong one, which is one touch too many on the first page of a hand; it
# costs less than any slip. An act that came late was mostly recorded late. Who takes two players
# for each other, or begins at the wrong seat, does it in one act, so that one act costs a little
# more than a daily slip, however many entries follow from it. A trick is sought only where the
# record is one short, which hardly anything else explains.
COST: Final = MappingProxyType({
    "dealer": 0.8,
    "dealer out of turn": 0.3,
    "dealer before": 1.0,
    "late record": 0.6,
    "late act": 1.2,
    "seats": 1.4,
    "seats farther": 0.4,
    "exchange": 1.5,
    "an entry earlier": 0.02,
    "an entry away": 0.01,
    "acts only": 0.15,
    "paper too": 0.2,
    "trick": 1.1,
    "winner only": 0.2,
})  # fmt: skip
MOST_UNNAMED_CARDS: Final = 8  # on no record: if so few, one may be missing from a list
MOST_FIGURES_LISTED: Final = 20  # a range of so few figures is tried completely


@dataclass(frozen=True, slots=True)
class Around:
    """The pack, players and sides of a hand, and its cards that are not on record."""

    pack: Pack
    players: tuple[str, ...]
    sides: tuple[str, ...]
    unseen: frozenset[Card]  # cards that are not played on record,
    unnamed: frozenset[Card] = frozenset()  #   and of them those that no other entry names
    counted: tuple[str, ...] = ()  # the sides that a count is given for

    def keys(self, kind: Kind) -> tuple[str, ...]:
        """Return the players or sides that can have a figure."""
        if isinstance(kind, SideId):
            return self.counted if kind.counted else self.sides
        return self.players if isinstance(kind, PlayerId) else ()


def alternatives(kind: Kind, value: object, around: Around) -> Iterator[Alternative]:
    """Yield the values that ``value`` may stand for, each with its cost."""
    find = ALTERNATIVES.get(type(kind))
    if find is not None and value is not None:
        yield from find(kind, value, around)


def similar_figures(value: int) -> Iterator[int]:
    """Yield the figures that are easily written or heard as ``value``."""
    sign, digits = (-1 if value < 0 else 1), str(abs(value))
    for place in range(len(digits) - 1):
        one, other = digits[place], digits[place + 1]
        yield sign * int(digits[:place] + other + one + digits[place + 2 :])
    yield from (value - 1, value + 1)
    yield from (figure for figure in (value - 10, value + 10) if figure)  # no tens in a zero
    yield -value


def longer_figures(value: int) -> Iterator[int]:
    """Yield the figures that become ``value`` if one digit is left out, without 0 in front."""
    digits, sign = str(abs(value)), -1 if value < 0 else 1
    for place in range(len(digits) + 1):
        for digit in "0123456789"[place == 0 :]:
            yield sign * int(digits[:place] + digit + digits[place:])


def like(one: int, other: int) -> bool:
    """Return whether one figure is easily taken for the other."""
    return any(
        first in {*similar_figures(second), *longer_figures(second)}
        for first, second in ((one, other), (other, one))
    )


def _whole(kind: Whole, value: int, around: Around) -> Iterator[Alternative]:
    near = dict.fromkeys(
        near_value for near_value in similar_figures(value) if kind.low <= near_value <= kind.high
    )
    near.pop(value, None)
    yield from ((DAILY, near_value) for near_value in near)
    longer = {figure for figure in longer_figures(value) if kind.low <= figure <= kind.high}
    yield from ((A_DIGIT, figure) for figure in sorted(longer - {value, *near}))
    if kind.high - kind.low <= MOST_FIGURES_LISTED:
        others = range(kind.low, kind.high + 1)
        known = {value, *near, *longer}
        yield from ((RARE, figure) for figure in others if figure not in known)


def _one_of(kind: OneOf, value: str, around: Around) -> Iterator[Alternative]:
    place = kind.values.index(value) if value in kind.values else -MOST_FIGURES_LISTED
    for other, choice in enumerate(kind.values):
        if choice != value:
            yield (DAILY if abs(other - place) == 1 else RARE), choice


def _any_of(kind: AnyOf, value: object, around: Around) -> Iterator[Alternative]:
    for inner_kind in kind.kinds:
        if isinstance(inner_kind, OneOf):
            if isinstance(value, str):
                yield from _one_of(inner_kind, value, around)
            else:
                yield from ((RARER, other) for other in inner_kind.values)
        elif isinstance(inner_kind, Whole) and isinstance(value, int):
            yield from _whole(inner_kind, value, around)
        elif isinstance(inner_kind, Nested) and isinstance(value, inner_kind.of):
            yield from _nested(inner_kind, value, around)


def _nested(kind: Nested, value: Declared, around: Around) -> Iterator[Alternative]:
    for field in parts_of(kind.of):
        for cost, meant in alternatives(field.kind, getattr(value, field.name), around):
            yield cost, replace(value, **{field.name: meant})  # type: ignore[type-var]


def _flag(kind: Flag, value: bool, around: Around) -> Iterator[Alternative]:  # noqa: FBT001
    yield DAILY, not value


def _player(kind: PlayerId, value: str, around: Around) -> Iterator[Alternative]:
    players = around.players
    for seat, player in enumerate(players):
        if player != value:
            beside = value in (players[seat - 1], players[(seat + 1) % len(players)])
            yield (DAILY if beside or value not in players else OPPOSITE), player


def _side(kind: SideId, value: str, around: Around) -> Iterator[Alternative]:
    yield from ((DAILY, side) for side in around.sides if side != value)


def _card(kind: CardCode, value: Card, around: Around) -> Iterator[Alternative]:
    for card in around.pack.cards:
        if card is not value:
            yield distance(around.pack, value, card), card


def distance(pack: Pack, one: Card, other: Card) -> float:
    """Return the cost of taking one card for another."""
    if one.rank == other.rank:
        return DAILY
    if one.suit is not other.suit or one.suit is None:
        return ANY_CARD
    suit = pack.cards_of_suit(one.suit)
    return DAILY if abs(suit.index(one) - suit.index(other)) == 1 else RARE


def _many(kind: Many, value: Sequence[object], around: Around) -> Iterator[Alternative]:
    items = tuple(value)
    if isinstance(kind.of, OneOf):
        for one, other in combinations(range(len(items)), 2):
            turned = list(items)
            turned[one], turned[other] = turned[other], turned[one]
            yield (DAILY if other - one == 1 else RARE), tuple(turned)
    for place, item in enumerate(items):
        for cost, meant in alternatives(kind.of, item, around):
            if meant not in items and cost < RARER:
                yield cost, (*items[:place], meant, *items[place + 1 :])
        if not kind.sizes and len(items) > max(kind.fewest, 1):
            yield RARE, (*items[:place], *items[place + 1 :])
    if isinstance(kind.of, CardCode):
        left = [card for card in around.pack.cards if card in around.unnamed]
        if len(left) <= MOST_UNNAMED_CARDS:
            yield from ((DAILY, (*items, card)) for card in left)
            yield from [(TWO_SLIPS, (*items, *left))] if len(left) > 1 else ()


def _each(kind: Each, value: Mapping[str, Any], around: Around) -> Iterator[Alternative]:
    for one, other in combinations(value, 2):
        if value[one] != value[other]:
            yield EXCHANGED, {**value, one: value[other], other: value[one]}
    for key, other in product(value, around.keys(kind.key)):
        if other not in value:
            yield EXCHANGED, {other if one == key else one: value[one] for one in value}
    for key, figure in value.items():
        for cost, meant in alternatives(kind.of, figure, around):
            yield cost, {**value, key: meant}


ALTERNATIVES: Final[Mapping[type[Kind], Callable[[Any, Any, Around], Iterator[Alternative]]]] = {
    Whole: _whole,
    OneOf: _one_of,
    AnyOf: _any_of,
    Flag: _flag,
    PlayerId: _player,
    SideId: _side,
    CardCode: _card,
    Many: _many,
    Each: _each,
}


def agreeing(count: Mapping[str, int], proven: Mapping[str, int]) -> Alternative | None:
    """Return the cost of a count as an error, and the count that the rest of the record proves.

    None if ``count`` is that already, or if the record does not prove all of its figures.
    """
    meant = {key: proven[key] for key in count if key in proven}
    changed = [key for key in meant if meant[key] != count[key]]
    if not changed or meant.keys() != count.keys():
        return None
    if len(changed) == 2 and sorted(count.values()) == sorted(meant.values()):
        return EXCHANGED, meant
    slip = all(like(count[key], meant[key]) for key in changed)
    return DAILY + (0 if slip else 0.5) + 0.5 * (len(changed) - 1), meant


def completing(value: Mapping[str, int], totals: Collection[int]) -> Iterator[Alternative]:
    """Yield a count with one figure changed so that it makes a total."""
    for key, figure in value.items():
        for total in totals:
            meant = figure + total - sum(value.values())
            if meant >= 0 and meant != figure:
                yield DAILY + (0 if like(figure, meant) else 0.5), {**value, key: meant}

"""The groups of a form: what can stand in one field of an event, as something to tap."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Event
from scorekeeper.events.fields import (
    AnyOf,
    CardCode,
    Declared,
    Each,
    Flag,
    Many,
    Nested,
    OneOf,
    Part,
    PlayerId,
    SideId,
    Whole,
    Whom,
    Words,
    parts,
    words_of,
)
from scorekeeper.events.offered import not_offered, of_the_pack
from scorekeeper.events.playing import CardPlayed, CardsShown, TrickTaken
from scorekeeper.events.sentences import SUIT, asked
from scorekeeper.events.sentences import label_of as name_of
from scorekeeper.log.writing import as_text
from scorekeeper.web.entry.labels import part_label
from scorekeeper.web.entry.scene import Ring, Scene
from scorekeeper.web.frame.ring import turned_sides
from scorekeeper.web.wording.naming import width

MOST_CHIPS: Final = 24  # more numbers than these are typed
MOST_TYPED: Final = 999  # a number that can be more has no bound of its own
KEYS: Final = 13  # things to tap where a number is typed
KEPT: Final = 2048  # cards as they are sent, of all fields together
FEW_CARDS: Final = 12  # a choice of so few stands before the rest of the pack
# How wide a name may be, in em: on the button of one of several seats; on that of a side; above a
# row of chips; beside a field, and beside one of two in a row. Seats stand in one row while
# their names are so narrow.
ON_A_SEAT: Final = {2: 7.0, 3: 5.0, 4: 7.0}
ON_ONE_OF_MANY, ON_A_SIDE, ON_CHIPS, BESIDE, IN_HALF = 5.0, 14.0, 4.1, 12.0, 9.0
IN_A_ROW: Final = {2: 7.0, 3: 5.0, 4: 3.6, 5: 2.8, 6: 5.0, 7: 3.6}
PLAIN: Final = (Whole, OneOf, AnyOf, Flag, Words)  # kinds of which a value is a word or number
OF_THE_HOLDING: Final = (CardPlayed, CardsShown)
OF_THE_PLAY: Final = (CardPlayed, TrickTaken)


class Value(NamedTuple):
    """One thing to tap: what it adds to the data, as JSON, and how it is shown: a card by its face.

    One that is ``gone`` keeps its place, and cannot be tapped. A player has a whole ``name`` beside
    his label, and as a trick is played, how many he ``took``, and the card of his that ``lies``
    on the table and may have ``won`` it.
    """

    fragment: str
    label: str
    card: Card | None = None
    suit: str = ""
    player: str = ""
    chosen: bool = False
    gone: bool = False
    name: str = ""
    took: int | None = None
    lies: Card | None = None
    won: bool = False
    side: str = ""

    @property
    def wide(self) -> bool:
        """Whether its label is too long for one of many chips."""
        return width(self.label) > ON_CHIPS


class Number(NamedTuple):
    """A number to be typed, or tapped where there are few: its place in the data."""

    path: str
    label: str
    low: int
    high: int
    side: str = ""

    @property
    def chips(self) -> Sequence[int]:
        """The numbers themselves, where they are few."""
        few = self.high - self.low < MOST_CHIPS
        return range(self.low, self.high + 1) if few else ()


@dataclass(frozen=True, slots=True)
class Slot:
    """A group of a form, of one ``shape``: seats, chips, cards, suits, ranking, many, numbers.

    ``more`` are the values that are seldom chosen; ``total`` is what the numbers make together,
    so that the last of them need not be typed. ``asks`` is what is asked for by the declaration,
    ``label`` is said instead where that says too little. What is said ``once`` is not chosen in
    two groups of a form. ``ring`` are the players or sides of whom one is meant, in the order of
    their seats, each with its members.
    """

    name: str
    shape: str
    values: tuple[Value, ...] = ()
    more: tuple[Value, ...] = ()
    numbers: tuple[Number, ...] = ()
    total: int | None = None
    optional: bool = False
    asks: str = ""
    label: str = ""
    once: bool = False
    ring: Ring = ()

    def turned(self, me: str | None) -> "Slot":
        """The same for a player, who comes first, or his side."""
        if not self.ring or me is None or me in self.ring[0][1]:
            return self
        place = {one: at for at, one in enumerate(turned_sides(dict(self.ring), me))}
        return replace(
            self,
            values=tuple(sorted(self.values, key=lambda one: place[one.player or one.side])),
            numbers=tuple(sorted(self.numbers, key=lambda one: place[one.side])),
        )

    @property
    def few(self) -> bool:
        """Whether its values are so few that all of them are shown at once."""
        return len(self.values) <= FEW_CARDS

    @property
    def filled(self) -> bool:
        """Whether nothing need be tapped."""
        return self.optional or any(value.chosen for value in self.values)

    @property
    def long(self) -> bool:
        """Whether its names are too long for seats in one row, or for fields beside each other."""
        if self.numbers:
            return any(width(one.label) > IN_HALF for one in self.numbers)
        room = IN_A_ROW.get(len(self.values), ON_ONE_OF_MANY)
        return self.shape == "seats" and any(width(one.label) > room for one in self.values)

    @property
    def size(self) -> int:
        """How many things there are to tap."""
        chips = sum(len(one.chips) for one in self.numbers)
        return sum(not one.gone for one in self.values) + chips + KEYS * self.typed

    @property
    def typed(self) -> bool:
        """Whether a number has to be typed."""
        return any(not one.chips for one in self.numbers)


def fragment(name: str, value: Any) -> str:
    """What a value adds to the data of an event."""
    return as_text({name: value})


@lru_cache(KEPT)
def _of_card(name: str, card: Card, *, several: bool, gone: bool) -> Value:
    """A card as it is tapped; a page has dozens of them."""
    return Value(fragment(name, [card.code] if several else card.code), "", card, gone=gone)


def value_of(scene: Scene, part: Part, value: Any) -> Value:
    """A value of a field, or one of several, as it is shown."""
    label = part_label(part, value, scene.pack)
    suit = value if words_of(part.kind) == SUIT else ""
    several = isinstance(part.kind, Many)
    return Value(fragment(part.name, [value] if several else value), label, suit=suit)


# ----------------------------------------------------------------------------- slots by kind


def seats(scene: Scene, declared: type[Event], part: Part, whom: Whom, chosen: str | None) -> Slot:
    """A player, by his seat."""
    players = scene.players(whom)
    called = scene.called(players, ON_A_SEAT.get(len(players), ON_ONE_OF_MANY))
    values = tuple(
        Value(
            fragment(part.name, one),
            called[one],
            player=one,
            chosen=one == chosen,
            name=scene.names[one],
            **(_at_play(scene, one) if declared in OF_THE_PLAY else {}),
        )
        for one in players
    )
    return Slot(part.name, "seats", values, optional=part.optional, ring=scene.ring(whom))


def _at_play(scene: Scene, player: str) -> dict[str, Any]:
    """What is seen of a player while a trick is played."""
    play = scene.table.of(player) if scene.table else None
    took = scene.taken.get(player)
    return {"took": took, "lies": play.card, "won": play.won} if play else {"took": took}


def sides(scene: Scene, part: Part, chosen: str | None) -> Slot:
    """A side of the match."""
    some, ring = scene.sides(part.kind)
    values = tuple(
        Value(fragment(part.name, one), label, chosen=one == chosen, side=one)
        for one, label in scene.called(some, ON_A_SIDE).items()
    )
    return Slot(part.name, "chips", values, optional=part.optional, ring=ring)


def one_card(scene: Scene, declared: type[Event], part: Part, codes: Sequence[str]) -> Slot:
    """A card: of the holding any that nobody has played, else those that it can be first."""
    holding = declared in OF_THE_HOLDING
    whole = scene.pack.cards if scene.pack else ()
    likely = set(codes)
    every = holding or len(likely) > FEW_CARDS
    first = [card for card in whole if every or card.code in likely]
    rest = [card for card in whole if card not in first]
    return Slot(
        part.name,
        "cards",
        tuple(_cards(part.name, first, seen=scene.seen() if holding else ())),
        tuple(_cards(part.name, rest)),
        optional=part.optional,
    )


def many_cards(scene: Scene, part: Part, codes: Iterable[str]) -> Slot:
    """Several cards, of those that they can be."""
    likely = set(codes)
    cards = [card for card in scene.unseen() if card.code in likely]
    values = tuple(_cards(part.name, cards, several=True))
    return Slot(part.name, "many", values, optional=part.optional)


def _cards(
    name: str,
    cards: Iterable[Card],
    *,
    several: bool = False,
    seen: Collection[Card] = (),
) -> Iterator[Value]:
    for card in cards:
        yield _of_card(name, card, several=several, gone=card in seen)


def counts(scene: Scene, part: Part, kind: Each, most: int | None) -> Slot:
    """A number for each side; the last is what is left of a fixed total."""
    total = _total(scene, part.name)
    tops = [one for one in (total, most) if one is not None]
    signed = isinstance(kind.of, Whole) and kind.of.low < 0
    low, high = (-999, 999) if signed else (0, max(tops, default=999))
    room = ON_CHIPS if high - low < MOST_CHIPS else BESIDE
    some, ring = scene.sides(kind.key)
    numbers = tuple(
        Number(f"{part.name}.{side}", label, low, high, side)
        for side, label in scene.called(some, room).items()
    )
    return Slot(
        part.name, "numbers", numbers=numbers, total=total, optional=part.optional, ring=ring
    )


def _total(scene: Scene, name: str) -> int | None:
    """What a count makes, where that is fixed."""
    if scene.deal is None or name == "scores":
        return None
    if name == "tricks":
        return scene.deal.tricks.total
    totals = scene.deal.totals()
    return totals[0] if len(totals) == 1 else None


def plain(scene: Scene, part: Part, values: Sequence[Any]) -> Slot:
    """Chips for few values; numbers that are many are typed."""
    numbers = tuple(_typed(scene, part, values))
    values = [one for one in values if not isinstance(one, Mapping)]
    every = [one for one in _domain(scene, part, values) if scene.can_be(part, one)]
    chips = [one for one in every if not (numbers and type(one) is int)]
    return Slot(
        part.name,
        "suits" if words_of(part.kind) == SUIT else "chips",
        tuple(value_of(scene, part, one) for one in chips),
        numbers=numbers,
        optional=part.optional,
    )


def _typed(scene: Scene, part: Part, values: Sequence[Any]) -> Iterator[Number]:
    """The number to be typed, where there are many."""
    listed = [one for one in values if type(one) is int]
    for kind in part.kind.kinds if isinstance(part.kind, AnyOf) else (part.kind,):
        if isinstance(kind, Whole) and len(set(listed)) > 0:
            low = max(kind.low, 0)
            high = kind.high if kind.high <= MOST_TYPED else max(listed)
            if high - low >= MOST_CHIPS:
                every = [one for one in range(low, high + 1) if scene.can_be(part, one)]
                if every:
                    yield Number(part.name, "", every[0], every[-1])
        if isinstance(kind, Nested) and any(isinstance(one, Mapping) for one in values):
            yield from _typed_within(scene, part, kind.of)


def _typed_within(scene: Scene, part: Part, declared: type[Declared]) -> Iterator[Number]:
    """The number to be typed for an object that has only this."""
    for inner in parts(declared):
        assert isinstance(inner.kind, Whole)  # noqa: S101  # for the types
        numbers = range(inner.kind.low, inner.kind.high + 1)
        every = [one for one in numbers if scene.can_be(part, declared(**{inner.name: one}))]
        yield Number(f"{part.name}.{inner.name}", name_of(inner), every[0], every[-1])


def _domain(scene: Scene, part: Part, values: Sequence[Any]) -> list[Any]:
    """All that can stand in a field, not only what keeps the rules."""
    kind = part.kind
    if isinstance(kind, Flag):
        return [True, False]
    if isinstance(kind, Whole) and kind.high - kind.low < MOST_CHIPS:
        return list(range(kind.low, kind.high + 1))
    if isinstance(kind, OneOf):
        return list(of_the_pack(kind, scene.pack))
    ranks = set(scene.pack.ranks) if scene.pack else set()
    if isinstance(kind, AnyOf) and ranks.intersection(values):
        every = [one for of in kind.kinds if isinstance(of, OneOf) for one in of.values]
        return [one for one in every if one in ranks or one in values]
    return list(dict.fromkeys(values))


def ranking(scene: Scene, part: Part, kind: Many) -> Slot:
    """Suits in an order, of which the last need not be said."""
    of = kind.of
    assert isinstance(of, OneOf)  # noqa: S101  # for the types
    letters = [str(suit) for suit in scene.pack.suits] if scene.pack else list(of.values)
    return Slot(part.name, "ranking", tuple(value_of(scene, part, one) for one in letters))


def slot_of(
    scene: Scene, declared: type[Event], part: Part, values: Sequence[Any], most: int | None = None
) -> Slot | None:
    """The group for a field; None where nothing can be offered for it."""
    slot = _slot(scene, declared, part, values, most)
    if slot is None:
        return None
    said = not_offered(declared, part, scene.entries) if part.once or part.never else ()
    gone = {fragment(part.name, one) for one in said}
    return replace(
        slot,
        values=_but(gone, slot.values),
        more=_but(gone, slot.more),
        asks=asked(part),
        once=part.once,
    )


def _but(gone: Collection[str], values: tuple[Value, ...]) -> tuple[Value, ...]:
    """The values that are not gone, by what they add."""
    return tuple(one for one in values if one.fragment not in gone) if gone else values


def _slot(
    scene: Scene, declared: type[Event], part: Part, values: Sequence[Any], most: int | None
) -> Slot | None:
    kind = part.kind
    said = [one for one in values if one is not None]
    if isinstance(kind, PlayerId):
        return seats(scene, declared, part, kind.whom, None if part.optional else _agreed(said))
    if isinstance(kind, SideId):
        return sides(scene, part, _agreed(said))
    if isinstance(kind, CardCode):
        return one_card(scene, declared, part, said)
    if isinstance(kind, Many | Each):
        return _several(scene, part, said, most)
    return plain(scene, part, said) if isinstance(kind, PLAIN) else None


def _agreed(said: Sequence[str]) -> str | None:
    """Who is named, where it is the same whatever is chosen."""
    return said[0] if len(set(said)) == 1 else None


def _several(scene: Scene, part: Part, said: Sequence[Any], most: int | None) -> Slot | None:
    kind = part.kind
    if isinstance(kind, Each):
        return counts(scene, part, kind, most) if isinstance(kind.of, Whole) else None
    assert isinstance(kind, Many)  # noqa: S101  # for the types
    if isinstance(kind.of, CardCode):
        return many_cards(scene, part, (code for one in said for code in one))
    return ranking(scene, part, kind) if isinstance(kind.of, OneOf) else None

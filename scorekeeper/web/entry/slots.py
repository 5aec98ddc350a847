"""Which group of a form a field of an event is: what can stand in it, as something to tap."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

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
from scorekeeper.events.offered import excluded_values, values_in_pack
from scorekeeper.events.playing import CardPlayed, CardsShown, TrickTaken
from scorekeeper.events.sentences import SUIT, question_of
from scorekeeper.events.sentences import label_of as name_of
from scorekeeper.log.writing import as_text
from scorekeeper.web.entry.groups import (
    BESIDE,
    FEW_CARDS,
    MOST_CHIPS,
    ON_A_SEAT,
    ON_A_SIDE,
    ON_CHIPS,
    ON_ONE_OF_MANY,
    Chip,
    NumberField,
    Slot,
)
from scorekeeper.web.entry.labels import part_label
from scorekeeper.web.entry.scene import Scene

MOST_TYPED: Final = 999  # a number that can be more has no bound of its own
KEPT: Final = 2048  # cards as they are sent, of all fields together
PLAIN: Final = (Whole, OneOf, AnyOf, Flag, Words)  # kinds of which a value is a word or number
OF_THE_HOLDING: Final = (CardPlayed, CardsShown)
OF_THE_PLAY: Final = (CardPlayed, TrickTaken)


def fragment(name: str, value: Any) -> str:
    """What a value adds to the data of an event."""
    return as_text({name: value})


@lru_cache(KEPT)
def _of_card(name: str, card: Card, *, several: bool, gone: bool) -> Chip:
    """A card as it is tapped; a page has dozens of them."""
    return Chip(fragment(name, [card.code] if several else card.code), "", card, gone=gone)


def value_of(scene: Scene, part: Part, value: Any) -> Chip:
    """A value of a field, or one of several, as it is shown."""
    label = part_label(part, value, scene.pack)
    suit = value if words_of(part.kind) == SUIT else ""
    several = isinstance(part.kind, Many)
    return Chip(fragment(part.name, [value] if several else value), label, suit=suit)


# ----------------------------------------------------------------------------- slots by kind


def seats(scene: Scene, declared: type[Event], part: Part, whom: Whom, chosen: str | None) -> Slot:
    """A player, by his seat."""
    players = scene.players(whom)
    called = scene.called(players, ON_A_SEAT.get(len(players), ON_ONE_OF_MANY))
    values = tuple(
        Chip(
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
        Chip(fragment(part.name, one), label, chosen=one == chosen, side=one)
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
) -> Iterator[Chip]:
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
        NumberField(f"{part.name}.{side}", label, low, high, side)
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


def _typed(scene: Scene, part: Part, values: Sequence[Any]) -> Iterator[NumberField]:
    """The number to be typed, where there are many."""
    listed = [one for one in values if type(one) is int]
    for kind in part.kind.kinds if isinstance(part.kind, AnyOf) else (part.kind,):
        if isinstance(kind, Whole) and len(set(listed)) > 0:
            low = max(kind.low, 0)
            high = kind.high if kind.high <= MOST_TYPED else max(listed)
            if high - low >= MOST_CHIPS:
                every = [one for one in range(low, high + 1) if scene.can_be(part, one)]
                if every:
                    yield NumberField(part.name, "", every[0], every[-1])
        if isinstance(kind, Nested) and any(isinstance(one, Mapping) for one in values):
            yield from _typed_within(scene, part, kind.of)


def _typed_within(scene: Scene, part: Part, declared: type[Declared]) -> Iterator[NumberField]:
    """The number to be typed for an object that has only this."""
    for inner in parts(declared):
        assert isinstance(inner.kind, Whole)  # noqa: S101  # for the types
        numbers = range(inner.kind.low, inner.kind.high + 1)
        every = [one for one in numbers if scene.can_be(part, declared(**{inner.name: one}))]
        yield NumberField(f"{part.name}.{inner.name}", name_of(inner), every[0], every[-1])


def _domain(scene: Scene, part: Part, values: Sequence[Any]) -> list[Any]:
    """All that can stand in a field, not only what keeps the rules."""
    kind = part.kind
    if isinstance(kind, Flag):
        return [True, False]
    if isinstance(kind, Whole) and kind.high - kind.low < MOST_CHIPS:
        return list(range(kind.low, kind.high + 1))
    if isinstance(kind, OneOf):
        return list(values_in_pack(kind, scene.pack))
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
    said = excluded_values(declared, part, scene.entries) if part.once or part.never else ()
    gone = {fragment(part.name, one) for one in said}
    return replace(
        slot,
        values=_but(gone, slot.values),
        more=_but(gone, slot.more),
        asks=question_of(part),
        once=part.once,
    )


def _but(gone: Collection[str], values: tuple[Chip, ...]) -> tuple[Chip, ...]:
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

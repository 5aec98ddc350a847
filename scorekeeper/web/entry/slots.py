"""The group of a form for a field of an event: the values that can be tapped or typed."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from scorekeeper.base.json_object import JsonObject
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
    parts_of,
    word_category,
)
from scorekeeper.events.offered import excluded_values, values_in_pack
from scorekeeper.events.playing import CardPlayed, CardsShown, TrickTaken
from scorekeeper.events.sentences import SUIT, question_of
from scorekeeper.events.sentences import label_of as name_of
from scorekeeper.log.writing import encode_text
from scorekeeper.web.entry.groups import (
    BESIDE,
    MAX_CHIPS,
    MAX_LIKELY_CARDS,
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

MAX_BOUNDED_NUMBER: Final = 999  # a field with a higher maximum is treated as unbounded
MAX_CACHED_CHIPS: Final = 2048  # cached chips of cards, of all fields together
PLAIN: Final = (Whole, OneOf, AnyOf, Flag, Words)  # kinds whose values are words or numbers
OF_THE_HOLDING: Final = (CardPlayed, CardsShown)
OF_THE_PLAY: Final = (CardPlayed, TrickTaken)


def json_fragment(name: str, value: object) -> str:
    """Return the JSON object with one field, which a button adds to the data of an event."""
    return encode_text({name: value})


@lru_cache(MAX_CACHED_CHIPS)
def _card_chip(name: str, card: Card, *, several: bool, disabled: bool) -> Chip:
    """Return the chip of a card; cached, since a page has dozens of them.

    With `several`, it adds the card to a list.
    """
    return Chip(
        json_fragment(name, [card.code] if several else card.code), "", card, disabled=disabled
    )


def value_chip(scene: Scene, part: Part, value: Any) -> Chip:
    """Return the chip of a field's value, or of one of its several values."""
    label = part_label(part, value, scene.pack)
    suit = value if word_category(part.kind) == SUIT else ""
    several = isinstance(part.kind, Many)
    return Chip(json_fragment(part.name, [value] if several else value), label, suit=suit)


# ----------------------------------------------------------------------------- slots by kind


def player_slot(
    scene: Scene, declared: type[Event], part: Part, whom: Whom, chosen: str | None
) -> Slot:
    """Return the choice of a player by seat; `chosen` is preselected."""
    players = scene.players(whom)
    labels = scene.called(players, ON_A_SEAT.get(len(players), ON_ONE_OF_MANY))
    values = tuple(
        Chip(
            json_fragment(part.name, player),
            labels[player],
            player=player,
            chosen=player == chosen,
            name=scene.names[player],
            **(_trick_state(scene, player) if declared in OF_THE_PLAY else {}),
        )
        for player in players
    )
    return Slot(part.name, "seats", values, optional=part.optional, ring=scene.ring(whom))


def _trick_state(scene: Scene, player: str) -> JsonObject:
    """Return the fields of a player's chip about the current trick: `took`, `lies` and `won`."""
    play = scene.table.of(player) if scene.table else None
    took = scene.taken.get(player)
    return {"took": took, "lies": play.card, "won": play.won} if play else {"took": took}


def side_slot(scene: Scene, part: Part, chosen: str | None) -> Slot:
    """Return the choice of a side of the match, or of a counted side; `chosen` is preselected.

    In a count of a game with a called card, these are the bidder's party and the defenders.
    """
    ids, ring = scene.sides(part.kind)
    values = tuple(
        Chip(json_fragment(part.name, side), label, chosen=side == chosen, side=side)
        for side, label in scene.called(ids, ON_A_SIDE).items()
    )
    return Slot(part.name, "chips", values, optional=part.optional, ring=ring)


def card_slot(scene: Scene, declared: type[Event], part: Part, codes: Sequence[str]) -> Slot:
    """Return the choice of one card.

    Of a holding, any card that has not been played is offered; else the prompted cards come first,
    and the rest of the pack after them.
    """
    holding = declared in OF_THE_HOLDING
    pack = scene.pack.cards if scene.pack else ()
    likely = set(codes)
    every = holding or len(likely) > MAX_LIKELY_CARDS
    first = [card for card in pack if every or card.code in likely]
    rest = [card for card in pack if card not in first]
    return Slot(
        part.name,
        "cards",
        tuple(_card_chips(part.name, first, seen=scene.played_cards() if holding else ())),
        tuple(_card_chips(part.name, rest)),
        optional=part.optional,
    )


def cards_slot(scene: Scene, part: Part, codes: Iterable[str]) -> Slot:
    """Return the choice of several cards of those that are prompted."""
    likely = set(codes)
    cards = [card for card in scene.unplayed_cards() if card.code in likely]
    values = tuple(_card_chips(part.name, cards, several=True))
    return Slot(part.name, "many", values, optional=part.optional)


def _card_chips(
    name: str,
    cards: Iterable[Card],
    *,
    several: bool = False,
    seen: Collection[Card] = (),
) -> Iterator[Chip]:
    """Yield the chips of cards; those in `seen` are disabled."""
    for card in cards:
        yield _card_chip(name, card, several=several, disabled=card in seen)


def counts_slot(scene: Scene, part: Part, kind: Each, most: int | None) -> Slot:
    """Return a number field for each side.

    With a fixed total, as of tricks, the last number need not be typed. `most` is the highest
    number.
    """
    total = _fixed_total(scene, part.name)
    maxima = [maximum for maximum in (total, most) if maximum is not None]
    signed = isinstance(kind.of, Whole) and kind.of.low < 0
    low, high = (-999, 999) if signed else (0, max(maxima, default=999))
    width = ON_CHIPS if high - low < MAX_CHIPS else BESIDE
    ids, ring = scene.sides(kind.key)
    numbers = tuple(
        NumberField(f"{part.name}.{side}", label, low, high, side)
        for side, label in scene.called(ids, width).items()
    )
    return Slot(
        part.name, "numbers", numbers=numbers, total=total, optional=part.optional, ring=ring
    )


def _fixed_total(scene: Scene, name: str) -> int | None:
    """Return the fixed sum of the counts in a field; None if it is not fixed."""
    if scene.deal is None or name == "scores":
        return None
    if name == "tricks":
        return scene.deal.tricks.total
    totals = scene.deal.totals()
    return totals[0] if len(totals) == 1 else None


def plain_slot(scene: Scene, part: Part, values: Sequence[object]) -> Slot:
    """Return chips for few values, and a field to type for a large range of numbers."""
    numbers = tuple(_number_fields(scene, part, values))
    values = [value for value in values if not isinstance(value, Mapping)]
    every = [value for value in _possible_values(scene, part, values) if scene.can_be(part, value)]
    chips = [value for value in every if not (numbers and type(value) is int)]
    return Slot(
        part.name,
        "suits" if word_category(part.kind) == SUIT else "chips",
        tuple(value_chip(scene, part, value) for value in chips),
        numbers=numbers,
        optional=part.optional,
    )


def _number_fields(scene: Scene, part: Part, values: Sequence[object]) -> Iterator[NumberField]:
    """Yield the fields for numbers to type in a field with a large range.

    Yields nothing if the numbers are few enough for buttons.
    """
    listed = [value for value in values if type(value) is int]
    for kind in part.kind.kinds if isinstance(part.kind, AnyOf) else (part.kind,):
        if isinstance(kind, Whole) and len(set(listed)) > 0:
            low = max(kind.low, 0)
            high = kind.high if kind.high <= MAX_BOUNDED_NUMBER else max(listed)
            if high - low >= MAX_CHIPS:
                every = [number for number in range(low, high + 1) if scene.can_be(part, number)]
                if every:
                    yield NumberField(part.name, "", every[0], every[-1])
        if isinstance(kind, Nested) and any(isinstance(value, Mapping) for value in values):
            yield from _nested_number_fields(scene, part, kind.of)


def _nested_number_fields(
    scene: Scene, part: Part, declared: type[Declared]
) -> Iterator[NumberField]:
    """Yield the number fields of an object whose fields are all numbers."""
    for inner in parts_of(declared):
        assert isinstance(inner.kind, Whole)  # noqa: S101  # for the types
        numbers = range(inner.kind.low, inner.kind.high + 1)
        every = [
            number for number in numbers if scene.can_be(part, declared(**{inner.name: number}))
        ]
        yield NumberField(f"{part.name}.{inner.name}", name_of(inner), every[0], every[-1])


def _possible_values(scene: Scene, part: Part, values: Sequence[Any]) -> list[Any]:
    """Return all values that fit a field's kind, also those that break the rules."""
    kind = part.kind
    if isinstance(kind, Flag):
        return [True, False]
    if isinstance(kind, Whole) and kind.high - kind.low < MAX_CHIPS:
        return list(range(kind.low, kind.high + 1))
    if isinstance(kind, OneOf):
        return list(values_in_pack(kind, scene.pack))
    ranks = set(scene.pack.ranks) if scene.pack else set()
    if isinstance(kind, AnyOf) and ranks.intersection(values):
        every = [
            value for option in kind.kinds if isinstance(option, OneOf) for value in option.values
        ]
        return [value for value in every if value in ranks or value in values]
    return list(dict.fromkeys(values))


def ranking_slot(scene: Scene, part: Part, kind: Many) -> Slot:
    """Return suits to put in order; the last need not be tapped."""
    kind_of_value = kind.of
    assert isinstance(kind_of_value, OneOf)  # noqa: S101  # for the types
    letters = [str(suit) for suit in scene.pack.suits] if scene.pack else list(kind_of_value.values)
    return Slot(part.name, "ranking", tuple(value_chip(scene, part, suit) for suit in letters))


def slot_of(
    scene: Scene, declared: type[Event], part: Part, values: Sequence[Any], most: int | None = None
) -> Slot | None:
    """Return the group of a form for a field of an event; None if it has no values to offer.

    `values` are the prompted ones, `most` is the highest count.
    """
    slot = _slot_by_kind(scene, declared, part, values, most)
    if slot is None:
        return None
    excluded = excluded_values(declared, part, scene.entries) if part.once or part.never else ()
    excluded_fragments = {json_fragment(part.name, value) for value in excluded}
    return replace(
        slot,
        values=_without(excluded_fragments, slot.values),
        more=_without(excluded_fragments, slot.more),
        asks=question_of(part),
        unique=part.once,
    )


def _without(fragments: Collection[str], values: tuple[Chip, ...]) -> tuple[Chip, ...]:
    """Return the chips without those that have one of these fragments."""
    return tuple(chip for chip in values if chip.fragment not in fragments) if fragments else values


def _slot_by_kind(
    scene: Scene, declared: type[Event], part: Part, values: Sequence[Any], most: int | None
) -> Slot | None:
    """Return the group for a field by its kind; None if its kind cannot be tapped or typed."""
    kind = part.kind
    prompted = [value for value in values if value is not None]
    if isinstance(kind, PlayerId):
        return player_slot(
            scene, declared, part, kind.whom, None if part.optional else _common_value(prompted)
        )
    if isinstance(kind, SideId):
        return side_slot(scene, part, _common_value(prompted))
    if isinstance(kind, CardCode):
        return card_slot(scene, declared, part, prompted)
    if isinstance(kind, Many | Each):
        return _slot_of_several(scene, part, prompted, most)
    return plain_slot(scene, part, prompted) if isinstance(kind, PLAIN) else None


def _common_value(values: Sequence[str]) -> str | None:
    """Return the value that all prompts agree in, if there is one."""
    return values[0] if len(set(values)) == 1 else None


def _slot_of_several(
    scene: Scene, part: Part, values: Sequence[Any], most: int | None
) -> Slot | None:
    """Return the group for a list, an order, or a count for each side; None for other kinds."""
    kind = part.kind
    if isinstance(kind, Each):
        return counts_slot(scene, part, kind, most) if isinstance(kind.of, Whole) else None
    assert isinstance(kind, Many)  # noqa: S101  # for the types
    if isinstance(kind.of, CardCode):
        return cards_slot(scene, part, (code for codes in values for code in codes))
    return ranking_slot(scene, part, kind) if isinstance(kind.of, OneOf) else None

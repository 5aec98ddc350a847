"""The widget of each declared kind: of the fields of events, and of the options of games.

All are in one file, since kinds contain one another.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import count, takewhile
from typing import Any, Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.language import language
from scorekeeper.base.parts import format_parts
from scorekeeper.cards.packs import Card, Suit
from scorekeeper.events.fields import (
    AnyOf,
    CardCode,
    Each,
    Flag,
    Many,
    Nested,
    OneOf,
    Part,
    PlayerId,
    SideId,
    Whole,
    Words,
    parts_of,
    word_category,
)
from scorekeeper.events.playing import CardPlayed, CardsShown, TrickTaken
from scorekeeper.events.sentences import SUIT, label_of, question_of, standalone_words
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.log.writing import encode_text
from scorekeeper.play.rulebook import ListOf, NamedTexts, Number, Numbers
from scorekeeper.web.forms.option_widgets import (
    FixedWidget,
    ListOfWidget,
    NamedTextsWidget,
    NumbersWidget,
    NumberWidget,
)
from scorekeeper.web.forms.scene import NOWHERE, Scene, rank_in_words, value_label
from scorekeeper.web.forms.typed import parse_whole
from scorekeeper.web.forms.widget import (
    MAX_KEYS,
    MAX_LIKELY_CARDS,
    Asked,
    Chip,
    Field,
    FormData,
    K,
    NumberField,
    Slot,
    Widget,
)
from scorekeeper.web.wording.filters import say_otherwise, with_colon

MAX_BOUNDED_NUMBER: Final = 999  # a field with a higher maximum is treated as unbounded
MAX_CACHED_CHIPS: Final = 2048  # cached chips of cards, of all fields together
OF_THE_HOLDING: Final = (CardPlayed, CardsShown)
OF_THE_PLAY: Final = (CardPlayed, TrickTaken)
FLAGS: Final = {"true": True, "false": False}
EMPTY_LIST: Final = "-"  # typed for a list without values


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


def card_chips(
    name: str, cards: Iterable[Card], *, several: bool = False, seen: Collection[Card] = ()
) -> tuple[Chip, ...]:
    """Return the chips of cards; those in `seen` are disabled."""
    return tuple(_card_chip(name, card, several=several, disabled=card in seen) for card in cards)


def value_chip(scene: Scene, part: Part, value: object) -> Chip:
    """Return the chip of a field's value, or of one of its several values."""
    called = part.called.get(value) if isinstance(value, str) else None
    label = language().say(called) if called else value_label(part.kind, value, scene.pack)
    suit = str(value) if word_category(part.kind) == SUIT else ""
    several = isinstance(part.kind, Many)
    fragment = json_fragment(part.name, [value] if several else value)
    fitted = say_otherwise(label, rank_in_words(part.kind, value))
    return Chip(fragment, label, suit=suit, fitted=fitted)


def _number_field(
    path: str, label: str, can_be: Mapping[int, bool], parts: int
) -> Iterator[NumberField]:
    """Yield the field for the numbers that can be, if there are any; they count ``parts``."""
    numbers = [number for number, possible in can_be.items() if possible]
    if numbers:
        yield NumberField(path, label, numbers[0], numbers[-1], parts=parts)


def _common_value(values: Sequence[str]) -> str | None:
    """Return the value that all prompts agree in, if there is one."""
    return values[0] if len(set(values)) == 1 else None


# ---------------------------------------------------------------------- players, sides and cards


class SideWidget(Widget[PlayerId | SideId]):
    """Sides of the match, or the bidder's party and the defenders of a count."""

    def slot(self, kind: PlayerId | SideId, asked: Asked) -> Slot:
        part, due = asked.part, _common_value(asked.values)
        ids, ring = asked.scene.sides(kind)
        values = tuple(
            Chip(
                json_fragment(part.name, side),
                asked.scene.called(side),
                chosen=side == due,
                fitted=asked.scene.fitted(side),
                side=side,
            )
            for side in ids
        )
        return Slot(part.name, "chips", values, ring=ring)

    def choices(self, kind: PlayerId | SideId, scene: Scene) -> list[tuple[str, str]]:
        return scene.called_in_full(kind)


class PlayerWidget(SideWidget):
    """Players: a button for each seat, with the current trick while cards are played.

    If only one of them may act, that player stands ``alone``.
    """

    def slot(self, kind: PlayerId | SideId, asked: Asked) -> Slot:
        scene, part = asked.scene, asked.part
        players, ring = scene.sides(kind)
        due = asked.due or (None if part.optional else _common_value(asked.values))
        values = tuple(
            Chip(
                json_fragment(part.name, player),
                scene.called(player),
                player=player,
                chosen=player == due,
                fitted=scene.fitted(player),
                **(_trick_state(scene, player) if asked.declared in OF_THE_PLAY else {}),
            )
            for player in players
        )
        single = {*asked.values} == {due} and asked.declared not in OF_THE_PLAY
        alone = next((chip for chip in values if single and chip.chosen), None)
        return Slot(part.name, "seats", values, ring=ring, alone=alone)


def _trick_state(scene: Scene, player: str) -> JsonObject:
    """Return the fields of a player's chip about the current trick: `took`, `lies` and `won`."""
    play = scene.table.of(player) if scene.table else None
    took = scene.taken.get(player)
    return {"took": took, "lies": play.card, "won": play.won} if play else {"took": took}


class CardWidget(Widget[CardCode]):
    """One card. Of a holding, any card that has not been played is offered.

    Else the prompted cards come first, and the rest of the pack after them; the whole pack if none
    is prompted.
    """

    def slot(self, kind: CardCode, asked: Asked) -> Slot:
        name, scene = asked.part.name, asked.scene
        holding = asked.declared in OF_THE_HOLDING
        pack = scene.pack.cards if scene.pack else ()
        likely = set(asked.values)
        every = holding or not 0 < len(likely) <= MAX_LIKELY_CARDS
        first = [card for card in pack if every or card.code in likely]
        rest = [card for card in pack if card not in first]
        chips = card_chips(name, first, seen=scene.played_cards() if holding else ())
        return Slot(name, "cards", chips, card_chips(name, rest))

    def choices(self, kind: CardCode, scene: Scene) -> list[tuple[str, str]]:
        pack = scene.pack
        return [(card.code, pack.show(card)) for card in pack.cards] if pack else []


# ------------------------------------------------------------------------- words and numbers


class TextWidget(Widget[K]):
    """Words and numbers: chips for words, and a field to type for a range of numbers.

    The prompted values are offered, and those that break the rules where there are few.
    """

    def slot(self, kind: K, asked: Asked) -> Slot:
        scene, part = asked.scene, asked.part
        numbers = tuple(self.numbers(kind, asked))
        prompted = [value for value in asked.values if not isinstance(value, Mapping)]
        chips = tuple(
            value_chip(scene, part, value)
            for value in self.possible(kind, scene, prompted)
            if scene.can_be(part, value) and not (numbers and type(value) is int)
        )
        shape = "suits" if word_category(part.kind) == SUIT else "chips"
        return Slot(part.name, shape, chips, numbers=numbers)

    def possible(self, kind: K, scene: Scene, prompted: Sequence[object]) -> Sequence[object]:
        """Return the values for chips; by default the prompted ones."""
        return list(dict.fromkeys(prompted))


class WholeWidget(TextWidget[Whole]):
    """Whole numbers."""

    def numbers(self, kind: Whole, asked: Asked) -> Iterator[NumberField]:
        prompted = [value for value in asked.values if type(value) is int]
        few = kind.high - kind.low < MAX_KEYS
        if not prompted and not few:
            return
        low = kind.low if few else max(kind.low, 0)
        high = kind.high if kind.high <= MAX_BOUNDED_NUMBER else max(prompted)
        can_be = {n: asked.scene.can_be(asked.part, n) for n in range(low, high + 1)}
        yield from _number_field(asked.part.name, "", can_be, kind.parts)

    def attributes(self, kind: Whole) -> JsonObject:
        whole = "numeric" if kind.parts == 1 else "decimal"
        return {"inputmode": "text" if kind.low < 0 else whole}

    def texts(self, kind: Whole, value: int | str | None) -> list[str]:
        if isinstance(value, int):
            return [format_parts(value, kind.parts)]
        return [] if value is None else [value]  # as it was typed

    def parse(self, kind: Whole, text: str) -> int | str:
        return parse_whole(text, kind.parts)


class OneOfWidget(TextWidget[OneOf]):
    """One of a few words; of suits, those of the pack."""

    def possible(self, kind: OneOf, scene: Scene, prompted: Sequence[object]) -> Sequence[object]:
        suits = scene.pack.suits if scene.pack else ()
        of_suits = bool(suits) and set(kind.values) <= set(Suit)
        return [value for value in kind.values if not of_suits or value in suits]

    def choices(self, kind: OneOf, scene: Scene) -> list[tuple[str, str]]:
        values = map(str, self.possible(kind, scene, ()))
        return [(value, standalone_words(value, kind, scene.pack)) for value in values]


class FlagWidget(TextWidget[Flag]):
    """A yes or no, in the words of the field."""

    def possible(self, kind: Flag, scene: Scene, prompted: Sequence[object]) -> Sequence[object]:
        return [True, False]

    def choices(self, kind: Flag, scene: Scene) -> list[tuple[str, str]]:
        return [(text, standalone_words(flag, kind, None)) for text, flag in FLAGS.items()]

    def texts(self, kind: Flag, value: object) -> list[str]:
        return [] if value is None else [str(value).lower()]

    def parse(self, kind: Flag, text: str) -> bool | str:
        return FLAGS.get(text, text)


class AnyOfWidget(TextWidget[AnyOf]):
    """A value of one of several kinds, such as a rank or a number."""

    def possible(self, kind: AnyOf, scene: Scene, prompted: Sequence[object]) -> Sequence[object]:
        ranks = set(scene.pack.ranks) if scene.pack else set()
        if ranks.intersection(prompted):
            words = [word for one in kind.kinds if isinstance(one, OneOf) for word in one.values]
            return [word for word in words if word in ranks or word in prompted]
        return super().possible(kind, scene, prompted)

    def numbers(self, kind: AnyOf, asked: Asked) -> Iterator[NumberField]:
        for one in kind.kinds:
            yield from widget_of(one).numbers(one, asked)

    def parse(self, kind: AnyOf, text: str) -> object:
        if any(isinstance(one, OneOf) and text in one.values for one in kind.kinds):
            return text
        values = (widget_of(one).parse(one, text) for one in kind.kinds)
        return next((value for value in values if value != text), text)


class NestedWidget(Widget[Nested]):
    """An object whose fields are all numbers, typed as the name of a field and its number."""

    def numbers(self, kind: Nested, asked: Asked) -> Iterator[NumberField]:
        if not any(isinstance(value, Mapping) for value in asked.values):
            return
        for inner in parts_of(kind.of):
            assert isinstance(inner.kind, Whole)  # noqa: S101  # for the types
            can_be = {
                n: asked.scene.can_be(asked.part, kind.of(**{inner.name: n}))
                for n in range(inner.kind.low, inner.kind.high + 1)
            }
            path = f"{asked.part.name}.{inner.name}"
            yield from _number_field(path, label_of(inner), can_be, inner.kind.parts)

    def parse(self, kind: Nested, text: str) -> object:
        name, _space, number = text.partition(" ")
        known = any(part.name == name for part in parts_of(kind.of))
        return {name: parse_whole(number)} if number and known else text


# ------------------------------------------------------------------------------ several values


class ManyWidget(Widget[Many]):
    """A list: cards to pick from those that are prompted, or suits to put in order."""

    def slot(self, kind: Many, asked: Asked) -> Slot | None:
        scene, part = asked.scene, asked.part
        if isinstance(kind.of, CardCode):
            likely = {code for codes in asked.values for code in codes}
            cards = [
                card for card in (scene.pack.cards if scene.pack else ()) if card.code in likely
            ]
            return Slot(part.name, "many", card_chips(part.name, cards, several=True))
        if not isinstance(kind.of, OneOf):
            return None
        values = [str(suit) for suit in scene.pack.suits] if scene.pack else kind.of.values
        return Slot(part.name, "ranking", tuple(value_chip(scene, part, value) for value in values))

    def complete(self, kind: Many, value: object) -> object:
        if not kind.sizes or not isinstance(kind.of, OneOf) or type(value) is not list:
            return value
        rest = [other for other in kind.of.values if other not in value]
        last = len(value) == max(kind.sizes) - 1 and len(rest) == 1
        return [*value, *rest] if last else value

    def fields(
        self, kind: Many, name: str, label: str, value: Any, scene: Scene
    ) -> Iterator[Field]:
        if not isinstance(kind.of, PlayerId):
            yield from super().fields(kind, name, label, value, scene)
            return
        for place, item in enumerate(value or ()):  # players, each with a list to choose from
            inner, words = widget_of(kind.of), f"{with_colon(label)} {place + 1}"
            yield from inner.fields(kind.of, f"{name}.{place}", words, item, scene)

    def read(self, kind: Many, name: str, form: FormData, scene: Scene = NOWHERE) -> object:
        if not isinstance(kind.of, PlayerId):
            return super().read(kind, name, form, scene)
        names = list(takewhile(form.__contains__, (f"{name}.{place}" for place in count())))
        return [form[each] for each in names] or None

    def texts(self, kind: Many, value: Any) -> list[str]:
        return [] if value is None else [" ".join(map(str, value)) or EMPTY_LIST]

    def field(self, kind: Many, name: str, texts: Sequence[str], scene: Scene = NOWHERE) -> Field:
        pack = scene.pack
        examples: Sequence[str] = pack.suits if pack else ()
        if pack and isinstance(kind.of, CardCode):
            examples = (pack.cards[0].code, pack.cards[-1].code)
        hint = _("One after another with spaces, as in: %(example)s", example=" ".join(examples))
        return Field(name, "typed", texts=texts, hint=hint)

    def parse(self, kind: Many, text: str) -> list[object]:
        items = () if text == EMPTY_LIST else text.replace(",", " ").split()
        return [widget_of(kind.of).parse(kind.of, item) for item in items]


class EachWidget(Widget[Each]):
    """A value for each side or player: numbers, of which the last follows from a fixed total."""

    def slot(self, kind: Each, asked: Asked) -> Slot | None:
        if not isinstance(kind.of, Whole):
            return None
        name, total = asked.part.name, asked.scene.fixed_total(asked.part.name)
        maxima = [maximum for maximum in (total, asked.most) if maximum is not None]
        most = MAX_BOUNDED_NUMBER * kind.of.parts
        low, high = (-most, most) if kind.of.low < 0 else (0, max(maxima, default=most))
        ids, ring = asked.scene.sides(kind.key)
        numbers = tuple(
            NumberField(
                f"{name}.{side}",
                asked.scene.called(side),
                low,
                high,
                side,
                asked.scene.fitted(side),
                kind.of.parts,
            )
            for side in ids
        )
        return Slot(name, "numbers", numbers=numbers, total=total, ring=ring)

    def fields(
        self, kind: Each, name: str, label: str, value: Any, scene: Scene
    ) -> Iterator[Field]:
        for key, called in widget_of(kind.key).choices(kind.key, scene):
            inner, words = (value or {}).get(key), f"{with_colon(label)} {called}"
            yield from widget_of(kind.of).fields(kind.of, f"{name}.{key}", words, inner, scene)

    def read(self, kind: Each, name: str, form: FormData, scene: Scene = NOWHERE) -> JsonObject:
        inner, keys = widget_of(kind.of), widget_of(kind.key).choices(kind.key, scene)
        values = {key: inner.read(kind.of, f"{name}.{key}", form, scene) for key, _words in keys}
        return {key: value for key, value in values.items() if value is not None}


# A new kind of field needs a widget here and its macro in templates/parts/fields.html, or in
# templates/table/step.html where it is tapped.
WIDGETS: Final[Mapping[type, Widget[Any]]] = {
    PlayerId: PlayerWidget(),
    SideId: SideWidget(),
    CardCode: CardWidget(),
    Words: TextWidget(),
    Whole: WholeWidget(),
    Flag: FlagWidget(),
    OneOf: OneOfWidget(),
    AnyOf: AnyOfWidget(),
    Nested: NestedWidget(),
    Many: ManyWidget(),
    Each: EachWidget(),
    Number: NumberWidget(),
    Numbers: NumbersWidget(),
    ListOf: ListOfWidget(),
    NamedTexts: NamedTextsWidget(),
    **dict.fromkeys((str, bool, int), FixedWidget()),
}
TYPED: Final = Widget[object]()


def widget_of(kind: object) -> Widget[Any]:
    """Return the widget of a kind; values of an unknown kind are typed as text."""
    return WIDGETS.get(type(kind), TYPED)


def slot_of(asked: Asked) -> Slot | None:
    """Return the group of a form for a field of an event; None if it cannot be tapped."""
    part = asked.part
    prompted = [value for value in asked.values if value is not None]
    slot = widget_of(part.kind).slot(part.kind, asked._replace(values=prompted))
    if slot is None:
        return None
    excluded = {
        json_fragment(part.name, value) for value in asked.scene.excluded(asked.declared, part)
    }
    return replace(
        slot,
        values=tuple(chip for chip in slot.values if chip.fragment not in excluded),
        more=tuple(chip for chip in slot.more if chip.fragment not in excluded),
        optional=part.optional,
        asks=question_of(part),
        unique=part.once,
    )

"""Drawings of suits, signs and cards."""

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import Any, Final

from flask import Flask, g
from markupsafe import Markup

from scorekeeper.base.language import Language, language
from scorekeeper.cards.packs import FOOL, Card, Pack, Suit, has_french_suits, spoken_card_name
from scorekeeper.web.frame.statics import static_url

MAX_CACHED_CARDS: Final = 2048  # cached cards, of all packs and languages together
MAX_CACHED_PACKS: Final = 64  # cached packs, in all languages
MAX_CACHED_PARTS: Final = 1024  # cached page parts, of all tables together
CARD: Final = Markup(
    '<span class="card {0}" role="img" aria-label="{1}"><b>{2}</b>'
    '<svg><use href="{3}"/></svg></span>'
)


def init_app(app: Flask) -> None:
    """Make the drawings available to templates."""
    app.jinja_env.globals.update(sprite=sprite_url, card_faces=card_faces, drawn=render_cached)
    app.jinja_env.filters.update(
        card_face=card_face, by_suit=by_suit, symbol=symbol_name, suit_symbol=suit_symbol
    )


def sprite_url(name: str) -> str:
    """Return the address of a drawing, by its name, in the file of symbols."""
    return f"{_sprites_url()}#{name}"


def _sprites_url() -> str:
    """Return the address of the file of symbols, computed once for each request."""
    address: str | None = g.get("sprites")  # a page of cards uses it dozens of times
    if address is None:
        address = g.sprites = static_url("cards.svg")
    return address


def render_cached(macro: Callable[..., Markup], *facts: Hashable, notice: Any = None) -> Markup:
    """Return a macro's output for facts; cached, and shared by all viewers of the same facts.

    The macro must depend on nothing else, so its template is imported without context. With a
    ``notice``, which is for one viewer, the output is not cached.
    """
    if notice is not None:
        return macro(*facts, notice=notice)
    return _render_cached(macro, facts, _sprites_url(), language())


@lru_cache(MAX_CACHED_PARTS)
def _render_cached(
    macro: Callable[..., Markup], facts: tuple[Hashable, ...], sprites: str, spoken: Language
) -> Markup:
    """Return the macro's output for facts.

    `sprites` and `spoken` are part of the cache key only.
    """
    return macro(*facts)


def by_suit(values: Iterable[Any]) -> dict[str | None, tuple[object, ...]]:
    """Return chips of cards grouped by suit, in the order in which the suits first occur."""
    suits: dict[str | None, list[Any]] = {}
    for value in values:
        suits.setdefault(value.card.suit, []).append(value)
    return {suit: tuple(group) for suit, group in suits.items()}


def card_face(card: Card, pack: Pack, more: str = "") -> Markup:
    """Return the HTML of a card as it lies on the table.

    `more` is added to its label for screen readers.
    """
    return _draw_card(card, pack.name, f"{pack.speak(card)}{more}", _sprites_url(), language())


class Faces(dict[Card, Markup]):
    """The cards of a pack as they lie on the table, each drawn on first use."""

    def __init__(self, pack: str, sprites: str, spoken: Language) -> None:
        self.context = (pack, sprites, spoken)

    def __missing__(self, card: Card) -> Markup:
        pack, sprites, spoken = self.context
        label = spoken_card_name(card, pack, spoken)
        face = self[card] = _draw_card(card, pack, label, sprites, spoken)
        return face


def card_faces(pack: Pack) -> Faces:
    """Return the HTML of each card of a pack, cached for a page that shows dozens of them."""
    return _faces(pack.name, _sprites_url(), language())


_faces: Final = lru_cache(MAX_CACHED_PACKS)(Faces)


@lru_cache(MAX_CACHED_CARDS)
def _draw_card(card: Card, pack: str, label: str, sprites: str, spoken: Language) -> Markup:
    """Return the HTML of a card, cached by all parameters."""
    drawn = symbol_name(card, pack)
    rank = "" if card is FOOL else spoken.word("letter", card.rank)
    return CARD.format(drawn, label, rank, f"{sprites}#{drawn}")


def symbol_name(card: Card, pack: str) -> str:
    """Return the name of a suit's drawing in the file of symbols."""
    if card is FOOL:
        return "fool"
    if card.suit is Suit.T:
        return "trump"
    return suit_symbol(card.suit, pack)


def suit_symbol(suit: Suit | str | None, pack: str) -> str:
    """Return the name of the drawing of a suit that is no trump; ``pack`` names its pack."""
    return f"{'french' if has_french_suits(pack) else 'italian'}-{suit}"

"""Suits, signs and cards as they are drawn."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from flask import Flask, g, url_for
from markupsafe import Markup

from scorekeeper.cards.packs import FOOL, Card, Pack, Suit
from scorekeeper.web.wording.words import letter

KEPT: Final = 2048  # cards, of all packs and languages together
CARD: Final = Markup(
    '<span class="card {0}" role="img" aria-label="{1}"><b>{2}</b>'
    '<svg><use href="{3}"/></svg></span>'
)


def init_app(app: Flask) -> None:
    """Let templates ask for drawings."""
    app.jinja_env.globals.update(sprite=sprite, card_face=card_face, by_suit=by_suit)


def sprite(name: str) -> str:
    """The address of a drawing of ours: a suit, a trump, the Fool, a sign."""
    if "sprites" not in g:  # a page of cards asks for it dozens of times
        g.sprites = url_for("static", filename="cards.svg")
    return f"{g.sprites}#{name}"


def by_suit(values: Iterable[Any]) -> dict[str | None, list[Any]]:
    """What is shown as cards, by the suits of these, in the order in which they come."""
    suits: dict[str | None, list[Any]] = {}
    for value in values:
        suits.setdefault(value.card.suit, []).append(value)
    return suits


def card_face(card: Card, pack: Pack, more: str = "") -> Markup:
    """A card as it lies on the table, with what else is said of it there."""
    drawn = symbol(card, pack.name)
    rank = "" if card is FOOL else letter(card.rank)
    return _drawn(drawn, f"{pack.show(card)}{more}", rank, sprite(drawn))


@lru_cache(KEPT)
def _drawn(drawn: str, label: str, rank: str, address: str) -> Markup:
    return CARD.format(drawn, label, rank, address)


def symbol(card: Card, pack: str) -> str:
    """The drawing of a card's suit, by its name in the file of symbols."""
    if card is FOOL:
        return "fool"
    if card.suit is Suit.T:
        return "trump"
    return f"{'french' if pack == 'french' else 'italian'}-{card.suit}"

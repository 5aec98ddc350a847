"""How figures, times, cards and clauses are written on a page."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from flask import url_for
from markupsafe import Markup, escape

from scorekeeper.cards import FOOL, Card, Suit
from scorekeeper.games.game import Game
from scorekeeper.replay.telling import spans
from scorekeeper.rulebook import COMMON, Choice, Clause, ListOf, Number, Option

MINUS: Final = "\N{MINUS SIGN}"
STATUS_WORDS: Final = {
    "open": "still open",
    "incomplete": "incomplete",
    "abandoned": "abandoned",
    "complete": "complete",
    "finished": "finished",
}
LEVEL_WORDS: Final = {
    "cards": "card by card",
    "tricks": "trick by trick",
    "totals": "totals only",
    "mixed": "cards and tricks",
}
COMMON_BY_ID: Final = {clause.id: clause for clause in COMMON}


def signed(points: int) -> str:
    """Points with their sign, as on a score sheet."""
    return f"+{points}" if points > 0 else plain(points)


def plain(points: int) -> str:
    """A whole number with a proper minus sign."""
    return f"{MINUS}{-points}" if points < 0 else str(points)


def tone(points: int) -> str:
    """A class for points won or lost."""
    return "plus" if points > 0 else "minus" if points < 0 else "nil"


def evening(at: str) -> str:
    """The day of a time in a log."""
    moment = datetime.fromisoformat(at)
    return f"{moment.day} {moment:%B %Y}"


def symbol(card: Card, pack: str) -> str:
    """The drawing of a card's suit, by its name in the file of symbols."""
    if card is FOOL:
        return "fool"
    if card.suit is Suit.T:
        return "trump"
    return f"{'french' if pack == 'french' else 'italian'}-{card.suit}"


def clause_of(game: Game, clause_id: str) -> Clause:
    """A clause of a game's book, or of those common to all."""
    return COMMON_BY_ID.get(clause_id) or game.book.clause(clause_id)


def clause_href(clause_id: str, game: Game | None) -> str:
    """The address of a clause in the rule book."""
    if clause_id in COMMON_BY_ID or game is None:
        return url_for("rules.index", _anchor=clause_id)
    return url_for("rules.book", game=game.id, _anchor=clause_id)


def value_words(value: Any) -> str:
    """The value of an option as a player reads it.

    >>> value_words({"target": 21}), value_words(True), value_words("last_trick")
    ('target 21', 'yes', 'last trick')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {one}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(value_words, value)) or "none"
    return str(value).replace("_", " ")


def chosen(choice: Choice, value: Any) -> bool:
    """Whether a value of an option is this one, or one of this family."""
    if isinstance(choice, Number | ListOf):
        return choice.accepts(value)
    return (type(choice), choice) == (type(value), value)


def meaning(option: Option, value: Any) -> str:
    """What a value of an option means."""
    return next((text for choice, text in option.choices.items() if chosen(choice, value)), "")


def code(text: str) -> Markup:
    """A text with what stands in backticks as code.

    >>> code("give `head` < 3")
    Markup('give <code>head</code> &lt; 3')
    """
    parts = escape(text).split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(Markup(part)) if place % 2 else Markup(part)  # noqa: S704
        for place, part in enumerate(parts)
    )


def named(player: str, names: Mapping[str, str]) -> str:
    """What the others call a player."""
    return names[player]


FILTERS: Final = {
    "code": code,
    "named": named,
    "signed": signed,
    "plain": plain,
    "tone": tone,
    "evening": evening,
    "spans": spans,
    "value": value_words,
}
GLOBALS: Final = {
    "symbol": symbol,
    "clause_href": clause_href,
    "COMMON": COMMON_BY_ID,
    "STATUS": STATUS_WORDS,
    "LEVEL": LEVEL_WORDS,
}

"""The house rules of a match in a link: spelled out, so that a new order of options keeps them."""

import json
from typing import Final, NamedTuple

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.games.game import Game
from scorekeeper.log import canonical
from scorekeeper.play.rulebook import Option
from scorekeeper.report.option_words import summarize_value

MAX_RULES_CHARACTERS: Final = 2_000


def rules_as_text(game: Game, options: JsonObject) -> str:
    """Return the options of a match that differ from the usual, as JSON; empty if none do."""
    changed = game.book.changed(options)
    return json.dumps(changed, ensure_ascii=False, separators=(",", ":")) if changed else ""


def options_of_text(game: Game, text: str) -> JsonObject | None:
    """Return all options of a match from the text of a link; None if it is not for this game."""
    if not text or len(text) > MAX_RULES_CHARACTERS:
        return None
    try:
        options = canonical.decode(text.encode("utf-8", "surrogatepass"))
        return game.options(options, max(game.seats)) if isinstance(options, dict) else None
    except UnusableError:
        return None


class OptionInForce(NamedTuple):
    """The value of an option in a match, its meaning, and whether it is the usual one.

    `in_brief` is the value in figures, empty for a word.
    """

    option: Option
    in_brief: str
    meaning: str
    usual: bool


def options_in_force(game: Game, options: JsonObject) -> dict[str, list[OptionInForce]]:
    """Return the value of each option and its meaning, grouped by clause."""
    changed, by_clause = game.book.changed(options), dict[str, list[OptionInForce]]()
    for option in game.book.options:
        value = options[option.name]
        in_brief = (
            summarize_value(option, value) if value and isinstance(value, dict | list) else ""
        )
        rule = OptionInForce(option, in_brief, option.meaning(value), option.name not in changed)
        by_clause.setdefault(option.clause, []).append(rule)
    return by_clause

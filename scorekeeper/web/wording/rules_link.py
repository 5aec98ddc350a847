"""The house rules of a match as a link has them: spelled out, so that they outlive their order."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import UnusableError
from scorekeeper.games.game import Game
from scorekeeper.log import canonical
from scorekeeper.play.rulebook import Option
from scorekeeper.report.sheet import value_in_brief

LONGEST: Final = 2_000  # letters


def as_text(game: Game, options: Mapping[str, Any]) -> str:
    """The options of a match that are not as usual, as JSON; empty where all are."""
    changed = game.book.changed(options)
    return json.dumps(changed, ensure_ascii=False, separators=(",", ":")) if changed else ""


def of_text(game: Game, text: str) -> dict[str, Any] | None:
    """All options of a match by the text of a link; None where it says none for this game."""
    if not text or len(text) > LONGEST:
        return None
    try:
        given = canonical.decode(text.encode("utf-8", "surrogatepass"))
        return game.options(given, max(game.seats)) if isinstance(given, dict) else None
    except UnusableError:
        return None


class InForce(NamedTuple):
    """How a table plays by an option: what that means, with its figures, and if that is usual."""

    option: Option
    in_brief: str
    meaning: str
    usual: bool


def in_force(game: Game, options: Mapping[str, Any]) -> dict[str, list[InForce]]:
    """By clause, how a table plays with these options."""
    changed, found = game.book.changed(options), dict[str, list[InForce]]()
    for one in game.book.options:
        value = options[one.name]
        said = value_in_brief(one, value) if value and isinstance(value, dict | list) else ""
        rule = InForce(one, said, one.meaning(value), one.name not in changed)
        found.setdefault(one.clause, []).append(rule)
    return found

"""The house rules of a match as a link has them: spelled out, so that they outlive their order."""

import json
from collections.abc import Mapping
from typing import Any, Final

from scorekeeper.base.errors import Unusable
from scorekeeper.games.game import Game

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
        given = json.loads(text)
        return game.options(given, max(game.seats)) if isinstance(given, dict) else None
    except (ValueError, RecursionError, Unusable):
        return None

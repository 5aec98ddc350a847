"""The sets of rules by which a club played a game, where there are several: each by its number."""

import json
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.clubs.books import Books
from scorekeeper.clubs.season import in_order
from scorekeeper.games import GAMES
from scorekeeper.web.wording.rules_link import as_text


class RuleSet(NamedTuple):
    """A number, the same on all pages of the club, and the rules as a link to their book has them.

    ``rules`` is empty where all are as usual, and None of a game that is not installed.
    """

    number: int
    rules: str | None


THE_ONLY: Final = RuleSet(0, None)  # where the club played the game by no others


def rule_sets(books: Books) -> dict[str, RuleSet]:
    """The sets of rules of each game that was played by several, in the order of their playing."""
    by_game: dict[str, dict[str, None]] = {}
    for one in in_order(books.attended()):
        for match in one.evening.matches:
            if match.hands:
                by_game.setdefault(match.game, {})[match.terms] = None
    return {
        terms: RuleSet(number, _rules(terms))
        for several in by_game.values() if len(several) > 1
        for number, terms in enumerate(several, start=1)
    }  # fmt: skip


def _rules(terms: str) -> str | None:
    game, _version, options = json.loads(terms)
    return as_text(GAMES[game], options) if game in GAMES else None


def with_rules(
    games: Iterable[JsonObject], sets: Mapping[str, RuleSet]
) -> list[tuple[JsonObject, RuleSet]]:
    """JsonObject by game and rules, those of one game side by side, each with its set of rules."""
    by_game: dict[str, list[tuple[JsonObject, RuleSet]]] = {}
    for one in games:
        by_game.setdefault(one["game"], []).append((one, sets.get(_terms(one), THE_ONLY)))
    return [pair for pairs in by_game.values() for pair in sorted(pairs, key=lambda one: one[1][0])]


def _terms(told: JsonObject) -> str:
    """The terms of a match as the figures tell them."""
    listed = [told["game"], told["rules"], told["options"]]
    return json.dumps(listed, sort_keys=True, separators=(",", ":"))

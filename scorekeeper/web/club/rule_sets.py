"""The sets of rules by which a club played a game, numbered if there are several."""

import json
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeVar

from scorekeeper.clubs.season import sort_by_day
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.views import TermsView
from scorekeeper.games import GAMES
from scorekeeper.web.wording.rules_link import rules_as_text

TermsViewT = TypeVar("TermsViewT", bound=TermsView)


class RuleSet(NamedTuple):
    """The number of a set of rules, the same on all pages of a club, and its text in a link.

    ``rules`` is empty if all are as usual, and None for a game that is not installed.
    """

    number: int
    rules: str | None


THE_ONLY: Final = RuleSet(0, None)  # if the club played the game by one set only


def number_rule_sets(snapshot: ClubSnapshot) -> dict[str, RuleSet]:
    """Return the rule sets of games that were played by several, by their terms as JSON.

    They are numbered in the order of first play.
    """
    by_game: dict[str, dict[str, None]] = {}
    for attended in sort_by_day(snapshot.list_attended(), snapshot.zone):
        for match in attended.evening.matches:
            if match.hands:
                by_game.setdefault(match.game, {})[match.terms] = None
    return {
        terms: RuleSet(number, _rules_text(terms))
        for terms_of_game in by_game.values() if len(terms_of_game) > 1
        for number, terms in enumerate(terms_of_game, start=1)
    }  # fmt: skip


def _rules_text(terms: str) -> str | None:
    """Return the options of terms as the text of a link; None if the game is not installed."""
    game, _version, options = json.loads(terms)
    return rules_as_text(GAMES[game], options) if game in GAMES else None


def pair_with_rule_sets(
    games: Iterable[TermsViewT], rules_by_terms: Mapping[str, RuleSet]
) -> list[tuple[TermsViewT, RuleSet]]:
    """Return the figures of each game with their rule sets; those of one game are adjacent."""
    by_game: dict[str, list[tuple[TermsViewT, RuleSet]]] = {}
    for figures in games:
        by_game.setdefault(figures.game, []).append(
            (figures, rules_by_terms.get(_terms(figures), THE_ONLY))
        )
    return [
        pair for pairs in by_game.values() for pair in sorted(pairs, key=lambda item: item[1][0])
    ]


def _terms(figures: TermsView) -> str:
    """Return the terms of figures as JSON: game, version of the rules, and options."""
    listed = [figures.game, figures.rules, figures.options]
    return json.dumps(listed, sort_keys=True, separators=(",", ":"))

"""What the tables of a club say in words: how a season ranks, what parts equals, what is told."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.catalogues import marked, ngettext
from scorekeeper.languages.money import MINUS
from scorekeeper.languages.reader import DECIMAL_COMMA

# The head of the column by which a season ranks, and how it is counted.
FIGURE: Final = {
    "points": marked("Points"), "average": marked("Points a hand"), "wins": marked("Wins"),
    "places": marked("Place points"), "rating": marked("Rating"),
}  # fmt: skip
COUNTED: Final = {
    "points": marked("The points of all matches are added up."),
    "average": marked("The average counts: points a hand."),
    "wins": marked("Matches won are counted. Players who tie share the win."),
    "places": marked(
        "In each match you get a point for every player behind you. Players who tie share."
    ),
    "rating": marked("Your rating goes up when you win, and more so against strong players. It "
        "begins at 1500."),
}  # fmt: skip
OWN_PLACES: Final = marked("In each match you get points by your place. Players who tie share.")
TIE: Final = {
    "points": marked("more points"),
    "average": marked("more points a hand"),
    "wins": marked("more matches won"),
    "share": marked("a larger share of matches won"),
    "places": marked("better places"),
    "head_to_head": marked("who was ahead when they met"),
    "best_match": marked("the best match"),
    "evenings": marked("more evenings"),
}
CERTAINTY: Final = {
    "hardly_known": marked("hardly known yet"),
    "settling": marked("still moving"),
    "settled": marked("settled"),
}
PART: Final = {
    "bidder": marked("As bidder"),
    "partner": marked("As partner"),
    "defender": marked("As defender"),
}
RECORD: Final = {
    "highest_hand": marked("Highest hand"),
    "highest_match": marked("Highest score of a match"),
    "longest_match": marked("Longest match, in hands"),
    "longest_run": marked("Most matches won in a row"),
    "most_evenings": marked("Most evenings"),
    "most_won": marked("Most matches won"),
    "most_hands": marked("Most hands"),
}


def explained(season: Mapping[str, Any], left_out: int = 0) -> Iterator[str]:
    """How a season ranks, in a few sentences; ``season`` as its table tells it."""
    ranking = season["ranking"]
    own = ranking.get("places")
    counted = COUNTED[ranking["by"]]
    yield _(OWN_PLACES) if own else _(counted)
    for players, figures in (own or {}).items():
        listed = ", ".join(map(str, figures)).replace("-", MINUS)
        yield _("With %(players)s players: %(figures)s.", players=players, figures=listed)
    if ranking.get("best"):
        yield ngettext(
            "Only the best evening of each counts.",
            "Only the best %(num)d evenings of each count.",
            ranking["best"],
        )
    if (ranking.get("at_least") or 1) > 1:
        yield _(
            "Players with fewer than %(number)s evenings stand below the line.",
            number=ranking["at_least"],
        )
    if season["ties"]:
        listed = ", ".join(_(TIE[one]) for one in season["ties"])
        yield _("Ties are broken by: %(ties)s. After that, players share the place.", ties=listed)
    else:
        yield _("Players who tie share the place.")
    if left_out:
        yield not_added(left_out)


def not_added(matches: int) -> str:
    """How many matches a season does not add."""
    return ngettext(
        "%(num)d match by other rules is not added.",
        "%(num)d matches by other rules are not added.",
        matches,
    )


def missing(season: Mapping[str, Any]) -> Iterator[str]:
    """That the table of a closed season is made without some of its evenings, where it is."""
    lost = season.get("after_the_close", {}).get("lost")
    if lost:
        yield ngettext(
            "%(num)d evening of this season cannot be read here. The table is made without it.",
            "%(num)d evenings of this season cannot be read here. The table is made without them.",
            len(lost),
        )


def decimal(shown: str, language: str) -> str:
    """A figure as a language writes it, with its decimal sign and a proper minus.

    >>> decimal("2.5", "fr"), decimal("-2.5", "en") == f"{MINUS}2.5"
    ('2,5', True)
    """
    shown = shown.replace(".", ",") if language in DECIMAL_COMMA else shown
    return shown.replace("-", MINUS)

"""The texts of a club's tables: how a season ranks, its tie-breaks, and notes about the table."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.clubs.season_views import ClubSeasonView, StandingsView
from scorekeeper.languages.catalogues import N_, ngettext
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.money import MINUS
from scorekeeper.languages.reader import DECIMAL_COMMA

# The head of the column by which a season ranks, and how it is counted.
FIGURE: Final = {
    "points": N_("Points"), "average": N_("Points a hand"), "wins": N_("Wins"),
    "places": N_("Place points"), "rating": N_("Rating"),
}  # fmt: skip
COUNTED: Final = {
    "points": N_("The points of all matches are added up."),
    "average": N_("The average counts: points a hand."),
    "wins": N_("Matches won are counted. Players who tie share the win."),
    "places": N_(
        "In each match you get a point for every player behind you. Players who tie share them."
    ),
    "rating": N_("Your rating goes up when you win, and more so against strong players. It "
        "begins at 1500."),
}  # fmt: skip
OWN_PLACES: Final = N_("In each match you get points by your place. Players who tie share them.")
TIE: Final = {
    "points": N_("more points"),
    "average": N_("more points a hand"),
    "wins": N_("more matches won"),
    "share": N_("a larger share of matches won"),
    "places": N_("better places"),
    "head_to_head": N_("who was ahead when they met"),
    "best_match": N_("the best match"),
    "evenings": N_("more evenings"),
}
CERTAINTY: Final = {
    "hardly_known": N_("hardly known yet"),
    "settling": N_("still moving"),
    "settled": N_("settled"),
}
PART: Final = {
    "bidder": N_("As bidder"),
    "partner": N_("As partner"),
    "defender": N_("As defender"),
}
RECORD: Final = {
    "highest_hand": N_("Highest hand"),
    "highest_match": N_("Highest score of a match"),
    "longest_match": N_("Longest match, in hands"),
    "longest_run": N_("Most matches won in a row"),
    "most_evenings": N_("Most evenings"),
    "most_won": N_("Most matches won"),
    "most_hands": N_("Most hands"),
}


def describe_ranking(season: ClubSeasonView, left_out: int = 0) -> Iterator[str]:
    """Yield sentences that explain how a season ranks."""
    ranking = season.ranking
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
            "Players with fewer than %(number)s evenings are listed below the line.",
            number=ranking["at_least"],
        )
    if season.ties:
        listed = ", ".join(_(TIE[tie_break]) for tie_break in season.ties)
        yield _("Ties are broken by: %(ties)s. After that, players share the place.", ties=listed)
    else:
        yield _("Players who tie share the place.")
    if left_out:
        yield describe_left_out(left_out)


def describe_left_out(matches: int) -> str:
    """Return the sentence about matches that a season does not add."""
    return ngettext(
        "%(num)d match by other rules is not added.",
        "%(num)d matches by other rules are not added.",
        matches,
    )


def describe_lost_evenings(table: StandingsView) -> Iterator[str]:
    """Yield a sentence if the table of a closed season was made without some evenings."""
    yield from describe_lost(len(table.after_the_close.lost) if table.after_the_close else 0)


def describe_lost(evenings: int) -> Iterator[str]:
    """Yield a sentence if evenings of a closed season cannot be read here."""
    if evenings:
        yield ngettext(
            "%(num)d evening of this season cannot be read here. The table is made without it.",
            "%(num)d evenings of this season cannot be read here. The table is made without them.",
            evenings,
        )


def format_decimal(shown: str, language: str) -> str:
    """Return a figure with the decimal sign of a language and a proper minus sign.

    >>> format_decimal("2.5", "fr"), format_decimal("-2.5", "en") == f"{MINUS}2.5"
    ('2,5', True)
    """
    shown = shown.replace(".", ",") if language in DECIMAL_COMMA else shown
    return shown.replace("-", MINUS)

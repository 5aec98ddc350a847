"""The days and rankings that a season can have, and the currency of a club."""

from collections.abc import Iterable

from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.clubs.events import Ranking


def refuse_end_before_start(start: str, to: str | None) -> None:
    """Raise `UnusableError` if a season would end before its first day."""
    if to and to < start:
        words = f"a season that begins on {start} cannot end on {to}"
        cause = Cause(words, "ends_before_it_begins", start=start, end=to)
        raise UnusableError(cause, field="data.to")


def refuse_bad_ranking(ranking: Ranking, games: Iterable[str]) -> None:
    """Raise `UnusableError` for a ranking that is not possible for these games.

    It would add unlike scores, or has an option that it does not use.
    """
    several = len(tuple(games)) > 1
    for what in (ranking.by, *(ranking.ties or ())):
        if several and what in ("points", "average"):
            words = f"points of different games are never added: {what} is for a season of one game"
            raise UnusableError(Cause(words, "of_one_game_only"), field="data.ranking")
    if ranking.by == "rating" and ranking.best is not None:
        words = "a rating follows from all evenings: best does not fit it"
        raise UnusableError(Cause(words, "best_of_a_rating"), field="data.ranking.best")
    if ranking.places is not None and ranking.by != "places":
        words = "places is for a season that is ranked by places"
        raise UnusableError(Cause(words, "not_ranked_by_places"), field="data.ranking.places")
    for players, figures in (ranking.places or {}).items():
        path = f"data.ranking.places.{players}"
        if not (players.isdecimal() and str(int(players)) == players and int(players) >= 2):
            raise UnusableError(expected("a number of players", players, "no_number"), field=path)
        if len(figures) != int(players):
            cause = expected(f"{players} figures", len(figures), "place_missing", places=players)
            raise UnusableError(cause, field=path)
        if list(figures) != sorted(figures, reverse=True):
            words = "a lower place cannot get more than a higher one"
            raise UnusableError(Cause(words, "worse_place_gets_more"), field=path)


def refuse_other_currency(currency: str) -> None:
    """Raise `UnusableError`: payments in this currency are recorded."""
    words = f"payments in {currency} are recorded, so the currency of the club stays"
    raise UnusableError(Cause(words, "currency_in_use", currency=currency), field="data.currency")

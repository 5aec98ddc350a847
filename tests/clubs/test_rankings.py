"""Ratings, against the library called directly."""

import random
from itertools import pairwise

import pytest
from openskill.models import PlackettLuce

from scorekeeper.clubs.rankings import SCALE, Rating, Ratings, count_places, count_wins
from scorekeeper.clubs.season import compute_standings
from tests.clubs.founding import attended, evening, match, of_november
from tests.clubs.test_season import EVENINGS, UTC

EVERYBODY = {member: member for member in ("ada", "bea", "ciro", "dora")}


def test_ratings_are_the_librarys() -> None:
    model = PlackettLuce()
    ratings = {member: model.rating() for member in EVERYBODY}
    # how many sides are ahead of each player, match by match; the open match is not rated
    for ranks in ((0, 1, 2, 3), (1, 0, 1, 3), (2, 0, 0, 2), (0, 3, 1, 1)):
        rated = model.rate(
            [[rating] for rating in ratings.values()], ranks=[float(n) for n in ranks]
        )
        ratings = {rating: team[0] for rating, team in zip(ratings, rated, strict=True)}
    standings = compute_standings(of_november("rating"), attended(EVENINGS), UTC)
    for row in standings.rows:
        assert row.ratings["riparto"].mean == pytest.approx(ratings[row.member].mu, abs=1e-12)
        assert row.figure == round(SCALE * ratings[row.member].mu)
    *changes, last = [match.rating_change for match in standings.rows[0].matches]
    assert last is None
    for one, other in pairwise(changes):
        assert one is not None
        assert other is not None
        assert one[1] == other[0]


def test_partners_are_rated_as_one_side() -> None:
    two = match(1, 3, 1)._replace(
        sides={"A": ("ada", "ciro"), "B": ("bea", "dora")}, totals={"A": 3, "B": 1}, winners=("A",)
    )
    ratings = Ratings()
    ratings.rate(two, EVERYBODY)
    model = PlackettLuce()
    new = model.rating
    (ada, _), (bea, _) = model.rate([[new(), new()], [new(), new()]], ranks=[0, 1])
    assert (
        ratings.by_game_and_member["riparto", "ada"]
        == ratings.by_game_and_member["riparto", "ciro"]
        == Rating(ada.mu, ada.sigma)
    )
    assert ratings.by_game_and_member["riparto", "bea"].mean == bea.mu
    assert count_wins(two, {}) == {"ada": 1, "ciro": 1, "bea": 0, "dora": 0}
    assert sum(count_places(two, {}).values()) == 6


def test_guest_is_rated_as_a_new_player_without_a_stored_rating() -> None:
    ratings = Ratings()
    for _ in range(2):
        ratings.rate(match(1, 5, 0, players="ada leo"), {"ada": "ada", "leo": None})
    assert list(ratings.by_game_and_member) == [("riparto", "ada")]


def test_certainty_grows_with_what_was_played() -> None:
    ratings = Ratings()
    seen = set()
    for _ in range(60):
        ratings.rate(match(1, 5, 3, 2, 0), EVERYBODY)
        ratings.rate(match(2, 0, 2, 3, 5), EVERYBODY)
        seen.add(ratings.by_game_and_member["riparto", "ada"].certainty)
    assert seen >= {"hardly_known", "settling"}
    assert Rating(25, 1).certainty == "settled"


@pytest.mark.parametrize("seats", [2, 4, 5])
def test_twenty_matches_among_eight_people_say_something(seats: int) -> None:
    ratings, choose = Ratings(), random.Random(seats)  # noqa: S311  # no secret
    people = [f"p{n}" for n in range(8)]
    everybody, early = {person: person for person in people}, list[str]()
    for number in range(160):
        if number == 20:
            early = [rating.certainty for rating in ratings.by_game_and_member.values()]
        seated = choose.sample(people, seats)
        points = choose.sample(range(20), seats)
        ratings.rate(match(number, *points, players=" ".join(seated)), everybody)
    assert len(ratings.by_game_and_member) == len(people)
    assert early.count("settling") >= 6  # with two at a table, some have hardly played
    assert {rating.certainty for rating in ratings.by_game_and_member.values()} == {"settled"}


def test_open_match_leaves_the_initial_rating() -> None:
    playing = match(1, 5, 3, 2, 0, over=False)
    standings = compute_standings(of_november("rating"), attended([evening("06", playing)]), UTC)
    assert {row.figure for row in standings.rows} == {SCALE * 25}


def test_games_are_rated_apart_and_weighed_by_their_matches() -> None:
    evenings = [*EVENINGS, evening("27", match(1, 0, 9, players="ada bea", game="knock"))]
    standings = compute_standings(
        of_november("rating", ("riparto", "knock")), attended(evenings), UTC
    )
    ada = next(row for row in standings.rows if row.member == "ada")
    riparto, knock = ada.ratings["riparto"].figure, ada.ratings["knock"].figure
    assert ada.figure == round((4 * riparto + knock) / 5)

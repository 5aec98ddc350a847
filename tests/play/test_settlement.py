"""Who owes whom by the rule of a game: always nothing in all, and always in the same scale."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.play.settlement import Settlement, divide_evenly, of_match
from tests.samples import SAMPLES

TOTALS = Settlement("", zero_sum=True)
DIFFERENCE = Settlement("")
HOW = st.builds(Settlement, text=st.just(""), zero_sum=st.booleans(), shared=st.booleans())
SIDES = ("ada", "leo", "nina", "ugo", "zoe")
POINTS = st.integers(-50, 50)
SCORES = st.lists(POINTS, min_size=2, max_size=5).map(
    lambda some: dict(zip(SIDES, some, strict=False))
)


def balanced(scores: dict[str, int]) -> dict[str, int]:
    """Return the scores with the first side's replaced, so that they add up to zero."""
    first, *rest = scores
    return {**scores, first: -sum(scores[player] for player in rest)}


@given(HOW, SCORES, st.dictionaries(st.integers(0, 4), POINTS), st.integers(0, 1000))
def test_all_amounts_add_up_to_zero(
    how: Settlement, scores: dict[str, int], fines: dict[int, int], worth: int
) -> None:
    sides = tuple(scores)
    amounts = how.of_scores(balanced(scores) if how.zero_sum else scores, worth)
    assert sum(amounts.values()) == 0
    for place, points in fines.items():
        fine = how.of_penalty(sides[place % len(sides)], points, sides, worth)
        assert sum(fine.amounts.values()) == 0
    assert sum(of_match(sides, sides[: len(fines)], worth).amounts.values()) == 0


@given(st.integers(-(10**12), 10**12), st.integers(1, 9))
def test_equal_parts_differ_by_one_at_most(amount: int, many: int) -> None:
    among = [str(n) for n in range(many)]
    shares = divide_evenly(amount, among)
    parts = [shares.amounts[player] for player in among]
    assert sum(parts) == amount
    assert max(parts) - min(parts) <= 1
    assert sorted(map(abs, parts), reverse=True) == list(map(abs, parts)), "the first have more"
    assert len(shares.odd) == abs(amount) % many


@given(SCORES, st.sampled_from(range(5)), POINTS.filter(bool))
def test_a_penalty_does_not_change_the_scale(
    scores: dict[str, int], place: int, points: int
) -> None:
    """The penalised side pays exactly its points; no other side gets more than that."""
    sides = tuple(scores)
    side = sides[place % len(sides)]
    fine = TOTALS.of_penalty(side, points, sides)
    assert fine.amounts[side] == points
    assert all(abs(fine.amounts[side]) <= abs(points) for side in sides)
    others = DIFFERENCE.of_penalty(side, points, sides)
    before, after = (DIFFERENCE.of_scores(scores), DIFFERENCE.of_scores(
        {**scores, side: scores[side] + points}))  # fmt: skip
    assert after == {side: before[side] + others.amounts[side] for side in sides}, "a score as any"


def test_remainder_of_a_penalty_goes_to_the_next_seats() -> None:
    fine = TOTALS.of_penalty("zoe", -1, SIDES)
    assert fine == ({"zoe": -1, "ada": 1, "leo": 0, "nina": 0, "ugo": 0}, ("ada",))
    fine = TOTALS.of_penalty("leo", -1, SIDES, 10)
    assert fine.amounts == {"leo": -10, "nina": 3, "ugo": 3, "zoe": 2, "ada": 2}
    assert fine.odd == ("nina", "ugo")


def test_amounts_of_the_players_of_a_side() -> None:
    sides = {"A": ("ada", "leo"), "B": ("nina", "ugo")}
    full = TOTALS.of_players(sides, {"A": 5, "B": -5})
    assert full == ({"ada": 5, "leo": 5, "nina": -5, "ugo": -5}, ())
    shared = Settlement("", shared=True).of_players(sides, {"A": 5, "B": -5})
    assert shared == ({"ada": 3, "leo": 2, "nina": -3, "ugo": -2}, ("ada", "nina"))


def test_amounts_of_a_match_stake() -> None:
    assert of_match(SIDES, ["leo"], 100).amounts == {
        "ada": -100, "leo": 400, "nina": -100, "ugo": -100, "zoe": -100,
    }  # fmt: skip
    shared = of_match(SIDES, ["leo", "zoe"], 25)
    assert shared.amounts == {"ada": -25, "leo": 38, "nina": -25, "ugo": -25, "zoe": 37}
    assert shared.odd == ("leo",)
    assert not any(of_match(SIDES, SIDES, 100).amounts.values()), "all share it"
    assert not any(of_match(SIDES, [], 100).amounts.values()), "nobody won"


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.id))
def test_game_declares_its_settlement(game: Game) -> None:
    """Sides whose players each pay the full amount have equal numbers of players."""
    assert game.settlement.text
    assert game.settlement.zero_sum == SAMPLES[game.id].zero_sum
    for seats in game.seats:
        sizes = {len(side) for side in game.sides(tuple(map(str, range(seats)))).values()}
        assert game.settlement.shared or len(sizes) == 1


HIGHEST = [
    # Alone, 120 bid, all the tricks: 4 times 5 units, twice (C8, C9).
    ("briscola_chiamata", {}, 5, 40),
    ("briscola_chiamata", {"bands": [], "sweep_pay": "none"}, 5, 4),
    ("briscola_chiamata", {"bands": [71, 81], "sweep_pay": {"add": 2}}, 5, 20),
    ("briscola_chiamata", {"ladder": "ranks", "alone": "forbidden"}, 5, 4),
    ("briscola_chiamata", {"next_double": ["weak_hand"]}, 5, 40),
    ("briscola_col_monte", {}, 5, 16),
    ("briscola_col_monte", {}, 7, 20),
    ("knock", {}, 4, 50),
    ("riparto", {}, 3, 45),
    ("riparto", {}, 4, 60),
    ("briscola_regina", {}, 5, None),
    ("briscola_regina", {"match": "open"}, 4, 180),
    ("briscola_regina", {"match": "open"}, 3, 360),
    ("picchetto", {}, 2, None),
]


@pytest.mark.parametrize(("game", "options", "seats", "points"), HIGHEST)
def test_the_highest_hand(
    game: str, options: dict[str, object], seats: int, points: int | None
) -> None:
    highest = GAMES[game]
    assert highest.highest_hand(highest.options(options, seats), seats) == points


def test_a_longer_row_of_bands_pays_more() -> None:
    game = GAMES["briscola_chiamata"]
    bands = [list(range(70, 70 + many)) for many in range(9)]
    highest = [game.highest_hand(game.options({"bands": row}, 5), 5) or 0 for row in bands]
    assert all(lower < other for lower, other in pairwise(highest))

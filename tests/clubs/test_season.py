"""The table of a season: each ranking computed by hand, and the tie-breaks."""

from fractions import Fraction
from itertools import permutations
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.season import Standings, compute_standings
from scorekeeper.clubs.values import Adjustment
from scorekeeper.report.span import DayOfPlay, to_local_day
from tests.clubs.founding import attended, evening, match, of_november

UTC = ZoneInfo("UTC")

# Three evenings of four players:        ada  bea  ciro dora
EVENINGS = [
    evening("06", match(1, 10, 4, -4, -10), match(2, 0, 6, 0, -6)),
    evening("13", match(1, -3, 3, 3, -3)),
    evening("20", match(1, 5, -5, 0, 0, hands=2), match(2, 9, 9, -9, -9, over=False)),
]


def table(by: str, evenings: list[PlayedEvening] = EVENINGS, **ranking: Any) -> Standings:
    return compute_standings(of_november(by, **ranking), attended(evenings), UTC)


def figures(standings: Standings) -> list[Any]:
    return [(row.member, row.figure) for row in standings.rows]


def places(standings: Standings) -> dict[str, str]:
    return {row.member: f"{row.place}{'=' * row.shared}" for row in standings.rows}


def test_points_are_the_scores_of_the_matches_added() -> None:
    # ada 10+0-3+5+9 = 21; bea 4+6+3-5+9 = 17; ciro -4+0+3+0-9 = -10; dora -10-6-3+0-9 = -28
    standings = table("points")
    assert figures(standings) == [("ada", 21), ("bea", 17), ("ciro", -10), ("dora", -28)]
    assert [row.hands for row in standings.rows] == [18] * 4
    assert all(row.open for row in standings.rows)  # the last match goes on


def test_an_average_is_points_a_hand() -> None:
    # 4+4+4+2+4 = 18 hands each
    assert figures(table("average"))[0] == ("ada", Fraction(21, 18))


def test_wins_count_shared_ones_in_parts_and_none_of_what_is_open() -> None:
    # won by ada; by bea; shared by bea and ciro; by ada; open
    standings = table("wins")
    assert figures(standings) == [("ada", 2), ("bea", Fraction(3, 2)), ("ciro", Fraction(1, 2)),
                             ("dora", 0)]  # fmt: skip


def test_places_are_those_behind_and_equals_share() -> None:
    # 3 2 1 0 · ada and ciro share second: 3, then (2+1)/2 · bea and ciro (3+2)/2, others (1+0)/2
    # · 3, bea 0, ciro and dora (2+1)/2 · the open one nothing
    half = Fraction(1, 2)
    assert dict(figures(table("places"))) == {
        "ada": 3 + 1 + half + half + 3,
        "bea": 2 + 3 + 2 + half + 0,
        "ciro": 1 + 1 + half + 2 + half + 1 + half,
        "dora": 0 + 0 + half + 1 + half,
    }


def test_places_can_have_figures_of_their_own() -> None:
    only = [evening("06", match(1, 10, 4, 4, -10))]
    standings = table("places", only, places={"4": (9, 4, 1, 0)})
    assert dict(figures(standings)) == {"ada": 9, "bea": Fraction(5, 2), "ciro": Fraction(5, 2),
                                   "dora": 0}  # fmt: skip


def test_of_the_best_evenings_the_others_do_not_count() -> None:
    # by evening: ada 10, -3, 14; bea 10, 3, 4; ciro -4, 3, -9; dora -16, -3, -9
    standings = table("points", best=2)
    assert figures(standings) == [("ada", 24), ("bea", 14), ("ciro", -1), ("dora", -12)]
    ada = standings.rows[0]
    assert [evening_.counted for evening_ in ada.evenings] == [True, False, True]
    assert (ada.hands, len(ada.matches)) == (18, 5)


def test_the_best_by_average_are_the_best_a_hand() -> None:
    # ada by evening: 10 of 8 hands, -3 of 4, 14 of 6: the best one is 14 / 6
    assert figures(table("average", best=1))[0] == ("ada", Fraction(14, 6))


def test_member_with_too_few_evenings_is_below_the_line() -> None:
    evenings = [*EVENINGS, evening("27", match(1, 50, 1, players="leo ada"))]
    standings = table("points", evenings, at_least=2)
    last = standings.rows[-1]
    assert (last.member, last.place, last.below) == ("leo", 0, True)
    assert last.figure == 50
    assert standings.rows[0].place == 1


def test_ties_are_broken_by_wins_then_head_to_head_or_shared() -> None:
    evenings = [
        evening("01", match(1, 4, 6, players="ada bea")),
        evening("02", match(1, 6, 4, players="ada bea")),
        evening("03", match(1, 10, 3, players="ciro dora")),
    ]
    standings = table(
        "points", evenings
    )  # 10, 10, 10, 3; a win each, and no two of them met unevenly
    assert places(standings) == {"ada": "1=", "bea": "1=", "ciro": "1=", "dora": "4"}
    once = [*evenings, evening("04", match(1, 0, 0, -1, players="ada bea ciro")),
            evening("05", match(1, 1, 0, players="ciro leo"))]  # fmt: skip
    standings = table("points", once)  # ada and bea 1½ wins, ciro 2
    assert places(standings) == {"ciro": "1", "ada": "2=", "bea": "2=", "dora": "4", "leo": "5"}
    assert [row.tie_broken_by for row in standings.rows] == ["wins", "wins", "wins", "", ""]
    met = [evening("01", match(1, 5, 3, players="ada bea")),
           evening("02", match(1, 2, 2, players="bea ciro")),
           evening("03", match(1, 0, 0, players="ada ciro"))]  # fmt: skip
    standings = table("points", met, ties=("head_to_head",))
    assert places(standings) == {"ada": "1", "bea": "2", "ciro": "3"}
    assert standings.rows[0].tie_broken_by == "head_to_head"


@pytest.mark.parametrize(
    ("by", "tie", "ada", "bea", "first"),
    [
        # Each has a win; 9 points to 5.
        ("wins", "points", [(9, 0)], [(5, 0)], "ada"),
        # Each has a win; 8 points in 4 hands are 2 a hand, 9 in 3 hands 3.
        ("wins", "average", [(8, 0)], [(9, 0, 3)], "bea"),
        # Each has a win; of one match, and of two.
        ("wins", "share", [(9, 0)], [(9, 0), (0, 9)], "ada"),
        # 6 points each; won by ada, and by bea not.
        ("points", "wins", [(6, 0)], [(6, 7)], "ada"),
        # 6 points each; one place behind ada, none behind bea.
        ("points", "places", [(6, 0)], [(6, 7)], "ada"),
        # Each has a win; the best match of ada 6, of bea the lost one with 7.
        ("wins", "best_match", [(6, 0)], [(5, 0), (7, 8)], "bea"),
        # 6 points each; at one evening, and at two.
        ("points", "evenings", [(6, 0)], [(4, 0), (2, 0)], "bea"),
    ],
)
def test_each_tie_break_separates_equal_members(
    by: str, tie: str, ada: list[Any], bea: list[Any], first: str
) -> None:
    evenings = [
        evening(f"{n:02}", match(1, *some[:2], players=f"{member} {member}-other",
                                 hands=some[2] if len(some) > 2 else 4))
        for member, matches, start in (("ada", ada, 1), ("bea", bea, 11))
        for n, some in enumerate(matches, start)
    ]  # fmt: skip
    rows = {row.member: row for row in table(by, evenings, ties=(tie,)).rows}
    assert rows["ada"].figure == rows["bea"].figure
    assert min(("ada", "bea"), key=lambda member: rows[member].place) == first
    assert rows["ada"].place != rows["bea"].place
    assert rows[first].tie_broken_by == tie
    equals = {row.member: row for row in table(by, evenings, ties=()).rows}
    assert equals["ada"].place == equals["bea"].place
    assert equals["ada"].shared


def test_an_adjustment_is_points_with_a_reason() -> None:
    adjustments = [
        Adjustment("s", "dora", 50, "kept the book", 9),
        Adjustment("t", "ada", 9, "", 10),
    ]
    standings = compute_standings(of_november(), attended(EVENINGS), UTC, adjustments)
    assert figures(standings)[0] == ("dora", 22)
    assert [adjustment.seq for adjustment in standings.rows[0].adjustments] == [9]


def test_points_by_other_rules_are_not_added() -> None:
    odd = evening("25", match(1, 99, 0, 0, -99, terms="other"), match(2, 1, 0, 0, -1))
    standings = table("points", [*EVENINGS, odd])
    assert figures(standings)[0] == ("ada", 22)
    assert [(place.session_id, place.match) for place in standings.left_out] == [("evening25", 1)]
    assert table("wins", [*EVENINGS, odd]).left_out == ()


def test_guests_play_and_are_not_ranked() -> None:
    standings = compute_standings(of_november("places"), attended(EVENINGS, "ada"), UTC)
    assert "ada" not in places(standings)
    assert dict(figures(standings))["bea"] == 2 + 3 + 2 + Fraction(1, 2)  # as with Ada a member


def test_a_season_holds_the_days_and_games_that_it_names() -> None:
    other = evening("21", match(1, 7, 0, game="knock", players="ada bea"))
    late = evening("30", match(1, 8, 0, players="ada bea"))._replace(
        day=DayOfPlay(at="2026-11-30T23:30:00.000Z"), session_id="late"
    )
    standings = table("points", [*EVENINGS, other, late])
    assert standings.evenings == ("evening06", "evening13", "evening20", "late")
    rome = compute_standings(of_november(), attended([*EVENINGS, late]), ZoneInfo("Europe/Rome"))
    assert "late" not in rome.evenings  # there it is December
    assert to_local_day("2026-11-30T23:30:00.000Z", ZoneInfo("Europe/Rome")) == "2026-12-01"
    two = compute_standings(
        of_november("wins", ("riparto", "knock")), attended([*EVENINGS, other]), UTC
    )
    assert dict(figures(two))["ada"] == 3


def test_a_season_of_no_evening_is_an_empty_table() -> None:
    assert table("rating", []).rows == ()
    assert table("points", [evening("06", match(1, 0, 0, hands=0))]).rows == ()


@pytest.mark.parametrize("by", ["points", "wins", "places", "rating"])
def test_order_of_entering_evenings_does_not_matter(by: str) -> None:
    first = table(by)
    for order in permutations(EVENINGS):
        assert table(by, list(order)) == first


TOTALS = st.lists(st.integers(-3, 3), min_size=4, max_size=4)


@given(st.lists(TOTALS, min_size=1, max_size=8))
def test_figures_sum_to_the_total_at_stake(many: list[list[int]]) -> None:
    evenings = [evening(f"{n:02}", match(1, *totals)) for n, totals in enumerate(many, 1)]
    assert sum(row.figure for row in table("wins", evenings).rows) == len(many)
    assert sum(row.figure for row in table("places", evenings).rows) == 6 * len(many)
    assert sum(row.figure for row in table("points", evenings).rows) == sum(map(sum, many))
    rows = table("points", evenings).rows
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    for row in rows:  # a place is one more than those in front
        assert row.place == 1 + sum(other.place < row.place for other in rows)

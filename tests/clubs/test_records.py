"""The records of a club, worked by hand."""

from fractions import Fraction

from scorekeeper.clubs.hand import PlayedHand
from scorekeeper.clubs.records import find_club_records, find_game_records
from scorekeeper.clubs.views import FigureSource
from tests.clubs.founding import attended, evening, match

EVENINGS = [
    evening("06", match(1, 10, 4, -4, -10), match(2, 6, 6, 0, -6, hands=6)),
    evening("13", match(1, 10, 9, 3, -3)),
    evening("20", match(1, 99, -5, 0, 0, over=False)),
]


def test_record_belongs_to_the_first_member_who_reached_it() -> None:
    [records] = find_game_records(attended(EVENINGS))
    values = {
        name: (record.figure, record.members, record.place)
        for name, record in records.records.items()
    }
    # hands pay all in the first: 10 in the first match, 99 in the open one, which has no result
    assert values == {
        "highest_hand": (99, ("ada",), FigureSource("evening20", 1, 1, 0)),
        "highest_match": (10, ("ada",), FigureSource("evening06", 1)),
        "longest_match": (6, ("ada", "bea", "ciro", "dora"), FigureSource("evening06", 2)),
        "longest_run": (3, ("ada",), FigureSource("evening13", 1)),
    }


def test_a_guest_sets_no_record_and_hides_none() -> None:
    first, second = EVENINGS[0].matches
    there = [evening("06", first, second._replace(hands=(
        PlayedHand(1, {"ada": 3, "bea": 2, "ciro": 1, "dora": 0}, open=False),)))]  # fmt: skip
    [records] = find_game_records(attended(there, "ada"))
    assert records.records["highest_hand"].figure == 4  # Bea in the first; Ada's 10 is a guest's
    assert records.records["highest_hand"].members == ("bea",)


def test_the_club_counts_evenings_wins_and_hands_over_all_games() -> None:
    more = [*EVENINGS, evening("27", match(1, 0, 3, players="ada bea", game="knock"))]
    values = {
        record.what: (record.figure, record.members) for record in find_club_records(attended(more))
    }
    # ada: 1 + a half + 1; bea: a half + 1. Hands: 4 + 6 + 4 + 4 of all, and 4 more of two
    assert values == {
        "most_evenings": (4, ("ada", "bea")),
        "most_won": (Fraction(5, 2), ("ada",)),
        "most_hands": (22, ("ada", "bea")),
    }
    assert list(find_club_records([])) == []

"""The table of a season as a view: every figure is the sum of its parts."""

from fractions import Fraction

import pytest

from scorekeeper.base.views import to_json_values
from scorekeeper.clubs.rankings import to_number
from scorekeeper.clubs.season import compute_standings
from scorekeeper.clubs.standings import (
    EVENING_COLUMNS,
    format_figure,
    list_evening_rows,
    view_standings,
)
from scorekeeper.clubs.values import Adjustment
from tests.clubs.founding import attended, evening, match, of_november
from tests.clubs.test_season import EVENINGS, UTC

NAMES = {"ada": "Ada", "bea": "Bea"}


@pytest.mark.parametrize("by", ["points", "wins", "places"])
def test_a_figure_is_made_of_evenings_and_those_of_matches(by: str) -> None:
    extra = [Adjustment("s", "ada", 3, "kept the book", 9)]
    standings = compute_standings(of_november(by, best=2), attended(EVENINGS), UTC, extra)
    values = to_json_values(view_standings(standings, NAMES))
    for row in values["rows"]:
        counted = [part["figure"] for part in row["made_of"] if part["counted"]]
        added = [adjustment["points"] for adjustment in row["adjustments"]]
        assert row["figure"] == pytest.approx(sum(counted) + sum(added))
        for part_ in row["made_of"]:
            assert part_["figure"] == sum(match["figure"] for match in part_["matches"])
        assert row["name"] == NAMES.get(row["member"], row["member"])


def test_rating_shows_the_change_by_each_match() -> None:
    standings = compute_standings(of_november("rating"), attended(EVENINGS), UTC)
    values = to_json_values(view_standings(standings, NAMES))
    for row in values["rows"]:
        matches = [match for part in row["made_of"] for match in part["matches"]]
        assert row["ratings"]["riparto"]["rating"] == row["figure"]
        assert matches[-2]["rating"]["after"] == row["ratings"]["riparto"]
        assert "rating" not in matches[-1]  # it goes on


def test_each_evening_of_a_member_is_a_row_of_the_spreadsheet() -> None:
    standings = compute_standings(of_november(), attended(EVENINGS), UTC)
    table = view_standings(standings, NAMES)
    rows = list(list_evening_rows(table))
    assert {len(row) for row in rows} == {len(EVENING_COLUMNS)}
    assert len(rows) == len(EVENINGS) * len(table.rows)


@pytest.mark.parametrize(
    ("value", "by", "shown", "plain"),
    [
        (Fraction(7), "points", "7", 7),
        (Fraction(7), "average", "7.00", 7),
        (Fraction(7, 2), "places", "3.5", 3.5),
        (Fraction(7, 3), "wins", "2.33", 2.3333),
    ],
)
def test_figures_are_written_as_people_read_them(
    value: Fraction, by: str, shown: str, plain: float
) -> None:
    assert format_figure(value, by) == shown
    assert to_number(value) == plain


def test_shared_place_is_broken_by_nothing() -> None:
    played = [
        evening("01", match(1, 4, 6, players="ada bea")),
        evening("02", match(1, 6, 4, players="ada bea")),
        evening("03", match(1, 10, 3, players="ciro dora")),
        evening("04", match(1, 0, 0, -1, players="ada bea ciro")),
        evening("05", match(1, 1, 0, players="ciro leo")),
    ]
    rows = view_standings(compute_standings(of_november(), attended(played), UTC), NAMES).rows
    assert [(row.member, row.shared, row.parted_by) for row in rows[:3]] == [
        ("ciro", False, "wins"), ("ada", True, None), ("bea", True, None),
    ]  # fmt: skip

"""The plan of an evening, and ``tournaments.table_rules``."""

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.games import GAMES
from scorekeeper.tournaments.plan import plan_evening
from scorekeeper.tournaments.table_rules import (
    can_end_after_hands,
    count_deals,
    list_sizes,
    list_sizes_of_draw,
)


def test_all_play_the_same_number_of_hands() -> None:
    plan = plan_evening(38, GAMES["briscola_chiamata"], (5, 6), 180, 5, 5)
    assert plan.tables.sizes == (6, 6, 6, 5, 5, 5, 5)
    assert [(row.rounds, row.minutes, row.hands, row.deals, row.repeats) for row in plan.rows] == [
        (1, 180, 30, {5: 30, 6: 36}, False),
        (2, 87, 10, {5: 10, 6: 12}, False),
        (3, 56, 5, {5: 5, 6: 6}, False),
        (4, 41, 5, {5: 5, 6: 6}, False),
        (5, 32, 5, {5: 5, 6: 6}, False),
    ]


def test_repeats_are_announced_and_whole_matches_have_no_number_of_hands() -> None:
    plan = plan_evening(20, GAMES["briscola_chiamata"], (5, 6), 120, 0, 5)
    assert [row.repeats for row in plan.rows][:2] == [False, True]
    whole = plan_evening(8, GAMES["picchetto"], (2,), 60, 5, 20)
    assert [(row.rounds, row.hands, row.deals) for row in whole.rows] == [
        (1, None, {}),
        (2, None, {}),
    ]


@pytest.mark.parametrize(
    ("game", "dealt"),
    [
        ("briscola_chiamata", {(5, 7): 7, (6, 10): 12, (6, 7): None}),
        ("briscola_col_monte", {(6, 12): 12, (7, 12): 14}),
    ],
)
def test_larger_tables_deal_more(game: str, dealt: dict[tuple[int, int], int | None]) -> None:
    deals = {(size, hands): count_deals(GAMES[game], size, hands) for size, hands in dealt}
    assert deals == dealt


def test_matches_of_some_games_end_after_hands() -> None:
    ending = {game.id: can_end_after_hands(game) for game in GAMES.values()}
    assert (ending["riparto"], ending["picchetto"]) == (True, False)
    assert sum(ending.values()) == 3


def test_sizes_follow_from_the_game_and_the_draw() -> None:
    knock, chiamata = GAMES["knock"], GAMES["briscola_chiamata"]
    assert [list_sizes(knock, kind) for kind in ("individual", "pairs")] == [(4,), (2,)]
    assert list_sizes_of_draw(knock, "partners") == (4,)
    assert list_sizes_of_draw(knock, "mitchell") == (2,)
    assert list_sizes_of_draw(GAMES["picchetto"], "mitchell") == (2,)
    assert list_sizes_of_draw(chiamata, "balanced") == (5, 6)
    with pytest.raises(UnusableError, match="pairs cannot enter"):
        list_sizes(chiamata, "pairs")
    for draw in ("partners", "all_play_all", "mitchell"):
        with pytest.raises(UnusableError, match="Briscola Chiamata is not"):
            list_sizes_of_draw(chiamata, draw)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.tournaments.draws import search
from scorekeeper.tournaments.draws.balanced import draw_balanced
from scorekeeper.tournaments.draws.changes import add_entrant, remove_entrant
from scorekeeper.tournaments.draws.check import check_draw
from scorekeeper.tournaments.draws.draw import Draw, DrawnRound


def tables_of(rounds: tuple[DrawnRound, ...], entrant: int) -> list[int]:
    """Return the number of the entrant's table in each round, 0 for a bye."""
    return [
        next((n for n, table in enumerate(drawn.tables, 1) if entrant in table), 0)
        for drawn in rounds
    ]


@given(st.integers(10, 60), st.sampled_from([(5, 6), (3, 4), (5, 6, 7)]), st.data())
def test_nobody_else_changes_tables(
    entrants: int, sizes: tuple[int, ...], data: st.DataObject
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "MAX_STEPS", 2_000)
        draw = draw_balanced(entrants, 3, sizes)
    gone = data.draw(st.integers(1, entrants))
    without = remove_entrant(draw.rounds, gone, sizes)
    small = any(
        gone in table and len(table) == min(sizes) and not drawn.byes
        for drawn in draw.rounds
        for table in drawn.tables
    )
    assert (without is None) is small
    late = add_entrant(draw.rounds, entrants + 1, sizes)
    for changed in filter(None, (without, late)):
        for other in range(1, entrants + 1):
            for before, after in zip(
                tables_of(draw.rounds, other), tables_of(changed, other), strict=True
            ):
                assert before in (after, 0) or other == gone
    if late is not None:
        grown = Draw(entrants + 1, late, 1, draw.by)
        assert [problem for problem in check_draw(grown, sizes) if problem.round] == []


def test_free_place_of_a_construction_has_no_repeat() -> None:
    draw = draw_balanced(36, 7, (5, 6))
    late = add_entrant(draw.rounds, 37, (5, 6))
    assert late is not None
    assert Draw(37, late, 1, draw.by).repeats == 0
    played = draw.rounds[:3]
    later = add_entrant(draw.rounds[3:], 37, (5, 6), before=played)
    assert later is not None
    assert Draw(37, (*played, *later), 1, draw.by).repeats == 0


def test_twenty_at_chiamata_less_one_need_a_new_draw() -> None:
    draw = draw_balanced(20, 3, (5, 6))
    assert remove_entrant(draw.rounds, 7, (5, 6)) is None
    assert remove_entrant(draw.rounds, 7, (4, 5)) is not None


def test_entrant_with_a_bye_takes_the_empty_place() -> None:
    drawn = DrawnRound(1, ((1, 2, 3, 4, 5),), (6, 7))
    assert remove_entrant([drawn], 2, (5,)) == (DrawnRound(1, ((1, 6, 3, 4, 5),), (7,)),)
    assert remove_entrant([drawn], 7, (5,)) == (drawn._replace(byes=(6,)),)


def test_late_entrant_makes_a_table_of_those_with_byes() -> None:
    drawn = DrawnRound(1, ((1, 2, 3),), (4, 5))
    assert add_entrant([drawn], 6, (3,)) == (DrawnRound(1, ((1, 2, 3), (4, 5, 6))),)
    assert add_entrant([drawn._replace(byes=())], 4, (3,)) is None


@pytest.mark.parametrize("met", [(1, 2), (3, 4)])
def test_late_entrant_meets_the_least_known_where_repeats_cannot_be_avoided(
    met: tuple[int, ...],
) -> None:
    before = [DrawnRound(1, ((*met, 5),))]
    rounds = [DrawnRound(2, ((1, 2), (3, 4))), DrawnRound(3, ((1, 2), (3, 4)))]
    late = add_entrant(rounds, 5, (2, 3), before)
    assert late is not None
    assert not any({*met, 5} <= {*table} for table in late[0].tables)

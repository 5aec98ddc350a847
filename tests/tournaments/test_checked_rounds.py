"""A round that could be drawn: what is wrong with it, and who meets again."""

import json

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.tournaments.checked_rounds import (
    encode_checked_round,
    list_meetings,
    list_problems,
    make_round_by_hand,
)
from tests.evenings import Raw, event
from tests.tournaments.hall import closed, drawn, opening, published, registrations, tournament

OPEN = ("round 1 is not closed: close it first, or draw with early if its last tables may still "
        "change the standings")  # fmt: skip
FIRST = ((1, 2, 3), (4, 5, 6))
SEVEN = [opening({"rounds": 3}, game="riparto"), *registrations(7)]
PLAYED = [*SEVEN, drawn(1, *FIRST, byes=[7]), published(1, None, None), closed(1)]


def ids(*tables: tuple[int, ...]) -> list[list[str]]:
    return [[f"e{n}" for n in table] for table in tables]


@pytest.mark.parametrize(
    ("log", "number", "tables", "byes", "problems"),
    [
        (SEVEN, 1, FIRST, (7,), []),
        (SEVEN, 1, FIRST, (), [("E7 is at no table and does not sit out", False)]),
        (SEVEN, 1, ((1, 2, 3, 4, 5), (6, 7)), (),
         [("table 1 has 5 entrants; here a table has 3 or 4", True)]),
        (PLAYED, 2, ((1, 4, 2), (3, 5, 6)), (7,),
         [("E7 sits out again before all others have sat out", False)]),
        (PLAYED[:-1], 2, ((1, 4, 7), (3, 5, 6)), (2,), [(
            OPEN, True)]),
        (PLAYED, 1, FIRST, (7,), [("round 1 is published, and cannot be drawn again", True)]),
        (PLAYED, 2, ((1, 4, 99), (3, 5, 6)), (7, 2), [
            ('expected an entrant of this tournament, got "e99"', True),
            ("E7 sits out again before all others have sat out", False),
        ]),
    ],
)  # fmt: skip
def test_problems_are_named(
    log: list[Raw], number: int, tables: tuple[tuple[int, ...], ...], byes: tuple[int, ...],
    problems: list[tuple[str, bool]],
) -> None:  # fmt: skip
    state = tournament(*log).state
    before = dict(state.rounds)
    made = make_round_by_hand(state, number, ids(*tables), [f"e{n}" for n in byes])
    assert [tuple(problem) for problem in list_problems(state, made)] == problems
    assert state.rounds == before


def test_meetings_of_the_stage_are_listed_with_their_rounds() -> None:
    log = [*PLAYED, drawn(2, (1, 4, 7), (2, 5, 6), byes=[3]), published(2, None, None), closed(2)]
    state = tournament(*log).state
    made = make_round_by_hand(state, 3, ids((5, 6, 1), (2, 3, 7)), ["e4"])
    assert [(met.entrants, met.rounds) for met in list_meetings(state, made)] == [
        (("e5", "e6"), (1, 2)), (("e2", "e3"), (1,)),
    ]  # fmt: skip
    body = json.loads(encode_checked_round(state, made))
    assert body["draw"]["generator"] == {"name": "by_hand", "version": 1, "seed": 0}
    assert body["meetings"][1] == {"entrants": ["e2", "e3"], "rounds": [1]}


def test_partners_who_would_play_together_again_are_listed() -> None:
    stage = {"draw": "partners", "rounds": 3, "points": "match"}
    log = [opening(stage, game="knock"), *registrations(4), drawn(1, (1, 2, 3, 4)),
           published(1, None), closed(1)]  # fmt: skip
    state = tournament(*log).state
    again = make_round_by_hand(state, 2, ids((1, 4, 3, 2)), [])
    assert {met.entrants for met in list_meetings(state, again)} == {("e1", "e3"), ("e2", "e4")}
    other = make_round_by_hand(state, 2, ids((1, 3, 2, 4)), [])
    assert list_meetings(state, other) == []


def test_round_after_the_last_one_is_refused() -> None:
    log = [opening({"rounds": 1}, game="riparto"), *registrations(3), drawn(1, (1, 2, 3)),
           published(1, None), closed(1), event("tournament_closed", heads={})]  # fmt: skip
    with pytest.raises(UnusableError, match="all rounds are played"):
        make_round_by_hand(tournament(*log).state, 2, ids((1, 2, 3)), [])

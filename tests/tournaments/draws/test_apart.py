"""Entrants of one group who meet late or never: ``tournaments.draws.apart``."""

from itertools import combinations
from typing import Any

import pytest

from scorekeeper.tournaments.checked_rounds import list_problems
from scorekeeper.tournaments.draws.apart import list_blocks
from scorekeeper.tournaments.draws.draw import count_meetings, count_repeats
from scorekeeper.tournaments.events import RoundDrawn
from scorekeeper.tournaments.proposals import propose_round
from tests.evenings import Raw
from tests.tournaments.hall import opening, registered, tournament
from tests.tournaments.test_proposals import play

KNOCKOUT: dict[str, Any] = {"draw": "knockout", "points": "match", "table": {"from": 2, "to": 2}}


def count_same(raw: Raw, groups: int) -> int:
    """Return how many pairs meet in a round whose numbers are equal modulo ``groups``."""
    numbers = [[int(entrant[1:]) % groups for entrant in table] for table in raw["data"]["tables"]]
    return sum(one == other for table in numbers for one, other in combinations(table, 2))


def played(
    entrants: int, groups: int, apart: str, rounds: int, game: str = "briscola_chiamata",
    seeds: int = 0, **stage: Any,
) -> list[Raw]:  # fmt: skip
    """Return the rounds of a stage."""
    people = [
        registered(f"e{n}", group=f"G{n % groups}", **({"seed": n} if n <= seeds else {}))
        for n in range(1, entrants + 1)
    ]
    held = tournament(opening({"rounds": rounds, **stage}, apart=apart, game=game), *people)
    return [play(held, seed=7) for _ in range(rounds)]


def test_balanced_draw_keeps_groups_apart_and_its_repeats() -> None:
    rounds = played(36, 6, "always", 5)
    assert [count_same(raw, 6) for raw in rounds] == [0] * 5
    tables = [tuple(int(each[1:]) for each in table)
              for raw in rounds for table in raw["data"]["tables"]]  # fmt: skip
    assert count_repeats(count_meetings(tables)) == 0
    assert count_same(played(36, 6, "first_round", 2)[0], 6) == 0


@pytest.mark.parametrize(("seeds", "entrants"), [(0, 16), (4, 16), (2, 13)])
def test_bracket_keeps_groups_apart_for_as_long_as_possible(seeds: int, entrants: int) -> None:
    knockout = {"game": "picchetto", "seeds": seeds, **KNOCKOUT}
    rounds = played(entrants, 4, "always", 2, **knockout)
    assert [count_same(raw, 4) for raw in rounds] == [0, 0]
    assert count_same(played(entrants, 4, "first_round", 1, **knockout)[0], 4) == 0


def test_blocks_are_nested() -> None:
    assert list_blocks(6) == [[[1], [4, 5], [2], [3, 6]], [[1, 4, 5], [2, 3, 6]]]
    assert list_blocks(8, 1) == [[[1, 8], [4, 5], [2, 7], [3, 6]]]


@pytest.mark.parametrize("stage", [{}, {"draw": "ranked"}, KNOCKOUT])
def test_the_check_names_meetings_that_one_village_cannot_avoid(stage: dict[str, Any]) -> None:
    people = [registered(f"e{n}", group="Villa") for n in range(1, 201)]
    game = "picchetto" if stage == KNOCKOUT else "briscola_chiamata"
    held = tournament(opening(stage, apart="always", game=game), *people)
    proposed = RoundDrawn(**propose_round(held.state, {}, 1)._asdict())
    pairs = len(proposed.tables) if stage == KNOCKOUT else 400
    (problem,) = list_problems(held.state, proposed)
    assert f"{pairs} pairs of one group meet, such as E" in problem.text
    assert not problem.wrong

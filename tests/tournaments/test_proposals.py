"""Rounds drawn by the rules of their stage: ``tournaments.proposals``, ``tournaments.finals``."""

import random
from collections import Counter
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.games import GAMES
from scorekeeper.log import codec
from scorekeeper.tournaments.advancing import list_qualifiers
from scorekeeper.tournaments.draws.balanced import draw_balanced
from scorekeeper.tournaments.draws.check import check_draw
from scorekeeper.tournaments.draws.draw import Draw, DrawnRound
from scorekeeper.tournaments.events import RoundDrawn
from scorekeeper.tournaments.presets import list_presets
from scorekeeper.tournaments.proposals import propose_round
from scorekeeper.tournaments.standings import Scoreboard
from scorekeeper.tournaments.tournament import Tournament
from tests.evenings import Raw, event
from tests.thinned import thinned_rows
from tests.tournaments.hall import add, closed, opening, registered, registrations, tournament


def propose(held: Tournament, seed: int = 1) -> Raw:
    """Return the event of the next round."""
    proposed = propose_round(held.state, {}, seed)
    return event("round_drawn", **codec.encode(RoundDrawn(**proposed._asdict())))


def play(held: Tournament, seed: int = 1) -> Raw:
    """Draw and publish the next round; the lower number wins every table, on paper."""
    raw = propose(held, seed)
    number, stage = raw["data"]["round"], raw["data"]["stage"]
    add(held, raw)
    tables = raw["data"]["tables"]
    add(held, event("round_published", round=number,
                    sessions={str(n): None for n in range(1, len(tables) + 1)}))  # fmt: skip
    for table, entrants in enumerate(tables, start=1):
        ranked = sorted(entrants, key=lambda entrant: int(entrant[1:]))
        scores = {entrant: len(ranked) - 1 - 2 * place for place, entrant in enumerate(ranked)}
        add(held, event("result_recorded", round=number, table=table, scores=scores))
    add(held, closed(number, stage=stage))
    return raw


def numbered(*rounds: Raw) -> Draw:
    """Return the rounds as a draw of numbers, to be checked."""
    entrants = {entrant for raw in rounds for table in raw["data"]["tables"] for entrant in table}
    entrants |= {entrant for raw in rounds for entrant in raw["data"]["byes"]}
    number_of = {entrant: n for n, entrant in enumerate(sorted(entrants), start=1)}
    drawn = tuple(
        DrawnRound(n, tuple(tuple(number_of[e] for e in table) for table in raw["data"]["tables"]),
                   tuple(number_of[e] for e in raw["data"]["byes"]))
        for n, raw in enumerate(rounds, start=1)
    )  # fmt: skip
    return Draw(len(entrants), drawn, 1, rounds[0]["data"]["generator"]["name"])


KINDS: list[tuple[dict[str, Any], dict[str, Any], int, int]] = [
    ({"draw": "balanced", "rounds": 5}, {}, 25, 0),
    ({"draw": "partners", "rounds": 7, "points": "score"}, {"game": "knock"}, 8, 0),
    ({"draw": "all_play_all", "rounds": 5, "points": "match"}, {"game": "picchetto"}, 6, 0),
    ({"draw": "mitchell", "rounds": 4, "points": "match"}, {"game": "picchetto"}, 8, 0),
    ({"draw": "ranked", "rematch": "never", "rounds": 5, "points": "match"},
     {"game": "picchetto"}, 11, 0),
]  # fmt: skip


@pytest.mark.parametrize(("stage", "more", "entrants", "repeats"), KINDS)
def test_rounds_follow_one_another(
    stage: dict[str, Any], more: dict[str, Any], entrants: int, repeats: int
) -> None:
    held = tournament(opening(stage, **more), *registrations(entrants))
    draw = numbered(*(play(held, seed) for seed in range(1, stage["rounds"] + 1)))
    assert [problem for problem in check_draw(draw) if problem.wrong] == []
    assert draw.repeats == repeats
    with pytest.raises(UnusableError, match="all rounds are played"):
        propose(held)


def test_proposal_changes_nothing_and_its_seed_repeats_it() -> None:
    held = tournament(opening(), *registrations(20))
    assert propose(held, 3) == propose(held, 3) != propose(held, 4)
    assert held.state.rounds == {}


def test_ranked_round_pairs_neighbours_of_the_standings() -> None:
    stage = {"draw": "ranked", "rounds": 4, "points": "places"}
    held = tournament(opening(stage), *registrations(10))
    play(held)
    tables = play(held)["data"]["tables"]
    first = {row.entrant for row in _rows(held, 1)[:5]}
    assert {*tables[0]} == first


def _rows(held: Tournament, after_round: int) -> Any:
    return Scoreboard().compute(held.state, {}, 1, after_round).rows


def test_late_entry_and_withdrawal_are_drawn_without_needless_repeats() -> None:
    held = tournament(opening({"rounds": 4}), *registrations(25))
    rounds = [play(held)]
    add(held, registered("e26", from_round=2))
    add(held, event("entrant_withdrawn", entrant="e7", from_round=2))
    rounds += [play(held), play(held)]
    meetings = Counter(
        frozenset((one, other)) for raw in rounds for table in raw["data"]["tables"]
        for one in table for other in table if one < other
    )  # fmt: skip
    assert sum(count > 1 for count in meetings.values()) <= 3
    assert not any("e7" in table for raw in rounds[1:] for table in raw["data"]["tables"])
    assert any("e26" in table for table in rounds[1]["data"]["tables"])


def test_entrants_of_a_group_are_apart_in_the_first_round() -> None:
    stage = {"draw": "random", "points": "match"}
    entrants = [registered(f"e{n}", group="AB"[n % 2]) for n in range(1, 9)]
    held = tournament(opening(stage, game="picchetto", apart="first_round"), *entrants)
    for seed in range(5):
        tables = propose(held, seed)["data"]["tables"]
        assert all(int(one[1:]) % 2 != int(other[1:]) % 2 for one, other in tables)


def test_those_who_advance_play_the_final() -> None:
    stages = ({"rounds": 1, "advance": {"overall": 5}}, {"rounds": 1, "name": "Final"})
    held = tournament(opening(*stages), *registrations(10))
    play(held)
    final = play(held)
    assert final["data"]["stage"] == 2
    assert {*final["data"]["tables"][0]} == {row.entrant for row in _rows(held, 1)[:5]}


@pytest.mark.parametrize(("lives", "entrants", "rounds"), [(1, 8, 3), (1, 6, 3), (2, 8, 5)])
def test_knock_out_goes_on_with_the_winners(lives: int, entrants: int, rounds: int) -> None:
    stage = {"draw": "knockout", "rounds": 12, "points": "match", "lives": lives}
    seeded = [registered(f"e{n}", seed=n) for n in range(1, entrants + 1)]
    held = tournament(opening(stage, game="picchetto"), *seeded)
    first = play(held)
    assert not any({"e1", "e2"} <= {*table} for table in first["data"]["tables"])
    lost: Counter[str] = Counter()
    raw = first
    for _ in range(rounds - 1):
        lost.update(max(table, key=lambda e: int(e[1:])) for table in raw["data"]["tables"])
        raw = play(held)
        playing = [entrant for table in raw["data"]["tables"] for entrant in table]
        assert all(lost[entrant] < lives for entrant in playing)
    if lives == 1:
        assert {*raw["data"]["tables"][0]} == {"e1", "e2"}
        with pytest.raises(UnusableError, match="the knock-out is decided"):
            propose(held)


def test_losers_of_the_semifinals_play_for_the_third_place() -> None:
    stage = {"draw": "knockout", "rounds": 2, "points": "match", "third_place": True}
    held = tournament(opening(stage, game="picchetto"), *registrations(4))
    play(held)
    tables = play(held)["data"]["tables"]
    assert {*tables[0]} | {*tables[1]} == {"e1", "e2", "e3", "e4"}
    assert "e1" in tables[0]
    assert "e4" in tables[1]


def test_undecided_match_and_draws_by_hand_are_refused() -> None:
    stage = {"draw": "knockout", "rounds": 3, "points": "match"}
    held = tournament(opening(stage, game="picchetto"), *registrations(4))
    add(held, propose(held))
    add(held, event("round_published", round=1, sessions={"1": None, "2": None}))
    with pytest.raises(UnusableError, match="round 1 is not decided between"):
        propose(held)
    by_hand = tournament(opening({"draw": "by_hand"}), *registrations(5))
    with pytest.raises(UnusableError, match="drawn by hand"):
        propose(by_hand)
    few = tournament(opening(), *registrations(4))
    with pytest.raises(UnusableError, match="a table needs 5"):
        propose(few)


def test_order_of_registration_does_not_decide_the_tables() -> None:
    rng = random.Random(1)  # noqa: S311
    held = tournament(opening(), *registrations(20))
    seen = {tuple(propose(held, rng.randrange(1000))["data"]["tables"][0]) for _ in range(4)}
    assert len(seen) > 1


def test_a_published_round_does_not_tell_the_numbers_of_the_construction() -> None:
    """A construction seats its numbers in their order; who reads them computes all rounds."""
    held = tournament(opening({"rounds": 4}), *registrations(35))
    seen = play(held)["data"]["tables"]
    number_of = {e: 1 + table + 7 * seat for table, row in enumerate(seen)
                 for seat, e in enumerate(row)}  # fmt: skip
    guessed = {frozenset(table) for table in draw_balanced(35, 4, (5, 6)).rounds[1].tables}
    second = [frozenset(number_of[e] for e in table) for table in propose(held)["data"]["tables"]]
    assert not guessed & set(second)


def test_rounds_that_are_added_after_the_last_do_not_follow_from_the_seed_that_was_shown() -> None:
    held = tournament(opening({"rounds": 2}), *registrations(25))
    for seed in (1, 2):
        play(held, seed)
    add(held, event("plan_changed", stage=1, rounds=3, reason="there is time"))
    proposed = [{frozenset(table) for table in propose(held, seed)["data"]["tables"]}
                for seed in (3, 4)]  # fmt: skip
    assert proposed[0] != proposed[1]


def test_finals_for_every_place_are_drawn_and_ranked_by_themselves() -> None:
    """`tournaments.finals`: four groups of three, then three brackets beside one another."""
    (lanzo,) = [fitting for fitting in list_presets(GAMES["picchetto"], 12)
                if fitting.preset.id == "lanzo"]  # fmt: skip
    held = tournament(opening(stages=list(lanzo.stages), game="picchetto"), *registrations(12))
    groups = [play(held) for _ in range(3)]
    assert all(len(raw["data"]["byes"]) == 4 for raw in groups)
    finals = propose(held, 9)["data"]
    qualified = list(list_qualifiers(held.state, Scoreboard().compute(held.state, {}, 1)))
    assert [len(final) for final in qualified] == [4, 4, 4]
    for final, pairs in zip(
        qualified, (finals["tables"][n : n + 2] for n in (0, 2, 4)), strict=True
    ):
        assert {entrant for table in pairs for entrant in table} == set(final)
        assert not any({*final[:2]} == {*table} for table in pairs)  # the best two are apart
    play(held, 9)
    # A correction that changes who was first of a group moves no draw.
    last = qualified[2][0]
    add(held, event("result_assigned", round=1, entrant=last, points=99, reason="ruling"))
    play(held)
    rows = Scoreboard().compute(held.state, {}, 2).rows
    assert [row.place for row in rows] == list(range(1, 13))
    for number, final in enumerate(qualified):
        ordered = sorted(final, key=lambda entrant: int(entrant[1:]))
        found = [row.entrant for row in rows[4 * number : 4 * number + 4]]
        assert sorted(found) == sorted(final)
        assert found[0] == ordered[0]  # the lower number wins each table
    with pytest.raises(UnusableError, match="all rounds are played"):
        propose(held)


def test_final_of_one_sits_out_and_a_smaller_bracket_ends_earlier() -> None:
    stages = ({"draw": "all_play_all", "rounds": 3, "group": 3, "points": "match",
               "advance": {"places": "all"}},
              {"name": "Finals", "draw": "knockout", "rounds": 2, "points": "match"})  # fmt: skip
    held = tournament(opening(*stages, game="picchetto"), *registrations(10))
    for _ in range(3):
        play(held)
    first, second = play(held)["data"], play(held)["data"]
    assert len(first["byes"]) == 4  # one in each bracket of three, and the only fourth
    assert (len(first["tables"]), len(second["tables"])) == (3, 3)
    rows = Scoreboard().compute(held.state, {}, 2).rows
    assert [row.place for row in rows] == list(range(1, 11))


@pytest.mark.parametrize(
    ("entrants", "rounds"), thinned_rows([(25, 4), (16, 3), (33, 4), (38, 4)], 2)
)
def test_late_entry_or_withdrawal_moves_nobody_else(entrants: int, rounds: int) -> None:
    people = registrations(entrants)
    plain = tournament(opening({"rounds": rounds}), *people)
    late = tournament(opening({"rounds": rounds}), *people)
    fewer = tournament(opening({"rounds": rounds}), *people)
    for held in (plain, late, fewer):
        play(held)
    size = {len(table) for table in plain.state.rounds[1].tables}
    tables = [play(plain, seed)["data"]["tables"] for seed in range(2, rounds + 1)]
    add(late, registered("e99", from_round=2))
    of_late = [play(late, seed)["data"]["tables"] for seed in range(2, rounds + 1)]
    for before, after in zip(tables, of_late, strict=True):
        assert [set(table) - {"e99"} for table in after] == list(map(set, before))
    assert sum("e99" in table for after in of_late for table in after) == rounds - 1
    if 6 in size:
        gone = next(table for table in tables[0] if len(table) == 6)[0]
        add(fewer, event("entrant_withdrawn", entrant=gone, from_round=2))
        of_fewer = [play(fewer, seed)["data"]["tables"] for seed in range(2, rounds + 1)]
        for number, (before, after) in enumerate(zip(tables, of_fewer, strict=True)):
            moved = {one for old, new in zip(before, after, strict=True)
                     for one in {*new} - {*old}}  # fmt: skip
            short = next(table for table in before if gone in table)
            assert len(moved) == (len(short) == 5), number


def test_sizes_that_do_not_allow_a_withdrawal_get_a_new_draw() -> None:
    held = tournament(opening({"rounds": 3}), *registrations(20))
    play(held)
    add(held, event("entrant_withdrawn", entrant="e7", from_round=2))
    second = propose(held)["data"]
    assert sorted(map(len, second["tables"])) == [6, 6, 6]
    assert len(second["byes"]) == 1


def test_opponent_of_a_winner_who_withdraws_goes_on_by_a_bye() -> None:
    stage = {"draw": "knockout", "rounds": 3, "points": "match"}
    seeded = [registered(f"e{n}", seed=n) for n in range(1, 9)]
    held = tournament(opening(stage, game="picchetto"), *seeded)
    play(held)
    add(held, event("entrant_withdrawn", entrant="e1", from_round=2))
    second = play(held)["data"]
    assert (second["byes"], len(second["tables"])) == (["e4"], 1)
    assert {*play(held)["data"]["tables"][0]} == {"e2", "e4"}
    rows = Scoreboard().compute(held.state, {}, 1).rows
    assert [row.entrant for row in rows[:2]] == ["e2", "e4"]


@pytest.mark.parametrize("lives", [1, 2])
def test_places_of_a_knock_out_follow_from_how_far_each_came(lives: int) -> None:
    stage = {"draw": "knockout", "rounds": 12, "points": "match", "lives": lives,
             **({"third_place": True} if lives == 1 else {})}  # fmt: skip
    seeded = [registered(f"e{n}", seed=n) for n in range(1, 7)]
    held = tournament(opening(stage, game="picchetto"), *seeded)
    for _ in range(3 if lives == 1 else 6):
        play(held)
    with pytest.raises(UnusableError, match="decided"):
        propose(held)
    rows = Scoreboard().compute(held.state, {}, 1).rows
    assert [(row.entrant, row.place) for row in rows[:4]] == [
        ("e1", 1), ("e2", 2), ("e3", 3), ("e4", 4),
    ]  # fmt: skip
    assert all(played.kind != "missed" for row in rows for played in row.rounds)


def test_withdrawal_from_a_round_robin_leaves_the_schedule_of_the_others() -> None:
    stage = {"draw": "all_play_all", "rounds": 5, "points": "match"}
    plain, fewer = (tournament(opening(stage, game="picchetto"), *registrations(6))
                    for _ in range(2))  # fmt: skip
    play(plain)
    play(fewer)
    add(fewer, event("entrant_withdrawn", entrant="e6", from_round=2))
    for seed in range(2, 6):
        before, after = play(plain, seed)["data"], play(fewer, seed)["data"]
        assert after["tables"] == [table for table in before["tables"] if "e6" not in table]
        assert len(after["byes"]) == 1

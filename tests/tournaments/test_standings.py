"""Standings of stages, ``tournaments.ties``, ``tournaments.advancing`` and their views.

That is ``tournaments.ties``, ``tournaments.advancing`` and ``tournaments.standings_views``.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.base.views import to_json_values
from scorekeeper.tournaments.advancing import list_qualifiers, list_teams
from scorekeeper.tournaments.played_tables import PlayedTable, TableHand
from scorekeeper.tournaments.standings import Scoreboard, StageStandings
from scorekeeper.tournaments.standings_views import view_tournament_standings
from scorekeeper.tournaments.ties import Decision
from scorekeeper.tournaments.tournament import Tournament
from tests.evenings import Raw, event
from tests.tournaments.hall import (
    add,
    closed,
    drawn,
    opening,
    published,
    registered,
    registrations,
    tournament,
)
from tests.tournaments.tables import Table

TEN = registrations(10)
FIVE = ("e1", "e2", "e3", "e4", "e5")
TABLES = ((1, 2, 3, 4, 5), (6, 7, 8, 9, 10))
ON_PAPER = published(1, None, None)


def paper(number: int, table: int, *scores: int, first: int = 0) -> Raw:
    """Return the result of a table on paper, in the order of the numbers of its entrants."""
    at = first or 5 * table - 4
    return event("result_recorded", round=number, table=table,
                 scores={f"e{at + n}": score for n, score in enumerate(scores)})  # fmt: skip


def standings(held: Tournament, **results: PlayedTable) -> StageStandings:
    return Scoreboard().compute(held.state, results)


def points_of(table: StageStandings) -> dict[str, Fraction]:
    return {row.entrant: row.points for row in table.rows}


def test_semifinals_send_two_of_each_and_the_best_third() -> None:
    """The published semifinals of Linguaglossa."""
    stage = {"points": "score", "rounds": 1, "advance": {"each": 2, "best": 1}}
    held = tournament(
        opening(stage), *TEN, drawn(1, *TABLES), ON_PAPER, paper(1, 1, 10, 8, -4, -2, -12),
        paper(1, 2, 7, 5, 4, 3, -19), closed(1),
    )  # fmt: skip
    table = standings(held)
    assert list(list_qualifiers(held.state, table)) == [("e1", "e2", "e6", "e7", "e8")]


def test_best_of_all_advance_and_finals_for_all_places_are_by_group() -> None:
    scores = paper(1, 1, 10, 8, -4, -2, -12), paper(1, 2, 7, 5, 4, 3, -19)
    for advance, finals in (
        ({"overall": 3}, [("e1", "e2", "e6")]),
        (
            {"places": "all"},
            [("e1", "e6"), ("e2", "e7"), ("e8", "e4"), ("e9", "e3"), ("e5", "e10")],
        ),
    ):
        stage = {"points": "score", "rounds": 1, "advance": advance}
        held = tournament(opening(stage), *TEN, drawn(1, *TABLES), ON_PAPER, *scores)
        assert list(list_qualifiers(held.state, standings(held))) == finals
    nobody = tournament(opening(), *TEN)
    assert list(list_qualifiers(nobody.state, standings(nobody))) == []


def test_rounds_add_up_with_byes_missed_rounds_rulings_and_penalties() -> None:
    held = tournament(
        opening(), *registrations(11), registered("e12", from_round=2),
        drawn(1, (1, 2, 3, 4, 5), (6, 7, 8, 9, 10), byes=(11,)), ON_PAPER,
        paper(1, 1, 8, 4, 0, -4, -8), paper(1, 2, 1, 1, 0, -1, -1), closed(1),
        drawn(2, (1, 3, 5, 7, 9, 11), (2, 4, 6, 8, 12), byes=(10,)), published(2, None, None),
        event("result_recorded", round=2, table=1,
              scores={"e1": 0, "e3": 0, "e5": 0, "e7": 0, "e9": -5, "e11": 5}),
        event("result_assigned", round=2, entrant="e2", points="1/2", reason="walkover"),
        event("points_adjusted", entrant="e1", points=-1, reason="late"),
        event("points_adjusted", entrant="e3", round=1, points=2, reason="error"),
    )  # fmt: skip
    table = standings(held)
    rows = {row.entrant: row for row in table.rows}
    kinds = {entrant: [(played.kind, played.points) for played in row.rounds]
             for entrant, row in rows.items()}  # fmt: skip
    assert kinds["e11"] == [
        ("bye", Fraction(5)),
        ("table", Fraction(5)),
    ]  # the average of the entrant's own rounds
    assert kinds["e12"] == [("missed", -4), ("open", None)]
    assert kinds["e2"] == [("table", 2), ("assigned", Fraction(1, 2))]
    assert kinds["e10"] == [("table", Fraction(-3)), ("bye", Fraction(-3))]
    assert rows["e1"].points == 4 + 0 - 1
    assert rows["e3"].points == 0 + 0 + 2
    assert [row.entrant for row in table.rows][:2] == ["e11", "e1"]
    assert rows["e12"].provisional
    assert not rows["e11"].provisional


def test_rounds_after_a_withdrawal_are_nothing() -> None:
    held = tournament(
        opening(), *registrations(11), drawn(1, *TABLES, byes=(11,)), ON_PAPER,
        paper(1, 1, 8, 4, 0, -4, -8), paper(1, 2, 2, 1, 0, -1, -2), closed(1),
        event("entrant_withdrawn", entrant="e1", from_round=2),
        drawn(2, (11, 2, 3, 4, 5), (6, 7, 8, 9, 10)), published(2, None, None),
    )  # fmt: skip
    rows = {row.entrant: row for row in standings(held).rows}
    assert [played.kind for played in rows["e1"].rounds] == ["table"]
    assert rows["e1"].points == 4


@pytest.mark.parametrize(
    ("stage", "bye", "missed"),
    [({"bye": "nothing"}, 0, -4), ({"bye": 3, "missed": -3}, 3, -3),
     ({"missed": "-7/2"}, 0, "-7/2")],
)  # fmt: skip
def test_stage_sets_the_points_of_byes_and_missed_rounds(
    stage: dict[str, Any], bye: int, missed: int | str
) -> None:
    held = tournament(
        opening(stage), *registrations(7), drawn(1, (1, 2, 3, 4, 5), byes=(6,)), published(1, None),
        paper(1, 1, 8, 4, 0, -4, -8), closed(1), drawn(2, (2, 3, 4, 5, 7), byes=(1,)),
        published(2, None),
    )  # fmt: skip
    rows = {row.entrant: row.rounds[0] for row in standings(held).rows}
    assert rows["e6"].points == bye
    assert rows["e7"].points == Fraction(missed)


def test_table_that_records_nothing_leaves_its_entrants_to_a_ruling() -> None:
    log = (opening(), *registrations(10), drawn(1, *TABLES), published(1, "silent", None),
           paper(1, 2, 8, 4, 0, -4, -8), closed(1))  # fmt: skip
    silent = Table("silent", FIVE, 1, "briscola_chiamata").result
    rows = {row.entrant: row for row in standings(tournament(*log), silent=silent).rows}
    assert rows["e1"].points == 0
    assert (rows["e1"].provisional, rows["e6"].provisional) == (True, False)
    ruled = tournament(
        *log, event("result_assigned", round=1, entrant="e1", points=2, reason="never began")
    )
    rows = {row.entrant: row for row in standings(ruled, silent=silent).rows}
    assert rows["e1"].points == 2
    assert not rows["e1"].provisional


def test_four_at_a_table_lose_three_points_by_a_missed_round() -> None:
    held = tournament(
        opening(game="riparto"), *registrations(5), drawn(1, (1, 2, 3, 4)), published(1, None),
        event("result_recorded", round=1, table=1, scores={"e1": 8, "e2": 8, "e3": 1, "e4": 0}),
        closed(1), drawn(2, (2, 3, 4, 5), byes=(1,)), published(2, None),
    )  # fmt: skip
    points = {row.entrant: row.rounds[0].points for row in standings(held).rows}
    assert points == {"e1": 2, "e2": 2, "e3": -1, "e4": -3, "e5": -3}


@pytest.mark.parametrize(("carry", "carried"), [("half", "9/2"), ("all", 9), ("none", 0)])
def test_best_rounds_count_and_earlier_points_are_carried(carry: str, carried: str | int) -> None:
    stages = ({"rounds": 2, "points": "score", "best": 1}, {"points": "score", "carry": carry})
    held = tournament(
        opening(*stages), *registrations(5), drawn(1, (1, 2, 3, 4, 5)), published(1, None),
        paper(1, 1, 9, 5, 0, -5, -9), closed(1), drawn(2, (1, 2, 3, 4, 5)), published(2, None),
        paper(2, 1, -4, 0, 0, 2, 2), closed(2), drawn(3, (1, 2, 3, 4, 5), stage=2),
        published(3, None), paper(3, 1, 0, 0, 0, 0, 0),
    )  # fmt: skip
    first = Scoreboard().compute(held.state, {}, stage=1)
    assert points_of(first) == {"e1": 9, "e2": 5, "e3": 0, "e4": 2, "e5": 2}
    assert {row.entrant: row.counted for row in first.rows}["e4"] == {2}
    second = Scoreboard().compute(held.state, {})
    assert second.stage == 2
    assert points_of(second)["e1"] == Fraction(carried)
    before = Scoreboard().compute(held.state, {}, stage=1, after_round=1)
    assert points_of(before)["e4"] == -5


# ----------------------------------------------------------------------------------- ties


def hands(*points: Mapping[str, int], made: str | None = None) -> tuple[TableHand, ...]:
    return tuple(TableHand(number, scores, True, False, True, False, "", "", made)
                 for number, scores in enumerate(points, 1))  # fmt: skip


def played(**totals: int) -> PlayedTable:
    """Return a table at which the scores were made in one hand."""
    return PlayedTable("first", "", "", "", totals, {}, hands(totals), unended=False)


TIES = [
    # rounds on paper as scores of e1 to e5, the chain, the order, and what put the first before
    ([(5, 5, 0, -4, -6)], ["shared"], ["e1", "e2"], None),
    ([(5, 5, 0, -4, -6)], ["lot"], ["e2", "e1"], ("lot", "e1")),
    ([(6, 4, 0, -4, -6), (4, 7, 0, -4, -7)], ["score"], ["e2", "e1"], ("score", "e1")),
    ([(6, 4, 0, -4, -6), (4, 7, 0, -4, -7)], ["difference"], ["e2", "e1"], ("difference", "e1")),
    ([(6, 4, 0, -4, -6), (4, 7, 0, -4, -7)], ["conceded"], ["e2", "e1"], ("conceded", "e1")),
    ([(6, 4, 0, -4, -6), (4, 6, 0, -4, -6)], ["wins"], ["e1", "e2"], None),
    ([(9, 3, 3, -4, -11), (3, 9, -3, -4, -5)], ["wins"], ["e2", "e1"], None),
]  # fmt: skip


@pytest.mark.parametrize(("rounds", "ties", "order", "decided"), TIES)
def test_ties_are_parted_by_the_chain(
    rounds: list[tuple[int, ...]],
    ties: list[str],
    order: list[str],
    decided: tuple[str, str] | None,
) -> None:
    held = tournament(opening({"ties": ties}), *registrations(5))
    for number, scores in enumerate(rounds, start=1):
        for raw in (drawn(number, (1, 2, 3, 4, 5)), published(number, None),
                    paper(number, 1, *scores), closed(number)):  # fmt: skip
            add(held, raw)
    add(held, event("lot_drawn", order=["e2", "e1"]))
    table = standings(held)
    first, second = table.rows[:2]
    assert first.points >= second.points
    if decided is not None:
        assert [first.entrant, second.entrant] == order
        assert first.decision is not None
        assert (first.decision.rule, first.decision.other) == decided
        assert (first.place, second.place, first.shared) == (1, 2, False)
    elif first.points == second.points and ties != ["lot"]:
        assert {first.entrant, second.entrant} == set(order)
        assert first.shared == second.shared
        assert first.place == 1


def test_line_says_by_how_much() -> None:
    """Before Ada: 6 hands won to 5."""
    won = [{"e1": 3, "e2": -3, "e3": 0, "e4": 0, "e5": 0}] * 5
    lost = [{"e1": -1, "e2": 1, "e3": 0, "e4": 0, "e5": 0}] * 6
    totals = {"e1": 9, "e2": 9, "e3": 0, "e4": -8, "e5": -10}
    table = PlayedTable("first", "", "", "", totals, {}, hands(*won, *lost), unended=False)
    held = tournament(opening({"ties": ["hands_won"]}), *registrations(5),
                      drawn(1, (1, 2, 3, 4, 5)), published(1, "first"))  # fmt: skip
    first = standings(held, first=table).rows[0]
    assert (first.entrant, first.points) == ("e2", Fraction(3))
    decision = first.decision
    assert decision is not None
    assert decision == Decision("hands_won", "e1", Fraction(6), Fraction(5))


@pytest.mark.parametrize(
    ("rule", "first"),
    [("best_hand", "e1"), ("contracts_made", "e2"), ("hands_won", "e1"), ("scored", "e1")],
)
def test_figures_of_hands_part_equals(rule: str, first: str) -> None:
    of_first = {"e1": 9, "e2": 0, "e3": 0, "e4": -4, "e5": -5}
    of_second = {"e1": 0, "e2": 8, "e3": 0, "e4": -4, "e5": -4}
    results = {
        "a": PlayedTable("a", "", "", "", of_first, {}, hands(of_first), unended=False),
        "b": PlayedTable("b", "", "", "", of_second, {}, hands(of_second, made="e2"),
                         unended=False),
    }  # fmt: skip
    held = tournament(
        opening({"ties": [rule]}), *registrations(5), drawn(1, (1, 2, 3, 4, 5)), published(1, "a"),
        closed(1), drawn(2, (1, 2, 3, 4, 5)), published(2, "b"),
    )  # fmt: skip
    rows = standings(held, **results).rows
    tied = [row for row in rows if row.entrant in ("e1", "e2")]
    assert len({row.points for row in tied}) == 1
    if rule == "hands_won":
        assert tied[0].shared
    else:
        assert tied[0].entrant == first
        assert tied[0].decision is not None


def test_countback_best_round_and_opponents_are_figures_of_rounds() -> None:
    rounds = [(9, 1, 0, -4, -6), (-9, 0, 1, 4, 4)]
    for rule in ("countback", "best_round", "head_to_head", "opponents"):
        held = tournament(opening({"ties": [rule]}), *registrations(5))
        for number, scores in enumerate(rounds, start=1):
            for raw in (drawn(number, (1, 2, 3, 4, 5)), published(number, None),
                        paper(number, 1, *scores), closed(number)):  # fmt: skip
                add(held, raw)
        rows = {row.entrant: row for row in standings(held).rows}
        assert rows["e1"].points == rows["e3"].points == 0
        if rule in ("countback", "best_round"):
            assert rows["e1"].place < rows["e3"].place
        else:  # each was ahead once, and all met the same
            assert rows["e1"].shared


# ------------------------------------------------------------------------------ the views


def test_teams_add_their_best() -> None:
    entrants = [registered(f"e{n}", group="AB"[n % 2]) for n in range(1, 6)]
    held = tournament(opening(), *entrants, drawn(1, (1, 2, 3, 4, 5)), published(1, None),
                      paper(1, 1, 8, 4, 0, -4, -8))  # fmt: skip
    teams = list_teams(held.state, standings(held), 2)
    assert teams == [("B", Fraction(4), ("e1", "e3")), ("A", Fraction(0), ("e2", "e4"))]


def test_view_has_exact_figures() -> None:
    held = tournament(opening({"advance": {"overall": 2}}), *registrations(5),
                      drawn(1, (1, 2, 3, 4, 5)), published(1, None),
                      paper(1, 1, 8, 8, 8, -4, -20),
                      event("points_adjusted", entrant="e1", points="1/2", reason="x"))  # fmt: skip
    view = to_json_values(view_tournament_standings(held.state, standings(held), team=1))
    row = view["rows"][0]
    assert (row["entrant"], row["points"], row["adjustments"]) == (
        "e1", "5/2", [{"round": None, "points": "1/2", "reason": "x"}],
    )  # fmt: skip
    assert row["rounds"][0] == {
        "round": 1, "kind": "table", "points": 2, "counted": True, "table": 1, "place": 1,
        "score": 8, "hands": 0, "provisional": False, "paper": True, "note": None,
    }  # fmt: skip
    assert view["qualifiers"] == [["e1", "e2"]]
    assert view["teams"] == []

"""Points of rounds, ``tournaments.played_tables`` and ``tournaments.time_limits``."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.log import codec
from scorekeeper.tournaments.played_tables import PlayedTable, TableHand
from scorekeeper.tournaments.points import (
    EntrantScore,
    compute_table_points,
    list_place_points,
    score_table,
)
from scorekeeper.tournaments.stages import PointRule, Stage
from scorekeeper.tournaments.time_limits import find_end, list_counting
from scorekeeper.tournaments.values import ClockChange, Ruling
from tests.evenings import event, struck
from tests.tournaments.hall import (
    STAGE,
    closed,
    drawn,
    opening,
    published,
    registrations,
    tournament,
)
from tests.tournaments.tables import Table

FIVE = ("e1", "e2", "e3", "e4", "e5")


def rule(**data: Any) -> PointRule:
    return codec.build_declared(PointRule, data)


def scores(*totals: int, hands: int = 10) -> dict[str, EntrantScore]:
    return {f"e{n}": EntrantScore(total, hands, 0, 0, None) for n, total in enumerate(totals, 1)}


# A rule, the scores of a table, and the points.
POINTS: list[tuple[dict[str, Any], Sequence[int], Sequence[str | int]]] = [
    ({"by": "places"}, (9, 7, 5, 3, 1), (4, 2, 0, -2, -4)),
    ({"by": "places"}, (9, 7, 7, 3, 1), (4, 1, 1, -2, -4)),
    ({"by": "places"}, (8, 8, 1, 0), (2, 2, -1, -3)),
    ({"by": "places"}, (5, 5, 5, 0), (1, 1, 1, -3)),
    ({"by": "places"}, (1, 1, 1, 1, 1, 1), (0, 0, 0, 0, 0, 0)),
    ({"by": "places", "tables": {"5": [5, 4, 3, 2, 1]}}, (9, 7, 7, 3, 1), (5, "7/2", "7/2", 2, 1)),
    ({"by": "places", "tables": {"5": [10, 7, 4, 2, 0]}}, (9, 9, 9, 3, 3), (7, 7, 7, 1, 1)),
    ({"by": "places", "tables": {"3": [5, 3, 0]}}, (1, 1, 1), ("8/3", "8/3", "8/3")),
    ({"by": "score"}, (12, -4, -8), (12, -4, -8)),
    ({"by": "score", "per_hand": True}, (12, -4, -8), ("6/5", "-2/5", "-4/5")),
    ({"by": "match"}, (71, 49), (2, 0)),
    ({"by": "match"}, (60, 60), (1, 1)),
    ({"by": "match", "won": 3}, (49, 71), (0, 3)),
    ({"by": "match"}, (71, 71, 49, 49), (2, 2, 0, 0)),
    ({"by": "match", "scale": [{"from": 0, "points": 1, "other": 1},
                               {"from": 10, "points": "3/2", "other": "1/2"},
                               {"from": 50, "points": 2, "other": 0}]}, (71, 49), ("3/2", "1/2")),
]  # fmt: skip


@pytest.mark.parametrize(("data", "totals", "points"), POINTS)
def test_points_follow_from_scores(
    data: dict[str, Any], totals: Sequence[int], points: Sequence[str | int]
) -> None:
    computed = compute_table_points(rule(**data), scores(*totals))
    assert list(computed.values()) == [Fraction(figure) for figure in points]


@pytest.mark.parametrize("entrants", range(2, 8))
def test_default_places_add_up_to_nothing(entrants: int) -> None:
    assert sum(list_place_points(rule(by="places"), entrants)) == 0


# ---------------------------------------------------------------------------- real tables


def played_table(hands: int = 3) -> Table:
    table = Table("first", FIVE, 7, "briscola_chiamata")
    table.play(hands)
    return table


def test_score_of_a_table_is_that_of_its_session() -> None:
    table = played_table()
    table.log.append(event("penalty_given", side="e3", points=-4, reason="talked", spread="others"))
    held = tournament(opening(), *registrations(5), drawn(1, (1, 2, 3, 4, 5)),
                      published(1, "first"))  # fmt: skip
    points = score_table(held.state, held.state.rounds[1], 1, table.result)
    assert points is not None
    totals = table.session().structure.matches[0].standing().totals
    assert {entrant: score.score for entrant, score in points.scores.items()} == totals
    assert sum(points.points.values()) == 0
    assert points.provisional  # nobody has confirmed, and the round goes on
    best = max(score for hand in table.result.hands for score in hand.scores.values())
    assert max(score.best or 0 for score in points.scores.values()) == best


def test_points_are_provisional_until_the_round_is_closed_or_while_in_dispute() -> None:
    table = played_table()
    events = [opening(), *registrations(5), drawn(1, (1, 2, 3, 4, 5)), published(1, "first")]
    held = tournament(*events, closed(1))

    def provisional() -> bool:
        points = score_table(held.state, held.state.rounds[1], 1, table.result)
        assert points is not None
        return points.provisional

    assert not provisional()
    table.log.append(event("hand_disputed", player="e1", reason="my ace"))
    assert provisional()


def test_seating_and_substitutes_decide_whose_scores_they_are() -> None:
    table = played_table()
    totals = table.result.totals
    substitute = event("entrant_replaced", entrant="e6", player="e6",
                       substitute={"id": "e1", "name": "Sub"}, from_round=1)  # fmt: skip
    entrants = [raw for raw in registrations(6) if raw["data"]["id"] != "e1"]
    held = tournament(
        opening(), *entrants, substitute, drawn(1, (6, 2, 3, 4, 5)), published(1, "first"),
        event("seating_corrected", round=1, table=1, players={"e2": "e3", "e3": "e2"}),
    )  # fmt: skip
    points = score_table(held.state, held.state.rounds[1], 1, table.result)
    assert points is not None
    got = {entrant: score.score for entrant, score in points.scores.items()}
    assert got == {"e6": totals["e1"], "e2": totals["e3"], "e3": totals["e2"],
                   "e4": totals["e4"], "e5": totals["e5"]}  # fmt: skip


def test_corrected_hand_moves_points() -> None:
    table = played_table(2)
    before = table.result
    table.log.append(struck(len(table.log)))  # the count of the second hand
    after = table.result
    assert len([hand for hand in after.hands if hand.complete]) == 1
    assert after.totals != before.totals


# ------------------------------------------------------------------------------- the clock


def hand(number: int, minute: int, ended: int, **points: int) -> TableHand:
    """Return a hand that was begun and ended so many minutes after eight."""
    return TableHand(number, points, True, False, True, False, f"2026-11-21T20:{minute:02}:00.000Z",
                     f"2026-11-21T20:{ended:02}:00.000Z", None)  # fmt: skip


HANDS = (hand(1, 0, 9, e1=1), hand(2, 10, 19, e1=2), hand(3, 21, 29, e1=4), hand(4, 30, 39, e1=8),
         hand(5, 40, 49, e1=16))  # fmt: skip


def clock_of(*changes: tuple[str, int, Mapping[str, Any]]) -> Any:
    """Return a round whose clock changed so, each at a minute after eight."""
    held = tournament(opening(), *registrations(5), drawn(1, (1, 2, 3, 4, 5)),
                      published(1, "first"))  # fmt: skip
    kinds = {"round_started": "start", "time_added": "add", "clock_stopped": "stop"}
    clock = tuple(
        ClockChange(kinds[kind], data.get("minutes", 0), data.get("table"),
                    f"2026-11-21T20:{minute:02}:00.000Z", 20)
        for kind, minute, data in changes
    )  # fmt: skip
    return replace(held.state.rounds[1], clock=clock)


START = ("round_started", 0, {"minutes": 25})


@pytest.mark.parametrize(
    ("at_time", "numbers"),
    [(None, [1, 2, 3]), ("finish", [1, 2, 3]), ("one_more", [1, 2, 3, 4]), ("stop", [1, 2]),
     ("play_out", [1, 2, 3, 4, 5])],
)  # fmt: skip
def test_hands_in_time_count(at_time: str | None, numbers: list[int]) -> None:
    stage = codec.build_declared(Stage, STAGE)
    stage = replace(stage, at_time=at_time)
    played = PlayedTable("first", "", "", "", {"e1": 31}, {}, HANDS, unended=False)
    drawn_round = clock_of(START)
    counting = [hand.number for hand in list_counting(played, stage, drawn_round, 1)]
    assert counting == numbers
    ruled = replace(
        drawn_round, rulings={(1, 5): Ruling(True, "x", 9), (1, 1): Ruling(False, "x", 9)}
    )
    now = [hand.number for hand in list_counting(played, stage, ruled, 1)]
    assert now == sorted({*numbers, 5} - {1})


@pytest.mark.parametrize(
    ("changes", "end"),
    [
        ([], None),
        ([START], "20:25"),
        ([START, ("time_added", 20, {"minutes": 5})], "20:30"),
        ([START, ("time_added", 20, {"minutes": 5, "table": 1})], "20:30"),
        ([START, ("time_added", 20, {"minutes": 5, "table": 2})], "20:25"),
        ([START, ("clock_stopped", 10, {})], None),
        ([START, ("clock_stopped", 10, {}), ("round_started", 20, {"minutes": 15})], "20:35"),
    ],
)  # fmt: skip
def test_clock_of_a_table(changes: Any, end: str | None) -> None:
    found = find_end(clock_of(*changes), 1)
    assert (found and found.strftime("%H:%M")) == end


def test_hands_after_time_change_the_score() -> None:
    events = [opening(), *registrations(5), drawn(1, (1, 2, 3, 4, 5)), published(1, "first")]
    held = tournament(*events)
    penalties = {"e1": -3}
    played = PlayedTable("first", "", "", "", {"e1": 28, **dict.fromkeys(FIVE[1:], 0)}, penalties,
                         HANDS, unended=False)  # fmt: skip
    points = score_table(held.state, clock_of(START), 1, played)
    assert points is not None
    assert points.scores["e1"].score == 1 + 2 + 4 - 3
    whole = score_table(held.state, held.state.rounds[1], 1, played)
    assert whole is not None
    assert whole.scores["e1"].score == 28


def test_drawn_match_of_a_knock_out_is_played_on_until_it_is_decided() -> None:
    stage = {"draw": "knockout", "points": "match"}
    held = tournament(opening(stage, game="picchetto"), *registrations(2), drawn(1, (1, 2)),
                      published(1, "first"))  # fmt: skip
    hands = (hand(1, 0, 9, e1=5, e2=5), hand(2, 30, 39, e1=3, e2=3), hand(3, 40, 49, e1=0, e2=9),
             hand(4, 50, 59, e1=30, e2=0))  # fmt: skip
    played = PlayedTable("first", "", "", "", {"e1": 38, "e2": 17}, {}, hands, unended=False)
    timed = clock_of(START)
    timed = replace(held.state.rounds[1], clock=timed.clock)
    points = score_table(held.state, timed, 1, played)
    assert points is not None
    assert {entrant: score.score for entrant, score in points.scores.items()} == {"e1": 8, "e2": 17}
    ruled = replace(timed, rulings={(1, 3): Ruling(False, "no cards were dealt", 9)})
    points = score_table(held.state, ruled, 1, played)
    assert points is not None
    assert points.points["e1"] == 2

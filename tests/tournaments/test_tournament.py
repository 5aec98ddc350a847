"""A tournament's log: ``tournaments.state``, ``record``, ``values``, ``events``, and its steps.

That is ``tournaments.record``, ``tournaments.values``, ``tournaments.events``,
``tournaments.entrant_steps`` and ``tournaments.round_steps``.
"""

import random
from contextlib import suppress
from copy import deepcopy
from dataclasses import fields
from fractions import Fraction
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.base.errors import UnusableError
from scorekeeper.log import codec
from scorekeeper.log.writing import sealed_lines
from scorekeeper.tournaments.events import TOURNAMENT_EVENTS
from scorekeeper.tournaments.state import TournamentState
from scorekeeper.tournaments.tournament import TYPES, Tournament
from tests.evenings import AT, Raw, as_a_set, by_hand, event, inserted, replaced, struck
from tests.tournaments.hall import (
    HASH,
    add,
    closed,
    drawn,
    opening,
    published,
    registered,
    registrations,
    tournament,
)

TEN = [opening(), *registrations(10)]
TABLES = ((1, 2, 3, 4, 5), (6, 7, 8, 9, 10))
SCORES = {"e6": 4, "e7": 2, "e8": 0, "e9": -2, "e10": -4}
PLAYED = [*TEN, drawn(1, *TABLES), published(1, "first", None)]

# What is refused after which events, the field, and a part of the message.
REFUSED: list[tuple[list[Raw], Raw, str, str]] = [
    ([], event("entrant_present", entrant="e1"), "type", "begins with tournament_opened"),
    ([opening()], opening(), "type", "may be only the first event"),
    ([], opening(zone="Europe/Bologna"), "data.zone", "a time zone, such as Europe/Rome"),
    ([], opening(game="bridge"), "data.game", 'no game "bridge" is installed here'),
    ([], opening(options={"speed": 1}), "data.options", "speed"),
    ([], opening(prizes={"x1": 100}), "data.prizes", "prizes are by place"),
    # entrants
    (TEN, registered("e1"), "data.id", "belongs to E1 already"),
    (TEN, event("entrant_registered", id="x", name="e 1", players=[{"id": "x", "name": "X"}]),
     "data.name", "E1 has entered already"),
    (TEN, registered("pair", "p1", "p2"), "data.players", "each enters alone, got 2"),
    (TEN, registered("x", "e1"), "data.players", 'the player "e1" is E1, who plays for E1'),
    ([opening(entrants="pairs", game="knock")], registered("x", "p"), "data.players",
     "a pair has two players"),
    ([opening(entrants="pairs", game="knock")], registered("x", "p", "p"), "data.players",
     "two people"),
    (TEN, event("entrant_present", entrant="zoe"), "data.entrant", "an entrant of this tournament"),
    ([*TEN, event("entrant_present", entrant="e1")], event("entrant_present", entrant="e1"),
     "data.entrant", "E1 is present already"),
    (TEN, event("entrant_paid", entrant="e1"), "data.entrant", "has no fee"),
    ([*TEN, event("entrant_withdrawn", entrant="e1", from_round=2)],
     event("entrant_withdrawn", entrant="e1", from_round=3), "data.entrant",
     "E1 has withdrawn from round 2 on already"),
    (PLAYED, event("entrant_withdrawn", entrant="e7", from_round=1), "data.from_round",
     "round 1 is published with E7 at table 2: withdraw from round 2 on"),
    (TEN, event("entrant_replaced", entrant="e1", player="e2", substitute={"id": "s", "name": "S"},
                from_round=1), "data.player", 'E1 has no player "e2", but e1'),
    (TEN, event("entrant_replaced", entrant="e1", player="e1", substitute={"id": "s", "name": "S"},
                from_round=3, to_round=2), "data.to_round", "rounds from 3 to 2 are none"),
    (TEN, event("entrant_replaced", entrant="e1", player="e1",
                substitute={"id": "e2", "name": "S"}, from_round=1),
     "data.substitute", 'the player "e2" is E2'),
    ([*TEN, event("entrant_replaced", entrant="e1", player="e1",
                  substitute={"id": "s", "name": "Sub"}, from_round=2)],
     event("entrant_replaced", entrant="e1", player="e1", substitute={"id": "t", "name": "T"},
           from_round=1), "data.from_round", "Sub plays for E1 in round 2"),
    # the draw
    (TEN, drawn(1, (1, 2, 3, 4, 5), (5, 6, 7, 8, 9)), "data.tables", "E5 is drawn twice"),
    (TEN, drawn(1, *TABLES, byes=(3,)), "data.byes", "E3 sits out and is at a table"),
    (TEN, drawn(1, (1, 2, 3, 4, 5), byes=(6, 6)), "data.byes", "sits out twice"),
    (TEN, drawn(1, (1, 2, 3, 4)), "data.tables.0",
     "table 1 has 4 entrants; here a table has 5 or 6"),
    (TEN, drawn(1, (1, 2, 3, 4, 11)), "data.tables", "an entrant of this tournament"),
    (TEN, drawn(2, *TABLES), "data.round", "the next round to draw is round 1"),
    (TEN, drawn(1, *TABLES, stage=2), "data.stage", "a stage from 1 to 1"),
    ([*TEN, event("entrant_withdrawn", entrant="e2", from_round=1)], drawn(1, *TABLES),
     "data.tables", "E2 has withdrawn from round 1 on"),
    ([*TEN, registered("e11", from_round=2)], drawn(1, (1, 2, 3, 4, 11)), "data.tables",
     "E11 plays from round 2 on"),
    ([*TEN, event("entrant_present", entrant="e1")], drawn(1, *TABLES), "data.tables",
     "E2 is not noted as present"),
    (PLAYED, drawn(1, *TABLES), "data.round", "round 1 is published, and cannot be drawn again"),
    (PLAYED, drawn(2, *TABLES), "data.round", "round 1 is not closed: close it first"),
    ([opening({"rounds": 1}), *TEN[1:], drawn(1, *TABLES)], drawn(2, *TABLES), "data.stage",
     "Rounds has 1 rounds, and all are drawn"),
    # publication and results
    (TEN, published(1, "first"), "data.round", "round 1 is not drawn"),
    (PLAYED, published(1, "first", None), "data.round", "round 1 is published already"),
    ([*TEN, drawn(1, *TABLES)], published(1, "first"), "data.sessions",
     "for each table from 1 to 2"),
    ([*TEN, drawn(1, *TABLES)], published(1, "first", "first"), "data.sessions.2",
     "belongs to another table"),
    ([*TEN, drawn(1, *TABLES), event("entrant_withdrawn", entrant="e1", from_round=1)],
     published(1, None, None), "data.round", "E1 is drawn in round 1 and has withdrawn"),
    ([*TEN, drawn(1, *TABLES)], event("round_started", round=1, minutes=30), "data.round",
     "round 1 is not published"),
    ([*PLAYED, event("round_started", round=1, minutes=30)],
     event("round_started", round=1, minutes=30), "data.round", "runs already"),
    (PLAYED, event("clock_stopped", round=1), "data.round", "does not run"),
    (PLAYED, event("time_added", round=1, minutes=3), "data.round", "was not started"),
    (PLAYED, event("time_added", round=1, minutes=3, table=3), "data.table", "a table from 1 to 2"),
    (PLAYED, event("seats_exchanged", round=1, entrants=["e1", "e2"], reason="x"), "data.entrants",
     "E1 and E2 are at one place"),
    ([*TEN, registered("e11"), *PLAYED[11:]],
     event("seats_exchanged", round=1, entrants=["e1", "e11"], reason="x"), "data.entrants.1",
     "E11 is not drawn in round 1"),
    (PLAYED, event("seating_corrected", round=1, table=2, players={"e1": "e2"}), "data.table",
     "table 2 of round 1 is on paper"),
    (PLAYED, event("seating_corrected", round=1, table=1, players={"e1": "e2", "e2": "e2"}),
     "data.players", "E2 cannot be 2 players of one table"),
    (PLAYED, event("result_recorded", round=1, table=1, scores={}), "data.table",
     "table 1 of round 1 is not on paper"),
    (PLAYED, event("result_recorded", round=1, table=2, scores={"e6": 0}), "data.scores",
     "at table 2 are E6, E7, E8, E9, E10"),
    (PLAYED, event("result_recorded", round=1, table=2, scores={**SCORES, "e6": 5}), "data.scores",
     "the scores of a table add up to 0, got 1"),
    (PLAYED, event("hand_ruled", round=1, table=2, hand=1, counts=True, reason="x"), "data.table",
     "on paper"),
    (PLAYED, event("director_called", round=1, table=1, about="x", caller="zoe"), "data.caller",
     "a player of this tournament"),
    (PLAYED, event("call_answered", call=3), "data.call", "the seq of a call"),
    (TEN, event("points_adjusted", entrant="e1", points=1, round=1, reason="x"), "data.round",
     "round 1 is not drawn"),
    (PLAYED, closed(1, stage=2), "data.stage", "round 1 belongs to stage 1"),
    ([*PLAYED, closed(1)], closed(1), "data.round", "round 1 is closed"),
    ([*PLAYED, closed(1)], event("seats_exchanged", round=1, entrants=["e1", "e6"], reason="x"),
     "data.round", "round 1 is closed"),
    # the close
    (PLAYED, event("tournament_closed", heads={"first": HASH}), "type", "round 1 is not closed"),
    ([*PLAYED, closed(1)], event("tournament_closed", heads={}), "data.heads",
     "the head of the session first is missing"),
    ([*PLAYED, closed(1)], event("tournament_closed", heads={"first": HASH, "x": HASH}),
     "data.heads", "no table has the session x"),
    ([*PLAYED, closed(1)], event("tournament_closed", heads={"first": "x"}), "data.heads.first",
     "the hash of an event"),
    ([*PLAYED, closed(1), event("tournament_closed", heads={"first": HASH})], registered("e11"),
     "type", "the tournament is closed"),
    # the plan
    (TEN, event("plan_changed", stage=2, rounds=3, reason="x"), "data.stage",
     "a stage from 1 to 1"),
    (TEN, event("plan_changed", stage=1, hands=7, reason="x"), "data.hands", "not all can play 7"),
    (PLAYED, event("plan_changed", stage=1, points="score", reason="x"), "data.points",
     "round 1 is drawn by these rules: points can no longer change"),
    ([*TEN, drawn(1, *TABLES), drawn(2, *TABLES)],
     event("plan_changed", stage=1, rounds=1, reason="x"), "data.rounds", "2 rounds of this stage"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "raw", "field", "words"), REFUSED)
def test_impossible_events_are_refused(before: list[Raw], raw: Raw, field: str, words: str) -> None:
    held = tournament(*before)
    state = deepcopy(held.state)
    with pytest.raises(UnusableError) as refused:
        add(held, raw)
    assert refused.value.field.startswith(field)
    assert words in refused.value.reason
    assert held.state == state


def test_event_of_a_stranger_is_refused() -> None:
    held = tournament(*TEN)
    with pytest.raises(UnusableError, match="a player of this tournament, keeper or import"):
        add(held, event("note_added", text="x"), by="zoe")
    add(held, event("note_added", text="x"), by="e1")


def test_a_round_is_drawn_again_until_it_is_published() -> None:
    again = ((1, 6, 2, 7, 3), (8, 4, 9, 5, 10))
    held = tournament(*TEN, drawn(1, *TABLES), drawn(1, *again))
    assert held.state.rounds[1].tables[0] == ("e1", "e6", "e2", "e7", "e3")
    assert not held.state.rounds[1].published
    add(held, published(1, "first", None))
    assert held.state.list_sessions() == {"first": (1, 1)}


def test_all_rounds_of_a_stage_are_drawn_at_once_or_one_early() -> None:
    held = tournament(*TEN, *(drawn(number, *TABLES) for number in (1, 2, 3)))
    add(held, published(1, None, None))
    with pytest.raises(UnusableError, match="round 3 is not closed"):
        add(held, drawn(4, *TABLES))
    add(held, drawn(4, *TABLES, early=True))
    assert list(held.state.rounds) == [1, 2, 3, 4]


def test_next_stage_begins_when_the_last_round_is_closed() -> None:
    stages = ({"rounds": 2}, {"name": "Final", "rounds": 1})
    held = tournament(opening(*stages), *registrations(10), drawn(1, *TABLES),
                      published(1, None, None))  # fmt: skip
    final = drawn(2, TABLES[0], stage=2)
    with pytest.raises(UnusableError, match="round 1 is not closed"):
        add(held, final)
    add(held, closed(1))
    add(held, final)  # the second round of the first stage is not played
    with pytest.raises(UnusableError, match="round 3 belongs to stage 2"):
        add(held, drawn(3, *TABLES))


def test_late_entries_withdrawals_and_substitutes_decide_who_can_be_drawn() -> None:
    held = tournament(
        *TEN, registered("e11", from_round=2),
        event("entrant_withdrawn", entrant="e1", from_round=3),
        event("entrant_replaced", entrant="e2", player="e2",
              substitute={"id": "sub", "name": "Sub"}, from_round=2, to_round=2),
    )  # fmt: skip
    state = held.state
    names = [{entrant.id for entrant in state.list_drawable(number)} for number in (1, 2, 3)]
    assert [names[1] - names[0], names[1] - names[2]] == [{"e11"}, {"e1"}]
    assert [state.entrants["e2"].list_players(number) for number in (1, 2, 3)] == [
        ["e2"], ["sub"], ["e2"],
    ]  # fmt: skip
    add(held, event("entrant_present", entrant="e4"))
    assert [entrant.id for entrant in held.state.list_drawable(1)] == ["e4"]


def test_seats_are_exchanged_also_with_a_bye() -> None:
    held = tournament(*TEN, registered("e11"), drawn(1, *TABLES, byes=(11,)))
    add(held, event("seats_exchanged", round=1, entrants=["e11", "e7"], reason="ill"))
    assert held.state.rounds[1].tables[1] == ("e6", "e11", "e8", "e9", "e10")
    assert held.state.rounds[1].byes == ("e7",)


def test_clock_calls_results_and_rulings_are_kept() -> None:
    held = tournament(
        *PLAYED, event("round_started", round=1, minutes=30), event("clock_stopped", round=1),
        event("time_added", round=1, minutes=5, table=2),
        event("round_started", round=1, minutes=12),
        event("director_called", round=1, table=1, about="a card fell", caller="e3"),
        event("call_answered", call=18, text="play on"),
        event("result_recorded", round=1, table=2, scores=SCORES, hands=10),
        event("result_assigned", round=1, entrant="e1", points="7/2", reason="ruling"),
        event("hand_ruled", round=1, table=1, hand=4, counts=False, reason="late"),
        event("points_adjusted", entrant="e9", points=-1, reason="phone"),
        event("lot_drawn", order=["e2", "e3"]),
        event("seating_corrected", round=1, table=1, players={"e1": "e2", "e2": "e1"}),
    )  # fmt: skip
    state, played = held.state, held.state.rounds[1]
    assert [(change.kind, change.minutes) for change in played.clock] == [
        ("start", 30), ("stop", 0), ("add", 5), ("start", 12),
    ]  # fmt: skip
    assert played.running
    assert (state.calls[18].about, state.calls[18].answer) == ("a card fell", "play on")
    assert played.paper[2].scores == SCORES
    assert played.assigned["e1"].points == Fraction(7, 2)
    assert not played.rulings[1, 4].counts
    assert state.adjustments[0].points == -1
    assert state.lots == [("e2", "e3")]
    assert played.seating == {1: {"e1": "e2", "e2": "e1"}}
    with pytest.raises(UnusableError, match="is answered already"):
        add(held, event("call_answered", call=18))


def test_plan_changes_before_a_round_is_drawn_and_the_number_of_rounds_after_it() -> None:
    held = tournament(*TEN, event("plan_changed", stage=1, points="score", hands=10, reason="x"))
    assert (held.state.stages[0].points, held.state.stages[0].hands) == ("score", 10)
    add(held, drawn(1, *TABLES))
    add(held, event("plan_changed", stage=1, rounds=3, minutes=25, reason="late"))
    assert (held.state.stages[0].rounds, held.state.stages[0].minutes) == (3, 25)


def test_correction_replays_the_log_and_is_refused_if_it_breaks_it() -> None:
    held = tournament(*PLAYED)
    with pytest.raises(UnusableError, match="event 12 is no longer valid"):
        add(held, struck(5))
    turned = drawn(1, TABLES[0], TABLES[1][::-1])
    for raw in as_a_set([replaced(12, turned["type"], **turned["data"]),
                         inserted(1, "note_added", text="x")]):  # fmt: skip
        add(held, raw)
    assert held.state.rounds[1].tables[1][0] == "e10"


def test_a_log_by_hand_is_read_and_its_fault_named() -> None:
    held = Tournament.read(BytesIO(by_hand(PLAYED)))
    assert (held.events, list(held.state.rounds)) == (len(PLAYED), [1])
    with pytest.raises(UnusableError, match="line 14"):
        Tournament.read(BytesIO(by_hand([*PLAYED, registered("e1")])))


def test_exact_figures_keep_their_form() -> None:
    data = {"entrant": "e1", "points": "-7/2", "reason": "x"}
    decoded: Any = codec.decode("points_adjusted", data, TYPES)
    assert decoded.points == Fraction(-7, 2)
    assert codec.encode(decoded) == data
    for value in (
        "14/4",
        "7/1",
        "7/0",
        "+7/2",
        "7",
        2.5,
        True,
        2_000_000_000,
        "1/2000",
        "/2",
        "²/3",
    ):
        with pytest.raises(UnusableError, match="a whole number, or a fraction"):
            codec.decode("points_adjusted", {**data, "points": value}, TYPES)


# ------------------------------------------------------------------------- random logs


def anything(rng: random.Random, length: int) -> Raw:
    """Any event of a tournament, often one that can come next."""
    number, who = rng.randint(1, 3), rng.randint(1, 12)
    order = rng.sample(range(1, 11), 10)
    plain = [
        drawn(number, order[:5], order[5:]), drawn(number, order[:5], byes=order[5:]),
        published(number, f"s{rng.randint(1, 9)}", None), closed(number), registered(f"e{who}"),
        event("round_started", round=number, minutes=30), event("clock_stopped", round=number),
        event("entrant_withdrawn", entrant=f"e{who}", from_round=number),
        event("entrant_present", entrant=f"e{who}"),
        event("seats_exchanged", round=number, entrants=["e1", f"e{who}"], reason="x"),
        event("result_assigned", round=number, entrant=f"e{who}", points="1/2", reason="x"),
        event("seating_corrected", round=number, table=1, players={"e1": f"e{who}"}),
        event("director_called", round=number, table=1, about="x"),
        event("call_answered", call=rng.randint(1, length)),
        event("plan_changed", stage=1, rounds=number, reason="x"),
        event("points_adjusted", entrant=f"e{who}", points=number, reason="x"),
        event("note_added", text="x"),
    ]  # fmt: skip
    raw, seq = rng.choice(plain), rng.randint(2, length + 1)
    return rng.choice([raw, raw, raw, struck(seq), inserted(seq, raw["type"], **raw["data"])])


def values(held: Tournament) -> dict[str, Any]:
    """Everything that a tournament holds."""
    state = {field.name: getattr(held.state, field.name) for field in fields(TournamentState)}
    return {**state, "order": list(held.state.rounds), "end": (held.events, held._steps)}


@given(st.integers(0, 2**32))
def test_trial_leaves_no_trace_and_stored_log_replays_equally(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    held, events = tournament(*TEN), list(TEN)
    for _ in range(40):
        raw = anything(rng, len(events))
        before = deepcopy(values(held))
        held.begin_trial()
        with suppress(UnusableError):
            add(held, raw)
        if rng.random() < 0.3:
            held.end_trial(take_back=True)
            assert values(held) == before
        else:
            held.end_trial()
            events += [raw] * (held.events - len(events))
    lines = sealed_lines([(raw["type"], raw["data"]) for raw in events], AT)
    stored = Tournament()
    stored.add_stored_lines(line.rstrip(b"\n") for line in lines)
    kept, replayed = values(held), values(stored)
    for name in ("entrants", "stages", "adjustments", "lots"):
        assert kept[name] == replayed[name]
    assert len(kept["rounds"]) == len(replayed["rounds"])


def test_every_event_has_a_step() -> None:
    corrections = {"event_struck", "event_replaced", "event_inserted", "correction_begun"}
    steps = {declared.TYPE for declared in TournamentState._STEPS}
    assert {declared.TYPE for declared in TOURNAMENT_EVENTS} - steps == corrections

"""What a director can do next; ``tournaments.hall_views`` and ``tournaments.table_sessions``."""

from typing import Any

import pytest

from scorekeeper.base.views import to_json_values
from scorekeeper.events.event import Entry
from scorekeeper.log import codec
from scorekeeper.session.session import Session
from scorekeeper.tournaments.hall_views import view_clock, view_tables
from scorekeeper.tournaments.next_steps import list_next_steps
from scorekeeper.tournaments.table_sessions import list_opening_events
from tests.evenings import Raw, event
from tests.tournaments.hall import (
    closed,
    drawn,
    opening,
    published,
    registered,
    registrations,
    tournament,
)
from tests.tournaments.tables import Table

SIX = [opening({"rounds": 2, "minutes": 30}, game="riparto"), *registrations(6)]
DRAWN = [*SIX, drawn(1, (1, 2, 3), (4, 5, 6))]
ON_PAPER = [*DRAWN, published(1, None, "second")]
SCORES = {"e1": 2, "e2": 1, "e3": 0}
RECORDED = [*ON_PAPER, event("round_started", round=1, minutes=30),
            event("result_recorded", round=1, table=1, scores=SCORES)]  # fmt: skip
LAST = [*RECORDED, closed(1), drawn(2, (1, 4, 5), (2, 3, 6)), published(2, None, None)]


@pytest.mark.parametrize(
    ("log", "steps"),
    [
        (SIX[:1], ["register", "draw 1"]),
        (SIX, ["draw 1", "register"]),
        (DRAWN, ["publish 1", "draw 1"]),
        (ON_PAPER, ["start 1", "record 1 [1]"]),
        (
            [*ON_PAPER, event("director_called", round=1, table=2, about="x")],
            ["answer [2]", "start 1", "record 1 [1]"],
        ),
        (RECORDED, ["close_round 1"]),
        ([*RECORDED, closed(1)], ["draw 2", "close_tournament"]),
        ([*LAST, closed(2)], ["close_tournament"]),
        ([*LAST, closed(2), event("tournament_closed", heads={"second": "0" * 64})], []),
    ],
)
def test_steps_lead_through_the_evening(log: list[Raw], steps: list[str]) -> None:
    listed = []
    for step in list_next_steps(tournament(*log).state):
        parts = [step.step, step.round, list(step.tables) or None]
        listed.append(" ".join(str(part) for part in parts if part is not None))
    assert listed == steps


# ------------------------------------------------------------------------------- table sessions


def opened(log: list[Raw], table: int = 1) -> tuple[Session, list[tuple[str, Any]]]:
    """Return the session of a table of round 1, and the events that open it."""
    state = tournament(*log).state
    events = list_opening_events(state, state.rounds[1], table)
    session = Session.of(
        Entry(seq, codec.decode(kind, data)) for seq, (kind, data) in enumerate(events, 1)
    )
    return session, events


def test_session_of_a_table_begins_its_match_by_the_rules_of_the_tournament() -> None:
    stake = {"currency": "EUR", "point": 10, "match": 0}
    log = [opening({"hands": 10}, stake=stake, place="Bologna", options={"max_bid": 115}),
           *registrations(11), drawn(1, (1, 2, 3, 4, 5), (6, 7, 8, 9, 10, 11))]  # fmt: skip
    for table, hands in ((1, 10), (2, 12)):
        session, events = opened(log, table)
        (match,) = session.structure.matches
        assert events[1][1]["options"] == {"max_bid": 115, "match_end": {"hands": hands}}
        assert events[1][1]["stake"] == stake
        assert events[0][1]["place"] == "Bologna"
        assert events[0][1]["title"] == f"Sagra 1/{table}"
        assert len(match.seats) == 4 + table


def test_pairs_sit_opposite_and_substitutes_in_their_places() -> None:
    substitute = {"id": "sub", "name": "Sub"}
    log = [opening(entrants="pairs", game="knock"), registered("one", "a", "b"),
           registered("two", "c", "d"),
           event("entrant_replaced", entrant="two", player="d", substitute=substitute,
                 from_round=1),
           event("round_drawn", stage=1, round=1, tables=[["one", "two"]], byes=[], heads={},
                 generator={"name": "by_hand", "version": 1, "seed": 0})]  # fmt: skip
    session, _ = opened(log)
    (match,) = session.structure.matches
    assert list(match.sides.values()) == [("a", "b"), ("c", "sub")]
    assert session.structure.players["sub"] == "Sub"


# ------------------------------------------------------------------------------ tables and clock


def test_tables_show_scores_hands_and_calls() -> None:
    held = tournament(*RECORDED, event("director_called", round=1, table=2, about="x"))
    table = Table("second", ["e4", "e5", "e6"], 1, "riparto")
    table.play()
    view = to_json_values(view_tables(held.state, held.state.rounds[1], {"second": table.result}))
    paper, phones = view["tables"]
    assert [entrant["points"] for entrant in paper["entrants"]] == [2, 0, -2]
    assert (paper["session"], paper["missing"], paper["hands"]) == (None, False, 0)
    assert (phones["session"], phones["hands"], len(phones["calls"])) == ("second", 1, 1)
    scores = {entrant["entrant"]: entrant["score"] for entrant in phones["entrants"]}
    assert scores == dict(table.result.totals)
    missing = view_tables(held.state, held.state.rounds[1], {}).tables[1]
    assert missing.missing


@pytest.mark.parametrize(
    ("events", "left", "ends"),
    [
        ([], None, False),
        ([event("round_started", round=1, minutes=30)], 1800, True),
        ([event("round_started", round=1, minutes=30), event("clock_stopped", round=1)],
         1799, False),
        ([event("round_started", round=1, minutes=30), event("clock_stopped", round=1),
          event("time_added", round=1, minutes=2)], 1919, False),
        ([event("round_started", round=1, minutes=30),
          event("time_added", round=1, minutes=2, table=1)], 1800, True),
        ([event("round_started", round=1, minutes=1), event("time_added", round=1, minutes=1)],
         120, True),
    ],
)  # fmt: skip
def test_clock_says_how_much_is_left(events: list[Raw], left: int | None, *, ends: bool) -> None:
    held = tournament(*ON_PAPER, *events)
    started = len(ON_PAPER) + 1
    now = f"2026-11-21T20:00:{started:02}.000Z"
    clock = view_clock(held.state.rounds[1], now)
    assert clock.seconds_left == left
    assert (clock.ends_at is not None) is ends is clock.running


def test_before_the_first_round_there_is_no_table_and_no_clock() -> None:
    assert view_tables(tournament(*SIX).state, None, {}).tables == []
    assert view_clock(None, "2026-11-21T20:00:00.000Z").seconds_left is None

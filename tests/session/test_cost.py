"""Limits on the work that a log causes: a long session is accepted, an attack is not."""

import sys
import time
from collections.abc import Iterator
from itertools import count, islice, pairwise

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.session import session as session_module
from scorekeeper.session import structure as record_module
from scorekeeper.session.session import MAX_STEPS
from tests.evenings import (
    Evening,
    Raw,
    build_report,
    event,
    inserted,
    opening,
    play_hand,
    replaced,
    riparto,
    struck,
)

NOTE = event("note_added", text="")
CLAIM = event("score_claimed", scores={"mara": 1})
DEALERS = ("mara", "leo", "nina")
FIVE = ["mara", "leo", "nina", "ugo", "pia"]


def long_evening(hands: int) -> Evening:
    evening = riparto()
    for number in range(hands):
        play_hand(evening, DEALERS[number % 3])
        evening.say("hand_confirmed", player="leo")
    return evening


def test_a_long_evening_with_hundreds_of_corrections_is_far_from_the_limit() -> None:
    evening = long_evening(100)
    for number in range(100):
        start = 3 + number * 4
        evening.replace(start, "hand_started", dealer=DEALERS[(number + 1) % 3])
        evening.replace(start + 1, "bid_made", player="mara", points=4)
        evening.strike(len(evening.log))
        evening.insert(start + 2, "penalty_given", side="leo", points=-1, reason="")
    assert evening.match()["totals"] == {"mara": 500, "leo": -100, "nina": 0}
    assert evening.session.corrections.steps < MAX_STEPS / 10


def test_to_read_a_session_otherwise_costs_a_step_for_each_event() -> None:
    evening = long_evening(3)
    steps = evening.session.corrections.steps
    evening.session.replace_entries({})
    assert evening.session.corrections.steps == steps + len(evening.log)


def test_what_was_refused_costs_nothing_later() -> None:
    evening = long_evening(3)
    steps = evening.session.corrections.steps
    for _ in range(5):
        with pytest.raises(UnusableError):
            evening.strike(2)
        with pytest.raises(UnusableError):
            evening.replace(4, "bid_made", player="ugo", points=1)
    assert evening.session.corrections.steps == steps


def test_each_strike_of_the_same_correction_costs_more_than_the_last() -> None:
    evening = long_evening(3)
    correction, total, costs = evening.strike(4), [], []
    for _ in range(5):
        total.append(evening.session.corrections.steps)
        evening.strike(correction)
    total.append(evening.session.corrections.steps)
    costs = [after - before for before, after in pairwise(total)]
    assert costs == sorted(set(costs))


# ------------------------------------------------------------------------------- hostile logs

Hostile = Iterator[Raw]
START = [*riparto().log, event("hand_started", dealer="mara")]
COMPLETE = [event("bid_made", player="mara", points=5),
            event("points_counted", points={"mara": 5, "leo": 10})]  # fmt: skip


def far_back() -> Hostile:
    yield from [NOTE] * 300
    for _ in count():
        yield inserted(1, "note_added", text="")


def the_start_again() -> Hostile:
    yield from [NOTE] * 300
    for _ in count():
        yield replaced(3, "hand_started", dealer="leo")


def strike_upon_strike() -> Hostile:
    yield NOTE
    for seq in count(4):
        yield struck(seq)


def strikes_of_one_event() -> Hostile:
    yield NOTE
    for _ in count():
        yield struck(4)


def one_after_the_other() -> Hostile:
    """Each after the one inserted before it, and then again and again after the first."""
    yield NOTE
    for seq in range(4, 200):
        yield inserted(seq, "note_added", text="")
    for _ in count():
        yield inserted(4, "note_added", text="")


def one_very_long_hand() -> Hostile:
    yield from [CLAIM] * 300
    for _ in count():
        yield replaced(4, "score_claimed", scores={})


def an_early_hand_of_many() -> Hostile:
    for number in range(300):
        yield event("hand_started", dealer=DEALERS[number % 3])
    for _ in count():
        yield inserted(3, "score_claimed", scores={})


def signed_after_every_claim() -> Hostile:
    yield from COMPLETE
    for _ in count():
        yield CLAIM
        yield event("hand_confirmed", player="leo")


def fined_after_every_claim() -> Hostile:
    for _ in count():
        yield CLAIM
        yield event("penalty_given", side="leo", points=1, reason="")


def begun(count: int) -> Raw:
    return event("correction_begun", count=count, reason="")


def sets_far_back() -> Hostile:
    yield from [NOTE] * 300
    for _ in count():
        yield begun(20)
        yield from [inserted(1, "note_added", text="")] * 20


def sets_upon_sets() -> Hostile:
    """Each set strikes the set before it, twice."""
    yield NOTE
    yield begun(2)
    yield from [struck(4)] * 2
    for seq in count(5, 3):
        yield begun(2)
        yield from [struck(seq)] * 2


HOSTILE = [
    sets_far_back, sets_upon_sets,
    far_back, the_start_again, strike_upon_strike, strikes_of_one_event, one_after_the_other,
    one_very_long_hand, an_early_hand_of_many, signed_after_every_claim, fined_after_every_claim,
]  # fmt: skip


def fill(evening: Evening, hostile: Hostile, most: int) -> None:
    for raw in islice(hostile, most):
        evening.add(raw)


def refused_after(hostile: Hostile, most: int) -> int:
    """How many events came in before one was refused as too much work."""
    evening = Evening(*START)
    with pytest.raises(UnusableError, match="too much work"):
        fill(evening, hostile, most)
    build_report(evening.session)
    return len(evening.log)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_log_that_takes_too_much_work_is_refused(
    hostile: type[Hostile], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "MAX_STEPS", 20_000)
    monkeypatch.setattr(session_module, "STEPS_PER_ENTRY", 0)
    assert refused_after(hostile(), most=3_000) > 50


def test_there_are_not_more_hands_than_anybody_can_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_module, "MAX_HANDS", 100)
    evening = Evening(*START, *[START[-1]] * 99)
    with pytest.raises(UnusableError, match="too much work: more than 100 hands"):
        evening.add(START[-1])
    with pytest.raises(UnusableError, match="too much work"):
        evening.insert(3, "hand_started", dealer="leo")
    assert len(evening.match()["hands"]) == 100


@pytest.mark.soak
@pytest.mark.parametrize("hostile", HOSTILE)
def test_the_worst_of_logs_is_refused_in_bounded_time(hostile: type[Hostile]) -> None:
    started = time.process_time()
    refused_after(hostile(), most=1_000_000)
    assert time.process_time() - started < 90


# ------------------------------------------------------------------ what must not be quadratic


SHOWN = [event("cards_shown", player="mara", cards=["AS", "6S"]),
         event("cards_shown", player="leo", cards=["6S", "AS"])]  # fmt: skip


@pytest.mark.parametrize(
    "tail",
    [
        [event("hand_confirmed", player="leo")],
        [event("hand_disputed", player="leo", reason="")],
        [event("hand_disputed", player="leo", reason="", hand=1),
         event("dispute_settled", ruling="upheld", text="")],
        [event("hand_started", dealer="leo"), event("hand_confirmed", player="leo")],
        SHOWN,
        [event("set_distributed", player="mara", set=1, given={"leo": "6S", "nina": "AS"}),
         event("cards_shown", player="leo", cards=["AS"])],
    ],
    ids=["confirmed", "disputed", "settled", "left behind", "shown", "given and shown"],
)  # fmt: skip
def test_twice_as_many_take_about_twice_as_long(tail: list[Raw]) -> None:
    """In the work that is done: look-ups that grow with the session would double it twice."""
    start = [*START, *COMPLETE]
    assert count_lines_run(start, tail * 120) < 2.4 * count_lines_run(start, tail * 60)


LAY_AWAY = event("cards_laid_away", player="leo", cards=["2D", "4S", "5S", "6S", "7S"])
LOW_BIDS = [event("bid_made", player=player, bid=62) for player in [*FIVE[1:], FIVE[0]]]


@pytest.mark.parametrize(
    ("game", "tail"),
    [
        ("briscola_col_monte", [LAY_AWAY]),
        ("briscola_regina", SHOWN),
        ("briscola_col_monte", LOW_BIDS),
    ],
)
def test_repeated_acts_in_one_hand_take_time_in_proportion(game: str, tail: list[Raw]) -> None:
    start = [opening(*FIVE), event("match_started", game=game, seats=FIVE),
             event("hand_started", dealer="mara")]  # fmt: skip
    once = count_lines_run(start, tail * 60)
    assert count_lines_run(start, tail * 120) < 2.4 * once


def count_lines_run(start: list[Raw], added: list[Raw]) -> int:
    """The lines of Python that run to add events to a session, and to report it."""
    evening = Evening(*start)
    lines = 0

    def trace(frame: object, kind: str, arg: object) -> object:
        nonlocal lines
        lines += kind == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        for raw in added:
            evening.add(raw)
        build_report(evening.session)
    finally:
        sys.settrace(before)
    return lines

"""Random honest play of each game, scored by the code under test and by a simulator.

The simulators in ``tests/players`` are written from the rules alone and share no code with the
games. Every honest record must give the truth, at each level of detail, and raise no alarm.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import SOAK
from tests.players.common import (
    GAMES,
    NAMES,
    Event,
    PlayedHand,
    Scores,
    evening,
    event,
    new_match,
    refused,
    report_of,
    seeded,
)
from tests.players.picchetto import Match as Picchetto
from tests.samples import SAMPLES

SEEDS = st.integers(0, 2**32)
MANY = settings(max_examples=settings().max_examples if SOAK else 4)
# Whole evenings take their time.
FEWER = settings(max_examples=settings().max_examples // 3 if SOAK else 2)
LEVELS = (None, "totals", "tricks", "cards")
COUNTS = {"points_counted", "tricks_counted", "outcome_recorded"}


def alarms(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the findings that an honest record must not raise."""
    return [finding for finding in report["findings"] if finding["severity"] != "info"]


def some_hand(game: str, seed: int) -> tuple[list[Event], PlayedHand]:
    """Return the recorded events before a hand of some match, and the hand."""
    rng = seeded(seed)
    events, match = new_match(rng, game)
    hand = match.play_hand()
    for _ in range(rng.randrange(4)):
        if not match.over:
            records = [hand.records[name] for name, sure in hand.exact.items() if sure]
            shortest = min(records, key=len)
            events += shortest
            hand = match.play_hand()
    return events, hand


@pytest.mark.parametrize("game", GAMES)
@MANY
@given(seed=SEEDS)
def test_every_record_of_a_hand_gives_the_truth_and_no_alarm(game: str, seed: int) -> None:
    before, hand = some_hand(game, seed)
    for name, record in hand.records.items():
        report = report_of([*before, *record])
        scored = report["matches"][0]["hands"][-1]
        expected = hand.expected[name]
        assert {key: scored[key] for key in expected} == expected, name
        assert alarms(report) == [], name
        assert sum_of_lines(scored) == scored["scores"], name


def sum_of_lines(hand: dict[str, Any]) -> dict[str, int]:
    """Return the sum of the lines of a hand for each side."""
    totals = dict.fromkeys(hand["scores"], 0)
    for line in hand["lines"]:
        totals[line["side"]] += line["points"]
    return totals


@pytest.mark.parametrize("game", GAMES)
@MANY
@given(seed=SEEDS)
def test_the_truth_of_a_hand_adds_up(game: str, seed: int) -> None:
    _, hand = some_hand(game, seed)
    if hand.abandoned:
        return
    assert hand.taken is not None
    assert sum(hand.taken.values()) in SAMPLES[game].counts
    assert sum(hand.scores.values()) == 0 or not SAMPLES[game].zero_sum
    assert hand.exact.get("cards", any(hand.exact.values()))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", LEVELS)
@FEWER
@given(seed=SEEDS)
def test_an_evening_ends_as_it_truly_did(game: str, level: str | None, seed: int) -> None:
    truth = evening(seeded(seed), game, level, hands=12)
    report = report_of(truth.events)
    match = report["matches"][0]
    assert [played["scores"] for played in match["hands"]] == [
        played.scores for _, played in truth.hands
    ]
    assert match["totals"] == truth.totals
    assert (match["status"] == "finished") == truth.over
    assert match["winners"] == truth.winners
    assert alarms(report) == []
    if game == "picchetto":
        assert match.get("games", []) == truth.match.games  # type: ignore[attr-defined]
        settled = match.get("reckoning", {}).get("points")
        assert settled == truth.match.settled  # type: ignore[attr-defined]


@given(seed=SEEDS)
def test_what_counted_tricks_leave_open_at_picchetto(seed: int) -> None:
    rng = seeded(seed)
    events, match = new_match(rng, "picchetto")
    fines = [
        event("penalty_given", side=player, points=rng.choice([0, 80, 120, 145]), reason="!")
        for player in match.seats
    ]
    for fine in fines:
        match.penalise(fine["data"]["side"], fine["data"]["points"])
    hand = match.play_hand()
    if hand.abandoned or not isinstance(match, Picchetto):
        return
    if match.deals or "totals" not in hand.records:
        return
    uncalled = [raw for raw in hand.records["totals"] if raw["type"] != "pique_called"]
    report = report_of([*events, uncalled[0], *fines, *uncalled[1:]])
    scores, winner, unclear = match.left_open(hand.taken or {})
    if scores is None:
        return
    assert report["matches"][0]["hands"][-1]["scores"] == scores
    assert report["matches"][0]["games"][0]["winner"] == winner
    assert {finding["code"] for finding in report["findings"]} - {"not_recorded"} == unclear


@FEWER
@given(seed=SEEDS)
def test_the_matches_of_a_session_do_not_touch_each_other(seed: int) -> None:
    rng = seeded(seed)
    players = [{"id": player, "name": name} for player, name in NAMES.items()]
    events = [event("session_opened", title="Friday", players=players)]
    matches = [evening(rng, rng.choice(GAMES), None, hands=3) for _ in range(3)]
    for truth in matches:
        events += [raw for raw in truth.events[1:] if raw["type"] != "session_closed"]
    report = report_of(events)
    for truth, match in zip(matches, report["matches"], strict=True):
        assert [played["scores"] for played in match["hands"]] == [
            played.scores for _, played in truth.hands
        ]
        assert match["totals"] == truth.totals
        ended = truth is not matches[-1] or truth.match.over or events[-1]["type"] == "match_ended"
        assert match["winners"] == ((truth.winners or truth.match.leaders()) if ended else [])
    assert alarms(report) == []


@pytest.mark.parametrize("game", GAMES)
@MANY
@given(seed=SEEDS)
def test_a_false_claim_is_found_and_the_cards_decide(game: str, seed: int) -> None:
    before, hand = some_hand(game, seed)
    if hand.abandoned:
        return
    rng = seeded(seed)
    record = [raw for raw in hand.records["cards"] if raw["type"] not in COUNTS]
    false = {
        "wrong_winner": with_wrong_winner(rng, record),
        "claim_mismatch": [
            *record,
            event("score_claimed", scores=with_one_point_more(rng, hand.scores)),
        ],
        "count_mismatch": [
            *record,
            event("points_counted", points=with_wrong_count(rng, game, hand)),
        ],
    }
    for code, log in false.items():
        report = report_of([*before, *log])
        assert {finding["code"] for finding in alarms(report)} == (
            {code} if log != record else set()
        )
        assert report["matches"][0]["hands"][-1]["scores"] == hand.scores


def with_wrong_winner(rng: Random, record: list[Event]) -> list[Event]:
    """Return the record with one wrong winner of a trick, if it has winners."""
    players = {raw["data"]["player"] for raw in record if raw["type"] == "card_played"}
    tricks = [at for at, raw in enumerate(record) if raw["type"] == "trick_taken"]
    if not tricks:
        return record
    at = rng.choice(tricks)
    data = record[at]["data"]
    other = rng.choice(sorted(players - {data["player"]}))
    return [*record[:at], event("trick_taken", **{**data, "player": other}), *record[at + 1 :]]


def with_one_point_more(rng: Random, scores: Scores) -> Scores:
    """Return scores with one point too many for one side."""
    return scores | {(side := rng.choice(sorted(scores))): scores[side] + 1}


def with_wrong_count(rng: Random, game: str, hand: PlayedHand) -> Scores:
    """Return a count with the right total and a point at the wrong side.

    Picchetto has no total, so one side gets a point too many.
    """
    if game == "picchetto":
        return with_one_point_more(rng, hand.scores)
    taken = hand.taken or {}
    rich = rng.choice([side for side in taken if taken[side]])
    poor = rng.choice([side for side in taken if side != rich])
    return {**taken, rich: taken[rich] - 1, poor: taken[poor] + 1}


@pytest.mark.parametrize("game", GAMES)
@FEWER
@given(seed=SEEDS)
def test_no_hand_needs_what_comes_after_it(game: str, seed: int) -> None:
    truth = evening(seeded(seed), game, None, hands=6)
    for number, (length, totals) in enumerate(truth.ends, 1):
        match = report_of(truth.events[:length])["matches"][0]
        hands = [played for _, played in truth.hands[:number]]
        assert [played["scores"] for played in match["hands"]] == [
            played.scores for played in hands
        ]
        assert match["totals"] == totals
        assert match["status"] == "finished" if match["winners"] else "open"
    cut = seeded(seed).randint(1, len(truth.events))
    assert alarms(report_of(truth.events[:cut])) == []


@pytest.mark.parametrize("game", GAMES)
@FEWER
@given(seed=SEEDS)
def test_an_event_struck_and_the_strike_struck_is_as_before(game: str, seed: int) -> None:
    rng = seeded(seed)
    truth = evening(rng, game, None, hands=4)
    length, _ = truth.ends[-1]
    events = truth.events[:length]
    seq = rng.randint(4, length)
    last = length + 1
    strikes = [
        event("event_struck", seq=seq, reason="did not happen"),
        event("event_struck", seq=last, reason="it did"),
    ]
    if refused([*events, strikes[0]]):  # as when a started match is struck
        return
    assert without_corrections(report_of([*events, *strikes])) == without_corrections(
        report_of(events)
    )


@pytest.mark.parametrize("game", GAMES)
@FEWER
@given(seed=SEEDS)
def test_late_correction_gives_the_same_result_as_a_right_record(game: str, seed: int) -> None:
    rng = seeded(seed)
    truth = evening(rng, game, None, hands=4)
    length, _ = truth.ends[-1]
    events = truth.events[:length]
    at = rng.randrange(2, length)
    true = {**events[at], "reason": "forgotten, or heard wrong"}
    before, after = events[:at], events[at + 1 :]
    alike = [raw for raw in events if raw["type"] == true["type"]]
    wrong = {"type": true["type"], "data": rng.choice(alike)["data"]}
    late = [
        [*before, *after, {"type": "event_inserted", "data": {"after": at, **true}}],
        [*before, wrong, *after, {"type": "event_replaced", "data": {"seq": at + 1, **true}}],
    ]
    for log in late:
        if not refused(log[:-1]):
            assert results_of(report_of(log)) == results_of(report_of(events))


def results_of(report: dict[str, Any]) -> Sequence[Any]:
    """Return the results of a log, without the seqs of its events."""
    keys = ("dealer", "status", "level", "scores", "taken", "winner")
    match = report["matches"][0]
    hands = [[hand[key] for key in keys] for hand in match["hands"]]
    return hands, match["totals"], match["status"], match["winners"], alarms(report)


def without_corrections(report: dict[str, Any]) -> Sequence[Any]:
    """Return a report without the fields that show corrections."""
    hands = [
        [hand_without_corrections(hand) for hand in match.pop("hands")]
        for match in report["matches"]
    ]
    return hands, report["matches"], report["findings"]


def hand_without_corrections(hand: dict[str, Any]) -> dict[str, Any]:
    return {key: hand[key] for key in hand if key not in ("confirmed", "events", "corrections")}

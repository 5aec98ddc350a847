"""Random honest play of each game, scored by the code under test, against what is true of it.

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
MANY = settings(max_examples=settings().max_examples if SOAK else 6)
# Whole evenings take their time.
FEWER = settings(max_examples=settings().max_examples // 3 if SOAK else 2)
LEVELS = (None, "totals", "tricks", "cards")
COUNTS = {"points_counted", "tricks_counted", "outcome_recorded"}


def alarms(told: dict[str, Any]) -> list[dict[str, Any]]:
    """The findings that an honest record must not raise."""
    return [one for one in told["findings"] if one["severity"] != "info"]


def some_hand(game: str, seed: int) -> tuple[list[Event], PlayedHand]:
    """A hand of some match, with all that was recorded before it."""
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
        told = report_of([*before, *record])
        scored = told["matches"][0]["hands"][-1]
        expected = hand.expected[name]
        assert {key: scored[key] for key in expected} == expected, name
        assert alarms(told) == [], name
        assert sum_of_lines(scored) == scored["scores"], name


def sum_of_lines(hand: dict[str, Any]) -> dict[str, int]:
    """What the lines of a hand come to."""
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
    told = report_of(truth.events)
    match = told["matches"][0]
    assert [one["scores"] for one in match["hands"]] == [one.scores for _, one in truth.hands]
    assert match["totals"] == truth.totals
    assert (match["status"] == "finished") == truth.over
    assert match["winners"] == truth.winners
    assert alarms(told) == []
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
    uncalled = [one for one in hand.records["totals"] if one["type"] != "pique_called"]
    told = report_of([*events, uncalled[0], *fines, *uncalled[1:]])
    scores, winner, unclear = match.left_open(hand.taken or {})
    if scores is None:
        return
    assert told["matches"][0]["hands"][-1]["scores"] == scores
    assert told["matches"][0]["games"][0]["winner"] == winner
    assert {one["code"] for one in told["findings"]} - {"not_recorded"} == unclear


@FEWER
@given(seed=SEEDS)
def test_the_matches_of_a_session_do_not_touch_each_other(seed: int) -> None:
    rng = seeded(seed)
    players = [{"id": one, "name": name} for one, name in NAMES.items()]
    events = [event("session_opened", title="Friday", players=players)]
    matches = [evening(rng, rng.choice(GAMES), None, hands=3) for _ in range(3)]
    for truth in matches:
        events += [one for one in truth.events[1:] if one["type"] != "session_closed"]
    told = report_of(events)
    for truth, match in zip(matches, told["matches"], strict=True):
        assert [one["scores"] for one in match["hands"]] == [one.scores for _, one in truth.hands]
        assert match["totals"] == truth.totals
        ended = truth is not matches[-1] or truth.match.over or events[-1]["type"] == "match_ended"
        assert match["winners"] == ((truth.winners or truth.match.leaders()) if ended else [])
    assert alarms(told) == []


@pytest.mark.parametrize("game", GAMES)
@MANY
@given(seed=SEEDS)
def test_a_false_claim_is_found_and_the_cards_decide(game: str, seed: int) -> None:
    before, hand = some_hand(game, seed)
    if hand.abandoned:
        return
    rng = seeded(seed)
    record = [one for one in hand.records["cards"] if one["type"] not in COUNTS]
    false = {
        "wrong_winner": misheard(rng, record),
        "claim_mismatch": [*record, event("score_claimed", scores=raised(rng, hand.scores))],
        "count_mismatch": [*record, event("points_counted", points=miscounted(rng, game, hand))],
    }
    for code, log in false.items():
        told = report_of([*before, *log])
        assert {one["code"] for one in alarms(told)} == ({code} if log != record else set())
        assert told["matches"][0]["hands"][-1]["scores"] == hand.scores


def misheard(rng: Random, record: list[Event]) -> list[Event]:
    """The record with one winner of a trick who is not, if any were said."""
    players = {one["data"]["player"] for one in record if one["type"] == "card_played"}
    said = [at for at, one in enumerate(record) if one["type"] == "trick_taken"]
    if not said:
        return record
    at = rng.choice(said)
    data = record[at]["data"]
    other = rng.choice(sorted(players - {data["player"]}))
    return [*record[:at], event("trick_taken", **{**data, "player": other}), *record[at + 1 :]]


def raised(rng: Random, scores: Scores) -> Scores:
    """Scores with one point too many for somebody."""
    return scores | {(side := rng.choice(sorted(scores))): scores[side] + 1}


def miscounted(rng: Random, game: str, hand: PlayedHand) -> Scores:
    """A count that makes the total, with a point at the wrong side; there is none at Picchetto."""
    if game == "picchetto":
        return raised(rng, hand.scores)
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
        hands = [one for _, one in truth.hands[:number]]
        assert [one["scores"] for one in match["hands"]] == [one.scores for one in hands]
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
    assert plain(report_of([*events, *strikes])) == plain(report_of(events))


@pytest.mark.parametrize("game", GAMES)
@FEWER
@given(seed=SEEDS)
def test_what_is_set_right_later_is_as_if_recorded_in_time(game: str, seed: int) -> None:
    rng = seeded(seed)
    truth = evening(rng, game, None, hands=4)
    length, _ = truth.ends[-1]
    events = truth.events[:length]
    at = rng.randrange(2, length)
    true = {**events[at], "reason": "forgotten, or heard wrong"}
    before, after = events[:at], events[at + 1 :]
    alike = [one for one in events if one["type"] == true["type"]]
    wrong = {"type": true["type"], "data": rng.choice(alike)["data"]}
    late = [
        [*before, *after, {"type": "event_inserted", "data": {"after": at, **true}}],
        [*before, wrong, *after, {"type": "event_replaced", "data": {"seq": at + 1, **true}}],
    ]
    for log in late:
        if not refused(log[:-1]):
            assert outcome(report_of(log)) == outcome(report_of(events))


def outcome(told: dict[str, Any]) -> Sequence[Any]:
    """What a log comes to, without the numbers of its events."""
    keys = ("dealer", "status", "level", "scores", "taken", "winner")
    match = told["matches"][0]
    hands = [[hand[key] for key in keys] for hand in match["hands"]]
    return hands, match["totals"], match["status"], match["winners"], alarms(told)


def plain(told: dict[str, Any]) -> Sequence[Any]:
    """A report without what tells that there were corrections."""
    hands = [[bare(one) for one in match.pop("hands")] for match in told["matches"]]
    return hands, told["matches"], told["findings"]


def bare(hand: dict[str, Any]) -> dict[str, Any]:
    return {key: hand[key] for key in hand if key not in ("confirmed", "events", "corrections")}

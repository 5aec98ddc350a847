"""Knock!: how a game runs from hand to hand (K10), through the whole replay."""

from typing import Any

import pytest

from tests.games.knock import PLAY, event_of, words
from tests.players.common import Event, event, refused, report_of

SEATS = ["a", "b", "c", "d"]


def opened(**options: Any) -> list[Event]:
    """Return the first events: a session and its match."""
    players = [{"id": seat, "name": seat.upper()} for seat in SEATS]
    started = event("match_started", game="knock", seats=SEATS, options=options)
    return [event("session_opened", title="Friday", players=players), started]


def hands(*scripts: str, dealer: int = 3) -> list[Event]:
    """Return the events of several hands; the deal passes on."""
    events = []
    for number, script in enumerate(scripts):
        events.append(event("hand_started", dealer=SEATS[(dealer + number) % 4]))
        for word in words(script):
            kind, data = event_of(word)
            events.append(event(kind, **data))
    return events


def match_of(*events: Event) -> dict[str, Any]:
    """Return the match of such a log, which has no finding."""
    report = report_of(events)
    assert [
        finding["code"] for finding in report["findings"] if finding["severity"] != "info"
    ] == []
    match: dict[str, Any] = report["matches"][0]
    return match


@pytest.mark.parametrize(
    ("counts", "totals", "winners"),
    [
        (("=A60", "=A60", "=A60", "=A60"), {"A": 40, "B": -40}, ["A"]),
        (("=A60", "=A30", "=A55", "=A45"), {"A": -10, "B": 10}, ["B"]),
        (("=A60", "=A40", "=A50", "=A50"), {"A": 0, "B": 0}, ["A", "B"]),
    ],
)
def test_a_game_is_four_hands(
    counts: tuple[str, ...], totals: dict[str, int], winners: list[str]
) -> None:
    match = match_of(*opened(), *hands(*counts))
    assert (match["status"], match["totals"], match["winners"]) == ("finished", totals, winners)
    assert match["sides"] == {"A": ["a", "c"], "B": ["b", "d"]}
    assert match_of(*opened(), *hands(*counts[:3]))["status"] == "open"
    assert refused([*opened(), *hands(*counts, "=A60")])


def test_a_longer_game() -> None:
    events = [*opened(hands=8), *hands(*["=A60"] * 7)]
    assert match_of(*events)["status"] == "open"
    match = match_of(*events, *hands("=B100", dealer=2))
    assert (match["status"], match["totals"]) == ("finished", {"A": 20, "B": -20})


def test_abandoned_hand_is_not_counted() -> None:
    events = [*opened(), *hands("=A60", "x")]
    for dealer in (0, 1):  # the same dealer again, or the next one
        match = match_of(*events, *hands("=A60", "=A60", dealer=dealer))
        assert [hand["status"] for hand in match["hands"]] == [
            "complete", "abandoned", "complete", "complete"
        ]  # fmt: skip
        assert (match["status"], match["totals"]) == ("open", {"A": 30, "B": -30})


def test_a_penalty_goes_to_one_side_and_ends_nothing() -> None:
    penalty = event("penalty_given", side="B", points=-30, reason="a card shown in play")
    match = match_of(*opened(), *hands("=A45"), penalty)
    assert (match["totals"], match["status"]) == ({"A": -5, "B": -25}, "open")
    match = match_of(*opened(), *hands("=A45", "=A45", "=A45", "=A45"), penalty)
    assert (match["totals"], match["winners"]) == ({"A": -20, "B": -10}, ["B"])


def test_sides_follow_the_seats() -> None:
    match = match_of(*opened(), *hands("=A50", PLAY.translate(str.maketrans("abcd", "bcda"))))
    # The same cards one seat on: it is B now that takes 55.
    assert match["hands"][1]["scores"] == {"A": -5, "B": 5}
    assert match["hands"][1]["taken"] == {"A": 45, "B": 55}
    assert match["hands"][1]["level"] == "cards"


@pytest.mark.parametrize("seats", [["a", "b"], ["a", "b", "c"], ["a", "b", "c", "a"]])
def test_game_needs_four_players(seats: list[str]) -> None:
    events = opened()
    events[1]["data"]["seats"] = seats
    assert refused(events)
    assert not refused(opened())


@pytest.mark.parametrize(
    "act",
    [
        event("fool_paid", side="C", card="7S"),
        event("fool_paid", side="a", card="7S"),
        event("fool_paid", side="A", card="AS"),
        event("fool_paid", side="A"),
        event("fool_surrendered", side="bidder"),
        event("cards_laid_away", player="e"),
        event("cards_laid_away", player="d", cards=["7S", "7H"]),
        event("cards_laid_away", player="d", cards=["7S", "7S"]),
        event("signal_made", player="a"),
        event("signal_made", player="a", signal=7),
        event("bid_made", player="a", points=4),
        event("outcome_recorded", made=True),
        event("points_counted", points={"a": 50}),
        event("points_counted", points={}),
        event("points_counted", points={"A": 50}, tricks={"A": 14}),
    ],
)
def test_impossible_event_is_refused(act: Event) -> None:
    events = [*opened(), *hands("")]
    assert not refused(events)
    assert refused([*events, act])

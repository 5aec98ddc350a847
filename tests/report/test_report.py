"""The report of a session, part by part.

Tests of ``report.report`` and ``report.views``.
"""

from collections.abc import Callable

import pytest

from scorekeeper.base import pacing
from scorekeeper.base.errors import BusyError
from scorekeeper.base.pacing import WaitLimits
from scorekeeper.report.findings import list_findings
from scorekeeper.report.report import (
    get_hand_status,
    is_confirmed_by_all,
    list_confirmed,
    view_report,
)
from scorekeeper.session.session import Session
from tests.evenings import Evening, Raw, event, play_hand, riparto


def dealt(*events: Raw, **options: object) -> Evening:
    """A hand that Mara dealt; its own events begin with seq 4."""
    walker = riparto(**options)  # type: ignore[arg-type]
    walker.say("hand_started", dealer="mara")
    for raw in events:
        walker.add(raw)
    return walker


BID = event("bid_made", player="leo", points=5)
COUNT = event("points_counted", points={"leo": 5, "mara": 10})
UNSOUND = event("points_counted", points={"leo": 5, "mara": 4, "nina": 7})
ABANDONED = event("hand_abandoned", reason="dropped")


@pytest.mark.parametrize(
    ("events", "status"),
    [
        ([BID], "open"),
        ([BID, COUNT], "complete"),
        ([BID, ABANDONED], "abandoned"),
        ([BID, UNSOUND], "incomplete"),
        ([BID, event("hand_started", dealer="leo")], "incomplete"),
        ([BID, event("match_ended")], "incomplete"),
    ],
)
def test_how_a_hand_stands(events: list[Raw], status: str) -> None:
    played = dealt(*events)
    match = played.session.structure.matches[0]
    assert get_hand_status(match, match.hands[0]) == status
    assert played.hand(1)["status"] == status


def test_only_a_complete_hand_has_points() -> None:
    hand = dealt(BID).hand(1)
    assert (hand["scores"], hand["taken"], hand["lines"]) == (
        {"mara": 0, "leo": 0, "nina": 0}, None, [],
    )  # fmt: skip
    hand = dealt(BID, COUNT).hand(1)
    assert (hand["scores"]["leo"], hand["taken"]["leo"]) == (5, 5)
    assert sum(line["points"] for line in hand["lines"]) == sum(hand["scores"].values())


def test_report_describes_the_session() -> None:
    played = dealt(BID, COUNT)
    shown = view_report(played.session).session
    assert (shown.title, shown.place, shown.closed) == ("Friday", None, False)
    assert (shown.events, shown.head) == (5, None)
    played.say("session_closed")
    assert view_report(played.session).session.closed


@pytest.mark.parametrize("compute", [view_report, list_findings])
def test_long_report_waits_for_the_place_for_long_work(
    monkeypatch: pytest.MonkeyPatch, compute: Callable[[Session], object]
) -> None:
    walker = dealt(BID, COUNT)
    for dealer in ("leo", "nina"):
        walker.say("hand_started", dealer=dealer)
    monkeypatch.setattr(pacing, "MAX_SHORT_SECONDS", 0.0)
    limits = WaitLimits(seconds=0.01)
    with limits.paced():
        compute(walker.session)
    assert limits.place.acquire(blocking=False)
    with pytest.raises(BusyError), limits.paced():
        compute(walker.session)


def test_totals_run_on_and_a_match_that_is_over_has_winners() -> None:
    walker = riparto(end={"hands": 2})
    play_hand(walker, "mara", "mara", 6)
    assert (walker.match()["status"], walker.match()["winners"]) == ("open", [])
    play_hand(walker, "leo", "leo", 5)
    match = walker.match()
    assert (match["status"], match["winners"]) == ("finished", ["mara"])
    assert [hand["totals"]["mara"] for hand in match["hands"]] == [6, 6]
    assert match["totals"] == {"mara": 6, "leo": 5, "nina": 0}


def test_who_has_signed_a_hand_as_it_stands() -> None:
    played = dealt(BID, COUNT)
    match = played.session.structure.matches[0]
    hand = match.hands[0]
    assert not is_confirmed_by_all(played.session, hand)
    for player in ("mara", "leo", "leo"):
        played.say("hand_confirmed", player=player)
    assert list_confirmed(played.session, hand) == ["mara", "leo"]
    assert not is_confirmed_by_all(played.session, hand)
    played.say("hand_confirmed", player="nina")
    assert is_confirmed_by_all(played.session, hand)
    played.replace(5, "points_counted", points={"leo": 6, "mara": 9})
    hand = played.session.structure.matches[0].hands[0]
    assert list_confirmed(played.session, hand) == []


def test_a_correction_says_what_stood_there_and_what_stands_now() -> None:
    played = dealt(BID, COUNT)
    played.replace(4, "bid_made", player="leo", points=6)
    played.insert(4, "bid_raised", player="leo", points=7)
    played.strike(7)
    raised = {"type": "bid_raised", "data": {"player": "leo", "points": 7}}
    assert [
        (
            correction["seq"],
            correction["names"],
            correction["before"],
            correction["after"],
            correction["stands"],
        )
        for correction in played.report["corrections"]
    ] == [
        (6, 4, BID, {**BID, "data": {"player": "leo", "points": 6}}, True),
        (7, 4, None, raised, False),
        (8, 7, {"type": "event_inserted", "data": played.log[6]["data"]}, None, True),
    ]

"""The checks of a hand's place in its match."""

import pytest

from scorekeeper.report.findings import (
    CHECKS_AFTER,
    CHECKS_BEFORE,
    has_moved_on,
    list_findings,
    list_hand_findings,
)
from tests.evenings import Evening, Raw, event, riparto

Found = list[tuple[str, int | None, tuple[int, ...]]]

BID = event("bid_made", player="leo", points=5)
COUNT = event("points_counted", points={"leo": 5, "mara": 10})
WRONG_COUNT = event("points_counted", points={"leo": 5, "mara": 4, "nina": 7})


def dealt(player: str) -> Raw:
    return event("hand_started", dealer=player)


def found(evening: Evening) -> Found:
    """The findings but for what was merely not recorded: the code, the hand, the events."""
    return [
        (finding.code, finding.hand, finding.events)
        for finding in list_findings(evening.session)
        if finding.code != "not_recorded"
    ]


def evening(*events: Raw) -> Evening:
    walker = riparto()
    for raw in events:
        walker.add(raw)
    return walker


@pytest.mark.parametrize(
    ("events", "wrong"),
    [
        ([dealt("mara"), BID, COUNT], []),
        ([dealt("mara"), BID], []),
        ([dealt("mara"), BID, COUNT, dealt("leo")], []),
        ([dealt("mara"), BID, COUNT, dealt("nina")], [("wrong_dealer", 2, (6, 3))]),
        ([dealt("mara"), BID, dealt("leo"), BID], [("incomplete", 1, (3,))]),
        ([dealt("mara"), BID, event("match_ended")], [("incomplete", 1, (3,))]),
        (  # the unsound count is already a finding
            [dealt("mara"), BID, WRONG_COUNT, dealt("leo"), BID],
            [("total_mismatch", 1, (5,))],
        ),
        ([dealt("mara"), event("hand_abandoned", reason="dropped"), dealt("mara")], []),
        ([dealt("mara"), event("hand_abandoned", reason="dropped"), dealt("nina")],
         [("wrong_dealer", 2, (5, 3))]),
    ],
)  # fmt: skip
def test_what_is_wrong_of_a_hand_in_its_match(events: list[Raw], wrong: Found) -> None:
    assert found(evening(*events)) == wrong


def test_hand_after_the_end_is_found_but_not_as_incomplete() -> None:
    walker = riparto(end={"hands": 1})
    first = walker.say("hand_started", dealer="mara")
    walker.say("bid_made", player="leo", points=5)
    walker.say("hand_started", dealer="leo")
    assert found(walker) == [("incomplete", 1, (first,))]
    walker.insert(4, "points_counted", points={"leo": 5, "mara": 10})
    assert found(walker) == [("after_end", 2, (5,))]


def test_undecided_checks_of_a_hand_are_listed_in_one_finding() -> None:
    played = evening(dealt("mara"), BID, COUNT)
    (finding,) = list_findings(played.session)
    assert (finding.code, finding.rule, finding.events, finding.severity) == (
        "not_recorded",
        "L4",
        (),
        "info",
    )
    text = str(finding.text)
    assert text.startswith("Not on record, so not checked: ")
    assert "(R7)" in text
    played.strike(5)
    assert list_findings(played.session) == []


def test_only_one_finding_per_code_and_event() -> None:
    played = evening(dealt("mara"), BID, WRONG_COUNT, WRONG_COUNT)
    match = played.session.structure.matches[0]
    values = [
        (finding.code, finding.events[:1]) for finding in list_hand_findings(match, match.hands[0])
    ]
    assert len(values) == len(set(values))


def test_the_findings_come_hand_by_hand() -> None:
    played = evening(dealt("mara"), BID, WRONG_COUNT, dealt("nina"), BID, WRONG_COUNT)
    assert [(code, hand) for code, hand, _ in found(played)] == [
        ("total_mismatch", 1), ("wrong_dealer", 2), ("total_mismatch", 2),
    ]  # fmt: skip


def test_a_hand_is_left_when_another_is_dealt_or_its_match_ends() -> None:
    played = evening(dealt("mara"), BID)
    match = played.session.structure.matches[0]
    first = match.hands[0]
    assert not has_moved_on(match, first)
    played.say("hand_started", dealer="leo")
    assert has_moved_on(match, first)
    assert not has_moved_on(match, match.hands[1])
    played.say("match_ended")
    assert has_moved_on(match, match.hands[1])


def test_every_code_has_one_check() -> None:
    codes = [check.code for check in (*CHECKS_BEFORE, *CHECKS_AFTER)]
    assert codes == ["wrong_dealer", "after_end", "incomplete", "not_recorded"]

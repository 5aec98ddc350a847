"""Mistakes over several entries, each undone by one set of corrections."""

from collections.abc import Sequence

import pytest

from scorekeeper.events.event import Event
from scorekeeper.repair import hypotheses, suggestions
from scorekeeper.repair.suspects import find_suspects
from scorekeeper.report.what_if import suppose
from scorekeeper.session.session import Session
from tests.evenings import Evening, Raw, event, opening
from tests.repair.scenes import list_edits, list_proposed, plays

FOUR = ("mara", "leo", "nina", "ugo")
# Leo leads and takes all tricks but the third. Its cards came with the first insieme.
TRICKS = """
leo:AS nina:KS ugo:QS mara:JS
leo:10S nina:9S ugo:8S mara:QH
leo:KH nina:AH ugo:JH mara:10H
nina:8H ugo:7H mara:6H leo:9H
leo:AD nina:KD ugo:QD mara:JD
leo:10D nina:9D ugo:8D mara:7D
leo:AC nina:KC ugo:QC mara:JC
leo:10C nina:9C ugo:8C mara:7C
leo:7S nina:6S ugo:6D mara:6C
"""
BIDS = [
    event("bid_made", player=player, points=points)
    for player, points in (("leo", 14), ("nina", 3), ("ugo", 2), ("mara", 1))
]
GIVEN = {"nina": "AH", "ugo": "JH", "mara": "10H"}
SET = event("set_distributed", player="leo", set=1, kept="KH", given=GIVEN)


TRUE = [*BIDS, SET, *plays(TRICKS), event("score_claimed", scores={"leo": 14})]


def hand_of(session: Session) -> list[Event]:
    hand = session.structure.matches[0].hands[0]
    return [hand.started.event, *(entry.event for entry in hand.entries)]


def evening(record: Sequence[Raw], dealer: str = "mara") -> Session:
    return Evening(
        opening(*FOUR), event("match_started", game="riparto", seats=list(FOUR)),
        event("hand_started", dealer=dealer), *record, event("session_closed"),
    ).session  # fmt: skip


def corrected(session: Session) -> list[list[Event]]:
    """The hand after each of the first three suggestions, from its dealer on."""
    first_three = suggestions(session)[:3]
    assert not any(suggestion.leaves for suggestion in first_three)
    return [
        hand_of(suppose(session, corrections=list_proposed(suggestion)))
        for suggestion in first_three
    ]


def renamed(record: Sequence[Raw], names: dict[str, str], start: int = 0) -> list[Raw]:
    """Other names from an entry on, but not on paper."""
    return [
        replace_names(raw, names) if place >= start and raw["type"] != "score_claimed" else raw
        for place, raw in enumerate(record)
    ]


def replace_names(raw: Raw, names: dict[str, str]) -> Raw:
    data = {**raw["data"], "player": names.get(raw["data"]["player"], raw["data"]["player"])}
    if "given" in data:
        data["given"] = {names.get(who, who): card for who, card in data["given"].items()}
    return event(raw["type"], **data)


NEXT = dict(zip(FOUR, (*FOUR[1:], FOUR[0]), strict=True))
EXCHANGED = {"nina": "ugo", "ugo": "nina"}


@pytest.mark.parametrize(
    "record",
    [renamed(TRUE, NEXT), renamed(TRUE, EXCHANGED, start=17), TRUE[:13] + TRUE[17:]],
    ids=["one seat off", "two exchanged from the fourth trick on", "the third trick forgotten"],
)
def test_a_mistake_over_several_entries_is_undone(record: list[Raw]) -> None:
    assert hand_of(evening(TRUE)) in corrected(evening(record))


def test_a_forgotten_trick_comes_in_after_what_was_shown_before_it() -> None:
    shown = event("cards_shown", player="nina", cards=["AH"])
    before, after = [*TRUE[:13], shown], TRUE[17:]
    assert hand_of(evening([*before, *TRUE[13:]])) in corrected(evening([*before, *after]))


def test_a_hand_under_the_wrong_dealer_is_dealt_by_another_before_all_are_moved() -> None:
    first, second, *_ = corrected(evening(TRUE, dealer="leo"))
    assert first == hand_of(evening(TRUE))
    assert second[:-1] == hand_of(evening(renamed(TRUE, NEXT), dealer="leo"))[:-1]


def test_an_act_that_came_late_is_moved_before_the_play_or_struck() -> None:
    late = [*BIDS, *TRUE[5:], SET]
    first, *others = corrected(evening(late))
    assert first == hand_of(evening(TRUE))
    assert hand_of(evening([*BIDS, *TRUE[5:]])) in others


def test_two_players_exchanged_leave_the_sides_of_partners_as_they_are() -> None:
    """And everybody one seat off turns them, too."""
    match = Evening(
        opening(*FOUR), event("match_started", game="knock", seats=list(FOUR)),
        event("hand_started", dealer="ugo"), event("points_counted", points={"A": 60}),
    ).session.structure.matches[0]  # fmt: skip
    scene = find_suspects(match, match.hands[0], [])
    assert list(hypotheses.propose_exchanged_players(scene)) == []
    turned = [list_edits(seat)[0][2] for seat in hypotheses.propose_shifted_seats(scene)]
    assert {"points": {"B": 60}} in turned

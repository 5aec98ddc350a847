"""Corrections by which something comes in that was left out of the record."""

import pytest

from scorekeeper.repair import additions
from scorekeeper.repair.suspects import find_suspects
from tests.evenings import Evening, Raw, event, opening
from tests.repair.scenes import BID, cheapest, list_edits, plays, scene

COUNT = event("points_counted", points={"leo": 5, "mara": 10})
TAKEN = event("trick_taken", player="leo")
A_SHORT_TRICK = [*plays("leo:AS mara:6S"), TAKEN, *plays("leo:KS nina:7S mara:QS")]


def test_a_card_is_missing_beside_each_of_a_trick_that_is_short() -> None:
    candidates = cheapest(additions.propose_missing_cards(scene(*A_SHORT_TRICK)))
    assert {(seq, kind, data["player"]) for ((seq, kind, data),) in candidates} == {
        (3, "card_played+", "mara"),  # before the one who led
        (4, "card_played+", "nina"),
        (5, "card_played+", "leo"),
    }
    assert len(candidates) == 3 * (36 - 5)


def test_no_card_is_missing_where_all_tricks_are_whole() -> None:
    whole = plays("leo:AS nina:6S mara:7S leo:KS nina:8S mara:9S")
    assert list(additions.propose_missing_cards(scene(*whole))) == []


@pytest.mark.parametrize(
    ("events", "at", "tricks"),
    [
        ([BID], {4: range(1, 10)}, 9),
        (plays("leo:AS nina:6S mara:7S"), {6: range(2, 10)}, 8),
        ([event("trick_taken", player="leo", trick=1)], {4: range(2, 10)}, 8),
        (plays("leo:AS nina:6S"), {5: range(1, 10)}, 9),
    ],
)
def test_who_took_a_trick_is_missing_where_nothing_says_so(
    events: list[Raw], at: dict[int, range], tricks: int
) -> None:
    edits = [list_edits(winner)[0] for winner in additions.propose_missing_winners(scene(*events))]
    assert {kind for _, kind, _ in edits} == {"trick_taken+"}
    assert len(edits) == 3 * tricks  # each player
    assert {seq: {data["trick"] for where, _, data in edits if where == seq} for seq in at} == {
        seq: set(numbers) for seq, numbers in at.items()
    }


def test_a_bid_is_missing_before_the_play_and_with_whom_findings_name() -> None:
    candidates = list(additions.propose_missing_events(scene(*A_SHORT_TRICK, COUNT)))
    bids = [
        list_edits(candidate)[0]
        for candidate in candidates
        if list_edits(candidate)[0][1] == "bid_made+"
    ]
    assert {seq for seq, _, _ in bids} == {3}
    assert {(data["player"], data["points"]) for _, _, data in bids} == {
        (player, points) for player in ("mara", "leo", "nina") for points in range(16)
    }
    assert all(candidate.cost >= additions.LEFT_OUT for candidate in candidates)


def test_figures_like_the_ones_beside_come_first() -> None:
    edits_found = [
        list_edits(candidate)[0]
        for candidate in additions.propose_missing_events(scene(BID, COUNT))
    ]
    near = [data["points"] for _, kind, data in edits_found if kind == "bid_made+"][:6]
    assert near == [6, 6, 6, 4, 4, 4]


def test_of_figures_that_none_is_near_the_round_ones_come_first_beside_the_words() -> None:
    five = ("mara", "leo", "nina", "ugo", "ada")
    match = Evening(
        opening(*five),
        event("match_started", game="briscola_chiamata", seats=list(five)),
        event("hand_started", dealer="ada"), event("partner_revealed", player="nina"),
    ).session.structure.matches[0]  # fmt: skip
    candidates = additions.propose_missing_events(find_suspects(match, match.hands[0], []))
    edits = [list_edits(candidate)[0] for candidate in candidates]
    bids = list(dict.fromkeys(str(data["bid"]) for _, kind, data in edits if kind == "bid_made+"))
    assert bids[:6] == ["pass", "A", "70", "3", "80", "K"]


def test_nothing_of_the_play_is_a_word_left_out() -> None:
    edits_found = {
        list_edits(candidate)[0][1]
        for candidate in additions.propose_missing_events(scene(BID, COUNT))
    }
    assert not edits_found & {"card_played+", "trick_taken+"}
    assert {"bid_made+", "bid_raised+", "hierarchy_declared+"} <= edits_found

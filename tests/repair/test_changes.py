"""Corrections by which entries read differently, change places, or are struck."""

from collections.abc import Callable, Iterator
from typing import Final

import pytest

from scorekeeper.repair import changes
from scorekeeper.repair.suspects import Suspects
from scorekeeper.repair.trials import Candidate
from tests.evenings import Raw, event
from tests.repair.scenes import BID, REVOKE, Said, cheapest, list_edits, plays, scene

RAISED: Final = event("bid_raised", player="leo", points=6)

Way = Callable[[Suspects], Iterator[Candidate]]


def counted(**points: int) -> Raw:
    return event("points_counted", points=points)


def taken(number: int, player: str) -> Raw:
    return event("trick_taken", player=player, trick=number)


def test_an_unplayed_card_is_proposed_for_a_similar_one() -> None:
    like = [
        [(5, "card_played", {"player": "nina", "card": card})] for card in ("8H", "6H", "7D", "7C")
    ]
    candidates = list(changes.propose_other_cards(scene(*REVOKE)))
    assert cheapest(candidates) == like
    assert len(candidates) == len(REVOKE) * (36 - len(REVOKE))


@pytest.mark.parametrize(
    ("way", "events", "expected"),
    [
        (
            changes.propose_other_values, [BID, event("score_claimed", scores={"leo": 6})],
            [[(4, "bid_made", {"player": player, "points": 5})] for player in ("nina", "mara")]
            + [[(4, "bid_made", {"player": "leo", "points": points})] for points in (4, 6, 15)],
        ),
        (
            changes.propose_agreeing_counts, [BID, counted(leo=5, mara=4, nina=7)],
            [[(5, "points_counted", {"points": {"leo": leo, "mara": mara, "nina": nina}})]
             for leo, mara, nina in ((4, 4, 7), (5, 3, 7), (5, 4, 6))],
        ),
        (
            changes.propose_agreeing_counts,
            [BID, counted(leo=5, nina=10), event("score_claimed", scores={"leo": 6})],
            [[(6, "score_claimed", {"scores": {"leo": 5}})]],
        ),
        (
            changes.propose_swapped_entries, [BID, RAISED, counted(leo=5, mara=9)],
            [[(4, "bid_raised", {"player": "leo", "points": 6}),
              (5, "bid_made", {"player": "leo", "points": 5})],
             [(5, "points_counted", {"points": {"leo": 5, "mara": 9}}),
              (6, "bid_raised", {"player": "leo", "points": 6})]],
        ),
        (
            changes.propose_swapped_cards, REVOKE,
            [[(4, "card_played", {"player": "leo", "card": "7H"}),
              (5, "card_played", {"player": "nina", "card": "AS"})],
             [(5, "card_played", {"player": "nina", "card": "6S"}),
              (6, "card_played", {"player": "mara", "card": "7H"})]],
        ),
        (changes.propose_strikes, [BID, BID, counted(leo=5, mara=10)], [[(5, "", None)]]),
        (
            changes.propose_strikes, [BID, BID, taken(1, "leo"), taken(1, "leo")],
            [[(7, "", None)], [(5, "", None)]],
        ),
    ],
)  # fmt: skip
def test_the_least_unlikely(way: Way, events: list[Raw], expected: list[list[Said]]) -> None:
    assert cheapest(way(scene(*events))) == expected


def test_neither_the_card_of_a_play_nor_what_is_no_record_of_the_play_is_another_value() -> None:
    events = [*plays("leo:AS"), event("score_claimed", scores={"leo": 6})]
    values = [list_edits(value)[0] for value in changes.propose_other_values(scene(*events))]
    assert {(seq, data["card"]) for seq, _, data in values} == {(4, "AS")}


def test_two_that_say_the_same_have_no_order() -> None:
    assert list(changes.propose_swapped_entries(scene(BID, BID))) == []


def test_the_cards_of_a_fault_and_its_proof_are_swapped_wherever_they_stand() -> None:
    swapped = [list_edits(card) for card in changes.propose_swapped_cards(scene(*REVOKE))]
    assert [
        (5, "card_played", {"player": "nina", "card": "7S"}),
        (8, "card_played", {"player": "nina", "card": "7H"}),
    ] in swapped


def test_a_count_is_struck_only_if_it_repeats_another() -> None:
    count = counted(leo=5, mara=4, nina=7)
    assert [list_edits(strike)[0][0] for strike in changes.propose_strikes(scene(BID, count))] == [
        4
    ]
    assert [(6, "", None)] in [
        list_edits(strike) for strike in changes.propose_strikes(scene(BID, count, count))
    ]


def test_a_card_is_struck_later_than_what_leaves_no_gap() -> None:
    costs = {
        list_edits(strike)[0][0]: strike.cost
        for strike in changes.propose_strikes(scene(BID, BID, *REVOKE))
    }
    of_a_fault = costs[7]  # the seven of hearts
    assert costs[5] < of_a_fault
    assert of_a_fault > changes.STRUCK

"""Faults that ``make faults`` made in legal hands: corrected by changes.py and hypotheses.py."""

from typing import Any, Final

from scorekeeper.events.fields import PlayerId
from scorekeeper.repair import changes, hypotheses, suggestions
from scorekeeper.repair.likely_errors import Around, alternatives
from tests.evenings import Raw, event
from tests.repair.scenes import BID, cheapest, list_edits, plays, scene
from tests.repair.test_hypotheses import TRUE, evening
from tests.repair.test_slips_of_tables import Corrections, replaced, struck_seqs, suggested, taken

FIVE: Final = ("mara", "leo", "nina", "ugo", "ada")
FOUR: Final = ("mara", "leo", "nina", "ugo")
PAPER: Final = event("score_claimed", scores={"leo": 5})


def regina(*events: Raw) -> list[Corrections]:
    """Return the suggestions for a hand of Briscola Regina whose first call counts most."""
    options: dict[str, Any] = {
        "bris_count": "deal", "hand_exchange": "none", "bris_points": [0, 10, 20, 30],
        "trump_changes": True, "pack": "italian", "match": "open",
    }  # fmt: skip
    return suggested("briscola_regina", FOUR, "nina", *events, **options)


def test_two_calls_in_the_wrong_order_are_exchanged() -> None:
    """Other callers would give the score on paper as well."""
    calls = [("ugo", "S"), ("nina", "B"), ("ugo", "C"), ("nina", "D")]
    found = regina(
        *(event("bris_called", player=player, suit=suit) for player, suit in calls),
        event("points_counted", points={"A": 100, "B": 20}),
        event("score_claimed", scores={"A": 130, "B": 50}),
    )
    exchanged = replaced(4, "bris_called", player="nina", suit="B") + replaced(
        5, "bris_called", player="ugo", suit="S"
    )
    assert exchanged in found[:3]


def test_a_trick_on_record_twice_beside_a_claim_of_the_rest_is_struck() -> None:
    """The claim is for one trick at least, so no trick is missing without the second entry."""
    won = ("nina", "mara", "nina", "nina", "mara", "mara", "nina", "mara", "mara", "nina")
    found = regina(
        *taken(*won), event("rest_claimed", player="leo"),
        event("points_counted", points={"A": 100, "B": 20}, tricks={"A": 9, "B": 1}),
    )  # fmt: skip
    assert struck_seqs(found[:1]) != []


def riparto(*events: Raw) -> list[Corrections]:
    """Return the suggestions for a hand of nine tricks; Nina has lost her bid."""
    made = [("mara", 2), ("leo", 1), ("nina", 11), ("ugo", 7)]
    return suggested(
        "riparto", FOUR, "ugo",
        *(event("bid_made", player=player, points=points) for player, points in made), *events,
        last_three="last_trick",
    )  # fmt: skip


def test_a_trick_may_be_left_out_before_a_claim_of_two_tricks_or_more() -> None:
    """Whoever took it, and before others are taken for each other."""
    won = taken("leo", "mara", "ugo", "leo", "nina", "ugo", "nina")
    paper = event("score_claimed", scores={"mara": 0, "leo": 0, "nina": -11, "ugo": 9})
    found = riparto(*won, event("rest_claimed", player="ugo"), paper)
    inserted = [one[0][1]["data"] for one in found[:4] if one[0][0] == "event_inserted"]
    assert inserted == [{"player": "mara"}, {"player": "leo"}, {"player": "nina"}]


def test_a_trick_is_left_out_before_a_claim_of_the_rest_rather_than_all_one_seat_off() -> None:
    """Nina bid one; she has none of her tricks without the one that was left out."""
    won = taken("leo", "leo", "ugo", "ugo", "mara", "ugo")
    paper = event("score_claimed", scores={"mara": 0, "leo": 0, "nina": 1, "ugo": 0})
    bid = event("bid_made", player="nina", points=1)
    rest = event("rest_claimed", player="leo")
    found = suggested("riparto", FOUR, "leo", bid, *won, rest, paper, last_three="last_trick")
    places = {
        kind: next(
            (n for n, one in enumerate(found) if one[0][0] == kind and len(one) == length), 99
        )
        for kind, length in (("event_inserted", 1), ("event_replaced", 2))
    }
    assert places["event_inserted"] < places["event_replaced"]


def test_no_trick_is_left_out_where_the_claim_is_for_the_last_one() -> None:
    won = taken("leo", "mara", "leo", "ugo", "leo", "nina", "ugo", "nina")
    paper = event("score_claimed", scores={"mara": 0, "leo": 0, "nina": -11, "ugo": 9})
    found = riparto(*won, event("rest_claimed", player="mara"), paper)
    assert replaced(16, "rest_claimed", player="ugo") in found[:3]


def test_a_card_that_was_put_right_by_the_next_is_struck() -> None:
    """A finding names one of the two; else the player won a trick and led the next."""
    out_of_turn = plays("leo:AS nina:6S mara:7S mara:8S")
    won = plays("leo:KS nina:6S mara:AS mara:8S")
    assert cheapest(changes.propose_strikes(scene(*out_of_turn))) == [[(6, "", None)]]
    assert list(changes.propose_strikes(scene(*won))) == []


def numbered(player: str, trick: int) -> Raw:
    return event("trick_taken", player=player, trick=trick)


def test_winners_of_tricks_in_the_wrong_order_are_exchanged() -> None:
    """Thirteen winners are on record, so that none is there twice, though some follow alike."""
    won = taken("ugo", "ugo", "leo", "leo", "mara", "mara", "leo", "mara", "nina", "mara")
    found = suggested(
        "knock", FOUR, "ugo", *won, numbered("ugo", 10), numbered("nina", 12), *taken("mara"),
        event("points_counted", points={"A": 37, "B": 63}, tricks={"B": 6}),
    )  # fmt: skip
    exchanged = replaced(13, "trick_taken", player="ugo", trick=10) + replaced(
        14, "trick_taken", player="mara"
    )
    assert exchanged in found[:3]
    assert struck_seqs(found[:3]) == []


def test_the_number_of_another_trick_on_record_is_less_likely_than_that_of_none() -> None:
    events = [BID, *taken("leo", "nina"), numbered("mara", 2)]
    costs = {
        data["trick"]: found.cost
        for found in changes.propose_other_values(scene(*events))
        for seq, _, data in list_edits(found)
        if seq == 7 and data["player"] == "mara"
    }
    assert costs[3] < costs[1]


def test_a_winner_with_the_number_of_the_trick_puts_nothing_right() -> None:
    found = list(changes.propose_strikes(scene(BID, *taken("leo"), numbered("leo", 2))))
    assert all(one.cost > changes.STRUCK for one in found)


def test_a_neighbour_is_likelier_than_the_player_opposite() -> None:
    around = Around(scene(BID).around.pack, FOUR, FOUR, frozenset())
    costs = {player: cost for cost, player in alternatives(PlayerId(), "leo", around)}
    assert costs["mara"] == costs["nina"] < costs["ugo"]


def test_players_who_are_exchanged_are_so_in_the_count_first() -> None:
    acts = [event("set_distributed", player="leo", set=n) for n in (1, 2)]
    count = event("points_counted", points={"leo": 10, "mara": 5})
    found = cheapest(hypotheses.propose_exchanged_players(scene(BID, *acts, count)))
    assert all(edits[-1][1] == "points_counted" for edits in found)


def test_a_bid_left_out_is_offered_with_each_score_first() -> None:
    found = suggested(
        "briscola_chiamata", FIVE, "ada", event("card_called", player="mara", card="3B"),
        event("partner_revealed", player="leo"),
        event("points_counted", points={"bidder": 120}), event("hand_started", dealer="mara"),
        bands=[62, 119], ladder="points",
    )  # fmt: skip
    made = [one[0][1]["data"]["bid"] for one in found if one[0][0] == "event_inserted"]
    assert made[:3] == [61, 70, 120]


def auction_without_a_turn(*late: Raw) -> list[Corrections]:
    """Return the suggestions for a long auction in which Ugo's first turn was passed over."""
    made = [(FIVE[n % 5], 62 + n) for n in range(45) if n != 3]
    return suggested(
        "briscola_chiamata", FIVE, "ada",
        *(event("bid_made", player=player, bid=bid) for player, bid in made),
        *(event("bid_made", player=player, bid="pass") for player in FIVE[:4]),
        event("card_called", player="ada", card="3B"), event("partner_revealed", player="leo"),
        event("outcome_recorded", made=False), *late, **{"pass": "may_return"},
    )  # fmt: skip


def test_a_late_bid_is_moved_to_the_turn_that_was_passed_over() -> None:
    """However many bids come after that turn."""
    found = auction_without_a_turn(event("bid_made", player="ugo", bid=65))
    moved = {"after": 6, "type": "bid_made", "data": {"player": "ugo", "bid": 65}, "reason": ""}
    assert any(("event_inserted", moved) in corrections for corrections in found[:3])


def test_a_bid_and_a_pass_that_was_left_out_are_offered_both() -> None:
    """Though the score is the same."""
    found = auction_without_a_turn()[:3]
    offered = [one[0][1]["data"]["bid"] for one in found if one[0][1].get("after") == 6]
    assert {bid == "pass" for bid in offered} == {False, True}


def test_a_count_left_out_is_the_one_that_gives_the_score_on_paper() -> None:
    scores = {"mara": 0, "leo": 0, "nina": 75, "ugo": 38, "ada": 27}
    found = suggested(
        "briscola_regina", FIVE, "ada", event("bris_called", player="ada", suit="B"),
        event("score_claimed", scores=scores), event("hand_started", dealer="mara"),
        pack="italian", bris_points=[20, 40, 60, 80],
    )  # fmt: skip
    inserted = {"after": 5, "type": "points_counted", "data": {"points": {**scores, "ada": 7}}}
    assert found[0] == [("event_inserted", {**inserted, "reason": ""})]


def test_a_trick_with_its_cards_is_left_out_before_a_claim_of_the_rest() -> None:
    """Leo won the second trick, and Nina leads the third on record."""
    rest = event("rest_claimed", player="leo")
    session = evening([*TRUE[:13], *TRUE[17:-5], rest, TRUE[-1]])
    first = suggestions(session)[0]
    inserted = [correction.data for correction in first.corrections]
    assert [one["data"]["player"] for one in inserted] == ["leo", "nina", "ugo", "mara"]
    assert first.scores["leo"] == 14


def test_one_act_and_the_paper_are_no_exchange_of_players() -> None:
    assert list(hypotheses.propose_exchanged_players(scene(BID, PAPER))) == []

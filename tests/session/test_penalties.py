"""Penalties, and the end of a match that they move but do not make (G7)."""

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.games import GAMES
from scorekeeper.report.explain import explain
from scorekeeper.report.explain_views import ExplainedHandView
from scorekeeper.report.penalties import place_penalties
from tests.evenings import Evening, event, opening, play_hand, riparto


def fine(evening: Evening, side: str, points: int) -> int:
    return evening.say("penalty_given", side=side, points=points, reason="talked too much")


def totals(evening: Evening) -> list[int]:
    return list(evening.match()["totals"].values())


def test_a_penalty_changes_the_score_of_one_side_and_no_hand() -> None:
    evening = riparto()
    fine(evening, "leo", -4)
    play_hand(evening, "mara")
    fine(evening, "leo", 1)
    fine(evening, "mara", -10)
    assert totals(evening) == [-5, -3, 0]
    assert evening.hand(1)["scores"] == {"mara": 5, "leo": 0, "nina": 0}
    assert evening.codes == []


def test_a_penalty_in_a_hand_that_scores_nothing_counts() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    fine(evening, "leo", -4)
    evening.say("hand_abandoned", reason="misdeal")
    evening.say("hand_started", dealer="mara")
    fine(evening, "nina", 3)
    play_hand(evening, "leo")
    assert totals(evening) == [5, -4, 3]


def test_a_penalty_alone_ends_no_match_but_the_next_complete_hand_does() -> None:
    evening = riparto(end={"target": 10})
    fine(evening, "leo", 12)
    assert evening.match()["status"] == "open"
    play_hand(evening, "mara", "mara", 1)
    assert (evening.match()["status"], evening.match()["winners"]) == ("finished", ["leo"])


def test_a_penalty_after_a_hand_was_complete_waits_for_the_next() -> None:
    evening = riparto(end={"target": 10})
    play_hand(evening, "mara", "mara", 5)
    fine(evening, "mara", 5)
    assert evening.match()["status"] == "open"
    play_hand(evening, "leo", "leo", 1)
    assert evening.match()["status"] == "finished"


def test_a_penalty_before_a_hand_was_complete_is_in_its_end() -> None:
    evening = riparto(end={"target": 10})
    evening.say("hand_started", dealer="mara")
    fine(evening, "mara", 5)
    evening.say("bid_made", player="mara", points=5)
    evening.say("points_counted", points={"mara": 5, "leo": 10})
    assert evening.match()["status"] == "finished"


def test_a_penalty_between_the_records_of_a_hand_counts_by_when_it_was_first_complete() -> None:
    """Complete at the count; what is recorded later is finer, and decides the score."""
    evening = riparto(end={"target": 10})
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="mara", points=5)
    evening.say("points_counted", points={"mara": 5, "leo": 10})
    fine(evening, "mara", 6)
    evening.say("score_claimed", scores={"mara": 5})
    assert evening.match()["status"] == "open"
    assert totals(evening) == [11, 0, 0]


def test_a_penalty_after_the_end_counts_and_may_change_who_won() -> None:
    evening = riparto(end={"hands": 1})
    play_hand(evening, "mara")
    fine(evening, "mara", -6)
    assert evening.match()["status"] == "finished"
    assert evening.match()["winners"] == ["leo", "nina"]


def test_the_end_is_tested_on_what_the_whole_record_of_a_hand_gives() -> None:
    """A match over by a count may be open again by the cards, and so the next hand."""
    evening = riparto(end={"target": 15})
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="mara", points=15)
    evening.say("outcome_recorded", made=True)
    assert evening.match()["status"] == "finished"
    evening.say("points_counted", points={"mara": 14, "leo": 1})
    assert evening.match()["status"] == "open"
    evening.say("hand_started", dealer="leo")


def test_a_penalty_can_be_struck_and_changed() -> None:
    evening = riparto()
    first = fine(evening, "leo", -4)
    play_hand(evening, "mara")
    second = fine(evening, "leo", -2)
    evening.replace(second, "penalty_given", side="nina", points=-1, reason="it was she")
    assert totals(evening) == [5, -4, -1]
    evening.strike(first)
    assert totals(evening) == [5, 0, -1]
    evening.insert(first, "penalty_given", side="mara", points=-5, reason="forgotten")
    assert totals(evening) == [0, 0, -1]


def test_a_penalty_before_the_first_hand_of_a_second_match_can_be_corrected() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("match_started", game="riparto", seats=["mara", "leo", "nina"])
    penalty = fine(evening, "leo", -4)
    evening.replace(penalty, "penalty_given", side="leo", points=-1, reason="it was one")
    evening.insert(penalty, "penalty_given", side="nina", points=-2, reason="and she two")
    assert [list(match["totals"].values()) for match in evening.report["matches"]] == [
        [5, 0, 0], [0, -1, -2],
    ]  # fmt: skip


def test_a_penalty_in_the_middle_of_a_hand_survives_that_the_session_is_placed_anew() -> None:
    evening = riparto(end={"hands": 2})
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="mara", points=5)
    fine(evening, "mara", -1)
    evening.say("points_counted", points={"mara": 5, "leo": 10})
    evening.say("hand_started", dealer="mara")
    before = evening.match()
    evening.insert(1, "player_joined", id="new", name="New")
    assert evening.match() == before
    assert totals(evening) == [4, 0, 0]


# ------------------------------------------------------------------ where there is no such score


def test_a_penalty_in_a_match_for_hands_won_is_unusable() -> None:
    evening = Evening(opening("mara", "leo"))
    evening.say("match_started", game="briscola_regina", seats=["mara", "leo"],
                options={"match": {"wins": 2}})  # fmt: skip
    for _ in range(2):
        with pytest.raises(UnusableError):
            fine(evening, "leo", -1)
        evening.say("hand_started", dealer="mara")


def test_no_correction_makes_a_match_for_points_with_penalties_one_for_hands_won() -> None:
    evening = Evening(opening("mara", "leo"))
    data = {"game": "briscola_regina", "seats": ["mara", "leo"]}
    evening.say("match_started", **data, options={"match": {"points": 100}})
    evening.say("hand_started", dealer="mara")
    fine(evening, "leo", -1)
    with pytest.raises(UnusableError, match="with this correction event 4 is no longer valid"):
        evening.replace(2, "match_started", **data, options={"match": {"wins": 2}})
    assert evening.match()["totals"] == {"mara": 0, "leo": -1}


picchetto = pytest.mark.skipif("picchetto" not in GAMES, reason="Picchetto is not there yet")


def game_of_picchetto() -> tuple[Evening, list[int]]:
    """One game to 150, won by Leo in the second hand; the seqs of the two counts."""
    evening = Evening(opening("mara", "leo"))
    evening.say("match_started", game="picchetto", seats=["mara", "leo"],
                options={"match": "single"})  # fmt: skip
    counts = []
    for dealer, points in (("mara", 100), ("leo", 60)):
        evening.say("hand_started", dealer=dealer)
        counts.append(evening.say("points_counted", points={"mara": 10, "leo": points}))
    return evening, counts


@picchetto
def test_a_hand_belongs_to_the_game_that_the_hands_before_it_leave_open() -> None:
    evening = Evening(opening("mara", "leo"))
    evening.say("match_started", game="picchetto", seats=["mara", "leo"])
    evening.say("hand_started", dealer="mara")
    count = evening.say("points_counted", points={"mara": 10, "leo": 160})
    evening.say("hand_started", dealer="leo")
    evening.say("points_counted", points={"mara": 10, "leo": 60})
    assert [hand["game"] for hand in evening.match()["hands"]] == [1, 2]
    evening.replace(count, "points_counted", points={"mara": 10, "leo": 60})
    assert [hand["game"] for hand in evening.match()["hands"]] == [1, 1]
    assert evening.match()["games"][0]["scores"] == {"mara": 20, "leo": 120}


@picchetto
def test_a_penalty_after_a_match_of_picchetto_is_unusable() -> None:
    evening, _ = game_of_picchetto()
    assert evening.match()["status"] == "finished"
    with pytest.raises(UnusableError):
        fine(evening, "leo", -1)


@picchetto
def test_a_penalty_can_still_be_put_where_the_match_was_not_over_yet() -> None:
    evening, (first, second) = game_of_picchetto()
    evening.insert(first, "penalty_given", side="leo", points=-1, reason="forgotten")
    assert evening.match()["games"][0]["scores"]["leo"] == 159
    with pytest.raises(UnusableError):
        evening.insert(second, "penalty_given", side="leo", points=-1, reason="too late")


@picchetto
def test_an_early_hand_with_a_penalty_can_be_corrected_after_the_match() -> None:
    evening = Evening(opening("mara", "leo"))
    evening.say("match_started", game="picchetto", seats=["mara", "leo"],
                options={"match": "single"})  # fmt: skip
    evening.say("hand_started", dealer="mara")
    fine(evening, "leo", -5)
    count = evening.say("points_counted", points={"mara": 10, "leo": 100})
    evening.say("hand_started", dealer="leo")
    evening.say("points_counted", points={"mara": 10, "leo": 60})
    assert evening.match()["status"] == "finished"
    evening.replace(count, "points_counted", points={"mara": 11, "leo": 100})
    assert evening.match()["games"][0]["scores"] == {"mara": 21, "leo": 155}


@picchetto
def test_a_penalty_stays_when_a_correction_ends_the_match_before_it() -> None:
    evening = Evening(opening("mara", "leo"))
    evening.say("match_started", game="picchetto", seats=["mara", "leo"],
                options={"match": "single"})  # fmt: skip
    evening.say("hand_started", dealer="mara")
    count = evening.say("points_counted", points={"mara": 10, "leo": 100})
    evening.say("hand_started", dealer="leo")
    evening.say("points_counted", points={"mara": 10, "leo": 20})
    penalty = fine(evening, "leo", -5)
    evening.say("hand_started", dealer="mara")
    evening.replace(count, "points_counted", points={"mara": 10, "leo": 160})
    assert evening.match()["status"] == "finished"
    assert [hand["status"] for hand in evening.match()["hands"]] == [
        "complete", "incomplete", "incomplete",
    ]  # fmt: skip
    evening.insert(1, "player_joined", id="new", name="New")  # places all anew
    evening.replace(penalty, "penalty_given", side="leo", points=-4, reason="it was four")
    assert evening.match()["games"][0]["scores"]["leo"] == 160
    evening.strike(9)
    assert evening.match()["games"][0]["scores"]["leo"] == 116


# ------------------------------------------------------------------------ what the others share


def calling(*seats: str) -> Evening:
    match = event("match_started", game="briscola_chiamata", seats=list(seats))
    return Evening(opening(*seats), match)


def test_what_one_loses_the_others_share() -> None:
    evening = calling("mara", "leo", "nina", "ugo", "zoe")
    evening.say("hand_started", dealer="mara")
    penalty_ = evening.say("penalty_given", side="leo", points=-4, reason="talk", spread="others")
    assert totals(evening) == [1, -4, 1, 1, 1]
    assert [penalty.points for penalty in explained(evening).penalties] == [-4, 1, 1, 1, 1]
    evening.replace(penalty_, "penalty_given", side="zoe", points=8, reason="talk", spread="others")
    assert totals(evening) == [-2, -2, -2, -2, 8]
    evening.strike(penalty_)
    assert totals(evening) == [0] * 5
    assert evening.hand(1)["scores"] == dict.fromkeys(("mara", "leo", "nina", "ugo", "zoe"), 0)


def explained(evening: Evening) -> ExplainedHandView:
    """The last hand of the first match, as explained; the match adds up."""
    (match,) = explain(evening.session).matches
    several = [*match.penalties, *(fine for hand in match.hands for fine in hand.penalties)]
    for side, total in match.totals.items():
        fines = sum(fine.points for fine in several if fine.side == side)
        assert total == fines + sum(hand.adds[side] for hand in match.hands)
    return match.hands[-1]


def test_those_share_it_who_take_part_in_the_hand() -> None:
    evening = calling("mara", "leo", "nina", "ugo", "zoe", "ada")
    evening.say("penalty_given", side="leo", points=-5, reason="late", spread="others")
    assert totals(evening) == [1, -5, 1, 1, 1, 1], "before the first hand all but him"
    evening.say("hand_started", dealer="mara")
    evening.say("penalty_given", side="leo", points=-4, reason="talk", spread="others")
    assert totals(evening) == [1, -9, 2, 2, 2, 2], "the dealer sits out"
    evening.say("penalty_given", side="mara", points=-5, reason="talk", spread="others")
    assert totals(evening) == [-4, -8, 3, 3, 3, 3], "he talks all the same"


@pytest.mark.parametrize("points", [-6, 1, -1, 7])
def test_what_cannot_be_shared_equally_is_refused_and_not_rounded(points: int) -> None:
    evening = calling("mara", "leo", "nina", "ugo", "zoe")
    for begin in (lambda: None, lambda: evening.say("hand_started", dealer="mara")):
        begin()
        with pytest.raises(UnusableError, match="cannot be shared equally by 4 others") as refused:
            evening.say("penalty_given", side="leo", points=points, reason="", spread="others")
        assert refused.value.field == "data.points"
    fine(evening, "leo", points)
    assert totals(evening) == [0, points, 0, 0, 0]


def test_partners_share_nothing() -> None:
    seats = ["mara", "leo", "nina", "ugo"]
    for game, options in (("briscola_regina", {"match": {"points": 500}}), ("knock", {})):
        match = event("match_started", game=game, seats=seats, options=options)
        evening = Evening(opening(*seats), match)
        with pytest.raises(UnusableError, match="each plays alone") as refused:
            evening.say("penalty_given", side="A", points=-4, reason="", spread="others")
        assert refused.value.field == "data.spread"


def test_at_picchetto_the_other_gets_it_before_and_in_a_hand() -> None:
    seats = ["mara", "leo"]
    evening = Evening(opening(*seats), event("match_started", game="picchetto", seats=seats))
    evening.say("penalty_given", side="leo", points=-3, reason="", spread="others")
    evening.say("hand_started", dealer="mara")
    evening.say("penalty_given", side="mara", points=2, reason="", spread="others")
    evening.say("tricks_counted", tricks={"leo": 7, "mara": 5}, last="leo")
    scores = evening.hand(1)["scores"]
    (game,) = evening.match()["games"]
    assert game["scores"] == {"mara": scores["mara"] + 5, "leo": scores["leo"] - 5}
    evening.say("penalty_given", side="leo", points=-1, reason="", spread="others")
    (game,) = evening.match()["games"]
    assert game["scores"] == {"mara": scores["mara"] + 6, "leo": scores["leo"] - 6}


def test_the_rows_of_a_sheet_say_who_shared_it() -> None:
    evening = calling("mara", "leo", "nina", "ugo", "zoe")
    evening.say("penalty_given", side="mara", points=4, reason="early", spread="others")
    evening.say("hand_started", dealer="mara")
    evening.say("penalty_given", side="leo", points=-8, reason="talk", spread="others")
    values = list(place_penalties(evening.session.structure.matches[0]))
    assert [(value.hand, value.side, dict(value.points)) for value in values] == [
        (0, "mara", {"mara": 4, "leo": -1, "nina": -1, "ugo": -1, "zoe": -1}),
        (1, "leo", {"mara": 2, "leo": -8, "nina": 2, "ugo": 2, "zoe": 2}),
    ]

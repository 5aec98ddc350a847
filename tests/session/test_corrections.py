"""Corrections: every sentence that the log format says of them."""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.log.reading import RawEvent
from tests.evenings import Evening, Raw, event, inserted, play_hand, replaced, riparto, struck


def hand_of(*play: Raw) -> Evening:
    """An evening with one hand; its first event of play is event 4."""
    evening = riparto()
    for raw in (event("hand_started", dealer="mara"), *play):
        evening.add(raw)
    return evening


def bids(evening: Evening) -> list[tuple[int, str, int]]:
    """Seq, player and figure of the bids of the last hand, as the record stands corrected."""
    deal_bids = evening.session.structure.matches[-1].hands[-1].deal.bids  # type: ignore[attr-defined]
    return [(bid.seq, bid.event.player, bid.event.points) for bid in deal_bids]


def bid(player: str, points: int) -> Raw:
    return event("bid_made", player=player, points=points)


def insert_bid(after: int, points: int) -> Raw:
    return inserted(after, "bid_made", player="leo", points=points)


def correction(evening: Evening, number: int = -1) -> dict[str, Any]:
    value: dict[str, Any] = evening.report["corrections"][number]
    return value


# ----------------------------------------------------------------------------- what each does


def test_a_struck_event_is_passed_over() -> None:
    evening = hand_of(bid("leo", 4), bid("nina", 5))
    evening.strike(4)
    assert bids(evening) == [(5, "nina", 5)]


def test_a_replaced_event_reads_differently_and_keeps_its_seq_and_place() -> None:
    evening = hand_of(bid("leo", 4), bid("nina", 5))
    evening.replace(4, "bid_made", player="leo", points=6)
    assert bids(evening) == [(4, "leo", 6), (5, "nina", 5)]


def test_an_event_may_be_replaced_by_one_of_another_type() -> None:
    evening = hand_of(bid("leo", 4), bid("nina", 5))
    evening.replace(4, "note_added", text="Leo thought about it")
    assert bids(evening) == [(5, "nina", 5)]
    evening.replace(4, "score_claimed", scores={})
    evening.replace(4, "bid_made", player="mara", points=0)
    assert bids(evening) == [(4, "mara", 0), (5, "nina", 5)]


def test_an_inserted_event_comes_right_after_the_one_named_and_bears_its_own_seq() -> None:
    evening = hand_of(bid("leo", 4), bid("nina", 5))
    evening.insert(4, "bid_made", player="mara", points=3)
    assert bids(evening) == [(4, "leo", 4), (6, "mara", 3), (5, "nina", 5)]


def test_several_after_the_same_one_come_in_the_order_of_their_recording() -> None:
    evening = hand_of(bid("leo", 1))
    for points in (2, 3, 4):
        evening.add(insert_bid(4, points))
    assert [points for *_, points in bids(evening)] == [1, 2, 3, 4]


def test_an_inserted_one_may_be_named_by_another() -> None:
    evening = hand_of(bid("leo", 1))
    second = evening.add(insert_bid(4, 2))
    evening.add(insert_bid(4, 5))
    third = evening.add(insert_bid(second, 3))
    evening.add(insert_bid(third, 4))
    evening.add(insert_bid(4, 6))
    evening.add(insert_bid(second, 7))
    assert [points for *_, points in bids(evening)] == [1, 2, 3, 4, 7, 5, 6]


def test_they_do_also_where_one_of_them_begins_a_hand() -> None:
    evening = hand_of(bid("leo", 1), bid("nina", 9))
    evening.insert(4, "hand_started", dealer="leo")
    evening.add(insert_bid(4, 2))
    evening.add(insert_bid(4, 3))
    assert [points for *_, points in bids(evening)] == [2, 3, 9]


def test_what_is_inserted_after_a_struck_event_stands_in_its_place() -> None:
    evening = hand_of(bid("leo", 1), bid("nina", 9))
    evening.strike(4)
    evening.add(insert_bid(4, 2))
    first = evening.add(insert_bid(4, 3))
    evening.strike(first)
    evening.add(insert_bid(first, 4))
    assert [points for *_, points in bids(evening)] == [2, 4, 9]


def test_what_is_inserted_after_a_correction_comes_where_that_was_recorded() -> None:
    evening = hand_of(bid("leo", 1))
    strike = evening.strike(4)
    evening.add(bid("nina", 3))
    evening.add(insert_bid(strike, 2))
    assert [points for *_, points in bids(evening)] == [2, 3]


def test_the_first_of_all_can_have_something_after_it_and_so_can_the_last() -> None:
    evening = hand_of(bid("leo", 4))
    evening.insert(1, "player_joined", id="new", name="New")
    evening.insert(4, "bid_made", player="nina", points=2)
    evening.insert(6, "note_added", text="after what was inserted")
    assert [player for _, player, _ in bids(evening)] == ["leo", "nina"]
    assert evening.report["session"]["players"][-1] == {"id": "new", "name": "New"}


# ------------------------------------------------------------------------ which of them stand


def test_a_strike_struck_counts_as_never_recorded() -> None:
    evening = hand_of(bid("leo", 4))
    first = evening.strike(4)
    assert bids(evening) == []
    second = evening.strike(first)
    assert bids(evening) == [(4, "leo", 4)]
    third = evening.strike(second)
    assert bids(evening) == []
    evening.strike(third)
    assert bids(evening) == [(4, "leo", 4)]
    assert [correction_["stands"] for correction_ in evening.report["corrections"]] == [
        False,
        True,
        False,
        True,
    ]


def test_striking_a_replacement_restores_the_previous_one() -> None:
    evening = hand_of(bid("leo", 4))
    evening.replace(4, "bid_made", player="leo", points=5)
    second = evening.replace(4, "bid_made", player="leo", points=6)
    strike = evening.strike(second)
    assert bids(evening) == [(4, "leo", 5)]
    evening.strike(strike)
    assert bids(evening) == [(4, "leo", 6)]


def test_struck_insertion_disappears_and_can_be_restored() -> None:
    evening = hand_of(bid("leo", 4))
    insertion = evening.add(insert_bid(4, 5))
    strike = evening.strike(insertion)
    assert bids(evening) == [(4, "leo", 4)]
    evening.strike(strike)
    assert bids(evening) == [(4, "leo", 4), (insertion, "leo", 5)]


def test_of_several_standing_corrections_of_one_event_the_latest_decides() -> None:
    evening = hand_of(bid("leo", 4))
    evening.strike(4)
    evening.replace(4, "bid_made", player="leo", points=5)
    assert bids(evening) == [(4, "leo", 5)]
    last = evening.strike(4)
    assert bids(evening) == []
    evening.strike(last)
    assert bids(evening) == [(4, "leo", 5)]


def test_a_strike_struck_twice_takes_two_strikes_to_come_back() -> None:
    evening = hand_of(bid("leo", 4))
    first = evening.strike(4)
    one, other = evening.strike(first), evening.strike(first)
    evening.strike(one)
    assert bids(evening) == [(4, "leo", 4)], "the other still stands"
    evening.strike(other)
    assert bids(evening) == []


# -------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (struck(1), "session_opened cannot be struck"),
        (replaced(1, "note_added", text=""), "session_opened cannot be replaced"),
        (replaced(6, "note_added", text=""), "event_struck cannot be replaced"),
        (replaced(7, "note_added", text=""), "event_replaced cannot be replaced"),
        (replaced(8, "note_added", text=""), "event_inserted cannot be replaced"),
        (inserted(4, "event_struck", seq=4, reason=""), "a correction cannot contain another corr"),
        (replaced(4, "event_inserted", after=4), "a correction cannot contain another correction"),
        (inserted(4, "session_opened", title="", players=[]), "may be only the first event"),
        (struck(9), "expected the seq of an earlier event, got 9"),
        (struck(10), "expected the seq of an earlier event, got 10"),
        (inserted(9, "note_added", text=""), "expected the seq of an earlier event, got 9"),
        (replaced(4, "bid_made", player="ugo", points=1), "a player who takes part in this hand"),
        (replaced(4, "bid_made", points=1), "missing"),
        (replaced(4, "bid_offered"), "expected a known type of event"),
        (replaced(4, "bris_called", player="leo", suit="S"), "an event of another game"),
        (replaced(2, "match_started", game="riparto", seats=["mara", "nina", "ugo"]),
         "with this correction event 4 is no longer valid"),
        (replaced(2, "match_started", game="briscola_regina", seats=["mara", "leo", "nina"]),
         'with this correction event 4 is no longer valid: "bid_made" is an event of another game'),
        (replaced(3, "hand_started", dealer="ugo"), "a player seated in this match"),
        (struck(3), "with this correction event 4 is no longer valid: no hand of this match"),
        (struck(2), "with this correction event 3 is no longer valid: no match has been started"),
        (inserted(2, "session_closed"), "event 3 is no longer valid: the session has been closed"),
        (inserted(1, "hand_started", dealer="mara"), "no match has been started"),
        (inserted(3, "player_joined", id="leo", name="L"), "belongs to Leo already"),
        (inserted(4, "player_joined", id="leo", name="L"), "belongs to Leo already"),
    ],
)  # fmt: skip
def test_a_correction_that_would_leave_an_unusable_log_is_refused(raw: Raw, why: str) -> None:
    evening = hand_of(bid("leo", 4), event("note_added", text=""))
    evening.strike(5)
    evening.replace(5, "note_added", text="x")
    evening.insert(5, "note_added", text="y")
    before = evening.report
    for _ in range(2):
        with pytest.raises(UnusableError, match=why):
            evening.add(raw)
        assert evening.report == before
    evening.add(bid("nina", 5))
    assert Evening(*evening.log).report == evening.report


def test_a_strike_of_a_correction_that_would_leave_an_unusable_log_is_refused() -> None:
    evening = hand_of(event("card_played", player="leo", card="AS"))
    strike = evening.strike(4)
    evening.say("card_played", player="leo", card="KS")
    why = "with this correction event 6 is no longer valid: Leo has already played A♠ to this trick"
    with pytest.raises(UnusableError, match=why):
        evening.strike(strike)
    late = hand_of(event("card_played", player="leo", card="KS"))
    late.insert(3, "note_added", text="")
    replacement = late.replace(4, "card_played", player="leo", card="AS")
    late.say("card_played", player="nina", card="KS")
    late.say("card_played", player="mara", card="QS")
    late.say("card_played", player="leo", card="KS")
    why = "with this correction event 9 is no longer valid: Leo has already played K♠ in this hand"
    with pytest.raises(UnusableError, match=why):
        late.strike(replacement)


def test_a_refused_correction_does_not_use_up_its_number() -> None:
    evening = hand_of(bid("leo", 4))
    with pytest.raises(UnusableError):
        evening.replace(4, "bid_made", player="ugo", points=1)
    assert evening.strike(4) == 5
    assert bids(evening) == []


# ------------------------------------------------------------------------------ the report


def test_original_of_a_replaced_event_stays_readable() -> None:
    evening = hand_of(bid("leo", 4))
    evening.replace(4, "bid_made", player="leo", points=5)
    assert correction(evening) == {
        "seq": 5, "type": "event_replaced", "reason": "typed wrongly", "stands": True, "names": 4,
        "before": bid("leo", 4), "after": bid("leo", 5),
    }  # fmt: skip


def test_report_of_a_correction_has_the_events_before_and_after() -> None:
    evening = hand_of(bid("leo", 4))
    strike = evening.strike(4)
    insertion = evening.add(insert_bid(4, 6))
    evening.strike(strike)
    first, second, third = evening.report["corrections"]
    assert (first["before"], first["after"], first["stands"]) == (bid("leo", 4), None, False)
    assert (second["before"], second["after"]) == (None, bid("leo", 6))
    assert (second["names"], second["seq"]) == (4, insertion)
    assert third["before"]["type"] == "event_struck"
    assert third["names"] == strike


# ------------------------------------------------------- hands, matches, players, the session


def test_the_dealer_can_be_corrected() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    second, *_ = play_hand(evening, "nina")
    assert evening.codes == ["wrong_dealer"]
    evening.replace(second, "hand_started", dealer="leo")
    assert (evening.codes, evening.hand(2)["dealer"]) == ([], "leo")


def test_a_hand_started_by_mistake_is_struck_and_its_events_join_the_hand_before() -> None:
    evening = hand_of(bid("leo", 4))
    again = evening.say("hand_started", dealer="leo")
    evening.say("bid_made", player="nina", points=5)
    evening.strike(again)
    assert bids(evening) == [(4, "leo", 4), (6, "nina", 5)]
    assert len(evening.match()["hands"]) == 1


def test_a_forgotten_hand_started_can_be_inserted() -> None:
    evening = riparto()
    _, _, count = play_hand(evening, "mara")
    evening.say("bid_made", player="nina", points=7)
    evening.insert(count, "hand_started", dealer="leo")
    assert [hand["dealer"] for hand in evening.match()["hands"]] == ["mara", "leo"]
    assert bids(evening) == [(6, "nina", 7)]


def test_a_player_who_joined_by_a_correction_may_play() -> None:
    evening = riparto()
    evening.insert(1, "player_joined", id="new", name="New")
    evening.replace(2, "match_started", game="riparto", seats=["mara", "leo", "nina", "new"])
    evening.say("hand_started", dealer="new")
    assert evening.match()["seats"] == ["mara", "leo", "nina", "new"]
    with pytest.raises(
        UnusableError, match="event 2 is no longer valid: expected a player of this session"
    ):
        evening.strike(3)


def test_a_name_can_be_corrected() -> None:
    evening = riparto()
    joined = evening.say("player_joined", id="new", name="Nwe")
    evening.say("match_started", game="riparto", seats=["mara", "leo", "new"])
    evening.replace(joined, "player_joined", id="new", name="New")
    assert evening.report["session"]["players"][-1] == {"id": "new", "name": "New"}
    with pytest.raises(UnusableError, match="event 4 is no longer valid"):
        evening.replace(joined, "player_joined", id="newer", name="New")


def test_who_recorded_something_cannot_have_been_away() -> None:
    evening = riparto()
    joined = evening.say("player_joined", id="new", name="New")
    evening.add(event("note_added", text="I am here"), by="new")
    with pytest.raises(
        UnusableError, match="event 4 is no longer valid: expected a player of this session"
    ):
        evening.strike(joined)


def test_the_options_of_a_match_can_be_corrected() -> None:
    evening = hand_of(bid("leo", 4), bid("nina", 4), event("outcome_recorded", made=True))
    assert evening.hand(1)["scores"]["leo"] == 4
    data = {"game": "riparto", "seats": ["mara", "leo", "nina"]}
    evening.replace(2, "match_started", **data, options={"bid_tie": "last"})
    assert evening.hand(1)["scores"]["nina"] == 4
    assert evening.match()["options"]["bid_tie"] == "last"


def test_a_match_of_another_game_where_nothing_contradicts_it() -> None:
    evening = riparto(seats="mara leo nina")
    evening.say("hand_started", dealer="mara")
    taken = evening.say("trick_taken", player="leo")
    evening.replace(2, "match_started", game="briscola_regina", seats=["mara", "leo", "nina"])
    assert evening.match()["game"] == "briscola_regina"
    evening.say("bris_called", player="leo", suit="S")
    evening.replace(taken, "bris_called", player="nina", suit="C")
    with pytest.raises(UnusableError, match=r"event 4 is no longer valid: .*another game"):
        evening.replace(2, "match_started", game="riparto", seats=["mara", "leo", "nina"])


def test_a_closed_session_can_be_opened_again_by_a_strike() -> None:
    evening = hand_of(bid("leo", 4))
    closed = evening.say("session_closed")
    assert (evening.match()["status"], evening.hand(1)["status"]) == ("finished", "incomplete")
    strike = evening.strike(closed)
    assert (evening.match()["status"], evening.hand(1)["status"]) == ("open", "open")
    evening.say("points_counted", points={"leo": 4, "nina": 11})
    with pytest.raises(
        UnusableError, match="event 7 is no longer valid: the session has been closed"
    ):
        evening.strike(strike)


# ---------------------------------------------------------------------- the end of a match


def match_to_ten() -> tuple[Evening, list[int]]:
    """Five hands of 2 points each to Mara, in a match to 10; the seqs of their counts."""
    evening = riparto(end={"target": 10})
    dealers = ["mara", "leo", "nina", "mara", "leo"]
    return evening, [play_hand(evening, dealer, "mara", 2)[2] for dealer in dealers]


def statuses(evening: Evening, match: int = 1) -> list[str]:
    return [hand["status"] for hand in evening.match(match)["hands"]]


def test_a_match_that_now_ends_earlier_keeps_the_hands_after_it() -> None:
    evening, counts = match_to_ten()
    evening.replace(counts[1] - 1, "bid_made", player="mara", points=8)
    evening.replace(counts[1], "points_counted", points={"mara": 8, "leo": 7})
    assert statuses(evening) == ["complete", "complete", "incomplete", "incomplete", "incomplete"]
    assert evening.codes == ["after_end"] * 3
    assert evening.match()["totals"]["mara"] == 10
    assert (evening.match()["status"], evening.match()["winners"]) == ("finished", ["mara"])
    (first, *_) = [
        finding for finding in evening.report["findings"] if finding["code"] == "after_end"
    ]
    assert (first["rule"], first["hand"], first["severity"]) == ("R15", 3, "error")
    assert evening.hand(4)["scores"] == {"mara": 0, "leo": 0, "nina": 0}


def test_a_penalty_may_make_it_end_earlier_too() -> None:
    evening, counts = match_to_ten()
    evening.insert(counts[0], "penalty_given", side="mara", points=6, reason="forgotten")
    assert statuses(evening) == ["complete", "complete", "incomplete", "incomplete", "incomplete"]


def test_an_inserted_end_leaves_the_hands_after_it_out() -> None:
    evening, counts = match_to_ten()
    end = evening.insert(counts[2], "match_ended", reason="it was late")
    assert statuses(evening) == ["complete"] * 3 + ["incomplete"] * 2
    assert evening.codes == ["after_end"] * 2
    evening.strike(end)
    assert statuses(evening) == ["complete"] * 5


def test_hands_after_the_end_stay_correctable_and_come_back() -> None:
    evening, counts = match_to_ten()
    end = evening.insert(counts[2], "match_ended")
    hand = counts[3] - 2
    evening.replace(hand, "hand_started", dealer="leo")
    evening.strike(evening.strike(counts[4] - 2 + 1))
    evening.strike(evening.replace(hand, "hand_started", dealer="nina"))
    assert evening.codes == ["wrong_dealer", "after_end"] * 2
    evening.strike(end)
    assert statuses(evening) == ["complete"] * 5


def test_a_hand_after_the_end_that_was_struck_can_come_back() -> None:
    evening = riparto()
    *_, count = play_hand(evening, "mara")
    second = evening.say("hand_started", dealer="leo")
    evening.insert(count, "match_ended")
    strike = evening.strike(second)
    assert evening.codes == []
    evening.strike(strike)
    assert evening.codes == ["after_end"]


def test_a_hand_after_the_end_is_unusable_when_it_is_recorded() -> None:
    evening, counts = match_to_ten()
    for raw in (
        event("hand_started", dealer="nina"),
        inserted(counts[-1], "hand_started", dealer="nina"),
    ):
        with pytest.raises(UnusableError, match="the match has ended; a new one has to be started"):
            evening.add(raw)
    note = evening.say("note_added", text="")
    with pytest.raises(UnusableError, match="the match has ended"):
        evening.replace(note, "hand_started", dealer="nina")
    evening.replace(counts[0], "points_counted", points={"mara": 3, "leo": 6})
    evening.replace(note, "hand_started", dealer="nina")


def test_an_end_undone_opens_the_match_again() -> None:
    evening, counts = match_to_ten()
    assert evening.match()["status"] == "finished"
    evening.replace(counts[0], "points_counted", points={"mara": 3, "leo": 6})
    assert evening.match()["status"] == "open"
    play_hand(evening, "nina", "mara", 4)
    assert (evening.match()["status"], evening.match()["totals"]["mara"]) == ("finished", 10)


def test_an_end_undone_opens_the_match_up_to_the_next_one() -> None:
    evening, counts = match_to_ten()
    evening.say("match_started", game="riparto", seats=["mara", "leo", "nina"])
    evening.say("hand_started", dealer="mara")
    evening.replace(counts[0], "points_counted", points={"mara": 3, "leo": 6})
    assert evening.match()["status"] == "finished"
    assert evening.match()["totals"]["mara"] == 6
    evening.insert(counts[-1], "hand_started", dealer="nina")
    assert [len(match["hands"]) for match in evening.report["matches"]] == [6, 1]


def test_the_end_by_the_start_of_the_next_match_can_be_struck() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    started = evening.say("match_started", game="riparto", seats=["mara", "leo", "nina"])
    play_hand(evening, "leo")
    evening.strike(started)
    assert statuses(evening) == ["complete", "complete"]
    assert len(evening.report["matches"]) == 1


# ----------------------------------------------------------------------------- damaged logs


def test_a_seq_that_stands_twice_names_the_first() -> None:
    evening = hand_of(bid("leo", 4))
    session = evening.session
    session.add_line(RawEvent(5, 4, "bid_made", {"player": "nina", "points": 5}))
    session.add_line(RawEvent(6, 9, "bid_made", {"player": "mara", "points": 6}))
    session.add_line(RawEvent(7, 6, "event_struck", {"seq": 4, "reason": ""}))
    assert [player for _, player, _ in bids(evening)] == ["nina", "mara"]
    session.add_line(RawEvent(8, 6, "event_struck", {"seq": 9, "reason": ""}))
    assert [player for _, player, _ in bids(evening)] == ["nina"]
    with pytest.raises(UnusableError):
        session.add_line(RawEvent(9, 7, "event_struck", {"seq": 5, "reason": ""}))


def test_two_hands_of_one_seq_are_kept_apart() -> None:
    evening = riparto()
    session = evening.session
    for seq, kind, data in (
        (3, "hand_started", {"dealer": "mara"}),
        (4, "bid_made", {"player": "leo", "points": 4}),
        (3, "hand_started", {"dealer": "leo"}),
        (6, "bid_made", {"player": "nina", "points": 5}),
        (7, "event_replaced", {"seq": 4, "type": "bid_made",
                               "data": {"player": "mara", "points": 4}, "reason": ""}),
        (8, "bid_made", {"player": "mara", "points": 1}),
    ):  # fmt: skip
        session.add_line(RawEvent(seq, seq, kind, data))
    assert bids(evening) == [(6, "nina", 5), (8, "mara", 1)]
    assert len(evening.match()["hands"]) == 2

"""Matches and hands as they are built up: standings, penalties, and what comes after the end."""

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.session.matches import HandRecord, MatchRecord
from tests.evenings import Evening, event, opening, play_hand, riparto


def match_of(evening: Evening) -> MatchRecord:
    return evening.session.structure.matches[-1]


def hands_of(evening: Evening) -> list[HandRecord]:
    return match_of(evening).hands


def totals(evening: Evening, hands: int | None = None) -> list[int]:
    now = match_of(evening).standing(hands).totals
    return [int(now[player]) for player in ("mara", "leo", "nina")]


def test_the_standing_is_known_after_each_hand() -> None:
    evening = riparto()
    for dealer, bid in (("mara", 5), ("leo", 6)):
        play_hand(evening, dealer, bid=bid)
    each = [totals(evening, hands) for hands in (0, 1, 2)]
    assert each[0] == [0, 0, 0]
    assert each[1] != each[2] == totals(evening)
    assert match_of(evening).standing(1) is match_of(evening).standing(1)


def test_a_correction_makes_the_standings_after_it_anew_and_not_those_before() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    _, _, count = play_hand(evening, "leo")
    play_hand(evening, "nina")
    before = [totals(evening, hands) for hands in range(4)]
    evening.replace(count, "points_counted", points={"mara": 4, "leo": 11})
    after = [totals(evening, hands) for hands in range(4)]
    assert before[:2] == after[:2]
    assert all(one != other for one, other in zip(before[2:], after[2:], strict=True))


def test_a_hand_that_goes_on_is_reckoned_again() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="leo", points=5)
    assert totals(evening) == [0, 0, 0]
    assert match_of(evening).last_complete() is None
    evening.say("points_counted", points={"leo": 5, "nina": 10, "mara": 0})
    assert totals(evening) != [0, 0, 0]
    assert match_of(evening).last_complete() is hands_of(evening)[0]


def test_the_last_complete_hand_stays_so_while_the_next_is_played() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("hand_started", dealer="leo")
    assert match_of(evening).last_complete() is hands_of(evening)[0]
    evening.say("hand_abandoned", reason="misdeal")
    assert match_of(evening).last_complete() is hands_of(evening)[0]


def test_a_penalty_counts_where_it_was_given() -> None:
    evening = riparto()
    evening.say("penalty_given", side="mara", points=-3, reason="x")
    assert totals(evening) == [-3, 0, 0]
    _, _, count = play_hand(evening, "mara")
    evening.say("penalty_given", side="mara", points=-4, reason="x")
    hand = hands_of(evening)[0]
    before, after = hand.split_penalties(match_of(evening).standing(0))
    assert (len(before), [penalty.points for penalty in after]) == (0, [-4])
    evening.insert(count - 1, "penalty_given", side="leo", points=-5, reason="x")
    before, after = hands_of(evening)[0].split_penalties(match_of(evening).standing(0))
    assert ([penalty.side for penalty in before], [penalty.side for penalty in after]) == (
        ["leo"],
        ["mara"],
    )


def test_the_match_is_over_at_its_end_or_by_a_word() -> None:
    evening = riparto(end={"hands": 1})
    assert not match_of(evening).over
    play_hand(evening, "mara")
    assert match_of(evening).over
    assert match_of(evening).ended is None
    with pytest.raises(UnusableError, match="the match has ended"):
        evening.say("hand_started", dealer="leo")
    word = riparto()
    play_hand(word, "mara")
    seq = word.say("match_ended")
    assert (match_of(word).over, match_of(word).hands_when_ended) == (True, 1)
    ended = match_of(word).ended
    assert ended
    assert ended.seq == seq


def test_a_hand_after_an_end_that_a_correction_made_earlier_counts_for_nothing() -> None:
    evening = riparto(end={"hands": 2})
    play_hand(evening, "mara")
    play_hand(evening, "leo")
    seats = ["mara", "leo", "nina"]
    evening.replace(2, "match_started", game="riparto", seats=seats,
                    options={"match_end": {"hands": 1}})  # fmt: skip
    first, second = hands_of(evening)
    assert [match_of(evening).is_after_end(hand) for hand in (first, second)] == [False, True]
    assert [match_of(evening).is_complete(hand) for hand in (first, second)] == [True, False]
    assert totals(evening) == totals(evening, 1)


def test_a_new_match_ends_the_one_before_it() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("match_started", game="riparto", seats=["mara", "leo", "nina"])
    first, second = evening.session.structure.matches
    assert (first.over, second.over) == (True, False)
    assert (first.number, second.number, second.hands) == (1, 2, [])


def test_hands_that_one_player_deals_share_their_seating() -> None:
    evening = riparto(seats="mara leo nina ugo")
    match = match_of(evening)
    assert match.seating_of("mara") is match.seating_of("mara")
    assert match.seating_of("mara").table.players == ("leo", "nina", "ugo", "mara")
    assert match.seating_of("leo").table.eldest == "nina"


def test_a_penalty_that_the_game_does_not_know_is_refused() -> None:
    seats = ["mara", "leo"]
    evening = Evening(
        opening(*seats),
        event("match_started", game="briscola_regina", seats=seats, options={"match": {"wins": 2}}),
    )
    for _ in range(2):  # before the first hand, and in it
        with pytest.raises(UnusableError):
            evening.say("penalty_given", side="mara", points=-5, reason="x")
        evening.say("hand_started", dealer="mara")


def test_what_the_report_follows_from_is_what_was_played() -> None:
    evening, again = riparto(), riparto()
    for session_ in (evening, again):
        play_hand(session_, "mara")
    assert match_of(evening).list_recorded() == match_of(again).list_recorded()
    evening.say("hand_confirmed", player="leo")
    assert match_of(evening).list_recorded() == match_of(again).list_recorded()
    evening.say("hand_started", dealer="leo")
    assert match_of(evening).list_recorded() != match_of(again).list_recorded()


def test_end_of_a_hand_does_not_depend_on_when_it_was_read() -> None:
    """Properties of a hand are cached, and an entry that nobody read after leaves them stale."""
    seats = ["mara", "leo", "nina", "ugo", "zoe"]
    begun = [
        opening(*seats), event("match_started", game="briscola_chiamata", seats=seats),
        event("hand_started", dealer="mara"), event("bid_made", player="leo", bid="K"),
        event("partner_revealed", player="nina"),
        *[event("trick_taken", player="leo") for _ in range(7)],
    ]  # fmt: skip
    read, unread = Evening(*begun), Evening(*begun)
    assert read.report["matches"][0]["hands"][0]["status"] == "open"
    for evening in (read, unread):
        evening.say("trick_taken", player="leo")
        evening.say("hand_confirmed", player="leo")
    assert read.report == unread.report

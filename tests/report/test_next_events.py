"""The events that can come next in a session, from its opening to its close."""

import json
from io import BytesIO
from typing import Any, Final

import pytest

from scorekeeper.log.codec import encode
from scorekeeper.log.reading import LogFile
from scorekeeper.play.prompts import LEVELS, Level
from scorekeeper.report.next_events import MAX_SEATINGS, NextEvents, list_prompts
from scorekeeper.session.session import Session
from tests.evenings import GOLDEN, Evening, event, opening, play_hand, riparto
from tests.players.common import GAMES

MANY: Final = 60  # entries of an evening


def types(evening: Evening) -> list[str]:
    return [prompt.type for prompt in list_prompts(evening.session)]


def offered(evening: Evening, kind: str) -> list[dict[str, Any]]:
    """The choices of one type."""
    choices = [choice for prompt in list_prompts(evening.session) for choice in prompt.choices]
    return [encode(choice) for choice in choices if kind == choice.TYPE]


def dealers(evening: Evening) -> list[str]:
    return [prompt["dealer"] for prompt in offered(evening, "hand_started")]


def test_nothing_comes_before_the_opening_and_after_the_end() -> None:
    assert types(Evening()) == []
    evening = riparto()
    evening.say("session_closed")
    assert types(evening) == []


def test_any_player_deals_the_first_hand_and_then_the_next_in_turn() -> None:
    evening = riparto()
    assert types(evening) == ["hand_started", "match_ended", "session_closed"]
    assert dealers(evening) == ["mara", "leo", "nina"]
    play_hand(evening, "leo")
    assert dealers(evening) == ["nina"]
    play_hand(evening, "nina")
    assert dealers(evening) == ["mara"]


def test_the_deal_to_come_is_of_the_hand_after_a_complete_one() -> None:
    def to_come(evening: Evening) -> str | None:
        deal = NextEvents(evening.session).next_deal
        return deal.table.dealer if deal else None

    evening = Evening()
    assert to_come(evening) is None
    evening = riparto()
    assert to_come(evening) is None
    evening.say("hand_started", dealer="leo")
    assert to_come(evening) is None
    evening.say("hand_abandoned", reason="misdeal")
    assert to_come(evening) is None
    play_hand(evening, "leo")
    assert to_come(evening) == "nina"
    evening.say("match_ended")
    assert to_come(evening) is None


def test_who_dealt_a_misdeal_may_deal_again() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    assert "hand_abandoned" in types(evening)
    assert "match_ended" not in types(evening)
    evening.say("hand_abandoned", reason="misdeal")
    assert dealers(evening) == ["mara", "leo"]
    assert "score_claimed" not in types(evening)


def test_complete_hand_prompts_signatures_and_one_score_claim() -> None:
    evening = riparto()
    play_hand(evening, "mara", bid=6)
    assert offered(evening, "score_claimed") == [{"scores": {"mara": 6, "leo": 0, "nina": 0}}]
    assert [prompt["player"] for prompt in offered(evening, "hand_confirmed")] == [
        "mara",
        "leo",
        "nina",
    ]
    evening.say("score_claimed", scores={"mara": 6, "leo": 0, "nina": 0})
    evening.say("hand_confirmed", player="leo")
    assert offered(evening, "score_claimed") == []
    assert [prompt["player"] for prompt in offered(evening, "hand_confirmed")] == ["mara", "nina"]


def test_a_hand_that_all_have_signed_gets_nothing_more() -> None:
    evening = Evening(
        opening("mara", "leo"), event("match_started", game="picchetto", seats=["mara", "leo"])
    )
    evening.say("hand_started", dealer="leo")
    evening.say("shown", player="mara", category="sequence", length=5, high="A")
    evening.say("shown", player="mara", category="set", count=4, rank="K")
    evening.say("tricks_counted", tricks={"mara": 7, "leo": 5}, last="leo")
    assert types(evening)[0] == "pique_called"
    evening.say("hand_confirmed", player="mara")
    assert types(evening)[0] == "pique_called"
    evening.say("hand_confirmed", player="leo")
    assert types(evening) == ["hand_started", "score_claimed", "match_ended", "session_closed"]


def test_a_hand_that_contradicts_itself_waits_for_a_correction() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("points_counted", points={"mara": 5, "leo": 10, "nina": 0})
    assert "hand_started" not in types(evening)


def test_after_a_match_the_same_again_is_offered_first() -> None:
    evening = riparto(end={"hands": 1})
    play_hand(evening, "mara")
    first = offered(evening, "match_started")[0]
    assert types(evening)[0] == "match_started"
    assert (first["game"], first["seats"]) == ("riparto", ["mara", "leo", "nina"])
    assert first["options"]["match_end"] == {"hands": 1}
    assert "match_ended" not in types(evening)


@pytest.mark.parametrize(("players", "seats"), [("a b", {2}), ("a b c", {2, 3}), ("a", set())])
def test_games_are_offered_to_as_many_as_there_are(players: str, seats: set[int]) -> None:
    evening = Evening(opening(*players.split()))
    prompts = offered(evening, "match_started")
    assert {len(prompt["seats"]) for prompt in prompts} == seats
    assert types(evening) == ["match_started", "session_closed"][not seats :]


def test_not_every_seating_of_many_is_offered() -> None:
    evening = Evening(opening(*"abcdefgh"))
    prompts = [
        prompt for prompt in offered(evening, "match_started") if prompt["game"] == "picchetto"
    ]
    assert len(prompts) == MAX_SEATINGS
    assert prompts[0]["seats"] == ["a", "b"]


def test_what_belongs_to_the_level_of_the_hand_comes_first() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="mara", points=5)
    evening.say("trick_taken", player="leo")
    levels = ["tricks" in prompt.levels for prompt in list_prompts(evening.session)]
    assert levels == sorted(levels, reverse=True)
    assert set(levels) == {True, False}
    only = list_prompts(evening.session, "tricks")
    assert len(only) == sum(levels)
    assert all("tricks" in prompt.levels for prompt in only)


def test_a_hand_goes_on_at_each_level_from_a_trick_that_is_open() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="leo", points=4)
    evening.say("card_played", player="leo", card="10H")

    def shown(level: Level) -> list[str]:
        return [prompt.type for prompt in NextEvents(evening.session).prompt_level(level)]

    assert shown("totals") == ["points_counted", "outcome_recorded"]
    assert shown("cards") == ["card_played", "cards_shown"]
    assert shown("tricks") == ["trick_taken"]


def test_a_hand_goes_on_at_all_levels_where_one_has_no_more_of_its_own() -> None:
    seats = ["mara", "leo", "nina", "ugo", "ada"]
    evening = Evening(
        opening(*seats),
        event("match_started", game="briscola_chiamata", seats=seats),
        event("hand_started", dealer="mara"),
        event("bid_made", player="nina", bid="K"),
    )
    coming = NextEvents(evening.session)
    totals = [prompt.type for prompt in coming.prompt_hand("totals")]
    assert totals == ["partner_revealed", "bid_made"]
    assert [prompt.type for prompt in coming.prompt_level("totals")] == totals
    evening.say("trick_taken", player="leo")
    coming = NextEvents(evening.session)
    assert "trick_taken" not in {prompt.type for prompt in coming.prompt_hand("cards")}
    assert "trick_taken" in {prompt.type for prompt in coming.prompt_level("cards")}


def test_a_level_is_usual_from_one_hand_to_the_next() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    at_first = [prompt.levels for prompt in list_prompts(evening.session)]
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("hand_started", dealer="leo")
    later = [prompt.levels for prompt in list_prompts(evening.session)]
    assert sorted(at_first) == sorted(later)
    totals = ["totals" in levels for levels in later]
    assert totals == sorted(totals, reverse=True)


def test_prompts_of_a_complete_hand_are_late_ones() -> None:
    log = (GOLDEN / "knock/the-fool-paid-for.jsonl").read_text("utf-8").splitlines()
    events = [json.loads(line) for line in log]
    played = [n for n, raw in enumerate(events, 1) if raw["type"] == "card_played"][51]
    before, after = (NextEvents(Evening(*events[:count]).session) for count in (played - 1, played))
    assert (after.hand_state, after.prompt_hand()) == ("complete", ())
    assert [prompt.type for prompt in after.prompt_late()] == ["fool_paid"]
    assert before.prompt_hand()
    assert before.prompt_late() == ()


def test_how_the_table_stands() -> None:
    evening, seen = Evening(opening("mara", "leo", "nina")), []
    for raw in (
        event("match_started", game="riparto", seats=["mara", "leo", "nina"]),
        event("hand_started", dealer="mara"),
        event("hand_abandoned", reason="misdeal"),
        event("hand_started", dealer="mara"),
        event("bid_made", player="leo", points=5),
        event("points_counted", points={"mara": 5, "leo": 5, "nina": 5}),
        event("hand_started", dealer="leo"),
        event("match_ended"),
        event("session_closed"),
    ):
        seen.append(NextEvents(evening.session).state)
        evening.add(raw)
    seen.append(NextEvents(evening.session).state)
    assert " ".join(seen) == "none first open again open open next open over closed"


@pytest.mark.parametrize("game", GAMES)
def test_what_comes_next_at_a_level_is_what_of_all_belongs_to_it_and_is_never_stale(
    game: str,
) -> None:
    session = Session()
    log = (GOLDEN / game / "evening.jsonl").read_bytes()
    for place, line in enumerate(LogFile(BytesIO(log))):
        session.add_line(line)
        hand = NextEvents(session).hand
        if hand is not None and place % 4 == 0:
            every = hand.game.prompted(hand.deal)
            assert every == tuple(hand.game.prompts(hand.deal))
            for level in LEVELS:
                only = tuple(prompt for prompt in every if level in prompt.levels)
                assert hand.game.prompted(hand.deal, level) == only
        if place > MANY:
            break

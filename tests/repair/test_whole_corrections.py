"""Corrections of whole things, at random evenings of all games and levels.

Each is compared with a log that was written so from the beginning. Tests of
``repair.whole_corrections``, ``repair.rewriting`` and ``repair.renaming``.
"""

import random
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.disputes import Correction
from scorekeeper.games import GAMES
from scorekeeper.repair.whole_corrections import WHOLE_KINDS, build_whole, list_kinds
from scorekeeper.session.matches import HandRecord
from tests.conftest import SOAK
from tests.evenings import Evening, Raw, event, inserted, opening, play_hand, riparto
from tests.players.common import evening as played_evening
from tests.session.test_anew import HAND_AGREEMENT_EVENTS

EXAMPLES = settings(max_examples=200 if SOAK else 2)
SEEDS = st.integers(0, 2**32)
LEVELS = "totals", "tricks", "cards"
EACH_GAME = pytest.mark.parametrize("game", GAMES)
EACH_LEVEL = pytest.mark.parametrize("level", LEVELS)
NEWCOMER = "newcomer"


def log_of(rng: random.Random, game: str, level: str) -> list[Raw]:
    """Return the log of a short evening, with players who sit in no match."""
    return played_evening(rng, game, level, hands=3).events


def hands_of(evening: Evening) -> list[HandRecord]:
    return [hand for match in evening.session.structure.matches for hand in match.hands]


def corrections_for(
    evening: Evening, hand: HandRecord, kind: str, answer: Mapping[str, Any] | None = None
) -> list[Raw]:
    """Return the corrections of a kind, as events of the log."""
    corrections = build_whole(
        evening.session, hand, WHOLE_KINDS[kind], dict(answer or {}), "so it was"
    )
    return [{"type": correction.type, "data": dict(correction.data)} for correction in corrections]


def apply(evening: Evening, corrections: Iterable[Raw]) -> None:
    """Record corrections: several as a set."""
    corrections = list(corrections)
    if len(corrections) > 1:
        evening.say("correction_begun", count=len(corrections), reason="so it was")
    for raw in corrections:
        evening.add(raw)


def played(events: Iterable[Raw]) -> list[Raw]:
    """Return a log without what players said of its hands."""
    return [raw for raw in events if raw["type"] not in HAND_AGREEMENT_EVENTS]


def scores(evening: Evening) -> Any:
    """Return all matches, without seqs and without what players said of their hands."""
    matches = evening.report["matches"]
    for match in matches:
        for hand in match["hands"]:
            for line in hand["lines"]:
                del line["events"], line["text"]
            del hand["confirmed"], hand["disputed"]
    return matches


def span(events: list[Raw], number: int) -> tuple[int, int]:
    """Return where a hand of the only match begins and ends in a log."""
    begins = [place for place, raw in enumerate(events) if raw["type"] == "hand_started"]
    return begins[number - 1], [*begins, len(events)][number]


def is_of_hand(raw: Raw) -> bool:
    """Return whether an event makes a hand, in a span of one."""
    return raw["type"] not in {
        "note_added",
        "match_ended",
        "session_closed",
        *HAND_AGREEMENT_EVENTS,
    }


# ---------------------------------------------------------------------------------------- hands


@EACH_GAME
@EACH_LEVEL
@EXAMPLES
@given(SEEDS)
def test_a_hand_is_removed_as_if_it_had_never_been(game: str, level: str, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    log = log_of(rng, game, level)
    evening = Evening(*log)
    before = evening.report["matches"]
    hand = rng.choice(hands_of(evening))
    first, end = span(log, hand.number)
    without = [
        raw for place, raw in enumerate(log) if not (first <= place < end and is_of_hand(raw))
    ]
    apply(evening, corrections_for(evening, hand, "remove_hand"))
    assert scores(evening) == scores(Evening(*played(without)))
    assert Evening(*evening.log).report == evening.report
    begun = next(raw for raw in enumerate(evening.log, 1) if raw[0] > len(log))[0]
    evening.strike(begun)
    assert evening.report["matches"] == before


@EACH_GAME
@EACH_LEVEL
@EXAMPLES
@given(SEEDS)
def test_a_hand_is_put_in_as_if_it_had_been_there(game: str, level: str, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    log = [raw for raw in played(log_of(rng, game, level)) if raw["type"] != "penalty_given"]
    whole = Evening(*log)
    number = rng.choice(hands_of(whole)).number
    first, end = span(log, number)
    missing = [raw for raw in log[first:end] if is_of_hand(raw)]
    evening = Evening(
        *log[:first], *(raw for raw in log[first:end] if raw not in missing), *log[end:]
    )
    if not hands_of(evening):
        return
    neighbour = hands_of(evening)[max(number - 2, 0)]
    kind = "add_hand_before" if number == 1 else "add_hand_after"
    answer = {"dealer": missing[0]["data"]["dealer"], "events": missing[1:]}
    apply(evening, corrections_for(evening, neighbour, kind, answer))
    assert scores(evening) == scores(whole)


# ---------------------------------------------------------------------------------- the players


def exchanged(raw: Raw, ids: Mapping[str, str]) -> Raw:
    """Return an event in which all ids of players stand for others, wherever they are."""

    def change(value: Any) -> Any:
        if isinstance(value, dict):
            return {ids.get(key, key): change(item) for key, item in value.items()}
        if isinstance(value, list):
            return [change(item) for item in value]
        return ids.get(value, value) if isinstance(value, str) else value

    return raw if raw["type"] == "session_opened" else change(raw)


@EACH_GAME
@EACH_LEVEL
@pytest.mark.parametrize("there", ["from the beginning", "later", "in a seat"])
@EXAMPLES
@given(SEEDS)
def test_a_player_is_exchanged_throughout_a_match(
    game: str, level: str, there: str, seed: int
) -> None:
    rng = random.Random(seed)  # noqa: S311
    log = log_of(rng, game, level)
    seats = log[1]["data"]["seats"]
    persons = [seat for seat in seats if seat != "9"]  # as a text, this id is also a card's rank
    wrong = rng.choice(persons)
    others = [seat for seat in persons if seat != wrong]
    right = rng.choice(others) if there == "in a seat" and others else NEWCOMER
    person = {"id": NEWCOMER, "name": "Newcomer"}
    if there != "later":
        log[0]["data"]["players"].append(person)
    joined = [event("player_joined", **person)] if there == "later" else []
    at = next((place for place, raw in enumerate(log) if raw["type"] == "session_closed"), len(log))
    log[at:at] = joined
    evening = Evening(*log)
    hand = rng.choice(hands_of(evening))
    apply(
        evening,
        corrections_for(evening, hand, "exchange_player", {"player": wrong, "played": right}),
    )
    ids = {wrong: right, right: wrong} if right in seats else {wrong: right}
    start, *rest = [raw for raw in played(log) if raw not in joined]
    expected = Evening(start, *joined, *(exchanged(raw, ids) for raw in rest))
    assert scores(evening) == scores(expected)
    assert Evening(*evening.log).report == evening.report


@EACH_GAME
@EACH_LEVEL
@EXAMPLES
@given(SEEDS)
def test_seats_are_put_in_another_order(game: str, level: str, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    log = log_of(rng, game, level)
    seats = log[1]["data"]["seats"]
    turned = [*seats[1:], seats[0]]
    evening = Evening(*log)
    sides = evening.report["matches"][0]["sides"]
    hand = rng.choice(hands_of(evening))
    apply(evening, corrections_for(evening, hand, "reorder_seats", {"seats": turned}))
    ids = {"A": "B", "B": "A"} if "A" in sides and len(sides["A"]) > 1 else {}
    start = event("match_started", **{**log[1]["data"], "seats": turned})
    expected = Evening(log[0], start, *(exchanged(raw, ids) for raw in played(log)[2:]))
    assert scores(evening) == scores(expected)


# ------------------------------------------------------------------------ dealer, rules and stake


@EACH_GAME
@EACH_LEVEL
@EXAMPLES
@given(SEEDS)
def test_a_match_is_played_for_another_stake(game: str, level: str, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    log = log_of(rng, game, level)
    evening = Evening(*log)
    stake = {"currency": "EUR", "point": 10, "match": 50}
    for answer, expected in (({"stake": stake}, stake), ({}, None)):
        apply(evening, corrections_for(evening, hands_of(evening)[-1], "change_stake", answer))
        assert evening.match().get("stake") == expected


def test_dealer_and_rules_are_corrected_alone_and_with_their_reason() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    (hand,) = hands_of(evening)
    corrections = corrections_for(evening, hand, "change_dealer", {"dealer": "leo"})
    assert [raw["data"]["reason"] for raw in corrections] == ["so it was"]
    apply(evening, corrections)
    (hand,) = hands_of(evening)
    apply(
        evening, corrections_for(evening, hand, "change_rules", {"options": {"award_tie": "none"}})
    )
    assert evening.hand(1)["dealer"] == "leo"
    assert evening.match()["options"]["award_tie"] == "none"


# ------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("kind", "answer", "why"),
    [
        ("change_dealer", {"dealer": "mara"}, "changes nothing"),
        ("change_dealer", {"dealer": "zoe"}, "zoe"),
        ("change_dealer", {}, "missing"),
        ("change_stake", {}, "changes nothing"),
        ("change_rules", {"options": {}}, "changes nothing"),
        ("change_rules", {"options": {"bid_tie": "coin"}}, "bid_tie|expected"),
        ("reorder_seats", {"seats": ["mara", "leo", "nina"]}, "changes nothing"),
        ("reorder_seats", {"seats": ["mara", "leo"]}, "players of the match"),
        ("reorder_seats", {"seats": ["mara", "leo", "ugo"]}, "players of the match"),
        ("exchange_player", {"player": "mara", "played": "mara"}, "changes nothing"),
        ("exchange_player", {"player": "mara", "played": "nobody"}, "nobody"),
        ("exchange_player", {"player": "ugo", "played": "ada"}, "changes nothing"),
        ("add_hand_after", {"dealer": "leo", "events": [event("nothing")]}, "nothing"),
    ],
)  # fmt: skip
def test_what_cannot_be_carried_out_says_why(kind: str, answer: dict[str, Any], why: str) -> None:
    evening = riparto()
    play_hand(evening, "mara")
    before = evening.report
    with pytest.raises(UnusableError, match=why):
        corrections_for(evening, hands_of(evening)[0], kind, answer)
    assert evening.report == before


def test_a_hand_with_too_many_events_says_so() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    for number in range(998):
        evening.say("score_claimed", scores={"mara": number})
    with pytest.raises(UnusableError, match="needs 1001 corrections, and at most 1000"):
        corrections_for(evening, hands_of(evening)[0], "remove_hand")


def test_no_hand_is_put_in_after_the_end_of_a_match() -> None:
    evening = riparto(end={"hands": 1})
    play_hand(evening, "mara")
    answer = {"dealer": "leo", "events": []}
    with pytest.raises(UnusableError, match="the match has ended"):
        corrections_for(evening, hands_of(evening)[0], "add_hand_after", answer)


def test_only_the_first_hand_has_a_place_before_it() -> None:
    evening = riparto()
    for dealer in ("mara", "leo"):
        play_hand(evening, dealer)
    kinds = [{kind.id for kind in list_kinds(hand)} for hand in hands_of(evening)]
    assert kinds[0] - kinds[1] == {"add_hand_before"}
    assert kinds[1] < kinds[0] == set(WHOLE_KINDS)


# ------------------------------------------------------------------- what corrections put in before


def put_in(evening: Evening, *corrections: Raw) -> None:
    apply(evening, corrections)


def hand_put_in(*, together: bool) -> Evening:
    """Two hands, of which the second was put in later; Cal sits where Gil played."""
    evening = Evening(
        opening("ada", "ben", "cal", "gil"),
        event("match_started", game="riparto", seats=["ada", "ben", "cal"]),
        event("hand_started", dealer="ada"),
        event("bid_made", player="cal", points=5),
        event("points_counted", points={"cal": 5, "ada": 6}),
    )
    corrections = [
        inserted(5, "hand_started", dealer="ben"),
        inserted(5, "bid_made", player="cal", points=4),
        inserted(5, "points_counted", points={"cal": 4, "ada": 7}),
    ]
    if together:
        put_in(evening, *corrections)
    else:
        for raw in corrections:
            evening.add(raw)
    return evening


@pytest.mark.parametrize("together", [True, False])
def test_a_hand_that_was_put_in_is_corrected_like_any_other(together: bool) -> None:
    evening = hand_put_in(together=together)
    put = {"player": "cal", "played": "gil"}
    for number in (1, 2):
        anew = Evening(*evening.log)
        apply(anew, corrections_for(anew, hands_of(anew)[number - 1], "exchange_player", put))
        assert anew.match()["totals"] == {"ada": 0, "ben": 0, "gil": 9}
        assert [hand["scores"]["gil"] for hand in anew.match()["hands"]] == [5, 4]
        apply(anew, corrections_for(anew, hands_of(anew)[1], "change_dealer", {"dealer": "gil"}))
        assert anew.hand(2)["dealer"] == "gil"
        apply(anew, corrections_for(anew, hands_of(anew)[1], "remove_hand"))
        assert anew.match()["totals"] == {"ada": 0, "ben": 0, "gil": 5}
        assert Evening(*anew.log).report == anew.report


def test_the_rest_of_a_set_is_made_again() -> None:
    evening = hand_put_in(together=False)
    put_in(
        evening,
        inserted(3, "score_claimed", scores={"cal": 5}),
        inserted(8, "score_claimed", scores={"cal": 4}),
        event("event_replaced", seq=4, type="bid_made", data={"player": "cal", "points": 4}),
    )
    before = evening.hand(1)["scores"]
    apply(evening, corrections_for(evening, hands_of(evening)[1], "remove_hand"))
    (hand,) = evening.match()["hands"]
    assert hand["scores"] == before
    claims = evening.session.structure.matches[0].hands[0].deal.claims
    assert len(claims) == 1


def test_corrections_that_build_on_one_another_are_not_taken_apart() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    first = len(evening.log) + 2
    put_in(
        evening,
        inserted(5, "penalty_given", side="mara", points=-1, reason="late"),
        inserted(5, "penalty_given", side="leo", points=-1, reason="late"),
        event("event_struck", seq=first),
    )
    with pytest.raises(UnusableError, match="build on one another"):
        corrections_for(evening, hands_of(evening)[0], "exchange_player",
                        {"player": "leo", "played": "ugo"})  # fmt: skip


def test_what_lies_face_down_is_not_rewritten() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.session.hidden = frozenset({4})
    (hand,) = hands_of(evening)
    with pytest.raises(UnusableError, match="face down"):
        corrections_for(evening, hand, "exchange_player", {"player": "mara", "played": "ugo"})
    assert all(isinstance(item, Correction) for item in build_whole(
        evening.session, hand, WHOLE_KINDS["remove_hand"], {}, ""))  # fmt: skip

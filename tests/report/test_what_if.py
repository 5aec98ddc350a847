"""Supposed sessions: other options, proposed corrections, and their differences."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.views import DeclaredView, declared_fields
from scorekeeper.report.report import view_report
from scorekeeper.report.views import HandView, MatchView
from scorekeeper.report.what_if import (
    HAND_FIELDS,
    MATCH_FIELDS,
    compare_agreed,
    compare_supposed,
    suppose_agreed,
)
from scorekeeper.session.session import Session
from tests.evenings import (
    Evening,
    event,
    golden_logs,
    inserted,
    opening,
    play_hand,
    replaced,
    riparto,
    struck,
)
from tests.thinned import EACH_LOG

REASON = "typed wrongly"


def sweep() -> Evening:
    """Mara takes two of the last three tricks, which are 5 points or none by the option."""
    evening = riparto()
    evening.say("hand_started", dealer="nina")
    evening.say("bid_made", player="mara", points=2)
    for taker in ["leo"] * 4 + ["nina"] * 2 + ["mara", "mara", "nina"]:
        evening.say("trick_taken", player=taker)
    return evening


def changes(evening: Evening, *args: Any, **more: Any) -> dict[tuple[int, int | None], Any]:
    difference = compare_supposed(evening.session, *args, **more).difference
    return {(item.match, item.hand): (item.before, item.after) for item in difference}


def with_options(log: list[dict[str, Any]], options: dict[str, Any]) -> list[dict[str, Any]]:
    """A log whose matches were begun with more options."""
    return [
        {**raw, "data": {**raw["data"], "options": {**raw["data"].get("options", {}), **options}}}
        if raw["type"] == "match_started"
        else raw
        for raw in log
    ]


# ------------------------------------------------------------------------------------ options


@pytest.mark.parametrize(("old", "new"), [("majority", "sweep"), ("sweep", "majority")])
def test_the_report_is_that_of_a_match_begun_so(old: str, new: str) -> None:
    for path in golden_logs():
        if path.parent.name != "riparto":
            continue
        log = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        if len({raw["data"]["game"] for raw in log if raw["type"] == "match_started"}) != 1:
            continue
        try:
            begun = [Evening(*with_options(log, {"last_three": x})).view
                     for x in (old, new)]  # fmt: skip
        except UnusableError:
            continue
        session = Evening(*with_options(log, {"last_three": old})).session
        supposed = compare_supposed(session, {"last_three": new})
        assert supposed.report.matches == begun[1].matches
        assert supposed.report.findings == begun[1].findings
        assert (supposed.difference == []) == (
            begun[0].matches == begun[1].matches and begun[0].findings == begun[1].findings
        )


def test_what_an_option_changes_hand_by_hand() -> None:
    evening = sweep()
    play_hand(evening, "mara")
    differences = changes(evening, {"last_three": "sweep"})
    assert set(differences) == {(1, None), (1, 1)}
    before, after = differences[1, 1]
    assert before["scores"] != after["scores"]
    assert set(before) == set(after)
    assert "dealer" not in before
    totals = [differences[1, None][place]["totals"] for place in (0, 1)]
    assert totals[0] != totals[1]


@pytest.mark.parametrize(
    ("view", "compared", "others"),
    [
        (MatchView, MATCH_FIELDS, {"match", "rules", "sides", "hands", "settlement", "own"}),
        (HandView, HAND_FIELDS, {"hand", "totals", "awaiting", "own"}),
    ],
)
def test_each_field_of_a_match_and_a_hand_is_compared_or_known_not_to_be(
    view: type[DeclaredView], compared: tuple[str, ...], others: set[str]
) -> None:
    assert {field.key for field in declared_fields(view)} - others <= set(compared)


def test_nothing_is_recorded() -> None:
    evening = sweep()
    before = json.dumps(evening.report)
    compare_supposed(
        evening.session, {"last_three": "sweep"}, [event("event_struck", seq=5, reason="")]
    )
    assert json.dumps(evening.report) == before
    assert len(evening.session.corrections.recorded) == len(evening.log)


def test_options_that_are_not_named_keep_their_values() -> None:
    evening = riparto(award_tie="none")
    supposed = compare_supposed(evening.session, {"last_three": "sweep"})
    assert supposed.report.matches[0].options["award_tie"] == "none"


def test_options_apply_to_the_selected_match() -> None:
    evening = riparto()
    evening.say("match_started", game="riparto", seats=["mara", "leo", "nina"])
    evening.say("match_started", game="briscola_regina", seats=["mara", "leo"])
    assert set(changes(evening, {"last_three": "sweep"})) == {(1, None), (2, None)}
    assert set(changes(evening, {"last_three": "sweep"}, match=2)) == {(2, None)}
    assert set(changes(evening, {"tie": "draw", "bris_count": "side"})) <= {(3, None)}


def test_a_match_begun_by_a_correction() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.replace(2, "match_started", game="riparto", seats=["leo", "mara", "nina"],
                    options={"award_tie": "none"})  # fmt: skip
    match = compare_supposed(evening.session, {"last_three": "sweep"}).report.matches[0]
    assert match.seats == ("leo", "mara", "nina")
    assert (match.options["award_tie"], match.options["last_three"]) == ("none", "sweep")


def test_a_match_that_is_inserted() -> None:
    evening = riparto()
    evening.insert(2, "match_started", game="riparto", seats=["leo", "mara", "nina"])
    values = changes(evening, {"last_three": "sweep"}, match=2)
    assert set(values) == {(2, None)}


def test_a_match_that_would_have_ended_earlier() -> None:
    evening = riparto()
    for dealer in ("mara", "leo", "nina"):
        play_hand(evening, dealer)
    options = {"match_end": {"hands": 1}}
    (match,) = compare_supposed(evening.session, options).report.matches
    assert [hand.status for hand in match.hands] == ["complete", "incomplete", "incomplete"]
    assert match.totals == {"mara": 5, "leo": 0, "nina": 0}
    differences = changes(evening, options)
    assert set(differences) == {(1, None), (1, 2), (1, 3)}
    assert [f["code"] for f in differences[1, 2][1]["findings"]] == ["after_end"]


def test_a_signature_is_void_under_other_options() -> None:
    evening = sweep()
    evening.say("hand_confirmed", player="leo")
    before, after = changes(evening, {"last_three": "sweep"})[1, 1]
    assert (before["confirmed"], after["confirmed"]) == (["leo"], [])


@pytest.mark.parametrize(
    ("options", "match", "field", "reason"),
    [
        ({"last_three": "all"}, None, "options.last_three", "expected majority or sweep"),
        ({"tie": "draw"}, None, "options.tie", "expected an option of a game played here"),
        ({"tie": "draw"}, 1, "options.tie", "expected an option of this game"),
        ({"last_three": "sweep"}, 2, "match", "expected the number of a match"),
        ({"last_three": "sweep"}, 0, "match", "expected the number of a match"),
        ({}, 7, "match", "expected the number of a match"),
    ],
)
def test_options_that_no_match_can_have(
    options: dict[str, Any], match: int | None, field: str, reason: str
) -> None:
    with pytest.raises(UnusableError) as error:
        compare_supposed(sweep().session, options, match=match)
    assert error.value.field == field
    assert reason in error.value.reason


def test_options_of_two_games_together_are_refused() -> None:
    evening = riparto()
    evening.say("match_started", game="briscola_regina", seats=["mara", "leo"])
    with pytest.raises(UnusableError, match="has all of these options"):
        compare_supposed(evening.session, {"last_three": "sweep", "tie": "draw"})


def test_options_before_any_match() -> None:
    with pytest.raises(UnusableError, match="there is none"):
        compare_supposed(Session(), {"tie": "draw"})


def test_options_under_which_an_event_could_not_stand() -> None:
    """A match for hands won has no points that a penalty could change."""
    evening = Evening(
        *riparto().log[:1],
        event("match_started", game="briscola_regina", seats=["mara", "leo"],
              options={"match": {"points": 100}}),
        event("penalty_given", side="leo", points=-5, reason="late"),
    )  # fmt: skip
    with pytest.raises(UnusableError, match="event 3 would not be valid") as error:
        compare_supposed(evening.session, {"match": {"wins": 3}})
    assert error.value.field == "options"


# -------------------------------------------------------------------------------- corrections


def test_the_report_is_that_of_the_log_so_corrected() -> None:
    evening = sweep()
    seqs = play_hand(evening, "mara")
    proposed = [
        replaced(seqs[1], "bid_made", player="mara", points=4),
        struck(len(evening.log) + 1),
        replaced(seqs[2], "points_counted", points={"leo": 6, "nina": 6}),
    ]
    report = compare_supposed(evening.session, corrections=proposed).report
    for raw in proposed:
        evening.add(raw)
    assert report == evening.view
    assert report.session.events == len(evening.log)


def test_corrections_and_options_together() -> None:
    evening = sweep()
    differences = changes(evening, {"last_three": "sweep"}, [struck(13)])
    before, after = differences[1, 1]
    assert (before["status"], after["status"]) == ("complete", "open")


def test_a_hand_that_would_not_be_there() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    differences = changes(evening, corrections=[struck(3)])
    assert differences[1, 1][1] is None
    assert differences[1, 1][0]["status"] == "open"


def test_hands_are_compared_with_themselves_when_one_is_removed_or_put_in() -> None:
    evening = riparto()
    first = play_hand(evening, "mara")
    second = play_hand(evening, "leo")
    play_hand(evening, "nina")
    removed = [struck(seq) for seq in second]
    anchor = first[-1]
    put_in = [
        inserted(anchor, "hand_started", dealer="leo"),
        inserted(anchor, "bid_made", player="nina", points=3),
        inserted(anchor, "points_counted", points={"mara": 6, "leo": 6, "nina": 3}),
    ]
    for corrections, expected in (
        (removed, {(1, None), (1, 2), (1, 3)}),
        (put_in, {(1, None), (1, 2), (1, 3)}),
        ([*removed, *put_in], {(1, None), (1, 2)}),
    ):
        difference = compare_supposed(evening.session, corrections=corrections).difference
        assert {(change.match, change.hand) for change in difference} <= expected
        by_number = {(change.hand, change.before is None, change.after is None): change
                     for change in difference if change.hand}  # fmt: skip
        assert ((2, False, True) in by_number) == (corrections is not put_in)
        assert ((2, True, False) in by_number) == (corrections is not removed)
        assert not any(
            change.before and change.after and "scores" in change.before
            for change in by_number.values()
        )


def test_a_change_says_which_number_a_hand_would_have() -> None:
    evening = riparto()
    first = play_hand(evening, "mara")
    second = play_hand(evening, "leo")
    evening.strike(second[1])
    play_hand(evening, "nina")
    corrections = [
        *(struck(seq) for seq in first),
        inserted(second[0], "bid_made", player="leo", points=5),
    ]
    changes_of_hands = compare_supposed(evening.session, corrections=corrections).difference[1:]
    assert [(change.hand, change.becomes) for change in changes_of_hands] == [(1, None), (2, 1)]
    assert (changes_of_hands[1].after or {})["status"] == "complete"


@pytest.mark.parametrize(
    ("correction", "field"),
    [
        (event("note_added", text=""), "corrections.0.type"),
        (event("event_struck", seq=99, reason=""), "corrections.0.data.seq"),
        (event("event_struck", seq=5), "corrections.0.data.reason"),
        (replaced(4, "bid_made", player="ugo", points=5), "corrections.0.data.data.player"),
        (replaced(4, "bid_made", player="leo", points=99), "corrections.0.data.data.points"),
    ],
)
def test_a_correction_that_cannot_be_is_refused_with_the_reason(
    correction: dict[str, Any], field: str
) -> None:
    with pytest.raises(UnusableError) as error:
        compare_supposed(sweep().session, corrections=[correction])
    assert error.value.field == field


def test_a_second_correction_that_cannot_be() -> None:
    with pytest.raises(UnusableError) as error:
        compare_supposed(sweep().session, corrections=[struck(13), struck(99)])
    assert error.value.field == "corrections.1.data.seq"


# ---------------------------------------------------------------------------------- proposals

# Hand 1 in events 3 to 5 was Leo's, as proposed: with 6 points Leo reaches the target in it.
SIX = replaced(5, "points_counted", points={"mara": 0, "leo": 6, "nina": 9})
HIS = replaced(4, "bid_made", player="leo", points=6)


def three_hands(*proposed: dict[str, Any], target: int = 6) -> tuple[Evening, int]:
    """Three hands to a target that nobody reached, the first of which is disputed."""
    evening = riparto(end={"target": target})
    for dealer, bidder in (("mara", "mara"), ("leo", "leo"), ("nina", "nina")):
        play_hand(evening, dealer, bidder)
    evening.say("hand_disputed", player="leo", reason="six were mine", hand=1)
    seq = evening.say("correction_proposed", corrections=list(proposed or (HIS, SIX)), reason="",
                      hand=1)  # fmt: skip
    return evening, seq


def agreed(evening: Evening, seq: int) -> dict[tuple[int, int | None], Any]:
    difference = compare_agreed(evening.session, seq).difference
    return {(item.match, item.hand): (item.before, item.after) for item in difference}


def test_a_proposal_by_which_the_match_ends_earlier_is_shown_before_and_after() -> None:
    evening, seq = three_hands()
    differences = agreed(evening, seq)
    assert set(differences) == {(1, None), (1, 1), (1, 2), (1, 3)}
    before, after = differences[1, None]
    assert (before["status"], before["winners"]) == ("open", [])
    assert (after["status"], after["winners"]) == ("finished", ["leo"])
    assert (before["totals"], after["totals"]) == (
        {"mara": 5, "leo": 5, "nina": 5}, {"mara": 0, "leo": 6, "nina": 0})  # fmt: skip
    for hand in (2, 3):
        before, after = differences[1, hand]
        assert (before["status"], after["status"]) == ("complete", "incomplete")
        assert "after_end" not in [finding["code"] for finding in before["findings"]]
        assert [finding["code"] for finding in after["findings"]] == ["after_end"]


def test_a_proposal_of_another_dealer_shows_whose_deal_was_next() -> None:
    evening, seq = three_hands(replaced(3, "hand_started", dealer="nina"))
    differences = agreed(evening, seq)
    assert set(differences) == {(1, 1), (1, 2)}
    assert [side["dealer"] for side in differences[1, 1]] == ["mara", "nina"]
    assert [finding["code"] for finding in differences[1, 2][1]["findings"]] == ["wrong_dealer"]


def test_what_a_proposal_changes_stays_known_after_the_ruling() -> None:
    evening, seq = three_hands(HIS, SIX, target=50)
    differences = agreed(evening, seq)
    assert set(differences) == {(1, None), (1, 1)}
    evening.say("dispute_settled", ruling="corrected", text="", proposal=seq)
    evening.add(HIS)
    evening.add(SIX)
    play_hand(evening, "mara")
    assert agreed(evening, seq) == differences
    assert changes(evening, corrections=[SIX]) == {}


def test_after_the_ruling_it_is_shown_as_it_was_before_that() -> None:
    evening, seq = three_hands(HIS, SIX, target=50)
    evening.say("dispute_settled", ruling="upheld", text="", proposal=seq)
    then, _ = suppose_agreed(evening.session, seq)
    assert then.events == seq
    assert [dispute.settled for dispute in view_report(then).disputes] == [None]


@pytest.mark.parametrize("how", ["declined", "changed"])
def test_a_closed_proposal_is_shown_as_it_was_made(how: str) -> None:
    evening, seq = three_hands(SIX)
    differences = agreed(evening, seq)
    if how == "declined":
        evening.say("proposal_declined", proposal=seq, player="mara")
        evening.add(HIS)
    else:
        evening.strike(5)
    assert agreed(evening, seq) == differences


def test_an_open_proposal_is_shown_in_the_log_as_it_is() -> None:
    evening, seq = three_hands(HIS, SIX, target=50)
    play_hand(evening, "mara", "mara", 3)
    before, after = agreed(evening, seq)[1, None]
    assert (before["totals"]["mara"], after["totals"]["mara"]) == (8, 3)


@pytest.mark.parametrize("seq", [1, 12, 14, 0])
def test_what_is_no_proposal(seq: int) -> None:
    with pytest.raises(UnusableError) as error:
        compare_agreed(three_hands()[0].session, seq)
    assert error.value.field == "proposal"


def test_a_proposal_that_can_no_more_be_recorded() -> None:
    card = inserted(7, "card_played", player="leo", card="AS")
    evening, seq = three_hands(card, target=50)
    evening.add(card)
    with pytest.raises(UnusableError) as error:
        compare_agreed(evening.session, seq)
    assert error.value.field == "proposal"


# ------------------------------------------------------------------------------------- always


@EACH_LOG
def test_without_changes_there_is_no_difference(path: Path) -> None:
    session = Session.read(io.BytesIO(path.read_bytes()))
    supposed = compare_supposed(session)
    assert supposed.difference == []
    assert supposed.report == view_report(session)
    for match in session.structure.matches:
        same = compare_supposed(session, match.options, match=match.number)
        assert same.difference == []
        assert same.report.matches == supposed.report.matches


def test_all_that_is_compared_stands_in_a_report() -> None:
    evening = Evening(
        opening("mara", "leo"),
        event("match_started", game="picchetto", seats=["mara", "leo"],
              stake={"currency": "EUR", "point": 100, "match": 0}),
        event("hand_started", dealer="leo"),
        event("points_counted", points={"mara": 30, "leo": 12}),
    )  # fmt: skip
    evening.say("match_ended", undecided=True)
    of_many_hands = {"reckoning"}
    assert set(MATCH_FIELDS) - of_many_hands <= evening.match().keys()
    assert set(HAND_FIELDS) <= evening.hand(1).keys()

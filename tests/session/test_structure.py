"""The structure of a session: places of entries, ends of matches, dealers, authors."""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.report.findings import list_findings
from scorekeeper.session.session import Session
from tests.evenings import (
    Evening,
    build_report,
    event,
    opening,
    play_hand,
    replaced,
    riparto,
    struck,
)

SEATS = ["mara", "leo", "nina"]


def statuses(evening: Evening, match: int = 1) -> list[str]:
    return [hand["status"] for hand in evening.match(match)["hands"]]


def match_two(evening: Evening) -> int:
    return evening.say("match_started", game="riparto", seats=["leo", "nina", "ugo"])


# ---------------------------------------------------------------------------------- session


def test_a_session_without_an_event_has_an_empty_report() -> None:
    values = build_report(Session())
    assert values["session"]["events"] == 0
    assert values["matches"] == values["findings"] == values["corrections"] == []


def test_players_come_at_first_or_later() -> None:
    evening = Evening(opening("mara", "leo"), event("player_joined", id="zoe", name="Zoë"))
    assert evening.report["session"] == {
        "title": "Friday",
        "place": None,
        "players": [{"id": "mara", "name": "Mara"}, {"id": "leo", "name": "Leo"},
                    {"id": "zoe", "name": "Zoë"}],
        "closed": False,
        "events": 2,
        "head": None,
    }  # fmt: skip


def test_after_the_close_there_are_only_corrections_and_disputes() -> None:
    evening = riparto()
    _hand, bid, _ = play_hand(evening, "mara")
    evening.say("session_closed")
    for raw in (
        event("note_added", text="late"),
        event("player_joined", id="new", name="New"),
        event("match_started", game="riparto", seats=SEATS),
        event("match_ended"),
        event("hand_started", dealer="leo"),
        event("hand_confirmed", player="leo"),
        event("score_claimed", scores={}),
        event("penalty_given", side="leo", points=1, reason=""),
        event("session_closed"),
    ):
        with pytest.raises(UnusableError, match="the session has been closed"):
            evening.add(raw)
    evening.say("hand_disputed", player="leo", reason="I took six")
    proposed = replaced(bid, "bid_made", player="mara", points=4)
    evening.say("correction_proposed", corrections=[proposed], reason="so it was")
    evening.replace(bid, "bid_made", player="mara", points=4)
    evening.say("dispute_settled", ruling="corrected", text="so it was")
    assert evening.hand(1)["scores"] == {"mara": -4, "leo": 10, "nina": 0}
    assert evening.report["session"]["closed"]


@pytest.mark.parametrize("by", ["", "keeper", "import", "mara", "zoe"])
def test_keeper_import_and_players_record(by: str) -> None:
    evening = riparto()
    evening.add(event("hand_started", dealer="mara"), by=by)
    evening.add(event("bid_made", player="mara", points=3), by=by)
    evening.add(event("note_added", text="ok"), by=by)
    evening.add(event("event_struck", seq=4, reason="typed twice"), by=by)
    assert evening.report["session"]["events"] == 6
    (correction,) = evening.report["corrections"]
    assert (correction["names"], correction["stands"]) == (4, True)


@pytest.mark.parametrize(
    "raw_",
    [
        event("hand_started", dealer="mara"),
        event("bid_made", player="mara", points=3),
        event("note_added", text="ok"),
        event("player_joined", id="new", name="New"),
        event("event_struck", seq=4, reason="typed twice"),
        event("event_inserted", after=3, type="note_added", data={"text": ""}, reason=""),
        event("session_closed"),
    ],
    ids=lambda raw: raw["type"],
)
@pytest.mark.parametrize("by", ["zorro", "bidder", "Mara"])
def test_event_of_an_unknown_author_leaves_no_trace(raw_: dict[str, Any], by: str) -> None:
    evening = riparto()
    evening.say("hand_started", dealer="leo")
    evening.say("bid_made", player="leo", points=2)
    before = evening.report
    with pytest.raises(UnusableError) as refused:
        evening.add(raw_, by=by)
    assert refused.value.field == "by"
    assert evening.report == before
    evening.add(raw_)


def test_who_comes_may_record_it_himself() -> None:
    evening = Evening()
    evening.add(opening("mara"), by="mara")
    evening.add(event("player_joined", id="leo", name="Leo"), by="leo")
    with pytest.raises(UnusableError):
        evening.add(event("player_joined", id="nina", name="Nina"), by="zoe")


def test_an_opening_that_was_refused_leaves_nothing() -> None:
    evening = Evening()
    with pytest.raises(UnusableError):
        evening.add(opening("mara", "leo", "mara"))
    assert evening.report["session"]["players"] == []
    evening.add(opening("mara", "leo"))
    assert [player["id"] for player in evening.report["session"]["players"]] == ["mara", "leo"]


# ------------------------------------------------------------------------------------ match


def test_a_match_is_open_until_something_ends_it() -> None:
    evening = riparto()
    play_hand(evening, "mara", "leo", 7)
    match = evening.match()
    assert (match["status"], match["winners"]) == ("open", [])
    assert match["totals"] == {"mara": 0, "leo": 7, "nina": 0}


@pytest.mark.parametrize("ending", ["match_ended", "session_closed", "match_started"])
def test_what_ends_a_match(ending: str) -> None:
    evening = riparto()
    play_hand(evening, "mara", "leo", 7)
    if ending == "match_started":
        match_two(evening)
    else:
        evening.say(ending)
    match = evening.match()
    assert (match["status"], match["winners"]) == ("finished", ["leo"])


def test_a_match_ends_by_its_own_rule() -> None:
    evening = riparto(end={"target": 7})
    play_hand(evening, "mara", "leo", 6)
    assert evening.match()["status"] == "open"
    play_hand(evening, "leo", "leo", 1)
    assert (evening.match()["status"], evening.match()["winners"]) == ("finished", ["leo"])
    with pytest.raises(UnusableError, match="the match has ended; a new one has to be started"):
        evening.say("hand_started", dealer="nina")
    match_two(evening)
    evening.say("hand_started", dealer="nina")


@pytest.mark.parametrize("ending", ["match_ended", "session_closed"])
def test_winners_share_the_highest_total(ending: str) -> None:
    evening = riparto()
    play_hand(evening, "mara", "leo", 7)
    play_hand(evening, "leo", "nina", 7)
    evening.say(ending)
    assert evening.match()["winners"] == ["leo", "nina"]


@pytest.mark.parametrize("ending", ["match_started", "session_closed"])
def test_no_play_goes_to_a_hand_of_a_match_that_is_over_for_good(ending: str) -> None:
    evening = riparto()
    play_hand(evening, "mara")
    if ending == "match_started":
        evening.say(ending, game="riparto", seats=SEATS)
    else:
        evening.say(ending)
    with pytest.raises(UnusableError, match=r"no hand of this match|the session has been closed"):
        evening.say("bid_made", player="leo", points=15)
    assert evening.hand(1)["scores"]["mara"] == 5


def test_several_matches_are_numbered_and_each_has_its_own_hands() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    match_two(evening)
    play_hand(evening, "leo", "ugo", 4)
    play_hand(evening, "nina", "ugo", 4)
    values = evening.report["matches"]
    assert [match["match"] for match in values] == [1, 2]
    assert [[hand["hand"] for hand in match["hands"]] for match in values] == [[1], [1, 2]]
    assert values[1]["totals"] == {"leo": 0, "nina": 0, "ugo": 8}


def test_a_match_ended_twice_ended_the_first_time() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("match_ended")
    evening.say("match_ended", reason="again")
    assert evening.match()["status"] == "finished"


# ------------------------------------------------------------------------------------- hand


def test_hand_is_open_until_it_is_complete() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    assert (evening.hand(1)["status"], evening.codes) == ("open", [])
    evening.say("bid_made", player="mara", points=5)
    assert (evening.hand(1)["status"], evening.hand(1)["taken"]) == ("open", None)
    evening.say("points_counted", points={"mara": 5, "leo": 10})
    hand = evening.hand(1)
    assert (hand["status"], hand["level"]) == ("complete", "totals")
    assert hand["scores"] == {"mara": 5, "leo": 0, "nina": 0}
    assert hand["taken"] == {"mara": 5, "leo": 10, "nina": 0}


@pytest.mark.parametrize(
    "ending", ["hand_started", "match_started", "match_ended", "session_closed"]
)
def test_a_hand_left_behind_is_incomplete_scores_nothing_and_is_a_finding(ending: str) -> None:
    evening = riparto()
    hand = evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="mara", points=5)
    evening.add(
        {
            "hand_started": event("hand_started", dealer="leo"),
            "match_started": event("match_started", game="riparto", seats=SEATS),
        }.get(ending, event(ending))
    )
    values = evening.hand(1)
    assert (values["status"], values["scores"]) == ("incomplete", dict.fromkeys(SEATS, 0))
    assert (values["taken"], values["winner"], values["lines"]) == (None, None, [])
    assert evening.codes == ["incomplete"]
    (finding,) = [
        finding for finding in evening.report["findings"] if finding["code"] == "incomplete"
    ]
    assert (finding["events"], finding["severity"]) == ([hand], "warning")
    assert (finding["match"], finding["hand"]) == (1, 1)


def test_events_belong_to_the_hand_at_hand_also_after_the_end_of_the_match() -> None:
    evening = riparto(end={"hands": 2})
    play_hand(evening, "mara")
    evening.say("score_claimed", scores={"mara": 6})
    evening.say("trick_taken", player="leo")
    evening.say("match_ended")
    evening.say("score_claimed", scores={"leo": 1})
    assert evening.codes == ["claim_mismatch", "claim_mismatch"]
    assert evening.match()["status"] == "finished"


def test_a_hand_is_completed_after_the_match_was_ended() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="mara", points=5)
    evening.say("match_ended")
    assert evening.hand(1)["status"] == "incomplete"
    evening.say("points_counted", points={"mara": 5, "leo": 10})
    assert evening.hand(1)["status"] == "complete"
    assert evening.match()["winners"] == ["mara"]


def test_an_abandoned_hand_scores_nothing_whatever_is_on_record() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("hand_abandoned", reason="a card was missing", player="leo")
    hand = evening.hand(1)
    assert (hand["status"], hand["scores"]) == ("abandoned", dict.fromkeys(SEATS, 0))
    assert (hand["taken"], hand["lines"]) == (None, [])
    assert evening.match()["totals"] == dict.fromkeys(SEATS, 0)


def test_abandoned_hands_do_not_count_for_the_end() -> None:
    evening = riparto(end={"hands": 2})
    play_hand(evening, "mara")
    evening.say("hand_started", dealer="leo")
    evening.say("hand_abandoned", reason="misdeal")
    assert evening.match()["status"] == "open"
    play_hand(evening, "leo")
    assert evening.match()["status"] == "finished"


def test_hand_complete_at_several_levels_is_scored_by_the_finest() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="mara", points=15)
    evening.say("outcome_recorded", made=True)
    assert evening.hand(1)["scores"]["mara"] == 15
    evening.say("points_counted", points={"mara": 3, "leo": 12})
    assert evening.hand(1)["scores"] == {"mara": -15, "leo": 12, "nina": 0}
    for _ in range(9):
        evening.say("trick_taken", player="mara")
    assert evening.hand(1)["scores"] == {"mara": 15, "leo": 0, "nina": 0}
    assert evening.hand(1)["level"] == "tricks"
    assert "count_mismatch" in evening.codes


@pytest.mark.parametrize(
    "record",
    [
        [event("points_counted", points={"mara": 5, "leo": 5, "nina": 4})],
        [event("card_played", player="mara", card="AS"),
         event("card_played", player="leo", card="AS"),
         event("points_counted", points={"mara": 5, "leo": 10})],
    ],
    ids=["total_mismatch", "duplicate_card"],
)  # fmt: skip
def test_a_record_that_contradicts_itself_has_no_score(record: list[dict[str, Any]]) -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="mara", points=5)
    for raw in record:
        evening.add(raw)
    assert evening.hand(1)["status"] == "incomplete"
    assert evening.match()["totals"] == dict.fromkeys(SEATS, 0)


def test_findings_are_available_before_the_report() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("score_claimed", scores={"leo": 1})
    assert [finding.code for finding in list_findings(evening.session)] == [
        "claim_mismatch",
        "not_recorded",
    ]


# ----------------------------------------------------------------------------------- dealer


def dealt(*dealers: str, end: str = "points_counted") -> list[int]:
    """The seqs of the hands for which ``wrong_dealer`` is found; ``-`` abandons a hand."""
    evening = riparto(seats="mara leo nina ugo")
    for word in dealers:
        dealer = word.strip("-?")
        evening.say("hand_started", dealer=dealer)
        if word.startswith("-"):
            evening.say("hand_abandoned", reason="misdeal")
        elif not word.startswith("?"):
            evening.say("bid_made", player="mara", points=5)
            evening.say("outcome_recorded", made=True)
    findings = [
        finding for finding in evening.report["findings"] if finding["code"] == "wrong_dealer"
    ]
    return [finding["hand"] for finding in findings]


@pytest.mark.parametrize(
    ("dealers", "wrong"),
    [
        ("mara leo nina ugo mara", []),
        ("nina ugo mara", []),  # the first dealer is free
        ("mara mara", [2]),
        ("mara nina", [2]),
        ("mara nina ugo", [2]),  # after the one who actually dealt
        ("mara ugo leo", [2, 3]),
        ("-mara mara", []),
        ("-mara leo", []),
        ("-mara nina", [2]),
        ("mara -leo leo", []),
        ("mara -leo nina", []),
        ("mara -leo -leo nina", []),
        ("mara -leo -nina mara", [4]),
        ("mara -leo mara", [3]),
        ("?mara mara", [2]),  # an incomplete hand was dealt
        ("?mara leo", []),
    ],
)
def test_who_deals(dealers: str, wrong: list[int]) -> None:
    assert dealt(*dealers.split()) == wrong


def test_a_new_match_has_a_free_first_dealer() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("match_started", game="riparto", seats=SEATS)
    play_hand(evening, "mara")
    assert evening.codes == []


# ------------------------------------------------------------------------- refused additions


@pytest.mark.parametrize(
    "raw_",
    [
        opening("ugo"),
        event("player_joined", id="leo", name="Leo"),
        event("match_started", game="riparto", seats=["mara", "leo"]),
        event("match_started", game="riparto", seats=SEATS, options={"bid_tie": 1}),
        event("hand_started", dealer="ugo"),
        event("hand_confirmed", player="ugo"),
        event("hand_disputed", player="ugo", reason=""),
        event("hand_disputed", player="leo", reason="", hand=2),
        event("correction_proposed", corrections=[struck(5)], reason="", match=3),
        event("correction_proposed", corrections=[struck(77)], reason=""),
        event("proposal_signed", proposal=3, player="leo"),
        event("dispute_settled", ruling="upheld", text=""),
        event("dispute_settled", ruling="upheld", text="", hand=1, proposal=3),
        event("penalty_given", side="ugo", points=1, reason=""),
        event("points_counted", points={"leo": 1}),
        event("card_played", player="leo", card="AB"),
        event("score_claimed", scores={"ugo": 1}),
        event("bris_called", player="leo", suit="S"),
        event("event_struck", seq=1, reason=""),
        event("event_struck", seq=77, reason=""),
        event("event_struck", seq=2, reason=""),
        event("event_replaced", seq=4, type="bid_made", data={"player": "ugo"}, reason=""),
        event("event_inserted", after=1, type="bid_made", data={}, reason=""),
        event("event_inserted", after=1, type="session_closed", data={}, reason=""),
    ],
    ids=lambda raw: f"{raw['type']}-{min(raw['data'].items())}",
)
def test_what_is_refused_leaves_the_session_as_it_was(raw_: dict[str, Any]) -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("hand_confirmed", player="leo")
    before = evening.report
    for _ in range(3):
        with pytest.raises(UnusableError):
            evening.add(raw_)
        assert evening.report == before
    evening.say("hand_disputed", player="nina", reason="")
    evening.say("correction_proposed", corrections=[struck(5)], reason="")
    evening.say("hand_confirmed", player="mara")
    play_hand(evening, "leo")
    again = Evening(*evening.log)
    assert evening.report == again.report
    assert evening.hand(1)["confirmed"] == ["leo", "mara"]

"""Names of players, and title, place and day of an evening, put right: ``session.structure``."""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError, why_of
from scorekeeper.events.event import Entry
from scorekeeper.log.codec import decode
from scorekeeper.report.explain import explain
from scorekeeper.report.masking import as_the_table_knows, face_down_seqs
from scorekeeper.report.narration import describe_event, describe_raw_event
from scorekeeper.report.sheet import Sheet, make_sheet
from scorekeeper.report.views import EventView
from scorekeeper.report.what_if import compare_supposed
from tests.evenings import Evening, build_report, by_hand, event, opening, play_hand, riparto, score
from tests.service.evenings import knock

OPENED = event("session_opened", title="Friday", players=[{"id": "mara", "name": "Mara"}])


def name_of(evening: Evening, player: str) -> str:
    names: dict[str, str] = {
        known["id"]: known["name"] for known in evening.report["session"]["players"]
    }
    return names[player]


def described(evening: Evening) -> list[str | None]:
    about = evening.report["session"]
    return [about["title"], about["place"], about.get("date")]


def two_dealers(called: str = "Mara") -> Evening:
    """A hand that the wrong player dealt, Mara: a finding names both players."""
    log = riparto().log
    log[0]["data"]["players"][0]["name"] = called
    evening = Evening(*log)
    play_hand(evening, "mara")
    play_hand(evening, "mara")
    return evening


def sheet_of(evening: Evening) -> Sheet:
    record = evening.session.structure
    return make_sheet(evening.view.matches[0], record.matches[0], record.players)


# ----------------------------------------------------------------------------- what counts


def test_the_latest_title_place_and_day_count() -> None:
    evening = Evening(OPENED)
    assert described(evening) == ["Friday", None, None]
    evening.say("session_described", place="Da Mara", date="2025-02-28")
    evening.say("session_described", title="Saturday")
    assert described(evening) == ["Saturday", "Da Mara", "2025-02-28"]
    evening.say("session_described", date="2024-02-29", title="Leap day")
    assert described(evening) == ["Leap day", "Da Mara", "2024-02-29"]


def test_opening_may_have_a_day() -> None:
    evening = Evening(event("session_opened", title="x", players=[], date="2025-12-31"))
    assert described(evening) == ["x", None, "2025-12-31"]


def test_a_report_without_a_day_has_no_member_for_it() -> None:
    assert "date" not in Evening(OPENED).report["session"]


@pytest.mark.parametrize("day", ["2025-02-29", "2025-2-1", "yesterday", "20250201", 20250201, ""])
def test_a_day_is_a_real_one(day: Any) -> None:
    for raw in (event("session_opened", title="x", players=[], date=day),
                event("session_described", date=day)):  # fmt: skip
        with pytest.raises(UnusableError) as refused:
            decode(raw["type"], raw["data"])
        assert refused.value.field == "data.date"


def test_a_description_says_something() -> None:
    with pytest.raises(UnusableError) as refused:
        Evening(OPENED, event("session_described"))
    assert (why_of(refused.value), refused.value.field) == ("nothing_changes", "data")


def test_a_name_changes_everywhere_also_in_what_was_recorded_before() -> None:
    evening, renamed = two_dealers(), two_dealers(called="Zoë")
    evening.say("player_renamed", player="mara", name="Zoë")
    was, now = renamed.report, evening.report
    assert now["findings"] == was["findings"]
    assert "Zoë" in str(now["findings"])
    assert now["matches"] == was["matches"]
    assert now["session"]["players"] == was["session"]["players"]
    assert sheet_of(evening) == sheet_of(renamed)
    assert explain(evening.session, 1, 1) == explain(renamed.session, 1, 1)


def test_texts_of_scored_hands_follow_the_name() -> None:
    """A line of Briscola Regina names the player; it was computed before the name changed."""
    evening = Evening(
        opening("mara", "leo"),
        event("match_started", game="briscola_regina", seats=["mara", "leo"]),
        event("hand_started", dealer="leo"),
        event("bris_called", player="mara", suit="S"),
        event("points_counted", points={"mara": 70, "leo": 50}),
    )
    assert "Mara" in str(evening.hand(1)["lines"])
    before = evening.report["matches"]
    evening.say("player_renamed", player="mara", name="Zoë")
    lines = str(evening.hand(1)["lines"])
    assert "Zoë" in lines
    assert "Mara" not in lines
    evening.say("player_renamed", player="mara", name="Mara")
    assert evening.report["matches"] == before


def test_only_a_known_player_can_be_renamed() -> None:
    with pytest.raises(UnusableError) as refused:
        Evening(OPENED, event("player_renamed", player="leo", name="Leo"))
    assert refused.value.field == "data.player"


def test_names_and_descriptions_may_come_after_the_close() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("session_closed")
    evening.say("session_described", title="Years ago", date="2019-03-01")
    evening.say("player_renamed", player="leo", name="Leonardo")
    assert described(evening) == ["Years ago", None, "2019-03-01"]
    assert name_of(evening, "leo") == "Leonardo"


def test_a_name_of_a_later_match_is_that_of_then_and_changes_too() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("player_renamed", player="leo", name="Leonardo")
    evening.say("match_started", game="riparto", seats=["leo", "mara", "nina"])
    evening.say("player_renamed", player="leo", name="Léo")
    assert [match.names["leo"] for match in evening.session.structure.matches] == ["Léo", "Léo"]


# ---------------------------------------------------------------------------- corrections


def test_a_struck_replaced_or_inserted_name_has_its_effect() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    seq = evening.say("player_renamed", player="leo", name="Leonardo")
    strike = evening.strike(seq)
    assert name_of(evening, "leo") == "Leo"
    evening.strike(strike)
    assert name_of(evening, "leo") == "Leonardo"
    evening.replace(seq, "player_renamed", player="leo", name="Léo")
    assert name_of(evening, "leo") == "Léo"
    evening.insert(2, "player_renamed", player="leo", name="Early")
    assert name_of(evening, "leo") == "Léo"
    assert evening.hand(1)["status"] == "complete"


def test_a_set_and_a_proposal_may_describe_the_evening() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("correction_begun", count=2, reason="the other Friday")
    evening.say("event_inserted", after=2, type="session_described", data={"title": "Gone"})
    evening.say(
        "event_inserted", after=3, type="player_renamed", data={"player": "leo", "name": "L"}
    )
    assert (described(evening)[0], name_of(evening, "leo")) == ("Gone", "L")
    proposed = {"type": "event_inserted", "data": {
        "after": 3, "type": "player_renamed", "data": {"player": "leo", "name": "M"},
        "reason": "x"}}  # fmt: skip
    evening.say("correction_proposed", match=1, hand=1, corrections=[proposed], reason="x")
    assert name_of(evening, "leo") == "L"


def test_the_opening_cannot_be_replaced() -> None:
    evening = riparto()
    with pytest.raises(UnusableError):
        evening.replace(1, "session_opened", title="x", players=[])


def test_a_correction_that_takes_the_player_away_is_refused_while_a_name_stands() -> None:
    evening = Evening(OPENED, event("player_joined", id="leo", name="Leo"))
    evening.say("player_renamed", player="leo", name="Leonardo")
    with pytest.raises(UnusableError):
        evening.strike(2)


def test_a_refused_trial_restores_names_and_texts() -> None:
    evening = two_dealers()
    before = evening.report
    evening.session.begin_trial()
    for seq, raw in enumerate(
        (
            event("player_renamed", player="mara", name="Zoë"),
            event("player_joined", id="eda", name="Eda"),
            event("player_renamed", player="eda", name="Ida"),
            event("session_described", title="Else", date="2020-01-01"),
            event("player_renamed", player="mara", name="Zoe"),
        ),
        start=evening.session.events + 1,
    ):
        evening.session.add(Entry(seq, decode(raw["type"], raw["data"])))
    assert "Zoe" in str(build_report(evening.session))
    evening.session.end_trial(take_back=True)
    assert evening.report == before


# --------------------------------------------------------------------- what the log says


def test_the_log_keeps_what_was_said_before() -> None:
    evening = riparto()
    first = evening.say("player_renamed", player="leo", name="Leonardo")
    second = evening.say("player_renamed", player="leo", name="Léo")
    third = evening.say("session_described", title="Saturday", place="Bar", date="2026-01-03")
    assert [describe_event(evening.session, seq) for seq in (1, first, second, third)] == [
        "The evening began: Friday",
        "Leo is now called Leonardo",
        "Leonardo is now called Léo",
        "The evening is now called Saturday; place: Bar; day of play: 2026-01-03",
    ]
    evening.replace(first, "player_renamed", player="leo", name="Leon")
    raw = EventView("player_renamed", {"player": "leo", "name": "Leonardo"})
    assert describe_raw_event(evening.session, first, raw) == "Leo is now called Leonardo"
    assert describe_event(evening.session, second) == "Leon is now called Léo"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"title": "T"}, "The evening is now called T"),
        ({"title": "T", "date": "2026-01-03"},
         "The evening is now called T; day of play: 2026-01-03"),
        ({"place": "P", "date": "2026-01-03"}, "The place is now P; day of play: 2026-01-03"),
        ({"place": "P"}, "The place is now P"),
        ({"date": "2026-01-03"}, "The day of play is now 2026-01-03"),
    ],
)  # fmt: skip
def test_each_description_is_a_sentence(data: dict[str, str], words: str) -> None:
    evening = Evening(OPENED, event("session_described", **data))
    assert describe_event(evening.session, 2) == words


# --------------------------------------------------------------------------- other readers


def test_a_masked_reader_sees_the_present_names() -> None:
    session = knock(event("hand_started", dealer="mara"),
                    event("cards_laid_away", player="mara", cards=["T20", "T21"]),
                    event("player_renamed", player="mara", name="Zoë"))  # fmt: skip
    known = as_the_table_knows(session, face_down_seqs(session))
    assert known.hidden
    assert known.structure.players["mara"] == known.structure.matches[0].names["mara"] == "Zoë"


def test_what_if_has_the_present_names() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("player_renamed", player="mara", name="Zoë")
    supposed = compare_supposed(evening.session, corrections=[
        {"type": "event_inserted", "data": {
            "after": 2, "type": "session_described", "data": {"title": "S"}, "reason": "x"}},
    ])  # fmt: skip
    assert supposed.report.session.title == "S"
    assert supposed.report.session.players[0].name == "Zoë"


def test_a_file_of_the_evening_scores_the_same() -> None:
    evening = two_dealers()
    evening.say("player_renamed", player="mara", name="Zoë")
    evening.say("session_closed")
    evening.say("session_described", date="2020-02-29")
    read = score(by_hand(evening.log))
    assert read == evening.report
    assert read["session"]["date"] == "2020-02-29"

"""The dispute desk: from the opening to a signed correction, by forms alone.

Tests of ``web.dispute.desk``, ``web.dispute.desk_parts``, ``web.dispute.amend`` and
``web.dispute.effect``.
"""

import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest
from flask import request

from scorekeeper.base import pacing
from scorekeeper.base.pacing import Admission
from scorekeeper.events.common import HandAbandoned, HandStarted, PenaltyGiven, ScoreClaimed
from scorekeeper.games import GAMES
from scorekeeper.languages.money import with_minus_sign
from scorekeeper.log.writing import sealed_lines
from scorekeeper.service.amending import editable_types
from scorekeeper.session.session import Session
from scorekeeper.web.dispute import drawing
from scorekeeper.web.dispute.amend import addable_kinds, build_corrections, type_of_kind
from tests.api.asking import Table, hand, match
from tests.evenings import Raw, event, inserted, replaced
from tests.thinned import thinned
from tests.web.looking import (
    EVENINGS,
    OWN,
    brought_in,
    cookie,
    everybodys,
    forms,
    look,
    page,
    post,
)
from tests.web.pages import log_of, page_of

DESK: Final = "/d/1-1"
SATURDAY: Final = log_of(
    (
        "session_opened",
        {
            "title": "Saturday",
            "players": [{"id": player, "name": player.title()} for player in ("mara", "leo")],
        },
    ),
    ("match_started", {"game": "briscola_regina", "seats": ["mara", "leo"]}),
    ("hand_started", {"dealer": "leo"}),
    ("card_played", {"player": "mara", "card": "3D"}),
    ("card_played", {"player": "leo", "card": "AD"}),
    ("points_counted", {"points": {"mara": 108, "leo": 12}}),
)
COUNT: Final = replaced(5, "points_counted", points={"mara": 4, "leo": 11})


@pytest.fixture
def table() -> Table:
    """A hand of Riparto in events 3 to 5: Leo bid 5 and took 5."""
    table = Table.open(everybodys())
    table.do(match(), *hand())
    return table


def act(table: Table, what: str, who: str, **form: Any) -> Any:
    """Send a form of the desk with its hidden fields."""
    hidden = forms(page(table, DESK, who)).get(what, {})
    return post(table, f"{DESK}/{what}", who, **{**hidden, **form})


def done(table: Table, what: str, who: str, **form: Any) -> None:
    answer = act(table, what, who, **form)
    assert answer.status_code == 303, answer.text
    assert answer.headers["Location"] == f"/t/{table.id}{DESK}"


def dispute(table: Table, who: str = "leo") -> None:
    done(table, "open", who, reason="score", note="I took eleven")


def previewed(table: Table, corrections: list[Raw], who: str = "leo") -> dict[str, str]:
    """Return the fields of the preview's form."""
    answer = table.client.get(
        f"/t/{table.id}{DESK}/preview",
        query_string={"pick": json.dumps(corrections), "reason": "counted again"},
        headers=table.cookie(who),
    )
    assert answer.status_code == 200, answer.text
    return forms(page_of(answer))["propose"]


def proposed(table: Table, *corrections: Raw, who: str = "leo") -> None:
    form = previewed(table, list(corrections or (COUNT,)), who)
    answer = post(table, f"{DESK}/propose", who, **form, reason="counted again")
    assert answer.status_code == 303, answer.text


def state(table: Table) -> str:
    return str(table.report()["disputes"][-1]["state"])


def taken(table: Table) -> int:
    return int(table.report()["matches"][0]["hands"][0]["taken"]["leo"])


# ------------------------------------------------------------------------- from seat to seat


def desks_linked(table: Table, path: str) -> list[dict[str, str]]:
    """Return the links of a page that lead to the desk of a hand."""
    links = page(table, path, "leo").all("a")
    return [link for link in links if re.search(r"/d/\d+-\d+$", link["href"])]


def test_desk_of_an_older_hand_is_two_taps_from_the_table(table: Table) -> None:
    table.do(*hand("leo"), *hand("nina"))
    assert [link["href"] for link in desks_linked(table, "")] == [f"/t/{table.id}/d/1-3"]
    desks = desks_linked(table, "/d/1-3")
    assert [link["href"] for link in desks] == [f"/t/{table.id}/d/1-{n}" for n in (3, 2, 1)]
    assert [link["aria-label"] for link in desks] == ["Hand 3", "Hand 2", "Hand 1"]
    assert [link.get("aria-current") for link in desks] == ["page", None, None]
    table.do(event("match_ended"), match(), *hand())
    desks = desks_linked(table, "/d/1-2")
    assert [link["href"][-3:] for link in desks] == ["2-1", "1-3", "1-2", "1-1"]
    assert desks[0]["aria-label"] == "Match 2, Hand 1"


def test_desk_lists_the_latest_hands_of_a_long_session(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "MAX_LISTED_HANDS", 2)
    table.do(*hand("leo"), event("match_ended"), match(), *hand())
    desks = desks_linked(table, "/d/1-1")
    assert [link["href"][-3:] for link in desks] == ["2-1", "1-2"]


@pytest.mark.parametrize("path", ["", "/whole/change_dealer", "/preview?whole=remove_hand"])
def test_desk_of_a_long_session_needs_admission_to_compute_for_long(
    table: Table, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pages work on a copy of the session, also where a cache holds it."""
    limits = table.client.application.extensions["service"].limits
    monkeypatch.setattr(limits, "admission", Admitted())
    assert look(table, DESK + path, "leo").status_code == 200
    assert limits.admission.asked == 0
    monkeypatch.setattr(pacing, "LONG_STEPS", 3)
    look(table, DESK + path, "leo")
    assert limits.admission.asked


class Admitted(Admission):
    """Admits all threads, and counts those that are going to compute for long."""

    asked = 0

    def before_long_work(self) -> None:
        self.asked += 1


def test_from_opening_to_signed_correction(table: Table) -> None:
    assert "Is something wrong with hand 1?" in page(table, DESK, "leo").words
    dispute(table)
    assert "Nobody has proposed a correction yet" in page(table, DESK, "mara").words
    proposed(table)
    assert state(table) == "proposed"
    for who in ("leo", "mara", "nina"):
        assert taken(table) == 5
        done(table, "sign", who)
    assert (state(table), taken(table)) == ("corrected", 11)
    events = table.get("/events?after=6").get_json()["events"]
    assert [raw["type"] for raw in events] == [
        "correction_proposed", *["proposal_signed"] * 3, "dispute_settled", "event_replaced",
    ]  # fmt: skip
    assert [raw["by"] for raw in events[1:4]] == ["leo", "mara", "nina"]
    after = page(table, DESK, "view").words
    assert after.count("Settled: the hand was corrected.") == 2
    assert "counted again signed by Leo, Mara, Nina" in after
    assert (
        "5 Points counted: Leo 5, Mara 10, Nina 0 should read Points counted: Mara 4, Leo 11"
        in after
    )
    assert "corrected" in page(table, "/h/1-1").words


def test_it_says_until_when_one_signature_of_each_side_is_enough(table: Table) -> None:
    dispute(table)
    proposed(table)
    assert "One signature of each side is enough. Until" in page(table, DESK, "leo").words


def test_acts_of_the_host_for_others_are_marked(table: Table) -> None:
    done(table, "open", "host", reason="tricks", player="nina")
    proposed(table, who="host")
    for who in ("leo", "mara", "nina"):
        done(table, "sign", "host", player=who)
        if who != "nina":
            assert "on the host’s phone" in page(table, DESK, "view").words
    assert state(table) == "corrected"
    signed = table.report()["disputes"][0]["proposals"][0]["signed"]
    assert [raw["by"] for raw in signed] == ["keeper"] * 3


def test_declining_closes_a_proposal_and_another_can_be_made(table: Table) -> None:
    dispute(table)
    proposed(table)
    done(table, "decline", "nina")
    words = page(table, DESK, "leo").words
    assert "declined by Nina" in words
    assert "Which entry is wrong?" in words
    proposed(table, replaced(4, "bid_made", player="leo", points=11))
    assert state(table) == "proposed"


@pytest.mark.parametrize("ruling", ["upheld", "unresolved"])
def test_the_host_ends_a_dispute_with_the_score_as_it_stands(table: Table, ruling: str) -> None:
    dispute(table)
    assert "End the dispute" not in page(table, DESK, "leo").words
    done(table, "settle", "host", ruling=ruling, text="counted twice")
    assert state(table) == ruling
    assert "counted twice" in page(table, DESK, "view").words
    dispute(table, "mara")
    words = page(table, DESK, "view").words
    assert "Earlier disputes about this hand" in words
    assert "Mara disputed the hand: Wrong score: I took eleven" in words


def test_after_a_dispute_the_page_says_how_it_ended_and_it_can_be_disputed_again(
    table: Table,
) -> None:
    dispute(table)
    done(table, "settle", "host", ruling="upheld", text="counted twice")
    desk = page(table, DESK, "leo")
    assert "Is something wrong" not in desk.words
    assert "Dispute about hand 1 Settled: the score is right as it was recorded." in desk.words
    (folded,) = (attrs for attrs in desk.all("details") if attrs["class"] == "ending")
    assert "open" not in folded
    done(table, "open", "leo", reason="other")
    assert state(table) == "open"


def test_of_many_suggestions_the_first_three_are_in_sight() -> None:
    table = brought_in(SATURDAY)
    post(table, f"{DESK}/open", "leo", reason="score", player="leo", version=table.version)
    suggested = len(table.get("/audit?suggest=1").get_json()["suggestions"])
    html = look(table, DESK, "leo").text
    assert suggested > 3
    assert f"{suggested - 3} more" in html
    assert html.partition("more-of")[0].count("See what changes") == 3
    assert html.count("See what changes") == suggested


# --------------------------------------------------------------------- reasons in any language


def in_italian(table: Table, path: str, who: str) -> str:
    return page_of(look(table, path, who, prefs="lang=it")).words


def test_a_reason_is_recorded_in_one_language_and_read_in_each(table: Table) -> None:
    form = {"player": "leo", "reason": "score", "note": "Ho fatto undici", "version": table.version}
    headers = {**cookie(table, "leo", prefs="lang=it"), **OWN}
    answer = table.client.post(f"/t/{table.id}{DESK}/open", data=form, headers=headers)
    assert answer.status_code == 303, answer.text
    (opened,) = table.get("/events?after=5").get_json()["events"]
    assert opened["data"]["reason"] == "Wrong score: Ho fatto undici"
    assert "Wrong score: Ho fatto undici" in page(table, DESK, "mara").words
    italian = in_italian(table, DESK, "mara")
    assert "Punteggio sbagliato: Ho fatto undici" in italian
    assert "Wrong score" not in italian


@pytest.mark.parametrize(
    ("typed", "recorded", "read"),
    [
        ("Registrato male", "Recorded wrongly", "Recorded wrongly"),
        ("Abbiamo ricontato", "Abbiamo ricontato", "Abbiamo ricontato"),
    ],
)
def test_offered_reason_is_recorded_in_english(
    table: Table, typed: str, recorded: str, read: str
) -> None:
    dispute(table)
    text = look(table, f"{DESK}/e/5", "leo", prefs="lang=it").text
    assert 'value="Registrato male"' in text
    asked = {
        "seq": "5", "offered": "Recorded wrongly", "reason": typed,
        "f.points.mara": "4", "f.points.leo": "11",
    }  # fmt: skip
    path = f"/t/{table.id}{DESK}"
    headers = {**cookie(table, "leo", prefs="lang=it"), **OWN}
    shown = page_of(table.client.get(f"{path}/preview", query_string=asked, headers=headers))
    form = {**forms(shown)["propose"], "reason": typed}
    assert table.client.post(f"{path}/propose", data=form, headers=headers).status_code == 303
    (proposed,) = table.get("/events?after=6").get_json()["events"]
    assert proposed["data"]["reason"] == recorded
    assert proposed["data"]["corrections"][0]["data"]["reason"] == recorded
    assert f"The proposal {read}" in page(table, DESK, "mara").words


def test_change_of_the_hand_voids_signatures(table: Table) -> None:
    dispute(table)
    proposed(table)
    done(table, "sign", "leo")
    table.version += 3
    table.do(replaced(4, "bid_made", player="leo", points=6), as_played=True)
    words = page(table, DESK, "mara").words
    assert "void: the hand was changed after it" in words
    assert "Leo’s signature is void." in words
    assert "Which entry is wrong?" in words


# ---------------------------------------------------------------------------- what is proposed


def test_preview_shows_all_scores_before_and_after_and_records_nothing(table: Table) -> None:
    table.do(*hand(dealer="leo", bidder="mara", points=6))
    dispute(table)
    before = table.report()["session"]["events"]
    corrections = [replaced(4, "bid_made", player="leo", points=6)]
    answer = table.client.get(
        f"/t/{table.id}{DESK}/preview", query_string={"pick": json.dumps(corrections)},
        headers=table.cookie("view"),
    )  # fmt: skip
    preview = page_of(answer)
    assert preview.wrong == []
    then = table.ask("POST", "/what-if", json={"corrections": corrections}).get_json()["report"]
    for seat, name in (("mara", "Mara"), ("leo", "Leo"), ("nina", "Nina")):
        matches = [report["matches"][0] for report in (table.report(), then)]
        figures = [match_["hands"][0]["scores"][seat] for match_ in matches]
        figures += [match_["totals"][seat] for match_ in matches]
        assert f"{name} {' '.join(map(with_minus_sign, figures))} " in preview.words
    assert "Payments before" in preview.words
    assert "propose" not in forms(preview), "who looks on proposes nothing"
    assert table.report()["session"]["events"] == before


def test_a_preview_of_another_stake_says_who_would_pay_what(table: Table) -> None:
    terms = {"game": "riparto", "seats": ["mara", "leo", "nina"]}
    stake = {"currency": "EUR", "point": 10, "match": 0}
    seq = table.do(event("match_started", **terms, stake=stake))["version"]
    table.do(*hand(), event("hand_disputed", player="leo", reason="no"))
    raised = replaced(seq, "match_started", **terms, stake={**stake, "point": 1000})
    answer = table.client.get(
        f"/t/{table.id}/d/2-1/preview", query_string={"pick": json.dumps([raised])},
        headers=table.cookie("view"),
    )  # fmt: skip
    before, after = page_of(answer).words.split("Payments before")[1].split("Payments after")
    assert "Nina → Leo €0.50" in before
    assert "Nina → Leo €50.00" in after


def test_preview_names_changed_later_hands_and_an_earlier_end() -> None:
    table = Table.open(everybodys())
    table.do(match(match_end={"target": 12}), *hand(points=5))
    table.do(*hand(dealer="leo", bidder="mara", points=6), *hand(dealer="nina", points=5))
    dispute(table)
    bigger = [
        replaced(4, "bid_made", player="leo", points=13),
        replaced(5, "points_counted", points={"leo": 13, "mara": 2}),
    ]
    answer = table.client.get(
        f"/t/{table.id}{DESK}/preview", query_string={"pick": json.dumps(bigger)},
        headers=table.cookie("leo"),
    )  # fmt: skip
    words = page_of(answer).words
    assert "The match would end earlier" in words
    assert "The match would be won by Leo." in words
    assert "Hand 2 would come out differently. Mara 6 → 0" in words


def test_suggested_corrections_are_offered_first() -> None:
    table = Table.open(everybodys())
    table.do(match(), *hand(points=5))
    table.do(event("score_claimed", scores={"leo": 6}), as_played=True)
    dispute(table)
    desk = page(table, DESK, "leo")
    answer = post(table, f"{DESK}/preview", "leo", **forms(desk)["preview"])
    form = forms(page_of(answer))["propose"]
    sent = post(table, f"{DESK}/propose", "leo", **form, reason="as it was written down")
    assert sent.status_code == 303
    assert state(table) == "proposed"


def entry_form(table: Table, seq: int, **asked: str) -> dict[str, str]:
    """Return the fields of an entry's form."""
    answer = table.client.get(
        f"/t/{table.id}{DESK}/e/{seq}", query_string=asked,
        headers=table.cookie("leo"),
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    page_ = page_of(answer)
    assert page_.wrong == []
    held: dict[str, str] = {}
    select = ""
    for tag, attrs in page_.tags[: [tag for tag, _ in page_.tags].index("button")]:
        if tag == "input" and "name" in attrs:
            held[attrs["name"]] = attrs.get("value", "")
        elif tag == "select":
            select = attrs["name"]
        elif tag == "option" and "selected" in attrs:
            held[select] = attrs["value"]
    return held


def preview_of(table: Table, form: dict[str, str], status: int = 200) -> Any:
    answer = table.client.get(
        f"/t/{table.id}{DESK}/preview", query_string=form,
        headers=table.cookie("leo"),
    )  # fmt: skip
    assert answer.status_code == status, answer.text
    return page_of(answer)


def test_one_entry_is_edited_by_a_form(table: Table) -> None:
    dispute(table)
    form = entry_form(table, 5)
    assert form == {
        "seq": "5", "f.points.mara": "10", "f.points.leo": "5", "f.points.nina": "0",
        "f.tricks.mara": "", "f.tricks.leo": "", "f.tricks.nina": "", "reason": "Recorded wrongly",
        "offered": "Recorded wrongly",
    }  # fmt: skip
    preview = preview_of(table, {**form, "f.points.mara": "4", "f.points.leo": "11"})
    assert json.loads(forms(preview)["propose"]["corrections"]) == [
        event("event_replaced", seq=5, type="points_counted", reason="Recorded wrongly",
              data={"points": {"mara": 4, "leo": 11, "nina": 0}})
    ]  # fmt: skip


def test_an_entry_is_struck_or_what_was_left_out_comes_in(table: Table) -> None:
    dispute(table)
    struck = preview_of(table, {"seq": "5", "strike": "1", "reason": "no"})
    assert json.loads(forms(struck)["propose"]["corrections"]) == [
        event("event_struck", seq=5, reason="no")]  # fmt: skip
    form = entry_form(table, 4, insert="outcome_recorded")
    preview = preview_of(table, {**form, "f.made": "true"})
    assert json.loads(forms(preview)["propose"]["corrections"]) == [
        event("event_inserted", after=4, type="outcome_recorded", data={"made": True},
              reason="Left out")
    ]  # fmt: skip


def test_what_was_inserted_is_corrected_by_a_strike_and_another_insertion(table: Table) -> None:
    table.do(inserted(4, "bid_raised", player="leo", points=6), as_played=True)
    dispute(table)
    form = entry_form(table, 6)
    preview = preview_of(table, {**form, "f.points": "7"})
    decoded = json.loads(forms(preview)["propose"]["corrections"])
    assert [raw["type"] for raw in decoded] == ["event_struck", "event_inserted"]
    assert decoded[1]["data"]["after"] == 4
    assert f"{with_minus_sign(-7)} " in preview.words


@pytest.mark.parametrize("path", thinned(EVENINGS, 2), ids=lambda path: path.parent.name)
def test_every_entry_of_every_game_can_be_edited_and_says_the_same_again(path: Path) -> None:
    """An unchanged form of an entry replaces it with an equal one."""
    table = brought_in(path.read_bytes())
    events = {raw["seq"]: raw for raw in table.get("/events").get_json()["events"]}
    recorded = {raw["type"] for raw in events.values()}
    said_otherwise = {editable.TYPE for editable in editable_types(GAMES[path.parent.name])}
    wanted = recorded & said_otherwise - {"hand_abandoned"}
    session = Session.read(BytesIO(table.get("/log.jsonl").data))
    kinds: set[str] = set()
    hands = [
        f"{match_['match']}-{place['hand']}"
        for match_ in table.report()["matches"] for place in match_["hands"]
    ]  # fmt: skip
    for place in hands:
        if kinds >= wanted:
            break
        html = look(table, f"/h/{place}").text
        for seq in map(int, re.findall(r'<li id="e(\d+)"(?: class="inserted")?><', html)):
            raw = events[seq]
            if raw["type"] in kinds or raw["type"] not in said_otherwise:
                continue
            edited = edited_as_it_is(table, session, place, seq)
            if edited is not None:
                kinds.add(raw["type"])
                proposed_ = edited[0]["data"]
                assert (proposed_["type"], proposed_["data"]) == (raw["type"], raw["data"])
    assert kinds >= wanted


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_every_event_of_a_game_can_be_replaced_and_inserted(path: Path) -> None:
    with path.open("rb") as log:
        record = Session.read(log).structure.matches[0].hands[0]
    kinds = addable_kinds(record)
    own = {*record.game.events, HandAbandoned, ScoreClaimed}
    assert {type_of_kind(record, kind) for kind, _ in kinds} == own
    assert editable_types(record.game) == own | {HandStarted, PenaltyGiven}
    assert len({words for _, words in kinds}) == len(kinds)
    assert type_of_kind(record, "hand_confirmed") is None


def edited_as_it_is(table: Table, session: Session, place: str, seq: int) -> list[Raw] | None:
    desk = f"/d/{place}"
    answer = look(table, f"{desk}/e/{seq}")
    if answer.status_code == 303:
        return None
    page_ = page_of(answer)
    assert page_.wrong == []
    form: dict[str, str] = {}
    select = ""
    for tag, attrs in page_.tags[: [tag for tag, _ in page_.tags].index("button")]:
        if tag == "input" and "name" in attrs:
            form[attrs["name"]] = attrs.get("value", "")
        elif tag == "select":
            select = attrs["name"]
        elif tag == "option" and "selected" in attrs:
            form[select] = attrs["value"]
    with table.client.application.test_request_context(query_string=form):
        match_, hand_ = map(int, place.split("-"))
        record = session.structure.matches[match_ - 1].hands[hand_ - 1]
        return build_corrections(session, record, request.args, seq, "x")


# ------------------------------------------------------------------------------ what is refused


def test_viewer_may_only_read(table: Table) -> None:
    dispute(table)
    proposed(table)
    assert forms(page(table, DESK, "view")) == {}
    for act_ in ("open", "propose", "sign", "decline", "settle", "apply"):
        sent = post(
            table, f"{DESK}/{act_}", "view", version="7", proposal="7", player="leo",
            reason="score", ruling="upheld", text="x", corrections=json.dumps([COUNT]),
        )  # fmt: skip
        assert sent.status_code == 403, act_
        assert post(table, f"{DESK}/{act_}", "view").status_code == 403, act_
    assert state(table) == "proposed"


def test_a_seat_does_not_sign_for_another(table: Table) -> None:
    dispute(table)
    proposed(table)
    answer = act(table, "sign", "mara", player="leo")
    assert answer.status_code == 403
    sent = post(table, f"{DESK}/open", "mara", version="7", player="leo", reason="score")
    assert sent.status_code == 403
    sent = post(table, f"{DESK}/settle", "mara", version="7", ruling="upheld", text="x")
    assert sent.status_code == 403


def test_later_entries_are_shown_before_an_act_is_recorded(table: Table) -> None:
    dispute(table)
    proposed(table)
    form = forms(page(table, DESK, "leo"))["sign"]
    penalty = event("penalty_given", side="mara", points=-1, reason="late")
    assert table.append(penalty, at=int(form["version"])).status_code == 201
    answer = post(table, f"{DESK}/sign", "leo", **form)
    assert answer.status_code == 303
    path = answer.headers["Location"].removeprefix(f"/t/{table.id}")
    assert "Something was recorded in the meantime" in page(table, path, "leo").words
    assert table.report()["disputes"][0]["proposals"][0]["signed"] == []


def test_a_form_of_another_site_does_nothing(table: Table) -> None:
    headers = {**table.cookie("leo"), "Origin": "http://evil.example"}
    path = f"/t/{table.id}{DESK}/open"
    form = {"version": "5", "player": "leo", "reason": "score"}
    assert table.client.post(path, data=form, headers=headers).status_code == 403
    assert table.report()["disputes"] == []


@pytest.mark.parametrize(
    ("what", "form", "reason"),
    [
        ("open", {"reason": "nonsense"}, "Choose what is wrong."),
        ("open", {"version": ""}, "The form was incomplete."),
        ("open", {"version": "9" * 30}, "The form was incomplete."),
        ("propose", {"corrections": "x", "reason": "y"}, "not valid JSON"),
        ("propose", {"corrections": "[" * 9000, "reason": "y"}, "nested too deeply"),
        ("propose", {"corrections": "[]", "reason": "y"}, "Choose what should be corrected."),
        ("propose", {"corrections": "[{}]", "reason": "y"}, "Choose what should be corrected."),
        ("propose", {"corrections": json.dumps([COUNT]), "reason": " "}, "needs a reason"),
        ("sign", {"proposal": "99"}, "There is no such proposal."),
        ("sign", {"proposal": "x"}, "The form was incomplete."),
        ("settle", {"ruling": "corrected"}, "Choose how the dispute ends."),
    ],
)
def test_malformed_form_is_refused(
    table: Table, what: str, form: dict[str, str], reason: str
) -> None:
    whole = {"version": str(table.version), "player": "leo", "reason": "score", **form}
    answer = post(table, f"{DESK}/{what}", **whole)
    assert answer.status_code == 422
    assert reason in page_of(answer).words
    assert page_of(answer).wrong == []
    assert table.report()["session"]["events"] == table.version


@pytest.mark.parametrize(
    "asked",
    [
        {}, {"seq": "x"}, {"seq": "9999"}, {"seq": "1"}, {"seq": "5", "insert": "nonsense"},
        {"seq": "5", "f.points.mara": "many"}, {"seq": "5", "f.points.mara": "-3"},
        {"seq": "3", "strike": "1"}, {"pick": "[]"}, {"pick": "\ud800"}, {"pick": '{"a":1}'},
        {"pick": '[{"type":"event_struck","data":{}}]'}, {"pick": '[{"type":1,"data":2}]'},
        {"seq": "4", "f.player": "zoe", "f.points": "5"},
    ],
)  # fmt: skip
def test_preview_of_invalid_corrections_is_refused(table: Table, asked: dict[str, str]) -> None:
    asked = {name: value.encode("utf-8", "replace").decode() for name, value in asked.items()}
    preview = preview_of(table, asked, status=422)
    assert preview.wrong == []
    assert any(paragraph.get("class") == "alert" for paragraph in preview.all("p"))


def test_preview_errors_are_worded_for_players(table: Table) -> None:
    strike = json.dumps([{"type": "event_struck", "data": {"seq": 5}}])
    preview = preview_of(table, {"pick": strike}, status=422)
    assert "You still have to choose something." in preview.words
    assert "expected" not in preview.words
    preview = preview_of(table, {"seq": "3", "strike": "1"}, status=422)
    assert "With this correction, event 4 can no longer stay." in preview.words


def test_a_hand_that_is_being_played_is_not_disputed_yet(table: Table) -> None:
    table.do(event("hand_started", dealer="leo"))
    assert "It can be disputed once it is over." in page(table, "/d/1-2", "leo").words
    sent = post(table, "/d/1-2/open", "leo", version="6", player="leo", reason="score")
    assert sent.status_code == 422


def test_a_record_that_contradicts_itself_can_be_corrected_before_the_hand_is_over() -> None:
    """Face-down cards stay hidden meanwhile."""
    table = Table.open(everybodys(), "mara leo nina ugo")
    table.do(
        event("match_started", game="knock", seats=["mara", "leo", "nina", "ugo"]),
        event("hand_started", dealer="mara"),
        event("cards_laid_away", player="mara", cards=["7C", "8S"]),
        event("card_played", player="leo", card="KS"),
        event("card_played", player="nina", card="KS"), as_played=True,
    )  # fmt: skip
    assert table.report()["matches"][0]["hands"][0]["status"] == "incomplete"
    dispute(table)
    desk = page(table, DESK, "leo")
    assert "8 of swords" not in desk.words
    answer = look(table, f"{DESK}/e/4", "leo")
    assert answer.status_code == 303, "the form of what lies face down would show it"
    proposed(table, replaced(6, "card_played", player="nina", card="QS"))
    assert state(table) == "proposed"


def test_a_closed_session_can_still_be_disputed_by_all_seats(table: Table) -> None:
    table.do(event("session_closed"))
    dispute(table)
    proposed(table)
    assert "Every seat has to sign." in page(table, DESK, "mara").words
    for who in ("leo", "mara", "nina"):
        done(table, "sign", who)
    assert state(table) == "corrected"


def test_one_signature_of_each_side_is_enough_for_a_wrong_figure() -> None:
    table = Table.open(everybodys(), "mara leo nina ugo")
    table.do(event("match_started", game="briscola_regina", seats=["mara", "leo", "nina", "ugo"]),
             event("hand_started", dealer="mara"),
             event("points_counted", points={"A": 70}))  # fmt: skip
    dispute(table)
    proposed(table, replaced(4, "points_counted", points={"A": 71}))
    assert "One signature of each side is enough." in page(table, DESK, "mara").words
    done(table, "sign", "leo")
    done(table, "sign", "nina")
    assert state(table) == "corrected"


def test_a_hand_that_a_log_puts_at_the_end_of_time_can_be_disputed() -> None:
    lines = [json.loads(line) for line in SATURDAY.splitlines()]
    events = [(line["type"], line["data"]) for line in lines]
    table = brought_in(b"".join(sealed_lines(events, at="9999-12-31T23:59:59.999Z", by="mara")))
    assert look(table, DESK).status_code == 200


def test_simultaneous_signatures_are_all_recorded(table: Table) -> None:
    """Also while play goes on; the last signature carries the proposal out."""
    proposed = event("correction_proposed", corrections=[COUNT], reason="so", match=1, hand=1)
    table.do(event("hand_disputed", player="leo", reason="Wrong score"), proposed)
    mine = {player: forms(page(table, DESK, player))["sign"] for player in ("mara", "leo", "nina")}
    table.do(event("hand_started", dealer="leo"), event("note_added", text="a note"))
    for player_, form in mine.items():
        answer = post(table, f"{DESK}/sign", player_, **form)
        assert "stale" not in answer.headers["Location"]
    kinds = [raw["type"] for raw in table.get("/events?after=9").get_json()["events"]]
    assert kinds == [*["proposal_signed"] * 3, "dispute_settled", "event_replaced"]


def test_signature_after_another_act_on_the_proposal_needs_a_new_tap(table: Table) -> None:
    proposed = event("correction_proposed", corrections=[COUNT], reason="so", match=1, hand=1)
    table.do(event("hand_disputed", player="leo", reason="Wrong score"), proposed)
    form = forms(page(table, DESK, "mara"))["sign"]
    table.do(event("proposal_declined", proposal=7, player="nina"))
    assert "stale=1" in post(table, f"{DESK}/sign", "mara", **form).headers["Location"]

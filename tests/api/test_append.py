"""``POST /api/sessions/{id}/events``: record all events or none."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.answers import complaints
from tests.api.asking import Table, hand, match, problem_of
from tests.evenings import Raw, event, inserted, replaced, struck

PATH = "/api/sessions/{session}/events"
NOTE = event("note_added", text="a note")


def unchanged(table: Table) -> bool:
    """Return whether the session still has its last known end."""
    stream = table.get("/events").get_json()
    return bool((stream["version"], stream["head"]) == (table.version, table.head))


# -------------------------------------------------------------------------------- accepted appends


def test_events_are_recorded_in_their_order(any_table: Table) -> None:
    answer = any_table.append(match(), *hand())
    assert answer.status_code == 201
    assert complaints(any_table.client, PATH, answer) == []
    body = answer.get_json()
    assert [recorded["type"] for recorded in body["events"]] == [
        "match_started", "hand_started", "bid_made", "points_counted",
    ]  # fmt: skip
    assert [recorded["seq"] for recorded in body["events"]] == [2, 3, 4, 5]
    assert (body["version"], body["head"]) == (5, body["events"][-1]["hash"])
    assert answer.headers["ETag"] == '"5"'
    assert {recorded["by"] for recorded in body["events"]} == {"keeper"}
    assert any_table.get("/events?after=1").get_json()["events"] == body["events"]
    assert any_table.client.post(
        "/api/verify", data=any_table.get("/log.jsonl").data, content_type="application/x-ndjson"
    ).get_json() == {
        "ok": True, "events": 5, "head": body["head"], "first_bad_line": None, "reason": "",
    }  # fmt: skip


def test_match_keeps_the_version_of_the_rules_at_its_start(table: Table) -> None:
    """The recorder writes the version if ``rules`` is left out, and keeps a given one."""
    data = table.do(match())["events"][0]["data"]
    newest = table.client.get("/api/games/riparto").get_json()["rules"]
    assert data == {"game": "riparto", "seats": ["mara", "leo", "nina"], "rules": newest}
    explicit = event("match_started", game="riparto", seats=["mara", "leo", "nina"], rules=1)
    assert table.do(explicit)["events"][0]["data"]["rules"] == 1


def test_match_with_an_unknown_version_of_the_rules_is_refused(table: Table) -> None:
    for rules in (0, 999, "1", None):
        start = event("match_started", game="riparto", seats=["mara", "leo", "nina"], rules=rules)
        assert problem_of(table.append(start)) == (422, "unusable")
    assert unchanged(table)


def test_event_without_data_may_omit_it(table: Table) -> None:
    table.do({"type": "session_closed"})
    assert table.report()["session"]["closed"]


def test_texts_are_stored_in_nfc(table: Table) -> None:
    body = table.do(event("note_added", text="Cosi\u0300"))
    assert body["events"][0]["data"]["text"] == "Così"


def test_one_append_has_at_most_ten_thousand_events(table: Table) -> None:
    assert problem_of(table.append(*[NOTE] * 10_001)) == (422, "unusable")
    assert unchanged(table)
    assert table.do(*[NOTE] * 10_000)["version"] == 10_001


def test_new_findings_are_returned(table: Table) -> None:
    body = table.do(match(), *hand())
    assert [(finding["code"], finding["severity"]) for finding in body["findings"]] == [
        ("not_recorded", "info")]  # fmt: skip
    assert table.do(NOTE)["findings"] == []


# ------------------------------------------------------------------------------------ If-Match

WITHOUT = {
    "none": (None, 428, "precondition_required"),
    "bare": ("1", 400, "malformed"),
    "any": ("*", 400, "malformed"),
    "weak": ('W/"1"', 400, "malformed"),
    "two": ('"1", "2"', 400, "malformed"),
    "two alike": ('"1","1"', 400, "malformed"),
    "empty": ("", 400, "malformed"),
    "empty in quotes": ('""', 400, "malformed"),
    "a word": ('"one"', 400, "malformed"),
    "negative": ('"-1"', 400, "malformed"),
    "other digits": ('"\u0661"', 400, "malformed"),
    "too long": (f'"{10**9}"', 400, "malformed"),
    "single quotes": ("'1'", 400, "malformed"),
    "half": ('"1', 400, "malformed"),
    "with a zero": ('"01"', 400, "malformed"),
    "with something": ('"1-anything"', 400, "malformed"),
    "masked and something": ('"1-masked-anything"', 400, "malformed"),
    "stale": ('"0"', 412, "stale_version"),
    "ahead": ('"2"', 412, "stale_version"),
    "far ahead": ('"999999999"', 412, "stale_version"),
}


@pytest.mark.parametrize("name", WITHOUT)
def test_append_requires_the_current_version(table: Table, name: str) -> None:
    explicit, status, code = WITHOUT[name]
    headers = {} if explicit is None else {"If-Match": explicit}
    answer = table.ask("POST", "/events", headers=headers, json={"events": [NOTE]})
    assert problem_of(answer) == (status, code)
    assert complaints(table.client, PATH, answer) == []
    assert unchanged(table)


def test_refused_late_append_gets_the_current_version(any_table: Table) -> None:
    any_table.do(NOTE)
    answer = any_table.append(NOTE, at=1)
    assert problem_of(answer) == (412, "stale_version")
    assert answer.headers["ETag"] == '"2"'
    problem = answer.get_json()
    assert (problem["version"], problem["head"]) == (2, any_table.head)
    assert complaints(any_table.client, PATH, answer) == []
    assert unchanged(any_table)


def test_blanks_around_the_version_are_ignored(table: Table) -> None:
    headers = {"If-Match": ' "1" '}
    answer = table.ask("POST", "/events", headers=headers, json={"events": [NOTE]})
    assert answer.status_code == 201


# ----------------------------------------------------------------------------- unusable appends

UNUSABLE: dict[str, tuple[list[Any], str, str]] = {
    "no event": ([], "events", "1 to 1000"),
    "a text": (["note_added"], "events.0", "an object"),
    "null": ([None], "events.0", "an object"),
    "no type": ([{"data": {}}], "events.0.type", "the type"),
    "a number as type": ([{"type": 7}], "events.0.type", "the type"),
    "an unknown type": ([event("note_shouted", text="x")], "events.0.type", "known type"),
    "a prototype": ([event("__proto__")], "events.0.type", "known type"),
    "a hash as well": ([{**NOTE, "hash": "0"}], "events.0.hash", "type and data"),
    "who recorded it": ([{**NOTE, "by": "mara"}], "events.0.by", "type and data"),
    "data null": ([{"type": "session_closed", "data": None}], "events.0.data", "an object"),
    "data a list": ([{"type": "note_added", "data": []}], "events.0.data", "an object"),
    "no text": ([event("note_added")], "events.0.data.text", "missing"),
    "an unknown field": ([event("note_added", text="x", to="leo")], "events.0.data.to", "unknown"),
    "of a match": ([event("hand_started", dealer="mara")], "events.0", "match"),
    "of a game": ([event("bid_made", player="leo", points=4)], "events.0.type", "no match"),
    "belongs to another game": (
        [match(), event("bris_called", player="leo", suit="S")], "events.1.type", "another game"),
    "an unknown game": (
        [event("match_started", game="bridge", seats=["mara"])], "events.0.data.game", "bridge"),
    "an unknown option": ([match(colour=1)], "events.0.data.options.colour", "option"),
    "an unknown player": ([match("mara leo ugo")], "events.0.data.seats", "ugo"),
    "seated twice": ([match("mara leo leo")], "events.0.data.seats", "twice"),
    "too few": ([match("mara leo")], "events.0.data.seats", "2"),
    "a second card": (
        [match(), event("hand_started", dealer="mara"),
         event("card_played", player="leo", card="10H"),
         event("card_played", player="leo", card="9H")], "events.3.data.player", "already played"),
    "no card": (
        [match(), event("hand_started", dealer="mara"),
         event("card_played", player="leo", card="11H")], "events.2.data.card", "card"),
    "a bid outside any range": (
        [match(), event("hand_started", dealer="mara"),
         event("bid_made", player="leo", points=16)], "events.2.data.points", "0 to 15"),
    "a negative count": (
        [match(), event("hand_started", dealer="mara"),
         event("points_counted", points={"leo": -1})], "events.2.data.points.leo", "from 0 on"),
    "the last of three": ([NOTE, NOTE, event("note_added", text=7)], "events.2.data.text", "text"),
    "a correction of nothing": ([struck(99)], "events.0.data.seq", "99"),
    "a correction of the beginning": ([struck(1)], "events.0", "session_opened"),
    "a second beginning": (
        [event("session_opened", title="x", players=[])], "events.0", "session_opened"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNUSABLE)
def test_unusable_event_is_refused_with_its_place(table: Table, name: str) -> None:
    events, field, explicit = UNUSABLE[name]
    answer = table.append(*events, as_played=True)
    assert problem_of(answer) == (422, "unusable")
    problem = answer.get_json()
    assert problem["field"].startswith(field)
    assert explicit in problem["detail"]
    assert complaints(table.client, PATH, answer) == []
    assert unchanged(table)


BODIES: dict[str, tuple[Any, str]] = {
    "a list": ([NOTE], ""),
    "null": (None, ""),
    "nothing": ({}, "events"),
    "null as events": ({"events": None}, "events"),
    "one event": ({"events": NOTE}, "events"),
    "an unknown member": ({"events": [NOTE], "version": 1}, "version"),
    "a word as as_played": ({"events": [NOTE], "as_played": "true"}, "as_played"),
    "1 as as_played": ({"events": [NOTE], "as_played": 1}, "as_played"),
    "null as as_played": ({"events": [NOTE], "as_played": None}, "as_played"),
}


@pytest.mark.parametrize("name", BODIES)
def test_body_of_another_shape_is_refused(table: Table, name: str) -> None:
    body, field = BODIES[name]
    answer = table.ask("POST", "/events", headers={"If-Match": '"1"'}, data=json.dumps(body),
                       content_type="application/json")  # fmt: skip
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json().get("field", "") == field
    assert "expected" in answer.get_json()["detail"] or "missing" in answer.get_json()["detail"]
    assert unchanged(table)


def test_append_records_all_events_or_none(any_table: Table) -> None:
    """A refused append changes neither the record nor the cached state."""
    any_table.do(match())
    bad = event("note_added", text=7)
    answer = any_table.append(NOTE, event("hand_started", dealer="mara"), NOTE, bad, NOTE, bad)
    assert problem_of(answer) == (422, "unusable")
    assert unchanged(any_table)
    before = any_table.report()
    assert problem_of(any_table.append(*hand(), event("match_started", game="x", seats=[]))) == (
        422, "unusable")  # fmt: skip
    assert any_table.report() == before
    assert unchanged(any_table)


# ---------------------------------------------------------------------------- irregular appends


def test_irregular_event_needs_confirmation(any_table: Table) -> None:
    any_table.do(match(), event("hand_started", dealer="mara"))
    bad = [event("bid_made", player="leo", points=4), event("points_counted", points={
        "mara": 5, "leo": 5, "nina": 9})]  # fmt: skip
    for as_played in (None, False):
        answer = any_table.append(*bad, as_played=as_played)
        assert problem_of(answer) == (422, "irregular")
        (finding,) = answer.get_json()["findings"]
        assert (finding["code"], finding["severity"]) == ("total_mismatch", "error")
        assert finding["message"] in answer.get_json()["detail"]
        assert finding["rule"] in answer.get_json()["detail"]
        assert complaints(any_table.client, PATH, answer) == []
        assert unchanged(any_table)
        assert any_table.report()["findings"] == []
    body = any_table.do(*bad, as_played=True)
    assert [finding["code"] for finding in body["findings"]] == ["total_mismatch"]
    assert any_table.report()["findings"] == body["findings"]


def test_recorded_fault_needs_no_second_confirmation(table: Table) -> None:
    table.do(match(), event("hand_started", dealer="mara"))
    table.do(event("hand_abandoned", reason="misdeal"))
    wrong = event("hand_started", dealer="nina")
    assert problem_of(table.append(wrong)) == (422, "irregular")
    assert [finding["code"] for finding in table.do(wrong, as_played=True)["findings"]] == [
        "wrong_dealer"
    ]
    assert table.do(event("bid_made", player="leo", points=4))["findings"] == []


def test_correction_reports_the_findings_that_it_causes_anywhere(table: Table) -> None:
    table.do(match(), *hand("mara"), *hand("leo"))
    wrong = replaced(5, "points_counted", points={"mara": 1, "leo": 2, "nina": 3})
    answer = table.append(wrong)
    assert problem_of(answer) == (422, "irregular")
    assert answer.get_json()["findings"][0]["hand"] == 1
    body = table.do(wrong, as_played=True)
    assert {(finding["code"], finding["hand"]) for finding in body["findings"]} == {
        ("total_mismatch", 1)
    }


@pytest.mark.parametrize(
    "corrects",
    [struck(5), replaced(5, "points_counted", points={"leo": 5, "mara": 10}),
     inserted(4, "note_added", text="late")],
)  # fmt: skip
def test_host_may_correct(any_table: Table, corrects: Raw) -> None:
    any_table.do(match(), *hand(), *hand("leo"))
    answer = any_table.append(corrects, as_played=True)
    assert answer.status_code == 201
    recorded_events = any_table.report()["corrections"]
    assert [(place["seq"], place["type"], place["stands"]) for place in recorded_events] == [
        (9, corrects["type"], True)]  # fmt: skip


def test_recorded_events_stay_after_a_correction(table: Table) -> None:
    table.do(match(), *hand())
    before = table.get("/log.jsonl").data
    table.do(replaced(5, "points_counted", points={"leo": 5, "mara": 10}))
    assert table.get("/log.jsonl").data.startswith(before)


def test_events_of_two_sessions_do_not_mix(on_memory: FlaskClient) -> None:
    one, other = Table.open(on_memory), Table.open(on_memory)
    one.do(NOTE, NOTE)
    assert other.report()["session"]["events"] == 1
    assert unchanged(other)

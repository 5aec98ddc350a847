"""``POST /api/sessions/{id}/what-if`` and ``POST /api/what-if``: effects of supposed changes."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.answers import EVENING, complaints
from tests.api.asking import Table, hand, match, problem_of
from tests.evenings import Raw, event, golden_evenings, replaced, score, sealed, struck

PATH = "/api/sessions/{session}/what-if"
OF_A_LOG = "/api/what-if"


@pytest.fixture
def played(table: Table) -> Table:
    """Record a match with two hands and the default options."""
    table.do(match(), *hand(bidder="leo", points=6), *hand(dealer="leo", bidder="nina"))
    return table


def begun(count: int) -> Raw:
    return event("correction_begun", count=count, reason="so it was")


def ask(table: Table, who: str = "host", **body: Any) -> TestResponse:
    return table.ask("POST", "/what-if", who, json=body)


# ---------------------------------------------------------------------------------- a session


@pytest.mark.parametrize("who", ["host", "leo", "view"])
def test_effect_of_a_correction(played: Table, who: str) -> None:
    correction = replaced(4, "bid_made", player="leo", points=7)
    answer = ask(played, who, corrections=[correction])
    assert complaints(played.client, PATH, answer) == []
    would = answer.get_json()
    assert [(place["match"], place["hand"]) for place in would["difference"]] == [(1, None), (1, 1)]
    assert would["difference"][1]["before"]["scores"]["leo"] == 6
    assert would["report"]["matches"][0]["totals"] != played.report()["matches"][0]["totals"]
    assert answer.headers["ETag"] == played.tag(who)
    assert played.get("/events").get_json()["version"] == played.version
    played.do(correction, as_played=True)
    now = played.report()
    for part in ("matches", "findings"):
        assert would["report"][part] == now[part]


def test_effect_of_an_option(played: Table) -> None:
    answer = ask(played, options={"match_end": {"hands": 1}}, match=1)
    assert complaints(played.client, PATH, answer) == []
    by_hand = {place["hand"]: place for place in answer.get_json()["difference"]}
    assert set(by_hand) == {None, 2}
    assert by_hand[None]["after"]["status"] == "finished"
    assert [finding["code"] for finding in by_hand[2]["after"]["findings"]] == ["after_end"]


def test_effect_of_a_removed_hand(played: Table) -> None:
    answer = ask(played, corrections=[struck(8), struck(7), struck(6)])
    assert complaints(played.client, PATH, answer) == []
    assert answer.get_json()["difference"][-1]["after"] is None


def test_corrections_are_tried_together(played: Table) -> None:
    """Also with the event that begins the set, as in a record."""
    other = {"game": "riparto", "seats": ["mara", "leo"]}
    seats = replaced(2, "match_started", **{**other, "seats": ["leo", "mara", "nina"]})
    some = [struck(6), seats, struck(7), struck(8)]
    together = ask(played, corrections=some).get_json()
    assert [place["hand"] for place in together["difference"]] == [None, 2]
    literal = ask(played, corrections=[begun(4), *some]).get_json()
    assert literal["difference"] == together["difference"]
    played.do(begun(4), *some, as_played=True)
    assert played.report()["matches"] == literal["report"]["matches"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "options"),
        ({"options": {}, "corrections": []}, "options"),
        ({"options": {"last_three": "all"}}, "options.last_three"),
        ({"options": {"tie": "draw"}}, "options.tie"),
        ({"options": 7}, "options"),
        ({"options": {"last_three": "sweep"}, "match": 2}, "match"),
        ({"options": {"last_three": "sweep"}, "match": "1"}, "match"),
        ({"corrections": [struck(99)]}, "corrections.0.data.seq"),
        ({"corrections": [struck(8), {"type": "event_struck"}]}, "corrections.1.data"),
        ({"corrections": [event("note_added", text="")]}, "corrections.0.type"),
        ({"corrections": [struck(8)] * 1001}, "corrections"),
        ({"corrections": [struck(8)] * 1002}, "corrections"),
        ({"corrections": [begun(2), struck(8)]}, "corrections.1"),
        ({"correction": [struck(8)]}, "correction"),
        ({"log": ""}, "log"),
    ],
)
def test_unusable_change_is_refused_with_the_reason(played: Table, body: Raw, field: str) -> None:
    answer = ask(played, **body)
    assert complaints(played.client, PATH, answer) == []
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json()["field"] == field


def test_effect_of_a_proposal(played: Table) -> None:
    correction = replaced(4, "bid_made", player="leo", points=7)
    played.do(event("hand_disputed", player="leo", reason="", hand=1), who="leo")
    proposed = event("correction_proposed", corrections=[correction], reason="", hand=1)
    seq = played.do(proposed, who="leo")["version"]
    answer = ask(played, "view", proposal=seq)
    assert complaints(played.client, PATH, answer) == []
    would = answer.get_json()
    assert would.pop("signatures") == {
        "matches": [1], "needed": "seats",
        "of": ["mara", "leo", "nina"], "missing": ["mara", "leo", "nina"],
    }  # fmt: skip
    assert would == ask(played, corrections=[correction]).get_json()
    log = played.get("/log.jsonl").data.decode()
    of_the_log = played.client.post(OF_A_LOG, json={"log": log, "proposal": seq})
    assert of_the_log.get_json()["difference"] == answer.get_json()["difference"]


@pytest.mark.parametrize(
    "body",
    [{"proposal": 3}, {"proposal": 99}, {"proposal": 0}, {"proposal": "9"}, {"proposal": True},
     {"proposal": 9, "options": {"last_three": "sweep"}}, {"proposal": 9, "match": 1},
     {"proposal": 9, "corrections": [struck(8)]}],
)  # fmt: skip
def test_unknown_proposal_or_several_changes_are_refused(played: Table, body: Raw) -> None:
    played.do(event("correction_proposed", corrections=[struck(4)], reason="", hand=1))
    answer = ask(played, **body)
    assert complaints(played.client, PATH, answer) == []
    assert (problem_of(answer), answer.get_json()["field"]) == ((422, "unusable"), "proposal")


def test_what_if_needs_a_key_to_the_session(played: Table) -> None:
    assert problem_of(ask(played, "", options={"last_three": "sweep"})) == (401, "no_key")


# -------------------------------------------------------------------------------------- a log


def ask_log(client: FlaskClient, log: bytes, **body: Any) -> TestResponse:
    return client.post(OF_A_LOG, json={"log": log.decode(), **body})


def test_log_is_sent_as_a_text(client: FlaskClient) -> None:
    answer = ask_log(client, EVENING, options={"last_three": "sweep"})
    assert complaints(client, OF_A_LOG, answer) == []
    options = answer.get_json()["report"]["matches"][0]["options"]
    assert options["last_three"] == "sweep"
    assert [place["hand"] for place in answer.get_json()["difference"]] == [None]


@pytest.mark.parametrize("path", golden_evenings(), ids=lambda log: log.parent.name)
def test_sealed_log_stays_whole(client: FlaskClient, path: Any) -> None:
    log = sealed(json.loads(line) for line in path.read_bytes().splitlines() if line.strip())
    note = event("event_inserted", after=1, **event("note_added", text="x"), reason="left out")
    answer = ask_log(client, log, corrections=[note])
    assert complaints(client, OF_A_LOG, answer) == []
    answered = answer.get_json()
    assert answered["difference"] == []
    assert answered["report"]["findings"] == json.loads(json.dumps(score(log)["findings"]))
    assert answered["report"]["session"]["head"] is None


def test_an_unusable_log_is_refused_with_its_line(client: FlaskClient) -> None:
    answer = ask_log(client, EVENING + b'{"type":"nothing"}\n', options={"last_three": "sweep"})
    assert complaints(client, OF_A_LOG, answer) == []
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json()["line"] == 6


@pytest.mark.parametrize("log", [None, 7, [], {}])
def test_log_that_is_no_text_is_refused(client: FlaskClient, log: Any) -> None:
    answer = client.post(OF_A_LOG, json={"log": log, "options": {"last_three": "sweep"}})
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json()["field"] == "log"


def test_missing_log_is_refused(client: FlaskClient) -> None:
    answer = client.post(OF_A_LOG, json={"options": {"last_three": "sweep"}})
    assert (problem_of(answer), answer.get_json()["field"]) == ((422, "unusable"), "log")


def test_log_may_have_at_most_eight_mebibytes(client: FlaskClient) -> None:
    body = json.dumps({"log": EVENING.decode(), "options": {"last_three": "sweep"}}).encode()
    blank = b"\\n" * (((8 << 20) - len(body)) // 2)
    full = body.replace(b'", "options"', blank + b'", "options"')
    sent = {"content_type": "application/json"}
    assert (
        client.post(OF_A_LOG, data=full + b" " * ((8 << 20) - len(full)), **sent).status_code == 200
    )
    answer = client.post(OF_A_LOG, data=full + b" " * ((8 << 20) - len(full) + 1), **sent)
    assert problem_of(answer) == (413, "too_large")


def test_large_body_may_consist_of_texts_only(client: FlaskClient) -> None:
    """Millions of values would need tens of times the memory of these bytes."""
    body = b'{"log":"","options":{"a":[' + b"0," * (2 << 20) + b"0]}}"
    answer = client.post(OF_A_LOG, data=body, content_type="application/json")
    assert problem_of(answer) == (413, "too_large")
    assert complaints(client, OF_A_LOG, answer) == []

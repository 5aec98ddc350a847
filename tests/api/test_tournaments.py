"""Tournaments over HTTP: ``api.tournaments``, ``api.tournament_rounds``, ``api.tournament_views``.

Also ``api.tournament_schemas``, ``service.tournament_rights`` and ``tournaments.open_tables``:
who may do what, at the tournament and at its tables.
"""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.live import event_streams
from tests.api.asking import Table, bearer, client_of, problem_of
from tests.api.hall import Hall, opening_body
from tests.evenings import Raw, as_a_set, event, inserted, replaced, struck
from tests.tournaments.hall import GENERATOR, STAGE

SIX = ("ada bea ciro", "dora elio fede")
MIXED = ("fede ada dora", "ciro elio bea")
HAND = [
    event("hand_started", dealer="ada"),
    event("bid_made", player="bea", points=5),
    event("points_counted", points={"bea": 5, "ada": 10, "ciro": 0}),
]
# Everything that a reader can ask for.
PAGES = (
    "", "/events", "/standings", "/standings?stage=1&round=1&team=1", "/tables", "/clock",
    "/log.jsonl", "/stream", "/tables?round=2", "/clock?round=2", "/keys", "/next",
)  # fmt: skip


@pytest.fixture
def client() -> FlaskClient:
    return client_of()


@pytest.fixture
def hall(client: FlaskClient) -> Hall:
    """Return a tournament with keys of two entrants and an assistant."""
    hall = Hall.open(client)
    for player in ("ada", "dora"):
        hall.add_key("entrant", player)
    hall.add_key("assistant")
    return hall


@pytest.fixture(autouse=True)
def streams_end_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "STREAM_LIFE_SECONDS", 0)


# ------------------------------------------------------------------------------- the evening


def test_an_evening_from_the_draw_to_the_final_standings(hall: Hall) -> None:
    (step, *_) = hall.read("/next")["steps"]
    assert (step["step"], step["round"]) == ("draw", 1)
    proposed = hall.ask("POST", "/draw", json={"seed": 3}).get_json()
    assert proposed["problems"] == proposed["meetings"] == []
    hall.do(event("round_drawn", **proposed["draw"]))
    sessions = hall.publish(1, 2)
    assert sessions[2] is None
    (seated, on_paper) = proposed["draw"]["tables"]
    first, second, third = seated
    hand = [
        event("hand_started", dealer=first),
        event("bid_made", player=second, points=5),
        event("points_counted", points={second: 5, first: 10, third: 0}),
    ]
    assert hall.record(str(sessions[1]), *hand, who="host", at=2).status_code == 201
    scores = dict(zip(on_paper, (3, 0, 1), strict=True))
    hall.do(event("result_recorded", round=1, table=2, scores=scores))
    rows = {row["entrant"]: row for row in hall.read("/standings", "view")["rows"]}
    assert [rows[entrant]["points"] for entrant in on_paper] == [2, -2, 0]
    assert rows[second]["points"] == 2
    table = hall.read("/tables", "ada")["tables"][0]
    assert (table["session"], table["hands"], table["unconfirmed"]) == (sessions[1], 1, 1)
    hall.do(event("round_closed", stage=1, round=1))
    again = hall.ask("POST", "/draw", json={}).get_json()["draw"]
    assert again["round"] == 2
    same = {**again, "tables": proposed["draw"]["tables"]}
    checked = hall.ask("POST", "/check", json={"round": 2, "tables": same["tables"]}).get_json()
    assert {tuple(met["rounds"]) for met in checked["meetings"]} == {(1,)}
    assert len(checked["meetings"]) == 6


def test_check_names_what_is_wrong_in_words_for_a_volunteer(hall: Hall) -> None:
    asked = {"round": 1, "tables": [["ada", "bea", "ciro"], ["ada", "elio", "fede"]]}
    problems = hall.ask("POST", "/check", json=asked).get_json()["problems"]
    assert problems == [
        {"text": "Ada is drawn twice in round 1", "wrong": True},
        {"text": "Dora is at no table and does not sit out", "wrong": False},
    ]
    assert hall.read("/events")["version"] == 7  # nothing is recorded


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        ({"name": "X"}, "game", "missing"),
        ([], None, "an object with a name, a game and stages"),
        (opening_body("ada", "ada"), "registered.1.id", "belongs to Ada already"),
        ({**opening_body(), "registered": 7}, "registered", "a list of at most 400 entrants"),
        ({**opening_body(), "game": "bridge"}, "game", 'no game "bridge" is installed here'),
        ({**opening_body(), "name": "\u200b"}, "name", "visible"),
    ],
)
def test_an_opening_that_cannot_be_is_refused(
    client: FlaskClient, body: Any, field: str | None, words: str
) -> None:
    answer = client.post("/api/tournaments", json=body)
    assert answer.status_code == 422
    assert answer.get_json().get("field") == field
    assert words in answer.get_json()["detail"]


def test_equal_openings_open_one_tournament(client: FlaskClient) -> None:
    headers = {"Idempotency-Key": "a key that is hard to guess"}
    answers = [
        client.post("/api/tournaments", json=opening_body("ada"), headers=headers).data
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert len(client.application.extensions["service"].store.tournaments()) == 1


def test_an_append_names_its_version_and_is_repeated_byte_for_byte(hall: Hall) -> None:
    present = event("entrant_present", entrant="ada")
    first = hall.append(present, key="k", at=7)
    assert first.status_code == 201
    assert hall.append(present, key="k", at=7).data == first.data
    assert problem_of(hall.append(present, at=7)) == (412, "stale_version")
    other = event("entrant_present", entrant="bea")
    assert problem_of(hall.append(other, key="k", at=8)) == (422, "idempotency_key_reused")
    assert hall.ask("POST", "/events", json={"events": [other]}).status_code == 428


# ----------------------------------------------------------- a draw that is not published


def normalized(answer: Any, ids: list[str]) -> tuple[int, str, str | None]:
    """Return status, body and tag of an answer, without hashes, salts, ids and times."""
    text = answer.text
    for place, id_ in enumerate(ids):
        text = text.replace(id_, f"id{place:010}")
    text = re.sub(r"[0-9a-f]{64}", "#" * 64, text)
    text = re.sub(r"[0-9]+-[0-9a-f]{32}", "tag", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "time", text)
    tag = re.sub(r"-[0-9a-f]{32}", "-#", answer.headers.get("ETag", ""))
    return answer.status_code, text, tag


def corrections(tables: tuple[str, ...]) -> list[Raw]:
    """Return a set that puts another draw of round 2 in the place of the first, and a note."""
    data = {"stage": 1, "round": 2, "tables": [table.split() for table in tables], "byes": [],
            "generator": GENERATOR, "heads": {}, "early": True}  # fmt: skip
    begun, *others = as_a_set(
        [replaced(10, "round_drawn", **data), inserted(9, "note_added", text="so")]
    )
    begun["data"]["reason"] = f"better: {tables[0]}"
    return [begun, *others]


def answers_while_hidden(
    tables: tuple[str, ...], seats: tuple[str, str], seed: int
) -> Iterator[tuple[str, str, tuple[int, str, str | None]]]:
    """Yield all that readers are told of a second round that is drawn, exchanged and corrected.

    The first round has another seed, from which the second would follow.
    """
    hall = Hall.open(client_of())
    hall.add_key("entrant", "ada")
    hall.draw(1, *SIX, generator={**GENERATOR, "seed": seed})
    hall.publish(1, 1, 2)
    hall.draw(2, *tables, early=True)
    hall.do(event("seats_exchanged", round=2, entrants=list(seats), reason="they are a couple"))
    hall.draw(2, *tables[::-1], early=True)
    hall.do(*corrections(tables), key="set")
    refused = event("result_recorded", round=2, table=1, scores={"ada": 1})
    called = event("director_called", round=2, table=1, caller="ada", about="where do I sit?")
    for who in ("view", "ada"):
        for path in PAGES:
            yield who, path, normalized(hall.get(path, who), [hall.id])
        for sent in (refused, called, corrections(tables)[1]):
            yield who, "append", normalized(hall.append(sent, who=who), [hall.id])
        repeated = hall.append(*corrections(tables), who=who, key="set", at=12)
        yield who, "repeated", normalized(repeated, [hall.id])
        for path in ("/draw", "/check", "/publish"):
            body = {"round": 2, "tables": [["ada"]]} if path == "/check" else {"round": 2}
            answer = hall.append(path=path, body={} if path == "/draw" else body, who=who)
            yield who, path, normalized(answer, [hall.id])


def test_two_draws_that_are_not_published_look_alike_to_the_hall() -> None:
    one = list(answers_while_hidden(SIX, ("ada", "dora"), 7))
    other = list(answers_while_hidden(MIXED, ("fede", "elio"), 8_007_199_254_740_991))
    assert len(one) == 2 * (len(PAGES) + 7)
    for before, after in zip(one, other, strict=True):
        assert before == after, before[:2]
    for who, path, (status, text, _) in one:
        assert "couple" not in text, (who, path)
        assert "better" not in text, (who, path)
        assert status != 500


def test_director_and_assistant_see_a_draw_and_the_hall_once_it_is_published(hall: Hall) -> None:
    hall.draw(1, *SIX)
    seated = [table.split() for table in SIX]
    for who in ("host", "assistant"):
        assert hall.read(who=who)["rounds"][0]["tables"] == seated
        assert len(hall.read("/events?after=7", who)["events"][0]["data"]["salt"]) == 22
        assert json.loads(hall.get("/log.jsonl", who).text.splitlines()[-1])["data"] is not None
    for who in ("view", "ada"):
        assert hall.read(who=who)["rounds"][0]["tables"] is None
        assert hall.read("/events?after=7", who)["events"][0]["data"] is None
        assert json.loads(hall.get("/log.jsonl", who).text.splitlines()[-1])["data"] is None
    hall.publish(1)
    assert hall.read(who="view")["rounds"][0]["tables"] == seated
    # The seed of the first round foretells the second, so it is shown only with that.
    assert hall.read("/events?after=7", "ada")["events"][0]["data"] is None
    hall.draw(2, *MIXED, early=True)
    hall.publish(2)
    assert hall.get("/log.jsonl", "ada").data == hall.get("/log.jsonl").data


def test_groups_of_a_stage_do_not_reveal_a_draw(client: FlaskClient) -> None:
    hall = Hall.open(client)
    plan = event("plan_changed", stage=1, reason="so", advance={"each": 1})
    hall.do(plan)
    hall.draw(1, *SIX)
    before = hall.read("/standings", "view")["qualifiers"]
    hall.do(event("seats_exchanged", round=1, entrants=["ada", "dora"], reason=""))
    assert hall.read("/standings", "view")["qualifiers"] == before


def test_all_players_without_a_key_get_one_by_one_call(hall: Hall) -> None:
    hall.do(event("entrant_withdrawn", entrant="fede", from_round=1))
    before = hall.key_ids()
    headers = {"Idempotency-Key": "a key that nobody can guess"}
    first, again = (hall.ask("POST", "/keys/entrants", json={}, headers=headers) for _ in range(2))
    assert first.status_code == again.status_code == 201
    assert first.get_json() == again.get_json()
    made = {key["player"]: key["key"] for key in first.get_json()["keys"]}
    assert set(made) == {"bea", "ciro", "elio"}  # Ada and Dora have theirs
    hall.keys |= made
    assert hall.get("/tables", "bea").status_code == 200
    after = hall.key_ids()
    assert {**after, **before} == after
    assert len(after["bea"]) == 1
    assert hall.ask("POST", "/keys/entrants", json={}).get_json() == {"keys": []}
    hall.ask("DELETE", f"/keys/{after['bea'][0]}")
    lost = hall.ask("POST", "/keys/entrants", json={}, headers=headers).get_json()
    assert "bea" not in {key["player"] for key in lost["keys"]}  # it does not come back
    (new,) = hall.ask("POST", "/keys/entrants", json={}).get_json()["keys"]
    assert new["player"] == "bea"


def test_director_is_asked_if_a_correction_changes_who_advances(client: FlaskClient) -> None:
    two = [{**STAGE, "rounds": 1, "table": {"from": 3, "to": 3}, "advance": {"each": 1, "best": 1}},
           {**STAGE, "name": "Final", "rounds": 1, "table": {"from": 3, "to": 3}}]  # fmt: skip
    hall = Hall.open(client, stages=two, protest_minutes=45)
    hall.draw(1, *SIX)
    hall.publish(1, 1, 2)
    for table, entrants in enumerate(SIX, start=1):
        scores = dict(zip(entrants.split(), (5, table, -5), strict=True))
        hall.do(event("result_recorded", round=1, table=table, scores=scores))
    hall.do(event("round_closed", stage=1, round=1))
    (final,) = hall.read("/standings?stage=1")["qualifiers"]
    assert set(final) == {"ada", "dora", "elio"}
    hall.draw(2, " ".join(final), stage=2)
    assert hall.read("/next")["advance"] is None
    hall.do(event("points_adjusted", entrant="bea", round=1, points=1, reason="a revoke"))
    asked = {"round": 2, "published": False, "through": ["bea"], "out": ["elio"]}
    assert hall.read("/next")["advance"] == asked
    hall.publish(2)
    assert hall.read("/next")["advance"] == {**asked, "published": True}
    hall.do(event("round_closed", stage=2, round=2))
    assert hall.read()["protests_until"] is None
    heads = {id_: hall.read(f"/api/sessions/{id_}/events")["head"]
             for id_ in hall.read()["rounds"][1]["sessions"].values()}  # fmt: skip
    closed = hall.do(event("tournament_closed", heads=heads))["events"][0]["at"]
    until = datetime.fromisoformat(hall.read("/standings", "view")["protests_until"])
    assert (until - datetime.fromisoformat(closed)) == timedelta(minutes=45)


# ------------------------------------------------------------------------------ who may do what


def test_assistant_calls_records_paper_and_keeps_the_clock_and_nothing_else(hall: Hall) -> None:
    hall.draw(1, *SIX)
    hall.publish(1, 2)
    scores = {"dora": 3, "elio": 0, "fede": 1}
    allowed = [
        event("round_started", round=1, minutes=30),
        event("time_added", round=1, minutes=5, table=1),
        event("clock_stopped", round=1),
        event("result_recorded", round=1, table=2, scores=scores),
        event("director_called", round=1, table=2, about="a card is missing"),
    ]
    for sent in allowed:
        recorded = hall.do(sent, who="assistant")
        assert recorded["events"][0]["by"] == "keeper"
    hall.do(event("call_answered", call=hall.version, text="count again"), who="assistant")
    refused = [
        event("entrant_present", entrant="ada"),
        event("round_closed", stage=1, round=1),
        event("result_assigned", round=1, entrant="ada", points=3, reason="mine"),
        event("points_adjusted", entrant="ada", points=1, reason="mine"),
        event("hand_ruled", round=1, table=1, hand=1, counts=True, reason="mine"),
        event("plan_changed", stage=1, rounds=3, reason="mine"),
        struck(9),
        inserted(1, "note_added", text="x"),
        event("note_added", text="x"),
    ]
    for sent in refused:
        assert problem_of(hall.append(sent, who="assistant")) == (403, "forbidden"), sent
    assert problem_of(hall.get("/keys", "assistant")) == (403, "forbidden")


def test_assistant_does_not_get_the_answer_of_a_director(hall: Hall) -> None:
    hall.draw(1, *SIX)
    hall.publish(1, 1, 2)
    started = event("round_started", round=1, minutes=30)
    first = hall.append(started, key="same", at=9)
    assert problem_of(hall.append(started, key="same", at=9, who="assistant")) == (
        422, "idempotency_key_reused",
    )  # fmt: skip
    stopped = event("clock_stopped", round=1)
    own = hall.append(stopped, key="own", at=10, who="assistant")
    assert hall.append(stopped, key="own", at=10, who="assistant").data == own.data
    assert first.status_code == own.status_code == 201


def test_entrant_calls_only_to_the_table_at_which_they_sit(hall: Hall) -> None:
    hall.draw(1, *SIX)
    hall.publish(1)

    def called(table: int, caller: str | None = "ada") -> Raw:
        more = {"caller": caller} if caller else {}
        return event("director_called", round=1, table=table, about="a revoke", **more)

    for sent in (called(2), called(1, "bea"), called(1, None), event("note_added", text="x")):
        assert problem_of(hall.append(sent, who="ada")) == (403, "forbidden"), sent
    assert hall.do(called(1), who="ada")["events"][0]["by"] == "ada"
    assert hall.read("/tables", "view")["tables"][0]["calls"] == [hall.version]
    hall.do(event("round_closed", stage=1, round=1))
    assert problem_of(hall.append(called(1), who="ada")) == (403, "forbidden")


def test_entrant_records_at_the_present_table_and_signs_at_earlier_ones(hall: Hall) -> None:
    hall.draw(1, *SIX)
    first = hall.publish(1)
    assert hall.record(str(first[1]), *HAND, who="ada", at=2).status_code == 201
    note = event("note_added", text="x")
    for who, table in (("dora", 1), ("ada", 2), ("assistant", 1), ("view", 1)):
        answer = hall.record(str(first[table]), note, who=who, at=5 if table == 1 else 2)
        assert problem_of(answer) == (403, "forbidden"), who
        assert hall.get(f"/api/sessions/{first[table]}", who).status_code == 200
    hall.do(event("round_closed", stage=1, round=1))
    hall.draw(2, *MIXED)
    second = hall.publish(2)
    started = event("hand_started", dealer="ada")
    assert hall.record(str(second[1]), started, who="ada", at=2).status_code == 201
    for sent in (note, started, struck(5), event("hand_confirmed", player="bea"),
                 inserted(5, "note_added", text="x")):  # fmt: skip
        answer = hall.record(str(first[1]), sent, who="ada", at=6)
        assert problem_of(answer) == (403, "forbidden"), sent
    # The session was closed with its round: its hands are accepted as earlier hands are.
    accepted = inserted(5, "hand_confirmed", player="ada")
    assert hall.record(str(first[1]), accepted, who="ada", at=6).status_code == 201
    disputed = event("hand_disputed", player="ada", match=1, hand=1, reason="score")
    assert hall.record(str(first[1]), disputed, who="ada", at=7).status_code == 201
    for path in ("/keys", "/clubs"):
        assert problem_of(hall.get(f"/api/sessions/{second[1]}{path}", "ada")) == (403, "forbidden")


def test_keys_of_others_open_no_table(client: FlaskClient, hall: Hall) -> None:
    hall.draw(1, *SIX)
    sessions = hall.publish(1)
    other = Hall.open(client, "ada", "bea", "ciro")
    other.add_key("entrant", "ada")
    other.draw(1, "ada bea ciro")
    strange = other.publish(1)
    session = Table.open(client)
    for who in ("host", "ada", "view"):
        answer = other.record(str(sessions[1]), HAND[0], who=who, at=2)
        assert problem_of(answer) == (403, "forbidden"), who
        assert problem_of(other.get(f"/api/sessions/{sessions[1]}", who)) == (403, "forbidden")
        assert problem_of(other.get(session.path, who)) == (403, "forbidden")
        answer = client.get(hall.path, headers=bearer(other.keys[who]))
        assert problem_of(answer) == (403, "forbidden")
    for path in (hall.path, f"/api/sessions/{sessions[1]}"):
        assert problem_of(client.get(path)) == (401, "no_key")
        answer = client.get(path, headers=bearer(session.keys["host"]))
        assert problem_of(answer) == (403, "forbidden")
    assert hall.get(f"/api/sessions/{strange[1]}").status_code == 403


def test_tables_of_an_imported_log_open_nothing_and_show_no_result(
    client: FlaskClient, hall: Hall
) -> None:
    hall.draw(1, *SIX)
    sessions = hall.publish(1)
    hall.record(str(sessions[1]), *HAND, who="host", at=2)
    store = client.application.extensions["service"].store
    log = hall.get("/log.jsonl").data
    made = client.application.extensions["tournaments"].import_log(log, 1 << 20)
    copy = Hall(client, {"id": made.id, "version": made.version, "keys": {
        "director": made.keys[0].secret, "view": made.keys[1].secret,
    }})  # fmt: skip
    assert copy.get("/log.jsonl").data == log
    assert problem_of(copy.get(f"/api/sessions/{sessions[1]}")) == (403, "forbidden")
    assert [row["points"] for row in copy.read("/standings")["rows"]] == [0] * 6
    assert copy.read("/tables")["tables"][0]["missing"]
    assert {followed.club for followed in store.followers(str(sessions[1]))} == {hall.id}


def test_revoked_key_of_an_entrant_records_nothing_more(hall: Hall) -> None:
    hall.draw(1, *SIX)
    sessions = hall.publish(1)
    assert hall.record(str(sessions[1]), HAND[0], who="ada", at=2).status_code == 201
    (key,) = hall.key_ids()["ada"]
    assert hall.ask("DELETE", f"/keys/{key}").status_code == 204
    for answer in (
        hall.record(str(sessions[1]), HAND[1], who="ada", at=3), hall.get(who="ada"),
        hall.get(f"/api/sessions/{sessions[1]}", "ada"),
    ):  # fmt: skip
        assert problem_of(answer) == (401, "no_key")
    (last,) = hall.key_ids()["director"]
    assert problem_of(hall.ask("DELETE", f"/keys/{last}")) == (409, "last_key")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"role": "entrant"}, "names the player"),
        ({"role": "entrant", "player": "zoe"}, "a player of this tournament"),
        ({"role": "assistant", "player": "ada"}, "no other does"),
        ({"role": "entrant", "player": "keeper"}, "keeper"),
        ({"role": "host"}, "director"),
    ],
)
def test_a_key_that_is_for_nobody_is_refused(hall: Hall, body: Raw, words: str) -> None:
    answer = hall.ask("POST", "/keys", json=body)
    assert answer.status_code == 422
    assert words in answer.text


# --------------------------------------------------------------------------------- publication


def test_six_equal_publications_open_the_tables_once(hall: Hall) -> None:
    hall.draw(1, *SIX)
    store = hall.client.application.extensions["service"].store
    body = {"round": 1}
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(
            lambda _: hall.client.application.test_client(use_cookies=False).post(
                f"{hall.path}/publish", json=body,
                headers={**bearer(hall.keys["host"]), "If-Match": '"8"', "Idempotency-Key": "once"},
            ), range(6),
        ))  # fmt: skip
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert len(store.sessions()) == 2


def test_of_two_directors_one_publishes(hall: Hall) -> None:
    hall.draw(1, *SIX)
    store = hall.client.application.extensions["service"].store
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(
            lambda key: hall.client.application.test_client(use_cookies=False).post(
                f"{hall.path}/publish", json={"round": 1},
                headers={**bearer(hall.keys["host"]), "If-Match": '"8"', "Idempotency-Key": key},
            ), ("one", "other"),
        ))  # fmt: skip
    assert sorted(answer.status_code for answer in answers) == [201, 412]
    assert len(store.sessions()) == 2


def test_a_round_is_published_whole_or_not_at_all(hall: Hall) -> None:
    store = hall.client.application.extensions["service"].store
    for body, words in (
        ({"round": 1}, "round 1 is not drawn"),
        ({"round": 1, "paper": [3]}, "round 1 is not drawn"),
    ):
        answer = hall.append(path="/publish", body=body)
        assert problem_of(answer) == (422, "unusable")
        assert words in answer.get_json()["detail"]
    hall.draw(1, *SIX)
    answer = hall.append(path="/publish", body={"round": 1, "paper": [3]})
    assert "a table from 1 to 2" in answer.get_json()["detail"]
    hall.publish(1)
    assert "published already" in hall.append(path="/publish", body={"round": 1}).text
    assert len(store.sessions()) == 2


def test_an_address_opens_a_limited_number_of_tables() -> None:
    hall = Hall.open(client_of(sessions_an_hour=3))
    hall.draw(1, *SIX)
    hall.publish(1, key="first")
    hall.do(event("round_closed", stage=1, round=1))
    hall.draw(2, *MIXED)
    body = {"round": 1, "paper": []}
    assert hall.append(path="/publish", body=body, key="first", at=8).status_code == 201
    answer = hall.append(path="/publish", body={"round": 2})
    assert problem_of(answer) == (429, "too_often")
    hall.publish(2, 1)


def test_seats_stay_once_the_tables_are_open_on_the_phones(hall: Hall) -> None:
    hall.draw(1, *SIX)
    hall.publish(1, 2)
    substitute = {"id": "sub", "name": "Sub"}
    for sent in (
        struck(8),
        event("entrant_replaced", entrant="ada", player="ada", substitute=substitute, from_round=1),
    ):  # fmt: skip
        answer = hall.append(sent)
        assert problem_of(answer) == (422, "unusable"), sent
        named = "seating_corrected", "round 1 is not drawn"
        assert any(words in answer.get_json()["detail"] for words in named), sent
    hall.do(event("seating_corrected", round=1, table=1, players={"ada": "bea", "bea": "ada"}))
    exchanged = event("seats_exchanged", round=1, entrants=["ada", "dora"], reason="so")
    assert problem_of(hall.append(exchanged, who="assistant")) == (403, "forbidden")
    hall.do(exchanged)
    (session_id, _) = hall.read()["rounds"][0]["sessions"].values()
    (match,) = hall.read(f"/api/sessions/{session_id}")["matches"]
    assert match["seats"] == ["dora", "bea", "ciro"]
    # The other table is on paper, and so is its result.
    scores = dict.fromkeys(("ada", "elio", "fede"), 0)
    hall.do(event("result_recorded", round=1, table=2, scores=scores))
    assert problem_of(hall.append(struck(9))) == (422, "unusable")
    again = hall.append(exchanged)
    assert "table 2 has played a hand" in again.get_json()["detail"]


def test_director_cannot_take_the_session_of_others_to_a_table(
    client: FlaskClient, hall: Hall
) -> None:
    session = Table.open(client, "ada bea ciro")
    hall.draw(1, *SIX)
    named = {"session": session.id, "first_hash": session.head}
    answer = hall.append(event("round_published", round=1, sessions={"1": named, "2": None}))
    assert problem_of(answer) == (422, "unusable")
    assert "by the call for that" in answer.get_json()["detail"]
    assert hall.get(session.path).status_code == 403
    hall.do(event("round_published", round=1, sessions={"1": None, "2": None}))


def test_the_largest_tournament_is_drawn_and_published(client: FlaskClient) -> None:
    people = [f"e{number}" for number in range(1, 61)]
    hall = Hall.open(client, *people)
    hall.draw(1, *(" ".join(people[first : first + 3]) for first in range(0, 60, 3)))
    sessions = hall.publish(1)
    assert len(set(sessions.values())) == 20
    assert len(hall.read("/tables")["tables"]) == 20


# ------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/standings?stage=2", 422, "a stage from 1 to 1"),
        ("/standings?stage=x", 400, "expected a whole number"),
        ("/tables?round=1", 422, "round 1 is not drawn"),
        ("/clock?round=9", 422, "round 9 is not drawn"),
        ("/tables?table=1", 400, "Unknown"),
    ],
)
def test_readers_are_told_what_there_is(hall: Hall, path: str, status: int, words: str) -> None:
    answer = hall.get(path, "view")
    assert answer.status_code == status
    assert words in answer.text


def test_an_unchanged_answer_is_not_sent_again_and_tags_tell_readers_apart(hall: Hall) -> None:
    first = hall.get(who="view")
    tag = first.headers["ETag"]
    again = hall.get(who="view", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    assert hall.get(headers={"If-None-Match": tag}).status_code == 200
    hall.draw(1, *SIX)
    sessions = hall.publish(1)
    before = hall.get("/standings", "view").headers["ETag"]
    hall.record(str(sessions[1]), *HAND, who="host", at=2)
    after = hall.get("/standings", "view", headers={"If-None-Match": before})
    assert after.status_code == 200


def test_clock_keeps_its_time_when_it_stops(hall: Hall) -> None:
    hall.draw(1, *SIX)
    hall.publish(1, 1, 2)
    assert hall.read("/clock", "view")["seconds_left"] is None
    hall.do(event("round_started", round=1, minutes=30))
    running = hall.read("/clock", "view")
    assert running["running"]
    assert 1790 <= running["seconds_left"] <= 1800
    assert running["ends_at"] > running["now"]
    hall.do(event("time_added", round=1, minutes=5))
    hall.do(event("clock_stopped", round=1))
    stopped = hall.read("/clock", "view")
    assert (stopped["running"], stopped["ends_at"]) == (False, None)
    assert 2090 <= stopped["seconds_left"] <= 2100


@pytest.mark.parametrize("path", ["", "/events", "/stream", "/log.jsonl"])
def test_an_unknown_tournament_is_called_one(hall: Hall, path: str) -> None:
    for id_ in ("i23456789abc", "o23456789abc", "x"):
        answer = hall.get(f"/api/tournaments/{id_}{path}")
        assert problem_of(answer) == (404, "unknown_tournament")
    assert problem_of(hall.get(f"/api/sessions/{hall.id}")) == (404, "unknown_session")
    assert problem_of(hall.get(f"/api/clubs/{hall.id}")) == (404, "unknown_club")


def test_a_pasted_list_is_registered_whole_or_not_at_all(hall: Hall) -> None:
    body = {"text": "Gino;Lanzo\nIda;Bologna;1"}
    first = hall.append(path="/entrants", body=body, key="k")
    assert first.status_code == 201, first.text
    assert hall.append(path="/entrants", body=body, key="k", at=7).data == first.data
    listed = {entrant["id"]: entrant for entrant in hall.read()["registered"]}
    assert (listed["ida"]["group"], listed["ida"]["seed"]) == ("Bologna", 1)
    again = hall.append(path="/entrants", body={"text": "Leo\n\ngino"})
    problem = again.get_json()
    assert (again.status_code, problem["field"], problem["line"]) == (422, "text", 3)
    assert "Gino has entered already" in problem["detail"]
    assert "leo" not in {entrant["id"] for entrant in hall.read()["registered"]}
    assert problem_of(hall.append(path="/entrants", body=body, who="assistant"))[0] == 403

"""Tournaments in clubs over HTTP: ``service.club_tournaments``, ``clubs.tournament_tables``."""

import csv
import json
from io import StringIO
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from tests.api.asking import Table, bearer, problem_of
from tests.api.clubbing import Circle
from tests.api.hall import Hall
from tests.evenings import Raw, event, replaced, struck

SIX: Final = ("ada", "bea", "ciro", "dora", "elio", "fede")
ROUND: Final = ("ada bea ciro", "dora elio fede")
SEASON: Final = {"id": "s", "name": "Autumn", "games": ["riparto"], "from": "2020-01-01",
                 "ranking": {"by": "points", "best": 1}}  # fmt: skip


@pytest.fixture
def circle(on_memory: FlaskClient) -> Circle:
    """Return a club of the six who play."""
    return Circle.open(on_memory, *SIX)


@pytest.fixture
def hall(on_memory: FlaskClient) -> Hall:
    """Return a tournament with one round played: ada and dora have 5 points, bea and elio 10."""
    opened = Hall.open(on_memory)
    play(opened, 1)
    return opened


def play(hall: Hall, number: int, *tables: str) -> list[str]:
    """Play a round with a hand at each table, and close it; return the sessions."""
    hall.draw(number, *(tables or ROUND))
    sessions = [str(session) for session in hall.publish(number).values()]
    for session, table in zip(sessions, tables or ROUND, strict=True):
        one, two, three = table.split()
        played = hall.record(session, *(
            event("hand_started", dealer=one), event("bid_made", player=one, points=5),
            event("points_counted", points={one: 5, two: 10, three: 0}),
        ), who="host", at=2)  # fmt: skip
        assert played.status_code == 201, played.text
    hall.do(event("round_closed", stage=1, round=number))
    return sessions


def entered(hall: Hall, **entrants: Any) -> Raw:
    """Return the event that enters a tournament; entrants are members of the same id."""
    return event("tournament_entered", tournament=hall.id,
                 entrants={**{who: who for who in SIX}, **entrants})  # fmt: skip


def enter(circle: Circle, hall: Hall, key: str = "view", **entrants: Any) -> None:
    """Enter a tournament with one of its keys."""
    circle.do(entered(hall, **entrants), keys=[hall.keys[key]])


def made_of(circle: Circle, member: str) -> list[dict[str, Any]]:
    """Return the evenings of which a member's figure is made."""
    rows = circle.get("/standings").get_json()["rows"]
    return next(row["made_of"] for row in rows if row["member"] == member)


def test_all_tables_are_one_evening_and_follow_their_logs(circle: Circle, hall: Hall) -> None:
    enter(circle, hall)
    circle.do(event("season_opened", **SEASON))
    play(hall, 2, "ada dora bea", "ciro elio fede")
    (evening,) = made_of(circle, "ada")
    tables = circle.get().get_json()["tournaments"][0]["tables"]
    assert evening["session"] == hall.id
    assert [match["session"] for match in evening["matches"]] == [tables[0], tables[2]]
    assert circle.get("/standings").get_json()["evenings"] == [hall.id]
    before = circle.figures()
    assert hall.record(
        tables[0], replaced(5, "points_counted", points={"ada": 4, "bea": 11, "ciro": 0}),
        who="host", at=6,
    ).status_code == 201  # fmt: skip
    corrected = circle.figures()
    assert (corrected["ada"] < before["ada"], corrected["elio"]) == (True, before["elio"])
    hall.do(event("seating_corrected", round=1, table=2, players={"dora": "elio", "elio": "dora"}))
    reseated = circle.figures()
    assert (reseated["dora"], reseated["elio"]) == (corrected["elio"], corrected["dora"])
    circle.do(struck(circle.version - 1))
    assert circle.figures() == {}


def test_final_table_stays_and_shows_what_was_reseated_later(circle: Circle, hall: Hall) -> None:
    enter(circle, hall)
    circle.do(event("season_opened", **SEASON))
    sessions = [*circle.get().get_json()["tournaments"][0]["tables"]]
    store = circle.client.application.extensions["service"].store
    heads = {id_: end.head for id_, end in store.ends([hall.id, *sessions]).items()}
    other = Hall.open(circle.client)
    strange = {**heads, play(other, 1)[0]: "0" * 64}
    refused = circle.append(event("season_closed", season="s", heads=strange))
    assert problem_of(refused) == (422, "unusable")
    circle.do(event("season_closed", season="s", heads=heads))
    final = circle.get("/standings?season=s").get_json()
    hall.do(event("seating_corrected", round=1, table=1, players={"ada": "bea", "bea": "ada"}))
    now = circle.get("/standings?season=s").get_json()
    assert now["rows"] == final["rows"]
    assert now["after_the_close"]["changed"] == [hall.id]
    assert {row["member"] for row in now["after_the_close"]["moved"]} >= {"ada", "bea"}


def test_who_sat_has_the_figures_and_a_pair_is_two_people(circle: Circle) -> None:
    """A substitute has what they played; a single value is for the registered player alone."""
    hall = Hall.open(circle.client)
    hall.do(event("entrant_replaced", entrant="ada", player="ada", from_round=1,
                  substitute={"id": "zoe", "name": "Zoe"}))  # fmt: skip
    hall.draw(1, *ROUND)
    session = str(hall.publish(1)[1])
    hall.record(session, event("hand_started", dealer="zoe"), who="host", at=2)
    hall.record(session, event("bid_made", player="zoe", points=5), who="host", at=3)
    points = {"zoe": 5, "bea": 10, "ciro": 0}
    hall.record(session, event("points_counted", points=points), who="host", at=4)
    enter(circle, hall)
    assert "ada" not in circle.figures()
    circle.do(event("member_joined", id="zoe", name="Zoe"))
    out = event("evening_withdrawn", session=hall.id, reason="with the substitute")
    both = entered(hall, ada={"ada": "ada", "zoe": "zoe"})
    circle.do(out, both, keys=[hall.keys["view"]])
    assert "zoe" in circle.figures()


def pairs(client: FlaskClient) -> Hall:
    """Return a tournament of pairs."""
    people = [{"id": f"p{n}", "name": f"Pair {n}", "players": [
        {"id": f"{who}{n}", "name": f"{who.upper()}{n}"} for who in "ab"
    ]} for n in (1, 2)]  # fmt: skip
    stage = {"name": "Rounds", "draw": "balanced", "rounds": 1, "points": "score"}
    body = {"name": "Coppie", "format": 1, "game": "knock", "entrants": "pairs",
            "stages": [stage]}  # fmt: skip
    answer = client.post("/api/tournaments", json={**body, "registered": people})
    assert answer.status_code == 201, answer.text
    return Hall(client, answer.get_json())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"ada": "nobody"}, "a member of this club"),
        ({"ada": "bea"}, "Ada and Bea cannot both be Bea"),
        ({"zoe": "ada"}, "no entrant zoe"),
        ({"ada": {"ada": "ada", "zoe": None}}, "no player zoe"),
        ({"ada": {}}, "say which member or guest Ada is"),
    ],
)
def test_wrong_people_are_refused(circle: Circle, hall: Hall, change: Raw, why: str) -> None:
    answer = circle.append(entered(hall, **change), keys=[hall.keys["view"]])
    assert problem_of(answer) == (422, "unusable")
    assert why in answer.get_json()["detail"]


def test_a_pair_names_both_players(circle: Circle) -> None:
    hall = pairs(circle.client)
    one = event("tournament_entered", tournament=hall.id, entrants={"p1": "ada", "p2": None})
    answer = circle.append(one, keys=[hall.keys["view"]])
    assert "say which member or guest each player of Pair 1 is" in answer.get_json()["detail"]
    both = {"p1": {"a1": "ada", "b1": "bea"}, "p2": {"a2": None, "b2": "ciro"}}
    circle.do(event("tournament_entered", tournament=hall.id, entrants=both),
              keys=[hall.keys["view"]])  # fmt: skip


def test_nothing_counts_twice(circle: Circle, hall: Hall) -> None:
    """Neither a tournament, its copy, nor one of its tables, in whichever order they come."""
    log = hall.get("/log.jsonl").data
    enter(circle, hall)
    table = str(circle.get().get_json()["tournaments"][0]["tables"][0])
    again = circle.append(entered(hall), keys=[hall.keys["view"]])
    assert "entered already" in again.get_json()["detail"]
    players = dict.fromkeys(ROUND[0].split())
    evening = event("evening_entered", session=table, players=players)
    host = client_key(hall, table)
    assert "is a table of a tournament" in circle.append(evening, keys=[host]).get_json()["detail"]
    copied = imported(circle, log)
    copy = circle.append(entered(copied), keys=[copied.keys["view"]])
    assert "a copy of this tournament" in copy.get_json()["detail"]
    circle.do(event("evening_withdrawn", session=hall.id, reason="again"))
    circle.do(evening, keys=[host])
    late = circle.append(entered(hall), keys=[hall.keys["view"]])
    assert "is entered as an evening" in late.get_json()["detail"]


def imported(circle: Circle, log: bytes) -> Hall:
    """Import the log of a tournament, as the operator does."""
    opened = circle.client.application.extensions["tournaments"].import_log(log, 10**7)
    keys = {"director": opened.keys[0].secret, "view": opened.keys[1].secret}
    return Hall(circle.client, {"id": opened.id, "version": opened.version, "keys": keys})


def client_key(hall: Hall, session: str) -> str:
    """Return a new key to view the session of a table."""
    answer = hall.ask("POST", f"/api/sessions/{session}/keys", json={"role": "view"})
    assert answer.status_code == 201, answer.text
    return str(answer.get_json()["key"])


def test_rights_in_the_club_and_in_the_tournament_are_both_needed(
    circle: Circle, hall: Hall
) -> None:
    circle.add_key("member", "ada")
    ways: list[tuple[str, list[str], int]] = [
        ("view", [hall.keys["host"]], 403),  # a director without rights in the club
        ("host", [], 422),  # a host without a key to the tournament
        ("host", [circle.keys["view"]], 422),
        ("ada", [hall.keys["view"]], 422),  # a member who does not direct it
        ("ada", [hall.keys["host"]], 201),
    ]
    for who, keys, status in ways:
        assert circle.append(entered(hall), who=who, keys=keys).status_code == status, (who, keys)


def test_a_club_opens_the_reports_of_tables_and_nothing_of_a_draw(
    circle: Circle, hall: Hall
) -> None:
    enter(circle, hall)
    hall.draw(2, "fede ada elio", "bea dora ciro")
    (table, _) = circle.get().get_json()["tournaments"][0]["tables"]
    headers = bearer(circle.keys["view"])
    client = circle.client
    assert client.get(f"/api/sessions/{table}", headers=headers).status_code == 200
    assert client.get(f"/api/tournaments/{hall.id}", headers=headers).status_code == 403
    told = [circle.get(path, "view").data for path in ("", "/events", "/standings", "/records")]
    told.append(client.get(f"/club/{circle.id}/tournaments/{hall.id}", headers=headers).data)
    assert not [text for text in told if b'["fede"' in text or b"Round 2" in text]
    circle.do(event("evening_withdrawn", session=hall.id, reason="not ours"))
    assert client.get(f"/api/sessions/{table}", headers=headers).status_code == 403


def test_after_its_key_was_revoked_the_club_keeps_the_tables_of_before(
    circle: Circle, hall: Hall
) -> None:
    enter(circle, hall)
    before = circle.get("/standings").get_json()["rows"]
    (key,) = hall.key_ids()["view"]
    hall.do(event("note_added", text="the last event before"))
    assert hall.ask("DELETE", f"/keys/{key}").status_code in (200, 204)
    play(hall, 2, "fede ada elio", "bea dora ciro")
    table = circle.get().get_json()["tournaments"][0]["tables"][0]
    hall.record(table, replaced(5, "points_counted", points={"ada": 4, "bea": 11, "ciro": 0}),
                who="host", at=6)  # fmt: skip
    stopped = circle.get().get_json()["tournaments"][0]
    assert (stopped["followed"], len(stopped["tables"])) == (False, 2)
    assert circle.get("/standings").get_json()["rows"] == before
    out = event("evening_withdrawn", session=hall.id, reason="with a new key")
    circle.do(out, entered(hall), keys=[hall.keys["host"]])
    assert len(circle.get().get_json()["tournaments"][0]["tables"]) == 4


def test_a_forged_tournament_reads_no_session_of_others(circle: Circle, hall: Hall) -> None:
    table = Table.open(circle.client)
    lines = [json.loads(line) for line in hall.get("/log.jsonl").data.splitlines()]
    for line in lines:
        if line["type"] == "round_published":
            line["data"]["sessions"]["1"]["session"] = table.id
    log = "\n".join(json.dumps({"type": line["type"], "data": line["data"]}) for line in lines)
    forged = imported(circle, log.encode())
    enter(circle, forged, "host")
    assert circle.get().get_json()["tournaments"][0]["tables"] == []
    headers = bearer(circle.keys["view"])
    assert circle.client.get(f"/api/sessions/{table.id}", headers=headers).status_code == 403


def test_an_imported_club_reads_no_tournament_that_its_log_names(
    circle: Circle, hall: Hall
) -> None:
    enter(circle, hall)
    log = circle.get("/log.jsonl").data
    opened = circle.client.application.extensions["clubs"].import_log(log, 10**7)
    copy = Circle(circle.client, {"id": opened.id, "version": opened.version, "keys": {
        new.key.role: new.secret for new in opened.keys}})  # fmt: skip
    (named,) = copy.get().get_json()["tournaments"]
    assert (named["tables"], named["unread"], named["name"]) == ([], "not_followed", "")
    (table, _) = circle.get().get_json()["tournaments"][0]["tables"]
    answer = circle.client.get(f"/api/sessions/{table}", headers=bearer(copy.keys["host"]))
    assert answer.status_code == 403


def test_files_have_one_line_for_a_tournament(circle: Circle, hall: Hall) -> None:
    enter(circle, hall)
    play(hall, 2, "ada dora bea", "ciro elio fede")
    rows = list(csv.DictReader(StringIO(circle.get("/exports/csv").data.decode("utf-8-sig"))))
    assert [(row["evening"], row["title"], row["evening_matches"]) for row in rows] == [
        (hall.id, "Sagra", "2")
    ] * len(SIX)
    calendar = circle.get("/exports/ics").text
    assert (calendar.count("BEGIN:VEVENT"), calendar.count("SUMMARY:Sagra")) == (1, 1)
    member = circle.get("/members/ada").get_json()
    assert {game["evenings"] for game in member["games"]} == {1}


def test_six_requests_enter_it_one_time(circle: Circle, hall: Hall) -> None:
    version = circle.version
    answers = [
        circle.append(entered(hall), keys=[hall.keys["view"]], key="a" * 32, at=version)
        for _ in range(6)
    ]
    assert {answer.status_code for answer in answers} <= {200, 201}
    assert len({answer.data for answer in answers}) == 1
    assert len(circle.get().get_json()["tournaments"]) == 1

"""Clubs over HTTP, on every store.

Tests of ``api.clubs`` and ``api.club_schemas``, of ``service.clubs``, ``service.club_cache`` and
``service.club_rights``, and of ``clubs.snapshot``.
"""

from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.api.club_schemas import MAX_FIRST_MEMBERS
from scorekeeper.base.errors import UnusableError
from scorekeeper.live import event_streams
from scorekeeper.service import Clubs, clubs
from scorekeeper.service.room import Room
from tests.api.answers import complaints
from tests.api.asking import Table, hand, told
from tests.api.clubbing import PEOPLE, Circle, entering, evening
from tests.evenings import Raw, event, replaced, struck


@pytest.fixture
def circle(on_memory: FlaskClient) -> Circle:
    return Circle.open(on_memory)


def test_an_evening_counts_from_its_entering_on_and_while_it_is_played(
    any_client: FlaskClient,
) -> None:
    circle, table = Circle.open(any_client), evening(any_client)
    assert circle.figures() == {}
    circle.enter(table)
    before = circle.get("/standings")
    assert circle.figures() == {"leo": 5, "mara": 0, "nina": 0}
    assert complaints(any_client, "/api/clubs/{club}/standings", before, "get") == []
    table.do(*hand(dealer="leo", bidder="mara"), as_played=True)
    assert circle.figures() == {"leo": 5, "mara": 5, "nina": 0}
    after = circle.get("/standings")
    assert after.headers["ETag"] != before.headers["ETag"]
    known = {"If-None-Match": after.headers["ETag"]}
    assert circle.get("/standings", headers=known).status_code == 304
    circle.do(event("evening_withdrawn", session=table.id, reason="a trial"))
    assert circle.figures() == {}
    circle.do(entering(table))  # a key to it was shown before
    assert circle.figures() == {"leo": 5, "mara": 5, "nina": 0}


def test_what_the_document_says_of_a_club(circle: Circle) -> None:
    circle.enter(evening(circle.client))
    circle.do(SEASON)
    for path in ("", "/events", "/keys"):
        found = complaints(circle.client, f"/api/clubs/{{club}}{path}", circle.get(path), "get")
        assert found == [], path
    told = circle.get().get_json()
    assert [one["id"] for one in told["members"]] == list(PEOPLE)
    assert told["evenings"][0]["title"] == "Friday"
    assert told["seasons"][0]["ranking"] == {"by": "wins"}


SEASON = event("season_opened", id="autumn", name="Autumn", games=["riparto"], ranking="wins",
               **{"from": "2020-01-01"})  # fmt: skip


def test_a_season_closed_keeps_its_table(any_client: FlaskClient) -> None:
    circle, table = Circle.open(any_client), evening(any_client)
    circle.enter(table)
    circle.do({**SEASON, "data": {**SEASON["data"], "ranking": "points"}})
    assert circle.figures("autumn") == {"leo": 5, "mara": 0, "nina": 0}
    circle.do(event("season_closed", season="autumn", heads={table.id: table.head}))
    table.do(*hand(dealer="leo"), as_played=True)
    assert circle.figures("autumn") == {"leo": 5, "mara": 0, "nina": 0}
    assert circle.figures("ever") == {"leo": 10, "mara": 0, "nina": 0}
    store = any_client.application.extensions["service"].store
    assert len(store.kept_evenings([table.id])) == 2


def test_the_figures_are_the_same_once_what_was_kept_is_gone(any_client: FlaskClient) -> None:
    circle, table = Circle.open(any_client), evening(any_client)
    circle.enter(table)
    figures = circle.figures()
    app = any_client.application
    service, known = app.extensions["service"], app.extensions["clubs"]
    (place,) = service.store.kept_evenings([table.id])
    service.store.keep_evening(table.id, place[1], b'{"form":0}')
    try:
        app.extensions["clubs"] = Clubs(service)
        assert circle.figures() == figures
    finally:
        app.extensions["clubs"] = known
    (told,) = service.store.kept_evenings([table.id]).values()
    assert told != b'{"form":0}'


def test_the_table_of_a_closed_season_is_worked_out_and_kept_anew(any_client: FlaskClient) -> None:
    circle, table = Circle.open(any_client), evening(any_client)
    circle.enter(table)
    circle.do({**SEASON, "data": {**SEASON["data"], "ranking": "points"}})
    circle.do(event("season_closed", season="autumn", heads={table.id: table.head}))
    before = table.head
    table.do(*hand(dealer="leo"), as_played=True)
    assert circle.figures("ever") == {"leo": 10, "mara": 0, "nina": 0}
    app = any_client.application
    service, known = app.extensions["service"], app.extensions["clubs"]
    now = service.store.kept_evenings([table.id])[table.id, table.head]
    service.store.keep_evening(table.id, table.head, now)  # and no other
    try:
        app.extensions["clubs"] = Clubs(service)
        assert circle.figures("autumn") == {"leo": 5, "mara": 0, "nina": 0}
    finally:
        app.extensions["clubs"] = known
    kept = service.store.kept_evenings([table.id])
    assert kept.keys() == {(table.id, before), (table.id, table.head)}


# ---------------------------------------------------------------------------------- appending


def test_no_member_fills_a_club(on_memory: FlaskClient) -> None:
    app = on_memory.application
    service, known = app.extensions["service"], app.extensions["clubs"]
    paid = event("payment_made", amount=5, **{"from": "leo", "to": "mara"})
    try:
        app.extensions["clubs"] = Clubs(service, room=Room(100, 10**6))
        circle = Circle.open(on_memory)
        circle.add_key("member", "leo")
        circle.add_key("member", "mara")
        recorded = 0
        while (answer := circle.append(paid, who="leo")).status_code == 201:
            recorded += 1
        assert told(answer) == (422, "session_full")
        assert 70 <= recorded <= 80
        circle.do(event("payment_made", amount=5, **{"from": "mara", "to": "leo"}), who="mara")
        circle.do(*[event("member_joined", id=f"m{n}", name=f"Member {n}") for n in range(15)])
    finally:
        app.extensions["clubs"] = known


def test_a_club_has_room_for_so_many_bytes(on_memory: FlaskClient) -> None:
    """As many as its log takes, with its line feeds, whoever of its members came when."""
    app = on_memory.application
    joined = [event("member_joined", id=one, name=one.title()) for one in ("ugo", "ida")]
    first = Circle.open(on_memory)
    first.do(*joined)
    size = len(first.get("/log.jsonl").data)
    service, known = app.extensions["service"], app.extensions["clubs"]
    try:
        app.extensions["clubs"] = Clubs(service, room=Room(100, size - 1))
        circle = Circle.open(on_memory)
        circle.do(joined[0])
        assert told(circle.append(joined[1])) == (422, "session_full")
        app.extensions["clubs"] = Clubs(service, room=Room(100, size))
        circle = Circle.open(on_memory)
        circle.do(joined[0])
        assert circle.append(joined[1]).status_code == 201
    finally:
        app.extensions["clubs"] = known


def test_a_repeated_append_is_done_once(any_client: FlaskClient) -> None:
    circle = Circle.open(any_client)
    joined = event("member_joined", id="ugo", name="Ugo")
    first = circle.append(joined, key="once")
    again = circle.append(joined, key="once", at=circle.version - 1)
    assert (again.status_code, again.data) == (201, first.data)
    assert told(circle.append(SEASON, key="once")) == (422, "idempotency_key_reused")
    assert told(circle.append(SEASON, at=1)) == (412, "stale_version")
    assert len(circle.get().get_json()["members"]) == 4


def test_what_cannot_be_is_refused_whole(circle: Circle) -> None:
    good = event("member_joined", id="ugo", name="Ugo")
    bad = event("member_renamed", member="ada", name="Ada")
    answer = circle.append(good, bad)
    assert told(answer) == (422, "unusable")
    assert answer.get_json()["field"] == "events.1.data.member"
    assert len(circle.get().get_json()["members"]) == 3
    circle.do(good)


def test_a_correction_of_an_old_hand_moves_the_table(circle: Circle) -> None:
    table = evening(circle.client)
    circle.enter(table)
    table.do(replaced(5, "points_counted", points={"leo": 4, "mara": 11, "nina": 0}))
    assert circle.figures()["leo"] < 5


def test_a_correction_of_the_club_moves_the_table(circle: Circle) -> None:
    circle.enter(evening(circle.client))
    circle.do(struck(circle.version))
    assert circle.figures() == {}


@pytest.mark.parametrize(
    ("entered", "why"),
    [
        (lambda one: event("evening_entered", session="23456789abcd", players={}), "no key"),
        (lambda one: event("evening_entered", session="o3456789abcd", players={}), "no key"),
        (lambda one: entering(one, ada="mara"), "no player ada"),
        (lambda one: entering(one, leo="mara"), "Mara and Leo cannot both be Mara"),
        (lambda one: entering(one, leo="ada"), "a member of this club"),
        (lambda one: event("evening_entered", session=one.id, players={"leo": "leo"}), "say which"),
    ],
)
def test_an_evening_that_cannot_be_entered(circle: Circle, entered: Any, why: str) -> None:
    table = evening(circle.client)
    answer = circle.append(entered(table), keys=[table.keys["view"]])
    assert told(answer) == (422, "unusable")
    if why != "no key":
        assert why in answer.get_json()["detail"]
    assert circle.get().get_json()["evenings"] == []


def test_a_correction_makes_no_two_players_one_member(circle: Circle) -> None:
    table = evening(circle.client)
    circle.enter(table)
    wrong = entering(table, leo="mara")["data"]
    answer = circle.append(
        replaced(circle.version, "evening_entered", **wrong), keys=[table.keys["host"]]
    )
    assert told(answer) == (422, "unusable")
    assert "Mara and Leo cannot both be Mara" in answer.get_json()["detail"]


def test_an_evening_that_is_not_here_is_none(on_memory: FlaskClient) -> None:
    with pytest.raises(UnusableError, match="there is no such evening here") as error:
        on_memory.application.extensions["clubs"].evening("23456789abcd")
    assert error.value.field == "data.session"


def copy_of(circle: Circle, log: bytes) -> Table:
    """The same evening under another id."""
    path, media = "/api/sessions/import", "application/x-ndjson"
    return Table(circle.client, circle.client.post(path, data=log, content_type=media).get_json())


def test_no_evening_is_entered_twice_under_two_ids(circle: Circle) -> None:
    table = evening(circle.client)
    circle.enter(table)
    log = table.get("/log.jsonl").data
    table.do(*hand(dealer="leo"), as_played=True)  # the copy has fewer events than the evening
    copied = copy_of(circle, log)
    answer = circle.append(entering(copied), keys=[copied.keys["host"]])
    assert told(answer) == (422, "unusable")
    assert "same evening" in answer.get_json()["detail"]
    copied.do(*hand(dealer="leo", bidder="nina"), as_played=True)  # from here on it goes otherwise
    before = circle.get("/standings").data
    answer = circle.append(entering(copied), keys=[copied.keys["host"]])
    assert told(answer) == (422, "unusable")
    assert "goes on differently; hands in both: 1" in answer.get_json()["detail"]
    assert circle.get("/standings").data == before
    withdrawn = event("evening_withdrawn", session=table.id, reason="the copy is right")
    circle.do(withdrawn, entering(copied), keys=[copied.keys["host"]])
    assert circle.get("/standings").data != before


def test_no_correction_brings_an_evening_back_that_is_there_under_another_id(
    circle: Circle,
) -> None:
    table = evening(circle.client)
    circle.enter(table)
    circle.do(event("evening_withdrawn", session=table.id, reason="a friendly game"))
    withdrawn = circle.version
    copied = copy_of(circle, table.get("/log.jsonl").data)
    circle.enter(copied)
    answer = circle.append(event("event_struck", seq=withdrawn, reason="it counts after all"))
    assert told(answer) == (422, "unusable")
    assert "same evening" in answer.get_json()["detail"]
    assert circle.get().get_json()["version"] == circle.version


MEMBERS = [{"id": f"m{n}", "name": f"Member {n}"} for n in range(MAX_FIRST_MEMBERS + 1)]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": "Circolo", "zone": "../Rome"}, "zone"),
        ({"name": "Circolo", "currency": "XYZ"}, "currency"),
        ({"name": "Circolo", "format": 2}, "format"),
        ({"name": "Circolo", "members": ["Ada"]}, "members.0"),
        ({"name": "Circolo", "members": [{"id": "ada", "name": "Ada"}] * 2}, "members.1.id"),
        ({"name": "Circolo", "members": {}}, "members"),
        ({"name": "Circolo", "members": MEMBERS}, "members"),
    ],
)
def test_a_club_that_cannot_be_opened(on_memory: FlaskClient, body: Any, field: str) -> None:
    answer = on_memory.post("/api/clubs", json=body)
    assert told(answer) == (422, "unusable")
    assert answer.get_json()["field"].startswith(field)


# ------------------------------------------------------------------------------------- rights


def test_who_may_record_what(circle: Circle) -> None:
    table = evening(circle.client)
    circle.add_key("member", "leo")
    paid = event("payment_made", **{"from": "leo", "to": "mara", "amount": 300})
    others = event("payment_made", **{"from": "nina", "to": "mara", "amount": 300})
    assert told(circle.append(paid, who="view")) == (403, "forbidden")
    circle.do(paid, who="leo")
    for one in (others, SEASON, struck(circle.version), event("member_left", member="leo")):
        assert told(circle.append(one, who="leo")) == (403, "forbidden"), one
    seat = circle.append(entering(table), who="leo", keys=[table.keys["leo"]])
    assert told(seat) == (422, "unusable")
    circle.enter(table, who="leo")
    assert circle.get("/events").get_json()["events"][-1]["by"] == "leo"
    circle.do(event("member_left", member="leo"))
    assert told(circle.append(paid, who="leo")) == (403, "forbidden")
    assert circle.get("/standings", "leo").status_code == 200


def test_a_correction_lets_no_evening_in(circle: Circle) -> None:
    """Neither inserted, nor put in the place of another event."""
    table = evening(circle.client)
    for one in (
        event("event_inserted", after=1, **entering(table), reason=""),
        event("event_replaced", seq=2, **entering(table), reason=""),
    ):
        assert told(circle.append(one)) == (422, "unusable")
        begun = event("correction_begun", count=2, reason="")
        version = circle.get("/events").get_json()["version"]
        assert told(circle.append(begun, one, one)) == (422, "unusable")
        assert circle.get("/events").get_json()["version"] == version


def test_a_set_of_the_club_is_recorded_whole_and_by_the_host(circle: Circle) -> None:
    seqs = [circle.version + 1, circle.version + 2]
    circle.do(event("note_added", text="x"), event("note_added", text="y"))
    begun, *strikes = [event("correction_begun", count=2, reason="typed twice"),
                       *(event("event_struck", seq=seq) for seq in seqs)]  # fmt: skip
    circle.add_key("member", "leo")
    assert told(circle.append(begun, *strikes, who="leo")) == (403, "forbidden")
    for some in ([begun], [begun, strikes[0]], [begun, strikes[0], event("note_added", text="")]):
        assert told(circle.append(*some)) == (422, "unusable")
    assert circle.get("/events").get_json()["version"] == seqs[1]
    circle.do(begun, *strikes)
    assert told(circle.append(struck(seqs[1] + 2))) == (422, "unusable")
    circle.do(struck(seqs[1] + 1))


def test_two_worlds(any_client: FlaskClient) -> None:
    """A key to a session opens nothing of the club, and one to the club the report alone."""
    circle, table, other = Circle.open(any_client), evening(any_client), evening(any_client)
    circle.enter(table)
    for who in ("host", "view", "leo"):
        for path in ("", "/events", "/standings", "/keys", "/log.jsonl", "/stream", "/records",
                     "/money", "/members/leo", "/exports/csv", "/exports/ics"):  # fmt: skip
            headers = {"Authorization": f"Bearer {table.keys[who]}"}
            answer = any_client.get(f"{circle.path}{path}", headers=headers)
            assert told(answer) == (403, "forbidden"), (who, path)
    circle.add_key("member", "leo")
    for who in ("host", "view", "leo"):
        headers = {"Authorization": f"Bearer {circle.keys[who]}"}
        assert any_client.get(table.path, headers=headers).data == table.get("", "view").data
        assert told(any_client.get(other.path, headers=headers)) == (403, "forbidden")
        for rest in ("/events", "/next", "/audit", "/log.jsonl", "/keys", "/stream"):
            answer = any_client.get(table.path + rest, headers=headers)
            assert told(answer) == (403, "forbidden"), rest
        answer = any_client.get(f"/api/sessions/{circle.id}", headers=headers)
        assert told(answer) == (404, "unknown_session")
        assert told(any_client.get(f"/api/clubs/{table.id}", headers=headers)) == (
            404, "unknown_club",
        )  # fmt: skip
    circle.do(event("evening_withdrawn", session=table.id, reason=""))
    headers = {"Authorization": f"Bearer {circle.keys['host']}"}
    assert told(any_client.get(table.path, headers=headers)) == (403, "forbidden")


def test_a_withdrawn_evening_of_a_closed_season_is_read_as_its_figures_are(
    circle: Circle,
) -> None:
    table, other = evening(circle.client), evening(circle.client)
    circle.enter(table)
    circle.enter(other)
    circle.do({**SEASON, "data": {**SEASON["data"], "ranking": "points"}})
    circle.do(event("season_closed", season="autumn", heads={table.id: table.head}))
    for one in (table, other):
        circle.do(event("evening_withdrawn", session=one.id, reason=""))
    assert circle.figures("autumn")["leo"] == 5
    headers = {"Authorization": f"Bearer {circle.keys['view']}"}
    assert circle.client.get(table.path, headers=headers).status_code == 200
    assert told(circle.client.get(f"{table.path}/keys", headers=headers)) == (403, "forbidden")
    assert told(circle.client.get(other.path, headers=headers)) == (403, "forbidden")


def test_keys_are_made_and_taken_back(circle: Circle) -> None:
    key = circle.add_key("member", "nina")
    assert circle.ask("DELETE", f"/keys/{key}").status_code == 204
    assert told(circle.get("", "nina")) == (401, "no_key")
    wrong: list[Raw] = [{"role": "member"}, {"role": "view", "member": "nina"},
                        {"role": "seat"}, {"role": "member", "member": "ada"}]  # fmt: skip
    for body in wrong:
        assert told(circle.ask("POST", "/keys", json=body)) == (422, "unusable")
    (host,) = (one["id"] for one in circle.get("/keys").get_json()["keys"] if one["role"] == "host")
    assert told(circle.ask("DELETE", f"/keys/{host}")) == (409, "last_key")


def test_the_stream_tells_of_the_club_and_of_its_evenings(
    circle: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "FOLLOWED_POLL_SECONDS", 0.01)
    monkeypatch.setattr(clubs, "A_MOMENT", 0)
    table = evening(circle.client)
    circle.enter(table)
    told: Any = iter(circle.get("/stream").response)
    assert next(told) == b"retry: 1000\n\n"
    first = next(told)
    table.do(*hand(dealer="leo"), as_played=True)
    news = next(one for one in told if one.startswith(b"data"))
    assert b'"tag"' in first
    assert news.split(b'"tag"')[0] == first.split(b'"tag"')[0]
    assert news != first


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({**SEASON["data"], "id": "winter", "games": ["whist"]}, "games"),
        ({"name": "Ours", "game": "riparto", "options": {"no_such": 1}}, "options"),
        ({"season": "autumn", "heads": {"EVENING": "0" * 64}}, "heads"),
    ],
    ids=["a game", "an option", "a head"],
)
@pytest.mark.parametrize("how", ["event_inserted", "event_replaced"])
def test_a_correction_puts_in_nothing_that_would_be_refused(
    circle: Circle, said: Raw, field: str, how: str
) -> None:
    table = evening(circle.client)
    circle.enter(table)
    circle.do(SEASON)
    kind = {"games": "season_opened", "options": "house_kept", "heads": "season_closed"}[field]
    data = {**said, "heads": {table.id: "0" * 64}} if field == "heads" else said
    at = {"after": circle.version} if how == "event_inserted" else {"seq": circle.version}
    if how == "event_replaced":
        circle.do(event("note_added", text="to be replaced"))
        at = {"seq": circle.version}
    plain = circle.append(event(kind, **data))
    corrected = circle.append(event(how, **at, type=kind, data=data, reason=""))
    assert told(plain)[0] == told(corrected)[0] == 422
    assert told(plain)[1] == told(corrected)[1]
    assert field in corrected.get_json()["field"]

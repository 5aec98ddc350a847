"""Clubs over HTTP, on every store.

Tests of ``api.clubs``, ``api.club_schemas`` and ``api.club_views``, of ``service.clubs``,
``service.folded_club`` and ``service.club_rights``, and of ``clubs.snapshot``.
"""

from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.api.club_schemas import MAX_FIRST_MEMBERS
from scorekeeper.base.errors import UnusableError
from scorekeeper.live import event_streams
from scorekeeper.service import Clubs, clubs
from scorekeeper.streams.room import LogCapacity
from tests.api.answers import complaints
from tests.api.asking import Table, hand, problem_of
from tests.api.clubbing import PEOPLE, Circle, entering, evening
from tests.evenings import Raw, event, replaced, struck


@pytest.fixture
def circle(on_memory: FlaskClient) -> Circle:
    return Circle.open(on_memory)


def test_evening_counts_from_its_entry_on_and_while_it_is_played(
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
    circle.do(entering(table))  # the club has shown a key to it before
    assert circle.figures() == {"leo": 5, "mara": 5, "nina": 0}


def test_answers_about_a_club_match_the_document(circle: Circle) -> None:
    circle.enter(evening(circle.client))
    circle.do(SEASON)
    for path in ("", "/events", "/keys"):
        problems = complaints(circle.client, f"/api/clubs/{{club}}{path}", circle.get(path), "get")
        assert problems == [], path
    body = circle.get().get_json()
    assert [member["id"] for member in body["members"]] == list(PEOPLE)
    assert body["evenings"][0]["title"] == "Friday"
    assert body["seasons"][0]["ranking"] == {"by": "wins"}


SEASON = event("season_opened", id="autumn", name="Autumn", games=["riparto"], ranking="wins",
               **{"from": "2020-01-01"})  # fmt: skip


def test_closed_season_keeps_its_standings(any_client: FlaskClient) -> None:
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


def test_figures_do_not_depend_on_cached_results(any_client: FlaskClient) -> None:
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
    (stored,) = service.store.kept_evenings([table.id]).values()
    assert stored != b'{"form":0}'


def test_standings_of_a_closed_season_are_computed_and_cached_again(
    any_client: FlaskClient,
) -> None:
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
    service.store.keep_evening(table.id, table.head, now)  # without the other results
    try:
        app.extensions["clubs"] = Clubs(service)
        assert circle.figures("autumn") == {"leo": 5, "mara": 0, "nina": 0}
    finally:
        app.extensions["clubs"] = known
    kept = service.store.kept_evenings([table.id])
    assert kept.keys() == {(table.id, before), (table.id, table.head)}


# ---------------------------------------------------------------------------------- appending


def test_member_cannot_fill_a_club(on_memory: FlaskClient) -> None:
    app = on_memory.application
    service, known = app.extensions["service"], app.extensions["clubs"]
    paid = event("payment_made", amount=5, **{"from": "leo", "to": "mara"})
    try:
        app.extensions["clubs"] = Clubs(service, room=LogCapacity(100, 10**6))
        circle = Circle.open(on_memory)
        circle.add_key("member", "leo")
        circle.add_key("member", "mara")
        recorded = 0
        while (answer := circle.append(paid, who="leo")).status_code == 201:
            recorded += 1
        assert problem_of(answer) == (422, "session_full")
        assert 70 <= recorded <= 80
        circle.do(event("payment_made", amount=5, **{"from": "mara", "to": "leo"}), who="mara")
        circle.do(*[event("member_joined", id=f"m{n}", name=f"Member {n}") for n in range(15)])
    finally:
        app.extensions["clubs"] = known


def test_log_of_a_club_has_a_limit_in_bytes(on_memory: FlaskClient) -> None:
    """The limit applies to its log with line feeds, whenever its members joined."""
    app = on_memory.application
    joined = [event("member_joined", id=name, name=name.title()) for name in ("ugo", "ida")]
    first = Circle.open(on_memory)
    first.do(*joined)
    size = len(first.get("/log.jsonl").data)
    service, known = app.extensions["service"], app.extensions["clubs"]
    try:
        app.extensions["clubs"] = Clubs(service, room=LogCapacity(100, size - 1))
        circle = Circle.open(on_memory)
        circle.do(joined[0])
        assert problem_of(circle.append(joined[1])) == (422, "session_full")
        app.extensions["clubs"] = Clubs(service, room=LogCapacity(100, size))
        circle = Circle.open(on_memory)
        circle.do(joined[0])
        assert circle.append(joined[1]).status_code == 201
    finally:
        app.extensions["clubs"] = known


def test_repeated_append_is_recorded_one_time(any_client: FlaskClient) -> None:
    circle = Circle.open(any_client)
    joined = event("member_joined", id="ugo", name="Ugo")
    first = circle.append(joined, key="once")
    again = circle.append(joined, key="once", at=circle.version - 1)
    assert (again.status_code, again.data) == (201, first.data)
    assert problem_of(circle.append(SEASON, key="once")) == (422, "idempotency_key_reused")
    assert problem_of(circle.append(SEASON, at=1)) == (412, "stale_version")
    assert len(circle.get().get_json()["members"]) == 4


def test_unusable_append_to_a_club_is_refused_as_a_whole(circle: Circle) -> None:
    good = event("member_joined", id="ugo", name="Ugo")
    bad = event("member_renamed", member="ada", name="Ada")
    answer = circle.append(good, bad)
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json()["field"] == "events.1.data.member"
    assert len(circle.get().get_json()["members"]) == 3
    circle.do(good)


def test_correction_of_an_old_hand_changes_the_standings(circle: Circle) -> None:
    table = evening(circle.client)
    circle.enter(table)
    table.do(replaced(5, "points_counted", points={"leo": 4, "mara": 11, "nina": 0}))
    assert circle.figures()["leo"] < 5


def test_correction_of_the_club_changes_the_standings(circle: Circle) -> None:
    circle.enter(evening(circle.client))
    circle.do(struck(circle.version))
    assert circle.figures() == {}


@pytest.mark.parametrize(
    ("entered", "why"),
    [
        (lambda evening_: event("evening_entered", session="23456789abcd", players={}), "no key"),
        (lambda evening_: event("evening_entered", session="o3456789abcd", players={}), "no key"),
        (lambda evening_: entering(evening_, ada="mara"), "no player ada"),
        (lambda evening_: entering(evening_, leo="mara"), "Mara and Leo cannot both be Mara"),
        (lambda evening_: entering(evening_, leo="ada"), "a member of this club"),
        (
            lambda evening_: event("evening_entered", session=evening_.id, players={"leo": "leo"}),
            "say which",
        ),
    ],
)
def test_invalid_entry_of_an_evening_is_refused(circle: Circle, entered: Any, why: str) -> None:
    table = evening(circle.client)
    answer = circle.append(entered(table), keys=[table.keys["view"]])
    assert problem_of(answer) == (422, "unusable")
    if why != "no key":
        assert why in answer.get_json()["detail"]
    assert circle.get().get_json()["evenings"] == []


def test_correction_cannot_make_two_players_one_member(circle: Circle) -> None:
    table = evening(circle.client)
    circle.enter(table)
    wrong = entering(table, leo="mara")["data"]
    answer = circle.append(
        replaced(circle.version, "evening_entered", **wrong), keys=[table.keys["host"]]
    )
    assert problem_of(answer) == (422, "unusable")
    assert "Mara and Leo cannot both be Mara" in answer.get_json()["detail"]


def test_unknown_evening_cannot_be_entered(on_memory: FlaskClient) -> None:
    with pytest.raises(UnusableError, match="there is no such evening here") as error:
        on_memory.application.extensions["clubs"].evening("23456789abcd")
    assert error.value.field == "data.session"


def copy_of(circle: Circle, log: bytes) -> Table:
    """Return the same evening under another id."""
    path, media = "/api/sessions/import", "application/x-ndjson"
    return Table(circle.client, circle.client.post(path, data=log, content_type=media).get_json())


def test_copy_of_an_evening_cannot_be_entered(circle: Circle) -> None:
    table = evening(circle.client)
    circle.enter(table)
    log = table.get("/log.jsonl").data
    table.do(*hand(dealer="leo"), as_played=True)  # the copy has fewer events than the evening
    copied = copy_of(circle, log)
    answer = circle.append(entering(copied), keys=[copied.keys["host"]])
    assert problem_of(answer) == (422, "unusable")
    assert "same evening" in answer.get_json()["detail"]
    copied.do(*hand(dealer="leo", bidder="nina"), as_played=True)  # from here on it differs
    before = circle.get("/standings").data
    answer = circle.append(entering(copied), keys=[copied.keys["host"]])
    assert problem_of(answer) == (422, "unusable")
    assert "goes on differently; hands in both: 1" in answer.get_json()["detail"]
    assert circle.get("/standings").data == before
    withdrawn = event("evening_withdrawn", session=table.id, reason="the copy is right")
    circle.do(withdrawn, entering(copied), keys=[copied.keys["host"]])
    assert circle.get("/standings").data != before


def test_correction_cannot_restore_an_evening_whose_copy_counts(
    circle: Circle,
) -> None:
    table = evening(circle.client)
    circle.enter(table)
    circle.do(event("evening_withdrawn", session=table.id, reason="a friendly game"))
    withdrawn = circle.version
    copied = copy_of(circle, table.get("/log.jsonl").data)
    circle.enter(copied)
    answer = circle.append(event("event_struck", seq=withdrawn, reason="it counts after all"))
    assert problem_of(answer) == (422, "unusable")
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
def test_invalid_club_is_refused(on_memory: FlaskClient, body: Any, field: str) -> None:
    answer = on_memory.post("/api/clubs", json=body)
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json()["field"].startswith(field)


# ------------------------------------------------------------------------------------- rights


def test_rights_to_record_in_a_club(circle: Circle) -> None:
    table = evening(circle.client)
    circle.add_key("member", "leo")
    paid = event("payment_made", **{"from": "leo", "to": "mara", "amount": 300})
    others = event("payment_made", **{"from": "nina", "to": "mara", "amount": 300})
    assert problem_of(circle.append(paid, who="view")) == (403, "forbidden")
    circle.do(paid, who="leo")
    for refused in (others, SEASON, struck(circle.version), event("member_left", member="leo")):
        assert problem_of(circle.append(refused, who="leo")) == (403, "forbidden"), refused
    seat = circle.append(entering(table), who="leo", keys=[table.keys["leo"]])
    assert problem_of(seat) == (422, "unusable")
    circle.enter(table, who="leo")
    assert circle.get("/events").get_json()["events"][-1]["by"] == "leo"
    circle.do(event("member_left", member="leo"))
    assert problem_of(circle.append(paid, who="leo")) == (403, "forbidden")
    assert circle.get("/standings", "leo").status_code == 200


def test_correction_cannot_enter_an_evening(circle: Circle) -> None:
    """Neither by insertion nor by replacement."""
    table = evening(circle.client)
    for correction in (
        event("event_inserted", after=1, **entering(table), reason=""),
        event("event_replaced", seq=2, **entering(table), reason=""),
    ):
        assert problem_of(circle.append(correction)) == (422, "unusable")
        begun = event("correction_begun", count=2, reason="")
        version = circle.get("/events").get_json()["version"]
        assert problem_of(circle.append(begun, correction, correction)) == (422, "unusable")
        assert circle.get("/events").get_json()["version"] == version


def test_correction_set_of_a_club_is_recorded_whole_by_the_host(circle: Circle) -> None:
    seqs = [circle.version + 1, circle.version + 2]
    circle.do(event("note_added", text="x"), event("note_added", text="y"))
    begun, *strikes = [event("correction_begun", count=2, reason="typed twice"),
                       *(event("event_struck", seq=seq) for seq in seqs)]  # fmt: skip
    circle.add_key("member", "leo")
    assert problem_of(circle.append(begun, *strikes, who="leo")) == (403, "forbidden")
    for some in ([begun], [begun, strikes[0]], [begun, strikes[0], event("note_added", text="")]):
        assert problem_of(circle.append(*some)) == (422, "unusable")
    assert circle.get("/events").get_json()["version"] == seqs[1]
    circle.do(begun, *strikes)
    assert problem_of(circle.append(struck(seqs[1] + 2))) == (422, "unusable")
    circle.do(struck(seqs[1] + 1))


def test_keys_to_a_session_and_to_a_club_are_separate(any_client: FlaskClient) -> None:
    """A key to a session opens nothing of the club, and a key to the club only the report."""
    circle, table, other = Circle.open(any_client), evening(any_client), evening(any_client)
    circle.enter(table)
    for who in ("host", "view", "leo"):
        for path in ("", "/events", "/standings", "/keys", "/log.jsonl", "/stream", "/records",
                     "/money", "/members/leo", "/exports/csv", "/exports/ics"):  # fmt: skip
            headers = {"Authorization": f"Bearer {table.keys[who]}"}
            answer = any_client.get(f"{circle.path}{path}", headers=headers)
            assert problem_of(answer) == (403, "forbidden"), (who, path)
    circle.add_key("member", "leo")
    for who in ("host", "view", "leo"):
        headers = {"Authorization": f"Bearer {circle.keys[who]}"}
        assert any_client.get(table.path, headers=headers).data == table.get("", "view").data
        assert problem_of(any_client.get(other.path, headers=headers)) == (403, "forbidden")
        for rest in ("/events", "/next", "/audit", "/log.jsonl", "/keys", "/stream"):
            answer = any_client.get(table.path + rest, headers=headers)
            assert problem_of(answer) == (403, "forbidden"), rest
        answer = any_client.get(f"/api/sessions/{circle.id}", headers=headers)
        assert problem_of(answer) == (404, "unknown_session")
        assert problem_of(any_client.get(f"/api/clubs/{table.id}", headers=headers)) == (
            404, "unknown_club",
        )  # fmt: skip
    circle.do(event("evening_withdrawn", session=table.id, reason=""))
    headers = {"Authorization": f"Bearer {circle.keys['host']}"}
    assert problem_of(any_client.get(table.path, headers=headers)) == (403, "forbidden")


def test_withdrawn_evening_of_a_closed_season_is_readable_at_its_figures(
    circle: Circle,
) -> None:
    table, other = evening(circle.client), evening(circle.client)
    circle.enter(table)
    circle.enter(other)
    circle.do({**SEASON, "data": {**SEASON["data"], "ranking": "points"}})
    circle.do(event("season_closed", season="autumn", heads={table.id: table.head}))
    for evening_ in (table, other):
        circle.do(event("evening_withdrawn", session=evening_.id, reason=""))
    assert circle.figures("autumn")["leo"] == 5
    headers = {"Authorization": f"Bearer {circle.keys['view']}"}
    assert circle.client.get(table.path, headers=headers).status_code == 200
    assert problem_of(circle.client.get(f"{table.path}/keys", headers=headers)) == (
        403,
        "forbidden",
    )
    assert problem_of(circle.client.get(other.path, headers=headers)) == (403, "forbidden")


def test_keys_of_a_club_are_made_and_revoked(circle: Circle) -> None:
    key = circle.add_key("member", "nina")
    assert circle.ask("DELETE", f"/keys/{key}").status_code == 204
    assert problem_of(circle.get("", "nina")) == (401, "no_key")
    wrong: list[Raw] = [{"role": "member"}, {"role": "view", "member": "nina"},
                        {"role": "seat"}, {"role": "member", "member": "ada"}]  # fmt: skip
    for body in wrong:
        assert problem_of(circle.ask("POST", "/keys", json=body)) == (422, "unusable")
    (host,) = (key["id"] for key in circle.get("/keys").get_json()["keys"] if key["role"] == "host")
    assert problem_of(circle.ask("DELETE", f"/keys/{host}")) == (409, "last_key")


def test_revoking_a_key_of_a_club_ends_its_code(circle: Circle) -> None:
    store = circle.client.application.extensions["clubs"].store
    code = store.new_code(circle.id, 900)
    key = circle.add_key("member", "nina")
    assert store.find_code(code) == circle.id
    assert circle.ask("DELETE", f"/keys/{key}").status_code == 204
    assert store.find_code(code) is None


def test_stream_reports_changes_of_the_club_and_its_evenings(
    circle: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "FOLLOWED_POLL_SECONDS", 0.01)
    monkeypatch.setattr(clubs, "TAG_SECONDS", 0)
    table = evening(circle.client)
    circle.enter(table)
    stream: Any = iter(circle.get("/stream").response)
    assert next(stream) == b"retry: 1000\n\n"
    first = next(stream)
    table.do(*hand(dealer="leo"), as_played=True)
    news = next(chunk for chunk in stream if chunk.startswith(b"data"))
    assert b'"tag"' in first
    assert news.split(b'"tag"')[0] == first.split(b'"tag"')[0]
    assert news != first


@pytest.mark.parametrize(
    ("recorded", "field"),
    [
        ({**SEASON["data"], "id": "winter", "games": ["whist"]}, "games"),
        ({"name": "Ours", "game": "riparto", "options": {"no_such": 1}}, "options"),
        ({"season": "autumn", "heads": {"EVENING": "0" * 64}}, "heads"),
    ],
    ids=["a game", "an option", "a head"],
)
@pytest.mark.parametrize("how", ["event_inserted", "event_replaced"])
def test_correction_cannot_insert_a_refused_event(
    circle: Circle, recorded: Raw, field: str, how: str
) -> None:
    table = evening(circle.client)
    circle.enter(table)
    circle.do(SEASON)
    kind = {"games": "season_opened", "options": "house_kept", "heads": "season_closed"}[field]
    data = {**recorded, "heads": {table.id: "0" * 64}} if field == "heads" else recorded
    at = {"after": circle.version} if how == "event_inserted" else {"seq": circle.version}
    if how == "event_replaced":
        circle.do(event("note_added", text="to be replaced"))
        at = {"seq": circle.version}
    plain = circle.append(event(kind, **data))
    corrected = circle.append(event(how, **at, type=kind, data=data, reason=""))
    assert problem_of(plain)[0] == problem_of(corrected)[0] == 422
    assert problem_of(plain)[1] == problem_of(corrected)[1]
    assert field in corrected.get_json()["field"]

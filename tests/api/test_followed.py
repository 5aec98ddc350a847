"""A club follows an evening only as long as the key that entered it is valid.

Tests of ``store.follow_store``, and of what ``service.clubs``, ``service.folded_club`` and
``api.followers`` make of it.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.base import pacing
from scorekeeper.base.errors import BusyError
from scorekeeper.base.pacing import Admission
from scorekeeper.service import Clubs
from scorekeeper.store import MemoryStore, Position
from tests.api.answers import complaints
from tests.api.asking import Table, bearer, client_of, hand, problem_of
from tests.api.clubbing import Circle, entering, evening
from tests.evenings import Raw, by_hand, event, replaced, struck


@pytest.fixture
def circle(on_memory: FlaskClient) -> Circle:
    return Circle.open(on_memory)


LATER = hand(dealer="leo", bidder="mara")


def entered_by(circle: Circle, table: Table, who: str) -> str:
    """Enter an evening by one of its keys; return the id of that key."""
    circle.do(entering(table), keys=[table.keys[who]])
    return table.key_ids()[who][0]


def revoke(table: Table, key: str) -> None:
    """Revoke a key."""
    assert table.ask("DELETE", f"/keys/{key}").status_code == 204


def read_all(circle: Circle, table: Table) -> dict[str, Any]:
    """Return all answers about an evening for a club member by path, without stream and ETags."""
    paths = ("", "/standings", "/records", "/money", "/members/leo", "/exports/csv",
             "/exports/ics", "/exports/text")  # fmt: skip
    answers = {path: circle.get(path) for path in paths}
    bodies = {path: answer.data for path, answer in answers.items() if answer.status_code == 200}
    assert len(bodies) >= 6
    report = circle.client.get(table.path, headers=bearer(circle.keys["view"]))
    return {**bodies, "report": (report.data, report.headers["ETag"])}


def corrected_later(table: Table) -> None:
    """Record another hand, end the match, and correct the first hand."""
    table.do(*hand(dealer="nina", bidder="nina"), event("match_ended"), as_played=True)
    events = table.get("/events").get_json()["events"]
    seq = next(raw["seq"] for raw in events if raw["type"] == "points_counted")
    wrong = {"leo": 4, "mara": 11, "nina": 0}
    table.do(replaced(seq, "points_counted", points=wrong), as_played=True)


@pytest.mark.parametrize("who", ["view", "leo", "host"])
def test_club_reads_nothing_newer_than_the_revocation(any_client: FlaskClient, who: str) -> None:
    circle, table = Circle.open(any_client), evening(any_client)
    key = entered_by(circle, table, who)
    table.keys["host"] = table.add_key("host").get_json()["key"]
    table.do(*LATER, as_played=True)
    assert circle.figures() == {"leo": 5, "mara": 5, "nina": 0}  # followed while the key is valid
    revoke(table, key)
    before = read_all(circle, table)
    assert before["report"][1] == f'"{table.version}-masked"'
    corrected_later(table)
    assert read_all(circle, table) == before
    (told_of,) = circle.get().get_json()["evenings"]
    assert (told_of["followed"], told_of["unread"]) == (False, None)
    fresh = Circle.open(any_client)  # another club with another cache gets no more
    fresh.do(entering(table), keys=[table.keys["host"]])
    assert fresh.figures()["leo"] == -5
    assert read_all(circle, table) == before


def test_replacing_the_key_stops_the_club(circle: Circle) -> None:
    table = evening(circle.client)
    key = entered_by(circle, table, "view")
    new = table.add_key("view", replaces=key).get_json()
    before = read_all(circle, table)
    corrected_later(table)
    assert read_all(circle, table) == before
    circle.do(event("evening_withdrawn", session=table.id, reason="again"), entering(table),
              keys=[new["key"]])  # fmt: skip
    assert circle.figures()["leo"] == -5


def test_stopped_evening_cannot_be_followed_again_without_a_valid_key(circle: Circle) -> None:
    """Neither by withdrawing and entering again, nor by corrections or strikes."""
    table = evening(circle.client)
    revoke(table, entered_by(circle, table, "view"))
    before = read_all(circle, table)["report"], circle.figures()
    corrected_later(table)
    withdrawn = event("evening_withdrawn", session=table.id, reason="again")
    circle.do(withdrawn, entering(table))
    circle.do(withdrawn, entering(table), keys=[circle.keys["host"]])
    circle.do(withdrawn, entering(table), keys=[table.keys["view"]])  # which is revoked
    circle.do(replaced(circle.version, "evening_entered", **entering(table)["data"]))
    assert (read_all(circle, table)["report"], circle.figures()) == before


def test_reader_of_a_long_stopped_evening_needs_admission_to_compute(
    circle: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No cache holds it: each request replays it."""
    table = evening(circle.client)
    revoke(table, entered_by(circle, table, "view"))
    limits = circle.client.application.extensions["service"].limits
    monkeypatch.setattr(limits, "admission", Refusing())
    report = partial(circle.client.get, table.path, headers=bearer(circle.keys["view"]))
    with monkeypatch.context() as long:
        long.setattr(pacing, "LONG_STEPS", 3)
        assert report().status_code == 503
    assert report().status_code == 200


class Refusing(Admission):
    """Admits no thread that is going to compute for long."""

    def before_long_work(self) -> None:
        raise BusyError


def test_club_follows_as_long_as_one_of_its_keys_is_valid(circle: Circle) -> None:
    table = evening(circle.client)
    first = entered_by(circle, table, "view")
    again = replaced(circle.version, "evening_entered", **entering(table)["data"])
    circle.do(again, keys=[table.keys["leo"]])
    revoke(table, first)
    table.do(*LATER, as_played=True)
    assert circle.figures()["mara"] == 5
    revoke(table, table.key_ids()["leo"][0])
    corrected_later(table)
    assert circle.figures() == {"leo": 5, "mara": 5, "nina": 0}


@pytest.mark.parametrize("how", ["entered", "inserted", "closed with a season"])
def test_imported_club_reads_an_evening_after_it_is_entered_with_a_key(
    any_client: FlaskClient, how: str
) -> None:
    """A log of a club is easily written by hand, and names any evening whose id is known."""
    table = evening(any_client)
    kept = Clubs(any_client.application.extensions["service"])
    names: dict[str, list[Raw]] = {
        "entered": [entering(table)],
        "inserted": [event("event_inserted", after=5, reason="", **entering(table))],
        "closed with a season": [
            entering(table), event("season_closed", season="s0", heads={table.id: table.head}),
        ],
    }  # fmt: skip
    people = [event("member_joined", id=name, name=name.capitalize())
              for name in ("mara", "leo", "nina")]  # fmt: skip
    season = event("season_opened", id="s0", name="Autumn", games=["riparto"], ranking="points",
                   **{"from": "2020-01-01"})  # fmt: skip
    log = by_hand([event("club_opened", name="Elsewhere", format=1), *people, season, *names[how]])
    new = kept.import_log(log, len(log))
    keys = {key.key.role: key.secret for key in new.keys}
    circle = Circle(any_client, {"id": new.id, "version": new.version, "keys": keys})
    assert set(circle.figures().values()) <= {0}
    report = any_client.get(table.path, headers=bearer(keys["view"]))
    assert report.status_code in (403, 404)
    assert kept.store.stops(new.id) == {table.id: Position(0, "")}
    (listed,) = table.get("/clubs").get_json()["clubs"]
    assert (listed["keys"], listed["followed"], listed["version"]) == ([], False, 0)
    circle.do(event("evening_withdrawn", session=table.id, reason=""))
    circle.do(entering(table), keys=[table.keys["view"]])
    table.do(*LATER, as_played=True)
    if how != "closed with a season":
        assert circle.figures() == {"leo": 5, "mara": 5, "nina": 0}
    assert any_client.get(table.path, headers=bearer(keys["view"])).status_code == 200
    revoke(table, table.key_ids()["view"][0])
    assert table.get("/clubs").get_json()["clubs"][0]["version"] == table.version


def test_host_lists_the_clubs_and_stops_one(any_client: FlaskClient) -> None:
    circle, table = Circle.open(any_client), evening(any_client)
    assert table.get("/clubs").get_json() == {"clubs": []}
    key = entered_by(circle, table, "view")
    answer = table.get("/clubs")
    assert complaints(any_client, "/api/sessions/{session}/clubs", answer, "get") == []
    follows = {"club": circle.id, "name": "Circolo", "keys": [key], "followed": True,
               "version": None, "head": None}  # fmt: skip
    assert answer.get_json() == {"clubs": [follows]}
    for who in ("view", "leo"):
        assert problem_of(table.get("/clubs", who)) == (403, "forbidden")
        assert problem_of(table.ask("DELETE", f"/clubs/{circle.id}", who)) == (403, "forbidden")
    for _ in range(2):
        assert table.ask("DELETE", f"/clubs/{circle.id}").status_code == 204
    stop = {"followed": False, "version": table.version, "head": table.head}
    before = read_all(circle, table)
    corrected_later(table)
    assert table.ask("DELETE", f"/clubs/{circle.id}").status_code == 204  # does not move the end
    assert table.get("/clubs").get_json() == {"clubs": [{**follows, **stop}]}
    assert read_all(circle, table) == before
    other = Circle.open(any_client)
    for club in (other.id, table.id, "x"):
        assert problem_of(table.ask("DELETE", f"/clubs/{club}")) == (404, "unknown_club")


NOTE: Final = {"type": "note_added", "data": {"text": "x"}, "reason": ""}
# The ways to remove an evening that event 5 entered, and to enter it again.
OUT_AND_BACK: Final[dict[str, tuple[Callable[[Raw], Raw], Callable[[int, Raw], Raw]]]] = {
    "withdrawn": (
        lambda it: event("evening_withdrawn", session=it["session"], reason=""),
        lambda seq, it: struck(seq),
    ),
    "entered after a withdrawal": (
        lambda it: event("evening_withdrawn", session=it["session"], reason=""),
        lambda seq, it: event("event_inserted", after=seq, type="evening_entered", data=it,
                              reason=""),
    ),
    "a withdrawal replaced": (
        lambda it: event("evening_withdrawn", session=it["session"], reason=""),
        lambda seq, it: event("event_replaced", seq=seq, **NOTE),
    ),
    "a withdrawal put in": (
        lambda it: event("event_inserted", after=5, type="evening_withdrawn",
                         data={"session": it["session"], "reason": ""}, reason=""),
        lambda seq, it: struck(seq),
    ),
    "struck": (lambda it: struck(5), lambda seq, it: struck(seq)),
    "replaced": (lambda it: event("event_replaced", seq=5, **NOTE), lambda seq, it: struck(seq)),
}  # fmt: skip


@pytest.mark.parametrize("way", OUT_AND_BACK)
def test_evening_that_does_not_count_is_not_followed(circle: Circle, way: str) -> None:
    table, (out, back) = evening(circle.client), OUT_AND_BACK[way]
    circle.enter(table)
    assert circle.version == 5
    entered, before = entering(table)["data"], circle.figures()
    circle.do(out(entered))
    assert table.get("/clubs").get_json() == {"clubs": []}
    end = {"version": table.version, "head": table.head}
    corrected_later(table)
    circle.do(back(circle.version, entered))
    assert circle.figures() == before
    (club,) = table.get("/clubs").get_json()["clubs"]
    assert (club["club"], club["followed"]) == (circle.id, False)
    assert club.items() >= end.items()
    circle.do(out(entered))
    circle.do(back(circle.version, entered), keys=[table.keys["view"]])
    assert circle.figures()["leo"] == -5
    table.do(event("note_added", text="x"))
    (club,) = table.get("/clubs").get_json()["clubs"]
    assert club["followed"] is True


def test_evening_withdrawn_and_entered_in_one_request_needs_a_valid_key(circle: Circle) -> None:
    table = evening(circle.client)
    circle.enter(table)
    before, out = circle.figures(), event("evening_withdrawn", session=table.id, reason="")
    circle.do(out, entering(table))
    corrected_later(table)
    assert circle.figures() == before
    circle.do(out, entering(table), keys=[table.keys["view"]])
    assert circle.figures()["leo"] == -5


@pytest.mark.parametrize("closed", [False, True])
def test_evening_entered_and_withdrawn_in_one_request_is_not_followed(
    circle: Circle, closed: bool
) -> None:
    """Neither when the withdrawal is struck later, nor in the table of a closed season."""
    table = evening(circle.client)
    circle.do(event("season_opened", id="autumn", name="Autumn", games=["riparto"],
                    ranking="points", **{"from": "2020-01-01"}))  # fmt: skip
    closing = event("season_closed", season="autumn", heads={table.id: table.head})
    circle.do(
        entering(table), *([closing] if closed else []),
        event("evening_withdrawn", session=table.id, reason=""), keys=[table.keys["view"]],
    )  # fmt: skip
    end = {"version": table.version, "head": table.head}
    revoke(table, table.key_ids()["view"][0])
    corrected_later(table)
    if closed:
        report = circle.client.get(table.path, headers=bearer(circle.keys["view"]))
        assert report.headers["ETag"] == f'"{end["version"]}-masked"'
    else:
        circle.do(struck(circle.version))
        assert circle.figures()["leo"] == 5
    (club,) = table.get("/clubs").get_json()["clubs"]
    assert club["followed"] is False
    assert club.items() >= end.items()


def test_host_lists_and_stops_a_club_that_could_read_the_evening(circle: Circle) -> None:
    """Also one whose log does not enter it, like one restored from an older backup."""
    table = evening(circle.client)
    store = circle.client.application.extensions["service"].store
    store.follow(circle.id, {table.id: None})
    (club,) = table.get("/clubs").get_json()["clubs"]
    assert (club["club"], club["followed"]) == (circle.id, True)
    assert table.ask("DELETE", f"/clubs/{circle.id}").status_code == 204
    assert table.get("/clubs").get_json() == {"clubs": []}


def test_season_cannot_be_closed_at_an_unreadable_head(circle: Circle) -> None:
    table = evening(circle.client)
    key = entered_by(circle, table, "view")
    season = event("season_opened", id="autumn", name="Autumn", games=["riparto"],
                   ranking="points", **{"from": "2020-01-01"})  # fmt: skip
    circle.do(season)
    revoke(table, key)
    head = table.head
    corrected_later(table)
    closing = event("season_closed", season="autumn", heads={table.id: table.head})
    answer = circle.append(closing)
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json()["field"] == f"events.0.data.heads.{table.id}"
    circle.do(event("season_closed", season="autumn", heads={table.id: head}))
    assert circle.figures("autumn")["leo"] == 5


def test_closing_a_season_does_not_reveal_heads_of_other_evenings(
    circle: Circle,
) -> None:
    table = evening(circle.client)
    circle.do(event("season_opened", id="autumn", name="Autumn", games=["riparto"],
                    ranking="points", **{"from": "2020-01-01"}))  # fmt: skip
    season = circle.version
    for session_id in (table.id, "k2345678abcd"):
        for head in (table.head, "0" * 64):
            close = {"season": "autumn", "heads": {session_id: head}}
            put_in = {"type": "season_closed", "data": close, "reason": ""}
            for closing in (
                event("season_closed", **close),
                event("event_inserted", after=season, **put_in),
            ):
                answer = circle.append(closing)
                problem = answer.get_json()
                assert problem_of(answer) == (422, "unusable")
                assert "expected an evening that is entered" in problem["detail"]


def test_expiring_key_stops_the_club_at_that_time(template: Path) -> None:
    del template
    at = ["2026-11-21T20:00:00.000Z"]
    store = MemoryStore(lambda: at[0])
    client = client_of(store)
    service = client.application.extensions["service"]
    service._clock = lambda: at[0]
    circle, table = Circle.open(client), evening(client)
    body = table.add_key("view", expires="2026-11-21T21:00:00.000Z").get_json()
    circle.do(entering(table), keys=[body["key"]])
    at[0] = "2026-11-21T20:59:59.999Z"
    table.do(*LATER, as_played=True)
    at[0] = "2026-11-21T21:00:00.000Z"
    corrected_later(table)
    at[0] = "2026-11-21T22:00:00.000Z"
    assert circle.figures() == {"leo": 5, "mara": 5, "nina": 0}
    revoke(table, body["id"])  # does not change the end
    assert circle.figures() == {"leo": 5, "mara": 5, "nina": 0}

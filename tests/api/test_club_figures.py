"""Figures of a club over HTTP: members, records, money, files."""

import csv
import io
from typing import Any

import pytest
from flask.testing import FlaskClient
from icalendar import Calendar

from tests.api.answers import complaints
from tests.api.asking import NO_KEY, Table, client_of, hand, match, problem_of
from tests.api.clubbing import Circle, entering, evening
from tests.evenings import event

AUTUMN = event("season_opened", id="autumn", name="Autumn", games=["riparto"], ranking="points",
               **{"from": "2020-01-01"})  # fmt: skip
SPRING = event("season_opened", id="spring", name="Spring", games=["riparto"], ranking="points",
               **{"from": "2019-01-01", "to": "2019-06-30"})  # fmt: skip
STAKE = {"currency": "EUR", "point": 10, "match": 0}


def played_for_money(client: FlaskClient) -> Table:
    """Record an evening of one hand that Leo wins, at ten cents a point."""
    table = Table.open(client)
    begun = match()
    table.do({**begun, "data": {**begun["data"], "stake": STAKE}}, *hand(bidder="leo"),
             as_played=True)  # fmt: skip
    return table


@pytest.fixture
def circle(on_memory: FlaskClient) -> Circle:
    circle = Circle.open(on_memory)
    circle.enter(played_for_money(on_memory))
    circle.do(AUTUMN, SPRING)
    return circle


@pytest.mark.parametrize(
    "path",
    ["/members/leo", "/members/leo?season=spring", "/records", "/records?season=autumn", "/money",
     "/standings?season=autumn"],
)  # fmt: skip
def test_figures_match_the_document(circle: Circle, path: str) -> None:
    answer = circle.get(path, "view")
    of = path.partition("?")[0].replace("/leo", "/{member}")
    assert complaints(circle.client, f"/api/clubs/{{club}}{of}", answer, "get") == []
    known = {"If-None-Match": answer.headers["ETag"]}
    assert circle.get(path, headers=known).status_code == 304


def test_figures_of_a_member_cover_a_season_or_all(circle: Circle) -> None:
    ever = circle.get("/members/leo").get_json()
    assert (ever["name"], ever["evenings"], ever["games"][0]["points"]) == ("Leo", 1, 5)
    assert {opponent["member"] for opponent in ever["met"]} == {"mara", "nina"}
    assert circle.get("/members/leo?season=autumn").get_json() == ever
    none = circle.get("/members/leo?season=spring").get_json()
    assert (none["evenings"], none["games"]) == (0, [])


def test_unknown_member_and_unknown_season_are_refused(circle: Circle) -> None:
    for path, field in (("/members/ada", "member"), ("/members/leo?season=x", "season"),
                        ("/records?season=x", "season"), ("/exports/csv?season=x", "season"),
                        ("/exports/ics?season=x", "season")):  # fmt: skip
        answer = circle.get(path)
        assert problem_of(answer) == (422, "unusable"), path
        assert answer.get_json()["field"] == field


def test_merged_member_is_reported_under_the_new_id(circle: Circle) -> None:
    circle.do(event("member_joined", id="lele", name="Lele"),
              event("members_merged", member="leo", into="lele"))  # fmt: skip
    body = circle.get("/members/leo").get_json()
    assert (body["member"], body["hands"]) == ("lele", 1)


def test_records_link_to_their_hand(circle: Circle) -> None:
    body = circle.get("/records").get_json()
    [best] = [record for record in body["games"][0]["records"] if record["what"] == "highest_hand"]
    assert (best["figure"], best["members"][0]["member"]) == (5, "leo")
    session = circle.get().get_json()["evenings"][0]["session"]
    assert best["place"] == {"session": session, "match": 1, "hand": 1, "event": 3}
    assert circle.get("/records?season=spring").get_json() == {"games": [], "club": []}


def test_money_sums_to_zero_and_is_settled(circle: Circle) -> None:
    [euros] = circle.get("/money").get_json()["money"]
    balances = {balance["account"]: balance["amount"] for balance in euros["balances"]}
    assert balances == {"leo": 100, "mara": -50, "nina": -50}
    assert {(paid["from"], paid["to"], paid["amount"]) for paid in euros["payments"]} == {
        ("mara", "leo", 50), ("nina", "leo", 50),
    }  # fmt: skip
    circle.do(event("payment_made", **{"from": "mara", "to": "leo", "amount": 50}))
    [euros] = circle.get("/money").get_json()["money"]
    assert [(payment["from"], payment["amount"]) for payment in euros["payments"]] == [("nina", 50)]
    circle.do(event("member_joined", id="lele", name="Lele"),
              event("members_merged", member="leo", into="lele"))  # fmt: skip
    [euros] = circle.get("/money").get_json()["money"]
    assert {balance["account"]: balance["amount"] for balance in euros["balances"]} == {
        "lele": 50, "mara": 0, "nina": -50,
    }  # fmt: skip


# -------------------------------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("form", "begins", "ending"),
    [("csv", "\ufeffplace".encode(), "csv"), ("xlsx", b"PK", "xlsx"), ("pdf", b"%PDF", "pdf"),
     ("text", "Circolo · Autumn · Riparto".encode(), "txt"), ("ics", b"BEGIN:VCALENDAR", "ics")],
)  # fmt: skip
def test_file_has_the_present_figures_of_the_club(
    circle: Circle, form: str, begins: bytes, ending: str
) -> None:
    answer = circle.get(f"/exports/{form}?season=autumn", "view")
    assert answer.status_code == 200, answer.text
    assert answer.data.startswith(begins)
    assert answer.headers["Content-Disposition"].endswith(f'"circolo-autumn.{ending}"')
    assert answer.headers["Content-Language"] == "en"
    path = f"/exports/{form}?season=autumn"
    known = {"If-None-Match": answer.headers["ETag"]}
    assert circle.get(path, headers=known).status_code == 304
    other = circle.get(f"{path}&language=it", headers=known)
    assert (other.status_code, other.headers["Content-Language"]) == (200, "it")
    circle.do(event("member_renamed", member="leo", name="Lele"))
    assert circle.get(path, headers=known).status_code == 200


def test_table_uses_the_language_of_its_reader(circle: Circle) -> None:
    answer = circle.get("/exports/csv?separator=;&decimal=,")
    rows = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig")), delimiter=";"))
    assert [(row["member"], row["figure"]) for row in rows] == [
        ("leo", "5"), ("mara", "0"), ("nina", "0")
    ]  # fmt: skip


def titles(answer: Any) -> list[str]:
    """Return the titles of the evenings in a calendar."""
    assert answer.status_code == 200, answer.text
    return [str(entry["summary"]) for entry in Calendar.from_ical(answer.data).walk("VEVENT")]


def test_calendar_address_contains_its_key(circle: Circle) -> None:
    feed = f"/exports/ics?key={circle.keys['view']}"
    assert titles(circle.get(feed, NO_KEY)) == ["Friday"]
    assert titles(circle.get(f"{feed}&season=spring", NO_KEY)) == []
    circle.enter(Table.open(circle.client))  # without a hand yet
    assert titles(circle.get(feed, NO_KEY)) == ["Friday", "Friday"]
    circle.add_key("member", "leo")
    for who in ("host", "leo"):
        answer = circle.get(f"/exports/ics?key={circle.keys[who]}", NO_KEY)
        assert problem_of(answer) == (403, "forbidden")
    assert problem_of(circle.get("/exports/ics?key=wrong", NO_KEY)) == (401, "no_key")
    assert problem_of(circle.get("/exports/ics", NO_KEY)) == (401, "no_key")
    assert problem_of(circle.get(f"/standings?key={circle.keys['view']}", NO_KEY)) == (
        401,
        "no_key",
    )
    assert problem_of(circle.get(f"/exports/pdf?key={circle.keys['view']}", NO_KEY)) == (
        401,
        "no_key",
    )


# ------------------------------------------------------------------------ closed seasons


def test_evening_withdrawn_after_the_close_stays_in_the_final_standings(
    any_client: FlaskClient,
) -> None:
    circle, table = Circle.open(any_client), evening(any_client)
    circle.enter(table)
    circle.do(AUTUMN, event("season_closed", season="autumn", heads={table.id: table.head}))
    circle.do(event("evening_withdrawn", session=table.id, reason="not ours"))
    assert circle.figures("autumn") == {"leo": 5, "mara": 0, "nina": 0}
    later = circle.get("/standings?season=autumn").get_json()["after_the_close"]
    assert (later["withdrawn"], later["changed"], later["entered"]) == ([table.id], [], [])
    table.do(*hand(dealer="leo"), as_played=True)
    assert circle.figures("autumn") == {"leo": 5, "mara": 0, "nina": 0}
    circle.do(
        entering(table, leo=None, mara="leo"), keys=[table.keys["host"]]
    )  # the identities of that time remain
    assert circle.figures("autumn") == {"leo": 5, "mara": 0, "nina": 0}
    later = circle.get("/standings?season=autumn").get_json()["after_the_close"]
    assert (later["withdrawn"], later["changed"]) == ([], [table.id])
    assert circle.get("/members/leo?season=autumn").get_json()["games"][0]["points"] == 5
    rows = circle.get("/exports/csv?season=autumn").text.splitlines()
    assert len(rows) == 4


def test_points_given_and_money_paid_follow_a_merger(circle: Circle) -> None:
    circle.do(event("points_adjusted", season="autumn", member="mara", points=-3, reason="late"))
    circle.do(event("member_joined", id="lele", name="Lele"),
              event("members_merged", member="mara", into="lele"))  # fmt: skip
    assert circle.figures("autumn") == {"leo": 5, "lele": -3, "nina": 0}


def test_another_server_returns_the_same_in_the_same_order(circle: Circle) -> None:
    """In any order in which the players of an evening were entered."""
    table = evening(circle.client)
    entered = entering(table)
    entered["data"]["players"] = dict(sorted(entered["data"]["players"].items(), reverse=True))
    circle.do(entered, keys=[table.keys["host"]])
    store = circle.client.application.extensions["service"].store
    other = Circle(client_of(store), {"id": circle.id, "version": 0, "keys": circle.keys})
    for path in ("", "/standings", "/records", "/money", "/members/leo"):
        assert other.get(path).data == circle.get(path).data, path

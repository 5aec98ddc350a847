"""The day of an evening moves the tables of its club by itself."""

from flask.testing import FlaskClient
from icalendar import Calendar

from scorekeeper.base.json_object import JsonObject
from tests.api.asking import Table
from tests.api.clubbing import PEOPLE, Circle, evening
from tests.evenings import Evening, by_hand, event, opening, riparto

LONG_AGO = event(
    "season_opened", id="s2019", name="2019", games=["riparto"], ranking="points",
    **{"from": "2019-01-01", "to": "2019-12-31"},
)  # fmt: skip
MARCH = event("session_described", date="2019-03-01")


def rows(circle: Circle, season: str = "s2019") -> dict[str, JsonObject]:
    answer = circle.get(f"/standings?season={season}").get_json()
    return {row["member"]: row for row in answer["rows"]}


def test_evening_belongs_to_the_season_of_its_day(on_memory: FlaskClient) -> None:
    circle, table = Circle.open(on_memory), evening(on_memory)
    circle.do(LONG_AGO)
    circle.enter(table)
    assert rows(circle) == {}
    table.do(MARCH)
    assert rows(circle)["leo"]["evenings"] == 1
    table.do(event("session_described", date="2020-03-01"))
    assert rows(circle) == {}
    table.do(event("session_closed"))
    table.do(MARCH)
    assert rows(circle)["leo"]["evenings"] == 1
    assert circle.get().get_json()["evenings"][0]["day"] == "2019-03-01"
    table.do(event("event_struck", seq=table.version, reason="not then"))
    assert rows(circle) == {}


def test_imported_evening_counts_once_its_day_is_named(on_memory: FlaskClient) -> None:
    circle = Circle.open(on_memory)
    circle.do(LONG_AGO)
    log = Evening(opening(*PEOPLE), riparto().log[1])
    for raw in ("hand_started", {"dealer": "mara"}), ("bid_made", {"player": "leo", "points": 5}):
        log.say(raw[0], **raw[1])
    log.say("points_counted", points={"leo": 5, "mara": 5, "nina": 5})
    answer = on_memory.post("/api/sessions/import", data=by_hand(log.log),
                            content_type="application/x-ndjson")  # fmt: skip
    table = Table(on_memory, answer.get_json())
    circle.enter(table, who="host")
    assert rows(circle) == {}
    table.do(MARCH)
    assert rows(circle)["leo"]["evenings"] == 1


def test_evenings_are_in_the_order_of_their_days_and_then_of_their_recording(
    on_memory: FlaskClient,
) -> None:
    circle = Circle.open(on_memory)
    first, second, third = (evening(on_memory, bidder=bidder) for bidder in ("leo", "nina", "mara"))
    for table in (third, second, first):
        circle.enter(table)
    played = [table.id for table in (first, second, third)]
    assert circle.get("/standings").get_json()["evenings"] == played
    second.do(MARCH)
    assert circle.get("/standings").get_json()["evenings"] == [second.id, first.id, third.id]
    for table in (third, first):
        table.do(MARCH)
    assert circle.get("/standings").get_json()["evenings"] == played


def test_calendar_of_a_season_has_the_day(on_memory: FlaskClient) -> None:
    circle, table = Circle.open(on_memory), evening(on_memory)
    circle.enter(table)
    table.do(MARCH, event("player_renamed", player="leo", name="Leonardo"))
    table.do(event("session_described", title="Saturday", place="At Nina's"))
    data = circle.get("/exports/ics").data
    (entry,) = Calendar.from_ical(data).walk("VEVENT")
    assert (str(entry["summary"]), str(entry["location"])) == ("Saturday", "At Nina's")
    assert entry["dtstart"].to_ical() == b"20190301"
    assert "Leonardo" in str(entry["description"])

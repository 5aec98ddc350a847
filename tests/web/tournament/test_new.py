"""``/tournament/new``: plans at one tap or one's own, errors beside fields, a new tournament."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.club.visiting import OWN, well_formed
from tests.web.pages import Page, page_of
from tests.web.tournament.visiting import service

GOOD = {"name": "Sagra", "place": "Bar Sport", "game": "briscola_chiamata", "plan": "milan"}
OWN_PLAN = {**GOOD, "plan": "own", "draw": "balanced", "rounds": "3", "points": "places"}
WIDE = "\N{FULLWIDTH LATIN CAPITAL LETTER W}" * 60


def opened(form: dict[str, str]) -> tuple[FlaskClient, Any]:
    """Open a tournament on a new phone; return the phone and the tournament by the API."""
    phone = service().test_client()
    answer = phone.post("/tournament/new", data=form, headers=OWN)
    assert answer.status_code == 303, page_of(answer).words
    path = answer.headers["Location"].removesuffix("/entrants")
    return phone, phone.get(f"/api{path.replace('tournament', 'tournaments')}").get_json()


def refused(**form: str) -> Page:
    """Return the page of a form that is refused."""
    phone = service().test_client()
    return well_formed(phone.post("/tournament/new", data={**OWN_PLAN, **form}, headers=OWN), 422)


def test_a_plan_that_clubs_play_takes_one_tap_and_the_phone_is_the_directors() -> None:
    phone, read = opened({**GOOD, "name": WIDE, "fee": "5", "currency": "eur"})
    assert (read["name"], read["place"], read["entrants"]) == (WIDE, "Bar Sport", "individual")
    assert [stage["minutes"] for stage in read["stages"]] == [60, 60]
    assert WIDE in well_formed(phone.get("/")).words
    assert "director" in page_of(phone.get("/")).words
    log = phone.get(f"/api/tournaments/{read['id']}/events").get_json()["events"]
    assert log[0]["data"]["fee"] == {"amount": 500, "currency": "EUR"}


def test_names_of_stages_are_in_the_language_of_the_director() -> None:
    phone = service().test_client()
    phone.set_cookie("prefs", "lang=it")
    answer = phone.post("/tournament/new", data=GOOD, headers=OWN)
    path = answer.headers["Location"].removesuffix("/entrants")
    read = phone.get(f"/api{path.replace('tournament', 'tournaments')}").get_json()
    assert [stage["name"] for stage in read["stages"]] == ["Turni", "Turno finale"]


def test_a_plan_of_ones_own() -> None:
    _, read = opened({**OWN_PLAN, "game": "riparto", "minutes": "30", "at_time": "stop",
                      "from": "3", "o-match_end": "0"})  # fmt: skip
    (stage,) = read["stages"]
    assert (stage["draw"], stage["rounds"], stage["table"]) == (
        "balanced", 3, {"from": 3, "to": 3},
    )  # fmt: skip
    assert (stage["minutes"], stage["at_time"]) == (30, "stop")


@pytest.mark.parametrize(
    ("form", "field", "words"),
    [
        ({"name": ""}, "name", "Give the tournament a name."),
        ({"plan": ""}, "plan", "Choose how you play."),
        ({"rounds": "61"}, "rounds", "This must be a number from 1 to 60, not 61."),
        ({"rounds": ""}, "rounds", "You still have to choose something."),
        ({"hands": "few"}, "hands", "This must be a number from 1 to 1000, not few."),
        ({"fee": "much"}, "fee", "An amount such as 5"),
        ({"fee": "5", "currency": "E"}, "currency", "The three letters of a currency"),
        ({"from": "2", "to": "2"}, "table", ""),
        ({"points": "match"}, "points", ""),
        ({"draw": "partners"}, "table", ""),
    ],
)
def test_an_error_stands_beside_its_field(form: dict[str, str], field: str, words: str) -> None:
    page = refused(**form)
    assert f"{field}-wrong" in {p.get("id") for p in page.all("p")}
    assert words in page.words


def test_choosing_a_game_keeps_what_was_typed() -> None:
    phone = service().test_client()
    answer = phone.post(
        "/tournament/new", data={**OWN_PLAN, "pick": "briscola_regina"}, headers=OWN
    )
    page = well_formed(phone.get(answer.headers["Location"]))
    assert "Sagra" in {field.get("value") for field in page.all("input")}
    assert "Pairs" in page.words

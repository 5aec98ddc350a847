"""A round drawn early or by hand, again after others advance; rounds that are taken back.

Of ``web.tournament.draw_otherwise``.
"""

import io
import json
from typing import Any

import pytest

from tests.api.hall import Hall
from tests.evenings import event, replaced
from tests.web.pages import Page, page_of
from tests.web.tournament.test_direct import play_hand
from tests.web.tournament.test_drawing import drawn, shown
from tests.web.tournament.visiting import Person, opened

SIX = ("ada bea ciro", "dora elio fede")
FINAL: dict[str, Any] = {"name": "Final", "draw": "random", "rounds": 1, "points": "places"}


def kinds(hall: Hall) -> list[str]:
    """Return the types of the events on record."""
    return [entry["type"] for entry in hall.read("/events?limit=1000")["events"]]


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("Ada, Ciro, Elio\nBea, Dora, Fede", ""),
        ("1 3 5\n2 4 6", ""),
        ("", "1 3 5\n2 4 6"),
        ("", json.dumps({"entrants": 6, "rounds": [{"tables": [[1, 3, 5], [2, 4, 6]]}]})),
    ],
)
def test_a_draw_by_hand_is_typed_or_in_a_file(text: str, file: str) -> None:
    hall = opened(stages=[{**FINAL, "draw": "by_hand"}])
    director = Person(hall)
    assert "Draw round 1 by hand" in director.page("/direct").words
    form = shown(director.page("/draw/other"))
    sent = {"file": (io.BytesIO(file.encode()), "draw.txt")} if file else {}
    assert director.done("/draw/by-hand", **form, text=text, **sent).endswith("/draw")
    assert drawn(hall) == [["ada", "ciro", "elio"], ["bea", "dora", "fede"]]
    wrong = director.post("/draw/by-hand", **shown(director.page("/draw")), text="1 2 3\n4 zoe")
    assert wrong.status_code == 422
    assert "Line 2: No entrant is called 4 zoe." in page_of(wrong).words
    assert "4 zoe" in wrong.text  # what was typed stays
    twice = director.post("/draw/by-hand", **shown(director.page("/draw")), text="1 2 3\n3 4 5")
    assert twice.status_code == 409
    assert "Ciro would sit at two tables" in page_of(twice).words
    old = director.post("/draw/by-hand", **form, text="1 2 3\n4 5 6")
    assert "Another phone changed the draw meanwhile." in page_of(old).words


def test_a_round_drawn_early_names_the_tables_that_still_play() -> None:
    hall = opened()
    hall.draw(1, *SIX)
    hall.publish(1, 1, 2)
    scores = {"ada": 2, "bea": -1, "ciro": -1}
    hall.do(event("result_recorded", round=1, table=1, scores=scores))
    director = Person(hall)
    page = director.page("/draw/other")
    assert "Table 2 is still playing: its result is not in this draw." in page.words
    assert director.post("/draw", **shown(page)).status_code == 409
    director.done("/draw", **shown(page), early="yes")
    assert "Drawn early: table 2 is still playing" in director.page("/draw").words
    director.done("/draw/by-hand", **shown(director.page("/draw")), text="1 3 5\n2 4 6")
    data = hall.read("/events?limit=1000")["events"][-1]["data"]
    assert (data["early"], data["generator"]["name"]) == (True, "by_hand")


def before_the_final() -> tuple[Hall, dict[int, str | None], Person]:
    """Return a tournament in which Ada, Bea and Ciro have won, and the final is drawn for them."""
    stage = {**FINAL, "name": "Rounds", "points": "score", "advance": {"overall": 3}}
    hall = opened(stages=[stage, FINAL])
    hall.draw(1, "ada dora elio", "bea ciro fede")
    sessions = hall.publish()
    for number, table in ((1, "ada dora elio"), (2, "bea ciro fede")):
        play_hand(hall, sessions[number], *table.split())
    hall.do(event("round_closed", stage=1, round=1))
    director = Person(hall)
    director.done("/draw", **shown(director.page("/direct")))
    return hall, sessions, director


def correct(hall: Hall, session: str | None, winner: str, *others: str) -> None:
    """Correct the hand of a table, which is closed: somebody else took all points."""
    version = hall.read(f"/api/sessions/{session}/events?limit=1")["version"]
    points = {winner: 15, **dict.fromkeys(others, 0)}
    corrected = replaced(5, "points_counted", points=points)
    answer = hall.record(str(session), corrected, who="host", at=version)
    assert answer.status_code == 201, answer.text


def question(page: Page) -> dict[str, Any]:
    """Return the fields of the form that keeps the draw."""
    form = shown(page)
    fields: dict[str, Any] = {"round": "2", **form, "through": [], "out": []}
    for field in page.all("input"):
        if field.get("name") in ("through", "out"):
            fields[field["name"]].append(field["value"])
    return fields


@pytest.mark.parametrize("published", [False, True])
def test_the_director_keeps_the_draw_or_draws_again_if_others_advance(*, published: bool) -> None:
    hall, sessions, director = before_the_final()
    if published:
        director.done("/draw/publish", **shown(director.page("/draw")))
    assert "Others go on" not in director.page("/direct").words
    correct(hall, sessions[1], "elio", "ada", "dora")
    assert "at no table" not in director.look("/draw").text  # of those who did not go on
    page = director.page("/direct")
    assert "Others go on to round 2 now" in page.words
    fields = question(page)
    assert len(fields["through"]) == len(fields["out"]) > 0
    director.done("/draw/keep", **fields)
    assert kinds(hall)[-1] == "draw_kept"
    assert "Others go on" not in director.page("/direct").words
    assert hall.read("/next")["advance"] is None
    hall.add_key("entrant", "fede")
    seen = hall.read("/events?limit=1000", "fede")["events"][-1]["data"]
    assert (seen is None) is not published  # it shows a part of a draw that lies face down
    correct(hall, sessions[2], "fede", "bea", "ciro")
    again = director.page("/direct")
    assert "Others go on to round 2 now" in again.words  # it is another change
    director.done("/draw/again" if published else "/draw", **shown(again), key="k" * 20)
    assert director.post(
        "/draw/again" if published else "/draw", **shown(again), key="k" * 20
    ).status_code == 303  # fmt: skip
    assert kinds(hall).count("round_drawn") == 3
    assert "Nobody else sees it yet." in director.page("/draw").words
    assert "Others go on" not in director.page("/direct").words


def test_a_round_closed_or_published_by_mistake_is_taken_back() -> None:
    hall = opened()
    hall.draw(1, *SIX)
    sessions = hall.publish()
    director = Person(hall)
    director.done("/direct/recall", round="1")
    assert "Check the draw of round 1" in director.page("/direct").words
    log = hall.read(f"/api/sessions/{sessions[1]}/events?limit=10")["events"]
    assert log[-1]["type"] == "session_closed"
    director.done("/draw/publish", **shown(director.page("/draw")))
    play_hand(hall, hall.read()["rounds"][0]["sessions"]["1"], "ada", "bea", "ciro")
    assert director.post("/direct/recall", round="1").status_code == 409
    director.done("/direct/close", stage="1", round="1")
    for headers in ({}, {"X-Fragment": "1"}):
        closed = director.phone.get(f"/t/{sessions[1]}", headers=headers)
        assert "The round is closed" in closed.text
    director.done("/draw", **shown(director.page("/direct")))
    assert "The draw of the next round is dropped." in director.page("/direct").words
    director.done("/direct/reopen", round="1", key="k" * 20)
    director.done("/direct/reopen", round="1", key="k" * 20)  # the same form
    assert "2 tables are still playing." in director.page("/direct").words
    assert director.look("/draw").status_code == 303
    assert director.post("/direct/reopen", round="1").status_code == 409

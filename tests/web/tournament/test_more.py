"""``…/more``: points, results, seats, the plan, lots, and the close of a tournament."""

from typing import Any

import pytest

from scorekeeper.web.tournament.more import read_points
from tests.api.hall import Hall
from tests.evenings import event
from tests.web.tournament.visiting import Person, opened, service

SIX = ("ada bea ciro", "dora elio fede")


def played() -> tuple[Hall, Person]:
    """Return a tournament whose first round was played on paper, and its director."""
    hall = opened()
    hall.draw(1, *SIX)
    hall.publish(1, 1, 2)
    return hall, Person(hall)


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("3", 3),
        ("\N{MINUS SIGN}2", -2),
        ("2,5", "5/2"),
        ("7/2", "7/2"),
        ("1/0", "1/0"),
        ("9e9", "9e9"),
        ("", ""),
    ],
)
def test_typed_points(typed: str, points: object) -> None:
    assert read_points(typed) == points


def test_each_act_is_recorded_once_it_has_all_it_needs() -> None:
    hall, director = played()
    acts: dict[str, tuple[dict[str, Any], str]] = {
        "points": ({"entrant": "ada", "points": "-1/2", "reason": "late"}, "points"),
        "result": ({"entrant": "bea", "points": "2", "round": "1", "reason": "no-show"}, "reason"),
        "seats": ({"round": "1", "one": "ada", "other": "dora", "reason": "they sat so"}, "other"),
        "plan": ({"stage": "1", "rounds": "3", "reason": "an hour more"}, "reason"),
        "lot": ({"order": ["ada", "bea"]}, "order"),
    }
    for act, (form, needed) in acts.items():
        lacking = {name: value for name, value in form.items() if name != needed}
        assert director.post(f"/more/{act}", **lacking).status_code == 422, act
        assert director.done(f"/more/{act}", **form).endswith(f"done={act}")
    recorded = [entry["type"] for entry in hall.read("/events?limit=1000")["events"]][-5:]
    assert recorded == ["points_adjusted", "result_assigned", "seats_exchanged", "plan_changed",
                        "lot_drawn"]  # fmt: skip
    assert hall.read()["rounds"][0]["tables"][0] == ["dora", "bea", "ciro"]
    assert director.post("/more/plan", stage="1", reason="nothing").status_code == 422
    assert director.post("/more/nothing").status_code == 404


def test_the_rules_of_a_stage_change_until_it_is_drawn() -> None:
    stage = {"draw": "random", "rounds": 1, "points": "places"}
    hall = opened(stages=[{"name": "Rounds", **stage}, {"name": "Final", **stage}])
    director = Person(hall)
    page = director.page("/more")
    names = [field["name"] for field in page.all("select")]
    assert names.count("points") == 2
    assert names.count("advance") == 1  # nobody goes on from the last stage
    same = {"stage": "1", "reason": "so", "points": "places", "ties": ["score", "head_to_head"]}
    form = {**same, "points": "score", "ties": ["wins", "lot", ""], "advance": "each",
            "through": "2", "best": "1"}  # fmt: skip
    director.done("/more/plan", **form)
    changed = hall.read("/events?limit=1000")["events"][-1]["data"]
    assert changed == {
        "stage": 1, "reason": "so", "points": "score", "ties": ["points", "wins", "lot", "shared"],
        "advance": {"each": 2, "best": 1},
    }  # fmt: skip
    assert director.post("/more/plan", **form).status_code == 422  # nothing changes any more
    hall.version = hall.read()["version"]
    hall.draw(1, *SIX)
    assert "points-1" not in director.look("/more").text
    assert director.post("/more/plan", **{**form, "points": "match"}).status_code == 422


def test_the_tournament_is_closed_when_its_rounds_are() -> None:
    hall = opened()
    hall.draw(1, *SIX)
    hall.publish()
    director = Person(hall)
    assert director.post("/more/close").status_code == 422
    hall.do(event("round_closed", stage=1, round=1))
    director.done("/more/close")
    assert hall.read()["closed"] is True
    assert "The tournament is closed" in director.page("/more").words
    assert director.post("/more/close").status_code == 422


def test_a_tournament_whose_session_was_deleted_can_be_closed() -> None:
    """The head of a session that is gone is not known: its first hash stands for it."""
    hall = opened()
    hall.draw(1, *SIX)
    sessions = hall.publish(1)
    hall.do(event("round_closed", stage=1, round=1))
    service().extensions["service"].store.delete_stream(sessions[1])
    Person(hall).done("/more/close")
    (closed,) = [raw for raw in hall.read("/events?limit=1000")["events"]
                 if raw["type"] == "tournament_closed"]  # fmt: skip
    first = hall.read("/events?limit=1000")["events"][-3]["data"]["sessions"]["1"]["first_hash"]
    assert closed["data"]["heads"][sessions[1]] == first
    assert set(closed["data"]["heads"]) == set(sessions.values())

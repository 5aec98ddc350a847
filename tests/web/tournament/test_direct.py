"""``…/direct``: the urgent tables first, the clock, calls, and what comes next.

Of ``web.tournament.direct`` and ``web.tournament.table_desk``.
"""

import time
from typing import Any

from tests.api.hall import Hall
from tests.evenings import event
from tests.web.pages import page_of
from tests.web.tournament.visiting import Person, opened

SIX = ("ada bea ciro", "dora elio fede")
MOST_BYTES = 60 << 10
MOST_SECONDS = 0.1


def play_hand(hall: Hall, session: str | None, *players: str) -> None:
    """Record a complete hand at a table."""
    counts = dict.fromkeys(players, 0) | {players[0]: 5, players[1]: 10}
    first = players[0]
    hand = [event("hand_started", dealer=first), event("bid_made", player=first, points=5),
            event("points_counted", points=counts)]  # fmt: skip
    answer = hall.record(str(session), *hand, who="host", at=2)
    assert answer.status_code == 201, answer.text


def playing(**stage: Any) -> tuple[Hall, dict[int, str | None], Person]:
    """Return a tournament whose first round is published, its sessions, and the director."""
    hall = opened(stages=[{"name": "Rounds", "draw": "balanced", "rounds": 2, "points": "places",
                           **stage}]) if stage else opened()  # fmt: skip
    hall.draw(1, *SIX)
    return hall, hall.publish(), Person(hall)


def test_a_called_table_comes_first_and_an_assistant_answers() -> None:
    hall, sessions, director = playing()
    hall.add_key("entrant", "dora")
    hall.add_key("assistant")
    play_hand(hall, sessions[1], "ada", "bea", "ciro")
    call = event("director_called", round=1, table=2, caller="dora", about="A card is missing")
    hall.do(call, who="dora")
    words = director.page("/direct").words
    assert "Answer 1 call" in words
    assert words.index("Dora · Elio") < words.rindex("Ada ")
    assert "1 hand" in words
    assistant = Person(hall, "assistant")
    table = assistant.page("/direct/1/2")
    seq = next(i["value"] for i in table.all("input") if i.get("name") == "call")
    assistant.done("/direct/answer", call=seq, text="Deal again")
    assert hall.read()["calls"][0]["answer"] == "Deal again"
    late = director.post("/direct/answer", call=seq)
    assert late.status_code == 409
    assert "2 tables are still playing." in page_of(late).words


def test_the_clock_runs_stops_and_goes_on() -> None:
    hall, _, director = playing()
    director.done("/direct/clock", act="start", round="1", minutes="30")
    page = director.page("/direct")
    (seconds,) = [b["data-seconds"] for b in page.all("b") if "data-seconds" in b]
    assert 1795 <= int(seconds) <= 1800
    assert director.post("/direct/clock", act="start", round="1", minutes="30").status_code == 409
    director.done("/direct/clock", act="add", round="1", minutes="5")
    director.done("/direct/clock", act="add", round="1", minutes="5", table="2")
    director.done("/direct/clock", act="stop", round="1")
    assert "34:5" in director.page("/direct").words or "35:00" in director.page("/direct").words
    assert "the clock is stopped" in director.page("/direct").words
    assert hall.read("/clock")["running"] is False


def test_the_round_can_be_closed_when_all_results_from_paper_are_there() -> None:
    hall = opened()
    hall.draw(1, *SIX)
    hall.publish(1, 1, 2)
    hall.add_key("assistant")
    assistant, director = Person(hall, "assistant"), Person(hall)
    assert "Result of table 1 from paper" in assistant.page("/direct").words
    for table, (one, two, three) in ((1, SIX[0].split()), (2, SIX[1].split())):
        scores = {f"score.{one}": "\N{MINUS SIGN}3", f"score.{two}": "+2", f"score.{three}": "1"}
        wrong = assistant.post(f"/direct/1/{table}/result", **{**scores, f"score.{three}": "x"})
        assert wrong.status_code == 422
        assert f"score.{one}" in {i.get("name") for i in page_of(wrong).all("input")}
        assistant.done(f"/direct/1/{table}/result", **scores)
    assert "Close round 1" not in assistant.page("/direct").words
    assert assistant.post("/direct/close", stage="1", round="1").status_code == 403
    assert "Close round 1" in director.page("/direct").words
    director.done("/direct/close", stage="1", round="1")
    late = director.post("/direct/close", stage="1", round="1")
    assert late.status_code == 409
    assert "Draw round 2" in page_of(late).words


def test_rulings_and_a_corrected_seating_of_a_table() -> None:
    hall, sessions, director = playing()
    play_hand(hall, sessions[1], "ada", "bea", "ciro")
    assert director.post("/direct/1/1/ruling", hand="1", counts="no").status_code == 422
    director.done("/direct/1/1/ruling", hand="1", counts="no", reason="too late")
    assert "does not count: after time" in director.page("/direct/1/1").words
    director.done("/direct/1/1/seating", **{"seat.ada": "bea", "seat.bea": "ada"})
    table = hall.read("/tables")["tables"][0]
    assert {one["entrant"] for one in table["entrants"]} == {"ada", "bea", "ciro"}
    same = director.post("/direct/1/1/seating", **{"seat.ada": "bea", "seat.bea": "bea"})
    assert same.status_code == 422
    assert director.look("/direct/1/3").status_code == 404
    assert director.look("/direct/2/1").status_code == 404


def test_fifty_tables_are_a_small_and_quick_page() -> None:
    hall = opened(*(f"maria_{n}" for n in range(150)))
    tables = [[f"maria_{n + 50 * k}" for k in range(3)] for n in range(50)]
    hall.draw(1, *map(" ".join, tables))
    sessions = hall.publish()
    for number, players in enumerate(tables, start=1):
        play_hand(hall, sessions[number], *players)
    director = Person(hall)
    assert len(director.page("/direct").text) > 0
    taken = []
    for _ in range(5):
        begun = time.process_time()
        answer = director.look("/direct")
        taken.append(time.process_time() - begun)
        assert len(answer.data) <= MOST_BYTES
    assert min(taken) <= MOST_SECONDS, taken

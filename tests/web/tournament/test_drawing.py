"""``…/draw``: the next round in three taps, and two directors who do not draw over one another."""

import re

from tests.api.hall import Hall
from tests.evenings import event
from tests.web.pages import Page, page_of
from tests.web.tournament.visiting import Person, opened

SIX = ("ada bea ciro", "dora elio fede")


def shown(page: Page) -> dict[str, str]:
    """Return the hidden fields by which a form names the draw that its page showed."""
    return {i["name"]: i["value"] for i in page.all("input") if i["name"] in ("mark", "published")}


def drawn(hall: Hall, number: int = 1) -> list[list[str]]:
    """Return the tables of a round."""
    tables: list[list[str]] = hall.read()["rounds"][number - 1]["tables"]
    return tables


def test_three_taps_draw_check_and_publish() -> None:
    hall = opened()
    director = Person(hall)
    first = director.page("/direct")
    assert director.done("/draw", **shown(first)).endswith("/draw")
    page = director.page("/draw")
    assert "2 tables of 3" in page.words
    assert "Nobody meets again." in page.words
    before = drawn(hall)
    swapped = [before[0][0], before[1][0]]
    director.done("/draw/swap", **shown(page), swap=swapped)
    assert drawn(hall)[0][0] == before[1][0]
    director.done("/draw/publish", **shown(director.page("/draw")), paper="2")
    sessions = hall.read()["rounds"][0]["sessions"]
    assert (sessions["1"] is not None, sessions["2"]) == (True, None)
    assert director.look("/draw").status_code == 303  # nothing is drawn any more


def test_a_seed_is_one_of_too_many_to_try_them_all() -> None:
    """From the tables of a round, everybody could else find the seed, and the later rounds."""
    hall = opened()
    director = Person(hall)
    director.done("/draw", **shown(director.page("/direct")))
    (raw,) = [raw for raw in hall.read("/events")["events"] if raw["type"] == "round_drawn"]
    assert raw["data"]["generator"]["seed"] > 2**32


def test_who_meets_again_and_sits_out_again_is_said() -> None:
    hall = opened("ada", "bea", "ciro", "dora")
    hall.draw(1, "ada bea ciro", byes=["dora"])
    hall.publish()
    hall.do(event("round_closed", stage=1, round=1))
    hall.draw(2, "bea ada ciro", byes=["dora"])
    words = Person(hall).page("/draw").words
    assert "3 pairs meet again" in words
    assert "Dora sits out again" in words


def test_two_directors_on_an_old_page_do_not_draw_twice() -> None:
    hall = opened()
    one, other = Person(hall), Person(hall)
    old = shown(one.page("/direct"))
    one.done("/draw", **old)
    late = other.post("/draw", **old)
    assert late.status_code == 409
    assert "Another phone drew meanwhile. Look at it first." in page_of(late).words
    seen = shown(one.page("/draw"))
    before = drawn(hall)
    one.done("/draw/swap", **seen, swap=[before[0][0], before[1][0]])
    for path in ("/draw/publish", "/draw/swap", "/draw"):
        form = {"swap": [before[0][0], before[1][0]]} if path == "/draw/swap" else {}
        late = other.post(path, **seen, **form)
        assert late.status_code == 409
        assert "Another phone" in page_of(late).words
    one.done("/draw/publish", **shown(one.page("/draw")))
    assert other.post("/draw/publish", **seen).status_code == 409
    log = hall.read("/events?limit=1000")["events"]
    kinds = [entry["type"] for entry in log]
    assert (kinds.count("round_drawn"), kinds.count("round_published")) == (1, 1)


def test_a_draw_that_cannot_be_made_is_explained() -> None:
    hall = opened("ada", "bea")
    director = Person(hall)
    answer = director.post("/draw", mark="-", published="0")
    assert answer.status_code == 409
    assert "alert" in answer.text


def test_a_tournament_of_one_cannot_be_drawn_and_shows_its_pages() -> None:
    director = Person(opened("ada"))
    refused = director.post("/draw", mark="-", published="0")
    assert refused.status_code == 409
    assert "A table needs 3 entrants, and you have 1." in page_of(refused).words
    assert [director.look(path).status_code for path in ("", "/standings", "/print")] == [200] * 3


def test_only_the_directors_see_a_draw() -> None:
    hall = opened()
    hall.add_key("assistant")
    hall.add_key("entrant", "ada")
    hall.draw(1, *SIX)
    assistant = Person(hall, "assistant")
    others = (assistant, Person(hall, "ada"), Person(hall, "view"))
    for person, status in (*((other, 403) for other in others), (Person(hall, None), 401)):
        assert person.look("/draw").status_code == status
        for path in ("/draw", "/draw/swap", "/draw/publish"):
            assert person.post(path, mark="-", published="0").status_code == status
    assert not re.search("Ada|Bea", assistant.page("/direct").words)


def test_a_changed_result_is_said_and_never_moves_the_draw() -> None:
    hall = opened()
    hall.draw(1, *SIX)
    sessions = hall.publish()
    hall.do(event("round_closed", stage=1, round=1))
    hall.draw(2, "fede bea ada", "ciro elio dora", heads={str(sessions[1]): "1" * 64})
    assert "A result has changed since this was drawn." in Person(hall).page("/draw").words

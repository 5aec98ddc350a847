"""The tournament on a player's phone, before, while and after they play.

Tests of ``web.tournament.page``, ``web.tournament.own_view``, ``web.entry.in_hall`` and
``tournaments.hall_seats``.
"""

from tests.evenings import event
from tests.web.pages import page_of
from tests.web.tournament.test_visitor import begin_hand
from tests.web.tournament.visiting import Person, opened

SEVEN = ("ada", "bea", "ciro", "dora", "elio", "fede", "gina")
TABLES = ("ada bea ciro", "dora elio fede")


def test_page_says_where_to_sit_and_who_sits_out() -> None:
    hall = opened(*SEVEN)
    for player in ("ada", "bea", "gina"):
        hall.add_key("entrant", player)
    ada, bea, gina, onlooker = (Person(hall, who) for who in ("ada", "bea", "gina", "view"))
    assert "You are in" in ada.page().words
    before = onlooker.page().words
    hall.draw(1, *TABLES, byes=["gina"])
    assert onlooker.page().words == before
    session = hall.publish(1, 2)[1]
    hall.do(event("round_started", round=1, minutes=30))
    page = ada.page()
    assert "Table 1, seat 1 You deal first. With Bea, Ciro" in page.words
    assert f"/t/{session}" in [a["href"] for a in page.all("a")]
    assert "until" in page.words
    assert "You deal first" not in bea.page().words
    away = gina.page().words
    assert "You sit out this round" in away
    assert "as much as your other rounds on average" in away
    assert "Sitting out: Gina" in onlooker.page().words
    assert "Call the director" not in onlooker.page().words


def test_player_calls_the_director_and_reads_the_answer() -> None:
    hall = opened()
    hall.add_key("entrant", "ada")
    ada = Person(hall, "ada")
    early = ada.post("/call", about="a revoke")
    assert early.status_code == 422
    assert "You can call the director while you sit at a table." in page_of(early).words
    hall.draw(1, *TABLES)
    hall.publish()
    assert ada.post("/call", about=" ").status_code == 422
    ada.done("/call", about="a revoke")
    assert "a revoke The director has been called to table 1." in ada.page().words
    (call,) = hall.read()["calls"]
    assert (call["table"], call["caller"], call["about"]) == (1, "ada", "a revoke")
    hall.version = hall.read()["version"]
    hall.do(event("call_answered", call=call["call"], text="two points to them"))
    assert "Answered: two points to them" in ada.page().words


def test_rounds_and_places_are_shown_to_the_end() -> None:
    hall = opened(*SEVEN)
    hall.add_key("entrant", "ada")
    hall.draw(1, *TABLES, byes=["gina"])
    hall.publish(1, 1, 2)
    hall.do(event("result_recorded", round=1, table=1, scores={"ada": 9, "bea": 3, "ciro": 1}))
    ada = Person(hall, "ada")
    assert "This table writes its result on paper" in ada.page().words
    hall.do(event("result_recorded", round=1, table=2, scores={"dora": 9, "elio": 3, "fede": 1}))
    hall.do(event("round_closed", stage=1, round=1))
    page = ada.page().words
    assert "The next round will be drawn soon" in page
    assert "Shared place 1 of 7, points: 2" in page
    assert "Round 1 · table 1 · from paper 2" in page
    hall.do(event("tournament_closed", heads={}))
    assert "The tournament is over Shared place 1 of 7" in ada.page().words


def test_table_leads_back_and_after_its_round_only_to_signing() -> None:
    hall = opened()
    for player in ("ada", "dora"):
        hall.add_key("entrant", player)
    ada = Person(hall, "ada")
    hall.draw(1, *TABLES)
    first = hall.publish()
    assert begin_hand(ada, first[1]).status_code == 303  # so it stays open after the round
    table = ada.page(f"/t/{first[1]}").words
    assert "Round 1, table 1" in table
    assert "Undo" in table
    hall.do(event("round_closed", stage=1, round=1))
    hall.draw(2, "fede bea ada", "ciro elio dora")
    second = hall.publish(2)
    page = ada.page(f"/t/{first[1]}")
    assert "You sit at table 1, seat 3" in page.words
    assert f"/t/{second[1]}" in [a["href"] for a in page.all("a")]
    part = ada.phone.get(f"/t/{first[1]}", headers={"X-Fragment": "1"}).text
    for html in (page.text, part):
        assert "pad-title" not in html
        assert "/undo" not in html
        assert 'name="fixed"' not in html
    assert "Undo" not in page.words
    assert "You sit at" not in ada.page(f"/t/{second[1]}").words

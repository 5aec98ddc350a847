"""Standings with their reasons, rounds with their draws, rulings, figures and paper.

Tests of ``web.tournament.standings``, ``web.tournament.standings_parts``,
``web.tournament.drawn_from`` and ``web.tournament.printing``.
"""

from scorekeeper.web.tournament.standings import SECTIONS
from tests.api.hall import Hall
from tests.evenings import event
from tests.web.tournament.visiting import Person, opened, service

TABLES = ("ada bea ciro", "dora elio fede")
FIRST = {"ada": 9, "bea": 3, "ciro": 1}
SECOND = {"dora": 9, "elio": 4, "fede": 2}


def play(hall: Hall, number: int, tables: tuple[str, ...], *results: dict[str, int]) -> None:
    """Play a round on paper, and close it."""
    hall.draw(number, *tables)
    hall.publish(number, *range(1, len(tables) + 1))
    for table, scores in enumerate(results, 1):
        hall.do(event("result_recorded", round=number, table=table, scores=scores))
    hall.do(event("round_closed", stage=1, round=number))


def test_standings_name_what_parted_equals_and_link_each_round() -> None:
    hall = opened(prizes={"1": 5000, "2": "A ham"})
    play(hall, 1, TABLES, FIRST, {"dora": 8, "elio": 4, "fede": 2})
    hall.do(event("points_adjusted", entrant="fede", points="1/2", reason="kindness"))
    hall.draw(2, *TABLES)
    session = hall.publish(2, 2)[1]
    page = Person(hall, "view").page("/standings")
    assert "before Dora: score 9 to 8" in page.words
    assert "kindness" in page.words
    assert "1½" in page.words
    assert "paper" in page.words
    assert "A ham" in page.words
    links = [a["href"] for a in page.all("a")]
    assert f"/t/{session}/results" in links
    assert f"/tournament/{hall.id}/standings/rounds?round=1" in links
    earlier = Person(hall, "view").page("/standings?round=1").words
    assert "after round 1" in earlier
    for wrong in ("/standings?stage=9", "/standings/rounds?round=9", "/standings/more?stage=0"):
        assert Person(hall, "view").look(wrong).status_code == 404


def test_round_shows_the_standings_of_its_draw_and_those_of_now() -> None:
    hall = opened()
    hall.draw(1, *TABLES)
    sessions = hall.publish(1, 2)
    hall.do(event("result_recorded", round=1, table=2, scores=SECOND))
    table = sessions[1]
    assert table is not None
    record_hand(hall, table, "ada", at=2)
    head = service().extensions["service"].end(table).head
    hall.draw(2, *TABLES, heads={table: head}, early=True)
    hall.publish(2, 1, 2)
    page = Person(hall, "view").page("/standings/rounds?round=2")
    assert "The standings at the draw" in page.words
    assert "have changed since" not in page.words
    assert "Draw: Everybody meets as many others as possible, number 1" in page.words
    version = service().extensions["service"].end(table).version
    answer = hall.record(table, event("penalty_given", side="ada", points=-500, reason="late"),
                         who="host", at=version)  # fmt: skip
    assert answer.status_code == 201, answer.text
    changed = Person(hall, "view").page("/standings/rounds?round=2").words
    assert "These standings have changed since. The draw stays as it was." in changed
    rounds = Person(hall, "view").page("/standings/rounds").words
    assert rounds.index("Round 1") < rounds.index("Round 2")


def record_hand(hall: Hall, session_id: str, winner: str, at: int) -> None:
    """Record a hand of Riparto that a player wins, by its totals."""
    others = [player for player in ("ada", "bea", "ciro") if player != winner]
    events = (
        event("hand_started", dealer="ada"),
        event("bid_made", player=winner, points=5),
        event("points_counted", points={winner: 9, others[0]: 1, others[1]: 1}),
    )
    answer = hall.record(session_id, *events, who="host", at=at)
    assert answer.status_code == 201, answer.text


def test_rulings_meetings_and_figures_are_listed() -> None:
    hall = opened()
    hall.draw(1, *TABLES)
    hall.publish(1, 1, 2)
    called = hall.do(event("director_called", round=1, table=1, about="A revoke"))
    hall.do(event("call_answered", call=called["events"][0]["seq"], text="Two points"))
    hall.do(event("result_assigned", round=1, entrant="ciro", points=3, reason="no-show"))
    page = Person(hall, "view").page("/standings/more").words
    assert "Round 1, table 1 A revoke: Two points" in page
    assert "Ciro 3: no-show" in page
    assert "Who met whom" in page
    assert "Tables 2" in page


def test_paper_links_open_for_those_who_see_them() -> None:
    hall = opened()
    play(hall, 1, TABLES, FIRST, SECOND)
    viewer = Person(hall, "view")
    files = [a["href"] for a in viewer.page("/print").all("a") if "/api/" in a["href"]]
    assert len(files) > 10
    for href in files:
        if href.partition("?")[0].endswith(("csv", "json", "txt", "score_sheets.pdf")):
            assert viewer.phone.get(href).status_code == 200, href
    assert len(SECTIONS) == 3

"""The screen of a hall: what it shows, what it hides, and that its address opens nothing else.

Tests of ``web.published.hall``, ``web.published.hall_view``, ``web.tournament.publishing`` and
``tournaments.movement``.
"""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from werkzeug.test import TestResponse

from scorekeeper.web.published import hall as hall_pages
from tests.api.hall import Hall
from tests.evenings import event
from tests.web.pages import Page, page_of
from tests.web.tournament.visiting import Person, opened, service

SIX = ("ada bea ciro", "dora elio fede")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """See each change at once."""
    monkeypatch.setattr(hall_pages, "TAG_SECONDS", 0.0)


def publish_screen(hall: Hall, **form: str) -> str:
    """Make the address of the screen as a director does; return it."""
    director = Person(hall)
    director.done("/hall", after="0", **form)
    return address_of(director)


def address_of(director: Person) -> str:
    """Return the address that the director's page shows."""
    (found,) = {a["href"] for a in director.page("/hall").all("a")
                if "/published/" in a["href"] and a["href"].startswith("http")}  # fmt: skip
    return found.rpartition("/")[2].partition("?")[0]


def get(address: str, rest: str = "", **more: str) -> TestResponse:
    """Return what a screen without keys and cookies gets."""
    return service().test_client().get(f"/published/{address}{rest}", headers=more)


def slides(address: str) -> list[Page]:
    """Return all pages of the screen, in their order."""
    pages, rest = list[Page](), "?page=1"
    while not pages or rest != "?page=1":
        page = page_of(get(address, rest))
        assert page.wrong == []
        assert not {tag for tag, _ in page.tags} & {"a", "button", "form", "input"}
        (main,) = page.all("main")
        pages.append(page)
        rest = f"?{main['data-next'].partition('?')[2]}"
    return pages


def record(hall: Hall, number: int, *tables: dict[str, int]) -> None:
    """Record the results of a round from paper, and close it."""
    for table, scores in enumerate(tables, 1):
        hall.do(event("result_recorded", round=number, table=table, scores=scores))
    hall.do(event("round_closed", stage=1, round=number))


def play_two_rounds(hall: Hall) -> None:
    """Play two rounds on paper; Ada falls from the first place to the third."""
    hall.draw(1, *SIX)
    hall.publish(1, 1, 2)
    record(hall, 1, {"ada": 9, "bea": 3, "ciro": 1}, {"dora": 8, "elio": 4, "fede": 2})
    hall.draw(2, "ada dora elio", "bea ciro fede")
    hall.publish(2, 1, 2)
    record(hall, 2, {"ada": 1, "dora": 9, "elio": 4}, {"bea": 7, "ciro": 2, "fede": 1})


def test_screen_shows_seats_the_clock_and_places_one_after_the_other() -> None:
    hall = opened("ada", "bea", "ciro", "dora", "elio", "fede", "gina", name="Sagra")
    address = publish_screen(hall)
    (welcome,) = slides(address)
    assert welcome.words.count("Sagra") >= 2
    hall.draw(1, *SIX, byes=["gina"])
    (before,) = slides(address)
    assert "Dora" not in before.words  # a draw that is not published
    hall.publish(1, 1, 2)
    hall.do(event("round_started", round=1, minutes=30))
    hall.do(event("time_added", round=1, minutes=5, table=2))
    by_name, by_table, clock = (page.words for page in slides(address)[:3])
    assert "Ada 1" in by_name.replace("Ada1", "Ada 1")
    assert "Gina" in by_name
    assert "sits out" in by_name
    assert by_table.index("Ciro") < by_table.index("Dora") < by_table.index("Fede")
    assert "until" in clock
    assert "Table 2" in clock
    record(hall, 1, {"ada": 9, "bea": 3, "ciro": 1}, {"dora": 8, "elio": 4, "fede": 2})
    (places,) = (page.words for page in slides(address))
    assert "Standings" in places
    assert places.index("Ada") < places.index("Bea") < places.index("Fede")


def test_standings_show_who_moved_unless_they_are_hidden() -> None:
    hall = opened()
    play_two_rounds(hall)
    address = publish_screen(hall)
    (places,) = slides(address)
    assert "▲1Dora" in places.words
    assert "▼2Ada" in places.words
    file = get(address, "/standings.html")
    assert file.status_code == 200
    assert "<script" not in file.text
    assert file.text.index("Dora") < file.text.index("Ada")
    director = Person(hall)
    director.done("/hall", address=address, standings="hidden")
    (hidden,) = slides(address)
    for text in (hidden.text, get(address, "/standings.html").text):
        assert "Ada" not in text
    assert get(address, "/standings.html").status_code == 404


def test_every_screen_gets_the_time_of_the_server_and_the_same_content() -> None:
    hall = opened()
    address = publish_screen(hall)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: get(address), range(40)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.headers["ETag"] for answer in answers}) == 1
    assert all(answer.headers["X-Now"] > hall.read("/clock")["now"][:10] for answer in answers)
    again = get(address, If_None_Match=answers[0].headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["X-Now"] >= answers[-1].headers["X-Now"]
    hall.do(event("note_added", text="something"))  # nothing that a screen shows
    assert get(address).headers["ETag"] == answers[0].headers["ETag"]


def test_address_opens_the_screen_and_nothing_else() -> None:
    """As a key in a header, in the cookie and in a path, at every route; then it ends."""
    hall = opened()
    play_two_rounds(hall)
    address, app = publish_screen(hall), service()
    assert get(address, "/picture.png").status_code == 404
    assert app.test_client().get(f"/api/published/{address}").status_code == 404
    assert app.test_client().get(f"/join/{address}").status_code == 401
    ids = {"tournament": hall.id, "tournament_id": hall.id}
    tried = 0
    for rule in app.url_map.iter_rules():
        if not rule.arguments & ids.keys() or rule.arguments & {"club", "club_id"}:
            continue
        form = re.search(r"any\((\w+)", rule.rule)
        values = {**dict.fromkeys(rule.arguments, "1"), "form": form[1] if form else "", **ids}
        _, path = rule.build(values, False) or ("", "")
        for method in {"GET", "POST", "DELETE"} & (rule.methods or set()):
            for cookie in ("", "phone", "__Host-phone"):
                phone = app.test_client(use_cookies=False)
                named = {"Cookie": f"{cookie}={address}"} if cookie else {
                    "Authorization": f"Bearer {address}"}  # fmt: skip
                answer = phone.open(path, method=method, headers=named, json={})
                assert answer.status_code in (400, 401, 403), (method, path)
                tried += 1
    assert tried > 30
    director = Person(hall)
    director.done("/hall/end", address=address)
    never = "a" * len(address)
    for rest in ("", "?page=2", "/standings.html", "/picture.png"):
        ended, unknown = get(address, rest), get(never, rest)
        assert ended.status_code == unknown.status_code == 404
        assert ended.text.replace(address, never) == unknown.text
    director.done("/hall", after="1")
    assert address_of(director) != address


def test_only_a_director_makes_the_address() -> None:
    hall = opened()
    hall.add_key("assistant")
    for who in ("assistant", "view"):
        person = Person(hall, who)
        assert person.look("/hall").status_code == 403
        assert person.post("/hall", after="0").status_code == 403

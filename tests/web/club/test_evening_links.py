"""Pages of an evening lead to its club, for those who may read the club, and to nobody else.

Tests of ``http.access`` and ``web.wording.days``.
"""

import re
from typing import Final

import pytest
from flask.testing import FlaskClient

from tests.api.asking import Table, client_of, cookie_of, match
from tests.api.clubbing import Circle, evening
from tests.evenings import event
from tests.web.club.visiting import OWN, Visit, log_of, riparto, service
from tests.web.looking import cookie
from tests.web.pages import page_of

PAGES: Final = (
    "",
    "/results",
    "/h/1-1",
    "/audit",
    "/export",
    "/settings",
    "/d/1-1",
    "/log",
    "/chat",
)


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


@pytest.fixture
def circle(client: FlaskClient) -> Circle:
    circle = Circle.open(client)
    circle.add_key("member", "leo")
    return circle


def club_links(circle: Circle, table: Table, path: str, *keys: str) -> list[str]:
    """Return the links to the club on a page of a table, for a phone with these keys."""
    answer = circle.client.get(f"/t/{table.id}{path}", headers=cookie_of(circle.client, *keys))
    assert answer.status_code == 200, (path, answer.text)
    links = [a["href"] for a in page_of(answer).all("a") if "/club/" in a.get("href", "")]
    if not links:
        assert circle.id not in answer.text
    return links


@pytest.mark.parametrize("path", PAGES)
def test_each_page_of_an_evening_leads_a_member_to_the_club(circle: Circle, path: str) -> None:
    table = evening(circle.client)
    circle.enter(table)
    for key in (circle.keys["leo"], circle.keys["view"], circle.keys["host"]):
        links = club_links(circle, table, path, table.keys["leo"], key)
        assert f"/club/{circle.id}" in links


@pytest.mark.parametrize("path", PAGES)
def test_a_player_without_a_key_to_the_club_does_not_learn_of_it(circle: Circle, path: str) -> None:
    table = evening(circle.client)
    circle.enter(table)
    assert club_links(circle, table, path, table.keys["nina"]) == []
    other = Circle.open(circle.client)
    assert club_links(circle, table, path, table.keys["mara"], other.keys["host"]) == []


def test_a_revoked_key_and_a_withdrawn_evening_end_the_link(circle: Circle) -> None:
    table, other = evening(circle.client), evening(circle.client)
    circle.enter(table)
    circle.enter(other)
    key_id = circle.add_key("view")
    assert club_links(circle, table, "/results", table.keys["view"], circle.keys["view"])
    circle.do(event("evening_withdrawn", session=table.id, reason="a friendly game"))
    assert club_links(circle, table, "/results", table.keys["view"], circle.keys["view"]) == []
    assert club_links(circle, other, "/results", other.keys["view"], circle.keys["view"])
    assert circle.ask("DELETE", f"/keys/{key_id}").status_code == 204
    assert club_links(circle, other, "/results", other.keys["view"], circle.keys["view"]) == []


def test_a_table_of_no_club_has_no_link(client: FlaskClient) -> None:
    table = Table.open(client)
    table.do(match())
    answer = client.get(f"/t/{table.id}", headers=cookie(table, "host"))
    assert "/club/" not in answer.text.partition("<main")[2]


# -------------------------------------------------------------------------------- names and lines


def test_a_name_in_the_table_of_the_season_leads_to_the_member() -> None:
    visit = Visit.found()
    visit.enter(riparto())
    names = {a["href"].partition("?")[0] for a in visit.page().all("a")
             if a.get("class") == "to-member"}  # fmt: skip
    assert names == {f"/club/{visit.club_id}/member/{who}" for who in ("mara", "leo", "nina")}
    for name in names:
        assert visit.phone.get(name).status_code == 200


@pytest.mark.parametrize(("line", "place"), [
    (b'{"type":"session_opened","data":{"title":"x"}}\n', "Line 1, field data.players:"),
    (b'{"type":"session_opened","data":{"title":"x","players":7}}\n',
     "Line 1, field data.players:"),
    (b'{"type":"session_opened"}\n', "Line 1, field data.title:"),
    (b'{"x":1}\n', "Line 1, field x:"),
    (b"{\n", "Line 1:"),
])  # fmt: skip
def test_a_file_that_cannot_be_entered_names_its_line_and_field(line: bytes, place: str) -> None:
    words = Visit.found().enter(line).words
    assert place in words, words


def test_a_sealed_line_without_a_field_names_it() -> None:
    log = log_of([event("session_opened", title="x", players=[]), event("note_added", text="y")],
                 "2026-10-02")  # fmt: skip
    broken = re.sub(rb'"by":"keeper",', b"", log, count=1)
    assert "Line 1, field by: This field is missing" in Visit.found().enter(broken).words


def test_the_fields_that_save_house_rules_stand_within_them() -> None:
    visit = Visit.found()
    text = visit.phone.get(f"/new?club={visit.club_id}&game=knock").text
    (section,) = re.findall(
        r'<details class="house"[^>]*>\s*<summary>House rules.*?</details>', text, re.DOTALL
    )
    for field in ('id="house-name"', 'id="keep-them"', 'name="club-house"', "/settings/houses"):
        assert field in section
        assert text.count(field) == 1
    form = {"game": "knock", "club-house": "x" * 200, "club": visit.club_id}
    refused = visit.phone.post(f"/club/{visit.club_id}/settings/houses", data=form, headers=OWN)
    assert re.search(r'<details class="house" open>\s*<summary>House rules', refused.text)


# ------------------------------------------------------------------------------------------ days


@pytest.mark.parametrize(("accepted", "short", "long"), [
    ("en-US,en;q=0.9", "Oct 2, 2026", "October 2, 2026"), ("en-GB", "2 Oct 2026", "2 October 2026"),
    ("en", "2 Oct 2026", "2 October 2026"), ("de,en", "2 Oct 2026", "2 October 2026"),
    ("it-IT", "2 ott 2026", "2 ottobre 2026"), ("fr-FR", "2 oct. 2026", "2 octobre 2026"),
])  # fmt: skip
def test_days_are_written_in_the_order_of_the_reader(accepted: str, short: str, long: str) -> None:
    visit = Visit.found()
    visit.enter(riparto("2026-10-02"))
    (evening_id,) = [
        item["session"]
        for item in visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["evenings"]
    ]
    headers = {"Accept-Language": accepted}
    assert short in visit.phone.get(f"/club/{visit.club_id}", headers=headers).text
    assert long in visit.phone.get(f"/t/{evening_id}/results", headers=headers).text
    other = "en-US" if accepted == "en-GB" else "en-GB"
    visit.phone.get(f"/t/{evening_id}/results", headers={"Accept-Language": other})
    assert long in visit.phone.get(f"/t/{evening_id}/results", headers=headers).text


def test_the_title_of_a_new_table_has_the_order_of_the_pages() -> None:
    phone = service().test_client()
    for accepted, form in (("en-US", r"[A-Z]\w+ \d+, \d{4}"), ("en-GB", r"\d+ [A-Z]\w+ \d{4}")):
        page = page_of(phone.get("/new", headers={"Accept-Language": accepted}))
        (title,) = [field for field in page.all("input") if field.get("name") == "title"]
        assert re.search(f"of {form}$", title["placeholder"]), title

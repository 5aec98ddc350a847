"""A club whose key to an evening was revoked: the content of its pages.

Tests of ``service.followers`` and of the pages of ``web.club`` and ``web.keeping.settings``.
"""

from collections.abc import Iterator

import pytest

from tests.api.asking import Table, bearer, hand
from tests.api.clubbing import evening
from tests.api.routes import code_of
from tests.evenings import event
from tests.web.club.visiting import Visit
from tests.web.pages import Page, page_of

LATER = "a note of somebody whom the club must not read"


@pytest.fixture
def visit() -> Visit:
    return Visit.found()


@pytest.fixture
def table(visit: Visit) -> Table:
    return evening(visit.app.test_client(use_cookies=False))


def entered(visit: Visit, **named: str) -> None:
    """Enter an evening on the pages of the club."""
    form = page_of(visit.post("/enter/who", **named))
    hidden = {field["name"]: field["value"] for field in form.all("input")}
    players = {f"as-{player}": player for player in ("mara", "leo", "nina")}
    assert visit.done("/enter", **hidden, **players)


def goes_on(table: Table) -> None:
    """Record an event that every page with access shows."""
    table.do(*hand(dealer="leo", bidder="nina", points=8), event("note_added", text=LATER),
             event("player_joined", id="zoe", name="Zoe the Later"), as_played=True)  # fmt: skip


def pages(visit: Visit, table: Table) -> Iterator[tuple[str, Page, str]]:
    """Return every page of the club and of its evening, with their cookies."""
    club = f"/club/{visit.club_id}"
    for path in (club, f"{club}/evenings", f"{club}/member/nina", f"{club}/records",
                 f"{club}/money", f"{club}/export", f"{club}/settings",
                 f"{club}/settings/recorded", f"/t/{table.id}/results",
                 f"/t/{table.id}/audit", f"/t/{table.id}/h/1-1"):  # fmt: skip
        answer = visit.phone.get(path)
        assert answer.status_code == 200, (path, answer.text)
        yield path, page_of(answer), " ".join(answer.headers.getlist("Set-Cookie"))


def texts(visit: Visit, table: Table) -> dict[str, str]:
    """Return the text of each page, without the parts that are new in each response."""
    return {path: page.words for path, page, _ in pages(visit, table)}


def test_no_page_shows_what_came_after_the_key_was_taken_back(visit: Visit, table: Table) -> None:
    entered(visit, link=f"http://table.example/join/{table.keys['view']}")
    key = table.key_ids()["view"][0]
    assert table.ask("DELETE", f"/keys/{key}").status_code == 204
    assert "no longer followed" in texts(visit, table)[f"/club/{visit.club_id}/evenings"]
    before, end = texts(visit, table), table.head
    goes_on(table)
    assert texts(visit, table) == before
    for path, page, set_cookies in pages(visit, table):
        for newer in (LATER, "Zoe the Later", table.head):
            assert newer not in page.text + set_cookies, path
        if path.endswith(("/results", "/audit")):
            assert "no longer follows" in page.words
    assert end in visit.phone.get(f"/t/{table.id}/audit").headers["Set-Cookie"]
    for path in (f"/t/{table.id}", f"/t/{table.id}/h/1-2", f"/api/sessions/{table.id}/stream"):
        assert visit.phone.get(path).status_code in (401, 403, 404), path


def test_no_later_head_is_confirmed_after_the_key_was_taken_back(
    visit: Visit, table: Table
) -> None:
    """Or a viewer of the club could try what was recorded later, and learn that anything was."""
    entered(visit, link=f"http://table.example/join/{table.keys['view']}")
    seen = f"version={table.version}&head={table.head}"
    assert table.ask("DELETE", f"/keys/{table.key_ids()['view'][0]}").status_code == 204
    goes_on(table)
    audit = f"/t/{table.id}/audit"
    assert "The log still contains" in page_of(visit.phone.get(f"{audit}?{seen}")).words
    later = [
        page_of(visit.phone.get(f"{audit}?version={table.version}&head={head}")).words
        for head in (table.head, "0" * 64)
    ]
    assert later[0] == later[1]
    visit.phone.set_cookie(f"seen-{table.id}", f"{table.version}.{table.head}", path="/")
    assert f"event {table.version}" not in page_of(visit.phone.get(audit)).words


def test_a_code_counts_as_a_key_that_its_host_can_take_back(visit: Visit, table: Table) -> None:
    known = table.key_ids()["view"]
    entered(visit, code=code_of(table))
    (key_id,) = set(table.key_ids()["view"]) - set(known)
    assert table.get("/clubs").get_json()["clubs"][0]["keys"] == [key_id]
    assert table.ask("DELETE", f"/keys/{key_id}").status_code == 204
    before = texts(visit, table)
    goes_on(table)
    assert texts(visit, table) == before


def test_a_code_that_enters_nothing_leaves_no_key(visit: Visit, table: Table) -> None:
    known = table.key_ids()
    form = page_of(visit.post("/enter/who", code=code_of(table)))
    hidden = {field["name"]: field["value"] for field in form.all("input")}
    two_as_one = {"as-mara": "mara", "as-leo": "mara", "as-nina": ""}
    assert visit.post("/enter", **hidden, **two_as_one).status_code == 422
    assert table.key_ids() == known
    entered(visit, code=hidden["code"])
    assert visit.post("/enter", **hidden, **two_as_one).status_code == 422
    assert len(table.key_ids()["view"]) == 2


def test_the_host_stops_a_club_and_a_live_link_goes_on(visit: Visit, table: Table) -> None:
    entered(visit, link=f"http://table.example/join/{table.keys['view']}")
    host = bearer(table.keys["host"])
    client = table.client
    settings = page_of(client.get(f"/t/{table.id}/settings", headers=host))
    assert "Clubs that count this evening" in settings.words
    assert "Clubs" not in page_of(
        client.get(f"/t/{table.id}/settings", headers=bearer(table.keys["leo"]))
    ).words  # fmt: skip
    path = f"/t/{table.id}/settings/club"
    for who, status in (("view", 403), ("leo", 403), ("host", 303), ("host", 303)):
        sent = client.post(path, data={"club": visit.club_id}, headers=bearer(table.keys[who]))
        assert sent.status_code == status
    assert client.post(path, data={"club": "x"}, headers=host).status_code == 404
    stopped = page_of(client.get(f"/t/{table.id}/settings?done=stopped", headers=host))
    assert "no longer followed" in stopped.words
    before = texts(visit, table)
    goes_on(table)
    assert texts(visit, table) == before
    again = visit.post("/enter/who", link=table.keys["leo"])
    assert (again.status_code, again.headers["Location"][-14:]) == (303, "?done=followed")
    assert "no longer followed" not in texts(visit, table)[f"/club/{visit.club_id}/evenings"]
    assert texts(visit, table) != before


def test_taking_a_link_back_says_which_clubs_it_concerns(visit: Visit, table: Table) -> None:
    entered(visit, link=f"http://table.example/join/{table.keys['view']}")
    ids = table.key_ids()
    host = bearer(table.keys["host"])
    for who, says in (("view", True), ("leo", False)):
        asked = table.client.get(f"/t/{table.id}/settings/key/{ids[who][0]}", headers=host)
        assert ("A club that was given the evening" in page_of(asked).words) is says

"""A session or club that the operator deletes while the service runs is served no more."""

import pytest

from scorekeeper.store import Store
from scorekeeper.store.publication_store import PublicView
from tests.api.asking import Table, bearer, client_of
from tests.api.clubbing import Circle
from tests.evenings import event
from tests.web.club.test_seasons import GOOD, closed
from tests.web.club.visiting import Visit, riparto
from tests.web.pages import page_of


def store_of(visit: Visit) -> Store:
    store: Store = visit.app.extensions["service"].store
    return store


def evening_of(visit: Visit) -> str:
    """Return the session of the club's only evening."""
    links = [a.get("href", "") for a in visit.page("/evenings").all("a")]
    (session_id,) = {link.split("/")[2] for link in links if link.endswith("/results")}
    return session_id


def test_deleted_evening_counts_nothing_and_says_its_day() -> None:
    visit = Visit.found()
    visit.enter(riparto())
    gone = evening_of(visit)
    assert "1 evening" in visit.page().words
    before = visit.page("/records").words
    store_of(visit).delete_stream(gone)
    day = store_of(visit).deleted_at([gone])[gone][:10]
    words = visit.page("/evenings").words
    assert f"{gone} deleted by the operator on " in words
    assert day[:4] in words
    assert "1 evening cannot be read here" in visit.page().words
    assert visit.page("/records").words != before
    assert "Evening of" not in visit.page().words
    visit.done(f"/evenings/{gone}/withdraw", reason="it was deleted")
    assert gone not in visit.page("/evenings").words


def test_final_table_of_a_closed_season_does_not_show_a_deleted_evening() -> None:
    visit = Visit.found()
    visit.enter(riparto("2026-10-02"))
    gone = evening_of(visit)
    visit.done("/settings/season", **GOOD)
    closed(visit)
    visit.done(f"/evenings/{gone}/withdraw", reason="only the final table has it now")
    table = f"/api/clubs/{visit.club_id}/standings?season=autumn"
    assert visit.phone.get(table).get_json()["rows"]
    store_of(visit).delete_stream(gone)
    after = visit.phone.get(table).get_json()
    assert after["rows"] == []
    assert after["after_the_close"]["lost"] == [gone]


@pytest.fixture
def table() -> Table:
    return Table.open(client_of())


def test_deleted_session_is_gone_for_every_reader(table: Table) -> None:
    table.get()
    table.get("/log.jsonl")
    page = table.client.get(f"/t/{table.id}", headers=bearer(table.keys["host"]))
    assert page.status_code == 200
    store: Store = table.client.application.extensions["service"].store
    store.delete_stream(table.id)
    for path in ("", "/events", "/log.jsonl", "/sheet.pdf", "/next", "/keys", "/stream", "/audit"):
        answer = table.get(path)
        assert (answer.status_code, answer.get_json()["code"]) == (410, "deleted"), path
        assert "on 20" in answer.get_json()["detail"]
    answer = table.append(event("note_added", text="late"))
    assert answer.status_code == 410
    page = table.client.get(f"/t/{table.id}", headers=bearer(table.keys["host"]))
    assert page.status_code == 410
    assert "Deleted by the operator" in page_of(page).words
    assert "It was deleted on " in page_of(page).words
    assert page_of(page).wrong == []


def test_public_page_of_a_deleted_club_is_gone() -> None:
    visit = Visit.found()
    visit.enter(riparto())
    store = store_of(visit)
    store.publish(visit.club_id, 0, PublicView())
    publication = store.latest_publication(visit.club_id)
    assert publication is not None
    assert visit.phone.get(f"/published/{publication.address}").status_code == 200
    store.delete_stream(visit.club_id)
    for path in ("", "/picture.png"):
        assert visit.phone.get(f"/published/{publication.address}{path}").status_code == 404


def test_deleted_club_is_gone_for_every_reader(table: Table) -> None:
    circle = Circle.open(table.client)
    circle.enter(table)
    store: Store = table.client.application.extensions["service"].store
    store.delete_stream(circle.id)
    answer = circle.get()
    assert (answer.status_code, answer.get_json()["code"]) == (410, "deleted")
    assert table.get("/clubs").get_json() == {"clubs": []}
    assert table.get().status_code == 200

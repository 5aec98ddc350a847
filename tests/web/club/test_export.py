"""``/club/<club_id>/export``: every file can be downloaded, and a calendar can subscribe."""

from tests.web.club.visiting import Visit, riparto
from tests.web.pages import page_of


def test_every_file_can_be_taken_in_the_language_of_the_phone() -> None:
    visit = Visit.found()
    visit.enter(riparto())
    page = page_of(visit.phone.get(f"/club/{visit.club_id}/export",
                                    headers={"Accept-Language": "it"}))  # fmt: skip
    files = [a["href"] for a in page.all("a") if "download" in a]
    assert len(files) == 7
    for href in files:
        assert visit.phone.get(href).status_code == 200, href
    (table,) = [href for href in files if "/exports/csv" in href]
    assert b";" in visit.phone.get(table).data.splitlines()[0]


def test_a_calendar_subscribes_by_an_address_of_its_own() -> None:
    visit = Visit.found()
    visit.enter(riparto())
    page = page_of(visit.post("/export"))
    (feed,) = [a["href"] for a in page.all("a") if "key=" in a.get("href", "")]
    answer = visit.app.test_client().get(feed)
    assert answer.status_code == 200
    assert b"BEGIN:VEVENT" in answer.data
    assert "key=" not in visit.look("/export").text
    assert "Ask the host for an address" in visit.other("view").page("/export").words


def test_other_seasons_can_be_chosen() -> None:
    visit = Visit.found()
    visit.enter(riparto())
    visit.done("/settings/season", **{"name": "Autumn", "from": "2026-10-01", "game": ["riparto"],
                                      "by": "points"})  # fmt: skip
    assert "season=autumn" in visit.look("/export").text
    assert "season=autumn&" not in visit.look("/export?season=ever").text.partition("files")[2]
    assert visit.look("/export?season=none").status_code == 404

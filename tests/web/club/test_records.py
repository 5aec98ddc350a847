"""``/club/<club_id>/records``: the records of the API, their holders, and links.

Tests of ``web.club.rule_sets``.
"""

from tests.web.club.visiting import GOLDEN, Visit, riparto, well_formed


def test_each_record_stands_there_and_opens() -> None:
    visit = Visit.found()
    visit.enter(*sorted(GOLDEN.glob("*/evening.jsonl")), riparto())
    body = visit.phone.get(f"/api/clubs/{visit.club_id}/records").get_json()
    page = visit.page("/records")
    for record in (*body["club"], *(r for game in body["games"] for r in game["records"])):
        assert all(who["name"] in page.words for who in record["members"])
    links = {a["href"] for a in page.all("a") if a.get("href", "").startswith("/t/")}
    assert len(links) > 10
    for link in links:
        well_formed(visit.phone.get(link.partition("#")[0]))


def test_a_season_has_records_of_its_own() -> None:
    visit = Visit.found()
    visit.enter(riparto("2026-10-02"), riparto("2026-11-06", "leo"))
    visit.done("/settings/season", **{"name": "Autumn", "from": "2026-10-01", "to": "2026-10-31",
                                      "game": ["riparto"], "by": "points"})  # fmt: skip
    assert "Most evenings 2" in visit.page("/records").words
    assert "Most evenings 1" in visit.page("/records?season=autumn").words
    assert visit.look("/records?season=none").status_code == 404


def test_without_an_evening_there_are_none() -> None:
    assert "No evening counts here yet." in Visit.found().page("/records").words

"""``…/tournaments``: a club starts, enters and lists tournaments.

Tests of ``web.club.entering_tournament`` and ``web.tournament.of_club``.
"""

import pytest

from tests.api.hall import Hall
from tests.api.test_club_tournaments import play
from tests.web.club.visiting import OWN, Visit, well_formed
from tests.web.pages import Page, inputs_of, page_of

NAMES = ("Ada", "Bea", "Ciro", "Dora", "Elio", "Fede")


@pytest.fixture
def visit() -> Visit:
    return Visit.found(*NAMES)


def fields(page: Page) -> dict[str, str]:
    """Return the names and values of the inputs of a form about people."""
    return {field["name"]: field.get("value", "") for field in page.all("input")
            if field.get("name") and field["name"] != "join"}  # fmt: skip


def hall_of(visit: Visit, *entrants: str, **more: str) -> Hall:
    """Return a tournament whose director's key the phone of the club's host has."""
    hall = Hall.open(visit.app.test_client(use_cookies=False), *entrants, **more)
    joined = visit.phone.post("/join", data={"key": hall.keys["host"]}, headers=OWN)
    assert joined.status_code == 303
    return hall


def test_a_tournament_of_the_club_has_its_members_and_comes_back_by_one_button(
    visit: Visit,
) -> None:
    form = {"club": visit.club_id, "game": "riparto", "name": "Sagra", "plan": "bologna"}
    opened = visit.phone.post("/tournament/new", data=form, headers=OWN)
    path = opened.headers["Location"].removeprefix("http://localhost")
    page = well_formed(visit.phone.get(path))
    members = [field["value"] for field in page.all("input") if field.get("name") == "member"]
    assert members == ["ada", "bea", "ciro", "dora", "elio", "fede"]
    none = visit.phone.post(f"{path}/add", data={"from_club": "yes"}, headers=OWN)
    assert "Choose who plays." in well_formed(none, 422).words
    for _ in range(2):
        sent = {"from_club": "yes", "member": members[:4]}
        visit.phone.post(f"{path}/add", data=sent, headers=OWN)
    assert "4 entrants" in well_formed(visit.phone.get(path)).words
    visit.post("/settings/member/ada", act="rename", name="Adele")
    tournament = path.split("/")[2]
    who = well_formed(visit.post("/enter/who", session=tournament))
    assert fields(who)["as-ada"] == "Adele"
    visit.done("/enter", **fields(who))
    assert "not begun yet" in visit.page("/tournaments").words


def test_new_people_join_or_are_guests_and_it_can_be_entered_again(visit: Visit) -> None:
    hall = hall_of(visit, "ada", "bea", "ciro", "dora", "elio", "ugo")
    play(hall, 1, "ada bea ciro", "dora elio ugo")
    named = {"link": f"http://localhost/tournament/{hall.id}"}
    who = well_formed(visit.post("/enter/who", **named))
    assert fields(who)["as-ugo"] == "Ugo"
    twice = visit.refused("/enter", **{**fields(who), "as-bea": "Ada"})
    assert "only one of them is Ada" in twice.words
    visit.done("/enter", **{**fields(who), "as-ugo": ""})
    again = well_formed(visit.post("/enter/who", **named))
    assert fields(again)["as-ugo"] == ""
    visit.done("/enter", **{**fields(again), "as-ugo": "Ugo"})
    assert "Guests" in visit.page().words
    for path in (
        "",
        "/evenings",
        f"/tournaments/{hall.id}",
        "/member/ada",
        "/records",
        "/tournaments",
        "/settings/recorded",
        f"/evenings/{hall.id}/withdraw",
    ):
        assert hall.id not in visit.page(path).words
    assert "Tournament added: Sagra" in visit.page("/settings/recorded").words
    listed = visit.page(f"/tournaments/{hall.id}")
    assert ("Round 1" in listed.words, "Table 2" in listed.words) == (True, True)
    for link in [
        link["href"] for link in listed.all("a") if link.get("href", "").startswith("/t/")
    ]:
        assert visit.phone.get(link).status_code == 200


def test_winner_stands_in_the_list_when_the_tournament_is_closed(visit: Visit) -> None:
    hall = hall_of(visit)
    play(hall, 1)
    who = well_formed(visit.post("/enter/who", session=hall.id))
    visit.done("/enter", **fields(who))
    assert "won" not in visit.page("/tournaments").words
    assert visit.phone.post(f"/tournament/{hall.id}/more/close", headers=OWN).status_code == 303
    assert any(name in visit.page("/tournaments").words for name in NAMES)
    season = {"name": "Autumn", "from": "2020-01-01", "game": "riparto", "by": "points"}
    visit.done("/settings/season", **season)
    there = "/settings/season/autumn/close"
    visit.done(there, tag=inputs_of(visit.page(there))["tag"])
    assert "closed" in visit.page().words
    visit.done(f"/evenings/{hall.id}/withdraw", reason="a trial")
    after = visit.page()
    assert "1 evening was withdrawn" in after.words
    assert "cannot be read" not in after.words


def test_a_stranger_to_the_club_sees_neither_members_nor_the_button(visit: Visit) -> None:
    hall = hall_of(visit, club=visit.club_id)
    assert (
        "Add it to the club"
        in well_formed(visit.phone.get(f"/tournament/{hall.id}/entrants")).words
    )
    other = visit.app.test_client()
    other.post("/join", data={"key": hall.keys["host"]}, headers=OWN)
    page = page_of(other.get(f"/tournament/{hall.id}/entrants"))
    assert ("Add it to the club" in page.words, "Circolo" in page.words) == (False, False)
    form = {"club": visit.club_id, "game": "riparto", "name": "Sagra", "plan": "bologna"}
    assert other.post("/tournament/new", data=form, headers=OWN).status_code in (401, 403)
    assert other.post(f"/club/{visit.club_id}/enter/who", data={"session": hall.id},
                      headers=OWN).status_code in (401, 403)  # fmt: skip

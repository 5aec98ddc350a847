"""A new table for a club: its members as buttons, latest players first, and the entry."""

import pytest

from tests.web.club.visiting import OWN, Visit, riparto, well_formed
from tests.web.pages import Page, inputs_of, page_of


def form(visit: Visit, query: str = "") -> Page:
    return well_formed(visit.phone.get(f"/new?club={visit.club_id}{query}"))


def chips(page: Page) -> list[str]:
    return [button["value"] for button in page.all("button") if button.get("name") == "sit"]


def test_last_players_come_first_in_their_order_after_the_viewer() -> None:
    visit = Visit.found("Mara", "Leo", "Nina", "Ada", "Bea")
    visit.enter(riparto(seats="ada mara leo"), riparto("2026-10-09", seats="nina mara leo"))
    assert chips(form(visit)) == ["Mara", "Leo", "Nina", "Ada", "Bea"]
    seated = inputs_of(form(visit, "&again=1"))["name"]
    assert [name for name in seated if name] == ["Mara", "Leo", "Nina"]


def test_members_are_offered_as_names_are_typed() -> None:
    names = [f"Member {n:03}" for n in range(100)]
    visit = Visit.found(*names)
    page = form(visit)
    assert len(chips(page)) == 24
    assert [option["value"] for option in page.all("option")] == names


def test_the_evening_counts_as_the_table_opens_with_guests_who_are_no_members() -> None:
    visit = Visit.found()
    answer = visit.phone.post(
        "/new", headers=OWN,
        data={"club": visit.club_id, "game": "riparto", "name": ["Mara", "leo", "Pippo"]},
    )  # fmt: skip
    assert answer.status_code == 303
    session_id = answer.headers["Location"].split("/")[2]
    (entered,) = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["evenings"]
    assert entered["session"] == session_id
    assert entered["players"] == {"mara": "mara", "leo": "leo", "pippo": "pippo"}
    people = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["members"]
    assert {person["id"]: person["guest"] for person in people}["pippo"] is True


def test_member_can_open_a_table_and_a_viewer_cannot() -> None:
    visit = Visit.found()
    leo = visit.other("seat", "leo")
    assert chips(form(leo)) == ["Leo", "Mara", "Nina"]
    answer = leo.phone.post(
        "/new", headers=OWN,
        data={"club": visit.club_id, "game": "riparto", "name": ["Leo", "Mara", "Nina"]},
    )  # fmt: skip
    assert answer.status_code == 303
    assert "Leo, Mara, Nina" in leo.page().words
    looker = visit.other("view")
    assert looker.phone.get(f"/new?club={visit.club_id}").status_code == 403
    assert f"/new?club={visit.club_id}" not in looker.look().text


def test_phone_outside_of_the_club_gets_advice() -> None:
    asked = Visit.found().phone.get(f"/new?club={Visit.found().club_id}")
    assert "This phone has no key to the club." in page_of(asked).words
    looker = Visit.found().other("view")
    page = page_of(looker.phone.get(f"/new?club={looker.club_id}"))
    assert f"/club/{looker.club_id}" in {a["href"] for a in page.all("a")}


@pytest.mark.parametrize(
    ("club_id", "status"), [("nonsense", 404), ("o" + "2" * 11, 404), ("", 200)]
)
def test_a_club_that_is_not_there(club_id: str, status: int) -> None:
    assert Visit.found().phone.get(f"/new?club={club_id}").status_code == status

"""``/club/new``: the form keeps its values, shows errors beside fields, and opens a club."""

import pytest

from tests.web.club.visiting import OWN, Visit, service, well_formed
from tests.web.pages import Page, inputs_of

GOOD = {"name": "Circolo", "place": "Bar Sport", "me": "Mara", "others": "Leo\n\n  Nina  \n",
        "money": "no"}  # fmt: skip


def refused(**form: str) -> Page:
    client = service().test_client()
    return well_formed(client.post("/club/new", data={**GOOD, **form}, headers=OWN), 422)


def test_new_club_has_its_members_including_the_host() -> None:
    visit = Visit.found("Mara", "Leo", "Nina", place="Bar Sport")
    settings = visit.page("/settings").words
    assert "3 members" in settings
    assert "Mara this phone" in settings
    assert "Bar Sport" in visit.page().words
    log = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()
    assert [member["name"] for member in log["members"]] == ["Mara", "Leo", "Nina"]
    assert log["currency"] is None


def test_whether_the_club_plays_for_money_has_no_preselected_answer() -> None:
    page = well_formed(service().test_client().get("/club/new"))
    assert not [attrs for attrs in page.all("input") if "checked" in attrs]
    for money in ("", "perhaps"):
        assert "Choose yes or no." in refused(money=money).words


def test_money_is_off_unless_it_is_chosen() -> None:
    visit = Visit.found("Mara", money="yes", currency="chf")
    assert visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["currency"] == "CHF"


def test_host_without_a_name_is_not_a_member() -> None:
    visit = Visit.found("", "Leo", "Nina")
    assert "2 members" in visit.page("/settings").words
    assert "this phone" not in visit.page("/settings").words.partition("Links")[0].partition(
        "Who are you"
    )[0].replace("This phone", "")


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"name": "  "}, "Give the club a name."),
        ({"name": "x" * 201}, "This is longer than 200 letters."),
        ({"place": "x" * 201}, "This is longer than 200 letters."),
        ({"me": "x" * 61}, "This is longer than 60 letters."),
        ({"others": "Leo\nleo"}, "Two players are called leo. Add a letter to tell them apart."),
        ({"others": "mara"}, "Two players are called mara."),
        ({"others": "y" * 61}, "“yyyyyyyyyyyyyyyyyyyy…” is longer than 60 letters."),
        ({"others": "\n".join(map(str, range(300)))}, "At most 300 names fit here."),
        ({"money": "yes", "currency": "LIR"}, "The three letters of a currency"),
    ],
)
def test_errors_are_shown_beside_fields_that_keep_their_values(
    form: dict[str, str], says: str
) -> None:
    page = refused(**form)
    assert says in page.words
    assert "One thing is not right yet." in page.words
    assert len([attrs for _, attrs in page.tags if "aria-invalid" in attrs]) == 1
    if "place" not in form:
        assert inputs_of(page)["place"] == ["Bar Sport"]


def test_three_hundred_long_names_are_all_members() -> None:
    names = [f"{n:03} {'m' * 56}" for n in range(300)]
    visit = Visit.found(*names)
    settings = visit.page("/settings")
    assert all(name in settings.words for name in names)
    assert "300 members" in settings.words

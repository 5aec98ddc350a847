"""The host changes the club and its seasons: old values are shown, and the effect before it."""

from typing import Any

import pytest

from tests.web.club.visiting import Visit, riparto
from tests.web.pages import inputs_of, page_of

SEASON = {"name": "Autumn", "from": "2026-10-01", "to": "2026-10-31", "game": ["riparto"],
          "by": "points"}  # fmt: skip
LATE = riparto("2026-10-31T23", title="Late")  # begins on 1 November in Rome
CLUB, CHANGE = "/settings/club", "/settings/season/autumn/change"


@pytest.fixture
def club() -> Visit:
    visit = Visit.found("Mara", "Leo", "Nina")
    visit.enter(riparto("2026-10-09"), LATE, riparto("2026-11-02"))
    visit.done("/settings/season", **SEASON)
    return visit


def seen(visit: Visit) -> Any:
    return visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()


def evenings(visit: Visit) -> int:
    table = visit.phone.get(f"/api/clubs/{visit.club_id}/standings").get_json()
    return len(table["evenings"])


def test_name_and_place_change_at_once_and_are_shown_everywhere(club: Visit) -> None:
    club.done(CLUB, name="Circolo Nuovo", place="Bar Sport")
    assert (seen(club)["name"], seen(club)["place"]) == ("Circolo Nuovo", "Bar Sport")
    assert "Circolo Nuovo · Bar Sport" in club.page("/settings").words
    assert "Circolo Nuovo" in club.page().words
    assert "Circolo Nuovo" in page_of(club.phone.get("/")).words


def test_club_without_money_gets_a_currency_later(club: Visit) -> None:
    assert "This club has no currency" in club.page("/money").words
    club.done(CLUB, currency="chf")
    club.done("/money", **{"from": "leo", "to": "mara", "amount": "5"})
    assert seen(club)["currency"] == "CHF"
    assert "Payments are recorded in it, so it stays." in club.page(CLUB).words
    assert "Payments in CHF are recorded" in club.refused(CLUB, currency="EUR").words
    assert seen(club)["currency"] == "CHF"


def test_effect_of_another_zone_is_shown_before_it_is_saved(club: Visit) -> None:
    page = page_of(club.post(CLUB, zone="Europe/Rome", name="Other"))
    assert "Autumn: 1 evening leaves." in page.words
    assert "Until now: UTC" in page.words
    assert "Until now: Circolo" in page.words
    assert inputs_of(page)["seen"] == ["Europe/Rome"]
    assert (seen(club)["zone"], seen(club)["name"], evenings(club)) == ("UTC", "Circolo", 2)
    club.done(CLUB, zone="Europe/Rome", name="Other", seen="Europe/Rome")
    assert (seen(club)["zone"], seen(club)["name"], evenings(club)) == ("Europe/Rome", "Other", 1)


def test_effect_of_another_last_day_is_shown_before_it_is_saved(club: Visit) -> None:
    page = page_of(club.post(CHANGE, name="Autumn", to="2026-10-20"))
    assert "Autumn: 1 evening leaves." in page.words
    assert "Until now: 31 Oct 2026" in page.words
    assert evenings(club) == 2
    club.done(CHANGE, name="Autumn", to="2026-10-20", seen="2026-10-20")
    assert evenings(club) == 1
    page = page_of(club.post(CHANGE, name="Autumn", to=""))
    assert "Autumn: 2 evenings enter." in page.words
    club.done(CHANGE, name="Autumn", to="", seen="-")
    assert (evenings(club), seen(club)["seasons"][0]["to"]) == (3, None)
    page = page_of(club.post(CHANGE, name="Autumn", to="2027-01-01"))
    assert "No evening enters or leaves a season." in page.words


def test_effect_shown_for_another_day_is_not_enough(club: Visit) -> None:
    page = page_of(club.post(CHANGE, name="Autumn", to="2026-10-05", seen="2026-10-20"))
    assert "Autumn: 2 evenings leave." in page.words
    assert evenings(club) == 2


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"name": " "}, "Give the club a name."),
        ({"name": "x" * 201}, "This is longer than 200 letters."),
        ({"zone": "Europe/Atlantis"}, "Choose a time zone"),
        ({"currency": "LIR"}, "The three letters of a currency"),
    ],
)
def test_errors_of_the_club_are_shown_beside_the_field(
    club: Visit, form: dict[str, str], says: str
) -> None:
    page = club.refused(CLUB, **form)
    assert says in page.words
    assert len([attrs for _, attrs in page.tags if "aria-invalid" in attrs]) == 1


def test_recorded_place_and_currency_are_changed_and_not_removed(club: Visit) -> None:
    club.done(CLUB, place="Bar", currency="EUR")
    assert "Type another one" in club.refused(CLUB, place="").words
    assert "The three letters" in club.refused(CLUB, currency="").words


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"name": ""}, "Give the season a name"),
        ({"name": "Autumn", "to": "2026-02-31"}, "Choose a day."),
        ({"name": "Autumn", "to": "2026-09-30"}, "cannot end on"),
    ],
)
def test_errors_of_a_season_are_shown_beside_the_field(
    club: Visit, form: dict[str, str], says: str
) -> None:
    assert says in club.refused(CHANGE, **form).words


def test_closed_season_has_nothing_to_change(club: Visit) -> None:
    there = "/settings/season/autumn/close"
    club.done(there, tag=inputs_of(club.page(there))["tag"])
    assert club.look(CHANGE).status_code == 404
    assert club.post(CHANGE, name="Other").status_code == 404
    assert CHANGE not in club.look("/settings").text


def test_members_and_viewers_change_nothing(club: Visit) -> None:
    for other in (club.other("view"), club.other("seat", "leo")):
        for path in (CLUB, CHANGE):
            assert other.look(path).status_code == 403
            assert other.post(path, name="Theirs").status_code == 403
        assert CLUB not in other.look("/settings").text
    assert seen(club)["name"] == "Circolo"

"""``/club/<club_id>/settings/season``: opening and closing a season."""

from typing import Any

import pytest

from tests.evenings import event
from tests.web.club.visiting import Visit, riparto
from tests.web.pages import inputs_of, page_of

GOOD: dict[str, Any] = {"name": "Autumn", "from": "2026-10-01", "game": ["riparto"], "by": "points"}


def test_the_form_offers_the_games_that_were_played() -> None:
    visit = Visit.found()
    visit.enter(riparto())
    fields = inputs_of(visit.page("/settings/season"))
    assert fields["game"] == ["riparto"]
    assert fields["by"] == ["points"]
    assert fields["from"] == ["2026-01-01"]


def test_the_form_offers_the_year_in_which_the_last_evening_was_where_the_club_is() -> None:
    visit = Visit.found(zone="Europe/Rome")
    visit.enter(riparto("2026-12-31T23"))
    assert inputs_of(visit.page("/settings/season"))["from"] == ["2027-01-01"]


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"name": ""}, "Give the season a name"),
        ({"from": ""}, "Choose a day."),
        ({"from": "2026-13-01"}, "Choose a day."),
        ({"to": "2026-09-30"}, "The last day comes before the first."),
        ({"game": []}, "Choose at least one game."),
        ({"game": ["riparto", "knock"]}, "Points of different games cannot be added up."),
        ({"by": ""}, "Choose what counts."),
        ({"best": "0"}, "A number from 1 to 10000, or leave it empty."),
        ({"best": "x"}, "A number from 1 to 10000, or leave it empty."),
        ({"at_least": "-1"}, "A number from 1 to 10000, or leave it empty."),
        ({"by": "rating", "best": "3"}, "A rating follows from all evenings."),
        ({"by": "wins", "game": ["riparto", "knock"], "tie": ["points"]}, "cannot be added up"),
        ({"places-3": "5 2 0"}, "Only a season ranked by places gives points for places."),
        ({"by": "places", "places-3": "5 2"}, "Type 3 whole numbers, the first place first."),
        ({"by": "places", "places-3": "5 2 x"}, "Type 3 whole numbers, the first place first."),
        ({"by": "places", "places-4": "5 2 1.5 0"}, "Type 4 whole numbers"),
        ({"by": "places", "places-2": "1001 0"}, "Numbers from \N{MINUS SIGN}1000 to 1000."),
        ({"by": "places", "places-3": "5 0 2"}, "A lower place cannot get more"),
    ],
)
def test_season_errors_are_shown_beside_the_fields(form: dict[str, Any], says: str) -> None:
    page = Visit.found().refused("/settings/season", **{**GOOD, **form})
    assert says in page.words


def test_every_field_of_a_season_is_recorded() -> None:
    visit = Visit.found()
    visit.done("/settings/season", **GOOD, to="2026-10-31", best="2", at_least="3",
               tie=["evenings", "", "best_match"])  # fmt: skip
    (season,) = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["seasons"]
    assert season["ranking"] == {
        "by": "points", "best": 2, "at_least": 3, "ties": ["evenings", "best_match"],
    }  # fmt: skip
    assert (season["from"], season["to"]) == ("2026-10-01", "2026-10-31")
    assert "Only the best 2 evenings of each count." in visit.page().words


def test_a_club_gives_its_own_points_for_places() -> None:
    visit = Visit.found()
    visit.enter(riparto(), riparto("2026-10-09", seats="mara leo nina ugo"))
    form = {**GOOD, "by": "places", "places-3": "10, 4, \N{MINUS SIGN}1", "places-4": "7 5 3 1"}
    visit.done("/settings/season", **form)
    (season,) = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["seasons"]
    assert season["ranking"] == {"by": "places", "places": {"3": [10, 4, -1], "4": [7, 5, 3, 1]}}
    rows = visit.phone.get(f"/api/clubs/{visit.club_id}/standings").get_json()["rows"]
    # 10 + 7; of three the two others share 4 and -1, of four they share 5, 3 and 1.
    assert {row["member"]: row["figure"] for row in rows} == {
        "mara": 17, "leo": 4.5, "nina": 4.5, "ugo": 3,
    }  # fmt: skip
    assert "With 3 players: 10, 4, \N{MINUS SIGN}1." in visit.page().words


def test_typed_points_for_places_stay_in_the_form() -> None:
    form = {**GOOD, "by": "places", "name": "", "places-3": "10 4 1"}
    fields = inputs_of(Visit.found().refused("/settings/season", **form))
    assert fields["places-3"] == ["10 4 1"]
    assert fields["places-5"] == [""]


def test_member_with_too_few_evenings_stands_below_the_line() -> None:
    visit = Visit.found()
    visit.enter(riparto(), riparto("2026-10-09", seats="mara leo nina ugo"))
    visit.done("/settings/season", **GOOD, at_least="2")
    assert "Too few evenings yet – Ugo" in visit.page().words


def closed(visit: Visit) -> str:
    asked = visit.page("/settings/season/autumn/close")
    assert "Close Autumn?" in asked.words
    (tag,) = [field["value"] for field in asked.all("input") if field.get("name") == "tag"]
    return visit.done("/settings/season/autumn/close", tag=tag)


def test_closed_season_keeps_its_table_and_lists_later_changes() -> None:
    visit = Visit.found()
    visit.enter(riparto(), riparto("2026-10-09", "leo"))
    visit.done("/settings/season", **GOOD)
    assert closed(visit).endswith("done=closed")
    before = visit.page().words
    assert "After the close" not in before
    api = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()
    session = api["evenings"][0]["session"]
    record = visit.phone.post(
        f"/api/sessions/{session}/events", headers={"If-Match": '"6"', "Origin": "http://localhost"},
        json={"events": [event("note_added", text="The cards were miscounted.")]},
    )  # fmt: skip
    visit.enter(riparto("2026-10-16", "nina"))
    after = visit.page().words
    assert record.status_code == 201, record.text
    assert "1 evening was corrected or went on" in after
    assert "1 evening was added late" in after
    assert "Would be" in after
    assert before.partition("How")[0][:200] == after[:200]


def test_season_closes_only_with_the_table_that_was_shown() -> None:
    visit = Visit.found()
    visit.enter(riparto())
    visit.done("/settings/season", **GOOD)
    there = visit.done("/settings/season/autumn/close", tag="another")
    assert "Something changed meanwhile." in page_of(visit.phone.get(there)).words
    closed(visit)
    assert visit.look("/settings/season/autumn/close").status_code == 404
    assert visit.look("/settings/season/winter/close").status_code == 404


def test_a_withdrawn_evening_of_a_closed_season_opens_from_its_figures() -> None:
    visit = Visit.found()
    visit.enter(riparto(), riparto("2026-10-09", "leo"))
    visit.done("/settings/season", **GOOD)
    closed(visit)
    api = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()
    session = api["evenings"][0]["session"]
    looks = visit.other("view")
    visit.done(f"/evenings/{session}/withdraw", reason="a friendly game")
    figures = looks.page("/member/mara?season=autumn")
    links = {a.get("href", "") for a in figures.all("a")}
    (link,) = (link for link in links if link.endswith(f"{session}/results"))
    assert "2 Oct 2026 Evening of 2026-10-02" in figures.words
    assert "Mara" in page_of(looks.phone.get(link)).words

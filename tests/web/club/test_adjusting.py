"""Points that a club adds to a member's season or deducts, with their reason."""

from typing import Any

import pytest

from tests.web.club.visiting import Visit, riparto
from tests.web.pages import inputs_of


@pytest.fixture
def club() -> Visit:
    visit = Visit.found()
    visit.enter(riparto())
    visit.done("/settings/season", **{"name": "Autumn", "from": "2026-10-01", "game": ["riparto"],
                                      "by": "points"})  # fmt: skip
    return visit


def figure(visit: Visit, member: str) -> Any:
    body = visit.phone.get(f"/api/clubs/{visit.club_id}/standings").get_json()
    return next(row["figure"] for row in body["rows"] if row["member"] == member)


@pytest.mark.parametrize(
    ("typed", "by"), [("5", 5), ("+2", 2), ("-3", -3), ("\N{MINUS SIGN}4", -4)]
)
def test_adjusted_points_are_shown_with_their_reason(club: Visit, typed: str, by: int) -> None:
    before = figure(club, "leo")
    there = club.done("/settings/member/leo/points", season="autumn", points=typed,
                      reason="kept the books")  # fmt: skip
    assert figure(club, "leo") == before + by
    assert "By the club: kept the books" in " ".join(club.phone.get(there.partition("#")[0]).text
                                                      .replace("<bdi>", "").replace("</bdi>", "")
                                                      .split())  # fmt: skip


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"points": ""}, "A number such as 5 or -5."),
        ({"points": "0"}, "A number such as 5 or -5."),
        ({"points": "2.5"}, "A number such as 5 or -5."),
        ({"points": "--3"}, "A number such as 5 or -5."),
        ({"points": "1000001"}, "A number such as 5 or -5."),
        ({"reason": ""}, "Say why in a few words."),
        ({"reason": "x" * 201}, "This is longer than 200 letters."),
        ({"season": "none"}, "There is no such season in this club."),
    ],
)
def test_invalid_adjustment_is_refused_with_a_message(
    club: Visit, form: dict[str, str], says: str
) -> None:
    fields = {"season": "autumn", "points": "5", "reason": "kept the books", **form}
    assert says in club.refused("/settings/member/leo/points", **fields).words


def test_form_offers_open_seasons(club: Visit) -> None:
    assert "Give or take away points" in club.page("/settings/member/leo").words


def test_adjustment_after_the_close_is_refused_with_the_reason(club: Visit) -> None:
    tag = inputs_of(club.page("/settings/season/autumn/close"))["tag"][0]
    club.done("/settings/season/autumn/close", tag=tag)
    fields = {"season": "autumn", "points": "5", "reason": "kept the books"}
    page = club.refused("/settings/member/leo/points", **fields)
    assert "The season Autumn is closed." in page.words


def test_without_an_open_season_there_is_no_form() -> None:
    assert "Give or take away points" not in Visit.found().page("/settings/member/leo").words

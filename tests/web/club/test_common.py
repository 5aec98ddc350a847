"""What is recorded by a form of a club: once, however often it is sent."""

from typing import Final

import pytest

from tests.web.club.visiting import Visit
from tests.web.pages import inputs_of

SEASON: Final = {"name": "Autumn", "from": "2026-09-01", "game": "riparto", "by": "points"}
# By the page with the form: where it goes, and what it says.
FORMS: Final = {
    "/money": ("/money", {"from": "mara", "to": "leo", "amount": "5"}),
    "/settings/season": ("/settings/season", {**SEASON, "name": "Winter"}),
    "/settings/member/leo": (
        "/settings/member/leo/points", {"season": "autumn", "points": "-3", "reason": "came late"},
    ),
}  # fmt: skip


@pytest.fixture
def club() -> Visit:
    visit = Visit.found(money="yes")
    visit.done("/settings/season", **SEASON)
    return visit


def events(visit: Visit) -> int:
    version: int = visit.phone.get(f"/api/clubs/{visit.club}").get_json()["version"]
    return version


def form_of(visit: Visit, page: str) -> tuple[str, dict[str, str]]:
    """Where the form of a page goes, and what it says with its own key."""
    action, said = FORMS[page]
    return action, {**said, "key": inputs_of(visit.page(page))["key"][0]}


@pytest.mark.parametrize("page", FORMS)
def test_a_form_that_is_sent_six_times_is_recorded_once(club: Visit, page: str) -> None:
    action, form = form_of(club, page)
    before = events(club)
    led = {club.done(action, **form) for _ in range(6)}
    assert len(led) == 1
    assert events(club) == before + 1
    club.done(action, **form_of(club, page)[1])  # a form that was loaded anew is meant again
    assert events(club) == before + 2

"""Forms of a club are recorded one time, however often they are sent; long lists have parts."""

import re
from typing import Final

import pytest

from scorekeeper.web.club import visitor
from tests.web.club.visiting import Visit, riparto, well_formed
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


# The same of forms that say what can be so only once.
REPEATABLE_FORMS: Final = {
    "/settings": ("/settings/add", {"names": "Zoe"}),
    "/settings/member/nina": ("/settings/member/nina", {"act": "leave"}),
    "/settings/merge?member=nina&into=leo": (
        "/settings/merge", {"member": "nina", "into": "leo"},
    ),
    "/settings/recorded/5": ("/settings/recorded/5", {"reason": "mistyped"}),
    "/settings/season/autumn/close": ("/settings/season/autumn/close", {}),
}  # fmt: skip


def events(visit: Visit) -> int:
    version: int = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["version"]
    return version


def form_of(visit: Visit, page: str) -> tuple[str, dict[str, str]]:
    """Return the address of a page's form, and its values with its own key."""
    action, fields = {**FORMS, **REPEATABLE_FORMS}[page]
    own = {name: values[0] for name, values in inputs_of(visit.page(page)).items()
           if name in ("key", "tag")}  # fmt: skip
    return action, {**fields, **own}


@pytest.mark.parametrize("page", FORMS)
def test_form_sent_six_times_is_recorded_one_time(club: Visit, page: str) -> None:
    action, form = form_of(club, page)
    before = events(club)
    led = {club.done(action, **form) for _ in range(6)}
    assert len(led) == 1
    assert events(club) == before + 1
    club.done(action, **form_of(club, page)[1])  # a form that was loaded anew is meant again
    assert events(club) == before + 2


@pytest.mark.parametrize("page", REPEATABLE_FORMS)
def test_repeated_form_gets_equal_answers(club: Visit, page: str) -> None:
    action, form = form_of(club, page)
    before = events(club)
    assert len({club.done(action, **form) for _ in range(6)}) == 1
    assert events(club) == before + 1


def test_form_sent_six_times_enters_or_withdraws_an_evening_one_time(
    club: Visit,
) -> None:
    club.enter(riparto())
    (evening,) = club.phone.get(f"/api/clubs/{club.club_id}").get_json()["evenings"]
    page = f"/evenings/{evening['session']}/withdraw"
    withdrawing = {"reason": "a friendly game", "key": inputs_of(club.page(page))["key"][0]}
    before = events(club)
    assert len({club.done(page, **withdrawing) for _ in range(6)}) == 1
    named = well_formed(club.post("/enter/who", session=evening["session"]))
    entering = {"session": evening["session"], "key": inputs_of(named)["key"][0],
                **{f"as-{player}": player for player in ("mara", "leo", "nina")}}  # fmt: skip
    assert len({club.done("/enter", **entering) for _ in range(6)}) == 1
    assert events(club) == before + 2


# By the page with a long list: each line of it, and how many lines there are.
LISTS: Final = {
    "/evenings": (r'<li class="evening-line">.*?</li>', 5),
    "/member/mara?season=ever": (r'<tr class="game">.*?</tr>', 5),
    "/money": (r"for pizza \d", 5),
    "/money/of?account=leo&currency=EUR": (r'<tr><th scope="row">.*?</tr>', 10),
    "/settings/recorded": (r"/settings/recorded/\d+", 13),
}


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch) -> Visit:
    """A club with five evenings and five payments, two lines on a page."""
    monkeypatch.setattr(visitor, "LINES_PER_PAGE", 2)
    visit = Visit.found(money="yes")
    stake = {"currency": "EUR", "point": 10, "match": 100}
    visit.enter(*(riparto(f"2026-10-0{day}", stake=stake) for day in range(1, 6)))
    for number in range(5):
        form = {"from": "mara", "to": "leo", "amount": "5", "note": f"for pizza {number}"}
        visit.done("/money", **form)
    return visit


def walked(visit: Visit, path: str, words: str) -> list[str]:
    """Return the pages of a list, following the links with these words."""
    pages = [visit.look(path).text]
    while way := re.search(rf'href="([^"#]+)[^"]*">{words}</a>', pages[-1]):
        there = way[1].replace("&amp;", "&").partition(visit.club_id)[2]
        pages.append(visit.look(there).text)
        assert len(pages) < 20
    return pages


@pytest.mark.parametrize("path", LISTS)
def test_a_long_list_stands_on_several_pages_each_line_on_one(long: Visit, path: str) -> None:
    line, many = LISTS[path]
    pages = [re.findall(line, page, re.DOTALL) for page in walked(long, path, "Older")]
    assert [len(lines) for lines in pages] == [2] * (many // 2) + [1] * (many % 2)
    assert len({line for lines in pages for line in lines}) == many
    last = f"{path}{'&' if '?' in path else '?'}skip={2 * (len(pages) - 1)}"
    back = [re.findall(line, page, re.DOTALL) for page in walked(long, last, "Newer")]
    assert back == pages[::-1]
    assert long.page(last).wrong == []


@pytest.mark.parametrize("skip", ["-1", "99", "x", "9" * 30])
def test_missing_part_of_a_list_shows_the_first(long: Visit, skip: str) -> None:
    assert long.page(f"/evenings?skip={skip}").words == long.page("/evenings").words

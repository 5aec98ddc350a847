"""``/club/<club_id>/member/<member>``: the page has each figure of the API, with links."""

import re

import pytest

from tests.web.club.visiting import GOLDEN, Visit, riparto, well_formed


@pytest.fixture(scope="module")
def club() -> Visit:
    """The six golden evenings, and a season of Riparto evenings."""
    visit = Visit.found()
    visit.enter(*sorted(GOLDEN.glob("*/evening.jsonl")))
    visit.enter(*(riparto(f"2026-10-{day:02}", ["mara", "leo", "nina"][day % 3])
                  for day in range(1, 25)))  # fmt: skip
    return visit


def test_every_link_of_the_page_opens(club: Visit) -> None:
    page = club.page("/member/mara")
    links = {a["href"] for a in page.all("a") if a.get("href", "").startswith(("/t/", "/club/"))}
    assert len(links) > 20
    shown: dict[str, str] = {}
    for link in links:
        path, _, anchor = link.partition("#")
        if path not in shown:
            answer = club.phone.get(path)
            well_formed(answer)
            shown[path] = answer.text
        if anchor:
            assert f'id="{anchor}"' in shown[path], link


def test_what_makes_the_figure_adds_up_to_it(club: Visit) -> None:
    html = club.look("/member/leo").text
    (section,) = re.findall(r'<section id="made".*?</section>', html, re.DOTALL)
    total = float(re.findall(r"Place points:\s*([\d.]+)", section)[0])
    evenings = re.findall(r'<tr class="game">.*?<td>([\d.]+)</td></tr>', section, re.DOTALL)
    assert sum(map(float, evenings)) == total
    assert len(evenings) >= 24


def test_the_form_is_that_of_ten_evenings_with_its_table(club: Visit) -> None:
    page = club.page("/member/nina?season=ever")
    assert page.words.count("The figures are in the table below.") >= 1
    assert len(page.all("rect")) >= 10


def test_with_and_against_states_how_many_hands(club: Visit) -> None:
    words = club.page("/member/mara").words
    assert "With and against" in words
    assert "A best partner and a nemesis are named from 20 hands on." in words
    assert re.search(r"Nemesis: \w+ in front in \d+ % of \d+ hands", words)


def test_nemesis_is_the_opponent_who_was_ahead_most_often() -> None:
    """Hands in which neither was ahead count half, on the page of both alike."""
    visit = Visit.found()
    days = range(1, 25)
    visit.enter(*(riparto(f"2026-10-{day:02}", "mara" if day > 6 else "leo") for day in days))
    words = visit.page("/member/leo").words
    assert "Nemesis: Mara in front in 75 % of 24 hands" in words
    assert "Mara – 24 25 %" in words
    assert "Hands in which neither was in front count as half." in words


def test_member_page_lists_the_records_of_the_member(club: Visit) -> None:
    assert "Records held" in club.page("/member/mara").words


def test_each_set_of_rules_links_to_its_rule_book() -> None:
    """A set of rules has one number on all pages of the club; its book marks unusual rules."""
    visit = Visit.found()
    options = {"match_end": {"hands": 2}, "award_tie": "last_trick"}
    visit.enter(riparto("2026-10-01"))
    assert "rules no." not in visit.page("/member/mara").words
    visit.enter(riparto("2026-10-02", options=options))
    for path in ("/records", "/member/mara"):
        page = visit.page(path)
        assert page.words.index("rules no. 1") < page.words.index("rules no. 2")
        one, two, *_more = [a["href"] for a in page.all("a") if "/rules/riparto" in a["href"]]
        assert one == "/rules/riparto"
        assert "unusual" in well_formed(visit.phone.get(two)).words


def test_a_season_of_one_game_has_that_game_alone(club: Visit) -> None:
    club.done("/settings/season", **{"name": "Riparto", "from": "2026-10-01", "by": "average",
                                     "game": ["riparto"]})  # fmt: skip
    words = club.page("/member/mara?season=riparto").words
    played = words.partition("Records held")[0]
    assert "Picchetto" not in played
    assert "Riparto" in played
    assert club.look("/member/mara?season=none").status_code == 404


def test_unknown_member_is_not_found(club: Visit) -> None:
    assert "There is no such member" in club.page("/member/nobody", 404).words


def test_merged_member_is_found_under_the_remaining_id(club: Visit) -> None:
    visit = Visit.found("Mara", "Leo", "Nina", "Nino")
    visit.enter(riparto())
    visit.done("/settings/merge", member="nino", into="nina")
    assert "Nina" in visit.page("/member/nino").words


def test_member_without_an_evening_gets_a_message() -> None:
    visit = Visit.found("Mara", "Leo", "Nina", "Ugo")
    visit.enter(riparto())
    assert "Has played no hand here yet." in visit.page("/member/ugo").words

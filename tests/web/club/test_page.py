"""``/club/<club_id>``: the season's table with the viewer's row first, and the last evenings.

Tests of ``web.club.season_table``, ``web.club.visitor`` and ``web.club.evening_lines``.
"""

import re
from io import BytesIO

import pytest
from pypdf import PdfReader

from scorekeeper.log.reading import MAX_FILE_BYTES
from scorekeeper.web.club.visitor import format_number
from tests.evenings import by_hand, event, replaced
from tests.web.club.visiting import GOLDEN, OWN, Visit, riparto, service, well_formed
from tests.web.pages import page_of

WON = ("leo", "leo", "leo", "mara", "nina")
SEASON = {"name": "Autumn", "from": "2026-10-01", "to": "2026-10-31", "game": ["riparto"],
          "by": "points"}  # fmt: skip


@pytest.fixture(scope="module")
def club() -> Visit:
    """Five evenings, four of them in the season."""
    visit = Visit.found()
    days = ("2026-10-02", "2026-10-09", "2026-10-16", "2026-10-23", "2026-11-06")
    visit.enter(*(riparto(day, won) for day, won in zip(days, WON, strict=True)))
    visit.done("/settings/season", **SEASON)
    return visit


def rows(html: str) -> list[str]:
    """Return the rows of the season's table as text, without those for paper."""
    (table,) = re.findall(r'<table class="sheet season-table">.*?</table>', html, re.DOTALL)
    lines = re.findall(r"<tr class=\"(.*?)\">(.*?)</tr>", table, re.DOTALL)
    return [" ".join(re.sub("<[^>]+>", " ", cells).split())
            for kind, cells in lines if "on-paper" not in kind]  # fmt: skip


def test_table_of_the_latest_season_has_the_viewers_row_first(club: Visit) -> None:
    season_rows = rows(club.look().text)
    assert [line.split()[1] for line in season_rows] == ["Mara", "Leo", "Nina"]
    assert season_rows[0].startswith("2. Mara You")
    standings = club.phone.get(f"/api/clubs/{club.club_id}/standings").get_json()["rows"]
    shown = {line.replace(" You", "").split()[1]: line.replace(" You", "").split()[2]
             for line in season_rows}  # fmt: skip
    assert shown == {row["name"]: row["shown"] for row in standings}


def test_each_figure_links_to_its_details(club: Visit) -> None:
    links = [a["href"] for a in club.page().all("a") if "#made" in a.get("href", "")]
    assert len(links) == 4  # one's own line stands there for paper, too
    for link in links:
        assert 'id="made"' in club.phone.get(link).text


def test_viewer_who_is_not_a_member_sees_the_table_in_its_order(club: Visit) -> None:
    season_rows = rows(club.other("view").look().text)
    assert [line.split()[0] for line in season_rows] == ["1.", "2.", "3."]


def test_other_seasons_are_one_tap_away(club: Visit) -> None:
    words = club.page("?season=ever").words
    assert "5 evenings" in words
    assert "Autumn" in words
    assert "4 evenings" in club.page().words
    assert club.look("?season=winter").status_code == 404


def test_the_last_evenings_lead_to_their_results(club: Visit) -> None:
    page = club.page()
    links = [a["href"] for a in page.all("a") if a.get("href", "").endswith("/results")]
    assert len(links) == 5
    assert "6 Nov 2026" in page.words
    for link in links:
        assert well_formed(club.phone.get(link)).words.count("Riparto")


def test_an_evening_that_goes_on_is_marked_and_moves_the_table(club: Visit) -> None:
    visit = Visit.found()
    open_ = riparto().rsplit(b"\n", 2)[0] + b"\n"
    visit.enter(open_)
    words = visit.page().words
    assert "still open" in words
    assert "* may still change" in words


def test_rating_is_shown_with_its_certainty() -> None:
    visit = Visit.found()
    visit.enter(riparto())
    visit.done("/settings/season", **{**SEASON, "by": "rating"})
    assert "It begins at 1500." in visit.page().words
    assert [line.count("hardly known yet") for line in rows(visit.look().text)] == [1, 1, 1]
    assert "hardly known yet" in visit.page("/member/mara").words
    assert re.search(r"1500 → \d{4}", visit.page("/member/mara").words)


def test_a_league_of_several_games_counts_places() -> None:
    visit = Visit.found()
    visit.enter(*sorted(GOLDEN.glob("*/evening.jsonl")))
    words = visit.page().words
    assert "Place points" in words
    assert "6 evenings" in words


def test_pages_and_paper_name_the_version_that_the_figures_are_of() -> None:
    """Correcting an old hand changes the version, though the club's log has no event of it."""
    visit = Visit.found()
    visit.enter(riparto())
    (session,) = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["evenings"]
    versions = [version_of(visit)]
    wrong = replaced(5, "points_counted", points={"mara": 6, "leo": 9, "nina": 0})
    answer = visit.phone.post(
        f"/api/sessions/{session['session']}/events", json={"events": [wrong], "as_played": True},
        headers={**OWN, "If-Match": '"6"'},
    )  # fmt: skip
    assert answer.status_code == 201, answer.text
    versions.append(version_of(visit))
    assert versions[0] != versions[1]


def version_of(visit: Visit) -> str:
    """Return the version of a club from its API, and from its paper."""
    answer = visit.phone.get(f"/api/clubs/{visit.club_id}/standings")
    version = answer.headers["ETag"].strip('"')
    for path in ("", "/records", "/member/leo"):
        assert version not in visit.page(path).words, path
    paper = visit.phone.get(f"/api/clubs/{visit.club_id}/exports/pdf").data
    assert f"Version {version}" in PdfReader(BytesIO(paper)).pages[0].extract_text()
    return version


def test_figures_are_formatted_in_the_readers_language(club: Visit) -> None:
    with club.app.test_request_context(headers={"Accept-Language": "fr"}):
        assert [
            format_number(2.5),
            format_number(-3),
            format_number(2.0),
            format_number(1 / 3),
        ] == [
            "2,5",
            "\N{MINUS SIGN}3",
            "2",
            "0,33",
        ]


def test_viewer_without_a_key_gets_advice(club: Visit) -> None:
    stranger = Visit(club.app, club.club_id)
    assert "This phone is not in the club" in stranger.page(status=401).words
    assert "There is no such club here." in Visit(club.app, "o" + "2" * 11).page(status=404).words
    assert "Only the host of the club can do this" in (
        club.other("view").page("/settings/season", 403).words
    )


def test_errors_within_a_club_link_back_to_it(club: Visit) -> None:
    """Without a key or without such a club, the error page links to the form for a key."""

    def hrefs(visit: Visit, path: str, status: int) -> list[str]:
        return [link["href"] for link in visit.page(path, status).all("a")]

    view = club.other("view")
    for visit, path, status in ((view, "/settings/season", 403), (club, "?season=none", 404),
                                (club, "/member/nobody", 404)):  # fmt: skip
        assert f"/club/{club.club_id}" in hrefs(visit, path, status), path
    for nowhere in ("/", "/nothing", "/settings/nothing"):
        assert f"/club/{club.club_id}" in hrefs(view, nowhere, 404), nowhere
        stranger = Visit(club.app, club.club_id)
        assert f"/club/{club.club_id}" not in hrefs(stranger, nowhere, 404), nowhere
    assert "/code" in hrefs(Visit(club.app, club.club_id), "", 401)
    gone = Visit(club.app, "o" + "2" * 11)
    assert f"/club/{gone.club_id}" not in hrefs(gone, "", 404)


def test_before_the_first_evening_it_says_what_to_do() -> None:
    words = Visit.found().page().words
    assert "No evening counts here yet. Add your evenings, or open a table." in words


def test_evenings_without_a_day_are_listed_as_outside_of_seasons() -> None:
    visit = Visit.found()
    visit.enter(*sorted(GOLDEN.glob("*/evening.jsonl")), riparto())
    assert "no known day" not in visit.page().words
    visit.done("/settings/season", **SEASON)
    assert "6 evenings have no known day, so they count in no season." in visit.page().words


def test_the_first_page_lists_the_clubs_of_the_phone_beside_its_tables() -> None:
    visit = Visit.found("Mara", "Leo")
    assert "My clubs Circolo 2 members · 0 evenings · host of the club" in (
        page_of(visit.phone.get("/")).words
    )
    visit.enter(riparto(title="At the bar"))
    words = page_of(visit.phone.get("/")).words
    assert words.index("My tables") < words.index("At the bar") < words.index("My clubs")
    leo = page_of(visit.other("seat", "leo").phone.get("/"))
    assert "1 evening · Leo" in leo.words
    assert f"/club/{visit.club_id}" in [a.get("href") for a in leo.all("a")]


def test_an_evening_that_was_corrected_on_a_later_day_is_named() -> None:
    visit = Visit.found()
    visit.enter(riparto("2026-10-02", title="Friday"), riparto("2026-10-09", title="Later"))
    assert "Corrected later" not in visit.page().words
    evenings = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["evenings"]
    wrong = replaced(5, "points_counted", points={"mara": 0, "leo": 15, "nina": 0})
    answer = visit.phone.post(
        f"/api/sessions/{evenings[0]['session']}/events",
        json={"events": [wrong], "as_played": True}, headers={**OWN, "If-Match": '"6"'},
    )  # fmt: skip
    assert answer.status_code == 201, answer.text
    assert "Corrected later: Friday" in visit.page().words
    lines = visit.page("/evenings").words
    assert lines.index("Later") < lines.index("Friday") < lines.index("corrected on")


def test_closed_season_shows_its_losses_on_every_page_with_its_table() -> None:
    """A withdrawn evening counts in the final table; here its log was never received."""
    lost = "23456789abcd"
    log = by_hand([
        event("club_opened", name="Circolo", format=1),
        event("member_joined", id="mara", name="Mara"),
        event("evening_entered", session=lost, players={"mara": "mara"}),
        event("season_opened", id="autumn", name="Autumn", games=["riparto"], ranking="points",
              **{"from": "2026-09-01"}),
        event("season_closed", season="autumn", heads={lost: "0" * 64}),
        event("evening_withdrawn", session=lost, reason="not ours"),
    ])  # fmt: skip
    app = service()
    club = app.extensions["clubs"].import_log(log, MAX_FILE_BYTES)
    visit = Visit(app, club.id)
    visit.phone.post("/join", data={"key": club.keys[0].secret}, headers=OWN)
    notice = "1 evening of this season cannot be read here. The table is made without it."
    assert notice in visit.page().words
    body = visit.phone.get(f"/api/clubs/{club.id}/standings").get_json()
    assert body["after_the_close"]["lost"] == [lost]
    assert notice in visit.phone.get(f"/api/clubs/{club.id}/exports/text").text

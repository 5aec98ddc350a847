"""The season's page lists the matches that nobody ended, for their hosts with a link to end them.

Tests of ``web.club.page``.
"""

import re

from tests.evenings import event
from tests.web.club.visiting import OWN, Visit, log_of, riparto, well_formed
from tests.web.pages import inputs_of

HEAD = "Matches that nobody ended"


def unended(day: str) -> bytes:
    """Return the log of an evening whose match has an end of its own, and has not ended."""
    players = [{"id": player, "name": player.capitalize()} for player in ("mara", "leo", "nina")]
    events = [
        event("session_opened", title=f"Evening of {day}", players=players),
        event("match_started", game="riparto", seats=["mara", "leo", "nina"],
              options={"match_end": {"hands": 9}}),
        event("hand_started", dealer="mara"),
        event("bid_made", player="leo", points=5),
        event("points_counted", points={"leo": 5, "nina": 10}),
    ]  # fmt: skip
    return log_of(events, day)


def listed(html: str) -> str:
    """Return the part of a page that lists matches that nobody ended."""
    return html.partition(f">{HEAD}<")[2].partition("</section>")[0]


def test_host_of_the_table_ends_a_match_from_the_page_of_the_season() -> None:
    visit = Visit.found()
    visit.enter(riparto("2026-10-01"), unended("2026-10-08"))
    assert HEAD in visit.page().words
    part = listed(visit.look().text)
    assert "Evening of 2026-10-08" in part
    assert "Evening of 2026-10-01" not in part
    [link] = re.findall(r'href="(/t/\w+/settings/end)"', part)
    page = well_formed(visit.phone.get(link))
    assert "Decided: won by Leo" in page.words
    (moment,) = inputs_of(page)["moment"]
    answer = visit.phone.post(link, data={"moment": moment, "result": "undecided"}, headers=OWN)
    assert answer.status_code == 303
    assert HEAD not in visit.page().words


def test_viewer_without_the_key_of_the_table_gets_no_link() -> None:
    visit = Visit.found()
    visit.enter(unended("2026-10-08"))
    other = visit.other("view")
    part = listed(other.look().text)
    assert "The host of the table ends it." in part
    assert "/settings/end" not in part


def test_closed_season_lists_none() -> None:
    visit = Visit.found()
    visit.enter(unended("2026-10-08"))
    visit.done("/settings/season", **{"name": "Autumn", "from": "2026-10-01", "to": "2026-10-31",
                                      "game": ["riparto"], "by": "wins"})  # fmt: skip
    assert HEAD in visit.page("?season=autumn").words
    [tag] = inputs_of(visit.page("/settings/season/autumn/close"))["tag"]
    visit.done("/settings/season/autumn/close", tag=tag)
    assert HEAD not in visit.page("?season=autumn").words


def test_standings_over_the_api_name_the_match() -> None:
    visit = Visit.found()
    visit.enter(unended("2026-10-08"))
    values = visit.phone.get(f"/api/clubs/{visit.club_id}/standings").get_json()
    [match] = values["unended"]
    assert (match["match"], match["game"]) == (1, "riparto")
    assert match["session"] in values["evenings"]

"""A refused count stays in the form to be corrected, and is sent by its button."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.phones import Evening, asking, phone
from tests.operation.serving import Server, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


def test_refused_count_stays_complete_until_its_button_is_tapped(
    server: Server, browser: "Browser"
) -> None:
    evening = Evening.begin(server, "riparto", 4)
    evening.record(
        ("hand_started", {"dealer": "mara"}), ("bid_made", {"player": "leo", "points": 5})
    )
    with phone(browser, evening, "host") as host:
        page = host.open("?level=totals")
        page.evaluate(asking("live.close()"))
        page.locator("summary", has_text="Count the points").click()
        evening.record(("bid_made", {"player": "zoe", "points": 6}))
        form = page.locator("form.points_counted")
        keys = form.locator(".keys button")
        for points in ("4", "5", "6"):  # like a fast keyboard
            keys.get_by_text(points, exact=True).evaluate("(key) => key.click()")
        page.locator("#notice").wait_for()
        counted = "(all) => all.map((one) => one.value)"
        figures = form.locator(".typed input")
        assert figures.evaluate_all(counted) == ["4", "5", "6", "0"]
        keys.get_by_text("3", exact=True).click()
        assert figures.evaluate_all(counted) == ["3", "5", "6", "1"]
        page.wait_for_timeout(200)
        assert evening.events("points_counted") == []
        form.locator(".go").click()
        until(lambda: bool(evening.events("points_counted")), 5)
        (count,) = evening.events("points_counted")
        assert count["data"]["points"] == {"mara": 3, "leo": 5, "zoe": 6, "ben": 1}


def test_correcting_is_offered_before_recording_an_irregular_count(
    server: Server, browser: "Browser"
) -> None:
    evening = Evening.begin(server, "briscola_regina", 4)
    evening.record(("hand_started", {"dealer": "mara"}))
    with phone(browser, evening, "host") as host:
        page = host.open("?level=cards")
        page.locator("form.card_played [data-group=player] label:not(:has(:checked))").first.click()
        page.locator("form.card_played .suit-column button").first.click()
        notice = page.locator("#notice.irregular")
        notice.wait_for()
        words = [text.strip() for text in notice.locator(".button").all_inner_texts()]
        assert words == ["Correct it", "Record it as it happened"]
        notice.get_by_text("Correct it").click()
        assert notice.count() == 0
        assert evening.events("card_played") == []


def test_irregular_count_stays_complete_to_be_corrected(server: Server, browser: "Browser") -> None:
    evening = Evening.begin(server, "knock", 4)
    evening.record(("hand_started", {"dealer": "leo"}))
    evening.record(*(("trick_taken", {"player": "leo"}) for _ in range(13)))
    with phone(browser, evening, "host") as host:
        page = host.open("?level=tricks")
        form = page.locator("form.points_counted")
        figures = form.locator("input[data-high]")
        typed = "(all) => all.map((one) => one.value)"
        figures.first.fill("60")
        assert figures.evaluate_all(typed) == ["60", "40"]
        form.locator(".go").click()
        page.locator("#notice.irregular").wait_for()
        page.get_by_text("Correct it").click()
        assert page.locator("#notice").count() == 0
        assert figures.evaluate_all(typed) == ["60", "40"]
        figures.first.fill("0")
        assert figures.evaluate_all(typed) == ["0", "100"]
        assert evening.events("points_counted") == []
        form.locator(".go").click()
        until(lambda: bool(evening.events("points_counted")), 5)
        (count,) = evening.events("points_counted")
        assert count["data"]["points"] == {"A": 0, "B": 100}
        assert page.locator("#notice").count() == 0


def test_a_notice_hides_nothing_of_the_pad_and_gives_its_room_back(
    server: Server, browser: "Browser"
) -> None:
    evening = Evening.begin(server, "riparto", 4)
    evening.record(
        ("hand_started", {"dealer": "mara"}), ("bid_made", {"player": "zoe", "points": 4})
    )
    with phone(browser, evening, "leo") as leo:
        page = leo.open("?level=tricks")
        turn, before = page.locator(".up-next"), page.locator(".pad form").first.bounding_box()
        form = page.locator("form[data-step=bid_made]")
        form.get_by_text("Zoe", exact=True).click()
        form.get_by_text("3", exact=True).click()
        notice = page.locator("#notice")
        notice.wait_for()
        hidden = "(pad) => pad.scrollTop"
        assert page.locator(".pad").evaluate(hidden) == 0
        assert turn.is_visible()
        notice.get_by_text("Correct it").click()
        assert page.locator(".pad").evaluate(hidden) == 0
        assert page.locator(".pad form").first.bounding_box() == before

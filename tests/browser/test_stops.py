"""The end of a match on a phone: tapped twice, without a network, and after others recorded.

Tests of ``templates/table/stop.html`` with the queue of entries (``outbox.js``, ``conflict.js``).
"""

from typing import TYPE_CHECKING

import pytest

from tests.browser.phones import Evening, Phone, phone
from tests.browser.test_phones_away import decide
from tests.operation.serving import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.browser

DEALT = ("hand_started", {"dealer": "mara"})
COUNT = ("points_counted", {"points": {"mara": 30, "leo": 12}})
LATE = ("hand_started", {"dealer": "leo"})
SECOND_TOUCH_MS = 1000  # until a tap is no longer taken for a second touch
UNDECIDED = "Undecided: nobody wins, the points count"


def open_stop(host: Phone) -> "Locator":
    """Return the form that ends the match, after it was opened by taps."""
    host.page.locator("details.seldom > summary:visible").click()
    host.page.locator("summary").get_by_text("The match stops here").click()
    host.page.wait_for_timeout(SECOND_TOUCH_MS)  # the form opens under the thumb
    return host.page.locator("form.match_ended")


def ends(evening: Evening) -> list[dict[str, object]]:
    return [event["data"] for event in evening.events("match_ended")]


def test_double_tap_ends_one_match_and_one_tap_takes_it_back(
    browser: "Browser", evening: Evening
) -> None:
    evening.record(DEALT, COUNT)
    with phone(browser, evening, "host") as host:
        host.open()
        open_stop(host).get_by_text(UNDECIDED).dblclick()
        host.wait_for(5)
        assert ends(evening) == [{"undecided": True}]
        host.page.get_by_text("Undecided: nobody has won it").wait_for()
        host.page.locator(".undo button").dblclick()
        host.wait_for(6)
        assert evening.version() == 6
        assert evening.get()["matches"][0]["status"] == "open"
        assert not host.wrong


def test_end_waits_for_the_network_and_arrives_once(browser: "Browser", evening: Evening) -> None:
    evening.record(DEALT, COUNT)
    with phone(browser, evening, "host") as host:
        host.open()
        form = open_stop(host)
        host.go_away()
        form.get_by_text("Decided: Mara and Leo share it").click()
        until(lambda: host.waiting() == 1, 5)
        waits = "The match stops here · Decided: Mara and Leo share it"
        assert waits in host.page.locator("body").inner_text()
        host.context.set_offline(False)
        until(lambda: not host.waiting(), 20)
        assert ends(evening) == [{}]
        assert evening.get()["matches"][0]["winners"] == ["mara", "leo"], "no game is won"


def test_end_without_a_network_is_asked_about_if_a_hand_began_meanwhile(
    browser: "Browser", evening: Evening
) -> None:
    evening.record(DEALT, COUNT)
    with phone(browser, evening, "host") as host:
        host.open()
        form = open_stop(host)
        host.go_away()
        form.get_by_text(UNDECIDED).click()
        evening.record(LATE, ("declared", {"player": "mara", "category": "point", "value": 40}),
                       as_played=True)  # fmt: skip
        host.context.set_offline(False)
        sheet = host.page.locator("#conflict")
        sheet.wait_for()
        assert ends(evening) == []
        decide(host)
        asked = sheet.get_by_text("Hand 2 is not finished, and scores nothing.")
        asked.wait_for()
        assert ends(evening) == []
        host.page.wait_for_timeout(SECOND_TOUCH_MS)
        sheet.locator("[data-do=played]").click()
        until(lambda: not host.waiting(), 20)
        assert ends(evening) == [{"undecided": True}]


def test_form_that_names_the_unfinished_hand_records_without_another_question(
    browser: "Browser", evening: Evening
) -> None:
    evening.record(DEALT, COUNT, LATE)
    evening.record(("declared", {"player": "mara", "category": "point", "value": 40}),
                   as_played=True)  # fmt: skip
    with phone(browser, evening, "host") as host:
        host.open()
        form = open_stop(host)
        assert "Hand 2 is not finished" in form.inner_text()
        form.get_by_text(UNDECIDED).click()
        host.wait_for(7)
        assert ends(evening) == [{"undecided": True}]

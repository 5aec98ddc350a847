"""One keypad of a form enters all its numbers, and one question at a time fits on a phone."""

from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.hands import DICE, GAMES, played, recorded_events
from tests.browser.phones import Evening, Phone, phone
from tests.operation.serving import Server
from tests.thinned import thinned

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

OVERFLOW: Final = """() => {
  const pad = document.querySelector(".pad");
  return pad ? pad.scrollHeight - pad.clientHeight : 0;
}"""
# Questions with so many answers that the buttons beside them are hidden below.
LONG: Final = {("briscola_col_monte", "card_called"), ("picchetto", "shown")}
HIDDEN: Final = """() => {
  const pad = document.querySelector(".pad").getBoundingClientRect();
  return [...document.querySelectorAll(".pad > .step :is(.tap, .pick)")]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > pad.bottom + 1)
    .map((one) => one.textContent);
}"""
PLACES: Final = """(all) => all.map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return [left, top, width, height].map(Math.round).join();
})"""


def dealt(server: Server, game: str) -> Evening:
    """Return a table with a hand that is dealt."""
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    evening.record(("hand_started", {"dealer": played(game, DICE[game]).dealer}))
    return evening


def fits(device: Phone) -> bool:
    """Return whether the pad does not scroll."""
    return int(device.page.evaluate(OVERFLOW)) <= 1


@pytest.mark.parametrize("game", thinned(GAMES, 2))
def test_each_question_fits_on_a_phone(server: Server, browser: "Browser", game: str) -> None:
    evening = dealt(server, game)
    events = recorded_events(game, "tricks", DICE[game])
    with phone(browser, evening, "host") as host:
        host.open("?level=totals")
        assert fits(host), "totals"
        host.open("?level=tricks")
        for place, event in enumerate(events):
            coming = event["type"]
            if coming != "trick_taken" or events[place - 1]["type"] != coming:
                host.page.reload()
                assert host.page.evaluate(HIDDEN) == [], coming
                assert fits(host) or (game, coming) in LONG, coming
            evening.record((event["type"], event["data"]))


@pytest.mark.parametrize("game", thinned(GAMES, 2))
def test_form_of_totals_has_one_keypad_that_never_moves(
    server: Server, browser: "Browser", game: str
) -> None:
    with phone(browser, dealt(server, game), "host") as host:
        page = host.open("?level=totals")
        assert page.locator(".whole .keypad").count() == 1
        keypad = page.locator(".whole .keypad")
        before = keypad.evaluate_all(PLACES)
        for field in page.locator(".whole .typed:visible input").all():
            field.click()
            assert keypad.evaluate_all(PLACES) == before
            keys = page.locator(".whole .keys:not(.off) button")
            sizes = keys.evaluate_all("(all) => all.map((one) => one.offsetHeight)")
            assert min(sizes) >= 48
            low = int(field.get_attribute("data-low") or 0)
            assert keys.locator(":scope[data-digit=minus]").count() == (low < 0)


def test_keypad_is_seen_though_other_numbers_are_folded_away(
    server: Server, browser: "Browser"
) -> None:
    evening = dealt(server, "briscola_chiamata")
    made = recorded_events("briscola_chiamata", "totals", DICE["briscola_chiamata"])[:2]
    evening.record(*((event["type"], event["data"]) for event in made))
    with phone(browser, evening, "host") as host:
        form = host.open("?level=totals").locator(".pad > form.points_counted")
        assert form.locator("details [data-high]").count() > 0
        form.locator(".keys:not(.off)").get_by_text("9", exact=True).click()
        assert form.locator("[data-high]").first.input_value() == "9"


def test_second_tap_on_a_key_takes_a_small_number_back(server: Server, browser: "Browser") -> None:
    with phone(browser, dealt(server, "riparto"), "host") as host:
        page = host.open("?level=totals")
        field = page.locator(".whole .typed input").first
        key = page.locator(".whole .keys:not(.off)").get_by_text("12", exact=True)
        key.click()
        assert field.input_value() == "12"
        label = field.locator("xpath=..").inner_text().strip()
        assert page.locator("#said").text_content() == f"{label} 12"
        field.click()
        key.click()
        assert field.input_value() == ""


def test_number_beside_ranks_is_typed_in_their_place(server: Server, browser: "Browser") -> None:
    with phone(browser, dealt(server, "briscola_chiamata"), "host") as host:
        page = host.open("?level=tricks")
        form, before = page.locator("form.bid_made"), host.version()
        top = form.evaluate("(one) => one.getBoundingClientRect().top")
        assert not form.locator(".keypad").is_visible()
        form.locator(".typed input").click()
        assert not form.get_by_text("Pass", exact=True).is_visible()
        assert form.evaluate("(one) => one.getBoundingClientRect().top") == pytest.approx(
            top, abs=1
        )
        form.locator("[data-digit=back]").click()
        assert form.get_by_text("Pass", exact=True).is_visible()
        form.locator(".typed input").click()
        for key in "75":
            form.locator(f"[data-digit='{key}']").click()
        host.wait_for(before + 1)
        [bid] = host.evening.events("bid_made")
        assert bid["data"]["bid"] == 75


def test_only_player_who_may_act_stands_beside_the_title(
    server: Server, browser: "Browser"
) -> None:
    evening = dealt(server, "riparto")
    evening.record(("bid_made", {"player": "leo", "points": 5}))
    with phone(browser, evening, "host") as host:
        form = host.open("?level=tricks").locator("form.hierarchy_declared")
        assert form.locator(".others > summary bdi").inner_text() == "Leo"
        assert not form.locator(".seats").is_visible()
        form.locator(".others > summary").click()
        assert form.locator(".seats .pick").count() == len(GAMES["riparto"].split())

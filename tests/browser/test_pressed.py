"""A pressed control looks the same everywhere, and stays so until the page has the answer."""

from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.phones import Evening, phone
from tests.conftest import SOAK
from tests.operation.serving import Server, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

pytestmark = pytest.mark.browser

FEEDBACK_MS: Final = 100
SLACK: Final = 1 if SOAK else 5  # factor for other tests on the machine
BID: Final = ("bid_made", {"player": "leo", "points": 5})
LOOK: Final = """(one) => {
  const look = getComputedStyle(one);
  return [look.backgroundColor, look.color, look.borderStyle, look.boxShadow].join(" ");
}"""
# Presses a control as a thumb does, and returns the milliseconds until it looks otherwise.
CHANGES: Final = """(one) => new Promise((done) => {
  const look = () => getComputedStyle(one).backgroundColor, before = look();
  const began = performance.now();
  one.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, isPrimary: true }));
  const watch = () => {
    const passed = performance.now() - began;
    if (look() !== before || passed > 5000) done(passed); else requestAnimationFrame(watch);
  };
  watch();
})"""


def dealt(server: Server, *events: tuple[str, dict[str, Any]], game: str = "riparto") -> Evening:
    evening = Evening.begin(server, game, 4)
    evening.record(("hand_started", {"dealer": "leo"}), *events)
    return evening


def press(page: "Page", target: "Locator") -> str:
    """Press a control with a pointer that is not lifted; return how it looks."""
    box = target.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    return str(target.evaluate(LOOK))


def test_page_that_settles_keeps_the_look_of_its_controls(
    server: Server, browser: "Browser"
) -> None:
    with phone(browser, dealt(server, BID), "host") as host:
        page = host.open("?level=tricks")
        controls = page.locator(".pad :is(.tap, .pick > span, summary, .button)")
        before = controls.evaluate_all(f"(all) => all.map({LOOK})")
        for busy in ("one.classList.add('settling')", "one.setAttribute('aria-busy', 'true')"):
            page.locator("#table").evaluate(f"(one) => {{ {busy}; }}")
            assert controls.evaluate_all(f"(all) => all.map({LOOK})") == before
        page.locator("#table").evaluate(
            "(one) => { one.classList.remove('settling'); one.removeAttribute('aria-busy'); }"
        )


def test_pressed_and_chosen_controls_look_alike(server: Server, browser: "Browser") -> None:
    with phone(
        browser, dealt(server, ("bid_made", {"player": "leo", "points": 1})), "host"
    ) as host:
        page = host.open("?level=tricks")
        chosen = page.locator(".pad .pick :checked + span").first
        looks = {str(chosen.evaluate(LOOK))}
        for other in (
            page.locator(".pad .pick:visible :not(:checked) + span").first,
            page.locator(".pad .tap:visible").first,
        ):
            looks.add(press(page, other))
            page.mouse.move(0, 0)
            page.mouse.up()
        assert len(looks) == 1


def test_control_shows_its_press_at_once(server: Server, browser: "Browser") -> None:
    with phone(browser, dealt(server, BID), "host") as host:
        page = host.open("?level=tricks")
        for control in (".pad .tap:visible", ".pad .pick:visible > span", ".undo button"):
            assert page.locator(control).last.evaluate(CHANGES) <= FEEDBACK_MS * SLACK, control
        flash = "(one) => getComputedStyle(one).webkitTapHighlightColor"
        assert page.locator(".pad .tap").first.evaluate(flash) == "rgba(0, 0, 0, 0)"


def test_tapped_button_stays_pressed_until_the_answer(server: Server, browser: "Browser") -> None:
    evening = dealt(server, ("bid_made", {"player": "leo", "points": 5}))
    held: list[Route] = []

    def hold(route: "Route") -> None:
        held.append(route)

    def is_held() -> bool:
        page.wait_for_timeout(10)  # lets the handler run
        return bool(held)

    with phone(browser, evening, "host") as host:
        page = host.open("?level=tricks")
        page.route("**/record*", hold)
        button = page.locator(".pad .tap.none")
        with page.expect_request("**/record*"):
            button.click()
        page.mouse.move(0, 0)
        until(is_held, 5)
        assert button.evaluate("(one) => one.classList.contains('pressed')")
        held[0].continue_()
        until(lambda: bool(evening.events("hierarchy_declared")), 5)
        host.wait_for(evening.version())
        assert page.locator(".pressed").count() == 0

"""Numbers that may be negative, by touch: some phones have no minus on their digit keypad."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.phones import HEIGHT, WIDTH, Evening, Phone
from tests.browser.test_clubs import opened, season
from tests.operation.serving import Server, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

pytestmark = pytest.mark.browser

# The input modes whose keypad may have no minus.
DIGITS_ONLY: Final = ("numeric", "decimal", "tel")
SECOND_TOUCH_MS: Final = 400  # until a tap is no longer taken for a second touch
MINUS: Final = "\N{MINUS SIGN}"
PLAYED: Final[Any] = (
    ("hand_started", {"dealer": "mara"}),
    ("bid_made", {"player": "leo", "points": 5}),
    ("points_counted", {"points": {"mara": 4, "leo": 5, "zoe": 6}}),
)


@pytest.fixture(scope="module")
def touched(server: Server, browser: "Browser") -> Iterator["BrowserContext"]:
    """Return a phone with a touch screen."""
    with browser.new_context(
        base_url=server.origin, viewport={"width": WIDTH, "height": HEIGHT},
        has_touch=True, is_mobile=True, service_workers="block",
    ) as context:  # fmt: skip
        context.set_default_timeout(5_000)
        yield context


@pytest.fixture(scope="module")
def evening(server: Server) -> Evening:
    """Return a table with one complete hand."""
    evening = Evening.begin(server, "riparto", 4)
    evening.record(*PLAYED)
    return evening


@pytest.fixture(scope="module")
def host(touched: "BrowserContext", evening: Evening) -> Phone:
    return Phone.of(touched, evening, "host")


def opened_in(page: "Page", place: "Locator") -> "Locator":
    """Return a form of the table after opening its enclosing parts by touch."""
    while (shut := place.locator("xpath=ancestor::details[not(@open)]")).count():
        shut.first.locator("> summary").tap()
        page.wait_for_timeout(SECOND_TOUCH_MS)  # what it opens is under the thumb
    return place


def keypad(field: "Locator") -> str:
    """Return the input mode of a field."""
    return str(field.evaluate("(one) => one.inputMode"))


def test_compare_with_paper_has_a_minus_on_the_pad_of_the_page(
    host: Phone, evening: Evening
) -> None:
    page = host.open("?level=totals")
    form = opened_in(page, page.locator("form.score_claimed"))
    wanted = {"mara": -3, "leo": 12, "zoe": 0, "ben": -104}
    for side, points in wanted.items():
        field = form.locator(f'[name="n:scores.{side}"]')
        if "active" not in (field.get_attribute("class") or ""):
            field.tap()
        assert keypad(field) == "none"  # only the page's own pad opens
        keys = form.locator(".keys button")
        sizes = keys.evaluate_all(
            "(all) => all.map((one) => one.getBoundingClientRect()).map((one) => one.height)"
        )
        assert min(sizes) >= 48
        for digit in str(abs(points)):
            form.locator(f'[data-digit="{digit}"]').tap()
        if points < 0:
            assert form.get_by_role("button", name="Minus").inner_text() == MINUS
            field.tap()
            for _ in range(3):  # a second touch removes it
                form.locator("[data-digit=minus]").tap()
        assert field.input_value() == str(points)
    form.locator(".go").tap()
    page.locator("#notice").get_by_role("button", name="Record it as it happened").tap()
    until(lambda: bool(evening.events("score_claimed")), 5)
    [claimed] = evening.events("score_claimed")
    assert claimed["data"]["scores"] == wanted
    assert host.wrong == []


def test_penalty_accepts_a_minus(host: Phone, evening: Evening) -> None:
    page = host.open()
    form = opened_in(page, page.locator("form[data-step=penalty_given]"))
    form.locator(".pick").first.tap()
    field = form.locator('[name="n:points"]')
    assert keypad(field) not in DIGITS_ONLY
    field.tap()
    field.press_sequentially(f"{MINUS}2")
    form.locator('[name="t:reason"]').fill("Spoke to a partner")
    form.locator(".go").tap()
    until(lambda: bool(evening.events("penalty_given")), 5)
    [penalty] = evening.events("penalty_given")
    assert penalty["data"]["points"] == -2
    assert host.wrong == []


def test_points_at_the_desk_accept_a_minus(host: Phone, evening: Evening) -> None:
    seq = evening.events("points_counted")[0]["seq"]
    page = host.page
    page.goto(f"/t/{evening.id}/d/1-1/e/{seq}?insert=score_claimed")
    for side, typed in (("leo", "-5"), ("zoe", f"{MINUS}7")):
        box = page.locator(f'[name="f.scores.{side}"]')
        assert keypad(box) not in DIGITS_ONLY
        box.tap()
        box.press_sequentially(typed)
    page.get_by_role("button", name="See what changes").tap()
    page.get_by_label("Leo").check()
    page.get_by_role("button", name="Propose it").tap()
    until(lambda: bool(evening.events("correction_proposed")), 5)
    [proposed] = evening.events("correction_proposed")
    [inserted] = proposed["data"]["corrections"]
    assert inserted["data"]["data"] == {"scores": {"leo": -5, "zoe": -7}}
    assert host.wrong == []


def test_points_of_a_season_accept_a_minus(touched: "BrowserContext") -> None:
    page = touched.new_page()
    club = opened(page, "Circolo", "Mara", ("Leo",))
    page.goto(f"{club}/settings/season")
    assert {keypad(field) for field in page.locator('[name^="places-"]').all()} == {""}
    season(page, club, "Autumn")
    page.goto(f"{club}/settings/member/leo")
    page.get_by_text("Give or take away points").tap()
    points = page.locator("#points")
    assert keypad(points) not in DIGITS_ONLY
    points.tap()
    points.press_sequentially(f"{MINUS}5")
    page.locator("#reason").fill("Late")
    page.get_by_role("button", name="Record it").tap()
    page.wait_for_url("**/member/leo?*")
    assert f"{MINUS}5" in page.locator("#made").inner_text()
    page.close()

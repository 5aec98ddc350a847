"""The table on small phones and in large letters: nothing overflows, Save is visible."""

from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.hands import GAMES
from tests.browser.letters import Letters
from tests.browser.phones import Evening, phone
from tests.operation.serving import Server
from tests.samples import SAMPLES
from tests.thinned import thinned

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

PHONES: Final = {
    "usual": (360, 740, 100), "small": (320, 568, 100), "large letters": (360, 740, 200),
    "lying": (740, 360, 100),
}  # fmt: skip
# How far the page overflows the window, and whether the save button is visible.
FITS: Final = """() => {
  document.querySelector(".save").scrollIntoView({ block: "nearest" });
  const page = document.scrollingElement, inside = document.querySelectorAll(".stage, .pad");
  const save = document.querySelector(".save").getBoundingClientRect();
  const bar = document.querySelector(".bar").getBoundingClientRect();
  return {
    down: page.scrollHeight - page.clientHeight,
    sideways: [page, ...inside].some((one) => one.scrollWidth > one.clientWidth),
    bar: bar.bottom <= innerHeight + 1 && bar.top > 0,
    save: save.bottom <= innerHeight + 1
      && (save.bottom <= bar.top + 1 || save.left >= bar.right || save.right <= bar.left),
    scrolled: [...inside].filter((one) => one.scrollHeight > one.clientHeight + 1
      && getComputedStyle(one).overflowY === "auto").length,
  };
}"""
# The place of an element within its form, independent of scrolling.
PLACE: Final = """(one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const form = one.closest("form").getBoundingClientRect();
  return [left, top - form.top, width, height].map(Math.round);
}"""
SEEN: Final = """(one) => {
  const box = one.getBoundingClientRect(), save = document.querySelector(".dock");
  return box.top > 0 && box.bottom <= save.getBoundingClientRect().top + 1;
}"""


# Percent: as chosen on the page of preferences, and twice as large in the browser.
LARGEST: Final = (150, 200)
# Whether the first question and its answers are on the screen at the same time; and the save
# button, unless the letters are so large that it stands at the end of the form.
TOGETHER: Final = """() => {
  const form = document.querySelector(".pad form[data-step]"), dock = form.querySelector(".dock");
  const stays = dock && getComputedStyle(dock).position === "sticky";
  const bar = document.querySelector(".bar").getBoundingClientRect().top;
  const edge = stays ? dock.getBoundingClientRect().top : bar;
  const answers = [...(form.querySelector(".asked") ?? form)
    .querySelectorAll("h3, button, .pick, .typed")].filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect());
  return answers.length > 2 && Math.min(...answers.map((box) => box.top)) >= 0
    && Math.max(...answers.map((box) => box.bottom)) <= edge + 1
    && (!stays || dock.getBoundingClientRect().bottom <= bar + 1);
}"""


def dealt(server: Server, game: str) -> Evening:
    """Return a table with a hand that is dealt."""
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    evening.record(("hand_started", {"dealer": "mara"}))
    return evening


@pytest.mark.parametrize("size", PHONES)
@pytest.mark.parametrize(
    "game", [pytest.param("riparto", marks=pytest.mark.soak), "briscola_col_monte"]
)
def test_save_stays_visible_while_the_pad_scrolls(
    server: Server, browser: "Browser", letters: Letters, game: str, size: str
) -> None:
    width, height, percent = PHONES[size]
    with phone(browser, dealt(server, game), "host") as host:
        host.page.set_viewport_size({"width": width, "height": height})
        host.open("?level=totals")
        by_family = letters.each(host.page, FITS, percent=percent)
    for family, fits in by_family.items():
        assert fits.pop("scrolled") <= 1, family
        assert fits == {"down": 0, "sideways": False, "bar": True, "save": True}, family


@pytest.mark.parametrize("level", ["totals", "tricks"])
@pytest.mark.parametrize("game", thinned(GAMES, 2))
def test_question_and_its_answers_are_visible_together_in_large_letters(
    server: Server, browser: "Browser", letters: Letters, game: str, level: str
) -> None:
    with phone(browser, dealt(server, game), "host") as host:
        page = host.open(f"?level={level}")
        together = {size: letters.each(page, TOGETHER, percent=size) for size in LARGEST}
    assert all(all(by_family.values()) for by_family in together.values()), together


@pytest.mark.parametrize(
    ("game", "last"),
    [(game, sample.last_total) for game, sample in SAMPLES.items() if sample.last_total],
)
def test_totals_of_a_hand_fit_on_one_screen(
    server: Server, browser: "Browser", letters: Letters, game: str, last: str
) -> None:
    with phone(browser, dealt(server, game), "host") as host:
        page = host.open("?level=totals")
        field = page.locator(f".whole {last}").last
        assert all(letters.inspect_each(page, lambda: field.evaluate(SEEN)).values())


def test_next_number_is_active_after_an_entry(server: Server, browser: "Browser") -> None:
    with phone(browser, dealt(server, "riparto"), "host") as host:
        page = host.open("?level=totals")
        fields = page.locator(".whole .typed input")
        assert "active" in (fields.first.get_attribute("class") or "")
        for key in ("3", "4", "5", "6"):
            page.locator(".whole .keys:not(.off)").get_by_text(key, exact=True).click()
        values = fields.evaluate_all("(all) => all.map((one) => one.value)")
        assert values == ["3", "4", "5", "6", "0"]
        fields.nth(1).click()
        page.locator(".whole .keys:not(.off)").get_by_text("2", exact=True).click()
        assert fields.evaluate_all("(all) => all.map((one) => one.value)")[1:] == list("2562")
        assert page.locator(".whole .active").count() == 1


def test_hierarchy_is_entered_by_tapping_suits_in_order(server: Server, browser: "Browser") -> None:
    evening = dealt(server, "riparto")
    evening.record(("bid_made", {"player": "leo", "points": 4}))
    with phone(browser, evening, "leo") as leo:
        page = leo.open("?level=tricks")
        page.locator("summary", has_text="Hierarchy").click()
        row, tops, before = page.locator(".rank:not(:has(:checked))"), [], leo.version()
        for suit in "DHS":
            assert row.locator(":scope:visible").count() == 1
            tops.append(row.first.locator(".pick").first.evaluate(PLACE))
            if suit == "H":  # a second tap removes it
                page.locator(".rank:has(:checked) .pick:visible").click()
                row.first.locator(".pick:has(.french-D)").click()
            row.first.locator(f".pick:has(.french-{suit})").click()
        leo.wait_for(before + 1)
        assert tops[0] == tops[1] == tops[2]
    [declared] = evening.events("hierarchy_declared")
    assert declared["data"]["suits"] == ["D", "H", "S", "C"]


def test_suit_of_one_bris_is_not_offered_for_another(server: Server, browser: "Browser") -> None:
    with phone(browser, dealt(server, "briscola_regina"), "leo") as leo:
        page = leo.open("?level=totals")
        suits = page.locator("form.whole [data-once]")
        free = "(one) => [...one.querySelectorAll('input')].map((input) => !input.disabled)"
        suits.nth(0).locator(".pick:has(.italian-D)").click()
        page.locator("form.whole details.more summary").click()
        assert [sum(row.evaluate(free)) for row in suits.all()] == [4, 3, 3, 3]
        suits.nth(0).locator(".pick:has(.italian-D)").click()  # a second tap removes it
        assert [sum(row.evaluate(free)) for row in suits.all()] == [4, 4, 4, 4]


def test_long_name_is_broken_between_words(
    server: Server, browser: "Browser", letters: Letters
) -> None:
    evening = dealt(server, "riparto")
    long = "Massimiliano Bartolomeo Rossi-Colonna"
    with phone(browser, evening, "host") as host:
        page = host.open("?level=tricks")
        page.evaluate(
            """(name) => document.querySelectorAll(".seats bdi")
              .forEach((one) => { one.textContent = name; })""",
            long,
        )
        names = page.locator(".seats bdi")
        heights = "(all) => Math.max(...all.map((one) => one.offsetHeight))"
        size = names.first.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
        heights_by_family = letters.inspect_each(page, lambda: names.evaluate_all(heights))
        assert max(heights_by_family.values()) <= 2.5 * size
        assert (
            page.locator(".seats bdi").first.evaluate("(one) => getComputedStyle(one).overflowWrap")
            == "normal"
        )


BEYOND: Final = """(all) => all.filter((chip) => chip.checkVisibility()
  && chip.scrollWidth > chip.clientWidth).map((chip) => chip.textContent)"""


def test_no_word_of_a_penalty_goes_beyond_its_chip(server: Server, browser: "Browser") -> None:
    with phone(browser, dealt(server, "riparto"), "host") as host:
        page = host.open("?level=totals")
        page.get_by_text("More", exact=True).click()
        page.locator("summary", has_text="Penalty").click()
        chips = page.locator("[data-step=penalty_given] .pick > span")
        assert chips.last.is_visible()
        assert chips.evaluate_all(BEYOND) == []


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_undo_names_its_entry_beside_the_dispute_button(
    server: Server, browser: "Browser", language: str
) -> None:
    evening = dealt(server, "briscola_chiamata")
    hand = (
        ("bid_made", {"player": "leo", "bid": "K"}), ("partner_revealed", {"player": "ben"}),
        ("outcome_recorded", {"made": True}),
    )  # fmt: skip
    for raw in hand:
        evening.record(raw)
    with phone(browser, evening, "host", new=True) as host:
        host.page.set_extra_http_headers({"Accept-Language": language})
        for more in ((), (("hand_started", {"dealer": "leo"}), *hand)):
            if more:
                evening.record(*more)
            host.open()
            assert host.page.locator(".bar a").count() >= 1
            words = host.page.locator(".undo small")
            assert words.evaluate("(one) => one.scrollHeight <= one.clientHeight")
            assert words.evaluate("(one) => one.scrollWidth <= one.clientWidth")
            assert words.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") >= 12

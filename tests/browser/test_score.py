"""A log dropped, chosen or pasted on the page is answered with its score sheet."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.letters import Letters
from tests.web.pages import EXAMPLE, STATIC
from tests.web.test_names import PAYLOADS, evening

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

DROP = """
(text) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], "evening.jsonl"));
  for (const kind of ["dragover", "drop"]) {
    document.body.dispatchEvent(
      new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
  }
}
"""
WIDTH = "() => document.documentElement.scrollWidth"
SMALL = """
() => [...document.querySelectorAll("nav a, .button, summary, .brand, input, textarea")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.textContent.trim().slice(0, 30), one.getBoundingClientRect()])
  .filter(([, box]) => box.height < 44 || box.width < 24)
  .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)
"""


def sheet(page: "Page") -> None:
    """Wait for the sheet."""
    page.locator(".ledger").first.wait_for()
    assert page.title().startswith("Friday at Mara’s")


def test_dropped_file_is_scored(quiet: "Page") -> None:
    quiet.goto("/score")
    quiet.evaluate(DROP, EXAMPLE)
    sheet(quiet)


def test_dropped_file_is_verified(quiet: "Page") -> None:
    quiet.goto("/verify")
    quiet.evaluate(DROP, EXAMPLE)
    heading = quiet.get_by_role("heading", name="This is not a sealed log")
    heading.wait_for()
    assert heading.is_visible()


def test_chosen_file_is_not_sent_while_a_head_is_typed(quiet: "Page") -> None:
    quiet.goto("/verify")
    quiet.get_by_text("What did my phone see?").click()
    quiet.evaluate(DROP, EXAMPLE)
    assert quiet.evaluate("() => document.getElementById('log').files.length") == 1
    quiet.fill("#version", "1")
    assert quiet.url.endswith("/verify")
    assert quiet.get_by_role("heading", level=1).inner_text() == "Verify a log"


@pytest.mark.soak
def test_chosen_file_is_scored_immediately(quiet: "Page") -> None:
    quiet.goto("/score")
    quiet.set_input_files("#log", STATIC / "mistake.jsonl")
    sheet(quiet)


def test_pasted_log_is_scored_by_a_button(quiet: "Page") -> None:
    quiet.goto("/score")
    quiet.fill("#text", EXAMPLE)
    quiet.get_by_role("button", name="Score it").click()
    sheet(quiet)


def test_form_scores_a_log_without_scripts(browser: "Browser", live_server: str) -> None:
    with browser.new_context(base_url=live_server, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/score")
        page.set_input_files("#log", STATIC / "mistake.jsonl")
        page.get_by_role("button", name="Score it").click()
        sheet(page)
        page.locator("#m1h3 summary").first.click()
        assert page.locator("#m1h3t1").is_visible()
        assert page.get_by_role("button", name="Print").count() == 0


def test_opened_hand_shows_its_reasons(quiet: "Page") -> None:
    quiet.goto("/score/mistake")
    hand = quiet.locator("#m1h3")
    assert not hand.locator(".because").is_visible()
    hand.locator("summary").first.click()
    assert hand.locator(".reasons").get_by_text("R12").is_visible()
    assert hand.locator(".play .card").count() == 36
    assert hand.get_by_text("but still held").is_visible()


def test_link_of_a_finding_opens_its_hand(quiet: "Page") -> None:
    quiet.goto("/score/mistake")
    quiet.locator(".strip a").click()
    quiet.locator(".findings").get_by_role("link", name="Match 1, hand 3").click()
    quiet.locator("#m1h3 .because").wait_for()
    assert quiet.url.endswith("#m1h3")


@pytest.mark.soak
def test_all_hands_open_and_close_together(quiet: "Page") -> None:
    quiet.goto("/score/mistake")
    quiet.get_by_role("button", name="Expand all hands").click()
    assert quiet.locator(".because:visible").count() == 10
    quiet.get_by_role("button", name="Collapse all hands").click()
    assert quiet.locator(".because:visible").count() == 0


@pytest.mark.soak
def test_sheet_remains_after_a_visit_to_a_clause(quiet: "Page") -> None:
    quiet.goto("/score")
    quiet.set_input_files("#log", STATIC / "mistake.jsonl")
    sheet(quiet)
    quiet.locator("#m1h1 summary").first.click()
    quiet.locator("#m1h1 .chip").first.click()
    quiet.wait_for_url("**/rules/riparto#R12")
    quiet.go_back()
    sheet(quiet)


@pytest.mark.soak
def test_suits_are_drawn_on_the_sheet(quiet: "Page") -> None:
    """The drawings come from a file of the server, which the policy must allow."""
    quiet.goto("/")
    box = quiet.locator(".games .suits use").first.evaluate("(one) => one.getBBox().width")
    assert box > 10


@pytest.mark.parametrize(
    "text",
    [PAYLOADS[0], *(pytest.param(payload, marks=pytest.mark.soak) for payload in PAYLOADS[1:3])],
)
def test_markup_in_a_log_is_escaped(quiet: "Page", text: str) -> None:
    quiet.goto("/score")
    quiet.evaluate(DROP, evening(text))
    quiet.locator(".ledger").first.wait_for()
    assert quiet.locator("h1").inner_text() == text


def wide_log() -> str:
    """Return a log of seven players with long names."""
    players = [{"id": f"p{n}", "name": f"Wolfeschlegelsteinhausen {n}" * 2} for n in range(7)]
    seats = [player["id"] for player in players]
    events = [
        ("session_opened", {"title": "A" * 200, "players": players}),
        ("match_started", {"game": "briscola_col_monte", "seats": seats}),
        ("hand_started", {"dealer": "p0"}),
        ("bid_made", {"player": "p1", "bid": 70}),
        ("partner_revealed", {"player": "p2"}),
        ("trick_taken", {"player": "p3"}),
        ("points_counted", {"points": {"bidder": 80}}),
    ]
    return "".join(json.dumps({"type": kind, "data": data}) + "\n" for kind, data in events)


@pytest.mark.soak
@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
def test_every_page_fits_320_pixels_with_large_targets(
    browser: "Browser", live_server: str, letters: Letters, tmp_path: Path, night: bool
) -> None:
    wide = tmp_path / "wide.jsonl"
    wide.write_text(wide_log())
    unusable = tmp_path / "unusable.jsonl"
    unusable.write_text(wide_log() + "x" * 3000)
    with browser.new_context(
        base_url=live_server,
        viewport={"width": 320, "height": 568},
        color_scheme="dark" if night else "light",
    ) as context:
        page = context.new_page()
        for path in ("/", "/score", "/rules", "/rules/knock", "/api/docs", "/nothing"):
            page.goto(path)
            assert max(letters.each(page, WIDTH).values()) <= 320, path
            assert not any(letters.each(page, SMALL).values()), path
        for log in (STATIC / "mistake.jsonl", wide, unusable):
            page.goto("/score")
            page.set_input_files("#log", log)
            page.wait_for_function("() => !document.title.startsWith('Score a log')")
            if page.locator("#open-all").count():
                page.locator("#open-all").click()
            assert max(letters.each(page, WIDTH).values()) <= 320, log.name
            assert not any(letters.each(page, SMALL).values()), log.name


@pytest.mark.soak
def test_keyboard_can_skip_the_header(quiet: "Page") -> None:
    quiet.goto("/score/mistake")
    quiet.keyboard.press("Tab")
    assert quiet.evaluate("() => document.activeElement.className") == "skip"
    quiet.keyboard.press("Enter")
    quiet.wait_for_function("() => document.activeElement.id === 'main'")


@pytest.mark.soak
def test_keyboard_opens_a_hand_with_a_visible_focus(quiet: "Page") -> None:
    quiet.goto("/score/mistake")
    quiet.locator("#m1h1 summary").first.focus()
    quiet.keyboard.press("Enter")
    quiet.locator("#m1h1 .because").wait_for()
    outline = quiet.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_sheet_is_printed_in_black_on_white_without_controls(
    quiet: "Page",
) -> None:
    quiet.emulate_media(media="print", color_scheme="dark")
    quiet.goto("/score/mistake")
    assert not quiet.locator("nav").first.is_visible()
    assert not quiet.get_by_role("button", name="Print").is_visible()
    background = quiet.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(255, 255, 255)"

"""The pages about the past in a browser: one trick at a time, a dispute by taps, printing."""

import json
import re
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from pypdf import PdfReader

from tests.api.asking import hand, match
from tests.browser.joining import join
from tests.browser.letters import Letters
from tests.evenings import opening, sealed
from tests.exports import late
from tests.exports.samples import log_of, riparto
from tests.web.pages import EXAMPLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PATHS = ["/h/1-3", "/results", "/audit", "/d/1-3", "/d/1-5"]


@pytest.fixture
def session(quiet: "Page") -> dict[str, Any]:
    """Import the example session, and give the browser the key of a seat."""
    answer = quiet.request.post(
        "/api/sessions/import", data=EXAMPLE,
        headers={"Content-Type": "application/x-ndjson", "Sec-Fetch-Site": "same-origin"},
    )  # fmt: skip
    opened: dict[str, Any] = answer.json()
    sit(quiet, opened, "leo")
    return opened


def sit(page: "Page", opened: dict[str, Any], who: str) -> None:
    """Give the browser the key of a seat."""
    key = opened["keys"]["seats"].get(who) or opened["keys"][who]
    page.goto("/rules")
    join(page.context, page.url.removesuffix("/rules"), key)


def shown_tricks(page: "Page") -> list[str]:
    tricks = page.locator(".one-trick:visible h3")
    return [re.sub(r"\D", "", text) for text in tricks.all_inner_texts()]


def marked(page: "Page") -> list[str]:
    """Return the numbers that are marked as chosen."""
    return [text.split()[-1] for text in page.locator(".play [aria-current]").all_inner_texts()]


def test_one_trick_at_a_time_is_shown_by_links_and_keys(
    quiet: "Page", session: dict[str, Any]
) -> None:
    quiet.goto(f"/t/{session['id']}/h/1-1")
    assert shown_tricks(quiet) == ["1"]
    places = quiet.evaluate("() => history.length") - 1
    quiet.get_by_role("link", name="Trick 2", exact=True).last.click()
    assert shown_tricks(quiet) == ["2"]
    quiet.keyboard.press("ArrowRight")
    assert shown_tricks(quiet) == ["3"]
    quiet.keyboard.press("ArrowLeft")
    assert shown_tricks(quiet) == ["2"]
    assert marked(quiet) == ["2"]
    assert quiet.evaluate("() => history.length") - 1 == places
    quiet.goto(f"/t/{session['id']}/h/1-1#t7")
    assert shown_tricks(quiet) == marked(quiet) == ["7"]


def test_link_shows_its_trick_without_scripts(browser: "Browser", live_server: str) -> None:
    with browser.new_context(base_url=live_server, java_script_enabled=False) as context:
        page = context.new_page()
        opened = page.request.post(
            "/api/sessions/import", data=EXAMPLE, headers={"Content-Type": "application/x-ndjson"}
        ).json()
        sit(page, opened, "leo")
        page.goto(f"/t/{opened['id']}/h/1-1")
        assert shown_tricks(page) == ["1"]
        page.locator(".play a", has_text="4").click()
        assert shown_tricks(page) == ["4"]


@pytest.mark.parametrize(("script", "expected"), [(True, "21:14"), (False, "20:14 UTC")])
def test_times_are_local_or_have_their_time_zone(
    browser: "Browser", live_server: str, script: bool, expected: str
) -> None:
    with browser.new_context(
        base_url=live_server, java_script_enabled=script, timezone_id="Europe/Rome", locale="en-GB"
    ) as context:
        page = context.new_page()
        events = [opening("mara", "leo", "nina"), match(), *hand()]
        log = sealed(events, by="keeper")  # at 20:14 UTC
        opened = page.request.post(
            "/api/sessions/import", data=log, headers={"Content-Type": "application/x-ndjson"}
        ).json()
        sit(page, opened, "leo")
        page.goto(f"/t/{opened['id']}/h/1-1")
        page.locator(".record summary").click()
        assert page.locator(".record time").first.inner_text() == expected
        page.goto(f"/t/{opened['id']}/results")
        assert page.locator("time").inner_text() == "21 November 2026"
        page.goto(f"/t/{opened['id']}")
        if not script:  # on wide screens a script opens it
            page.locator(".log > summary").click()
            page.locator(".log a").click()
        page.locator("time", has_text=expected).first.wait_for()


def test_replay_begins_at_a_finding(quiet: "Page", session: dict[str, Any]) -> None:
    quiet.goto(f"/t/{session['id']}/h/1-3")
    assert "contested" in str(quiet.locator(".one-trick.now").get_attribute("class"))


@pytest.mark.soak
@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_cut_off_on_small_screens_or_in_large_letters(
    quiet: "Page", session: dict[str, Any], letters: Letters, path: str
) -> None:
    quiet.set_viewport_size({"width": 320, "height": 568})
    quiet.goto(f"/t/{session['id']}{path}")
    wide = "() => document.documentElement.scrollWidth - innerWidth"
    assert max(letters.each(quiet, wide).values()) <= 0
    quiet.set_viewport_size({"width": 360, "height": 740})
    assert max(letters.each(quiet, wide).values()) <= 0
    assert max(letters.each(quiet, wide, percent=200).values()) <= 0


@pytest.mark.soak
@pytest.mark.parametrize("path", PATHS)
def test_tap_targets_are_large_enough(
    quiet: "Page", session: dict[str, Any], letters: Letters, path: str
) -> None:
    """Except for links within a text."""
    quiet.set_viewport_size({"width": 360, "height": 740})
    quiet.goto(f"/t/{session['id']}{path}")
    small = letters.each(
        quiet,
        """() => [...document.querySelectorAll(
        "main button, main input:not([type=hidden]), main select, main summary, main .button, "
        + "main .play a, main .step a, main .change, main .sheet a, main .checks a")]
        .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 43.5)
        .map((one) => one.outerHTML.slice(0, 120))""",
    )
    assert not any(small.values())


@pytest.mark.soak
def test_dispute_from_the_flag_to_the_signed_correction(
    quiet: "Page", session: dict[str, Any]
) -> None:
    desk = f"/t/{session['id']}/d/1-6"
    quiet.goto(desk)
    quiet.get_by_role("button", name="Wrong number of tricks").click()
    quiet.locator("#e133").get_by_role("link", name="Change").click()
    quiet.get_by_label("Who", exact=True).select_option("leo")
    quiet.get_by_role("button", name="See what changes", exact=True).click()
    quiet.get_by_role("button", name="Propose it").click()
    quiet.get_by_role("button", name="Sign", exact=True).click()
    for who in ("mara", "nina", "ugo"):
        sit(quiet, session, who)
        quiet.goto(desk)
        quiet.get_by_role("button", name="Sign", exact=True).click()
    assert "Settled: the hand was corrected." in quiet.inner_text("main")


def test_twelve_hands_fit_on_one_printed_page(
    quiet: "Page", session: dict[str, Any], letters: Letters
) -> None:
    """On A4 with margins, printed in black."""
    log = EXAMPLE.splitlines()[:2]
    log[1] = log[1].replace('"target": 20', '"hands": 12')
    seats = ["mara", "leo", "nina", "ugo"]
    for number in range(12):
        dealer, one, other, last = (seats[(number + step) % 4] for step in range(4))
        points = {one: 8, other: 7, dealer: 0, last: 0}
        log += [
            json.dumps({"type": "hand_started", "data": {"dealer": dealer}}),
            json.dumps({"type": "bid_made", "data": {"player": one, "points": 8}}),
            json.dumps({"type": "points_counted", "data": {"points": points}}),
        ]
    answer = quiet.request.post(
        "/api/sessions/import", data="\n".join(log) + "\n",
        headers={"Content-Type": "application/x-ndjson", "Sec-Fetch-Site": "same-origin"},
    )  # fmt: skip
    opened = answer.json()
    assert answer.status == 201, opened
    sit(quiet, opened, "leo")
    quiet.goto(f"/t/{opened['id']}/results")
    pages = letters.inspect_each(quiet, lambda: printed(quiet).count(b"/Type /Page\n"))
    assert set(pages.values()) == {1}


def test_printed_hands_show_their_results(quiet: "Page") -> None:
    """Like the sheet in PDF; parts that open by a tap are left out."""
    answer = quiet.request.post(
        "/api/sessions/import", data=late.log(late.corrected()),
        headers={"Content-Type": "application/x-ndjson", "Sec-Fetch-Site": "same-origin"},
    )  # fmt: skip
    opened = answer.json()
    sit(quiet, opened, "leo")
    quiet.goto(f"/t/{opened['id']}/results")
    opener = quiet.get_by_text("Where it comes from").first
    assert opener.is_visible()
    quiet.emulate_media(media="print")
    texts = quiet.locator("tbody.hand[id] .gist").all_inner_texts()
    assert [" ".join(text.split()) for text in texts][3:5] == [
        "Mara declared 5, took 7 · Leo, Nina had the most points of the others",
        "Leo declared 5, took 5",
    ]  # fmt: skip
    assert not opener.is_visible()


def imported(page: "Page", log: bytes) -> str:
    """Import a log, sit down as Leo, and return the address of the table."""
    answer = page.request.post(
        "/api/sessions/import", data=log,
        headers={"Content-Type": "application/x-ndjson", "Sec-Fetch-Site": "same-origin"},
    )  # fmt: skip
    opened = answer.json()
    sit(page, opened, "leo")
    return f"/t/{opened['id']}"


def test_sums_are_printed_once_after_the_last_hand(quiet: "Page") -> None:
    quiet.goto(imported(quiet, log_of(riparto(50))) + "/results")
    pages = [page.extract_text() for page in PdfReader(BytesIO(printed(quiet))).pages]
    assert len(pages) > 1
    assert sum(len(re.findall(r"\bTotal\b", page)) for page in pages) == 1


def test_edge_of_a_table_shows_that_more_lies_behind_it(quiet: "Page") -> None:
    """A row of the picture is darker at the edge at which the table goes on."""
    quiet.goto(imported(quiet, log_of(riparto(3))) + "/results")
    quiet.set_viewport_size({"width": 360, "height": 740})
    box = quiet.locator(".box.ledger")
    assert edges(box) == (False, False)
    box.evaluate("(box) => { box.querySelector('table').style.minWidth = '50rem'; }")
    assert edges(box) == (False, True)
    box.evaluate("(box) => { box.scrollLeft = 100; }")
    assert edges(box) == (True, True)
    box.evaluate("(box) => { box.scrollLeft = 5000; }")
    assert edges(box) == (True, False)


def edges(box: "Locator") -> tuple[bool, bool]:
    """Return whether the left and the right edge of a box are darker than its middle."""
    picture = Image.open(BytesIO(box.screenshot())).convert("L")
    row = picture.tobytes()[8 * picture.width : 9 * picture.width]
    middle = max(row)
    return min(row[2:6]) < middle - 40, min(row[-6:-2]) < middle - 40


def printed(page: "Page") -> bytes:
    """Return the page as PDF."""
    return page.pdf(format="A4", prefer_css_page_size=True)
